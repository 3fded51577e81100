"""The panels of questions that need more than their settings, their answer and its pictures."""

from pages.shared.experiments import (
    answers,
    bias,
    importance,
    learning_curves,
    many,
    online_learning,
    optimal,
    recipe_comparison,
    recipes,
    row_change,
    stability,
)
from pages.shared.experiments.panel import Panel, exhibit_canvas, panel_for
from pages.shared.regions import move
from treecore.study.questions import QUESTIONS

PANELS = {
    "recipes": Panel(
        recipe_comparison.show,
        lambda: recipes.asked().key,
        exhibit_canvas(recipe_comparison.exhibit),
        plans=recipes.plans,
    ),
    "samples": Panel(recipe_comparison.show_other_tables, recipe_comparison.key_of_other_tables, plans=recipes.plans),
    "answers": Panel(answers.show, answers.key, exhibit_canvas(answers.exhibit), answers.answers_by_now, answers.about),
    "moved": Panel(row_change.show, row_change.key, exhibit_canvas(row_change.exhibit)),
    "plane": Panel(move.show, move.key, about=move.settings),
    "bias": Panel(bias.show, bias.key),
    "importance": Panel(importance.show, importance.key),
    "along": Panel(learning_curves.show, learning_curves.key, exhibit_canvas(learning_curves.exhibit)),
    "fed": Panel(online_learning.show, online_learning.key, online_learning.canvas),
    "many": Panel(many.show, many.key, exhibit_canvas(many.exhibit), about=many.about),
    "optimal": Panel(optimal.show, optimal.key, exhibit_canvas(optimal.exhibit)),
    "stability": Panel(stability.show, stability.key, stability.canvas),
}
"""Name of a question -> its panel."""


def panel_of(name: str) -> Panel:
    """Its own one, or that of its settings."""
    return PANELS.get(name) or panel_for(QUESTIONS[name])
