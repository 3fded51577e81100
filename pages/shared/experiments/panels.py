"""The panels of questions that need more than their settings, their answer and its pictures."""

from pages.shared.experiments import (
    answers,
    bias,
    comparison,
    curves,
    fed,
    importance,
    many,
    moved,
    optimal,
    recipes,
    stability,
)
from pages.shared.experiments.panel import Panel, drawn, panel_for
from pages.shared.regions import move
from treecore.study.questions import QUESTIONS

PANELS = {
    "recipes": Panel(comparison.show, lambda: recipes.asked().key, drawn(comparison.exhibit), plans=recipes.plans),
    "samples": Panel(comparison.show_other_tables, comparison.key_of_other_tables, plans=recipes.plans),
    "answers": Panel(answers.show, answers.key, drawn(answers.exhibit), answers.answers_by_now, answers.about),
    "moved": Panel(moved.show, moved.key, drawn(moved.exhibit)),
    "plane": Panel(move.show, move.key, about=move.settings),
    "bias": Panel(bias.show, bias.key),
    "importance": Panel(importance.show, importance.key),
    "along": Panel(curves.show, curves.key, drawn(curves.exhibit)),
    "fed": Panel(fed.show, fed.key, fed.canvas),
    "many": Panel(many.show, many.key, drawn(many.exhibit), about=many.about),
    "optimal": Panel(optimal.show, optimal.key, drawn(optimal.exhibit)),
    "stability": Panel(stability.show, stability.key, stability.canvas),
}
"""Name of a question -> its panel."""


def panel_of(name: str) -> Panel:
    """Its own one, or that of its settings."""
    return PANELS.get(name) or panel_for(QUESTIONS[name])
