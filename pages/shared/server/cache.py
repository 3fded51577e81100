"""Results that are dear to compute, kept by key and shared by all sessions of the server.

Streamlit's own cache would hash tables (by a sample of their rows) and replay the progress bar.
Keys here are made of fingerprints and recipe steps, so that equal keys mean equal results.
What is kept is bounded by its bytes, least recently used first, and goes with the last session that has used it.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from threading import Event, Lock

from streamlit.runtime.scriptrunner import get_script_run_ctx

from treecore.engine import memory

SHARE = 4
"""One part in so many of the machine's memory is for what is kept."""
MOST_BYTES = memory.of_machine() // SHARE


class Key(tuple):
    """A key that works out its hash once: long ones are part of many others, and each is looked up often in a run."""

    def __hash__(self) -> int:
        result = self.__dict__.get("hash")
        if result is None:
            result = self.__dict__["hash"] = super().__hash__()
        return result


class _Result:
    """A result, the memory that it holds and the sessions that have used it."""

    def __init__(self, value):
        self.value, self.buffers, self.users = value, memory.buffers_of(value), set()


_results: OrderedDict[Hashable, _Result] = OrderedDict()
_held_by: Counter = Counter()
"""Buffer -> how many of the results hold it: tables and the roles cut from them share most of theirs."""
_counted: dict[int, int] = {}
"""Buffer -> its bytes when it was first held: what holds others may grow meanwhile, and a text once it was encoded."""
_bytes = 0
_making: dict[Hashable, Event] = {}
"""What some session is making now -> set when it has made it, or has failed."""
_lock = Lock()
PATIENCE = 3.0
"""Seconds for which a session waits for what another one makes, before it makes it, too: a class opens a table at the
same moment, and each of its trees would be grown thirty times; who has stopped or moved on is held up no longer."""


def get(key: Hashable, make: Callable):
    """The result kept under `key`, made now if there is none. A `make` that raises leaves nothing behind."""
    with _lock:
        kept, made = _used(key), _making.get(key)
        if kept is None and made is None:
            _making[key] = Event()
    if kept is None and made is not None:
        made.wait(PATIENCE)
        with _lock:
            kept = _used(key)
    if kept is not None:
        return kept.value
    try:
        return _made(key, make)
    finally:
        if made is None:
            _making.pop(key).set()


def _made(key: Hashable, make: Callable):
    made = _Result(make())
    with _lock:
        kept = _used(key)
        if kept is not None:  # another session was faster
            return kept.value
        _keep(key, made)
        while _bytes > MOST_BYTES and len(_results) > 1:
            _drop(next(iter(_results)))
    return made.value


def find(key: Hashable, default=None):
    """The result kept under `key`, else the default; nothing is made."""
    with _lock:
        kept = _used(key)
    return default if kept is None else kept.value


def forget(key: Hashable) -> None:
    """Let go of what is kept under `key`."""
    with _lock:
        _drop(key)


def leave(user: str) -> None:
    """A session is over: what only it has used goes."""
    with _lock:
        for key, kept in list(_results.items()):
            kept.users.discard(user)
            if not kept.users:
                _drop(key)


def clear() -> None:
    """Forget everything."""
    with _lock:
        for key in list(_results):
            _drop(key)


def cached_bytes() -> int:
    """Bytes that all results hold together; what several of them hold counts once."""
    return _bytes


def _used(key: Hashable) -> _Result | None:
    kept = _results.get(key)
    if kept is not None:
        _results.move_to_end(key)
        kept.users.add(user())
    return kept


def user() -> str | None:
    """The id of the session that asks; None outside of sessions, which is never over."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def _keep(key: Hashable, made: _Result) -> None:
    global _bytes
    made.users.add(user())
    _results[key] = made
    for buffer, size in made.buffers.items():
        if not _held_by[buffer]:
            _counted[buffer] = size
            _bytes += size
        _held_by[buffer] += 1


def _drop(key: Hashable) -> None:
    global _bytes
    gone = _results.pop(key, None)
    for buffer in gone.buffers if gone else ():
        _held_by[buffer] -= 1
        if not _held_by[buffer]:
            del _held_by[buffer]
            _bytes -= _counted.pop(buffer)


# What the server keeps for a page that is loaded again, under a secret of the browser's: tables in memory, of a user
# who has left only their files.
#
# Nobody who does not have the secret can ask for it; nothing of it is written to a file that has a name.

HOURS = 12
MOST_TABLE_BYTES = memory.of_machine() // 8
"""Of all tables kept together; the one that was used longest ago goes first."""


@dataclass
class _SessionEntry:
    what: Mapping
    session: str
    of_table: object
    n_bytes: int
    used: float


_sessions: OrderedDict[str, _SessionEntry] = OrderedDict()
_session_lock = Lock()


def store_session(secret: str, session: str, what: Mapping, table: object) -> None:
    """Keep this of a session under the secret, in the place of what was there. table : what most bytes of it are of."""
    with _session_lock:
        former = _sessions.get(secret)
        known = former is not None and former.of_table is table
        n_bytes = former.n_bytes if known else sum(memory.buffers_of(table).values())
        _sessions[secret] = _SessionEntry(what, session, table, n_bytes, time.monotonic())
        _sessions.move_to_end(secret)
        _sweep(keep=secret)


def find_session(secret: str) -> Mapping | None:
    """What is kept under the secret; None when it is no longer there."""
    with _session_lock:
        _sweep()
        kept = _sessions.get(secret)
        return None if kept is None else kept.what


def owner_of(secret: str) -> str | None:
    """Whose work is kept under the secret; None where nothing is."""
    with _session_lock:
        return _sessions[secret].session if secret in _sessions else None


def shrink_session(session: str, less: Callable[[Mapping], Mapping]) -> None:
    """The session is over: of what is kept of it only that which `less` leaves."""
    with _session_lock:
        for kept in _sessions.values():
            if kept.session == session:
                smaller = less(kept.what)
                if len(smaller) < len(kept.what):
                    kept.what, kept.of_table, kept.n_bytes = smaller, None, 0


def forget_session(secret: str) -> None:
    """Let it go."""
    with _session_lock:
        _sessions.pop(secret, None)


def _sweep(keep: str = "") -> None:
    oldest, held = time.monotonic() - HOURS * 3600, _held()
    for secret, kept in list(_sessions.items()):  # what was used longest ago comes first
        if kept.used >= oldest and held <= MOST_TABLE_BYTES:
            break
        if secret != keep:
            del _sessions[secret]
            held = _held()


def _held() -> int:
    """Bytes of all tables; one that several keep counts once."""
    return sum({id(kept.of_table): kept.n_bytes for kept in _sessions.values()}.values())
