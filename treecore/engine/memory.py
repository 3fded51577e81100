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
MANY, RUNS, RUN = 10_000, 20, 100
"""Objects of a list of which not all are looked at; how many runs of them are, and how long one is."""


def of_machine() -> int:
    """Bytes of memory that this machine has, or that this process or the container it runs in may take."""
    result = []
    with suppress(ValueError, OSError, AttributeError):  # not on Windows
        result.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in CONTAINER_LIMITS:
        with suppress(ValueError, OSError):  # there is none, or it says "max"
            result.append(int(Path(path).read_text()))
    with suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        result += [limit for limit in resource.getrlimit(resource.RLIMIT_AS)[:1] if limit != resource.RLIM_INFINITY]
    return min(result, default=WHERE_UNKNOWN)


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
    their own small size, and very many in a row, such as the rules of a large tree, by some of them.
    """
    result, waiting = {}, [value]
    while waiting:
        item = waiting.pop()
        if item is None or id(item) in result:
            continue
        if isinstance(item, HOLD_NOTHING):
            result[id(item)] = sys.getsizeof(item)
            continue
        base = getattr(item, "base", None) if hasattr(item, "nbytes") else None
        if base is not None and hasattr(base, "nbytes"):  # a view of another array
            waiting.append(base)
        elif not _is_program(item):
            reckoned = _reckoned(item, result)
            result[id(item)] = _size(item) + (reckoned or 0)
            waiting.extend(_parts(item) if reckoned is None else ())
    return result


def _reckoned(item, known: dict[int, int]) -> int | None:
    """Bytes of the objects of a very long list, from runs of neighbours, which share what they have in common; None
    where the list is shorter, or may hold arrays, as other results may hold these, too."""
    if not isinstance(item, list | tuple) or len(item) < MANY or _holds_arrays(item[0]):
        return None
    starts = range(0, len(item) - RUN, len(item) // RUNS)
    n_bytes = sum(sum(n for key, n in buffers_of(item[at : at + RUN]).items() if key not in known) for at in starts)
    return n_bytes * len(item) // (len(starts) * RUN)


def _holds_arrays(item) -> bool:
    """Does an object, or a part of it, have the memory of an array?"""
    waiting, seen = [item], set()
    while waiting:
        item = waiting.pop()
        if hasattr(item, "nbytes"):
            return True
        if item is not None and id(item) not in seen and not isinstance(item, HOLD_NOTHING) and not _is_program(item):
            seen.add(id(item))
            waiting.extend(_parts(item))
    return False


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
