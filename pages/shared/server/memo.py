"""Results that are dear to compute, kept by key and shared by all sessions of the server.

Streamlit's own cache would hash tables (by a sample of their rows) and replay the progress bar.
Keys here are made of fingerprints and recipe steps, so that equal keys mean equal results.
What is kept is bounded by its bytes, least recently used first, and goes with the last session that has used it.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from streamlit.runtime.scriptrunner import get_script_run_ctx

from treecore.engine import memory

SHARE = 4
"""One part in so many of the machine's memory is for what is kept."""
MOST_BYTES = memory.of_machine() // SHARE


class Key(tuple):
    """A key that works out its hash once: long ones are part of many others, and each is looked up often in a run."""

    def __hash__(self) -> int:
        found = self.__dict__.get("hash")
        if found is None:
            found = self.__dict__["hash"] = super().__hash__()
        return found


class _Kept:
    """A result, the memory that it holds and the sessions that have used it."""

    def __init__(self, value):
        self.value, self.buffers, self.users = value, memory.buffers_of(value), set()


_kept: OrderedDict[Hashable, _Kept] = OrderedDict()
_held_by: Counter = Counter()
"""Buffer -> how many of the results hold it: tables and the roles cut from them share most of theirs."""
_counted: dict[int, int] = {}
"""Buffer -> its bytes when it was first held: what holds others may grow meanwhile, and a text once it was encoded."""
_bytes = 0
_lock = Lock()


def get(key: Hashable, make: Callable):
    """The result kept under `key`, made now if there is none. A `make` that raises leaves nothing behind."""
    with _lock:
        kept = _used(key)
    if kept is not None:
        return kept.value
    made = _Kept(make())
    with _lock:
        kept = _used(key)
        if kept is not None:  # another session was faster
            return kept.value
        _keep(key, made)
        while _bytes > MOST_BYTES and len(_kept) > 1:
            _drop(next(iter(_kept)))
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
        for key, kept in list(_kept.items()):
            kept.users.discard(user)
            if not kept.users:
                _drop(key)


def clear() -> None:
    """Forget everything."""
    with _lock:
        for key in list(_kept):
            _drop(key)


def kept_bytes() -> int:
    """Bytes that all results hold together; what several of them hold counts once."""
    return _bytes


def _used(key: Hashable) -> _Kept | None:
    kept = _kept.get(key)
    if kept is not None:
        _kept.move_to_end(key)
        kept.users.add(user())
    return kept


def user() -> str | None:
    """The id of the session that asks; None outside of sessions, which is never over."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def _keep(key: Hashable, made: _Kept) -> None:
    global _bytes
    made.users.add(user())
    _kept[key] = made
    for buffer, size in made.buffers.items():
        if not _held_by[buffer]:
            _counted[buffer] = size
            _bytes += size
        _held_by[buffer] += 1


def _drop(key: Hashable) -> None:
    global _bytes
    gone = _kept.pop(key, None)
    for buffer in gone.buffers if gone else ():
        _held_by[buffer] -= 1
        if not _held_by[buffer]:
            del _held_by[buffer]
            _bytes -= _counted.pop(buffer)
