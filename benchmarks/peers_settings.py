"""What the trees are grown on and how far: settings, the grid of the comparison, and the rows of each setting.

The rows depend on the setting alone (fixed seeds), so that every process makes the same ones. Their targets have label
noise: full trees are deep.
"""

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

NOISE = 0.15  # share of the rows whose class is drawn at random
MOST_LEVELS = {"lowcard": 64, "nominal": 30}


@dataclass(frozen=True)
class Setting:
    """data : "cont" (continuous columns), "lowcard" (whole numbers), "nominal" (codes without an order).

    n_classes : 0 for regression. max_depth : None for none. weighted : rows weigh 1 to 3. missing : share of the cells
    without a value. min_rows_leaf : rows that each branch needs.
    """

    data: str
    n_rows: int
    n_classes: int = 2
    max_depth: int | None = None
    criterion: str = "gini"
    n_columns: int = 20
    weighted: bool = False
    missing: float = 0.0
    min_rows_leaf: int = 1

    @property
    def name(self) -> str:
        target = f"{self.n_classes} classes" if self.n_classes else "regression"
        parts = [self.data, f"{self.n_rows:g} rows", target]
        parts.append("full" if self.max_depth is None else f"depth {self.max_depth}")
        parts += [self.criterion] if self.criterion != "gini" else []
        parts += [f"{self.n_columns} columns"] if self.n_columns != 20 else []
        parts += ["weights"] if self.weighted else []
        parts += [f"{self.missing:.0%} missing"] if self.missing else []
        parts += [f"{self.min_rows_leaf} rows a leaf"] if self.min_rows_leaf > 1 else []
        return ", ".join(parts)

    def to_dict(self) -> dict:
        return asdict(self)


class Goal(NamedTuple):
    """A setting, and how many times as fast as scikit-learn we want to be (None: only the fastest peer counts)."""

    setting: Setting
    times_sklearn: float | None


GRID = (
    Goal(Setting("cont", 1_000), 20),
    Goal(Setting("cont", 10_000), 30),
    Goal(Setting("cont", 100_000), 30),
    Goal(Setting("cont", 1_000_000), 50),
    Goal(Setting("cont", 100_000, max_depth=6), 40),
    Goal(Setting("cont", 1_000_000, max_depth=6), 75),
    Goal(Setting("lowcard", 1_000), 8),
    Goal(Setting("lowcard", 10_000), 8),
    Goal(Setting("lowcard", 100_000), 10),
    Goal(Setting("lowcard", 1_000_000), 15),
    Goal(Setting("cont", 100_000, criterion="entropy"), 22),
    Goal(Setting("cont", 100_000, n_classes=3), 22),
    Goal(Setting("cont", 1_000, n_classes=0), 9),
    Goal(Setting("cont", 10_000, n_classes=0), 11),
    Goal(Setting("cont", 100_000, n_classes=0), 14),
    Goal(Setting("nominal", 100_000), None),
    Goal(Setting("cont", 100_000, weighted=True), None),
    Goal(Setting("cont", 100_000, missing=0.05), None),
    Goal(Setting("cont", 100_000, min_rows_leaf=20), None),
)
TIMES_FASTEST = 5.0  # times as fast as the fastest peer, in every setting


class Rows(NamedTuple):
    """X : float32 (n, d), C order. y : int32 classes or float64. weights : float64 (n,) or None. nominal : columns."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    nominal: list[int]


def rows_of(setting: Setting, seed: int = 0) -> Rows:
    """The rows of a setting; another seed gives others of the same kind."""
    rng = np.random.default_rng(seed)
    latent = rng.standard_normal((setting.n_rows, setting.n_columns), np.float32)
    y = _target(latent, setting.n_classes, rng)
    X = latent if setting.data == "cont" else _levels(latent, setting.data)
    if setting.missing:
        X[rng.random(X.shape, np.float32) < setting.missing] = np.nan
    weights = rng.integers(1, 4, setting.n_rows).astype(float) if setting.weighted else None
    return Rows(X, y, weights, list(range(setting.n_columns)) if setting.data == "nominal" else [])


def _target(latent: np.ndarray, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Five columns tell of it: alone, two together, two beside a bend. Classes are equally frequent."""
    a, b, c, d, e = latent[:, :5].T
    score = np.tanh(a) + b * c + np.where(d > 0.5, e, 0.5 * np.abs(e)).astype(np.float64)
    if not n_classes:
        return score + 0.7 * rng.standard_normal(len(score))
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    drawn = rng.random(len(score)) < NOISE
    return np.where(drawn, rng.integers(0, n_classes, len(score)), np.searchsorted(edges, score)).astype(np.int32)


def _levels(latent: np.ndarray, data: str) -> np.ndarray:
    """Two levels in some columns and up to MOST_LEVELS in others; nominal ones get codes in no order."""
    structure = np.random.default_rng(1)  # which column has how many levels does not depend on the rows
    n_columns = latent.shape[1]
    counts = structure.permutation(np.geomspace(2, MOST_LEVELS[data], n_columns).round().astype(int))
    X = np.empty_like(latent)
    for j, n_levels in enumerate(counts):
        codes = np.clip(np.floor((latent[:, j] / 5 + 0.5) * n_levels), 0, n_levels - 1).astype(int)
        X[:, j] = structure.permutation(n_levels)[codes] if data == "nominal" else codes
    return X
