"""Trees with oblique splits beside the axis-parallel tree and YDF's sparse oblique one: seconds and test accuracy.

uv run --extra peers python benchmarks/oblique.py [rows] [features]; half as many rows more are kept for the test.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import treecore as tc
from treecore.growing.oblique import DIRECTIONS

LEAST, NOISE, REPEATS = 10, 0.05, 3
SHAPES = {
    "one slanted line": lambda X: X[:, 0] + 0.7 * X[:, 1] - 1.3 * X[:, 2] > 0,
    "two slanted lines": lambda X: (X[:, 0] + X[:, 1] > 0.3) ^ (X[:, 2] - 2 * X[:, 3] > 0.5),
    "single features": lambda X: (X[:, 0] > 0.2) & (X[:, 1] < 0.5),
}


def made(shape: str, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal numbers, every feature in a unit of its own, and a class that follows from few of them but for noise."""
    rng = np.random.default_rng(11)
    X = rng.standard_normal((n, d))
    y = SHAPES[shape](X).astype(int)
    return X * 10.0 ** rng.integers(-2, 3, d), np.where(rng.random(n) < NOISE, 1 - y, y)


def straight(X: np.ndarray, y: np.ndarray) -> tc.Tree:
    return tc.grow(tc.from_arrays(X, y, classes=["0", "1"]), "cart", min_rows_leaf=LEAST)


def oblique(directions: str) -> Callable:
    return lambda X, y: tc.grow(tc.from_arrays(X, y, classes=["0", "1"]), oblique=directions, min_rows_leaf=LEAST)


def ydf_tree(X: np.ndarray, y: np.ndarray):
    """One tree of YDF's, unpruned."""
    import ydf

    ydf.verbose(0)
    learner = ydf.CartLearner(
        label="y", split_axis="SPARSE_OBLIQUE", min_examples=LEAST, max_depth=-1, validation_ratio=0.0,
        sparse_oblique_normalization="STANDARD_DEVIATION",
    )  # fmt: skip
    return learner.train(_columns(X) | {"y": y})


def _columns(X: np.ndarray) -> dict:
    return {f"x{f}": X[:, f] for f in range(X.shape[1])}


def accuracy(model, X: np.ndarray, y: np.ndarray) -> float:
    if isinstance(model, tc.Tree):
        return float((model.predict(X).astype(int) == y).mean())
    return float(((np.asarray(model.predict(_columns(X))) > 0.5) == y).mean())


def timed(fit: Callable, X: np.ndarray, y: np.ndarray) -> tuple[float, object]:
    """(least seconds, model), after a small fit that loads what it needs."""
    fit(X[:300], y[:300])
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        model = fit(X, y)
        seconds.append(time.perf_counter() - start)
    return min(seconds), model


def main(n: int = 10_000, d: int = 20) -> None:
    print(f"{n:,} rows, {d} features; least of {REPEATS} runs")
    names = [name for name in DIRECTIONS if name not in ("none", "exhaustive")]
    ways = {"axis-parallel": straight, **{name: oblique(name) for name in names}}
    for shape in SHAPES:
        X, y = made(shape, n + n // 2, d)
        print(f"\n{shape}")
        first = None
        for name, fit in (ways | {"YDF sparse oblique": ydf_tree}).items():
            seconds, model = timed(fit, X[:n], y[:n])
            first = first or seconds
            leaves = f"{model.n_leaves:4d} leaves" if isinstance(model, tc.Tree) else ""
            right = accuracy(model, X[n:], y[n:])
            print(f"{name:20} {seconds:7.3f} s  ×{seconds / first:6.1f}  {right:.3f}  {leaves}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
