"""A leaf as a box: for every feature on its path the values that lead there, and one that people would name."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from treecore.export.portable import UNKNOWN, Portable, PortableQuestion


@dataclass(frozen=True)
class Span:
    """Numbers between two limits. low_in, high_in : do the limits themselves belong to it?"""

    low: float = -math.inf
    high: float = math.inf
    low_in: bool = False
    high_in: bool = False

    @property
    def empty(self) -> bool:
        return self.low > self.high or (self.low == self.high and not (self.low_in and self.high_in))

    @property
    def single(self) -> bool:
        """Is it one number at most?"""
        return self.low == self.high

    def holds(self, value: float) -> bool:
        """Does the value lie within?"""
        above = value > self.low or (value == self.low and self.low_in)
        return above and (value < self.high or (value == self.high and self.high_in))

    def meet(self, other: "Span") -> "Span":
        """The numbers in both."""
        low, low_in = max((self.low, not self.low_in), (other.low, not other.low_in))
        high, high_in = min((self.high, self.high_in), (other.high, other.high_in))
        return Span(low, high, not low_in, high_in)


@dataclass(frozen=True)
class Box:
    """leaf : its node. spans : feature index -> Spans of numbers that do not meet. levels : feature index -> names."""

    leaf: int
    spans: dict[int, tuple[Span, ...]]
    levels: dict[int, frozenset[str]]

    @property
    def features(self) -> tuple[int, ...]:
        return tuple(sorted({*self.spans, *self.levels}))


def box_of(portable: Portable, leaf: int) -> Box | None:
    """The values by which a row whose values are known comes to this leaf; None where there are none."""
    tree = portable.tree
    spans: dict[int, Any] = {}
    levels: dict[int, Any] = {}
    path = tree.path(leaf)
    for at, child in pairwise(path):
        node, branch = portable.at(at), child - int(tree.first_child[at])
        question, ways = node.questions[0], {branch}
        if len(node.questions) == 1 and node.unseen == branch:
            ways.add(UNKNOWN)  # where surrogates are asked first, it is they who say where the unknown goes
        f = question.feature
        if question.by_number:
            spans[f] = _intersections(spans.get(f, (Span(),)), _spans(question, ways))
        else:
            known = dict(question.levels)
            names = frozenset(name for name in tree.schema.features[f].levels if known.get(name, UNKNOWN) in ways)
            levels[f] = levels.get(f, names) & names
    return None if not all([*spans.values(), *levels.values()]) else Box(leaf, spans, levels)


def _spans(question: PortableQuestion, ways: set[int]) -> tuple[Span, ...]:
    edges = [(-math.inf, True), *question.limits, (math.inf, True)]
    return tuple(
        Span(low, high, not low_closed, high_closed and math.isfinite(high))
        for ((low, low_closed), (high, high_closed)), to in zip(pairwise(edges), question.branches, strict=True)
        if to in ways
    )


def _intersections(some: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    spans = [a.meet(b) for a in some for b in others]
    return tuple(span for span in spans if not span.empty)


# A number inside a span that people would name: as near as can be said with few digits.

SLACK = 0.02
"""A number of fewer digits may lie further inside by this share of the way, or of the span."""
MOST_DECIMALS = 15


def nice_number(span: Span, value: float | None, whole: bool = False) -> float | None:
    """The number of the span nearest to `value`; None where a span of whole numbers has none.

    value : None for any. The limit itself where it belongs to the span, else one of few digits behind it.
    """
    if whole:
        return _whole_number(span, value)
    if value is None:
        value = some_number(span)
    if span.holds(value):
        return value
    rising = value <= span.low
    edge, belongs = (span.low, span.low_in) if rising else (span.high, span.high_in)
    if belongs:
        return edge
    room = (span.high - span.low) / 2
    slack = min(SLACK * max(abs(edge - value), abs(edge) * 1e-3), room) if math.isfinite(room) else (
        SLACK * max(abs(edge - value), abs(edge) * 1e-3))  # fmt: skip
    for decimals in range(-max(0, math.floor(math.log10(abs(edge) or 1.0))), MOST_DECIMALS + 1):
        near = _next_number(edge, decimals, rising)
        if span.holds(near) and abs(near - edge) <= slack:
            return near
    near = math.nextafter(edge, math.inf if rising else -math.inf)
    return near if span.holds(near) else None


def _next_number(edge: float, decimals: int, rising: bool) -> float:
    """The first number of so many decimals beyond the edge."""
    unit = 10.0**-decimals
    step = math.floor(edge / unit) + 1 if rising else math.ceil(edge / unit) - 1
    return round(step * unit, max(decimals, 0))


def _whole_number(span: Span, value: float | None) -> float | None:
    start = some_number(span) if value is None else value
    if start <= span.low:
        near = math.floor(span.low) + 1 if not span.low_in else math.ceil(span.low)
    elif start >= span.high:
        near = math.ceil(span.high) - 1 if not span.high_in else math.floor(span.high)
    else:
        near = min((math.floor(start), math.ceil(start)), key=lambda n: (not span.holds(n), abs(n - start)))
    return float(near) if span.holds(float(near)) else None


def some_number(span: Span) -> float:
    """Some number to start from: 0 if it belongs, else near the finite limit."""
    if span.holds(0.0):
        return 0.0
    return span.low if span.low > -math.inf and span.low >= 0 else span.high
