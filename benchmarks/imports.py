"""What `import treecore` takes above NumPy and numba, and the first tree of a process with a full compile cache.

    uv run python benchmarks/imports.py [repeats]

To reach: 0.35 s above NumPy and numba; 1 s to the first tree, even with all imports. Every figure is the processor time
of a process of its own, least of the repeats, taken in turn; bytecode is written before, as it is once installed.
"""

import os
import subprocess
import sys

GROWN = """
from treecore.data import level_column, numeric_column
rng = numpy.random.default_rng(0)
x = rng.normal(size=(1000, 10))
target = level_column("y", "nominal", (x[:, 0] + rng.normal(size=1000) > 0) * 1, ("n", "p"))
columns = [numeric_column(f"x{j}", values) for j, values in enumerate(x.T)]
table = treecore.Table((*columns, target), target="y", features=tuple(c.name for c in columns))
treecore.grow(table, "cart")
"""
TIMED = {
    "NumPy and numba": "import numpy, numba",
    "treecore after them": "import numpy, numba; start = time.process_time(); import treecore",
    "first tree with all": "import numpy, numba, treecore" + GROWN,
}
TO_REACH = {"treecore after them": 0.35, "first tree with all": 1.0}


def seconds(code: str) -> float:
    """Processor seconds of the code in a new process, from its last `start` on."""
    code = f"import time; start = time.process_time()\n{code}\nprint(time.process_time() - start)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"TREECORE_BACKGROUND": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main(repeats: int) -> None:
    for code in TIMED.values():  # bytecode, and the pages of the disk
        seconds(code)
    runs = [{name: seconds(code) for name, code in TIMED.items()} for _ in range(repeats)]
    for name in TIMED:
        least = min(run[name] for run in runs)
        print(f"{name:24}{least:8.3f}" + (f"   (to reach: {TO_REACH[name]})" if name in TO_REACH else ""))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
