"""Splitting nodes: the twin of kernels.split, kernels.send and kernels.partition."""

import numpy as np

from treecore.criteria.split_scores import MDL_GAIN_RATIO
from treecore.growing.uncompiled.arithmetic import decreases, impurities, mean_targets
from treecore.growing.uncompiled.blocks import Rows, entries, sums_by
from treecore.growing.uncompiled.limits import may_split
from treecore.kernels.codes import STAYS
from treecore.kernels.state import (
    MAJORITY,
    MULTIWAY,
    N_NODES,
    OPEN,
    ORDERED,
    OWN_VALUE,
    STAY,
    SUBSET,
    SURROGATES,
    Growing,
    Problem,
)


def split_nodes(problem: Problem, growing: Growing, ids: np.ndarray, given: Rows) -> None:
    """Split the nodes with these ids, whose splits were found. There must be room for their children."""
    split = _Split(problem, growing, ids, given)
    split.order_by_mean()
    split.send_missing()
    split.sum_up()
    split.sort_apart()


def known_branches(problem: Problem, growing: Growing, ids: np.ndarray) -> tuple[np.ndarray, ...]:
    """(rows, index of the node in ids, branch; -1 without a value) of all entries of these nodes, known values first.

    Branches as the splits were found: before order_by_mean.
    """
    place, node = entries(growing, ids)
    records = growing.nodes[ids]
    feature = records["feature"][node]
    rows = growing.order[feature, place]
    codes = problem.codes[feature, rows]
    known = codes < problem.features["n_codes"][feature]
    start = records["level_start"][node]
    branch = (codes > records["low"][node]).astype(np.int64)
    by_level = start >= 0
    branch[by_level] = growing.level_branch[start[by_level] + codes[by_level]]
    branch[~known] = -1
    return rows, node, branch


