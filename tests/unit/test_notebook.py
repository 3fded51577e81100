"""Exploring a tree in a notebook, without a browser: what a view says, and what comes of it."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.ensembles import bagging
from treecore.errors import TreecoreError
from treecore.notebook.exploration import exploration_of, first_steps
from treecore.notebook.screen import Screen
from treecore.recipe import Edit, Grow, Prune, Recipe, Split, Take
from treecore.seal import Seal


def loans(n: int = 400, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "income": rng.gamma(3.0, 12.0, n).round(1), "age": rng.integers(19, 80, n),
        "region": rng.choice(["north", "south", "west"], n), "noise": rng.normal(size=n).round(2),
    })  # fmt: skip
    late = 1 / (1 + np.exp(0.09 * frame.income - 0.03 * (frame.age - 45) - 1.4 * (frame.region == "west") - 1.2))
    return frame.assign(late=np.where(rng.random(n) < late, "yes", "no"))


@pytest.fixture(scope="module")
def table() -> tc.Table:
    return tc.read_table(loans(), target="late")


@pytest.fixture
def screen(table) -> Screen:
    recipe = Recipe((Split(seed=1), Grow("cart", (("max_depth", 4), ("min_rows_leaf", 5)))))
    return Screen(exploration_of(table, recipe=recipe))


def nodes(screen: Screen) -> dict[int, dict]:
    return {row["id"]: row for row in screen.drawing()["nodes"]}


def content(screen: Screen) -> dict:
    return screen.state(screen.drawing())


def test_what_is_shown_is_plain_data(screen):
    for tab in ("why", "rivals", "rows", ""):
        screen.hear({"kind": "tab", "tab": tab})
        drawn = screen.drawing()
        assert json.loads(json.dumps([drawn, screen.state(drawn)], allow_nan=False))


def test_a_rival_that_is_taken_is_a_step_of_the_recipe_and_another_tree(screen, table):
    screen.hear({"kind": "select", "node": 1})
    screen.hear({"kind": "tab", "tab": "rivals"})
    shown = content(screen)["drawer"]
    assert not shown["take"]["on"]
    own = shown["rivals"]["chosen"]
    other = next(i for i in range(len(shown["rivals"]["rivals"])) if i != own)
    feature = shown["rivals"]["rivals"][other]["feature"]
    screen.hear({"kind": "pick", "pick": {"kind": "rival", "at": other}})
    assert content(screen)["drawer"]["take"]["on"]
    screen.hear({"kind": "take"})
    step = screen.explored.recipe.steps[-1]
    assert isinstance(step, Take)
    assert step.feature == feature == screen.explored.grown.node(1).feature
    again = tc.fit(table, screen.explored.recipe)
    assert again.grown.to_dict() == screen.explored.grown.to_dict()
    assert again.tree.to_dict() == screen.explored.tree.to_dict()
    screen.hear({"kind": "undo"})
    assert screen.explored.recipe.last(Take) is None


def test_a_cut_of_the_handle_is_taken_as_it_stands(screen):
    screen.hear({"kind": "tab", "tab": "rivals"})
    cuts = content(screen)["drawer"]["rivals"]["cuts"]
    at = next(i for i in range(len(cuts["threshold"])) if i != cuts["own"])
    pick = {"kind": "cut", "feature": cuts["feature"], "threshold": cuts["threshold"][at], "place": at}
    screen.hear({"kind": "pick", "pick": pick})
    screen.hear({"kind": "take"})
    assert screen.explored.grown.splits.threshold[0] == pytest.approx(cuts["threshold"][at])


def test_cutting_and_bringing_back(screen):
    whole = screen.explored.tree.n_leaves
    screen.hear({"kind": "act", "type": "cut", "node": 1})
    assert screen.explored.recipe.steps[-1] == Edit("cut", (0,), screen.explored.grown.node(1).feature)
    assert screen.explored.tree.n_leaves < whole
    drawn = nodes(screen)
    assert drawn[1]["deeds"] == ["restore"]
    assert any(row.get("ghost") for row in drawn.values())
    screen.hear({"kind": "choose", "name": "ghosts", "value": False})
    assert not any(row.get("ghost") for row in nodes(screen).values())
    screen.hear({"kind": "act", "type": "restore", "node": 1})
    assert screen.explored.tree.n_leaves == whole


def test_dragging_to_a_size_prunes_along_the_sequence(screen):
    steps = screen.explored.sequence()
    screen.hear({"kind": "act", "type": "cut", "node": 1})
    screen.hear({"kind": "step", "step": 2})
    assert screen.explored.tree.n_leaves == steps.n_leaves[2]
    assert content(screen)["dock"]["chosen"] == 2
    assert screen.explored.recipe.last(Edit) is None
    screen.hear({"kind": "step", "step": 0})
    assert screen.explored.recipe.last(Prune) is None
    for odd in (-1, 10_000, True, None, "2"):
        screen.hear({"kind": "step", "step": odd})
        assert screen.explored.tree.n_leaves in steps.n_leaves


def test_nodes_that_differ_are_marked_with_and_without_ghosts():
    """As the app marks them: of a pruned tree those that stand are tested among themselves."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=1200), "z": rng.normal(size=1200)})
    frame["late"] = np.where(rng.random(1200) < 0.2 + 0.5 * (frame.x > 0), "yes", "no")
    new = frame.assign(late=np.where(frame.x > 0, "no", "yes"))  # what was learned does not hold there
    train, held = tc.read_table(frame, target="late"), tc.read_table(new, target="late")
    screen = Screen(exploration_of(tc.grow(train, "cart", max_depth=4), train, held))
    screen.hear({"kind": "act", "type": "cut", "node": 1})
    for ghosts in (True, False):
        screen.hear({"kind": "choose", "name": "ghosts", "value": ghosts})
        drawn = nodes(screen)
        standing = set(screen.explored.cuts.standing(screen.explored.grown).tolist())
        tests = screen._twins(screen.explored.tree)
        differ = screen.explored.cuts.standing(screen.explored.grown)[tests.differs].tolist()
        assert {1, 2} <= set(differ)
        assert {node for node, row in drawn.items() if row.get("differs") and node in standing} == set(differ) & set(
            drawn
        )


