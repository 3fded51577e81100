"""Recipes tried on the same folds of one table, or of several: each grown and pruned on the other rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, checked_folds, in_threads, make_folds
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.answers import Answers, answers_of, joined
from treecore.judging.measures import MEASURES, Measure
from treecore.recipe import Prepare, Recipe
from treecore.study.nested_selection import described, of_one_class, roles_of, tree_of, varies, without_backups
from treecore.tree.tree import Tree


def repeated_folds(
    table: Table, n_folds: int = 10, n_repeats: int = 1, seed: int = 0, stratify: bool = True, group: str = ""
) -> np.ndarray:
    """int64 (n_repeats, n_rows): the fold of every row, 0 to n_folds - 1, in every repetition.

    n_folds : as many as rows leaves one out at a time. stratify : classes dealt evenly (make_folds), not with groups.
    group : a column; rows with the same value of it are in the same fold, as those of one patient have to be.
    The repetitions are drawn by seed, seed + 1 ... TreecoreError for numbers or a column that do not serve.
    """
    if n_repeats < 1:
        raise TreecoreError(
            f"{n_repeats} repetitions leave nothing to judge", where="folds", remedy="Choose one or more"
        )
    seeds = range(seed, seed + n_repeats)
    if group:
        return np.array([_grouped(table, n_folds, s, group) for s in seeds])
    return np.array([make_folds(table, n_folds, s, stratify) for s in seeds])


def _grouped(table: Table, n_folds: int, seed: int, group: str) -> np.ndarray:
    """int64 (n_rows,): groups in turn, the largest first, to the fold that has the fewest rows so far."""
    _, of_row, sizes = np.unique(table.column(group).codes, return_inverse=True, return_counts=True)
    if not 2 <= n_folds <= len(sizes):
        what = f"{n_folds} folds cannot be made of {len(sizes)} groups"
        remedy = f"Choose 2 to {len(sizes)} folds" if len(sizes) > 1 else "Choose a column with more values"
        raise TreecoreError(what, where=f"Column {group!r}", remedy=remedy)
    key = np.random.RandomState(seed).permutation(len(sizes))
    fold_of, filled = np.empty(len(sizes), np.int64), np.zeros(n_folds, np.int64)
    for g in np.lexsort((key, -sizes)):
        fold_of[g] = filled.argmin()
        filled[fold_of[g]] += sizes[g]
    return fold_of[of_row]


# Recipes tried on the same folds: each grown and pruned on the other rows, and judged by the rows of the fold.


@dataclass(frozen=True, eq=False, repr=False)
class Trials(Brief):
    """Recipes in order, each judged on every fold of every repetition.

    folds : int64 (n_repeats, n_rows), the fold of each row. answers : recipe -> fold -> what was said of its rows, the
    folds of the first repetition first. n_leaves : int64 (n_recipes, n_repeats * n_folds), leaves of the trees.
    """

    names: tuple[str, ...]
    folds: np.ndarray
    answers: tuple[tuple[Answers, ...], ...]
    n_leaves: np.ndarray

    @property
    def n_folds(self) -> int:
        """In one repetition."""
        return int(self.folds.max()) + 1

    @property
    def overlap(self) -> float:
        """Rows judged / rows that train, on average over the folds: what the corrected tests reckon with."""
        return 1 / (self.n_folds - 1)

    @property
    def classes(self) -> tuple[str, ...]:
        return self.answers[0][0].classes

    def scores(self, measure: Measure) -> np.ndarray:
        """float64 (n_recipes, n_repeats * n_folds): of every fold; NaN where the measure has no meaning on one."""
        return np.array([[measure(fold) for fold in of] for of in self.answers])

    def pooled(self, recipe: int) -> Answers:
        """All rows once, each as its fold's tree in the first repetition answers it, in the order of the table."""
        result = joined(self.answers[recipe][: self.n_folds])
        return result.take(np.argsort(result.row, kind="stable"))


