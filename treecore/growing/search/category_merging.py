"""CHAID's merging of categories, and how many mergers there were to choose from.

Source: Kass (1980), An exploratory technique for investigating large quantities of categorical data.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.criteria.groupings import FLOATING, NOMINAL

LEAST_LOG_P = -1e300
MOST_EXHAUSTIVE = 10
"""Most categories of a merger for which every way to part it in two is tried (numeric targets and two classes
need none of that)."""
MOST_CELLS = 2**20
"""Pairs of groups, of predictors that are merged side by side."""


@dataclass(frozen=True)
class Merging:
    """When categories are merged.

    log_p : ln p of the test of each table, float64 (m, groups, S) -> (m,). profile : what a category's likeness to
    others depends on, (c, S) -> (c, P): the classes' shares, or the mean target.
    alpha : a pair with a larger p is merged. least : rows and weight that a group needs to stay on its own.
    resplit : look whether mergers of three categories or more should be parted again at alpha.
    """

    log_p: Callable[[np.ndarray], np.ndarray]
    profile: Callable[[np.ndarray], np.ndarray]
    alpha: float
    least: tuple[float, float] = (1, 0.0)
    resplit: bool = False


class Categories(NamedTuple):
    """Those of one predictor at a node.

    kind : NOMINAL, ORDERED or FLOATING. stats : float64 (c, S), statistics of each; of an ordered predictor in its
    order. sizes : float64 (c, 2), rows and weight of each.
    """

    kind: str
    stats: np.ndarray
    sizes: np.ndarray


def group_numbers(predictors: Sequence[Categories], rule: Merging) -> list[np.ndarray]:
    """Of each predictor int64 (c,): the group in which Kass's algorithm puts each category, groups being numbered by
    their first categories.

    Among equally similar pairs the first is merged. CategoryGroups that are too small then join the most similar one,
    the smallest first. Predictors of about as many categories are merged side by side: a test of two categories takes
    NumPy as long as one of thousands.
    """
    result: list[np.ndarray] = [np.empty(0, np.int64)] * len(predictors)
    order = sorted(range(len(predictors)), key=lambda i: len(predictors[i].stats))
    while order:
        most = max(1 if rule.resplit else MOST_CELLS // max(len(predictors[order[-1]].stats), 1) ** 2, 1)
        part, order = order[-most:], order[:-most]
        for i, number in zip(part, _numbers([predictors[i] for i in part], rule), strict=True):
            result[i] = number
    return result


def _numbers(predictors: list[Categories], rule: Merging) -> list[np.ndarray]:
    """group_numbers of these all at once, of one only where mergers may be parted again."""
    groups, seen = CategoryGroups(predictors, rule), set()
    groups.merge_alike()
    while rule.resplit and (state := str(groups.numbers()[0])) not in seen:
        seen.add(state)  # parting and merging at one alpha could go round in a circle
        kind, stats, _ = predictors[0]
        parted = _best_parting(kind, stats, _members(groups.numbers()[0]), rule)
        if parted is None:
            break
        groups = CategoryGroups(predictors, rule, sorted(map(sorted, parted)))
        groups.merge_alike()
    groups.join_small()
    return groups.numbers()


def _members(number: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(number == g).tolist() for g in range(number.max(initial=-1) + 1)]


def _best_parting(kind: str, stats: np.ndarray, partition: list[list[int]], rule: Merging) -> list[list[int]] | None:
    """The partition with its most significant parting of a merger made, None if none is significant."""
    best, made = math.log(rule.alpha), None
    for group in partition:
        if len(group) < 3:
            continue
        sides = _partings(kind, group, rule.profile(stats[group]), floating=len(stats) - 1)
        log_p = rule.log_p(np.stack([sides @ stats[group], ~sides @ stats[group]], axis=1))
        if log_p.min() < best or (made is None and log_p.min() == best):
            one = sides[first_of(-log_p, -log_p.min())]
            best, members = log_p.min(), np.array(group)
            made = [*(g for g in partition if g is not group), members[one].tolist(), members[~one].tolist()]
    return made


def _partings(kind: str, group: list[int], profile: np.ndarray, floating: int) -> np.ndarray:
    """bool (partings, len(group)): the categories on one side of each parting that is looked at.

    Many nominal categories are cut in the order of each column of the profile only, which finds the best parting
    of two classes and of numbers.
    """
    m = len(group)
    if kind == NOMINAL and m <= MOST_EXHAUSTIVE:
        return np.arange(1, 2 ** (m - 1))[:, None] >> np.arange(m) & 1 > 0
    cuts = np.arange(m)[None] <= np.arange(m - 1)[:, None]
    if kind == NOMINAL:
        rank = profile.argsort(axis=0, kind="stable").argsort(axis=0)
        return np.concatenate([cuts[:, column] for column in rank.T])
    if kind == FLOATING and group[-1] == floating:
        with_low = cuts.copy()
        with_low[:, -1] = True
        return np.concatenate([cuts, with_low[:-1]])
    return cuts


def first_of(values: np.ndarray, best) -> np.ndarray:
    """Where the first of the values stands that reach the best; equal ones may differ in their last bits.

    values : float64 (..., n). best : float64 (...,), the largest of each n. Returns int64 (...,).
    """
    best = np.asarray(best)
    return np.argmax(values >= (best - 1e-10 * np.maximum(1.0, np.abs(best)))[..., None], axis=-1)


class CategoryGroups:
    """Groups of categories of several predictors, and how similar each two of one predictor are that may be merged.

    Predictors of fewer categories have room for as many groups as that of most, m. A group that has joined another
    keeps its number, without members.
    of : int64 (p, m), the group of each category. there : bool (p, m), has the group members? stats : float64
    (p, m, S), sizes : float64 (p, m, 2), of each group. floats : int64 (p,), the group that may be merged with any,
    -1 for none. allowed : bool (p, m, m), which may be merged. similarity : float64 (p, m, m), symmetric: ln p of the
    pair's test, -inf where merging is not allowed.
    """

    def __init__(self, predictors: Sequence[Categories], rule: Merging, partition: list[list[int]] | None = None):
        """partition : of the only predictor; None for a group of each category."""
        self.rule, self.predictors = rule, predictors
        if partition is not None:
            kind, stats, sizes = predictors[0]
            sums = [np.array([of[members].sum(axis=0) for members in partition]) for of in (stats, sizes)]
            predictors = [Categories(kind, *sums)]
        kinds, stats, sizes = zip(*predictors, strict=True)
        count = np.array([len(of) for of in stats])
        p, place = np.repeat(np.arange(len(count)), count), np.arange(count.sum())
        place -= np.repeat(np.cumsum(count) - count, count)
        self.of = np.full((len(count), count.max()), -1)
        self.there = np.zeros(self.of.shape, bool)
        self.stats, self.sizes = np.zeros((*self.of.shape, stats[0].shape[1])), np.zeros((*self.of.shape, 2))
        self.of[p, place], self.there[p, place] = place, True
        self.stats[p, place], self.sizes[p, place] = np.concatenate(stats), np.concatenate(sizes)
        self._allow(np.array(kinds), count, partition)
        if partition is not None:
            self.of = np.full((1, len(self.predictors[0].stats)), -1)
            for g, members in enumerate(partition):
                self.of[0, members] = g
        self.similarity = np.full(self.allowed.shape, -np.inf)
        self._compare(*np.nonzero(np.tril(self.allowed, -1)))

    def _allow(self, kinds: np.ndarray, count: np.ndarray, partition: list[list[int]] | None) -> None:
        """Which groups may be merged: any of levels, neighbours of an order, and missing with any of it while it is a
        group of its own."""
        p, m = self.there.shape
        both = self.there[:, :, None] & self.there[:, None, :] & ~np.eye(m, dtype=bool)
        self.allowed = both & (kinds == NOMINAL)[:, None, None]
        beside, place = self.there[:, 1:] & (kinds != NOMINAL)[:, None], np.arange(m - 1)
        self.allowed[:, place, place + 1] |= beside
        self.allowed[:, place + 1, place] |= beside
        alone = partition is None or partition[-1] == [len(self.predictors[0].stats) - 1]
        floating = np.flatnonzero((kinds == FLOATING) & alone)
        self.floats = np.full(p, -1)
        self.floats[floating] = last = count[floating] - 1
        self.allowed[floating, last] = self.there[floating] & (np.arange(m) != last[:, None])
        self.allowed[floating, :, last] = self.allowed[floating, last]

    def _compare(self, p: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """Test group a[i] of predictor p[i] against its group b[i], for all i."""
        if not len(p):
            return
        pairs = np.stack([self.stats[p, a], self.stats[p, b]], axis=1)
        # a pair that may be merged stays apart from one that may not, even if nothing could be less alike
        self.similarity[p, a, b] = self.similarity[p, b, a] = np.maximum(self.rule.log_p(pairs), LEAST_LOG_P)

    def numbers(self) -> list[np.ndarray]:
        """Of each predictor int64 (c,): the group of each category; groups are numbered by their first one."""
        number = np.cumsum(self.there, axis=1) - 1
        return [number[p, self.of[p, : len(c.stats)]] for p, c in enumerate(self.predictors)]

    def merge_alike(self) -> None:
        """Merge the least significantly different pair, as long as its p is above alpha."""
        log_alpha, m = math.log(self.rule.alpha), self.there.shape[1]
        pairs = self.similarity.reshape(len(self.there), m * m)
        due = np.arange(len(self.there))
        while True:
            best = pairs[due].max(axis=1, initial=-np.inf)
            due, best = due[best > log_alpha], best[best > log_alpha]
            if not len(due):
                return
            self.join(due, *np.divmod(first_of(pairs[due], best), m))

    def join_small(self) -> None:
        """Let the smallest of the groups that may not stay join the group most like it, of those it may join, until
        all may stay or one is left."""
        while True:
            small = (self.sizes < self.rule.least).any(axis=2) & self.there
            due = np.flatnonzero(small.any(axis=1) & (self.there.sum(axis=1) > 1))
            if not len(due):
                return
            a = np.where(small[due], self.sizes[due, :, 0], np.inf).argmin(axis=1)
            alike = self.similarity[due, a]
            self.join(due, a, first_of(alike, alike.max(axis=1)))

    def join(self, p: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """Merge two groups of each of these predictors; the union stands where the first of them was."""
        a, b = np.minimum(a, b), np.maximum(a, b)
        self.of[p] = np.where(self.of[p] == b[:, None], a[:, None], self.of[p])
        self.there[p, b] = False
        self.stats[p, a] += self.stats[p, b]
        self.sizes[p, a] += self.sizes[p, b]
        # what floated has its place now, among the neighbours of a
        self.allowed[p, a] |= self.allowed[p, b] & (b != self.floats[p])[:, None]
        self.allowed[p, b] = self.allowed[p, :, b] = self.allowed[p, a, a] = False
        self.allowed[p, :, a] = self.allowed[p, a]
        self.similarity[p, b] = self.similarity[p, :, b] = -np.inf
        pair, other = np.nonzero(self.allowed[p, a])
        self._compare(p[pair], a[pair], other)
