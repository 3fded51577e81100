"""A tree grown where Spark has the rows, beside DuckDB's and MLlib's own, on the same Parquet files.

    uv run --with pyspark python benchmarks/spark.py FOLDER --rows 200000 [--way spark|duckdb|mllib] [--depth 4]

It needs a Java runtime (Debian: openjdk-17-jre-headless). Local mode, two cores. Every way is a process of its own.
Told: seconds by the clock on the wall and, as `work`, those of all threads of the process and of the programs that it
started, to open, describe and grow, and to count each level. The way `spark` compares its tree with DuckDB's, which is
the same one as long as all rows give the edges of bins: up to 200 000.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from database import made

import treecore as tc
from treecore.database.counter import EngineCounter

N_BINS = 255


class Clock:
    """Seconds since the last look, on the wall and of work."""

    def __init__(self):
        self.last = self._now()

    @staticmethod
    def _now() -> np.ndarray:
        return np.array([time.perf_counter(), worked()])

    def __call__(self) -> str:
        last, self.last = self.last, self._now()
        wall, work = self.last - last
        return f"{wall:.1f} ({work:.1f} work)"


def worked() -> float:
    """Seconds of processor time of this process, of all below it, and of those of them that have ended."""
    times, parents = {}, {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        pid = int(entry.parent.name)
        parents[pid], times[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(times[pid] for pid in mine) / os.sysconf("SC_CLK_TCK")


def session():
    """Spark in this process, on two cores."""
    from pyspark.sql import SparkSession

    chosen = {"spark.driver.memory": "4g", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
              "spark.sql.shuffle.partitions": "2"}  # fmt: skip
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # its workers need what is installed here
    builder = SparkSession.builder.master("local[2]")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def ours(open_it: Callable[[], tc.database.DatabaseTable], depth: int) -> tc.Tree:
    """Our tree; the seconds of each step are told."""
    counted, levels, level = EngineCounter.cells, [], Clock()

    def cells(self, nodes):
        level()
        found = counted(self, nodes)
        levels.append(level())
        return found

    EngineCounter.cells, clock = cells, Clock()
    try:
        table = open_it()
        print("open", clock())
        assert table.feature_columns
        print("describe and write codes", clock())
        tree = tc.grow(table, "cart", missing="majority", max_depth=depth)
        print("grow", clock(), "nodes", tree.n_nodes)
        print("levels", "; ".join(levels))
        again = tc.grow(table, "cart", missing="majority", max_depth=depth)
        print("a second tree", clock(), "nodes", again.n_nodes)
    finally:
        EngineCounter.cells = counted
    return tree


def on_duckdb(where: Path, depth: int) -> tc.Tree:
    """Our tree as DuckDB counts."""
    return ours(lambda: tc.open_table(where, "y"), depth)


def on_spark(where: Path, depth: int) -> None:
    """Our tree as Spark counts, and whether it is DuckDB's."""
    import ibis

    connection = ibis.pyspark.connect(session())
    tree = ours(lambda: tc.open_table(connection.read_parquet(str(where)), "y"), depth)
    other = on_duckdb(where, depth)
    same = tree.n_nodes == other.n_nodes and all(
        np.array_equal(getattr(tree.splits, name), getattr(other.splits, name), equal_nan=True)
        for name in ("feature", "threshold", "level_branch")
    )
    print("the tree of DuckDB" if same and np.array_equal(tree.n_rows, other.n_rows) else "NOT the tree of DuckDB")


def mllib(where: Path, depth: int) -> None:
    """MLlib's tree, levels indexed, as many bins; fitted twice, as the first time compiles."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    spark = session()
    names = [*(f"x{c}" for c in range(8)), "k", "w_"]
    steps = [StringIndexer(inputCol="w", outputCol="w_"), VectorAssembler(inputCols=names, outputCol="features"),
             DecisionTreeClassifier(labelCol="y", maxDepth=depth, maxBins=N_BINS)]  # fmt: skip
    for which in ("read and fit", "again"):
        clock = Clock()
        model = Pipeline(stages=steps).fit(spark.read.parquet(str(where)))
        print(which, clock(), "nodes", model.stages[-1].numNodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--way", choices=("spark", "duckdb", "mllib"), default="spark")
    given = parser.parse_args()
    way = {"spark": on_spark, "duckdb": on_duckdb, "mllib": mllib}[given.way]
    print(given.way, given.rows, "rows, load", round(os.getloadavg()[0], 1))
    way(made(given.folder, given.rows), given.depth)


if __name__ == "__main__":
    main()
