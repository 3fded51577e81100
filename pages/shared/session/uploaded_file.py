"""A file that the user gave, kept to be read again in another way: a large one on the disk, not in memory."""

import hashlib
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

MOST_IN_MEMORY = 1 << 20


class KeptFile:
    """Name and bytes of a file; it goes with the session that keeps it."""

    def __init__(self, name: str, content: bytes):
        self.name = name
        self._lock = Lock()  # tabs that go on with the same work read the same file
        self._file = _on_disk(content) or BytesIO(content)

    def content(self) -> bytes:
        """The bytes as they came in."""
        return self.head(-1)

    def read(self, n_bytes: int = -1) -> bytes:
        """The same, of something open: always from the beginning."""
        return self.head(n_bytes)

    @cached_property
    def digest(self) -> str:
        """What tells its bytes from those of other files."""
        return hashlib.sha256(self.content()).hexdigest()

    def head(self, n_bytes: int) -> bytes:
        """The first of them."""
        with self._lock:
            self._file.seek(0)
            return self._file.read(n_bytes)


def _on_disk(content: bytes) -> IO[bytes] | None:
    """A file without a name; None for a small one, and where there is no room for it."""
    if len(content) <= MOST_IN_MEMORY:
        return None
    with suppress(OSError):
        file = TemporaryFile()  # noqa: SIM115, closed with the session
        file.write(content)
        file.flush()
        return file
    return None
