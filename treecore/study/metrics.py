"""How good a tree's answers to rows are, and which rows two trees answer differently."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.criteria.row_losses import RowLoss
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import brief, in_unit, percent
from treecore.judging.answers import answers_of
from treecore.judging.confusion import answer_counts, is_counted
from treecore.judging.losses import measure_of, reckons, row_costs
from treecore.judging.measures import MEASURES
from treecore.target.rounding import distances
from treecore.tree.node_statistics import true_labels, true_numbers, true_target
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree


class Headline(NamedTuple):
    """The figure that a kind of target is judged by first.

    name, short : what it is called, "root mean squared error" and "RMSE". value, baseline : of the answers, and of the
    root's alone. told : how it is written. beside : what else is said of it, "R² 0.851", "" for nothing. root : what
    the root's answer is, "always the mean".
    """

    name: str
    short: str
    value: float
    baseline: float
    told: Callable[[float], str]
    beside: str = ""
    root: str = ""


@dataclass(frozen=True)
class Score:
    """A tree judged on the rows of one table; NaN where no row can be judged.

    n_rows, weight : rows judged and their case weight.
    n_left_out : rows not judged, because the target is missing or a class the tree does not know.
    error : error rate (classification), mean squared error (regression; of effects that from
        the transformed outcome) or mean deviance (counts), weighted.
    baseline : the same error when every row is answered by the root alone: the training majority class (with costs
        the cheapest one) or the training mean.
    accuracy : 1 - error, None for regression. "No answer" counts as wrong.
    measure : what the tree is pruned by: "error rate", "mean squared error", or with costs or priors "mean cost",
        "error rate by the priors", "mean cost by the priors"; with profits "mean profit".
    cost, cost_baseline : that number for the answers, and for those of the root alone; None where it is the error.
    higher : is more of that number better, as of profits?
    qini, top_effect : of effects of a treatment, see judging.uplift; None but for them.
    explained : the share of the deviance of one rate for *these* rows that the answers explain; None but for counts.
    one_for_all : what the root alone answers there, "one rate for all".
    loss : of single rows, that a tree of numbers was grown by, and `error` and `baseline` are the means of; None where
        these are of squares. below : of a quantile, the share of rows that are not above their answer.
    mae, rmse, r2 : None for classification, and mae where an engine counts the rows; r2 compares with the mean of
        *these* rows, NaN if they are all equal.
    unit : of the target's numbers.
    """

    task: str
    n_rows: int
    n_left_out: int
    weight: float
    error: float
    baseline: float
    accuracy: float | None = None
    measure: str = ""
    cost: float | None = None
    cost_baseline: float | None = None
    higher: bool = False
    mae: float | None = None
    rmse: float | None = None
    r2: float | None = None
    explained: float | None = None
    qini: float | None = None
    top_effect: float | None = None
    one_for_all: str = ""
    loss: RowLoss | None = None
    below: float | None = None
    unit: str = ""

    @property
    def headline(self) -> Headline:
        """The figure that people look at first."""
        return _HEADLINES[self.task](self)

    @property
    def beats_root(self) -> bool:
        """Are the answers better than the root's alone, in what the tree is pruned by? Not where nothing is known."""
        if self.cost is None:
            return self.error < self.baseline
        assert self.cost_baseline is not None
        return self.cost > self.cost_baseline if self.higher else self.cost < self.cost_baseline


def _accuracy(found: Score) -> Headline:
    assert found.accuracy is not None
    return Headline(
        "accuracy", "accuracy", found.accuracy, 1.0 - found.baseline, percent, "", "always the commonest class"
    )


def _squares(found: Score) -> Headline:
    r2 = "" if found.r2 is None or np.isnan(found.r2) else f"R² {found.r2:.3f}"
    unit = found.unit if found.loss is None or found.loss.in_unit else ""
    told = lambda value: in_unit(brief(value), unit)  # noqa: E731
    if found.loss is not None:
        beside = "" if found.below is None else f"{percent(found.below)} at or below"
        name = found.measure
        return Headline(name, name, found.error, found.baseline, told, beside, f"always the {found.loss.answer}")
    assert found.rmse is not None
    root = sqrt(found.baseline)
    return Headline("root mean squared error", "RMSE", found.rmse, root, told, r2, "always the mean")


