"""Taking another split on the page Grow: one history with the cuts, undo and redo, a way out when it does not fit."""

from streamlit.testing.v1 import AppTest

import treecore as tc
from pages.shared.node.alternatives import question
from treecore.data.samples import read_sample
from treecore.fit import grow_with, take_of
from treecore.recipe import Edit, Grow, Take
from treecore.tree.node_statistics import node_statistics


def offers(app) -> list[str]:
    """The bars of splits that are not the tree's own."""
    return [f"{rival['feature']} {rival['asks']}" for rival in app.rivals() if not rival["own"]]


def point(app, start: str):
    """Choose the first bar that asks this, as a click does."""
    assert any(text.startswith(start) for text in offers(app)), offers(app)
    record = app.record()
    train, validation, _ = read_sample(record.choices["sample"]).split(record.split.roles())
    takes = tuple(step for step in record.edits if isinstance(step, Take))
    tree = grow_with(train, record.grow.growth(), takes, validation=validation)
    ranked = tc.candidates(tree, record.selected, train).ranked
    found = next(c for c in ranked if not c.chosen and question(tree, c).startswith(start))
    return app.change(choices={**record.choices, "offered": take_of(tree, record.selected, found)})


def take(app, start: str):
    return point(app, start).click("take")


def deeds(app, node: int) -> list[str]:
    """What can be done with a node of the canvas."""
    return next(row["deeds"] for row in app.pane()["nodes"] if row["id"] == node)


def why(app) -> str:
    """What the other tab says of the node."""
    told = app.tab("Why").text().replace("**", "")
    app.tab("Rivals")
    return told


def test_another_split_is_taken_undone_and_done_again(app):
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    assert not app.has("take"), "nothing is pointed at"
    assert not any(o.startswith("pclass") for o in offers(app)), "the tree's own split is no other one"
    assert "regrow" not in deeds(app, 2)
    take(app, "fare")
    assert "regrow" in deeds(app, 2), "the way back to the algorithm's own split"
    assert "regrow" not in deeds(app, 1)
    assert "Split on fare" in why(app)
    step = app.record().edits[0]
    assert (step.path, step.expect, step.feature) == ((1,), "pclass", "fare")
    assert "take fare at" in app.text().split("Recipe:")[1]
    assert app.record().selected == 2
    app.click("undo")
    assert "Split on pclass" in why(app)
    assert app.own["future"][0].edits == (step,)
    assert app.record().selected == 2
    app.click("redo")
    assert "Split on fare" in why(app)
    assert app.own["future"] == ()
    app.click("undo")
    take(app, "sibsp")
    assert app.own["future"] == (), "a new step forgets what was undone"
    assert app.at.button(key="redo").disabled
    assert app.errors() == []


def test_cuts_and_takes_are_one_history_and_cuts_after_a_take_replay(app):
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    take(app, "fare")
    cut = Edit("cut", (1,), "fare")
    app.change(edits=(*app.record().edits, cut))
    recipe = app.text().split("Recipe:")[1]
    assert recipe.index("take fare") < recipe.index("cut the node that tests fare")
    assert app.errors() == []
    assert "cut by hand" in why(app)
    for page in ("step_by_step", "regions", "size_and_pruning", "compare"):
        assert app.go(page).errors() == []
    app.go("grow").tab("Rivals").click("undo").click("redo")
    assert [type(s) for s in app.record().edits] == [Take, Edit]
    assert "cut by hand" in why(app)


def test_a_take_that_no_longer_fits_is_a_message_with_a_way_out(app):
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    take(app, "fare")
    before = app.record().edits
    app.set("max_depth", 1)
    assert "This tree has no place to take fare" in app.errors()[0]
    assert "node 2 is a leaf in it" in app.errors()[0]
    assert app.record().edits == before, "nothing is thrown away"
    assert "take fare" not in app.text().split("Recipe:")[1].split("\n")[0]
    app.click("Drop this step")
    assert app.errors() == []
    app.set("max_depth", 5)
    app.change(edits=(Take((1,), "pclass", "fare", 1e9), Edit("cut", (), "sex")))
    assert "does not part the rows of node 2" in app.errors()[0]
    assert not app.has("take")
    app.click("Drop this step and the 1 after it")
    assert app.record().edits == ()
    assert app.errors() == []


def test_a_split_is_tried_before_it_is_taken(app):
    """Its sums and the rows held back, from a tree that has it and nothing below; the tree in force stays."""
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    point(app, "fare")
    assert app.record().edits == ()
    parts = read_sample("titanic").split(tc.Roles())
    take_ = app.record().choices["offered"]
    tree = grow_with(parts[0], Grow().growth(), (take_,))
    node, held = 2, node_statistics(tree, parts[1])
    right = sum(held[t][tree.value[t]] for t in tree.children(node))
    told = f"Of the {held[node].sum():.0f} validation rows here it predicts {right:.0f} correctly; a leaf "
    assert told + f"{held[node].max():.0f}." in app.text()
    assert len(app.at.latex) > 2, "the arithmetic is there"
    assert app.errors() == []


