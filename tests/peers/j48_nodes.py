"""Node-for-node comparison with a tree of J48's: counts, split, merits, every candidate, the average gain."""

import itertools

import numpy as np

import treecore as tc
from tests.peers.case import Case
from tests.peers.j48_candidates import Best, average_gain, best_splits
from tests.peers.recorded import first_difference_of
from treecore.kernels.codes import THRESHOLD
from treecore.tree.predict import route


def path_of(tree: tc.Tree, node: int) -> str:
    """Branch numbers from the root, as the logs write them: root/0/1."""
    steps = [i - int(tree.first_child[parent]) for parent, i in itertools.pairwise(tree.path(node))]
    return "/".join(["root", *map(str, steps)])


def tree_difference(case: Case, tree: tc.Tree, table: tc.Table, counted: list[int], whole: tc.Table) -> str:
    """The first node that differs; none is compared from where a branch took its parent's place.

    counted : its only entry goes up by the nodes compared. table : the rows that grew the tree. whole : all rows, by
    whose number a feature has many levels.
    """
    raised = {e["path"] for e in case.get("prune_log") or () if e.get("action") == "raise_largest_branch"}
    routes, waiting = route(tree, table), [(0, case["tree"])]
    while waiting:
        node, peer = waiting.pop()
        if path_of(tree, node) in raised or peer.get("split_not_best_on_these_rows"):
            continue
        counted[0] += 1
        text = _node_difference(tree, node, peer, pruned=not case.settings["unpruned"])
        if not text and "split" in peer:
            found = best_splits(tree, node, table, routes)
            text = _split_difference(tree, node, peer, found) or _candidate_difference(peer, found)
            average = average_gain(found, whole, tc.GrowSettings.from_dict(dict(tree.growth)))
            text = text or first_difference_of(peer, {"average_info_gain": average})
        if text:
            return f"node {peer.get('id', path_of(tree, node))}: {text}"
        waiting += list(zip(tree.children(node), peer["children"], strict=True)) if "split" in peer else []
    return ""


def _node_difference(tree: tc.Tree, node: int, peer: dict, pruned: bool) -> str:
    if text := first_difference_of(peer, {"counts": tree.stats[node]}, rtol=1e-6, atol=1e-6):
        return text
    if "split" not in peer:
        if bool(peer.get("empty")) != bool(tree.weight[node] < 1e-6):
            return f"empty: {peer.get('empty')}, ours weighs {tree.weight[node]}"
        return "" if pruned or tree.is_leaf[node] else f"a leaf, ours splits on {tree.node(node).feature}"
    if tree.is_leaf[node]:
        return f"splits on {peer['split']['variable']}, ours is a leaf"
    return ""


def _split_difference(tree: tc.Tree, node: int, peer: dict, found: dict[str, Best]) -> str:
    split, name = peer["split"], tree.node(node).feature
    if name != split["variable"]:
        return f"splits on {split['variable']}, ours on {name}"
    if not same_branches(tree, node, split):
        return f"{split['variable']} {split.get('branches')}, ours {[tree.node(i).branch for i in tree.children(node)]}"
    ours = [tree.stats[i].tolist() for i in tree.children(node)]
    text = first_difference_of(split, {"branch_counts": ours}, rtol=1e-6, atol=1e-6)
    return text or first_difference_of(split, {"gain_ratio": float(tree.score[node]), "info_gain": found[name].gain})


def same_branches(tree: tc.Tree, node: int, split: dict) -> bool:
    """The same threshold, or the same levels, in the same order of branches."""
    if tree.splits.kind[node] == THRESHOLD:
        ops = [b["op"] for b in split.get("branches", ()) if "op" in b] or ["<=", ">"]
        low_first = tree.splits.low_branch[node] == 0 and bool(tree.splits.closed[node])
        # ours is the largest value that passes; Weka takes values less than 1e-6 apart for equal
        same = first_difference_of(split, {"threshold": float(tree.splits.threshold[node])}, atol=1e-6) == ""
        return same and ops == ["<=", ">"] and low_first
    if "branches" not in split:
        return True
    levels = tree.schema.features[tree.splits.feature[node]].levels
    branch, branches = tree.splits.levels(node), split["branches"]
    if "ne" in branches[1]:
        one = levels.index(branches[0]["eq"])
        # levels that are not at the node may have no branch
        return branches[1]["ne"] == branches[0]["eq"] and branch[one] == 0 and 0 not in np.delete(branch, one)
    return [b["eq"] for b in branches] == list(levels) and branch.tolist() == list(range(len(levels)))


def _candidate_difference(peer: dict, found: dict[str, Best]) -> str:
    """Every feature: can it be split, gain, ratio, the cut and how many there were."""
    for theirs in peer.get("candidates", ()):
        name, ours = theirs["variable"], found.get(theirs["variable"])
        if theirs.get("valid") not in (None, ours is not None):
            return f"candidate {name}: valid {theirs['valid']}, ours {ours}"
        if ours is None:
            continue
        numbers = {"info_gain": ours.gain, "gain_ratio": ours.ratio}
        if ours.midpoint is not None:
            numbers |= {"midpoint": ours.midpoint, "n_thresholds": ours.n_cuts}
        if first_difference_of(theirs, numbers) or theirs.get("value") not in (None, ours.level):
            return f"candidate {theirs}, ours {ours}"
    return ""
