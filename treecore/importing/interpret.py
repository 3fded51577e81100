"""The shallow trees of interpret (InterpretML), as objects: trees of scikit-learn behind names and kinds of columns."""

from treecore.data.table import Table
from treecore.importing.model_source import ModelSource, fault_texts, unsaid
from treecore.importing.scikit_learn import read_estimator
from treecore.tree.tree import Tree

TREES = ("ClassificationTree", "RegressionTree")


def is_mine(source: ModelSource) -> bool:
    return any(kind.__module__.split(".")[0] == "interpret" for kind in type(source.given).__mro__)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    model, name = source.given, type(source.given).__name__
    if name not in TREES:
        raise unsaid(name, "There is no reader for this model of interpret", f"Give a {' or a '.join(TREES)}")
    if not getattr(model, "has_fitted_", False):
        raise unsaid(name, "It is not fitted", "Call fit first")
    with fault_texts(source):
        names = list(model.feature_names_in_)
        for feature, kind in zip(names, model.feature_types_in_, strict=True):
            if kind != "continuous":
                what = f"It is {kind}, which this tree cuts by codes that are not said"
                raise unsaid(f"feature {feature!r}", what, "Fit it on numbers, or on one column for each level")
        return read_estimator(model.sk_model_, table, getattr(model, "classes_", None), names)
