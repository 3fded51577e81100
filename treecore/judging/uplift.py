"""How well predicted effects put rows in order: the Qini curve, its coefficient, and the effect at the top."""

from dataclasses import dataclass
from math import nan

import numpy as np

from treecore.brief import Brief
from treecore.judging.answers import Answers


@dataclass(frozen=True, eq=False, repr=False)
class QiniCurve(Brief):
    """What treating the rows of the largest predicted effects first would gain.

    share : float64 (k,), of the rows treated so far, from 0 to 1. gain : float64 (k,), what that raises the outcome by,
    per treated row of all, (Y1 - Y0 n1 / n0) / N1 among the rows so far; rows of equal effects come together. The last
    one is the effect in all rows. line : float64 (k,), the same if rows are taken by chance.
    Source: Radcliffe (2007), Using control groups to target on predicted lift.
    """

    share: np.ndarray
    gain: np.ndarray

    @property
    def line(self) -> np.ndarray:
        return self.share * self.gain[-1]

    @property
    def coefficient(self) -> float:
        """Area between curve and line, in the outcome's unit: 0 by chance, less than 0 where the order is wrong."""
        apart = self.gain - self.line
        return float(((apart[1:] + apart[:-1]) / 2 * np.diff(self.share)).sum())


def qini_curve(answers: Answers) -> QiniCurve | None:
    """The curve of these answers of a tree of effects; None where an arm has no rows."""
    w, arm, y = answers.weight, answers.exposure, answers.truth
    assert arm is not None
    if not ((w * arm).sum() > 0 and (w * (1 - arm)).sum() > 0):
        return None
    order = np.argsort(-answers.said, kind="stable")
    said = answers.said[order]
    last = np.flatnonzero(np.append(said[1:] != said[:-1], True))  # rows of no answer are behind all others, each alone
    sums = (w, w * arm, w * (1 - arm), w * arm * y, w * (1 - arm) * y)
    n, n1, n0, y1, y0 = (np.cumsum(part[order])[last] for part in sums)
    both = n0 > 0
    gain = (y1 - np.divide(y0 * n1, n0, out=np.zeros(len(n0)), where=both))[both] / n1[-1]
    return QiniCurve(np.append(0.0, n[both] / n[-1]), np.append(0.0, gain))


def effect_at_the_top(answers: Answers, share: float) -> float:
    """The effect among this share of the rows, those of the largest predicted effects; NaN where an arm has none there.

    Of rows with equal predictions at the border all count, each with the part that is still to be taken.
    """
    order = np.argsort(-answers.said, kind="stable")
    said, weight = answers.said[order], answers.weight[order]
    first = np.flatnonzero(np.append(True, said[1:] != said[:-1]))
    size = np.add.reduceat(weight, first)
    before = np.cumsum(size) - size
    part = np.clip((share * weight.sum() - before) / np.where(size > 0, size, 1.0), 0.0, 1.0)
    weight = weight * np.repeat(part, np.diff(np.append(first, len(said))))
    means = []
    assert answers.exposure is not None
    for arm in (0.0, 1.0):
        of_arm = weight * (answers.exposure[order] == arm)
        means.append(float(of_arm @ answers.truth[order] / of_arm.sum()) if of_arm.sum() > 0 else nan)
    return means[1] - means[0]
