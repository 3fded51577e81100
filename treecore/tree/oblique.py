"""Weighted sums of features, and the oblique splits of a tree that ask a threshold of them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.data.table_like import Terms, cached_with_table
from treecore.errors import TreecoreError
from treecore.tree.columns import TreeColumns
from treecore.tree.schema import Schema

# Columns that are weighted sums of others: what an oblique split asks a threshold of.


def weighted_sum(values: np.ndarray, weights: Sequence[float]) -> np.ndarray:
    """float64 (n_rows,): of values (n_terms, n_rows), added up in their order; NaN where one is missing.

    Always in this order and one after the other, so that a row has the same sum wherever it comes from.
    """
    total = weights[0] * values[0]
    for weight, column in zip(weights[1:], values[1:], strict=True):
        total = total + weight * column
    return total + 0.0


def terms_text(terms: Terms) -> str:
    """The sum in the user's units: "x1 − 0.45·x2"."""
    text = ""
    for name, weight in terms:
        sign = ("−" if weight < 0 else "") if not text else (" − " if weight < 0 else " + ")
        size = coefficient(abs(weight))
        text += sign + (name if size == "1" else f"{size}·{name}")
    return text


def coefficient(weight: float) -> str:
    """A weight as it is told: all its digits, as it was given few of them."""
    return repr(float(weight)).removesuffix(".0")


def with_sums(table: Table, sums: Sequence[Terms]) -> Table:
    """The table with a feature more for each of these sums of its numeric columns; sums it has already stay."""
    known, columns = {c.terms for c in table.columns if c.terms}, []
    names = set(table.column_names)
    for terms in dict.fromkeys(sums):
        if terms in known:
            continue
        values = np.array([table.column(name).values() for name, _ in terms])
        name = _free_name(terms_text(terms), names)
        names.add(name)
        columns.append(replace(numeric_column(name, weighted_sum(values, [w for _, w in terms])), terms=terms))
    if not columns:
        return table
    added = tuple(c.name for c in columns)
    whole = Table(
        (*table.columns, *columns), table.target, (*table.features, *added), table.weights, table.row_numbers,
        table.notes, table.frame,
    )  # fmt: skip
    return whole


def _free_name(wanted: str, names: set[str]) -> str:
    """A name that no column has."""
    name, n = wanted, 2
    while name in names:
        name, n = f"{wanted} ({n})", n + 1
    return name


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
    if not any(feature.terms for feature in schema.features):
        return table
    return _with_sums_of(table, schema)


@cached_with_table
def _with_sums_of(table: Table, schema: Schema) -> Table:
    return with_sums(table, [feature.terms for feature in schema.features if feature.terms])
