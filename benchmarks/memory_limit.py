"""How near growing comes to what the memory allows: bytes per row, feature and level over the bandwidth measured here.

    uv run python -m benchmarks.memory_limit [rows ...]

Prints two tables, Markdown: what the memory does on this machine, and what each path of growing takes of it. A path is
timed in seconds of the processor on a table that is encoded already, best of the repetitions. What it works on is
counted from its tree: the rows of every inner node times the features, as each of them is scanned and parted once. See
docs/understand/speed.md.
"""

import sys
from collections.abc import Callable, Iterator
from time import process_time
from typing import NamedTuple

import numpy as np

import treecore as tc

N_FEATURES, MISSING, REPEATS = 10, 0.05, 3
LARGE, SMALL = 2**28, 2**17
"""Bytes of an array that lies in the memory, and of one that stays in the cache."""
FROM_BUCKETS = 4000
"""Rows from which on a node of classes is grown from buckets, see treecore.growing.fast.fast_growth.Sizes."""
WORD = 8


class Path(NamedTuple):
    """A way to grow. table : of tables(). bytes : read and written for a record, a feature and a level, where no node
    is grown from buckets. buckets : rows from which on nodes are; None for never. most : rows that it is tried with."""

    name: str
    table: str
    settings: dict
    bytes: int
    buckets: int | None = None
    most: int = 10_000_000


RECORDS = 4 + 4 + 4
"""A record of 4 bytes is read by the scan, read once more to be parted, and written."""
GENERAL = 4 + 4 + 32 + 2 * 4 + 4
"""The general grower reads a row's number, its code and its record of 32 bytes; parting reads the number and the row's
side and writes the number."""
PLAIN = {"missing": "majority", "zero_gain": "split"}
PATHS = (
    Path("classes, Gini", "classes", PLAIN, RECORDS, FROM_BUCKETS),
    Path("classes, Gini, depth 6", "classes", PLAIN | {"max_depth": 6}, RECORDS, FROM_BUCKETS),
    Path("classes, entropy", "classes", PLAIN | {"criterion": "entropy"}, RECORDS, 6000),
    Path("numbers", "numbers", PLAIN, RECORDS, 3000),
    Path("classes, 5 % missing, larger branch", "gaps", PLAIN, RECORDS),
    Path("classes, 5 % missing, both ways", "gaps", PLAIN | {"missing": "both_ways"}, RECORDS),
    Path("classes, whole weights", "weights", PLAIN, RECORDS + 4),
    Path("classes, uneven weights (general)", "uneven", PLAIN, GENERAL, most=100_000),
)


def tables(n_rows: int) -> dict[str, Callable[[], tc.Table]]:
    """Tables of normal numbers of 32 bits and a target of three of them with as much noise, by name."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n_rows, N_FEATURES), np.float32)
    y = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * (x[:, 3] > 0) + rng.normal(size=n_rows)
    classes = (y > 0.3).astype(int)

    def gaps() -> tc.Table:
        holes = x.copy()
        holes[rng.random(x.shape, np.float32) < MISSING] = np.nan
        return tc.from_arrays(holes, classes, classes=["n", "y"])

    whole, uneven = rng.integers(1, 4, n_rows).astype(float), 0.5 + rng.random(n_rows)
    return {
        "classes": lambda: tc.from_arrays(x, classes, classes=["n", "y"]),
        "numbers": lambda: tc.from_arrays(x, y),
        "gaps": gaps,
        "weights": lambda: tc.from_arrays(x, classes, classes=["n", "y"], weights=whole),
        "uneven": lambda: tc.from_arrays(x, classes, classes=["n", "y"], weights=uneven),
    }


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Processor seconds of the fastest of several calls."""
    found = []
    for _ in range(repeats):
        begin = process_time()
        work()
        found.append(process_time() - begin)
    return min(found)


def bandwidths() -> dict[str, float]:
    """Bytes per second: read, copied (both read and written count), read from the cache; and nanoseconds of a load of
    4 bytes from anywhere in an array."""
    large, small = np.ones(LARGE // 8), np.ones(SMALL // 8)
    other, many = np.empty_like(large), LARGE // SMALL
    place = np.random.default_rng(0).integers(0, LARGE // 4, 2**22)
    near = place % (SMALL // 4)
    words = large.view(np.uint32)
    return {
        "read": LARGE / best(large.max),
        "copy": 2 * LARGE / best(lambda: np.copyto(other, large)),
        "cached": LARGE / best(lambda: [small.max() for _ in range(many)]),
        "anywhere": 1e9 * best(lambda: words.take(place)) / len(place),
        "near": 1e9 * best(lambda: words.take(near)) / len(near),
    }


def worked_on(tree: tc.Tree, least: int | None) -> tuple[int, int]:
    """(rows of all inner nodes, those of inner nodes with at least so many rows)."""
    rows = tree.n_rows[tree.n_children > 0].astype(np.int64)
    return int(rows.sum()), 0 if least is None else int(rows[rows >= least].sum())


def bytes_of(path: Path, all_rows: int, in_buckets: int) -> float:
    """Read and written for a record, a feature and a level, on average over the tree.

    From buckets a row has a byte for each feature and its class, in whole words, with its number of 4 bytes: half of
    them are counted (those of the smaller branch), all are read and written once to be parted.
    """
    words = WORD * -(-(N_FEATURES + 1) // WORD)
    of_buckets = (words / 2 + 2 * words + 2 * 4) / N_FEATURES
    share = in_buckets / max(all_rows, 1)
    return share * of_buckets + (1 - share) * path.bytes


def measured(sizes: list[int], bandwidth: float) -> Iterator[str]:
    """Lines of the table of paths. bandwidth : bytes per second."""
    yield _line(
        ["path", "rows", "levels", "seconds", "ns a record", "bytes a record", "ns that the memory allows", "times"]
    )
    yield _line(["---"] * 8)
    for n_rows in sizes:
        made = tables(n_rows)
        for path in (path for path in PATHS if n_rows <= path.most):
            table, grown = made[path.table](), []
            repeats = REPEATS if n_rows <= 1_000_000 else 1
            grow = lambda t=table, g=grown, p=path: g.append(tc.grow(t, tc.GrowSettings(**p.settings)))  # noqa: E731
            grow()
            seconds = best(grow, repeats)
            rows, in_buckets = worked_on(grown[-1], path.buckets)
            per_record = 1e9 * seconds / (rows * N_FEATURES)
            n_bytes = bytes_of(path, rows, in_buckets)
            limit = 1e9 * n_bytes / bandwidth
            yield _line(
                [path.name, f"{n_rows:,}", f"{rows / n_rows:.1f}", f"{seconds:.3g}", f"{per_record:.2f}",
                 f"{n_bytes:.1f}", f"{limit:.2f}", f"{per_record / limit:.1f}"]
            )  # fmt: skip
            grown.clear()


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(sizes: list[int]) -> None:
    found = bandwidths()
    print(_line(["read, GB/s", "copy, GB/s", "read from the cache, GB/s", "ns a load from anywhere", "from near"]))
    print(_line(["---"] * 5))
    print(_line([f"{found[name] / 1e9:.1f}" for name in ("read", "copy", "cached")]
                + [f"{found[name]:.2f}" for name in ("anywhere", "near")]), "", sep="\n")  # fmt: skip
    for line in measured(sizes, found["copy"]):
        print(line, flush=True)


if __name__ == "__main__":
    main(list(map(int, sys.argv[1:])) or [100_000, 1_000_000])
