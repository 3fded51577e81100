"""The peers that grow in a Python process: how each is asked for the tree of a setting, with one thread.

A peer has `prepared(rows, setting)`, which is not timed, `fit(given, setting)`, which is, and `leaves(model)`.
NotOffered is raised for a setting that it does not have. What is not alike in what peers do is in their `remark`.
"""

import json

import numpy as np

from benchmarks.peers_settings import Rows, Setting


class NotOffered(Exception):
    """This peer has no such setting."""


class Peer:
    remark = ""

    def warm(self) -> None:
        """Compile what a session compiles once."""

    def prepared(self, rows: Rows, setting: Setting):
        return rows

    def leaves(self, model) -> int:
        raise NotImplementedError


class Treecore(Peer):
    """Raw arrays to a tree, encoding included."""

    remark = "from raw arrays, encoding included"

    def warm(self) -> None:
        from benchmarks.treecore_plugin import warm

        for part in ("fast", "fast_large"):  # the small set before the first fit compiles what other settings need
            warm(part)

    def fit(self, rows: Rows, setting: Setting):
        return self.grown(self.table(rows, setting), setting)

    def table(self, rows: Rows, setting: Setting):
        from benchmarks.treecore_plugin import table_of

        table = table_of(rows.X, rows.y, setting.n_classes, rows.nominal)
        return table if rows.weights is None else table.with_weights(rows.weights)

    def grown(self, table, setting: Setting):
        """As scikit-learn: no surrogates, missing values tried below and above, splits without a gain are made."""
        import treecore as tc

        criterion = {"criterion": setting.criterion} if setting.n_classes else {}
        return tc.grow(
            table, "cart", max_depth=setting.max_depth, min_rows_leaf=setting.min_rows_leaf, zero_gain="split",
            missing="both_ways" if setting.missing else "majority", **criterion,
        )  # fmt: skip

    def leaves(self, model) -> int:
        return model.n_leaves


class TreecoreKept(Treecore):
    """One more tree of a table that has been grown on before."""

    remark = "a refit on a Table that is kept: its encoding is there"

    def prepared(self, rows: Rows, setting: Setting):
        table = self.table(rows, setting)
        self.grown(table, setting)
        return table

    def fit(self, table, setting: Setting):
        return self.grown(table, setting)


class ScikitLearn(Peer):
    remark = "nominal codes as numbers"

    def fit(self, rows: Rows, setting: Setting):
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        limits = {"max_depth": setting.max_depth, "min_samples_leaf": setting.min_rows_leaf, "random_state": 0}
        if setting.n_classes:
            tree = DecisionTreeClassifier(criterion=setting.criterion, **limits)
        else:
            tree = DecisionTreeRegressor(**limits)
        return tree.fit(rows.X, rows.y, sample_weight=rows.weights)

    def leaves(self, model) -> int:
        return int(model.get_n_leaves())


def _boosted(setting: Setting, names: tuple[str, str, str]) -> dict:
    """Objective of a booster that makes one round; gradients of one round order splits as Gini and squared error do."""
    if setting.criterion != "gini":
        raise NotOffered("no entropy")
    numeric, binary, multiclass = names
    if setting.n_classes > 2:
        return {"objective": multiclass, "num_class": setting.n_classes}
    return {"objective": binary if setting.n_classes else numeric}


class LightGBM(Peer):
    remark = "one round; 255 bins; a tree per class where there are more than 2; at most 131 072 leaves"

    def fit(self, rows: Rows, setting: Setting):
        import lightgbm

        most = setting.n_rows // 4 if setting.n_classes else setting.n_rows  # its time grows with this limit
        parameters = _boosted(setting, ("l2", "binary", "multiclass")) | {
            "num_leaves": max(31, min(131_072, most, 2 ** (setting.max_depth or 17))),
            "max_depth": setting.max_depth or -1, "min_data_in_leaf": setting.min_rows_leaf,
            "min_sum_hessian_in_leaf": 0.0, "min_data_in_bin": 1, "max_bin": 255, "learning_rate": 1.0,
            "lambda_l2": 0.0, "min_data_per_group": 1, "cat_smooth": 0.0, "cat_l2": 0.0, "max_cat_threshold": 256,
            "num_threads": 1, "verbosity": -1,
        }  # fmt: skip
        data = lightgbm.Dataset(
            rows.X, rows.y, weight=rows.weights, categorical_feature=rows.nominal or "auto", params=parameters
        )
        return lightgbm.train(parameters, data, num_boost_round=1)

    def leaves(self, model) -> int:
        return sum(tree["num_leaves"] for tree in model.dump_model()["tree_info"])


class XGBoost(Peer):
    remark = "one round of `hist`, 256 bins; a tree per class where there are more than 2"

    def fit(self, rows: Rows, setting: Setting):
        import xgboost

        if setting.min_rows_leaf > 1:
            raise NotOffered("its limit is a sum of Hessians, not rows")
        parameters = _boosted(setting, ("reg:squarederror", "binary:logistic", "multi:softprob")) | {
            "tree_method": "hist", "max_bin": 256, "max_depth": setting.max_depth or 0, "min_child_weight": 0.0,
            "reg_lambda": 0.0, "eta": 1.0, "max_cat_to_onehot": 1, "nthread": 1,
        }  # fmt: skip
        kinds = ["c" if j in rows.nominal else "q" for j in range(rows.X.shape[1])] if rows.nominal else None
        data = xgboost.QuantileDMatrix(
            rows.X, rows.y, weight=rows.weights, max_bin=256, nthread=1, feature_types=kinds,
            enable_categorical=bool(rows.nominal),
        )  # fmt: skip
        return xgboost.train(parameters, data, num_boost_round=1)

    def leaves(self, model) -> int:
        found, open_nodes = 0, [json.loads(tree) for tree in model.get_dump(dump_format="json")]
        while open_nodes:
            children = open_nodes.pop().get("children", ())
            found += not children
            open_nodes += children
        return found


class YDF(Peer):
    remark = "always by entropy; missing values filled before growing"

    def prepared(self, rows: Rows, setting: Setting):
        """Its dictionary of columns; levels have to be strings, and making those is not timed."""
        columns = {
            f"x{j}": column.astype(int).astype(str) if j in rows.nominal else np.ascontiguousarray(column)
            for j, column in enumerate(rows.X.T)
        }
        columns["label"] = rows.y
        return columns if rows.weights is None else columns | {"weight": rows.weights}

    def fit(self, columns: dict, setting: Setting):
        import ydf

        learner = ydf.CartLearner(
            label="label", weights="weight" if setting.weighted else None, num_threads=1, validation_ratio=0.0,
            task=ydf.Task.CLASSIFICATION if setting.n_classes else ydf.Task.REGRESSION,
            max_depth=-1 if setting.max_depth is None else setting.max_depth + 1, min_examples=setting.min_rows_leaf,
        )  # fmt: skip
        return learner.train(columns, verbose=0)

    def leaves(self, model) -> int:
        return (model.num_nodes() + 1) // 2


PEERS = {
    "treecore": Treecore(), "treecore, kept": TreecoreKept(), "scikit-learn": ScikitLearn(), "LightGBM": LightGBM(),
    "XGBoost": XGBoost(), "YDF": YDF(),
}  # fmt: skip
MODULES = {"scikit-learn": "sklearn", "LightGBM": "lightgbm", "XGBoost": "xgboost", "YDF": "ydf"}
"""What has to be importable."""
