"""Rules by depth first: always into the branch of most information gain, until it is pure."""

import numpy as np

from treecore.covering.part import entropy
from treecore.covering.value_rules import TrainingArrays, ValueRule, ValueRules, ValueTest

TIE = 1e-10


def depth_first(rows: TrainingArrays) -> ValueRules:
    """One rule at a time: into the branch that tells most about the class, then the next; its rows go, and again.

    A test parts the rows into those that pass it and the others; the side gone into is the one of least entropy, and
    of equals that of more rows, where the test has the most information gain, the first of equals. A tree that grows
    breadth first gives every branch a node; here each rule asks what is best for it alone. A level against the rest,
    or a number below or from a cut between neighbouring values on. Rows that lack a value fail the test.
    """
    left, rules = np.arange(rows.n_rows), []
    while len(left):
        tests, covered = _dive(rows, left)
        if not tests:
            break
        totals = rows.by_class(covered)
        rules.append(ValueRule(tests, int(np.argmax(totals)), tuple(totals.tolist())))
        left = np.setdiff1d(left, covered, assume_unique=True)
    rest = rows.by_class(left) if len(left) else rows.by_class()
    return ValueRules(tuple(rules), int(np.argmax(rest)), tuple(rest.tolist()))


def _dive(rows: TrainingArrays, at: np.ndarray) -> tuple[tuple[ValueTest, ...], np.ndarray]:
    """(tests, rows that pass them): one test more while the rows are of several classes."""
    tests: tuple[ValueTest, ...] = ()
    while (rows.by_class(at) > 0).sum() > 1:
        best = _best(rows, at)
        if best is None:
            break
        tests, at = (*tests, best), at[best.holds(rows.values, at)]
    return tests, at


def _best(rows: TrainingArrays, at: np.ndarray) -> ValueTest | None:
    """The purer side of the test of most gain; None where none gains."""
    best, most = None, TIE
    for feature in range(rows.n_features):
        for tests, sides in _tests(rows, feature, at):
            gain = float(entropy(sides.sum(axis=0)) - entropy(sides).sum()) / float(sides.sum())
            if gain > most + TIE:
                most, best = gain, tests[_purer(sides)]
    return best


def _purer(sides: np.ndarray) -> int:
    """0 or 1. sides : float64 (2, n_classes); of two equally pure ones the heavier, then the first."""
    sizes = sides.sum(axis=1)
    bits = entropy(sides) / sizes
    if abs(bits[0] - bits[1]) > TIE:
        return int(np.argmin(bits))
    return int(sizes[1] > sizes[0])


def _tests(rows: TrainingArrays, feature: int, at: np.ndarray):
    """Pairs of (the two sides as tests, class weights of the sides: float64 (2, n_classes)), neither side empty."""
    column = rows.values[feature][at]
    at, column = at[~np.isnan(column)], column[~np.isnan(column)]
    whole = rows.by_class(at)
    values, place = np.unique(column, return_inverse=True)
    if len(values) < 2:
        return
    bags = np.bincount(place * rows.n_classes + rows.labels[at], rows.weight[at], len(values) * rows.n_classes)
    bags = bags.reshape(len(values), -1)
    if rows.n_levels[feature]:
        for value, bag in zip(values.tolist(), bags, strict=True):
            yield (ValueTest(feature, "=", value), ValueTest(feature, "!=", value)), np.stack([bag, whole - bag])
        return
    below = np.cumsum(bags, axis=0)
    for cut, bag in zip(((values[:-1] + values[1:]) / 2).tolist(), below, strict=False):
        yield (ValueTest(feature, "<", cut), ValueTest(feature, ">=", cut)), np.stack([bag, whole - bag])
