"""Cost-complexity pruning: every leaf costs alpha."""

from dataclasses import replace

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.losses import OWN
from treecore.judging.measures import MEASURED, NAMES, own_measure
from treecore.pruning.cuts import Cuts
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.sequence import RISKS, Sequence, sequence
from treecore.pruning.validation import judgement
from treecore.tree.tree import Tree

CHOICES = (
    ("validation", "the validation rows, or those for pruning"),
    ("cross-validation", "cross-validation on the training rows"),
)


def cost_complexity(
    tree: Tree,
    given: PruningContext,
    alpha: float | None = None,
    risk: str = "error",
    choose: str = "validation",
    measure: str = OWN,
    standard_errors: float = 0.0,
    folds: int = 10,
    seed: int = 0,
) -> Cuts:
    """The smallest subtree that minimises training risk + alpha * leaves.

    alpha : risk per leaf; None takes the smallest subtree of the nested sequence that is, by `measure` on the rows
        that `choose` names, at most `standard_errors` standard errors worse than the best one (the 0-SE and 1-SE rule).
    risk : what the sequence minimises: "error" (error rate, mean cost, mean squared error), "impurity" (the
        criterion's, as scikit-learn does), "log_loss" or "brier".
    measure : a name in judging.measures.MEASURED, by which a size is chosen.
    choose : "validation", or "cross-validation" with so many folds, drawn by the seed, of the training rows.
    """
    steps = sequence(tree, risk)
    if alpha is not None:
        return steps.cuts(steps.at_alpha(alpha), float(alpha), "α as given")
    rule, named = f"{standard_errors:g}-SE rule", NAMES[own_measure(measure, tree)]
    if choose == "cross-validation":
        folds = int(folds)
        judged = _cross_validated(given, steps, folds, int(seed), measure)
        by = "" if measure == OWN else f" of the {named}"
        step = judged.best(standard_errors)
        cuts = steps.cuts(step, rule=f"α by {folds}-fold cross-validation{by}, {rule}")
        return replace(cuts, judged_by=f"training rows, {folds} folds", loss=float(judged.loss[step]))
    given.look(0, tree.n_nodes)
    judged = judgement(steps, _validation(given), measure)
    step = judged.best(standard_errors)
    given.look(0, tree.n_nodes)
    cuts = steps.cuts(step, rule=f"α by the {named} on the {given.judges} rows, {rule}")
    return replace(cuts, judged_by=f"training rows, alpha by {given.judges} rows", loss=float(judged.loss[step]))


def _validation(given: PruningContext) -> Table:
    """The validation rows; TreecoreError with the ways out when there are none."""
    if given.validation is None or given.validation.n_rows == 0:
        raise TreecoreError(
            "Choosing alpha by validation has no validation rows to judge by",
            where="Roles",
            remedy="Set some rows aside for validation (on the page Data, or by --validation), choose alpha by "
            "cross-validation, or give alpha",
        )
    return given.validation


def _cross_validated(given: PruningContext, steps: Sequence, folds: int, seed: int, measure: str):
    given.need_train("Cross-validation")
    if given.cross_validated is None:
        raise TreecoreError(
            "Nothing is given that grows trees on parts of the training rows", where="choose", remedy="Use tc.prune"
        )
    return given.cross_validated(steps, folds, seed, measure)


COST_COMPLEXITY = Pruner(
    name="cost_complexity",
    label="Cost complexity",
    formula=r"R_\alpha(T) = R(T) + \alpha\,|T|",
    source="Breiman et al. (1984)",
    cuts=cost_complexity,
    parameters=(
        Parameter("alpha", "Cost of a leaf α", None, 0.0, "empty: chosen on the rows below"),
        Parameter("risk", "Risk R", "error", choices=RISKS),
        Parameter("choose", "Size chosen on", "validation", choices=CHOICES),
        Parameter("measure", "Size chosen by", OWN, choices=MEASURED),
        Parameter(
            "standard_errors", "Standard errors above the least error", 0.0, 0.0,
            "0: the least error (0-SE rule); 1: the smallest tree within one standard error of it (1-SE rule)",
        ),
        Parameter("folds", "Folds", 10, 2, "of the training rows, for cross-validation", whole=True),
        Parameter("seed", "Seed of the folds", 0, 0, "for cross-validation", most=2**32 - 1, whole=True),
    ),
)  # fmt: skip
