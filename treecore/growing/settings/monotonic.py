"""Features with which the answer may only rise, or only fall: checked, and as the numbers that the kernels need."""

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.bins import branches_by_bins
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.kernels.state import OWN_VALUE


def constraints(table: Table, growth: GrowSettings) -> np.ndarray:
    """int64 (d,): what kernels.constraints holds each feature to; 0 where nothing is said.

    Of two classes, growth.monotonic is about the share of the second one, kernels about that of the first.
    """
    given = dict(growth.monotonic)
    if not given:
        return np.zeros(len(table.features), np.int64)
    _check_target(table, growth)
    _check_missing(table, growth)
    for name in given:
        _check_feature(table, growth, name)
    sign = -1 if table.task == "classification" else 1
    return np.array([sign * given.get(name, 0) for name in table.features], np.int64)


def _check_target(table: Table, growth: GrowSettings) -> None:
    if table.task == "classification" and len(table.classes) != 2:
        remedy = "Bind no feature, or choose a target of two classes or of numbers"
        raise TreecoreError(f"The target has {len(table.classes)} classes, none of which comes before another",
                            where="monotonic", remedy=remedy)  # fmt: skip
    if growth.criterion == "absolute_error":
        remedy = "Take squared_error, or bind no feature"
        raise TreecoreError("Means are held in order, not medians", where="monotonic", remedy=remedy)


def _check_missing(table: Table, growth: GrowSettings) -> None:
    """Rows that follow a branch after the split has been judged could carry its mean out of order."""
    strategy = MISSING_STRATEGIES[growth.missing]
    if strategy.surrogates and growth.max_surrogates > 0:
        raise TreecoreError(
            "A surrogate split may send rows against the order that predictions must keep",
            where="missing",
            remedy="Choose missing = majority, both_ways or own_value",
        )
    if strategy.code == OWN_VALUE:
        return
    lacking = [c.name for c in table.feature_columns if c.n_missing]
    if lacking:
        raise TreecoreError(
            "Rows without a value would be sent after the split is judged, and predictions might not stay in order",
            where=f"Column {lacking[0]!r}",
            remedy="Fill the missing values, or choose missing = both_ways or own_value",
        )


def _check_feature(table: Table, growth: GrowSettings, name: str) -> None:
    if name not in table.features:
        remedy = "The features are: " + ", ".join(table.features)
        raise TreecoreError("There is no such feature", where=f"monotonic, {name!r}", remedy=remedy)
    column = table.column(name)
    if column.kind not in ("numeric", "ordinal") or branches_by_bins(column, growth):
        remedy = "Bind numeric and ordinal features that are cut in two"
        raise TreecoreError("Its branches have no order", where=f"monotonic, {name!r}", remedy=remedy)
