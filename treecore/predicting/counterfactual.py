"""The nearest change of a row that gives another answer: leaves are boxes, cut by weighted sums if there are any."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from treecore.errors import TreecoreError
from treecore.export.portable import Portable
from treecore.figures import exact
from treecore.predicting.boxes import Box, Span, box_of
from treecore.predicting.limits import Limits
from treecore.predicting.near_sums import moved_of, nearest
from treecore.predicting.near_values import level_near, number_near
from treecore.predicting.story import story
from treecore.predicting.sum_program import Summed
from treecore.predicting.walk import value_of
from treecore.tree.oblique import own_parts

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
        return ", ".join(_told(name, self.before[name], value) for name, value in self.values.items())


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
    found: dict[frozenset[str], Change] = {}
    for box in _boxes(portable, wanted):
        for change in _into(portable, row, box, limits):
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
    for kept in map(frozenset, chain.from_iterable(combinations(unknown, n) for n in every)):
        found = list(_nearest(portable, values, box, limits, kept))
        yield from found
        if not any(portable.terms(f) for f in box.spans):
            continue
        for name in dict.fromkeys(name for change in found for name in change.values):
            yield from _nearest(portable, values, box, replace(limits, locked=limits.locked | {name}), kept)


def _nearest(portable: Portable, values: Mapping, box: Box, limits: Limits, kept: frozenset[int]) -> Iterator[Change]:
    """The cheapest change into a box, maybe with other numbers for the same price. kept : features left unknown."""
    features, sums = portable.tree.schema.features, _sums(portable, values, box, kept)
    shared = sorted({f for weights, _, _ in sums for f in weights})
    alone = _alone(portable, values, box, limits, kept.union(shared))
    if alone is None:
        return
    cost, new = alone
    moved = [moved_of(f, features[f].name, values[f], box.spans.get(f, (Span(),)), limits) for f in shared]
    summed = [Summed(np.array([w.get(f, 0.0) for f in shared]), rest, spans) for w, rest, spans in sums]
    for price, numbers in nearest(moved, summed) if sums else [(0.0, {})]:
        changed = {f: value for f, value in {**new, **numbers}.items() if value != values[f]}
        yield Change(
            {features[f].name: value for f, value in changed.items()},
            {features[f].name: values[f] for f in changed},
            cost + price,
            box.leaf,
            portable.tree.node(box.leaf).predicted,
        )


def _sums(portable: Portable, values: Mapping, box: Box, kept: frozenset[int]) -> list[tuple[dict, float, tuple]]:
    """(weight by feature, what the stand-ins of the others add, spans) of each sum that is known then."""
    found = []
    for f, spans in box.spans.items():
        terms = portable.terms(f)
        filled = [term for term in terms if term.feature in kept]
        if len(filled) < len(terms) and all(term.fill is not None for term in filled):
            rest = sum(term.weight * term.fill for term in filled)
            found.append(({term.feature: term.weight for term in terms if term.feature not in kept}, rest, spans))
    return found


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
    return value if isinstance(value, str) else exact(value)
