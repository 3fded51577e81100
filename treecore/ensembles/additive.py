"""Trees whose leaves each add to the score of every class, or to a number."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.tree.node_statistics import labels_among
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Additive(Ensemble):
    """The class of the largest sum is answered, or the sum itself.

    steps : of each tree float64 (n_nodes, n_classes), or (n_nodes, 1) of numbers: what a row adds that ends there.
    starts : float64 (n_classes,) or (1,), the sums without any tree.
    """

    steps: tuple[np.ndarray, ...] = ()
    starts: np.ndarray = None

    def votes(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: float64 (n_rows, n_classes) of scores, or (n_rows,) of numbers, of all trees so far."""
        total = np.tile(self.starts, (rows.n_rows, 1))
        for tree, step in zip(self.trees, self.steps, strict=True):
            total = total + step[tree.apply(rows)]
            yield total if self.classes else total[:, 0]

    def shares(self, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes): the classes' probabilities, as these trees do not vote."""
        *_, scores = self.votes(rows)
        return softmax(scores)

    def _truth(self, rows: Table) -> np.ndarray:
        # its trees may be of numbers where it is of classes
        target = rows.column(self.table.target)
        return labels_among(self.classes, target) if self.classes else target.values()


def softmax(scores: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): the probabilities of which these are the scores."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def summed_below(tree: Tree, ends: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, q): for each node the sum of the numbers of the rows that pass it.

    ends : int64 (n_rows,), where each row ends. numbers : float64 (n_rows, q).
    """
    total = np.stack([np.bincount(ends, column, tree.n_nodes) for column in numbers.T], axis=1)
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
        total[tree.parent[node]] += total[node]
    return total
