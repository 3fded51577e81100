"""The nearest change of a row that gives another answer: leaves are boxes, cut by weighted sums if there are any."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.portable import Portable
from treecore.figures import exact
from treecore.predicting.decision_path import story, value_of
from treecore.predicting.leaf_boxes import Box, Span, box_of, nice_number
from treecore.predicting.sum_program import NARROW, WIDE, SharedFeature, SumProgram, WeightedSum
from treecore.tree.oblique import own_parts

# What may change of a row, and what a change costs.

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
        if (np.mod(column.numbers, 1) == 0).all():
            whole.add(column.name)
    return Limits(**{"scale": scale, "whole": frozenset(whole), **given})


# The nearest value of one feature that lies in a box, and its price.


def number_near(name: str, value, spans: tuple[Span, ...], limits: Limits) -> tuple[float, float] | None:
    """(the number, its price) nearest to the value in any of the spans; a bin's name has no place among numbers."""
    known = isinstance(value, float)
    if known and any(span.holds(value) for span in spans):
        return value, 0.0
    if name in limits.locked:
        return None
    allowed, candidates = limits.allowed(name, value if known else None), []
    for span in (s.meet(allowed) for s in spans):
        near = None if span.empty else nice_number(span, value if known else None, name in limits.whole)
        if near is not None:
            edge = near if not known or name in limits.whole else max(span.low, min(span.high, value))
            candidates.append((abs(edge - value) / limits.scale.get(name, 1.0) if known else 1.0, near))
    price, near = min(candidates, default=(0.0, None))
    return None if near is None else (near, price)


def level_near(feature, value, names: frozenset[str], limits: Limits) -> tuple[str, float] | None:
    """(the level, its price) nearest to the value; the first of equals."""
    if value in names:
        return value, 0.0
    if feature.name in limits.locked:
        return None
    order = {name: i for i, name in enumerate(feature.levels)}
    ordered = feature.kind == "ordinal" and value in order
    way = limits.one_way.get(feature.name) if ordered else None
    candidates = []
    for name in sorted(names, key=order.__getitem__):
        passed = order[name] - order[value] if ordered else 0
        if way is None or (passed > 0) == (way == "up"):
            candidates.append((abs(passed) / max(len(order) - 1, 1) if ordered else 1.0, order[name], name))
    if not candidates:
        return None
    price, _, name = min(candidates)
    return name, price


# The cheapest numbers by which weighted sums come to lie in their spans.

DEARER = 0.02
"""Numbers of few digits may cost more than the least by this share, and ten times WIDE."""


def shared_feature(feature: int, name: str, value, spans: tuple[Span, ...], limits: Limits) -> SharedFeature:
    """One feature of sums, with all it may come to; it may also stay where it could not come to.

    value : number, None for unknown, or a bin's name, which has no place among numbers. spans : where it may lie.
    """
    known, whole = value if isinstance(value, float) else None, name in limits.whole
    allowed = limits.allowed(name, known)
    reachable = () if name in limits.locked else tuple(span for s in spans if not (span := s.meet(allowed)).empty)
    if (
        known is not None
        and any(s.holds(known) for s in spans)
        and ((whole and not known.is_integer()) or not any(s.holds(known) for s in reachable))
    ):
        reachable = (*reachable, Span(known, known, True, True))
    scale, cost = limits.scale.get(name, 1.0), limits.costs.get(name, 1.0)
    return SharedFeature(
        feature, known, reachable, 1.0 if whole else scale, cost / scale if whole and known is not None else cost, whole
    )


def nearest_numbers(shared: list[SharedFeature], sums: list[WeightedSum]) -> Iterator[tuple[float, dict[int, float]]]:
    """(the least price, numbers by feature that come near to it) for every choice of spans; () where none will do.

    Spans that do not meet are tried one by one. The same price comes with several numbers, those of few digits first.
    """
    features = [one.feature for one in shared]
    for spans in product(*(one.spans for one in shared), *(one.spans for one in sums)):
        program = SumProgram(tuple(shared), tuple(sums), spans[: len(shared)], spans[len(shared) :])
        (price, _), (_, close), (wide_price, wide) = map(program.solved, (0.0, NARROW, WIDE))
        if close is None:
            continue
        solutions = [close]
        if wide is not None and wide_price <= price * (1 + DEARER) + 10 * WIDE:
            solutions = [program.with_few_digits(wide), wide, close]
        yield from ((price, dict(zip(features, numbers.tolist(), strict=True))) for numbers in solutions)


MOST_UNKNOWN = 6
"""Unknown values of a row for which every choice of those to set is tried; of more, none or all are set."""
MOST_SLANTED = 300
"""Leaves behind weighted sums that are looked at: about ten milliseconds each."""


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
        return ", ".join(_change_text(name, self.before[name], value) for name, value in self.values.items())


def changes(
    portable: Portable, row: Mapping, wanted, limits: Limits | None = None, most: int = 3
) -> tuple[Change, ...]:
    """The cheapest changes after which the tree answers as wanted; none needs all columns of a cheaper one and more.

    row : feature -> number, level, or None. wanted : a class, or for numbers (low, high) of the answer. The cost of a
    number is its difference over the column's scale, of an ordered level the levels passed over those there are, of
    any other level or of a value that was unknown 1; times the column's cost. () where nothing within the limits will
    do; the row as it is, with no change, if it is answered so already.
    Behind weighted sums the numbers of a leaf are found by linear programs, and then also those that do without each
    of the columns they change; leaves thinner than a millionth of the scale are passed over.
    TreecoreError for a class or column that there is not, or more than MOST_SLANTED leaves behind weighted sums.
    """
    limits = limits or Limits()
    _check(portable, wanted, limits)
    cheapest: dict[frozenset[str], Change] = {}
    for box in _boxes(portable, wanted):
        for change in _into(portable, row, box, limits):
            names = frozenset(change.values)
            better = names not in cheapest or (change.cost, change.leaf) < (cheapest[names].cost, cheapest[names].leaf)
            if better and _leads(portable, row, change, wanted):
                cheapest[names] = change
    minimal: list[Change] = []
    for change in sorted(cheapest.values(), key=lambda change: (change.cost, len(change.values), change.leaf)):
        if not any(set(cheaper.values) <= set(change.values) for cheaper in minimal):
            minimal.append(change)
    return tuple(minimal[:most])


