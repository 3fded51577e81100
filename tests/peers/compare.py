"""Node-for-node comparison of our tree with a recorded one."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.recorded import first_difference_of
from treecore.growing.forced_splits import ForcedSplit
from treecore.judging.losses import leaf_errors
from treecore.kernels.codes import THRESHOLD
from treecore.pruning import CUT, Cuts


@dataclass(frozen=True)
class Verdict:
    """match, mismatch (with the first difference) or unsupported (with the reason)."""

    case: str
    part: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True)
class Difference:
    """The first node that differs. `tie` : the recorded tree's split there, if it may be imposed."""

    text: str
    tie: ForcedSplit | None = None


def compare_growth(adapter: Adapter, case: Case) -> Verdict:
    """Grow, walk both trees together, impose the peer's split where it flagged a tie, and go on."""
    reason = adapter.unsupported(case)
    if reason:
        return Verdict(case.id, "grow", "unsupported", reason)
    found = settled(adapter, case)
    if found.difference:
        return Verdict(case.id, "grow", "mismatch", found.difference)
    n = found.tree.n_nodes
    notes = [f"{n}/{n} nodes"] + [f"{found.n_ties} ties settled as recorded"] * bool(found.n_ties)
    return Verdict(case.id, "grow", "match", ", ".join(notes))


@dataclass(frozen=True)
class Settled:
    """Our tree with `n_ties` ties settled as recorded, and the first difference that is left ('' if none)."""

    tree: tc.Tree
    n_ties: int
    difference: str


@lru_cache(maxsize=1)
def settled(adapter: Adapter, case: Case) -> Settled:
    """See settle. The parts of a case are compared one after the other: all of them start from this tree."""
    return settle(adapter, case, adapter.table(case))


def settle(adapter: Adapter, case: Case, table: tc.Table) -> Settled:
    """Impose the peer's split at one flagged tie after the other, until nothing or something else differs.

    Ties come first: how one is settled can change which other nodes a limited number of leaves reaches.
    """
    imposed: tuple[ForcedSplit, ...] = ()
    while True:
        tree = adapter.tree(case, table, imposed)
        found = list(_differences(adapter, case, table, tree))
        ties = [d.tie for d in found if d.tie is not None and d.tie not in imposed]
        if not ties:
            return Settled(tree, len(imposed), found[0].text if found else "")
        imposed = (*imposed, ties[0])


def as_rounded(peer: dict, tree: tc.Tree, cuts: Cuts, limit: float, rounding: float = 1e-12) -> Cuts:
    """The cuts, but where the deciding number equals the limit up to rounding the recorded tree says which way."""
    waiting = [(0, peer)]
    while waiting:
        node, peer = waiting.pop()
        if "children" not in peer or tree.is_leaf[node]:
            continue
        if cuts.verdict[node] == CUT and abs(cuts.reasons[node].number - limit) <= rounding:
            cuts = cuts.restore(node, cuts.reasons[node])
        waiting += zip(tree.children(node), peer["children"], strict=True)
    return cuts


def first_difference(adapter: Adapter, case: Case, table: tc.Table, tree: tc.Tree) -> str:
    """The first node in which a tree is not the recorded one, '' if there is none."""
    found = next(_differences(adapter, case, table, tree), None)
    return found.text if found else ""


def _differences(adapter: Adapter, case: Case, table: tc.Table, tree: tc.Tree):
    """Differing nodes, from the root down; nothing is compared below one."""
    waiting = [(0, (), case["tree"])]
    while waiting:
        node, path, peer = waiting.pop(0)
        peer = adapter.in_our_order(case, tree, node, peer)
        found = _node_difference(adapter, case, table, tree, node, path, peer)
        if found:
            yield found
            continue
        children = peer.get("children", [])
        waiting += [(tree.first_child[node] + b, (*path, b), child) for b, child in enumerate(children)]


def _node_difference(adapter, case, table, tree, node, path, peer) -> Difference | None:
    where = f"node {peer.get('id', path)}"
    if text := first_difference_of(peer, _numbers(tree, node), rtol=1e-6, atol=1e-6):
        return Difference(f"{where}: {text}")
    if "split" not in peer:
        return None if tree.is_leaf[node] else Difference(f"{where}: a leaf, ours splits on {tree.node(node).feature}")
    if tree.is_leaf[node]:
        return Difference(f"{where}: splits on {peer['split']['variable']}, ours is a leaf", _tie(table, path, peer))
    if not _same_split(tree, node, peer["split"]):
        ours = f"{tree.node(node).feature} {tree.node(tree.children(node)[0]).branch}"
        text = f"{where}: {peer['split']['variable']} {peer['split'].get('branches', '')}, ours {ours}"
        return Difference(text, _tie(table, path, peer))
    if text := first_difference_of(peer["split"], dict([adapter.merit(case, tree, node)])):
        return Difference(f"{where}: {text}")
    other = adapter.other_candidates(case, tree, node, peer, table)
    return Difference(f"{where}: {other}") if other else None


