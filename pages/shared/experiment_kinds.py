"""The page Experiments: which of them is looked at, and the tree that it puts on the canvas."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.shared import experiment_answers, experiment_folds, experiment_results, experiment_samples, state
from pages.shared.bench import any_tree
from pages.shared.bench.any_tree import Exhibit


@dataclass(frozen=True)
class Kind:
    """label : the question it answers. show : fills the drawer. exhibit : the tree for the canvas; None: yours."""

    label: str
    show: Callable[[], None]
    exhibit: Callable[[], Exhibit | None] = lambda: None


KINDS = {
    "recipes": Kind("Is another recipe better?", experiment_results.show, experiment_folds.exhibit),
    "samples": Kind("And on other tables?", experiment_samples.show),
    "answers": Kind("How good are its answers?", experiment_answers.show, experiment_answers.exhibit),
}


def show() -> None:
    """The choice, and what is chosen."""
    now = state.choice("experiment")
    state.controlled(
        st.selectbox, "Experiment", now, lambda v: state.choose("experiment", v), "experiment", options=list(KINDS),
        format_func=lambda name: KINDS[name].label, label_visibility="collapsed",
    )  # fmt: skip
    KINDS[now].show()


def canvas() -> Callable[[], None] | None:
    """What draws the canvas in place of your tree."""
    shown = KINDS[state.choice("experiment")].exhibit()
    return None if shown is None else partial(any_tree.draw, shown)
