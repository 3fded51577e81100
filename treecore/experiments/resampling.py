"""The same recipe on other samples of the same rows: bootstrap samples, or all rows but one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.ensembles.bootstrap import grown_on as grown_by_weights
from treecore.errors import TreecoreError
from treecore.experiments.within import (
    described,
    draws_folds,
    of_one_class,
    pruned_by,
    roles_of,
    tree_of,
    varies,
    watches_validation,
    without_backups,
)
from treecore.recipe import Prepare, Prune, Recipe
from treecore.tree.tree import Tree

BOOTSTRAP, ONE_OUT = WAYS = ("bootstrap", "leave one out")
MOST_TIMES = 255


@dataclass(frozen=True, eq=False, repr=False)
class Regrown(Brief):
    """Trees of samples of one table. table : its rows with a known target.

    times : uint8 (n_trees, n_rows), how often each row was drawn.
    """

    table: Table
    trees: tuple[Tree, ...]
    times: np.ndarray


def regrown(
    table: Table,
    recipe: Recipe,
    n_trees: int = 100,
    way: str = BOOTSTRAP,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Regrown:
    """Trees of this recipe on samples of the table, all on its one encoding.

    way : "bootstrap" draws as many rows as there are, with replacement; "leave one out" leaves out another row each
    time, n_trees of them, drawn evenly. All that the recipe chooses is chosen within the sample, see trials; a row that
    is drawn twice stays in one role. Steps by hand are not repeated. Surrogate splits are left out where no value is
    missing: there they answer nothing.
    progress : called with how many trees are done; an exception that it raises ends the work.
    n_jobs : how many trees grow at once, see treecore.parallel; the trees do not depend on it.
    Source: Efron (1979); Breiman (1996), Heuristics of instability and stabilization in model selection.
    """
    whole = described(table, recipe).without_missing_target()
    whole.check_trainable()
    times = _times(whole.n_rows, n_trees, way, seed)
    lean = without_backups(recipe, whole)

    def one(i: int, look: Callable) -> tuple[Tree, int]:
        return grown_on(whole, lean, times[i], look), 0

    return Regrown(whole, tuple(in_threads(len(times), one, progress, n_jobs)), times)


def grown_on(whole: Table, recipe: Recipe, times: np.ndarray, look: Callable = lambda *_: None) -> Tree:
    """The recipe's pruned tree on some rows of a table, each as often as it was drawn. times : uint8 (n_rows,)."""
    if _may_weigh(whole, recipe, times):
        grown = grown_by_weights(whole, times, recipe.growth(), look)
        return pruned_by(recipe, grown, None if _keeps_all(recipe) else _as_drawn(whole, times), None, look)
    parts = _parts(whole, recipe, times)
    train, validation = (recipe.last(Prepare) or Prepare()).tables(*parts)
    look()
    return tree_of(recipe, train, validation, look) if varies(train) else of_one_class(whole, recipe, train)


def _may_weigh(whole: Table, recipe: Recipe, times: np.ndarray) -> bool:
    """Is the tree the same to the last bit if a row that was drawn k times has a weight of k? Counts of classes add up
    exactly, sums of numbers do not; a role, a fold or a bin would not be drawn alike."""
    if whole.task != "classification" or whole.weights is not None or (recipe.last(Prepare) or Prepare()) != Prepare():
        return False
    if draws_folds(recipe) or watches_validation(recipe):
        return False
    return bool((np.bincount(whole.target_column.codes[times > 0]) > 0).sum() > 1)


def _keeps_all(recipe: Recipe) -> bool:
    return (recipe.last(Prune) or Prune()).method == "none"


def _as_drawn(whole: Table, times: np.ndarray) -> Table:
    return whole.take(np.repeat(np.arange(whole.n_rows), times))


def _parts(whole: Table, recipe: Recipe, times: np.ndarray) -> tuple[Table, Table]:
    """Training and validation rows of a sample: the row itself as often as it was drawn; weights where folds choose the
    size, so that a row is not in two of them, and where rows have some."""
    if whole.weights is None and not draws_folds(recipe):
        if not watches_validation(recipe):
            return _as_drawn(whole, times), whole.take(np.empty(0, np.int64))
        rows = whole.with_weights(times).take(np.flatnonzero(times))
        return tuple(_repeated(part) for part in roles_of(rows, recipe))
    drawn = whole.take(np.flatnonzero(times))
    often = times[np.flatnonzero(times)]
    return roles_of(drawn.with_weights(often * drawn.case_weights) if (often > 1).any() else drawn, recipe)


def _repeated(part: Table) -> Table:
    """Rows as often as they weigh."""
    return part.with_weights(None).take(np.repeat(np.arange(part.n_rows), part.weights.astype(np.int64)))


def _times(n_rows: int, n_trees: int, way: str, seed: int) -> np.ndarray:
    """uint8 (n_trees, n_rows)."""
    if way not in WAYS:
        raise TreecoreError(f"There is no way {way!r} to draw samples", where="way", remedy="Choose " + ", ".join(WAYS))
    if n_trees < 2:
        raise TreecoreError(f"{n_trees} trees vary by nothing", where="trees", remedy="Choose two or more")
    rng = np.random.RandomState(seed)
    if way == BOOTSTRAP:
        draws = (np.bincount(rng.randint(0, n_rows, n_rows), minlength=n_rows) for _ in range(n_trees))
        return np.array([np.minimum(d, MOST_TIMES) for d in draws], np.uint8)
    left_out = rng.permutation(n_rows)[: min(n_trees, n_rows)]
    times = np.ones((len(left_out), n_rows), np.uint8)
    times[np.arange(len(left_out)), left_out] = 0
    return times
