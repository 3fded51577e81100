"""The Gini index with the classes' costs."""

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import fraction, summed, tex


@inner
def cost_gini(stats, total, loss):
    """sum over i != j of L_ij p_i p_j."""
    if total <= 0.0:
        return 0.0
    result = 0.0
    for i in range(loss.shape[0]):
        for j in range(loss.shape[0]):
            result += loss[i, j] * stats[i] * stats[j]
    return result / (total * total)


def _many(stats, total, loss):
    pairs = ((i, j) for i in range(len(loss)) for j in range(len(loss)))
    return sum(loss[i, j] * stats[i] * stats[j] for i, j in pairs) / (total * total)


def _written(stats, loss, center) -> list[str]:
    """Only the sum of the two costs of a pair of classes matters."""
    n, there = stats.sum(), np.flatnonzero(stats > 0)
    pairs = [(i, j) for a, i in enumerate(there) for j in there[a + 1 :] if loss[i, j] + loss[j, i] > 0]
    return summed(
        rf"({tex(loss[i, j])} + {tex(loss[j, i])}) \cdot {fraction(stats[i], n)} \cdot {fraction(stats[j], n)}"
        for i, j in pairs
    )


COST_GINI = Criterion(
    name="cost_gini",
    label="Cost-weighted Gini",
    task="classification",
    formula=r"\sum_{i \ne j} L_{ij}\, p_i p_j",
    source="Breiman et al. (1984), section 4.4",
    node=cost_gini,
    many=_many,
    written=_written,
    concave=False,
    needs_loss=True,
)
