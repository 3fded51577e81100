"""A connection to a database and a relation of it: queries that can be cancelled, and whether the table has changed."""

import re
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from glob import glob
from os import stat
from pathlib import Path
from typing import Any
from weakref import finalize

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.figures import counted

LOOK_EVERY = 0.2
"""Seconds between two looks at whether a running query is still wanted."""
MOST_TRIES = 50
"""Looks that a query which was told to end may take to do so; then nobody waits for it any more."""


def cancellable_query(
    act: Callable, turn: threading.RLock, look: Callable[[], None], interrupt: Callable[[], bool], seconds: float | None
):
    """What `act` returns, which runs when it has its turn; `look` is called meanwhile, and may raise to end it.

    interrupt : ends what runs now, and says whether it could. TimeoutError where it takes longer than `seconds`.
    """
    work = _Work(act, turn)
    until = None if seconds is None else time.monotonic() + seconds
    try:
        while work.thread.is_alive():
            work.thread.join(LOOK_EVERY)
            look()
            if until is not None and time.monotonic() > until and work.thread.is_alive():
                raise TimeoutError
    except BaseException:
        work.give_up(interrupt)
        raise
    if work.faults:
        raise work.faults[0]
    return work.found[0]


class _Work:
    """found, faults : what came of it."""

    def __init__(self, act: Callable, turn: threading.RLock):
        self.found: list[Any] = []
        self.faults: list[BaseException] = []
        self._act, self._turn = act, turn
        self._runs, self._gone = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with self._turn:
                if not self._gone.is_set():
                    self._runs.set()
                    self.found.append(self._act())
        except BaseException as fault:
            self.faults.append(fault)

    def give_up(self, interrupt: Callable[[], bool]) -> None:
        """End it if it runs; an interrupt that comes before the engine has begun is lost, so that it is repeated."""
        self._gone.set()
        for _ in range(MOST_TRIES):
            if not (self._runs.is_set() and self.thread.is_alive() and interrupt()):
                return
            self.thread.join(LOOK_EVERY)


# Where a table is: a connection, a relation of it, and how a query is run so that it can be stopped.

WAITS = (0.2, 1.0, 2.0, 5.0, 10.0)
"""Seconds before each try to connect anew."""
STOPS = ("interrupt", "cancel", "interruptAll")
"""What DuckDB, PostgreSQL and a session of Spark call it to end what runs."""
CAUSE = re.compile(r"\w+(Error|Exception): ")
"""How the last line of a trace begins, where the first line of a message only announces it."""
SECRET = re.compile(
    r"(?<=://)\S*@|(?i:(?:password|passwd|pwd|token|secret)\s*=\s*)[^\s&;'\"]+"
    r"| (?:for )?(?:user|role) [\"'][^\"']*[\"']"
)
"""A password may hold the signs that end one; messages of servers name the user."""
FOLDERS = re.compile(r"(?<=[\"'])/(?:[^\"'/]+/)+")
"""Of a file whose path a message quotes: they are the owner's."""


REMEDIES = (
    (
        "missing dependencies",
        "Install what Ibis needs for this database: pip install 'ibis-framework[postgres]' or the like",
    ),
    (
        r"password authentication|authentication failed|login failed|access denied for user|no password supplied",
        "See whether the user and the password are right, and connect again",
    ),
    (
        r"permission denied|insufficient privilege|not authorized|access denied|command denied",
        "Ask the owner of the database for the right to read this table, and try again",
    ),
    (
        r"translate host|resolve host|name or service not known|unknown .*host|nodename nor servname",
        "Look at the spelling of the host, and whether this machine can reach its network",
    ),
    (
        r"connection refused|no route to host|could not connect|timeout expired|timed out",
        "See whether the database runs there, at this port, and lets this machine in",
    ),
    ("", "See whether the table, its columns and your permission to read them are still there, and try again"),
)
"""What helps, by what the message of an engine holds; the first one that fits."""


class NoAnswer(TreecoreError):
    """The engine gives none now; it may when it is asked again."""


class ConnectionLost(NoAnswer):
    """The engine answers nothing any more."""


