"""Rows in the order of how sure a tree is of one class: ROC, precision and recall, gains and lift, from one count."""

from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.judging.answers import Answers, answers_of
from treecore.tree.node_statistics import end_statistics
from treecore.tree.tree import Tree

QUANTILE = 1.959963984540054
"""Of the normal distribution, for 95 %."""


RARE = 0.25
"""A class with less than this share of the rows is rare enough for accuracy to mislead."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Brief):
    """How many rows of the class, and of others, have at least each share; entry i is the i-th highest share.

    threshold : float64 (m,), the different shares, falling. hits, false_alarms : float64 (m,), weight of the rows of
    the class and of other rows with this share or a higher one. positives, negatives : weight of all of them.
    """

    threshold: np.ndarray
    hits: np.ndarray
    false_alarms: np.ndarray
    positives: float
    negatives: float

    @property
    def recall(self) -> np.ndarray:
        """float64 (m,), hits of all rows of the class: how high the ROC curve is; also the gain."""
        return _ratio(self.hits, self.positives)

    @property
    def fall_out(self) -> np.ndarray:
        """float64 (m,), false alarms of all other rows: how far right the ROC curve is."""
        return _ratio(self.false_alarms, self.negatives)

    @property
    def precision(self) -> np.ndarray:
        """float64 (m,), hits of the rows with at least this share."""
        return self.hits / (self.hits + self.false_alarms)

    @property
    def answered(self) -> np.ndarray:
        """float64 (m,), the part of all rows that has at least this share: how far right gains and lift are."""
        return (self.hits + self.false_alarms) / (self.positives + self.negatives)

    @property
    def lift(self) -> np.ndarray:
        """float64 (m,), how many times as many hits as among as many rows drawn at random."""
        return _ratio(self.recall, self.answered)

    @property
    def area(self) -> float:
        """Under the ROC curve: the chance that a row of the class has a higher share than another row, ties half.

        NaN unless there are rows of both. Source: Hanley and McNeil (1982).
        """
        x, y = np.append(0.0, self.fall_out), np.append(0.0, self.recall)
        return float(np.diff(x) @ (y[1:] + y[:-1]) / 2)

    @property
    def average_precision(self) -> float:
        """sum over thresholds of (recall less the recall before) * precision."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)

    def captured(self, part: float) -> float:
        """Hits of all rows of the class among the first `part` of all rows; rows of equal shares in any order."""
        return float(np.interp(part, np.append(0.0, self.answered), np.append(0.0, self.recall)))

    @cached_property
    def area_error(self) -> float:
        """Standard error of the area, weights taken for numbers of rows; NaN unless there are two rows of both.

        Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44.
        """
        if min(self.positives, self.negatives) <= 1:
            return nan
        mine, others = np.diff(self.hits, prepend=0.0), np.diff(self.false_alarms, prepend=0.0)
        below = 1 - self.fall_out + others / self.negatives / 2  # of a row of the class: others it outranks
        above = self.recall - mine / self.positives / 2  # of another row: rows of the class that outrank it
        parts = [(below, mine, self.positives), (above, others, self.negatives)]
        return sqrt(sum(float(w @ (v - self.area) ** 2) / (n - 1) / n for v, w, n in parts))

    @property
    def is_of_rare_class(self) -> bool:
        """Does the class have so few of the rows, and both some, that an order says more than accuracy?"""
        return bool(np.isfinite(self.area)) and self.positives < RARE * (self.positives + self.negatives)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % for the area, within 0 and 1."""
        half = QUANTILE * self.area_error
        return max(0.0, self.area - half), min(1.0, self.area + half)


def ranking(is_class: np.ndarray, share: np.ndarray, weight: np.ndarray | None = None) -> Ranking:
    """Count rows from the highest share down; equal shares are counted at once.

    is_class : bool (n,). share : float64 (n,); rows without one (NaN) come last. weight : float64 (n,) or None.
    """
    is_class, weight = np.asarray(is_class, bool), np.ones(len(is_class)) if weight is None else weight
    share = np.where(np.isnan(share), -1.0, share)
    counted = weight > 0
    threshold, group = np.unique(-share[counted], return_inverse=True)
    mine = np.bincount(group, np.where(is_class, weight, 0.0)[counted], len(threshold)).cumsum()
    others = np.bincount(group, np.where(is_class, 0.0, weight)[counted], len(threshold)).cumsum()
    positives, negatives = (float(c[-1]) if len(c) else 0.0 for c in (mine, others))
    return Ranking(-threshold, mine, others, positives, negatives)


def ranking_of(answers: Answers, positive: str | None = None) -> Ranking:
    """The rows by the share of one class, against all others. positive : its name; the last class if None."""
    positive = answers.classes[-1] if positive is None and answers.classes else positive
    if positive not in answers.classes:
        remedy = "Name one of: " + ", ".join(answers.classes) if answers.classes else "Look at R² instead"
        raise TreecoreError(f"{positive!r} is no class", where="positive", remedy=remedy)
    k = answers.classes.index(positive)
    assert answers.shares is not None
    return ranking(answers.truth == k, answers.shares[:, k], answers.weight)


def ranking_of_groups(share: np.ndarray, counts: np.ndarray, k: int) -> Ranking:
    """Rows that are counted in groups, such as leaves, by the share of class k; groups of equal share are one.

    share : float64 (m,), NaN for a group without an answer, which comes last. counts : float64 (m, n_classes), weight
    of its rows by class, more than 0 in all.
    """
    threshold, group = np.unique(-np.where(np.isnan(share), -1.0, share), return_inverse=True)
    mine = np.bincount(group, counts[:, k]).cumsum()
    others = np.bincount(group, counts.sum(axis=1) - counts[:, k]).cumsum()
    return Ranking(-threshold, mine, others, float(mine[-1]), float(others[-1]))


def ranking_by(tree: Tree, table, k: int) -> Ranking | None:
    """The rows of a table, here or in an engine, by the share of class k where they end, or by their lines; None
    without rows."""
    if tree.lines is not None:
        answers = answers_of(tree, table)
        return ranking_of(answers, tree.classes[k]) if answers.weight.sum() > 0 else None
    counts = end_statistics(tree, table)
    reached = counts.sum(axis=1) > 0
    return ranking_of_groups(tree.proba[reached, k], counts[reached], k) if reached.any() else None


def _ratio(above: np.ndarray, below) -> np.ndarray:
    """above / below, NaN over nothing."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.full(above.shape, nan), where=below > 0)
