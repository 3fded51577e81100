"""A column's codes in place of its values: the same routes, and no values need be looked up."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief


@dataclass(frozen=True, eq=False, repr=False)
class Scale(Brief):
    """The place of a value is its code; that of a number in between lies halfway between two codes.

    distinct : float64 (n,), ascending, the value of each code. fill : the number that stands in for a missing value, or
    None. precision : "float32" where values are rounded to it before a threshold is applied. binned : the feature
    branches by bins, and no value is above an infinite cut.
    """

    distinct: np.ndarray
    fill: float | None
    precision: str
    binned: bool

    @property
    def missing(self) -> float:
        """The place of a missing value; NaN where nothing is filled in."""
        if self.fill is None:
            return np.nan
        at = int(np.searchsorted(self.distinct, self.fill))
        return at if at < len(self.distinct) and self.distinct[at] == self.fill else at - 0.5

    def limits(self, threshold: np.ndarray, closed: np.ndarray) -> np.ndarray:
        """float64: the largest place on the low side of each threshold, -1 where there is none.

        closed : bool, a value equal to the threshold is on the low side.
        """
        if self.binned:
            closed = closed | (threshold == np.inf)
        if self.precision == "float32":
            threshold, closed = before_rounding(threshold, closed)
        n = np.searchsorted(self.distinct, threshold, side="left")
        n[closed] = np.searchsorted(self.distinct, threshold[closed], side="right")
        limit = n - 1.0
        if self.fill is None:
            return limit
        filled_low = np.where(closed, self.fill <= threshold, self.fill < threshold)
        return np.where(filled_low, np.maximum(limit, self.missing), limit)


def before_rounding(threshold: np.ndarray, closed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(threshold, closed) that part values as the given ones part the same values rounded to float32."""
    with np.errstate(over="ignore"):
        low = threshold.astype(np.float32)
        low = np.where(closed & (low <= threshold) | (low < threshold), low, np.nextafter(low, np.float32(-np.inf)))
        high = np.nextafter(low, np.float32(np.inf))
        # what rounds to infinity lies nearer to 2 ** 128 than to the largest float32
        ends = [np.clip(x.astype(np.float64), -(2.0**128), 2.0**128) for x in (low, high)]
        middle = np.where(low == np.inf, np.inf, 0.5 * ends[0] + 0.5 * ends[1])
        middle[~closed & (threshold == -np.inf)] = -np.inf  # nothing is below it
        return middle, middle.astype(np.float32) <= low
