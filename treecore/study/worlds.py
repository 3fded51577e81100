"""Worlds whose truth is known: tables are drawn from them at will, and noise can be told from error."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.data import Table, level_column, numeric_column
from treecore.registry import Registry

LOW, HIGH = CLASSES = ("low", "high")


@dataclass(frozen=True)
class World:
    """An entry of the registry.

    truth : float64 (n, d) -> float64 (n,), the mean of the target, or the chance of "high". noise : spread of the
    target around that mean; of classes it is in the chance. features : names; each is drawn evenly, low to high.
    """

    name: str
    label: str
    task: str
    truth: Callable[[np.ndarray], np.ndarray]
    features: tuple[str, ...]
    low: float
    high: float
    noise: float = 0.0

    def draw(self, rng: np.random.Generator, n_rows: int) -> tuple[Table, np.ndarray]:
        """(a table of rows with their target, float64 (n_rows,) what is true of them)."""
        x = rng.uniform(self.low, self.high, (n_rows, len(self.features)))
        truth = self.truth(x)
        columns = [numeric_column(name, x[:, j]) for j, name in enumerate(self.features)]
        if self.task == "regression":
            columns.append(numeric_column("y", truth + rng.normal(0, self.noise, n_rows)))
        else:
            said = np.where(rng.random(n_rows) < truth, HIGH, LOW)
            columns.append(level_column("y", "nominal", said.tolist(), CLASSES))
        return Table(tuple(columns), target="y", features=self.features), truth


def _blurred(is_high: np.ndarray) -> np.ndarray:
    """One row in ten has the other class."""
    return np.where(is_high, 0.9, 0.1)


WORLDS: Registry[World] = Registry(
    "world",
    World("wave", "A rising wave, noise 0.25", "regression", lambda x: np.sin(x[:, 0]) + 0.2 * x[:, 0], ("x",), 0, 10,
          0.25),
    World("hills", "Two hills in the plane, noise 0.2", "regression",
          lambda x: np.exp(-((x - 0.3) ** 2).sum(axis=1) * 20) + np.exp(-((x - 0.75) ** 2).sum(axis=1) * 30),
          ("x1", "x2"), 0, 1, 0.2),
    World("slanted", "A slanted line, one label in ten wrong", "classification",
          lambda x: _blurred(2 * x[:, 0] + 1.5 * x[:, 1] > 0.5), ("x1", "x2"), -1, 1),
    World("xor", "Just one of two, one label in ten wrong", "classification",
          lambda x: _blurred((x[:, 0] > 0.5) != (x[:, 1] > 0.5)), ("x1", "x2", "x3"), 0, 1),
    World("board", "A chessboard of sixteen, one label in ten wrong", "classification",
          lambda x: _blurred((np.floor(4 * x[:, 0]) + np.floor(4 * x[:, 1])) % 2 == 0), ("x1", "x2"), 0, 1),
)  # fmt: skip

THIS_TABLE = "this table"
"""What is chosen in place of a world."""
