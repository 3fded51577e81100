"""Node-for-node comparison of our tree with a recorded one."""

from dataclasses import dataclass

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from treecore.growing.imposed import Imposed
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
    tie: Imposed | None = None


def compare_growth(adapter: Adapter, case: Case) -> Verdict:
    """Grow, walk both trees together, impose the peer's split where it flagged a tie, and go on."""
    reason = adapter.unsupported(case)
    if reason:
        return Verdict(case.id, "grow", "unsupported", reason)
    found = settle(adapter, case, adapter.table(case))
    if found.difference:
        return Verdict(case.id, "grow", "mismatch", found.difference)
    n = case["size"]["n_nodes"]
    notes = [f"{n}/{n} nodes"] + [f"{found.n_ties} ties settled as recorded"] * bool(found.n_ties)
    return Verdict(case.id, "grow", "match", ", ".join(notes))


@dataclass(frozen=True)
class Settled:
    """Our tree with `n_ties` ties settled as recorded, and the first difference that is left ('' if none)."""

    tree: tc.Tree
    n_ties: int
    difference: str


def settle(adapter: Adapter, case: Case, table: tc.Table) -> Settled:
    """Impose the peer's split at one flagged tie after the other, until nothing or something else differs.

    Ties come first: how one is settled can change which other nodes a limited number of leaves reaches.
    """
    imposed: tuple[Imposed, ...] = ()
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
        found = _node_difference(adapter, case, table, tree, node, path, peer)
        if found:
            yield found
            continue
        children = peer.get("children", [])
        waiting += [(tree.first_child[node] + b, (*path, b), child) for b, child in enumerate(children)]


def _node_difference(adapter, case, table, tree, node, path, peer) -> Difference | None:
    where = f"node {peer['id']}"
    for name, ours, theirs in _numbers(tree, node, peer):
        if not np.allclose(ours, theirs, rtol=1e-6, atol=1e-6):
            return Difference(f"{where}: {name} {theirs}, ours {ours}")
    if "split" not in peer:
        return None if tree.is_leaf[node] else Difference(f"{where}: a leaf, ours splits on {tree.node(node).feature}")
    if tree.is_leaf[node]:
        return Difference(f"{where}: splits on {peer['split']['variable']}, ours is a leaf", _tie(table, path, peer))
    if not _same_split(tree, node, peer["split"]):
        ours = f"{tree.node(node).feature} {tree.node(tree.children(node)[0]).branch}"
        text = f"{where}: {peer['split']['variable']} {peer['split']['branches']}, ours {ours}"
        return Difference(text, _tie(table, path, peer))
    merit, value = adapter.merit(case, tree, node)
    if not np.isclose(value, peer["split"][merit], rtol=1e-8, atol=1e-12):
        return Difference(f"{where}: {merit} {peer['split'][merit]}, ours {value}")
    other = adapter.other_candidates(case, tree, node, peer, table)
    return Difference(f"{where}: {other}") if other else None


def _numbers(tree: tc.Tree, node: int, peer: dict):
    """(name, ours, recorded) of everything counted at a node."""
    if "n" in peer:
        yield "n", tree.weight[node], peer["n"]
    if "n_rows" in peer:
        yield "n_rows", tree.n_rows[node], peer["n_rows"]
    if "counts" in peer and tree.classes:
        yield "counts", tree.stats[node], peer["counts"]
    if "impurity" in peer:
        yield "impurity", tree.impurity[node], peer["impurity"]
    for name in ("mean", "value"):
        if name in peer and not tree.classes:
            yield name, tree.value[node], peer[name]
    if "deviance" in peer and not tree.classes:
        yield "deviance", tree.impurity[node] * tree.weight[node], peer["deviance"]


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
    branches = split["branches"]
    if splits.kind[entry] == THRESHOLD:
        if "threshold" not in split and "value" not in branches[0]:
            return _same_ordinal_cut(tree, splits, entry, branches)
        low_op = "<=" if splits.closed[entry] else "<"
        low = [b["op"] for b in branches].index(low_op) if low_op in [b["op"] for b in branches] else -1
        close = np.isclose(splits.threshold[entry], float(split["threshold"]), rtol=1e-8, atol=1e-300)
        return bool(close) and low == splits.low_branch[entry]
    levels = tree.schema.features[splits.feature[entry]].levels
    table = splits.levels(entry)
    ours = [frozenset(levels[v] for v in np.flatnonzero(table == b)) for b in range(len(branches))]
    theirs = [frozenset(b["in"]) if "in" in b else frozenset([b["eq"]]) for b in branches]
    return ours == theirs and table.max() + 1 <= len(branches)


def _same_ordinal_cut(tree: tc.Tree, splits, entry: int, branches: list[dict]) -> bool:
    """An ordinal cut recorded as two sets of levels; levels without rows may be left out."""
    levels = tree.schema.features[splits.feature[entry]].levels
    cut, low = splits.threshold[entry], splits.low_branch[entry]
    for b, branch in enumerate(branches):
        below = [levels.index(level) < cut for level in branch["in"]]
        if not all(is_low == (b == low) for is_low in below):
            return False
    return True


def _tie(table: tc.Table, path: tuple[int, ...], peer: dict) -> Imposed | None:
    """The recorded split as an edit, if it is flagged as one of several equal ones."""
    if not peer.get("tie"):
        return None
    split = peer["split"]
    goes = {"left": 0, "right": 1}.get(split.get("missing_goes"))
    if "threshold" in split:
        return Imposed(path, split["variable"], threshold=float(split["threshold"]), missing=goes)
    column = table.column(split["variable"])
    branches = tuple(tuple(b["in"]) if "in" in b else (b["eq"],) for b in split["branches"])
    if column.kind == "ordinal":
        order = sorted(max(column.levels.index(v) for v in branch) for branch in branches)
        return Imposed(path, split["variable"], threshold=order[0] + 0.5)
    return Imposed(path, split["variable"], branches=branches)
