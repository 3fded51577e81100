"""Numeric features that branch by bins: which settings allow it, and their codes and edges."""

import numpy as np

from treecore.data.column import Column
from treecore.data.discretize import BINNINGS, classes_of, cut_points
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import NUMERIC_SPLITS, SELECTORS, SPLIT_SCORES, THRESHOLD
from treecore.kernels.state import TESTED


def branches_by_bins(column: Column, growth: GrowSettings) -> bool:
    """Does this feature branch into bins, by the settings for all or by edges of its own?"""
    return column.kind == "numeric" and (growth.numeric != THRESHOLD or column.name in dict(growth.edges))


def edges_in_force(table: Table, growth: GrowSettings) -> dict[str, tuple[float, ...]]:
    """The edges that are given for numeric features of the table."""
    return {name: edges for name, edges in growth.edges
            if name in table.features and table.column(name).kind == "numeric"}  # fmt: skip


def in_bins(
    codes: np.ndarray, values: np.ndarray, name: str, table: Table, growth: GrowSettings
) -> tuple[np.ndarray, np.ndarray]:
    """(int32 (n_rows,) codes of bins, float64 (n_bins,) their upper edges, the last one infinite).

    codes, values : of a numeric feature as thresholds would see it; the largest code stands for missing. name : of the
    feature. The bins are those between the edges given for it, or those of the table's rows, which are the training
    rows; a value equal to an edge lies above it.
    """
    numbers, given = np.append(values, np.nan), dict(growth.edges).get(name)
    if given is None:
        cuts = cut_points(numbers[codes], table.weights, *classes_of(table), growth.numeric, growth.bins)
    else:
        cuts = np.array(given)
    edges = np.append(cuts, np.inf)
    bin_of = np.append(np.searchsorted(cuts, values, side="right"), len(edges)).astype(np.int32)
    return bin_of[codes], edges


def check_bins_fit(table: Table, growth: GrowSettings) -> None:
    """TreecoreError where target or other settings leave no sense to numeric features that branch by bins."""
    own = edges_in_force(table, growth)
    if growth.numeric == THRESHOLD and not own:
        return
    found = why_no_bins(growth)
    if found and growth.numeric == THRESHOLD:
        what, other = found
        raise TreecoreError(what, where="edges", remedy=f"Give no edges for {min(own)!r}, or take another {other}")
    if growth.numeric == THRESHOLD:
        return
    if not found and BINNINGS[growth.numeric].needs_classes and table.task == "regression":
        found = f"{BINNINGS[growth.numeric].label} needs classes, and the target {table.target!r} is a number"
        fitting = (name for name in NUMERIC_SPLITS if name == THRESHOLD or not BINNINGS[name].needs_classes)
        raise TreecoreError(found, where="numeric", remedy="Choose one of: " + ", ".join(fitting))
    if found:
        what, other = found
        raise TreecoreError(what, where="numeric", remedy=f"Set numeric to {THRESHOLD!r}, or take another {other}")


def why_no_bins(growth: GrowSettings) -> tuple[str, str] | None:
    """(what is wrong, the setting that it comes from), None where bins are possible."""
    score, selector = SPLIT_SCORES[growth.score], SELECTORS[growth.selector]
    if selector.code == TESTED:
        return f"{selector.label} finds the cuts by its test, bins mean nothing to it", "selector"
    if score.binary:
        return f"{score.label} is defined for two branches, one branch per bin has more", "score"
    return None
