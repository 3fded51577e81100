"""The page Experiments: which of them is looked at, and the tree that it puts on the canvas."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.shared import (
    experiment_answers,
    experiment_bias,
    experiment_curves,
    experiment_effort,
    experiment_fed,
    experiment_findings,
    experiment_folds,
    experiment_horizon,
    experiment_importance,
    experiment_many,
    experiment_moved,
    experiment_optimal,
    experiment_partial,
    experiment_results,
    experiment_samples,
    experiment_stability,
    state,
)
from pages.shared.bench import any_tree
from pages.shared.bench.any_tree import Exhibit
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
        return None if found is None else partial(any_tree.draw, found)

    return canvas


KINDS = {
    "recipes": Kind("Is another recipe better?", experiment_results.show, _shown(experiment_folds.exhibit)),
    "samples": Kind("And on other tables?", experiment_samples.show),
    "answers": Kind("How good are its answers?", experiment_answers.show, _shown(experiment_answers.exhibit)),
    "moved": Kind("What if one row were otherwise?", experiment_moved.show, _shown(experiment_moved.exhibit)),
    "bias": Kind("Bias or variance?", experiment_bias.show),
    "importance": Kind("Which features matter?", experiment_importance.show),
    "partial": Kind("What does one feature do?", experiment_partial.show),
    "along": Kind("What would more rows do, or noise?", experiment_curves.show, _shown(experiment_curves.exhibit)),
    "fed": Kind("What does each new row change?", experiment_fed.show, experiment_fed.canvas),
    "horizon": Kind("Stop early, or prune?", experiment_horizon.show),
    "effort": Kind("How many tests does an answer take?", experiment_effort.show),
    "many": Kind("Would many trees do better?", experiment_many.show, _shown(experiment_many.exhibit)),
    "optimal": Kind("Is there a better one of its depth?", experiment_optimal.show, _shown(experiment_optimal.exhibit)),
    "stability": Kind("Is it stable?", experiment_stability.show, experiment_stability.canvas),
    "found": Kind("What was found so far?", experiment_findings.show),
}


def show() -> None:
    """The choice, and what is chosen."""
    now = state.choice("experiment")
    state.controlled(
        st.selectbox, "Experiment", now, lambda v: state.choose("experiment", v), "experiment", options=list(KINDS),
        format_func=lambda name: KINDS[name].label, label_visibility="collapsed",
    )  # fmt: skip
    KINDS[now].show()
    experiment_findings.keep(now)


def canvas() -> Callable[[], None] | None:
    """What draws the canvas in place of your tree."""
    try:
        return KINDS[state.choice("experiment")].canvas()
    except TreecoreError:  # what stands beside the tree says so
        return None
