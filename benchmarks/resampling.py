"""Resampling beside one fit, and beside scikit-learn's cross_validate.

    uv run python benchmarks/resampling.py

Wall seconds (time.perf_counter) with all processors, medians of five after one warm run, as both sides use threads;
beside them processor seconds of all threads (time.process_time), which other work on the machine lengthens less.
A fresh fit starts from the columns: encoding and growing. 100 bootstrap trees of 10 000 rows x 20 columns; the size
curve of 100 000 x 20 by 10 folds, all subtrees; scikit-learn: cross_validate of the same folds, for each of 20 alphas
of the path, as a size curve needs, in this process alone: the processors' seconds are what can be compared.
"""

from time import perf_counter, process_time

import numpy as np
from size_curve import N_ALPHAS, data, table_of

import treecore as tc
from treecore.cross_validation import cross_validated, make_folds
from treecore.recipe import Grow, Recipe
from treecore.study import regrown

N_REPEATS = 5


def wall(work, repeats: int = N_REPEATS) -> np.ndarray:
    """Median seconds of some calls after a first one: by the clock, and of the processors."""
    if repeats > 1:
        work()
    return np.median([_once(work) for _ in range(repeats)], axis=0)


def _once(work) -> np.ndarray:
    start = np.array([perf_counter(), process_time()])
    work()
    return np.array([perf_counter(), process_time()]) - start


def both(seconds: np.ndarray) -> str:
    """By the clock, and of the processors."""
    return "{:.3g} ({:.3g})".format(*seconds)


def bootstrap() -> None:
    """100 trees of samples against one fit."""
    x, y = data(10_000, 0)
    table = table_of(x, y)
    fresh = wall(lambda: tc.grow(table_of(x, y), "cart"))
    trees = wall(lambda: regrown(table, Recipe((Grow("cart"),)), 100))
    told = f"one fit {both(fresh)} s, 100 bootstrap trees {both(trees)} s: {both(trees / fresh)} fits"
    print(f"10 000 x 20, by the clock (processors): {told}")


def folds(n_rows: int = 100_000) -> None:
    """The cross-validated size curve against one fit, and against the peer's way."""
    x, y = data(n_rows, 0)
    table = table_of(x, y)
    tree = tc.grow(table, "cart")
    steps, drawn = tc.sequence(tree), make_folds(table, 10)
    fresh = wall(lambda: tc.grow(table_of(x, y), "cart"))
    curve = wall(lambda: cross_validated(tree, table, steps, drawn))
    told = f"one fit {both(fresh)} s, size curve by 10 folds {both(curve)} s: {both(curve / fresh)} fits"
    print(f"{n_rows:,} x 20: {told}")
    one, path = peer(x, y, drawn)
    print(f"scikit-learn, cross_validate of the tree as grown: {both(one)} s, {both(one / curve)} times as long")
    print(f"scikit-learn, path and cross_validate at {N_ALPHAS} alphas: {both(path)} s, {both(path / curve)} times")


def peer(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Seconds of one cross_validate, and of the path and as many of them as there are alphas, by one in the middle."""
    from sklearn.model_selection import PredefinedSplit, cross_validate
    from sklearn.tree import DecisionTreeClassifier

    def validate(alpha: float = 0.0) -> None:
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)
        cross_validate(tree, x, y, cv=PredefinedSplit(drawn))

    path = []
    seconds = _once(lambda: path.append(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(x, y)))
    alpha = float(np.quantile(path[0].ccp_alphas, 0.5))
    return wall(validate, 1), seconds + N_ALPHAS * wall(lambda: validate(alpha), 1)


if __name__ == "__main__":
    bootstrap()
    folds()