def test_a_leaf_that_a_limit_stopped_grows(screen):
    grown = screen.explored.grown
    leaf = next(n for n in np.flatnonzero(grown.is_leaf) if grown.impurity[n] > 0 and grown.n_rows[n] > 20)
    assert "grow" in nodes(screen).get(int(leaf), {"deeds": ["grow"]})["deeds"]
    screen.hear({"kind": "act", "type": "grow", "node": int(leaf)})
    assert not screen.explored.grown.is_leaf[leaf]
    assert not screen.explored.cuts.hidden(screen.explored.grown).any()


def test_opening_folding_and_searching(screen):
    screen.look = screen.look.__class__(room=(500, 260))
    drawn = nodes(screen)
    folded = next(n for n, row in drawn.items() if row["below"])
    screen.hear({"kind": "open", "node": folded})
    assert set(nodes(screen)) > set(drawn)
    screen.hear({"kind": "close", "node": 0})
    assert set(nodes(screen)) == {0}
    screen.hear({"kind": "find", "text": "income"})
    found, grown = content(screen)["found"], screen.explored.grown
    assert {n for n in range(grown.n_nodes) if grown.node(n).feature == "income"} <= set(found["ids"])
    screen.hear({"kind": "find", "text": " "})
    assert content(screen)["found"] is None


def test_the_rows_of_a_node_are_those_that_come_there(screen, table):
    screen.hear({"kind": "tab", "tab": "rows"})
    train, grown = screen.explored.train, screen.explored.grown
    for node in (0, 1, int(np.flatnonzero(grown.is_leaf)[0])):
        screen.hear({"kind": "select", "node": node})
        shown = content(screen)["drawer"]["rows"]
        n = int(grown.n_rows[node])
        assert shown["told"].startswith(f"{n} row")
        assert len(shown["rows"]) == min(n, 100)
        frame = train.to_frame()
        place = shown["head"].index("income")
        there = {f"{value:.6g}" for value in frame.income[[node in grown.path(end) for end in grown.apply(train)]]}
        assert {row[place] for row in shown["rows"]} <= there


