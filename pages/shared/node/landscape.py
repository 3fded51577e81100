"""The split landscape of the selected node: what every cut of every feature would gain."""

from dataclasses import replace
from functools import partial

import streamlit as st

import treecore as tc
from pages.shared.controls.growth import put
from pages.shared.node import alternatives
from pages.shared.session import state
from pages.shared.trees import comparable_trees, comparison, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets.messages import plain
from treecore.criteria import CRITERIA
from treecore.errors import TreecoreError
from treecore.figures import brief, counted
from treecore.growing.inspect.landscape import Bars, Landscape, landscape, measures_of, own_measure
from treecore.plots.split_landscape import MOST, height, split_landscape
from treecore.recipe import Prune, Take

DRAWN = 400
SCALES = {"values": "their values", "ranks": "the share of rows below"}


def show() -> None:
    """Gain against threshold for every feature; a click offers that cut."""
    tree, node = work.trained(), work.selected()
    st.divider()
    on = state.controlled(
        st.toggle, f"Split landscape: what every cut at node {node} would gain", state.choice("landscape"),
        lambda v: state.choose("landscape", v), "landscape_on",
    )  # fmt: skip
    if not on:
        return
    measure, scale = _switches(tree)
    make = lambda: landscape(tree, node, work.roles()["train"], measure)  # noqa: E731
    result = work.cached("landscape", node, measure, make=make)
    if not result.parts:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    key = f"landscape {node} {measure}"
    figure = split_landscape(result.thinned(DRAWN), scale == "ranks")
    st.plotly_chart(
        figure,
        key=key,
        height=height(result),
        on_select=lambda: _take_click(key, tree, result),
        selection_mode="points",
    )
    _say(tree, result)
    _offer(tree, node)


def _switches(tree: tc.Tree) -> tuple[str, str]:
    fitting, own = measures_of(tree), own_measure(tree)
    measure = state.choice("measure_of_cuts")
    measure = measure if measure in fitting else own
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "Measured by", measure, lambda v: state.choose("measure_of_cuts", v), "measure_of_cuts",
            options=list(fitting), width=320,
            format_func=lambda name: fitting[name] + (" (used by the tree)" if name == own else ""),
        )  # fmt: skip
        scale = state.controlled(
            st.segmented_control, "Thresholds at", state.choice("scale_of_cuts"),
            lambda v: state.choose("scale_of_cuts", v or "values"), "scale_of_cuts", options=list(SCALES),
            format_func=SCALES.get,
        )  # fmt: skip
    return measure, scale


def _take_click(key: str, tree: tc.Tree, found: Landscape) -> None:
    told = state.clicked(key)
    if len(told) == 3 and int(told[0]) < len(found.parts):
        part = found.parts[int(told[0])]
        alternatives.offer(tree, found.node, found.candidate(part.feature, float(told[1]), int(told[2])))


def _say(tree: tc.Tree, found: Landscape) -> None:
    """Of which rows this is, who wins, how many come close."""
    name = CRITERIA[found.measure if found.measure in CRITERIA else tree.criterion].label
    lines = [f"From the {found.n_rows:,} training rows at node {found.node}; their {name}: {brief(found.impurity)}."]
    if found.winner() is None:
        lines.append("No split has a gain by itself.")
    else:
        near = {p.feature: n for p in found.parts if (n := int(found.near(p).sum()))}
        told = ", ".join(f"{plain(feature)} {n:,}" for feature, n in near.items())
        lines.append(
            f"Best: {plain(found.winner())}, {brief(found.best)}. Splits within 1 % of it, itself included: {told}."
        )
    if found.winner() is not None:
        lines += _not_taken(tree, found)
    if any(isinstance(p, Bars) for p in found.parts):
        lines.append("Bars: groupings of levels, the best 20 at most.")
    if len(found.parts) > MOST:
        lines.append("Not shown, as they gain less: " + plain(", ".join(p.feature for p in found.parts[MOST:])) + ".")
    st.caption(" ".join(lines))


