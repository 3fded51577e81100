"""Two trees over the same features laid over each other, and which node of one holds the rows of another's."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, inf, isclose

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.kernels.codes import CUTS, LEVELS
from treecore.study.metrics import check_same_target
from treecore.tree.missing import own_branch
from treecore.tree.predict import RoutedRows, route
from treecore.tree.tree import Tree

# Two splits of one feature beside each other: do they ask the same, and which branch is which?

SLACK = 1e-6
"""Thresholds closer than this, relatively, are the same: some trees round values to 32 bits, and all mid-points do."""
MISSING = (inf, "")

Place = tuple[Tree, int]
"""A tree and an inner node of it."""


def same_feature(a: Place, b: Place) -> bool:
    """Do both nodes test a feature of the same name and kind of values?"""
    first, second = _feature(a), _feature(b)
    return first.name == second.name and first.numeric == second.numeric


def same_split(a: Place, b: Place) -> bool:
    """Do two splits of one feature part its values into the same groups, in whatever order of the branches?

    "x < 5" and "x ≤ 5" count as the same, as do thresholds that agree to six digits.
    """
    first, second = branch_values(a, b)
    return {frozenset(v) for v in first.values() if v} == {frozenset(v) for v in second.values() if v}


def branch_pairs(a: Place, b: Place) -> list[tuple[int, int]]:
    """(branch, branch) of two splits of one feature: low side with low side, groups of levels by largest overlap.

    Pairs are in the order of the first split's branches; a branch without anything in common with a free one is in
    no pair. Of equal overlaps the one with the lowest values goes first.
    """
    first, second = branch_values(a, b)
    result = []
    for i, v in first.items():
        for j, w in second.items():
            if common := v & w:
                result.append((-len(common - {MISSING}), min(common), i, j))
    pairs: dict[int, int] = {}
    for *_, i, j in sorted(result):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return sorted(pairs.items())


def branch_values(a: Place, b: Place) -> tuple[dict[int, set], dict[int, set]]:
    """Branch -> what goes down it, for both splits, in units that both have: levels, or stretches between cuts.

    A unit is (its place, its name), and MISSING where missing is a value of its own.
    """
    cuts_a, cuts_b = _cuts(a), _cuts(b)
    if cuts_a is None or cuts_b is None:
        values = _level_values(a), _level_values(b)
    else:
        every = _merged(np.concatenate([cuts_a[0], cuts_b[0]]))
        values = _stretches(every, *cuts_a), _stretches(every, *cuts_b)
    for (tree, node), result in zip((a, b), values, strict=True):
        missing = own_branch(tree, node)
        if missing is not None:
            result.setdefault(missing, set()).add(MISSING)
    return values


def _feature(place: Place):
    tree, node = place
    return tree.schema.features[tree.splits.feature[node]]


def _cuts(place: Place) -> tuple[np.ndarray, list[int]] | None:
    """(ascending cuts, branch of every stretch between them); None for a table of levels.

    Cuts between levels are counted: how many levels lie below.
    """
    tree, node = place
    feature, splits = _feature(place), tree.splits
    if splits.kind[node] == LEVELS:
        return (np.array(feature.cuts), splits.levels(node).tolist()) if feature.numeric else None
    if splits.kind[node] == CUTS:
        cuts = splits.cuts[splits.cut_start[node] : splits.cut_start[node + 1]]
        branches = list(range(len(cuts) + 1))
    else:
        cuts, low = splits.threshold[node : node + 1], int(splits.low_branch[node])
        branches = [low, 1 - low]
    if not feature.numeric:
        cuts = np.array([_levels_below(cut, bool(splits.closed[node]), len(feature.levels)) for cut in cuts.tolist()])
    return cuts.astype(float), branches


def _levels_below(cut: float, closed: bool, n_levels: int) -> float:
    if not np.isfinite(cut):
        return n_levels if cut > 0 else 0
    return floor(cut) + 1 if closed else ceil(cut)


def _merged(cuts: np.ndarray) -> np.ndarray:
    """Ascending, one for each group of cuts that are the same but for rounding."""
    kept: list[float] = []
    for cut in np.sort(cuts).tolist():
        if not kept or not isclose(kept[-1], cut, rel_tol=SLACK):
            kept.append(cut)
    return np.array(kept)


def _stretches(every: np.ndarray, cuts: np.ndarray, branches: list[int]) -> dict[int, set]:
    """Branch -> indices of the stretches between all cuts of both splits."""
    places = [next(i for i, cut in enumerate(every.tolist()) if isclose(cut, c, rel_tol=SLACK)) for c in cuts.tolist()]
    n_stretches = len(every) + int(every[-1] < inf)  # above an infinite cut there is nothing known
    edges = [0, *(place + 1 for place in places), n_stretches]
    values: dict[int, set] = {}
    for branch, start, stop in zip(branches, edges[:-1], edges[1:], strict=True):
        if branch >= 0:
            values.setdefault(branch, set()).update((i, "") for i in range(start, stop))
    return values


def _level_values(place: Place) -> dict[int, set]:
    """Branch -> (index, name) of its levels; those that the split does not know are in none."""
    tree, node = place
    names, splits = _feature(place).level_names, tree.splits
    if splits.kind[node] == LEVELS:
        to = splits.levels(node).tolist()
    else:
        stretches = _cuts(place)
        assert stretches is not None
        cuts, branches = stretches
        to = [branches[int(np.searchsorted(cuts, level, "right"))] for level in range(len(names))]
    values: dict[int, set] = {}
    for level, (name, branch) in enumerate(zip(names, to, strict=True)):
        if branch >= 0:
            values.setdefault(branch, set()).add((level, name))
    return values


SAME, SHIFTED, OTHER_TEST, OTHER_ANSWER, SPLIT_A, SPLIT_B, ONLY_A, ONLY_B = RELATIONS = (
    "same", "shifted", "other test", "other answer", "splits in A", "splits in B", "only A", "only B",
)  # fmt: skip
"""What two trees have at one place: the same test, or leaves of the same answer; the same feature parted elsewhere;
tests of two features; leaves of two answers; a split of A's where B has a leaf, and the reverse; a node of one tree."""


