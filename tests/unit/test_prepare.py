"""Preparation before growing: what a recipe says of it, what the training rows teach, and what stays as it was."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data import FILLS
from treecore.data.samples import read_sample
from treecore.recipe import Grow, Prepare, Recipe, Split

NAN = float("nan")
ROLES = ["train"] * 6 + ["validation"] * 2 + ["test"] * 2
FRAME = pd.DataFrame(
    {
        "x": [1.0, 2.0, 3.0, 10.0, NAN, NAN, NAN, 50.0, NAN, 60.0],
        "c": ["u", "u", "v", None, "v", "u", None, "w", "w", None],
        "y": list("aaabbabbab"),
        "role": ROLES,
    }
)
FILLING = [name for name in FILLS if name not in ("none", "drop_rows", "drop_columns")]


def table_of(frame=FRAME) -> tc.Table:
    return tc.read_table(frame, target="y", kinds={"x": "numeric", "c": "nominal"}, features=["x", "c"])


def fitted(*steps, frame=FRAME) -> tc.Fit:
    return tc.fit(table_of(frame), Recipe((Split(column="role"), *steps, Grow("cart"))))


def numbers(table, name="x") -> list:
    return [None if np.isnan(v) else v for v in table.column(name).values().tolist()]


# the step


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Prepare(), "prepare: nothing"),
        (Prepare("mean"), "prepare: missing values: mean or mode"),
        (Prepare("drop_columns", 0.25), "prepare: features with more than 25 % missing left out"),
        (Prepare(bins="equal_width"), "prepare: numeric features in 5 bins (equal width)"),
        (
            Prepare("median", bins=[("b", "entropy_mdl", 3), ("a", "equal_frequency", 4)]),
            "prepare: missing values: median or mode, a in 4 bins (equal frequency), b in bins (entropy with MDL)",
        ),
        (
            Prepare(bins=[(f"x{i}", "equal_width", 2) for i in range(8)]),
            "prepare: " + ", ".join(f"x{i} in 2 bins (equal width)" for i in range(6)) + ", and 2 more",
        ),
    ],
)
def test_a_step_goes_through_json_and_says_what_it_does(step, text):
    recipe = Recipe((Split(), step, Grow()))
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert hash(Recipe.from_json(recipe.to_json())) == hash(recipe)
    assert step.text() == text
    assert "\n" not in step.text()


def test_a_method_alone_stands_for_all_numeric_features():
    assert Prepare(bins="equal_width") == Prepare(bins=(("", "equal_width", 5),))
    assert json.loads(Recipe((Prepare("mean"),)).to_json())["steps"] == [
        {"step": "prepare", "missing": "mean", "limit": 0.7, "bins": []}
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"missing": "guess"}, "no preparation of missing values called 'guess'.*class_mean"),
        ({"limit": 1.5}, "limit: 1.5 is no share"),
        ({"limit": "most"}, "'most' is no share"),
        ({"limit": NAN}, "nan is no share"),
        ({"bins": "thirds"}, "no binning called 'thirds'.*equal_width"),
        ({"bins": [("x", "equal_width", 1)]}, "1 bins are not possible"),
        ({"bins": [("x", "equal_width", 2.5)]}, "bins: .* is not possible"),
        ({"bins": [("x", "equal_width", True)]}, "True bins are not possible"),
        ({"bins": [("x", "equal_width")]}, r"bins: .* is not possible.*\(feature, method, number of bins\)"),
        ({"bins": 5}, "bins: 5 is not possible"),
        ({"bins": [(3, "equal_width", 5)]}, "is not possible"),
        ({"bins": [("x", "equal_width", 5), ("x", "entropy_mdl", 5)]}, "'x' is put in bins twice"),
    ],
)
def test_what_cannot_be_prepared_is_refused(fields, words):
    with pytest.raises(tc.TreecoreError, match=words):
        Prepare(**fields)


@pytest.mark.parametrize("bins", ["5", '[["x"]]', '{"x": 3}', '[["x", "equal_width", "many"]]', "null"])
def test_junk_in_a_saved_step_is_refused(bins):
    with pytest.raises(tc.TreecoreError):
        Recipe.from_json('{"schema_version": 1, "steps": [{"step": "prepare", "bins": ' + bins + "}]}")


# fills


@pytest.mark.parametrize(("method", "cell"), [("mean", 4.0), ("median", 2.5)])
def test_training_rows_are_filled_and_the_others_are_not(method, cell):
    fit = fitted(Prepare(method))
    assert numbers(fit.train) == [1, 2, 3, 10, cell, cell]
    assert fit.train.column("c").labels().tolist() == ["u", "u", "v", "u", "v", "u"]
    assert numbers(fit.validation) == [None, 50]
    assert numbers(fit.test) == [None, 60]
    assert fit.validation.column("c").labels().tolist() == ["", "w"]
    assert any(note.startswith("x: 2 missing values filled with the") for note in fit.train.notes)
    assert not any("filled" in note for note in fit.validation.notes)


def test_fills_by_class_read_training_labels_alone():
    fit = fitted(Prepare("class_mean"))
    # class a of the training rows: 1, 2, 3; class b: 10
    assert numbers(fit.train) == [1, 2, 3, 10, 10, 2]
    assert fit.grown.schema.features[0].fill == 4.0
    other = FRAME.assign(y=FRAME["y"].where(FRAME["role"] == "train", "a"))
    assert numbers(fitted(Prepare("class_mean"), frame=other).train) == [1, 2, 3, 10, 10, 2]


@pytest.mark.parametrize("method", FILLING)
def test_a_missing_value_is_predicted_as_the_fill(method):
    train, validation, _ = read_sample("titanic").split(tc.Roles(seed=3))
    (made,) = tc.prepare(train, missing=method)
    tree = tc.grow(made, "cart", max_depth=6)
    assert "age" in set(tree.to_frame()["feature"])
    blank = validation.to_frame()
    blank["age"] = NAN
    fill = made.column("age").fill
    assert tree.predict(blank).tolist() == tree.predict(blank.assign(age=fill)).tolist()
    assert tree.predict(blank).tolist() != tree.predict(blank.assign(age=1.0)).tolist()


def test_dropped_rows_and_columns():
    fit = fitted(Prepare("drop_rows"), frame=FRAME.assign(c=FRAME["c"].fillna("v")))
    assert numbers(fit.train) == [1, 2, 3, 10]
    assert (fit.validation.n_rows, fit.test.n_rows) == (2, 2)
    fit = fitted(Prepare("drop_columns", limit=0.3))
    assert fit.train.features == fit.validation.features == fit.test.features == ("c",)
    assert [f.name for f in fit.grown.schema.features] == ["c"]


# bins


def test_bins_are_those_of_the_training_rows():
    fit = fitted(Prepare(bins=[("x", "equal_width", 3)]))
    levels = ("< 4", "4 to 7", "≥ 7")
    assert fit.train.column("x").levels == fit.test.column("x").levels == levels
    assert fit.validation.column("x").labels().tolist() == ["", "≥ 7"]
    feature = fit.grown.schema.features[0]
    assert (feature.kind, feature.cuts) == ("ordinal", (4.0, 7.0))


def test_missing_values_are_filled_before_bins_are_cut():
    fit = fitted(Prepare("mean", bins=[("x", "equal_frequency", 2)]))
    # 1 2 3 | 4 4 10
    assert fit.train.column("x").cuts == (3.5,)
    assert fit.train.column("x").n_missing == 0
    assert fit.train.column("x").fill == 1.0
    assert fit.validation.column("x").labels().tolist() == ["", "≥ 3.5"]
    assert fit.grown.predict(pd.DataFrame({"x": [NAN], "c": ["u"]})) == fit.grown.predict(
        pd.DataFrame({"x": [4.0], "c": ["u"]})
    )


def test_a_feature_that_was_left_out_needs_no_bins():
    fit = fitted(Prepare("drop_columns", limit=0.3, bins=[("x", "equal_width", 3), ("", "equal_width", 2)]))
    assert fit.train.column("x").kind == "numeric"


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Prepare(bins=[("c", "equal_width", 3)]), "Column 'c': It is nominal"),
        (Prepare(bins=[("y", "equal_width", 3)]), "Column 'y': It is the target"),
        (Prepare(bins=[("z", "equal_width", 3)]), "no column 'z'"),
        (Prepare("drop_columns", limit=0.1), "Every feature has more than 0.1"),
    ],
)
def test_a_step_that_does_not_fit_the_table_says_why(step, words):
    with pytest.raises(tc.TreecoreError, match=words):
        fitted(step)


def test_no_row_left_and_a_feature_without_values():
    frame = FRAME.assign(x=FRAME["x"].where(FRAME["role"] != "train"))
    with pytest.raises(tc.TreecoreError, match="Every one of the 6 training rows misses a feature"):
        fitted(Prepare("drop_rows"), frame=frame)
    with pytest.raises(tc.TreecoreError, match=r"Column 'x'.*nothing to fill with.*Leave the column out"):
        fitted(Prepare("median"), frame=frame)


@pytest.mark.parametrize("settings", [(), (("numeric", "equal_frequency"), ("bins", 3)), (("numeric", "entropy_mdl"),)])
@pytest.mark.parametrize(
    "step", [Prepare("class_median"), Prepare("mean", bins="entropy_mdl"), Prepare(bins="equal_width"), Prepare()]
)
def test_other_roles_teach_nothing(step, settings):
    frame = read_sample("penguins").to_frame()
    rng = np.random.default_rng(0)
    frame["role"] = rng.choice(["train", "validation", "test"], len(frame), p=[0.6, 0.2, 0.2])
    other, held_out = frame.copy(), frame["role"] != "train"
    for name in frame.select_dtypes("number"):
        other.loc[held_out, name] = rng.normal(size=int(held_out.sum())) * 1e4
    target = read_sample("penguins").target
    trees = []
    for data in (frame, other):
        table = tc.read_table(data, target=target, features=read_sample("penguins").features)
        recipe = Recipe((Split(column="role"), step, Grow("cart", settings)))
        trees.append(tc.fit(table, recipe).grown.to_dict())
    assert trees[0] == trees[1]
    assert len(trees[0]["parent"]) > 3


# raw rows


def test_raw_numbers_bins_and_their_names_are_the_same_to_a_tree():
    train, _, test = read_sample("iris").split(tc.Roles(seed=1))
    made, made_test = tc.prepare(train, test, bins="equal_frequency")
    tree = tc.grow(made, "cart")
    expected = tree.predict(made_test).tolist()
    assert len(set(expected)) == 3
    raw, named = test.to_frame(), made_test.to_frame()
    as_text = raw.astype({name: "string" for name in made.features})
    for rows in (test, raw, named, as_text):
        assert tree.predict(rows).tolist() == expected
    again = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.predict(raw).tolist() == expected


def test_a_value_at_a_cut_lies_above_it():
    train = tc.read_table(pd.DataFrame({"x": [0.0, 1, 2, 3], "y": list("aabb")}), target="y", kinds={"x": "numeric"})
    (made,) = tc.prepare(train, bins=[("x", "equal_width", 2)])
    tree = tc.grow(made, "cart")
    assert tree.schema.features[0].cuts == (1.5,)
    rows = pd.DataFrame({"x": [np.nextafter(1.5, 0), 1.5, -np.inf, np.inf]})
    assert tree.predict(rows).tolist() == ["a", "b", "a", "b"]


def test_a_cell_that_is_neither_number_nor_bin_is_named():
    train, *_ = read_sample("iris").split(tc.Roles(seed=1))
    (made,) = tc.prepare(train, bins="equal_width")
    tree = tc.grow(made, "cart")
    rows = train.to_frame().astype(object).iloc[:3]
    rows.iloc[1, rows.columns.get_loc(made.features[2])] = "wide"
    with pytest.raises(tc.TreecoreError, match=r"'wide' is not a number \(row 1\)"):
        tree.predict(rows)


def test_other_levels_for_bins_lose_the_numbers():
    (made,) = tc.prepare(table_of(), bins=[("x", "equal_width", 2)])
    low, high = made.column("x").levels
    turned = made.with_kinds({"x": tc.Ordinal([high, low])}).column("x")
    assert (turned.cuts, turned.fill) == (None, None)
