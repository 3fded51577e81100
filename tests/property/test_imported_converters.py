"""Models of scikit-learn, XGBoost and LightGBM that their converters wrote as ONNX, read as ours."""

import os
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc
from tests.property.test_imported_onnx import read

if os.environ.get("CI"):
    import onnxmltools
    import skl2onnx
else:
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    onnxmltools = pytest.importorskip("onnxmltools", reason="onnxmltools is not installed")
import lightgbm as lgb
import onnxruntime
import xgboost as xgb
from onnxmltools.convert.common.data_types import FloatTensorType

MODELS = {
    "tree": (DecisionTreeClassifier(max_depth=4), DecisionTreeRegressor(max_depth=4)),
    "forest": (RandomForestClassifier(4, max_depth=4), RandomForestRegressor(4, max_depth=4)),
    "extra trees": (ExtraTreesClassifier(3), None),
    "boosted": (GradientBoostingClassifier(n_estimators=4), GradientBoostingRegressor(n_estimators=4)),
    "xgboost": (xgb.XGBClassifier(n_estimators=4), xgb.XGBRegressor(n_estimators=4)),
    "lightgbm": (lgb.LGBMClassifier(n_estimators=4, verbose=-1), lgb.LGBMRegressor(n_estimators=4, verbose=-1)),
}


def converted(model, name, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in ("xgboost", "lightgbm"):
            types = [("x", FloatTensorType([None, X.shape[1]]))]
            convert = onnxmltools.convert_xgboost if name == "xgboost" else onnxmltools.convert_lightgbm
            return convert(model, initial_types=types).SerializeToString()
        return skl2onnx.to_onnx(model, X[:1]).SerializeToString()


@pytest.mark.parametrize("name", MODELS)
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.sampled_from([0, 2, 3]))
@settings(max_examples=5)
def test_answers_are_those_of_the_runtime(name, seed, n_classes):
    model = MODELS[name][n_classes == 0]
    if model is None:
        return
    model = clone(model)  # what was fitted to three classes is not fitted to two
    rng = np.random.RandomState(seed)
    X, probes = (rng.randn(120, 3).round(2).astype(np.float32) for _ in range(2))
    z = X[:, 0] + X[:, 1] * X[:, 2]
    data = converted(model.fit(X, np.digitize(z, [0, 0.8][: n_classes - 1]) if n_classes else z), name, X)
    probes[rng.rand(120, 3) < 0.1] = np.nan
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    label, *shares = session.run(None, {session.get_inputs()[0].name: probes})
    found, one = read(data)
    frame = pd.DataFrame(probes.astype(float), columns=[feature.name for feature in one.schema.features])
    rows = frame if isinstance(found, tc.Tree) else tc.read_table(frame)
    if not n_classes:
        np.testing.assert_allclose(found.predict(rows), label.ravel(), rtol=2e-6, atol=2e-6)
        return
    told = shares[0]
    told = pd.DataFrame(told).to_numpy() if isinstance(told, list) else told
    np.testing.assert_allclose(found.predict_proba(rows), told, rtol=2e-6, atol=2e-6)
    sure = np.abs(np.diff(np.sort(told, axis=1)[:, -2:])).ravel() > 1e-5
    assert (found.predict(rows).astype(int) == label)[sure].all()
