"""The risk skyline over the tree: what the browser is sent of it, and what comes back when the line is let go."""

import math

import numpy as np
import streamlit as st

from pages import WORKBENCH
from pages.shared.bench import tree
from pages.shared.node import inspector
from pages.shared.segments import line
from pages.shared.session import state
from pages.shared.trees import groups, work
from pages.shared.widgets.messages import plain
from treecore.export.cards import PALETTE
from treecore.export.modules import joined, styles
from treecore.figures import count, counted
from treecore.plots.picture_style import group_colors
from treecore.study.groups import Groups
from treecore.study.segments import ALL, HeldOut, Segments
from treecore.tree.short_text import apart, shorten
from treecore.view import canvas_nodes
from treecore.view.size_picker import ticks

KEY = "skyline"
LEAST = 200
"""Pixels of the tree below it."""
LETTERS = 260

_component = st.components.v2.component(
    "treecore_skyline", html='<div class="skyline" data-testid="skyline"></div>',
    css=styles(WORKBENCH / "skyline.css"), js=joined(WORKBENCH / "skyline_main.js"),
)  # fmt: skip


def canvas() -> None:
    """The skyline, and below it the tree in which the same leaves light up."""
    with st.container(key="skyline_over_tree", gap=None):
        _component(key=KEY, data=skyline_data(), on_taken_change=_take_line, on_chosen_change=_take_node)
        tree.draw(key=tree.BELOW, least=LEAST)


def _take_line() -> None:
    told = state.widget(KEY).get("taken")
    rows = told.get("rows") if isinstance(told, dict) else None
    if type(rows) in (int, float) and math.isfinite(rows):
        line.take(line.segments().first(rows, line.role()))


def _take_node() -> None:
    node = state.widget(KEY).get("chosen")
    if type(node) is int and 0 <= node < work.grown().n_nodes:
        state.change(selected=node)


def skyline_data() -> dict:
    """What the browser is sent."""
    of, role = line.segments(), line.role()
    about = (role, of.name, of.profit, of.horizon, groups.chosen())
    fixed = work.cached_cut("skyline", *about, make=lambda: _fixed(of, of.held[role], role))
    return fixed | {"at": line.selection().rows, "chosen": line.chosen()}


def _fixed(of: Segments, held: HeldOut, role: str) -> dict:
    """What neither the line nor a click changes."""
    numeric, ids = of.name is None, line.grown_ids()
    low, top = _span(of, held, role)
    best = None if of.profit is None or numeric else of.most_profitable(role).rows
    by, cards = of_rows(), [_card(of, i) for i in range(len(of))]
    shares = () if by is None else by.shares[of.node]
    for card, parts in zip(cards, shares, strict=False):
        card.append(canvas_nodes.describe_groups(by, parts))
    return {
        "rows": held.rows.tolist(), "hits": held.hits.tolist(), "per": held.per.tolist(),
        "told": _gaps(of.told), "lows": _gaps(held.low),
        "highs": _gaps(held.high), "rates": _gaps(held.rate) if role != of.tree.figures_of else [None] * len(of),
        "heights": [of.rate_text(rate) for rate in of.told.tolist()],
        "numbers": of.number.tolist(), "nodes": ids[of.node].tolist(),
        "ways": [ids[of.tree.path(node)].tolist() for node in of.node.tolist()],
        "cards": cards, "groups": [canvas_nodes.shares_of_groups(parts) for parts in shares],
        "group_colors": []
        if by is None
        else canvas_nodes.groups_legend(by, len(of.tree.classes), group_colors)["colors"],
        "numeric": numeric, "interest": shorten(of.label or "", 40),
        "target": shorten(of.quantity if numeric else of.tree.schema.target, 60),
        "units": of.units, "in_percent": of.in_percent, "k": of.k, "n_classes": len(of.tree.classes),
        "colors": list(PALETTE), "base": held.base if math.isfinite(held.base) else None, "low": low, "top": top,
        "adds_up": of.adds_up, "signed": of.tree.target_kind.signed_unit if numeric else None,
        "digits": of.tree.target_kind.answer_digits(of.tree),
        "ticks": [[at, _tick(of, at)] for at in ticks(low, top)],
        "steps": [[n, count(n, ",")] for n in ticks(0.0, held.n_rows) if n <= held.n_rows],
        "best": best, "profit": None if numeric or of.profit is None else [getattr(of.profit, w) for w in line.WORTH],
        "rules": [_describe_rule(of, of.whole(n, held), held, role) for n in range(len(of) + 1)],
        "words": _words(of, held, role),
    }  # fmt: skip


def _tick(of: Segments, at: float) -> str:
    return f"{100 * at:g}\u00a0%" if of.in_percent else of.tree.target_kind.tick_text(of.tree, at)


def _words(of: Segments, held: HeldOut, role: str) -> dict:
    what = of.quantity if of.name is None else f"rate of “{shorten(of.label, 30)}”"
    where, kind = line.role_name(role), of.tree.target_kind
    what = kind.quantity(of.tree) if of.answers_differ else what
    mean = f"{of.noun} of " if of.answers_differ else ""  # what the rows have is no quantile of theirs
    seen = f"whiskers: {mean and of.noun + ', '}95 %"
    if role != of.tree.figures_of:
        seen = f"◇ and whiskers: {mean}{where}, 95 %"
    base = f"{mean}all {where} rows {of.rate_text(held.base)}"
    height = f"Height: {what} in {line.role_name(of.tree.figures_of)} · width: {where} rows · {seen}"
    return {
        "name": f"Risk skyline: {len(of)} segments, the highest {what} first, as wide as their {where} rows",
        "line": f"Line: {where} rows before it", "height": height, "base": base,
        "best": "best profit", "from": "from" if of.name is None else "rate from",
    }  # fmt: skip


