"""Which models are read, and what is said of those that are not."""

import io
import json
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc
from tests.property.mutations import broken, n_refused
from treecore.importing import READERS
from treecore.importing import model_source as importing_source

RNG = np.random.RandomState(0)
X, Y = RNG.randn(50, 3), RNG.randint(0, 2, 50)


def tree():
    return tc.grow(tc.from_arrays(X, Y, classes=("no", "yes")), "cart")


def test_ours_comes_back_from_a_file_bytes_an_open_file_and_a_dict(tmp_path):
    text = json.dumps(tree().to_dict())
    (tmp_path / "tree.json").write_text(text)
    given = (tmp_path / "tree.json", str(tmp_path / "tree.json"), text.encode(), io.StringIO(text), tree().to_dict())
    for source in given:
        assert (tc.read_model(source).predict(X) == tree().predict(X)).all()


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_never_opened_whatever_its_name(tmp_path, protocol):
    for name in ("model.pkl", "model.joblib", "model.json"):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb(), protocol))
        with pytest.raises(tc.TreecoreError) as fault:
            tc.read_model(tmp_path / name)
        if protocol > 1 or not name.endswith("json"):
            assert "pickle" in fault.value.what
            assert "fitted object" in fault.value.remedy


@pytest.mark.parametrize("data", [b"", b"  ", b"{", b"[1, 2]", b'{"a": 1}', b"hello", b"{" * 100_000, b"\x00" * 50])
def test_what_is_no_model_is_told_so(data):
    with pytest.raises(tc.TreecoreError) as fault:
        tc.read_model(data)
    assert fault.value.remedy


@pytest.mark.parametrize("source", [3, None, [1], object(), "no such file.json", "\0"])
def test_what_is_no_source_is_told_so(source):
    with pytest.raises(tc.TreecoreError):
        tc.read_model(source)


def test_a_file_that_is_too_large_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(importing_source, "LARGEST_FILE", 10)
    (tmp_path / "model.json").write_text(" " * 11)
    with pytest.raises(tc.TreecoreError, match="more than"):
        tc.read_model(tmp_path / "model.json")


def test_a_remedy_names_every_reader():
    with pytest.raises(tc.TreecoreError) as fault:
        tc.read_model(b"hello")
    assert all(reader.label in fault.value.remedy for reader in READERS.values())


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (KMeans(2).fit(X), "no reader for this estimator"),
        (DecisionTreeClassifier(), "not fitted"),
        (RandomForestClassifier(), "not fitted"),
        (DecisionTreeRegressor().fit(X, X), "3 targets"),
        (GradientBoostingRegressor(n_estimators=2, init=LinearRegression()).fit(X, Y), "starts from LinearRegression"),
    ],
    ids=str,
)
def test_what_scikit_learn_says_and_we_cannot_is_refused(model, what):
    with pytest.raises(tc.TreecoreError, match=what):
        tc.read_model(model)


def test_names_are_the_models_or_the_tables():
    import pandas as pd

    frame = pd.DataFrame(X, columns=["b", "a", "c"])
    with_names, without = DecisionTreeClassifier().fit(frame, Y), DecisionTreeClassifier().fit(X, Y)
    table = tc.read_table(frame.assign(y=Y)[["a", "b", "c", "y"]], target="y")
    assert tc.read_model(with_names, table).schema.own_names == ("b", "a", "c")
    assert tc.read_model(without).schema.own_names == ("x0", "x1", "x2")
    assert tc.read_model(without, table).schema.own_names == ("a", "b", "c")
    with pytest.raises(tc.TreecoreError, match="3 features without names"):
        tc.read_model(without, table.select(["a", "b"]) if hasattr(table, "select") else tc.from_arrays(X[:, :2], Y))


def test_classes_are_spelled_as_the_table_has_them():
    import pandas as pd

    model = DecisionTreeClassifier(max_depth=2).fit(X, Y.astype(bool))
    table = tc.read_table(pd.DataFrame(X, columns=["x0", "x1", "x2"]).assign(y=Y.astype(bool)), target="y")
    found = tc.read_model(model, table)
    assert set(found.classes) == set(table.classes)
    assert found.stats[0].sum() == 50


def test_our_tree_saves_what_it_always_did():
    assert not {"outputs", "cover"} & set(tree().to_dict())


