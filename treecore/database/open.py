"""Opening a table where it is, from an address: files, folders, databases and what else Ibis connects to."""

import sqlite3
from collections.abc import Iterable, Mapping
from glob import escape
from pathlib import Path

from treecore.database.column_summary import are_classes, level_columns
from treecore.database.connection import DatabaseSource, columns_of
from treecore.database.database_table import N_CODES, DatabaseTable
from treecore.database.engine_columns import Plan, as_text, plan_of
from treecore.engine.own_folder import own_folder
from treecore.errors import TreecoreError

MEMORY = "600MB"
"""What DuckDB may take of memory, unless it is said otherwise; beyond, it writes to a folder of its own. With what
Python takes and what is on its way between the two, the process stays below 1 GB.
"""
FILES = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv", ".json": "read_json"}
SQLITE = b"SQLite format 3"
"""How a file of SQLite begins."""
GIVEN = "given_database"
"""What a database file is called in the connection that reads it."""


def source_of(address, memory: str = MEMORY, seconds: float | None = None) -> DatabaseSource:
    """The source at an address, see open_table; TreecoreError where there is none, or no engine for it.

    seconds : that any query may take.
    """
    ibis = _ibis()
    if not isinstance(address, (str, Path)):
        if not isinstance(address, ibis.Table):
            remedy = "Give a path, a folder, a connection string with ::table, or an Ibis table"
            raise TreecoreError(
                f"{type(address).__name__} is not a table of an engine", where="open_table", remedy=remedy
            )
        backend = address.get_backend()
        if backend.name == "sqlite":
            remedy = "Give its address, sqlite:///path::table"
            raise TreecoreError("A connection to SQLite serves one thread only", where="open_table", remedy=remedy)
        return DatabaseSource(_named(address), backend, address, seconds)
    text = str(address)
    place, _, table = text.rpartition("::")
    return _in_database(ibis, place, table, memory, seconds) if place else _in_files(ibis, text, memory, seconds)


def _named(relation) -> str:
    try:
        return f"Table {relation.get_name()!r}"
    except Exception:  # an expression has no name
        return "Table"


def _in_database(ibis, place: str, table: str, memory: str, seconds: float | None) -> DatabaseSource:
    name, files = f"Table {table!r}", ""
    path = place.removeprefix("duckdb://").removeprefix("sqlite://")
    if path != place or "://" not in place:
        path = path[1:] if path.startswith("/") and not Path(path).exists() else path
        if not Path(path).is_file():
            raise TreecoreError("There is no such file", where=Path(path).name, remedy="Give the path of a database")
        files = escape(path)
        connect = lambda: _sqlite(ibis, path) if _is_sqlite(path) else _duckdb(ibis, memory, path)  # noqa: E731
    else:
        connect = lambda: ibis.connect(place)  # noqa: E731
    result = DatabaseSource(name, None, None, seconds, files=files)
    result.connection = result.attempt(connect)
    result.relation = result.attempt(lambda: _table(result.connection, table))
    return result


def _table(connection, table: str):
    schema, _, name = table.rpartition(".")
    if connection.name == "duckdb":
        return connection.table(name, database=f"{GIVEN}.{schema or 'main'}")
    return connection.table(name, database=schema) if schema else connection.table(name)


def _in_files(ibis, text: str, memory: str, seconds: float | None) -> DatabaseSource:
    path = Path(text)
    result = DatabaseSource(f"Files {path.name!r}", None, None, seconds)
    result.files, reader = _pattern(path)
    result.connection = result.attempt(lambda: _duckdb(ibis, memory))
    result.relation = result.attempt(lambda: getattr(result.connection, reader)(result.files))
    return result


def _pattern(path: Path) -> tuple[str, str]:
    """(what DuckDB is to read, the name of its reader); TreecoreError where there is nothing that it reads."""
    kinds = ", ".join(FILES)
    if path.is_dir():
        suffixes = [s for s in FILES if any(path.rglob(f"*{s}"))]
        if len(suffixes) != 1:
            what = "It has files of several kinds" if suffixes else "It has no files that can be read"
            raise TreecoreError(what, where=f"Folder {path.name!r}", remedy=f"Give a folder of one kind of: {kinds}")
        return str(path / "**" / f"*{suffixes[0]}"), FILES[suffixes[0]]
    suffix = "".join(path.suffixes[-2:]).lower().removesuffix(".gz")
    reader = next((FILES[s] for s in FILES if suffix.endswith(s)), None)
    if reader is None:
        raise TreecoreError(
            "It is no kind of file that the engine reads", where=path.name, remedy=f"Give one of: {kinds}"
        )
    if "*" not in str(path.parent) and not any(path.parent.glob(path.name)):
        raise TreecoreError("There is no such file", where=path.name, remedy="Give the path of a file or a folder")
    return str(path), reader


def _duckdb(ibis, memory: str, path: str | None = None):
    folder = str(own_folder("treecore-spilled"))
    settings = {"memory_limit": memory, "temp_directory": folder, "preserve_insertion_order": "false"}
    settings["force_compression"] = "uncompressed"  # of what is written down: codes are small as they are
    connection = ibis.duckdb.connect(**settings)
    if path is not None:  # beside it there is room to write codes down: a read-only connection has none
        place = path.replace("'", "''")
        connection.raw_sql(f"ATTACH '{place}' AS {GIVEN} (TYPE duckdb, READ_ONLY)")
    return connection