def test_a_cut_of_the_same_feature_is_listed_beside_the_best_one(app):
    app.sample("iris").go("grow").tab("Rivals").set("every_cut", True)
    take(app, "petallength < 4.95").set("every_cut", False)
    assert "petallength < 2.6" in offers(app)
    [own] = [rival for rival in app.rivals() if rival["own"]]
    assert (own["feature"], own["asks"]) == ("petallength", "< 4.95")
    app.go("step_by_step")
    assert "✓ petallength < 4.95" in [told.replace("\\", "") for told in app.at.table[0].value["split"]]


def test_choosing_a_size_drops_cuts_and_keeps_taken_splits(app):
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    take(app, "fare")
    app.change(edits=(*app.record().edits, Edit("cut", (0,), "pclass")))
    app.go("size_and_pruning").click("best_step")
    assert [type(s) for s in app.record().edits] == [Take]
    assert app.errors() == []


def test_a_take_survives_a_stop_of_the_session_on_another_table(app):
    app.sample("titanic").go("grow").tab("Rivals").change(selected=2)
    take(app, "fare").click("undo")
    app.sample("iris")
    assert (app.record().edits, app.own["future"]) == ((), ())


def test_the_landscape_is_drawn_for_every_measure_and_task(app):
    for sample in ("titanic", "mpg", "iris"):
        app.sample(sample).go("grow").tab("Rivals").set("landscape_on", True)
        assert "training rows at node 0" in app.text()
        for measure in range(len(app.widget("measure_of_cuts").options)):
            app.widget("measure_of_cuts").select_index(measure)
            other = "values" if app.widget("scale_of_cuts").value == "ranks" else "ranks"
            assert app.set("scale_of_cuts", other).errors() == []
    assert "Click a point or a bar" in app.text()


def test_a_split_pointed_at_in_the_landscape_is_offered(app):
    app.sample("titanic").go("grow").tab("Rivals").set("landscape_on", True).change(selected=2)
    take_it = Take((1,), "pclass", "fare", 30.5)
    app.change(choices={**app.record().choices, "offered": take_it})
    assert "Chosen: **fare < 30.5**" in app.text()
    app.click("take_landscape")
    assert app.record().edits == (take_it,)
    assert "Click a point or a bar" in app.text()
    app.change(selected=1)
    assert not app.has("take"), "it was offered for another node"


SCRIPT = """
import streamlit as st
from pages.shared.session import state
st.session_state["t"] = {"selection": {"rows": [2], "columns": []}}
st.session_state["none"] = {"selection": {"rows": []}}
st.text(f"{state.picked_row('t')} {state.picked_row('none')} {state.picked_row('absent')}")
"""


def test_a_row_picked_in_a_table():
    assert AppTest.from_string(SCRIPT).run().text[0].value == "2 None None"


def test_a_branch_without_rows_stays_where_a_split_by_branches_is_taken(app):
    """Low is declared and never occurs: the split by hand has its branch, as the algorithm's own has."""
    app.sample("play_tennis", as_it_opens=True).go("grow").tab("Rivals").change(selected=0)
    take(app, "Humidity")
    [step] = app.record().edits
    tree = grow_with(read_sample("play_tennis"), app.record().grow.growth(), (step,))
    assert [tree.node(i).rule for i in (1, 2, 3)] == ["Humidity = High", "Humidity = Normal", "Humidity = Low"]
    assert tree.n_rows[1:4].tolist() == [7, 7, 0]
    app.tab("Why").change(selected=3)
    assert "0 training rows" in app.text().replace("**", "")


def test_splits_of_costly_features_are_ranked_by_the_figure_that_is_shown(app):
    """Outlook gains most and costs four times as much: what stands beside the bars falls from the first to the last."""
    grow = Grow("id3", (("costs", (("Outlook", 4.0),)),))
    app.sample("play_tennis", as_it_opens=True).go("grow").tab("Rivals").change(grow=grow, selected=0)
    bars, given = app.rivals(), app.given("treecore_rivals")
    assert bars[0]["feature"] == "Humidity"
    assert bars[0]["own"]
    figures = [float(bar["gain"]) for bar in bars]
    assert figures == sorted(figures, reverse=True)
    assert figures[0] == 0.1518
    assert given["words"]["gain"] == "Possible splits, by gain for its cost"
    outlook = next(bar for bar in bars if bar["feature"] == "Outlook")
    assert float(outlook["gain"]) == 0.06169
    assert outlook["told"].startswith("Gain 0.2467")
    assert given["cuts"]["words_gain"] == "gain for its cost"


def test_the_upper_side_of_a_cut_of_levels_is_called_as_in_the_tree(app):
    app.sample("mpg", as_it_opens=True).go("grow").tab("Rivals").change(
        grow=Grow("cart", (("max_depth", 2),)), selected=0
    )
    bar = next(bar for bar in app.rivals() if bar["feature"] == "cylinders")
    assert bar["asks"] == "≤ 4"
    assert [branch["branch"] for branch in bar["branches"]] == ["≤ 4", "≥ 5"]
