"""The page Experiments: the tree of any fold, on the canvas with the rows that it was not grown on."""

import streamlit as st

from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments import recipes as experiments
from pages.shared.server import long_work
from pages.shared.session import state
from treecore.study import FoldTree, Trials, tree_of_fold

YOURS = "your tree"
CHOSEN, OF = "experiment fold", "experiment fold of"


def choose(tried: Trials) -> None:
    """Which fold's tree of which recipe is on the canvas; none at first."""
    n = tried.folds.shape[0] * tried.n_folds
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Tree on the canvas", _fold(n), lambda v: state.choose(CHOSEN, v), "experiment_fold",
            options=range(n + 1), format_func=lambda i: f"of fold {i}" if i else YOURS, width=150,
        )  # fmt: skip
        if len(tried.names) > 1 and _fold(n):
            state.controlled(
                st.selectbox, "by recipe", _recipe(tried.names), lambda v: state.choose(OF, v), "experiment_fold_of",
                options=list(tried.names), width=90,
            )  # fmt: skip


def exhibit() -> Exhibit | None:
    """The chosen tree; None for yours, or where nothing was tried."""
    if not state.choice(CHOSEN) or not state.choice("experiment on"):
        return None
    asked = experiments.asked()
    folds, recipes = experiments.folds_of(asked), experiments.made(asked)
    n_folds = int(folds.max()) + 1
    fold, name = _fold(folds.shape[0] * n_folds), _recipe(tuple(recipes))
    if not fold or not recipes:
        return None
    judged = folds[(fold - 1) // n_folds] == (fold - 1) % n_folds
    key = ("tree of fold", *asked.key, name, fold)
    said = lambda progress: f"Growing the tree of fold {fold}"  # noqa: E731
    rows = experiments.judged_rows()
    make = lambda report: tree_of_fold(rows, recipes[name], judged, lambda *now: report(now))  # noqa: E731
    found: FoldTree = long_work.cached(key, make, said, "Growing", "choose another fold", "Grow this tree")
    bars = {"train": found.train, "held back": found.judged}
    return Exhibit(key, found.tree, f"{name}, fold {fold}: bars of its training rows and those held back", bars)


def _fold(n: int) -> int:
    """From 1 on; 0 for your tree."""
    return min(state.choice(CHOSEN), n)


def _recipe(names: tuple[str, ...]) -> str:
    chosen = state.choice(OF)
    return chosen if chosen in names else names[0]