def _check(portable: Portable, wanted, limits: Limits) -> None:
    tree = portable.tree
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


def _boxes(portable: Portable, wanted) -> list[Box]:
    """Of the leaves that answer as wanted, those that rows can come to."""
    leaves = [leaf for leaf in np.flatnonzero(portable.tree.is_leaf).tolist() if _is_wanted(portable, leaf, wanted)]
    boxes = [box for leaf in leaves if (box := box_of(portable, leaf))]
    slanted = sum(any(portable.terms(f) for f in box.spans) for box in boxes)
    if slanted > MOST_SLANTED:
        what = f"Too many leaves behind weighted sums for a change of values: {slanted:,}, {MOST_SLANTED:,} at most"
        raise TreecoreError(what, where="The tree", remedy="Prune it, or grow it without oblique splits")
    return boxes


def _into(portable: Portable, row: Mapping, box: Box, limits: Limits) -> Iterator[Change]:
    """The cheapest changes into a box, for every choice of unknown values that stay unknown."""
    values = {f: value_of(portable, f, row) for f in sorted(own_parts(portable.tree.schema, box.features))}
    unknown = [f for f, value in values.items() if value is None]
    every = range(len(unknown) + 1) if len(unknown) <= MOST_UNKNOWN else (0, len(unknown))
    for unknown_still in map(frozenset, chain.from_iterable(combinations(unknown, n) for n in every)):
        nearest = list(_nearest_changes(portable, values, box, limits, unknown_still))
        yield from nearest
        if not any(portable.terms(f) for f in box.spans):
            continue
        for name in dict.fromkeys(name for change in nearest for name in change.values):
            yield from _nearest_changes(
                portable, values, box, replace(limits, locked=limits.locked | {name}), unknown_still
            )


def _nearest_changes(
    portable: Portable, values: Mapping, box: Box, limits: Limits, unknown_still: frozenset[int]
) -> Iterator[Change]:
    """The cheapest change into a box, maybe with other numbers for the same price.

    unknown_still : features left unknown.
    """
    features, sums = portable.tree.schema.features, _sums(portable, values, box, unknown_still)
    shared = sorted({f for weights, _, _ in sums for f in weights})
    alone = _alone(portable, values, box, limits, unknown_still.union(shared))
    if alone is None:
        return
    cost, new = alone
    shared_features = [
        shared_feature(f, features[f].name, values[f], box.spans.get(f, (Span(),)), limits) for f in shared
    ]
    summed = [WeightedSum(np.array([w.get(f, 0.0) for f in shared]), rest, spans) for w, rest, spans in sums]
    for price, numbers in nearest_numbers(shared_features, summed) if sums else [(0.0, {})]:
        changed = {f: value for f, value in {**new, **numbers}.items() if value != values[f]}
        yield Change(
            {features[f].name: value for f, value in changed.items()},
            {features[f].name: values[f] for f in changed},
            cost + price,
            box.leaf,
            portable.tree.node(box.leaf).predicted,
        )


def _sums(
    portable: Portable, values: Mapping, box: Box, unknown_still: frozenset[int]
) -> list[tuple[dict, float, tuple]]:
    """(weight by feature, what the stand-ins of the others add, spans) of each sum that is known then."""
    sums = []
    for f, spans in box.spans.items():
        terms = portable.terms(f)
        filled = [term for term in terms if term.feature in unknown_still]
        if len(filled) < len(terms) and all(term.fill is not None for term in filled):
            rest = sum((term.weight * term.fill for term in filled if term.fill is not None), 0.0)
            sums.append(
                ({term.feature: term.weight for term in terms if term.feature not in unknown_still}, rest, spans)
            )
    return sums


def _alone(
    portable: Portable, values: Mapping, box: Box, limits: Limits, without: frozenset[int]
) -> tuple[float, dict] | None:
    """(price, values by feature) of the features of which no sum depends; None where one cannot come into the box."""
    schema, new, cost = portable.tree.schema, {}, 0.0
    for f in (f for f in box.features if f in values and f not in without):
        feature = schema.features[f]
        near = number_near(feature.name, values[f], box.spans[f], limits) if f in box.spans else None
        if f in box.levels:
            near = level_near(feature, values[f], box.levels[f], limits)
        if near is None:
            return None
        new[f], price = near
        cost += price * limits.costs.get(feature.name, 1.0)
    return cost, new


def _leads(portable: Portable, row: Mapping, change: Change, wanted) -> bool:
    """The changed row is asked: unknown values that stay may lead elsewhere."""
    outcome = story(portable, {**row, **change.values})
    if portable.tree.classes:
        return outcome.answer == wanted
    return outcome.answer is not None and wanted[0] <= outcome.answer <= wanted[1]


def _change_text(name: str, before, value) -> str:
    if before is None:
        return f"have {name} at {_value_text(value)}, which is not known now"
    if isinstance(before, float) and isinstance(value, float):
        return f"{'raise' if value > before else 'lower'} {name} from {_value_text(before)} to {_value_text(value)}"
    return f"change {name} from {_value_text(before)} to {_value_text(value)}"


def _value_text(value: float | str) -> str:
    return value if isinstance(value, str) else exact(value)
