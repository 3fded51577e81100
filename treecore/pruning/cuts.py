"""Which nodes a pruner keeps, and why: a layer over the grown tree, which it never changes."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import numpy as np

from treecore.brief import DERIVED, Brief, text_table
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import LARGE, grouped
from treecore.pruning.raising import Standing, stand
from treecore.tree.tree import Tree

KEEP, CUT, RAISED = 0, 1, 2


@dataclass(frozen=True)
class Reason:
    """Why a node was cut or kept: a method and the numbers that decided, ready to be shown.

    number against threshold : the node loses its branches when number <= threshold, with `more` when number >
        threshold. NaN where no number decided.
    details : more numbers that played a part, as (name, value) pairs.
    """

    method: str
    text: str
    number: float = float("nan")
    threshold: float = float("nan")
    more: bool = False
    details: tuple[tuple[str, float], ...] = ()

    @property
    def cuts(self) -> bool:
        """Do the numbers say that the node loses its branches? False where none decided."""
        return self.number > self.threshold if self.more else self.number <= self.threshold


@dataclass(frozen=True)
class PruneDecision:
    """One step of a pruner: what it decided about a node of the grown tree, for a log in the order of the steps."""

    node: int
    verdict: int
    reason: Reason


@dataclass(frozen=True, eq=False, repr=False)
class Cuts(Brief):
    """One verdict per node of a grown tree; what is out of sight in the pruned tree is hidden, not lost.

    verdict : int8 (n_nodes,), KEEP, CUT (the node is a leaf) or RAISED (a descendant takes its place).
    replaced_by : int32 (n_nodes,), that descendant, or -1.
    reasons : node id -> Reason, for every node that a method looked at.
    judged_by : which rows decided, in words.
    train : the rows that raising sends down anew, None where nothing is raised.
    added : float64 (n_nodes, S), statistics that the pruned tree's nodes have besides those of the training rows (a
        pruning set put back), or None.
    decisions : the steps in order, where the method tells them.
    loss : of the pruned tree, by the measure and on the rows that chose its size; NaN where none did.
    """

    verdict: np.ndarray
    replaced_by: np.ndarray = DERIVED
    reasons: dict = field(default_factory=dict)
    judged_by: str = "training rows"
    train: Table | None = None
    added: np.ndarray | None = None
    decisions: tuple[PruneDecision, ...] = ()
    loss: float = nan

    def __post_init__(self) -> None:
        if self.replaced_by is None:
            object.__setattr__(self, "replaced_by", np.full(len(self.verdict), -1))
        for name, dtype in (("verdict", np.int8), ("replaced_by", np.int32)):
            array = np.array(getattr(self, name), dtype)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __str__(self) -> str:
        """How many nodes lose their branches, and why the first of them do."""
        cut, raised = len(self.cut_nodes), len(self.raised_nodes)
        head = f"Cuts of a tree of {len(self.verdict):,} nodes: {cut:,} marked to be cut"
        head += f", {raised:,} replaced by a node below" if raised else ""
        changed = np.flatnonzero(self.verdict != KEEP)
        if not len(changed):
            return f"{head}, judged by {self.judged_by}"
        names = {CUT: "cut", RAISED: "replaced"}
        reasons = ((t, names[self.verdict[t]], self.reasons.get(t)) for t in changed.tolist())
        rows = ((t, verdict, f"{why.method}: {why.text}" if why else "") for t, verdict, why in reasons)
        return f"{head}, judged by {self.judged_by}\n\n{text_table(('node', '', 'reason'), rows, len(changed))}"

    @classmethod
    def none(cls, tree: Tree) -> "Cuts":
        """Everything kept."""
        return cls(np.full(tree.n_nodes, KEEP))

    @classmethod
    def at(cls, tree: Tree, nodes: Iterable[int] | np.ndarray, reasons: dict | None = None, **more: Any) -> "Cuts":
        """Exactly these inner nodes (ids) become leaves."""
        verdict = np.full(tree.n_nodes, KEEP)
        verdict[np.asarray(list(nodes), int)] = CUT
        verdict[tree.is_leaf] = KEEP
        return cls(verdict, reasons=reasons or {}, **more)

    @property
    def cut_nodes(self) -> np.ndarray:
        """Ids of the nodes turned into leaves, whether or not an ancestor is cut too."""
        return np.flatnonzero(self.verdict == CUT)

    @property
    def raised_nodes(self) -> np.ndarray:
        """Ids of the nodes whose place a descendant takes, whether or not they are out of sight anyway."""
        return np.flatnonzero(self.verdict == RAISED)

    @property
    def changes(self) -> bool:
        """Is any node cut or replaced?"""
        return bool((self.verdict != KEEP).any())

    def cut(self, tree: Tree, node: int, reason: Reason) -> "Cuts":
        """The same with one more node cut."""
        if tree.is_leaf[node]:
            remedy = "Choose a node with branches"
            raise TreecoreError("A leaf has nothing to cut", where=f"Node {node}", remedy=remedy)
        return self._with(node, CUT, reason)

    def restore(self, node: int, reason: Reason) -> "Cuts":
        """The same with this node and its branches back; cuts further down stay."""
        return self._with(node, KEEP, reason)

    def _with(self, node: int, verdict: int, reason: Reason) -> "Cuts":
        changed, by = self.verdict.copy(), self.replaced_by.copy()
        changed[node], by[node] = verdict, -1
        return replace(self, verdict=changed, replaced_by=by, reasons={**self.reasons, int(node): reason})

    def stand(self, tree: Tree) -> Standing:
        """The nodes of the pruned tree, and whose place each takes; TreecoreError for a tree of another size."""
        if len(self.verdict) != tree.n_nodes:
            raise TreecoreError(
                f"These cuts are of a tree of {len(self.verdict)} nodes, this one has {tree.n_nodes}",
                where="cuts",
                remedy="Prune the tree that they are to be applied to",
            )
        return stand(tree, self.verdict == CUT, self.replaced_by)

    def standing(self, tree: Tree) -> np.ndarray:
        """int64 (n_nodes of the pruned tree,): node i of the pruned tree is this node of the grown one."""
        return self.stand(tree).nodes

    def hidden(self, tree: Tree) -> np.ndarray:
        """bool (n_nodes,): the ghosts, nodes that are not in the pruned tree."""
        hidden = np.ones(tree.n_nodes, bool)
        hidden[self.standing(tree)] = False
        return hidden

    def visible_ancestor(self, tree: Tree, node: int) -> int:
        """The node itself, or the standing one that has the rows which reached it: a cut node above it, or the
        node that took the place of one above it."""
        path, here = tree.path(node), self._at_place(0)
        while here != node and here in path and self.verdict[here] != CUT:
            here = self._at_place(path[path.index(here) + 1])
        return here

    def _at_place(self, node: int) -> int:
        """The node that stands in this one's place after all."""
        while self.verdict[node] == RAISED:
            node = int(self.replaced_by[node])
        return int(node)

    def apply(self, tree: Tree) -> Tree:
        """The pruned tree, as a tree of its own with its own ids.

        TreecoreError if rows must be sent down anew and `train` is None.
        """
        from treecore.pruning.raising import raised_tree
        from treecore.pruning.recount import backfitted, check_of_training

        standing = self.stand(tree)
        if standing.any_raised or self.added is not None:
            check_of_training(tree, "what sends or puts rows back into nodes")
        pruned = (
            raised_tree(tree, standing, self.train) if standing.any_raised else tree.keep(standing.nodes, standing.leaf)
        )
        return pruned if self.added is None else backfitted(pruned, self.added[standing.nodes])


