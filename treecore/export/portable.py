"""A tree's tests in the plainest terms there are, as tests on numbers and levels and as conditions tried in turn: what
every code export writes down in its own language.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from treecore.brief import Brief
from treecore.kernels.codes import CUTS, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.target import answered_by_lines
from treecore.tree.leaf_lines import LeafLine, filled
from treecore.tree.missing import branch_shares
from treecore.tree.oblique import own_parts
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree

UNKNOWN = -1
"""The branch of what a question does not know; the next one is asked then."""


@dataclass(frozen=True)
class PortableTerm:
    """One term of a weighted sum. feature : index in the schema. fill : stands in for a missing value; None for none.

    Terms are added up one after the other, in their order: in another one the last digits differ.
    """

    feature: int
    weight: float
    fill: float | None = None


@dataclass(frozen=True)
class PortableQuestion:
    """One test on one feature, or on the weighted sum of some.

    feature : index in the schema. limits : ascending (number, closed); a number lies above those it is greater than,
    and above those it is equal to that are not closed. branches : where numbers between the limits go, one more
    than limits, UNKNOWN for bins it has not seen; () where the question is about levels only. levels : name -> branch
    of those it knows. missing : the branch of a missing value, UNKNOWN for none.
    """

    feature: int
    limits: tuple[tuple[float, bool], ...] = ()
    branches: tuple[int, ...] = ()
    levels: tuple[tuple[str, int], ...] = ()
    missing: int = UNKNOWN

    @property
    def by_number(self) -> bool:
        return bool(self.branches)


@dataclass(frozen=True)
class PortableNode:
    """questions : asked in turn until one knows; () at a leaf. missing, unseen : where a row goes that none knows, by
    whether the first question's value is missing or a level it has not seen: a branch, STAYS or SHARED. children :
    ids, by branch. shares : of a shared row, parallel to them."""

    questions: tuple[PortableQuestion, ...] = ()
    missing: int = STAYS
    unseen: int = STAYS
    children: tuple[int, ...] = ()
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Portable(Brief):
    """The tree and its nodes, by id."""

    tree: Tree

    @cached_property
    def _made(self) -> dict[int, PortableNode]:
        return {}

    def at(self, node: int) -> PortableNode:
        """One node; made when it is first asked for, as a row comes to few of them."""
        if node not in self._made:
            self._made[node] = _node(self.tree, node)
        return self._made[node]

    @cached_property
    def nodes(self) -> tuple[PortableNode, ...]:
        return tuple(self.at(t) for t in range(self.tree.n_nodes))

    @property
    def shares_rows(self) -> bool:
        """Can a row end in several leaves?"""
        splits, features = self.tree.splits, self.tree.schema.features
        filled = np.array([feature.fill is not None for feature in features] + [False])[splits.feature]
        shared = (splits.unseen_branch == SHARED) | ((splits.missing_branch == SHARED) & ~filled)
        return bool((shared & ~self.tree.is_leaf).any())

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Indices of the features that any question or line takes, ascending; of a weighted sum, those of its terms."""
        asked = {q.feature for node in self.nodes for q in node.questions} | set(self.tree.asked.tolist())
        return tuple(sorted(own_parts(self.tree.schema, asked)))

    def parts(self, feature: int) -> tuple[int, ...]:
        """Indices of the features that rows must have for this one: itself, or the terms of the sum that it is."""
        return tuple(term.feature for term in self.terms(feature)) or (feature,)

    def terms(self, feature: int) -> tuple[PortableTerm, ...]:
        """The terms of a feature that is a weighted sum; () for a feature of its own."""
        features, terms = self.tree.schema.features, self.tree.schema.features[feature].terms
        if not terms:
            return ()
        index = {known.name: f for f, known in enumerate(features)}
        return tuple(PortableTerm(index[name], weight, features[index[name]].fill) for name, weight in terms)

    def line(self, node: int) -> LeafLine | None:
        """The line that answers for a node; None in a tree whose nodes have one answer, and where there is none."""
        at = int(self.tree.answer[node])
        return None if self.tree.lines is None or at < 0 else filled(self.tree.lines.line(at), self.tree.schema)

    def label_by_line(self, literal: Callable[[str], str], choice: Callable[[float, str, str], str]) -> str:
        """The class of a leaf that answers with log-odds: the second one above a limit, or always the same where costs
        leave no choice. literal : writes a class. choice : (limit, second, first) -> the expression."""
        first, second = map(literal, self.tree.classes)
        limit = answered_by_lines(self.tree.classes).log_odds_cut(self.tree)
        if not math.isfinite(limit):
            return first if limit > 0 else second
        return choice(limit, second, first)

    def takes_ordered(self, feature: int) -> bool:
        """Does an unknown level of this feature count as missing?"""
        return self.tree.schema.features[feature].kind == "ordinal"

    def knows_all(self, question: PortableQuestion) -> bool:
        """Is there no value but a missing one that it does not know?"""
        if question.by_number:
            return UNKNOWN not in question.branches
        n_levels = len(self.tree.schema.features[question.feature].levels)
        return self.takes_ordered(question.feature) and len(question.levels) == n_levels