@dataclass(frozen=True, eq=False, repr=False)
class Overlay(Brief):
    """Two trees as one; entry i of each array is one place, parents first, level by level, branches in A's order.

    parent : int64, the entry above, -1 at the root. node_a, node_b : int64, the nodes at this place, -1 for none.
    relation : one of RELATIONS each. of_a, of_b : int64 (n_nodes,), the entry of every node: each is in one.
    Below a place where the two trees ask for different features, or where one has a leaf, nothing is matched.
    Siblings are adjacent, so that places can be walked as the nodes of a tree can.
    """

    tree_a: Tree
    tree_b: Tree
    parent: np.ndarray
    node_a: np.ndarray
    node_b: np.ndarray
    relation: tuple[str, ...]
    of_a: np.ndarray
    of_b: np.ndarray

    def __len__(self) -> int:
        return len(self.relation)

    def counts(self) -> dict[str, int]:
        """Relation -> how many places have it, in the order of RELATIONS."""
        return {name: self.relation.count(name) for name in RELATIONS}

    @property
    def first_difference(self) -> int | None:
        """The first place where the two trees are not the same; None where they are alike."""
        return next((entry for entry, relation in enumerate(self.relation) if relation != SAME), None)

    def nodes(self, entry: int) -> tuple[int, int]:
        """(node of A, node of B) at this place, -1 for none."""
        return int(self.node_a[entry]), int(self.node_b[entry])

    @cached_property
    def weight(self) -> np.ndarray:
        """float64 (n,): training weight at every place, the larger of both trees'."""
        sides = (self.tree_a, self.node_a), (self.tree_b, self.node_b)
        return np.max([np.where(nodes >= 0, tree.weight[nodes], 0.0) for tree, nodes in sides], axis=0)

    @cached_property
    def node_depth(self) -> np.ndarray:
        """int64 (n,): how many places are above each."""
        depth = np.zeros(len(self), np.int64)
        for entry in range(1, len(self)):  # parents come first
            depth[entry] = depth[self.parent[entry]] + 1
        return depth

    @cached_property
    def n_children(self) -> np.ndarray:
        """int64 (n,): places right below each."""
        return np.bincount(self.parent[1:], minlength=len(self))

    @cached_property
    def is_leaf(self) -> np.ndarray:
        """bool (n,): nothing is below."""
        return self.n_children == 0

    @cached_property
    def _first_child(self) -> np.ndarray:
        return np.searchsorted(self.parent[1:], np.arange(len(self))) + 1

    def children(self, entry: int) -> range:
        """Entries right below this one."""
        first = int(self._first_child[entry])
        return range(first, first + int(self.n_children[entry]))

    def path(self, entry: int) -> list[int]:
        """Entries from the first one to this one, both included."""
        result = [int(entry)]
        while result[-1] > 0:
            result.append(int(self.parent[result[-1]]))
        return result[::-1]


