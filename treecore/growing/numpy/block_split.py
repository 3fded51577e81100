"""Splitting nodes: the twin of kernels.general.split_nodes and kernels.general.partition."""

import numpy as np

from treecore.criteria.impurity import impurities
from treecore.criteria.split_scores import MDL_GAIN_RATIO
from treecore.growing.numpy.node_blocks import (
    SortedRows,
    decreases,
    entries,
    have_cancelled,
    may_split,
    mean_targets,
    parts_of,
    spread,
    sums_by,
)
from treecore.kernels.codes import SHARED, STAYS
from treecore.kernels.random_features import keys_of_children
from treecore.kernels.state import (
    MAJORITY,
    MULTIWAY,
    N_NODES,
    OPEN,
    ORDERED,
    OWN_VALUE,
    SHARE,
    STAY,
    SUBSET,
    SURROGATES,
    GrowState,
    Problem,
)
from treecore.kernels.sums import MOST_TURNS


def split_nodes(
    given: SortedRows, growing: GrowState, ids: np.ndarray, waiting: np.ndarray
) -> tuple[SortedRows, GrowState]:
    """Split the nodes with these ids, whose splits were found. There must be room for their children.

    waiting : ids of the other nodes whose rows are still needed. What is returned has rows that are shared in parts.
    """
    split = Splitting(given, growing, ids)
    split.order_by_mean()
    split.send_missing()
    split.sum_up()
    return split.sorted_apart(waiting)


def known_branches(given: SortedRows, growing: GrowState, ids: np.ndarray) -> tuple[np.ndarray, ...]:
    """(rows, index of the node in ids, branch; -1 without a value) of all entries of these nodes, known values first.

    Branches as the splits were found: before order_by_mean. -1 also for a row of weight 0 whose level no other row has.
    """
    place, node = entries(growing, ids)
    records = growing.nodes[ids]
    feature = records["feature"][node]
    rows = growing.order[feature, place]
    codes = given.codes[feature, rows]
    known = codes < given.problem.features["n_codes"][feature]
    start = records["level_start"][node]
    branch = (codes > records["low"][node]).astype(np.int64)
    by_level = start >= 0
    between = np.flatnonzero(~by_level & (branch > 0) & (codes < records["high"][node]))
    if len(between):  # rows of weight 0 between the neighbours of the cut
        branch[between] = _are_above(given.problem, records[node[between]], codes[between])
    branch[by_level] = growing.level_branch[start[by_level] + codes[by_level]]
    branch[~known] = -1
    return rows, node, branch


