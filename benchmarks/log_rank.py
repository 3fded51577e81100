"""Trees of survival times by log-rank tests beside those of scikit-survival: seconds, ratio, leaves.

uv run --with scikit-survival==0.28.0 python benchmarks/log_rank.py [rows] [features]; one run, one process, in turn.
"""

import sys
import time

import numpy as np
import pandas as pd

import treecore as tc

TURNS = 3


def made(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers, times whose hazard follows from two of them, and which of these ended in an event."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n_rows, n_features))
    until = rng.exponential(10 / np.exp(X[:, 0] + 0.5 * X[:, 1]))
    watched = rng.uniform(1, 30, n_rows)
    return X, np.minimum(until, watched), until <= watched


def ours(X: np.ndarray, days: np.ndarray, event: np.ndarray) -> int:
    """From the frame to the grown tree; leaves."""
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(days=days, event=event * 1)
    table = tc.read_table(frame, target=tc.Survival("days", "event"))
    return tc.grow(table, "sklearn", score="log_rank", min_rows_leaf=3, min_rows_split=6).n_leaves


def theirs(X: np.ndarray, days: np.ndarray, event: np.ndarray) -> int:
    from sksurv.tree import SurvivalTree

    y = np.array(list(zip(event, days, strict=True)), dtype=[("event", bool), ("days", float)])
    return int(SurvivalTree(low_memory=True).fit(X, y).tree_.n_leaves)


def main(n_rows: int = 10_000, n_features: int = 20) -> None:
    for grow in (ours, theirs):
        grow(*made(300, n_features))  # what is compiled or imported is there
    data, least, leaves = made(n_rows, n_features), float("inf"), 0
    for _ in range(TURNS):
        start = time.perf_counter()
        leaves = ours(*data)
        least = min(least, time.perf_counter() - start)
    start = time.perf_counter()
    their_leaves = theirs(*data)
    peer = time.perf_counter() - start
    print(f"{n_rows:,} x {n_features}: treecore {least:.3f} s ({leaves} leaves), scikit-survival {peer:.2f} s "
          f"({their_leaves} leaves), {peer / least:.0f} times as long")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
