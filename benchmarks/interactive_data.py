"""The tables of the benchmark in Chromium: numeric columns and two classes, with label noise."""

from pathlib import Path

import numpy as np

BLOCK = 50_000  # rows written at once


def write_csv(path: Path, n_rows: int, n_columns: int, digits: int) -> Path:
    """A CSV file of normal numbers with so many digits after the point; the class follows from three columns."""
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(n_columns)]
    form = ",".join([f"%.{digits}f"] * n_columns)
    with path.open("w") as file:
        file.write(",".join([*names, "y"]) + "\n")
        for start in range(0, n_rows, BLOCK):
            x = rng.normal(size=(min(BLOCK, n_rows - start), n_columns))
            y = x[:, 0] * x[:, 1] + np.abs(x[:, 2]) + rng.normal(size=len(x)) > 0.8
            lines = [f"{form % tuple(row)},{'ab'[label]}\n" for row, label in zip(x.tolist(), y.tolist(), strict=True)]
            file.writelines(lines)
    return path
