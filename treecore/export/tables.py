"""Tables of what the tree holds: its nodes, and its size against its error."""

from treecore.export.csv_text import csv_text
from treecore.export.format import Given
from treecore.pruning import sequence
from treecore.study.curves import size_curve


def nodes_csv(given: Given) -> str:
    """One row per node: what leads there, what it asks, its rows, impurity, gain and answer, and its class weights."""
    tree = given.tree
    head = ["node", "parent", "depth", "condition", "feature", "rows", "weight", "impurity", "gain", "predicted"]
    rows = []
    for t in range(tree.n_nodes):
        v, parent = tree.node(t), int(tree.parent[t])
        answer = tree.target_kind.cell_text(tree, t)
        about = [v.condition, v.feature, v.n_rows, v.weight, v.impurity, v.gain, answer]
        rows.append([t, None if parent < 0 else parent, int(tree.node_depth[t]), *about, *v.counts.values()])
    return csv_text([*head, *(f"weight of {name}" for name in tree.classes)], rows)


def curve_csv(given: Given) -> str:
    """One row per subtree of cost-complexity pruning: alpha, leaves, nodes, depth, and the error on the rows given."""
    curve = size_curve(sequence(given.tree), {} if given.rows is None else {"rows": given.rows})
    columns = {"alpha": curve.alpha, "leaves": curve.n_leaves, "nodes": curve.n_nodes, "depth": curve.depth}
    if given.rows is not None:
        columns[curve.measure.lower() or "error"] = curve.shown["rows"]
    if "rows" in curve.accuracy:
        columns["accuracy"] = curve.accuracy["rows"]
    return csv_text(list(columns), zip(*(column.tolist() for column in columns.values()), strict=True))


def why_not_curve(given: Given) -> str:
    """Sizes are decided by training rows."""
    if given.tree.figures_of == "train":
        return ""
    return "The figures of the tree are of estimation rows, by which no size is chosen: write the curve before"
