"""An estimator of ours as scikit-learn's own class, for packages that accept nothing else: shap's TreeExplainer,
dtreeviz, supertree, scikit-learn's plot_tree and export_text."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import Tree as CompiledTree
from sklearn.utils.validation import check_is_fitted

from treecore.errors import TreecoreError
from treecore.estimators.arrays import TreeArrays, arrays_of
from treecore.estimators.trees import TreeClassifier, TreeRegressor
from treecore.tree.tree import Tree


def as_scikit_learn(model: TreeClassifier | TreeRegressor) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A DecisionTreeClassifier or DecisionTreeRegressor that holds this tree and gives its answers.

    Numbers are read as scikit-learn does, in 32 bits. What the classes of a loss matrix change is not kept: it answers
    with the class of the largest share. TreecoreError for a tree that parts levels or has more than two branches.
    """
    check_is_fitted(model)
    arrays = arrays_of(model.tree_)
    classes = hasattr(model, "classes_")
    found = DecisionTreeClassifier() if classes else DecisionTreeRegressor()
    n_classes = len(model.classes_) if classes else 1
    if classes:
        found.classes_, found.n_classes_ = model.classes_, n_classes
    found.n_outputs_, found.n_features_in_, found.max_features_ = 1, arrays.n_features, arrays.n_features
    if hasattr(model, "feature_names_in_"):
        found.feature_names_in_ = model.feature_names_in_
    found.tree_ = _compiled(arrays, n_classes)
    return found


def to_sklearn(tree: Tree) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A fitted DecisionTreeClassifier or DecisionTreeRegressor that answers as the tree does: for matrices of numbers,
    and for frames with its features in their order. classes_ are the tree's, as text.

    Numbers are rounded to 32 bits, as scikit-learn does: of a tree that compares them in 64 bits, a value next to a
    threshold may change sides. TreecoreError for what scikit-learn cannot say: splits of levels, more than two
    branches, weighted sums, a value that stands in for missing ones, missing values that were shared, stayed at a node
    or went by surrogates, and answers that are not the class of the largest share.
    """
    arrays = arrays_of(tree)
    _check_said(tree)
    names = np.array(tree.schema.own_names, object)
    found = DecisionTreeClassifier() if tree.classes else DecisionTreeRegressor()
    if tree.classes:
        found.classes_, found.n_classes_ = np.array(tree.classes), len(tree.classes)
    found.n_outputs_, found.n_features_in_, found.max_features_ = 1, len(names), len(names)
    found.feature_names_in_ = names
    found.tree_ = _compiled(arrays, max(len(tree.classes), 1))
    return found


def _check_said(tree: Tree) -> None:
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
