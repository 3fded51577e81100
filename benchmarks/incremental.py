"""Trees fed row by row beside growing them anew with every row: milliseconds of the processor a row, and their ratio.

uv run python benchmarks/incremental.py [rows] [features] [fed rows] [seed]; river's Hoeffding tree stands beside ours
where it is installed (uv pip install river).
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import treecore as tc
from treecore.incremental import Bound, ExactTree, HoeffdingTree

SETTINGS = {
    "no limit": {},
    "5 rows a leaf": {"min_rows_leaf": 5},
    "50 rows a leaf": {"min_rows_leaf": 50},
    "depth 6": {"max_depth": 6},
}
NOISE, SAMPLED = 0.1, 20


def made(n: int, d: int, noise: float, seed: int) -> tc.Table:
    """Numbers, of which four decide the class but for noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] + (X[:, 1] > 0.5) * X[:, 2] + 0.5 * (X[:, 3] > 0) > 0.3) ^ (rng.random(n) < noise)
    return tc.from_arrays(X, y.astype(int), classes=["a", "b"])


def milliseconds(work: Callable[[], object]) -> float:
    """Of the processor."""
    begin = time.process_time()
    work()
    return 1e3 * (time.process_time() - begin)


def exact(table: tc.Table, n: int, growth: tc.GrowSettings) -> tuple[float, float, float]:
    """(a row fed, a tree grown anew, share of rows that changed no split), on average over the rows from n on."""
    fed = ExactTree(table.take(np.arange(n)), growth)
    rows = [table.take(np.array([row])) for row in range(n, table.n_rows)]
    steps = []
    mine = milliseconds(lambda: steps.extend(fed.add(row) for row in rows)) / len(rows)
    wholes = [table.take(np.arange(m)) for m in np.linspace(n, table.n_rows, SAMPLED).astype(int)]
    anew = np.mean([milliseconds(lambda whole=whole: tc.grow(whole, growth)) for whole in wholes])
    grown = tc.grow(table, growth)
    assert np.array_equal(fed.tree.splits.threshold, grown.splits.threshold, equal_nan=True)
    return mine, float(anew), float(np.mean([step.regrown == 0 for step in steps]))


def stream(table: tc.Table) -> str:
    """Ours and river's, of all rows in batches of 1 and one after the other."""
    bound, growth = Bound(), tc.GrowSettings(criterion="entropy")
    ours = HoeffdingTree(table.take(np.arange(1)), growth, bound)
    rows = [table.take(np.array([row])) for row in range(1, table.n_rows)]
    told = [f"ours {milliseconds(lambda: [ours.add(row) for row in rows]) / len(rows):.3f} ms a row"]
    told.append(f"{ours.tree.n_leaves} leaves")
    try:
        from river.tree import HoeffdingTreeClassifier
    except ImportError:
        return ", ".join([*told, "river is not installed"])
    X = np.stack([column.values() for column in table.feature_columns], axis=1)
    asked = [dict(enumerate(row)) for row in X.tolist()]
    labels = table.target_column.labels().tolist()
    theirs = HoeffdingTreeClassifier(grace_period=bound.grace, delta=bound.delta, tau=bound.tie)
    took = milliseconds(lambda: [theirs.learn_one(x, y) for x, y in zip(asked, labels, strict=True)]) / len(labels)
    return ", ".join([*told, f"river {took:.3f} ms a row", f"{theirs.n_leaves} leaves"])


def main(n: int = 10_000, d: int = 20, fed: int = 1_000, seed: int = 7) -> None:
    for noise in (0.0, NOISE):
        table = made(n + fed, d, noise, seed)
        tc.grow(table.take(np.arange(n)), tc.GrowSettings())  # reads the kernels
        print(f"{n:,} rows and {fed:,} single ones, {d} features, {noise:.0%} of the classes wrong")
        for name, settings in SETTINGS.items():
            mine, anew, still = exact(table, n, tc.GrowSettings(**settings))
            told = f"{name}: fed {mine:.2f} ms a row, anew {anew:.2f} ms; 1/{anew / mine:.1f} of the time; "
            print(told + f"{still:.0%} of the rows changed no split", flush=True)
        print("Hoeffding:", stream(table))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
