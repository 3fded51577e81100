"""Where the line is drawn: by rows, a budget, a rate or the profit; and the flag rule that it makes."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.node import inspector
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets.messages import plain
from treecore.figures import brief, count, number
from treecore.study.segments import Profit, Segments, Selection
from treecore.study.survival_curves import has_curves

# The segments of the tree in force, the rows they are counted on, and where the line is.

FIRST = 0.1
"""Share of the rows before the line until it is moved."""
WORTH = ("hit", "miss", "false_alarm", "correct_rejection")


def segments() -> Segments:
    """Of the pruned tree, counted on the rows of every role."""
    tree, of = work.pruned(), interest.of(work.pruned())
    name, profit = None if of is None else tree.classes[of.k], worth()
    own, at = work.estimation(), horizon()
    make = lambda rows: tc.segments(tree, own | rows, name, profit, at)  # noqa: E731
    about = (work.cut_key("segments"), name, profit, at)
    return work.of_all_rows("segments", "Counting the segments", make, None, *about)


def horizon() -> float | None:
    """The time until which risks are told, of survival times; None where the tree's answers are."""
    if not has_curves(work.pruned()) or state.choice("segments ranked") == "answer":
        return None
    return inspector.horizon()


def choose_horizon() -> None:
    """Of survival times: what segments are ranked by, and the horizon of their risks."""
    if not has_curves(work.pruned()):
        return
    ways = {"risk": "Risk until a time", "answer": "Hazard ratio"}
    now = state.choice("segments ranked", "risk")
    state.controlled(
        st.segmented_control, "Ranked by", now, lambda way: state.choose("segments ranked", way or now),
        "segments_ranked", options=list(ways), format_func=ways.get, label_visibility="collapsed",
    )  # fmt: skip
    if now == "risk":
        inspector.drag_horizon("segments_horizon")


def worth() -> Profit | None:
    """What a row is worth, where the reader has said it; None: what the tree was grown with, if anything."""
    told = state.choice("segments worth")
    if set(told) != set(WORTH) or not all(type(value) in (int, float) for value in told.values()):
        return None
    return Profit(**told)


def role() -> str:
    """The role that is counted on."""
    chosen, result = state.choice("segments role"), segments()
    return chosen if chosen in result.held else result.judge()


def selection() -> Selection:
    """What lies before the line: where the reader has left it, else where the flag rule is, else a tenth of all, or the
    first segment where that is more."""
    result, rule, told = segments(), work.flag_rule(), state.choice("segments line")
    if told.get("role") == role() and type(told.get("rows")) in (int, float):
        said = result.first(told["rows"], role())
        if said.rule == rule or (told.get("rate") is not None and rule is not None and rule.threshold == told["rate"]):
            return said
    if rule is not None and rule.class_of_interest == result.name:
        return result.flagged(rule, role())
    said = result.first(round(FIRST * result.held[role()].n_rows), role())
    return said if said.rule is not None else result.above(float(result.told[0]), role())


def take(said: Selection, rate: float | None = None) -> None:
    """The line is here now, and flags the segments before it. rate : that was asked for, if any."""
    state.change(flag=said.rule)
    state.choose("segments line", {"role": said.role, "rows": said.rows, "rate": rate})


def grown_ids() -> np.ndarray:
    """int64 (n_nodes of the pruned tree,): what each of its nodes is called in the grown one."""
    return work.cuts().standing(work.grown())


def chosen() -> int | None:
    """The place of the selected node among the segments; None where it is no segment."""
    at = np.flatnonzero(grown_ids()[segments().node] == work.selected())
    return int(at[0]) if len(at) else None


def role_name(name: str) -> str:
    return {"train": "training"}.get(name, name)


# What a row is worth: four plain fields, from which every profit on the page follows.

FIELDS = {
    "hit": "Hit", "miss": "Miss", "false_alarm": "False alarm", "correct_rejection": "Correct rejection",
}  # fmt: skip


def show() -> None:
    """The fields; a cost is a profit below 0."""
    of = segments()
    now = of.profit or Profit()
    st.caption(f"Profit of a row, by whether it is flagged and whether it is “{plain(of.label)}”; costs below 0.")
    with st.container(horizontal=True):
        for name, label in FIELDS.items():
            state.controlled(
                st.number_input, label, float(getattr(now, name)), lambda v, name=name: _take(now, name, v),
                f"segments_{name}", step=1.0, format="%g", width=138,
            )  # fmt: skip
    if state.choice("segments worth"):
        st.button("Reset", key="segments_worth_reset", on_click=lambda: state.choose("segments worth", {}))


def _take(now: Profit, name: str, value: float) -> None:
    told = {field: float(getattr(now, field)) for field in WORTH}
    state.choose("segments worth", told | {name: float(value)})


WAYS = {"rows": "First rows", "budget": "Budget", "rate": "Rate", "profit": "Profit"}