def _are_above(problem: Problem, records: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """bool (n,): are these codes, between the neighbours of their records' cuts, above the thresholds? The twin of
    kernels.general.partition.is_below for values of training rows: one that is not above the middle is not above the
    data either."""
    rules, features = problem.rules[0], problem.features[records["feature"]]
    low, high = records["low"], records["high"]
    number, below, above = (
        problem.values[features["value_start"] + np.minimum(c, features["n_codes"] - 1)] for c in (codes, low, high)
    )
    middle = below * (1.0 - rules["cut_at"]) + above * rules["cut_at"]
    middle = np.where(features["ordinal"] != 0, np.floor(middle) + 0.5, middle)
    over = number > middle if rules["closed"] else number >= middle
    return over & (high < features["n_codes"])


def in_wrong_order(problem: Problem, records: np.ndarray, known: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """bool (q,): does the second of two branches have the smaller mean target and come first?

    known : float64 (S, q, 2), statistics of the first two branches by their known rows; weight : (q, 2).
    """
    rules = problem.rules[0]
    mean = mean_targets(known, weight, int(rules["n_classes"]))
    splitter = problem.features["splitter"][records["feature"]]
    asked = (records["n_children"] == 2) & (splitter < MULTIWAY)
    return asked & ((splitter != ORDERED) | (rules["order_by_mean"] != 0)) & (mean[:, 0] > mean[:, 1])


class Splitting:
    """The nodes `ids` on their way to having children.

    slot : where each node's children begin in arrays of all new children. rows, node, branch : of every entry; STAYS,
    or -1 where it is not known yet. part : of every entry, how much of the row goes there; None for all of it.
    """

    def __init__(self, given: SortedRows, growing: GrowState, ids: np.ndarray):
        self.problem, self.growing, self.ids, self.given = given.problem, growing, ids, given
        self.n_children = growing.nodes["n_children"][ids]
        self.slot = np.cumsum(self.n_children) - self.n_children
        self.parent = np.repeat(np.arange(len(ids)), self.n_children)
        self.rows, self.node, self.branch = known_branches(given, growing, ids)
        self.missing, self.part = self.branch < 0, None
        if not given.positive.all():
            feature = growing.nodes["feature"][ids][self.node]
            self.missing = given.codes[feature, self.rows] == self.problem.features["n_codes"][feature]

    def _sums(self, numbers: np.ndarray, counted: np.ndarray) -> np.ndarray:
        """float64 (new children,): sums of these numbers of the counted entries, in the order of the entries."""
        numbers = numbers[self.rows[counted]]
        if self.part is not None:
            numbers = numbers * self.part[counted]
        return sums_by(self._children(counted), numbers, len(self.parent))

    def _children(self, counted: np.ndarray) -> np.ndarray:
        """int64: which of the new children each counted entry goes to."""
        return self.slot[self.node[counted]] + self.branch[counted]

    def order_by_mean(self) -> None:
        """Let the branch with the smaller mean target come first, for groups of levels and where the rules say so."""
        records, given = self.growing.nodes, self.given
        known = self.branch >= 0
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
        self._count_missing()
        # rows of weight 0 whose level no other row has go with them, but stay in rpart
        missing = missing if self.problem.rules["errs_on"][0] > 0 else self.branch < 0
        if not missing.any():
            return
        node, rows = self.node[missing], self.rows[missing]
        if self.problem.rules["missing"][0] == SHARE:
            self._share(rows, node)
            return
        branch = route[node]
        if self.problem.rules["missing"][0] == SURROGATES:
            by_surrogate = surrogate_branches(self.given, self.growing, self.ids[node], rows)
            branch = np.where(by_surrogate >= 0, by_surrogate, branch)
        self.branch[missing] = branch

    def _count_missing(self) -> None:
        """Count the rows without a value, and what they weigh."""
        records, node, rows = self.growing.nodes, self.node[self.missing], self.rows[self.missing]
        some = np.unique(node)
        records["missing_rows"][self.ids[some]] = sums_by(node, self.given.size_of(rows), len(self.ids))[some]
        records["missing_weight"][self.ids[some]] = sums_by(node, self.given.case[rows], len(self.ids))[some]

    def _share(self, rows: np.ndarray, node: np.ndarray) -> None:
        """Send a part of these rows to every branch."""
        known = self.branch >= 0
        weight = np.zeros((len(self.ids), int(self.n_children.max())))
        branch = np.arange(len(self.parent)) - self.slot[self.parent]
        weight[self.parent, branch] = self._sums(self.given.case, known)
        new = parts_of(weight, rows, node, self.problem.rules["min_share"][0])
        old = self.rows[known], self.node[known], self.branch[known], np.ones(np.count_nonzero(known))
        self.rows, self.node, self.branch, self.part = map(np.concatenate, zip(old, new, strict=True))

    def _route_of_missing(self) -> np.ndarray:
        """int64 (q,): the branch that the strategy names, STAYS or SHARED."""
        rules = self.problem.rules[0]
        if rules["missing"] == SHARE:
            return np.full(len(self.ids), SHARED)
        if rules["missing"] == STAY or (rules["missing"] == SURROGATES and not rules["surrogate_majority"]):
            return np.full(len(self.ids), STAYS)
        given, known, numbers = self.given, self.branch >= 0, self.given.case
        if rules["majority_rows"]:  # all of them, where they follow the larger branch whatever is searched
            every = rules["missing"] != OWN_VALUE
            numbers = given.size_of(np.arange(len(given.case))) if every else given.tally
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
        branch = np.arange(len(self.parent)) - self.slot[self.parent]
        children["key"] = keys_of_children(nodes["key"][self.ids[self.parent]], branch)
        children["feature"], children["first_child"], children["level_start"] = -1, -1, -1
        stats = np.stack([self._sums(part, sent) for part in self.given.parts])
        children["weight"] = self._sums(given.weight, sent)
        child = self._children(sent)
        children["n_rows"] = sums_by(child, given.tally[self.rows[sent]], len(self.parent))
        size = np.bincount(child, minlength=len(self.parent))
        begin = nodes["start"][self.ids[self.parent]]
        within = np.cumsum(size) - size
        children["start"] = begin + within - within[self.slot][self.parent]
        children["stop"] = children["start"] + size
        if self.problem.rules["missing"][0] == OWN_VALUE:
            self._gains(stats, children["weight"])
        children["center"] = nodes["center"][self.ids[self.parent]]
        if len(self.problem.targets):
            self._center(stats, children["center"], np.flatnonzero(sent), child)
        growing.stats[new] = stats.T
        children["impurity"] = impurities(self.problem.judge, stats, children["weight"])

    def _center(self, stats: np.ndarray, center: np.ndarray, entry: np.ndarray, child: np.ndarray) -> None:
        """Sum up the targets of children around centers of their own where that is needed: see kernels.sums.

        stats, center : of the new children, changed in place. entry, child : int64 (n,), what is sent, and where.
        """
        given = self.given
        for _ in range(MOST_TURNS):
            cancelled = have_cancelled(stats)
            if not cancelled.any():
                return
            here = cancelled[child]
            entry, child = entry[here], child[here]
            rows, part = self.rows[entry], 1.0 if self.part is None else self.part[entry]
            w, y = given.weight[rows] * part, self.problem.targets[given.row[rows]]
            low, high = np.full((2, len(center)), np.inf)
            np.minimum.at(low, child[w > 0.0], y[w > 0.0])
            np.minimum.at(high, child[w > 0.0], -y[w > 0.0])
            nearer = np.minimum(np.maximum(center + stats[1] / stats[0], low), -high)
            center[cancelled] = nearer[cancelled]
            y -= center[child]
            for s, sums in ((1, w * y), (2, w * y * y)):
                stats[s, cancelled] = sums_by(child, sums, len(center))[cancelled]
            if self.part is None:  # of parts of rows new ones are made
                given.parts[1][rows], given.parts[2][rows] = w * y, w * y * y

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

    def sorted_apart(self, waiting: np.ndarray) -> tuple[SortedRows, GrowState]:
        """The rows of each node's children apart in every feature's order, if one of them may be split."""
        growing, first = self.growing, self.growing.nodes["first_child"][self.ids[0]]
        new = slice(first, first + len(self.parent))
        searchable = may_split(self.problem.rules[0], growing.nodes[new])
        some = sums_by(self.parent, searchable, len(self.ids)) > 0
        if self.part is not None:
            kept = np.flatnonzero(some[self.node])
            return spread(
                self.given, growing, self.ids, waiting, self.rows[kept], first + self._children(kept), self.part[kept]
            )
        if some.any():
            self._sort(np.flatnonzero(some))
        return self.given, growing

    def _sort(self, kept: np.ndarray) -> None:
        """Sort the rows of these nodes, given by their index."""
        growing = self.growing
        side = np.empty(len(self.given.row), np.int64)
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


def surrogate_branches(given: SortedRows, growing: GrowState, ids: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch that the first surrogate of node ids[i] with a known value of rows[i] names, else -1."""
    result, nodes = np.full(len(rows), -1), growing.nodes
    n, start = nodes["n_surrogates"][ids], nodes["surrogate_start"][ids]
    for s in range(int(n.max(initial=0))):
        asking = np.flatnonzero((result < 0) & (s < n))
        entry = start[asking] + s
        test = growing.surrogates[entry]
        codes = given.codes[test["feature"], rows[asking]]
        known = codes < given.problem.features["n_codes"][test["feature"]]
        branch = np.where(codes <= test["low"], test["low_branch"], 1 - test["low_branch"])
        by_level = known & (test["level_start"] >= 0)
        branch[by_level] = growing.level_branch[test["level_start"][by_level] + codes[by_level]]
        branch[~known] = -1
        result[asking] = branch
        np.add.at(growing.surrogates["n_used"], entry[branch >= 0], 1)
    return result


COVERED = (MAJORITY, STAY, SHARE, SURROGATES, OWN_VALUE)
"""Strategies for missing values that are known here."""
SPLITTERS = (ORDERED, SUBSET, MULTIWAY)
"""Splitters that are known here."""
