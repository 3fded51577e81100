"""Long work says how far it is, and can be stopped and taken up again."""

import sys

import pytest
import streamlit as st

from pages.shared.server import long_work
from pages.shared.trees import nested
from treecore.cross_validation import FoldProgress
from treecore.pruning import PruneProgress, PruningContext
from treecore.recipe import Prune
from treecore.rules import RuleProgress, RuleSet


def half_way(*_, **__):
    """In place of a cross-validation: the third of ten folds is at work when the browser shows the page."""
    report = next(a for a in (*_, *__.values()) if callable(a))
    report(FoldProgress(812, 8, 10))
    st.stop()


def by_toggle(app):
    app.sample("titanic").change(choices={"cross_validate": True})
    return app


def by_strategy(app):
    return app.sample("titanic").change(prune=Prune("cost_complexity", (("choose", "cross-validation"),)))


@pytest.mark.parametrize("ask", [by_toggle, by_strategy])
def test_a_cross_validation_names_its_folds_and_can_be_stopped_and_taken_up_again(app, monkeypatch, ask):
    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(nested, "cross_validate", half_way)
        patch.setattr(sys.modules["treecore.fit"], "cross_validated", half_way)
        ask(app)
        app.go("size_and_pruning")
        assert "fold 3 of 10, 812 nodes" in app.text()
        app.click("Stop")
    assert "Cross-validation was stopped" in app.text()
    app.go("data").go("size_and_pruning")
    assert "Cross-validation was stopped" in app.text()
    app.click("Cross-validate")
    assert "was stopped" not in app.text()
    assert "1-SE rule" in app.text() or any("1-SE" in b.label for b in app.at.button)
    assert app.errors() == []


def test_pruning_tells_the_nodes_that_are_judged_and_can_be_stopped_and_taken_up_again(app, monkeypatch):
    def at_the_third(given, n_done, n_nodes):
        given.progress(PruneProgress(3, n_nodes))
        st.stop()

    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    app.sample("titanic").go("grow")
    with monkeypatch.context() as patch:
        patch.setattr(PruningContext, "look", at_the_third)
        app.change(prune=Prune("error_based"))
        assert "Pruning: 3 of " in app.text()
        assert "How your tree is made" not in app.text(), "it would stand in a menu that is closed"
        app.click("Stop")
    assert "Pruning was stopped" in app.text()
    app.click("Prune")
    assert "was stopped" not in app.text()
    assert app.errors() == []


def test_post_pruning_of_rules_tells_its_rule_and_can_be_stopped_and_taken_up_again(app, monkeypatch):
    def at_the_third(self, validation, train, progress):
        progress(RuleProgress(2, len(self)))
        st.stop()

    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    app.sample("titanic").go("rules")
    with monkeypatch.context() as patch:
        patch.setattr(RuleSet, "simplified", at_the_third)
        app.set("rules_view", "post-pruned")
        assert "rule 3 of " in app.text()
        app.click("Stop")
    assert "Pruning of rules was stopped" in app.text()
    app.set("rules_view", "as read")
    assert "was stopped" not in app.text()
    app.set("rules_view", "post-pruned")
    assert "Pruning of rules was stopped" in app.text()
    app.click("Post-prune")
    assert "was stopped" not in app.text()
    assert "the rules" in app.at.dataframe[0].value.columns
    assert app.errors() == []


def test_what_was_shown_goes_when_the_work_is_done(app, monkeypatch):
    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    by_toggle(app).go("size_and_pruning")
    assert "Cross-validating" not in app.text()
    assert not any(b.label == "Stop" for b in app.at.button)
