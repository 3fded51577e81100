"""Is a class as frequent as the tree says? Rows in bins of the share that they are told."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, count, percent
from treecore.judging.answers import Answers, answers_of
from treecore.judging.measures import by_class, measures_for
from treecore.judging.ranking import ranking_of
from treecore.study.questions.question import POSITIVE, Picture, Setting, Setup, StudyQuestion, Told, Work
from treecore.tree.node_statistics import true_target
from treecore.tree.tree import Tree

N_BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Brief):
    """Bins of equal width with rows in them; entry i of each array is one bin, by rising share.

    low, high : float64, low <= share < high, the last bin with its end. n_rows : int64. weight : float64.
    said : float64, mean share that the rows are told. true : float64, share of the class among them.
    """

    low: np.ndarray
    high: np.ndarray
    n_rows: np.ndarray
    weight: np.ndarray
    said: np.ndarray
    true: np.ndarray

    @property
    def error(self) -> float:
        """Expected calibration error: mean |said - true| over the rows. Source: Naeini et al. (2015)."""
        return float(np.average(np.abs(self.said - self.true), weights=self.weight)) if len(self.said) else np.nan


def calibration(answers: Answers, positive: str, n_bins: int = N_BINS) -> Calibration:
    """How often rows are of class `positive`, by the share of it that they are told; rows without an answer left out.

    Source: DeGroot and Fienberg (1983).
    """
    if positive not in answers.classes:
        remedy = "Name one of: " + ", ".join(answers.classes) if answers.classes else "Look at the errors instead"
        raise TreecoreError(f"{positive!r} is no class", where="positive", remedy=remedy)
    if n_bins < 1:
        raise TreecoreError(f"{n_bins} bins cannot be filled", where="bins", remedy="Choose one or more")
    k = answers.classes.index(positive)
    share, weight = answers.shares[:, k], answers.weight
    counted = ~np.isnan(share) & (weight > 0)
    share, weight, true = share[counted], weight[counted], (answers.truth == k)[counted]
    # 3 of 10 is in the bin that starts at .3, although .3 * 10 is not 3 in floating point everywhere
    place = np.minimum((share * n_bins + 1e-9).astype(np.int64), n_bins - 1)
    rows, total = np.bincount(place, minlength=n_bins), np.bincount(place, weight, n_bins)
    filled = np.flatnonzero(rows)
    said, hits = np.bincount(place, weight * share, n_bins), np.bincount(place, weight * true, n_bins)
    low = filled / n_bins
    of = total[filled]
    return Calibration(low, (filled + 1) / n_bins, rows[filled], of, said[filled] / of, hits[filled] / of)


# How far answers in numbers are from the truth: row by row, and leaf by leaf.


@dataclass(frozen=True, eq=False, repr=False)
class Residuals(Brief):
    """Rows whose target is known; entry i of each array is one row.

    node : int64, where the row ends; -1 where several trees have answered. said, off : float64, the answer, and the
    truth less the answer; NaN without one. weight : float64.
    """

    node: np.ndarray
    said: np.ndarray
    off: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class OfNode(Brief):
    """Residuals of the rows that end in one node. low, middle, high : quartiles of rows, whatever they weigh."""

    node: int
    said: float
    n_rows: int
    mean: float
    low: float
    middle: float
    high: float
    rmse: float


def residuals(tree: Tree, table: Table) -> Residuals:
    """Truth less answer for every row; TreecoreError for a tree that predicts classes."""
    if tree.classes:
        remedy = "Look at the confusion matrix instead"
        raise TreecoreError("A tree that predicts classes leaves no residuals", where="residuals", remedy=remedy)
    truth, said = true_target(tree, table), tree.predict(table)
    known = tree.target_kind.is_known(truth)
    node, weight = np.asarray(tree.apply(table), np.int64), table.case_weights
    return Residuals(node[known], said[known], tree.target_kind.residuals(truth, said)[known], weight[known])


def residuals_of(answers: Answers) -> Residuals:
    """The same of answers in numbers that several trees gave, such as those of the folds."""
    none = np.full(len(answers), -1)
    off = answers.target.residuals(answers.targets, answers.said)
    return Residuals(none, answers.said, off, answers.weight)


def by_node(found: Residuals, most: int | None = None) -> list[OfNode]:
    """One entry per node in which rows end, by rising answer. most : nodes of most rows alone."""
    known = np.flatnonzero(~np.isnan(found.off) & (found.weight > 0))
    known = known[np.argsort(found.node[known], kind="stable")]
    _, first, n = np.unique(found.node[known], return_index=True, return_counts=True)
    largest = np.argsort(-n, kind="stable")[:most]
    entries = [_of_node(found, known[a : a + b]) for a, b in zip(first[largest], n[largest], strict=True)]
    return sorted(entries, key=lambda e: (e.said, e.node))


def _of_node(found: Residuals, rows: np.ndarray) -> OfNode:
    """rows : int64, all that end in one node and have a residual and a weight."""
    off, weight = found.off[rows], found.weight[rows]
    low, middle, high = np.quantile(off, [0.25, 0.5, 0.75])
    mean, square = np.average(off, weights=weight), np.average(off**2, weights=weight)
    node, said = int(found.node[rows[0]]), float(found.said[rows].mean())
    return OfNode(node, said, len(rows), float(mean), low, middle, high, float(square**0.5))


# Another threshold for the answer of two classes: what is said of rows, and the tree that says it.


def answered_at(answers: Answers, positive: str, threshold: float) -> Answers:
    """The same rows, answered `positive` where its share is at least the threshold; shares of NaN stay unanswered.

    threshold : 0 to 1. TreecoreError unless `positive` is one of just two classes.
    """
    k = _place(answers.classes, positive, threshold)
    share = answers.shares[:, k]
    said = np.where(share >= threshold - _ROUNDING, k, 1 - k)
    return replace(answers, said=np.where(np.isnan(share), -1, said))


def tree_at(tree: Tree, positive: str, threshold: float) -> Tree:
    """The tree whose nodes answer `positive` where its share is at least the threshold.

    A threshold is a pair of costs: missing a row of the class costs 1 - threshold, calling another row so costs
    threshold, as then p (1 - threshold) >= (1 - p) threshold just where p >= threshold. At equality the class of less
    index answers, so the first cost is raised by what rounding is.
    Source: Elkan (2001), The foundations of cost-sensitive learning.
    """
    k = _place(tree.classes, positive, threshold)
    costs = np.zeros((2, 2))
    costs[k, 1 - k], costs[1 - k, k] = 1 - threshold + _ROUNDING, threshold - _ROUNDING
    return replace(tree, loss=costs)


_ROUNDING = 1e-9
"""A share of 3/10 is at least 0.3."""


def _place(classes: tuple[str, ...], positive: str, threshold: float) -> int:
    if len(classes) != 2 or positive not in classes:
        remedy = "Name one of two classes" + (": " + ", ".join(classes) if classes else "")
        raise TreecoreError(f"{positive!r} is not one of two classes", where="positive", remedy=remedy)
    if not 0 <= threshold <= 1:
        raise TreecoreError(f"{threshold!r} is no share", where="threshold", remedy="Give a number from 0 to 1")
    return classes.index(positive)


# What experiments have found as text for a report: sentences, and tables of plain cells.

MOST_LEAVES = 40
"""So many are listed."""


def describe_class_answers(
    found: Mapping[str, Answers], role: str, positive: str, threshold: float | None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> list[Line]:  # fmt: skip
    """Every measure in every role; of one role the classes and, of two classes, what a threshold comes to.

    found : role -> answers. positive : called so from a share of `threshold` on; None for three classes and more.
    names : what texts call classes, where it is not their value.
    """
    of = found[role]
    lines = [_measures(found), Words(f"By class, {role} rows:"), *describe_classes(of, names)]
    if threshold is None:
        return lines
    told = Words(f"Called {names.get(positive, positive)} from a share of {percent(threshold)} on, {role} rows:")
    return [*lines, told, *describe_threshold(answered_at(of, positive, threshold), positive, names)]


def describe_number_answers(found: Mapping[str, Answers], off: Residuals, role: str) -> list[Line]:
    """Every measure in every role; of one role how far the answer of each leaf is off, those of most rows first.

    found : role -> answers. off : residuals of the role.
    """
    leaves = sorted(by_node(off, MOST_LEAVES), key=lambda leaf: -leaf.n_rows)
    rows = tuple((str(of.node), brief(of.said), count(of.n_rows, ","), brief(of.mean), brief(of.rmse)) for of in leaves)
    heads = ("leaf", "its answer", "rows", "mean residual", "RMSE")
    return [_measures(found), Words(f"By leaf, {role} rows:"), Grid(heads, rows)]


def _measures(found: Mapping[str, Answers]) -> Grid:
    rows = tuple((label, *values.values()) for label, values in measure_rows(found))
    return Grid(("measure", *found), rows)


def measure_rows(found: Mapping[str, Answers]) -> list[tuple[str, dict[str, str]]]:
    """Label of every measure that serves, and role -> its value in words. found : role -> answers to its rows."""
    first = next(iter(found.values()))
    told = lambda m, a: (percent if m.percent else brief)(m(a))  # noqa: E731
    return [(m.label, {role: told(m, a) for role, a in found.items()}) for m in measures_for(first.target)]


def describe_classes(answers: Answers, names: Mapping[str, str] = MappingProxyType({})) -> list[Line]:
    """Precision, recall and F1 of every class. names : what texts call classes, where it is not their value."""
    of = by_class(answers)
    called = (names.get(name, name) for name in of.classes)
    values = zip(called, of.precision, of.recall, of.f1, of.weight, strict=True)
    rows = tuple((name, percent(p), percent(r), brief(f), count(w, ",")) for name, p, r, f, w in values)
    return [Grid(("class", "precision", "recall", "F1", "rows"), rows)]


def describe_threshold(
    answers: Answers, positive: str, names: Mapping[str, str] = MappingProxyType({})
) -> list[Line]:  # fmt: skip
    """Two classes: the confusion matrix, and what it comes to. answers : as given at the threshold. names : as of
    describe_classes."""
    result = answers.confusion
    cell = {name: of.weight for name, of in result.named(positive).items()}
    other = next(name for name in answers.classes if name != positive)
    yes, no = (names.get(name, name) for name in (positive, other))
    rows = (
        (yes, *(count(cell[c], ",") for c in ("TP", "FN"))),
        (no, *(count(cell[c], ",") for c in ("FP", "TN"))),
    )
    of, k = by_class(answers), answers.classes.index(positive)
    told = (
        f"Precision {percent(of.precision[k])}, recall {percent(of.recall[k])}, F1 {brief(of.f1[k])}, "
        f"accuracy {percent(1 - result.error_rate)}"
    )
    mean = float(result.worth.sum()) / result.weight
    told += "." if answers.loss is None else f", mean {result.worth_name} {brief(mean)}."
    return [Grid(("true class", f"called {yes}", f"called {no}"), rows), Words(told)]


SHAPES = ("ROC", "precision and recall", "gains", "lift")
THRESHOLD = Setting("experiment threshold", "Threshold", 0.5, least=0.0, most=1.0, kind=float)
ROLE_OF_ANSWERS = Setting("experiment role", "Rows", kind=str)
"""The page chooses among the roles that it has answers of, the folds too."""
FEW_POINTS, MOST_OF_LEAVES = 400, 40
"""Residuals that are drawn of a role, and leaves: a picture that is kept is small."""


def _work(setup: Setup) -> Work:
    tree, parts = setup.tree, setup.parts
    return lambda _: {role: answers_of(tree, rows) for role, rows in parts.items()}


def role_shown(roles: Mapping[str, object], setup: Setup) -> str:
    """Of these roles the one chosen, else the first that is held back."""
    chosen, first = setup[ROLE_OF_ANSWERS], next((r for r in ("validation", "test") if r in roles), "train")
    return chosen if chosen in roles else first


def residuals_by_role(found: Mapping[str, Answers], setup: Setup) -> dict[str, Residuals]:
    """Role -> how far the answers are off; of answers by several trees, as those of folds, without their leaves."""
    tree, parts = setup.tree, setup.parts
    own = setup.cached("residuals", make=lambda: {role: residuals(tree, rows) for role, rows in parts.items()})
    return own | {role: residuals_of(answers) for role, answers in found.items() if role not in parts}


def _asked(found: Mapping[str, Answers], setup: Setup) -> tuple[str, str, float | None]:
    """(role, class, threshold), of two classes."""
    return role_shown(found, setup), setup[POSITIVE], setup[THRESHOLD] if len(setup.table.classes) == 2 else None


def _describe(found: Mapping[str, Answers], setup: Setup) -> list[Line]:
    if setup.table.classes:
        return describe_class_answers(found, *_asked(found, setup), setup.class_names)
    off, role = residuals_by_role(found, setup), role_shown(setup.parts, setup)
    return describe_number_answers(found, off[role], role)


def _pictures(found: Mapping[str, Answers], setup: Setup) -> list[Picture]:
    if setup.table.classes:
        return _class_pictures(found, *_asked(found, setup))
    return _number_pictures(residuals_by_role(found, setup), role_shown(setup.parts, setup), setup.table.target)


def _class_pictures(
    found: Mapping[str, Answers], role: str, positive: str, threshold: float | None
) -> list[Picture]:  # fmt: skip
    """ROC, precision and recall, gains, lift and calibration of a class."""
    of = {name: ranking_of(answers, positive) for name, answers in found.items()}
    ring = "" if threshold is None else f" A ring: called so from {percent(threshold)} on."
    curve = "prediction_quality.ranking_curve"
    shown = [
        Picture(curve, (of, shape, threshold), f"{shape[:1].upper()}{shape[1:]} of the class {positive}.{ring}")
        for shape in SHAPES
    ]
    caption = f"How many of the {role} rows are {positive} among those told a share of it. Numbers: rows of the bin."
    bins = {role: calibration(found[role], positive)}
    return [*shown, Picture("prediction_quality.calibration", (bins,), caption)]


def _number_pictures(off: Mapping[str, Residuals], role: str, target: str) -> list[Picture]:
    """Residuals against answers, and leaf by leaf."""
    leaves = by_node(off[role], MOST_OF_LEAVES)
    row = f"Truth less answer, row by row, of at most {FEW_POINTS:,} rows of a role."
    leaf = f"Middle and quarters of the residuals of each leaf, {role} rows."
    return [
        Picture("prediction_quality.residuals", (dict(off), target, FEW_POINTS), row),
        Picture("prediction_quality.by_leaf", (leaves, target), leaf, 110 + 26 * len(leaves)),
    ]


def _about(setup: Setup) -> Told:
    classes = setup.table.classes
    of_class = (("class", setup.called(setup[POSITIVE])),) if classes else ()
    at = (("called so from", percent(setup[THRESHOLD])),) if len(classes) == 2 else ()
    return ("rows", role_shown(setup.parts, setup)), *of_class, *at


ANSWER_QUALITY = StudyQuestion(
    "answers", "How good are its predictions?", "Answers", _work, _describe, _pictures,
    (POSITIVE, THRESHOLD, ROLE_OF_ANSWERS), _about, of_tree=True, passing=("rows", "class", "called so from"),
    report_place=3,
)  # fmt: skip
