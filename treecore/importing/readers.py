"""Reading models made elsewhere: the readers, in the order in which they are asked, and the one function that asks
them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.importing.model_source import ModelSource, check_no_pickle, source_of
from treecore.registry import Registry
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class ModelReader:
    """module : in treecore.importing, with is_mine(source) -> bool and read(source, table, classes) -> the model.

    extensions : of its files, () where it takes objects alone.
    """

    name: str
    label: str
    note: str
    module: str
    extensions: tuple[str, ...] = ()

    def is_mine(self, source: ModelSource) -> bool:
        """Is the source a model of this kind?"""
        return self._asked("is_mine")(source)

    def read(self, source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
        """The model; TreecoreError for what is broken, and for what we cannot say."""
        return self._asked("read")(source, table, classes)

    def _asked(self, name: str) -> Callable:
        return getattr(import_module(f"treecore.importing.{self.module}"), name)


READERS: Registry[ModelReader] = Registry(
    "reader of models",
    ModelReader("treecore", "treecore", "A saved tree, JSON", "own_json", (".json",)),
    ModelReader("xgboost", "XGBoost", "A Booster or XGBModel, or its JSON or UBJSON", "xgboost", (".json", ".ubj")),
    ModelReader("lightgbm", "LightGBM", "A Booster or LGBMModel, or its text or JSON", "lightgbm", (".txt", ".json")),
    ModelReader("catboost", "CatBoost", 'A fitted model, or the JSON of save_model(format="json")', "catboost",
        (".json",)),
    ModelReader(
        "onnx", "ONNX", "A model that is a TreeEnsembleClassifier, TreeEnsembleRegressor or TreeEnsemble alone", "onnx",
        (".onnx",),
    ),
    ModelReader("pmml", "PMML", "A TreeModel, or a MiningModel of them, XML", "pmml_trees", (".pmml", ".xml")),
    ModelReader("r", "R", "A tree of rpart or partykit, as JSON by tree_to_json.R", "r_trees", (".json",)),
    ModelReader("weka", "Weka", "The text that J48 prints of its tree", "weka", (".txt",)),
    ModelReader("skops", "skops", "A model of scikit-learn in a file of skops", "skops", (".skops",)),
    ModelReader("spark", "Spark ML", "A folder of a saved model or PipelineModel, or a zip of it", "spark", (".zip",)),
    ModelReader("ydf", "YDF", "A trained CART, random forest or gradient boosted trees", "ydf"),
    ModelReader("river", "river", "A Hoeffding tree whose leaves answer by what they count", "river"),
    ModelReader("imodels", "imodels", "A fitted GreedyTree*, DecisionTreeCCP*, HSTree* or FIGS*", "imodels"),
    ModelReader("interpret", "interpret", "A fitted ClassificationTree or RegressionTree", "interpret"),
    # behind those before: their classes are scikit-learn's, too
    ModelReader(
        "scikit-learn", "scikit-learn",
        "A fitted DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, AdaBoost*, GradientBoosting*, "
        "HistGradientBoosting*, or a Pipeline that ends in one",
        "scikit_learn",
    ),
)  # fmt: skip


# The door: any model that a reader knows.


def read_model(source: Any, table: Table | None = None, *, classes: Iterable[str] | None = None) -> Tree | Ensemble:
    """A model made elsewhere: a Tree, or an Ensemble of trees, that answers as the model does.

    source : a fitted object of scikit-learn, XGBoost, LightGBM, CatBoost, YDF, river, imodels or interpret; or a file,
        as its path, its bytes or open, that one of READERS knows. A pickle is refused, whatever its name.
    table : the rows to count in its nodes, best those it was trained on; without it nodes have what the model carries.
        Features of a model without names are the table's, in their order.
    classes : what the model's classes 0, 1, ... are, where a file does not say.
    TreecoreError for what no reader knows, for a broken file, and for what a model says and we cannot.
    """
    result = source_of(source)
    named = None if classes is None else tuple(str(name) for name in classes)
    for reader in READERS.values():
        if reader.is_mine(result):
            return reader.read(result, table, named)
    known = "; ".join(f"{reader.label}: {reader.note}" for reader in READERS.values())
    raise TreecoreError("This is no model that can be read", where=result.name, remedy=f"Give one of these. {known}")


def is_model(data: bytes, name: str = "") -> bool:
    """Are these the bytes of a file that `read_model` takes? TreecoreError for a pickle, whatever its name.

    Of a broken file whose kind cannot be known the answer is no.
    """
    check_no_pickle(name, data)
    result = ModelSource(data=data, name=name)
    try:
        return any(reader.is_mine(result) for reader in READERS.values() if reader.extensions)
    except TreecoreError:
        return False