def overlay(tree_a: Tree, tree_b: Tree) -> Overlay:
    """Match the nodes of two trees from the roots down.

    Raises TreecoreError for trees that predict different targets or classes.
    """
    check_same_target(tree_a, tree_b)
    result = list(_places(tree_a, tree_b))
    parent, node_a, node_b = (np.array(column, np.int64) for column in list(zip(*result, strict=True))[:3])
    of = [_entries(nodes, tree) for nodes, tree in ((node_a, tree_a), (node_b, tree_b))]
    return Overlay(tree_a, tree_b, parent, node_a, node_b, tuple(entry[3] for entry in result), *of)


def differ(tree_a: Tree, tree_b: Tree) -> bool:
    """Is there a place where two trees are not the same?

    Raises TreecoreError for trees that predict different targets or classes.
    """
    check_same_target(tree_a, tree_b)
    return any(relation != SAME for *_, relation in _places(tree_a, tree_b))


def _places(tree_a: Tree, tree_b: Tree) -> Iterator[tuple[int, int, int, str]]:
    """(entry above, node of A, node of B, relation) of every place, in the order of the entries."""
    waiting, n = deque([(-1, 0, 0)]), 0
    while waiting:
        parent, a, b = waiting.popleft()
        relation = relation_of(tree_a, a, tree_b, b)
        waiting.extend((n, *pair) for pair in _below(tree_a, a, tree_b, b, relation))
        yield parent, a, b, relation
        n += 1


def relation_of(tree_a: Tree, a: int, tree_b: Tree, b: int) -> str:
    """What node a of A is to node b of B at the same place; -1 stands for no node."""
    if a < 0 or b < 0:
        return ONLY_A if b < 0 else ONLY_B
    if tree_a.is_leaf[a] and tree_b.is_leaf[b]:
        return SAME if same_answer(tree_a, a, tree_b, b) else OTHER_ANSWER
    if tree_a.is_leaf[a] or tree_b.is_leaf[b]:
        return SPLIT_B if tree_a.is_leaf[a] else SPLIT_A
    if not same_feature((tree_a, a), (tree_b, b)):
        return OTHER_TEST
    return SAME if same_split((tree_a, a), (tree_b, b)) else SHIFTED


def same_answer(tree_a: Tree, a: int, tree_b: Tree, b: int) -> bool:
    """Do two nodes answer alike? Numbers may differ by rounding."""
    if tree_a.lines is not None or tree_b.lines is not None:
        return same_line((tree_a, a), (tree_b, b))
    first, second = tree_a.value[a], tree_b.value[b]
    if tree_a.classes:
        return bool(first == second)
    return isclose(first, second, rel_tol=1e-9) or bool(first != first and second != second)


def same_line(one: tuple[Tree, int], other: tuple[Tree, int]) -> bool:
    """Do two nodes answer with the same line, but for rounding? A mean is a line without terms."""
    (first, a), (second, b) = (_line_of(*place) for place in (one, other))
    return set(a) == set(b) and all(
        isclose(x, y, rel_tol=1e-9) for x, y in ((first, second), *((a[name], b[name]) for name in a))
    )


def _line_of(tree: Tree, node: int) -> tuple[float, dict[str, float]]:
    """(intercept, feature -> coefficient) of what a node answers with; NaN for nothing."""
    at = int(tree.answer[node])
    if at < 0:
        return float("nan"), {}
    if tree.lines is None:
        return tree.target_kind.constant_line(tree, node), {}
    line = tree.lines.line(at)
    return line.intercept, {tree.schema.features[term.feature].name: term.coefficient for term in line.terms}


