"""Recipes on many tables: what a comparison on one cannot say, whether one of them is better elsewhere, too."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.experiments.folds import repeated_folds
from treecore.experiments.trials import trials
from treecore.judging.measures import Measure
from treecore.recipe import Recipe


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
            found = trials(table, recipes, folds, look).scores(measure).mean(axis=1)
        except TreecoreError as fault:
            return fault, 0
        if np.isfinite(found).all():
            return found, 0
        remedy = "Take fewer folds, or another measure"
        return TreecoreError(f"{measure.label} has no value on a fold of {name}", where=name, remedy=remedy), 0

    found = dict(zip(tables, in_threads(len(given), one, progress, n_jobs), strict=True))
    faults = {name: of for name, of in found.items() if isinstance(of, TreecoreError)}
    kept = tuple(name for name in tables if name not in faults)
    scores = np.array([found[name] for name in kept]).reshape(len(kept), len(names))
    return Across(names, kept, scores, faults)
