"""Oblique splits of a tree: thresholds on weighted sums of features."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from treecore.data.combine import with_sums
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.columns import TreeColumns
from treecore.tree.schema import Schema

Tree = TypeVar("Tree", bound=TreeColumns)


def oblique_nodes(tree: TreeColumns) -> np.ndarray:
    """int64, ids of the nodes whose split asks a weighted sum."""
    sums = [f for f, feature in enumerate(tree.schema.features) if feature.terms]
    return np.flatnonzero(~tree.is_leaf & np.isin(tree.splits.feature, sums))


def own_parts(schema: Schema, features: Iterable[int]) -> set[int]:
    """Indices of the features that rows must have for these: they themselves, or the terms of weighted sums."""
    index = {feature.name: f for f, feature in enumerate(schema.features)}
    asked = [(f, schema.features[f].terms) for f in features]
    return {own for f, terms in asked for own in ([index[name] for name, _ in terms] or [f])}


def with_useful_surrogates(tree: Tree) -> Tree:
    """The tree without surrogates that lack a value wherever their node's split does, as they have all of its terms.

    No row is ever sent by them, so none goes another way.
    """
    node = np.repeat(np.arange(tree.n_nodes), np.diff(tree.surrogate_start))
    parts = [own_parts(tree.schema, [f]) for f in range(len(tree.schema.features))]
    pairs = zip(tree.splits.feature[node].tolist(), tree.surrogates.feature.tolist(), strict=True)
    useful = np.array([not parts[split] <= parts[backup] for split, backup in pairs], bool)
    if useful.all():
        return tree
    kept, n = np.flatnonzero(useful), np.bincount(node[useful], minlength=tree.n_nodes)
    return replace(
        tree,
        surrogates=tree.surrogates.take(kept),
        surrogate_start=np.concatenate([[0], np.cumsum(n)]),
        surrogate_agree=tree.surrogate_agree[kept],
        surrogate_adjusted=tree.surrogate_adjusted[kept],
        surrogate_rows=tree.surrogate_rows[kept],
    )


def refuse_oblique(tree: TreeColumns, what: str) -> None:
    """TreecoreError naming the first node with an oblique split. what : which cannot be done, "the regions"."""
    sums = [f for f, feature in enumerate(tree.schema.features) if feature.terms]
    if not sums:
        return
    nodes = oblique_nodes(tree)
    where = f"Node {nodes[0]}" if len(nodes) else "Surrogate splits"
    f = int(tree.splits.feature[nodes[0]]) if len(nodes) else sums[0]
    raise TreecoreError(
        f"It asks for {tree.schema.features[f].name}, a weighted sum: {what} is of single features only",
        where=where,
        remedy="Grow the tree without oblique splits",
    )


def as_asked(schema: Schema, table: Table) -> Table:
    """The table with the weighted sums that a tree of this schema asks for; the same table where it asks for none."""
    sums = [feature.terms for feature in schema.features if feature.terms]
    if not sums:
        return table
    if schema not in table.kept:
        table.kept[schema] = with_sums(table, sums)
    return table.kept[schema]