def _node(tree: Tree, node: int) -> PortableNode:
    if tree.is_leaf[node]:
        return PortableNode()
    splits, feature = tree.splits, tree.schema.features[tree.splits.feature[node]]
    backups = range(*tree.surrogate_start[node : node + 2]) if tree.surrogates_asked else ()
    questions = (
        _question(tree, splits, node, by_bins=False),
        *(_question(tree, tree.surrogates, s, by_bins=True) for s in backups),
    )
    unseen = int(splits.unseen_branch[node])
    missing = int(splits.missing_branch[node]) if feature.fill is None else unseen  # a stand-in is a known value
    return PortableNode(questions, missing, unseen, tuple(tree.children(node)), branch_shares(tree, node))


def _question(tree: Tree, splits: Splits, entry: int, by_bins: bool) -> PortableQuestion:
    """One entry. by_bins : it tells bins of numbers apart by their index, as surrogates do."""
    index = int(splits.feature[entry])
    feature, precision = tree.schema.features[index], tree.schema.precision
    if feature.numeric:
        if by_bins and feature.branches_by_bins and feature.cuts is not None:
            to = _level_branches(splits, entry, len(feature.cuts) + 1)
            limits, branches = _merged(_exact([(cut, False) for cut in feature.cuts], precision), to)
        else:
            limits, branches = _merged(*_number_test(splits, entry, precision))
        missing = UNKNOWN if feature.fill is None else _between(limits, branches, feature.fill)
        return PortableQuestion(index, limits, branches, missing=missing)
    to = _level_branches(splits, entry, len(feature.levels))
    missing = UNKNOWN if feature.fill is None else to[int(feature.fill)]
    levels = tuple((name, b) for name, b in zip(feature.levels, to, strict=True) if b != UNKNOWN)
    if feature.cuts is None:
        return PortableQuestion(index, levels=levels, missing=missing)
    limits, branches = _merged([(cut, False) for cut in feature.cuts], to)
    return PortableQuestion(index, limits, branches, levels, missing)


def _number_test(splits: Splits, entry: int, precision: str) -> tuple[list[tuple[float, bool]], list[int]]:
    """(limits, branches) of a test on numbers."""
    if splits.kind[entry] == CUTS:
        cuts = splits.cuts[splits.cut_start[entry] : splits.cut_start[entry + 1]].tolist()
        branches = list(range(len(cuts) + 1))
    else:
        cuts, low = [float(splits.threshold[entry])], int(splits.low_branch[entry])
        branches = [low, 1 - low]
    closed = bool(splits.closed[entry])
    return _exact([(cut, closed) for cut in cuts], precision), branches


