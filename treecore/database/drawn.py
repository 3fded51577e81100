"""A sample of an engine's rows that comes here, for all that needs rows themselves."""

import io
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable
from treecore.data.readers import read_raw
from treecore.data.roles import Roles
from treecore.database.dealt import ends_of, hash_of, part_of
from treecore.database.describe import Plan, levelled, plan_of
from treecore.database.source import Source, columns_of
from treecore.database.summary import some_rows
from treecore.errors import TreecoreError

HASH = "hash of the row"


@dataclass(frozen=True, eq=False, repr=False)
class Drawn(Brief):
    """Rows of a source, the same ones for a seed.

    raw : the rows with the columns that a tree can be grown on; its notes name those left out. hashes : int64
    (n_rows,), of each row; the role that it has in the engine follows from it. n_rows : of all of the table.
    """

    raw: RawTable
    hashes: np.ndarray
    n_rows: int

    @property
    def is_part(self) -> bool:
        """Are there more rows than were drawn?"""
        return self.raw.n_rows < self.n_rows

    def places(self, roles: Roles) -> list[np.ndarray]:
        """bool (n_rows,) for each role, in the order of a split: which of the rows drawn have it in the engine."""
        part = part_of(self.hashes, roles.seed)
        return [(part >= a) & (part < b) for a, b in ends_of(roles)]


def drawn(source: Source, n: int = 10_000, seed: int = 0) -> Drawn:
    """About n rows of a source, in the order of their hash. TreecoreError where it has no rows, or no column that a
    tree can be grown on."""
    import pyarrow.parquet as pq

    types, notes = _readable(source)
    n_rows = int(source.run(source.relation.agg(n=source.relation.count()))["n"][0].as_py())
    if not n_rows:
        raise TreecoreError("It has no rows", where=source.name, remedy="Give a table with at least one row")
    some = some_rows(source, source.relation, n, seed)
    cells = {name: some[name] for name in types}
    rows = source.run(some.select(**cells, **{HASH: hash_of(some, ())})).sort_by(HASH)
    if not rows.num_rows:
        remedy = "Give the rows a column that tells them apart, such as a number"
        raise TreecoreError("Its rows are too much alike for a sample of them", where=source.name, remedy=remedy)
    written = io.BytesIO()
    pq.write_table(rows.drop_columns([HASH]), written)
    raw = read_raw(written.getvalue(), name=source.name)
    columns = tuple(_as_typed(column, kind) for column, kind in zip(raw.columns, types.values(), strict=True))
    return Drawn(replace(raw, columns=columns, notes=(*raw.notes, *notes)), rows[HASH].to_numpy(), n_rows)


def _as_typed(column: RawColumn, kind) -> RawColumn:
    """The column with the levels of its words where the engine says that it is text, be they digits or dates."""
    if column.content != "text" or not kind.is_string():
        return column
    told = levelled(Plan(column.name, "nominal"), dict.fromkeys(column.cells.to_pylist(), 1), kind)
    places = np.array([*(told.texts[text] for text in column.cells.to_pylist()), -1], np.int32)
    places[places == told.n_distinct] = -1
    is_boolean = told.kind == "boolean"
    return replace(column, codes=places[column.codes], cells=told.levels, content="levels", boolean=is_boolean)


def _readable(source: Source) -> tuple[dict, list[str]]:
    """(type in the engine of every column that a tree can be grown on, sentences on the others)."""
    types, notes = {}, []
    for name, kind in columns_of(source.relation):
        if plan_of(name, kind, None) is None:
            notes.append(f"Column {name!r} was left out: no tree splits on its type, {kind}.")
        else:
            types[name] = kind
    if not types:
        raise TreecoreError(
            "It has no column of numbers or words", where=source.name, remedy="Cast the columns in a view"
        )
    return types, notes