def _deviance(found: Score) -> Headline:
    assert found.explained is not None
    explained = "" if np.isnan(found.explained) else f"{percent(found.explained)} explained"
    return Headline("mean deviance", "deviance", found.error, found.baseline, brief, explained, found.one_for_all)


def _order_of_effects(found: Score) -> Headline:
    assert found.qini is not None
    assert found.top_effect is not None
    top = "" if np.isnan(found.top_effect) else f"effect in the top tenth {brief(found.top_effect)}"
    return Headline("Qini coefficient", "Qini", found.qini, 0.0, brief, top, "one effect for all")


_HEADLINES = {
    "classification": _accuracy, "regression": _squares, "counts": _deviance, "effects": _order_of_effects,
}  # fmt: skip


def score(tree: Tree, table: Table) -> Score:
    """Judge the tree's answers for a table's rows.

    Raises TreecoreError if the table lacks a column the tree needs or has its target as another kind.
    """
    if tree.classes:
        return _class_score(tree, table)
    if tree.task == "effects":
        return _score_by(tree, table, "effects", "transformed", "qini", "top_effect")
    if tree.schema.counts is not None:
        return _score_by(tree, table, "counts", "deviance", "explained", one_for_all=tree.target_kind.one_for_all)
    return _counted_score(tree, table) if is_counted(table) else _number_score(tree, table)


def _class_score(tree: Tree, table: Table) -> Score:
    result = answer_counts(tree, table)
    truth, weight, answer = result.truth, result.weight, result.answer
    error = _mean(answer != truth, weight)
    root = np.full(len(truth), tree.summary[0])
    costs: list[float | None] = [None, None]
    if reckons(tree):
        sign = -1.0 if tree.earns else 1.0
        costs = [0.0 + sign * _mean(row_costs(tree, truth, said), weight) for said in (answer, root)]
    return Score(
        task="classification",
        n_rows=result.n_rows,
        n_left_out=result.n_left_out,
        weight=float(weight.sum()),
        error=error,
        baseline=_mean(truth != root, weight),
        accuracy=1.0 - error,
        measure=measure_of(tree),
        cost=costs[0],
        cost_baseline=costs[1],
        higher=tree.earns,
    )


def _number_score(tree: Tree, table: Table) -> Score:
    truth, weight = true_numbers(tree, table), table.case_weights
    judged = ~np.isnan(truth)
    truth, weight, answer = truth[judged], weight[judged], tree.predict(table)[judged]
    off, kind, loss = distances(truth, answer), tree.target_kind, tree.schema.row_loss
    squares, spread = _mean(off**2, weight), _mean(distances(truth, _mean(truth, weight)) ** 2, weight)
    return Score(
        task="regression",
        n_rows=len(truth),
        n_left_out=table.n_rows - len(truth),
        weight=float(weight.sum()),
        error=_mean(kind.answer_losses(truth, answer), weight),
        baseline=_mean(kind.answer_losses(truth, tree.summary[0]), weight),
        measure=measure_of(tree),
        mae=_mean(off, weight),
        rmse=sqrt(squares),
        r2=1.0 - squares / spread if spread > 0 else nan,
        loss=loss,
        below=_mean(truth <= answer, weight) if loss is not None and loss.share is not None else None,
        unit=tree.schema.target_unit,
    )


