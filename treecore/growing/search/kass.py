"""CHAID's merging of categories, and how many mergers there were to choose from.

Source: Kass (1980), An exploratory technique for investigating large quantities of categorical data.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.criteria.groupings import FLOATING, NOMINAL

LEAST_LOG_P = -1e300
MOST_EXHAUSTIVE = 10
"""Most categories of a merger for which every way to part it in two is tried (numeric targets and two classes
need none of that)."""


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


def merged(kind: str, stats: np.ndarray, sizes: np.ndarray, rule: Merging) -> list[list[int]]:
    """The groups that Kass's algorithm ends with, as ascending numbers of categories.

    stats : float64 (c, S), statistics of each category; of an ordered predictor in its order.
    sizes : float64 (c, 2), rows and weight of each category.
    Among equally similar pairs the first is merged. Groups that are too small then join the most similar one,
    the smallest first.
    """
    groups, seen = Groups(kind, stats, sizes, rule), set()
    groups.merge_alike()
    while rule.resplit and (state := str(groups.partition())) not in seen:
        seen.add(state)  # parting and merging at one alpha could go round in a circle
        parted = _parted(kind, stats, groups.partition(), rule)
        if parted is None:
            break
        groups = Groups(kind, stats, sizes, rule, parted)
        groups.merge_alike()
    while (small := groups.too_small()) is not None:
        groups.join(small, groups.closest_to(small))
    return groups.partition()


def _parted(kind: str, stats: np.ndarray, partition: list[list[int]], rule: Merging) -> list[list[int]] | None:
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


def first_of(values: np.ndarray, best: float) -> int:
    """Where the first of the values stands that reach the best; equal ones may differ in their last bits."""
    return int(np.argmax(values >= best - 1e-10 * max(1.0, abs(best))))


class Groups:
    """Groups of categories, and how similar each two are that may be merged.

    similarity : float64 (groups, groups), symmetric: ln p of the pair's test, -inf where merging is not allowed.
    A group that has joined another keeps its number, without members.
    """

    def __init__(self, kind: str, stats: np.ndarray, sizes: np.ndarray, rule: Merging, partition=None):
        self.members = [[i] for i in range(len(stats))] if partition is None else sorted(map(sorted, partition))
        self.stats = np.array([stats[m].sum(axis=0) for m in self.members])
        self.sizes = np.array([sizes[m].sum(axis=0) for m in self.members])
        self.floats = len(self.members) - 1 if kind == FLOATING and self.members[-1] == [len(stats) - 1] else -1
        self.allowed = self._allowed(kind)
        self.similarity = np.full(self.allowed.shape, -np.inf)
        self.rule = rule
        for a in range(1, len(self.members)):
            self._compare(a, np.flatnonzero(self.allowed[a, :a]))

    def _allowed(self, kind: str) -> np.ndarray:
        m = len(self.members)
        allowed = np.full((m, m), kind == NOMINAL)
        if kind != NOMINAL:
            allowed = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) == 1
        if self.floats >= 0:
            allowed[self.floats, :] = allowed[:, self.floats] = True
        np.fill_diagonal(allowed, False)
        return allowed

    def _compare(self, a: int, others: np.ndarray) -> None:
        if not len(others):
            return
        pairs = np.stack([np.broadcast_to(self.stats[a], self.stats[others].shape), self.stats[others]], axis=1)
        # a pair that may be merged stays apart from one that may not, even if nothing could be less alike
        self.similarity[a, others] = self.similarity[others, a] = np.maximum(self.rule.log_p(pairs), LEAST_LOG_P)

    def partition(self) -> list[list[int]]:
        """The groups, by their first category."""
        return sorted(sorted(m) for m in self.members if m)

    def merge_alike(self) -> None:
        """Merge the least significantly different pair, as long as its p is above alpha."""
        log_alpha = math.log(self.rule.alpha)
        while (best := self.similarity.max(initial=-np.inf)) > log_alpha:
            self.join(*divmod(first_of(self.similarity.ravel(), best), len(self.members)))

    def too_small(self) -> int | None:
        """The smallest of the groups that may not stay, unless it is the only group."""
        there = np.array([bool(m) for m in self.members])
        small = (self.sizes < self.rule.least).any(axis=1) & there
        if not small.any() or there.sum() < 2:
            return None
        return int(np.where(small, self.sizes[:, 0], np.inf).argmin())

    def closest_to(self, a: int) -> int:
        """The group most like this one, of those it may join."""
        return first_of(self.similarity[a], self.similarity[a].max())

    def join(self, a: int, b: int) -> None:
        """Merge two groups; the union stands where the first of them was."""
        a, b = min(a, b), max(a, b)
        self.members[a], self.members[b] = self.members[a] + self.members[b], []
        self.stats[a] += self.stats[b]
        self.sizes[a] += self.sizes[b]
        if b != self.floats:  # what floated has its place now, among the neighbours of a
            self.allowed[a] |= self.allowed[b]
        self.allowed[b] = self.allowed[:, b] = self.allowed[a, a] = False
        self.allowed[:, a] = self.allowed[a]
        self.similarity[b] = self.similarity[:, b] = -np.inf
        self._compare(a, np.flatnonzero(self.allowed[a]))
