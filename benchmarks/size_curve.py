"""The error of every subtree of a large tree on new rows, beside refitting one tree per alpha as scikit-learn does.

    uv run python benchmarks/size_curve.py [ROWS]

Process CPU seconds (time.process_time), medians of five after one warm run. The tree is grown on ROWS rows (100 000 by
default) of 20 numeric columns, 2 classes; the curve is that of as many other rows, for all subtrees of the nested
sequence. scikit-learn: cost_complexity_pruning_path, then a refit and a score for each of 20 alphas, once.
"""

import sys
from statistics import median
from time import process_time

import numpy as np

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.study import size_curve
from treecore.tree.predict import route

N_COLUMNS, N_ALPHAS, N_REPEATS = 20, 20, 5


def data(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """float32 (n_rows, N_COLUMNS) and classes 0 and 1, of which a sum of three columns tells much but not all."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n_rows) > 0).astype(np.int64)


def table_of(x: np.ndarray, y: np.ndarray) -> Table:
    """The two as a table."""
    columns = [numeric_column(f"x{j}", x[:, j].astype(float)) for j in range(x.shape[1])]
    target = level_column("y", "nominal", y, ("no", "yes"))
    return Table((*columns, target), target="y", features=[c.name for c in columns])


def cpu(work) -> float:
    """Median CPU seconds of N_REPEATS calls after a first one."""
    work()
    return median(_once(work) for _ in range(N_REPEATS))


def _once(work) -> float:
    start = process_time()
    work()
    return process_time() - start


def peer(train, test) -> dict[str, float]:
    """CPU seconds of scikit-learn's way, parts and whole."""
    from sklearn.tree import DecisionTreeClassifier

    path, grown = [], DecisionTreeClassifier(random_state=0)
    seconds = {"path": _once(lambda: path.append(grown.cost_complexity_pruning_path(*train)))}
    alphas = np.quantile(path[0].ccp_alphas, np.linspace(0, 1, N_ALPHAS))
    trees = [DecisionTreeClassifier(random_state=0, ccp_alpha=max(alpha, 0.0)) for alpha in alphas]
    seconds["refits"] = _once(lambda: [tree.fit(*train) for tree in trees])
    seconds["scores"] = _once(lambda: [tree.score(*test) for tree in trees])
    return seconds


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    train, test = data(n_rows, 0), data(n_rows, 1)
    tables = table_of(*train), table_of(*test)
    tree = tc.grow(tables[0], "cart")
    steps = tc.sequence(tree)
    print(f"{tree.n_leaves} leaves, {len(steps)} subtrees, {n_rows} rows")
    for name, work in {
        "nested sequence": lambda: tc.sequence(tree),
        "routing the rows": lambda: route(tree, tables[1]),
        "curve of one role": lambda: steps.curve(tables[1]),
        "size_curve of two roles": lambda: size_curve(steps, {"train": tables[0], "test": tables[1]}),
    }.items():
        print(f"{name}: {1000 * cpu(work):.1f} ms CPU")
    for name, seconds in peer(train, test).items():
        print(f"scikit-learn, {name}: {seconds:.2f} s CPU")


if __name__ == "__main__":
    main()
