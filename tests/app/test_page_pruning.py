"""The page Size and pruning, and the pruning controls of every page."""

import numpy as np
import pytest

import treecore as tc
from pages.shared.session import state
from tests.app.test_page_court import tried
from treecore.data.samples import read_sample
from treecore.pruning import PRUNERS
from treecore.pruning.sequence import links_at
from treecore.recipe import Prune, Split


def parts_of(name):
    return dict(zip(("train", "validation", "test"), read_sample(name).split(tc.Roles()), strict=True))


def links_table(app):
    return next(d.value for d in app.at.dataframe if "g(t)" in d.value.columns)


SHOWN_ON = ("size_and_pruning", "court", "step_by_step", "grow")


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_every_strategy_prunes_or_says_why_not(app, sample):
    parts = parts_of(sample)
    tree = tc.grow(parts["train"], max_depth=5)
    app.sample(sample).go("size_and_pruning").set("max_depth", 5)
    here = "size_and_pruning"
    for name in PRUNERS:
        app.set("pruner", name)
        cuts, fault = tried(tree, name, parts)
        *others, last = [page for page in SHOWN_ON if page != here]
        for page in (here, *others, last):
            shown = app if page == here else app.go(page)
            assert len(shown.errors()) == (fault is not None), (name, page)
            if page == "size_and_pruning":
                says_its_size(app, name, tree, cuts) if fault is None else says_why_not(app, name, tree, fault)
        here = last


def says_its_size(app, name, tree, cuts):
    n_leaves = tree.cut(cuts).n_leaves
    assert f"Your tree: {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}" in app.text() or (
        f"Your tree: {n_leaves} leaves, cut in another way" in app.text()
    ), name
    for parameter in PRUNERS[name].parameters:
        assert app.has(f"prune_{parameter.name}"), name


def says_why_not(app, name, tree, fault):
    assert fault.what in app.errors()[0]
    assert fault.remedy in app.errors()[0]
    assert f"Your tree: {tree.n_leaves} leaves" in app.text(), "the page goes on with the grown tree"
    label = app.widget("pruner").options[list(PRUNERS).index(name)]
    assert label == f"{PRUNERS[name].label} (not for {tree.target_kind.held})"


def test_parameters_of_every_kind(app):
    app.sample("titanic").go("grow").set("pruner", "error_based")
    app.set("prune_cf", 0.1).set("prune_raising", False).set("prune_estimate", "binomial")
    expected = (("cf", 0.1), ("estimate", "binomial"), ("raising", False))
    assert app.record().prune == Prune("error_based", expected)
    assert app.errors() == []
    app.set("prune_raising", True)
    assert app.record().prune == Prune("error_based", expected[:2]), "what is at its default is not recorded"
    app.set("pruner", "cost_complexity").set("prune_choose", "cross-validation").set("prune_folds", 5)
    assert app.record().prune == Prune("cost_complexity", (("choose", "cross-validation"), ("folds", 5)))
    app.set("prune_alpha", 0.01).set("prune_alpha", None)
    assert "alpha" not in dict(app.record().prune.parameters)
    app.set("pruner", "validation_peak").set("prune_patience", 3)
    assert app.record().prune == Prune("validation_peak", (("patience", 3),))
    assert "prune: peak of the validation accuracy · splits without improvement: 3" in app.text().lower()


def test_an_impossible_parameter_is_a_message_and_the_former_one_stays(app):
    app.sample("titanic").go("grow").set("pruner", "error_based").set("prune_cf", 0.1)
    app.set("prune_cf", 0.0)
    assert any("above 0, at most 0.5" in told for told in app.errors())
    assert app.widget("prune_cf").value == 0.1
    app.set("prune_cf", 0.2)
    assert app.errors() == []


def test_without_validation_rows_the_page_says_so_and_goes_on(app):
    app.sample("titanic")
    for name in [n for n, p in PRUNERS.items() if p.needs_validation] + ["cost_complexity"]:
        app.put(split=Split(train=0.8, validation=0.0, test=0.2), prune=Prune(name))
        (told,) = app.go("size_and_pruning").errors()
        assert "no validation rows" in told, name
        size = "the grown tree: no rule has chosen a size yet" in app.text()
        assert size or "cut in another way" in app.text(), name
        assert not app.go("grow").at.exception, name
        assert app.record().prune == Prune(name), "nothing is lost"
        app.change(split=Split())
        assert app.errors() == [], name


def test_more_folds_than_rows_is_a_message(app):
    app.sample("willwait").go("size_and_pruning").set("cross_validate", True).set("folds", 400)
    (told,) = app.errors()
    assert "400 folds cannot be made of" in told
    app.set("folds", 3)
    assert app.errors() == []


