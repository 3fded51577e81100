"""CHAID's search: the feature whose merged categories depend most significantly on the target."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.criteria.groupings import FLOATING, NOMINAL, ORDERED, log_groupings
from treecore.criteria.significance import SignificanceTest, anova, chi_square, f_test, pearson
from treecore.errors import TreecoreError
from treecore.growing.search.branches import FEWER, CodedSplit, around_mean
from treecore.growing.search.category_merging import Categories, Merging, first_of, group_numbers
from treecore.kernels import state
from treecore.kernels.state import Problem

MOST_CATEGORIES = 500
"""Levels beyond this number are first put together with those of nearly the same profile."""
MOST_CODES = 2**31 - 1
"""Codes of all nodes together that are listed at once."""
MOST_SCORE = 1e300
"""Stands for the score of a split with p = 0, so that a tree's numbers stay finite."""


@dataclass(frozen=True, eq=False, repr=False)
class Merged(Brief):
    """What CHAID makes of one feature at a node.

    groups : int64 arrays, the codes of each branch in the order of the branches; the feature's n_codes stands for
        missing, codes without rows at the node are in no group. A single group is no split.
    n_categories : the categories there were before merging, after binning, a missing value being one of them.
    test : of the groups. log_multiplier : ln of Kass's Bonferroni multiplier. adjusted_log_p : at most 0.
    """

    feature: int
    groups: tuple[np.ndarray, ...]
    n_categories: int
    test: SignificanceTest
    log_multiplier: float
    adjusted_log_p: float

    @property
    def statistic(self) -> float:
        return self.test.statistic

    @property
    def df(self) -> float | tuple[float, float]:
        return self.test.df

    @property
    def p_value(self) -> float:
        return self.test.p_value

    @property
    def multiplier(self) -> float:
        """Infinite where a float cannot hold it."""
        return float(np.exp(self.log_multiplier)) if self.log_multiplier < 709 else math.inf

    @property
    def adjusted_p(self) -> float:
        return math.exp(self.adjusted_log_p)


class _Listed(NamedTuple):
    """One feature's categories at a node. codes : int, in the order of the categories, which begin at `starts`."""

    feature: int
    codes: np.ndarray
    starts: np.ndarray
    n_categories: int
    categories: Categories


class _Grouped(NamedTuple):
    """The same once merged. number : int64 (c,), the group of each category. branches : float64 (groups, S)."""

    listed: _Listed
    number: np.ndarray
    branches: np.ndarray
    log_p: float

    @property
    def feature(self) -> int:
        return self.listed.feature

    @property
    def n_groups(self) -> int:
        return len(self.branches)

    @property
    def log_multiplier(self) -> float:
        kind = self.listed.categories.kind
        return log_groupings(kind, self.listed.n_categories, self.n_groups) if self.n_groups else 0.0

    @property
    def adjusted_log_p(self) -> float:
        return min(self.log_p + self.log_multiplier, 0.0)


