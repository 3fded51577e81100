"""Cross-validation of a nested sequence: how large a tree should be, judged by rows that did not grow it.

It stands before `fit`, which replays recipes whose pruning chooses its alpha in this way.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from threading import Event

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.counted_growth import grow_counted
from treecore.growing.grower import grow_tree
from treecore.growing.loop import Progress
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import prediction_only, training_rows
from treecore.judging.losses import OWN
from treecore.judging.measures import OF_ORDER, loss_of, own_measure
from treecore.parallel import n_threads, parallel
from treecore.pruning.sequence import Sequence
from treecore.pruning.sequence import sequence as nested_sequence
from treecore.pruning.validation import CrossValidated, check_measure, judgement
from treecore.tree.node_statistics import node_statistics
from treecore.tree.tree import Tree

AS_GROWN = -np.inf
"""In place of an alpha: the tree with all its splits."""
PATIENCE = 0.2
"""Seconds between two looks whether the caller wants to stop."""


@dataclass(frozen=True)
class FoldProgress(Progress):
    """How far a cross-validation has come. n_nodes : grown in the finished folds. n_waiting : folds to come."""

    n_folds: int = 0


def make_folds(train: Table, n_folds: int, seed: int = 0, stratify: bool = True) -> np.ndarray:
    """int64 (n_rows,): the fold of each row, 0 to n_folds - 1; their sizes differ by one row at most.

    stratify : the classes are dealt to the folds as evenly as can be; of a numeric target every n_folds neighbours
    in rank go to different folds. The draw depends on the seed and the rows' numbers in the source, not on the order
    of the rows. TreecoreError for less than two folds, or more than rows.
    Of a table whose rows stay where they are: pairs (the other rows, the fold's rows), dealt by a hash, not stratified.
    """
    whole = isinstance(n_folds, int | np.integer) and isinstance(seed, int | np.integer)
    if not whole or not 0 <= seed < 2**32:
        remedy = "Give whole numbers, the seed from 0 on"
        raise TreecoreError(f"{n_folds!r} folds with the seed {seed!r} cannot be made", where="folds", remedy=remedy)
    if n_folds < 2 or n_folds > train.n_rows:
        what = f"{n_folds} folds cannot be made of {train.n_rows} rows"
        raise TreecoreError(what, where="folds", remedy=f"Choose 2 to {max(train.n_rows, 2)} folds")
    if hasattr(train, "hash_folds"):
        return train.hash_folds(n_folds, seed)
    key = np.empty(train.n_rows)
    # a generator whose stream never changes, so that a recipe gives the same tree in years to come
    key[np.argsort(train.row_numbers, kind="stable")] = np.random.RandomState(seed).permutation(train.n_rows)
    order = np.lexsort((key, _strata(train, key, n_folds) if stratify else np.zeros(train.n_rows)))
    folds = np.empty(train.n_rows, np.int64)
    folds[order] = np.arange(train.n_rows) % n_folds
    return folds


def _strata(train: Table, key: np.ndarray, n_folds: int) -> np.ndarray:
    """int64 (n_rows,): rows that should be spread over the folds: those of a class, or n_folds neighbours in rank."""
    target = train.target_column
    if target.kind != "numeric":
        return target.codes.astype(np.int64)
    rank = np.empty(train.n_rows, np.int64)
    rank[np.lexsort((key, target.codes))] = np.arange(train.n_rows)
    return rank // n_folds


def checked_folds(folds: np.ndarray, n_rows: int) -> np.ndarray:
    """int64 (n_rows,): folds that somebody gives, counted from 0.

    folds : whole numbers from 0 or from 1 on, one per row. TreecoreError where a fold has no rows, there is only one,
    or there are more folds than rows.
    """
    given = np.asarray(folds)
    if given.shape != (n_rows,) or given.dtype.kind not in "iuf" or not (given == np.floor(given)).all():
        raise TreecoreError(
            f"These are no folds of {n_rows} rows", where="folds", remedy="Give one whole number per row"
        )
    given = given.astype(np.int64) - (given.min() == 1)
    n_folds = int(given.max()) + 1
    empty = np.setdiff1d(np.arange(min(n_folds, n_rows + 1)), given)
    if given.min() < 0 or n_folds > n_rows or n_folds < 2:
        what = f"Folds numbered {given.min()} to {given.max()} cannot be folds of {n_rows} rows"
        raise TreecoreError(what, where="folds", remedy=f"Number them from 0; there can be 2 to {n_rows}")
    if len(empty):
        raise TreecoreError(f"Fold {empty[0]} has no rows", where="folds", remedy="Number the folds without gaps")
    return given


def cross_validated(
    grown: Tree | GrowSettings,
    train: Table,
    sequence: Sequence,
    folds: np.ndarray,
    progress: Callable[[FoldProgress], None] | None = None,
    alphas: np.ndarray | None = None,
    measure: str = OWN,
    *,
    n_jobs: int | None = None,
) -> CrossValidated:
    """What a measure says of every subtree of a sequence, by trees that are grown without the rows they are judged on.

    For each fold a tree is grown on the other rows with the same settings (splits taken by hand are not repeated, nor
    does growth watch validation rows), and cut by its own nested sequence at the geometric means sqrt(alpha_k
    alpha_k+1) of the neighbouring alphas of `sequence`, which stand for all alphas between them. The held-out rows'
    losses w l are pooled over the folds: mean = sum w l / W, standard error = sqrt(sum w l^2 - (sum w l)^2 / W) / W.
    A measure of the rows' order, such as the area under ROC, is taken in every fold alone and averaged over them.
    With priors rows count by prior over training share, shares being those of all the training rows.

    train : the rows that the sequence's tree was grown on. folds : int (n_rows,), see make_folds and checked_folds.
    alphas : float64 (n_steps,), to cut at instead; below 0 takes a fold's tree as grown.
    progress : called between the folds and several times a second; an exception that it raises ends the work.
    n_jobs : how many folds grow at once, see treecore.parallel; what is found does not depend on it.
    Source: Breiman et al. (1984), section 8.5.2; the error's formula as in rpart (Therneau and Atkinson).
    """
    tree = sequence.tree
    if tree.outputs is not None:
        raise TreecoreError(
            "The tree is read from a model made elsewhere: by what settings it was grown is not known, so no tree like "
            "it can be grown on folds",
            where="Cross-validation",
            remedy="Judge its sizes by validation rows",
        )
    measure = own_measure(measure, tree)
    train, folds = _counting(tree, train, folds)
    _check_rows(tree, train)
    check_measure(sequence, measure)
    at = geometric_means(sequence) if alphas is None else np.asarray(alphas, float)
    factor = tree.prior_factor if tree.classes else None

    def judge(fold_tree: Tree, held_out: Table) -> tuple[np.ndarray, float]:
        steps = nested_sequence(fold_tree, sequence.by)
        places = [0 if a < 0 else steps.at_alpha(a) for a in at]
        if measure in OF_ORDER:
            return judgement(steps, held_out, measure, places).mean[places], 1.0
        sums, weight = steps.losses(held_out, factor, measure)
        return sums[places], weight

    result = over_folds(grown, train, folds, judge, progress, n_jobs)
    if measure in OF_ORDER:
        return _averaged(np.array([values for values, _ in result]), measure, at)
    sums, weights = (np.array(part) for part in zip(*result, strict=True))
    total = weights.sum()
    first, second = np.moveaxis(sums.sum(axis=0), 1, 0)
    alone = np.divide(sums[:, :, 0], weights[:, None], out=np.full(sums.shape[:2], np.nan), where=weights[:, None] > 0)
    error = np.sqrt(np.maximum(second - first**2 / total, 0.0)) / total
    mean, alone = loss_of(first / total, measure), loss_of(alone, measure)
    return CrossValidated(mean, error, measure, len(result), alone, at)


def _averaged(per_fold: np.ndarray, measure: str, at: np.ndarray) -> CrossValidated:
    """The mean over the folds that have a value, float64 (n_folds, n_steps), and its standard error."""
    n = np.maximum((~np.isnan(per_fold)).sum(axis=0), 1)
    mean = np.where(np.isnan(per_fold).all(axis=0), np.nan, np.nansum(per_fold, axis=0) / n)
    spread = np.sqrt(np.nansum((per_fold - mean) ** 2, axis=0) / np.maximum(n - 1, 1) / n)
    return CrossValidated(mean, spread, measure, len(per_fold), per_fold, at)


def _counting(tree: Tree, train: Table, folds: np.ndarray) -> tuple[Table, np.ndarray]:
    """The rows that grew the tree, and their folds."""
    if not isinstance(train, Table):
        return train, folds
    rows = training_rows(train, GrowSettings.from_dict(dict(tree.growth)))
    return (train, folds) if rows is train else (rows, np.asarray(folds)[np.isin(train.row_numbers, rows.row_numbers)])


def geometric_means(sequence: Sequence) -> np.ndarray:
    """float64 (n_steps,): alphas that stand for the steps of a sequence; infinite for the root alone.

    Step 0 is AS_GROWN where some splits save nothing, so that no alpha gives the grown tree.
    """
    alpha = np.append(sequence.alpha, np.inf)
    means = np.sqrt(alpha[:-1]) * np.sqrt(np.where(alpha[:-1] > 0, alpha[1:], 0.0))
    means[-1] = np.inf
    if len(sequence) > 1 and sequence.alpha[1] == 0:
        means[0] = AS_GROWN
    return means


def over_folds(
    grown: Tree | GrowSettings,
    train: Table,
    folds: np.ndarray,
    judge: Callable[[Tree, Table], object],
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> list:
    """judge(tree grown on the other rows, the fold's rows) for every fold, in their order.

    The folds share the table's encoding and run in threads, at most n_jobs. Priors of the trees are those that
    give every row the weight it has among all rows. Where the other rows cannot be learned from, as they are all of
    one class, the tree is a lone root. Arguments and errors as for cross_validated.
    """
    in_place = isinstance(folds, list)
    pairs = folds if in_place else _pairs(train, checked_folds(folds, train.n_rows))
    growth = replace(GrowSettings.from_dict(dict(grown.growth)) if isinstance(grown, Tree) else grown, patience=0)
    growth = growth if in_place else prediction_only(growth, train)
    root = _grown(train, replace(growth, max_depth=0))

    def one(fold: int, look: Callable) -> tuple[object, int]:
        rest, held_out = (part() if callable(part) else part for part in pairs[fold])
        look()
        tree = _tree_of(rest, growth, root, fold, look)
        look()
        return judge(tree, held_out), tree.n_nodes

    return in_threads(len(pairs), one, progress, n_jobs)


def _pairs(train: Table, folds: np.ndarray) -> list[tuple[Callable, Callable]]:
    """For each fold, what makes the table of the other rows, and that of its own."""
    take = lambda has: lambda: train.take(np.flatnonzero(has))  # noqa: E731
    return [(take(folds != fold), take(folds == fold)) for fold in range(int(folds.max()) + 1)]


def _grown(table, growth: GrowSettings, look: Callable | None = None) -> Tree:
    """The tree of a table in memory, or of one whose rows are counted where they are."""
    return (grow_counted if hasattr(table, "counter") else grow_tree)(table, growth, look)


def in_threads(
    n: int,
    one: Callable[[int, Callable], tuple[object, int]],
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> list:
    """The results of one(0, look) to one(n - 1, look) in order, several at once.

    one : returns its result and how many nodes `progress` is to be told of; it calls look(...) often, which ends it
    where nobody waits any more. progress : as for cross_validated. n_jobs : how many at once, see treecore.parallel.
    What `one` does in threads of its own has its part of them.
    """
    most = n_threads(n_jobs)
    at_once = max(min(n, most), 1)
    stop = Event()

    def look(*_) -> None:
        if stop.is_set():
            raise _CancelledError

    def within(i: int) -> tuple[object, int]:
        with parallel(most // at_once):
            return one(i, look)

    pool = ThreadPoolExecutor(at_once)
    try:
        return _collected([pool.submit(copy_context().run, within, i) for i in range(n)], progress)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


class _CancelledError(Exception):
    """Ends the growth of the other folds when one has failed or the caller has had enough."""


def _tree_of(rest: Table, growth: GrowSettings, root: Tree, fold: int, look: Callable) -> Tree:
    """The tree of one fold, whose rows weigh as much as they do in `root`, the root of all rows."""
    if rest.weights is not None and not rest.weights.any():
        raise TreecoreError(f"The rows outside fold {fold} weigh nothing", where="folds", remedy="Draw other folds")
    stats = node_statistics(root, rest)
    share = stats[0] / stats[0].sum()
    if growth.priors is not None:
        priors = share * root.prior_factor
        growth = replace(growth, priors=tuple((priors / priors.sum()).tolist()))
    try:
        rest.check_trainable()
    except TreecoreError:
        return lone_root(root, rest)

    tree = _grown(rest, growth, look)
    return tree if growth.priors is None else replace(tree, priors=share * root.prior_factor)


def lone_root(root: Tree, rest: Table) -> Tree:
    """In place of a tree where the rows are all of one class: a root that answers it. root : of all rows."""
    stats = node_statistics(root, rest)
    return replace(root, stats=stats, impurity=np.zeros(1), n_rows=np.array([rest.n_rows]), median=None, lines=None)


def _collected(waiting: list, progress: Callable[[FoldProgress], None] | None) -> list:
    """The results of all folds in order; the first exception of any of them, or of `progress`, ends the waiting."""
    left = set(waiting)
    while left:
        done, left = wait(left, PATIENCE, FIRST_COMPLETED)
        for future in done:
            future.result()
        if progress is not None:
            n_nodes = sum(future.result()[1] for future in waiting if future not in left)
            progress(FoldProgress(n_nodes, len(left), len(waiting)))
    return [future.result()[0] for future in waiting]


def _check_rows(tree: Tree, train: Table) -> None:
    """TreecoreError unless these may be the rows that the tree was grown on."""
    weight = train.n_rows if train.weights is None else train.weights.sum()
    if not np.isclose(weight, tree.weight[0], rtol=1e-6):
        raise TreecoreError(
            f"The tree was grown on rows of weight {tree.weight[0]:g}, those given weigh {weight:g}",
            where="train",
            remedy="Give the rows that the tree was grown on",
        )
