"""The codes of a table's features: found once for all fits on it, and written down where that is worth it."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.database.binned import coded_together
from treecore.database.describe import Bins, as_number, as_text, level_code
from treecore.database.source import Source
from treecore.growing.aggregates.counted import CountedColumn

ROWS_WORTH_KEEPING = 20_000
"""Of fewer rows, codes are made anew in every query."""


@dataclass(frozen=True, eq=False, repr=False)
class Codes(Brief):
    """rows : an Ibis table with the code of each feature as c0, c1, … and the target as y, a class's place or a number
    less the table's center. names : of the codes. values : v0, v1, … of binned features, where cuts are moved within
    bins. is_kept : are they written down in the engine?
    """

    rows: object
    names: tuple[str, ...]
    values: tuple[str, ...]
    is_kept: bool


def codes_of(table) -> Codes:
    """Those of a DatabaseTable. Codes that are written down are forgotten with it."""
    source, scales = table.source, table.scales
    names = tuple(f"c{i}" for i in range(len(scales)))
    most = max((scale.n_distinct for scale in scales.values()), default=0)
    cells = {name: code.cast(_small(source, most)) for name, code in _codes(table, names).items()}
    values = _values(table) if table.is_refined else {}
    rows = table.relation.select(**cells, **values, **_target(table))
    kept = source.kept(rows) if table.n_rows >= ROWS_WORTH_KEEPING else None
    if kept is None:
        return Codes(rows, names, tuple(values), False)
    source.forget_with(table, kept)
    return Codes(kept, names, tuple(values), True)


def _small(source: Source, most: int) -> str:
    """The type of codes of which this is the largest."""
    return "uint8" if source.is_duckdb and most <= np.iinfo(np.uint8).max else "int16"


def _codes(table, names: tuple[str, ...]) -> dict:
    """Name -> the code of a feature, in their order."""
    source, found, numbers = table.source, dict.fromkeys(names), {}
    for name, scale in zip(names, table.scales.values(), strict=True):
        cell = table.relation[scale.name]
        if isinstance(scale, CountedColumn) and scale.kind != "numeric":
            found[name] = level_code(as_text(cell), scale.texts, scale.n_distinct, source.is_duckdb)
        else:
            numbers[name] = cell, scale.edges if isinstance(scale, Bins) else scale.distinct[:-1]
    return found | coded_together(numbers, source.engine)


def _values(table) -> dict:
    binned = {f: scale.name for f, scale in enumerate(table.scales.values()) if isinstance(scale, Bins)}
    return {f"v{f}": as_number(table.relation[name]) for f, name in binned.items()}


def _target(table) -> dict:
    if table.target is None:
        return {}
    cell = table.relation[table.target]
    if table.task == "classification":
        column = table.target_column
        code = level_code(as_text(cell), column.texts, column.n_distinct, table.source.is_duckdb)
        return {"y": code.cast(_small(table.source, column.n_distinct))}
    return {"y": as_number(cell) - table.kept["center"]}
