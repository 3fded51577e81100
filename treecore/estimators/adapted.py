"""An estimator of ours as scikit-learn's own class, for packages that accept nothing else: shap's TreeExplainer,
dtreeviz, supertree, scikit-learn's plot_tree and export_text."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import Tree as CompiledTree
from sklearn.utils.validation import check_is_fitted

from treecore.estimators.arrays import TreeArrays, arrays_of
from treecore.estimators.trees import TreeClassifier, TreeRegressor


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


def _compiled(arrays: TreeArrays, n_classes: int) -> CompiledTree:
    tree = CompiledTree(arrays.n_features, np.array([n_classes], np.intp), 1)
    nodes = np.zeros(arrays.node_count, tree.__getstate__()["nodes"].dtype)
    own_names = {"left_child": "children_left", "right_child": "children_right"}
    for name in nodes.dtype.names:
        nodes[name] = getattr(arrays, own_names.get(name, name))
    state = {"max_depth": arrays.max_depth, "node_count": arrays.node_count, "nodes": nodes, "values": arrays.value}
    tree.__setstate__(state)
    return tree
