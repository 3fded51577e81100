"""Impurities as functions of the classes' shares, and where a node, its parent and its branches lie on them."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA
from treecore.growing.search import split_worth
from treecore.tree.tree import Tree

STEPS = 201
GRID = 161


def measures() -> tuple[str, ...]:
    """Impurities of classes that need no costs, in the order of the registry."""
    return tuple(c.name for c in CRITERIA.values() if c.task == "classification" and not c.needs_loss)


def curve(measure: str, scaled: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """(p, impurity), float64 (201,) each, of a node of two classes with shares p and 1 - p.

    scaled : so that the impurity at p = 1/2 is 1.
    """
    p = np.linspace(0, 1, STEPS)
    return p, impurity(measure, np.stack([p, 1 - p], axis=-1), scaled)


def impurity(measure: str, shares: np.ndarray, scaled: bool = False) -> np.ndarray:
    """float64 (...,): of nodes with class shares (..., K); scaled to 1 where all K shares are equal."""
    judge = CRITERIA[measure].judge()
    result = split_worth.impurities(judge, np.asarray(shares, float))
    equal = np.full(shares.shape[-1], 1 / shares.shape[-1])
    return result / float(split_worth.impurities(judge, equal)) if scaled else result


@dataclass(frozen=True, eq=False, repr=False)
class Placed(Brief):
    """A node among the shares of its classes. shares : float64 (K,). parent : of the node above, None at the root.
    branches : float64 (B, K), of branches with rows, and weights (B,), their parts of the node; both empty at a leaf.
    """

    shares: np.ndarray
    parent: np.ndarray | None
    branches: np.ndarray
    weights: np.ndarray

    def left(self, measure: str, scaled: bool = False) -> float:
        """The mean impurity of the branches: the height of the chord between them above the node's share."""
        return float(self.weights @ impurity(measure, self.branches, scaled))

    def gain(self, measure: str, scaled: bool = False) -> float:
        """How far the curve lies above that chord at the node; 0 where they differ by rounding only."""
        gain = float(impurity(measure, self.shares, scaled)) - self.left(measure, scaled)
        return 0.0 if abs(gain) < 1e-12 else gain


def placed(tree: Tree, node: int) -> Placed:
    """Where a node of a classification tree lies, by its training rows."""
    of = lambda t: tree.stats[t] / max(float(tree.stats[t].sum()), 1e-300)  # noqa: E731
    children = [c for c in tree.children(node) if tree.stats[c].sum() > 0]
    above = int(tree.parent[node])
    sizes = np.array([float(tree.stats[c].sum()) for c in children])
    branches = np.array([of(c) for c in children]).reshape(-1, len(tree.classes))
    return Placed(of(node), of(above) if above >= 0 else None, branches, sizes / sizes.sum() if len(sizes) else sizes)


def simplex(measure: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(x (n,), y (m,), impurity (m, n)) of three classes over a triangle of side 1; NaN outside of it.

    Corners: the first class at (0, 0), the second at (1, 0), the third at the top.
    """
    x, y = np.linspace(0, 1, GRID), np.linspace(0, np.sqrt(3) / 2, GRID)
    third = y / (np.sqrt(3) / 2)
    second = x[None, :] - third[:, None] / 2
    shares = np.stack([1 - second - third[:, None], second, np.broadcast_to(third[:, None], second.shape)], axis=-1)
    inside = (shares >= -1e-9).all(axis=-1)
    return x, y, np.where(inside, impurity(measure, np.clip(shares, 0, 1)), np.nan)


def in_triangle(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(x, y) of class shares (..., 3) in that triangle."""
    return shares[..., 1] + shares[..., 2] / 2, shares[..., 2] * np.sqrt(3) / 2