# The verdicts of pruners in few words: for the diagram's stubs, and for tables of many nodes.

VERDICT_NAMES = {KEEP: "keep", CUT: "cut", RAISED: "raised"}


def comparison_text(reason: Reason) -> str:
    """The deciding number against its threshold, "2.3 ≤ 4.1"; '' where no number decided."""
    a, b = reason.number, reason.threshold
    if math.isnan(a):
        return ""
    if math.isnan(b):
        return short(a)
    sign = "≤" if a <= b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) else ">"
    unit, name = _common_unit(a, b)
    pairs = ((short(a / unit, digits), short(b / unit, digits)) for digits in (4, 6, 9))
    left, right = next((pair for pair in pairs if _differ(pair)), (short(a / unit), short(b / unit)))
    return f"{left}{name} {sign} {right}{name}"


UNITS = ((1e12, " tn"), (1e9, " bn"), (1e6, " M"))


def _common_unit(a: float, b: float) -> tuple[float, str]:
    """What two large numbers, such as squared prices, are both written in: trillions, billions, millions."""
    least, most = sorted((abs(a), abs(b)))
    return next(((unit, name) for unit, name in UNITS if unit <= least and most < LARGE), (1.0, ""))


def _differ(pair: tuple[str, str]) -> bool:
    return pair[0] != pair[1]


def short(value: float, digits: int = 4) -> str:
    """A number in a few digits, a large one whole; "∞" and "–" for infinite and missing ones."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    large = 10**digits <= abs(value) < LARGE
    return (f"{value:,.0f}" if large else grouped(f"{value:.{digits}g}")).replace("-", "−")


def stub_lines(reason: Reason | None) -> tuple[str, ...]:
    """Method and number of a verdict, such as ("reduced error", "3 ≤ 4"); () without a reason."""
    if reason is None:
        return ()
    return tuple(line for line in (reason.method, comparison_text(reason)) if line)


# Which nodes have nothing but leaves below them while a tree is pruned from the bottom up.


def above_leaves(tree: Tree, verdict: np.ndarray, node: int) -> bool:
    """Are all children of an inner node leaves, as they grew or by the verdicts (n_nodes,) so far?"""
    return all(tree.is_leaf[child] or verdict[child] != KEEP for child in tree.children(node))
