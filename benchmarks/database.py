"""How long a tree takes to grow from an engine's counts, on Parquet files made here, and what memory it takes.

    python benchmarks/database.py FOLDER --rows 10000000 [--peer pandas] [--depth 6] [--clock cpu]

Every run is a process of its own, so that its peak of memory is its own. Told: seconds to open and describe, to grow,
and of these the seconds in the engine by kind of query, from which the ratio to the GROUP BYs alone follows. With
--clock cpu they are those that all threads of the process have worked, which other programs do not change as much.
"""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

N_FILES = 10


def made(folder: Path, n_rows: int) -> Path:
    """A folder of Parquet files with eight numbers, two of few values, and a target with noise; made once."""
    import duckdb

    where = folder / f"rows{n_rows}"
    if where.exists():
        return where
    where.mkdir(parents=True)
    con = duckdb.connect()
    con.execute("set threads=2; set memory_limit='2GB'")
    for part in range(N_FILES):
        first, stop = part * n_rows // N_FILES, (part + 1) * n_rows // N_FILES
        draws = ", ".join(f"(hash(i * 16 + {c}) % 1000000) / 1e6 x{c}" for c in range(9))
        columns = ", ".join(f"x{c}" for c in range(8))
        con.execute(
            f"copy (select {columns}, floor(x0 * 7 + x8 * 3)::int k, 'w' || (hash(i * 16 + 9) % 12) w, "
            "((x0 + x1 * x2 + case when x3 > 0.6 then x4 else 1 - x5 end > 1.2) != (x8 < 0.1))::int "
            f"y from (select i, {draws} from range({first}, {stop}) t(i))) to '{where}/part{part}.parquet'"
        )
    return where


def ours(where: Path, depth: int, now: Callable[[], float]) -> dict:
    """Seconds of our tree. now : the clock."""
    import ibis

    ibis.memtable({"a": [1]}).to_pyarrow()  # what is imported once is no part of it
    import treecore as tc
    from treecore.database.counter import EngineCounter
    from treecore.database.source import Source

    spent = dict.fromkeys(("describe", "written down", "group by"), 0.0)
    state = ["describe"]

    told, kept, cells = Source.told, Source.kept, EngineCounter.cells

    def timed(self, *args):
        begin = now()
        try:
            return told(self, *args)
        finally:
            spent[state[0]] += now() - begin

    def written(self, *args):
        before, state[0] = state[0], "written down"
        try:
            return kept(self, *args)
        finally:
            state[0] = before

    Source.told, Source.kept = timed, written

    def counted(self, nodes):
        state[0] = "group by"
        return cells(self, nodes)

    EngineCounter.cells = counted
    begin = now()
    table = tc.open_table(where, "y", refine=False)
    tree = tc.grow(table, "cart", missing="majority", max_depth=depth)
    total = now() - begin
    state[0] = "alone"
    alone = depth * _alone(table.codes, now)
    return {"total": total, "nodes": tree.n_nodes, **spent, "group bys alone": alone, "total / alone": total / alone}


def _alone(codes, now: Callable[[], float]) -> float:
    """Seconds of a GROUP BY of all rows for each feature, by one code in place of a node, its code and the class."""
    from treecore.database.summary import union

    rows, begin = codes.rows, now()
    counted = [rows.select("y", node="c9", code=name).group_by("node", "code", "y").agg(n=_n()) for name in codes.names]
    union(counted).to_pyarrow()
    return now() - begin


def _n():
    import ibis

    return ibis._.count()


def pandas_and_sklearn(where: Path, depth: int) -> dict:
    """Seconds to read everything and to fit scikit-learn's tree, levels as numbers."""
    import pandas as pd
    from sklearn.tree import DecisionTreeClassifier

    begin = time.perf_counter()
    frame = pd.read_parquet(where)
    frame["w"] = frame.w.astype("category").cat.codes
    read = time.perf_counter() - begin
    tree = DecisionTreeClassifier(max_depth=depth).fit(frame.drop(columns="y"), frame.y)
    return {"total": time.perf_counter() - begin, "read": read, "nodes": tree.tree_.node_count}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--peer", choices=("ours", "pandas"), default="ours")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    given = parser.parse_args()
    where = made(given.folder, given.rows)
    run = {"ours": ours, "pandas": pandas_and_sklearn}[given.peer]
    clock = {"wall": time.perf_counter, "cpu": time.process_time}[given.clock]
    told = run(where, given.depth, clock) if given.peer == "ours" else run(where, given.depth)
    told["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(given.peer, given.rows, {name: round(value, 2) for name, value in told.items()})


if __name__ == "__main__":
    main()