def test_cross_validation_shows_its_rules_and_they_choose(app):
    app.sample("titanic").go("size_and_pruning").set("max_depth", 6).set("cross_validate", True)
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], max_depth=6)
    for errors, name in ((0.0, "0-SE"), (1.0, "1-SE")):
        how = {"choose": "cross-validation", "standard_errors": errors}
        cuts = tc.prune(tree, "cost_complexity", train=parts["train"], **how)
        n = tree.cut(cuts).n_leaves
        app.click(f"rule_{name}")
        assert f"Your tree: {n} lea" in app.text()
        assert "by 10-fold cross-validation of the training rows" in app.text()
        assert f"{name} rule" in app.text()
        assert dict(app.record().prune.parameters)["choose"] == "cross-validation"
        assert app.widget("cross_validate").disabled, "it is what chose the size"
    app.put(
        choices={**app.record().choices, "cross_validate": False}
    )  # as after the first recipe, which chose by folds
    app.click("step_larger")
    assert "choose" not in dict(app.record().prune.parameters), "a size chosen by hand"
    assert app.widget("cross_validate").value is True, "the folds by which it was chosen before stay on the curve"


def test_one_step_to_either_side(app):
    app.sample("titanic").go("size_and_pruning").click("step_smaller").click("step_smaller")
    assert app.widget("step").value == 2
    app.click("step_larger")
    assert app.widget("step").value == 1
    app.click("step_larger")
    assert app.record().prune == Prune("none")
    assert app._button("step_larger").disabled


def test_the_sequence_by_impurity(app):
    app.sample("titanic").go("size_and_pruning").set("max_depth", 5).set("step", 2)
    before = int(app.text().split("Your tree: ")[1].split()[0])
    app.set("risk", "impurity")
    assert dict(app.record().prune.parameters)["risk"] == "impurity"
    tree = tc.grow(parts_of("titanic")["train"], max_depth=5)
    steps = tc.sequence(tree, "impurity")
    assert app.widget("step").value == steps.with_leaves(before)
    app.set("step", 3)
    assert f"Your tree: {steps.n_leaves[3]} leaves" in app.text()


def test_the_links_are_those_of_the_subtree_in_force(app):
    app.sample("titanic").go("size_and_pruning").set("max_depth", 5).set("step", 2)
    steps = tc.sequence(tc.grow(parts_of("titanic")["train"], max_depth=5))
    found, shown = links_at(steps, 2), links_table(app)
    assert shown["node"].tolist() == found.node.tolist()
    np.testing.assert_allclose(shown["g(t)"].to_numpy(float), found.g, rtol=5e-4)  # as they are printed
    assert shown["|Tt|"].isna().sum() == (~found.stands).sum()
    assert shown.loc[shown[""] == "▶", "node"].tolist() == [0]
    app.change(selected=int(found.node[1]))
    assert links_table(app).loc[links_table(app)[""] == "▶", "node"].tolist() == [int(found.node[1])]
    assert f"**Node {found.node[1]}**" in app.text()


def test_a_raised_branch_and_the_way_back(app):
    app.sample("titanic").go("grow").set("pruner", "error_based")
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"])
    cuts = tc.prune(tree, "error_based", train=parts["train"])
    place = int(cuts.stand(tree).place[cuts.stand(tree).raised[0]])
    node = cuts.visible_ancestor(tree, place)
    app.change(selected=place)
    assert f"node {node} moves up into its place and takes all of its rows" in app.text()
    assert "A raised branch stands where its ghost place was" in app.text()
    app.go("size_and_pruning")
    assert app.errors() == []
    assert f"Why C4.5 error-based decided so about node {place}" in [e.label for e in app.at.expander]


def test_hostile_names_are_shown_as_they_are(app):
    header = '"<b>w</b> *x* $y$","`h` [l](http://e)",kind'
    rows = "\n".join(f"{i % 20},{i * 7 % 13},{'a<i>' if (i % 20 > 9) != (i % 17 == 0) else '$b$'}" for i in range(80))
    app.upload(f"{header}\n{rows}\n".encode()).go("size_and_pruning").click("step_smaller")
    assert app.errors() == []
    assert "<b>w</b> *x* $y$" in links_table(app)["test"].tolist()
    assert app.go("court").errors() == []


def test_a_browser_that_tells_of_the_former_size_changes_nothing(app, monkeypatch):
    """Before it has drawn the slider anew, any event of the page brings the value from before."""
    monkeypatch.setattr(state, "ECHO", 60.0)
    app.sample("titanic").go("size_and_pruning").click("step_smaller").click("step_smaller")
    chosen = app.widget("step").value
    app.set("step", chosen - 1)
    assert app.widget("step").value == chosen == 2
    app.set("step", chosen + 1)
    assert app.widget("step").value == 3, "any other size is the reader's"


def test_rows_for_pruning_alone_judge_and_stay_a_part_of_those_held_back(app):
    app.sample("titanic").go("data").set("roles_pruning", 50)
    split = app.record().split
    assert (split.validation, split.pruning) == (0.1, 0.1)
    assert "pruning 89" in app.text()
    app.set("roles_ends", (50, 90))
    split = app.record().split
    assert (split.train, split.validation, split.pruning, split.test) == (0.5, 0.2, 0.2, 0.1)
    app.change(prune=Prune("cost_complexity")).go("size_and_pruning")
    assert "least error on the pruning rows" in app.text()
    app.go("data").click("all_rows")
    assert app.record().split.pruning == 0
