"""What a command is at, told on a terminal while it takes long and wiped away when it is done."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from treecore.brief import visible

PATIENCE = 0.5
"""Seconds of a command before it says what it is at."""
CLEAR = "\r\x1b[K"


class Stages:
    """The stages of one command, such as reading, answering, writing; nothing is told where stderr is no terminal."""

    def __init__(self):
        self._start = time.monotonic()

    @contextmanager
    def stage(self, words: str) -> Iterator[None]:
        """Told once the command has run for PATIENCE; the line is gone before anything else is said."""
        if not sys.stderr.isatty():
            yield
            return
        timer = self._tell_later(words)
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            _put(CLEAR)

    def _tell_later(self, words: str) -> Timer:
        left = PATIENCE - (time.monotonic() - self._start)
        timer = Timer(max(left, 0.0), _put, (told := f"{CLEAR}{visible(words)} …",))
        timer.daemon = True
        timer.start()
        if left <= 0:
            _put(told)
        return timer


def _put(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
