"""The validation rows as pruners judge by them."""

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.losses import leaf_errors
from treecore.pruning.pruner import Given
from treecore.tree.growth_order import Losses
from treecore.tree.sums import add_up_statistics
from treecore.tree.tally import end_statistics
from treecore.tree.target import true_labels, true_numbers
from treecore.tree.tree import Tree


def validation_losses(tree: Tree, given: Given, method: str) -> Losses:
    """What the nodes get wrong on the validation rows.

    TreecoreError naming the method when there are no validation rows, or none of them can be judged.
    """
    losses = losses_on(tree, given.need_validation(method))
    check_judged(losses.weight)
    return losses


def losses_on(tree: Tree, rows: Table) -> Losses:
    """What the nodes get wrong on the rows of a table."""
    ends = end_statistics(tree, rows)
    through = add_up_statistics(tree, ends)
    return Losses(known_errors(tree, through), known_errors(tree, ends), float(tree.weight_of(through[0])))


def known_errors(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): as risk.leaf_errors, infinite where rows find no answer (at an empty leaf of numbers).

    Nothing is worse than to have no answer.
    """
    errors = leaf_errors(tree, stats)
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
        present = ~np.isnan(true_numbers(tree, rows))
    told["without a target, left out"] = weighted & ~present
    notes = [f"{which.sum()} {what}" for what, which in told.items() if which.any()]
    return named + (f" ({'; '.join(notes)})" if notes else "")