def _is_sqlite(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _sqlite(ibis, path: str):
    """Read-only. Queries run one at a time, in threads of their own, so that they can be ended."""
    place = f"{Path(path).absolute().as_uri()}?mode=ro"
    return ibis.sqlite.from_connection(sqlite3.connect(place, uri=True, check_same_thread=False))


def _ibis():
    try:
        import ibis
    except ImportError:
        raise TreecoreError(
            "Tables of databases need Ibis and DuckDB", where="open_table", remedy="pip install 'treecore[database]'"
        ) from None
    return ibis


def open_table(
    address: object,
    target: str | None = None,
    *,
    kinds: Mapping | None = None,
    features: Iterable[str] | None = None,
    key: str | Iterable[str] = (),
    n_codes: int = N_CODES,
    memory: str = MEMORY,
    refine: bool | None = None,
) -> DatabaseTable:
    """A table that is grown on where it is; no more of it than counts comes into memory.

    address : a Parquet, CSV or JSON file, a folder or a pattern of them; "duckdb:///sales.db::orders", a file of SQLite
        or what else Ibis connects to, with ::table at the end; or an Ibis table. It is only read.
    kinds, features : as of read_table; text is nominal and numbers are numeric, but for a target of few whole numbers.
    key : columns that tell rows apart, by which roles are dealt. n_codes : bins of a numeric feature with more values.
    memory : what DuckDB may take, where it is the engine.
    refine : search the values of the two bins beside each chosen cut for a better one, with one more query for every
        level; None where there are at most a million rows. Thresholds of 32 bits are not refined.
    Raises TreecoreError where there is nothing to read, or no right to.
    """
    source = source_of(address, memory)
    key = (key,) if isinstance(key, str) else tuple(key)
    return table_of_source(source, target, kinds or {}, features, key, n_codes, refine)


def table_of_source(
    source: DatabaseSource,
    target,
    kinds: Mapping,
    features,
    key: tuple[str, ...],
    n_codes: int,
    refine: bool | None = None,
) -> DatabaseTable:
    """The table of a source; the rest as in open_table."""
    types = dict(columns_of(source.relation))
    for name in (*kinds, *([target] if target else []), *(features or ()), *key):
        if name not in types:
            known = ", ".join(repr(n) for n in list(types)[:12])
            raise TreecoreError(f"There is no column {name!r}", where=source.name, remedy=f"The columns are: {known}")
    plans, notes = [], []
    for name, kind in types.items():
        plan = plan_of(name, kind, kinds.get(name))
        plans += [plan] if plan else []
        notes += [] if plan else [f"Column {name!r} was left out: no tree splits on its type, {kind}."]
    relation = source.relation
    if target:
        relation, more = _with_target(source, relation, target, dict(types), plans)
        plans = _classes(source, relation, target, types, kinds, plans)
        notes += more
    wanted = tuple(features) if features is not None else tuple(p.name for p in plans if p.name not in (target, *key))
    lost = [name for name in wanted if name not in {p.name for p in plans}]
    if lost:
        raise TreecoreError(
            f"No tree splits on its type, {types[lost[0]]}", where=f"Column {lost[0]!r}", remedy="Cast it in a view"
        )
    levels, too_many = level_columns(source, relation, tuple(p for p in plans if p.name in (*wanted, target)))
    if target in levels and (gone := levels[target].missing_texts):
        relation = relation.filter(~as_text(relation[target]).isin(gone))
        notes.append(f"{levels[target].n_missing} rows were left out: their target {target!r} is an empty text.")
    if features is None:
        names = {p.name for p in plans if p.kind != "numeric"} - set(levels)
        wanted, notes = tuple(n for n in wanted if n not in names), [*notes, *too_many]
    declared = {name: Plan(name, column.kind, column.levels, column.texts) for name, column in levels.items()}
    return DatabaseTable(source, relation, tuple(plans), target, wanted, n_codes, key, declared, tuple(notes), refine)


def _with_target(source: DatabaseSource, relation, target: str, types: Mapping, plans: list[Plan]):
    """(the rows with a target, sentences on the others)."""
    if target not in {p.name for p in plans}:
        raise TreecoreError(
            f"No tree predicts its type, {types[target]}", where=f"Target {target!r}", remedy="Cast it in a view"
        )
    cell = relation[target]
    known = as_text(cell).notnull()
    counts = source.run(relation.agg(n=relation.count(), known=known.sum())).to_pydict()
    lost = counts["n"][0] - (counts["known"][0] or 0)
    if lost and lost == counts["n"][0]:
        raise TreecoreError(
            "It is missing in every row", where=f"Target {target!r}", remedy="Choose another column to predict"
        )
    note = [f"{lost} of {counts['n'][0]} rows were left out: their target {target!r} is missing."] if lost else []
    return (relation.filter(known) if lost else relation), note


def _classes(
    source: DatabaseSource, relation, target: str, types: Mapping, kinds: Mapping, plans: list[Plan]
) -> list[Plan]:
    """The plans, where a target of few whole numbers has classes."""
    if target in kinds or not types[target].is_integer() or not are_classes(source, relation, target):
        return plans
    return [Plan(p.name, "nominal") if p.name == target else p for p in plans]
