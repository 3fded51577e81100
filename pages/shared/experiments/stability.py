"""The page Experiments: is your tree stable? Regrown on other samples, with a badge on each node of how it fared."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.shared.bench import experiment_trees, side_panel, tree
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments.panel import answered, controls
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import offer
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, messages
from pages.shared.widgets.fold import fold
from treecore.errors import TreecoreError
from treecore.figures import percent
from treecore.plots.feature_effects import cut_points, features_used
from treecore.study.questions.stability import (
    MOST_FEATURES,
    SAME,
    SEED,
    STABILITY,
    TREES,
    WAY,
    Regrown,
    Stability,
    badges,
    describe_stability,
    stability_of,
)


def show() -> None:
    """How samples are drawn; what returns; features and cut points."""
    _choose()
    is_drawn = cache.find(key()) is not None
    try:
        result = _regrown()
    except TreecoreError as fault:
        messages.show(fault)
        return
    if result is None:
        st.caption(STABILITY.start.note)
        offer(STABILITY.start, "regrow")
        return
    if not is_drawn:  # the canvas was there before the badges were
        st.rerun()
    of = _of(result)
    _which_tree(of)
    explained.show(describe_stability(work.pruned(), of, result))
    st.caption(
        f"A split returns where a tree has one of the same feature with at most {percent(SessionSetup()[SAME])} of the "
        "rows between. Badges: per cent of the trees that have the split, or give a leaf's rows the same answer."
    )
    names = [f.name for f in work.pruned().schema.features]
    height = side_panel.picture("experiments", 110 + 26 * min(len(names), MOST_FEATURES))
    st.plotly_chart(features_used(of, names), key="features_used", height=height)
    fold("Where features are cut", "cut points", lambda: _cut_points(of, result, names))


def canvas() -> Callable[[], None] | None:
    """Your tree with badges, or the most representative of the regrown ones; None before there are any."""
    result = cache.find(key()) if state.choice("regrow on") else None
    if result is None:
        return None
    of = _of(result)
    if state.choice("regrown shown") == "representative":
        i = of.representative
        tag = f"Tree of sample {i + 1}: the nearest to all others"
        return partial(
            experiment_trees.draw, Exhibit((*key(), i), result.trees[i], tag, {"train": work.roles()["train"]})
        )
    mine, ids = work.pruned(), work.cuts().standing(work.grown())
    told = {int(ids[node]): badge for node, badge in badges(mine, of).items()}
    return partial(tree.draw, badges=told)


def _choose() -> None:
    setup = SessionSetup()
    controls(WAY, TREES, setup=setup)
    controls(SAME, SEED, setup=setup)


def key() -> tuple:
    """What the regrown trees depend on."""
    plan, r, setup = in_force(), state.record(), SessionSetup()
    drawn = (setup[WAY], setup[TREES], setup[SEED])
    return ("regrown", work.table_key(), r.split, plan.prepare, plan.grow, plan.prune, drawn)


def _regrown() -> Regrown | None:
    """The trees of the samples; None where nobody has asked."""
    return answered(STABILITY, key(), SessionSetup()) if state.choice("regrow on") else None


def _of(found: Regrown) -> Stability:
    return stability_of(SessionSetup(key()), found)


def _which_tree(of: Stability) -> None:
    labels = {"yours": "Your tree, with badges", "representative": f"Representative ({of.representative + 1})"}
    state.controlled(
        st.segmented_control, "Tree on the canvas", state.choice("regrown shown"),
        lambda v: state.choose("regrown shown", v or "yours"), "regrown_shown", options=list(labels),
        format_func=labels.get, label_visibility="collapsed",
    )  # fmt: skip


def _cut_points(of: Stability, found: Regrown, names: list[str]) -> None:
    numeric = [f.name for f in work.pruned().schema.features if f.numeric]
    if not numeric:
        st.caption("No feature is a number.")
        return
    most = max(numeric, key=lambda name: of.used[names.index(name)])
    now = state.choice("cut points of")
    now = now if now in numeric else most
    state.controlled(
        st.selectbox, "Feature", now, lambda v: state.choose("cut points of", v), "cut_points_of", options=numeric
    )
    drawn = cut_points(of, found.trees, work.pruned(), names.index(now))
    st.plotly_chart(drawn, key="cut_points", height=300)
    st.caption("A point is a threshold in one of the trees, by its depth, each tree at its own height within it.")
