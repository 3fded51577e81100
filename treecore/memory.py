"""Memory: how much the machine has, and what is free but still counts as the process's own."""

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path

CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
WHERE_UNKNOWN = 8 << 30


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
