"""Nodes side by side in NumPy: their rows in every feature's order, shares of rows, impurities and limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA, CriterionArgs
from treecore.criteria.impurity import impurities
from treecore.kernels.state import GrowState, Problem
from treecore.kernels.sums import CANCELLED
from treecore.tree.splits import ranges


def may_split(rules: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """bool (q,): do purity and the limits allow a search at these NODE records?"""
    return (
        (nodes["impurity"] > 0.0)
        & (nodes["impurity"] >= rules["min_impurity"])
        & (nodes["depth"] < rules["max_depth"])
        & (nodes["stop"] - nodes["start"] >= rules["min_rows_split"])
        & (nodes["n_rows"] >= 2 * rules["min_rows_leaf"])
        & (nodes["weight"] >= rules["min_weight_split"])
    )


def good_enough(rules: np.ndarray, nodes: np.ndarray, root_weight: float, gain: np.ndarray) -> np.ndarray:
    """bool (q,): does the gain of the best split allow a split at all?"""
    rounding = rules["tolerance"] * nodes["impurity"]
    enough = (gain > -np.inf) & (gain >= rules["min_gain"] - rounding)
    if not rules["split_at_zero"]:
        enough &= gain > rounding
    weighted = gain * nodes["weight"] / root_weight + 2.3e-16
    return enough & ((weighted >= rules["min_weighted_gain"]) | (rules["min_weighted_gain"] <= 0.0))


# Impurities and what cuts are worth, of many nodes at once, rounded as criteria.impurity rounds.
#
# Everywhere stats : one array per statistic (class weights, or w, wy, wyy), all of the shape of `total`.

_GINI, SQUARED_ERROR = CRITERIA["gini"].code, CRITERIA["squared_error"].code


def decreases(
    judge: CriterionArgs, parent: np.ndarray, left, n_left: np.ndarray, right, n_right: np.ndarray
) -> np.ndarray:
    """float64: what the impurity `parent` falls by when nodes are parted into these two."""
    if judge.code == SQUARED_ERROR:
        total, gap = n_left + n_right, left[1] * n_right - right[1] * n_left
        return gap * gap / (n_left * n_right * total * total)
    if judge.code != _GINI:
        remaining = n_left * impurities(judge, left, n_left) + n_right * impurities(judge, right, n_right)
        return parent - remaining / (n_left + n_right)
    remaining = _mixed(left, n_left)
    remaining *= n_right
    more = _mixed(right, n_right)
    more *= n_left
    remaining += more
    remaining /= n_left * n_right * (n_left + n_right)
    np.subtract(parent / judge.scale, remaining, out=remaining)
    remaining *= judge.scale
    return remaining


def _mixed(stats, total: np.ndarray) -> np.ndarray:
    """float64: total^2 less the squares of the class weights."""
    result = total * total - stats[0] * stats[0]
    for part in stats[1:]:
        result -= part * part
    return result


def have_cancelled(stats) -> np.ndarray:
    """bool: the twin of kernels.sums.has_cancelled."""
    w, wy, wyy = stats
    there = (w > 0.0) & (wyy > 0.0)
    return there & (wyy - wy * wy / np.where(there, w, 1.0) <= CANCELLED * wyy)


def part_informations(n: np.ndarray, total: np.ndarray) -> np.ndarray:
    """float64: -n/total log2 n/total, 0 for n = 0."""
    share = n / total
    return np.where(n > 0.0, -share * np.log2(np.where(n > 0.0, share, 1.0)), 0.0)


def informations(n_left: np.ndarray, n_right: np.ndarray, n_missing: np.ndarray, total: np.ndarray) -> np.ndarray:
    """float64: split information of two branches and the rows without a value, in bits."""
    parts = (part_informations(n, total) for n in (n_left, n_right, n_missing))
    return sum(parts)


def mean_targets(stats, total: np.ndarray, n_classes: int) -> np.ndarray:
    """float64: mean target, the mean class index for classes; 0 for an empty node."""
    sums = sum(k * part for k, part in enumerate(stats)) if n_classes else stats[1]
    return np.where(total > 0.0, sums / total, 0.0)


# Nodes side by side: their rows in every feature's order, as rectangles of nodes of about the same size.


@dataclass(frozen=True, eq=False, repr=False)
class SortedRows(Brief):
    """The rows, or parts of rows, that nodes have, and what each of them counts.

    row : int64 (n,), training row. share : float64 (n,), how much of it. codes : int32 (d, n), as in Problem.
    parts : float64 (S, n), what it adds to the statistics of a node. weight, case : float64 (n,), of ROW records.
    positive : bool (n,), is the weight above 0? unit : is every weight 1?
    """

    problem: Problem
    row: np.ndarray
    share: np.ndarray
    codes: np.ndarray
    parts: np.ndarray
    weight: np.ndarray
    case: np.ndarray
    positive: np.ndarray
    unit: bool

    @property
    def tally(self) -> np.ndarray:
        """(n,), how many rows of positive weight each one is: itself, if it weighs anything."""
        return self.positive

    def size_of(self, rows: np.ndarray) -> np.ndarray:
        """(m,), how many rows each of these is, whatever they weigh."""
        return np.ones(len(rows))

    def of(self, row: np.ndarray, share: np.ndarray, center: np.ndarray) -> "SortedRows":
        """These shares of these training rows. center : float64, of the node that each is at."""
        # not [:, row], whose rows would stand side by side
        return _counted(self.problem, row, share, np.take(self.problem.codes, row, axis=1), center)

    def joined(self, more: "SortedRows") -> "SortedRows":
        """These and more of the same problem."""
        if not len(self.row):
            return more
        both = zip(vars(self).values(), vars(more).values(), strict=True)
        arrays = (np.concatenate([a, b], axis=-1) for a, b in both if isinstance(a, np.ndarray))
        return SortedRows(self.problem, *arrays, self.unit and more.unit)


def rows_of(problem: Problem) -> SortedRows:
    """All rows of a problem, each of them whole."""
    n = len(problem.rows)
    return _counted(problem, np.arange(n), np.ones(n), problem.codes, problem.center)


def _counted(problem: Problem, row: np.ndarray, share: np.ndarray, codes: np.ndarray, center) -> SortedRows:
    rows, n_classes = problem.around(row, center), int(problem.rules["n_classes"][0])
    w, y = rows["weight"] * share, rows["response"]
    by_class = np.where(rows["label"] == np.arange(n_classes)[:, None], w, 0.0)
    parts = by_class if n_classes else np.stack([w, w * y, w * y * y])
    return SortedRows(problem, row, share, codes, parts, w, rows["case"] * share, w > 0.0, bool((w == 1.0).all()))


def last_counted(codes: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """The code of the last counted entry before each entry, -1 where there is none; codes ascend."""
    result = np.full(codes.shape, -1, codes.dtype)
    np.maximum.accumulate(np.where(counted, codes, -1)[..., :-1], axis=-1, out=result[..., 1:])
    return result


@dataclass(frozen=True, eq=False, repr=False)
class Block(Brief):
    """Some nodes; arrays of the shape (d, q, m) hold d features, q nodes and m entries, known values first.

    ids : int64 (q,). size : int64 (q,), entries of each node. rows : int64 (d, q, m), in each feature's order; what
    is beyond the size of a node is some other row. codes : of these.
    """

    given: SortedRows
    growing: GrowState
    ids: np.ndarray
    size: np.ndarray
    rows: np.ndarray
    codes: np.ndarray

    @property
    def problem(self) -> Problem:
        """What is to be grown on."""
        return self.given.problem

    @cached_property
    def inside(self) -> np.ndarray:
        """bool (q, m): is it an entry of the node?"""
        return np.arange(self.rows.shape[2]) < self.size[:, None]

    @cached_property
    def known(self) -> np.ndarray:
        """bool (d, q, m): is it an entry of the node with a value?"""
        return self.inside & (self.codes < self.problem.features["n_codes"][:, None, None])

    @cached_property
    def all_weigh(self) -> bool:
        """Has every row a weight above 0?"""
        return bool(self.given.positive.all())

    @cached_property
    def counted(self) -> np.ndarray:
        """bool (d, q, m): is it an entry of the node with a value and a weight above 0?"""
        return self.known if self.all_weigh else self.known & self.given.positive[self.rows]

    @cached_property
    def nodes(self) -> np.ndarray:
        """NODE records (q,)."""
        return self.growing.nodes[self.ids]

    @cached_property
    def stats(self) -> np.ndarray:
        """float64 (S, q): statistics of the nodes."""
        return np.ascontiguousarray(self.growing.stats[self.ids].T)


def blocks(given: SortedRows, growing: GrowState, ids: np.ndarray) -> Iterator[Block]:
    """The nodes with these ids in blocks; in one, the largest node is less than twice as large as the smallest."""
    start = growing.nodes["start"][ids]
    size = growing.nodes["stop"][ids] - start
    width = np.frexp(size.astype(np.float64))[1]
    begin = np.arange(len(growing.order))[:, None, None] * len(given.row)
    for w in np.unique(width):
        here = np.flatnonzero(width == w)
        at = start[here, None] + np.arange(size[here].max())
        rows = growing.order[:, np.minimum(at, growing.order.shape[1] - 1)]
        codes = given.codes.ravel().take(rows + begin)  # twice as soon as by two indices
        yield Block(given, growing, ids[here], size[here], rows, codes)


def entries(growing: GrowState, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(place in `order`, index of its node in ids) of all entries of these nodes, node after node."""
    start = growing.nodes["start"][ids]
    size = growing.nodes["stop"][ids] - start
    return ranges(start, size), np.repeat(np.arange(len(ids)), size)


