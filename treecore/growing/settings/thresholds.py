"""Where thresholds stand."""

import numpy as np

from treecore.growing.settings.parts import ThresholdRule


def thresholds(rule: ThresholdRule, ordinal: bool, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (n,): thresholds between neighbouring values of a node, infinite where nothing known lies above.

    low, high : float64 (n,), NaN for a missing value. Ordinal levels are named by their index; a cut stands half way
    between two levels: above the last one that the rule's place does not exceed. So of levels that the node lacks those
    up to the middle go down, as in rpart, or none does where the rule takes the lower value itself, as ctree's.
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    known = ~np.isnan(high)
    placed = rule.place(low, np.where(known, high, low))
    return np.where(known, np.floor(placed) + 0.5 if ordinal else placed, np.inf)


def rounded(rule: ThresholdRule, values: np.ndarray) -> np.ndarray:
    """float64: the values in the precision in which the rule compares them; infinite where one is too large for it."""
    if rule.precision == "float64":
        return values
    with np.errstate(over="ignore"):
        return values.astype(rule.precision).astype(np.float64)