def _describe_rule(of: Segments, n: int, held: HeldOut, role: str) -> str:
    """The flag rule of the first n segments, in a sentence: whole segments, which the line may cut."""
    rule = of.rule(n)
    if rule is None:
        return "No segment lies before the line as a whole: nothing is flagged."
    many = "the first segment" if n == 1 else f"the first {n:,} segments"
    rows_told = counted(round(float(held.rows[:n].sum())), f"{line.role_name(role)} row")
    least, kind = f"rate of at least {of.rate_text(rule.threshold)}", of.tree.target_kind
    if of.name is None:  # rules flag by what the tree answers, whatever the segments are ranked by
        least = f"{kind.quantity(of.tree)} of at least {kind.figure_text(of.tree, rule.threshold)}"
    return f"As a flag rule, of whole segments: {many}, {rows_told}, {least}."


def _span(of: Segments, held: HeldOut, role: str) -> tuple[float, float]:
    """The least and the largest height there is room for: all towers, and whiskers unless they are of few rows."""
    told = of.told[np.isfinite(of.told)]
    sure = held.rows >= 0.01 * held.n_rows
    highs = np.concatenate([told, held.high[sure & np.isfinite(held.high)], held.rate[sure & np.isfinite(held.rate)]])
    top = float(highs.max(initial=0.0)) or 1.0
    low = min(0.0, float(np.concatenate([told, held.low[sure & np.isfinite(held.low)]]).min(initial=0.0)))
    return low, min(1.0, 1.06 * top) if of.in_percent else top + 0.06 * (top - low)


def _card(of: Segments, i: int) -> list[str]:
    """What is told of a segment beside the pointer."""
    number = int(of.number[i])
    places = apart(of.rules)
    lines = [f"Segment {number:,}" if number else f"Stops at node {of.node[i]}", shorten(of.rules[i], LETTERS, places)]
    return [*lines, *(describe_figures(of, role, i) for role in of.held)]


def describe_figures(of: Segments, role: str, i: int) -> str:
    """ "validation: 120 rows, 14.2 % (9.0 % to 21.5 %), lift 2.0"."""
    held = of.held[role]
    said = f"{line.role_name(role)}: {count(held.rows[i], ',')} rows"
    if not held.rows[i] > 0:
        return said
    told = of.rate_text
    what = f"{of.quantity} " if of.name is None else ""
    said += f", {what}{told(held.rate[i])} ({told(held.low[i])} to {told(held.high[i])})"
    return f"{said}, lift {held.lift[i]:.2f}" if of.name is not None else said


def _gaps(values: np.ndarray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values.tolist()]


# The segment that is selected, in words and figures.


def show_chosen() -> None:
    """Its rule, and how it does on the rows of every role."""
    of, i = line.segments(), line.chosen()
    if i is None:
        st.caption("Click a tower to select its leaf in the tree.")
        return
    number = int(of.number[i])
    name = f"Segment {number:,} of {int(of.number.max()):,}" if number else "Rows that stop inside the tree"
    st.markdown(f"**{name}**: {plain(shorten(of.rules[i], 600))}")
    st.caption(" · ".join(plain(describe_figures(of, role, i)) for role in of.held))


# Who is treated differently: the groups of any column in the selected segment, or in all rows.

MOST_NAMED = 3


def of_rows() -> Groups | None:
    """Of the rows that are counted, in the nodes of the pruned tree; None where no column is chosen."""
    return groups.of_pruned(_roles())


def show_groups() -> None:
    """The column; where groups differ in any segment, and each group in the one that is selected."""
    if not groups.offered():
        return
    groups.choose("segments_groups", "Groups of")
    of = of_rows()
    if of is None:
        return
    st.markdown(plain(_over_all(of)))
    i = line.chosen()
    inspector.show(of, 0 if i is None else int(line.segments().node[i]))
    rows = "of all roles" if line.role() == ALL else f"of {line.role_name(line.role())}"
    st.caption(f"Rows {rows}. p: against the other rows of the segment, corrected for the number of groups (Holm).")


def _roles() -> tuple[str, ...]:
    held = line.segments().held
    return tuple(role for role in held if role != ALL) if line.role() == ALL else (line.role(),)


def _over_all(of: Groups) -> str:
    """Of how many segments a group differs, and the surest of them."""
    segments = line.segments()
    number = dict(zip(segments.node.tolist(), segments.number.tolist(), strict=True))
    differing = of.differing(np.sort(segments.node))
    all_of = counted(len(segments), "segment")
    if not differing:
        return f"In none of {all_of} does a group of {of.column} differ significantly from the others."
    n = len({node for node, _ in differing})
    named = [f"segment {number[node]}, {of.of_group(group)}" for node, group in differing[:MOST_NAMED]]
    more = f"; and {len(differing) - MOST_NAMED:,} more" if len(differing) > MOST_NAMED else ""
    return f"In {n:,} of {all_of} a group differs significantly from the others: {'; '.join(named)}{more}."
