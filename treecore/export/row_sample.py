"""A sample of a table's rows that goes into an HTML page where it is asked for, without the columns that stay out."""

import math
from collections.abc import Sequence

import numpy as np

from treecore.brief import visible
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.format import ExportRequest
from treecore.export.portable import Portable
from treecore.tree.predict import route
from treecore.tree.tree import Tree

MOST_ROWS = 5000
"""Rows of a page: its size, and what a browser lists at once."""
SAMPLINGS = {"leaves": "evenly over the leaves", "random": "at random"}
"""Name -> in words, how the rows are drawn."""
ROW_OPTIONS = (("sample_rows", 0), ("without", ()), ("sampling", "leaves"), ("seed", 0))
"""How many rows, the names of the columns that stay out, how the rows are drawn (a name in SAMPLINGS), and by which
seed."""


def sampled_rows(leaf: np.ndarray, n: int, sampling: str, seed: int) -> np.ndarray:
    """int64, ascending: which rows are drawn, n of them or all where there are fewer.

    leaf : int64 (n_rows,), the node that each row ends in. sampling : "leaves" takes one row of every leaf, then a
    second one of each that has one, and so on; "random" takes each row with the same chance.
    """
    order = np.random.default_rng(seed).permutation(len(leaf))
    if sampling == "leaves":
        by_leaf = order[np.argsort(leaf[order], kind="stable")]
        begins = np.flatnonzero(np.diff(leaf[by_leaf], prepend=-1))
        turn = np.arange(len(leaf)) - np.repeat(begins, np.diff(np.append(begins, len(leaf))))
        round_of = np.empty(len(leaf), np.int64)
        round_of[by_leaf] = turn
        order = order[np.argsort(round_of[order], kind="stable")]
    return np.sort(order[:n])


def row_sample(given: ExportRequest) -> dict | None:
    """The rows as the page's script reads them; None where none are asked for.

    told : what they are of. columns : name (visible), feature (its place in the schema, -1 for no feature), numeric,
    cells, and seen, cell -> visible text where that differs. ends : of every row the [node, share] that it ends in,
    the largest share first.
    Raises TreecoreError for options that cannot be met, and where no rows were given.
    """
    n, without, sampling, seed = _checked(given)
    if not n:
        return None
    tree, rows = given.tree, given.rows
    rows = rows.take(sampled_rows(tree.apply(rows), n, sampling, seed))
    places = {feature.name: f for f, feature in enumerate(tree.schema.features)}
    shown = [column for column in rows.columns if column.name not in without]
    told = f"{rows.n_rows:,} of {given.rows.n_rows:,} rows, drawn {SAMPLINGS[sampling]} (seed {seed})"
    if without:
        told += f"; {len(without)} {'column is' if len(without) == 1 else 'columns are'} left out"
        asked = [visible(name) for name in without if places.get(name, -1) in Portable(tree).used]
        told += f", but the tree itself asks for {', '.join(asked)}" if asked else ""
    return {
        "told": told,
        "columns": [_column(column, places.get(column.name, -1)) for column in shown],
        "ends": _ends(tree, rows),
    }


def _checked(given: ExportRequest) -> tuple[int, Sequence[str], str, int]:
    """The options as they are used; TreecoreError says which one cannot be met."""
    options, rows = {name: given.options.get(name, default) for name, default in ROW_OPTIONS}, given.rows
    n, sampling, seed = options["sample_rows"], options["sampling"], options["seed"]
    without = options["without"] or ()
    without = tuple(dict.fromkeys((without,) if isinstance(without, str) else without))
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or not 0 <= n <= MOST_ROWS:
        raise TreecoreError(f"{n!r} is no number of rows", where="sample_rows", remedy=f"Give 0 to {MOST_ROWS:,}")
    if sampling not in SAMPLINGS:
        remedy = f"Choose one of {', '.join(SAMPLINGS)}"
        raise TreecoreError(f"Rows are not drawn by {sampling!r}", where="sampling", remedy=remedy)
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise TreecoreError(f"{seed!r} is no seed", where="seed", remedy="Give a whole number from 0 on")
    if without and not n:
        remedy = "Say how many rows: sample_rows=200"
        raise TreecoreError("No rows go into the page, so no column can be left out", where="without", remedy=remedy)
    if n and rows is None:
        raise TreecoreError("There are no rows to draw from", where="sample_rows", remedy="Give the table: rows=table")
    for name in without:
        rows.column(name)
    read = [] if given.tree.lines is None else [given.tree.schema.features[f].name for f in given.tree.lines.used]
    odd = next((name for name in without if name in read), None)
    if odd is not None:
        what = f"The leaves' lines read {visible(odd)!r}, so that rows could not be answered without it"
        raise TreecoreError(what, where="without", remedy="Leave it in, or put no rows into the page")
    return int(n), without, sampling, int(seed)


def _column(column: Column, feature: int) -> dict:
    numeric = column.kind == "numeric"
    if numeric:
        cells = [_number(value) for value in column.values().tolist()]
    else:
        labels = column.labels().tolist()
        cells = [None if gap else label for label, gap in zip(labels, column.missing.tolist(), strict=True)]
    odd = {cell: visible(cell) for cell in cells if isinstance(cell, str) and visible(cell) != cell}
    made = {"name": visible(column.name), "feature": feature, "numeric": numeric, "cells": cells}
    return made | ({"seen": odd} if odd else {})


def _number(value: float) -> float | int | str | None:
    """As JSON has it and JavaScript's Number reads it."""
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _ends(tree: Tree, rows: Table) -> list[list[list[float]]]:
    routes, ends = route(tree, rows), [[] for _ in range(rows.n_rows)]
    for row, node, share in zip(routes.row.tolist(), routes.node.tolist(), routes.share.tolist(), strict=True):
        ends[row].append([node, share])
    return [sorted(parts, key=lambda part: (-part[1], part[0])) for parts in ends]
