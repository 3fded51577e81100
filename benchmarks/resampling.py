"""Resampling beside one fit, and beside scikit-learn's cross_validate.

    uv run python benchmarks/resampling.py

Wall seconds (time.perf_counter) with all processors, medians of five after one warm run, as both sides use threads.
A fresh fit starts from the columns: encoding and growing. 100 bootstrap trees of 10 000 rows x 20 columns; the size
curve of 100 000 x 20 by 10 folds, all subtrees; scikit-learn: cross_validate of the same folds with n_jobs=-1, for each
of 20 alphas of the path, as a size curve needs.
"""

from statistics import median
from time import perf_counter

import numpy as np
from size_curve import N_ALPHAS, data, table_of

import treecore as tc
from treecore.cross_validation import cross_validated, make_folds
from treecore.experiments import regrown
from treecore.recipe import Grow, Recipe

N_REPEATS = 5


def wall(work, repeats: int = N_REPEATS) -> float:
    """Median wall seconds of some calls after a first one."""
    if repeats > 1:
        work()
    return median(_once(work) for _ in range(repeats))


def _once(work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def bootstrap() -> None:
    """100 trees of samples against one fit."""
    x, y = data(10_000, 0)
    table = table_of(x, y)
    fresh = wall(lambda: tc.grow(table_of(x, y), "cart"))
    trees = wall(lambda: regrown(table, Recipe((Grow("cart"),)), 100))
    print(f"10 000 x 20: one fit {1000 * fresh:.1f} ms, 100 bootstrap trees {trees:.2f} s: {trees / fresh:.1f} fits")


def folds(n_rows: int = 100_000) -> None:
    """The cross-validated size curve against one fit, and against the peer's way."""
    x, y = data(n_rows, 0)
    table = table_of(x, y)
    tree = tc.grow(table, "cart")
    steps, drawn = tc.sequence(tree), make_folds(table, 10)
    fresh = wall(lambda: tc.grow(table_of(x, y), "cart"))
    curve = wall(lambda: cross_validated(tree, table, steps, drawn))
    print(f"{n_rows:,} x 20: one fit {fresh:.2f} s, size curve by 10 folds {curve:.2f} s: {curve / fresh:.1f} fits")
    one, path = peer(x, y, drawn)
    print(f"scikit-learn, cross_validate of the tree as grown: {one:.1f} s, {one / curve:.0f} times as long")
    print(f"scikit-learn, path and cross_validate at {N_ALPHAS} alphas: about {path:.0f} s, {path / curve:.0f} times")


def peer(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> tuple[float, float]:
    """Seconds of one cross_validate, and of the path and as many of them as there are alphas, by one in the middle."""
    from sklearn.model_selection import PredefinedSplit, cross_validate
    from sklearn.tree import DecisionTreeClassifier

    def validate(alpha: float = 0.0) -> None:
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)
        cross_validate(tree, x, y, cv=PredefinedSplit(drawn), n_jobs=-1)

    path = []
    seconds = _once(lambda: path.append(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(x, y)))
    alpha = float(np.quantile(path[0].ccp_alphas, 0.5))
    return wall(validate, 1), seconds + N_ALPHAS * wall(lambda: validate(alpha), 1)


if __name__ == "__main__":
    bootstrap()
    folds()
