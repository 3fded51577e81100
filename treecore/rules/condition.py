"""Conditions of a rule: an interval or a set of levels of one feature, or a linear inequality over several."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treecore.figures import exact
from treecore.tree.condition_text import MISSING, number_at
from treecore.tree.schema import FeatureSchema
from treecore.tree.values import bins_of

# What a condition admits of one feature: an interval of numbers (or of places in an order), or a set of levels.

ANYTHING = "anything"


@dataclass(frozen=True)
class Interval:
    """The values from `low` to `high`; a closed side admits its own end. Infinite and closed: no limit there.

    Of an ordinal feature the values are the indices of its levels, and the ends lie between two of them.
    An infinite `high` that is open admits every known value; an infinite `low`: no known value.
    """

    low: float = -math.inf
    high: float = math.inf
    low_closed: bool = True
    high_closed: bool = True

    def admits(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value; never for NaN."""
        above = values >= self.low if self.low_closed else values > self.low
        return above & (values <= self.high if self.high_closed else values < self.high)

    def decides(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value: every value that is known."""
        return ~np.isnan(values)

    def meet(self, other: "Interval") -> "Interval":
        """The values that both admit."""
        low, low_open = max(self._bottom, other._bottom)
        high, high_closed = min(self._top, other._top)
        return Interval(low, high, not low_open, high_closed)

    def within(self, other: "Interval") -> bool:
        """Does the other one admit all that this one admits?"""
        return self.is_empty or (self._bottom >= other._bottom and self._top <= other._top)

    @property
    def is_empty(self) -> bool:
        """Does it admit nothing?"""
        return self.low > self.high or (self.low == self.high and not (self.low_closed and self.high_closed))

    # compared as pairs, an open end is the stricter one: above a closed bottom, below a closed top
    @property
    def _bottom(self) -> tuple[float, bool]:
        return self.low, not self.low_closed

    @property
    def _top(self) -> tuple[float, bool]:
        return self.high, self.high_closed

    def text(self, feature: FeatureSchema) -> str:
        """In words: "x < 5", "2 ≤ x < 5", "size ≥ M"."""
        if self.low == math.inf:
            return f"{feature.name} is missing"
        if self.low == -math.inf and self.high == math.inf:
            return f"{feature.name} is {ANYTHING if self.high_closed else 'known'}"
        if self.is_empty:
            return f"{feature.name} is no value at all"
        numeric = feature.by_number
        return self._by_number(feature) if numeric else self._by_order(feature)

    def _by_number(self, feature: FeatureSchema) -> str:
        low_closed, high_closed = (self.low_closed, self.high_closed) if feature.numeric else (True, False)
        low = feature.in_unit(feature.printed(number_at(feature, self.low), not low_closed))
        high = feature.in_unit(feature.printed(number_at(feature, self.high), high_closed))
        if self.low == -math.inf:
            return f"{feature.name} {'≤' if high_closed else '<'} {high}"
        if self.high == math.inf:
            return f"{feature.name} {'≥' if low_closed else '>'} {low}"
        return f"{low} {'≤' if low_closed else '<'} {feature.name} {'≤' if high_closed else '<'} {high}"

    def _by_order(self, feature: FeatureSchema) -> str:
        inside = [v for v in range(len(feature.levels)) if self.admits(np.array([float(v)]))[0]]
        if not inside:
            return f"{feature.name} is no level at all"
        first, last = feature.levels[inside[0]], feature.levels[inside[-1]]
        if self.low == -math.inf:
            return f"{feature.name} ≤ {last}"
        if self.high == math.inf:
            return f"{feature.name} ≥ {first}"
        return f"{feature.name} = {first}" if first == last else f"{feature.name} from {first} to {last}"


@dataclass(frozen=True)
class LevelSet:
    """Some levels, by index. decided : the levels that the test knows at all; one it does not know is not decided."""

    admitted: frozenset[int]
    decided: frozenset[int]

    def admits(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value; never for NaN and unknown levels."""
        return np.isin(values, list(self.admitted))

    def decides(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value."""
        return np.isin(values, list(self.decided))

    def meet(self, other: "LevelSet") -> "LevelSet":
        """The levels that at least one admits and none refuses."""
        refused = (self.decided - self.admitted) | (other.decided - other.admitted)
        return LevelSet((self.admitted | other.admitted) - refused, self.decided | other.decided)

    def text(self, feature: FeatureSchema) -> str:
        """In words: "color = red", "color ∈ {red, blue}"."""
        levels = [feature.level_names[v] for v in sorted(self.admitted)]
        if not levels:
            return f"{feature.name} ∈ {{}}"
        if len(levels) > 1:
            return f"{feature.name} ∈ {{{', '.join(levels)}}}"
        return f"{feature.name} {'' if feature.cuts is not None else '= '}{levels[0]}"  # bins say "2 to 4"


Range = Interval | LevelSet


def meet(a: Range, b: Range, feature: FeatureSchema) -> Range:
    """What both admit, also of an ordinal feature that one of them cuts and the other groups."""
    if isinstance(a, LevelSet) != isinstance(b, LevelSet):
        a, b = (_as_levels(r, feature) for r in (a, b))
    return a.meet(b)  # type: ignore[arg-type]  # both are of one kind now


def _as_levels(asked: Range, feature: FeatureSchema) -> LevelSet:
    if isinstance(asked, LevelSet):
        return asked
    every = np.arange(len(feature.levels), dtype=float)
    return LevelSet(frozenset(np.flatnonzero(asked.admits(every)).tolist()), frozenset(range(len(every))))


ALL = slice(None)


@dataclass(frozen=True)
class Backup:
    """A surrogate: the values of another feature that lead the same way. index : of that feature in the schema."""

    feature: FeatureSchema
    index: int
    asked: Range

    def column(self, values: np.ndarray, rows) -> np.ndarray:
        """float64, the rows' values as the surrogate reads them."""
        column = values[self.index][rows]
        return bins_of(self.feature, column) if self.feature.branches_by_bins else column


@dataclass(frozen=True)
class BranchTest:
    """One branch of a tree, as a test: which values take it, and what becomes of a row whose value it cannot place.

    backups : asked in turn about such a row. missing, unseen : whether a missing value, or a level the node has not
    seen, takes the branch when no backup knows better. shared : the tree sends them down every branch in shares; a
    rule has no shares and leaves them out. told : training rows without the value were here, or missing is a value
    of its own.
    """

    asked: Range
    missing: bool = False
    unseen: bool = False
    shared: bool = False
    told: bool = False
    backups: tuple[Backup, ...] = ()

    def passes(self, column: np.ndarray, values: np.ndarray, rows) -> np.ndarray:
        """bool, one per value of `column`: those of these rows of `values`."""
        through = self.asked.admits(column)
        left = ~self.asked.decides(column)
        if not left.any():
            return through
        for backup in self.backups:
            other = backup.column(values, rows)
            known = left & backup.asked.decides(other)
            through[known] = backup.asked.admits(other)[known]
            left &= ~known
        through[left] = np.where(np.isnan(column[left]), self.missing, self.unseen)
        return through


class BranchTests:
    """The steps of a path that ask for one feature, in order: those above, which other paths have too, and one more.

    Deep paths share what is above them, so that a condition more costs the same at any depth. Read-only.
    missing_refused : a step without backups refuses a missing value; the others: some step has backups, is told or
    shared, see Step.
    """

    __slots__ = ("_above", "_last", "backed", "missing_refused", "shared", "told")
    backed: bool
    missing_refused: bool
    shared: bool
    told: bool

    def __init__(self, last: BranchTest, above: "BranchTests | None" = None):
        self._above, self._last = above, last
        self.missing_refused = (not last.missing and not last.backups) or (above is not None and above.missing_refused)
        self.backed = bool(last.backups) or (above is not None and above.backed)
        self.told = last.told or (above is not None and above.told)
        self.shared = last.shared or (above is not None and above.shared)

    @classmethod
    def of(cls, steps) -> "BranchTests":
        """Of one step or more, in this order."""
        tests = None
        for step in steps:
            tests = cls(step, tests)
        assert tests is not None
        return tests

    def and_then(self, more: "BranchTests") -> "BranchTests":
        """These, then the others; a step that only follows itself is the same step."""
        if more._above is None:
            return self if more._last == self._last else BranchTests(more._last, self)
        return BranchTests.of(dict.fromkeys((*self, *more)))

    def __iter__(self):
        tests, at = [], self
        while at is not None:
            tests.append(at._last)
            at = at._above
        return reversed(tests)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other) -> bool:
        return isinstance(other, BranchTests) and (self is other or tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(self._last)


@dataclass(frozen=True)
class Condition:
    """A condition on one feature: the branches of a path that ask for it, taken together.

    feature, index : the feature and its place in the schema. asked : the known values that all steps admit.
    A row holds when it takes every step, so a rule covers exactly the rows that go down its path.
    """

    feature: FeatureSchema
    index: int
    asked: Range
    steps: BranchTests

    @classmethod
    def of(cls, feature: FeatureSchema, index: int, asked: Range, **route) -> "Condition":
        """A condition of one step; see Step for the rest."""
        return cls(feature, index, asked, BranchTests(BranchTest(asked, **route)))

    @property
    def kind(self) -> Literal["interval", "levels"]:
        """ "interval" or "levels"."""
        return "interval" if isinstance(self.asked, Interval) else "levels"

    @property
    def indices(self) -> frozenset[int]:
        """Every feature that it may have to look at."""
        if not self.steps.backed:
            return frozenset({self.index})
        return frozenset({self.index, *(b.index for step in self.steps for b in step.backups)})

    def holds(self, values: np.ndarray, rows=ALL) -> np.ndarray:
        """bool (n_rows,). values : float64 (n_features, n_rows) in the schema's order; see tree.values.value_matrix.

        rows : positions of the rows wanted.
        """
        column = values[self.index][rows]
        if isinstance(self.asked, Interval) and not np.isnan(column).any():
            return self.asked.admits(column)  # every step places every value
        result = np.ones(len(column), bool)
        for step in self.steps:
            result &= step.passes(column, values, rows)
        return result

    def merged(self, other: "Condition") -> "Condition":
        """Both conditions on one feature as one."""
        steps = self.steps.and_then(other.steps)
        return Condition(self.feature, self.index, meet(self.asked, other.asked, self.feature), steps)

    @property
    def lets_missing_in(self) -> bool | None:
        """Does a missing value hold? None: that is for the backups to say."""
        if self.steps.missing_refused:
            return False
        return None if self.steps.backed else True

    @property
    def met_missing(self) -> bool:
        """Did training rows come here without the value, or is missing a value of its own?"""
        return self.steps.told

    @property
    def text(self) -> str:
        """In words, with "or missing" where that is so and training rows showed it."""
        with_missing = self.lets_missing_in and self.met_missing
        known = self.asked.text(self.feature)
        if not with_missing or known.endswith(MISSING):
            return known
        return f"{self.feature.name} is {MISSING}" if known.endswith("∈ {}") else f"{known} or {MISSING}"

    @property
    def missing_text(self) -> str:
        """What becomes of a row without the value, in words."""
        if self.steps.shared:
            return "the tree shares it among the branches, the rule does not cover it"
        if self.lets_missing_in is None:
            names = dict.fromkeys(b.feature.name for step in self.steps for b in step.backups)
            return f"{', then '.join(names)} decides instead"
        return "it is covered" if self.lets_missing_in else "it is not covered"


@dataclass(frozen=True)
class Linear:
    """A linear inequality w · x < bound (closed: ≤ bound), as an oblique split asks; a missing value fails it.

    features, indices_in_order : the features and their places in the schema; weights : one each.
    """

    features: tuple[FeatureSchema, ...]
    indices_in_order: tuple[int, ...]
    weights: tuple[float, ...]
    bound: float
    closed: bool = False
    kind: ClassVar[Literal["linear"]] = "linear"
    met_missing = False
    missing_text = "it is not covered"

    @property
    def indices(self) -> frozenset[int]:
        """The features that it looks at."""
        return frozenset(self.indices_in_order)

    def holds(self, values: np.ndarray, rows=ALL) -> np.ndarray:
        """bool (n_rows,); see Condition.holds."""
        total = sum(w * values[i][rows] for w, i in zip(self.weights, self.indices_in_order, strict=True))
        return total <= self.bound if self.closed else total < self.bound

    @property
    def text(self) -> str:
        """In words: "0.04·x1 + 0.16·x2 < 0.11"."""
        terms = [f"{exact(abs(w))}·{f.name}" for w, f in zip(self.weights, self.features, strict=True)]
        signs = [" − " if w < 0 else " + " for w in self.weights]
        left = "".join(sign + term for sign, term in zip(signs, terms, strict=True))
        left = left[3:] if left.startswith(" + ") else "−" + left[3:]
        return f"{left} {'≤' if self.closed else '<'} {exact(self.bound)}"


def with_condition(merged: tuple, condition: Condition | Linear) -> tuple:
    """The conditions, no two of them on one feature, and one more: together with that on its feature, if there is."""
    for place, other in enumerate(merged if condition.kind != "linear" else ()):
        if other.kind != "linear" and other.index == condition.index:
            return (*merged[:place], other.merged(condition), *merged[place + 1 :])
    return (*merged, condition)
