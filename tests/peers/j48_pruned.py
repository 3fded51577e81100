"""J48's pruning compared step by step, and its final trees node by node, raised ones too."""

import math

import treecore as tc
from tests.peers.case import Case
from tests.peers.j48_nodes import same_branches
from tests.peers.recorded import first_difference_of
from treecore.pruning.cuts import CUT, KEEP, RAISED, PruneDecision

ACTIONS = {CUT: "replace_by_leaf", KEEP: "keep", RAISED: "raise_largest_branch"}
NUMBERS = {
    "as a leaf": "errors_leaf",
    "with its branches": "errors_subtree",
    "with its largest branch in its place": "errors_largest_branch",
}


def log_difference(grown: tc.Tree, steps: list[PruneDecision], log: list[dict]) -> str:
    """The first step that differs: where (the path as it was by then), what, by which numbers."""
    standing = {}  # node that was raised -> the place where it stands
    for ours, theirs in zip(steps, log, strict=False):
        told, details = _path_then(grown, standing, ours.node), dict(ours.reason.details)
        words = {"path": told, "action": ACTIONS[ours.verdict], "variable": grown.node(ours.node).feature}
        same = all(theirs.get(name, word) == word for name, word in words.items())
        for name, key in NUMBERS.items():
            same = same and (key not in theirs or _alike(details.get(name), theirs[key]))
        largest = details.get("largest branch")
        if largest is not None and theirs.get("largest_branch") is not None:
            same = same and largest == theirs["largest_branch"] + 1
        if not same:
            return f"step {theirs}, ours {ACTIONS[ours.verdict]} {told} {details}"
        if ours.verdict == RAISED:
            place = grown.children(ours.node)[int(details["largest branch"]) - 1]
            there = next((node for node, p in standing.items() if p == place), place)
            standing[there] = standing.pop(ours.node, ours.node)
    return "" if len(steps) == len(log) else f"{len(log)} steps, ours {len(steps)}"


def _path_then(grown: tc.Tree, standing: dict[int, int], node: int) -> str:
    """Branch numbers from the root, when these nodes had been raised to these places."""
    branches, place = [], standing.get(node, node)
    while place:
        above = int(grown.parent[place])
        branches.append(place - int(grown.first_child[above]))
        place = standing.get(above, above)
    return "/".join(["root", *map(str, reversed(branches))])


def _alike(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return math.isclose(ours, theirs, rel_tol=1e-8, abs_tol=1e-8)


def final_difference(case: Case, tree: tc.Tree) -> str:
    """The first node of the final tree with other counts, another test or other branches."""
    waiting = [(0, case["tree"])]
    while waiting:
        node, peer = waiting.pop()
        where = f"node {peer.get('id', node)}: "
        if text := first_difference_of(peer, {"counts": tree.stats[node]}, rtol=1e-8, atol=1e-6):
            return where + text
        if bool(peer.get("empty")) != bool(tree.weight[node] < 1e-6):
            return where + f"empty: {peer.get('empty')}, ours weighs {tree.weight[node]}"
        if ("split" in peer) == bool(tree.is_leaf[node]):
            return where + f"{peer.get('split', 'a leaf')}, ours is {'a leaf' if tree.is_leaf[node] else 'none'}"
        if "split" not in peer:
            continue
        split = peer["split"]
        if tree.node(node).feature != split["variable"] or not same_branches(tree, node, split):
            return where + f"{split['variable']} {split.get('branches')}, ours {tree.node(node).feature}"
        waiting += zip(tree.children(node), peer["children"], strict=True)
    return ""