def choose() -> None:
    """One of the ways to say where the line is, beside dragging it."""
    of = segments()
    ways = [way for way in WAYS if way != "profit" or of.name is not None]
    now = state.choice("segments by")
    now = now if now in ways else "rows"
    names = WAYS if of.name is not None else WAYS | {"rate": "Risk" if of.in_percent else "Answer"}
    state.controlled(
        st.segmented_control, "Place the line by", now, lambda way: state.choose("segments by", way or now),
        "segments_by", options=ways, format_func=names.get, label_visibility="collapsed",
    )  # fmt: skip
    {"rows": _by_rows, "budget": _by_budget, "rate": _by_rate, "profit": _by_profit}[now]()


def _by_rows() -> None:
    said = selection()
    order = "the riskiest" if said.name is not None else "the highest"
    state.controlled(
        st.number_input, f"Number of rows (of {count(said.n_rows, ',')}), {order} first", float(round(said.rows)),
        lambda n: take(segments().first(n, role())), "segments_rows", min_value=0.0,
        max_value=float(max(round(said.n_rows), 1)), step=1.0, format="%.0f",
    )  # fmt: skip


def _by_budget() -> None:
    budget, cost = state.choice("segments budget", 1000.0), state.choice("segments contact", 1.0)
    with st.container(horizontal=True):
        state.controlled(
            st.number_input, "Budget", float(budget), lambda v: _spend(v, cost), "segments_budget", min_value=0.0,
            step=100.0, format="%g", width=140,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Cost of a contact", float(cost), lambda v: _spend(budget, v), "segments_contact",
            min_value=0.0, step=1.0, format="%g", width=140,
        )  # fmt: skip
    if cost > 0:
        st.caption(f"It pays for {count(int(budget / cost), ',')} rows.")
        _draw_line("Draw the line here", lambda: take(segments().within(budget, cost, role())))


def _spend(budget: float, cost: float) -> None:
    state.choose("segments budget", float(budget))
    state.choose("segments contact", float(cost))
    if cost > 0:
        take(segments().within(budget, cost, role()))


def _by_rate() -> None:
    of, said = segments(), selection()
    now = said.rule.threshold if said.rule is not None else float(of.told[0])
    if of.name is None:
        units, what = of.units, plain(of.quantity) + ", in %" * of.in_percent
        state.controlled(
            st.number_input, f"{what[:1].upper()}{what[1:]} of at least", float(number(units * now)),
            lambda v: _from_rate(v / units), "segments_rate", format="%g",
        )  # fmt: skip
        return
    state.controlled(
        st.number_input, f"Rate of “{plain(of.label)}”, at least (in %)", round(100 * now, 6),
        lambda v: _from_rate(v / 100), "segments_rate", min_value=0.0, max_value=100.0, step=1.0, format="%g",
    )  # fmt: skip


def _from_rate(rate: float) -> None:
    take(segments().above(float(rate), role()), float(rate))


def _by_profit() -> None:
    """The best line by what a row is worth, and the fields that say it."""
    if segments().profit is not None:
        said = segments().most_profitable(role())
        st.caption(f"Most profitable: {plain(said.text)}")
        _draw_line("Draw the line there", lambda: take(said))
    show()


def _draw_line(label: str, act) -> None:
    st.button(label, key="draw_line", on_click=act, icon=":material/vertical_align_center:")


def rule() -> None:
    """The flag rule in force, or how to make one."""
    said, in_force = selection(), work.flag_rule()
    if in_force is None:
        st.button(
            "Flag these rows", key="keep_flag", type="secondary" if said.rule is None else "primary",
            disabled=said.rule is None, icon=":material/flag:",
            on_click=lambda: take(said), help="Makes this line the flag rule",
        )  # fmt: skip
        return
    st.markdown(f":material/flag: Flag rule: {plain(in_force.text(work.name_of_class(), work.pruned()))}.")
    code = "exports to SQL, Python and JavaScript (`flag`, `segment`)"
    st.caption(f"In the recipe, Predict, scored tables, the report, and {code}.")
    st.button("Remove the flag rule", key="drop_flag", type="tertiary", on_click=lambda: state.change(flag=None))


def class_of_interest() -> None:
    """Of more than two classes, which one is looked for."""
    of = segments()
    if len(of.tree.classes) > 2:
        state.controlled(
            st.selectbox, "Class of interest", of.name, interest.choose, "segments_class",
            options=list(of.tree.classes),
            format_func=of.tree.name_of_class.get,
        )  # fmt: skip


def rows() -> None:
    """Which rows are counted."""
    of = segments()
    state.controlled(
        st.selectbox, "Rows counted", role(), lambda name: state.choose("segments role", name), "segments_role",
        options=list(of.held), format_func=lambda name: f"{role_name(name)} ({brief(of.held[name].n_rows)})",
        help=f"Segments are ordered by their rates in {role_name(of.tree.figures_of)}; rows that chose nothing "
        "say what comes of it",
    )  # fmt: skip
