"""A target of numbers: sums (w, wy, wyy) around each node's center, means, squared and absolute errors."""

from dataclasses import dataclass
from math import floor, inf, log10, sqrt
from typing import ClassVar

import numpy as np

from treecore.criteria.row_losses import RowLoss
from treecore.errors import TreecoreError
from treecore.figures import brief, in_unit, number
from treecore.target.rounding import distances, settled
from treecore.target.target import OWN, Target, TreeLike

MOST_DIGITS = 9
"""Of an answer in print, however close the rows lie to each other."""


def recentred(stats: np.ndarray, by: np.ndarray | float) -> np.ndarray:
    """(w, wy, wyy), float64 (..., 3), around a center that lies below theirs `by` so much."""
    w, wy, wyy = np.moveaxis(stats, -1, 0)
    return np.stack([w, wy + by * w, wyy + by * (2.0 * wy + by * w)], axis=-1)


def mean_of(y: np.ndarray, weights: np.ndarray | None) -> float:
    """Weighted mean of some numbers, float64 (n,); the very number where all are equal."""
    with np.errstate(over="ignore"):
        mean = y.mean() if weights is None else np.average(y, weights=weights)
        return float(min(max(mean, y.min()), y.max()))


@dataclass(frozen=True)
class NumberTarget(Target):
    """Numbers, answered by their mean, or by their median where a tree was grown by absolute errors.

    row_loss : where a tree was grown by another loss of single rows: what its answers, its size and its scores are
        judged by. Sums of targets do not give it: whoever needs it looks at the rows.
    """

    row_loss: RowLoss | None = None

    task: ClassVar[str] = "regression"
    held: ClassVar[str] = "numbers"
    around_center: ClassVar[bool] = True
    width: ClassVar[int] = 3
    losses: ClassVar[dict[str, int]] = {OWN: 2, "mse": 2, "mae": 1}
    """Measure -> the power of the distance between a number and its answer."""

    @property
    def noun(self) -> str:
        return "mean" if self.row_loss is None else self.row_loss.answer

    def needs_rows(self, measure: str) -> bool:
        return measure == "mae" or (measure == OWN and self.row_loss is not None)

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        w = stats[..., 0]
        return np.divide(stats[..., 1], w, out=np.zeros(np.shape(w)), where=w > 0)

    def moved(self, stats: np.ndarray, by: np.ndarray | float) -> np.ndarray:
        return recentred(stats, by)

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        known = truth == truth
        return np.stack([np.bincount(cell, np.nan_to_num(weight * truth**p * known), n) for p in range(3)], axis=1)

    def spread_of_rows(self, stats: np.ndarray) -> float:
        return self.deviation(stats)

    def values(self, tree: TreeLike) -> np.ndarray:
        if tree.median is not None:
            return np.where(tree.answer < 0, np.nan, tree.median[tree.answer])
        means = self._means(tree)
        if tree.outputs is None:
            return means
        numbers = tree.outputs[tree.answer, 0]
        return np.where((tree.answer < 0) | np.isnan(numbers), means, numbers)

    def _means(self, tree: TreeLike) -> np.ndarray:
        """float64 (n_nodes,): mean of the rows that answer for each node, NaN where there are none."""
        w, wy, wyy = tree.stats[tree.answer].T
        w = np.where((tree.answer < 0) | (w == 0), np.nan, w)
        return settled(tree.center[tree.answer] + wy / w, np.sqrt(np.abs(wyy / w)))  # spread around 0, as residuals are

    def answer_losses(self, truth: np.ndarray, answer) -> np.ndarray:
        """The squared error, or the loss that the tree was grown by."""
        return distances(truth, answer) ** 2 if self.row_loss is None else self.row_loss.of(truth - answer)

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        self.check_loss(tree, measure)
        if self.needs_rows(measure):
            remedy = "Take the squared error, or the impurity of a tree that was grown by this loss"
            what = self.error_name(tree, measure).capitalize()
            raise TreecoreError(f"{what} cannot be told from a node's sums", where="measure", remedy=remedy)
        own = tree.value - tree.center
        squares, around = stats[:, 2], own * own * stats[:, 0]
        errors = np.maximum(settled(squares - 2 * own * stats[:, 1] + around, squares + around), 0.0)
        return np.where(stats[:, 0] == 0, 0.0, errors)

    def training_errors(self, tree: TreeLike, staying: np.ndarray, measure: str = OWN) -> tuple[np.ndarray, np.ndarray]:
        if measure == OWN and self.row_loss is not None:  # splits were judged by its mean
            return tree.impurity * tree.weight, tree.impurity * staying[:, 0]
        return super().training_errors(tree, staying, measure)

    def row_losses(self, tree: TreeLike, measure: str, factor: np.ndarray | None = None):
        if measure == OWN and self.row_loss is not None:
            return lambda truth, answer: self.row_loss.of(truth - answer)
        power = self.losses[measure]
        return lambda truth, answer: distances(truth, answer) ** power

    def own_measure(self, tree: TreeLike) -> str:
        return "mse" if self.row_loss is None else self.row_loss.measure

    @property
    def mean_loss(self) -> str:
        return "mean squared error" if self.row_loss is None else self.row_loss.mean_name

    @property
    def observed_noun(self) -> str:
        return "mean"

    def observed_quantity(self, tree: TreeLike) -> str:
        return f"mean {tree.schema.target}"

    def loss_name(self, tree: TreeLike) -> str:
        return self.mean_loss

    def loss_shown(self, tree: TreeLike, loss: float) -> tuple[str, str]:
        """A squared error by its root, which has the unit of the target."""
        if self.row_loss is not None:
            return super().loss_shown(tree, loss)
        return "RMSE", in_unit(brief(self.loss_figure(loss)), tree.schema.target_unit)

    def loss_figure(self, loss: float) -> float:
        return loss if self.row_loss is not None else sqrt(max(loss, 0.0))

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        if measure == OWN and self.row_loss is not None:
            return self.row_loss.total_name
        return "absolute error" if measure == "mae" else "squared error"

    def answer_text(self, tree: TreeLike, node: int) -> str:
        return self.value_text(tree, float(tree.value[node]))

    def value_text(self, tree: TreeLike, value: float) -> str:
        """ "195,196 €"."""
        return in_unit(self.figure_text(tree, value), tree.schema.target_unit)

    def answer_digits(self, tree: TreeLike) -> int:
        """Four, and as many more as it takes to tell a tenth of the spread of all training rows: means of years are
        "1994.3" and "1997.8". The root's rows are the same in all trees of a table, however they are pruned."""
        mean, spread = abs(float(tree.center[0] + self.mean_of(tree.stats[0]))), self.deviation(tree.stats[0])
        if not (0 < spread < inf and 0 < mean < inf):
            return 4
        return min(max(4, 2 + floor(log10(mean)) - floor(log10(spread))), MOST_DIGITS)

    def card_text(self, tree: TreeLike, node: int) -> str:
        """ "90 %: 12.3": a quantile says which; what the numbers on cards are of stands in their legend."""
        text = self.answer_text(tree, node)
        return f"{self.row_loss.short} {text}" if self.row_loss is not None and self.row_loss.short else text

    def scale_name(self, tree: TreeLike) -> str:
        return tree.schema.target if self.row_loss is None else self.quantity(tree)

    def scale_text(self, tree: TreeLike, node: int) -> str:
        return self.answer_text(tree, node)

    def quantity(self, tree: TreeLike) -> str:
        return f"{self.noun} {'' if self.row_loss is None else 'of '}{tree.schema.target}"

    def cell_text(self, tree: TreeLike, node: int) -> str:
        return number(float(tree.value[node]))

    def figures(self, tree: TreeLike, node: int, stats: np.ndarray) -> dict[str, str]:
        mean = float(tree.center[node] + self.mean_of(stats)) if stats[0] > 0 else float("nan")
        return {f"mean of {tree.schema.target}": self.value_text(tree, mean)}

    def short_text(self, tree: TreeLike, node: int) -> str:
        return self.value_text(tree, float(tree.summary[node]))

    def spread_text(self, tree: TreeLike, node: int) -> str:
        return f"standard deviation {in_unit(brief(self.deviation(tree.stats[node])), tree.schema.target_unit)}"

    def deviation(self, stats: np.ndarray) -> float:
        w, wy, wyy = stats.tolist()
        return float(np.sqrt(max(float(settled(wyy / w - (wy / w) ** 2, wyy / w)), 0.0))) if w > 0 else float("nan")
