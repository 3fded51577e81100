"""Everything that determines how a tree is grown, as plain values, with the names that people read."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any

from treecore.criteria import CRITERIA
from treecore.data.discretize import MOST_BINS
from treecore.errors import TreecoreError
from treecore.growing.directions import DIRECTIONS
from treecore.growing.search.conditional import ADJUSTMENTS, STATISTICS
from treecore.growing.search.stopping import STOPPING_TESTS
from treecore.growing.settings.parts import (
    BRANCH_ORDERS,
    COST_FORMS,
    CUT_CHOICES,
    EMPTY_LEAVES,
    IMPURITY_SUMS,
    LEAF_MODELS,
    LEAF_SHARES,
    MAX_FEATURES,
    MISSING_STRATEGIES,
    NOMINAL_SPLITS,
    NUMERIC_SPLITS,
    PATIENCE_MEASURES,
    SELECTORS,
    SIZE_UNITS,
    SPLIT_SCORES,
    SURROGATE_STYLES,
    THRESHOLD_RULES,
    ZERO_GAINS,
)
from treecore.kernels.state import TESTED
from treecore.registry import Registry

# What settings of growth are called, wherever people read of them.

LABELS = {
    "criterion": "Impurity",
    "max_depth": "Maximum depth",
    "min_rows_leaf": "Smallest leaf (rows)",
    "score": "Splits compared by",
    "selector": "Feature chosen by",
    "nominal": "Nominal features",
    "adjustment": "p-values are adjusted for",
    "test_statistic": "Features are tested by",
    "split_statistic": "Cuts are compared by",
    "merge_alpha": "Merge categories above p",
    "chaid_bins": "Maximum groups of an ordered feature",
    "max_exhaustive": "Maximum levels for trying every grouping",
    "empty_leaf": "Branch without rows",
    "numeric": "Numeric features",
    "bins": "Bins of a numeric feature",
    "threshold": "Thresholds",
    "cuts": "Cuts tried",
    "zero_gain": "If no split gains anything",
    "branch_order": "Order of the branches",
    "tolerance": "Gains that count as equal (relative difference)",
    "max_leaves": "Maximum number of leaves",
    "min_rows_split": "Smallest node to split (rows)",
    "min_weight_split": "Smallest node to split (weight)",
    "min_weight_leaf": "Smallest leaf (weight)",
    "min_share_split": "Smallest node to split (share of training rows)",
    "min_share_leaf": "Smallest leaf (share of training rows)",
    "min_gain": "Minimum gain",
    "min_weighted_gain": "Minimum gain × share of the rows",
    "min_impurity": "Minimum impurity to split",
    "quantile": "Quantile to predict",
    "delta": "Huber’s δ",
    "test": "Significance test of each split",
    "alpha": "Significance level α",
    "n_permutations": "Permutations",
    "seed": "Random seed",
    "max_features": "Random features per split",
    "n_features": "Number of random features",
    "share_features": "Share of random features",
    "size_penalty": "Penalty for size, α",
    "size_unit": "Size counted in",
    "impurity_sum": "Leaves' impurities summed as",
    "patience": "Early stopping: patience (splits)",
    "patience_measure": "Early stopping judged by",
    "missing": "Missing values",
    "max_surrogates": "Maximum surrogates per node",
    "surrogate_style": "Surrogates judged by",
    "cost_form": "How a feature's cost acts",
    "cost_power": "Exponent w",
    "leaf_shares": "Class shares of a leaf",
    "leaf_rows": "Rows added to each leaf, m",
    "leaf_model": "Leaves answer with",
    "line_features": "Features of a line, at most",
    "line_ridge": "Shrinkage of a line, λ",
    "line_smoothing": "Smoothing of lines, k",
    "oblique": "Oblique splits by",
    "coefficient_price": "Price of a further coefficient",
    "loss": "Costs of errors",
    "profit": "Profit of predictions",
    "priors": "Class weights",
    "costs": "Costs of features",
    "edges": "Own bin edges",
    "monotonic": "Monotonic features",
}

SYNONYMS = {
    "criterion": "entropy gini information gain splitting criterion purity",
    "max_depth": "levels height complexity overfitting over-fitting stop early pre-pruning size simple",
    "min_rows_leaf": "min samples leaf minbucket leaf size overfitting over-fitting stop early pre-pruning simple",
    "quantile": "pinball loss percentile upper lower bound tau",
    "delta": "huber robust outliers threshold",
    "score": "gain ratio twoing chi-square split quality",
    "nominal": "categorical one-hot multiway subset",
    "numeric": "continuous binning discretize discretise",
    "oblique": "linear combination diagonal multivariate hyperplane",
    "tolerance": "ties equal gains",
    "max_features": "random forest mtry feature sampling subspace",
    "n_features": "random forest mtry feature sampling subspace",
    "share_features": "random forest mtry feature sampling subspace",
    "seed": "random state reproducible",
    "max_leaves": "max leaf nodes best-first size overfitting over-fitting stop early pre-pruning simple",
    "min_rows_split": "min samples split minsplit overfitting over-fitting stop early pre-pruning",
    "min_weight_split": "min samples split case weights",
    "min_weight_leaf": "min weight fraction leaf case weights",
    "min_share_split": "min samples split fraction overfitting over-fitting",
    "min_share_leaf": "min samples leaf fraction overfitting over-fitting",
    "min_gain": "min impurity decrease threshold overfitting over-fitting stop early pre-pruning",
    "min_weighted_gain": "min impurity decrease cp overfitting over-fitting stop early pre-pruning",
    "min_impurity": "pure purity stop early",
    "test": "significance hypothesis test p-value chi-square stop early overfitting over-fitting",
    "alpha": "significance p-value confidence level stop early overfitting over-fitting",
    "size_penalty": "regularization regularisation complexity overfitting over-fitting",
    "patience": "early stopping stop early validation overfitting over-fitting",
    "missing": "missing values gaps NA null NaN imputation surrogate",
    "cost_form": "expensive features test costs",
    "leaf_shares": "probability probabilities smoothing laplace calibration",
    "leaf_model": "linear model tree m5 m5p cubist linear regression in the leaves piecewise logistic lmt logit",
    "line_ridge": "ridge regularization regularisation shrink",
    "line_smoothing": "m5 smoothing",
    "loss": "cost matrix class weight imbalance imbalanced rare class misclassification",
    "profit": "value benefit class weight imbalance imbalanced rare class",
    "priors": "class weight balanced imbalance imbalanced rare class prior probabilities sampling",
    "costs": "expensive features test costs",
    "monotonic": "monotone constraint monotonicity direction increasing decreasing",
}
"""What people also call a setting: searches look here, too."""


# Settings that hold more than one number, as JSON has them and as they are kept: pairs and rows of plain values.

REMEDIES = {
    "priors": "a list of shares",
    "loss": "a list of rows of costs",
    "profit": "a list of rows of gains, below 0 for losses",
    "costs": "a cost by feature",
    "edges": "for a feature one number or more, ascending",
    "monotonic": "for a feature 1 (the answer rises with it), -1 (it falls) or 0",
}


def as_pairs(name: str, value: Any) -> Any:
    """Lists of lists (as JSON has them) as tuples of tuples, a mapping as pairs; TreecoreError for anything else.

    costs hold pairs of a name and a number, monotonic of a name and 1 or -1, edges of a name and ascending numbers,
    priors numbers, loss and profit rows of numbers.
    """
    if value is None and name in ("priors", "loss", "profit"):
        return None
    try:
        return _READ[name](value.items() if isinstance(value, Mapping) else value)
    except (TypeError, ValueError):
        raise TreecoreError(f"{value!r} is not possible", where=name, remedy="Give " + REMEDIES[name]) from None


def _costs(pairs: Any) -> tuple:
    return tuple(sorted((str(feature), _number(cost)) for feature, cost in pairs))


def _monotonic(pairs: Any) -> tuple:
    """Features whose sign is 0 are left out."""
    result = tuple(sorted((str(feature), _number(sign)) for feature, sign in pairs))
    names = [feature for feature, _ in result]
    if len(set(names)) < len(names) or any(sign not in (-1, 0, 1) for _, sign in result):
        raise ValueError
    return tuple((feature, int(sign)) for feature, sign in result if sign)


def _edges(pairs: Any) -> tuple:
    result = tuple(sorted((str(feature), tuple(_number(edge) for edge in edges)) for feature, edges in pairs))
    names = [feature for feature, _ in result]
    if len(set(names)) < len(names) or not all(_ascend(edges) for _, edges in result):
        raise ValueError
    return result


def typed_edges(text: str) -> tuple[float, ...]:
    """ "10, 30; 50" as numbers in ascending order, each once; () of no text. TreecoreError for what is no number."""
    result = set()
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            edge = float(word)
        except ValueError:
            edge = math.nan
        if not math.isfinite(edge):
            remedy = "Give numbers with commas or spaces between them and a point before decimals: 10, 30, 50.5"
            raise TreecoreError(f"{word!r} is no number", where="edges", remedy=remedy)
        result.add(edge)
    return tuple(sorted(result))


def _ascend(edges: tuple[float, ...]) -> bool:
    finite = bool(edges) and all(map(math.isfinite, edges))
    return finite and all(low < high for low, high in itertools.pairwise(edges))


def _number(value: Any) -> float:
    """A plain float; TypeError for what is no number, text included."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError
    return float(value)


