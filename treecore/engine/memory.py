"""Memory: how much the machine has, what is free but still counts as the process's own, how much a result holds."""

import ctypes
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType

CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
WHERE_UNKNOWN = 8 << 30
HOLD_NOTHING = (str, bytes, bytearray, int, float, complex)
"""Types of what a wide table is full of, and that hold no other object."""


def of_machine() -> int:
    """Bytes of memory that this machine has, or that the container it runs in may take."""
    found = []
    with suppress(ValueError, OSError, AttributeError):  # not on Windows
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in CONTAINER_LIMITS:
        with suppress(ValueError, OSError):  # there is none, or it says "max"
            found.append(int(Path(path).read_text()))
    return min(found, default=WHERE_UNKNOWN)


def give_back() -> None:
    """Hand free memory back to the system, a matter of milliseconds: after work that needed much for a moment.

    pyarrow keeps what it has freed, and so does the C library on Linux between arrays that are still there. The next
    work of that size has to ask for it again, so this is not for what is done over and over.
    """
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)


def buffers_of(value) -> dict[int, int]:
    """id of a piece of memory -> its bytes, of all that a result holds: arrays, text, and what objects are made of.

    Views of an array count as the array that owns the memory. Objects that hold no data of their own are reckoned by
    their own small size.
    """
    found, waiting = {}, [value]
    while waiting:
        item = waiting.pop()
        if item is None or id(item) in found:
            continue
        if isinstance(item, HOLD_NOTHING):
            found[id(item)] = sys.getsizeof(item)
            continue
        base = getattr(item, "base", None) if hasattr(item, "nbytes") else None
        if base is not None and hasattr(base, "nbytes"):  # a view of another array
            waiting.append(base)
        elif not _is_program(item):
            found[id(item)] = _size(item)
            waiting.extend(_parts(item))
    return found


def _is_program(item) -> bool:
    """Does it belong to the program, whoever holds it? Compiled functions hold the compiler in turn, and connections
    to engines, which say of themselves that their rows are elsewhere, the drivers."""
    elsewhere = getattr(type(item), "rows_are_elsewhere", False)
    return callable(item) or isinstance(item, ModuleType) or elsewhere is True


def _size(item) -> int:
    size = getattr(item, "nbytes", None)
    return size if isinstance(size, int) else sys.getsizeof(item, 0)


def _parts(item) -> list:
    """What an object holds in turn."""
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, list | tuple | set | frozenset):
        return list(item)
    dtype = getattr(item, "dtype", None)
    if dtype is not None and getattr(dtype, "kind", "") == "O" and hasattr(item, "tolist"):
        return item.tolist() if isinstance(item.tolist(), list) else []
    slots = [getattr(item, name, None) for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())]
    named = getattr(item, "__dict__", None)
    return [*slots, *(named.values() if isinstance(named, dict) else ())]
