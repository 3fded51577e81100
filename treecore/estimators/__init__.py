"""The trees as scikit-learn's estimators. Needs scikit-learn: pip install "treecore[sklearn]"."""

from treecore.estimators.trees import TreeClassifier, TreeRegressor

__all__ = ["TreeClassifier", "TreeRegressor"]
