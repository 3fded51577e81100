"""Classes in one line on the page Rules: looked for once."""

from pages.shared.rules import rule_views
from treecore.rules import describe


def test_that_a_tree_is_too_large_is_found_once(app, monkeypatch):
    asked = []
    monkeypatch.setattr(describe, "MOST_CELLS", 1)
    monkeypatch.setattr(rule_views, "describe", lambda tree: asked.append(tree) or describe.describe(tree))
    app.sample("play_tennis")
    app.go("rules")
    app.run()
    assert "combinations of values apart, 1 can be looked at" in app.text()
    assert len(asked) == 1
