"""The pruning court: what each method makes of every node, and of the tree as a whole."""

from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import quality, side_panel
from pages.shared.controls import pruning
from pages.shared.database import external_table
from pages.shared.node import inspector
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, frames
from pages.shared.widgets.frames import node_table
from pages.shared.widgets.messages import in_labels, plain
from treecore.figures import brief, in_unit, per_cent, percent
from treecore.figures import counted as counted_of
from treecore.judging.measures import MEASURES, short_name
from treecore.pruning import PRUNERS
from treecore.recipe import Prune, lowered
from treecore.study.court import GIVES_PLACE, GONE, KEEPS, OUTCOMES, Court, Opinion, court, opinion
from treecore.study.metrics import Score

FIRST = ("cost_complexity", "reduced_error", "error_based", "pessimistic", "critical_value", "mdl", "merge_siblings")
MOST_METHODS, MOST_ROWS = 5, 200
OVER = 230
"""Pixels of the window for what stands over the table of the nodes."""
BY_HAND = "your tree, with cuts by hand"
IN_USE = "your tree"
JUDGING = "Judging the methods"
SHARES = ("accuracy", *(short_name(m) for m in MEASURES.values() if m.percent))
# The words in the cells say the same: colour only helps the eye along a row.
FILLS = {KEEPS: "transparent", GIVES_PLACE: "rgba(128,128,128,0.16)", GONE: "rgba(128,128,128,0.08)"}
CUT_FILL = "rgba(128,128,128,0.32)"
WIDTHS = {"": 24, "node": 48, "test": 80, "rows": 52, "keep it": 54}
NARROW = 116, 54, 74
"""Pixels of method, leaves and validation in the narrow drawer."""
CELLS = (
    "Keep: the node keeps its branches. Cut: it becomes a leaf. Raised: a branch takes its place. Gone: a node above "
    "it "
    "was cut. The numbers: what decided, against its threshold."
)
WIDER_SIGN = "⤢"
ALL, DIFFER = "all", "where the methods disagree"


def choose() -> None:
    """Which methods stand before the court, with which parameters; and whose cuts the tree shows."""
    names = methods()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover(f"Methods ({len(names)})"):
            state.controlled(
                st.multiselect, "Methods", names, lambda v: state.choose("court", tuple(v)), "court_methods",
                options=list(PRUNERS), format_func=pruning.labels().get,
            )  # fmt: skip
        with_settings = [name for name in names if PRUNERS[name].parameters]
        with st.popover("Parameters", disabled=not with_settings):
            for name in with_settings:
                st.markdown(f"**{plain(PRUNERS[name].label)}**")
                pruning.parameters(prune_of(name), f"court_{name}", _save)
        if not external_table.is_on():
            quality.choose(work.grown(), "court_judged", width=185)
        if side_panel.is_wider("court"):
            choose_ghosts()
    if not side_panel.is_wider("court"):
        choose_ghosts()


def methods() -> list[str]:
    """Names of the methods: as chosen, else the one in force and the best known that serve this target and these rows.

    No pruning is not among them unless asked for: every other method would disagree with it about every node it cuts.
    """
    chosen = state.choice("court")
    if chosen is not None:
        return [name for name in chosen if name in PRUNERS]
    now = state.record().prune.method
    is_held = "validation" in work.parts()
    can_judge = lambda pruner: pruning.serves(pruner) and (is_held or not pruner.needs_validation)  # noqa: E731
    known = [name for name in FIRST if name != now and can_judge(PRUNERS[name])]
    return [name for name in (now, *known) if name != "none"][:MOST_METHODS]


def prune_of(name: str) -> Prune:
    """A method with the parameters it has here: those in force, those given on this page, or the defaults."""
    now = state.record().prune
    return now if now.method == name else state.choice("court_parameters").get(name, Prune(name))


def _save(prune: Prune) -> None:
    if prune.method == state.record().prune.method:
        state.change(prune=prune)
    else:
        state.choose("court_parameters", {**state.choice("court_parameters"), prune.method: prune})


