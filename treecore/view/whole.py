"""All of the tree at once, for the icicle and the rings: the heaviest nodes as shares of the training rows."""

import numpy as np

from treecore.figures import percent
from treecore.judging.interest import Interest, observed_shares, shown_rate, tint
from treecore.study.groups import Groups
from treecore.study.outline import TreeOutline
from treecore.tree.short_text import apart, shorten
from treecore.tree.tree import Tree
from treecore.view import rows as cards


def whole(
    tree: Tree,
    found: TreeOutline,
    hidden: np.ndarray,
    looked_for: Interest | None = None,
    by_group: Groups | None = None,
) -> list[dict]:
    """One entry per node, parents before children: where it lies among the rows, and what it answers.

    hidden : bool (n_nodes,), is it pruned away? looked_for : the class of interest.
    by_group : what the bars show in place of the answer."""
    total = float(found.weight[0]) or 1.0
    low, high = float(np.min(tree.value)), float(np.max(tree.value))
    rows, places = [], apart((feature.name for feature in tree.schema.features), tree.class_names)
    shares = observed_shares(tree) if tree.classes else None
    parts = None if by_group is None else by_group.shares
    ends = [bool(tree.is_leaf[node] or hidden[tree.first_child[node]]) for node in found.node.tolist()]
    for i, node in enumerate(found.node.tolist()):
        leads, answer = found.words[i]
        title = answer if ends[i] else tree.node(node).feature
        row = {
            "id": node, "depth": int(found.depth[i]), "left": round(float(found.left[i]) / total, 6),
            "width": round(float(found.weight[i]) / total, 6), "title": shorten(title, 40, places),
            "leaf": ends[i], "cut": bool(hidden[node]),
            "told": shorten(f"{leads}: {answer}, {percent(found.weight[i] / total)} of the rows", 200),
        }  # fmt: skip
        if shares is not None:
            about = shares[node].tolist(), int(found.value[i])
            row["told"] = shorten(f"{row['told']}, {shown_rate(*about, tree.class_names, looked_for)}", 240)
            shade = cards.shade(tint(*about, looked_for))
        else:
            shade = {"value": (found.value[i] - low) / ((high - low) or 1.0)}
        if parts is not None:
            row["parts"] = cards.shares_of_groups(parts[node])
            row["told"] = f"{row['told']}; {cards.groups_told(by_group, parts[node])}"
        rows.append(row | shade)
    return rows
