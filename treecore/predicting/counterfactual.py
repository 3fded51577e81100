"""The nearest change of a row that gives another answer: leaves are boxes, so nothing is left to chance."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.portable import Portable
from treecore.figures import number
from treecore.predicting.boxes import Box, Span, box_of
from treecore.predicting.nice import nice_number
from treecore.predicting.story import story
from treecore.predicting.walk import value_of
from treecore.tree.oblique import refuse_oblique

MOST_UNKNOWN = 6
"""Unknown values of a row for which every choice of those to set is tried; of more, none or all are set."""
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


@dataclass(frozen=True)
class Change:
    """values : column -> its new value. before : column -> the value it had, None for unknown. cost : the least that
    comes to this leaf with these columns; a value itself may be rounded into the leaf. answer : in words."""

    values: Mapping[str, float | str]
    before: Mapping[str, float | str | None]
    cost: float
    leaf: int
    answer: str

    @property
    def text(self) -> str:
        """ "raise income from 21000 to 23450, change home from rent to own"."""
        return ", ".join(_told(name, self.before[name], value) for name, value in self.values.items())


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


def changes(
    portable: Portable, row: Mapping, wanted, limits: Limits | None = None, most: int = 3
) -> tuple[Change, ...]:
    """The cheapest changes after which the tree answers as wanted; none needs all columns of a cheaper one and more.

    row : feature -> number, level, or None. wanted : a class, or for numbers (low, high) of the answer. The cost of a
    number is its difference over the column's scale, of an ordered level the levels passed over those there are, of
    any other level or of a value that was unknown 1; times the column's cost. () where nothing within the limits will
    do; the row as it is, with no change, if it is answered so already.
    TreecoreError for a class or column that there is not.
    """
    limits = limits or Limits()
    _check(portable, wanted, limits)
    found: dict[frozenset[str], Change] = {}
    for leaf in np.flatnonzero(portable.tree.is_leaf):
        box = box_of(portable, int(leaf)) if _is_wanted(portable, int(leaf), wanted) else None
        for change in _into(portable, row, box, limits) if box else ():
            names = frozenset(change.values)
            better = names not in found or (change.cost, change.leaf) < (found[names].cost, found[names].leaf)
            if better and _leads(portable, row, change, wanted):
                found[names] = change
    kept: list[Change] = []
    for change in sorted(found.values(), key=lambda change: (change.cost, len(change.values), change.leaf)):
        if not any(set(cheaper.values) <= set(change.values) for cheaper in kept):
            kept.append(change)
    return tuple(kept[:most])


def _check(portable: Portable, wanted, limits: Limits) -> None:
    tree = portable.tree
    refuse_oblique(tree, "a change of values")
    if tree.classes and wanted not in tree.classes:
        remedy = f"Choose one of {', '.join(tree.classes)}"
        raise TreecoreError(f"The tree has no class {wanted!r}", where="wanted", remedy=remedy)
    if not tree.classes and not (isinstance(wanted, tuple) and len(wanted) == 2 and wanted[0] <= wanted[1]):
        raise TreecoreError(f"{wanted!r} is no range of numbers", where="wanted", remedy="Give (low, high)")
    known = {feature.name for feature in tree.schema.features}
    for name in [*limits.locked, *limits.one_way, *limits.ranges, *limits.costs]:
        if name not in known:
            raise TreecoreError("The tree has no such feature", where=f"Column {name!r}", remedy="Check its name")


def _is_wanted(portable: Portable, node: int, wanted) -> bool:
    tree = portable.tree
    if tree.answer[node] < 0:
        return False
    if tree.classes:
        return tree.classes[tree.value[node]] == wanted
    return wanted[0] <= tree.value[node] <= wanted[1]


def _into(portable: Portable, row: Mapping, box: Box, limits: Limits) -> Iterable[Change]:
    """The cheapest changes into a box, for every choice of unknown values that stay unknown."""
    values = {f: value_of(portable, f, row) for f in box.features}
    unknown = [f for f, value in values.items() if value is None]
    every = range(len(unknown) + 1) if len(unknown) <= MOST_UNKNOWN else (0, len(unknown))
    for kept in chain.from_iterable(combinations(unknown, n) for n in every):
        change = _nearest(portable, values, box, limits, frozenset(kept))
        if change is not None:
            yield change


def _nearest(portable: Portable, values: Mapping, box: Box, limits: Limits, kept: frozenset[int]) -> Change | None:
    schema, new, before, cost = portable.tree.schema, {}, {}, 0.0
    for f in box.features:
        if f in kept:
            continue
        name = schema.features[f].name
        near = _number(name, values[f], box.spans[f], limits) if f in box.spans else None
        if f in box.levels:
            near = _level(schema.features[f], values[f], box.levels[f], limits)
        if near is None:
            return None
        value, price = near
        if value != values[f]:
            new[name], before[name] = value, values[f]
            cost += price * limits.costs.get(name, 1.0)
    return Change(new, before, cost, box.leaf, portable.tree.node(box.leaf).predicted)


def _number(name: str, value, spans: tuple[Span, ...], limits: Limits) -> tuple[float, float] | None:
    """(the number, its price) nearest to the value in any of the spans; a bin's name has no place among numbers."""
    known = isinstance(value, float)
    if known and any(span.holds(value) for span in spans):
        return value, 0.0
    if name in limits.locked:
        return None
    low, high = limits.ranges.get(name, (None, None))
    allowed = Span(
        -math.inf if low is None else low, math.inf if high is None else high, low is not None, high is not None
    )
    if known and name in limits.one_way:
        up = limits.one_way[name] == "up"
        allowed = allowed.meet(Span(value, math.inf, True) if up else Span(-math.inf, value, False, True))
    found = []
    for span in (s.meet(allowed) for s in spans):
        near = None if span.empty else nice_number(span, value if known else None, name in limits.whole)
        if near is not None:
            edge = near if not known or name in limits.whole else max(span.low, min(span.high, value))
            found.append((abs(edge - value) / limits.scale.get(name, 1.0) if known else 1.0, near))
    price, near = min(found, default=(0.0, None))
    return None if near is None else (near, price)


def _level(feature, value, names: frozenset[str], limits: Limits) -> tuple[str, float] | None:
    """(the level, its price) nearest to the value; the first of equals."""
    if value in names:
        return value, 0.0
    if feature.name in limits.locked:
        return None
    order = {name: i for i, name in enumerate(feature.levels)}
    ordered = feature.kind == "ordinal" and value in order
    way = limits.one_way.get(feature.name) if ordered else None
    found = []
    for name in sorted(names, key=order.__getitem__):
        passed = order[name] - order[value] if ordered else 0
        if way is None or (passed > 0) == (way == "up"):
            found.append((abs(passed) / max(len(order) - 1, 1) if ordered else 1.0, order[name], name))
    if not found:
        return None
    price, _, name = min(found)
    return name, price


def _leads(portable: Portable, row: Mapping, change: Change, wanted) -> bool:
    """The changed row is asked: unknown values that stay may lead elsewhere."""
    told = story(portable, {**row, **change.values})
    if portable.tree.classes:
        return told.answer == wanted
    return told.answer is not None and wanted[0] <= told.answer <= wanted[1]


def _told(name: str, before, value) -> str:
    if before is None:
        return f"have {name} at {_said(value)}, which is not known now"
    if isinstance(before, float) and isinstance(value, float):
        return f"{'raise' if value > before else 'lower'} {name} from {_said(before)} to {_said(value)}"
    return f"change {name} from {_said(before)} to {_said(value)}"


def _said(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return number(value) if float(number(value)) == value else repr(value).removesuffix(".0")
