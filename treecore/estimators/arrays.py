"""A tree of two branches in the arrays, and by the names, of scikit-learn's own: what other packages read."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEVELS, THRESHOLD
from treecore.tree.tree import Tree

TREE_LEAF, TREE_UNDEFINED = -1, -2


@dataclass(frozen=True, eq=False, repr=False)
class TreeArrays(Brief):
    """What scikit-learn's `tree_` holds, one entry per node, numbered as in the tree.

    children_left, children_right : int64, -1 at a leaf; left is x <= threshold. feature : int64, -2 at a leaf.
    threshold : float64, -2 at a leaf. missing_go_to_left : uint8; where a missing value has no branch of its own, or
    every one by shares, the heavier. impurity, weighted_n_node_samples : float64. n_node_samples : int64.
    value : float64 (n_nodes, 1, n_classes) shares of classes, or (n_nodes, 1, 1) means.
    """

    children_left: np.ndarray
    children_right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    missing_go_to_left: np.ndarray
    impurity: np.ndarray
    n_node_samples: np.ndarray
    weighted_n_node_samples: np.ndarray
    value: np.ndarray
    n_features: int

    n_outputs = 1

    @property
    def node_count(self) -> int:
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        return int((self.children_left == TREE_LEAF).sum())

    @cached_property
    def max_depth(self) -> int:
        depth = np.zeros(self.node_count, np.int64)
        for t in np.flatnonzero(self.children_left >= 0):  # a child comes after its parent
            depth[[self.children_left[t], self.children_right[t]]] = depth[t] + 1
        return int(depth.max())


def arrays_of(tree: Tree) -> TreeArrays:
    """The arrays of a tree whose splits are thresholds with two branches.

    A test x < c is written x <= the number just below c. TreecoreError where a split parts levels or has more branches.
    """
    inner = ~tree.is_leaf
    if (tree.splits.kind[inner] != THRESHOLD).any() or (tree.n_children[inner] != 2).any():
        odd = "splits of levels" if (tree.splits.kind[inner] == LEVELS).any() else "more than two branches"
        raise TreecoreError(
            f"It has {odd}, which scikit-learn's arrays cannot say",
            where="tree",
            remedy="Encode words as numbers before growing, and grow in two branches",
        )
    splits, first = tree.splits, tree.first_child.astype(np.int64)
    left, right = first + splits.low_branch, first + 1 - splits.low_branch
    missing = np.where(splits.missing_branch >= 0, first + splits.missing_branch, _heavier(tree, left, right))
    cut = np.where(splits.closed, splits.threshold, np.nextafter(splits.threshold, -np.inf))
    value = tree.proba if tree.classes else tree.value[:, None]
    return TreeArrays(
        children_left=np.where(inner, left, TREE_LEAF),
        children_right=np.where(inner, right, TREE_LEAF),
        feature=np.where(inner, splits.feature, TREE_UNDEFINED).astype(np.int64),
        threshold=np.where(inner, cut, float(TREE_UNDEFINED)),
        missing_go_to_left=(inner & (missing == left)).astype(np.uint8),
        impurity=np.array(tree.impurity),
        n_node_samples=np.array(tree.n_rows, np.int64),
        weighted_n_node_samples=np.array(tree.weight),
        value=np.array(value, np.float64)[:, None, :],
        n_features=len(tree.schema.features),
    )


def _heavier(tree: Tree, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    left, right = (np.clip(child, 0, tree.n_nodes - 1) for child in (left, right))
    weight = tree.weight if tree.share_weight is None else tree.share_weight
    return np.where(weight[left] >= weight[right], left, right)
