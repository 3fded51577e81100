"""Rows with their target, ready to judge rules on."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import SHARED
from treecore.rules.rule import Figures, Rule
from treecore.tree.rounding import distances
from treecore.tree.target import true_labels, true_numbers
from treecore.tree.tree import Tree
from treecore.tree.values import n_rows_of, value_matrix

MOST_MASKS = 4096
"""Conditions whose rows are kept, a bit for each row."""


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

    Bits: uint8 ((n_rows + 7) // 8,), one bit for each row, as np.packbits gives them.
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
        return np.packbits(np.ones(self.n_rows, bool))

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
        return np.flatnonzero(np.unpackbits(bits, count=self.n_rows).view(bool))

    def bits(self, rule: Rule) -> np.ndarray:
        """Of the rows that meet all conditions of the rule."""
        found = self.every.copy()
        for condition in rule.conditions:
            found &= self.mask(condition)
        return found

    def mask(self, condition) -> np.ndarray:
        """Bits of the rows that meet a condition; rules have conditions in common."""
        if id(condition) not in self._masks:
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            # the condition is kept too: another one might get its id
            self._masks[id(condition)] = condition, np.packbits(self._holds(condition))
        return self._masks[id(condition)][1]

    def _holds(self, condition) -> np.ndarray:
        """bool (n_rows,): a condition on levels is asked once for each level, not for each row."""
        if condition.kind != "levels" or condition.feature.numeric or len(condition.indices) > 1:
            return condition.holds(self.values)
        index = condition.index
        if index not in self._levels:
            column, n = self.values[index], len(condition.feature.levels)
            self._levels[index] = np.where(np.isnan(column), n, column).astype(np.intp)
        values = np.array([*range(len(condition.feature.levels)), np.nan, -1.0])  # the last: a level the tree lacks
        return condition.holds({index: values})[self._levels[index]]

    def fired(self, rules: tuple[Rule, ...]) -> np.ndarray:
        """int64 (n_rows,): position of the first rule that covers each row, -1 where none does."""
        first, left = self._first_path(rules), self.every.copy()
        for place, rule in enumerate(rules):
            if rule.is_path:
                continue
            bits = self.bits(rule)
            rows = self.places(bits & left)
            first[rows] = np.minimum(first[rows], place)
            left &= ~bits
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


@dataclass(frozen=True, eq=False)
class Judged:
    """The rows of a table, and which rules cover them.

    truth : int64 class indices, -1 unknown, or float64 numbers.
    weight : float64 (n_rows,), 0 where the target is missing or of a class the tree does not know.
    known : bool (n_rows,), where it is not.
    """

    truth: np.ndarray
    weight: np.ndarray
    known: np.ndarray
    classes: tuple[str, ...]
    cover: Cover = field(repr=False)

    @classmethod
    def of(cls, tree: Tree, table: "Table | Judged") -> "Judged":
        """TreecoreError for a table that has the target as another kind, or lacks a column that rules ask for.

        Rows that are judged already stay as they are: whoever asks often keeps them.
        """
        if isinstance(table, Judged):
            return table
        target = table.column(tree.schema.target)
        if (target.kind == "numeric") == bool(tree.classes):
            raise TreecoreError(
                f"The rules answer with {'classes' if tree.classes else 'numbers'}, this table has it as {target.kind}",
                where=f"Column {target.name!r}",
                remedy="Judge them on the kind of target that their tree was grown with",
            )
        if tree.classes:
            truth = true_labels(tree, table)
            known = truth >= 0
        else:
            truth = true_numbers(tree, table)
            known = ~np.isnan(truth)
        weight = np.where(known, table.case_weights, 0.0)
        return cls(truth, weight, known, tree.classes, Cover(tree, table))

    def __len__(self) -> int:
        return len(self.truth)

    def loss(self, answer, rows=slice(None)) -> np.ndarray:
        """float64: of this answer (or one answer per row) on these rows: 1 where it is wrong, or the squared error;
        0 where the target is not known."""
        off = self.truth[rows] != answer if self.classes else distances(self.truth[rows], answer) ** 2
        return np.where(self.known[rows], off, 0.0).astype(float)

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
        sums = self.of_rows(self.cover.rows(rule), rule) if rule.is_path else self.of_bits(self.cover.bits(rule), rule)
        weight, loss, n = sums
        whole = self._whole
        support = weight / whole if whole > 0 else float("nan")
        error = loss / weight if weight > 0 else float("nan")
        if not self.classes:
            return Figures(n, weight, support, error)
        answered = float(self._of_class[rule.answer]) if rule.answer >= 0 else 0.0
        of_class = answered / whole if whole > 0 else float("nan")
        lift = (1 - error) / of_class if of_class > 0 else float("nan")
        return Figures(n, weight, support, error, 1 - error, lift)

    def of_rows(self, rows: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """(weight of these rows, loss of the rule's answer on them by weight, how many have a known target)."""
        weight = self.weight[rows]
        return float(weight.sum()), float(self.loss(rule.answer, rows) @ weight), int(self.known[rows].sum())

    def of_bits(self, bits: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """The same for the rows of these bits, which are counted where every row counts once."""
        if not self._counted:
            return self.of_rows(self.cover.places(bits), rule)
        n = _count(bits & self._known_bits)
        return float(n), float(n - _count(bits & self._bits_of_class(rule.answer))), n

    @cached_property
    def _counted(self) -> bool:
        """Are there classes, and rows of weight 1 alone?"""
        return bool(self.classes) and bool((self.weight[self.known] == 1).all())

    @cached_property
    def _known_bits(self) -> np.ndarray:
        return np.packbits(self.known)

    @cached_property
    def _class_bits(self) -> dict[int, np.ndarray]:
        return {}

    def _bits_of_class(self, answer: int) -> np.ndarray:
        """Of the rows of this class; of none for no answer."""
        if answer not in self._class_bits:
            self._class_bits[answer] = np.packbits(self.known & (self.truth == answer))
        return self._class_bits[answer]

    def totals(self, rows: np.ndarray) -> np.ndarray:
        """float64 (n_classes,): weight of every class among these rows."""
        known = rows[self.known[rows]]
        return np.bincount(self.truth[known], self.weight[known], len(self.classes))


def _count(bits: np.ndarray) -> int:
    return int(np.bitwise_count(bits).sum(dtype=np.int64))
