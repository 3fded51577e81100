"""The pruning court: what each method makes of every node, and of the tree as a whole."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import controls_pruning, explained, frames, state, verdicts, work
from pages.shared.messages import plain
from pages.shared.node_table import node_table
from pages.shared.plan import in_force
from pages.shared.wording import in_labels
from treecore.evaluation.court import GIVES_PLACE, GONE, KEEPS, OUTCOMES, Court, Opinion, court, opinion
from treecore.evaluation.metrics import Score
from treecore.pruning import PRUNERS
from treecore.recipe import Prune

FIRST = ("cost_complexity", "reduced_error", "error_based", "pessimistic", "critical_value", "mdl", "merge_siblings")
MOST_METHODS, MOST_ROWS = 5, 200
BY_HAND = "your tree, with cuts by hand"
IN_USE = "your tree"
# The words in the cells say the same: colour only helps the eye along a row.
FILLS = {KEEPS: "rgba(0,158,115,0.16)", GIVES_PLACE: "rgba(86,180,233,0.28)", GONE: "rgba(138,144,153,0.14)"}
CUT_FILL = "rgba(213,94,0,0.20)"
ALL, DIFFER = "all inner nodes", "only where the methods disagree"


def choose() -> None:
    """Which methods stand before the court, with which parameters."""
    names = methods()
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        state.controlled(
            st.multiselect, "Methods", names, lambda v: state.choose("court", tuple(v)), "court_methods",
            options=list(PRUNERS), format_func=controls_pruning.labels().get,
        )  # fmt: skip
    with right:
        with_settings = [name for name in names if PRUNERS[name].parameters]
        with st.popover("Parameters", disabled=not with_settings):
            for name in with_settings:
                st.markdown(f"**{plain(PRUNERS[name].label)}**")
                controls_pruning.parameters(prune_of(name), f"court_{name}", _save)


def methods() -> list[str]:
    """Names of the methods: as chosen, else the one in force and the best known that serve this target.

    No pruning is not among them unless asked for: every other method would disagree with it about every node it cuts.
    """
    chosen = state.choice("court")
    if chosen is not None:
        return [name for name in chosen if name in PRUNERS]
    now = state.record().prune.method
    known = [name for name in FIRST if name != now and controls_pruning.serves(PRUNERS[name])]
    return [name for name in (now, *known) if name != "none"][:MOST_METHODS]


def prune_of(name: str) -> Prune:
    """A method with the parameters it has here: those in force, those given on this page, or the defaults."""
    now = state.record().prune
    return now if now.method == name else state.choice("court_parameters", {}).get(name, Prune(name))


def _save(prune: Prune) -> None:
    if prune.method == state.record().prune.method:
        state.change(prune=prune)
    else:
        state.choose("court_parameters", {**state.choice("court_parameters", {}), prune.method: prune})


def opinions() -> dict[str, Opinion]:
    """Label -> what the method makes of the tree; with what is cut by hand as one more."""
    tree, rows, found = work.grown(), work.parts(), {}
    for name in methods():
        plan = replace(in_force(), prune=prune_of(name), edits=work.takes())
        cuts = work.strategy(plan)
        make = lambda cuts=cuts: opinion(tree, cuts, rows)  # noqa: E731
        found[PRUNERS[name].label] = work.kept("opinion", plan.prune, make=make)
    if work.cut_by_hand():
        cuts = work.cuts()
        found[BY_HAND] = work.kept_cut("opinion by hand", make=lambda: opinion(tree, cuts, rows))
    return found


def table(found: Court) -> None:
    """Nodes by methods; a row selects its node."""
    shown = state.controlled(
        st.segmented_control, "Nodes", state.choice("court_nodes", ALL),
        lambda v: state.choose("court_nodes", v or ALL), "court_nodes", options=[ALL, DIFFER],
    )  # fmt: skip
    n_differ = int(found.disagree.sum())
    nodes = found.nodes[found.disagree] if shown == DIFFER else found.nodes
    if not len(nodes):
        st.info("The methods agree about every node." if len(found.nodes) else "The tree is a lone root.")
        return
    listed = nodes[:MOST_ROWS]
    stamp = (tuple(found.opinions), shown, tuple(prune_of(name) for name in methods()))
    settings = {"": st.column_config.TextColumn("", width=24), "node": st.column_config.NumberColumn(width=60)}
    node_table(_frame(found, listed), listed, "court", stamp, _style(found, listed), height=420, column_config=settings)
    more = len(nodes) - len(listed)
    st.caption(
        f"{len(found.nodes):,} inner nodes, largest first; the methods disagree about {n_differ:,}. "
        + f"The {len(listed)} largest are listed, {more:,} more are not. " * bool(more)
        + "A cell says keep (its branches), cut (it is a leaf now), raised (a branch takes its place) or gone (with a "
        "node above it), and the deciding number against its threshold."
    )


def _frame(found: Court, nodes: np.ndarray) -> pd.DataFrame:
    tree = found.tree
    about = {"node": nodes, "test": [tree.node(int(t)).feature for t in nodes], "rows": tree.n_rows[nodes]}
    said = {
        label: ["refused" if o.refusal is not None else o.told(int(t)) for t in nodes]
        for label, o in found.opinions.items()
    }
    return pd.DataFrame(about | said)


def _style(found: Court, nodes: np.ndarray) -> dict[str, list[str]]:
    """Column -> CSS of its cells."""
    fill = lambda outcome: f"background-color: {FILLS.get(int(outcome), CUT_FILL)}"  # noqa: E731
    return {
        label: [fill(o) for o in opinion.outcome[nodes]]
        for label, opinion in found.opinions.items()
        if opinion.refusal is None
    }


def totals(found: Court) -> None:
    """Size and quality of each method's tree, and which rows decided; what a method lacks where it refuses."""
    rows = [_total(label, o) for label, o in found.opinions.items()]
    frames.show(pd.DataFrame(rows), hide_index=True, key="court_totals")
    now = state.record().prune
    with st.container(horizontal=True):
        for name in methods():
            prune, label = prune_of(name), PRUNERS[name].label
            in_use = prune == now
            st.button(
                f"{label} is in force" if in_use else f"Use {label}", key=f"use_{name}", disabled=in_use,
                on_click=lambda prune=prune: state.change(prune=prune),
            )  # fmt: skip


