"""Why growth ended at a leaf, in a sentence."""

from treecore.growing.settings import Growth
from treecore.tree.tree import Tree


def why_leaf(tree: Tree, node: int, best_gain: float | None) -> str:
    """The first reason that holds, in the order in which the grower asks.

    best_gain : of the node's candidates on the training rows; None if there are none.
    """
    growth = Growth.from_dict(dict(tree.growth))
    rows, weight = int(tree.n_rows[node]), float(tree.weight[node])
    if weight <= 0:
        return "No training row came here."
    if tree.impurity[node] <= 0:
        return "Its training rows are all of one class." if tree.classes else "Its training rows have one value."
    if growth.max_depth is not None and tree.node_depth[node] >= growth.max_depth:
        return f"The depth of at most {growth.max_depth} is reached."
    if rows < growth.min_rows_split:
        return f"It has {rows} training rows, fewer than the {growth.min_rows_split} that a split needs."
    if rows < 2 * growth.min_rows_leaf:
        return f"{rows} training rows are too few for two branches of at least {growth.min_rows_leaf}."
    if weight < growth.min_share_split * tree.weight[0]:
        return f"It has less than {100 * growth.min_share_split:.3g} % of the training weight."
    if best_gain is None:
        return "No split is possible: its rows are equal in every feature, or the branches would be too small."
    slack = growth.tolerance * float(tree.impurity[node])
    if best_gain <= slack and growth.zero_gain == "stop":
        return "No split reduces the impurity."
    if best_gain < growth.min_gain:
        return f"The best gain, {best_gain:.4g}, is below the {growth.min_gain:.4g} asked for."
    if best_gain * weight / tree.weight[0] < growth.min_weighted_gain:
        return "The best gain, times the node's share of the rows, is below the least asked for."
    if growth.max_leaves is not None:
        allowed = f"of the {growth.max_leaves} leaves allowed {tree.n_leaves} are there"
        return f"Its split does not fit any more: {allowed}, and those with larger gains came first."
    return "The grower stopped here."
