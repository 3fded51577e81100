"""Textbook tables typed out as text, one row per line or word."""

import numpy as np

import treecore as tc
from treecore.data import level_column, numeric_column


def nominal_table(rows, names, levels) -> tc.Table:
    """rows : sequences of cells, the target last. levels : per column, in declared order."""
    columns = tuple(
        level_column(name, "nominal", np.array([row[i] for row in rows], object), levels[i])
        for i, name in enumerate(names)
    )
    return tc.Table(columns, target=names[-1], features=tuple(names[:-1]))


def counted_table(counts: dict, names, levels) -> tc.Table:
    """counts : {(cell, ..., class): how many rows}; the counts become case weights."""
    table = nominal_table(list(counts), names, levels)
    return table.with_weights(np.array(list(counts.values()), float))


def number_table(values, labels, classes) -> tc.Table:
    columns = numeric_column("L", np.array(values, float)), level_column("Class", "nominal", list(labels), classes)
    return tc.Table(columns, target="Class", features=("L",))


def gains(tree: tc.Tree, node: int, table: tc.Table) -> dict[str, float]:
    """The best gain of every feature at a node, by name (features without a split are left out)."""
    return {c.feature: c.gain for c in tc.candidates(tree, node, table, limit=100).per_feature()}


def node_where(tree: tc.Tree, *conditions: str) -> int:
    """The node that these conditions lead to."""
    wanted = " AND ".join(conditions)
    return next(t for t in range(tree.n_nodes) if tree.node(t).rule == wanted)