def test_the_whole_as_icicle_and_rings(screen):
    screen.hear({"kind": "act", "type": "cut", "node": 1})
    for shape in ("icicle", "sunburst"):
        screen.hear({"kind": "choose", "name": "shape", "value": shape})
        drawn = screen.drawing()
        assert screen.state(drawn)["shape"] == shape
        assert len(drawn["whole"]) == screen.explored.grown.n_nodes
        assert any(row["cut"] for row in drawn["whole"])
    before = screen.drawing()["stamp"]
    screen.hear({"kind": "act", "type": "restore", "node": 1})
    assert screen.drawing()["stamp"] != before


HOSTILE = [
    {}, {"kind": None}, {"kind": "select"}, {"kind": "select", "node": 99_999}, {"kind": "select", "node": True},
    {"kind": "select", "node": "1"}, {"kind": "act", "type": "cut", "node": -1}, {"kind": "act", "type": [], "node": 0},
    {"kind": "choose", "name": "detail", "value": "../x"}, {"kind": "choose", "name": "shape", "value": []},
    {"kind": "choose", "name": [], "value": {}}, {"kind": "choose", "name": "detail", "value": []},
    {"kind": "choose", "name": "orientation", "value": {}},
    {"kind": "room", "room": [0, -1]}, {"kind": "room", "room": [1e400, 5]}, {"kind": "room", "room": "ab"},
    {"kind": "tab", "tab": ["why"]}, {"kind": "tab", "tab": "no such"}, {"kind": "pick", "pick": []},
    {"kind": "pick", "pick": {"kind": "rival", "at": 10**9}}, {"kind": "pick", "pick": {"kind": "rival", "at": True}},
    {"kind": "pick", "pick": {"kind": "cut", "feature": "no such", "threshold": 1}},
    {"kind": "pick", "pick": {"kind": "cut", "feature": "income", "threshold": float("nan")}}, {"kind": "take"},
    {"kind": "find", "text": 5}, {"kind": "find", "text": "x" * 100_000}, {"kind": "undo"}, {"kind": "__init__"},
]  # fmt: skip


@pytest.mark.parametrize("event", HOSTILE, ids=lambda event: str(event)[:60])
def test_what_no_view_would_say_changes_nothing(screen, event):
    before = screen.explored.recipe
    screen.hear(event)
    content(screen)
    assert screen.explored.recipe == before
    assert len(screen.searched) < 1000


def test_a_tree_alone_can_be_looked_at_and_cut(table):
    tree = tc.grow(table, "c4.5", max_depth=3)
    screen = Screen(exploration_of(tree))
    state = content(screen)
    assert state["dock"] is None
    assert [name for name, *_ in state["drawer"]["tabs"]] == ["why"]
    assert all("split" not in row["deeds"] and "grow" not in row["deeds"] for row in nodes(screen).values())
    screen.hear({"kind": "act", "type": "cut", "node": 0})
    assert screen.explored.tree.n_leaves == 1
    screen.hear({"kind": "act", "type": "split", "node": 0})
    content(screen)


@pytest.mark.parametrize("preset", ["cart", "c4.5", "id3", "chaid", "ctree", "sklearn", "rpart"])
def test_a_pruned_tree_with_its_table_is_grown_again_and_cut_alike(table, preset):
    grown = tc.grow(table, preset, max_depth=4)
    pruned = grown.pruned_at(grown.node_depth >= 2)
    found = exploration_of(pruned, table)
    assert found.regrows
    assert found.tree.to_dict() == pruned.to_dict()
    assert found.grown.n_nodes == grown.n_nodes


def test_names_of_classes_stay_while_a_tree_is_changed(table):
    tree = tc.grow(table, "cart", max_depth=2).with_class_names({"yes": "paid late"})
    screen = Screen(exploration_of(tree, table))
    assert screen.explored.regrows
    screen.hear({"kind": "tab", "tab": "rivals"})
    screen.hear({"kind": "pick", "pick": {"kind": "rival", "at": 1}})
    screen.hear({"kind": "take"})
    assert screen.explored.tree.class_names == ("no", "paid late")
    before = screen.explored.grown
    screen.hear({"kind": "act", "type": "cut", "node": 1})
    assert screen.explored.grown is before  # nothing of it is counted anew


