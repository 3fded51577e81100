"""Entropy in bits."""

import math

from treecore.criteria.criterion import Criterion
from treecore.jit import inner


@inner
def entropy(stats, total):
    """-sum p_k log2 p_k with 0 log 0 = 0."""
    result = 0.0
    if total > 0.0:
        for k in range(stats.shape[0]):
            weight = stats[k]
            if weight > 0.0:
                share = weight / total
                result -= share * math.log2(share)
    return max(result, 0.0)


ENTROPY = Criterion(
    name="entropy",
    label="Entropy",
    code=0,
    task="classification",
    formula=r"-\sum_k p_k \log_2 p_k",
    source="Shannon (1948); Quinlan (1986)",
    node=entropy,
    unit="bits",
)

ENTROPY_NATS = Criterion(
    name="entropy_nats",
    label="Entropy, natural logarithm",
    code=ENTROPY.code,
    task="classification",
    formula=r"-\sum_k p_k \ln p_k",
    source="Shannon (1948)",
    node=entropy,
    unit="nats",
    scale=math.log(2),
)
