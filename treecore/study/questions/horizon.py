"""Stop early, or grow and prune? A split that gains nothing may open one that gains much: who stops never sees it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Line, Words
from treecore.figures import brief, count, p_value, percent, points
from treecore.fit import grow
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.judging.answers import Answers, answers_of
from treecore.judging.losses import OF_ANSWERS, OWN, measure_of, reckons, row_costs
from treecore.judging.measures import LOSS_NAMES, OF_ORDER, loss_of, measured, own_measure
from treecore.pruning.sequence import sequence
from treecore.pruning.validation import judgement
from treecore.study.metrics import score
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Told, Work
from treecore.study.score_tests import mcnemar_of, paired_t
from treecore.study.worlds import THIS_TABLE, WORLDS, World
from treecore.tree.tree import Tree

MOST_STOPS = 60


@dataclass(frozen=True, eq=False, repr=False)
class Horizon(Brief):
    """Two families of subtrees of one grown tree, each from the grown tree to the root.

    stop_at : float64 (m,), least gain of a split, rising. stopped_leaves, stopped_error : of what is left where growth
    stops below it. pruned_leaves, pruned_error : of the nested sequence. Errors are losses on rows held back by the
    measure, less for better. measure : what they are called. by : its name in judging.measures.MEASURED.
    p : two-sided, that the best of the two families differ by chance on these rows; NaN where they do not differ at
    all, and of measures of the order of all rows.
    """

    stop_at: np.ndarray
    stopped_leaves: np.ndarray
    stopped_error: np.ndarray
    pruned_leaves: np.ndarray
    pruned_error: np.ndarray
    p: float = np.nan
    measure: str = "error rate"
    by: str = OWN

    @property
    def share(self) -> bool:
        """Is the error a share of rows?"""
        return self.measure == "error rate"

    @property
    def sign(self) -> float:
        """-1 for profits, which are losses turned over."""
        return -1.0 if self.by == "profit" else 1.0

    @property
    def best(self) -> tuple[int, int]:
        """The places of the least error: of those stopped, and of those pruned; of equals that of fewest leaves."""
        families = (self.stopped_leaves, self.stopped_error), (self.pruned_leaves, self.pruned_error)
        return tuple(int(np.lexsort((leaves, error))[0]) for leaves, error in families)

    @property
    def lost(self) -> float:
        """By how much the best stopped tree is worse than the best pruned one; below 0 where it is better."""
        return float(self.stopped_error.min() - self.pruned_error.min())


def stopped(tree: Tree, least: float) -> Tree:
    """What growth with this least gain would have left: a node that gains less is a leaf, whatever lies below."""
    return tree.pruned_at(~tree.is_leaf & (np.nan_to_num(tree.score, nan=0.0) < least))


def horizon(
    tree: Tree, judged: Table, progress: Callable | None = None, measure: str = OWN, risk: str = OWN
) -> Horizon:
    """The two families beside each other. tree : grown without stopping. judged : rows held back.

    measure : a name in judging.measures.MEASURED by which both are judged. risk : of the nested sequence.
    p : of McNemar's test of the answers; by another measure than the error rate of the paired t-test of the rows'
    losses. It knows nothing of the choice of the two. progress : called with cross_validation.FoldProgress.
    Source: Breiman et al. (1984), section 3.1, on why stopping was given up.
    """
    if not judged.n_rows:
        raise TreecoreError(
            "There are no rows to judge by", where="horizon", remedy="Set validation or test rows apart"
        )
    gains = np.unique(tree.score[~tree.is_leaf])
    gains = gains[np.unique(np.linspace(0, len(gains) - 1, min(len(gains), MOST_STOPS)).astype(int))]
    at = np.concatenate([[-np.inf], np.nextafter(gains, np.inf)])
    trees = [stopped(tree, g) for g in at]
    errors = np.zeros(len(trees))
    by = own_measure(measure, tree)
    for i, small in enumerate(trees):
        errors[i] = _loss(small, judged, by)
        if progress is not None:
            progress(FoldProgress(0, len(trees) - i - 1, len(trees)))
    steps = sequence(tree, risk)
    pruned = judgement(steps, judged, measure).loss
    looked_at = np.flatnonzero(~np.isnan(pruned))
    named = measure_of(tree) if by in (OWN, "profit") else LOSS_NAMES[by]
    leaves = np.array([t.n_leaves for t in trees])
    result = Horizon(at, leaves, errors, steps.n_leaves[looked_at], pruned[looked_at], measure=named, by=by)
    one, other = result.best
    return replace(result, p=_by_chance(trees[one], tree.cut(steps.cuts(int(looked_at[other]))), judged, by))


def _loss(tree: Tree, judged: Table, by: str) -> float:
    """What the tree loses by the measure; less is better."""
    if by not in (OWN, "profit"):
        return float(loss_of(measured(tree, judged, by), by))
    result = score(tree, judged)
    if result.cost is None:
        return result.error
    return -result.cost if result.higher else result.cost


def _by_chance(one: Tree, other: Tree, judged: Table, by: str) -> float:
    """The p-value of a paired test of their answers, or of what these lose; NaN where there is none."""
    if by in OF_ORDER:
        return np.nan
    a, b = (answers_of(tree, judged) for tree in (one, other))
    if a.classes and by == OWN and not reckons(one):
        return mcnemar_of(a.right, b.right).p if (a.right != b.right).any() else np.nan
    off = [_of_rows(tree, found, by) for tree, found in ((one, a), (other, b))]
    return paired_t(*off).p if len(a) > 1 and (off[0] != off[1]).any() else np.nan


def _of_rows(tree: Tree, found: Answers, by: str) -> np.ndarray:
    """float64 (n,): what every answer loses."""
    if not found.classes:
        if by == OWN:
            return tree.target_kind.answer_losses(found.targets, found.said)
        return np.abs(found.said - found.truth) ** (1 if by == "mae" else 2)
    if by in OF_ANSWERS:
        return row_costs(tree, found.truth, found.said)
    own = np.nan_to_num(found.shares[np.arange(len(found)), found.truth])
    if by == "brier":
        return 1 - 2 * own + (np.nan_to_num(found.shares) ** 2).sum(axis=1)
    return -np.log(found.smoothed[np.arange(len(found)), found.truth])


# Stopping against pruning, in sentences.

LEAST = 0.005
"""Differences of error rates below this are none."""
LEVEL = 0.05


def describe_horizon(found: Horizon) -> list[Line]:
    """Which of the two goes further and by how much, by which measure; behind which split the other one stopped."""
    told = percent if found.share else lambda value: brief(found.sign * value)
    a, b = found.best
    stopped = f"{told(found.stopped_error[a])} with {_leaves(found.stopped_leaves[a])}"
    pruned = f"{told(found.pruned_error[b])} with {_leaves(found.pruned_leaves[b])}"
    head = f"By {found.measure}, best of those stopped by any least gain: {stopped}; best of those pruned: {pruned}."
    return [Words(_sentence(found, float(found.pruned_error[b]))), Words(head)]


def _sentence(found: Horizon, least: float) -> str:
    matters = LEAST if found.share else 0.02 * abs(least)
    by = (points if found.share else brief)(abs(found.lost))
    if abs(found.lost) <= matters:
        return "Here both do as well: no split that gains much hides behind one that gains little."
    better = "pruning" if found.lost > 0 else "stopping"
    if not found.p < LEVEL:
        chance = f" (p = {p_value(found.p)})" if found.p == found.p else ""
        return f"Here {better} does better by {by}, which may be chance on these rows{chance}."
    if better == "stopping":
        return f"Here stopping does better, by {by}: no split hides another one."
    return (
        f"Here the horizon bites, by {by}: a split that gains little opens others that gain much, and who stops "
        "there never sees them, while who goes on there splits noise elsewhere, too."
    )


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{count(int(n), ',')} leaves"


def _worlds(setup: Setup) -> dict[str, str]:
    return {THIS_TABLE: THIS_TABLE} | {n: w.label for n, w in WORLDS.items() if w.task == "classification"}


ROWS = Setting("horizon of", "Rows of", options=_worlds, width=260)
N_ROWS = 600
"""Of an invented world: so many train, as many others judge."""


def _work(setup: Setup) -> Work:
    if setup[ROWS] == THIS_TABLE:
        judged = setup.roles["validation" if setup.held_back == "train" else setup.held_back]
        tree, by, risk = setup.grown, setup.judged_by, setup.risk
        return lambda report: horizon(tree, judged, report, by, risk)
    world, growth = WORLDS[setup[ROWS]], setup.growth.growth()
    return lambda report: _in_world(world, growth, report)


def _in_world(world: World, growth: GrowSettings, progress: Callable) -> Horizon:
    """Of a tree of rows drawn from a world, judged by as many others."""
    rng = np.random.default_rng(2)
    train, judged = (world.draw(rng, N_ROWS)[0] for _ in range(2))
    return horizon(grow(train, growth), judged, progress)


def _pictures(found: Horizon, setup: Setup) -> list[Picture]:
    named = found.measure[0].upper() + found.measure[1:]
    caption = f"{named} of rows held back against leaves; a ring marks the best of each."
    return [Picture("error_curves.horizon", (found,), caption, height_on_page=340)]


def _about(setup: Setup) -> Told:
    if setup[ROWS] != THIS_TABLE:
        return (("rows of", setup[ROWS]),)
    role = "" if setup.held_back == "train" else setup.held_back
    return (("judged by", f"{role} rows"),)


def _note(setup: Setup) -> str:
    """Whose tree it is, and which rows judge it."""
    if setup[ROWS] != THIS_TABLE:
        return f"A tree by your algorithm on {N_ROWS} rows drawn, judged by {N_ROWS} others."
    return "" if setup.held_back == "train" else f"Your unpruned tree, judged by the {setup.held_back} rows."


HORIZON = StudyQuestion(
    "horizon", "Stop early, or prune?", "Stop early, or prune", _work,
    lambda answer, setup: describe_horizon(answer), _pictures, (ROWS,), _about, _note,
    start=Start("", "Compare them", "", "Comparing", remedy="choose other rows"), pruned=False,
    of_table=lambda setup: setup[ROWS] == THIS_TABLE, report_place=11,
)  # fmt: skip
