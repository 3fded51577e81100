"""Time of the general grower's paths, on 100 000 rows x 20 columns with label noise, in one run.

    uv run python benchmarks/general_paths.py [depth ...]

Plain is what it asks for least: rows of equal weight, but not of a whole number, so that the fast kernels leave
the table to it. Each setting is grown three times, the fastest counts, plain before and after; the ratio is to the
faster plain one.
"""

import sys
import time

import numpy as np

import treecore as tc
from treecore.data import level_column, numeric_column

ROWS, COLUMNS = 100_000, 20


def tables() -> dict[str, tc.Table]:
    """The same rows: as numbers, with 5 % of the cells missing, with weights, as 8 levels each, as 40 levels of one."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, COLUMNS))
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.7 * rng.normal(size=ROWS) > 0).astype(int)
    holes = np.where(rng.random(x.shape) < 0.05, np.nan, x)
    eight = np.digitize(x, np.linspace(-2, 2, 7))
    forty = np.digitize(x, np.linspace(-2, 2, 39))
    four = np.digitize(x[:, 0] + x[:, 1] * x[:, 2] + 0.7 * rng.normal(size=ROWS), [-1.0, 0.0, 1.0])
    plain = _numbers(x, y)
    return {
        "fast": plain,
        "plain": plain.with_weights(np.full(ROWS, 1.5)),
        "missing": _numbers(holes, y),
        "weights": plain.with_weights(rng.integers(1, 4, ROWS).astype(float)),
        "uneven weights": plain.with_weights(0.5 + rng.random(ROWS)),
        "levels": _levels(eight, 8, y, 2),
        "many levels": _levels(forty, 40, four, 4),
    }


def _numbers(x: np.ndarray, y: np.ndarray) -> tc.Table:
    return _table([numeric_column(f"x{j}", column) for j, column in enumerate(x.T)], y, 2)


def _levels(x: np.ndarray, n: int, y: np.ndarray, k: int) -> tc.Table:
    names = tuple(f"level {v}" for v in range(n))
    return _table([level_column(f"x{j}", "nominal", column, names) for j, column in enumerate(x.T)], y, k)


def _table(columns: list, y: np.ndarray, k: int) -> tc.Table:
    target = level_column("y", "nominal", y, tuple("abcd"[:k]))
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


C45_MINIMUM = {"min_weight_leaf": 2.0, "min_weight_split": 4.0}
SETTINGS = [
    ("plain once more", "plain", {}),
    ("fast: plain", "fast", {}),
    ("fast: entropy", "fast", {"criterion": "entropy"}),
    ("fast: surrogates", "fast", {"missing": "surrogates"}),
    ("fast: 50 leaves", "fast", {"max_leaves": 50}),
    ("fast: whole weights", "weights", {}),
    ("fast: missing, larger branch", "missing", {}),
    ("fast: missing, own value", "missing", {"missing": "own_value"}),
    ("fast: subsets of 8 levels", "levels", {}),
    ("fast: subsets of 40 levels, 4 classes", "many levels", {}),
    ("uneven weights", "uneven weights", {}),
    ("fast: missing, surrogates", "missing", {"missing": "surrogates"}),
    ("fast: missing, rpart", "missing", {"missing": "rpart"}),
    ("fast: missing, stays", "missing", {"missing": "stay"}),
    ("missing: shared, 2 per branch", "missing", {"missing": "fractional", **C45_MINIMUM}),
    ("subsets of 8 levels, surrogates", "levels", {"missing": "surrogates"}),
    ("a branch per level, 8 levels", "levels", {"nominal": "multiway"}),
    ("fast: scikit-learn's rules", "fast", {"missing": "both_ways", "threshold": "float32"}),
    ("entropy", "plain", {"criterion": "entropy"}),
    ("gain ratio", "plain", {"criterion": "entropy", "score": "gain_ratio", "selector": "average_gain"}),
    ("twoing", "plain", {"score": "twoing"}),
    ("chi-square", "plain", {"score": "chi_square"}),
]


def fastest(table: tc.Table, times: int = 3, **settings) -> tuple[float, tc.Tree]:
    """Seconds of the fastest of several fits, and the tree."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        tree = tc.grow(table, tc.GrowSettings(**settings))
        found.append(time.perf_counter() - start)
    return min(found), tree


def main() -> None:
    depths = [int(d) for d in sys.argv[1:]] or [6, 100]
    data = tables()
    for _, name, settings in SETTINGS:
        fastest(data[name], 1, max_depth=2, **settings)  # compile
    for depth in depths:
        plain, tree = fastest(data["plain"], max_depth=depth)
        rows = [(label, *fastest(data[name], max_depth=depth, **s)) for label, name, s in SETTINGS]
        plain = min(plain, fastest(data["plain"], max_depth=depth)[0])
        print(f"\nmax_depth {depth}: plain {plain:.2f} s, {tree.n_leaves} leaves\n\n| setting | s | x plain | leaves |")
        print("| --- | --- | --- | --- |")
        for label, seconds, grown in rows:
            print(f"| {label} | {seconds:.2f} | {seconds / plain:.2f} | {grown.n_leaves} |", flush=True)


if __name__ == "__main__":
    main()
