"""Which rows rules cover, as bits: a condition on numbers is made of two comparisons that many rules have in common."""

from functools import cached_property

import numpy as np

from treecore.kernels.codes import SHARED
from treecore.rules.condition import Condition, Linear
from treecore.rules.ranges import Interval
from treecore.rules.rule import Rule
from treecore.tree.tree import Tree
from treecore.tree.values import n_rows_of, value_matrix

MOST_BYTES = 1 << 28
"""Bits of comparisons that are kept."""
MOST_LEVELS = 64
"""Of a feature with more levels its conditions are looked up row by row."""


class Columns:
    """float64 (n_features, n_rows) of a table's rows, as rules read them: a feature is read when it is asked for."""

    def __init__(self, tree: Tree, rows):
        self._schema, self._rows, self._known = tree.schema, rows, {}
        self.shape = len(tree.schema.features), n_rows_of(rows)

    def __getitem__(self, index: int) -> np.ndarray:
        if index not in self._known:
            self._known[index] = value_matrix(self._schema, np.array([index]), self._rows)[0]
        return self._known[index]


class Cover:
    """Which rows rules cover. Of a rule that is a whole path the tree knows it; of any other its conditions say it.

    Bits: uint64 ((n_rows + 63) // 64,), one bit for each row, as np.packbits gives them, and zeros behind the last.
    """

    def __init__(self, tree: Tree, rows):
        self.tree, self.values, self._masks, self._levels = tree, Columns(tree, rows), {}, {}
        self.n_rows, self._given = self.values.shape[1], rows

    @cached_property
    def _ends(self) -> np.ndarray:
        return self.tree.apply(self._given)

    @cached_property
    def _doubtful(self) -> np.ndarray:
        """bool (n_rows,): may the tree send the row down several branches at once? No rule covers such a row."""
        splits, doubtful = self.tree.splits, np.zeros(self.n_rows, bool)
        shares = (splits.missing_branch == SHARED) | (splits.unseen_branch == SHARED)
        if any((splits.levels(entry) < 0).any() for entry in np.flatnonzero(shares)):
            return ~doubtful
        for feature in np.unique(splits.feature[shares]).tolist():
            column = self.values[feature]
            doubtful |= np.isnan(column) | (column < 0 if not self.tree.schema.features[feature].numeric else False)
        return doubtful

    @cached_property
    def _groups(self) -> tuple[np.ndarray, np.ndarray]:
        """(rows ordered by the node where they end, where each node's rows begin)."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(self._ends, minlength=self.tree.n_nodes))])
        return np.argsort(self._ends, kind="stable"), starts

    @cached_property
    def every(self) -> np.ndarray:
        """Bits of all rows."""
        return packed(np.ones(self.n_rows, bool))

    def rows(self, rule: Rule) -> np.ndarray:
        """int64, positions of the rows that the rule covers, rising."""
        if not rule.is_path:
            return self.places(self.bits(rule))
        order, starts = self._groups
        found = order[starts[rule.leaf] : starts[rule.leaf + 1]]
        unsure = self._doubtful[found]
        if not unsure.any():
            return found
        return np.sort(np.concatenate([found[~unsure], rule.covered(self.values, found[unsure])]))

    def places(self, bits: np.ndarray) -> np.ndarray:
        """int64, positions of the rows of these bits, rising."""
        return np.flatnonzero(np.unpackbits(bits.view(np.uint8), count=self.n_rows).view(bool))

    def bits(self, rule: Rule) -> np.ndarray:
        """Of the rows that meet all conditions of the rule; not to be written to."""
        # the conditions are kept too: others might get their id
        return self._kept(("all", id(rule.conditions)), lambda: (self._meeting(rule), rule.conditions))[0]

    def _meeting(self, rule: Rule) -> np.ndarray:
        found = self.every.copy()
        for condition in rule.conditions:
            found &= self.mask(condition)
        return found

    def mask(self, condition: Condition | Linear) -> np.ndarray:
        """Bits of the rows that meet a condition."""
        if condition.kind == "interval" and (not condition.steps.backed or not self._missing(condition.index).any()):
            return self._between(condition)
        few = condition.kind == "levels" and not condition.feature.numeric and self._by_levels(condition)
        if few and len(condition.feature.levels) <= MOST_LEVELS:
            return self._among(condition)
        # the condition is kept too: another one might get its id
        return self._kept(("whole", id(condition)), lambda: (packed(self._holds(condition, few)), condition))[0]

    def _between(self, condition: Condition) -> np.ndarray:
        """The steps of one feature together admit what `asked` does, and a missing value where none refuses it."""
        asked: Interval = condition.asked
        found = self.every & ~self._missing(condition.index)
        if asked.low != -np.inf or not asked.low_closed:
            found &= ~self._below(condition.index, asked.low, not asked.low_closed)
        if asked.high != np.inf or not asked.high_closed:
            found &= self._below(condition.index, asked.high, asked.high_closed)
        return found if condition.steps.missing_refused else found | self._missing(condition.index)

    def _below(self, index: int, end: float, closed: bool) -> np.ndarray:
        """Bits of the rows whose value is less than `end`, or equal to it where that is closed."""
        column = self.values[index]
        return self._kept((index, end, closed), lambda: packed(column <= end if closed else column < end))

    def _missing(self, index: int) -> np.ndarray:
        return self._kept((index, "missing"), lambda: packed(np.isnan(self.values[index])))

    def _among(self, condition: Condition) -> np.ndarray:
        """The rows of all levels that are admitted; what a test does not know is a level of its own."""
        holds, index = self._of_levels(condition), condition.index
        some = holds if 2 * holds.sum() <= len(holds) else ~holds
        found = np.zeros_like(self.every)
        for level in np.flatnonzero(some).tolist():
            found |= self._kept((index, level), lambda level=level: packed(self._level(condition) == level))
        return found if some is holds else self.every & ~found

    def _level(self, condition: Condition) -> np.ndarray:
        """int16 or wider (n_rows,): place of each row's value among those of `_of_levels`."""
        index = condition.index
        if index not in self._levels:
            column, n = self.values[index], len(condition.feature.levels)
            kind = np.int16 if n < 32000 else np.int64
            self._levels[index] = np.where(np.isnan(column), n, np.where(column < 0, n + 1, column)).astype(kind)
        return self._levels[index]

    def _of_levels(self, condition: Condition) -> np.ndarray:
        """bool (n levels + 2,): does each level meet it, a missing value, and a level that the tree lacks?"""
        cells = _cells(condition)
        if condition.steps.backed:  # backups are not asked, see _by_levels
            return np.all([step.asked.admits(cells) for step in condition.steps], axis=0)
        return condition.holds({condition.index: cells})

    def _by_levels(self, condition: Condition) -> bool:
        """Does the feature alone decide? Backups are asked where a test does not know the level."""
        if not condition.steps.backed:
            return True
        cells, index = _cells(condition), condition.index
        rows = self._kept((index, "rows"), lambda: np.bincount(self._level(condition), minlength=len(cells)))
        return not any(rows[~step.asked.decides(cells)].any() for step in condition.steps)

    def _holds(self, condition: Condition | Linear, few: bool) -> np.ndarray:
        """bool (n_rows,): a condition on levels is asked once for each level, not for each row."""
        if few:
            return self._of_levels(condition)[self._level(condition)]
        return condition.holds(self.values)

    def _kept(self, key: tuple, make):
        """What was made before under this key; all of it is let go when it takes too much memory."""
        if key not in self._masks:
            if len(self._masks) * self.n_rows > 8 * MOST_BYTES:
                self._masks.clear()
            self._masks[key] = make()
        return self._masks[key]

    def fired(self, rules: tuple[Rule, ...]) -> np.ndarray:
        """int64 (n_rows,): position of the first rule that covers each row, -1 where none does."""
        first, left = self._first_path(rules), self.every.copy()
        for place, rule in enumerate(rules):
            if rule.is_path:
                continue
            hit = self.bits(rule) & left
            if not hit.any():
                continue
            rows = self.places(hit)
            first[rows] = np.minimum(first[rows], place)
            left ^= hit
            if not left.any():
                break
        return np.where(first == len(rules), -1, first)

    def _first_path(self, rules: tuple[Rule, ...]) -> np.ndarray:
        """int64 (n_rows,): position of the first rule that is the path of each row, len(rules) where there is none."""
        paths = {rule.leaf: place for place, rule in reversed(list(enumerate(rules))) if rule.is_path}
        of_node = np.full(self.tree.n_nodes, len(rules))
        of_node[list(paths)] = list(paths.values())
        if not paths or not self._doubtful.any():
            return of_node[self._ends] if paths else np.full(self.n_rows, len(rules))
        first = np.full(self.n_rows, len(rules))
        for place in paths.values():
            first[self.rows(rules[place])] = place
        return first


def _cells(condition: Condition) -> np.ndarray:
    """Every level, a missing value, and a level that the tree lacks."""
    return np.array([*range(len(condition.feature.levels)), np.nan, -1.0])


def packed(holds: np.ndarray) -> np.ndarray:
    """bool (n_rows,) as bits; see Cover."""
    found = np.zeros((len(holds) + 63) // 64 * 8, np.uint8)
    found[: (len(holds) + 7) // 8] = np.packbits(holds)
    return found.view(np.uint64)
