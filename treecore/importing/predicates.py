"""Predicates of several features in three-valued logic, and what they decide together for every value.

A predicate is True, False, None for unknown, or a tuple: ("compare", feature, operator, value), ("among", feature,
values, is it one of them?), ("is missing", feature, does it hold if so?), or "and", "or", "xor" or "surrogate" with a
tuple of its parts. Values of a feature of levels are their indices.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

Predicate = bool | None | tuple
MISSING, UNSEEN = "missing", "unseen"
"""Cells of a feature besides its known values."""
COMPARED = {
    "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b, "lessThan": lambda a, b: a < b,
    "lessOrEqual": lambda a, b: a <= b, "greaterThan": lambda a, b: a > b, "greaterOrEqual": lambda a, b: a >= b,
}  # fmt: skip
MOST_STEPS = 200_000
"""Of the thought about one node: predicates of many features may need the product of all of their values."""


@dataclass(frozen=True)
class Decision:
    """What one feature decides. runs : of a number, (limit, closed, what follows) from low to high, the last limit
    infinite; of levels, what follows for each. unseen, missing : what follows for these. What follows is an outcome, an
    int, or another Decision."""

    feature: int
    is_number: bool
    runs: tuple
    unseen: "int | Decision"
    missing: "int | Decision"


Rules = tuple[tuple[Predicate, int], ...]


class Thought:
    """Decides for one node. n_levels : of each feature, 0 for a number. is_ordered : features of which a level that is
    not known counts as missing. unknown : the outcome where a predicate is unknown, None to go on with the next."""

    def __init__(self, n_levels: Mapping[int, int], is_ordered: Callable[[int], bool], unknown: int | None):
        self.n_levels, self.is_ordered, self.unknown, self.steps = n_levels, is_ordered, unknown, 0

    def decide(self, rules: Rules) -> int | Decision:
        """The outcome of the first predicate that is true. The last rule's predicate is True."""
        rules = self.reduced(rules)
        if rules[0][0] is True:
            return rules[0][1]
        f = next(features_of(rules[0][0]))
        cell = lambda value: self.decide(tuple((self.given(p, f, value), outcome) for p, outcome in rules))  # noqa: E731
        missing = cell(MISSING)
        if self.n_levels[f]:
            runs = tuple(cell(level) for level in range(self.n_levels[f]))
            unseen = missing if self.is_ordered(f) else cell(UNSEEN)
            different = {*runs, unseen, missing}
        else:
            runs, unseen = self._runs(rules, f, cell), missing
            different = {*(follows for _, _, follows in runs), missing}
        return missing if len(different) == 1 else Decision(f, not self.n_levels[f], runs, unseen, missing)

    def _runs(self, rules: Rules, f: int, cell: Callable) -> tuple:
        """Numbers between two of which nothing is compared are alike; so are neighbours that lead to the same."""
        limits = sorted({value for p, _ in rules for value in numbers_of(p, f)})
        edges = [edge for limit in limits for edge in ((limit, False), (limit, True))] + [(float("inf"), True)]
        places = list(pairwise([None, *limits, None]))
        cells = [place for pair in zip(places, [*limits, None], strict=True) for place in pair][:-1]
        runs = []
        for (limit, closed), place in zip(edges, cells, strict=True):
            follows = cell(place)
            if runs and runs[-1][2] == follows:
                runs.pop()
            runs.append((limit, closed, follows))
        return tuple(runs)

    def reduced(self, rules: Rules) -> Rules:
        """Without rules that cannot decide, up to the first one that does."""
        found = []
        for predicate, outcome in rules:
            if predicate is True:
                return (*found, (True, outcome))
            if predicate is None and self.unknown is not None:
                return (*found, (True, self.unknown))
            if predicate is not None and predicate is not False:
                found.append((predicate, outcome))
        raise ValueError("nothing is decided")

    def given(self, predicate: Predicate, f: int, value: object) -> Predicate:
        """What is left of a predicate where a feature has this value: MISSING, UNSEEN, a level's index, or a number or
        a pair of numbers that it lies between."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise ValueError("a node asks for too many things at once")
        if not isinstance(predicate, tuple):
            return predicate
        kind = predicate[0]
        if kind in JOINED:
            return JOINED[kind]([self.given(part, f, value) for part in predicate[1]])
        if predicate[1] != f:
            return predicate
        if kind == "is missing":
            return (value == MISSING) == predicate[2]
        if value == MISSING:
            return None
        if kind == "among":
            return (value in predicate[2]) == predicate[3]
        return _compared(predicate[2], value, predicate[3])


def _compared(operator: str, value: object, with_: float) -> bool:
    if value == UNSEEN:
        return operator == "notEqual"
    if isinstance(value, tuple):  # all that is between two neighbouring limits; with_ is one of the limits
        high = value[1]
        is_below = high is not None and with_ >= high
        return {"equal": False, "notEqual": True, "lessThan": is_below, "lessOrEqual": is_below}.get(
            operator, not is_below
        )
    return COMPARED[operator](value, with_)


def features_of(predicate: Predicate) -> Iterator[int]:
    """The features that it asks for, in its order."""
    if isinstance(predicate, tuple):
        if predicate[0] in JOINED:
            for part in predicate[1]:
                yield from features_of(part)
        else:
            yield predicate[1]


def numbers_of(predicate: Predicate, f: int) -> Iterator[float]:
    """What it compares a feature with."""
    if not isinstance(predicate, tuple):
        return
    if predicate[0] in JOINED:
        for part in predicate[1]:
            yield from numbers_of(part, f)
    elif predicate[1] == f and predicate[0] == "compare":
        yield predicate[3]
    elif predicate[1] == f and predicate[0] == "among":
        yield from predicate[2]


def _joined(kind: str, parts: list, neutral: bool) -> Predicate:
    """All of "and", any of "or"; neutral : True for "and"."""
    if (not neutral) in parts:
        return not neutral
    left = [part for part in parts if isinstance(part, tuple)]
    unknown = [None] if None in parts else []
    if not left:
        return None if unknown else neutral
    return left[0] if len(left) == 1 and not unknown else (kind, tuple(left + unknown))


def _either(parts: list) -> Predicate:
    if None in parts:
        return None
    left = [part for part in parts if isinstance(part, tuple)]
    odd = sum(part is True for part in parts) % 2 == 1
    return ("xor", tuple(left + [True] * odd)) if left else odd


def _first_known(parts: list) -> Predicate:
    while parts and parts[0] is None:
        parts = parts[1:]
    if not parts or not isinstance(parts[0], tuple):
        return parts[0] if parts else None
    return ("surrogate", tuple(parts))


JOINED: dict[str, Callable[[list], Predicate]] = {
    "and": lambda parts: _joined("and", parts, neutral=True),
    "or": lambda parts: _joined("or", parts, neutral=False),
    "xor": _either, "surrogate": _first_known,
}  # fmt: skip