def _below(tree_a: Tree, a: int, tree_b: Tree, b: int, relation: str) -> list[tuple[int, int]]:
    """The pairs of children at a place, A's branches in their order, what only B has behind them."""
    first = list(tree_a.children(a)) if a >= 0 else []
    second = list(tree_b.children(b)) if b >= 0 else []
    pairs = {}
    if relation in (SAME, SHIFTED) and first and second:
        pairs = {first[i]: second[j] for i, j in branch_pairs((tree_a, a), (tree_b, b))}
    taken = set(pairs.values())
    return [(child, pairs.get(child, -1)) for child in first] + [(-1, child) for child in second if child not in taken]


def _entries(nodes: np.ndarray, tree: Tree) -> np.ndarray:
    entry = np.full(tree.n_nodes, -1, np.int64)
    here = nodes >= 0
    entry[nodes[here]] = np.flatnonzero(here)
    return entry


# Which node of one tree holds much the same rows as a node of another.

EQUAL = 1e-9
"""Overlaps that differ by less are equal."""


@dataclass(frozen=True, eq=False, repr=False)
class NodeMatch(Brief):
    """The rows of a table on their way through one tree; `weight` : float64 (n_rows,), their case weights."""

    tree: Tree
    routes: RoutedRows
    weight: np.ndarray

    @classmethod
    def of(cls, tree: Tree, table: Table) -> "NodeMatch":
        return cls(tree, route(tree, table), table.case_weights)

    def through(self, node: int) -> np.ndarray:
        """float64 (n_rows,): the share of each row that passes through a node or ends there."""
        under = self.tree.descendants(node)
        under[node] = True
        share = self.routes.share * under[self.routes.node]
        return np.bincount(self.routes.row, share, len(self.weight))

    @cached_property
    def weights(self) -> np.ndarray:
        """float64 (n_nodes,): weight of the rows in every node."""
        amount = self.routes.share * self.weight[self.routes.row]
        return self.tree.add_up(np.bincount(self.routes.node, amount, self.tree.n_nodes))

    def in_common(self, share: np.ndarray) -> np.ndarray:
        """float64 (n_nodes,): weight that every node has in common with rows of which `share` (n_rows,) is given.

        Of a row that goes down several branches in both, the smaller of the two shares is common.
        """
        if self.routes.whole:
            amount = (share * self.weight)[self.routes.row]
            return self.tree.add_up(np.bincount(self.routes.node, amount, self.tree.n_nodes))
        row, node, part = self._passed
        return np.bincount(node, self.weight[row] * np.minimum(share[row], part), self.tree.n_nodes)

    @cached_property
    def _passed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(row, node, share of the row that passes there), one entry for each node on the way of a row."""
        rows: list[np.ndarray] = []
        nodes: list[np.ndarray] = []
        shares: list[np.ndarray] = []
        row, node, share = self.routes.row, self.routes.node, self.routes.share
        while len(node):
            rows, nodes, shares = [*rows, row], [*nodes, node], [*shares, share]
            node = self.tree.parent[node].astype(np.int64)
            up = node >= 0
            row, node, share = row[up], node[up], share[up]
        key = np.concatenate(rows) * self.tree.n_nodes + np.concatenate(nodes)
        places, entry = np.unique(key, return_inverse=True)
        return *np.divmod(places, self.tree.n_nodes), np.bincount(entry, np.concatenate(shares))


def best_match(one: NodeMatch, node: int, other: NodeMatch) -> tuple[int, float]:
    """(the node of the other tree that shares most of its rows with this one, the overlap from 0 to 1).

    Overlap: weight in both nodes over weight in either. Of equal ones the node nearest in depth wins, then the first;
    (0, 0.0) for a node without rows.
    """
    common = other.in_common(one.through(node))
    either = one.weights[node] + other.weights - common
    overlap = np.divide(common, either, out=np.zeros(len(common)), where=either > 0)
    if not overlap.max() > 0:
        return 0, 0.0
    best = np.flatnonzero(overlap >= overlap.max() - EQUAL)
    away = np.abs(other.tree.node_depth[best] - one.tree.node_depth[node])
    result = int(best[np.argmin(away)])
    return result, float(overlap[result])
