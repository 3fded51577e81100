"""How far a treatment's effect differs between branches: squared effects, and what their estimates vary."""

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.figures import tex, weight


def spread(stats, total, loss):
    """Variance of the transformed outcome, which kernels have as the target: 0 where no split can part effects."""
    if total <= 0.0:
        return 0.0
    mean = stats[1] / total
    return max(stats[2] / total - mean * mean, 0.0)


def _arms(stats):
    """((rows, variance of the outcome), ...) of control and treated, from the statistics of target.EffectTarget."""
    w, treated, y0, y1, yy0, yy1 = stats
    for n, y, yy in ((w - treated, y0, yy0), (treated, y1, yy1)):
        some = np.where(n > 0, n, 1.0)
        yield n, np.maximum(yy / some - (y / some) ** 2, 0.0)


def _many(stats, total, loss):
    """What the estimate of the effect varies by, times the rows; an arm without rows adds nothing."""
    return sum(np.where(n > 0, total * variance / np.where(n > 0, n, 1.0), 0.0) for n, variance in _arms(stats))


def _written(stats, loss, center) -> list[str]:
    total = stats[0]
    parts = [rf"\tfrac{{{weight(total)}}}{{{weight(n)}}} \cdot {tex(float(variance), 7)}"
             for n, variance in _arms(stats) if n > 0]  # fmt: skip
    return [(" + " if i else "") + part for i, part in enumerate(parts)] or ["0"]


_FORMULA = r"\frac{n}{n_1} s_1^2 + \frac{n}{n_0} s_0^2"
_SOURCE = "Athey & Imbens (2016)"
SQUARED_EFFECT = Criterion(
    name="squared_effect", label="Squared effect", task="effects", formula=_FORMULA, source=_SOURCE, node=spread,
    many=_many, written=_written, concave=False, by_address=True,
)  # fmt: skip
HONEST_EFFECT = Criterion(
    name="honest_effect", label="Squared effect less its variance (honest)", task="effects", formula=_FORMULA,
    source=_SOURCE, node=spread, many=_many, written=_written, concave=False, by_address=True,
)  # fmt: skip


def effect_gains(branches: np.ndarray, honest: bool) -> np.ndarray:
    """float64 (...): by how much a split raises the mean squared effect, less what its estimates vary where `honest`.

    branches : float64 (..., n_branches, 6), statistics of target.EffectTarget, each with rows of both arms.
    Σ n_b τ_b² / n - τ², and of honest trees 2 / n times the rise of the sum of impurities less: with as many rows to
    estimate the leaves as to grow them. Source: Athey and Imbens (2016), equation 7 and section 3.
    """
    whole = branches.sum(axis=-2, keepdims=True)
    worth = [_worth(part, honest).sum(axis=-1) for part in (branches, whole)]
    return (worth[0] - worth[1]) / whole[..., 0, 0]


def _worth(stats: np.ndarray, honest: bool) -> np.ndarray:
    w, treated, y0, y1 = np.moveaxis(stats[..., :4], -1, 0)
    control = w - treated
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where((treated > 0) & (control > 0), y1 / treated - y0 / control, 0.0)
    squares = w * effect * effect
    return squares - 2.0 * _many(np.moveaxis(stats, -1, 0), w, None) if honest else squares
