"""The readers of models made elsewhere, in the order in which they are asked."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.importing.source import Source
from treecore.registry import Registry
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Reader:
    """module : in treecore.importing, with is_mine(source) -> bool and read(source, table, classes) -> the model.

    extensions : of its files, () where it takes objects alone.
    """

    name: str
    label: str
    note: str
    module: str
    extensions: tuple[str, ...] = ()

    def is_mine(self, source: Source) -> bool:
        """Is the source a model of this kind?"""
        return self._asked("is_mine")(source)

    def read(self, source: Source, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
        """The model; TreecoreError for what is broken, and for what we cannot say."""
        return self._asked("read")(source, table, classes)

    def _asked(self, name: str) -> Callable:
        return getattr(import_module(f"treecore.importing.{self.module}"), name)


READERS: Registry[Reader] = Registry(
    "reader of models",
    Reader("treecore", "treecore", "A saved tree, JSON", "own_json", (".json",)),
    Reader("xgboost", "XGBoost", "A Booster or XGBModel, or its JSON or UBJSON", "xgboost", (".json", ".ubj")),
    Reader("lightgbm", "LightGBM", "A Booster or LGBMModel, or its text or JSON", "lightgbm", (".txt", ".json")),
    Reader("catboost", "CatBoost", 'A fitted model, or the JSON of save_model(format="json")', "catboost", (".json",)),
    Reader(
        "onnx", "ONNX", "A model that is a TreeEnsembleClassifier, TreeEnsembleRegressor or TreeEnsemble alone", "onnx",
        (".onnx",),
    ),
    Reader("pmml", "PMML", "A TreeModel, or a MiningModel of them, XML", "pmml", (".pmml", ".xml")),
    Reader("r", "R", "A tree of rpart or partykit, as JSON by tree_to_json.R", "r_trees", (".json",)),
    Reader("weka", "Weka", "The text that J48 prints of its tree", "weka", (".txt",)),
    Reader("skops", "skops", "A model of scikit-learn in a file of skops", "skops", (".skops",)),
    Reader("spark", "Spark ML", "A folder of a saved model or PipelineModel, or a zip of it", "spark", (".zip",)),
    Reader("ydf", "YDF", "A trained CART, random forest or gradient boosted trees", "ydf"),
    Reader("river", "river", "A Hoeffding tree whose leaves answer by what they count", "river"),
    Reader("imodels", "imodels", "A fitted GreedyTree*, DecisionTreeCCP*, HSTree* or FIGS*", "imodels"),
    Reader("interpret", "interpret", "A fitted ClassificationTree or RegressionTree", "interpret"),
    # behind those before: their classes are scikit-learn's, too
    Reader(
        "scikit-learn", "scikit-learn",
        "A fitted DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, AdaBoost*, GradientBoosting*, "
        "HistGradientBoosting*, or a Pipeline that ends in one",
        "scikit_learn",
    ),
)  # fmt: skip
