"""A random forest beside scikit-learn's with the same settings on the same cores: seconds, of the clock and of the
processors (which other work on the machine changes less), their ratios, test errors.

python -m benchmarks.forest [rows] [features] [trees]; the same float32 numbers for each, encoding included.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import treecore as tc
from treecore.ensembles import random_forest

TURNS, CORES, LEVELS = 3, 2, 20


def made(n_rows: int, n_features: int, continuous: bool) -> tuple[np.ndarray, np.ndarray]:
    """float32 numbers, or whole ones of few values, and two classes that follow from some of them but for noise."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n_rows, n_features)).astype(np.float32)
    y = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + X[:, 4] > 0
    y = np.where(rng.random(n_rows) < 0.15, ~y, y).astype(np.int64)
    return (X if continuous else np.round(X * 3).astype(np.float32)), y


def ours(X: np.ndarray, y: np.ndarray, n_trees: int) -> Callable:
    table = tc.from_arrays(X, y, classes=["0", "1"])
    growth = tc.GrowSettings(zero_gain="split")
    forest = random_forest(table, growth, n_trees, seed=0)
    return lambda new: forest.predict(tc.from_arrays(new, np.zeros(len(new), int), classes=["0", "1"])).astype(int)


def theirs(X: np.ndarray, y: np.ndarray, n_trees: int) -> Callable:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_trees, n_jobs=CORES, random_state=0).fit(X, y).predict


def main(n_rows: int = 100_000, n_features: int = 20, n_trees: int = 100) -> None:
    print(f"{n_trees} trees, {n_rows:,} rows, {n_features} features, √d drawn at every node, {CORES} cores; seconds")
    for name, continuous in (("continuous", True), ("whole numbers", False)):
        (X, y), (new, truth) = made(n_rows, n_features, continuous), made(20_000 + n_rows, n_features, continuous)
        new, truth = new[n_rows:], truth[n_rows:]
        ours(X, y, 2)  # what a process loads once
        seconds, errors = {ours: [], theirs: []}, {}
        for _ in range(TURNS):
            for grown in seconds:
                begin, worked = time.perf_counter(), time.process_time()
                answers = grown(X, y, n_trees)
                seconds[grown].append((time.perf_counter() - begin, time.process_time() - worked))
                errors[grown] = float(np.mean(answers(new) != truth))
        for i, what in enumerate(("clock", "processors")):
            mine, peer = (statistics.median(turn[i] for turn in seconds[grown]) for grown in (ours, theirs))
            print(
                f"{name}, {what}: treecore {mine:.2f}, scikit-learn {peer:.2f}, {peer / mine:.1f} of ours", flush=True
            )
        print(f"{name}, test error: treecore {errors[ours]:.4f}, scikit-learn {errors[theirs]:.4f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
