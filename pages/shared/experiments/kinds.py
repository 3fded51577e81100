"""The page Experiments: which of them is looked at, and the tree that it puts on the canvas."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.shared.bench import experiment_trees
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments import (
    answers,
    bias,
    curves,
    effort,
    fed,
    findings,
    folds,
    horizon,
    importance,
    many,
    moved,
    optimal,
    results,
    samples,
    stability,
)
from pages.shared.experiments import partial as experiment_partial
from pages.shared.session import state
from treecore.errors import TreecoreError


@dataclass(frozen=True)
class Kind:
    """label : the question it answers. show : fills the drawer. canvas : what draws another tree, or None."""

    label: str
    show: Callable[[], None]
    canvas: Callable[[], Callable[[], None] | None] = lambda: None


def _shown(exhibit: Callable[[], Exhibit | None]) -> Callable[[], Callable[[], None] | None]:
    """Draws the exhibit, where there is one."""

    def canvas() -> Callable[[], None] | None:
        found = exhibit()
        return None if found is None else partial(experiment_trees.draw, found)

    return canvas


KINDS = {
    "recipes": Kind("Is another recipe better?", results.show, _shown(folds.exhibit)),
    "samples": Kind("And on other tables?", samples.show),
    "answers": Kind("How good are its predictions?", answers.show, _shown(answers.exhibit)),
    "moved": Kind("What if one row were different?", moved.show, _shown(moved.exhibit)),
    "bias": Kind("Bias or variance?", bias.show),
    "importance": Kind("Which features matter?", importance.show),
    "partial": Kind("What does one feature do?", experiment_partial.show),
    "along": Kind("What would more rows do, or noise?", curves.show, _shown(curves.exhibit)),
    "fed": Kind("What does each new row change?", fed.show, fed.canvas),
    "horizon": Kind("Stop early, or prune?", horizon.show),
    "effort": Kind("How many tests does a prediction take?", effort.show),
    "many": Kind("Would many trees do better?", many.show, _shown(many.exhibit)),
    "optimal": Kind("Is there a better tree of the same depth?", optimal.show, _shown(optimal.exhibit)),
    "stability": Kind("Is it stable?", stability.show, stability.canvas),
    "found": Kind("What was found so far?", findings.show),
}


def show() -> None:
    """The choice, and what is chosen."""
    now = state.choice("experiment")
    state.controlled(
        st.selectbox, "Experiment", now, lambda v: state.choose("experiment", v), "experiment", options=list(KINDS),
        format_func=lambda name: KINDS[name].label, label_visibility="collapsed",
    )  # fmt: skip
    KINDS[now].show()
    findings.keep(now)


def canvas() -> Callable[[], None] | None:
    """What draws the canvas in place of your tree."""
    try:
        return KINDS[state.choice("experiment")].canvas()
    except TreecoreError:  # what stands beside the tree says so
        return None
