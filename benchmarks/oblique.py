"""Trees with oblique splits beside the axis-parallel tree and YDF's sparse oblique one: seconds of the processor, which
other work on the machine changes little, and test accuracy.

OPENBLAS_NUM_THREADS=1 uv run --extra peers python benchmarks/oblique.py [rows] [features] [seed]; half as many
rows more are kept for the test. What each takes from arrays to a tree, one thread each; turns are interleaved.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import treecore as tc
from treecore.growing.directions import DIRECTIONS

LEAST, NOISE, REPEATS = 10, 0.05, 5
SHAPES = {
    "one slanted line": lambda X: X[:, 0] + 0.7 * X[:, 1] - 1.3 * X[:, 2] > 0,
    "two slanted lines": lambda X: (X[:, 0] + X[:, 1] > 0.3) ^ (X[:, 2] - 2 * X[:, 3] > 0.5),
    "single features": lambda X: (X[:, 0] > 0.2) & (X[:, 1] < 0.5),
}


def made(shape: str, n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal numbers, every feature in a unit of its own, and a class that follows from few of them but for noise."""
    rng = np.random.default_rng(seed)
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
        sparse_oblique_normalization="STANDARD_DEVIATION", num_threads=1,
    )  # fmt: skip
    return learner.train(_columns(X) | {"y": y})


def _columns(X: np.ndarray) -> dict:
    return {f"x{f}": X[:, f] for f in range(X.shape[1])}


def accuracy(model, X: np.ndarray, y: np.ndarray) -> float:
    if isinstance(model, tc.Tree):
        return float((model.predict(X).astype(int) == y).mean())
    return float(((np.asarray(model.predict(_columns(X))) > 0.5) == y).mean())


def timed(ways: dict[str, Callable], X: np.ndarray, y: np.ndarray) -> dict[str, tuple[float, object]]:
    """Of each way (least seconds, model), after a small fit that loads what it needs."""
    found = {}
    for fit in ways.values():
        fit(X[:300], y[:300])
    for _ in range(REPEATS):
        for name, fit in ways.items():
            start = time.process_time()
            model = fit(X, y)
            seconds = time.process_time() - start
            found[name] = min(seconds, found.get(name, (np.inf,))[0]), model
    return found


def main(n: int = 10_000, d: int = 20, seed: int = 11) -> None:
    print(f"{n:,} rows, {d} features, seed {seed}; least of {REPEATS} runs")
    names = [name for name in DIRECTIONS if name not in ("none", "exhaustive")]
    ways = {"axis-parallel": straight, **{name: oblique(name) for name in names}, "YDF sparse oblique": ydf_tree}
    for shape in SHAPES:
        X, y = made(shape, n + n // 2, d, seed)
        print(f"\n{shape}")
        found = timed(ways, X[:n], y[:n])
        for name, (seconds, model) in found.items():
            leaves = f"{model.n_leaves:4d} leaves" if isinstance(model, tc.Tree) else ""
            right, ratio = accuracy(model, X[n:], y[n:]), seconds / found["axis-parallel"][0]
            print(f"{name:20} {seconds:7.3f} s  ×{ratio:6.1f}  {right:.3f}  {leaves}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