def _numbers(tree: tc.Tree, node: int) -> dict:
    """Everything counted at a node, by the names of the records."""
    found = {"n": tree.weight[node], "n_rows": tree.n_rows[node], "impurity": tree.impurity[node]}
    if tree.classes:
        return found | {"counts": tree.stats[node]}
    if tree.schema.counts is not None:
        return found | _counted(tree, node)
    mean, deviance = tree.value[node], tree.impurity[node] * tree.weight[node]
    return found | {"mean": mean, "value": mean, "deviance": deviance}


def _counted(tree: tc.Tree, node: int) -> dict:
    """What is counted at a node of events in an exposure, around the estimated rate."""
    rate, deviance = tree.value[node], leaf_errors(tree, tree.stats)[node]
    named = dict.fromkeys(("mean", "value", "rate"), rate) | dict.fromkeys(("deviance", "risk"), deviance)
    return named | {"exposure": tree.stats[node][1], "events": tree.stats[node][2]}


def _same_split(tree: tc.Tree, node: int, split: dict) -> bool:
    """The same variable, threshold and closed side, the same levels in every branch, in the same order, and where
    recorded the same branch for missing values."""
    if tree.node(node).feature != split["variable"]:
        return False
    goes = split.get("missing_goes")
    if goes is not None and ("left", "right")[tree.splits.missing_branch[node]] != goes:
        return False
    return same_test_of(tree, tree.splits, node, split)


def same_test_of(tree: tc.Tree, splits, entry: int, split: dict) -> bool:
    """Does this entry of splits or surrogates send values as the recorded test does?"""
    branches = split.get("branches") or [{}]
    if splits.kind[entry] == THRESHOLD:
        threshold = threshold_in(split)
        if threshold is None:
            return _same_ordinal_cut(tree, splits, entry, split.get("branches", ()))
        ops = [b["op"] for b in branches if "op" in b]
        ours = ["<=", ">"] if splits.closed[entry] else ["<", ">="]
        close = np.isclose(splits.threshold[entry], threshold, rtol=1e-8, atol=1e-300)
        return bool(close) and (not ops or ops == ours[:: -1 if splits.low_branch[entry] else 1])
    return "branches" not in split or groups_of(tree, splits, entry) == [levels_in(b) for b in branches]


def groups_of(tree: tc.Tree, splits, entry: int) -> list[frozenset]:
    """The levels of each branch; one that no branch has is left out."""
    levels, table = tree.schema.features[splits.feature[entry]].levels, splits.levels(entry)
    return [frozenset(levels[v] for v in np.flatnonzero(table == b)) for b in range(table.max() + 1)]


def threshold_in(split: dict) -> float | None:
    """The recorded threshold, None of a split by levels."""
    branches = split.get("branches") or [{}]
    found = split.get("threshold", branches[0].get("value"))
    return None if found is None else float(found)


def levels_in(branch: dict) -> frozenset:
    """The levels of a recorded branch."""
    return frozenset(branch["in"] if "in" in branch else [branch["eq"]])


def _same_ordinal_cut(tree: tc.Tree, splits, entry: int, branches: list[dict]) -> bool:
    """An ordinal cut recorded as two sets of levels; levels without rows may be left out."""
    levels = tree.schema.features[splits.feature[entry]].levels
    cut, low = splits.threshold[entry], splits.low_branch[entry]
    for b, branch in enumerate(branches):
        below = [levels.index(level) < cut for level in branch.get("in", ())]
        if not all(is_low == (b == low) for is_low in below):
            return False
    return True


def _tie(table: tc.Table, path: tuple[int, ...], peer: dict) -> ForcedSplit | None:
    """The recorded split as an edit, if it is flagged as one of several equal ones."""
    if not peer.get("tie"):
        return None
    split = peer["split"]
    goes = {"left": 0, "right": 1}.get(split.get("missing_goes"))
    if (threshold := threshold_in(split)) is not None:
        return ForcedSplit(path, split["variable"], threshold=threshold, missing=goes)
    column = table.column(split["variable"])
    branches = tuple(tuple(sorted(levels_in(b))) for b in split["branches"])
    if column.kind == "ordinal":
        order = sorted(max(column.levels.index(v) for v in branch) for branch in branches)
        return ForcedSplit(path, split["variable"], threshold=order[0] + 0.5)
    return ForcedSplit(path, split["variable"], branches=branches)
