"""Named ways to grow."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.peers.rpart import Rpart
from tests.property.naive import Sample
from treecore.data.samples import read_sample
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.recipe import Grow, own_pruning

LABELS = {
    "cart": "CART",
    "id3": "ID3",
    "c4.5": "C4.5",
    "hunt": "Hunt",
    "rpart": "rpart (R)",
    "sklearn": "scikit-learn",
    "weka-id3": "Id3 (Weka)",
    "j48": "J48 (Weka)",
    "reptree": "REPTree (Weka)",
    "ctree": "Conditional inference tree",
    "chaid": "CHAID",
}
FOR_CLASSES = ["id3", "c4.5", "hunt", "weka-id3", "j48"]
MISSING = {
    "cart": "surrogates",
    "c4.5": "fractional",
    "j48": "fractional",
    "reptree": "fractional",
    "rpart": "rpart",
    "sklearn": "both_ways",
    "ctree": "majority_rows",
    "chaid": "own_value",
}


def test_a_preset_is_its_settings():
    sample = Sample(["nominal"], [[0, 1, 2, 0, 1, 2]], [3], [0, 1, 1, 0, 1, 0], 2)
    for preset in tc.PRESETS.values():
        by_name, by_settings = tc.grow(sample.table(), preset.name), tc.grow(sample.table(), preset.growth)
        assert by_name.to_dict() == by_settings.to_dict()
        assert preset.note
        assert preset.source


def test_cart_cuts_in_two_and_id3_branches_by_level():
    table = Sample(["nominal"], [[0, 1, 2, 0, 1, 2]], [4], [0, 1, 1, 0, 1, 0], 2).table()
    cart, id3 = tc.grow(table, "cart"), tc.grow(table, "id3")
    assert (cart.criterion, cart.n_children[0]) == ("gini", 2)
    assert (id3.criterion, id3.n_children[0]) == ("entropy", 4)
    assert id3.n_rows[4] == 0


def test_id3_is_for_classes():
    with pytest.raises(tc.TreecoreError):
        tc.grow(Sample(["numeric"], [[1, 2, 3]], [0], [1, 2, 3.5], 0).table(), "id3")


@pytest.mark.parametrize("preset", ["ctree", "chaid"])
@pytest.mark.parametrize("n_classes", [3, 0])
def test_significance_presets_take_both_kinds_of_target(preset, n_classes):
    x = [v for v in range(3) for _ in range(20)]
    y = x if n_classes else [[0.0, 5.0, 9.0][v] + i % 2 for i, v in enumerate(x)]
    table = Sample(["numeric"], [x], [0], y, n_classes).table()
    tree = tc.grow(table, preset)
    assert tree.n_children[0] == (3 if preset == "chaid" else 2)
    assert sorted(tree.n_rows[tree.is_leaf].tolist()) == [20, 20, 20]
    assert tc.PRESETS[preset].task == ""


def test_limits_of_the_significance_presets():
    ctree, chaid = (tc.PRESETS[name].growth for name in ("ctree", "chaid"))
    for growth in (ctree, chaid):
        assert (growth.alpha, growth.min_rows_split, growth.min_rows_leaf) == (0.05, 20, 7)
    assert (ctree.missing, ctree.adjustment) == ("majority_rows", "bonferroni")
    assert (chaid.missing, chaid.merge_alpha, chaid.chaid_bins) == ("own_value", 0.05, 10)


def test_an_unknown_preset_is_told_the_known_ones():
    with pytest.raises(tc.TreecoreError, match="cart, id3"):
        tc.grow(Sample(["numeric"], [[1, 2, 3]], [0], [1, 2, 3.5], 0).table(), "c9")


def test_the_presets_and_what_they_do_with_missing_values():
    assert {name: preset.label for name, preset in tc.PRESETS.items()} == LABELS
    assert {n: p.growth.missing for n, p in tc.PRESETS.items() if p.growth.missing != "majority"} == MISSING
    assert [name for name, preset in tc.PRESETS.items() if preset.task] == FOR_CLASSES


@pytest.mark.parametrize(("name", "label"), LABELS.items())
def test_the_line_of_a_recipe(name, label):
    recipe = tc.Recipe((Grow(name, (("max_depth", 3), ("criterion", tc.PRESETS[name].growth.criterion))),))
    assert recipe.text().startswith(f"{label} · ")
    assert recipe.text().endswith("maximum depth 3")
    assert tc.Recipe((Grow(name),)).text() == label


@pytest.mark.parametrize("name", tc.PRESETS)
def test_a_preset_survives_json(name):
    growth = tc.PRESETS[name].growth
    assert tc.GrowSettings.from_dict(json.loads(json.dumps(growth.to_dict()))) == growth
    recipe = tc.Recipe((Grow(name),))
    assert tc.Recipe.from_json(recipe.to_json()) == recipe
    assert tc.Recipe.from_json(recipe.to_json()).growth() == growth


@pytest.mark.parametrize("name", tc.PRESETS)
def test_a_note_is_a_few_whole_sentences(name):
    note = tc.PRESETS[name].note
    assert note.endswith(".")
    assert 1 <= note.count(". ") + 1 <= 4
    assert len(note) < 400


@pytest.mark.parametrize("name", tc.PRESETS)
@pytest.mark.parametrize("sample", ["titanic", "penguins", "play_tennis_day8"])
def test_every_preset_grows_on_classes_with_missing_values(name, sample):
    table = read_sample(sample)
    tree = tc.grow(table, name)
    assert tree.weight[0] == pytest.approx(table.n_rows)
    if sample != "play_tennis_day8":  # 14 days are too few for limits of 20
        assert tree.n_leaves > 1
        truth = table.target_column.labels()
        right = np.mean([a == b for a, b in zip(tree.predict(table), truth, strict=True)])
        assert right > 0.75 > max(table.target_column.present()) / table.n_rows


@pytest.mark.parametrize("name", [name for name in tc.PRESETS if name not in FOR_CLASSES])
def test_the_others_grow_on_numbers_with_missing_values(name):
    table = read_sample("mpg")
    tree = tc.grow(table, name)
    error = np.mean((tree.predict(table) - table.target_column.values()) ** 2)
    assert error < 0.3 * tree.impurity[0]


@pytest.mark.parametrize("name", FOR_CLASSES)
def test_what_is_for_classes_refuses_numbers_and_says_what_helps(name):
    with pytest.raises(tc.TreecoreError, match="number") as caught:
        tc.grow(read_sample("mpg"), name)
    assert caught.value.where in ("criterion", "score")
    assert "squared_error" in caught.value.remedy or "decrease" in caught.value.remedy


# one by one


def test_hunt_goes_on_until_the_leaves_are_pure_or_equal():
    xor = read_sample("xor")
    assert [tc.grow(xor, name).n_leaves for name in ("id3", "hunt")] == [1, 4]
    rows = [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]
    table = Sample(["nominal", "nominal"], rows, [2, 2], [0, 1, 1, 0, 0], 2).table()
    tree = tc.grow(table, "hunt")
    impure = [t for t in range(tree.n_nodes) if tree.is_leaf[t] and tree.impurity[t] > 0]
    assert [tree.node(t).counts for t in impure] == [{"y=0": 1, "y=1": 1}], "two equal rows of two classes"


def test_cart_asks_a_surrogate_even_if_no_training_row_lacks_a_value():
    x, twin = list(range(20)), [2 * v + 1 for v in range(20)]
    table = Sample(["numeric", "numeric"], [x, twin], [0, 0], [int(v > 12) for v in x], 2).table()
    tree = tc.grow(table, "cart")
    rows = pd.DataFrame({"x0": [np.nan, np.nan], "x1": [3.0, 39.0]})
    assert tree.predict(rows).tolist() == ["y=0", "y=1"]
    assert tc.grow(table, "cart", missing="majority").predict(rows).tolist() == ["y=0", "y=0"]


def test_c45_needs_two_rows_in_two_branches():
    table = Sample(["numeric"], [[1, 2, 3, 4, 5]], [0], [0, 1, 1, 1, 1], 2).table()
    assert tc.grow(table, "c4.5", max_depth=1).splits.threshold[0] == 2, "1 alone would be pure"
    assert tc.grow(table, "c4.5", max_depth=1, min_weight_leaf=1).splits.threshold[0] == 1
    three = Sample(["numeric"], [[1, 2, 3]], [0], [0, 1, 1], 2).table()
    assert tc.grow(three, "c4.5").n_nodes == 1


def test_rpart_is_grown_with_the_limits_of_the_package():
    defaults = dict(
        method="class", minsplit=20, minbucket=7, maxdepth=30, usesurrogate=2, maxsurrogate=5, surrogatestyle=0,
        parms={"split": "gini"},
    )  # fmt: skip
    preset = tc.PRESETS["rpart"].growth.to_dict()
    assert Rpart().growth(
        SimpleNamespace(settings=defaults, data={"settings": defaults}, get={}.get)
    ).to_dict() == preset | {"criterion": "gini"}
    tree = tc.grow(read_sample("titanic"), "rpart")
    assert tree.n_rows[tree.is_leaf].min() >= 7
    assert tree.n_rows[~tree.is_leaf].min() >= 20
    assert 1 < tree.cut(tc.prune(tree, "rpart_cp", cp=0.01)).n_leaves < tree.n_leaves


@pytest.mark.parametrize("seed", range(4))
def test_sklearn_is_the_tree_of_scikit_learn(seed):
    """Down to depth 3: below, small nodes have equal splits, of which scikit-learn draws one."""
    sklearn_tree = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(400, 4))
    y = ((x[:, 0] > 0.3) ^ (x[:, 1] + 0.3 * rng.normal(size=400) > 0)).astype(int)
    x[rng.random(x.shape) < 0.1] = np.nan
    frame = pd.DataFrame(x, columns=list("abcd")).assign(y=np.array(["n", "p"])[y])
    tree = tc.grow(tc.read_table(frame, target="y"), "sklearn", max_depth=3)
    theirs = sklearn_tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y).tree_
    assert tree.n_nodes == theirs.node_count
    ours = sorted(tree.splits.threshold[~tree.is_leaf].tolist())
    assert ours == pytest.approx(sorted(theirs.threshold[theirs.children_left >= 0].tolist()), abs=1e-12)
    assert sorted(tree.impurity.tolist()) == pytest.approx(sorted(theirs.impurity.tolist()), abs=1e-12)


def test_peers_bring_the_pruning_of_their_fit_and_textbooks_none():
    own = {name: own_pruning(name).method for name in tc.PRESETS if own_pruning(name).method != "none"}
    assert own == {"rpart": "rpart_cp", "j48": "error_based", "reptree": "reptree"}


def test_a_fit_by_name_prunes_as_the_peer_does():
    table = read_sample("iris")
    found = tc.fit(table, "j48")
    assert found.cuts.cut_nodes.tolist() == tc.prune(found.grown, "error_based", train=table).cut_nodes.tolist()
    assert found.tree.n_leaves == 5, "Weka 3.6.14 prints 5 leaves for these 150 rows"
    assert not tc.fit(table, "c4.5").cuts.changes


def test_the_note_on_j48_names_the_gap_that_its_thresholds_need():
    """Weka 3, C45Split: value + 1e-5 < next value."""
    gap = THRESHOLD_RULES["j48"].min_gap
    assert gap == 1e-5
    assert f"numbers up to {gap:.5f} apart are equal" in tc.PRESETS["j48"].note
