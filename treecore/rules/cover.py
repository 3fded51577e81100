"""Which rows rules cover, as bits, and how rules do on rows whose target is known."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import SHARED
from treecore.rules.condition import Condition, Interval, Linear
from treecore.rules.rule import Figures, Rule
from treecore.target import Target
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import predictions_at
from treecore.tree.tree import Tree
from treecore.tree.values import n_rows_of, value_matrix

MOST_BYTES = 1 << 28
"""Bits of comparisons that are kept."""
MOST_LEVELS = 64
"""Of a feature with more levels its conditions are looked up row by row."""


class RuleColumns:
    """float64 (n_features, n_rows) of a table's rows, as rules read them: a feature is read when it is asked for."""

    def __init__(self, tree: Tree, rows):
        self._schema, self._rows = tree.schema, rows
        self._known: dict[int, np.ndarray] = {}
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
        self.tree, self.values = tree, RuleColumns(tree, rows)
        self._masks: dict[tuple, Any] = {}
        self._levels: dict[int, np.ndarray] = {}
        self.n_rows, self._given = self.values.shape[1], rows

    @cached_property
    def _ends(self) -> np.ndarray:
        return self.tree.apply(self._given)

    @cached_property
    def _doubtful(self) -> np.ndarray:
        """bool (n_rows,): may the tree send the row down several branches at once? No rule covers such a row."""
        splits, doubtful = self.tree.splits, np.zeros(self.n_rows, bool)
        shares = (splits.missing_branch == SHARED) | (splits.unseen_branch == SHARED)
        if any((splits.levels(entry) < 0).any() for entry in np.flatnonzero(shares).tolist()):
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
        here = order[starts[rule.leaf] : starts[rule.leaf + 1]]
        unsure = self._doubtful[here]
        if not unsure.any():
            return here
        return np.sort(np.concatenate([here[~unsure], rule.covered(self.values, here[unsure])]))

    def places(self, bits: np.ndarray) -> np.ndarray:
        """int64, positions of the rows of these bits, rising."""
        return np.flatnonzero(np.unpackbits(bits.view(np.uint8), count=self.n_rows).view(bool))

    def bits(self, rule: Rule) -> np.ndarray:
        """Of the rows that meet all conditions of the rule; not to be written to."""
        # the conditions are kept too: others might get their id
        return self._kept(("all", id(rule.conditions)), lambda: (self._meeting(rule), rule.conditions))[0]

    def _meeting(self, rule: Rule) -> np.ndarray:
        bits = self.every.copy()
        for condition in rule.conditions:
            bits &= self.mask(condition)
        return bits

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
        asked = condition.asked
        assert isinstance(asked, Interval)
        bits = self.every & ~self._missing(condition.index)
        if asked.low != -np.inf or not asked.low_closed:
            bits &= ~self._below(condition.index, asked.low, not asked.low_closed)
        if asked.high != np.inf or not asked.high_closed:
            bits &= self._below(condition.index, asked.high, asked.high_closed)
        return bits if condition.steps.missing_refused else bits | self._missing(condition.index)

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
        bits = np.zeros_like(self.every)
        for level in np.flatnonzero(some).tolist():
            bits |= self._kept((index, level), lambda level=level: packed(self._level(condition) == level))
        return bits if some is holds else self.every & ~bits

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
    bits = np.zeros((len(holds) + 63) // 64 * 8, np.uint8)
    bits[: (len(holds) + 7) // 8] = np.packbits(holds)
    return bits.view(np.uint64)


# Rows with their target, ready to judge rules on.

FEW_CLASSES = 16
"""Up to so many, rows are counted class by class."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelledRows(Brief):
    """The rows of a table, and which rules cover them.

    truth : int64 class indices, -1 unknown, or float64 numbers; (n_rows, 2), events and exposure, of counts.
    weight : float64 (n_rows,), 0 where the target is missing or of a class the tree does not know.
    known : bool (n_rows,), where it is not. kind : of the target. answers : (row, node) -> what nodes answer for rows,
    of a tree whose leaves have no answer of their own; else None.
    """

    truth: np.ndarray
    weight: np.ndarray
    known: np.ndarray
    kind: Target
    classes: tuple[str, ...]
    cover: Cover = field(repr=False)
    answers: Callable | None = field(default=None, repr=False)

    @classmethod
    def of(cls, tree: Tree, table: "Table | LabelledRows") -> "LabelledRows":
        """TreecoreError for a table that has the target as another kind, or lacks a column that rules ask for.

        Rows that are judged already stay as they are: whoever asks often keeps them.
        """
        if isinstance(table, LabelledRows):
            return table
        target = table.column(tree.schema.target)
        if (target.kind == "numeric") == bool(tree.classes):
            raise TreecoreError(
                f"The rules answer with {tree.target_kind.held}, this table has it as {target.kind}",
                where=f"Column {target.name!r}",
                remedy="Judge them on the kind of target that their tree was grown with",
            )
        truth = true_target(tree, table)
        known = tree.target_kind.is_known(truth)
        weight = np.where(known, table.case_weights, 0.0)
        answers = None if tree.lines is None else predictions_at(tree, table)
        return cls(truth, weight, known, tree.target_kind, tree.classes, Cover(tree, table), answers)

    def __len__(self) -> int:
        return len(self.truth)

    def loss(self, answer, rows=slice(None)) -> np.ndarray:
        """float64: of this answer (or one answer per row) on these rows: 1 where it is wrong, the squared error
        of a number, or the deviance of a count; 0 where the target is not known."""
        off = self.kind.answer_losses(self.truth[rows], answer)
        return np.where(self.known[rows], off, 0.0)

    def error(self, answer, rows=slice(None)) -> float:
        """Weighted mean of the loss; NaN without weight."""
        weight = self.weight[rows]
        total = float(weight.sum())
        return float(self.loss(answer, rows) @ weight) / total if total > 0 else float("nan")

    @cached_property
    def _whole(self) -> float:
        return float(self.weight.sum())

    @cached_property
    def _of_class(self) -> np.ndarray:
        """float64 (n_classes,): weight of every class among all rows."""
        return self.totals(np.arange(len(self)))

    def figures(self, rule: Rule) -> Figures:
        """How one rule does on these rows."""
        if rule.is_path:
            return self.figures_of(self.cover.rows(rule), rule)
        totals = self.totals_of(rule) if self.classes else None
        return self._figures(self.of_bits(self.cover.bits(rule), rule), totals, rule)

    def figures_of(self, rows: np.ndarray, rule: Rule) -> Figures:
        """How it does on some of these rows. rows : bool (n_rows,), or their places."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        return self._figures(self.of_rows(places, rule), self.totals(places) if self.classes else None, rule)

    def _figures(self, sums: tuple[float, float, int], totals: np.ndarray | None, rule: Rule) -> Figures:
        """totals : see totals_of; None for numbers."""
        weight, loss, n = sums
        whole = self._whole
        support = weight / whole if whole > 0 else float("nan")
        error = loss / weight if weight > 0 else float("nan")
        if not self.classes:
            return Figures(n, weight, support, error)
        assert totals is not None
        answered = float(self._of_class[int(rule.answer)]) if rule.answer >= 0 else 0.0
        of_class = answered / whole if whole > 0 else float("nan")
        lift = (1 - error) / of_class if of_class > 0 else float("nan")
        shares = tuple((totals / weight).tolist()) if weight > 0 else ()
        return Figures(n, weight, support, error, 1 - error, lift, shares)

    def answer_of(self, rule: Rule, rows: np.ndarray):
        """The rule's answer, or by a line one for each of these rows, int64."""
        return rule.answer if self.answers is None else self.answers(rows, np.full(len(rows), rule.leaf))

    def of_rows(self, rows: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """(weight of these rows, loss of the rule's answer on them by weight, how many have a known target)."""
        weight = self.weight[rows]
        return (
            float(weight.sum()),
            float(self.loss(self.answer_of(rule, rows), rows) @ weight),
            int(self.known[rows].sum()),
        )

    def of_bits(self, bits: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """The same for the rows of these bits, which are counted where every row counts once."""
        if not self._counted:
            return self.of_rows(self.cover.places(bits), rule)
        n, right = int(_count(bits & self._known_bits)), int(_count(bits & self._bits_of_class(int(rule.answer))))
        return float(n), float(n - right), n

    def of_each(self, bits: np.ndarray, rule: Rule) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """of_bits of many at once. bits : uint64 (m, words). Three arrays (m,): float64, float64, int64."""
        if not self._counted:
            weight, loss, known = zip(*(self.of_bits(one, rule) for one in bits), strict=True)
            return np.array(weight), np.array(loss), np.array(known, np.int64)
        n, right = _count(bits & self._known_bits), _count(bits & self._bits_of_class(int(rule.answer)))
        return n.astype(float), (n - right).astype(float), n

    @cached_property
    def _counted(self) -> bool:
        """Are there classes, and rows of weight 1 alone?"""
        return bool(self.classes) and bool((self.weight[self.known] == 1).all())

    @cached_property
    def _known_bits(self) -> np.ndarray:
        return packed(self.known)

    @cached_property
    def _class_bits(self) -> dict[int, np.ndarray]:
        return {}

    def _bits_of_class(self, answer: int) -> np.ndarray:
        """Of the rows of this class; of none for no answer."""
        if answer not in self._class_bits:
            self._class_bits[answer] = packed(self.known & (self.truth == answer))
        return self._class_bits[answer]

    def totals_of(self, rule: Rule) -> np.ndarray:
        """float64 (n_classes,): weight of every class among the rows that the rule covers."""
        if rule.is_path or not self._counted or len(self.classes) > FEW_CLASSES:
            return self.totals(self.cover.rows(rule))
        bits = self.cover.bits(rule)
        return np.array([float(_count(bits & self._bits_of_class(k))) for k in range(len(self.classes))])

    def totals(self, rows: np.ndarray) -> np.ndarray:
        """float64 (n_classes,): weight of every class among these rows."""
        known = rows[self.known[rows]]
        return np.bincount(self.truth[known], self.weight[known], len(self.classes))


def _count(bits: np.ndarray) -> np.ndarray:
    """int64 (...): how many bits of the last axis are set."""
    return np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)
