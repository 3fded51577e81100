"""Numeric features that branch by bins: which settings allow it, and their codes and edges."""

import numpy as np

from treecore.data.discretize import BINNINGS, classes_of, cut_points
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import NUMERIC_SPLITS, SELECTORS, SPLIT_SCORES, THRESHOLD
from treecore.kernels.state import TESTED


def in_bins(codes: np.ndarray, values: np.ndarray, table: Table, growth: GrowSettings) -> tuple[np.ndarray, np.ndarray]:
    """(int32 (n_rows,) codes of bins, float64 (n_bins,) their upper edges, the last one infinite).

    codes, values : of a numeric feature as thresholds would see it; the largest code stands for missing. The bins are
    those of the table's rows, which are the training rows; a value equal to an edge lies above it.
    """
    numbers = np.append(values, np.nan)
    cuts = cut_points(numbers[codes], table.weights, *classes_of(table), growth.numeric, growth.bins)
    edges = np.append(cuts, np.inf)
    bin_of = np.append(np.searchsorted(cuts, values, side="right"), len(edges)).astype(np.int32)
    return bin_of[codes], edges


def check_bins_fit(table: Table, growth: GrowSettings) -> None:
    """TreecoreError where target or other settings leave no sense to numeric features that branch by bins."""
    if growth.numeric == THRESHOLD:
        return
    found = _in_the_way(growth)
    if not found and BINNINGS[growth.numeric].needs_classes and table.task == "regression":
        found = f"{BINNINGS[growth.numeric].label} needs classes, and the target {table.target!r} is a number"
        fitting = (name for name in NUMERIC_SPLITS if name == THRESHOLD or not BINNINGS[name].needs_classes)
        raise TreecoreError(found, where="numeric", remedy="Choose one of: " + ", ".join(fitting))
    if found:
        what, other = found
        raise TreecoreError(what, where="numeric", remedy=f"Set numeric to {THRESHOLD!r}, or take another {other}")


def _in_the_way(growth: GrowSettings) -> tuple[str, str] | None:
    """(what is wrong, the setting that it comes from), None where bins are possible."""
    score, selector = SPLIT_SCORES[growth.score], SELECTORS[growth.selector]
    if selector.code == TESTED:
        return f"{selector.label} finds the cuts by its test, bins mean nothing to it", "selector"
    if score.binary:
        return f"{score.label} is defined for two branches, one branch per bin has more", "score"
    return None
