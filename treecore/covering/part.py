"""PART: the best leaf of a partial tree is a rule; the rows it covers go, and the next tree is grown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.covering.value_rules import SMALL, TrainingArrays, ValueRule, ValueRules, ValueTest, check_settings
from treecore.covering.weka_random import JavaRandom
from treecore.errors import TreecoreError
from treecore.pruning.error_based import estimated_errors
from treecore.pruning.j48 import largest_class

# The split that J48 would take on some rows with shares, by numpy alone: partial trees grow node by node.


@dataclass(frozen=True, eq=False, repr=False)
class J48Split(Brief):
    """A test of one feature. cut : of a number, its largest known training value on the lower side; else NaN.

    bags : float64 (n_branches, n_classes), class weights of the branches, rows without the value in shares. level : of
    a split into one level and the rest, else -1.
    """

    feature: int
    cut: float
    gain: float
    ratio: float
    bags: np.ndarray
    level: int = -1

    @property
    def shares(self) -> np.ndarray:
        """float64 (n_branches,): of the weight; a row without the value is shared so."""
        return self.bags.sum(axis=1) / self.bags.sum()

    def branch(self, column: np.ndarray) -> np.ndarray:
        """int64, -1 where the value is missing."""
        known = ~np.isnan(column)
        branches = np.full(len(column), -1)
        if self.level >= 0:
            branches[known] = column[known] != self.level
        else:
            branches[known] = column[known] if np.isnan(self.cut) else column[known] - self.cut >= SMALL
        return branches

    def parts(self, column: np.ndarray, weight: np.ndarray, branch: int) -> np.ndarray:
        """float64: the weight of each row that goes down the branch."""
        at = self.branch(column)
        return np.where(at == branch, weight, np.where(at < 0, self.shares[branch] * weight, 0.0))


def entropy(counts: np.ndarray) -> np.ndarray:
    """float64 (...): bits of class weights (..., n_classes), times their sum."""
    return (_xlogx(counts.sum(axis=-1)) - _xlogx(counts).sum(axis=-1)) / np.log(2.0)


def _xlogx(x: np.ndarray) -> np.ndarray:
    return np.where(x < SMALL, 0.0, x * np.log(np.maximum(x, SMALL)))


def best_split(
    rows: TrainingArrays, at: np.ndarray, weight: np.ndarray, least: float, binary: bool = False
) -> J48Split | None:
    """The best gain ratio among gains of at least the average, the first of equals; None where a leaf is better.

    at : positions of the rows here. weight : float64 (len(at),). least : weight that two branches must have.
    binary : one level against the rest.
    Source: Quinlan (1993); details as in Weka 3.6 (J48).
    """
    counts = rows.by_class(at, weight)
    total = float(counts.sum())
    if 2 * least - total > SMALL or total - counts.max() < SMALL:
        return None
    splits = [_split(rows, f, at, weight, total, least, binary) for f in range(rows.n_features)]
    many = all(n and n - 0.3 * rows.n_rows > -SMALL for n in rows.n_levels)
    few = [s for s in splits if s and (many or 0.3 * rows.n_rows - rows.n_levels[s.feature] > SMALL)]
    if not any(splits):
        return None
    average = sum(s.gain for s in few) / len(few) if few else np.inf
    best, ratio = None, 0.0
    for split in splits:
        if split and split.gain >= average - 1e-3 and split.ratio - ratio > SMALL:
            best, ratio = split, split.ratio
    return best and _with_missing(rows, best, at, weight)


def _split(rows: TrainingArrays, feature: int, at, weight, total: float, least: float, binary: bool) -> J48Split | None:
    column = rows.values[feature][at]
    known = ~np.isnan(column)
    labels = rows.labels[at][known]
    if rows.n_levels[feature]:
        by = _of_one_level if binary else _of_levels
        return by(rows, feature, column[known].astype(int), labels, weight[known], total, least)
    return _of_numbers(rows, feature, column[known], labels, weight[known], total, least)


def _of_levels(rows: TrainingArrays, feature, levels, labels, weight, total: float, least: float) -> J48Split | None:
    n, k = rows.n_levels[feature], rows.n_classes
    bags = np.bincount(levels * k + labels, weight, n * k).reshape(n, k)
    if (bags.sum(axis=1) > least - SMALL).sum() < 2:
        return None
    gain = _gain(bags, total)
    return J48Split(feature, np.nan, gain, _ratio(bags, total, gain), bags)


def _of_one_level(rows: TrainingArrays, feature, levels, labels, weight, total: float, least: float) -> J48Split | None:
    """The level whose split from the rest has the best ratio; Weka forgets what it has once the first level fits."""
    n, k = rows.n_levels[feature], rows.n_classes
    counts = np.bincount(levels * k + labels, weight, n * k).reshape(n, k)
    best = None
    for level in range(n):
        bags = np.stack([counts[level], counts.sum(axis=0) - counts[level]])
        if (bags.sum(axis=1) > least - SMALL).all():
            gain = _gain(bags, total)
            ratio = _ratio(bags, total, gain)
            if best is None or ratio - best.ratio > SMALL:
                best = J48Split(feature, np.nan, gain, ratio, bags, level)
    return best


def _of_numbers(rows: TrainingArrays, feature, values, labels, weight, total: float, least: float) -> J48Split | None:
    """The first cut of most gain; what it costs to say which cut it is, is taken off."""
    smallest = 0.1 * float(weight.sum()) / rows.n_classes
    smallest = least if smallest - least < SMALL else min(smallest, 25.0)
    if 2 * smallest - len(values) > SMALL:
        return None
    order = np.argsort(values, kind="stable")
    values, labels, weight = values[order], labels[order], weight[order]
    below = np.zeros((len(values), rows.n_classes))
    below[np.arange(len(values)), labels] = weight
    below = np.cumsum(below, axis=0)
    above = below[-1] - below
    sides = np.minimum(below.sum(axis=1), above.sum(axis=1))[:-1]
    cuts = np.flatnonzero((values[:-1] + 1e-5 < values[1:]) & (sides > smallest - SMALL))
    if not len(cuts):
        return None
    bags = np.stack([below[cuts], above[cuts]], axis=1)
    place = _first_best([_gain(b, total) for b in bags])
    if place is None:
        return None
    gain = _gain(bags[place], total) - np.log2(len(cuts)) / total
    if gain < SMALL:
        return None
    cut = _on_value(rows.values[feature], (values[cuts[place]] + values[cuts[place] + 1]) / 2)
    return J48Split(feature, cut, gain, _ratio(bags[place], total, gain), bags[place])


def _first_best(gains: list[float]) -> int | None:
    best, place = 0.0, None
    for i, gain in enumerate(gains):
        if gain - best > SMALL:
            best, place = gain, i
    return place


def _on_value(values: np.ndarray, middle: float) -> float:
    """The largest value of the training rows that is not above the middle."""
    return float(values[values - middle < SMALL].max())


def _gain(bags: np.ndarray, total: float) -> float:
    known = bags.sum()
    gain = float(entropy(bags.sum(axis=0)) - entropy(bags).sum()) * float(known / total)
    return 0.0 if abs(gain) < SMALL else gain / float(known)


def _ratio(bags: np.ndarray, total: float, gain: float) -> float:
    sizes = bags.sum(axis=1)
    information = float(entropy(np.append(sizes, total - sizes.sum())))
    return 0.0 if abs(information) < SMALL else gain / (information / total)


def _with_missing(rows: TrainingArrays, split: J48Split, at: np.ndarray, weight: np.ndarray) -> J48Split:
    lost = np.isnan(rows.values[split.feature][at])
    bags = split.bags + split.shares[:, None] * rows.by_class(at[lost], weight[lost])
    return replace(split, bags=bags)


@dataclass(frozen=True)
class PartSettings:
    """least : weight that two branches of a split must have. cf : confidence of the error estimate. prune : False
    keeps partial trees as they grow. binary : one level against the rest, in place of a branch per level.
    reduced_error : one part of the rows in `folds` prunes, and no rule grows on it, in place of the estimate. seed :
    of its shuffle.
    """

    least: float = 2.0
    cf: float = 0.25
    prune: bool = True
    binary: bool = False
    reduced_error: bool = False
    folds: int = 3
    seed: int = 1

    def __post_init__(self):
        check_settings(self, least=0.0, cf=0.0, folds=2, seed=-(2**31))
        if self.reduced_error and not self.prune:
            raise TreecoreError(
                "Rules that stay as they grow need no rows to prune by", where="reduced_error",
                remedy="Leave out prune=False, or reduced_error",
            )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Part(Brief):
    """Some rows of the arrays with what is left of their weights. at : int64 (n,), positions; weight : float64 (n,)."""

    at: np.ndarray
    weight: np.ndarray

    def by_class(self, rows: TrainingArrays) -> np.ndarray:
        """float64 (n_classes,)."""
        return rows.by_class(self.at, self.weight)

    def down(self, rows: TrainingArrays, split: J48Split, branch: int) -> "Part":
        """What goes down a branch."""
        parts = split.parts(rows.values[split.feature][self.at], self.weight, branch)
        some = parts > 0
        return Part(self.at[some], parts[some])

    def without(self, covered: np.ndarray) -> "Part":
        """What a rule leaves. covered : float64 (n_rows,), the part of each row that it answers for."""
        rest = 1.0 - covered[self.at]
        some = rest > SMALL
        return Part(self.at[some], self.weight[some] * rest[some])


@dataclass
class PartialTree:
    """A node of a partial tree; `below` has one entry per branch that was looked into. totals, held : class weights of
    the rows that grew it, and of those that prune, None where there are none."""

    totals: np.ndarray
    held: np.ndarray | None = None
    split: J48Split | None = None
    below: "Sequence[PartialTree | None]" = ()
    taken: int = 0

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def size(self) -> float:
        """Weight of the leaf at the end of the branches taken."""
        node = self
        while not node.is_leaf:
            node = node.below[node.taken]
        return float(node.totals.sum())


def part(rows: TrainingArrays, settings: PartSettings = PartSettings()) -> ValueRules:
    """Rules in the order they are found; the last one covers every row that is left.

    Rows that lack a value are shared among the branches, as J48 shares them, and a rule takes its share.
    Source: Frank and Witten (1998); details as in Weka 3.6.
    """
    grow, held, rules = Part(np.flatnonzero(rows.weight > 0), rows.weight[rows.weight > 0]), None, []
    if settings.reduced_error:
        put_aside = np.zeros(rows.n_rows, bool)
        put_aside[_stratified(rows, settings)] = True
        grow, held = (Part(at, rows.weight[at]) for at in (np.flatnonzero(~put_aside), np.flatnonzero(put_aside)))
    while grow.weight.sum() > SMALL:
        rule = _rule(_grown(rows, grow, held, settings))
        rules.append(rule)
        covered = rule.parts(rows.values)
        grow, held = grow.without(covered), held and held.without(covered)
    default = int(np.argmax(rows.by_class()))
    return ValueRules(tuple(rules), default, tuple(rows.by_class().tolist()))


def _stratified(rows: TrainingArrays, settings: PartSettings) -> np.ndarray:
    """int64: positions of the rows that prune, the last part of as many as there are folds, each with its share of
    every class. Source: Weka 3.6 (Instances.randomize, stratify and testCV)."""
    order = JavaRandom(settings.seed).shuffled(np.arange(rows.n_rows))
    place = 1
    while place < len(order):  # rows of the class of the one before change places with what stands there
        for other in range(place, len(order)):
            if rows.labels[order[place - 1]] == rows.labels[order[other]]:
                order[place], order[other] = order[other], order[place]
                place += 1
        place += 1
    dealt = np.concatenate([order[first :: settings.folds] for first in range(settings.folds)])
    return dealt[len(dealt) - len(dealt) // settings.folds :]


def _grown(rows: TrainingArrays, grow: Part, held: Part | None, settings: PartSettings) -> PartialTree:
    """Branches of least entropy are looked into first, until one of them is no leaf. held : rows that prune."""
    node = PartialTree(grow.by_class(rows), held and held.by_class(rows))
    split = best_split(rows, grow.at, grow.weight, settings.least, settings.binary)
    if split is None:
        return node
    sizes = split.bags.sum(axis=1)
    below: list[PartialTree | None] = [None] * len(sizes)
    pruning = [held and held.down(rows, split, branch) for branch in range(len(sizes))]
    last = None
    for branch in _by_entropy(split, settings.least):
        last = below[branch] = _grown(rows, grow.down(rows, split, branch), pruning[branch], settings)
        if not last.is_leaf:
            break
    if last is None:
        return node
    if last.is_leaf:  # branches too small to be looked into are leaves
        below = [
            one or PartialTree(split.bags[b], part and part.by_class(rows))
            for b, (one, part) in enumerate(zip(below, pruning, strict=True))
        ]
    node.split, node.below = split, below
    if settings.prune and all(one is not None and one.is_leaf for one in below) and _falls(node, settings):
        return PartialTree(node.totals, node.held)
    node.taken = _largest(node, sizes, settings.least)
    return node


def _by_entropy(split: J48Split, least: float) -> list[int]:
    """Branches of enough weight: the first pure one, else that of least entropy, and so on."""
    sizes = split.bags.sum(axis=1)
    free = [b for b in range(len(sizes)) if least - sizes[b] <= SMALL]
    bits, order = {b: float(entropy(split.bags[b]) / sizes[b]) for b in free}, []
    while free:
        best = free[0]
        for branch in free:
            if bits[branch] < SMALL:
                best = branch
                break
            if bits[best] - bits[branch] > SMALL:
                best = branch
        order.append(best)
        free.remove(best)
    return order


def _falls(node: PartialTree, settings: PartSettings) -> bool:
    """Would the node as a leaf err no more than its leaves, on the rows that prune or else by the estimate?"""
    if node.held is not None:
        leaf = int(largest_class(node.totals[None])[0])  # answers where no row grew a branch
        answers = [int(largest_class(one.totals[None])[0]) if one.totals.sum() > SMALL else leaf for one in node.below]
        apart = sum(one.held.sum() - one.held[answer] for one, answer in zip(node.below, answers, strict=True))
        return float(node.held.sum() - node.held[leaf] - apart) < SMALL
    leaves = np.array([one.totals for one in node.below])
    apart = float(estimated_errors(leaves.sum(axis=1), leaves.sum(axis=1) - leaves.max(axis=1), settings.cf).sum())
    whole = node.totals.sum()
    one = float(estimated_errors([whole], [whole - node.totals.max()], settings.cf)[0])
    return one - (apart + 0.1) < SMALL


def _largest(node: PartialTree, sizes: np.ndarray, least: float) -> int:
    """The branch that leads to the leaf of most weight."""
    best, most = 0, -np.inf
    for branch, one in enumerate(node.below):
        if one is not None and sizes[branch] - least > -SMALL and one.size - most > SMALL:
            best, most = branch, one.size
    return best


def _rule(node: PartialTree) -> ValueRule:
    tests = []
    while not node.is_leaf:
        split, branch = node.split, node.taken
        share = float(split.shares[branch])
        if split.level >= 0:
            tests.append(ValueTest(split.feature, "!=" if branch else "=", float(split.level), share))
        elif np.isnan(split.cut):
            tests.append(ValueTest(split.feature, "=", float(branch), share))
        else:
            tests.append(ValueTest(split.feature, ">" if branch else "<=", split.cut, share))
        node = node.below[branch]
    return ValueRule(tuple(tests), int(largest_class(node.totals[None])[0]), tuple(node.totals.tolist()))