def _score_by(tree: Tree, table: Table, task: str, error: str, *others: str, **more) -> Score:
    """Of a target of two columns. error, others : names of measures; the first is what the tree is pruned by, the
    others are fields of a Score of the same names."""
    answers = answers_of(tree, table)
    root = replace(answers, said=np.full(len(answers), tree.value[0]))
    measured: dict[str, Any] = {name: MEASURES[name](answers) for name in others}
    return Score(
        task=task,
        n_rows=len(answers),
        n_left_out=table.n_rows - len(answers),
        weight=float(answers.weight.sum()),
        error=MEASURES[error](answers),
        baseline=MEASURES[error](root),
        measure=measure_of(tree),
        **measured,
        **more,
    )


def _counted_score(tree: Tree, table) -> Score:
    """Of numbers that an engine has summed up: what needs each of them, the mean absolute error, is not known."""
    stats = table.end_statistics(tree)
    n, first, second = stats.T
    rows = float(n.sum())
    squares = lambda center: second - 2 * (center - tree.center) * first + n * (center - tree.center) ** 2  # noqa: E731
    mean = float((first + n * tree.center).sum()) / rows if rows else nan
    reached = n > 0
    error, baseline, spread = (
        float(squares(center)[reached].sum()) / rows if rows else nan for center in (tree.value, tree.value[0], mean)
    )
    return Score(
        task="regression",
        n_rows=round(rows),
        n_left_out=table.n_rows - round(rows),
        weight=rows,
        error=error,
        baseline=baseline,
        measure=measure_of(tree),
        rmse=sqrt(error),
        r2=1.0 - error / spread if spread > 0 else nan,
        unit=tree.schema.target_unit,
    )


def _mean(amount: np.ndarray, weight: np.ndarray) -> float:
    total = float(weight.sum())
    return float(amount @ weight) / total if total > 0 else nan


SAME_MEAN = 1e-9
"""Means that differ by a smaller share are the same: they were summed in another order."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Brief):
    """Rows on which two trees differ; all are int64 positions in the table, rising.

    differ : the answers differ. gained, lost : those of them with a known target on which the second tree
    is right and the first wrong (its answer is nearer, for numbers), and the reverse. The rest of `differ`
    is wrong both ways, or has no known target.
    """

    differ: np.ndarray
    gained: np.ndarray
    lost: np.ndarray


def compare_predictions(tree_a: Tree, tree_b: Tree, table: Table) -> Comparison:
    """The rows that two trees for one target answer differently, and who is right there."""
    check_same_target(tree_a, tree_b)
    if tree_a.classes:
        truth = true_labels(tree_a, table)
        a, b = predicted_labels(tree_a, table), predicted_labels(tree_b, table)
        off_a, off_b, known = a != truth, b != truth, truth >= 0
    else:
        truth = true_target(tree_a, table)
        a, b = tree_a.predict(table), tree_b.predict(table)
        off_a, off_b = (_losses_of(tree_a, answer, truth) for answer in (a, b))
        known = tree_a.target_kind.is_known(truth)
        a = np.where(np.isclose(a, b, rtol=SAME_MEAN, atol=0.0, equal_nan=True), b, a)
    differ = (a != b) & ~((a != a) & (b != b))
    better, worse = differ & known & (off_b < off_a), differ & known & (off_a < off_b)
    return Comparison(*(np.flatnonzero(mask) for mask in (differ, better, worse)))


def _losses_of(tree: Tree, answer: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """float64 (n,): distances of numbers from the truth, and what kinds of two columns lose."""
    if tree.schema.counts is not None:
        return tree.target_kind.answer_losses(truth, answer)
    return _distance(answer, truth)


def _distance(answer: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """float64 (n,): how far off the answers are; no answer is farther off than any number."""
    return np.where(np.isnan(answer), np.inf, distances(truth, answer))


def check_same_target(tree_a: Tree, tree_b: Tree) -> None:
    """TreecoreError unless both trees predict the same target with the same classes."""
    a, b = tree_a.schema, tree_b.schema
    if (a.target, a.classes, a.task) != (b.target, b.classes, b.task):
        raise TreecoreError(
            f"The trees predict {tree_a.schema.target!r} and {tree_b.schema.target!r}",
            where="Target",
            remedy="Compare trees that were grown for the same target and classes",
        )


# How frequent the classes of a table are.


def class_shares(table: Table) -> np.ndarray:
    """float64 (n_classes,): each class's share of the table's weight, in the order of its classes; NaN without rows."""
    target = table.target_column
    weight = np.bincount(target.codes, table.case_weights, target.n_distinct + 1)[: len(table.classes)]
    return weight / weight.sum() if weight.sum() > 0 else np.full(len(weight), np.nan)


# Where two trees answer differently, and who is right there: in counts, and row by row.

TEST = "exact McNemar test"
NEITHER, FIRST, SECOND = 0, 1, 2
"""Whose answer is right, or nearer for numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Brief):
    """Two trees on the rows of one table.

    differ, gained, lost : int64 positions in the table, rising. `gained` are the rows on which the second tree alone
    is right (nearer, for numbers), `lost` those on which the first alone is; of the other rows in `differ` neither
    is, or their target is not known.
    differ_weight, gained_weight, lost_weight : their case weights together.
    a, b : both trees judged on the rows.
    p : of the exact McNemar test on the counts gained and lost, for classes; None for numbers.
    """

    differ: np.ndarray
    gained: np.ndarray
    lost: np.ndarray
    differ_weight: float
    gained_weight: float
    lost_weight: float
    a: Score
    b: Score
    p: float | None

    @property
    def difference(self) -> float:
        """The headline of the second tree less that of the first: accuracies, root mean squared errors, deviances."""
        return self.b.headline.value - self.a.headline.value