@dataclass(eq=False, repr=False)
class DatabaseSource(Brief):
    """name : what may be told of it, without credentials. connection : an Ibis backend. relation : an Ibis table.

    seconds : that a query may take; None for as long as it likes. n_connections : made so far; what is kept belongs to
    the last one. files : a pattern of those that it is read from; '' where there are none on this machine.
    """

    rows_are_elsewhere = True

    name: str
    connection: Any
    relation: Any
    seconds: float | None = None
    n_connections: int = 1
    files: str = ""
    _folders: list = field(default_factory=list)
    _forgotten: list = field(default_factory=list)
    _cached: dict = field(default_factory=dict)
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
        """The pyarrow table that an Ibis expression comes to. look : as in CountedTable.counter.

        Where the connection is lost, it is asked again on a new one, so that it must use nothing that was kept.
        """
        try:
            return self.attempt(query.to_pyarrow, look)
        except ConnectionLost:
            self.reconnect(look)
            return self.attempt(query.to_pyarrow, look)

    def attempt(self, act: Callable, look: Callable[[], None] | None = None):
        """What `act` returns, with what goes wrong told as a TreecoreError. One query runs at a time."""
        look = look or getattr(self._here, "look", None)
        try:
            if look is None and self.seconds is None:
                with self._turn:
                    return act()
            return cancellable_query(act, self._turn, look or (lambda: None), self._interrupt, self.seconds)
        except TreecoreError:
            raise
        except TimeoutError:
            remedy = "Try again when it has less to do, take fewer columns, or ask its owner for more time"
            raise NoAnswer(
                f"It took longer than {self.seconds:g} s to answer", where=self.name, remedy=remedy
            ) from None
        except Exception as fault:
            raise self.fault(fault, ConnectionLost if self._is_lost() else NoAnswer) from None

    def _is_lost(self) -> bool:
        """Does the engine answer nothing any more?"""
        if self.connection is None or self.is_duckdb:
            return False
        try:
            self.connection.execute(_one())
        except Exception:
            return True
        return False

    def reconnect(self, look: Callable[[], None] | None = None) -> None:
        """Connect anew, with some patience; what was kept is gone. ConnectionLost where that does not help."""
        for wait in WAITS:
            for _ in range(round(wait / LOOK_EVERY)):
                time.sleep(LOOK_EVERY)
                (look or getattr(self._here, "look", None) or (lambda: None))()
            with suppress(TreecoreError):
                self.attempt(self.connection.reconnect, look)
                self.n_connections += 1
                for relation in list(self._cached.values()):
                    self.drop(relation)
                return
        remedy = "Try again when the database can be reached; growing begins anew then"
        raise ConnectionLost("The connection was lost and could not be made again", where=self.name, remedy=remedy)

    def _interrupt(self) -> bool:
        """End what runs now; False where the engine has no way to."""
        within = (getattr(self.connection, name, None) for name in ("con", "_session"))
        stops = (getattr(given, name, None) for given in within for name in STOPS)
        stop = next((stop for stop in stops if callable(stop)), None)
        if stop is None:
            return False
        stop()
        return True

    def fault(self, fault: Exception, kind: type[TreecoreError] = NoAnswer) -> TreecoreError:
        """What went wrong, in one line and without credentials."""
        if type(fault).__name__ == "TableNotFound":
            remedy = "Look at its spelling, and put the schema before it where there are several: schema.table"
            return kind("There is no such table", where=self.name, remedy=remedy)
        lines = [line.strip() for line in str(fault).splitlines() if line.strip()] or [type(fault).__name__]
        causes = [line for line in lines if CAUSE.match(line)] if lines[0].endswith(":") else []
        first = " ".join(lines[:1] + causes[-1:])
        remedy = next(remedy for held, remedy in REMEDIES if re.search(held, str(fault), re.IGNORECASE))
        first = FOLDERS.sub("", without_secrets(first))[:300].rstrip(".")
        return kind(f"The engine says: {first}", where=self.name, remedy=remedy)

    def cached(self, query, look: Callable[[], None] | None = None):
        """The rows of a query, written down where the engine can read them sooner; None where it may not write.

        DuckDB has a database of ours beside it, other engines a temporary table, which only this connection sees.
        """
        while self._forgotten:
            self.drop(self._forgotten.pop())
        try:
            kept = self.attempt(lambda: self._written(query), look)
        except TreecoreError:  # where the rows cannot be read either, the next query says so
            return None
        self._cached[kept.get_name()] = kept
        return kept

    def _written(self, query):
        if self.is_duckdb:
            name = f"kept_{next(self._numbers)}"
            return self.connection.create_table(name, query, database=f"{self._scratch}.main")
        self.connection._run_pre_execute_hooks(query)  # Ibis forgets its functions when it caches
        kept = query.cache()
        with suppress(AttributeError, KeyError):  # Ibis would drop it in the middle of whatever frees its memory
            self.connection._cache_name_to_entry[kept.get_name()].finalizer.detach()
        return kept

    def forget_with(self, owner, relation) -> None:
        """Forget what was kept once its owner is gone: before anything else is kept, as a query may run then."""
        finalize(owner, self._forgotten.append, relation).atexit = False

    def drop(self, relation) -> None:
        """Forget what was kept; it goes with the connection where that is lost."""
        self._cached.pop(relation.get_name(), None)
        with self._turn, suppress(Exception):
            try:
                relation.release()
            # not a table that Ibis keeps; or its DROP lacks the name, as with sqlglot 30 to PostgreSQL
            except Exception:
                self.connection.raw_sql(f"DROP TABLE {relation.get_name()}")

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


def columns_of(relation) -> Sequence[tuple[str, object]]:
    """(name, Ibis type) of each column."""
    return list(relation.schema().items())


def _one():
    import ibis

    return ibis.literal(1)


# Whether a table that stays where it is has changed: by its count of rows, and by when its files were written.


@dataclass(frozen=True)
class Snapshot:
    """How a table was at a moment. n_rows : of all of it. files : (path, bytes, time of writing in ns) of each of its
    files; () where it is in none that can be seen from here."""

    n_rows: int
    files: tuple[tuple[str, int, int], ...] = ()

    def change_to(self, now: "Snapshot") -> str:
        """What is different, in words: "60,000 rows then, 50,000 now"; '' for nothing."""
        if now.n_rows != self.n_rows:
            return f"{counted(self.n_rows, 'row')} then, {now.n_rows:,} now"
        return "its files were written anew, with as many rows" if now.files != self.files else ""


def snapshot(source: DatabaseSource) -> Snapshot:
    """How the table is now, with one query for the count of its rows; TreecoreError as of any query."""
    files = files_of(source)  # before the count: what is written meanwhile shows next time
    return Snapshot(int(source.run(source.relation.agg(n=source.relation.count()))["n"][0].as_py()), files)


def files_of(source: DatabaseSource) -> tuple[tuple[str, int, int], ...]:
    """Those of a Snapshot, without a query."""
    result = []
    for path in sorted(glob(source.files, recursive=True)) if source.files else ():
        with suppress(OSError):  # it went since it was listed
            about = stat(path)
            result.append((path, about.st_size, about.st_mtime_ns))
    return tuple(result)
