"""Predicting beside scikit-learn, in the same run: labels, means, class shares and ids of leaves.

    uv run python benchmarks/predicting.py [ROWS] [REPEATS]

Trees of 1000 leaves, grown on 100 000 rows of 20 numeric columns, answer ROWS (1 000 000) other rows. scikit-learn gets
a float32 matrix in C order; ours the same matrix, a Table made of it by from_arrays, a Table of codes, a DataFrame that
is a view of the matrix, and others of float32 and of float64 columns. Rounds of all calls one after the other; medians
and least of wall and processor seconds, ratios of both (scikit-learn over ours), and the growth of peak memory that
tracemalloc sees during one call.
"""

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter, process_time

import numpy as np
import pandas as pd

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.engine import compiling

N_COLUMNS, N_LEAVES, N_GROWN = 20, 1000, 100_000


def data(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """float32 (n_rows, N_COLUMNS) and a float64 target that three columns tell much of."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    return x, x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n_rows)


def table_of(x: np.ndarray, target: np.ndarray) -> Table:
    """The two as a table; a boolean target as two classes."""
    columns = [numeric_column(f"x{j}", x[:, j].astype(float)) for j in range(x.shape[1])]
    is_class = target.dtype == bool
    y = level_column("y", "nominal", target.astype(int), ("no", "yes")) if is_class else numeric_column("y", target)
    return Table((*columns, y), target="y", features=[c.name for c in columns])


def sources(x: np.ndarray, target: np.ndarray) -> dict[str, object]:
    """The rows as ours may get them."""
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])], copy=False)
    apart = pd.DataFrame({name: frame[name].to_numpy(copy=True) for name in frame})
    return {
        "matrix": x, "Table of the matrix": tc.from_arrays(x, target.astype(float)),
        "Table of codes": table_of(x, target),
        "view of the matrix": frame, "float32 columns": apart, "float64 columns": apart.astype("float64"),
    }  # fmt: skip


def calls(n_rows: int) -> dict[tuple[str, str], Callable]:
    """(what is asked for, who answers) -> the call."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    (x, y), (new, unknown), found = data(N_GROWN, 0), data(n_rows, 1), {}
    for task, target, peer, asked in (
        ("classes", y > 0, DecisionTreeClassifier, ("predict", "predict_proba", "apply")),
        ("numbers", y, DecisionTreeRegressor, ("predict",)),
    ):
        tree = tc.grow(table_of(x, target), "cart", max_leaves=N_LEAVES)
        theirs = peer(max_leaf_nodes=N_LEAVES, random_state=0).fit(x, target)
        print(f"{task}: {tree.n_leaves} leaves, depth {tree.depth}; scikit-learn {theirs.get_n_leaves()}, ", end="")
        print(f"depth {theirs.get_depth()}")
        rows = sources(new, unknown > 0 if task == "classes" else unknown)
        for name in asked:
            found[f"{name}, {task}", "scikit-learn"] = partial(getattr(theirs, name), new)
            for source, given in rows.items():
                found[f"{name}, {task}", source] = partial(getattr(tree, name), given)
    return found


def timed(work: Callable) -> tuple[float, float]:
    """(wall, processor) milliseconds of one call."""
    wall, cpu = perf_counter(), process_time()
    work()
    return 1000 * (perf_counter() - wall), 1000 * (process_time() - cpu)


def peak(work: Callable) -> float:
    """Megabytes that a call has at most, its answer included."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


def main() -> None:
    n_rows, n_repeats = (int(given) for given in (sys.argv[1:] + ["1000000", "9"][len(sys.argv) - 1 :]))
    with compiling.forced():
        compare(n_rows, n_repeats)


def compare(n_rows: int, n_repeats: int) -> None:
    """Print the table."""
    works, taken = calls(n_rows), {}
    for work in works.values():
        work()
    for _ in range(n_repeats):
        for name, work in works.items():
            taken.setdefault(name, []).append(timed(work))
    print(f"{n_rows} rows{'':36}median: wall, cpu ms, ratios           least: wall, cpu ms, ratios   peak MB")
    for (asked, who), times in taken.items():
        print(f"{asked:24}{who:20}", end="")
        for middle in (median, min):
            own, peers = ([middle(p) for p in zip(*t, strict=True)] for t in (times, taken[asked, "scikit-learn"]))
            print(f"{own[0]:9.1f} {own[1]:8.1f} {peers[0] / own[0]:8.2f} {peers[1] / own[1]:8.2f}", end="")
        print(f"{peak(works[asked, who]):10.1f}")


if __name__ == "__main__":
    main()
