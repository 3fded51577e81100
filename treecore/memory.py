"""Memory that is free but still counts as the process's own."""

import ctypes
import sys
from contextlib import suppress


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
