"""A leaf as a box: for every feature on its path, the values that lead there."""

import math
from dataclasses import dataclass
from itertools import pairwise

from treecore.export.portable import UNKNOWN, Portable, Question


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
    tree, spans, levels = portable.tree, {}, {}
    path = tree.path(leaf)
    for at, child in pairwise(path):
        node, branch = portable.at(at), child - int(tree.first_child[at])
        question, ways = node.questions[0], {branch}
        if len(node.questions) == 1 and node.unseen == branch:
            ways.add(UNKNOWN)  # where surrogates are asked first, it is they who say where the unknown goes
        f = question.feature
        if question.by_number:
            spans[f] = _met(spans.get(f, (Span(),)), _spans(question, ways))
        else:
            known = dict(question.levels)
            names = frozenset(name for name in tree.schema.features[f].levels if known.get(name, UNKNOWN) in ways)
            levels[f] = levels.get(f, names) & names
    return None if not all([*spans.values(), *levels.values()]) else Box(leaf, spans, levels)


def _spans(question: Question, ways: set[int]) -> tuple[Span, ...]:
    edges = [(-math.inf, True), *question.limits, (math.inf, True)]
    return tuple(
        Span(low, high, not low_closed, high_closed and math.isfinite(high))
        for ((low, low_closed), (high, high_closed)), to in zip(pairwise(edges), question.branches, strict=True)
        if to in ways
    )


def _met(some: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    found = [a.meet(b) for a in some for b in others]
    return tuple(span for span in found if not span.empty)
