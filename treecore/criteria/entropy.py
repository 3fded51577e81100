"""Entropy in bits."""

import math

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import fraction, summed

_TINY = np.finfo(np.float64).tiny


@inner
def entropy(stats, total, loss):
    """-sum p_k log2 p_k with 0 log 0 = 0."""
    result = 0.0
    if total > 0.0:
        for k in range(stats.shape[0]):
            weight = stats[k]
            if weight > 0.0:
                share = weight / total
                result -= share * math.log2(share)
    return max(result, 0.0)


def _many(stats, total, loss):
    result = 0.0
    for part in stats:
        share = np.maximum(part / total, 0.0)
        result = result - share * np.log2(np.maximum(share, _TINY))
    return np.maximum(result, 0.0)


def _written_with(log: str):
    def written(stats, loss, center) -> list[str]:
        shares = (fraction(c, stats.sum()) for c in stats if c > 0)
        return summed((rf"{p} {log} {p}" for p in shares), "-")

    return written


ENTROPY = Criterion(
    name="entropy",
    label="Entropy",
    task="classification",
    formula=r"-\sum_k p_k \log_2 p_k",
    source="Shannon (1948); Quinlan (1986)",
    node=entropy,
    has_scan=True,
    many=_many,
    written=_written_with(r"\log_2"),
    unit="bits",
)

ENTROPY_NATS = Criterion(
    name="entropy_nats",
    label="Entropy, natural logarithm",
    task="classification",
    formula=r"-\sum_k p_k \ln p_k",
    source="Shannon (1948)",
    node=entropy,
    has_scan=True,
    many=_many,
    written=_written_with(r"\ln"),
    unit="nats",
    scale=math.log(2),
)
