"""Two trees over the same features laid over each other, from the roots down."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isclose

import numpy as np

from treecore.brief import Brief
from treecore.evaluation.metrics import check_same_target
from treecore.evaluation.split_pairs import branch_pairs, same_feature, same_split
from treecore.tree.tree import Tree

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
        found = [int(entry)]
        while found[-1] > 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]


def overlay(tree_a: Tree, tree_b: Tree) -> Overlay:
    """Match the nodes of two trees from the roots down.

    Raises TreecoreError for trees that predict different targets or classes.
    """
    check_same_target(tree_a, tree_b)
    found = list(_places(tree_a, tree_b))
    parent, node_a, node_b = (np.array(column, np.int64) for column in list(zip(*found, strict=True))[:3])
    of = [_entries(nodes, tree) for nodes, tree in ((node_a, tree_a), (node_b, tree_b))]
    return Overlay(tree_a, tree_b, parent, node_a, node_b, tuple(entry[3] for entry in found), *of)


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
    first, second = tree_a.value[a], tree_b.value[b]
    if tree_a.classes:
        return bool(first == second)
    return isclose(first, second, rel_tol=1e-9) or bool(first != first and second != second)


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