def opinions() -> dict[str, Opinion]:
    """Label -> what the method makes of the tree; with what is cut by hand as one more."""
    tree, rows, result = work.trained(), work.estimation().get("estimation"), {}
    about = () if external_table.is_on() else (quality.chosen(tree).name, quality.looked_for(tree))
    for name in methods():
        plan = replace(in_force(), prune=prune_of(name), edits=work.takes())
        cuts = work.strategy(plan)
        make = lambda parts, cuts=cuts: opinion(tree, cuts, parts, *about, estimation=rows)  # noqa: E731
        result[PRUNERS[name].label] = work.of_all_rows("opinion", JUDGING, make, None, plan.prune, about)
    if work.cut_by_hand():
        cuts = work.cuts()
        make = lambda parts: opinion(tree, cuts, parts, *about, estimation=rows)  # noqa: E731
        result[BY_HAND] = work.of_all_rows("opinion", JUDGING, make, None, work.cut_key("by hand"), about)
    return result


def table(found: Court) -> None:
    """Nodes by methods; a row selects its node."""
    shown = state.controlled(
        st.segmented_control, "Nodes", state.choice("court_nodes"),
        lambda v: state.choose("court_nodes", v or ALL), "court_nodes", options=[ALL, DIFFER],
        format_func={ALL: "All nodes", DIFFER: "Where the methods disagree"}.get, label_visibility="collapsed",
    )  # fmt: skip
    n_differ = int(found.disagree.sum())
    nodes = found.nodes[found.disagree] if shown == DIFFER else found.nodes
    if not len(nodes):
        st.info("The methods agree on every node." if len(found.nodes) else "The tree has no splits.")
        return
    listed, wide = nodes[:MOST_ROWS], side_panel.is_wider("court")
    stamp = (tuple(found.opinions), shown, tuple(prune_of(name) for name in methods()), wide)
    settings = {name: st.column_config.Column(width=width) for name, width in WIDTHS.items()}
    if wide:
        asked = {found.tree.node(int(t)).feature for t in listed}
        settings["test"] = st.column_config.Column(width=frames.name_width(asked, WIDTHS["test"], 200))
    settings["rows"] = frames.COUNT | {"width": WIDTHS["rows"]}
    settings |= {name: st.column_config.Column(name.split(" (")[0]) for name in found.opinions}
    node_table(
        _frame(found, listed, wide), listed, "court", stamp, _style(found, listed) if wide else None,
        height=side_panel.high("court", frames.height(len(listed), 420), OVER), column_config=settings,
    )  # fmt: skip
    more = len(nodes) - len(listed)
    st.caption(
        f"{len(found.nodes):,} inner nodes, largest first; the methods disagree on {n_differ:,}. "
        + f"The {len(listed)} largest are listed, {more:,} more are not. " * bool(more)
        + (CELLS if wide else f"Widen the panel ({WIDER_SIGN} above) to see every verdict.")
    )


def _frame(found: Court, nodes: np.ndarray, wide: bool) -> frames.Frame:
    """Every verdict where there is room for it, else how many methods keep the node's branches."""
    tree = found.tree
    about = {"node": nodes, "test": [tree.node(int(t)).feature for t in nodes], "rows": tree.n_rows[nodes]}
    if not wide:
        heard = [o for o in found.opinions.values() if o.refusal is None]
        keep = [sum(int(o.outcome[t]) == KEEPS for o in heard) for t in nodes]
        return frames.of(about | {f"keep it, of {len(heard)}": keep})
    said = {
        label: ["refused" if o.refusal is not None else o.verdict(int(t)) for t in nodes]
        for label, o in found.opinions.items()
    }
    return frames.of(about | said)


