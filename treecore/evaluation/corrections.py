"""What many tests at once do to a p-value: one entry per correction."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.registry import Registry


@dataclass(frozen=True)
class Correction:
    """A way to adjust the p-values of a family of tests.

    adjusted : float64 (m,) p-values, ascending -> float64 (m,), ascending too, none above 1; a test is beyond chance
        where this is at most the level. keeps : what then holds at the level.
    """

    name: str
    label: str
    formula: str
    keeps: str
    source: str
    adjusted: Callable


def adjust(p_values: np.ndarray, correction: str) -> np.ndarray:
    """float64 (m,), adjusted p-values in the order given; NaN, for no test, stays and is not counted."""
    p_values = np.asarray(p_values, np.float64)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    result = np.full(len(p_values), np.nan)
    result[order] = CORRECTIONS[correction].adjusted(p_values[order])
    return result


def _holm(p: np.ndarray) -> np.ndarray:
    return np.minimum(np.maximum.accumulate(np.arange(len(p), 0, -1) * p), 1.0)


def _benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    return np.minimum(np.minimum.accumulate((len(p) / np.arange(1, len(p) + 1) * p)[::-1])[::-1], 1.0)


CORRECTIONS = Registry(
    "correction",
    Correction(
        "holm",
        "Holm",
        r"\tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})",
        "the chance of even one false alarm in the whole tree is at most the level",
        "Holm (1979), Scandinavian Journal of Statistics 6; holds however the tests depend on each other.",
        _holm,
    ),
    Correction(
        "benjamini_hochberg",
        "Benjamini-Hochberg",
        r"\tilde p_{(i)} = \min_{j \ge i} \min(1, \tfrac{m}{j}\, p_{(j)})",
        "of the marked nodes, the share of false alarms is expected to be at most the level",
        "Benjamini and Hochberg (1995), JRSS B 57; for tests that are independent or positively dependent.",
        _benjamini_hochberg,
    ),
    Correction(
        "none",
        "None",
        r"\tilde p = p",
        "each node alone raises a false alarm with a chance of the level: expect that share of all nodes",
        "No correction: every node is judged as if it were the only one.",
        lambda p: p,
    ),
)
