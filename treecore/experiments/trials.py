"""Recipes tried on the same folds: each grown and pruned on the other rows, and judged by the rows of the fold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, checked_folds, in_threads
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.experiments.within import described, of_one_class, roles_of, tree_of, varies, without_backups
from treecore.judging.answers import Answers, answers_of, joined
from treecore.judging.measures import Measure
from treecore.recipe import Prepare, Recipe
from treecore.tree.tree import Tree


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
        found = joined(self.answers[recipe][: self.n_folds])
        return found.take(np.argsort(found.row, kind="stable"))


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
    folds : int (n_rows,) or (n_repeats, n_rows), see folds.repeated_folds.
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
            found = _tried(tables[recipe], lean[recipe], folds[repetition] == fold, look)
        except TreecoreError as fault:
            where = f"{names[recipe]}, fold {fold + 1}"
            raise TreecoreError(f"{fault.what} ({where})", where=fault.where, remedy=fault.remedy) from fault
        return found, 0

    found = in_threads(len(places), one, progress, n_jobs)
    answers = tuple(tuple(a for a, _ in found[r :: len(names)]) for r in range(len(names)))
    leaves = np.array([n for _, n in found], np.int64).reshape(-1, len(names)).T
    return Trials(names, folds, answers, leaves)


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
    found, rows = answers_of(of.tree, of.judged), np.flatnonzero(judged & ~table.target_column.missing)
    return replace(found, row=rows[found.row]), of.tree.n_leaves