def _not_taken(tree: tc.Tree, found: Landscape) -> list[str]:
    """Why the tree does not follow the picture, where its selector looks at more than the measure."""
    if tree.growth.get("selector") in ("conditional", "chaid"):
        return ["The tree chose its feature by a test, not by what is drawn here."]
    listed = work.candidates(found.node)
    passed = {c.feature for c in listed.per_feature() if not c.eligible}
    if found.winner() not in passed or found.measure != own_measure(tree):
        return []
    if not all(c.drawn for c in listed.per_feature() if c.feature == found.winner()):
        return ["It was not among the random features of this node."]
    return [f"The algorithm did not consider it: its gain is below the average {brief(listed.average_gain)}."]


def _offer(tree: tc.Tree, node: int) -> None:
    take = alternatives.offered(tree, node)
    if take is None:
        st.caption("Click a point or a bar to choose that split.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Chosen: **{alternatives.describe_split(tree, take)}**")
        alternatives.button(tree, node, "take_landscape")


# Where no split gains anything: what the tree would be that splits all the same, or stops there.

OTHER = "zero gain"
"""The other choice, as the page Compare calls it."""


SHORT = {"stop": "Stop there", "split": "Split all the same"}


def show_zero_gain() -> None:
    """Offered where the selected node or the root has no split that gains, if the other choice gives another tree."""
    tree = work.trained()
    node = next((n for n in dict.fromkeys((work.selected(), 0)) if _gains_nothing(tree, n)), None)
    if node is None or not _differs(tree):
        return
    where = "the root" if node == 0 else f"node {node}"
    done = "stops there" if tree.is_leaf[node] else "splits it all the same"
    st.markdown(f"**No split of {where} gains anything by itself**: this tree {done}. The other choice gives another.")
    for plan in (_unpruned(in_force()), _unpruned(comparable_trees.plan(OTHER))):
        choice, grown = plan.grow.growth().zero_gain, work.grown(plan)
        mine = ", as your tree has it" if plan.grow == in_force().grow else ""
        leaves = counted(grown.n_leaves, "leaf", "leaves")
        st.markdown(f"**{SHORT[choice]}**{mine}: {leaves}. {plain(comparison.quality_line(work.scores(plan)))}")
    _buttons()


def _buttons() -> None:
    """To see both, and to take the other."""
    with st.container(horizontal=True):
        if st.button("Both side by side", key="both_zero_gains"):
            comparison.take("A", "in force")
            comparison.take("B", OTHER)
            state.choose("view", "beside")
            st.switch_page("pages/compare.py")
        other = comparable_trees.plan(OTHER).grow.growth().zero_gain
        st.button("Grow with the other choice", key="take_zero_gain", on_click=partial(put, "zero_gain", other))


def _gains_nothing(tree: tc.Tree, node: int) -> bool:
    """Is the best gain at this node 0, up to rounding, though its rows are mixed?"""
    slack = tree.growth["tolerance"] * float(tree.impurity[node])
    if tree.impurity[node] <= 0:
        return False
    if not tree.is_leaf[node]:
        return bool(tree.gain[node] <= slack)
    ranked = work.candidates(node).ranked
    return bool(ranked) and ranked[0].gain <= slack


def _unpruned(plan: Plan) -> Plan:
    """The same with the splits taken by hand, and without cuts."""
    return replace(plan, prune=Prune(), edits=tuple(step for step in work.edits() if isinstance(step, Take)))


def _differs(tree: tc.Tree) -> bool:
    """Is the tree of the other choice another one, with all splits taken by hand in it?"""
    plan = _unpruned(comparable_trees.plan(OTHER))
    try:
        other = work.grown(plan)
    except TreecoreError:
        return False
    return other.parent.tolist() != tree.parent.tolist() and len(work.edits(plan)) == len(plan.edits)
