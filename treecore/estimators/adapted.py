"""A tree as one of scikit-learn: in its arrays, by their names, and as its own estimator for packages such as shap."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import Tree as CompiledTree
from sklearn.utils.validation import check_is_fitted

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.estimators.trees import TreeClassifier, TreeRegressor
from treecore.kernels.codes import LEVELS, THRESHOLD
from treecore.tree.tree import Tree

# A tree of two branches in the arrays, and by the names, of scikit-learn's own: what other packages read.

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


def as_scikit_learn(model: TreeClassifier | TreeRegressor) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A DecisionTreeClassifier or DecisionTreeRegressor that holds this tree and gives its answers.

    Numbers are read as scikit-learn does, in 32 bits. What the classes of a loss matrix change is not kept: it answers
    with the class of the largest share. TreecoreError for a tree that parts levels or has more than two branches.
    """
    check_is_fitted(model)
    arrays = arrays_of(model.tree_)
    classes = hasattr(model, "classes_")
    result = DecisionTreeClassifier() if classes else DecisionTreeRegressor()
    n_classes = len(model.classes_) if classes else 1
    if classes:
        result.classes_, result.n_classes_ = model.classes_, n_classes
    result.n_outputs_, result.n_features_in_, result.max_features_ = 1, arrays.n_features, arrays.n_features
    if hasattr(model, "feature_names_in_"):
        result.feature_names_in_ = model.feature_names_in_
    result.tree_ = _compiled(arrays, n_classes)
    return result


def to_sklearn(tree: Tree) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A fitted DecisionTreeClassifier or DecisionTreeRegressor that answers as the tree does: for matrices of numbers,
    and for frames with its features in their order. classes_ are the tree's, as text.

    Numbers are rounded to 32 bits, as scikit-learn does: of a tree that compares them in 64 bits, a value next to a
    threshold may change sides. TreecoreError for what scikit-learn cannot say: splits of levels, more than two
    branches, weighted sums, a value that stands in for missing ones, missing values that were shared, stayed at a node
    or went by surrogates, and answers that are not the class of the largest share.
    """
    arrays = arrays_of(tree)
    _check_expressible(tree)
    names = np.array(tree.schema.own_names, object)
    result = DecisionTreeClassifier() if tree.classes else DecisionTreeRegressor()
    if tree.classes:
        result.classes_, result.n_classes_ = np.array(tree.classes), len(tree.classes)
    result.n_outputs_, result.n_features_in_, result.max_features_ = 1, len(names), len(names)
    result.feature_names_in_ = names
    result.tree_ = _compiled(arrays, max(len(tree.classes), 1))
    return result


def _check_expressible(tree: Tree) -> None:
    """TreecoreError for the answers of a tree that its arrays do not give."""
    what, inner = "", ~tree.is_leaf
    if any(feature.terms for feature in tree.schema.features):
        what = "weighted sums of features"
    elif any(feature.kind != "numeric" for feature in tree.schema.features):
        what = "features with levels"
    elif any(feature.fill is not None for feature in tree.schema.features):
        what = "values that stand in for missing ones"
    elif ((tree.splits.missing_branch < 0) & inner & (tree.missing_rows > 0)).any():
        what = "missing values that are shared or stay at a node"
    elif tree.surrogates_asked and len(tree.surrogates):
        what = "surrogates"
    elif (tree.answer < 0).any():
        what = "nodes without an answer"
    elif tree.classes and (tree.value != tree.proba.argmax(axis=1)).any():
        what = "answers that are not the class of the largest share"
    if what:
        remedy = "Grow it with missing='both_ways' on numbers, without a loss matrix, or export it as Python"
        raise TreecoreError(f"It has {what}, which scikit-learn's trees cannot say", where="tree", remedy=remedy)


def _compiled(arrays: TreeArrays, n_classes: int) -> CompiledTree:
    tree = CompiledTree(arrays.n_features, np.array([n_classes], np.intp), 1)
    nodes = np.zeros(arrays.node_count, tree.__getstate__()["nodes"].dtype)
    own_names = {"left_child": "children_left", "right_child": "children_right"}
    for name in nodes.dtype.names:
        nodes[name] = getattr(arrays, own_names.get(name, name))
    state = {"max_depth": arrays.max_depth, "node_count": arrays.node_count, "nodes": nodes, "values": arrays.value}
    tree.__setstate__(state)
    return tree