def _total(label: str, found: Opinion) -> dict:
    """A row of the table of totals."""
    if found.refusal is not None:
        fault = found.refusal
        return {"method": label, "judged by": f"refuses: {fault.what}. {fault.remedy}".strip()}
    scores = {}
    for role, score in found.scores.items():
        scores |= {f"{name}, {role}": value for name, value in _qualities(score)}
    return {"method": label, "leaves": found.n_leaves, "depth": found.depth, **scores, "judged by": found.judged_by}


def _qualities(score: Score) -> list[tuple[str, float]]:
    """What errors cost comes before how many they are."""
    if score.accuracy is None:
        return [("mean squared error", score.error)]
    cost = [] if score.cost is None else [(score.measure, score.cost)]
    return [*cost, ("accuracy", score.accuracy)]


def choose_ghosts() -> None:
    """Whose cuts the tree shows as ghosts: those in force, or for comparison those of another method."""
    served = [label for label, o in made().opinions.items() if o.refusal is None]
    state.controlled(
        st.selectbox, "The tree shows the cuts of", _ghosts_of(served), lambda v: state.choose("court_ghosts", v),
        "court_ghosts", options=[IN_USE, *served],
    )  # fmt: skip


def _ghosts_of(served: list[str]) -> str:
    chosen = state.choice("court_ghosts", IN_USE)
    return chosen if chosen in served else IN_USE


def ghosts() -> tc.Cuts | None:
    """The cuts of the method that is to be shown; None for those in force."""
    found = {label: o for label, o in made().opinions.items() if o.refusal is None}
    chosen = _ghosts_of(list(found))
    return None if chosen == IN_USE else found[chosen].cuts


def testimony(found: Court) -> None:
    """What each method says of the selected node, and the arithmetic of it."""
    tree, node = work.grown(), work.selected()
    st.subheader(f"Node {node}", anchor=False)
    st.markdown(plain(tree.node(node).rule))
    if tree.is_leaf[node]:
        st.caption("A leaf of the grown tree: no method has anything to decide here.")
        return
    for name in methods():
        said = found.opinions[PRUNERS[name].label]
        told = "refuses" if said.refusal is not None else said.told(node)
        with st.expander(f"{PRUNERS[name].label}: {told}"):
            if said.refusal is not None:
                refusal = in_labels(said.refusal)
                st.markdown(plain(f"{refusal.what}. {refusal.remedy}"))
                continue
            plan = replace(in_force(), prune=prune_of(name), edits=work.takes())
            lines = verdicts.lines_of(plan, node)
            if lines:
                explained.show(lines)
            else:
                st.caption(f"It did not look at this node: {OUTCOMES[said.outcome[node]]}.")


def made() -> Court:
    """The court over the tree in force."""
    return court(work.grown(), opinions())
