"""Is a class as frequent as the tree says? Rows in bins of the share that they are told."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.judging.answers import Answers

N_BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Brief):
    """Bins of equal width with rows in them; entry i of each array is one bin, by rising share.

    low, high : float64, low <= share < high, the last bin with its end. n_rows : int64. weight : float64.
    said : float64, mean share that the rows are told. true : float64, share of the class among them.
    """

    low: np.ndarray
    high: np.ndarray
    n_rows: np.ndarray
    weight: np.ndarray
    said: np.ndarray
    true: np.ndarray

    @property
    def error(self) -> float:
        """Expected calibration error: mean |said - true| over the rows. Source: Naeini et al. (2015)."""
        return float(np.average(np.abs(self.said - self.true), weights=self.weight)) if len(self.said) else np.nan


def calibration(answers: Answers, positive: str, n_bins: int = N_BINS) -> Calibration:
    """How often rows are of class `positive`, by the share of it that they are told; rows without an answer left out.

    Source: DeGroot and Fienberg (1983).
    """
    if positive not in answers.classes:
        remedy = "Name one of: " + ", ".join(answers.classes) if answers.classes else "Look at the errors instead"
        raise TreecoreError(f"{positive!r} is no class", where="positive", remedy=remedy)
    if n_bins < 1:
        raise TreecoreError(f"{n_bins} bins cannot be filled", where="bins", remedy="Choose one or more")
    k = answers.classes.index(positive)
    share, weight = answers.shares[:, k], answers.weight
    counted = ~np.isnan(share) & (weight > 0)
    share, weight, true = share[counted], weight[counted], (answers.truth == k)[counted]
    # 3 of 10 is in the bin that starts at .3, although .3 * 10 is not 3 in floating point everywhere
    place = np.minimum((share * n_bins + 1e-9).astype(np.int64), n_bins - 1)
    rows, total = np.bincount(place, minlength=n_bins), np.bincount(place, weight, n_bins)
    filled = np.flatnonzero(rows)
    said, hits = np.bincount(place, weight * share, n_bins), np.bincount(place, weight * true, n_bins)
    low = filled / n_bins
    of = total[filled]
    return Calibration(low, (filled + 1) / n_bins, rows[filled], of, said[filled] / of, hits[filled] / of)
