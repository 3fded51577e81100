"""Cost-complexity pruning: every leaf costs alpha."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.cuts import Cuts
from treecore.pruning.pruner import Given, Parameter, Pruner, smallest_within
from treecore.pruning.sequence import RISKS, Sequence, sequence
from treecore.tree.tree import Tree

CHOICES = (
    ("validation", "error on the validation rows, or those for pruning"),
    ("cross-validation", "cross-validation on the training rows"),
)


def cost_complexity(
    tree: Tree,
    given: Given,
    alpha: float | None = None,
    risk: str = "error",
    choose: str = "validation",
    standard_errors: float = 0.0,
    folds: int = 10,
    seed: int = 0,
) -> Cuts:
    """The smallest subtree that minimises training risk + alpha * leaves.

    alpha : risk per leaf; None takes the smallest subtree of the nested sequence whose error, on the rows that
        `choose` names, is at most `standard_errors` standard errors above the least one (the 0-SE and the 1-SE rule).
    risk : "error" (error rate, mean cost, mean squared error) or "impurity" (the criterion's, as scikit-learn does).
    choose : "validation", or "cross-validation" with so many folds, drawn by the seed, of the training rows.
    """
    steps = sequence(tree, risk)
    if alpha is not None:
        return steps.cuts(steps.at_alpha(alpha), float(alpha), "α as given")
    rule = f"{standard_errors:g}-SE rule"
    if choose == "cross-validation":
        folds = int(folds)
        found = _cross_validated(given, steps, folds, int(seed))
        cuts = steps.cuts(found.best(standard_errors), rule=f"α by {folds}-fold cross-validation, {rule}")
        return replace(cuts, judged_by=f"training rows, {folds} folds")
    given.look(0, tree.n_nodes)
    step = best_step(steps, _validation(given), standard_errors)
    given.look(0, tree.n_nodes)
    cuts = steps.cuts(step, rule=f"α by the error on the {given.judges} rows, {rule}")
    return replace(cuts, judged_by=f"training rows, alpha by {given.judges} rows")


def best_step(steps: Sequence, validation: Table, standard_errors: float = 0.0) -> int:
    """The smallest subtree whose validation error is at most so many of its standard errors above the least one.

    The standard error is that of a mean over rows: sqrt(sum w l^2 - (sum w l)^2 / W) / W of losses l.
    """
    sums, weight = steps.losses(validation)
    if not weight > 0 or np.isnan(sums[:, 0]).all():
        raise TreecoreError(
            "No validation row has a known target and a weight above 0, so nothing says which alpha is best",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting, or choose alpha yourself",
        )
    mean, square = sums.T / weight
    return smallest_within(mean, np.sqrt(np.maximum(square - mean**2, 0.0) / weight), standard_errors)


def _validation(given: Given) -> Table:
    """The validation rows; TreecoreError with the ways out when there are none."""
    if given.validation is None or given.validation.n_rows == 0:
        raise TreecoreError(
            "Choosing alpha by validation has no validation rows to judge by",
            where="Roles",
            remedy="Give the validation role a share of the rows, choose alpha by cross-validation, or give alpha",
        )
    return given.validation


def _cross_validated(given: Given, steps: Sequence, folds: int, seed: int):
    given.need_train("Cross-validation")
    if given.cross_validated is None:
        raise TreecoreError(
            "Nothing is given that grows trees on parts of the training rows", where="choose", remedy="Use tc.prune"
        )
    return given.cross_validated(steps, folds, seed)


COST_COMPLEXITY = Pruner(
    name="cost_complexity",
    label="Cost complexity",
    formula=r"R_\alpha(T) = R(T) + \alpha\,|T|",
    source="Breiman et al. (1984)",
    cuts=cost_complexity,
    parameters=(
        Parameter("alpha", "Cost of a leaf α", None, 0.0, "empty: chosen by the rows named below"),
        Parameter("risk", "Risk R", "error", choices=RISKS),
        Parameter("choose", "α chosen by", "validation", choices=CHOICES),
        Parameter(
            "standard_errors", "Standard errors above the least error", 0.0, 0.0,
            "0: the least error (0-SE rule); 1: the smallest tree within one standard error of it (1-SE rule)",
        ),
        Parameter("folds", "Folds", 10, 2, "of the training rows, for cross-validation", whole=True),
        Parameter("seed", "Seed of the folds", 0, 0, "for cross-validation", most=2**32 - 1, whole=True),
    ),
)  # fmt: skip
