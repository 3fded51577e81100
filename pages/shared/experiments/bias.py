"""The page Experiments: does a tree of some size err as it cannot know better, or as it follows its sample?"""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments.panel import answered, controls
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, messages
from pages.shared.widgets.messages import plain
from treecore.plots.error_curves import bias_variance, overfitting
from treecore.study import ManyTrees
from treecore.study.questions.bias_variance import (
    BIAS_VARIANCE,
    DRAWN,
    ROWS,
    TREES,
    WORLD,
    bias_name,
    describe_bias_variance,
)
from treecore.study.worlds import THIS_TABLE


def show() -> None:
    """Which truth, how many trees; the curves and what they say."""
    _choose()
    if begun(BIAS_VARIANCE.start, "grow_samples"):
        with messages.caught():
            _draw(answered(BIAS_VARIANCE, key(), SessionSetup()))


def _draw(found: ManyTrees) -> None:
    definition = _definition(found)
    parts, share = found.parts(definition), found.task == "classification"
    above = overfitting(found.sizes, found.train, found.errors, share)
    st.plotly_chart(above, key="overfitting", height=side_panel.picture("experiments", 270))
    st.caption("Over-fitting: error on the trees' own rows and on new ones, ± sd of the trees.")
    st.plotly_chart(bias_variance(found.sizes, parts, bias_name(found), share), key="bias_variance", height=330)
    explained.show(describe_bias_variance(found, definition))


def _choose() -> None:
    setup = SessionSetup()
    invented = setup[WORLD] != THIS_TABLE
    controls(WORLD, TREES, ROWS if invented else DRAWN, setup=setup)
    grown = plain(in_force().grow.text())
    st.markdown(f"Grown by your algorithm: {grown}." if invented else f"Grown by your recipe: {grown}.")


def key() -> tuple:
    """What the trees depend on."""
    plan, setup = in_force(), SessionSetup()
    if setup[WORLD] != THIS_TABLE:
        return ("bias", setup[WORLD], plan.grow, setup[TREES], setup[ROWS])
    return ("bias", work.table_key(), state.record().split, plan.prepare, plan.grow, setup[TREES], setup[DRAWN])


def _definition(found: ManyTrees) -> str:
    chosen, known = state.choice("bias definition"), found.definitions
    now = chosen if chosen in known else known[0]
    if len(known) > 1:
        state.controlled(
            st.selectbox, "Definition", now, lambda v: state.choose("bias definition", v), "bias_definition",
            options=list(known), width=220,
        )  # fmt: skip
    return now