def in_wrong_order(problem: Problem, records: np.ndarray, known: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """bool (q,): does the second of two branches have the smaller mean target and come first?

    known : float64 (S, q, 2), statistics of the first two branches by their known rows; weight : (q, 2).
    """
    rules = problem.rules[0]
    mean = mean_targets(known, weight, int(rules["n_classes"]))
    splitter = problem.features["splitter"][records["feature"]]
    asked = (records["n_children"] == 2) & (splitter < MULTIWAY)
    return asked & ((splitter != ORDERED) | (rules["order_by_mean"] != 0)) & (mean[:, 0] > mean[:, 1])


class _Split:
    """The nodes `ids` on their way to having children.

    slot : where each node's children begin in arrays of all new children. branch : of every entry; STAYS, or -1 where
    it is not known yet. known_case, known_rows : case weight and rows that each new child gets by known values.
    """

    def __init__(self, problem: Problem, growing: Growing, ids: np.ndarray, given: Rows):
        self.problem, self.growing, self.ids, self.given = problem, growing, ids, given
        self.n_children = growing.nodes["n_children"][ids]
        self.slot = np.cumsum(self.n_children) - self.n_children
        self.parent = np.repeat(np.arange(len(ids)), self.n_children)
        self.rows, self.node, self.branch = known_branches(problem, growing, ids)
        self.missing = self.branch < 0

    def _sums(self, numbers: np.ndarray, counted: np.ndarray) -> np.ndarray:
        """float64 (new children,): sums of these numbers of the counted entries, in the order of the entries."""
        child = self.slot[self.node[counted]] + self.branch[counted]
        return sums_by(child, numbers[self.rows[counted]], len(self.parent))

    def order_by_mean(self) -> None:
        """Let the branch with the smaller mean target come first, for groups of levels and where the rules say so."""
        records, given = self.growing.nodes, self.given
        known = ~self.missing
        two = np.stack([self.slot, self.slot + (self.n_children > 1)], axis=1)
        stats = np.stack([self._sums(part, known) for part in self.given.parts])
        weight = self._sums(given.weight, known)
        if self.problem.rules["score"][0] == MDL_GAIN_RATIO:  # what the search found is less what cuts pay
            self._gains(stats, weight)
        wrong = in_wrong_order(self.problem, records[self.ids], stats[:, two], weight[two])
        turned = known & wrong[self.node]
        self.branch[turned] = 1 - self.branch[turned]
        ids = self.ids[wrong]
        records["low_branch"][ids] = 1
        named = ids[records["missing_branch"][ids] >= 0]
        records["missing_branch"][named] = 1 - records["missing_branch"][named]
        n_codes = self.problem.features["n_codes"][records["feature"][ids]]
        for start, n in zip(records["level_start"][ids], n_codes, strict=True):
            if start >= 0:
                table = self.growing.level_branch[start : start + n]
                table[table >= 0] = 1 - table[table >= 0]

    def send_missing(self) -> None:
        """Where rows without a value go: by surrogates, to the larger branch, or nowhere."""
        records, missing = self.growing.nodes, self.missing
        open_ids = records["missing_branch"][self.ids] == OPEN
        route = np.where(open_ids, self._route_of_missing(), records["missing_branch"][self.ids])
        records["missing_branch"][self.ids] = route
        if not missing.any():
            return
        node, rows = self.node[missing], self.rows[missing]
        some = np.unique(node)
        positive = self.given.positive[rows]
        records["missing_rows"][self.ids[some]] = sums_by(node, positive, len(self.ids))[some]
        case = sums_by(node, self.given.case[rows], len(self.ids))
        records["missing_weight"][self.ids[some]] = case[some]
        branch = route[node]
        if self.problem.rules["missing"][0] == SURROGATES:
            by_surrogate = surrogate_branches(self.problem, self.growing, self.given, self.ids[node], rows)
            branch = np.where(by_surrogate >= 0, by_surrogate, branch)
        self.branch[missing] = branch

    def _route_of_missing(self) -> np.ndarray:
        """int64 (q,): the branch that the strategy names, or STAYS."""
        rules = self.problem.rules[0]
        if rules["missing"] == STAY or (rules["missing"] == SURROGATES and not rules["surrogate_majority"]):
            return np.full(len(self.ids), STAYS)
        by_rows, known = rules["majority_rows"] != 0, ~self.missing
        numbers = self.given.positive if by_rows else self.given.case
        return _largest(self._sums(numbers, known), self.slot, self.n_children, int(rules["majority_ties"]))

    def sum_up(self) -> None:
        """Make the children, with their rows summed up."""
        growing, given = self.growing, self.given
        nodes, first = growing.nodes, int(growing.counts[N_NODES])
        new = slice(first, first + len(self.parent))
        growing.counts[N_NODES] = new.stop
        nodes["first_child"][self.ids] = first + self.slot
        sent = self.branch >= 0
        children = nodes[new]
        children["id"] = np.arange(new.start, new.stop)
        children["parent"], children["depth"] = self.ids[self.parent], nodes["depth"][self.ids[self.parent]] + 1
        children["feature"], children["first_child"], children["level_start"] = -1, -1, -1
        stats = np.stack([self._sums(part, sent) for part in self.given.parts])
        growing.stats[new] = stats.T
        children["weight"] = self._sums(given.weight, sent)
        children["n_rows"] = self._sums(given.positive, sent)
        size = np.bincount(self.slot[self.node[sent]] + self.branch[sent], minlength=len(self.parent))
        begin = nodes["start"][self.ids[self.parent]]
        within = np.cumsum(size) - size
        children["start"] = begin + within - within[self.slot][self.parent]
        children["stop"] = children["start"] + size
        children["impurity"] = impurities(self.problem.judge, stats, children["weight"])
        if self.problem.rules["missing"][0] == OWN_VALUE:
            self._gains(stats, children["weight"])

    def _gains(self, stats: np.ndarray, weight: np.ndarray) -> None:
        """The decrease of the impurity over the rows that are with the children, times their share of the weight."""
        nodes, judge = self.growing.nodes, self.problem.judge
        q = len(self.ids)
        each = weight * impurities(judge, stats, weight)
        known = np.stack([sums_by(self.parent, part, q) for part in stats])
        together, remaining = sums_by(self.parent, weight, q), sums_by(self.parent, each, q)
        parent, share = impurities(judge, known, together), together / nodes["weight"][self.ids]
        gain = share * (parent - remaining / together)
        a, b = self.slot, self.slot + (self.n_children > 1)
        two = decreases(judge, parent, stats[:, a], weight[a], stats[:, b], weight[b])
        binary = (self.n_children == 2) & (weight[a] > 0.0) & (weight[a] < together)
        nodes["gain"][self.ids] = np.where(together > 0.0, np.where(binary, share * two, gain), 0.0)

    def sort_apart(self) -> None:
        """Sort the rows of each node's children apart in every feature's order, if one of them may be split."""
        growing, first = self.growing, self.growing.nodes["first_child"][self.ids[0]]
        new = slice(first, first + len(self.parent))
        searchable = may_split(self.problem.rules[0], growing.nodes[new], growing.stats[new])
        some = sums_by(self.parent, searchable, len(self.ids)) > 0
        if not some.any():
            return
        kept = np.flatnonzero(some)
        side = np.empty(len(self.problem.rows), np.int64)
        side[self.rows] = np.where(self.branch < 0, self.n_children[self.node], self.branch)
        place, node = entries(growing, self.ids[kept])
        widest = int(self.n_children.max()) + 1
        order = growing.order[:, place]
        key = node * widest + side[order]
        small = np.uint16 if len(kept) * widest < 1 << 16 else np.int64
        turn = np.argsort(key.astype(small), axis=1, kind="stable")
        growing.order[:, place] = np.take_along_axis(order, turn, axis=1)


def _largest(size: np.ndarray, slot: np.ndarray, n_children: np.ndarray, ties: int) -> np.ndarray:
    """int64 (q,): the branch of the largest size; ties : 0 the first of equals, 1 the last, 2 STAYS."""
    best, branch = np.full(len(slot), -1.0), np.zeros(len(slot), np.int64)
    for b in range(int(n_children.max())):
        there = b < n_children
        here = size[np.minimum(slot + b, len(size) - 1)]
        if ties == 2:
            branch = np.where(there & (here == best), STAYS, branch)
        better = there & ((here > best) | ((here == best) & (ties == 1)))
        best, branch = np.where(better, here, best), np.where(better, b, branch)
    return branch


def surrogate_branches(
    problem: Problem, growing: Growing, given: Rows, ids: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """int64 (n,): the branch that the first surrogate of node ids[i] with a known value of rows[i] names, else -1."""
    found, nodes = np.full(len(rows), -1), growing.nodes
    n, start = nodes["n_surrogates"][ids], nodes["surrogate_start"][ids]
    for s in range(int(n.max(initial=0))):
        asking = np.flatnonzero((found < 0) & (s < n))
        entry = start[asking] + s
        test = growing.surrogates[entry]
        codes = problem.codes[test["feature"], rows[asking]]
        known = codes < problem.features["n_codes"][test["feature"]]
        branch = np.where(codes <= test["low"], test["low_branch"], 1 - test["low_branch"])
        by_level = known & (test["level_start"] >= 0)
        branch[by_level] = growing.level_branch[test["level_start"][by_level] + codes[by_level]]
        branch[~known] = -1
        found[asking] = branch
        counted = (branch >= 0) & given.positive[rows[asking]]
        np.add.at(growing.surrogates["n_used"], entry[counted], 1)
    return found


COVERED = (MAJORITY, STAY, SURROGATES, OWN_VALUE)
"""Strategies for missing values that are known here."""
SPLITTERS = (ORDERED, SUBSET, MULTIWAY)
"""Splitters that are known here."""
