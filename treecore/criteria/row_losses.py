"""Losses of single rows that no sums give: what answers for rows by each, and how it is said in words.

Absolute error and pinball loss are least at a quantile, Huber loss at a mean that far rows do not pull.
Source: Koenker and Bassett (1978), Regression quantiles; Huber (1964), Robust estimation of a location parameter.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import brief, tex, weight

CLOSE = 1e-12
"""Weights this close to the share of a quantile, as a share of all, are it."""
MOST_STEPS = 200
BALANCED = 1e-13
NORMAL = 1.4826
"""The standard deviation of normal numbers over their median distance from the median."""
EFFICIENT = 1.345
"""Standard deviations up to which Huber loss squares distances: 95 % efficient where numbers are normal."""


def weighted_quantile(y: np.ndarray, w: np.ndarray, share: float) -> float:
    """The smallest number at which the cumulated weight passes this share; at exactly it the mean of that and the next
    (numpy's "averaged_inverted_cdf"). y, w : float64 (n,); rows of weight 0 count for nothing. 0 without weight."""
    order = np.argsort(y, kind="stable")
    order = order[w[order] > 0]
    if not len(order):
        return 0.0
    y, below = y[order], np.cumsum(w[order])
    whole = below[-1]
    at = min(int(np.searchsorted(below, (share - CLOSE) * whole)), len(y) - 1)
    between = at + 1 < len(y) and below[at] <= (share + CLOSE) * whole
    return float(y[at] + y[at + 1]) / 2 if between else float(y[at])


class RowLoss:
    """A loss of single rows by their distance from the answer.

    coefficients : (up, down, delta) as kernels take them, see kernels.ranked_losses. parameter : the setting of growth
    that it is made from, "" for none. measure : its mean over answers, by its name in judging.MEASURES. answer : what
    answers for rows, within a sentence; short : before its number where little room is. total_name, mean_name : what
    the loss of rows adds up to is called, and the mean, by which nodes and trees are judged. in_unit : is it in the
    unit of the target? setting_text : its parameter, where its answer does not say it. share : of rows that lie at or
    below the answer, where it is a quantile of them. unset : the value of the setting that leaves it to the data; None
    where it is never left.
    """

    name: ClassVar[str]
    parameter: ClassVar[str] = ""
    measure: ClassVar[str]
    in_unit: ClassVar[bool] = True
    unset: ClassVar[float | None] = None
    total_name: ClassVar[str]
    share: float | None = None

    @property
    def answer(self) -> str:
        raise NotImplementedError

    @property
    def short(self) -> str:
        return ""

    @property
    def setting_text(self) -> str:
        return ""

    @property
    def coefficients(self) -> tuple[float, float, float]:
        raise NotImplementedError

    @property
    def mean_name(self) -> str:
        return f"mean {self.total_name}"

    def of(self, distance: np.ndarray) -> np.ndarray:
        """float64: the loss at each distance of a truth from its answer, truth less answer."""
        raise NotImplementedError

    def best(self, y: np.ndarray, w: np.ndarray) -> float:
        """The answer of least loss for rows of these weights; 0 without weight."""
        raise NotImplementedError

    def best_and_total(self, y: np.ndarray, w: np.ndarray) -> tuple[float, float]:
        """(the answer of least loss, sum of w times the loss around it); (0, 0) without weight."""
        if not (w > 0).any():
            return 0.0, 0.0
        best = self.best(y, w)
        return best, float(w @ self.of(y - best))

    def written(self, best: float, total: float, n: float) -> list[str]:
        """The mean loss of n rows in LaTeX."""
        return [
            rf"\tfrac{{1}}{{{weight(n)}}} {self.sum_of(tex(best, 7))}",
            rf" = \tfrac{{{tex(total, 7)}}}{{{weight(n)}}}",
        ]

    def sum_of(self, best: str) -> str:
        """The sum of losses around an answer in LaTeX."""
        raise NotImplementedError


@dataclass(frozen=True)
class AbsoluteLoss(RowLoss):
    """The distance itself."""

    name: ClassVar[str] = "absolute_error"
    measure: ClassVar[str] = "mae"
    answer: ClassVar[str] = "median"
    total_name: ClassVar[str] = "absolute error"
    share: ClassVar[float] = 0.5

    @property
    def coefficients(self) -> tuple[float, float, float]:
        return 1.0, 1.0, 0.0

    def of(self, distance: np.ndarray) -> np.ndarray:
        return np.abs(distance)

    def best(self, y: np.ndarray, w: np.ndarray) -> float:
        return weighted_quantile(y, w, 0.5)

    def sum_of(self, best: str) -> str:
        return rf"\sum \lvert y - {best} \rvert"


@dataclass(frozen=True)
class PinballLoss(RowLoss):
    """`quantile` of the distance above the answer, 1 - quantile of it below; half the absolute error at 0.5."""

    quantile: float = 0.5
    name: ClassVar[str] = "quantile"
    parameter: ClassVar[str] = "quantile"
    measure: ClassVar[str] = "pinball"
    total_name: ClassVar[str] = "pinball loss"

    @property
    def coefficients(self) -> tuple[float, float, float]:
        return self.quantile, 1.0 - self.quantile, 0.0

    @property
    def share(self) -> float:
        return self.quantile

    @property
    def answer(self) -> str:
        """ "90 % quantile"."""
        return f"{self.short[:-1]} quantile" if self.short else AbsoluteLoss.answer

    @property
    def short(self) -> str:
        return "" if self.quantile == AbsoluteLoss.share else f"{brief(100 * self.quantile)}\u00a0%:"

    def of(self, distance: np.ndarray) -> np.ndarray:
        return np.where(distance > 0, self.quantile * distance, (self.quantile - 1.0) * distance)

    def best(self, y: np.ndarray, w: np.ndarray) -> float:
        return weighted_quantile(y, w, self.quantile)

    def sum_of(self, best: str) -> str:
        up, down = brief(self.quantile), brief(1.0 - self.quantile)
        return rf"\sum \left({up}\,(y - {best})_+ + {down}\,({best} - y)_+\right)"


@dataclass(frozen=True)
class HuberLoss(RowLoss):
    """Half the square of the distance up to delta, linear beyond it: far rows count, and do not rule."""

    delta: float = 1.0
    name: ClassVar[str] = "huber"
    parameter: ClassVar[str] = "delta"
    measure: ClassVar[str] = "huber"
    unset: ClassVar[float | None] = 0.0
    in_unit: ClassVar[bool] = False
    answer: ClassVar[str] = "Huber mean"
    total_name: ClassVar[str] = "Huber loss"

    @property
    def coefficients(self) -> tuple[float, float, float]:
        return 1.0, 1.0, self.delta

    @property
    def setting_text(self) -> str:
        """ "δ = 100,702"."""
        return f"δ = {brief(self.delta)}"

    def of(self, distance: np.ndarray) -> np.ndarray:
        size = np.abs(distance)
        within = np.minimum(size, self.delta)  # whose square cannot overflow
        return np.where(size <= self.delta, 0.5 * within * within, self.delta * (size - 0.5 * self.delta))

    def best(self, y: np.ndarray, w: np.ndarray) -> float:
        """By Newton's method in an interval that holds it; where a whole interval is best, the middle of it."""
        y, w = y[w > 0], w[w > 0]
        if not len(y):
            return 0.0
        low, high, best = float(y.min()), float(y.max()), weighted_quantile(y, w, 0.5)
        for _ in range(MOST_STEPS):
            distance = y - best
            pull = float(w @ np.clip(distance, -self.delta, self.delta))
            middle = float(w[np.abs(distance) <= self.delta].sum())
            low, high = (best, high) if pull > 0 else (low, best)
            new = best + pull / middle if middle > 0 else np.nan
            if not low < new < high:
                new = 0.5 * low + 0.5 * high
            if abs(pull) <= BALANCED * self.delta * float(w.sum()) or new == best:
                break
            best = new
        if not (np.abs(y - best) < self.delta * (1 - 1e-9)).any():
            best = 0.5 * float(y[y <= best].max()) + 0.5 * float(y[y >= best].min())
        return best

    def sum_of(self, best: str) -> str:
        return rf"\sum \rho_{{{brief(self.delta)}}}(y - {best})"


def usual_delta(y: np.ndarray, w: np.ndarray) -> float:
    """1.345 robust standard deviations: of the median distance from the median, which far rows do not move.

    Where half of the rows have the same target that distance is 0: then of the mean distance from the median, and 1
    where all are equal.
    """
    distance = np.abs(y - weighted_quantile(y, w, 0.5))
    spread = weighted_quantile(distance, w, 0.5)
    if not spread > 0 and (w > 0).any():
        spread = float(np.average(distance, weights=w))
    return EFFICIENT * NORMAL * spread if spread > 0 else 1.0


def loss_of(coefficients: np.ndarray) -> RowLoss:
    """The loss of these coefficients, float64 (1, 3), as CriterionArgs.loss has them."""
    up, down, delta = coefficients[0].tolist()
    if delta > 0:
        return HuberLoss(delta)
    return AbsoluteLoss() if up == down == 1.0 else PinballLoss(up)


# Criteria that judge nodes by the mean loss of their rows.


@inner
def absolute_error(stats, total, loss):
    """Not a number: it needs the rows, see kernels.ranked_search and kernels.ranked_losses."""
    return math.nan


def _of_rows(label: str, formula: str, source: str, row_loss: type[RowLoss], unit: str = "target") -> Criterion:
    return Criterion(
        name=row_loss.name, label=label, task="regression", formula=formula, source=source, node=absolute_error,
        many=None, written=None, unit=unit, additive=False, row_loss=row_loss,
    )  # fmt: skip


ABSOLUTE_ERROR = _of_rows(
    "Absolute error", r"\frac{1}{n}\sum_i \lvert y_i - \tilde y \rvert", "Breiman et al. (1984), section 8.11",
    AbsoluteLoss,
)  # fmt: skip
QUANTILE = _of_rows(
    "Pinball loss (quantile)", r"\frac{1}{n}\sum_i \tau\,(y_i - q)_+ + (1-\tau)\,(q - y_i)_+",
    "Koenker & Bassett (1978)", PinballLoss,
)  # fmt: skip
HUBER = _of_rows(
    "Huber loss (robust mean)",
    r"\frac{1}{n}\sum_i \rho_\delta(y_i - m),\quad \rho_\delta(u) = \tfrac12 u^2\ (\lvert u\rvert\le\delta),\ "
    r"\delta(\lvert u\rvert - \tfrac12\delta)\ (\lvert u\rvert>\delta)",
    "Huber (1964)", HuberLoss, "target²",
)  # fmt: skip
