"""The numbers of the Compare page, recounted."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.evaluation import default_fixed, plot_ranges
from treecore.evaluation.agreement import mcnemar
from treecore.evaluation.disagreement import disagreement, weight_inside
from treecore.evaluation.overlay import overlay
from treecore.fit import edit_of
from treecore.recipe import Prepare, Split


def test_changed_rows_are_counted(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    shown = app.at.dataframe[1].value.set_index("rows of")
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    for role, part in parts.items():
        before, after, truth = tree.predict(part), small.predict(part), part.target_column.labels()
        assert shown.loc[role, "answer changes"] == (before != after).sum() > 0
        assert shown.loc[role, "right only in B"] == ((after == truth) & (before != truth)).sum()
        assert shown.loc[role, "right only in A"] == ((before == truth) & (after != truth)).sum()


def test_sizes_and_accuracies(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    shown = app.at.dataframe[0].value
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    assert shown["leaves"].tolist() == [tree.n_leaves, small.n_leaves, 1]
    for column in shown.columns[3:]:
        role = next(r for r in parts if r in column)
        right = [(t.predict(parts[role]) == parts[role].target_column.labels()).mean() for t in (tree, small)]
        assert abs(shown[column] - [*right, 1 - (parts[role].target_column.codes == 1).mean()]).max() < 1e-12


def parts_of(name: str) -> dict:
    return dict(zip(("train", "validation", "test"), read_sample(name).split(tc.Roles()), strict=True))


def table_with(app, column: str):
    """The first table of the page that has a column of this name."""
    return next(d.value for d in app.at.dataframe if column in d.value.columns)


def numbers(app) -> pd.DataFrame:
    return app.at.dataframe[0].value


def trees_offered(app) -> list[str]:
    return list(app.widget("compared_A").options)


def test_every_pruner_and_every_fitting_preset_is_offered(app):
    app.sample("titanic").go("compare")
    offered = trees_offered(app)
    assert offered[:2] == ["The tree in force", "The same, unpruned"]
    for name, pruner in tc.PRUNERS.items():
        assert (f"Pruned otherwise: {pruner.label}" in offered) == (name != "none")
    for preset in tc.PRESETS.values():
        how = "pruned as the peer does" if preset.name in ("rpart", "j48", "reptree") else "unpruned"
        assert f"Grown otherwise, {how}: {preset.label}" in offered
    app.sample("mpg").go("compare")
    for preset in tc.PRESETS.values():
        found = [label for label in trees_offered(app) if label.startswith("Grown") and label.endswith(preset.label)]
        assert len(found) == (preset.task == "")


def pruned(tree, name: str, parts: dict):
    """(the tree that a strategy leaves, what it says where it refuses)."""
    try:
        return tree.cut(tc.prune(tree, name, train=parts["train"], validation=parts["validation"])), ""
    except tc.TreecoreError as fault:
        return None, fault.what.rstrip(".")


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_every_tree_is_compared_or_its_refusal_is_said_in_place(app, sample):
    app.sample(sample).go("compare")
    parts, tree = parts_of(sample), tc.grow(parts_of(sample)["train"])
    for name, pruner in tc.PRUNERS.items():
        if name == "none":
            continue
        app.set("compared_B", f"pruner {name}")
        small, refusal = pruned(tree, name, parts)
        if refusal:
            assert any(refusal in text for text in app.errors()), name
            continue
        assert app.errors() == []
        assert numbers(app)["leaves"].tolist() == [tree.n_leaves, small.n_leaves, 1], name
        assert numbers(app)[""].tolist()[1] == f"B: pruned otherwise: {pruner.label}"


def test_another_preset_is_grown_on_the_same_rows(app):
    app.sample("titanic").go("compare").set("compared_B", "preset c4.5").set("view", "overlay")
    parts = parts_of("titanic")
    one, other = tc.grow(parts["train"]), tc.grow(parts["train"], "c4.5")
    assert numbers(app)["leaves"].tolist() == [one.n_leaves, other.n_leaves, 1]
    found = overlay(one, other).counts()
    assert f"{found['only A']:,} only in A" in app.text()
    assert f"{found['shifted']:,} same feature, parted elsewhere" in app.text()
    before, after, truth = (*(t.predict(parts["test"]) for t in (one, other)), parts["test"].target_column.labels())
    gained, lost = (after == truth) & (before != truth), (before == truth) & (after != truth)
    counts = app.at.dataframe[1].value.set_index("rows of").loc["test"]
    assert counts["p"] == mcnemar(int(gained.sum()), int(lost.sum()))
    assert counts["accuracy, B − A"] == pytest.approx((after == truth).mean() - (before == truth).mean())
    listed = table_with(app, "A says")
    rows = np.flatnonzero(before != after)
    assert listed["row"].tolist() == (parts["test"].row_numbers[rows] + 1).tolist()
    assert listed["right"].tolist() == ["B" if gained[r] else "A" if lost[r] else "" for r in rows]
    assert "exact McNemar test" in app.text()


def test_limits_and_costs_in_force_hold_for_another_preset_too(app):
    app.sample("titanic").go("compare").set("max_depth", 2).set("compared_B", "preset c4.5")
    assert numbers(app)["depth"].tolist() == [2, 2, 0]


def test_numbers_move_and_are_nearer(app):
    app.sample("mpg").go("compare").set("compared_B", "preset rpart")
    parts = parts_of("mpg")
    rpart = tc.grow(parts["train"], "rpart")
    trees = tc.grow(parts["train"], "cart"), rpart.cut(tc.prune(rpart, "rpart_cp"))
    a, b = (tree.predict(parts["test"]) for tree in trees)
    y = parts["test"].target_column.values()
    shown = app.at.dataframe[1].value.set_index("rows of").loc["test"]
    assert shown["answer moves"] == (a != b).sum()
    assert shown["nearer in B"] == ((a != b) & (abs(b - y) < abs(a - y))).sum()
    assert shown["RMSE, B − A"] == pytest.approx(np.sqrt(np.mean((b - y) ** 2)) - np.sqrt(np.mean((a - y) ** 2)))


def test_regions_in_which_the_trees_disagree(app):
    app.sample("iris").go("compare").set("max_depth", 1).click("keep_tree").set("max_depth", 4)
    app.set("compared_A", "kept tree 1").set("axis_x", "petallength").set("axis_y", "petalwidth")
    parts = parts_of("iris")
    one, other = tc.grow(parts["train"], max_depth=1), tc.grow(parts["train"], max_depth=4)
    features = ("petallength", "petalwidth")
    fixed, ranges = default_fixed(other, parts["train"]), plot_ranges(features, *parts.values())
    found = disagreement(one, other, features, fixed, ranges)
    assert f"They disagree on {100 * found.share:.3g} % of the plane" in app.text()
    inside = table_with(app, "rows that lie there").set_index("rows of")["rows that lie there"]
    for role, part in parts.items():
        values = (part.column(name).values() for name in features)
        assert inside[role] == found.covers(*values).sum() == weight_inside(found, one, part)[0]


def test_one_feature_is_compared_along_its_range(app):
    app.sample("curve").go("compare").set("max_depth", 2).click("keep_tree").set("max_depth", 3)
    app.set("compared_A", "kept tree 1")
    assert "% of the range shown" in app.text()
    assert not app.has("axis_x")


HOSTILE = '![x](http://e) <b>"$a$'


def test_a_kept_tree_stays_what_it_was_until_it_is_removed(app):
    app.sample("titanic").go("compare").set("max_depth", 2).set("name_to_keep", HOSTILE).click("keep_tree")
    app.set("max_depth", 6)
    assert trees_offered(app)[-1] == f"Kept: {HOSTILE}"
    app.set("compared_A", f"kept {HOSTILE}")
    assert numbers(app)["depth"].tolist() == [2, 6, 0]
    assert numbers(app)[""].tolist()[0] == f"A: Kept: {HOSTILE}"
    assert HOSTILE in app.text()
    assert not any("![x](" in e.value for e in (*app.at.markdown, *app.at.caption))
    app.go("grow").go("data").go("compare")
    assert numbers(app)["depth"].tolist() == [2, 6, 0]
    app.click("swap_trees")
    assert numbers(app)["depth"].tolist() == [6, 2, 0]
    app.click("drop_tree 0")
    assert numbers(app)["depth"].tolist()[1] == 6
    assert not any(label.startswith("Kept") for label in trees_offered(app))


def test_two_trees_of_one_name_are_told_apart(app):
    app.sample("titanic").go("compare")
    for depth in (1, 2):
        app.set("max_depth", depth).set("name_to_keep", "mine").click("keep_tree")
    assert trees_offered(app)[-2:] == ["Kept: mine", "Kept: mine (2)"]
    app.set("compared_A", "kept mine").set("compared_B", "kept mine (2)")
    assert numbers(app)["depth"].tolist() == [1, 2, 0]


def test_a_new_table_forgets_the_kept_trees(app):
    app.sample("titanic").go("compare").click("keep_tree").set("compared_A", "kept tree 1")
    app.sample("iris").go("compare")
    assert not any(label.startswith("Kept") for label in trees_offered(app))
    assert numbers(app)[""].tolist()[:2] == ["A: the same, unpruned", "B: the tree in force"]


def test_another_target_grows_the_kept_trees_anew(app):
    app.sample("titanic").go("compare").set("max_depth", 2).click("keep_tree").set("compared_A", "kept tree 1")
    app.change(target="pclass").go("compare")
    assert app.errors() == []
    assert numbers(app)["depth"].tolist()[0] == 2


def test_ghosts_are_only_of_cuts_of_the_tree_in_force(app):
    app.sample("titanic").go("compare").set("compared_A", "pruner reduced_error")
    assert list(app.widget("view").options) == ["side by side", "overlay", "ghosts"]
    app.set("view", "ghosts")
    assert "Ghosts: what is cut in A: pruned otherwise: Reduced error" in app.text()
    app.set("compared_B", "preset id3")
    assert list(app.widget("view").options) == ["side by side", "overlay"]
    assert app.errors() == []


def test_without_validation_rows_a_pruner_says_why_it_cannot(app):
    app.sample("titanic").change(split=Split(train=0.8, validation=0.0, test=0.2))
    app.go("compare").set("compared_B", "pruner reduced_error")
    assert any("no validation rows" in text for text in app.errors())
    app.set("compared_B", "in force")
    assert app.errors() == []


def test_steps_by_hand_can_be_compared_with_the_tree_without_them(app):
    app.sample("titanic").go("compare")
    tree = tc.grow(parts_of("titanic")["train"])
    app.change(edits=(edit_of(tree, 1, "cut"),))
    app.set("compared_A", "untouched")
    assert numbers(app)["leaves"].tolist() == [tree.n_leaves, tree.pruned_at(np.arange(tree.n_nodes) == 1).n_leaves, 1]
    app.change(edits=())
    assert numbers(app)[""].tolist()[0] == "A: the same, unpruned"


def test_trees_prepared_in_different_ways_are_judged_on_the_rows_as_given(app):
    app.sample("titanic").go("compare").set("max_depth", 3).click("keep_tree")
    app.change(prepare=Prepare(bins=(("age", "equal_width", 4),))).set("compared_A", "kept tree 1")
    for view in ("side by side", "overlay"):
        app.set("view", view)
        (fault,) = app.errors()
        assert "Feature 'age'**: The two trees were grown on different values of it" in fault
    parts = parts_of("titanic")
    shown = numbers(app)
    binned = Prepare(bins=(("age", "equal_width", 4),)).tables(parts["train"])[0]
    trees = tc.grow(parts["train"], max_depth=3), tc.grow(binned, max_depth=3)
    right = [(t.predict(parts["test"]) == parts["test"].target_column.labels()).mean() for t in trees]
    assert shown[next(c for c in shown.columns if "test" in c)].tolist()[:2] == pytest.approx(right)


def test_names_that_are_also_ours_and_hostile_ones(app):
    rng = np.random.default_rng(0)
    lines = ['row,right,A says,"![x](http://e) <b>",y']
    lines += [f"{a},{b},{c},{d},{'up' if a + d > 9 else 'down'}" for a, b, c, d in rng.integers(0, 10, (80, 4))]
    app.upload("\n".join(lines).encode()).go("compare").set("max_depth", 1).click("keep_tree").set("max_depth", 5)
    app.set("compared_A", "kept tree 1")
    listed = table_with(app, "true y")
    assert {"row", "row (feature)", "right (feature)", "A says (feature)"} <= set(listed.columns)
    for view in ("overlay", "side by side"):
        app.set("view", view)
        assert app.errors() == []
    assert not any("![x](" in e.value for e in (*app.at.markdown, *app.at.caption))
