"""Rows with their target, ready to judge rules on."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.rules.cover import Cover, packed
from treecore.rules.rule import Figures, Rule
from treecore.target import Target
from treecore.tree.target import true_target
from treecore.tree.tree import Tree

FEW_CLASSES = 16
"""Up to so many, rows are counted class by class."""


@dataclass(frozen=True, eq=False, repr=False)
class Judged(Brief):
    """The rows of a table, and which rules cover them.

    truth : int64 class indices, -1 unknown, or float64 numbers; (n_rows, 2), events and exposure, of counts.
    weight : float64 (n_rows,), 0 where the target is missing or of a class the tree does not know.
    known : bool (n_rows,), where it is not. kind : of the target.
    """

    truth: np.ndarray
    weight: np.ndarray
    known: np.ndarray
    kind: Target
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
                f"The rules answer with {tree.target_kind.held}, this table has it as {target.kind}",
                where=f"Column {target.name!r}",
                remedy="Judge them on the kind of target that their tree was grown with",
            )
        truth = true_target(tree, table)
        known = tree.target_kind.is_known(truth)
        weight = np.where(known, table.case_weights, 0.0)
        return cls(truth, weight, known, tree.target_kind, tree.classes, Cover(tree, table))

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
            measure = "mean squared error" if self.truth.ndim == 1 else "mean deviance"
            return Figures(n, weight, support, error, measure=measure)
        answered = float(self._of_class[rule.answer]) if rule.answer >= 0 else 0.0
        of_class = answered / whole if whole > 0 else float("nan")
        lift = (1 - error) / of_class if of_class > 0 else float("nan")
        shares = tuple((totals / weight).tolist()) if weight > 0 else ()
        return Figures(n, weight, support, error, 1 - error, lift, shares)

    def of_rows(self, rows: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """(weight of these rows, loss of the rule's answer on them by weight, how many have a known target)."""
        weight = self.weight[rows]
        return float(weight.sum()), float(self.loss(rule.answer, rows) @ weight), int(self.known[rows].sum())

    def of_bits(self, bits: np.ndarray, rule: Rule) -> tuple[float, float, int]:
        """The same for the rows of these bits, which are counted where every row counts once."""
        if not self._counted:
            return self.of_rows(self.cover.places(bits), rule)
        n, right = int(_count(bits & self._known_bits)), int(_count(bits & self._bits_of_class(rule.answer)))
        return float(n), float(n - right), n

    def of_each(self, bits: np.ndarray, rule: Rule) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """of_bits of many at once. bits : uint64 (m, words). Three arrays (m,): float64, float64, int64."""
        if not self._counted:
            weight, loss, n = zip(*(self.of_bits(one, rule) for one in bits), strict=True)
            return np.array(weight), np.array(loss), np.array(n, np.int64)
        n, right = _count(bits & self._known_bits), _count(bits & self._bits_of_class(rule.answer))
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
