"""All of the tree at once, for the icicle and the rings: the heaviest nodes as shares of the training rows."""

import numpy as np

import treecore as tc
from pages.shared.bench import rows as cards
from pages.shared.trees import groups, interest, work
from treecore.evaluation.groups import Groups
from treecore.evaluation.outline import Outline, outline
from treecore.figures import percent
from treecore.judging.interest import observed_shares, rate_told, tint
from treecore.tree.short_text import apart, shorten


def of_tree() -> list[dict]:
    """Your tree, and in it what is pruned away."""
    tree = work.grown()
    found = work.kept("outline", make=lambda: outline(tree))
    return _rows(tree, found, work.cuts().hidden(tree), groups.of_grown())


def of(tree: tc.Tree) -> list[dict]:
    """Another tree."""
    return _rows(tree, outline(tree), np.zeros(tree.n_nodes, bool), None)


def _rows(tree: tc.Tree, found: Outline, hidden: np.ndarray, by_group: Groups | None) -> list[dict]:
    """One entry per node, parents before children: where it lies among the rows, and what it answers.

    hidden : bool (n_nodes,), is it pruned away? by_group : what the bars show in place of the answer."""
    total = float(found.weight[0]) or 1.0
    low, high = float(np.min(found.value)), float(np.max(found.value))
    rows, places = [], apart((feature.name for feature in tree.schema.features), tree.class_names)
    looked_for, shares = interest.of(tree), observed_shares(tree) if tree.classes else None
    parts = None if by_group is None else by_group.shares
    for i, node in enumerate(found.node.tolist()):
        leads, answer = found.words[i]
        title = answer if tree.is_leaf[node] else tree.node(node).feature
        row = {
            "id": node, "depth": int(found.depth[i]), "left": round(float(found.left[i]) / total, 6),
            "width": round(float(found.weight[i]) / total, 6), "title": shorten(title, 40, places),
            "leaf": bool(tree.is_leaf[node]), "cut": bool(hidden[node]),
            "told": shorten(f"{leads}: {answer}, {percent(found.weight[i] / total)} of the rows", 200),
        }  # fmt: skip
        if shares is not None:
            about = shares[node].tolist(), int(found.value[i])
            row["told"] = shorten(f"{row['told']}, {rate_told(*about, tree.class_names, looked_for)}", 240)
            shade = cards.shade(tint(*about, looked_for))
        else:
            shade = {"value": (found.value[i] - low) / ((high - low) or 1.0)}
        if parts is not None:
            row["parts"] = cards.shares_of_groups(parts[node])
            row["told"] = f"{row['told']}; {cards.groups_told(by_group, parts[node])}"
        rows.append(row | shade)
    return rows
