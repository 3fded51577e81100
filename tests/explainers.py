"""Packages that explain and draw trees, given ours. They are no dependencies, so that the suite does not collect this:

uv run --with shap==0.51.0 --with dtreeviz==2.3.2 --with supertree==1.1.0 pytest -n 0 tests/explainers.py
"""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import export_text

from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.estimators.adapted import as_scikit_learn
from treecore.study.shapley import shapley


@pytest.mark.parametrize("load", [load_breast_cancer, load_diabetes])
def test_shapley_values_are_those_of_shap(load):
    import shap

    X, y = load(return_X_y=True)
    X = X.astype(np.float32)
    model = (TreeClassifier if load is load_breast_cancer else TreeRegressor)(min_samples_leaf=3).fit(X, y)
    theirs = shap.TreeExplainer(as_scikit_learn(model))
    ours = shapley(model.tree_, X[:40])
    np.testing.assert_allclose(ours.values, theirs.shap_values(X[:40]), atol=1e-6 * np.abs(ours.values).max())
    np.testing.assert_allclose(ours.base, np.squeeze(theirs.expected_value), rtol=1e-6)


def iris():
    X, y = load_iris(return_X_y=True)
    return as_scikit_learn(TreeClassifier(max_depth=3).fit(X, y)), X, y


def test_dtreeviz_reads_it():
    import dtreeviz

    model, X, y = iris()
    shown = dtreeviz.model(model, X, y, feature_names=list("abcd"), target_name="kind", class_names=list("xyz"))
    assert shown.shadow_tree.nnodes() == model.tree_.node_count
    assert "c < 2.45" in shown.explain_prediction_path(X[0])


def test_supertree_reads_it(tmp_path):
    from supertree import SuperTree

    model, X, y = iris()
    SuperTree(model, X, y, list("abcd"), ["setosa", "v", "w"]).save_json_tree(str(tmp_path / "tree.json"))
    assert "setosa" in (tmp_path / "tree.json").read_text()


def test_scikit_learn_writes_it():
    model, _, _ = iris()
    assert export_text(model).count("class:") == model.get_n_leaves()
