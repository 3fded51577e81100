"""A tree as plain data and as a table of its nodes."""

from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from treecore.criteria.row_losses import AbsoluteLoss
from treecore.errors import TreecoreError
from treecore.tree.columns import COLUMNS, SCHEMA_VERSION, TreeColumns
from treecore.tree.leaf_lines import LeafLines
from treecore.tree.node import NodeView
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits, column_of, plain
from treecore.tree.threshold_gaps import gaps_to_dict, with_saved_gaps
from treecore.tree.validate import validate

AnyTree = TypeVar("AnyTree", bound=TreeColumns)
MADE_ELSEWHERE = ("outputs", "cover")
MAY_LACK = (
    "median", "priors", "loss", "added", "share_weight", "training_route", "training_missing", *MADE_ELSEWHERE,
)  # fmt: skip
"""The columns that not every tree has."""


def tree_to_dict(tree: TreeColumns, gaps: bool = False) -> dict:
    """Everything the tree holds, as JSON values. gaps : also those of its thresholds, which are of the table."""
    data: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
    if tree.figures_of != "train":
        data["figures_of"] = f"{tree.n_rows[0]} {tree.rows_named}"
    for field in fields(TreeColumns):
        value = getattr(tree, field.name)
        if value is None and field.name in (*MADE_ELSEWHERE, "training_missing", "lines"):
            continue
        if field.name == "outputs":
            data[field.name] = [plain(row) for row in value]
        elif isinstance(value, np.ndarray):
            data[field.name] = value.tolist() if value.ndim > 1 else plain(value)
        elif isinstance(value, Schema | Splits | LeafLines):
            data[field.name] = value.to_dict()
        else:
            data[field.name] = dict(value) if field.name == "growth" else value
    return data | {"gaps": gaps_to_dict(tree.schema)} if gaps else data


def tree_from_dict(data: dict, kind: type[AnyTree]) -> AnyTree:
    """The inverse of tree_to_dict, as a tree of this kind.

    TreecoreError for another schema version, for what is no tree at all, and for a tree that none of our functions
    could have grown; see tree.validate.
    """
    if not isinstance(data, dict) or "schema_version" not in data:
        raise _no_tree()
    if data["schema_version"] != SCHEMA_VERSION:
        raise TreecoreError(
            f"This tree was saved with schema version {data['schema_version']!r}",
            where="schema_version",
            remedy=f"This version reads {SCHEMA_VERSION}: grow the tree again from its recipe",
        )
    try:
        columns = {k: _read(k, v) for k, v in data.items() if k not in ("schema_version", "figures_of", "gaps")}
        if columns["criterion"] == AbsoluteLoss.name and columns["schema"].row_loss is None:  # an old file
            columns["schema"] = replace(columns["schema"], row_loss=AbsoluteLoss())
        tree = kind(**columns)
    except (KeyError, TypeError, AttributeError):
        raise _no_tree() from None
    validate(tree)
    return replace(tree, schema=with_saved_gaps(tree.schema, data.get("gaps", {})))


def _read(name: str, value):
    """One entry of the data as the tree has it."""
    if name == "schema":
        return Schema.from_dict(value)
    if name in ("splits", "surrogates"):
        return Splits.from_dict(value, name)
    if name == "growth":
        return dict(value.items())
    if name == "lines":
        return LeafLines.from_dict(value)
    if name not in COLUMNS or (value is None and name in MAY_LACK):
        return value
    return column_of(name, value, COLUMNS[name], 2 if name in ("stats", "loss", "outputs") else 1)


def _no_tree() -> TreecoreError:
    return TreecoreError("This is not a saved tree", where="tree", remedy="Load what `to_dict` wrote")


def tree_frame(tree: TreeColumns):
    """pandas DataFrame with one row per node."""
    import pandas as pd

    views = [NodeView(tree, i) for i in range(tree.n_nodes)]
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
            "predicted": [tree.target_kind.cell_text(tree, v.id) for v in views],
        }
    )
    for k, name in enumerate(tree.classes):
        frame[f"n: {name}"] = tree.stats[:, k]
    return frame
