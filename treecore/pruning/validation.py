"""How good subtrees and nodes are on rows that the tree was not grown on, and which size that speaks for."""

from dataclasses import dataclass
from math import nan

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.interest import class_of_interest
from treecore.judging.losses import OWN, check_additive, leaf_errors
from treecore.judging.measures import NAMES, OF_ORDER, loss_of, own_measure, serves
from treecore.judging.ranking import Ranking, ranking, ranking_of_groups
from treecore.pruning.pruner import PruningContext
from treecore.pruning.risk import ROUNDING, last_of_least, loss_moments
from treecore.pruning.sequence import Sequence, growth_sequence
from treecore.tree.node_statistics import add_up_statistics, end_statistics, has_target, true_labels
from treecore.tree.predict import answers_at, route
from treecore.tree.tree import Losses, Tree, errors_after

# How good every subtree of a nested sequence is on some rows, by any measure, and which size that speaks for.

MOST_RANKED = 400
"""Subtrees whose rows are put in order; of longer sequences as many, evenly by their number of leaves."""


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(Brief):
    """What a measure says of every subtree of a nested sequence.

    mean, error : float64 (n_steps,), the measure on the rows that judge and its standard error (NaN where there is
        none); a mean that is NaN was not looked at. measure : its name in MEASURED. higher : is more better?
    """

    mean: np.ndarray
    error: np.ndarray
    measure: str = OWN

    @property
    def higher(self) -> bool:
        return self.measure in OF_ORDER or self.measure == "profit"

    @property
    def loss(self) -> np.ndarray:
        """float64 (n_steps,): the mean, or where more is better 1 less it, a profit turned over."""
        return loss_of(self.mean, self.measure)

    def best(self, n_errors: float = 0.0) -> int:
        """The smallest subtree that is at most n_errors standard errors worse than the best one.

        TreecoreError where the measure has no value for any, as all rows that judge are of one class.
        """
        if np.isnan(self.mean).all():
            what = f"The rows by which sizes are judged have one class, so that the {NAMES[self.measure]} says nothing"
            raise TreecoreError(what, where="measure", remedy="Judge by more rows, or choose the log loss")
        return smallest_within(self.loss, self.error, n_errors)


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidated(Judgement):
    """A judgement by cross-validation: on rows that the folds' trees were not grown on.

    mean, error : of a loss those of all folds together; of a measure of order the mean over the folds and its standard
        error, the deviation of the folds over the root of their number. n_folds : how many.
    per_fold : float64 (n_folds, n_steps), the measure on every fold alone, NaN for one without weight.
    alpha : float64 (n_steps,), at which the folds' trees were cut; below 0 they were judged as grown.
    """

    n_folds: int = 0
    per_fold: np.ndarray | None = None
    alpha: np.ndarray | None = None


def smallest_within(mean: np.ndarray, error: np.ndarray, n_errors: float = 0.0) -> int:
    """The last step whose mean is at most n_errors standard errors above the least mean.

    mean, error : float64 (n_steps,), not NaN everywhere; an error that is no number counts as 0. The standard error is
        that of the smallest of the best.
    Source: Breiman et al. (1984), section 3.4.3, the 1-SE rule for n_errors 1.
    """
    least, slack = last_of_least(mean, ROUNDING)
    within = n_errors * np.nan_to_num(error[least], posinf=np.inf) if n_errors > 0 else 0.0
    return int(np.flatnonzero(mean <= mean[least] + within + slack)[-1])


def judgement(steps: Sequence, table: Table, measure: str = OWN, places: list[int] | None = None) -> Judgement:
    """Every subtree judged on a table's rows.

    places : the steps to look at, where not all of them are asked for.

    The standard error of a loss is that of a mean over rows, sqrt(sum w l^2 - (sum w l)^2 / W) / W of losses l; of the
    area under ROC that of DeLong et al. (1988), of more classes the mean of theirs; other measures of order have none.
    TreecoreError where no row can be judged, or the measure has no meaning for the target.
    """
    measure = own_measure(measure, steps.tree)
    check_measure(steps, measure)
    if measure in OF_ORDER:
        return _ranked(steps, table, measure, _spread(steps) if places is None else np.unique(places))
    sums, weight = steps.losses(table, measure=measure)
    if not weight > 0 or np.isnan(sums[:, 0]).all():
        raise _nothing_to_judge()
    mean, square = sums.T / weight
    return Judgement(loss_of(mean, measure), np.sqrt(np.maximum(square - mean**2, 0.0) / weight), measure)