def sums_by(cell: np.ndarray, numbers: np.ndarray, n: int) -> np.ndarray:
    """float64 (n,): the numbers summed up by cell, in their order; bincount of nothing counts in integers."""
    return np.bincount(cell, numbers, n).astype(np.float64, copy=False)


# Rows of which only a part is at a node: every part is a row of its own. The twin of kernels.general.partition and of
# spread in kernels.general.partition, which keep a share beside each entry instead.


def parts_of(weight: np.ndarray, rows: np.ndarray, node: np.ndarray, least: float) -> tuple[np.ndarray, ...]:
    """(row, index of its node, branch, share of the row) of the parts of rows without a value.

    weight : float64 (q, branches), case weight of the known rows of q nodes; a branch that has no larger share of it
    than `least` gets nothing. rows, node : int64 (n,), those without a value and the index of the node of each.
    """
    share = weight / np.cumsum(weight, axis=1)[:, -1:]
    taken = share > least
    branches = np.argsort(~taken, axis=1, kind="stable")
    n = taken.sum(axis=1)[node]
    entry = np.repeat(np.arange(len(node)), n)
    branch = branches[node[entry], ranges(np.zeros_like(n), n)]
    return rows[entry], node[entry], branch, share[node[entry], branch]


def spread(
    given: SortedRows, growing: GrowState, ids: np.ndarray, waiting: np.ndarray, rows: np.ndarray, child: np.ndarray,
    part: np.ndarray,
) -> tuple[SortedRows, GrowState]:  # fmt: skip
    """Let every part of a row that goes to a child be a row of its own, behind those of the nodes that wait.

    ids : int64 (q,), the nodes that were split. waiting : ids of those that wait to be; no others keep their rows.
    rows, child, part : (n,), the rows that are still needed, the id of the child that each goes to and how much of it.
    """
    turn = np.argsort(rows, kind="stable")  # the parts of a row one after the other
    n = np.bincount(rows, minlength=len(given.row))
    order = np.take(growing.order, entries(growing, ids)[0], axis=1)
    order = _sorted_apart(_repeated(order, n), child[turn])
    center = growing.nodes["center"]
    new = given.of(given.row[rows[turn]], (given.share[rows] * part)[turn], center[child[turn]])
    given, growing = _waiting_only(given, growing, waiting)
    first, nodes = len(given.row), growing.nodes
    kept, size = np.unique(child, return_counts=True)
    below = ranges(nodes["first_child"][ids], nodes["n_children"][ids])
    nodes["start"][below] = nodes["stop"][below] = 0
    nodes["stop"][kept] = first + np.cumsum(size)
    nodes["start"][kept] = nodes["stop"][kept] - size
    return given.joined(new), growing._replace(order=np.concatenate([growing.order, order + np.int32(first)], axis=1))


