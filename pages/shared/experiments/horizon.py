"""The page Experiments: stop early, or grow and prune."""

import numpy as np
import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments import recipes
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, messages
from treecore.errors import TreecoreError
from treecore.fit import grow
from treecore.plots.error_curves import horizon as drawn
from treecore.study import WORLDS, Horizon, horizon
from treecore.study.questions.horizon import describe_horizon

MINE = "this table"
N_ROWS = 600


def show() -> None:
    """What the two families of subtrees come to, and both drawn."""
    options = {MINE: MINE} | {n: w.label for n, w in WORLDS.items() if w.task == "classification"}
    now = rows_of()
    state.controlled(
        st.selectbox, "Rows of", now, lambda v: state.choose("horizon of", v), "horizon_of", options=list(options),
        format_func=options.get, width=260,
    )  # fmt: skip
    try:
        found = _of_table() if now == MINE else _of_world(now)
    except TreecoreError as fault:
        messages.show(fault)
    else:
        explained.show(describe_horizon(found))
        st.plotly_chart(drawn(found), key="horizon", height=side_panel.picture("experiments", 340))


def rows_of() -> str:
    """Name of the world that is chosen, MINE for this table."""
    chosen = state.choice("horizon of", MINE)
    return chosen if chosen in WORLDS and WORLDS[chosen].task == "classification" else MINE


def role_that_judges() -> str:
    """'' where no rows are held back."""
    return next((r for r in ("validation", "test") if r in work.parts()), "")


def key() -> tuple:
    """What the two families are kept under."""
    name = rows_of()
    if name != MINE:
        return ("horizon of a world", work.tree_key(), name)
    return ("horizon", work.tree_key(), role_that_judges(), nested.measure(), nested.risk())


def _of_table() -> Horizon:
    role, tree = role_that_judges(), work.grown()
    judged = work.roles()[role or "validation"]
    if role:
        st.caption(f"Your unpruned tree, judged by the {role} rows.")
    by, risk = nested.measure(), nested.risk()
    make = lambda report: horizon(tree, judged, report, by, risk)  # noqa: E731
    said = recipes.said("Comparing")
    return long_work.cached_in_background(key(), make, said, "Comparing", "choose other rows", "Compare them")


def _of_world(name: str) -> Horizon:
    plan = in_force()

    def make() -> Horizon:
        rng = np.random.default_rng(2)
        train, judged = (WORLDS[name].draw(rng, N_ROWS)[0] for _ in range(2))
        return horizon(grow(train, plan.grow.growth()), judged)

    st.caption(f"A tree by your algorithm on {N_ROWS} rows drawn, judged by {N_ROWS} others.")
    return cache.get(key(), make)
