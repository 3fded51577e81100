"""Time to the first tree of a process, after imports: with an empty compile cache, and with a full one.

    uv run python benchmarks/cold_start.py [repeats]

Every figure is that of a process of its own, without another one that compiles in the background. `first` grows a tree
with an empty cache, `answers` sends the same rows down it, `pruned` prunes it by cost complexity (C4.5 and J48: by
estimated errors, with raising), `second` is one more tree. `warm` is the first tree with a full cache, `next` the
second one, which reads the kernels from it. Medians of the repeats, in seconds of the processor: one thread works, so
they are those of a clock where nothing else runs.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

import numpy as np

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.engine import compiling

SETTINGS = [
    ("900 x 10 mixed", "cart"), ("900 x 10 mixed", "sklearn"), ("900 x 10 mixed", "rpart"), ("900 x 10 mixed", "id3"),
    ("900 x 10 mixed", "c4.5"), ("900 x 10 mixed", "j48"),
    ("900 x 10 with gaps", "cart"), ("900 x 10 with gaps", "sklearn"), ("900 x 10 with gaps", "rpart"),
    ("900 x 10 with gaps", "c4.5"), ("900 x 10 with gaps", "j48"),
    ("10000 x 20 numbers", "cart"), ("10000 x 20 numbers", "sklearn"), ("10000 x 20 numbers", "c4.5"),
    ("10000 x 20 regression", "cart"), ("100000 x 20 numbers", "cart"),
]  # fmt: skip


def table_of(name: str) -> tc.Table:
    """Label noise, so that full trees are deep; half of a mixed table's columns are words."""
    rng, (n, d) = np.random.default_rng(0), map(int, name.split()[0:3:2])
    x = rng.normal(size=(n, d))
    y = x[:, 0] + x[:, 1] * x[:, 2] + 0.7 * rng.normal(size=n)
    x[rng.random(x.shape) < (0.1 if "gaps" in name else 0.0)] = np.nan
    columns = [numeric_column(f"x{j}", column) for j, column in enumerate(x.T)]
    if n < 1000:
        words = rng.integers(0, 6, (n, d // 2))
        columns[d // 2 :] = [level_column(f"c{j}", "nominal", w, tuple("abcdef")) for j, w in enumerate(words.T)]
    target = numeric_column("y", y) if "regression" in name else level_column("y", "nominal", (y > 0) * 1, ("n", "p"))
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


def measured(name: str, preset: str) -> list[float]:
    """Processor seconds of the first tree, its answers, its pruning and the second tree in this process."""
    table, times = table_of(name), [time.process_time()]
    tree = tc.grow(table, preset)
    times.append(time.process_time())
    tree.predict(table)
    times.append(time.process_time())
    if preset in ("c4.5", "j48"):
        tc.prune(tree, "error_based", train=table)
    else:
        tc.prune(tree, "cost_complexity", alpha=0.0)
    times.append(time.process_time())
    tc.grow(table, preset)
    return [*np.diff(times), time.process_time() - times[-1]]


def elsewhere(cache: str, name: str, preset: str) -> list[float]:
    """`measured` in a new process with this cache folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache, compiling.SWITCH: "0"}
    done = subprocess.run(
        [sys.executable, __file__, name, preset], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def with_empty_cache(name: str, preset: str) -> list[float]:
    with tempfile.TemporaryDirectory() as cache:
        return elsewhere(cache, name, preset)


def main(repeats: int) -> None:
    with tempfile.TemporaryDirectory() as full:
        environment = os.environ | {"NUMBA_CACHE_DIR": full, compiling.SWITCH: "0"}
        begin = os.times()
        subprocess.run([sys.executable, "-m", "treecore.warm"], env=environment, check=True, stdout=subprocess.DEVNULL)
        print(f"all kernels: {os.times().children_user - begin.children_user:.1f} s to compile")
        print(f"{'seconds':34}{'first':>8}{'answers':>9}{'pruned':>8}{'second':>8}{'warm':>8}{'next':>8}")
        for name, preset in SETTINGS:
            cold, warm = (
                [median(column) for column in zip(*(run() for _ in range(repeats)), strict=True)]
                for run in (lambda: with_empty_cache(name, preset), lambda: elsewhere(full, name, preset))  # noqa: B023
            )
            widths = 8, 9, 8, 8, 8, 8
            figures = "".join(f"{x:{w}.3f}" for x, w in zip([*cold, warm[0], warm[-1]], widths, strict=True))
            print(f"{name + ', ' + preset:34}{figures}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measured(*sys.argv[1:])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
