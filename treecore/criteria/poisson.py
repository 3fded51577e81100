"""Mean Poisson deviance of counts from the node's rate."""

import math

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.figures import tex, weight

UNIT = 2.0**-600
"""What kernels take for the largest rate: squares of numbers so small are 0, so that they never see squares cancel and
take sums around a mean; what is multiplied by a power of two is not rounded."""


def poisson(stats, total, loss):
    """-2 r ln r, from the exposure and the events in units of the largest rate of any row, times UNIT: the part of the
    mean deviance that depends on the rate. What else there is of it no split changes."""
    if total <= 0.0:
        return 0.0
    rate = stats[1] / total / UNIT
    return -2.0 * rate * math.log(rate) if 0.0 < rate < 1.0 else 0.0


def _many(stats, total, loss):
    """From the statistics that trees keep, (w, T, D, S), total being w; see target.CountTarget."""
    _, exposure, events, logs = stats
    some = (events > 0) & (exposure > 0)
    told = np.where(some, events * np.log(np.where(some, events / np.where(some, exposure, 1.0), 1.0)), 0.0)
    apart = logs - told
    apart = np.where(apart <= 1e-14 * (np.abs(logs) + np.abs(told)), 0.0, apart)
    return 2.0 * apart / total


def _written(stats, loss, center) -> list[str]:
    w, exposure, events, logs = stats
    if events <= 0:
        return ["0"]
    parts = rf"\tfrac{{{tex(2 * logs, 8)}}}{{{weight(w)}}}", rf"\tfrac{{{tex(2 * events, 7)}}}{{{weight(w)}}}"
    return [parts[0], rf" - {parts[1]} \ln \tfrac{{{tex(events, 7)}}}{{{tex(exposure, 7)}}}"]


POISSON = Criterion(
    name="poisson",
    label="Deviance",
    task="counts",
    formula=r"\frac{2}{n}\sum_i y_i \ln\frac{y_i}{\bar r e_i}",
    source="Therneau & Atkinson, rpart; McCullagh & Nelder (1989)",
    node=poisson,
    many=_many,
    written=_written,
    by_address=True,
)
