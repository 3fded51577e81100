"""What a kind of target has to say; readers of trees ask it instead of asking which kind it is."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from treecore.criteria.row_losses import RowLoss
from treecore.errors import TreecoreError
from treecore.figures import brief

OWN = "error"
"""The name of the measure that labels are chosen by: the error rate, the mean cost where errors have costs, the profit
where answers earn something, the mean squared error of numbers and the mean deviance of counts."""


class TreeLike(Protocol):
    """The columns of a tree that its kind of target reads; see tree.TreeColumns."""

    @property
    def schema(self) -> Any: ...
    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def class_names(self) -> tuple[str, ...]: ...
    @property
    def stats(self) -> np.ndarray: ...
    @property
    def center(self) -> np.ndarray: ...
    @property
    def answer(self) -> np.ndarray: ...
    @property
    def impurity(self) -> np.ndarray: ...
    @property
    def n_rows(self) -> np.ndarray: ...
    @property
    def weight(self) -> np.ndarray: ...
    @property
    def value(self) -> np.ndarray: ...
    @property
    def proba(self) -> np.ndarray: ...
    @property
    def median(self) -> np.ndarray | None: ...
    @property
    def outputs(self) -> np.ndarray | None: ...
    @property
    def lines(self) -> Any: ...
    @property
    def summary(self) -> np.ndarray: ...
    @property
    def summary_shares(self) -> np.ndarray: ...
    @property
    def added(self) -> np.ndarray | None: ...
    @property
    def priors(self) -> np.ndarray | None: ...
    @property
    def loss(self) -> np.ndarray | None: ...
    @property
    def prior_factor(self) -> np.ndarray: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def is_leaf(self) -> np.ndarray: ...
    @property
    def earns(self) -> bool: ...

    def labels_of(self, stats: np.ndarray) -> np.ndarray:
        """The class of least expected cost among rows with these class weights."""


class Target:
    """A kind of target.

    Everywhere stats : float64 (..., width), statistics of rows together, as in Tree.stats; they add up over rows and
    nodes. tree : the tree whose nodes answer.

    task : its name, by which entries of registries say what they are for. held : what the target is made of, in
    sentences. noun : what a node has of it, "mean". around_center : are statistics sums around Tree.center?
    width : how many statistics there are. losses : measure -> what computes the loss of single rows.
    """

    link: ClassVar[str] = "identity"
    """What a line in a leaf is fitted by, a name in tree.line_fit.FITS: numbers themselves, or the log-odds of classes.
    """
    adds_up: ClassVar[bool] = True
    """Have segments parts of a total of what is predicted: hits, sums, events?"""
    diverging: ClassVar[bool] = False
    """Are answers coloured around 0, what is above it and what is below in two colours?"""
    tells_impurity: ClassVar[bool] = True
    """Says the impurity of a node something to people, beside its answer?"""
    n_card_lines: ClassVar[int] = 0
    """Lines that a card has for what the answer is made of."""
    shows_rows: ClassVar[bool] = True
    """Can single rows be compared with an answer, on one scale with it?"""
    rows_needed: ClassVar[float] = 1.0
    """How many times the rows of a mean an answer needs to be as certain."""
    task: ClassVar[str]
    held: ClassVar[str]
    rate_word: ClassVar[str] = "rate"
    """What is so much per row or exposure, within a sentence: rows have one of it."""
    around_center: ClassVar[bool] = False
    losses: ClassVar[Mapping[str, object]]
    classes: tuple[str, ...] = ()
    row_loss: RowLoss | None = None
    settings: ClassVar[Mapping[str, tuple]] = {}
    """Setting of growth -> the only values that have a meaning for the target; others are free."""
    risks: ClassVar[tuple[str, ...]] = ()
    """By what nested sequences may be pruned, of pruning.sequence.RISKS; () for all that the measures allow."""

    @property
    def noun(self) -> str:
        raise NotImplementedError

    @property
    def width(self) -> int:
        raise NotImplementedError

    @property
    def signed_unit(self) -> str | None:
        """What stands behind answers that are told with their sign; None where they have none."""
        return None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Its task, and "row loss" where answers are judged by a loss that needs the rows."""
        return (self.task,) if self.row_loss is None else (self.task, "row loss")

    # statistics, and how they add

    def weight_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): weight of the rows."""
        return stats[..., 0]

    def per_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): what a mean or a rate of the rows is by: their weight, or the exposure of counts."""
        return self.weight_of(stats)

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): mean target, less the center of the sums of numbers, by which levels and branches are put in
        order; 0 without rows."""
        raise NotImplementedError

    def moved(self, stats: np.ndarray, by: np.ndarray | float) -> np.ndarray:
        """The statistics around a center that lies below theirs `by` so much; see Tree.center."""
        return stats

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """float64 (n, width): statistics of rows by cell.

        cell : int (m,), 0 to n - 1. weight : float64 (m,). truth : the target of each, less the center of its node:
        class indices (-1 where it is missing or unknown), or float64 (m,) or (m, 2), NaN where it is missing.
        """
        raise NotImplementedError

    def class_losses(self, tree: TreeLike, measure: str = OWN, factor: np.ndarray | None = None) -> np.ndarray:
        """See ClassTarget: other targets have no classes."""
        raise NotImplementedError

    def compared_losses(self, tree: TreeLike, measure: str = OWN) -> np.ndarray:
        """See ClassTarget: other targets have no classes."""
        raise NotImplementedError

    def misclassified(self, tree: TreeLike, stats: np.ndarray) -> np.ndarray:
        """See ClassTarget: other targets have no classes."""
        raise NotImplementedError

    def labels_of_shares(self, tree: TreeLike, shares: np.ndarray) -> np.ndarray:
        """See ClassTarget: other targets have no classes."""
        raise NotImplementedError

    def deviance_of(self, stats: np.ndarray, value: Any) -> Any:
        """See CountTarget: other targets have no deviance."""
        raise NotImplementedError

    def deviance_excess(self, stats: np.ndarray) -> np.ndarray:
        """See CountTarget: other targets have no deviance."""
        raise NotImplementedError

    def deviation(self, stats: np.ndarray) -> float:
        """Standard deviation of rows with these statistics (width,); NaN where the target has none."""
        return float("nan")

    def spread_of_rows(self, stats: np.ndarray) -> float:
        """In what differences of answers are told to be large, of all rows with these statistics (width,): a standard
        deviation; NaN where rates are compared by how many times one is the other."""
        return float("nan")

    def interval(self, stats: np.ndarray) -> tuple[float, float]:
        """95 % interval of what answer_of says of rows with these statistics (width,); NaN where there is none."""
        return float("nan"), float("nan")

    def is_known(self, truth: np.ndarray) -> np.ndarray:
        """bool (m,): is the target of these rows known, to the tree, too?"""
        return ~np.isnan(truth)

    def row_labels(self, table: Any) -> np.ndarray:
        """int64 (n_rows,): what kernels are told of each row of a target of two columns besides these; here nothing."""
        return np.zeros(table.n_rows, np.int64)

    def answers(self, stats: np.ndarray) -> np.ndarray:
        """bool (...): have rows with these statistics an answer of their own?"""
        return self.weight_of(stats) > 0

    def may_be_leaf(self, stats: np.ndarray) -> np.ndarray | bool:
        """bool (...): are there as many rows as the kind of target itself asks of a leaf?"""
        return True

    # the answer

    def observed(self, truth: np.ndarray) -> np.ndarray:
        """(m,): what an answer would be that is right for the row alone; truth as in row_sums."""
        return truth

    def shown_of_rows(self, truth: np.ndarray) -> np.ndarray:
        """(m,): what a picture of rows tells of each: by itself what is observed; truth as in row_sums."""
        return self.observed(truth)

    def arms_of_rows(self, truth: np.ndarray) -> np.ndarray | None:
        """int64 (m,): 1 where a row was treated, 0 where not; None of targets without a treatment."""
        return None

    def values(self, tree: TreeLike) -> np.ndarray:
        """What every node answers: int64 class indices (-1: none), or float64 numbers (NaN: none)."""
        raise NotImplementedError

    def node_shares(self, tree: TreeLike) -> np.ndarray:
        """float64 (n_nodes, n_classes): the class shares that every node answers with; NaN for none."""
        return tree.summary_shares

    def constant_line(self, tree: TreeLike, node: int) -> float:
        """The line without terms that answers all rows as the node does without a line."""
        return float(tree.summary[node])

    def summaries(self, tree: TreeLike) -> np.ndarray:
        """The one value per node that sums up its rows: the answer; where nodes answer with lines the mean, or the
        label that the class shares of the rows give."""
        return tree.value

    # growing

    def allows(self, setting: str, value: object) -> bool:
        """Has this value of a setting of growth a meaning for the target?"""
        return setting not in self.settings or value in self.settings[setting]

    def leaves_open(self, setting: str) -> bool:
        """Is there anything to be chosen in the setting?"""
        return len(self.settings.get(setting, (None, None))) > 1

    def odd_settings(self, growth: object) -> list[str]:
        """Settings of growth, attributes of this object, whose values have no meaning for the target."""
        return [name for name in self.settings if not self.allows(name, getattr(growth, name))]

    def why_not(self, setting: str) -> str:
        """Why the target does not allow some values of a setting, behind a colon; '' where that needs no words."""
        return ""

    def residuals(self, truth: np.ndarray, answer: np.ndarray) -> np.ndarray:
        """float64 (m,): truth less answer, of numbers, or of events less those that a rate expects."""
        return truth - answer

    # losses

    def answer_losses(self, truth: np.ndarray, answer: Any) -> np.ndarray:
        """float64 (m,): the usual loss of an answer, or of one per row, as values gives them."""
        raise NotImplementedError

    def has_loss(self, measure: str) -> bool:
        """Is the measure a sum over the rows of such a target?"""
        return measure in self.losses

    def check_loss(self, tree: TreeLike, measure: str) -> None:
        """TreecoreError unless it is one for this tree."""
        if measure not in self.losses:
            remedy = "Choose one of: " + ", ".join(self.losses)
            what = f"{measure!r} has no meaning for a target of {self.held}: it is no loss of single rows there"
            raise TreecoreError(what, where="measure", remedy=remedy)

    def needs_rows(self, measure: str) -> bool:
        """Does the measure follow from no statistics of a node, so that its rows have to be looked at?"""
        return False

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        """float64 (n_nodes,): what every node, taken as a leaf, loses on rows with these statistics, one per node."""
        raise NotImplementedError

    def training_errors(self, tree: TreeLike, staying: np.ndarray, measure: str = OWN) -> tuple[np.ndarray, np.ndarray]:
        """(through, ends), float64 (n_nodes,) both: leaf_errors on the training rows that reach a node, and on those
        that end there, whose statistics are `staying`."""
        return self.leaf_errors(tree, tree.stats, measure), self.leaf_errors(tree, staying, measure)

    def scale_of_errors(self, tree: TreeLike, through: np.ndarray) -> np.ndarray:
        """float64 (n_nodes,): how large errors are at each node, for what is rounding there. through : losses of the
        rows in question."""
        return self.training_errors(tree, tree.stats)[0]

    def row_losses(
        self, tree: TreeLike, measure: str, factor: np.ndarray | None = None
    ) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """(truth of rows, answers to them) -> float64 (m,), of a target whose losses follow from no statistics.

        factor : of classes, see ClassTarget.class_losses."""
        raise NotImplementedError

    def own_measure(self, tree: TreeLike) -> str:
        """The measure, by its name in judging.MEASURES, that OWN stands for."""
        raise NotImplementedError

    # words

    @property
    def mean_loss(self) -> str:
        """What the mean of answer_losses is called."""
        raise NotImplementedError

    @property
    def observed_noun(self) -> str:
        """What other rows have where a node answers with its noun: of quantiles and robust means, too, their mean."""
        return self.noun

    def observed_quantity(self, tree: TreeLike) -> str:
        """What it is a number of, "mean weight"."""
        return self.quantity(tree)

    def loss_name(self, tree: TreeLike) -> str:
        """What alpha and the risk of a nested sequence are counted in: a mean over rows."""
        raise NotImplementedError

    def loss_shown(self, tree: TreeLike, loss: float) -> tuple[str, str]:
        """A mean loss over rows as people read it, under the name that it has everywhere: "RMSE" and "12,345 €"."""
        return self.loss_name(tree), brief(self.loss_figure(loss))

    def loss_figure(self, loss: float) -> float:
        """The number that stands for a mean loss where it is shown or drawn."""
        return loss

    def risk_name(self, tree: TreeLike) -> str:
        """What a tree is pruned by, and the size curve of it shows."""
        return self.loss_name(tree)

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        """What leaf_errors adds up, in words."""
        raise NotImplementedError

    def answer_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node as people read it; "no answer" where there is none."""
        raise NotImplementedError

    def named_answer(self, tree: TreeLike, node: int) -> str:
        """The same with what it is: "mean 23.4"."""
        return f"{self.noun} {self.answer_text(tree, node)}"

    @property
    def one_for_all(self) -> str:
        """What the root alone answers: "one mean for all"."""
        return f"one {self.noun} for all"

    def value_text(self, tree: TreeLike, value: float) -> str:
        """Another answer than that of a node, such as the mean of other rows, as people read it."""
        raise NotImplementedError

    def units_shown(self, tree: TreeLike) -> float:
        """How many units an answer is shown per: 10 for claims per 10 years, 1 where answers are shown as they are.

        All texts, axes and tables of a tree have answers times this number, and say so by `quantity`; answers
        themselves, as predict gives them, are per one unit."""
        return 1.0

    @property
    def figure_unit(self) -> str:
        """What stands behind an answer in print, where it is no unit of the target: "points"; else ""."""
        return ""

    def answer_digits(self, tree: TreeLike) -> int:
        """Significant digits of every answer in print, on cards, in sentences and in tables alike."""
        return 4

    def figure_text(self, tree: TreeLike, value: float) -> str:
        """An answer, or a rate of rows, where its quantity is named beside it: the one place that says how many digits
        a reader sees. All other texts of answers are this one with a unit or a name."""
        return brief(value * self.units_shown(tree), self.answer_digits(tree))

    def tick_text(self, tree: TreeLike, value: float) -> str:
        """A place on the axis of answers, which is named beside it."""
        return self.figure_text(tree, value)

    def answer_name(self, tree: TreeLike) -> str:
        """What stands before the answer of a rule: "price = 20"."""
        return tree.schema.target

    def rule_words(self, tree: TreeLike, node: int) -> tuple[str, str]:
        """What stands on either side of the "=" of a rule: "price" and "20"."""
        return self.answer_name(tree), self.answer_text(tree, node)

    def cell_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node in a table that programs read: a number without its unit."""
        return self.answer_text(tree, node)

    def figures(self, tree: TreeLike, node: int, stats: np.ndarray) -> dict[str, str]:
        """What sums up rows at a node, with these statistics (width,), in a table, by the name of its column: as people
        read it."""
        raise NotImplementedError

    def details(self, tree: TreeLike, node: int) -> tuple[tuple[str, str], ...]:
        """What else there is to say of a node, in pairs of a name and a text; () for nothing."""
        return ()

    def card_lines(self, tree: TreeLike, node: int) -> list[list[str]]:
        """What the answer is made of, on a card: n_card_lines pairs of a name and a figure."""
        return []

    def answer_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): what rows with these statistics would be answered with by themselves, less their center."""
        return self.mean_of(stats)

    def band(self, stats: np.ndarray) -> tuple[float, float] | None:
        """What is drawn to either side of an answer, on its scale less the center: one standard deviation of the rows;
        None for nothing."""
        spread = self.deviation(stats)
        if np.isnan(spread):
            return None
        mean = float(self.mean_of(stats))
        return mean - spread, mean + spread

    def stats_text(self, tree: TreeLike, node: int, stats: np.ndarray) -> str:
        """The answer that rows with these statistics around a node's center would have, in few digits; their mean, and
        that it is one, where an answer does not follow from statistics."""
        text = self.figure_text(tree, float(tree.center[node] + self.answer_of(stats)))
        return text if self.observed_noun == self.noun else f"{self.observed_noun} {text}"

    def rows_text(self, tree: TreeLike, node: int) -> str:
        """A sentence on the rows of a node; "" for "the rows here have price 20 on average"."""
        return ""

    def card_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node on its card, where little room is."""
        return self.answer_text(tree, node)

    def card_line(self, tree: TreeLike, node: int) -> str:
        """How the answer of a leaf changes with a feature, where very little room is; '' where it does not."""
        return ""

    def whole_line(self, tree: TreeLike, node: int) -> str:
        """All of the line that a node answers with, in few digits; '' where it answers with a constant."""
        return ""

    def fit_text(self, tree: TreeLike, node: int) -> str:
        """How far rows are from the answer of a node that is no mean of them, "± 12.3"; '' where it is."""
        return ""

    def scale_name(self, tree: TreeLike) -> str:
        """What the numbers on cards are of, in their legend."""
        return tree.schema.target

    def scale_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node in that legend."""
        return self.card_text(tree, node)

    def quantity(self, tree: TreeLike) -> str:
        """What answers are a number of, "mean weight" or "claims per 10 years"."""
        return f"{self.noun} {tree.schema.target}"

    def subject(self, tree: TreeLike) -> str:
        """What rows have of which the answer is the number, within a sentence: the target, or a hazard of it."""
        return tree.schema.target

    def short_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node within a sentence, where few digits do."""
        return self.answer_text(tree, node)

    def end_text(self, tree: TreeLike, node: int, rows: str) -> str:
        """What an answer of this node is to its rows, in a sentence. rows : "96 training rows"."""
        return f"{self.noun.capitalize()} of the {rows} in its leaf, {self.spread_text(tree, node)}."

    def spread_text(self, tree: TreeLike, node: int) -> str:
        """What a prediction by this node rests on besides the number of its rows; "" for nothing."""
        return self.node_text(tree, node)

    def node_text(self, tree: TreeLike, node: int) -> str:
        """How well the answer fits the node's training rows, behind their number in an outline; '' for nothing."""
        return ""