def agreement(tree_a: Tree, tree_b: Tree, table: Table) -> Agreement:
    """Compare the answers of two trees for one target, row by row.

    Raises TreecoreError for trees with different targets, or a table without the target.
    """
    result, weight = compare_predictions(tree_a, tree_b, table), table.case_weights
    p = mcnemar(len(result.gained), len(result.lost)) if tree_a.classes else None
    n_differ, n_gained, n_lost = (float(weight[r].sum()) for r in (result.differ, result.gained, result.lost))
    return Agreement(
        result.differ, result.gained, result.lost, n_differ, n_gained, n_lost, score(tree_a, table),
        score(tree_b, table), p=p,
    )  # fmt: skip


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p-value of the exact McNemar test: as many rows gained as lost but for chance; 1 without any.

    Twice the binomial probability (one half each) of the smaller count or fewer, at most 1.
    Source: McNemar (1947), in its exact binomial form.
    """
    from scipy.stats import binom

    n = gained + lost
    return min(1.0, 2.0 * float(binom.cdf(min(gained, lost), n, 0.5))) if n else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class ChangedRows(Brief):
    """Rows that two trees answer differently; entry i of each array is one row.

    row : int64, 0-based row of the source. truth, answer_a, answer_b : labels (str; None for no answer or an unknown
    target) or float64 (NaN). right : int64, NEITHER, FIRST or SECOND. values : feature -> labels (str, '' where
    missing) or float64 numbers.
    """

    row: np.ndarray
    truth: np.ndarray
    answer_a: np.ndarray
    answer_b: np.ndarray
    right: np.ndarray
    values: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.row)


def changed_rows(tree_a: Tree, tree_b: Tree, table: Table, found: Agreement) -> ChangedRows:
    """The rows of a table that change their answer, with what they are and what both trees say of them."""
    right = np.full(table.n_rows, NEITHER)
    right[found.gained], right[found.lost] = SECOND, FIRST
    rows = table.take(found.differ)
    values = {c.name: c.values() if c.kind == "numeric" else c.labels() for c in rows.feature_columns}
    truth, a, b = _truth(tree_a, rows), tree_a.predict(rows), tree_b.predict(rows)
    return ChangedRows(rows.row_numbers, truth, a, b, right[found.differ], values)


def _truth(tree: Tree, rows: Table) -> np.ndarray:
    if not tree.classes:
        return true_numbers(tree, rows)
    return np.array([*tree.classes, None], object)[true_labels(tree, rows)]
