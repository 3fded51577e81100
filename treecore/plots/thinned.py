"""Which sizes of a long curve are drawn: as many as can be told apart, with every extreme."""

from collections.abc import Iterable

import numpy as np

MOST = 1000
"""Sizes that are all drawn: a browser takes seconds for tens of thousands of marks, most of which hide each other."""
STRIPS = 200
"""Of a longer curve's picture, side by side, each narrower than a mark."""


def steps_to_draw(x: np.ndarray, curves: Iterable[np.ndarray], log_x: bool, kept: Iterable[int] = ()) -> np.ndarray:
    """int64, descending: the steps of a curve that are drawn; all of them where they are few.

    x : the sizes, one per step, in falling order. curves : float64 of the same shape, which may be NaN. Of the steps
    in a strip the first, the last, and of each curve one of the least and one of the greatest are drawn. kept : steps
    that are drawn wherever they are.
    """
    step = np.arange(len(x))[::-1]
    if len(x) <= MOST:
        return step
    place = np.log(x) if log_x else x.astype(np.float64)
    strip = np.floor((place - place[-1]) * (STRIPS / max(place[0] - place[-1], 1e-9)))
    last = np.flatnonzero(np.append(strip[1:] != strip[:-1], True))
    first = np.append(0, last[:-1] + 1)
    drawn = [first, last, np.fromiter(kept, np.int64)]
    for curve in curves:
        order = np.lexsort((curve, -strip))  # strip after strip, from the least to the greatest
        drawn += [order[first], order[last]]
    return np.unique(np.concatenate(drawn))[::-1]
