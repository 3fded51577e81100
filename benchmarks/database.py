"""How long a tree takes to grow from an engine's counts, on Parquet files made here, and what memory it takes.

    python benchmarks/database.py FOLDER --rows 10000000 [--peer pandas] [--depth 6] [--clock cpu] [--check] [--case]

Every run is a process of its own, so that its peak of memory is its own. Told: seconds to open and describe, to grow,
and of these the seconds in the engine by kind of query. With --clock cpu they are those that all threads of the process
have worked, which other programs do not change as much.

What an engine cannot do without, and we are measured by: at each level a GROUP BY of all rows for each feature, by
node, code and class. "alone" are these on codes that are written down, with a column of twelve values for the node,
so that no node is found; "raw" are they and writing the codes of the raw columns down, once. Neither describes.
--case : also write the codes down by a CASE that halves the edges, in place of our function. --check : is the tree that
of a table in memory, which has the same codes?
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


def ours(where: Path, depth: int, now: Callable[[], float], given: argparse.Namespace) -> dict:
    """Seconds of our tree. now : the clock."""
    import ibis

    ibis.memtable({"a": [1]}).to_pyarrow()  # what is imported once is no part of it
    import treecore as tc
    from treecore.database.connection import DatabaseSource
    from treecore.database.counter import EngineCounter

    spent = dict.fromkeys(("describe", "written down", "group by"), 0.0)
    state = ["describe"]

    told, kept, cells = DatabaseSource.attempt, DatabaseSource.cached, EngineCounter.cells

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

    DatabaseSource.attempt, DatabaseSource.cached = timed, written

    def counted(self, nodes):
        state[0] = "group by"
        return cells(self, nodes)

    EngineCounter.cells = counted
    begin = now()
    table = tc.open_table(where, "y", refine=False)
    tree = tc.grow(table, "cart", missing="majority", max_depth=depth)
    total = now() - begin
    DatabaseSource.attempt, DatabaseSource.cached = told, kept
    alone = depth * _alone(table.codes, now)
    raw = alone + spent["written down"]
    told = {"total": total, "nodes": tree.n_nodes, **spent, "alone": alone, "total / alone": total / alone}
    told |= {"raw": raw, "total / raw": total / raw, "peak MB": _peak()}
    if given.case:
        told["codes by CASE"] = _by_case(table, now)
    if given.check:
        told["as in memory"] = float(_is_as_in_memory(table, tree, depth))
    return told


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _by_case(table, now: Callable[[], float]) -> float:
    """Seconds to write the codes down where the engine finds them by a CASE."""
    from treecore.database import engine_columns

    functions, engine_columns.SEARCHES = engine_columns.SEARCHES, {}
    begin = now()
    engine_columns.codes_of(table)
    engine_columns.SEARCHES = functions
    return now() - begin


def _is_as_in_memory(table, tree, depth: int) -> bool:
    """Is it the tree of all codes as a table in memory: features, rows, and the same codes on either side?"""
    import numpy as np

    import treecore as tc

    frame, scales = table.codes.rows.to_pandas(), list(table.scales.values())
    frame.columns = [*(scale.name for scale in scales), "y"]
    words = {s.name: np.array([*s.levels, None], object) for s in scales if getattr(s, "levels", None)}
    frame = frame.assign(**{name: levels[frame[name].to_numpy()] for name, levels in words.items()})
    whole = tc.read_table(frame, target="y", kinds={"y": "nominal"})
    here = tc.grow(whole, "cart", missing="majority", max_depth=depth)
    names = ("feature", "level_branch")
    same = all(np.array_equal(getattr(tree.splits, name), getattr(here.splits, name)) for name in names)
    edges = [getattr(scale, "edges", getattr(scale, "distinct", None)) for scale in scales]
    cuts = zip(tree.splits.feature, tree.splits.threshold, here.splits.threshold, strict=True)
    sides = [np.searchsorted(edges[f], there) == np.ceil(code) for f, there, code in cuts if not np.isnan(there)]
    return same and all(sides) and np.array_equal(tree.n_rows, here.n_rows)


def _alone(codes, now: Callable[[], float]) -> float:
    """Seconds of a GROUP BY of all rows for each feature, by one code in place of a node, its code and the class."""
    from treecore.database.column_summary import union

    rows, begin = codes.rows, now()
    counted = [rows.select("y", node="c9", code=name).group_by("node", "code", "y").agg(n=_n()) for name in codes.names]
    union(counted).to_pyarrow()
    return now() - begin


def _n():
    import ibis

    return ibis._.count()


def pandas_and_sklearn(where: Path, depth: int, now: Callable[[], float], _) -> dict:
    """Seconds to read everything and to fit scikit-learn's tree, levels as numbers."""
    import pandas as pd
    from sklearn.tree import DecisionTreeClassifier

    begin = now()
    frame = pd.read_parquet(where)
    frame["w"] = frame.w.astype("category").cat.codes
    read = now() - begin
    tree = DecisionTreeClassifier(max_depth=depth).fit(frame.drop(columns="y"), frame.y)
    return {"total": now() - begin, "read": read, "nodes": tree.tree_.node_count, "peak MB": _peak()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--peer", choices=("ours", "pandas"), default="ours")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--case", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    where = made(given.folder, given.rows)
    run = {"ours": ours, "pandas": pandas_and_sklearn}[given.peer]
    clock = {"wall": time.perf_counter, "cpu": time.process_time}[given.clock]
    told = run(where, given.depth, clock, given)
    print(given.peer, given.rows, {name: round(value, 2) for name, value in told.items()})


if __name__ == "__main__":
    main()
