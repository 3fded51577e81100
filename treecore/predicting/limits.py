"""What may change of a row, and what a change costs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.predicting.boxes import Span

WAYS = ("up", "down")


@dataclass(frozen=True)
class Limits:
    """What may change, and what a change costs.

    locked : columns that stay. one_way : column -> "up" or "down". ranges : column -> (low, high), both allowed, None
    for no limit. costs : column -> how many times a change of it counts (1). scale : numeric column -> the difference
    that costs 1. whole : numeric columns that hold whole numbers only.
    """

    locked: frozenset[str] = frozenset()
    one_way: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    costs: Mapping[str, float] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()

    def __post_init__(self):
        odd = [way for way in self.one_way.values() if way not in WAYS]
        if odd:
            raise TreecoreError(f"{odd[0]!r} is no direction", where="one_way", remedy="Choose up or down")
        for column, cost in [*self.costs.items(), *self.scale.items()]:
            if not (isinstance(cost, int | float) and math.isfinite(cost) and cost > 0):
                remedy = "Give a number above 0; lock the column where it may not change"
                raise TreecoreError(f"{cost!r} is not possible", where=f"Column {column!r}", remedy=remedy)

    def allowed(self, name: str, value: float | None) -> Span:
        """The numbers that a column may come to. value : the one it has, None where it is not known."""
        low, high = self.ranges.get(name, (None, None))
        span = Span(
            -math.inf if low is None else low, math.inf if high is None else high, low is not None, high is not None
        )
        if value is None or name not in self.one_way:
            return span
        up = self.one_way[name] == "up"
        return span.meet(Span(value, math.inf, True) if up else Span(-math.inf, value, False, True))


def limits_of(table: Table, **given) -> Limits:
    """Limits with the scale of a table's rows: half the spread of the middle half of each numeric column costs 1."""
    scale, whole = {}, set()
    for column in table.feature_columns:
        if column.kind != "numeric" or not column.n_distinct:
            continue
        values = column.values()
        low, high = np.nanquantile(values, [0.25, 0.75])
        spread = (high - low) / 2 or float(np.nanstd(values)) or 1.0
        scale[column.name] = float(spread)
        if (np.mod(column.distinct, 1) == 0).all():
            whole.add(column.name)
    return Limits(**{"scale": scale, "whole": frozenset(whole), **given})
