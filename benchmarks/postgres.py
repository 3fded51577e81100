"""How long a tree takes to grow in PostgreSQL, and whether it is the one that DuckDB grows on the same rows.

    uv run --with "psycopg[binary]" python benchmarks/postgres.py [--rows 20000] [--address postgres://user@host/name]

Without an address it starts Debian's server (package postgresql) in a folder that goes again; as root, it is run by the
user postgres. A table of the rows is made in the database and dropped at the end. --read-only : as a user who may make
no temporary tables. Edges of bins are taken from about 200 000 rows, which two engines choose differently beyond.
"""

import argparse
import io
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from database import made

import treecore as tc

PORT = 54399
TYPES = {"double": "double precision", "string": "text"}
NAME = "treecore_benchmark"


@contextmanager
def server() -> Iterator[str]:
    """The address of a server that runs as long as this is open."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    folder = Path(tempfile.mkdtemp(prefix="treecore-postgres-"))
    who = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if who:
        shutil.chown(folder, "postgres")
    run = lambda *words: subprocess.run([*who, *map(str, words)], check=True, capture_output=True, cwd=folder)  # noqa: E731
    run(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "me")
    listen = f"-p {PORT} -k {folder} -c listen_addresses=127.0.0.1"
    run(programs / "pg_ctl", "-D", folder / "data", "-o", listen, "-l", folder / "log", "-w", "start")
    try:
        yield f"postgres://me@127.0.0.1:{PORT}/postgres"
    finally:
        run(programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def filled(address: str, rows) -> None:
    """Make the table. rows : of pyarrow."""
    import ibis
    import pyarrow.csv

    columns = ", ".join(f"{field.name} {TYPES.get(str(field.type), 'int')}" for field in rows.schema)
    written = io.BytesIO()
    pyarrow.csv.write_csv(rows, written, pyarrow.csv.WriteOptions(include_header=False))
    connection = ibis.connect(address)
    with connection.con.cursor() as cursor:
        cursor.execute(f"create table {NAME} ({columns})")
        with cursor.copy(f"copy {NAME} from stdin (format csv)") as copied:
            copied.write(written.getvalue())
        cursor.execute(f"analyze {NAME}")
    connection.disconnect()


def measured(address: str, depth: int, read_only: bool) -> tuple[tc.Tree, dict[str, float]]:
    """(the tree, seconds of each step)."""
    begin = time.perf_counter()
    table = tc.open_table(f"{address}::{NAME}", "y")
    if read_only:
        table.source.connection.raw_sql("set default_transaction_read_only = on").close()
    opened = time.perf_counter()
    assert table.feature_columns
    described = time.perf_counter()
    tree = tc.grow(table, "cart", missing="majority", max_depth=depth)
    grown = time.perf_counter()
    return tree, {"open": opened - begin, "describe": described - opened, "grow": grown - described}


def compared(address: str, where: Path, given: argparse.Namespace) -> None:
    """Tell what was measured, and how the tree is not DuckDB's."""
    import ibis

    filled(address, ibis.duckdb.connect().read_parquet(f"{where}/*.parquet").to_pyarrow())
    try:
        tree, seconds = measured(address, given.depth, given.read_only)
    finally:
        ibis.connect(address).raw_sql(f"drop table {NAME}").close()
    print(given.rows, tree.n_nodes, "nodes", {name: round(value, 1) for name, value in seconds.items()})
    other = tc.grow(tc.open_table(where, "y"), "cart", missing="majority", max_depth=given.depth)
    same = tree.n_nodes == other.n_nodes and all(
        np.array_equal(getattr(tree.splits, name), getattr(other.splits, name), equal_nan=True)
        for name in ("feature", "threshold", "level_branch")
    )
    print("the tree of DuckDB" if same and np.array_equal(tree.n_rows, other.n_rows) else "NOT the tree of DuckDB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--address")
    parser.add_argument("--read-only", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = made(Path(folder), given.rows)
        if given.address:
            compared(given.address, where, given)
        else:
            with server() as address:
                compared(address, where, given)


if __name__ == "__main__":
    main()