def _waiting_only(given: SortedRows, growing: GrowState, waiting: np.ndarray) -> tuple[SortedRows, GrowState]:
    """Without the rows of nodes that do not wait, if there are many of them: each copy is paid for by them."""
    place, size = entries(growing, waiting)[0], growing.nodes["stop"][waiting] - growing.nodes["start"][waiting]
    if len(given.row) <= 2 * len(place):
        return given, growing
    rows = growing.order[0, place]
    number = np.zeros(len(given.row), np.int32)
    number[rows] = np.arange(len(rows))
    growing.nodes["stop"][waiting] = np.cumsum(size)
    growing.nodes["start"][waiting] = growing.nodes["stop"][waiting] - size
    order = number[np.take(growing.order, place, axis=1)]
    center = np.repeat(growing.nodes["center"][waiting], size)
    return given.of(given.row[rows], given.share[rows], center), growing._replace(order=order)


def _repeated(order: np.ndarray, n: np.ndarray) -> np.ndarray:
    """int32 (d, m): every row as often as n says, by its new numbers, which are in a row."""
    first = np.cumsum(n) - n
    return ranges(first[order].ravel(), n[order].ravel()).astype(np.int32).reshape(len(order), -1)


def _sorted_apart(order: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Each feature's order with the rows of each node together, the nodes by their ids. node : int64 (n,), ids."""
    key = node - node.min(initial=0)
    small = np.uint16 if key.max(initial=0) < 1 << 16 else np.int64
    return np.take_along_axis(order, np.argsort(key.astype(small)[order], axis=1, kind="stable"), axis=1)
