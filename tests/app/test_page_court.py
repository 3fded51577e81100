"""The pruning court: verdicts of several methods beside each other."""

import re

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.figures import per_cent
from treecore.pruning import PRUNERS
from treecore.recipe import Prune, Split
from treecore.study.court import court, opinion


def parts_of(name):
    return dict(zip(("train", "validation", "test"), read_sample(name).split(tc.Roles()), strict=True))


def tried(tree, name, parts):
    """The cuts, or the fault with which the method refuses."""
    try:
        return tc.prune(tree, name, train=parts["train"], validation=parts["validation"]), None
    except tc.TreecoreError as fault:
        return None, fault


def verdicts(app):
    return next(d.value for d in app.at.dataframe if "node" in d.value.columns)


def totals(app):
    return next(d.value for d in app.at.dataframe if "method" in d.value.columns).set_index("method")


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_every_method_stands_before_the_court(app, sample):
    app.sample(sample).go("court").set("max_depth", 5).set("court_methods", list(PRUNERS))
    assert app.errors() == []
    parts = parts_of(sample)
    tree = tc.grow(parts["train"], max_depth=5)
    shown, below = verdicts(app), totals(app)
    found = {}
    for name, pruner in PRUNERS.items():
        cuts, fault = tried(tree, name, parts)
        if fault is not None:
            assert set(shown[pruner.label]) == {"refused"}
            assert pruner.label not in below.index
            assert f"{pruner.label} refuses: {fault.what}. {fault.remedy}" in app.text()
            continue
        found[name] = opinion(tree, cuts, parts)
        said = [found[name].verdict(int(t)) for t in shown["node"]]
        assert shown[pruner.label].tolist() == said
        row = below.loc[pruner.label]
        assert (row["leaves"], row["depth"]) == (found[name].n_leaves, found[name].depth)
        assert row["judged by"] == cuts.judged_by
        for role, score in found[name].scores.items():
            value = score.rmse if sample == "mpg" else per_cent(score.accuracy)
            name = "root mean squared error" if sample == "mpg" else "accuracy"
            assert row[f"{name}, {role}"] == pytest.approx(value)
    judged = court(tree, found)
    assert shown["node"].tolist() == judged.nodes.tolist()
    app.set("court_nodes", "where the methods disagree")
    assert verdicts(app)["node"].tolist() == judged.nodes[judged.disagree].tolist()
    assert f"{len(judged.nodes)} inner nodes, largest first; the methods disagree on {judged.disagree.sum()}" in (
        app.text()
    )


def test_the_method_in_force_is_among_the_first(app):
    app.sample("titanic").go("court").set("pruner", "validation_peak")
    labels = app.widget("court_methods").value
    assert labels[0] == "validation_peak"
    assert len(labels) == 5
    app.sample("mpg").go("court")
    assert all(PRUNERS[name].task in ("", "regression") for name in app.widget("court_methods").value)


def test_a_method_is_put_in_force_with_its_parameters(app):
    app.sample("titanic").go("court").set("court_reduced_error_epsilon", 0.02)
    assert app.record().prune == Prune("none"), "a method on trial is not in force"
    app.set("court_ghosts", "Reduced error").click("use_reduced_error")
    assert app.record().prune == Prune("reduced_error", (("epsilon", 0.02),))
    assert app.widget("prune_epsilon").value == 0.02
    assert not [b for b in app.at.button if b.key == "use_reduced_error"]
    app.set("court_reduced_error_epsilon", 0.01)
    assert app.record().prune == Prune("reduced_error", (("epsilon", 0.01),)), "it is the one in force"


def test_the_selected_node_is_marked_and_explained(app):
    app.sample("titanic").go("court")
    node = int(verdicts(app)["node"].iloc[1])
    app.change(selected=node)
    shown = verdicts(app)
    assert shown.loc[shown[""] == "▶", "node"].tolist() == [node]
    labels = [e.label for e in app.at.expander]
    for name in app.widget("court_methods").value:
        said = shown.loc[shown["node"] == node, PRUNERS[name].label].iloc[0]
        assert any(label.startswith(f"{PRUNERS[name].label.split(' (')[0]}: {said}") for label in labels)


