"""Columns that are weighted sums of others: what an oblique split asks a threshold of."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.described import Terms
from treecore.data.table import Table


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
