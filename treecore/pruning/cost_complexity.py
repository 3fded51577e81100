"""Cost-complexity pruning: every leaf costs alpha."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.cuts import Cuts
from treecore.pruning.pruner import Given, Parameter, Pruner
from treecore.pruning.sequence import Sequence, sequence
from treecore.tree.tree import Tree


def best_step(steps: Sequence, validation: Table) -> int:
    """The smallest subtree of the sequence with the least validation error."""
    errors = steps.curve(validation)
    if np.isnan(errors).all():
        raise TreecoreError(
            "No validation row has a known target and a weight above 0, so nothing says which alpha is best",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting, or choose alpha yourself",
        )
    return int(np.flatnonzero(errors <= np.nanmin(errors) * (1 + 1e-12))[-1])


def cost_complexity(tree: Tree, given: Given, alpha: float | None = None) -> Cuts:
    """The smallest subtree that minimises training error + alpha * leaves.

    alpha : error rate (mean squared error) per leaf; None takes the subtree of the nested sequence
        with the least error on the validation rows, the smallest of equals.
    """
    steps = sequence(tree)
    if alpha is not None:
        return steps.cuts(steps.at_alpha(alpha))
    validation = given.need_validation("Choosing alpha by validation")
    return replace(steps.cuts(best_step(steps, validation)), judged_by="training rows, alpha by validation rows")


COST_COMPLEXITY = Pruner(
    name="cost_complexity",
    label="Cost complexity",
    formula=r"R_\alpha(T) = R(T) + \alpha\,|T|",
    source="Breiman et al. (1984)",
    cuts=cost_complexity,
    parameters=(
        Parameter("alpha", "Cost of a leaf α", None, 0.0, "empty: the subtree with the least validation error"),
    ),
)
