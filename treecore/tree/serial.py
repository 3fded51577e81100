"""A tree as plain data and as a table of its nodes."""

from dataclasses import fields

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits, plain
from treecore.tree.tree import SCHEMA_VERSION, Tree


def tree_to_dict(tree: Tree) -> dict:
    """Everything the tree holds, as JSON values."""
    data = {"schema_version": SCHEMA_VERSION}
    for field in fields(Tree):
        value = getattr(tree, field.name)
        if isinstance(value, np.ndarray):
            data[field.name] = value.tolist() if value.ndim > 1 else plain(value)
        elif isinstance(value, Schema | Splits):
            data[field.name] = value.to_dict()
        else:
            data[field.name] = dict(value) if field.name == "growth" else value
    return data


def tree_from_dict(data: dict) -> Tree:
    """The inverse of tree_to_dict; TreecoreError for another schema version or what is no tree at all."""
    if not isinstance(data, dict) or "schema_version" not in data:
        raise _no_tree()
    if data["schema_version"] != SCHEMA_VERSION:
        raise TreecoreError(
            f"This tree was saved with schema version {data['schema_version']!r}",
            where="schema_version",
            remedy=f"This version reads {SCHEMA_VERSION}: grow the tree again from its recipe",
        )
    try:
        columns = {k: v for k, v in data.items() if k != "schema_version"}
        for name in ("splits", "surrogates"):
            columns[name] = Splits.from_dict(data[name])
        columns["schema"] = Schema.from_dict(data["schema"])
        for name in ("gain", "score"):
            columns[name] = [np.nan if v is None else v for v in data[name]]
        return Tree(**columns)
    except (KeyError, TypeError, ValueError):
        raise _no_tree() from None


def _no_tree() -> TreecoreError:
    return TreecoreError("This is not a saved tree", where="tree", remedy="Load what `to_dict` wrote")


def tree_frame(tree: Tree):
    """pandas DataFrame with one row per node."""
    import pandas as pd

    views = [tree.node(i) for i in range(tree.n_nodes)]
    frame = pd.DataFrame(
        {
            "node": np.arange(tree.n_nodes),
            "parent": tree.parent,
            "depth": tree.node_depth,
            "condition": [v.condition for v in views],
            "feature": [v.feature for v in views],
            "n_rows": tree.n_rows,
            "weight": tree.weight,
            "impurity": tree.impurity,
            "gain": tree.gain,
            "predicted": [v.predicted for v in views],
        }
    )
    for k, name in enumerate(tree.classes):
        frame[f"n: {name}"] = tree.stats[:, k]
    return frame
