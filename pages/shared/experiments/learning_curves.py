"""The page Experiments: what more rows would do, and how much noise or a rare class harms."""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments.panel import answered, control
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.figures import percent
from treecore.plots.error_curves import leaves_along, score_curve
from treecore.recipe import Recipe
from treecore.study import Along
from treecore.study.questions.learning_curve import (
    CHANGE,
    LEARNING_CURVE,
    MORE_ROWS,
    NOISES,
    RARE,
    RARE_CLASS,
    RARE_MEASURE,
    REPEATS,
    curve_sentence,
    grown_in_noise,
    measure_along,
    measures_along,
    outlook_of,
    scale_of,
    wrong_in,
)


def show() -> None:
    """What is changed; the curve, the leaves, and what they say."""
    setup = SessionSetup()
    _choose(setup)
    if wrong_in(setup) is not None:
        _offer_tree()
    if begun(LEARNING_CURVE.start, "try_along"):
        with messages.caught():
            _draw(answered(LEARNING_CURVE, key(), setup), setup)


def _draw(found: Along, setup: SessionSetup) -> None:
    measure, scale = measure_along(setup), scale_of(setup)
    ahead, share = outlook_of(found, measure), setup[CHANGE] != MORE_ROWS
    st.markdown(plain(curve_sentence(found, measure, scale)))
    drawn = score_curve(found, measure, scale, share, ahead)
    st.plotly_chart(drawn, key="along", height=side_panel.picture("experiments", 320))
    st.plotly_chart(leaves_along(found, scale, share), key="along_leaves", height=200)
    further = "; dashed: expected with more rows, in the band of 90 % of the curves drawn anew." if ahead else "."
    st.caption(f"Bands: ± sd of the repetitions{further}")


def _choose(setup: SessionSetup) -> None:
    known, rare = measures_along(setup), setup[CHANGE] == RARE
    choice = RARE_MEASURE.choice if rare else "experiment measure"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(CHANGE, setup)
        if rare:
            control(RARE_CLASS, setup)
        state.controlled(
            st.selectbox, "Measure", measure_along(setup).name, lambda v: state.choose(choice, v), "along_measure",
            options=list(known), format_func=lambda name: known[name].label, width=170,
        )  # fmt: skip
        control(REPEATS, setup)


def exhibit() -> Exhibit | None:
    """The tree that grows where as many training rows are wrong as is chosen."""
    setup = SessionSetup()
    wrong, part = wrong_in(setup), state.choice("along shown")
    if wrong is None or not part:
        return None
    plan, rows = moving.plan(), work.unprepared_roles()
    recipe = Recipe((state.record().split, plan.prepare, plan.grow, plan.prune))
    roles = {role: rows.get(role) for role in ("train", "validation", "pruning")}
    name = work.cut_key("in noise", wrong, part, plan=plan)
    tree, train = cache.get(name, lambda: grown_in_noise(recipe, wrong, part, **roles))
    return Exhibit(name, tree, f"{percent(part)} {scale_of(setup)}", {"train": train})


def _offer_tree() -> None:
    """How many rows are wrong for the tree on the canvas."""
    state.controlled(
        st.select_slider, "Show the tree with this share of wrong labels", state.choice("along shown"),
        lambda v: state.choose("along shown", v), "along_shown", options=list(NOISES), format_func=percent,
    )  # fmt: skip


def key() -> tuple:
    """What the curve depends on."""
    plan, setup = in_force(), SessionSetup()
    steps, what = (state.record().split, plan.prepare, plan.grow, plan.prune), setup[CHANGE]
    rare = setup[RARE_CLASS] if what == RARE else ""
    return ("along", work.table_key(), steps, what, rare, measure_along(setup).name, setup[REPEATS])
