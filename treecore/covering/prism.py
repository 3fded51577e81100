"""Prism: class by class, the rule that is right most often on the rows left, until it errs no more."""

from collections.abc import Iterator

import numpy as np

from treecore.covering.value_rules import TrainingArrays, ValueRule, ValueRules, ValueTest


def prism(rows: TrainingArrays) -> ValueRules:
    """Rules of every class in turn; the rows of a class that a rule covers are done, then all rows come back.

    Source: Cendrowska (1987); ties as in Weka 3.6: the larger cover, then the first test. A row that no rule covers
    has no answer; a rule is sure of its class, also where equal rows contradict it. Features are levels; numbers have
    been put in bins before.
    """
    return ValueRules(tuple(rule for k in range(rows.n_classes) for rule in _of_class(rows, k)))


def _of_class(rows: TrainingArrays, answer: int) -> Iterator[ValueRule]:
    left = np.arange(rows.n_rows)
    while (rows.labels[left] == answer).any():
        tests, covered = _perfect(rows, answer, left)
        if not (rows.labels[covered] == answer).any():  # all that is left lacks its values
            return
        # Weka answers with the rule's class alone, whatever else it covers
        totals = np.where(np.arange(rows.n_classes) == answer, rows.weight[covered].sum(), 0.0)
        yield ValueRule(tests, answer, tuple(totals.tolist()))
        left = np.setdiff1d(left, covered, assume_unique=True)


def _perfect(rows: TrainingArrays, answer: int, left: np.ndarray) -> tuple[tuple[ValueTest, ...], np.ndarray]:
    """(tests, rows they leave): one more for as long as the rule errs and a feature is left."""
    tests, free = [], [f for f, n in enumerate(rows.n_levels) if n]
    while free and (rows.labels[left] != answer).any():
        best = _best_test(rows, answer, left, free)
        if best is None:
            break
        tests.append(best)
        free.remove(best.feature)
        left = left[best.holds(rows.values, left)]
    return tuple(tests), left


def _best_test(rows: TrainingArrays, answer: int, left: np.ndarray, free: list[int]) -> ValueTest | None:
    """The level with the greatest share of right answers; None where no level has one."""
    best, right, covered = None, 0.0, 0.0
    for feature in free:
        column, weight = rows.values[feature][left], rows.weight[left]
        known = ~np.isnan(column)
        levels, own = column[known].astype(int), weight[known]
        hits = own * (rows.labels[left][known] == answer)
        n, all_of = (np.bincount(levels, w, rows.n_levels[feature]) for w in (hits, own))
        for level in np.flatnonzero(n > 0).tolist():
            ahead = n[level] * covered - right * all_of[level]
            if best is None or ahead > 0 or (ahead == 0 and n[level] > right):
                best, right, covered = ValueTest(feature, "=", float(level)), n[level], all_of[level]
    return best