def check_measure(steps: Sequence, measure: str) -> None:
    """TreecoreError unless the measure has a meaning for the target of the sequence's tree."""
    target = steps.tree.target_kind
    if measure not in NAMES or not serves(measure, target):
        held = f"{len(target.classes)} {target.held}" if target.classes else target.held
        remedy = "Choose one of: " + ", ".join(name for name in NAMES if serves(name, target))
        what = f"{NAMES.get(measure, measure)!r} has no meaning for a target of {held}"
        raise TreecoreError(what, where="measure", remedy=remedy)
    if target.has_loss(measure):
        check_additive(steps.tree, measure)


def _nothing_to_judge() -> TreecoreError:
    return TreecoreError(
        "No validation row has a known target and a weight above 0, so nothing says which alpha is best",
        where="Roles",
        remedy="Leave out the rows whose target is missing before splitting, or choose alpha yourself",
    )


def _ranked(steps: Sequence, table: Table, measure: str, places: np.ndarray) -> Judgement:
    tree = steps.tree
    ends = end_statistics(tree, table)
    through, present = add_up_statistics(tree, ends), ends.sum(axis=0) > 0
    if present.sum() < 2:
        return Judgement(np.full(len(steps), nan), np.full(len(steps), nan), measure)
    interest = class_of_interest(tree)
    looked = np.flatnonzero(present).tolist() if interest is None else [tree.classes.index(interest)]
    values = np.full((2, len(steps), len(looked)), nan)
    if tree.lines is not None:
        return Judgement(*_ranked_by_lines(steps, table, measure, places, looked), measure)
    for k in places.tolist():
        nodes, counts = _groups(steps, k, through, ends)
        for i, c in enumerate(looked):
            values[:, k, i] = _of_ranking(ranking_of_groups(tree.proba[nodes, c], counts, c), measure)
    mean = values.mean(axis=2)
    return Judgement(mean[0], mean[1], measure)


