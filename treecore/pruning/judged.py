"""The rows of a pruning set as pruners judge by them."""

from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.pruner import Given
from treecore.pruning.risk import leaf_errors, node_weight
from treecore.tree.growth_order import Losses
from treecore.tree.tally import end_statistics
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Judged:
    """What a tree's nodes get wrong on the validation rows. text : which rows these are, in words."""

    losses: Losses
    text: str


def judged(tree: Tree, given: Given, method: str) -> Judged:
    """TreecoreError naming the method when there are no validation rows, or none of them can be judged."""
    rows = given.need_validation(method)
    ends = end_statistics(tree, rows)
    through = tree.add_up(ends)
    weight = float(node_weight(tree, through[:1])[0])
    if weight <= 0:
        raise TreecoreError(
            "No validation row has a known target and a weight above 0",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting",
        )
    losses = Losses(_known(leaf_errors(tree, through)), _known(leaf_errors(tree, ends)), weight)
    return Judged(losses, rows_text(tree, rows))


def _known(errors: np.ndarray) -> np.ndarray:
    """Nothing is worse than to have no answer for a row (of an empty leaf that predicts no number)."""
    return np.where(np.isnan(errors), np.inf, errors)


def rows_text(tree: Tree, rows: Table) -> str:
    """ "validation rows", and how many of them are of classes that no training row has, or are left out."""
    there = np.ones(rows.n_rows, bool) if rows.weights is None else rows.weights > 0
    target = rows.column(tree.schema.target)
    known = ~np.isnan(target.values()) if not tree.classes else target.codes < len(target.levels)
    notes = []
    if tree.classes:
        trained = dict(zip(tree.classes, tree.stats[0] > 0, strict=True))
        unheard = np.array([not trained.get(level, False) for level in target.levels] + [False])
        counts = np.array([level in trained and tree.priors is None for level in target.levels] + [False])
        new = there & unheard[target.codes]
        for n, what in (
            ((new & counts[target.codes]).sum(), "of a class that no training row has"),
            ((new & ~counts[target.codes]).sum(), "of a class that no training row has, left out"),
        ):
            notes += [f"{n} {what}"] if n else []
    missing = int((there & ~known).sum())
    notes += [f"{missing} without a target, left out"] if missing else []
    return "validation rows" + (f" ({'; '.join(notes)})" if notes else "")
