"""Surrogates of many nodes at once: the twin of kernels.general.surrogate_search."""

from typing import Any

import numpy as np

from treecore.growing.numpy.block_split import in_wrong_order, known_branches
from treecore.growing.numpy.node_blocks import Block, SortedRows, blocks, sums_by
from treecore.kernels.general.surrogate_search import LEAST_ADJUSTED, LEAST_ROWS
from treecore.kernels.state import N_LEVELS, N_SURROGATES, ORDERED, GrowState


def list_surrogates(given: SortedRows, growing: GrowState, ids: np.ndarray) -> None:
    """Give the nodes with these ids, whose split was found, their surrogates. There must be room for them."""
    growing.nodes["n_surrogates"][ids] = 0
    binary = ids[growing.nodes["n_children"][ids] == 2]
    if not len(binary):
        return
    side, case = _sides(given, growing, binary)
    of_node = np.zeros((len(growing.nodes), 2))
    of_node[binary] = case
    for block in blocks(given, growing, binary):
        _write(block, _Backups(block, side, of_node[block.ids]))


def _sides(given: SortedRows, growing: GrowState, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(branch of each row, -1 without a value; case weight (q, 2) of either branch), the branches in their order."""
    rows, node, branch = known_branches(given, growing, ids)
    known = branch >= 0
    cell = 2 * node[known] + branch[known]

    def summed(numbers: np.ndarray) -> np.ndarray:
        return sums_by(cell, numbers[rows[known]], 2 * len(ids)).reshape(-1, 2)

    stats = np.stack([summed(part) for part in given.parts])
    wrong = in_wrong_order(given.problem, growing.nodes[ids], stats, summed(given.weight))
    case = summed(given.case)
    case[wrong] = case[wrong, ::-1]
    side = np.empty(len(given.row), np.int64)
    side[rows] = np.where(known & wrong[node], 1 - branch, branch)
    return side, case


class _Backups:
    """What each feature's best backup test agrees on, at the nodes of a block.

    agree : float64 (d, q), share of the known weight that it sends like the split does, -1 where there is none.
    adjusted : how far this goes beyond sending all one way.
    cuts : (entry below the best cut, branch of its low side) int64 (f, q) each, of the ordered features; groups : by
    feature, codes of its levels, which of them were seen, and which go to the first branch.
    """

    def __init__(self, block: Block, side: np.ndarray, case: np.ndarray):
        self.block, self.problem = block, block.problem
        self.side, self._of_branch = side[block.rows], case
        self.case = None if (block.given.case == 1.0).all() else block.given.case[block.rows]
        self.counted = block.known & (self.side >= 0)
        d, q = block.rows.shape[:2]
        self.agree, self.adjusted = np.full((d, q), -1.0), np.zeros((d, q))
        self.cuts: tuple[np.ndarray, ...] = ()
        self.groups: dict[int, Any] = {}
        splitter = block.problem.features["splitter"]
        self.ordered = np.flatnonzero(splitter == ORDERED)
        if len(self.ordered) and block.rows.shape[2] > 1:
            self._judge(self.ordered, *self._best_cuts(self.ordered))
        for f in np.flatnonzero(splitter != ORDERED).tolist():
            self._judge(f, *self._best_grouping(f))

    def _judge(self, f, agree: np.ndarray, known: np.ndarray, left: np.ndarray) -> None:
        """Keep what is better than sending all rows one way. f : a feature, or several, as in the arrays (q,)."""
        whole, most = self._of_branch.sum(axis=1), self._of_branch.max(axis=1)
        if self.problem.rules["surrogate_style"][0] == 1:
            whole, most = known, np.maximum(left, known - left)
        others = self.block.nodes["feature"] != (f[:, None] if np.ndim(f) else f)
        adjusted = (agree - most) / (whole - most)
        result = others & (whole > 0.0) & (whole > most) & (adjusted > LEAST_ADJUSTED)
        self.agree[f] = np.where(result, agree / whole, -1.0)
        self.adjusted[f] = np.where(result, adjusted, 0.0)

    def _sums(self, f) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(left, right, rows): case weight that the split sends either way, and rows, of each entry.

        Of rows that all weigh 1 these are true or false, which are summed up sooner.
        """
        counted, side = self.counted[f], self.side[f]
        if self.case is None:
            return counted & (side == 0), counted & (side == 1), counted
        case = np.where(counted, self.case[f], 0.0)
        return np.where(side == 0, case, 0.0), np.where(side == 1, case, 0.0), case > 0.0

    def _best_cuts(self, f: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(agreeing weight, -1 for none; known weight; that of the left) float64 (f, q)."""
        numbers = np.float64 if self.case is not None else np.int32
        summed: list[np.ndarray] = [np.cumsum(x, axis=2, dtype=numbers) for x in self._sums(f)]
        low_left, low_right, n_low = summed
        left, right, n_rows = (x[..., -1:].copy() for x in (low_left, low_right, n_low))
        low_left, low_right, n_low = (x[..., :-1] for x in (low_left, low_right, n_low))
        codes = self.block.codes[f]
        impossible = ~self.block.known[f][..., 1:] | (codes[..., 1:] == codes[..., :-1])
        impossible |= (n_low < LEAST_ROWS) | (n_rows - n_low < LEAST_ROWS)
        upright, reverse = low_left + right, low_right + left
        upright -= low_right
        reverse -= low_left
        for same in (upright, reverse):
            same[impossible] = -1.0
        # of equals the first cut, and at one cut the low side on the left, comes first
        at_upright, at_reverse = upright.argmax(axis=2), reverse.argmax(axis=2)
        most_upright, most_reverse = upright.max(axis=2), reverse.max(axis=2)
        reversed_ = (most_reverse > most_upright) | ((most_reverse == most_upright) & (at_reverse < at_upright))
        agree = np.where(reversed_, most_reverse, most_upright)
        self.cuts = np.where(reversed_, at_reverse, at_upright), reversed_.astype(np.int64)
        enough = agree > np.maximum(left, right)[..., 0]
        return np.where(enough, agree, -1.0), (left + right)[..., 0], left[..., 0]

    def _best_grouping(self, f: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each level goes where most of its weight goes."""
        codes, known = self.block.codes[f], self.block.known[f]
        begins = known.copy()
        begins[:, 1:] &= codes[:, 1:] != codes[:, :-1]
        index = np.cumsum(begins, axis=1) - 1
        q, v = len(codes), max(int(begins.sum(axis=1).max()), 1)
        counted = self.counted[f]
        cell = (np.arange(q)[:, None] * v + index)[counted]
        left, right, there = (sums_by(cell, x[counted], q * v).reshape(q, v) for x in self._sums(f))
        from_left = sums_by(cell, (self._sums(f)[0] > 0.0)[counted], q * v).reshape(q, v)
        seen = there > 0
        total_left, total_right = (np.cumsum(x, axis=1, dtype=np.float64)[:, -1] for x in self._sums(f)[:2])
        goes_left = (left > right) | ((left == right) & (total_left > total_right)[:, None])
        ids = np.zeros((q, v), np.int64)
        ids[np.nonzero(begins)[0], index[begins]] = codes[begins]
        self.groups[f] = ids, seen, goes_left
        agree = np.cumsum(np.where(goes_left, left, right), axis=1)[:, -1]
        n_left, n_right = np.where(goes_left, there, 0).sum(axis=1), np.where(goes_left, 0, there).sum(axis=1)
        n_unlike = np.where(goes_left, there - from_left, from_left).sum(axis=1)
        least = self.problem.rules["errs_on"][0]
        enough = n_unlike >= least if least > 0 else np.minimum(n_left, n_right) >= LEAST_ROWS
        return np.where(enough, agree, -1.0), total_left + total_right, total_left


def _write(block: Block, backups: _Backups) -> None:
    """Write the best ones to growing.surrogates, best agreement first, then in feature order."""
    growing, most = block.growing, int(block.problem.rules["max_surrogates"][0])
    turn = np.argsort(-backups.agree, axis=0, kind="stable")[:most].T
    result = backups.agree[turn, np.arange(len(turn))[:, None]] >= 0.0
    n, begin = result.sum(axis=1), int(growing.counts[N_SURROGATES])
    growing.nodes["n_surrogates"][block.ids] = n
    growing.nodes["surrogate_start"][block.ids] = begin + np.cumsum(n) - n
    nodes, features = np.nonzero(result)[0], turn[result]
    tests = growing.surrogates[begin : begin + len(nodes)]
    growing.counts[N_SURROGATES] += len(nodes)
    tests["feature"], tests["n_used"] = features, 0
    tests["agree"], tests["adjusted"] = backups.agree[features, nodes], backups.adjusted[features, nodes]
    cut = np.isin(features, backups.ordered)
    if cut.any():
        _write_cuts(tests, np.flatnonzero(cut), nodes[cut], block, backups)
    for f in np.unique(features[~cut]):
        entries = np.flatnonzero(features == f)
        _write_groups(growing, tests, entries, nodes[entries], backups, f)


def _write_cuts(tests: np.ndarray, entries: np.ndarray, nodes: np.ndarray, block: Block, backups: _Backups) -> None:
    features = tests["feature"][entries]
    f = np.searchsorted(backups.ordered, features)
    at, low_branch = (x[f, nodes] for x in backups.cuts)
    for name, entry in (("low", at), ("high", at + 1)):
        tests[name][entries] = block.codes[features, nodes, entry]
    tests["low_branch"][entries], tests["level_start"][entries] = low_branch, -1


def _write_groups(
    growing: GrowState, tests: np.ndarray, entries: np.ndarray, nodes: np.ndarray, backups, f: int
) -> None:
    ids, seen, goes_left = (x[nodes] for x in backups.groups[f])
    n_codes = int(backups.problem.features["n_codes"][f])
    tables = np.full((len(nodes), n_codes), -1)
    tables[np.nonzero(seen)[0], ids[seen]] = np.where(goes_left[seen], 0, 1)
    begin = int(growing.counts[N_LEVELS])
    growing.level_branch[begin : begin + tables.size] = tables.ravel()
    growing.counts[N_LEVELS] += tables.size
    tests["low"][entries], tests["high"][entries], tests["low_branch"][entries] = 0, 0, 0
    tests["level_start"][entries] = begin + np.arange(len(nodes)) * n_codes
