"""The tree: its columns, and what can be asked of them: a node, an answer for rows, the tree as plain data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.columns import TreeColumns

if TYPE_CHECKING:
    from treecore.tree.node import NodeView


@dataclass(frozen=True, eq=False)
class Tree(TreeColumns):
    """A grown tree; its columns are explained at TreeColumns. What few ask for is imported when it is asked for."""

    def node(self, node: int) -> "NodeView":
        """A small read-only view for people."""
        from treecore.tree.node import NodeView

        if not 0 <= node < self.n_nodes:
            remedy = f"Nodes are numbered 0 to {self.n_nodes - 1}"
            raise TreecoreError(f"There is no node {node}", where="node", remedy=remedy)
        return NodeView(self, int(node))

    # predictions; `rows` is a Table or a pandas DataFrame with the features' columns, or a matrix of numbers and of
    # indices of levels, with a column for every feature in the schema's order

    def apply(self, rows) -> np.ndarray:
        """int64 (n_rows,): the deepest node each row reaches; of several, the one of largest share."""
        from treecore.tree.predict import end_nodes

        return end_nodes(self, rows)

    def predict(self, rows) -> np.ndarray:
        """Class labels (object, None where there is no answer) or float64 means, one per row."""
        from treecore.tree.predict import predictions

        return predictions(self, rows)

    def predict_proba(self, rows) -> np.ndarray:
        """float64 (n_rows, n_classes), in the order of `classes`."""
        from treecore.tree.predict import probabilities

        return probabilities(self, rows)

    # as data

    def to_dict(self) -> dict:
        """Plain lists and numbers, ready for JSON; `from_dict` takes it back."""
        from treecore.tree.serial import tree_to_dict

        return tree_to_dict(self)

    @staticmethod
    def from_dict(data: dict) -> "Tree":
        """The tree that `to_dict` wrote; TreecoreError saying what is wrong with any other data."""
        from treecore.tree.serial import tree_from_dict

        return tree_from_dict(data, Tree)

    def to_frame(self):
        """pandas DataFrame, one row per node: ids, test, branch text, rows, impurity, gain, prediction."""
        from treecore.tree.serial import tree_frame

        return tree_frame(self)
