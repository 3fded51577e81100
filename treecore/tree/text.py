"""Conditions in words: "< 2.45", "{Some, Full}", "= Sunny"."""

import numpy as np

from treecore.kernels.codes import LEVELS
from treecore.tree.schema import FeatureSchema
from treecore.tree.splits import Splits


def number(value: float) -> str:
    """Six significant digits, without a tail of zeros."""
    return f"{value:.6g}"


def branch_text(feature: FeatureSchema, splits: Splits, entry: int, branch: int) -> str:
    """The condition on `feature` for going down this branch of this split, without the feature's name."""
    if splits.kind[entry] == LEVELS:
        levels = [feature.levels[v] for v in np.flatnonzero(splits.levels(entry) == branch)]
        return f"= {levels[0]}" if len(levels) == 1 else "∈ {" + ", ".join(levels) + "}"
    low = branch == splits.low_branch[entry]
    if not feature.numeric:
        return _ordinal_text(feature, float(splits.threshold[entry]), low)
    if splits.closed[entry]:
        return ("≤ " if low else "> ") + number(splits.threshold[entry])
    return ("< " if low else "≥ ") + number(splits.threshold[entry])


def _ordinal_text(feature: FeatureSchema, threshold: float, low: bool) -> str:
    """An ordinal cut between two level indices, in the levels' names."""
    if low:
        return "≤ " + feature.levels[int(np.floor(threshold))]
    return "≥ " + feature.levels[int(np.floor(threshold)) + 1]
