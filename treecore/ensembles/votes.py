"""What many trees say everywhere in the plane of two features, the others held."""

from collections.abc import Mapping

import numpy as np

from treecore.data.column import Column, level_column, numeric_column
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble

Side = tuple[str, np.ndarray]
"""A feature, and float64 (n,): its numbers, or the indices of its levels, at the places that are asked about."""


def votes_in_plane(ensemble: Ensemble, x: Side, y: Side, fixed: Mapping[str, object]) -> np.ndarray:
    """float64 (n_y, n_x, n_classes): the share of the trees, by what each counts, that answer each class there; of a
    numeric target (n_y, n_x), the number that all answer together.

    fixed : feature -> number, level, or None for missing, of the features that are not on a side.
    """
    (across, at_x), (up, at_y) = x, y
    on_sides = {across: np.tile(at_x, len(at_y)), up: np.repeat(at_y, len(at_x))}
    n, columns = len(at_x) * len(at_y), []
    for column in ensemble.table.feature_columns:
        columns.append(
            _at(column, on_sides[column.name]) if column.name in on_sides else _held(column, fixed.get(column.name), n)
        )
    rows = Table(tuple(columns), None, ensemble.table.features)
    found = ensemble.shares(rows) if ensemble.classes else ensemble.predict(rows)
    return found.reshape(len(at_y), len(at_x), *found.shape[1:])


def _at(column: Column, values: np.ndarray) -> Column:
    """A column of this kind with these numbers, or levels of these indices."""
    if column.kind == "numeric":
        return numeric_column(column.name, values)
    return level_column(column.name, column.kind, values.astype(np.int64), column.levels)


def _held(column: Column, value: object, n: int) -> Column:
    """A column of this kind that is the same everywhere; missing for None and for what is no level of it."""
    if column.kind == "numeric":
        return _at(column, np.full(n, np.nan if value is None else float(value)))
    return _at(column, np.full(n, column.levels.index(value) if value in column.levels else -1))
