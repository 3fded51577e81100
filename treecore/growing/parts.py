"""The choices a grower is made of, besides the criterion: registries of small entries."""

from dataclasses import dataclass

import numpy as np

from treecore.kernels.state import MULTIWAY, SUBSET
from treecore.registry import Registry


@dataclass(frozen=True)
class NominalSplit:
    """How a nominal or boolean feature branches; `code` is the kernels' name for it."""

    name: str
    label: str
    note: str
    code: int


NOMINAL_SPLITS = Registry(
    "nominal split",
    NominalSplit(
        "subset",
        "Two groups of levels",
        "The best binary grouping: exact for two classes and for regression (levels sorted by mean target), "
        "by enumeration up to 10 levels otherwise; beyond, a heuristic: levels sorted by each class's share.",
        SUBSET,
    ),
    NominalSplit(
        "multiway",
        "One branch per level",
        "A level without rows at the node gets an empty leaf that answers with the node's majority.",
        MULTIWAY,
    ),
)


def _midpoint(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Half way between two neighbouring values; the upper one where rounding would give the lower."""
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle <= low, high, middle)


def _float32_midpoint(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Half way between two neighbouring float32 values, held in double; the lower one if it rounds up."""
    middle = low / 2 + high / 2
    return np.where(middle >= high, low, middle)


@dataclass(frozen=True)
class ThresholdRule:
    """Where a threshold stands between two neighbouring values of a node, and which side it closes.

    place : (low, high) float64 arrays -> thresholds. closed : the low side is x <= threshold.
    precision : values are rounded to it before they are compared. min_gap : values no further apart
    than this count as one.
    """

    name: str
    label: str
    place: object
    closed: bool = False
    precision: str = "float64"
    min_gap: float = 0.0


THRESHOLD_RULES = Registry(
    "threshold rule",
    ThresholdRule("midpoint", "Mid-point, x < θ", _midpoint),
    ThresholdRule(
        "float32",
        "Mid-point of 32-bit values, x ≤ θ (scikit-learn)",
        _float32_midpoint,
        closed=True,
        precision="float32",
        min_gap=1e-7,
    ),
)


@dataclass(frozen=True)
class Choice:
    """A named alternative that needs no code of its own."""

    name: str
    label: str


ZERO_GAINS = Registry(
    "zero-gain choice",
    Choice("stop", "Stop when no split reduces the impurity"),
    Choice("split", "Split even when the best gain is 0"),
)
BRANCH_ORDERS = Registry(
    "branch order",
    Choice("value", "Low values first"),
    Choice("mean", "Smaller mean target first (rpart)"),
)
EMPTY_LEAVES = Registry(
    "empty-leaf rule",
    Choice("parent", "Answers with the parent's majority"),
    Choice("none", "Gives no answer (Weka's Id3)"),
)
MISSING_ROUTES = Registry(
    "missing-value strategy",
    Choice("majority", "Rows with a missing value follow the branch with more training weight"),
)
