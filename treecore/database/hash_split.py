"""Rows chosen by their hash and a seed, here and in an engine alike: roles, folds and samples."""

import hashlib
import io
import itertools
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable
from treecore.data.readers import read_raw
from treecore.data.roles import Roles
from treecore.database.connection import DatabaseSource, columns_of
from treecore.database.engine_columns import Plan, levelled, plan_of
from treecore.errors import TreecoreError

PRIME = (1 << 31) - 1
"""A row's hash is less than this, so that its product with another such number is an int64."""
PARTS = 1_000_000
"""Into so many parts rows are dealt."""


def hash_of(relation, key: tuple[str, ...]):
    """int64 from 0 to PRIME - 1, an Ibis expression: of each row by its key, or by all its columns.

    DuckDB hashes them as one record, which takes a fifth of the time of column by column as for other engines.
    """
    import ibis

    names = key or tuple(relation.columns)
    if relation.get_backend().name == "duckdb":
        return _positive(ibis.struct({name: relation[name] for name in names}).hash())
    mixed = 0
    for i, name in enumerate(names):
        cell = relation[name]
        known = cell.fill_null(0) if cell.type().is_numeric() else cell.cast("string").fill_null("")
        mixed = mixed + _positive(_hash_of(known, relation.get_backend().name)) * (2 * i + 1)
    return mixed % PRIME


def _hash_of(cell, engine: str):
    """int64, of one cell. SQLite has no such function: it calls one in this process."""
    if engine != "sqlite":
        return cell.hash()
    import ibis

    @ibis.udf.scalar.python
    def hash_of_text(text: str) -> int:
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "little")

    return hash_of_text(cell.cast("string"))


def _positive(found):
    """Below PRIME, whatever integer an engine makes of a hash: its smallest has no absolute value."""
    return (found % PRIME + PRIME) % PRIME


def part_of(row_hash, seed: int | str):
    """int64 from 0 to PARTS - 1: of each row's hash, an Ibis expression or an array.

    a · hash + b modulo a prime, a and b from the seed: rows that one seed puts together another one does not
    (Carter and Wegman 1979, Universal classes of hash functions).
    """
    digest = hashlib.sha256(f"treecore {seed}".encode()).digest()
    a, b = (int.from_bytes(half, "little") % (PRIME - 1) + 1 for half in (digest[:16], digest[16:]))
    return (row_hash * a + b) % PRIME % PARTS


def ends_of(roles: Roles) -> list[tuple[int, int]]:
    """The parts (from, to) of each role, in the order of a split; TreecoreError for roles that need the rows."""
    if roles.column is not None or roles.order is not None:
        remedy = "Give fractions, or open three views"
        raise TreecoreError("Roles by a column or an order need the rows", where="Roles", remedy=remedy)
    if roles.estimation:
        what = "Estimation rows have to be here, as each of them is sent down the tree"
        raise TreecoreError(what, where="Roles", remedy="Set their share to 0, or take a sample of the table as a file")
    shares = [roles.train, roles.validation, roles.test, *([roles.pruning] if roles.pruning else [])]
    ends = np.rint(np.cumsum([0, *shares]) * PARTS).astype(int).tolist()
    return list(itertools.pairwise(ends))


def _deferred():
    import ibis

    return ibis._


def some_rows(source: DatabaseSource, relation, n: int, seed: int = 0):
    """About n rows, the same ones every time: those whose hash is small."""
    n_rows = source.run(relation.agg(n=_deferred().count()))["n"][0].as_py()
    if n_rows <= n:
        return relation
    return relation.filter(part_of(hash_of(relation, ()), f"sample {seed}") < round(n / n_rows * PARTS))


# A sample of an engine's rows that comes here, for all that needs rows themselves.

HASH = "hash of the row"


@dataclass(frozen=True, eq=False, repr=False)
class RowSample(Brief):
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


def row_sample(source: DatabaseSource, n: int = 10_000, seed: int = 0) -> RowSample:
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
    return RowSample(replace(raw, columns=columns, notes=(*raw.notes, *notes)), rows[HASH].to_numpy(), n_rows)


def _as_typed(column: RawColumn, kind) -> RawColumn:
    """The column with the levels of its words where the engine says that it is text, be they digits or dates."""
    if column.content != "text" or not kind.is_string():
        return column
    told = levelled(Plan(column.name, "nominal"), dict.fromkeys(column.cells.to_pylist(), 1), kind)
    places = np.array([*(told.texts[text] for text in column.cells.to_pylist()), -1], np.int32)
    places[places == told.n_distinct] = -1
    is_boolean = told.kind == "boolean"
    return replace(column, codes=places[column.codes], cells=told.levels, content="levels", boolean=is_boolean)


def _readable(source: DatabaseSource) -> tuple[dict, list[str]]:
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
