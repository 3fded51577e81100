"""Conditions of a rule: on one feature, or a linear inequality over several."""

from dataclasses import dataclass

import numpy as np

from treecore.figures import exact
from treecore.rules.ranges import Interval, Range, meet
from treecore.tree.schema import FeatureSchema
from treecore.tree.text import MISSING
from treecore.tree.values import bins_of

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
class Step:
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


class Steps:
    """The steps of a path that ask for one feature, in order: those above, which other paths have too, and one more.

    Deep paths share what is above them, so that a condition more costs the same at any depth. Read-only.
    missing_refused : a step without backups refuses a missing value; the others: some step has backups, is told or
    shared, see Step.
    """

    __slots__ = ("_above", "_last", "backed", "missing_refused", "shared", "told")

    def __init__(self, last: Step, above: "Steps | None" = None):
        self._above, self._last = above, last
        self.missing_refused = (not last.missing and not last.backups) or (above is not None and above.missing_refused)
        self.backed = bool(last.backups) or (above is not None and above.backed)
        self.told = last.told or (above is not None and above.told)
        self.shared = last.shared or (above is not None and above.shared)

    @classmethod
    def of(cls, steps) -> "Steps":
        """Of one step or more, in this order."""
        found = None
        for step in steps:
            found = cls(step, found)
        return found

    def and_then(self, more: "Steps") -> "Steps":
        """These, then the others; a step that only follows itself is the same step."""
        if more._above is None:
            return self if more._last == self._last else Steps(more._last, self)
        return Steps.of(dict.fromkeys((*self, *more)))

    def __iter__(self):
        found, at = [], self
        while at is not None:
            found.append(at._last)
            at = at._above
        return reversed(found)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other) -> bool:
        return isinstance(other, Steps) and (self is other or tuple(self) == tuple(other))

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
    steps: Steps

    @classmethod
    def of(cls, feature: FeatureSchema, index: int, asked: Range, **route) -> "Condition":
        """A condition of one step; see Step for the rest."""
        return cls(feature, index, asked, Steps(Step(asked, **route)))

    @property
    def kind(self) -> str:
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
        told = self.lets_missing_in and self.met_missing
        known = self.asked.text(self.feature)
        if not told or known.endswith(MISSING):
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
    kind = "linear"
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
