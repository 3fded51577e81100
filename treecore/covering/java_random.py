"""Random numbers as java.util.Random draws them, so that Weka's shuffles can be drawn again."""

import numpy as np

FACTOR, STEP, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1


class JavaRandom:
    """The linear congruential generator of 48 bits. Source: documentation of java.util.Random (Knuth, vol. 2)."""

    def __init__(self, seed: int):
        self._state = (seed ^ FACTOR) & MASK

    def _next(self, bits: int) -> int:
        self._state = (self._state * FACTOR + STEP) & MASK
        return self._state >> (48 - bits)

    def whole(self) -> int:
        """Any signed number of 32 bits."""
        return signed(self._next(32))

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        if n & (n - 1) == 0:
            return (n * self._next(31)) >> 31
        while True:
            bits = self._next(31)
            value = bits % n
            if bits - value + n - 1 < 1 << 31:
                return value

    def shuffled(self, rows: np.ndarray) -> np.ndarray:
        """The rows in a drawn order: from the last on, each changes places with one not behind it."""
        found = rows.copy()
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found


def signed(number: int) -> int:
    """The last 32 bits as a signed number."""
    return ((number + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def text_hash(text: str) -> int:
    """String.hashCode of a text: signed, 32 bits, over its UTF-16 units."""
    units, found = text.encode("utf-16-be", "surrogatepass"), 0
    for at in range(0, len(units), 2):
        found = (31 * found + int.from_bytes(units[at : at + 2], "big")) & 0xFFFFFFFF
    return signed(found)
