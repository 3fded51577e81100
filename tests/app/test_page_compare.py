"""The numbers of the Compare page, recounted."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.figures import brief
from treecore.fit import edit_of
from treecore.recipe import Grow, Prepare, Prune, Split
from treecore.study import default_fixed, plot_ranges
from treecore.study.disagreement import disagreement, weight_inside
from treecore.study.metrics import mcnemar
from treecore.study.overlay import NodeMatch, best_match, overlay
from treecore.tree.binary_chain import binary_chain


def compare(app, a: str | None = None, b: str | None = None):
    """Choose the trees by their names."""
    chosen = {f"compared {side}": name for side, name in (("A", a), ("B", b)) if name}
    return app.change(choices={**app.record().choices, **chosen})


def numbers(app) -> pd.DataFrame:
    """The table of sizes and qualities, by what is measured."""
    return app.at.dataframe[0].value.set_index("")


def of(app, name: str) -> list[int]:
    """Leaves or depth of A, B and the root alone."""
    return [int(value.replace(",", "")) for value in numbers(app).loc[name]]


def percents(shares) -> list[str]:
    return [f"{100 * share:.1f} %" for share in shares]


def test_changed_rows_are_counted(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    compare(app, "unpruned", "in force")
    shown = app.at.dataframe[1].value.set_index("rows of")
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    for role, part in parts.items():
        before, after, truth = tree.predict(part), small.predict(part), part.target_column.labels()
        assert shown.loc[role, "changes"] == (before != after).sum() > 0
        assert shown.loc[role, "only B right ▶"] == ((after == truth) & (before != truth)).sum()
        assert shown.loc[role, "◀ only A right"] == ((before == truth) & (after != truth)).sum()


def test_sizes_and_accuracies(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    assert app.pane("bench_B_in_drawer")["tag"] == "B: your tree, unpruned", "what it is compared with at first"
    compare(app, "unpruned", "in force")
    shown = numbers(app)
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    assert of(app, "leaves") == [tree.n_leaves, small.n_leaves, 1]
    for measure in shown.index[2:]:
        role = next(r for r in parts if r in measure)
        right = [(t.predict(parts[role]) == parts[role].target_column.labels()).mean() for t in (tree, small)]
        assert shown.loc[measure].tolist() == percents([*right, 1 - (parts[role].target_column.codes == 1).mean()])


def parts_of(name: str) -> dict:
    return dict(zip(("train", "validation", "test"), read_sample(name).split(tc.Roles()), strict=True))


def table_with(app, column: str):
    """The first table of the page that has a column of this name."""
    return next(d.value for d in app.at.dataframe if column in d.value.columns)


def trees_offered(app, group: str) -> list[str]:
    """What the menu of A has in a group; there is always an algorithm to choose."""
    return list(app.set("compared_A_group", group).widget("compared_A").options)


def test_every_pruner_and_every_fitting_preset_is_offered_in_its_group(app):
    app.sample("titanic").go("compare")
    assert trees_offered(app, "Your settings")[:2] == ["Your tree", "Unpruned"]
    labels = [pruner.label for name, pruner in tc.PRUNERS.items() if name != "none"]
    assert [label.replace("\\", "") for label in trees_offered(app, "Another pruning")] == labels
    assert trees_offered(app, "Another algorithm") == [preset.label for preset in tc.PRESETS.values()]
    assert app.record().choices["compared A"] == "preset id3", "not the one that your tree is grown by"
    assert not app.has("compared_A_group") or "Kept" not in app.widget("compared_A_group").options
    app.sample("mpg").go("compare")
    fitting = [preset.label for preset in tc.PRESETS.values() if preset.task == ""]
    assert trees_offered(app, "Another algorithm") == fitting


def test_another_algorithm_is_pruned_as_yours_unless_it_is_asked_for_as_it_grows(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    app.set("compared_B_group", "Another algorithm").set("compared_B", "c4.5")
    parts = parts_of("titanic")
    whole = tc.grow(parts["train"], "c4.5")
    small = whole.cut(tc.prune(whole, "reduced_error", validation=parts["validation"]))
    assert of(app, "leaves")[1] == small.n_leaves < whole.n_leaves
    assert "pruned as yours (reduced error)" in app.text()
    app.set("compared_B_unpruned", True)
    assert of(app, "leaves")[1] == whole.n_leaves
    app.set("compared_B_unpruned", False).set("compared_B", "j48")
    own = tc.grow(parts["train"], "j48")
    assert of(app, "leaves")[1] == own.cut(tc.prune(own, tc.PRESETS["j48"].prune, train=parts["train"])).n_leaves
    assert "pruned as it does itself" in app.text()


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
        compare(app, "unpruned", f"pruner {name}")
        small, refusal = pruned(tree, name, parts)
        if refusal:
            assert any(refusal in text for text in app.errors()), name
            continue
        assert app.errors() == []
        assert of(app, "leaves") == [tree.n_leaves, small.n_leaves, 1], name
        assert app.pane("bench_B_in_drawer")["tag"] == f"B: your tree, pruned otherwise: {pruner.label}"


def test_another_preset_is_grown_on_the_same_rows(app):
    compare(app.sample("titanic").go("compare"), b="preset c4.5").set("view", "overlay")
    parts = parts_of("titanic")
    one, other = tc.grow(parts["train"]), tc.grow(parts["train"], "c4.5")
    assert of(app, "leaves") == [one.n_leaves, other.n_leaves, 1]
    found = overlay(one, other).counts()
    assert f"{found['only A']:,} only in A" in app.text()
    assert f"{found['shifted']:,} same feature, split elsewhere" in app.text()
    before, after, truth = (*(t.predict(parts["test"]) for t in (one, other)), parts["test"].target_column.labels())
    gained, lost = (after == truth) & (before != truth), (before == truth) & (after != truth)
    counts = app.at.dataframe[1].value.set_index("rows of").loc["test"]
    assert counts["p"] == mcnemar(int(gained.sum()), int(lost.sum()))
    points = 100 * ((after == truth).mean() - (before == truth).mean())
    assert counts["B − A, points"] == round(points, 1)
    assert "exact McNemar test" in app.text()
    app.set("compare_tab", "Rows")
    listed = table_with(app, "A says")
    rows = np.flatnonzero(before != after)
    assert listed["row"].tolist() == (parts["test"].row_numbers[rows] + 1).tolist()
    assert listed["right"].tolist() == ["B ▶" if gained[r] else "◀ A" if lost[r] else "" for r in rows]


def test_limits_and_costs_in_force_hold_for_another_preset_too(app):
    compare(app.sample("titanic").go("compare").set("max_depth", 2), b="preset c4.5")
    assert of(app, "depth") == [2, 2, 0]


def test_numbers_move_and_are_nearer(app):
    compare(app.sample("mpg").go("compare"), b="preset rpart")
    parts = parts_of("mpg")
    rpart = tc.grow(parts["train"], "rpart")
    trees = tc.grow(parts["train"], "cart"), rpart.cut(tc.prune(rpart, "rpart_cp"))
    a, b = (tree.predict(parts["test"]) for tree in trees)
    y = parts["test"].target_column.values()
    shown = app.at.dataframe[1].value.set_index("rows of").loc["test"]
    assert shown["answer moves"] == (a != b).sum()
    assert shown["nearer in B ▶"] == ((a != b) & (abs(b - y) < abs(a - y))).sum()
    assert [shown["RMSE, A"], shown["RMSE, B"]] == [float(brief(np.sqrt(np.mean((t - y) ** 2)))) for t in (a, b)]


def test_regions_in_which_the_trees_disagree(app):
    app.sample("iris").go("compare").set("max_depth", 1).click("keep_tree").set("max_depth", 4)
    compare(app, "kept tree 1", "in force").set("compare_tab", "Regions")
    app.set("axis_x", "petallength").set("axis_y", "petalwidth")
    parts = parts_of("iris")
    one, other = tc.grow(parts["train"], max_depth=1), tc.grow(parts["train"], max_depth=4)
    features = ("petallength", "petalwidth")
    fixed, ranges = default_fixed(other, parts["train"]), plot_ranges(features, *parts.values())
    found = disagreement(one, other, features, fixed, ranges)
    assert f"They disagree on {100 * found.share:.1f}\u00a0% of the plane" in app.text()
    inside = table_with(app, "rows that lie there").set_index("rows of")["rows that lie there"]
    for role, part in parts.items():
        values = (part.column(name).values() for name in features)
        assert inside[role] == found.covers(*values).sum() == weight_inside(found, one, part)[0]


def test_one_feature_is_compared_along_its_range(app):
    app.sample("curve").go("compare").set("max_depth", 2).click("keep_tree").set("max_depth", 3)
    compare(app, "kept tree 1", "in force").set("compare_tab", "Regions")
    assert "% of the range shown" in app.text()
    assert not app.has("axis_x")


HOSTILE = '![x](http://e) <b>"$a$'


def test_a_kept_tree_stays_what_it_was_until_it_is_removed(app):
    app.sample("titanic").go("compare").set("max_depth", 2).set("name_to_keep", HOSTILE).click("keep_tree")
    app.set("max_depth", 6)
    compare(app, f"kept {HOSTILE}", "in force")
    assert of(app, "depth") == [2, 6, 0]
    assert app.pane("bench_A")["tag"] == f"A: kept: {HOSTILE}"
    assert HOSTILE in app.text()
    assert not any("![x](" in e.value for e in (*app.at.markdown, *app.at.caption))
    app.go("grow").go("data").go("compare")
    assert of(app, "depth") == [2, 6, 0]
    app.click("swap_trees")
    assert of(app, "depth") == [6, 2, 0]
    app.click("drop_tree 0")
    assert of(app, "depth")[0] == 6
    assert "Kept" not in app.widget("compared_A_group").options


def test_two_trees_of_one_name_are_told_apart(app):
    app.sample("titanic").go("compare")
    for depth in (1, 2):
        app.set("max_depth", depth).set("name_to_keep", "mine").click("keep_tree")
    compare(app, "kept mine", "kept mine (2)")
    assert of(app, "depth") == [1, 2, 0]


def test_a_new_table_forgets_the_kept_trees(app):
    compare(app.sample("titanic").go("compare").click("keep_tree"), "kept tree 1")
    app.sample("iris").go("compare")
    assert "Kept" not in app.widget("compared_A_group").options
    assert app.pane("bench_compared")["tag"] == "A: your tree"


def test_another_target_grows_the_kept_trees_anew(app):
    compare(app.sample("titanic").go("compare").set("max_depth", 2).click("keep_tree"), "kept tree 1")
    app.change(target="pclass").go("compare")
    assert app.errors() == []
    assert of(app, "depth")[0] == 2


def test_ghosts_are_only_of_cuts_of_the_tree_in_force(app):
    compare(app.sample("titanic").go("compare"), "pruner reduced_error", "unpruned")
    assert list(app.widget("view").options) == ["Side by side", "Overlay", "Ghosts"]
    app.set("view", "ghosts")
    assert "Ghosts: what is pruned in A: your tree, pruned otherwise: Reduced error" in app.text()
    assert any(row.get("ghost") for row in app.pane()["nodes"])
    compare(app, b="preset id3")
    assert list(app.widget("view").options) == ["Side by side", "Overlay"]
    assert app.errors() == []


def test_without_validation_rows_a_pruner_says_why_it_cannot(app):
    app.sample("titanic").change(split=Split(train=0.8, validation=0.0, test=0.2))
    compare(app.go("compare"), b="pruner reduced_error")
    assert any("no validation rows" in text for text in app.errors())
    assert app.pane()["key"] == "bench", "your tree is there all the same"
    compare(app, b="in force")
    assert app.errors() == []


def test_steps_by_hand_can_be_compared_with_the_tree_without_them(app):
    app.sample("titanic").go("compare")
    tree = tc.grow(parts_of("titanic")["train"])
    app.change(edits=(edit_of(tree, 1, "cut"),))
    compare(app, "untouched", "in force")
    assert of(app, "leaves") == [tree.n_leaves, tree.pruned_at(np.arange(tree.n_nodes) == 1).n_leaves, 1]
    app.change(edits=())
    assert app.pane("bench_compared")["tag"] == "A: your tree"


def test_a_node_chosen_in_one_tree_is_chosen_in_the_other(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"])
    cuts = tc.prune(tree, "reduced_error", validation=parts["validation"])
    below = next(n for n in range(tree.n_nodes) if cuts.visible_ancestor(tree, n) not in (n, 0))
    app.change(selected=below)
    assert app.pane("bench_B_in_drawer")["selected"] == below
    assert app.pane("bench_compared")["selected"] == cuts.visible_ancestor(tree, below)
    compare(app, b="preset c4.5")
    other = tc.grow(parts["train"], "c4.5")
    small = other.cut(tc.prune(other, "reduced_error", validation=parts["validation"]))
    found = best_match(NodeMatch.of(tree, parts["train"]), below, NodeMatch.of(small, parts["train"]))[0]
    assert app.pane("bench_B_in_drawer")["selected"] == found


def test_your_tree_in_splits_of_two_branches(app):
    app.sample("iris").go("grow", grow=Grow("cart", (("numeric", "equal_width"), ("bins", 4))))
    compare(app.go("compare"), b="chain")
    tree = tc.grow(parts_of("iris")["train"], app.record().grow.growth())
    chain = binary_chain(tree).tree
    assert of(app, "leaves") == [tree.n_leaves, chain.n_leaves, 1]
    assert of(app, "depth")[1] == chain.depth > tree.depth
    assert app.at.dataframe[1].value["changes"].tolist() == [0, 0, 0]
    assert "B: your tree, in splits of two branches" in app.pane("bench_B_in_drawer")["tag"]
    for tab in ("Rows", "Regions", "Classes"):
        assert app.set("compare_tab", tab).errors() == []


def test_trees_prepared_in_different_ways_are_judged_on_the_rows_as_given(app):
    app.sample("titanic").go("compare").set("max_depth", 3).click("keep_tree")
    app.change(prepare=Prepare(bins=(("age", "equal_width", 4),)))
    compare(app, "kept tree 1", "in force")
    shown = numbers(app)
    parts = parts_of("titanic")
    binned = Prepare(bins=(("age", "equal_width", 4),)).tables(parts["train"])[0]
    trees = tc.grow(parts["train"], max_depth=3), tc.grow(binned, max_depth=3)
    right = [(t.predict(parts["test"]) == parts["test"].target_column.labels()).mean() for t in trees]
    assert shown.loc[next(m for m in shown.index if "test" in m)].tolist()[:2] == percents(right)
    for view in ("beside", "overlay"):
        app.set("view", view).set("compare_tab", "Regions")
        (fault,) = app.errors()
        assert "Feature 'age'**: The two trees were grown on different values of it" in fault


def test_names_that_are_also_ours_and_hostile_ones(app):
    rng = np.random.default_rng(0)
    lines = ['row,right,A says,"![x](http://e) <b>",y']
    lines += [f"{a},{b},{c},{d},{'up' if a + d > 9 else 'down'}" for a, b, c, d in rng.integers(0, 10, (80, 4))]
    app.upload("\n".join(lines).encode()).go("compare").set("max_depth", 1).click("keep_tree").set("max_depth", 5)
    compare(app, "kept tree 1", "in force").set("compare_tab", "Rows")
    listed = table_with(app, "true y")
    assert {"row", "row (feature)", "right (feature)", "A says (feature)"} <= set(listed.columns)
    for view in ("overlay", "beside"):
        app.set("view", view)
        assert app.errors() == []
    assert not any("![x](" in e.value for e in (*app.at.markdown, *app.at.caption))


@pytest.mark.parametrize("oblique", ["none", "ridge"])
def test_oblique_splits_are_compared_with_those_of_single_features(app, oblique):
    app.sample("oblique").go("grow").set("oblique", oblique)
    compare(app.go("compare"), b="oblique")
    a, b = of(app, "leaves")[:2]
    assert (a > b) == (oblique == "none"), "a staircase beside one line"
    assert app.errors() == []


def test_both_planes_stand_beside_each_other(app):
    app.sample("oblique").go("grow").set("oblique", "ridge").set("pruner", "none")
    compare(app.go("compare"), b="oblique").set("compare_tab", "Regions")
    slanted, staircase = (json.loads(chart.proto.spec)["layout"] for chart in app.at.get("plotly_chart")[:2])
    assert slanted["xaxis"]["range"] == staircase["xaxis"]["range"]
    kinds = [{shape["type"] for shape in layout["shapes"]} for layout in (slanted, staircase)]
    assert kinds == [{"path"}, {"rect"}]


def test_a_pruning_in_force_that_cuts_nothing_is_compared_with_the_unpruned_tree(app):
    app.sample("iris").go("grow").set("max_depth", 1)
    app.change(prune=Prune("cost_complexity")).go("compare")
    assert not app.errors()
    assert app.pane("bench_B_in_drawer")["tag"] == "B: your tree, unpruned"
