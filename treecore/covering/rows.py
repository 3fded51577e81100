"""Training rows as learners of rules read them: values, classes and weights in plain arrays."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Brief):
    """Rows with a known class and a weight above 0.

    values : float64 (n_features, n_rows): numbers, or indices of levels; NaN is missing.
    labels : int64 (n_rows,), class indices. weight : float64 (n_rows,). n_classes : classes that are declared.
    n_levels : of every feature; 0 for numbers. texts : the levels of every feature, () for numbers, then the classes.
    """

    values: np.ndarray
    labels: np.ndarray
    weight: np.ndarray
    n_classes: int
    n_levels: tuple[int, ...]
    texts: tuple[tuple[str, ...], ...]

    @property
    def n_features(self) -> int:
        return len(self.values)

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    def by_class(self, rows: np.ndarray | slice = slice(None), weight: np.ndarray | None = None) -> np.ndarray:
        """float64 (n_classes,): weight of each class among these rows. weight : theirs, where it is another."""
        own = self.weight[rows] if weight is None else weight
        return np.bincount(self.labels[rows], own, self.n_classes)

    def numbered(self, labels: np.ndarray) -> "Rows":
        """The same rows with their classes numbered in another way."""
        return replace(self, labels=labels)