def test_a_tree_of_other_rows_is_not_grown_again(table):
    tree = tc.grow(tc.read_table(loans(seed=8), target="late"), "cart", max_depth=3)
    screen = Screen(exploration_of(tree, table))
    assert not screen.explored.regrows
    assert screen.explored.tree is tree or screen.explored.tree.to_dict() == tree.to_dict()
    screen.hear({"kind": "tab", "tab": "rivals"})
    drawer = content(screen)["drawer"]
    assert "no split of it can be taken" in drawer["remark"]
    screen.hear({"kind": "pick", "pick": {"kind": "rival", "at": 1}})
    screen.hear({"kind": "take"})
    assert screen.explored.recipe == Recipe(())
    with pytest.raises(TreecoreError, match="grow another one"):
        screen.explored.do(Take((), "", "income", 20.0))


@pytest.mark.parametrize("n", [60, 400])
def test_a_new_table_gets_a_tree_that_its_recipe_makes_again(n):
    table = tc.read_table(loans(n), target="late")
    recipe, found = first_steps(table), exploration_of(table)
    assert found.recipe == recipe
    assert tc.fit(table, recipe).tree.to_dict() == found.tree.to_dict()
    assert ("validation" in found.rows) == (n == 400)


def test_sealed_test_rows_are_in_no_curve_and_stay_open_once_opened(table):
    recipe = Recipe((Split(seed=1), Seal(), Grow("cart", (("max_depth", 3),))))
    found = exploration_of(table, recipe=recipe)
    screen = Screen(found)
    named = lambda: {line["name"] for line in content(screen)["dock"]["lines"]}  # noqa: E731
    assert named() == {"train", "validation"}
    found.follow(found.recipe.opened("2026-01-31"))
    assert named() == {"train", "validation", "test"}
    found.undo()
    assert not found.recipe.is_sealed
    assert "test" in found.rows


def test_numbers_are_explored_as_classes_are():
    table = tc.read_table(loans().drop(columns="late"), target="income")
    screen = Screen(exploration_of(table, recipe=Recipe((Grow("cart", (("max_depth", 3),)),))))
    for tab in ("why", "rivals", "rows"):
        screen.hear({"kind": "tab", "tab": tab})
        assert json.dumps(content(screen), allow_nan=False)


def test_what_cannot_be_explored_is_refused(table):
    with pytest.raises(TreecoreError, match="no target"):
        exploration_of(tc.read_table(loans()))
    with pytest.raises(TreecoreError, match="read_table"):
        exploration_of(loans())
    with pytest.raises(TreecoreError, match="one of its trees"):
        exploration_of(bagging(table, tc.GrowSettings(max_depth=2), n_trees=2))


@pytest.mark.parametrize(
    ("sample", "told", "answer"),
    [
        ("claims", "per 10 years", "claims = "),
        ("pumps", "hazard", "failed = hazard × "),
        ("backs", "points", "effect on "),
    ],
)
def test_targets_of_two_columns_are_explored_as_others_are(sample, told, answer):
    """All that is shown is plain data; they are cut, pruned along the curve, split otherwise and grown by hand."""
    rows = read_sample(sample)
    train, validation, _ = rows.split(tc.Roles(train=0.6, validation=0.2, test=0.2, seed=0))
    tree = tc.grow(train, "cart", max_depth=3, min_rows_leaf=40)
    for explored in (
        exploration_of(rows),
        exploration_of(tree, train, validation),
        exploration_of(tc.fit(rows, "cart")),
    ):
        screen = Screen(explored)
        drawn = screen.drawing()["nodes"]
        assert any(told in text for text in drawn[0]["told"])
        assert all(("curve" in row) == (sample == "pumps") for row in drawn)
        assert any("histogram" in row for row in drawn)
        for tab in ("why", "rivals", "rows", "what_if"):
            screen.hear({"kind": "tab", "tab": tab})
            shown = json.loads(json.dumps(content(screen), allow_nan=False))["drawer"]
        assert shown["what_if"]["answer"].startswith(answer)
        n_leaves = explored.tree.n_leaves
        screen.hear({"kind": "step", "step": 1})
        assert content(screen)["dock"] is not None
        assert explored.tree.n_leaves == explored.sequence().n_leaves[1] != n_leaves
        screen.hear({"kind": "tab", "tab": "rivals"})
        assert len(content(screen)["drawer"]["rivals"]["rivals"]) > 1
        screen.hear({"kind": "pick", "pick": {"kind": "rival", "at": 1}})
        screen.hear({"kind": "take"})
        assert isinstance(explored.recipe.steps[-1], Take)
        screen.hear({"kind": "act", "type": "cut", "node": 0})
        assert explored.tree.n_leaves == 1
        screen.hear({"kind": "undo"})
        assert explored.tree.n_leaves > 1
    screen.hear({"kind": "act", "type": "split", "node": 0})
    assert json.dumps(content(Screen(exploration_of(tree))), allow_nan=False)


