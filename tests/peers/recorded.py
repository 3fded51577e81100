"""Numbers of a record beside ours. What a case does not record is not compared."""

from collections.abc import Mapping

import numpy as np


def differs(recorded: Mapping, name: str, ours, rtol: float = 1e-8, atol: float = 1e-12) -> bool:
    """Is a number, or a list of them, recorded under this name, and not ours? NaN is no number here and there."""
    theirs = recorded.get(name)
    if theirs is None:
        return False
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    return ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=rtol, atol=atol, equal_nan=True)


def first_difference_of(recorded: Mapping, ours: Mapping, rtol: float = 1e-8, atol: float = 1e-12) -> str:
    """The first of our numbers, by name, that is recorded otherwise, '' if there is none."""
    for name, value in ours.items():
        if differs(recorded, name, value, rtol, atol):
            return f"{name} {recorded[name]}, ours {value}"
    return ""


def prediction_difference(labels, numbers: np.ndarray, recorded: Mapping, equal=lambda row, ours, theirs: False) -> str:
    """The first row whose class, or whose probabilities (of numeric targets: value), are not the recorded ones.

    labels : our classes, None for a numeric target. numbers : float64 (n_rows, n_classes), or (n_rows,) values.
    equal : (row, our class, theirs) -> is either as good an answer?
    """
    if labels is not None and recorded.get("class") is not None:
        for row, (ours, theirs) in enumerate(zip(labels, recorded["class"], strict=True)):
            if ours != theirs and not equal(row, ours, theirs):
                return f"row {row} of {len(numbers)}: class {theirs}, ours {ours} {numbers[row]}"
    theirs = recorded.get("value" if labels is None else "prob")
    if theirs is None:
        return ""
    close = np.isclose(numbers, np.array(theirs, float), rtol=1e-8, atol=1e-12)
    wrong = np.flatnonzero(~close.reshape(len(numbers), -1).all(axis=1))
    return f"row {wrong[0]} of {len(numbers)}: {theirs[wrong[0]]}, ours {numbers[wrong[0]]}" if len(wrong) else ""
