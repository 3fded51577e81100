"""How brittle a tree is in the smallest way: one value of one row is another one, and the tree grows anew."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import frozen, numeric_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.experiments.importances import with_column
from treecore.experiments.resampling import Regrown, grown_on
from treecore.experiments.stability import BAND, stability
from treecore.recipe import Recipe
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Moved:
    """tree : grown anew. stays : bool (n_nodes,) of the former tree, which of its splits the new one has, within the
    band; False at leaves. changed : share of the rows that get another answer."""

    tree: Tree
    stays: np.ndarray
    changed: float


def with_value(table: Table, row: int, name: str, value: float | str | None) -> Table:
    """The table with another value in one cell; None makes it missing.

    row : position. value : a number, or a level of a column of levels. TreecoreError for a row, column or level that
    there is not.
    """
    column = table.column(name)
    if row not in range(table.n_rows):
        remedy = f"Choose one of 1 to {table.n_rows:,}"
        raise TreecoreError(f"There is no row {row + 1}", where="row", remedy=remedy)
    if column.kind == "numeric":
        values = column.values()
        values[row] = np.nan if value is None else float(value)
        return with_column(table, replace(numeric_column(name, values), fill=column.fill))
    if value is not None and value not in column.levels:
        remedy = "Choose one of: " + ", ".join(column.levels)
        raise TreecoreError(f"{value!r} is no level", where=f"Column {name!r}", remedy=remedy)
    codes = column.codes.copy()
    codes[row] = column.n_distinct if value is None else column.levels.index(value)
    return with_column(table, replace(column, codes=frozen(codes)))


def moved(
    tree: Tree, table: Table, recipe: Recipe, row: int, name: str, value: float | str | None, band: float = BAND
) -> Moved:
    """The recipe's tree with another value in one cell, beside the tree that it made of the table as it is."""
    other = with_value(table, row, name, value)
    once = np.ones(table.n_rows, np.uint8)
    anew = grown_on(other, recipe, once)
    found = stability(tree, Regrown(table, (anew,), once[None]), band)
    return Moved(anew, np.nan_to_num(found.returns) > 0, float(found.changed[0]))
