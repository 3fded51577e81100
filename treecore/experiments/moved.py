"""How brittle a tree is in the smallest way: values of one row are others, and the tree grows anew."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.column import frozen, numeric_column
from treecore.data.level_index import level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.experiments.importances import with_column
from treecore.experiments.resampling import Regrown
from treecore.experiments.stability import BAND, stability
from treecore.fit import grow, prune
from treecore.recipe import Prepare, Prune, Recipe
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Moved(Brief):
    """before, tree : grown on the rows as they are, and anew. rows : on which the latter grew, prepared. stays : bool
    (n_nodes,) of the former, which of its splits the new one has, within the band; False at leaves. changed : share of
    the rows that get another answer."""

    before: Tree
    tree: Tree
    rows: Table
    stays: np.ndarray
    changed: float

    @property
    def n_splits(self) -> int:
        """Of the former tree."""
        return int((~self.before.is_leaf).sum())


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
    place = level_index(column.levels).place(value)
    if value is not None and place < 0:
        remedy = "Choose one of: " + ", ".join(column.levels)
        raise TreecoreError(f"{value!r} is no level", where=f"Column {name!r}", remedy=remedy)
    codes = column.codes.copy()
    codes[row] = column.n_distinct if value is None else place
    return with_column(table, replace(column, codes=frozen(codes)))


def moved(
    before: Tree, recipe: Recipe, row: int, values: Mapping[str, float | str | None], train: Table,
    validation: Table | None = None, pruning: Table | None = None, band: float = BAND,
) -> Moved:  # fmt: skip
    """The recipe's tree with other values in one training row, beside the tree that it made of the rows as they are.

    before : of the same recipe and rows. values : column -> what it is now. train, validation, pruning : the rows of
    the roles before the recipe prepares them.
    """
    other = train
    for name, value in values.items():
        other = with_value(other, row, name, value)
    given = prepared(recipe, other, validation, pruning)
    anew, once = grown_from(recipe, given), np.ones((1, train.n_rows), np.uint8)
    found = stability(before, Regrown(train, (anew,), once), band)
    return Moved(before, anew, given["train"], np.nan_to_num(found.returns) > 0, float(found.changed[0]))


def grown_of(recipe: Recipe, train: Table, validation: Table | None = None, pruning: Table | None = None) -> Tree:
    """The recipe's pruned tree of these roles, prepared first; steps by hand are not repeated."""
    return grown_from(recipe, prepared(recipe, train, validation, pruning))


def prepared(recipe: Recipe, train: Table, validation: Table | None, pruning: Table | None) -> dict[str, Table]:
    """Role -> its rows as the recipe prepares them; roles of None are left out."""
    given = {"train": train, "validation": validation, "pruning": pruning}
    known = {role: rows for role, rows in given.items() if rows is not None}
    return dict(zip(known, (recipe.last(Prepare) or Prepare()).tables(*known.values()), strict=True))


def grown_from(recipe: Recipe, roles: dict[str, Table]) -> Tree:
    """The recipe's pruned tree of roles that are prepared; steps by hand are not repeated."""
    grown = grow(roles["train"], recipe, validation=roles.get("validation"))
    step = recipe.last(Prune) or Prune()
    made = prune(grown, step.method, **roles, **dict(step.parameters))
    return grown.cut(made) if made.changes else grown
