"""Random draws as Weka makes them: java.util.Random, the row text that seeds it, and the order of equal numbers."""

import numpy as np

from treecore.covering.value_rules import TrainingArrays

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
        order = rows.copy()
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def signed(number: int) -> int:
    """The last 32 bits as a signed number."""
    return ((number + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def text_hash(text: str) -> int:
    """String.hashCode of a text: signed, 32 bits, over its UTF-16 units."""
    units, value = text.encode("utf-16-be", "surrogatepass"), 0
    for at in range(0, len(units), 2):
        value = (31 * value + int.from_bytes(units[at : at + 2], "big")) & 0xFFFFFFFF
    return signed(value)


# Rows as Weka writes them, and numbers in its order: its draws begin from a row's text.

ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "%": "\\%"})


def first_random_row(rows: TrainingArrays, random: JavaRandom) -> str:
    """A drawn row as text: its values in the order of the features, then its class."""
    row = random.below(rows.n_rows)
    cells = [*rows.values[:, row], float(rows.labels[row])]
    return ",".join(_cell(value, texts) for value, texts in zip(cells, rows.texts, strict=True))


def _cell(value: float, texts: tuple[str, ...]) -> str:
    if np.isnan(value):
        return "?"
    if texts:
        return _quoted(texts[int(value)])
    shown = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _quoted(text: str) -> str:
    escaped = text.translate(ESCAPES)
    return f"'{escaped}'" if escaped != text or text in ("", "?") or any(c in text for c in " ,{}") else text


def rising(numbers: np.ndarray) -> np.ndarray:
    """int64 (n,): positions of the numbers from the least on; equal ones as a quicksort around the median of three
    leaves them."""
    place = list(range(len(numbers)))
    _sort(numbers, place, 0, len(place) - 1)
    return np.array(place, np.int64)


def _sort(numbers: np.ndarray, place: list[int], first: int, last: int) -> None:
    if last - first <= 2:
        for a, b in ((first, first + 1), (first, last), (first + 1, last)):
            if a < b <= last:
                _in_order(numbers, place, a, b)
        return
    middle = (first + last) // 2
    for a, b in ((first, middle), (first, last), (middle, last)):
        _in_order(numbers, place, a, b)
    _swap(place, middle, last - 1)
    low, high, pivot = first, last - 1, numbers[place[last - 1]]
    while True:
        low, high = low + 1, high - 1
        while numbers[place[low]] < pivot:
            low += 1
        while numbers[place[high]] > pivot:
            high -= 1
        if low >= high:
            break
        _swap(place, low, high)
    _swap(place, low, last - 1)
    _sort(numbers, place, first, low - 1)
    _sort(numbers, place, low + 1, last)


def _in_order(numbers: np.ndarray, place: list[int], a: int, b: int) -> None:
    if numbers[place[a]] > numbers[place[b]]:
        _swap(place, a, b)


def _swap(place: list[int], a: int, b: int) -> None:
    place[a], place[b] = place[b], place[a]
