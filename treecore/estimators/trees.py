"""TreeClassifier and TreeRegressor."""

from dataclasses import replace
from numbers import Integral

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_array, check_consistent_length, column_or_1d

from treecore.data.column import numeric_column
from treecore.data.level_index import is_missing, label_of
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.estimators.base import OF_EFFECTS, BaseTree
from treecore.estimators.inputs import FROM_DTYPE
from treecore.judging.answers import Answers
from treecore.judging.measures import MEASURES
from treecore.target import Counts, Effect
from treecore.target.effects import named_control
from treecore.tree.predict import predicted_labels, predictions, probabilities


class TreeClassifier(ClassifierMixin, BaseTree):
    """A tree that answers with classes. Parameters, where it is not said otherwise, as in DecisionTreeClassifier.

    preset : a name in treecore.PRESETS; everything that is None below is left to it. "sklearn" grows
        scikit-learn's tree (of equal splits the first wins, whatever random_state).
    criterion : scikit-learn's "gini", "entropy" and "log_loss", or a name in treecore.criteria.CRITERIA.
    min_samples_split, min_samples_leaf : a count, or a fraction of the training rows.
    max_features : how many features are drawn at every node: a count, a share of them, "sqrt" or "log2"; which ones,
        random_state says.
    splitter : "best", or "random": one threshold is drawn for each feature at every node, and the best of these wins.
    monotonic_cst : 1, -1 or 0 for each feature: the probability of the second of two classes must not fall, must not
        rise with it, or may do both; or a mapping of names.
    min_weight_fraction_leaf, min_impurity_decrease, max_depth, max_leaf_nodes, ccp_alpha, class_weight : see there.
    priors : the classes' shares to reckon with, in the order of classes_.
    loss_matrix : (n_classes, n_classes), what it costs to take class i for j; leaves answer at least expected cost.
    profit_matrix : in its place what it earns, below 0 for what it loses, right answers too.
    feature_costs : feature name -> what asking for it costs. Columns of an array are called x0, x1, ...
    nominal, numeric, missing, split_score, selector : as in GrowSettings, where the fourth is `score`.
    leaf_model : "constant", the class shares of a leaf, or of two classes "linear", a line of few numeric features per
        leaf that gives the log-odds of the second one (logistic regression); line_features, line_ridge and
        line_smoothing in `settings` say which. None: the preset's own.
    settings : further settings of GrowSettings by name; they win.
    categorical_features : "from_dtype" (text and categories of a frame), or names, numbers or a mask of columns.
    pruning, pruning_params : a name in treecore.PRUNERS and its parameters; a pruner that judges by other rows is given
        validation_fraction of those of fit, drawn by random_state (stratified by class).
    honest_fraction : share of the rows of fit that choose no split and no size, and give all nodes their figures; 0:
        the rows that the tree grows on do. See treecore.honest.
    n_jobs : threads that grow a large tree, and folds where these choose the size (None: one for a tree, all for folds,
        see treecore.parallel); the tree does not depend on it.

    Attributes: tree_ (treecore.Tree), classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_,
    max_features_ (how many features are drawn), feature_importances_.
    """

    def __init__(
        self,
        *,
        preset="sklearn",
        criterion=None,
        splitter=None,
        max_depth=None,
        max_leaf_nodes=None,
        min_samples_split=None,
        min_samples_leaf=None,
        min_weight_fraction_leaf=None,
        max_features=None,
        min_impurity_decrease=None,
        ccp_alpha=0.0,
        monotonic_cst=None,
        class_weight=None,
        priors=None,
        loss_matrix=None,
        profit_matrix=None,
        feature_costs=None,
        nominal=None,
        numeric=None,
        missing=None,
        split_score=None,
        selector=None,
        settings=None,
        categorical_features=FROM_DTYPE,
        pruning=None,
        pruning_params=None,
        validation_fraction=0.2,
        honest_fraction=0.0,
        n_jobs=None,
        random_state=None,
        leaf_model=None,
    ):
        self.preset = preset
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.priors = priors
        self.loss_matrix = loss_matrix
        self.profit_matrix = profit_matrix
        self.feature_costs = feature_costs
        self.nominal = nominal
        self.numeric = numeric
        self.missing = missing
        self.split_score = split_score
        self.selector = selector
        self.settings = settings
        self.categorical_features = categorical_features
        self.pruning = pruning
        self.pruning_params = pruning_params
        self.validation_fraction = validation_fraction
        self.honest_fraction = honest_fraction
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.leaf_model = leaf_model

    def predict(self, X: object) -> np.ndarray:
        """(n_rows,): the class of each row, one of classes_. Where the tree gives no answer, the root's."""
        tree, matrix = self._asked(X)
        labels = predicted_labels(tree, matrix)
        return self.classes_[np.where(labels < 0, int(tree.summary[0]), labels)]

    def predict_proba(self, X: object) -> np.ndarray:
        """float64 (n_rows, n_classes), in the order of classes_. Where the tree gives no answer, the root's."""
        tree, matrix = self._asked(X)
        result = probabilities(tree, matrix)
        return np.where(np.isnan(result).any(axis=1, keepdims=True), tree.summary_shares[0], result)

    def predict_log_proba(self, X: object) -> np.ndarray:
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _target(self, y: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
        """(the index of each row's class, the classes' names)."""
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return codes, _names(self.classes_)

    def _weights(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        if self.class_weight is None:
            return weights
        if isinstance(self.class_weight, str) and self.class_weight != "balanced":
            remedy = 'Give "balanced" or a dict of classes and weights'
            raise TreecoreError(f"{self.class_weight!r} is not possible", where="class_weight", remedy=remedy)
        by_class = compute_sample_weight(self.class_weight, y)
        return by_class if weights is None else by_class * weights


class TreeRegressor(RegressorMixin, BaseTree):
    """A tree that answers with numbers. Parameters, where it is not said otherwise, as in DecisionTreeRegressor.

    criterion : "squared_error", "friedman_mse", which is the same, "absolute_error", "quantile", "huber", or "poisson"
        for counts and rates of at least 0. quantile : of criterion "quantile", which leaves answer with: 0.5, the
        median, where it is None. delta : of criterion "huber", up to which distance errors are squared; None or 0 for
        1.345 robust standard deviations of y. monotonic_cst is about what is answered. The others: see TreeClassifier.
    leaf_model : "constant", a mean per leaf, or "linear", a line of few numeric features per leaf as M5 has them;
        line_features, line_ridge and line_smoothing in `settings` say which. None: the preset's own.

    With "poisson" the tree answers with rates, as DecisionTreeRegressor does: of counts with an exposure give the
    counts and `exposure` to fit, or counts / exposure as y and the exposure as sample_weight, which is the same. What
    differs: a branch may be without events, which scikit-learn never makes, and answer 0; no rate is 0 with a
    `shrink` above 0, by which rates of few events are drawn to that of all rows (k of treecore.Counts; rpart's own: 1).
    min_impurity_decrease, splitter="random", monotonic_cst and early stopping have no meaning for it here.

    With "squared_effect" or "honest_effect" the tree answers with the effect of a treatment on y, which fit takes as
    `treatment`; see treecore.Effect. A whole number as min_samples_leaf is that of rows of each arm, 10 by itself, and
    `score` is the Qini coefficient.
    """

    def __init__(
        self,
        *,
        preset="sklearn",
        criterion=None,
        splitter=None,
        max_depth=None,
        max_leaf_nodes=None,
        min_samples_split=None,
        min_samples_leaf=None,
        min_weight_fraction_leaf=None,
        max_features=None,
        min_impurity_decrease=None,
        ccp_alpha=0.0,
        monotonic_cst=None,
        feature_costs=None,
        nominal=None,
        numeric=None,
        missing=None,
        split_score=None,
        selector=None,
        settings=None,
        categorical_features=FROM_DTYPE,
        pruning=None,
        pruning_params=None,
        validation_fraction=0.2,
        honest_fraction=0.0,
        n_jobs=None,
        random_state=None,
        shrink=0.0,
        leaf_model=None,
        quantile=None,
        delta=None,
    ):
        self.preset = preset
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.feature_costs = feature_costs
        self.nominal = nominal
        self.numeric = numeric
        self.missing = missing
        self.split_score = split_score
        self.selector = selector
        self.settings = settings
        self.categorical_features = categorical_features
        self.pruning = pruning
        self.pruning_params = pruning_params
        self.validation_fraction = validation_fraction
        self.honest_fraction = honest_fraction
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.shrink = shrink
        self.leaf_model = leaf_model
        self.quantile = quantile
        self.delta = delta

    def fit(
        self, X: object, y: object, sample_weight: object = None, exposure: object = None, treatment: object = None
    ) -> "TreeRegressor":
        """Grow, and prune as ccp_alpha and `pruning` say.

        X : (n_rows, n_features) numbers, NaN for missing, or a frame, where columns may hold levels. y : (n_rows,).
        sample_weight : (n_rows,) >= 0; rows of weight 0 are left out. exposure : (n_rows,) > 0, in how much each count
        of y was counted, for criterion="poisson" alone; the tree answers per unit of it. treatment : (n_rows,), 1 where
        a row was treated and 0 where it was not, or two values of which one is named as a control is, for the criteria
        of effects alone. ValueError for what cannot be a table.
        """
        if exposure is not None:
            y, sample_weight = self._per_exposure(X, y, sample_weight, exposure)
        y = y if treatment is None else column_or_1d(y, warn=True)
        arm = self._arms_of(treatment, y)
        if arm is not None and sample_weight is not None:  # rows of weight 0 are left out
            arm = arm[np.broadcast_to(np.asarray(sample_weight, np.float64), arm.shape) > 0]
        self._arm = arm
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._arm

    def _arms_of(self, treatment, y) -> np.ndarray | None:
        """float64 (n_rows,): 1 for treated rows; None for a tree of anything but effects. TreecoreError where a
        treatment lacks, or is given to another criterion."""
        if (self.criterion in OF_EFFECTS) != (treatment is not None):
            lacking = treatment is None
            what = "An effect is that of a treatment" if lacking else "Only the criteria of effects have one"
            remedy = "Give who was treated" if lacking else f"Choose criterion={OF_EFFECTS[0]!r}, or leave it out"
            raise TreecoreError(what, where="treatment", remedy=remedy)
        if treatment is None:
            return None
        cells = column_or_1d(treatment, warn=True).tolist()
        if len(cells) != len(y):
            raise ValueError(f"treatment has {len(cells)} rows and y has {len(y)}")
        lacking = [row for row, cell in enumerate(cells) if is_missing(cell)]
        if lacking:
            remedy = "Say of every row whether it was treated, or leave these rows out"
            raise TreecoreError(f"Row {lacking[0]} has no value", where="treatment", remedy=remedy)
        labels = [label_of(cell) for cell in cells]
        values = sorted(set(labels))
        control = named_control(values)
        if len(values) != 2 or not control:
            remedy = "Give 1 where a row was treated and 0 where it was not"
            raise TreecoreError(f"It has the values {', '.join(values[:5])}", where="treatment", remedy=remedy)
        return np.array([label != control for label in labels], np.float64)

    def score(self, X: object, y: object, sample_weight: object = None, treatment: object = None) -> float:
        """R² of the answers; of effects the Qini coefficient, which needs the treatment of these rows, too."""
        y = y if treatment is None else column_or_1d(y, warn=True)
        arm = self._arms_of(treatment, y)
        if arm is None:
            return super().score(X, y, sample_weight)
        y, n = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y"), len(arm)
        said, kind = self.predict(X), self._tree_of(X).schema.counts
        check_consistent_length(said, y)
        weight = np.ones(n)
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
        answers = Answers((), y, said, weight, np.arange(n), exposure=arm, kind=kind)
        return MEASURES["qini"](answers)

    def _per_exposure(self, X, y, sample_weight, exposure) -> tuple[np.ndarray, np.ndarray]:
        """(rates, weights): counts in an exposure say as much of a rate as so many rows do."""
        if self.criterion != "poisson":
            remedy = 'Choose criterion="poisson", or leave the exposure out'
            raise TreecoreError("Only counts have one", where="exposure", remedy=remedy)
        exposure = _check_sample_weight(exposure, X, dtype=np.float64)
        bad = np.flatnonzero(~(exposure > 0))
        if len(bad):
            remedy = "Correct these rows or leave them out"
            raise TreecoreError(f"Row {bad[0]} has {exposure[bad[0]]:g}, not above 0", where="exposure", remedy=remedy)
        y = column_or_1d(y, warn=True).astype(np.float64)
        if len(y) != len(exposure):
            raise ValueError(f"exposure has {len(exposure)} rows and y has {len(y)}")
        return y / exposure, exposure if sample_weight is None else exposure * np.asarray(sample_weight, np.float64)

    def _counted(self, table: Table) -> Table:
        """Of a Poisson tree the target is counts, their rates as they are, of others effects of a treatment. ValueError
        for counts below 0, or none at all."""
        if self.criterion in OF_EFFECTS:
            return self._with_treatment(table)
        if self.criterion != "poisson":
            return table
        y = table.target_column.values()
        if (y < 0).any() or not y.any():
            what = "Some value(s) of y are negative" if (y < 0).any() else "The sum of y is not strictly positive"
            remedy = "Give counts or rates of at least 0, some of them above"
            raise TreecoreError(f"{what}, which is not allowed for Poisson regression", where="y", remedy=remedy)
        return replace(table, counts=Counts(table.target, shrink=self.shrink).kind)

    def _with_treatment(self, table: Table) -> Table:
        arm = getattr(self, "_arm", None)
        if arm is None:
            remedy = "Use fit, which takes who was treated"
            raise TreecoreError("This knows no treatment", where="criterion", remedy=remedy)
        name = f"treatment of {table.target}"
        while name in table.column_names:
            name += "_"
        table = replace(table, columns=(*table.columns, numeric_column(name, arm)))
        least = self.min_samples_leaf
        least = {"min_rows": int(least)} if isinstance(least, Integral) else {}
        return table.with_target(Effect(table.target, name, "0", **least))

    def predict(self, X: object) -> np.ndarray:
        """float64 (n_rows,)."""
        return predictions(*self._asked(X))

    def _target(self, y: np.ndarray) -> tuple[np.ndarray, None]:
        return np.asarray(y, np.float64), None

    def _weights(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        return weights


def _names(classes: np.ndarray) -> tuple[str, ...]:
    """The classes as texts that differ; their numbers where the texts do not."""
    texts = tuple(str(c) for c in classes.tolist())
    return texts if len(set(texts)) == len(texts) else tuple(map(str, range(len(texts))))