def test_a_tree_whose_thresholds_are_not_those_that_grow_is_shown_as_it_is(table):
    tree = tc.grow(table, "cart", max_depth=3)
    at = int(np.flatnonzero(np.isfinite(tree.splits.threshold))[0])
    moved = tree.splits.threshold.copy()
    moved[at] = np.nextafter(moved[at], np.inf)
    other = replace(tree, splits=replace(tree.splits, threshold=moved))
    found = exploration_of(other, table)
    assert not found.regrows
    assert found.tree.splits.threshold[at] == moved[at]


# ---------------------------------------------------------------- the widget


@pytest.fixture
def view(table):
    pytest.importorskip("anywidget")
    return tc.explore(table, recipe=Recipe((Grow("cart", (("max_depth", 4),)),)))


def test_traits_follow_what_is_done_by_hand(view):
    heard = []
    view.observe(lambda change: heard.append(change["name"]), ["selected", "tree", "recipe"])
    view._hear({"kind": "act", "type": "cut", "node": 2, "view": "a", "seq": 1})
    assert sorted(heard) == ["recipe", "selected", "tree"]
    assert view.selected == view.node.id == 2
    assert view.tree.n_nodes < view.grown.n_nodes
    assert "cut the node" in str(view.recipe)
    assert view._state["view"] == "a"
    assert view._state["seen"] == 1


def test_traits_can_be_set(view, table):
    view.selected = 2
    assert view._state["selected"] == 2
    assert view._state["drawer"]["node"] == 2
    with pytest.raises(TreecoreError, match="no node"):
        view.selected = 10_000
    assert view.selected == 2
    view.recipe = Recipe((Grow("id3", (("max_depth", 2),)),))
    assert view.grown.depth == 2
    wrong = Recipe((Grow("cart"), Edit("cut", (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "")))
    before = view.recipe
    with pytest.raises(TreecoreError):
        view.recipe = wrong
    assert view.recipe == before
    assert view.grown.depth == 2
    other = tc.grow(table, "cart", max_depth=1)
    view.tree = other
    assert view.tree.to_dict() == other.to_dict()
    assert len(view._drawing["nodes"]) == 3
    assert view.selected == 0


def test_nodes_are_sent_again_only_where_they_changed(view):
    before = view._drawing
    view._hear({"kind": "select", "node": 1})
    assert view._drawing is before
    assert view._state["stamp"] == before["stamp"]
    view._hear({"kind": "act", "type": "cut", "node": 1})
    assert view._state["stamp"] == view._drawing["stamp"] != before["stamp"]


def test_who_shows_no_widget_shows_its_outline_and_picture(view):
    shown, _ = view._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert shown["text/plain"] == str(view.tree)
    assert "<svg" in shown.get("image/svg+xml", "<svg")


def test_two_views_of_one_page_have_names_of_their_own(table):
    pytest.importorskip("anywidget")
    tree = tc.grow(table, "cart", max_depth=2)
    assert tc.explore(tree)._state["key"] != tc.explore(tree)._state["key"]


def test_the_script_asks_nothing_of_any_other_place():
    pytest.importorskip("anywidget")
    from treecore.notebook.widget import script

    text = script().replace("http://www.w3.org/2000/svg", "")
    assert "http://" not in text
    assert "https://" not in text
    assert "@import" not in text
    assert "url(http" not in text
    assert "\nimport " not in text


def test_without_anywidget_the_package_loads_and_the_way_out_is_named():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import treecore as tc\n"
        "table = tc.read_table(b'a,y\\n1,n\\n2,m\\n', target='y')\n"
        "try: tc.explore(table)\n"
        "except tc.TreecoreError as fault: print(fault.remedy)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 'pip install "treecore[notebook]"' in told
    loaded = "import sys, treecore; print('anywidget' in sys.modules, 'traitlets' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "False"]