def _level_branches(splits: Splits, entry: int, n: int) -> list[int]:
    """The branch that each of n levels takes by its index, UNKNOWN where the test does not know it."""
    if splits.kind[entry] == LEVELS:
        return splits.levels(entry)[:n].tolist()
    closed = bool(splits.closed[entry])
    if splits.kind[entry] == THRESHOLD:
        limit, low = float(splits.threshold[entry]), int(splits.low_branch[entry])
        return [low if _is_below(i, limit, closed) else 1 - low for i in range(n)]
    cuts = splits.cuts[splits.cut_start[entry] : splits.cut_start[entry + 1]]
    return np.searchsorted(cuts, np.arange(n), side="left" if closed else "right").tolist()


def _exact(limits: list[tuple[float, bool]], precision: str) -> list[tuple[float, bool]]:
    """Limits that part float64 numbers as these part them once they are rounded; infinite ones part nothing."""
    result = [(limit, closed) for limit, closed in limits if limit < math.inf]
    return result if precision == "float64" else [_before_rounding(*limit) for limit in result]


def _before_rounding(limit: float, closed: bool) -> tuple[float, bool]:
    """Rounding to float32 keeps order: what is rounded to the low side ends halfway to the next number of that make."""
    with np.errstate(over="ignore"):
        near = np.float32(limit)
    low = near if _is_below(float(near), limit, closed) else np.nextafter(near, np.float32(-np.inf))
    middle = _halfway(low)
    with np.errstate(over="ignore"):
        return middle, bool(np.float32(middle) <= low)


def _halfway(low: np.float32) -> float:
    """Between a float32 number and the next larger one; 2**128 is next to the largest."""
    if low == -np.inf:
        return -(2.0**128 + float(np.finfo(np.float32).max)) / 2
    above = float(np.nextafter(low, np.float32(np.inf)))
    return (float(low) + (above if math.isfinite(above) else 2.0**128)) / 2


def _is_below(value: float, limit: float, closed: bool) -> bool:
    return value <= limit if closed else value < limit


def _merged(limits: list[tuple[float, bool]], branches: list[int]):
    """(limits, branches) without the limits that part nothing; more branches than places are beyond reach."""
    kept, to = [], [branches[0]]
    for limit, branch in zip(limits, branches[1:], strict=False):
        if branch != to[-1]:
            kept.append(limit)
            to.append(branch)
    return tuple(kept), tuple(to)


def _between(limits, branches, value: float) -> int:
    return branches[sum(not _is_below(value, *limit) for limit in limits)]


# A node as conditions that are tried in turn: what languages write that have cases and no tables.


class Case(NamedTuple):
    """The values of one question that go down its `branch`, None for missing ones, take the branch `to`."""

    question: PortableQuestion
    branch: int | None
    to: int


def cases_of(portable: Portable, node: PortableNode) -> tuple[list[Case], int]:
    """(cases, the branch of all other rows); the first case that holds decides. The node is no leaf."""
    cases = []
    for question in node.questions:
        cases += [Case(question, b, b) for b in _branches_of(question)]
        if question.missing != UNKNOWN:
            cases.append(Case(question, None, question.missing))
    first = node.questions[0]
    if first.missing != UNKNOWN:
        return cases, node.unseen
    if portable.knows_all(first):
        return cases, node.missing
    return [*cases, Case(first, None, node.missing)], node.unseen


Follows = TypeVar("Follows", bound=Hashable)


def grouped(told: list[tuple[str, Follows]], otherwise: Follows) -> list[tuple[list[str], Follows]]:
    """Conditions that exclude one another, together by what follows; without those that say `otherwise`."""
    results = dict.fromkeys(to for _, to in told if to != otherwise)
    return [([c for c, other in told if other == to], to) for to in results]


def _branches_of(question: PortableQuestion) -> list[int]:
    to = question.branches if question.by_number else [b for _, b in question.levels]
    return sorted(set(to) - {UNKNOWN})
