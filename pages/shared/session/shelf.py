"""What the server keeps for a page that is loaded again, under a secret of the browser's: tables in memory, of a user
who has left only their files.

Nobody who does not have the secret can ask for it; nothing of it is written to a file that has a name.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from treecore.engine import memory

HOURS = 12
MOST_BYTES = memory.of_machine() // 8
"""Of all tables kept together; the one that was used longest ago goes first."""


@dataclass
class _Kept:
    what: Mapping
    session: str
    of_table: object
    n_bytes: int
    used: float


_kept: OrderedDict[str, _Kept] = OrderedDict()
_lock = Lock()


def put(secret: str, session: str, what: Mapping, table: object) -> None:
    """Keep this of a session under the secret, in the place of what was there. table : what most bytes of it are of."""
    with _lock:
        former = _kept.get(secret)
        known = former is not None and former.of_table is table
        n_bytes = former.n_bytes if known else sum(memory.buffers_of(table).values())
        _kept[secret] = _Kept(what, session, table, n_bytes, time.monotonic())
        _kept.move_to_end(secret)
        _sweep(keep=secret)


def find(secret: str) -> Mapping | None:
    """What is kept under the secret; None when it is no longer there."""
    with _lock:
        _sweep()
        kept = _kept.get(secret)
        return None if kept is None else kept.what


def session_of(secret: str) -> str | None:
    """Whose work is kept under the secret; None where nothing is."""
    with _lock:
        return _kept[secret].session if secret in _kept else None


def leave(session: str, less: Callable[[Mapping], Mapping]) -> None:
    """The session is over: of what is kept of it only that which `less` leaves."""
    with _lock:
        for kept in _kept.values():
            if kept.session == session:
                smaller = less(kept.what)
                if len(smaller) < len(kept.what):
                    kept.what, kept.of_table, kept.n_bytes = smaller, None, 0


def forget(secret: str) -> None:
    """Let it go."""
    with _lock:
        _kept.pop(secret, None)


def _sweep(keep: str = "") -> None:
    oldest, held = time.monotonic() - HOURS * 3600, _held()
    for secret, kept in list(_kept.items()):  # what was used longest ago comes first
        if kept.used >= oldest and held <= MOST_BYTES:
            break
        if secret != keep:
            del _kept[secret]
            held = _held()


def _held() -> int:
    """Bytes of all tables; one that several keep counts once."""
    return sum({id(kept.of_table): kept.n_bytes for kept in _kept.values()}.values())
