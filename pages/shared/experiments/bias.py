"""The page Experiments: does a tree of some size err as it cannot know better, or as it follows its sample?"""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments import recipes
from pages.shared.experiments.start import begun
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, messages
from pages.shared.widgets.messages import plain
from treecore.plots.error_curves import bias_variance, overfitting
from treecore.plots.found import bias_name
from treecore.recipe import Recipe
from treecore.study import WORLDS, ManyTrees, in_table, in_world
from treecore.study.questions.bias_variance import BOOTSTRAP, HALVES, describe_bias_variance

MINE = "this table"
MOST_TREES, MOST_ROWS = 500, 5000
SAMPLES_TOLD = {BOOTSTRAP: "with replacement", HALVES: "halves, each row once"}


def show() -> None:
    """Which truth, how many trees; the curves and what they say."""
    _choose()
    told = (
        "Trees of many samples, each cut back to so many leaves. Bias: what they get wrong together. Variance: how "
        "they differ. Of this table nobody knows the noise; in an invented world it is known."
    )
    if begun("bias on", "Grow them", "grow_samples", told):
        with messages.caught():
            _draw(_found())


def _draw(found: ManyTrees) -> None:
    definition = _definition(found)
    parts, share = found.parts(definition), found.task == "classification"
    above = overfitting(found.sizes, found.train, found.errors, share)
    st.plotly_chart(above, key="overfitting", height=side_panel.picture("experiments", 270))
    st.caption("Over-fitting: error on the trees' own rows and on new ones, ± sd of the trees.")
    st.plotly_chart(bias_variance(found.sizes, parts, bias_name(found), share), key="bias_variance", height=330)
    explained.show(describe_bias_variance(found, definition))


def _choose() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options = {MINE: MINE} | {name: world.label for name, world in WORLDS.items()}
        state.controlled(
            st.selectbox, "Rows of", _world() or MINE, lambda v: state.choose("bias world", v), "bias_world",
            options=list(options), format_func=options.get, width=220,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Trees", min(state.choice("bias trees"), MOST_TREES),
            lambda v: state.choose("bias trees", int(v)), "bias_trees", min_value=2, max_value=MOST_TREES, step=10,
            width=110,
        )  # fmt: skip
        if _world():
            state.controlled(
                st.number_input, "Rows of each", min(state.choice("bias rows"), MOST_ROWS),
                lambda v: state.choose("bias rows", int(v)), "bias_rows", min_value=20, max_value=MOST_ROWS, step=50,
                width=110,
            )  # fmt: skip
        else:
            _choose_samples()
    grown = plain(in_force().grow.text())
    st.markdown(f"Grown by your recipe: {grown}." if not _world() else f"Grown by your algorithm: {grown}.")


def _choose_samples() -> None:
    """How the rows of each tree are drawn."""
    state.controlled(
        st.selectbox, "Samples", state.choice("bias samples"), lambda v: state.choose("bias samples", v),
        "bias_samples", options=list(SAMPLES_TOLD), format_func=SAMPLES_TOLD.get, width=190,
        help="With replacement: as many rows as there are, some of them twice, as Domingos drew them. Halves: as "
        "Kohavi and Wolpert did; no row is there twice, and trees of half the rows are smaller.",
    )  # fmt: skip


def settings() -> tuple[tuple[str, object], ...]:
    """As they are told with what was found."""
    n, world = min(state.choice("bias trees"), MOST_TREES), _world()
    drawn = ("rows of", world) if world else ("samples", SAMPLES_TOLD[state.choice("bias samples")])
    return ("trees", n), drawn, ("seed", 0)


def of_world() -> bool:
    """Are the rows those of an invented world?"""
    return bool(_world())


def _world() -> str:
    """Name of the world that is chosen, "" for this table."""
    chosen = state.choice("bias world")
    return chosen if chosen in WORLDS else ""


def key() -> tuple:
    """What the trees depend on."""
    plan, world, n = in_force(), _world(), min(state.choice("bias trees"), MOST_TREES)
    if world:
        return ("bias", world, plan.grow, n, min(state.choice("bias rows"), MOST_ROWS))
    return ("bias", work.table_key(), state.record().split, plan.prepare, plan.grow, n, state.choice("bias samples"))


def _found() -> ManyTrees:
    plan, world = in_force(), _world()
    n, n_rows = min(state.choice("bias trees"), MOST_TREES), min(state.choice("bias rows"), MOST_ROWS)
    rows = recipes.judged_rows()
    if world:
        make = lambda report: in_world(WORLDS[world], Recipe((plan.grow,)), n_rows, n, progress=report)  # noqa: E731
    else:
        recipe = Recipe((plan.prepare, plan.grow))
        way = state.choice("bias samples")
        make = lambda report: in_table(rows, recipe, n, progress=report, samples=way)  # noqa: E731
    return long_work.cached_in_background(
        key(), make, recipes.said("Growing"), "Growing", "choose fewer trees", "Grow them"
    )


def _definition(found: ManyTrees) -> str:
    chosen, known = state.choice("bias definition"), found.definitions
    now = chosen if chosen in known else known[0]
    if len(known) > 1:
        state.controlled(
            st.selectbox, "Definition", now, lambda v: state.choose("bias definition", v), "bias_definition",
            options=list(known), width=220,
        )  # fmt: skip
    return now