def trials(
    table: Table,
    recipes: Mapping[str, Recipe],
    folds: np.ndarray,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Trials:
    """Try every recipe on every fold, all on the table's one encoding.

    All that a recipe chooses is chosen within the fold: fills, bins, splits, alpha. Where it looks at validation rows
    they are drawn from the fold's other rows by its own split (a quarter of them if that has none); else all of
    these train. Where these are all of one class the tree is a lone root. Steps by hand are not repeated: they were
    made in sight of all rows.

    table : with the target; rows without one train and judge nothing. recipes : name -> Recipe, all for one target.
    folds : int (n_rows,) or (n_repeats, n_rows), see repeated_folds.
    progress : called with how many trees are done, several times a second; an exception that it raises ends the work.
    n_jobs : how many trees grow at once, see treecore.parallel; the answers do not depend on it.
    TreecoreError says in which fold of which recipe it happened.
    """
    folds = np.array([checked_folds(of, table.n_rows) for of in np.atleast_2d(folds)])
    names, tables = tuple(recipes), [described(table, recipe) for recipe in recipes.values()]
    if len({(t.target, t.task, t.classes) for t in tables}) > 1:
        raise TreecoreError(
            "The recipes predict different targets", where="recipes", remedy="Compare recipes for one target"
        )
    lean = [without_backups(recipe, t) for recipe, t in zip(recipes.values(), tables, strict=True)]
    # fold by fold, so that the trees that are done tell how long the others take
    places = [(r, s, f) for s, of in enumerate(folds) for f in range(of.max() + 1) for r in range(len(names))]

    def one(i: int, look: Callable) -> tuple[tuple[Answers, int], int]:
        recipe, repetition, fold = places[i]
        try:
            result = _tried(tables[recipe], lean[recipe], folds[repetition] == fold, look)
        except TreecoreError as fault:
            where = f"{names[recipe]}, fold {fold + 1}"
            raise TreecoreError(f"{fault.what} ({where})", where=fault.where, remedy=fault.remedy) from fault
        return result, 0

    result = in_threads(len(places), one, progress, n_jobs)
    answers = _judged_alike([[a for a, _ in result[r :: len(names)]] for r in range(len(names))])
    leaves = np.array([n for _, n in result], np.int64).reshape(-1, len(names)).T
    return Trials(names, folds, answers, leaves)


def _judged_alike(answers: list[list[Answers]]) -> tuple[tuple[Answers, ...], ...]:
    """Recipe -> fold -> answers that can all be judged by the loss of the first recipe that grows by one of its own,
    such as the pinball loss of a quantile: by that of each fold, as what it leaves to the data differs."""
    folds = []
    for fold in zip(*answers, strict=True):
        own = (a.row_loss for a in fold if a.row_loss is not None and MEASURES[a.row_loss.measure].loss)
        loss = next(own, None)
        folds.append(fold if loss is None else [replace(a, row_loss=loss) for a in fold])
    return tuple(zip(*folds, strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class FoldTree(Brief):
    """The tree of one fold. tree : pruned. train, validation, judged : its rows, as the recipe prepares them."""

    tree: Tree
    train: Table
    validation: Table
    judged: Table


def tree_of_fold(table: Table, recipe: Recipe, judged: np.ndarray, look: Callable = lambda *_: None) -> FoldTree:
    """The tree that judges these rows in trials, grown anew. judged : bool (n_rows,), the rows of the fold.

    look : called often while it grows; an exception that it raises ends the work.
    """
    table = described(table, recipe)
    known = ~table.target_column.missing
    rows = np.flatnonzero(judged & known)
    parts = roles_of(table.take(np.flatnonzero(~judged & known)), recipe)
    train, validation, held_out = (recipe.last(Prepare) or Prepare()).tables(*parts, table.take(rows))
    look()
    tree = tree_of(recipe, train, validation, look) if varies(train) else of_one_class(table.take(known), recipe, train)
    return FoldTree(tree, train, validation, held_out)


def _tried(table: Table, recipe: Recipe, judged: np.ndarray, look: Callable) -> tuple[Answers, int]:
    """What the fold's tree says of its rows, by their places in the table, and its leaves. judged : bool (n_rows,)."""
    of = tree_of_fold(table, recipe, judged, look)
    result, rows = answers_of(of.tree, of.judged), np.flatnonzero(judged & ~table.target_column.missing)
    return replace(result, row=rows[result.row]), of.tree.n_leaves


# Recipes on many tables: what a comparison on one cannot say, whether one of them is better elsewhere, too.


@dataclass(frozen=True, eq=False, repr=False)
class Across(Brief):
    """Scores of recipes on tables. names : of the recipes. tables : names of those on which all of them could be tried.

    scores : float64 (n_tables, n_recipes), mean of the folds. faults : table -> why it was left out.
    """

    names: tuple[str, ...]
    tables: tuple[str, ...]
    scores: np.ndarray
    faults: dict[str, TreecoreError]


def across(
    tables: Mapping[str, Table],
    recipes: Mapping[str, Recipe],
    measure: Measure,
    n_folds: int = 10,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Across:
    """Every recipe on the same folds of every table, see trials; a table without a score for one of them is left out.

    n_folds : at most as many as a table has rows. progress : called with how many tables are done; an exception that
    it raises ends the work.
    """
    names, given = tuple(recipes), list(tables.items())

    def one(i: int, look: Callable) -> tuple[np.ndarray | TreecoreError, int]:
        name, table = given[i]
        try:
            table = table.without_missing_target()
            folds = repeated_folds(table, min(n_folds, table.n_rows), seed=seed)
            result = trials(table, recipes, folds, look).scores(measure).mean(axis=1)
        except TreecoreError as fault:
            return fault, 0
        if np.isfinite(result).all():
            return result, 0
        remedy = "Take fewer folds, or another measure"
        return TreecoreError(f"{measure.label} has no value on a fold of {name}", where=name, remedy=remedy), 0

    result = dict(zip(tables, in_threads(len(given), one, progress, n_jobs), strict=True))
    faults = {name: of for name, of in result.items() if isinstance(of, TreecoreError)}
    kept = tuple(name for name in tables if name not in faults)
    scores = np.array([result[name] for name in kept]).reshape(len(kept), len(names))
    return Across(names, kept, scores, faults)
