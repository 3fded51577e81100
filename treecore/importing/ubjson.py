"""Universal Binary JSON, as XGBoost saves models by default; nothing larger than the file is made of it."""

from typing import Any

import numpy as np

NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
CONSTANTS = {"Z": None, "N": None, "T": True, "F": False}
DEEPEST = 50


def from_ubjson(data: bytes) -> Any:
    """The value in these bytes; arrays of numbers are NumPy arrays. ValueError for anything else."""
    reader = _Bytes(data)
    return reader.value(reader.mark(), 0)


class _Bytes:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        if n < 0 or self.at + n > len(self.data):
            raise ValueError("the file ends too soon")
        self.at += n
        return self.data[self.at - n : self.at]

    def mark(self) -> str:
        """The letter that says what comes."""
        return self.take(1).decode("latin-1")

    def number(self, mark: str) -> int | float:
        kind = np.dtype(NUMBERS[mark])
        return np.frombuffer(self.take(kind.itemsize), kind)[0].item()

    def size(self) -> int:
        found = self.number(self.mark())
        if not isinstance(found, int) or not 0 <= found <= len(self.data):
            raise ValueError("a length is impossible")
        return found

    def text(self) -> str:
        return self.take(self.size()).decode("utf-8")

    def value(self, mark: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("it is nested too deep")
        if mark in NUMBERS:
            return self.number(mark)
        if mark in CONSTANTS:
            return CONSTANTS[mark]
        if mark == "C":
            return self.mark()
        if mark in "SH":
            return self.text()
        if mark in "[{":
            return self.container(mark, depth)
        raise ValueError(f"{mark!r} begins no value")

    def container(self, opened: str, depth: int) -> Any:
        kind, n, mark = None, None, self.mark()
        if mark == "$":
            kind, mark = self.mark(), self.mark()
            if mark != "#":
                raise ValueError("a length is missing")
        if mark == "#":
            n = self.size()
        if opened == "[" and kind in NUMBERS:
            dtype = np.dtype(NUMBERS[kind])
            return np.frombuffer(self.take(n * dtype.itemsize), dtype).astype(dtype.newbyteorder("="))
        if kind in CONSTANTS:
            raise ValueError("constants are not counted")
        made: Any = {} if opened == "{" else []
        closed, done = "}" if opened == "{" else "]", 0
        while done != n if n is not None else mark != closed:
            if n is not None:
                mark = "" if opened == "{" else kind or self.mark()
            if opened == "{":
                name = self.take(self.size() if n is not None else self._size_of(mark)).decode("utf-8")
                made[name] = self.value(kind or self.mark(), depth + 1)
            else:
                made.append(self.value(mark, depth + 1))
            done += 1
            mark = mark if n is not None else self.mark()
        return made

    def _size_of(self, mark: str) -> int:
        """A length whose letter was read already."""
        found = self.number(mark)
        if not isinstance(found, int) or found < 0:
            raise ValueError("a length is impossible")
        return found
