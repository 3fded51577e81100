"""Rows as Weka writes them, and numbers in its order: its draws begin from a row's text."""

import numpy as np

from treecore.covering.java_random import JavaRandom
from treecore.covering.rows import Rows

ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "%": "\\%"})


def first_random_row(rows: Rows, random: JavaRandom) -> str:
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
