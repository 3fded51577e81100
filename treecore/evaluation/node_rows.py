"""The rows of one node: its class mix in every role, its target beside everybody's."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.histograms import bins_of
from treecore.tree.target import refuse_counts, true_numbers
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class ClassMix(Brief):
    """Class weights of a node's rows: role -> float64 (n_classes,)."""

    node: int
    classes: tuple[str, ...]
    weights: dict[str, np.ndarray]

    def total(self, role: str) -> float:
        """Weight of the role's rows in the node."""
        return float(self.weights[role].sum())

    def shares(self, role: str) -> np.ndarray:
        """float64 (n_classes,): class shares, NaN when the role has no rows here."""
        total = self.total(role)
        return self.weights[role] / total if total > 0 else np.full(len(self.classes), np.nan)


def class_mix(tree: Tree, node: int, statistics: Mapping[str, np.ndarray | None]) -> ClassMix:
    """The class mix of a node in several roles.

    statistics : role -> tree.tally.node_statistics(tree, table), computed once and kept for every node.
    """
    if not tree.classes:
        raise TreecoreError("A tree that predicts numbers has no classes", remedy="Use target_histogram")
    kept = {role: stats[node] for role, stats in statistics.items() if stats is not None}
    return ClassMix(int(node), tree.classes, kept)


@dataclass(frozen=True, eq=False, repr=False)
class TargetHistogram(Brief):
    """The target of a node's rows beside that of all rows of one table.

    edges : float64 (k + 1,), rising; a bin holds its left edge, the last one both.
    everyone, here : float64 (k,), case weight per bin of all rows, and of those in the node.
    mean, mean_here : float, their weighted means, NaN without rows. prediction : what the node answers.
    """

    node: int
    target: str
    edges: np.ndarray
    everyone: np.ndarray
    here: np.ndarray
    mean: float
    mean_here: float
    prediction: float


def target_histogram(tree: Tree, node: int, table: Table, ends: np.ndarray | None = None) -> TargetHistogram:
    """Histogram of a numeric target over a table's rows and over those that pass through a node.

    ends : tree.apply(table), when it is known already.
    """
    if tree.classes:
        raise TreecoreError("A tree that predicts classes has no target histogram", remedy="Use class_mix")
    refuse_counts(tree, "a histogram of the target")
    y, weight = true_numbers(tree, table), table.case_weights
    ends = tree.apply(table) if ends is None else ends
    below = tree.descendants(node)
    below[node] = True
    known = ~np.isnan(y)
    here = known & below[ends]
    edges = bins_of(y[known])
    counts = [np.histogram(y[rows], edges, weights=weight[rows])[0] for rows in (known, here)]
    means = [_mean(y[rows], weight[rows]) for rows in (known, here)]
    return TargetHistogram(int(node), tree.schema.target, edges, *counts, *means, float(tree.value[node]))


def _mean(y: np.ndarray, weight: np.ndarray) -> float:
    return float(y @ weight / weight.sum()) if weight.sum() > 0 else float("nan")
