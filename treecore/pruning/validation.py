"""The validation rows as pruners judge by them."""

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.losses import OWN, leaf_errors
from treecore.judging.measures import OF_ORDER
from treecore.pruning.judgement import judgement
from treecore.pruning.pruner import Given
from treecore.pruning.risk import loss_moments
from treecore.pruning.sequence import growth_sequence
from treecore.tree.growth_order import Losses, errors_after
from treecore.tree.sums import add_up_statistics
from treecore.tree.tally import end_statistics
from treecore.tree.target import has_target, true_labels
from treecore.tree.tree import Tree


def validation_losses(tree: Tree, given: Given, method: str, measure: str = OWN) -> Losses:
    """What the nodes get wrong on the validation rows.

    TreecoreError naming the method when there are no validation rows, or none of them can be judged.
    """
    losses = losses_on(tree, given.need_validation(method), measure)
    check_judged(losses.weight)
    return losses


def losses_on(tree: Tree, rows: Table, measure: str = OWN) -> Losses:
    """What the nodes lose on the rows of a table, by a measure that adds up over rows."""
    if measure == "mae":
        through, ends, weight = loss_moments(tree, rows, measure=measure)
        through, ends = (np.where(np.isnan(sums[:, 0]), np.inf, sums[:, 0]) for sums in (through, ends))
        return Losses(through, ends, weight)
    ends = end_statistics(tree, rows)
    through = add_up_statistics(tree, ends)
    lost = (known_errors(tree, stats, measure) for stats in (through, ends))
    return Losses(*lost, float(tree.weight_of(through[0])))


def errors_while_growing(tree: Tree, rows: Table, measure: str = OWN) -> np.ndarray:
    """float64 (n_splits + 1,): the measure as a loss on the rows of `tree.after(k)` for every k.

    measure : any by which sizes are chosen. Those of the order of all rows are 1 less what they are, and NaN at sizes
    that were not looked at, as of a long growth (judgement.MOST_RANKED). Of profits it is what is missed.
    TreecoreError where the measure has no meaning for the target, or no value on these rows.
    """
    if measure not in OF_ORDER:
        return errors_after(tree, losses_on(tree, rows, measure))
    found = judgement(growth_sequence(tree), rows, measure)
    found.best()  # refuses rows that are all of one class
    return found.loss[::-1]


def known_errors(tree: Tree, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes,): as risk.leaf_errors, infinite where rows find no answer (at an empty leaf of numbers).

    Nothing is worse than to have no answer.
    """
    errors = leaf_errors(tree, stats, measure)
    return np.where(np.isnan(errors), np.inf, errors)


def check_judged(weight: float) -> None:
    """TreecoreError unless the validation rows that can be judged weigh something."""
    if not weight > 0:
        raise TreecoreError(
            "No validation row has a known target and a weight above 0",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting",
        )


def rows_text(tree: Tree, given: Given) -> str:
    """ "validation rows", and how many of them are of classes that no training row has, or are left out.

    Of rows that stay where they are: how many there are in all.
    """
    rows, named = given.validation, f"{given.judges} rows"
    if hasattr(rows, "end_statistics"):
        return f"{named} ({rows.n_rows} in the engine)"
    weighted = rows.case_weights > 0
    told = {}
    if tree.classes:
        label, target = true_labels(tree, rows), rows.column(tree.schema.target)
        present = target.codes < len(target.levels)
        new = weighted & present & np.append(tree.stats[0] <= 0, True)[label]  # -1: not known to the tree at all
        counted = (label >= 0) & (tree.priors is None)  # with priors, a class without training rows weighs nothing
        told["of a class that no training row has"] = new & counted
        told["of a class that no training row has, left out"] = new & ~counted
    else:
        present = has_target(tree, rows)
    told["without a target, left out"] = weighted & ~present
    notes = [f"{which.sum()} {what}" for what, which in told.items() if which.any()]
    return named + (f" ({'; '.join(notes)})" if notes else "")
