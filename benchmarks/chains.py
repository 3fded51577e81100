"""Time of trees that are as deep as their rows are many, beside scikit-learn's.

    uv run python -m benchmarks.chains [rows ...]

Classes alternate along one feature, so that every split parts one row from the rest: the work of a level is linear,
that of a tree quadratic, in scikit-learn as here. Fits are timed in turn, by the processor's time, the fastest of three
counts; the exponent is that of the rows between two sizes.
"""

import math
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import treecore as tc
from treecore.data import level_column, numeric_column

ROWS = (2_000, 4_000, 8_000)
TIMES = 3


def table(n: int) -> tc.Table:
    """One feature, 0 to n - 1, along which two classes alternate."""
    y = level_column("y", "nominal", np.arange(n) % 2, ("a", "b"))
    return tc.Table((numeric_column("x", np.arange(float(n))), y), target="y", features=("x",))


def fits(n: int) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    rows, x, y = table(n), np.arange(n, dtype=np.float32)[:, None], np.arange(n) % 2
    return {
        "scikit-learn": lambda: DecisionTreeClassifier(random_state=0).fit(x, y),
        "cart": lambda: tc.grow(rows, "cart"),
        "sklearn (preset)": lambda: tc.grow(rows, "sklearn"),
    }


def seconds(n: int) -> dict[str, float]:
    """Processor seconds of the fastest fit of each."""
    found: dict[str, float] = {}
    for _ in range(TIMES):
        for name, fit in fits(n).items():
            begin = time.process_time()
            fit()
            found[name] = min(time.process_time() - begin, found.get(name, math.inf))
    return found


def lines(sizes: list[int]) -> Iterator[str]:
    """A line per size: seconds, how many times scikit-learn's speed, and the exponent."""
    seconds(500)  # compile
    before: tuple[int, dict[str, float]] | None = None
    for n in sizes:
        taken = seconds(n)
        for name, used in taken.items():
            times = f"{taken['scikit-learn'] / used:6.1f} x"
            grows = f"n^{math.log(used / before[1][name]) / math.log(n / before[0]):.1f}" if before else ""
            yield f"{n:8,}  {name:18}  {used:8.3f} s  {times}  {grows}".rstrip()
        before = n, taken


def main() -> None:
    for line in lines([int(n) for n in sys.argv[1:]] or list(ROWS)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
