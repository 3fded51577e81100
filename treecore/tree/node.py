"""One node, for people."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief, visible
from treecore.kernels.codes import LEVELS
from treecore.tree.columns import TreeColumns
from treecore.tree.missing import own_branch
from treecore.tree.text import MISSING, branch_text, condition_text


@dataclass(frozen=True, eq=False, repr=False)
class NodeView(Brief):
    """A read-only view of one node of a tree."""

    tree: TreeColumns
    id: int

    def __str__(self) -> str:
        rows = f"{self.n_rows:,} {'row' if self.n_rows == 1 else 'rows'}"
        asks = "a leaf" if self.is_leaf else f"asks for {self.feature}"
        return visible(f"Node {self.id}, {asks}: {self.predicted}, {rows}, where {self.rule}")

    @property
    def is_leaf(self) -> bool:
        return bool(self.tree.is_leaf[self.id])

    @property
    def feature(self) -> str | None:
        """Name of the feature the node tests, None at a leaf."""
        return None if self.is_leaf else self.tree.schema.features[self.tree.splits.feature[self.id]].name

    @property
    def n_rows(self) -> int:
        return int(self.tree.n_rows[self.id])

    @property
    def weight(self) -> float:
        return float(self.tree.weight[self.id])

    @property
    def impurity(self) -> float:
        return float(self.tree.impurity[self.id])

    @property
    def gain(self) -> float:
        """Impurity decrease of the split, NaN at a leaf."""
        return float(self.tree.gain[self.id])

    @property
    def counts(self) -> dict[str, float]:
        """Training weight of every class ({} for regression)."""
        return dict(zip(self.tree.classes, self.tree.stats[self.id].tolist(), strict=False))

    @property
    def predicted(self) -> str:
        """The class by its name, or the mean, as text; "no answer" where there is none."""
        return self.tree.target_kind.answer_text(self.tree, self.id)

    @property
    def branch(self) -> str:
        """The condition on the parent's feature that leads here, '' at the root."""
        return self._told(branch_text)

    @property
    def branch_levels(self) -> tuple[str, ...]:
        """The levels of the parent's feature that lead here, () where it is not parted by its levels."""
        tree, parent = self.tree, int(self.tree.parent[self.id])
        if parent < 0 or tree.splits.kind[parent] != LEVELS:
            return ()
        names = tree.schema.features[tree.splits.feature[parent]].level_names
        here = tree.splits.levels(parent) == self.id - int(tree.first_child[parent])
        return tuple(names[level] for level in np.flatnonzero(here))

    @property
    def condition(self) -> str:
        """The parent's feature and the condition on it, '' at the root."""
        return self._told(condition_text)

    def _told(self, words) -> str:
        tree, parent = self.tree, int(self.tree.parent[self.id])
        if parent < 0:
            return ""
        feature, branch = tree.schema.features[tree.splits.feature[parent]], self.id - int(tree.first_child[parent])
        return words(feature, tree.splits, parent, branch, own_branch(tree, parent))

    @property
    def rule(self) -> str:
        """Every condition from the root to here, joined by AND; "every row" at the root."""
        conditions = [NodeView(self.tree, i).condition for i in self.tree.path(self.id)[1:]]
        if len(conditions) > 1:
            conditions = [f"({c})" if c.endswith(f" or {MISSING}") else c for c in conditions]
        return " AND ".join(conditions) or "every row"

    @property
    def mean(self) -> float:
        """Mean training target (NaN for classification)."""
        return float("nan") if self.tree.classes else float(self.tree.value[self.id])

    @property
    def deviation(self) -> float:
        """Standard deviation of the training target (NaN for classes and counts)."""
        return self.tree.target_kind.deviation(self.tree.stats[self.id])