class ChaidSearch:
    """Finds the split of a node as CHAID does (Kass 1980): chi-square for classes, the F test for numbers.

    alpha_split : largest adjusted p of a split. alpha_merge : categories that differ less significantly are merged
    (1: none are). bins : an ordered feature with more values at the node is cut there into at most so many groups of
    about equal weight. min_rows_leaf, min_rows_split : weight that a group and a node need: a row of weight 2 is two;
    the problem's rules hold as well.
    resplit : look whether mergers of three categories or more should be parted again.
    Missing values are a category: of a nominal feature like any other, of an ordered one without a place in the order.
    Raises TreecoreError for a setting out of its range.
    """

    def __init__(
        self,
        problem: Problem,
        alpha_split: float = 0.05,
        alpha_merge: float = 0.05,
        bins: int = 10,
        min_rows_leaf: float = 1,
        min_rows_split: float = 2,
        resplit: bool = False,
    ):
        _check(alpha_split=alpha_split, alpha_merge=alpha_merge)
        if bins < 2:
            raise TreecoreError(f"{bins} is too few", where="bins", remedy="Take 2 bins or more")
        rules = problem.rules[0]
        self.problem, self.alpha_split, self.bins = problem, alpha_split, bins
        self.min_rows_split, self.n_classes = min_rows_split, int(rules["n_classes"])
        self.merging = Merging(
            log_p=_log_p_of_classes if self.n_classes else _log_p_of_numbers,
            profile=_shares if self.n_classes else _means,
            alpha=alpha_merge, resplit=resplit,
            least=(int(rules["min_rows_leaf"]), max(min_rows_leaf, float(rules["min_weight_leaf"]))),
        )  # fmt: skip

    def __call__(self, rows: np.ndarray, weight: np.ndarray) -> CodedSplit | None:
        """The split of the node with these training rows, or None.

        rows : int64 positions. weight : float64, of each of them; rows of weight 0 do not count.
        The smallest adjusted p wins, the first feature among equals; its -ln is the score.
        """
        return self.many([(rows, weight)])[0]

    def many(self, nodes: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[CodedSplit | None]:
        """The same of several nodes, (rows, weight) of each: their features are merged side by side."""
        searched = [i for i, (_, weight) in enumerate(nodes) if self._is_large(weight)]
        grouped = self._grouped(self._listed([nodes[i] for i in searched]))
        result: list[CodedSplit | None] = [None] * len(nodes)
        d = len(self.problem.features)
        for place, i in enumerate(searched):
            result[i] = self._best(grouped[place * d : (place + 1) * d])
        return result

    def _is_large(self, weight: np.ndarray) -> bool:
        least = self.problem.rules["min_rows_split"][0]
        return weight.sum() >= self.min_rows_split and np.count_nonzero(weight) >= least

    def _best(self, grouped: "Sequence[_Grouped]") -> CodedSplit | None:
        splits = [g for g in grouped if g.n_groups > 1]
        scores = np.array([min(-g.adjusted_log_p, MOST_SCORE) for g in splits])
        if not splits or scores.max() < -math.log(self.alpha_split):
            return None
        winner = first_of(scores, scores.max())
        return self._coded(splits[winner].feature, self._groups(splits[winner]), float(scores[winner]))

    def tested(self, rows: np.ndarray, weight: np.ndarray) -> tuple[Merged, ...]:
        """The numbers behind the choice, for every feature; arguments as for the call."""
        return tuple(map(self._merged, self._grouped(self._listed([(rows, weight)]))))

    def _merged(self, grouped: "_Grouped") -> Merged:
        test = (chi_square if self.n_classes else f_test)(grouped.branches)
        groups, n = self._groups(grouped), grouped.listed.n_categories
        return Merged(grouped.feature, groups, n, test, grouped.log_multiplier, grouped.adjusted_log_p)

    def _listed(self, nodes: Sequence[tuple[np.ndarray, np.ndarray]]) -> "list[_Listed]":
        """The categories of every feature at each of these nodes, node after node. Codes are counted for all features
        and nodes together: of a node of few rows every call of NumPy takes longer than what it does."""
        result: list[_Listed] = []
        most = max(MOST_CODES // int(self.problem.features["n_codes"].max() + 1), 1)
        for first in range(0, len(nodes), most):
            result += self._listed_together(nodes[first : first + most])
        return result

    def _listed_together(self, nodes: Sequence[tuple[np.ndarray, np.ndarray]]) -> "list[_Listed]":
        """The same of nodes that are few enough for the codes of one to stand behind those of the other."""
        counted = [(rows[weight > 0], weight[weight > 0]) for rows, weight in nodes]
        n_codes, (rows, weight) = self.problem.features["n_codes"], map(np.concatenate, zip(*counted, strict=True))
        k, stride = len(nodes), n_codes[:, None] + 1
        node = np.repeat(np.arange(k), [len(own) for own, _ in counted])
        first, codes, slot = _present(self.problem.codes[:, rows] + node * stride, k * (n_codes + 1) - 1)
        y = None if self.n_classes else np.concatenate([around_mean(self.problem, *own) for own in counted])
        stats, sizes = self._statistics(slot, rows, weight, y, len(codes))
        # the places where the codes of each feature at each node begin, feature after feature
        first_of = np.repeat(np.arange(len(n_codes)) * k, np.diff(first)) + codes // np.repeat(stride, np.diff(first))
        first = np.searchsorted(first_of, np.arange(len(n_codes) * k + 1))
        codes = (codes % np.repeat(stride, np.diff(first[::k]))).astype(self.problem.codes.dtype)
        if not len(codes):
            return [self._levels(f, codes, stats, sizes) for _ in nodes for f in range(len(n_codes))]
        has_missing = codes[first[1:] - 1] == np.repeat(n_codes, k)
        # np.add.reduceat sums each category as it would alone
        begin = _category_starts(first, sizes[:, 1], np.diff(first) - has_missing, self.bins)
        binned = np.add.reduceat(stats, begin), np.add.reduceat(sizes, begin)
        ordered, has_missing = (self.problem.features["splitter"] == state.ORDERED).tolist(), has_missing.tolist()
        listed, first, places = [], first.tolist(), np.searchsorted(begin, first).tolist()
        for at in (f * k + i for i in range(k) for f in range(len(n_codes))):
            f, (a, b), (i, j) = at // k, first[at : at + 2], places[at : at + 2]
            if not ordered[f]:
                listed.append(self._levels(f, codes[a:b], stats[a:b], sizes[a:b]))
                continue
            kind = FLOATING if has_missing[at] and b - a > 1 else ORDERED
            categories = Categories(kind, binned[0][i:j], binned[1][i:j])
            listed.append(_Listed(f, codes[a:b], begin[i:j] - a, j - i, categories))
        return listed

    def _levels(self, f: int, codes: np.ndarray, stats: np.ndarray, sizes: np.ndarray) -> "_Listed":
        """Of a nominal feature with these codes at the node, ascending, and their statistics; see _statistics."""
        order, starts = self._profiles(stats)
        codes, stats, sizes = codes[order], stats[order], sizes[order]
        if len(codes):
            stats, sizes = np.add.reduceat(stats, starts), np.add.reduceat(sizes, starts)
        return _Listed(f, codes, starts, len(codes), Categories(NOMINAL, stats, sizes))

    def _grouped(self, listed: "list[_Listed]") -> "list[_Grouped]":
        """What the categories of each become: a test of a few branches takes NumPy as long as many of them, so that
        those of equally many are made together."""
        numbers = group_numbers([found.categories for found in listed], self.merging)
        branches = _sums([found.categories.stats for found in listed], numbers)
        log_p, sizes = np.zeros(len(listed)), np.array([len(stats) for stats in branches])
        for n in np.unique(sizes[sizes > 1]):
            same = np.flatnonzero(sizes == n)
            log_p[same] = self._log_p(np.stack([branches[i] for i in same]))
        return [_Grouped(*found) for found in zip(listed, numbers, branches, log_p.tolist(), strict=True)]

    def _log_p(self, branches: np.ndarray) -> np.ndarray:
        """float64 (m,), ln p of chi-square or F of each; 0 where nothing is left within the branches."""
        if self.n_classes:
            return _log_p_of_classes(branches)
        log_p, testable = np.zeros(len(branches)), branches[:, :, 0].sum(axis=1) > branches.shape[1]
        log_p[testable] = _log_p_of_numbers(branches[testable])
        return log_p

    def _groups(self, grouped: "_Grouped") -> tuple[np.ndarray, ...]:
        """The codes of each branch, in the order of the branches."""
        listed = grouped.listed
        parts = np.split(listed.codes, listed.starts[1:])
        members = [np.flatnonzero(grouped.number == g) for g in range(grouped.n_groups)]
        groups = [np.sort(np.concatenate([parts[i] for i in group])).astype(np.int64) for group in members]
        return tuple(sorted(groups, key=lambda group: self._place(listed.feature, group)))

    def _statistics(self, slot: np.ndarray, rows: np.ndarray, weight: np.ndarray, y: np.ndarray | None, m: int):
        """(float64 (m, S) class weights or (w, wy, wyy), float64 (m, 2) rows and weight) of each slot. slot : int64
        (d, n), of each feature's rows. y : float64 (n,), the numeric target less the mean of the row's node."""
        d, n = slot.shape
        of_all = lambda values: np.broadcast_to(values, (d, n)).ravel()  # noqa: E731
        slot, sizes = slot.ravel(), np.empty((m, 2))
        sizes[:, 0], sizes[:, 1] = np.bincount(slot, minlength=m), np.bincount(slot, of_all(weight), m)
        if self.n_classes:
            cell = slot * self.n_classes + of_all(self.problem.rows["label"][rows])
            return np.bincount(cell, of_all(weight), m * self.n_classes).reshape(m, self.n_classes), sizes
        stats = np.empty((m, 3))
        for s, value in enumerate((weight, weight * y, weight * y * y)):
            stats[:, s] = np.bincount(slot, of_all(value), m)
        return stats, sizes

    def _profiles(self, stats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(order of the levels by their profile, where levels of a new profile begin in it).

        The order makes the outcome independent of the levels' numbering. Levels of equal profile have p = 1 and
        would be merged first of all.
        """
        profile = self.merging.profile(stats)
        order = np.lexsort((*stats.T, *profile.T[::-1]))
        if self.merging.alpha < 1 and len(order):
            new = np.any(profile[order[1:]] != profile[order[:-1]], axis=1)
            starts = np.concatenate([[0], np.flatnonzero(new) + 1])
        else:
            starts = np.arange(len(order))
        if len(starts) > MOST_CATEGORIES:
            weight = np.add.reduceat(self._weight(stats)[order], starts)
            starts = starts[_starts(weight, MOST_CATEGORIES)]
        return order, starts

    def _weight(self, stats: np.ndarray) -> np.ndarray:
        return stats.sum(axis=1) if self.n_classes else stats[:, 0]

    def _place(self, f: int, group: np.ndarray) -> int:
        """Branches are in the order of their first code; a nominal feature's branch of missing values alone is the
        first one, so that the levels name every other branch."""
        alone = group[0] == self.problem.features["n_codes"][f]
        return -1 if alone and self.problem.features["splitter"][f] != state.ORDERED else int(group[0])

    def _coded(self, feature: int, groups: tuple[np.ndarray, ...], score: float) -> CodedSplit:
        n_codes = int(self.problem.features["n_codes"][feature])
        missing = next((b for b, group in enumerate(groups) if group[-1] == n_codes), None)
        if self.problem.features["splitter"][feature] != state.ORDERED:
            branch = np.full(n_codes + 1, -1)
            for b, group in enumerate(groups):
                branch[group] = b
            return CodedSplit(feature, score, branch_of_level=branch[:-1], missing_branch=missing)
        # missing values alone are the last branch: all codes but n_codes itself lie below its cut
        alone = bool(groups[-1][0] == n_codes)
        known = groups[:-1] if alone else groups
        cuts = [group[group < n_codes][-1] for group in known[:-1]] + [n_codes - 1] * alone
        return CodedSplit(feature, score, cuts=np.array(cuts, np.int64), missing_branch=missing)


def _present(codes: np.ndarray, n_codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(first, codes, slot): the codes that some row has, int32, ascending, feature after feature; those of feature f
    are first[f]:first[f + 1], int64 (d + 1,). slot : int64 (d, n), the place of each row's code among all of them.

    codes : int32 (d, n). n_codes : int64 (d,), which stands for missing.
    """
    d, n = codes.shape
    if n_codes.sum() <= FEWER * d * n:  # to count all codes is sooner done than to sort those of the rows
        begin = np.cumsum(n_codes + 1) - (n_codes + 1)
        cell, is_there = codes + begin[:, None], np.zeros(int(n_codes.sum()) + d, bool)
        is_there[cell] = True
        number = np.cumsum(is_there)
        first = np.append(np.append(0, number[begin[1:] - 1]), number[-1])
        result = np.flatnonzero(is_there) - np.repeat(begin, np.diff(first))
        return first, result.astype(codes.dtype), number[cell] - 1
    items = codes.astype(np.int64) << 32 | np.arange(n)
    items.sort(axis=1)
    result, is_new = items >> 32, np.ones((d, n), bool)
    is_new[:, 1:] = result[:, 1:] != result[:, :-1]
    slot = np.empty((d, n), np.int64)
    number = np.cumsum(is_new.ravel()).reshape(d, n) - 1
    np.put_along_axis(slot, items & 0xFFFFFFFF, number, axis=1)
    first = np.append(0, np.cumsum(is_new.sum(axis=1)))
    return first, result[is_new].astype(codes.dtype), slot


def _check(**alphas: float) -> None:
    for name, alpha in alphas.items():
        if not 0 < alpha <= 1:
            raise TreecoreError(f"{alpha} is not a significance level", where=name, remedy="Take 0 < alpha <= 1")


def _starts(weight: np.ndarray, n: int) -> np.ndarray:
    """int64, where at most n groups of about equal weight begin; every entry is its own group if there are few."""
    if len(weight) <= n:
        return np.arange(len(weight))
    middle = np.cumsum(weight) - weight / 2
    group = np.floor(n * middle / weight.sum())
    return np.concatenate([[0], np.flatnonzero(np.diff(group)) + 1])


def _category_starts(first: np.ndarray, weight: np.ndarray, n_known: np.ndarray, n: int) -> np.ndarray:
    """int64: where the categories of features begin among their codes, those of feature f being first[f]:first[f + 1]:
    at most n of about equal weight, see _starts, and one behind the n_known[f] values for what is missing."""
    size, starts_here = np.diff(first), np.zeros(len(weight), bool)
    starts_here[first[:-1]] = True
    starts_here[(first[:-1] + n_known)[n_known < size]] = True
    few = n_known <= n
    starts_here |= np.repeat(few, size)
    many = np.flatnonzero(~few)
    if len(many):
        place = np.arange(n_known[many].max())
        there = place < n_known[many, None]
        padded = np.zeros(there.shape)
        padded[there] = weight[(first[many, None] + place)[there]]
        total = padded.sum(axis=1)
        if (weight != np.floor(weight)).any():  # whose sums depend on what else is summed
            total = np.array([weight[a : a + m].sum() for a, m in zip(first[many], n_known[many], strict=True)])
        group = np.floor(n * (np.cumsum(padded, axis=1) - padded / 2) / total[:, None])
        f, at = np.nonzero((group[:, 1:] != group[:, :-1]) & there[:, 1:])
        starts_here[first[many][f] + at + 1] = True
    return np.flatnonzero(starts_here)


def _sums(stats: list[np.ndarray], numbers: list[np.ndarray]) -> list[np.ndarray]:
    """float64 (groups, S) of each: the statistics of its groups. numbers : int64 (c,), the group of each row."""
    if not stats:
        return []
    n_groups = np.array([number.max(initial=-1) + 1 for number in numbers], np.int64)
    end = np.cumsum(n_groups)
    group = np.concatenate(numbers) + np.repeat(end - n_groups, [len(number) for number in numbers])
    sums = np.zeros((int(end[-1]), stats[0].shape[1]))
    np.add.at(sums, group, np.concatenate(stats))
    return [sums[b - m : b] for b, m in zip(end.tolist(), n_groups.tolist(), strict=True)]


def _log_p_of_classes(tables: np.ndarray) -> np.ndarray:
    return pearson(tables)[2]


def _log_p_of_numbers(stats: np.ndarray) -> np.ndarray:
    return anova(stats)[2]


def _shares(stats: np.ndarray) -> np.ndarray:
    return stats / stats.sum(axis=1, keepdims=True)


def _means(stats: np.ndarray) -> np.ndarray:
    return stats[:, 1:2] / stats[:, :1]
