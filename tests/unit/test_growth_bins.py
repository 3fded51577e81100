"""Growth with numeric features that branch by bins: by hand, what it refuses, and taking such a split."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.fit import grow_with, take_of
from treecore.growing.inspect.landscape import landscape
from treecore.growing.settings.parts import NUMERIC_SPLITS
from treecore.kernels.codes import CUTS
from treecore.recipe import Grow, Recipe, Take
from treecore.study.plane import Plane, fixed_codes
from treecore.study.regions import regions


def parts_of(sample):
    return dict(zip(("train", "validation", "test"), read_sample(sample).split(tc.Roles(seed=2)), strict=True))


def small() -> tc.Table:
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3, 4, 8, 9, 10], "y": list("aabbbaab")})
    return tc.read_table(frame, target="y", kinds={"x": "numeric"})


def test_by_hand():
    tree = tc.grow(small(), numeric="equal_width", bins=5, missing="majority", criterion="entropy")
    # bins of width 2: 0 1 | 2 3 | 4 | none | 8 9 10; 10 is in the last one
    assert tree.n_nodes == 6
    assert tree.splits.kind[0] == CUTS
    assert tree.splits.cuts.tolist() == [2, 4, 6, 8]
    assert tree.stats.tolist() == [[4, 4], [2, 0], [0, 2], [0, 1], [0, 0], [2, 1]]
    assert tree.answer.tolist() == [0, 1, 2, 3, 0, 5]
    left = 3 / 8 * -(2 / 3 * np.log2(2 / 3) + 1 / 3 * np.log2(1 / 3))
    assert tree.gain[0] == pytest.approx(1 - left)
    rows = pd.DataFrame({"x": [-5, 1.999, 2, 3.999, 4, 6, 8, 99]})
    assert tree.apply(rows).tolist() == [1, 1, 2, 2, 3, 4, 5, 5]
    branches = [tree.node(i).branch for i in range(1, 6)]
    assert branches == ["< 2", "2 to 4", "4 to 6", "6 to 8", "≥ 8"]
    (found,) = tc.candidates(tree, 0, small()).ranked
    assert found.branches == (("< 2",), ("2 to 4",), ("4 to 6",), ("≥ 8",))
    assert (found.chosen, found.threshold, found.n_rows) == (True, None, (2, 2, 1, 3))
    assert found.gain == pytest.approx(tree.gain[0])


def test_mdl_finds_the_number_of_bins():
    train = parts_of("iris")["train"]
    tree = tc.grow(train, numeric="entropy_mdl")
    cuts = {f.name: len(f.cuts) for f in tree.schema.features}
    assert max(cuts.values()) == 2
    assert tree.n_children[0] == 3
    assert np.mean(tree.predict(parts_of("iris")["test"]) == parts_of("iris")["test"].target_column.labels()) > 0.85


def test_a_missing_value_of_its_own_has_the_last_branch():
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3, np.nan, np.nan], "y": list("aabbcc")})
    table = tc.read_table(frame, target="y", kinds={"x": "numeric"})
    tree = tc.grow(table, numeric="equal_width", bins=2, missing="own_value")
    assert tree.n_rows.tolist() == [6, 2, 2, 2]
    assert tree.splits.cuts.tolist() == [1.5, np.inf]
    rows = pd.DataFrame({"x": [np.nan, 0.0, np.inf, -np.inf]})
    assert tree.predict(rows).tolist() == ["c", "a", "b", "a"]
    assert [tree.node(i).branch for i in (1, 2, 3)] == ["< 1.5", "≥ 1.5", "missing"]


def test_a_feature_without_cuts_is_never_asked():
    table = tc.read_table(
        pd.DataFrame({"x": [3.0] * 6, "z": [0.0, 0, 0, 1, 1, 1], "y": list("aaabbb")}), target="y",
        kinds={"x": "numeric", "z": "numeric"}, features=["x", "z"],
    )  # fmt: skip
    tree = tc.grow(table, numeric="equal_width")
    assert tree.schema.features[0].cuts == ()
    assert set(tree.splits.feature[~tree.is_leaf].tolist()) == {1}
    assert tc.Tree.from_dict(tree.to_dict()).schema == tree.schema


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"score": "twoing"}, "numeric: Twoing is defined for two branches.*take another score"),
        ({"selector": "conditional"}, "numeric: Conditional inference .*mean nothing.*'threshold'.*another selector"),
        ({"selector": "chaid"}, "numeric: Merged categories .*mean nothing"),
    ],
)
def test_bins_that_mean_nothing_are_refused(settings, words):
    with pytest.raises(tc.TreecoreError, match=words):
        tc.grow(parts_of("iris")["train"], numeric="equal_width", **settings)


def test_bins_by_class_need_classes():
    with pytest.raises(tc.TreecoreError, match=r"numeric: Entropy with MDL needs classes.*threshold, equal_width, eq"):
        tc.grow(parts_of("mpg")["train"], numeric="entropy_mdl")
    with pytest.raises(tc.TreecoreError, match=r"no numeric split called 'thirds'.*threshold, equal_width"):
        tc.GrowSettings(numeric="thirds")
    for bins in (1, 1001, 2.5):
        with pytest.raises(tc.TreecoreError, match="bins: "):
            tc.GrowSettings(numeric="equal_width", bins=bins)


TESTED = ("conditional", "chaid")


@pytest.mark.parametrize("preset", [p.name for p in tc.PRESETS.values() if p.growth.selector not in TESTED])
@pytest.mark.parametrize("method", [n for n in NUMERIC_SPLITS if n != "threshold"])
def test_every_other_algorithm_can_branch_by_bins(preset, method):
    train = parts_of("titanic")["train"]
    tree = tc.grow(train, preset, numeric=method)
    assert (tree.splits.kind == CUTS).any()
    assert tree.predict(train.to_frame()).tolist() == tree.predict(train).tolist()


@pytest.mark.parametrize("missing", ["majority", "own_value", "fractional"])
def test_a_split_by_bins_can_be_taken(missing):
    train = parts_of("titanic")["train"]
    growth = tc.GrowSettings(numeric="equal_frequency", bins=3, missing=missing, max_depth=3)
    tree = tc.grow(train, growth)
    rival = next(c for c in tc.candidates(tree, 0, train).per_feature() if c.feature == "age")
    assert not rival.chosen
    take = take_of(tree, 0, rival)
    assert Recipe.from_json(Recipe((Grow(), take)).to_json()).steps[1] == take
    taken = grow_with(train, growth, (take,))
    assert taken.node(0).feature == "age"
    assert taken.splits.kind[0] == CUTS
    assert taken.n_children[0] == 3 + (missing == "own_value")
    (found,) = (c for c in tc.candidates(taken, 0, train).ranked if c.chosen)
    assert found.gain == pytest.approx(rival.gain) == pytest.approx(taken.gain[0])
    assert found.n_rows == rival.n_rows


def test_a_threshold_cannot_be_taken_where_bins_branch():
    train, growth = parts_of("iris")["train"], tc.GrowSettings(numeric="equal_width", bins=3)
    feature = train.features[0]
    for take in (Take((), "", feature, 5.0), Take((), "", feature, None, (("low",), ("high",)))):
        with pytest.raises(tc.TreecoreError, match=r"branches by its bins here.*Its bins are: < "):
            grow_with(train, growth, (take,))


def test_the_landscape_has_a_bar_for_the_bins():
    train = parts_of("iris")["train"]
    tree = tc.grow(train, numeric="equal_width", bins=3)
    found = landscape(tree, 0, train)
    assert {len(part.groupings) for part in found.parts} == {1}
    assert found.best == pytest.approx(tree.gain[0])


def test_rows_of_other_roles_do_not_move_the_bins_of_a_candidate():
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], numeric="equal_frequency", bins=4, max_depth=3)
    numeric = [f for f in tree.schema.features if f.numeric]
    listed = tc.candidates(tree, 0, parts["test"])
    assert numeric
    for feature in numeric:
        (found,) = listed.of(feature.name)
        assert {b for (b,) in found.branches} <= set(feature.level_names)


def test_the_bins_of_a_feature_stand_in_for_another_one():
    x = [100.0 + 5 * i for i in range(20)]
    c = [None if i in (3, 12) else "uv"[(i >= 10) ^ (i == 7)] for i in range(20)]
    y = ["ab"[(cell or "uv"[i >= 10]) == "v"] for i, cell in enumerate(c)]
    frame = pd.DataFrame({"c": c, "x": x, "z": [i % 3 + 50.0 for i in range(20)], "y": y})
    table = tc.read_table(frame, target="y", kinds={"c": "nominal", "x": "numeric", "z": "numeric"})
    tree = tc.grow(table, numeric="equal_width", bins=4, nominal="subset", missing="surrogates")
    assert tree.node(0).feature == "c"
    assert tree.schema.features[tree.surrogates.feature[0]].name == "x"
    # bins of 23.75: 100 to 120, 125 to 145, 150 to 170, 175 to 195; row 7 is at 135
    assert tree.surrogates.levels(0).tolist() == [0, 0, 1, 1]
    assert tree.surrogate_rows[0] == 2
    rows = pd.DataFrame({"c": [None] * 5, "x": [-50.0, 147.4, 147.5, 190.0, 1e9], "z": [50.0] * 5})
    assert tree.predict(rows).tolist() == ["a", "a", "b", "b", "b"]
    found = regions(tree, "x", "z", {"c": None}, ranges={"x": (0.0, 300.0), "z": (0.0, 99.0)})
    assert sorted(zip(found.x0.tolist(), found.x1.tolist(), found.value.tolist(), strict=True))[0][0] == 0
    points = np.array([1.0, 147.4, 147.5, 299.0])
    assert found.value[found.index_at(points, np.full(4, 50.0))].tolist() == [0, 0, 1, 1]
    other = regions(tree, "c", "z", {"x": 190.0}, ranges={"z": (0.0, 99.0)})
    assert other.value[other.index_at(np.array([0.0, 1.0]), np.array([50.0, 50.0]))].tolist() == [0, 1]
    blank = regions(tree, "z", "x", {"c": None}, ranges={"x": (0.0, 300.0), "z": (0.0, 99.0)})
    assert blank.value[blank.index_at(np.full(4, 50.0), points)].tolist() == [0, 0, 1, 1]
    assert step_values(tree, rows) == ["a", "a", "b", "b", "b"]


def step_values(tree, rows) -> list:
    """As the surrogate says of fixed values: one region each."""
    found = []
    for x in rows["x"]:
        plane = Plane(tree, (), fixed_codes(tree, (), {"c": None, "x": x, "z": 50.0}))
        ((node, _, _),) = [end for end in plane.ends_in(tree.is_leaf) if end[2]]
        found.append(tree.node(node).predicted)
    return found