def boosted(tmp_path):
    """(a file of XGBoost, its rows as CSV, the booster)."""
    import pandas as pd

    xgb = pytest.importorskip("xgboost", reason="XGBoost is not installed")
    told = xgb.XGBClassifier(n_estimators=3, max_depth=2).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    told.save_model(tmp_path / "model.json")
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=np.where(Y, "good", "bad"))
    frame.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "model.json", tmp_path / "rows.csv", told


def test_a_terminal_reads_one_tree_or_the_nearest(tmp_path, capsys):
    from treecore.command_line.main import main

    model, rows, told = boosted(tmp_path)
    begin = ["read", str(model), "--table", str(rows), "--target", "y"]
    assert main(begin) == 2
    assert "--classes" in (said := capsys.readouterr().err) or "classes=" in said
    begin += ["--classes", "bad,good"]
    assert main(begin) == 2
    assert "--tree 1 to --tree 3" in capsys.readouterr().err
    out = str(tmp_path / "tree.json")
    assert main([*begin, "--tree", "2", "--out", out]) == 0
    tree = tc.read_model(out)
    assert (
        tree.value == tc.read_model(told, tc.read_table(rows, target="y"), classes=["bad", "good"]).trees[1].value
    ).all()
    assert main([*begin, "--nearest", "5", "--out", out]) == 0
    assert "answers as they do for" in capsys.readouterr().err
    assert tc.read_model(out).classes == ("bad", "good")
    assert main(["show", out, "--depth", "2"]) == 0


def stand_in(module: str, name: str, **attributes):
    """An object that says of itself what one of another package says."""
    return type(name, (SimpleNamespace,), {"__module__": module})(**attributes)


def test_imodels_and_interprets_trees_are_the_estimators_that_they_hold():
    words = np.array(["no", "yes"])
    held = DecisionTreeClassifier(max_depth=3).fit(X, Y)
    about = {"classes_": words, "feature_names_in_": ["a", "b", "c"], "n_features_in_": 3}
    shrunk = stand_in("imodels.tree", "HSTreeClassifier", estimator_=held, **about)
    shallow = stand_in(
        "interpret.glassbox", "ClassificationTree", sk_model_=held, has_fitted_=True,
        feature_types_in_=["continuous"] * 3, **about,
    )  # fmt: skip
    for model in (shrunk, shallow):
        found = tc.read_model(model)
        assert (found.predict(X) == words[held.predict(X)]).all()
        assert (found.predict_proba(X) == held.predict_proba(X)).all()
        assert (found.classes, found.schema.own_names) == (("no", "yes"), ("a", "b", "c"))
    shallow.feature_types_in_[1] = "nominal"
    with pytest.raises(tc.TreecoreError, match="codes that are not said"):
        tc.read_model(shallow)
    about["classes_"] = np.array(["no", "yes", "perhaps"])
    with pytest.raises(tc.TreecoreError, match="is said to have 3"):
        tc.read_model(stand_in("imodels.tree", "HSTreeClassifier", estimator_=held, **about))


def figs(classes=("no", "yes")):
    """A sum of two trees, one of which is a lone root."""

    def node(value, **asked):
        return SimpleNamespace(**{"left": None, "right": None, "value": np.array(value)} | asked)

    root = node([0.5, 0.5], feature=1, threshold=0.25, left=node([0.9, 0.1]), right=node([0.3, 0.7]))
    return stand_in(
        "imodels.tree.figs", "FIGSClassifier", trees_=[root, node([0.1, 0.3])], n_outputs=2, n_features_in_=3,
        feature_names_=["X0", "X1", "X2"], classes_=np.array(classes),
    )  # fmt: skip


def test_a_sum_of_imodels_trees():
    found = tc.read_model(figs())
    rows = np.array([[0, 0.25, 0], [0, np.nextafter(0.25, 1), 0]])
    sums = np.array([[1.0, 0.4], [0.4, 1.0]])
    np.testing.assert_allclose(found.raw_scores(rows), sums, rtol=1e-15)
    np.testing.assert_allclose(found.predict_proba(rows), np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True))
    assert found.predict(rows).tolist() == ["no", "yes"]
    assert found.trees[0].schema.own_names == ("x0", "x1", "x2")
    with pytest.raises(tc.TreecoreError, match="2 targets at once"):
        tc.read_model(figs(classes=("no", "yes", "perhaps")))


def test_a_saved_tree_with_wrong_bytes_is_read_or_refused():
    data = json.dumps(tree().to_dict()).encode()
    assert n_refused(broken(data), lambda made: tc.read_model(made).predict(X)) > 100
