"""Which features many trees need: their error where the values of one are dealt anew."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError


@dataclass(frozen=True, eq=False, repr=False)
class MixedUp(Brief):
    """names : of the d features. worse, sd : float64 (d,), by how much the error grows, mean and spread of the draws.
    error : of the rows as they are."""

    names: tuple[str, ...]
    worse: np.ndarray
    sd: np.ndarray
    error: float


def mixed_up(
    ensemble: Ensemble,
    rows: Table,
    n_draws: int = 5,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> MixedUp:
    """Permutation importance: error rate or mean squared error of all trees together, less that without mixing.

    rows : best those that no tree was grown on. Source: Breiman (2001), Random forests, who takes those out of bag.
    """
    if not rows.n_rows:
        raise TreecoreError("There are no rows to judge by", where="rows", remedy="Set rows apart, or take others")
    names, before = ensemble.table.features, float(ensemble.error(rows))

    def one(i: int, look: Callable) -> tuple[list[float], int]:
        rng, found = np.random.RandomState(seed), []
        for _ in range(n_draws):
            look()
            found.append(ensemble.error(_dealt(rows, names[i], rng)) - before)
        return found, 0

    drops = np.array(in_threads(len(names), one, progress, n_jobs))
    spread = drops.std(axis=1, ddof=1) if n_draws > 1 else np.zeros(len(names))
    return MixedUp(names, drops.mean(axis=1), spread, before)


def _dealt(rows: Table, name: str, rng: np.random.RandomState) -> Table:
    """The rows with the values of one feature in another order."""
    column = rows.column(name).take(rng.permutation(rows.n_rows))
    return replace(rows, columns=tuple(column if c.name == name else c for c in rows.columns))
