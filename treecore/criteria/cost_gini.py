"""The Gini index with the classes' costs."""

from treecore.criteria.criterion import Criterion
from treecore.jit import inner


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


COST_GINI = Criterion(
    name="cost_gini",
    label="Cost-weighted Gini",
    code=4,
    task="classification",
    formula=r"\sum_{i \ne j} L_{ij}\, p_i p_j",
    source="Breiman et al. (1984), section 4.4",
    node=cost_gini,
    concave=False,
    needs_loss=True,
)
