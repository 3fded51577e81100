"""Pruning methods beside each other: what each of them made of every node, and the trees they leave."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import honest
from treecore.judging.measures import measured
from treecore.pruning.cuts import VERDICT_NAMES, Cuts, Reason, comparison_text
from treecore.study.metrics import Score, score
from treecore.tree.tree import Tree

KEEPS, BECOMES_LEAF, GIVES_PLACE, GONE = range(4)
OUTCOMES = ("keep", "cut", "raised", "gone")
"""It stands and has its branches; it stands as a leaf; a node below takes its place; it is not in the tree."""


@dataclass(frozen=True, eq=False, repr=False)
class Opinion(Brief):
    """What one method made of a tree.

    outcome : int8 (n_nodes,), index into OUTCOMES. because : int32 (n_nodes,), of a node that is gone the one above it
        whose verdict removed it, else -1. cuts : the method's verdicts.
    n_leaves, depth : of the pruned tree. scores : role -> Score. measured : role -> a measure of the registry, where
        one is asked for. judged_by : which rows decided.
    refusal : why the method cannot serve here; then there is nothing else.
    """

    refusal: TreecoreError | None = None
    outcome: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    because: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    cuts: Cuts | None = None
    n_leaves: int = 0
    depth: int = 0
    scores: Mapping[str, Score] = field(default_factory=dict)
    measured: Mapping[str, float] = field(default_factory=dict)
    judged_by: str = ""

    def reason(self, node: int) -> Reason | None:
        return None if self.cuts is None else self.cuts.reasons.get(node)

    def verdict(self, node: int) -> str:
        """`told` without what the method says of a node that is gone with another: for tables."""
        return self.told(node).partition(":")[0]

    def told(self, node: int) -> str:
        """The verdict on a node with its numbers: "cut 2.3 ≤ 4.1", "gone with 7: keep 5 > 4"; '' of a refusal."""
        if self.refusal is not None:
            return ""
        reason = self.reason(node)
        numbers = comparison_text(reason) if reason is not None else ""
        if self.outcome[node] != GONE:
            return f"{OUTCOMES[self.outcome[node]]} {numbers}".rstrip()
        assert self.cuts is not None
        own = f": {VERDICT_NAMES[int(self.cuts.verdict[node])]} {numbers}" if numbers else ""
        return f"gone with {self.because[node]}{own}"


def opinion(
    tree: Tree, cuts: Cuts | TreecoreError, tables: Mapping[str, Table], measure: str = "", interest: str | None = None,
    estimation: Table | None = None,
) -> Opinion:  # fmt: skip
    """What these cuts make of every node, and how good the tree is that they leave.

    cuts : or the error with which the method refused. tables : role -> rows to judge the pruned tree by.
    measure : a name in judging.measures.MEASURES, "" for none; of rows here. interest : see measured.
    estimation : rows that give the pruned tree its figures; None: the training rows do.
    """
    if isinstance(cuts, TreecoreError):
        return Opinion(refusal=cuts)
    outcome, because = _outcomes(tree, cuts)
    pruned = tree.cut(cuts) if estimation is None else honest(tree.cut(cuts), estimation)
    scores = {role: score(pruned, rows) for role, rows in tables.items()}
    result = {role: measured(pruned, rows, measure, interest) for role, rows in tables.items()} if measure else {}
    return Opinion(None, outcome, because, cuts, pruned.n_leaves, pruned.depth, scores, result, cuts.judged_by)


def _outcomes(tree: Tree, cuts: Cuts) -> tuple[np.ndarray, np.ndarray]:
    """(index into OUTCOMES, what removed it or -1) of every node."""
    result = cuts.stand(tree)
    outcome = np.full(tree.n_nodes, GONE, np.int8)
    outcome[result.nodes] = np.where(result.leaf, BECOMES_LEAF, KEEPS)
    for place in result.place[result.raised]:
        while cuts.replaced_by[place] >= 0:
            outcome[place] = GIVES_PLACE
            place = int(cuts.replaced_by[place])
    outcome[tree.is_leaf & (outcome == BECOMES_LEAF)] = KEEPS  # it never had branches
    because = np.full(tree.n_nodes, -1, np.int32)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        removed = np.where(outcome[above] == GONE, because[above], above)
        because[nodes] = np.where(outcome[nodes] == GONE, removed, -1)
    return outcome, because


@dataclass(frozen=True, eq=False, repr=False)
class Court(Brief):
    """Methods beside each other over one grown tree.

    nodes : int64, the inner nodes, those of most training weight first. opinions : method -> Opinion.
    disagree : bool, one each: not all methods (but those that refuse) let the node keep its branches, or none does.
    """

    tree: Tree
    nodes: np.ndarray
    opinions: Mapping[str, Opinion]
    disagree: np.ndarray

    def row(self, node: int) -> tuple[str, ...]:
        """What every method says of the node, in few words."""
        return tuple(opinion.told(node) for opinion in self.opinions.values())

    def best(self, role: str, higher: bool) -> str | None:
        """The method whose tree is best in the measure of its opinions on the rows of a role, of equals that of the
        smallest tree; None where no tree is measured on them. higher : is more of the measure better?"""
        known = {name: o for name, o in self.opinions.items() if np.isfinite(o.measured.get(role, np.nan))}
        turned = 1 if higher else -1
        return max(known, key=lambda name: (turned * known[name].measured[role], -known[name].n_leaves), default=None)


def court(tree: Tree, opinions: Mapping[str, Opinion]) -> Court:
    """The inner nodes, largest first (the first of equals), before the methods.

    Two methods disagree about a node when one of them leaves it with its branches and the other does not; a branch
    that rises in another node's place keeps them, the node whose place it takes does not.
    """
    inner = np.flatnonzero(~tree.is_leaf)
    nodes = inner[np.lexsort((inner, -tree.weight[inner]))]
    each = [o.outcome[nodes] == KEEPS for o in opinions.values() if o.refusal is None]
    keeps = np.array(each, bool).reshape(len(each), len(nodes))
    return Court(tree, nodes, dict(opinions), keeps.any(axis=0) & ~keeps.all(axis=0))