def _ranked_by_lines(
    steps: Sequence, table: Table, measure: str, places: np.ndarray, looked: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The measure and its standard error, float64 (n_steps,), where every row has a share of its own."""
    tree, routes, answers = steps.tree, route(steps.tree, table), answers_at(steps.tree, table)
    truth, weight = true_labels(tree, table), table.case_weights
    values = np.full((2, len(steps), len(looked)), nan)
    for k in places.tolist():
        stands = np.arange(tree.n_nodes)
        for nodes in tree.levels[1:]:  # from the root down: below a leaf of the subtree its line holds
            hidden = steps.until[nodes] <= k
            stands[nodes[hidden]] = stands[tree.parent[nodes[hidden]]]
        parts = routes.share[:, None] * answers(routes.row, stands[routes.node])
        for i, c in enumerate(looked):
            share = np.bincount(routes.row, parts[:, c], table.n_rows)
            values[:, k, i] = _of_ranking(ranking(truth == c, share, np.where(truth < 0, 0.0, weight)), measure)
    return values[0].mean(axis=1), values[1].mean(axis=1)


def _spread(steps: Sequence) -> np.ndarray:
    """Steps to look at: all, or of a long sequence the first of each number of leaves on a scale of ratios."""
    n = len(steps)
    if n <= MOST_RANKED:
        return np.arange(n)
    place = np.round(np.log(steps.n_leaves) / np.log(steps.n_leaves[0]) * MOST_RANKED)
    return np.unique(np.append(np.unique(place, return_index=True)[1], [0, n - 1]))


def _groups(steps: Sequence, k: int, through: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, counts): where rows end in subtree k, and float64 (m, n_classes), how many of each class do."""
    begin = np.where(steps.tree.is_leaf, 0, steps.step)
    here = (steps.until > k) & (through.sum(axis=1) > 0)
    leaves, inside = here & (begin <= k), here & (begin > k) & (ends.sum(axis=1) > 0)
    nodes = np.concatenate([np.flatnonzero(leaves), np.flatnonzero(inside)])
    return nodes, np.concatenate([through[leaves], ends[inside]])


def _of_ranking(ranking: Ranking, measure: str) -> tuple[float, float]:
    """The measure and its standard error."""
    if measure == "auc":
        return ranking.area, ranking.area_error
    return (ranking.captured(0.1) if measure == "captured" else ranking.average_precision), nan


def validation_losses(tree: Tree, given: PruningContext, method: str, measure: str = OWN) -> Losses:
    """What the nodes get wrong on the validation rows.

    TreecoreError naming the method when there are no validation rows, or none of them can be judged.
    """
    losses = losses_on(tree, given.need_validation(method), measure)
    check_judged(losses.weight)
    return losses


def losses_on(tree: Tree, rows: Table, measure: str = OWN) -> Losses:
    """What the nodes lose on the rows of a table, by a measure that adds up over rows."""
    if tree.target_kind.needs_rows(measure):
        through, ends, weight = loss_moments(tree, rows, measure=measure)
        through, ends = (np.where(np.isnan(sums[:, 0]), np.inf, sums[:, 0]) for sums in (through, ends))
        return Losses(through, ends, weight)
    ends = end_statistics(tree, rows)
    through = add_up_statistics(tree, ends)
    lost = [known_errors(tree, stats, measure) for stats in (through, ends)]
    return Losses(lost[0], lost[1], float(tree.weight_of(through[0])))


def errors_while_growing(tree: Tree, rows: Table, measure: str = OWN) -> np.ndarray:
    """float64 (n_splits + 1,): the measure as a loss on the rows of `tree.after(k)` for every k.

    measure : any by which sizes are chosen. Those of the order of all rows are 1 less what they are, and NaN at sizes
    that were not looked at, as of a long growth (MOST_RANKED). Of profits it is what is missed.
    TreecoreError where the measure has no meaning for the target, or no value on these rows.
    """
    if measure not in OF_ORDER:
        return errors_after(tree, losses_on(tree, rows, measure))
    judged = judgement(growth_sequence(tree), rows, measure)
    judged.best()  # refuses rows that are all of one class
    return judged.loss[::-1]


def known_errors(tree: Tree, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes,): as risk.leaf_errors, infinite where rows find no answer (at an empty leaf of numbers).

    Nothing is worse than to have no answer.
    """
    errors = leaf_errors(tree, stats, measure)
    return np.where(np.isnan(errors), np.inf, errors)


def check_judged(weight: float | np.ndarray) -> None:
    """TreecoreError unless the validation rows that can be judged weigh something."""
    if not weight > 0:
        raise TreecoreError(
            "No validation row has a known target and a weight above 0",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting",
        )


def rows_text(tree: Tree, given: PruningContext) -> str:
    """ "validation rows", and how many of them are of classes that no training row has, or are left out.

    Of rows that stay where they are: how many there are in all.
    """
    rows, named = given.validation, f"{given.judges} rows"
    assert rows is not None
    if hasattr(rows, "end_statistics"):
        return f"{named} ({rows.n_rows} in the engine)"
    weighted = rows.case_weights > 0
    masks = {}
    if tree.classes:
        label, target = true_labels(tree, rows), rows.column(tree.schema.target)
        present = target.codes < len(target.level_names)
        new = weighted & present & np.append(tree.stats[0] <= 0, True)[label]  # -1: not known to the tree at all
        counted = (label >= 0) & (tree.priors is None)  # with priors, a class without training rows weighs nothing
        masks["of a class that no training row has"] = new & counted
        masks["of a class that no training row has, left out"] = new & ~counted
    else:
        present = has_target(tree, rows)
    masks["without a target, left out"] = weighted & ~present
    notes = [f"{which.sum()} {what}" for what, which in masks.items() if which.any()]
    return named + (f" ({'; '.join(notes)})" if notes else "")
