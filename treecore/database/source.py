"""Where a table is: a connection, a relation of it, and how a query is run so that it can be stopped."""

import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from weakref import finalize

from treecore.database.ended import ended
from treecore.errors import TreecoreError

MEMORY = "1GB"
"""What DuckDB may take of memory, unless it is said otherwise; beyond, it writes to a folder of its own."""
FILES = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv", ".json": "read_json"}
GIVEN = "given_database"
"""What a database file is called in the connection that reads it."""
SECRET = re.compile(r"(?<=://)[^\s/@]*@|(?i:(?:password|passwd|pwd|token|secret)\s*=\s*)[^\s&;'\"]+")


@dataclass(eq=False)
class Source:
    """name : what may be told of it, without credentials. connection : an Ibis backend. relation : an Ibis table.

    seconds : that a query may take; None for as long as it likes.
    """

    rows_are_elsewhere = True

    name: str
    connection: object
    relation: object
    seconds: float | None = None
    _folders: list = field(default_factory=list)
    _forgotten: list = field(default_factory=list)
    _turn: threading.RLock = field(default_factory=threading.RLock)
    _here: threading.local = field(default_factory=threading.local)

    @property
    def engine(self) -> str:
        """Its name, as Ibis calls it."""
        return self.connection.name

    @property
    def is_duckdb(self) -> bool:
        """Is it the embedded engine?"""
        return self.engine == "duckdb"

    @contextmanager
    def watched(self, look: Callable[[], None]):
        """Queries of this thread that name no `look` of their own call this one meanwhile."""
        self._here.look = look
        try:
            yield
        finally:
            del self._here.look

    def run(self, query, look: Callable[[], None] | None = None):
        """The pyarrow table that an Ibis expression comes to. look : as in CountedTable.counter."""
        return self.told(query.to_pyarrow, look)

    def told(self, act: Callable, look: Callable[[], None] | None = None):
        """What `act` returns, with what goes wrong told as a TreecoreError. One query runs at a time."""
        look = look or getattr(self._here, "look", None)
        try:
            if look is None and self.seconds is None:
                with self._turn:
                    return act()
            return ended(act, self._turn, look or (lambda: None), self._interrupt, self.seconds)
        except TreecoreError:
            raise
        except TimeoutError:
            remedy = "Try again when it has less to do, take fewer columns, or ask its owner for more time"
            raise TreecoreError(
                f"It took longer than {self.seconds:g} seconds to answer", where=self.name, remedy=remedy
            ) from None
        except Exception as fault:
            raise self.fault(fault) from None

    def _interrupt(self) -> bool:
        """End what runs now; False where the engine has no way to."""
        given = getattr(self.connection, "con", None)
        stop = next((getattr(given, n) for n in ("interrupt", "cancel") if callable(getattr(given, n, None))), None)
        if stop is None:
            return False
        stop()
        return True

    def fault(self, fault: Exception) -> TreecoreError:
        """What went wrong, in one line and without credentials."""
        first = next((line.strip() for line in str(fault).splitlines() if line.strip()), type(fault).__name__)
        remedy = "See whether the table, its columns and your permission to read them are still there, and try again"
        return TreecoreError(f"The engine says: {without_secrets(first)[:300]}", where=self.name, remedy=remedy)

    def kept(self, query, look: Callable[[], None] | None = None):
        """The rows of a query, written down where the engine can read them sooner; None where it may not write.

        DuckDB has a database of ours beside it, other engines a temporary table, which only this connection sees.
        """
        while self._forgotten:
            self.drop(self._forgotten.pop())
        try:
            return self.told(lambda: self._written(query) if self.is_duckdb else query.cache(), look)
        except TreecoreError:  # where the rows cannot be read either, the next query says so
            return None

    def _written(self, query):
        name = f"kept_{next(self._numbers)}"
        return self.connection.create_table(name, query, database=f"{self._scratch}.main")

    def forget_with(self, owner, relation) -> None:
        """Forget what was kept once its owner is gone: before anything else is kept, as a query may run then."""
        finalize(owner, self._forgotten.append, relation).atexit = False

    def drop(self, relation) -> None:
        """Forget what was kept; it goes with the connection where that is lost."""
        with self._turn, suppress(Exception):
            if self.is_duckdb:
                self.connection.raw_sql(f"DROP TABLE {relation.get_name()}")
            else:
                relation.release()

    @cached_property
    def _numbers(self):
        return iter(range(1, 1 << 60))

    @cached_property
    def _scratch(self) -> str:
        """A database of ours in a folder of its own, which goes with this object."""
        folder = tempfile.TemporaryDirectory(prefix="treecore-", ignore_cleanup_errors=True)
        self._folders.append(folder)
        name = f"scratch_{id(self)}"
        path = str(Path(folder.name) / "kept.duckdb").replace("'", "''")
        self.connection.raw_sql(f"ATTACH '{path}' AS {name}")
        return name


def without_secrets(text: str) -> str:
    """The text without the users and passwords of connection strings."""
    return SECRET.sub("", text)


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
        return Source(_named(address), address.get_backend(), address, seconds)
    text = str(address)
    place, _, table = text.rpartition("::")
    return _in_database(ibis, place, table, memory, seconds) if place else _in_files(ibis, text, memory, seconds)


def _named(relation) -> str:
    try:
        return f"Table {relation.get_name()!r}"
    except Exception:  # an expression has no name
        return "Table"


def _in_database(ibis, place: str, table: str, memory: str, seconds: float | None) -> Source:
    name = f"Table {table!r}"
    path = place.removeprefix("duckdb://")
    if path != place or "://" not in place:
        path = path[1:] if path.startswith("/") and not Path(path).exists() else path
        if not Path(path).is_file():
            raise TreecoreError("There is no such file", where=Path(path).name, remedy="Give the path of a database")
        connect = lambda: _duckdb(ibis, memory, path)  # noqa: E731
    else:
        connect = lambda: ibis.connect(place)  # noqa: E731
    found = Source(name, None, None, seconds)
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
    pattern, reader = _pattern(path)
    found.connection = found.told(lambda: _duckdb(ibis, memory))
    found.relation = found.told(lambda: getattr(found.connection, reader)(pattern))
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
    folder = str(Path(tempfile.gettempdir()) / "treecore-spilled")
    settings = {"memory_limit": memory, "temp_directory": folder, "preserve_insertion_order": "false"}
    connection = ibis.duckdb.connect(**settings)
    if path is not None:  # beside it there is room to write codes down: a read-only connection has none
        place = path.replace("'", "''")
        connection.raw_sql(f"ATTACH '{place}' AS {GIVEN} (TYPE duckdb, READ_ONLY)")
    return connection


def _ibis():
    try:
        import ibis
    except ImportError:
        raise TreecoreError(
            "Tables of databases need Ibis and DuckDB", where="open_table", remedy="pip install 'treecore[database]'"
        ) from None
    return ibis


def columns_of(relation) -> Sequence[tuple[str, object]]:
    """(name, Ibis type) of each column."""
    return list(relation.schema().items())
