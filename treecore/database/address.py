"""From an address to a source: files, folders, databases and what else Ibis connects to."""

import sqlite3
from glob import escape
from pathlib import Path

from treecore.database.source import Source
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


def source_of(address, memory: str = MEMORY, seconds: float | None = None) -> Source:
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
        return Source(_named(address), backend, address, seconds)
    text = str(address)
    place, _, table = text.rpartition("::")
    return _in_database(ibis, place, table, memory, seconds) if place else _in_files(ibis, text, memory, seconds)


def _named(relation) -> str:
    try:
        return f"Table {relation.get_name()!r}"
    except Exception:  # an expression has no name
        return "Table"


def _in_database(ibis, place: str, table: str, memory: str, seconds: float | None) -> Source:
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
    found = Source(name, None, None, seconds, files=files)
    found.connection = found.told(connect)
    found.relation = found.told(lambda: _table(found.connection, table))
    return found


def _table(connection, table: str):
    schema, _, name = table.rpartition(".")
    if connection.name == "duckdb":
        return connection.table(name, database=f"{GIVEN}.{schema or 'main'}")
    return connection.table(name, database=schema) if schema else connection.table(name)


def _in_files(ibis, text: str, memory: str, seconds: float | None) -> Source:
    path = Path(text)
    found = Source(f"Files {path.name!r}", None, None, seconds)
    found.files, reader = _pattern(path)
    found.connection = found.told(lambda: _duckdb(ibis, memory))
    found.relation = found.told(lambda: getattr(found.connection, reader)(found.files))
    return found


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