def _rows(rows: Any) -> tuple:
    return tuple(tuple(_number(v) for v in row) for row in rows)


_READ = {
    "priors": lambda shares: tuple(_number(v) for v in shares),
    "loss": _rows,
    "profit": _rows,
    "costs": _costs,
    "edges": _edges,
    "monotonic": _monotonic,
}


@dataclass(frozen=True)
class GrowSettings:
    """How to grow: criterion, kinds of split, stopping limits, rules for ties. Hashable and JSON-ready.

    criterion : name of an impurity; "" takes what usual_criterion says.
    score, selector : what the splits of a feature, and then the features, are compared by.
    cuts : at "random" one number is drawn evenly between a feature's least and greatest value at the node, by `seed`
        and the place of the node, and the cut it falls into is the only one tried; where the threshold stands between
        the two values next to it, `threshold` says.
    nominal, numeric, threshold, cuts, zero_gain, branch_order, empty_leaf, missing, surrogate_style, cost_form : names
        in growing.settings.parts.
    bins : how many bins a numeric feature branches into, where `numeric` asks for bins and the method for a number.
    edges : (feature, ascending numbers) pairs; such a numeric feature branches into the bins between its numbers,
        whatever `numeric` says of the others. What is no numeric feature of the table is passed over.
    max_depth, max_leaves : None for no limit; with max_leaves the split with the largest total gain
        comes first (best-first), otherwise level by level.
    min_rows_split, min_rows_leaf : training rows a node needs to be split, each branch needs to hold. As in rpart, rows
        of weight 0 count for the first and not for the second. To a test of every feature a row of weight 2 is two.
    min_weight_split, min_weight_leaf : the same as weights.
    min_share_split, min_share_leaf : the same as shares of the training weight, 0 to 1.
    min_impurity : a node below it is not split.
    min_gain : least impurity decrease of a split, in the criterion's unit.
    min_weighted_gain : the same with the decrease multiplied by the node's share of the training weight.
    max_exhaustive : most levels for which all groupings are tried where sorting them does not find the best one: with
        three or more classes, by absolute error and by most criteria of other packages.
    priors : the classes' shares to reckon with, in their order; None for those of the training rows.
    loss : rows of the cost matrix, true class by predicted class; None where every error costs 1.
    profit : in place of costs what each answer earns, true class by predicted class, below 0 for what it loses; right
        answers may earn and lose, too.
    costs : (feature, cost) pairs; scores count for less when the feature is dear, as cost_form says, with
        cost_power as its exponent.
    max_surrogates : most backup splits kept per node, where `missing` asks for them.
    tolerance : candidates within tolerance * impurity of the best gain count as equal; the first wins.
    alpha : largest p-value of a split (0 allows none), where the selector or `test` is a test of significance.
    merge_alpha, chaid_bins : CHAID merges categories whose p-value is larger; it cuts an ordered feature with more
        values at a node into so many groups of about equal weight.
    adjustment : what the p-values of conditional inference trees pay for; test_statistic, split_statistic : by what
        their tests judge features, and then cuts; names in growing.search.conditional.
    test : a test that each split must pass, a name in growing.search.stopping; n_permutations, seed : of a permutation
        test.
    size_penalty : α of the global criterion α * size + sum of the leaves' impurities: only splits that lower it are
        made; 0 for none. size_unit : what counts as size. impurity_sum : "full" adds the impurities as they are, as
        the criterion is usually printed (a cut of a node into equally mixed branches then doubles the sum, and few
        splits pass); "shares" multiplies each by the leaf's share of the training weight. Names in
        growing.settings.parts.
    patience : splits in a row, best-first, after which growth ends if the validation error has not fallen; the tree
        is that of the lowest error. 0 for never. patience_measure : what the error is, a name in
        growing.settings.parts.
    leaf_shares : how the class shares that a leaf answers with are estimated, a name in growing.settings.parts; labels
        are those of the rows as they are. leaf_rows : m of the m-estimate.
    leaf_model : what the leaves of a target of numbers or of two classes answer with, a name in growing.settings.parts:
        their mean or class shares, or a line of at most line_features features, of classes of the log-odds of the
        second one; line_ridge, line_smoothing : see tree.line_fit.fitted_lines.
    max_features : how many features are drawn at every node, a name in growing.settings.parts; n_features,
        share_features : the number, or the share of all, where it asks for one. At least one is drawn; where none that
        was drawn offers a split, one more at a time. Which ones follows from `seed` and the place of the node.
    oblique : how directions are found for splits that ask for a weighted sum of numeric features, a name in
        growing.oblique.DIRECTIONS. coefficient_price : over the bits that a coefficient takes to be told, the bits that
        it must save; 0 takes any sum that is better than the best single feature. Random starts have the same `seed`.
    quantile : which one leaves answer with, above 0 and below 1, where the criterion is "quantile".
    delta : distance from the answer, in the target's unit, up to which criterion "huber" squares it; 0 for 1.345 robust
        standard deviations of the training targets, see criteria.row_losses.usual_delta.
    monotonic : (feature, 1 or -1) pairs; the mean target, or the share of the second of two classes, must never fall
        with a feature of 1, never rise with one of -1, whatever the others are.
    """

    criterion: str = ""
    score: str = "decrease"
    selector: str = "best"
    nominal: str = "subset"
    numeric: str = "threshold"
    bins: int = 5
    edges: tuple[tuple[str, tuple[float, ...]], ...] = ()
    threshold: str = "midpoint"
    cuts: str = "all"
    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows_split: int = 2
    min_rows_leaf: int = 1
    min_weight_split: float = 0.0
    min_weight_leaf: float = 0.0
    min_share_split: float = 0.0
    min_share_leaf: float = 0.0
    min_impurity: float = 0.0
    min_gain: float = 0.0
    min_weighted_gain: float = 0.0
    zero_gain: str = "stop"
    missing: str = "majority"
    max_surrogates: int = 5
    surrogate_style: str = "all"
    branch_order: str = "value"
    empty_leaf: str = "parent"
    max_exhaustive: int = 10
    tolerance: float = 1e-10
    priors: tuple[float, ...] | None = None
    loss: tuple[tuple[float, ...], ...] | None = None
    profit: tuple[tuple[float, ...], ...] | None = None
    costs: tuple[tuple[str, float], ...] = ()
    cost_form: str = "divide"
    cost_power: float = 1.0
    alpha: float = 0.05
    merge_alpha: float = 0.05
    adjustment: str = "bonferroni"
    test_statistic: str = "quadratic"
    split_statistic: str = "quadratic"
    chaid_bins: int = 10
    test: str = "none"
    n_permutations: int = 999
    seed: int = 0
    size_penalty: float = 0.0
    size_unit: str = "nodes"
    impurity_sum: str = "full"
    patience: int = 0
    patience_measure: str = "error"
    leaf_shares: str = "counted"
    leaf_rows: float = 2.0
    leaf_model: str = "constant"
    line_features: int = 2
    line_ridge: float = 0.0
    line_smoothing: float = 0.0
    max_features: str = "all"
    n_features: int = 1
    share_features: float = 0.5
    oblique: str = "none"
    coefficient_price: float = 1.0
    monotonic: tuple[tuple[str, int], ...] = ()
    quantile: float = 0.5
    delta: float = 0.0

    def __post_init__(self) -> None:
        for name, registry in CHOICES_OF.items():
            value = getattr(self, name)
            if name != "criterion" or not isinstance(value, str) or value:  # "" leaves the criterion open
                registry[value]
        for name in ("priors", "loss", "profit", "costs", "edges", "monotonic"):
            object.__setattr__(self, name, as_pairs(name, getattr(self, name)))
        for name, (least, most) in _RANGES.items():
            object.__setattr__(self, name, _checked_number(name, getattr(self, name), least, most))

    @property
    def weighs_answers(self) -> bool:
        """Do answers differ in what they cost or earn?"""
        return self.loss is not None or self.profit is not None

    def to_dict(self) -> dict:
        """Plain JSON values: tuples become lists."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    @classmethod
    def from_dict(cls, data: dict) -> "GrowSettings":
        """The settings `to_dict` wrote; TreecoreError for a setting that does not exist."""
        known = {f.name for f in fields(cls)}
        for name in data:
            if name not in known:
                raise TreecoreError(
                    f"There is no setting called {name!r}",
                    where=str(name),
                    remedy="Settings are: " + ", ".join(sorted(known)),
                )
        return cls(**data)


CHOICES_OF: dict[str, Registry] = {
    "criterion": CRITERIA,
    "score": SPLIT_SCORES,
    "selector": SELECTORS,
    "nominal": NOMINAL_SPLITS,
    "numeric": NUMERIC_SPLITS,
    "threshold": THRESHOLD_RULES,
    "zero_gain": ZERO_GAINS,
    "missing": MISSING_STRATEGIES,
    "cuts": CUT_CHOICES,
    "cost_form": COST_FORMS,
    "surrogate_style": SURROGATE_STYLES,
    "branch_order": BRANCH_ORDERS,
    "empty_leaf": EMPTY_LEAVES,
    "adjustment": ADJUSTMENTS,
    "test_statistic": STATISTICS,
    "split_statistic": STATISTICS,
    "test": STOPPING_TESTS,
    "size_unit": SIZE_UNITS,
    "impurity_sum": IMPURITY_SUMS,
    "leaf_shares": LEAF_SHARES,
    "leaf_model": LEAF_MODELS,
    "max_features": MAX_FEATURES,
    "oblique": DIRECTIONS,
    "patience_measure": PATIENCE_MEASURES,
}
_RANGES = {
    "bins": (2, MOST_BINS),
    "max_depth": (0, None),
    "max_leaves": (1, None),
    "min_rows_split": (1, None),
    "min_rows_leaf": (1, None),
    "min_weight_split": (0.0, None),
    "min_weight_leaf": (0.0, None),
    "min_impurity": (0.0, None),
    "max_surrogates": (0, None),
    "cost_power": (0.0, 1.0),
    "min_share_split": (0.0, 1.0),
    "min_share_leaf": (0.0, 0.5),
    "min_gain": (0.0, None),
    "min_weighted_gain": (0.0, None),
    "max_exhaustive": (2, 20),
    "tolerance": (0.0, 1.0),
    "alpha": (0.0, 1.0),
    "merge_alpha": (0.0, 1.0),
    "chaid_bins": (2, 60),
    "n_permutations": (1, 1_000_000),
    "seed": (0, None),
    "size_penalty": (0.0, None),
    "patience": (0, None),
    "leaf_rows": (0.0, None),
    "line_features": (1, 20),
    "line_ridge": (0.0, None),
    "line_smoothing": (0.0, None),
    "n_features": (1, None),
    "share_features": (0.0, 1.0),
    "coefficient_price": (0.0, None),
    "quantile": (0.0001, 0.9999),
    "delta": (0.0, None),
}


def in_cases(growth: GrowSettings) -> GrowSettings:
    """The same settings with limits as they count: to a test of every feature rows are cases, so limits are weights."""
    if SELECTORS[growth.selector].code != TESTED:
        return growth
    split = max(growth.min_weight_split, float(growth.min_rows_split) * (growth.min_rows_split > 2))
    leaf = max(growth.min_weight_leaf, float(growth.min_rows_leaf) * (growth.min_rows_leaf > 1))
    return replace(growth, min_rows_split=2, min_rows_leaf=1, min_weight_split=split, min_weight_leaf=leaf)


def samples_features(growth: GrowSettings) -> bool:
    """Are features or thresholds drawn at every node?"""
    return growth.max_features != "all" or growth.cuts == "random"


_USUAL = {"counts": "poisson", "effects": "squared_effect"}


def usual_criterion(growth: GrowSettings, task: str) -> str:
    """The criterion where the settings leave it open: Gini for classes, entropy if the selector says so, squared error
    for a numeric target, Poisson deviance for counts and the squared effect for a treatment."""
    if task in _USUAL:
        return _USUAL[task]
    return SELECTORS[growth.selector].criterion if task == "classification" else "squared_error"


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _is_finite(value: Real) -> bool:
    """Not for a whole number beyond all floats either."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _checked_number(name: str, value: Any, least: Any, most: Any) -> int | float | None:
    """The value as a plain int (where the limits are whole) or float; None where that means no limit.

    TreecoreError unless it is a finite number in [least, most].
    """
    if value is None and name in ("max_depth", "max_leaves"):
        return None
    whole = isinstance(least, int)
    number = isinstance(value, Real) and not isinstance(value, bool) and _is_finite(value)
    number = number and (not whole or value == int(value))
    if not number or not value >= least or (most is not None and value > most):
        limits = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise TreecoreError(
            f"{value!r} is not possible",
            where=name,
            remedy=f"Give a {'whole ' if whole else ''}number {limits}",
        )
    return int(value) if whole else float(value)