def best(found: Court) -> None:
    """Which of the methods leaves the best tree for rows that it was not grown on, in one sentence."""
    role = next((role for role in ("validation", "test") if role in work.parts()), None)
    measure = None if external_table.is_on() else quality.chosen(work.trained())
    label = found.best(role, measure.higher) if measure is not None and role is not None else None
    if label is None:
        return
    o, value = found.opinions[label], found.opinions[label].measured[role]
    unit = work.grown().schema.target_unit if measure.name in ("rmse", "mae") else ""
    said = percent(value) if measure.percent else in_unit(brief(value), unit)
    leaves = counted_of(o.n_leaves, "leaf", "leaves")
    st.markdown(
        plain(f"Best on the {role} rows: ") + f"**{plain(label.split(' (')[0])}**"
        + plain(f", {leaves}, {lowered(measure.label)} {said}.")
    )  # fmt: skip


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
    wide = side_panel.is_wider("court")
    listed = {label: o for label, o in found.opinions.items() if o.refusal is None}
    frame = frames.of([_total(label, o) for label, o in listed.items()])
    shares = [name for name in frame if name.startswith(SHARES)]
    looks = {"leaves": frames.COUNT} | dict.fromkeys(shares, frames.SHARE)
    frame[shares] = frame[shares].map(per_cent)
    if not wide and len(frame):
        judged = [n for n in frame if n.endswith(", validation")] or [n for n in frame if n.endswith(", train")]
        kept = ["method", "leaves", next(iter(judged), None)]
        widths = {name: {"width": width} for name, width in zip(kept, NARROW, strict=True) if name}
        looks |= {name: looks.get(name, st.column_config.Column()) | width for name, width in widths.items()}
        looks |= {name: frames.SHARE | {"label": "validation", "width": NARROW[2]} for name in shares}
        for name in (n for n in kept[2:] if n and n not in shares):
            looks[name] = st.column_config.NumberColumn(name.rpartition(", ")[2], format="%.4g", width=NARROW[2])
        frame = frame[[name for name in kept if name in frame]]
        frame["method"] = [label.split(" (")[0] for label in frame["method"]]
    frames.show(frame, looks, hide_index=True, key="court_totals")
    for label, o in found.opinions.items():
        if o.refusal is not None:
            st.caption(plain(f"{label} refuses: {_why(o)}"))
    parts = work.parts
    quality.arithmetic("court", lambda: {label: (work.cut_by(o.cuts), parts()) for label, o in listed.items()})


def _why(found: Opinion) -> str:
    """What a method lacks that refuses, and what helps."""
    fault = in_labels(found.refusal)
    return f"{fault.what}. {fault.remedy}".strip()


def _total(label: str, found: Opinion) -> dict:
    """A row of the table of totals."""
    scores = {}
    for role, score in found.scores.items():
        scores |= {f"{name}, {role}": value for name, value in _qualities(score, found.measured.get(role))}
    return {"method": label, "leaves": found.n_leaves, "depth": found.depth, **scores, "judged by": found.judged_by}


def _qualities(score: Score, measured: float | None) -> list[tuple[str, float]]:
    """The measure that is chosen first, then what errors cost, then what people look at first."""
    named = short_name(quality.chosen(work.grown()))
    first = [] if measured is None else [(named, measured)]
    rest = [] if score.cost is None else [(score.measure, score.cost)]
    rest.append((score.headline.name, score.headline.value))
    return first + [(name, value) for name, value in rest if name != named]


def choose_ghosts() -> None:
    """Whose cuts the tree shows as ghosts: those in force, or for comparison those of another method, and its use."""
    served = [label for label, o in made().opinions.items() if o.refusal is None]
    shown = _ghosts_of(served)
    state.controlled(
        st.selectbox, "The tree shows the cuts of", shown, lambda v: state.choose("court_ghosts", v), "court_ghosts",
        options=[IN_USE, *served], width=220,
    )  # fmt: skip
    name = next((name for name in methods() if PRUNERS[name].label == shown), None)
    if name is not None and prune_of(name) != state.record().prune:
        st.button(f"Prune your tree by {shown}", key=f"use_{name}", on_click=_use, args=(name,))


def _use(name: str) -> None:
    """Prune by it, and show your tree, which is pruned so now."""
    state.choose("court_ghosts", IN_USE)
    state.change(prune=prune_of(name))


def _ghosts_of(served: list[str]) -> str:
    chosen = state.choice("court_ghosts")
    return chosen if chosen in served else IN_USE


def ghosts() -> tc.Cuts | None:
    """The cuts of the method that is to be shown; None for those in force."""
    result = {label: o for label, o in made().opinions.items() if o.refusal is None}
    chosen = _ghosts_of(list(result))
    return None if chosen == IN_USE else result[chosen].cuts


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
        with st.expander(f"{PRUNERS[name].label.split(' (')[0]}: {told}"):
            if said.refusal is not None:
                refusal = in_labels(said.refusal)
                st.markdown(plain(f"{refusal.what}. {refusal.remedy}"))
                continue
            plan = replace(in_force(), prune=prune_of(name), edits=work.takes())
            lines = inspector.lines_of(plan, node)
            if lines:
                explained.show(lines)
            else:
                st.caption(f"It did not look at this node: {OUTCOMES[said.outcome[node]]}.")


def made() -> Court:
    """The court over the tree in force."""
    return court(work.grown(), opinions())