def test_without_validation_rows_those_that_need_them_are_not_offered_and_refuse(app):
    app.sample("titanic").go("court")
    app.change(split=Split(train=0.8, validation=0.0, test=0.2))
    assert app.errors() == []
    assert "Reduced error" not in app.text(), "nobody is offered what refuses"
    app.set("court_methods", ["reduced_error", "pessimistic"])
    assert "Reduced error" not in totals(app).index
    assert re.search(r"Reduced error refuses: .*no validation rows", app.text())
    assert totals(app).loc["Pessimistic (½ per leaf)", "judged by"] == "training rows"
    assert not any(", validation" in name for name in totals(app).columns)


def test_the_best_method_is_named_first(app):
    app.sample("titanic").go("court").set("court_judged", "accuracy")
    shown = totals(app)
    best = shown.sort_values(["accuracy, validation", "leaves"], ascending=[False, True]).iloc[0]
    said = next(m.value for m in app.at.markdown if "Best on the" in m.value).replace("\\", "")
    assert f"**{best.name.split(' (')[0]}**, {best['leaves']} leaves, accuracy " in said
    assert f"{best['accuracy, validation']:.1f}" in said


@pytest.mark.parametrize(
    ("sample", "judged_by", "named"),
    [("mpg", None, "root mean squared error"), ("mpg", "mse", "mean squared error"), ("claims", None, "mean deviance")],
)
def test_one_measure_has_one_name_in_the_table_and_in_the_sentence_on_the_best_method(app, sample, judged_by, named):
    app.sample(sample).go("court")
    if judged_by is not None:
        app.set("court_judged", judged_by)
    shown = totals(app)
    best = shown[f"{named}, validation"].min()
    said = next(m.value for m in app.at.markdown if "Best on the" in m.value).replace("\\", "")
    assert f" leaves, {named} {best:.4g}"[:-1] in said
    columns = [name for name in shown.columns if name.endswith(", validation")]
    assert columns[0] == f"{named}, validation"
    values = [tuple(shown[name]) for name in columns]
    assert len(set(values)) == len(values), "no measure stands there under two names"
    compared = app.go("compare").at.dataframe[0].value
    rows = [name for name in compared[""] if ", validation" in name]
    assert rows[0].split(",")[0] == named
    values = [tuple(row[1:]) for row in compared.itertuples(index=False) if row[0] in rows]
    assert len(set(values)) == len(values)


def test_cuts_by_hand_stand_beside_their_method(app):
    from treecore.recipe import Edit

    app.sample("titanic").go("court").change(edits=(Edit("cut", (0,), "pclass"),))
    assert "your tree, with cuts by hand" in verdicts(app).columns
    assert verdicts(app).set_index("node").loc[1, "your tree, with cuts by hand"] == "cut"


def test_narrow_it_says_how_many_methods_keep_each_node(app):
    app.sample("titanic").go("court").set("court_methods", ["cost_complexity", "reduced_error", "pessimistic"])
    full = verdicts(app).set_index("node")
    narrow = verdicts(app.click("toggle_wider")).set_index("node")["keep it, of 3"]
    labels = [PRUNERS[name].label for name in ("cost_complexity", "reduced_error", "pessimistic")]
    for node, told in narrow.items():
        assert told == sum(full.loc[node, label].startswith("keep") for label in labels)
    assert len(set(narrow)) > 1


def test_no_methods_and_a_lone_root(app):
    app.sample("iris").go("court").set("court_methods", [])
    assert app.errors() == []
    app.set("max_depth", 1).set("min_gain", 10.0)
    assert app.errors() == []
    assert "has no splits" in app.text()
