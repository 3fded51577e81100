"""Models of scikit-learn out of files of skops: those that the fitted objects give; nothing else is made again."""

import io
import os
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import treecore as tc
from tests.property.mutations import broken, broken_inside, n_refused

if os.environ.get("CI"):
    import skops.io as skops
else:
    skops = pytest.importorskip("skops.io", reason="skops is not installed")

RNG = np.random.RandomState(0)
FRAME = pd.DataFrame(RNG.randn(120, 2).round(1), columns=["a", "b"]).assign(k=RNG.choice(["u", "v"], 120))
Y = np.where(FRAME["a"] + (FRAME["k"] == "u") + RNG.randn(120) / 2 > 0.5, "yes", "no")
ENCODED = make_column_transformer((OneHotEncoder(), ["k"]), remainder="passthrough")
MODELS = {
    "tree": DecisionTreeClassifier(max_depth=4).fit(FRAME[["a", "b"]], Y),
    "forest": RandomForestClassifier(3, max_depth=3, random_state=0).fit(FRAME[["a", "b"]], Y),
    "histograms": HistGradientBoostingRegressor(max_iter=3).fit(FRAME[["a", "b"]], FRAME["a"] * 2),
    "pipeline": make_pipeline(ENCODED, DecisionTreeClassifier(max_depth=4)).fit(FRAME, Y),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_file_answers_as_its_object(name, tmp_path):
    (tmp_path / "model.skops").write_bytes(skops.dumps(MODELS[name]))
    found = tc.read_model(tmp_path / "model.skops")
    assert (found.predict(FRAME) == tc.read_model(MODELS[name]).predict(FRAME)).all()
    assert (found.predict(FRAME) == MODELS[name].predict(FRAME if name == "pipeline" else FRAME[["a", "b"]])).all()


class Ran:
    """What a file must not be able to make."""

    def __reduce__(self):
        return print, ("this was run",)


def test_other_types_are_not_made(capsys):
    model = DecisionTreeClassifier(max_depth=2).fit(FRAME[["a", "b"]], Y)
    model.more = Ran()
    with pytest.raises(tc.TreecoreError, match="types that no tree consists of"):
        tc.read_model(skops.dumps(model))
    with pytest.raises(tc.TreecoreError, match="no reader for this estimator"):
        tc.read_model(skops.dumps(KMeans(2).fit(FRAME[["a", "b"]])))
    with pytest.raises(tc.TreecoreError, match="It holds a list"):
        tc.read_model(skops.dumps([1, 2]))
    assert capsys.readouterr().out == ""


def test_a_file_with_wrong_bytes_is_read_or_refused():
    data = skops.dumps(MODELS["tree"])
    assert n_refused(broken(data, n=200), lambda made: tc.read_model(made).predict(FRAME)) > 100
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        parts = file.namelist()  # its schema, and its arrays
    assert n_refused(broken_inside(data, parts), lambda made: tc.read_model(made).predict(FRAME)) > 100
