"""Which nodes a pruner keeps, and why: a layer over the grown tree, which it never changes."""

from dataclasses import dataclass, field, replace

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.tree import Tree

KEEP, CUT = 0, 1


@dataclass(frozen=True)
class Reason:
    """Why a node was cut or kept: a method and the numbers that decided, ready to be shown.

    number against threshold : the node is cut when number <= threshold.
    """

    method: str
    text: str
    number: float = float("nan")
    threshold: float = float("nan")


@dataclass(frozen=True, eq=False)
class Cuts:
    """One verdict per node of a grown tree; what is below a cut node is hidden, not lost.

    verdict : int8 (n_nodes,), KEEP or CUT (the node is a leaf).
    replaced_by : int32 (n_nodes,), the descendant that takes a node's place (subtree raising), or -1.
    reasons : node id -> Reason, for every node that a method looked at.
    """

    verdict: np.ndarray
    replaced_by: np.ndarray | None = None
    reasons: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.replaced_by is None:
            object.__setattr__(self, "replaced_by", np.full(len(self.verdict), -1))
        for name, dtype in (("verdict", np.int8), ("replaced_by", np.int32)):
            array = np.array(getattr(self, name), dtype)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls, tree: Tree) -> "Cuts":
        """Everything kept."""
        return cls(np.full(tree.n_nodes, KEEP))

    @classmethod
    def at(cls, tree: Tree, nodes, reasons: dict | None = None) -> "Cuts":
        """Exactly these inner nodes (ids) become leaves."""
        verdict = np.full(tree.n_nodes, KEEP)
        verdict[np.asarray(list(nodes), int)] = CUT
        verdict[tree.is_leaf] = KEEP
        return cls(verdict, reasons=reasons or {})

    @property
    def cut_nodes(self) -> np.ndarray:
        """Ids of the nodes turned into leaves, whether or not an ancestor is cut too."""
        return np.flatnonzero(self.verdict == CUT)

    def cut(self, tree: Tree, node: int, reason: Reason) -> "Cuts":
        """The same with one more node cut."""
        if tree.is_leaf[node]:
            remedy = "Choose a node with branches"
            raise TreecoreError("A leaf has nothing to cut", where=f"Node {node}", remedy=remedy)
        return self._with(node, CUT, reason)

    def restore(self, node: int, reason: Reason) -> "Cuts":
        """The same with this node's branches back; cuts further down stay."""
        return self._with(node, KEEP, reason)

    def _with(self, node: int, verdict: int, reason: Reason) -> "Cuts":
        changed = self.verdict.copy()
        changed[node] = verdict
        return replace(self, verdict=changed, reasons={**self.reasons, int(node): reason})

    def hidden(self, tree: Tree) -> np.ndarray:
        """bool (n_nodes,): the ghosts, nodes with a cut node above them."""
        return tree.below(self.verdict == CUT)

    def visible_ancestor(self, tree: Tree, node: int) -> int:
        """The node itself, or the cut node that hides it."""
        path = tree.path(node)
        return next((i for i in path if self.verdict[i] == CUT), node)

    def apply(self, tree: Tree) -> Tree:
        """The pruned tree, as a tree of its own with its own ids."""
        return tree.pruned_at(self.verdict == CUT)
