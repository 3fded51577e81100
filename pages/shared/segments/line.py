"""Where the line is drawn: by rows, a budget, a rate or the profit; and the flag rule that it makes."""

import streamlit as st

from pages.shared.segments import found, worth
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets.messages import plain
from treecore.figures import brief, count

WAYS = {"rows": "First rows", "budget": "Budget", "rate": "Rate", "profit": "Profit"}


def choose() -> None:
    """One of the ways to say where the line is, beside dragging it."""
    of = found.segments()
    ways = [way for way in WAYS if way != "profit" or of.name is not None]
    now = state.choice("segments by")
    now = now if now in ways else "rows"
    names = WAYS | {"rate": "Answer"} if of.name is None else WAYS
    state.controlled(
        st.segmented_control, "The line by", now, lambda way: state.choose("segments by", way or now), "segments_by",
        options=ways, format_func=names.get, label_visibility="collapsed",
    )  # fmt: skip
    {"rows": _by_rows, "budget": _by_budget, "rate": _by_rate, "profit": _by_profit}[now]()


def _by_rows() -> None:
    said = found.selection()
    order = "the riskiest" if said.name is not None else "the highest"
    state.controlled(
        st.number_input, f"Number of rows (of {count(said.n_rows, ',')}), {order} first", float(round(said.rows)),
        lambda n: found.take(found.segments().first(n, found.role())), "segments_rows", min_value=0.0,
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
        _draw_line("Draw the line here", lambda: found.take(found.segments().within(budget, cost, found.role())))


def _spend(budget: float, cost: float) -> None:
    state.choose("segments budget", float(budget))
    state.choose("segments contact", float(cost))
    if cost > 0:
        found.take(found.segments().within(budget, cost, found.role()))


def _by_rate() -> None:
    of, said = found.segments(), found.selection()
    now = said.rule.threshold if said.rule is not None else float(of.told[0])
    if of.name is None:
        state.controlled(
            st.number_input, "Answers of at least", now, _from_rate, "segments_rate", format="%g",
        )  # fmt: skip
        return
    state.controlled(
        st.number_input, f"Rate of “{plain(of.label)}” of at least, in %", round(100 * now, 6),
        lambda v: _from_rate(v / 100), "segments_rate", min_value=0.0, max_value=100.0, step=1.0, format="%g",
    )  # fmt: skip


def _from_rate(rate: float) -> None:
    found.take(found.segments().above(float(rate), found.role()), float(rate))


def _by_profit() -> None:
    """The best line by what a row is worth, and the fields that say it."""
    if found.segments().profit is not None:
        said = found.segments().most_profitable(found.role())
        st.caption(f"Most profitable: {plain(said.text)}")
        _draw_line("Draw the line there", lambda: found.take(said))
    worth.show()


def _draw_line(label: str, act) -> None:
    st.button(label, key="draw_line", on_click=act, icon=":material/vertical_align_center:")


def rule() -> None:
    """The flag rule in force, or how to make one."""
    said, in_force = found.selection(), work.flag_rule()
    if in_force is None:
        st.button(
            "Flag these rows", key="keep_flag", type="secondary" if said.rule is None else "primary",
            disabled=said.rule is None, icon=":material/flag:",
            on_click=lambda: found.take(said), help="Makes this line the flag rule",
        )  # fmt: skip
        return
    st.markdown(f":material/flag: Flag rule: {plain(in_force.text(work.name_of_class()))}.")
    code = "exports to SQL, Python and JavaScript (`flag`, `segment`)"
    st.caption(f"In the recipe, Predict, scored tables, the report, and {code}.")
    st.button("Remove the flag rule", key="drop_flag", type="tertiary", on_click=lambda: state.change(flag=None))


def class_of_interest() -> None:
    """Of more than two classes, which one is looked for."""
    of = found.segments()
    if len(of.tree.classes) > 2:
        state.controlled(
            st.selectbox, "Class of interest", of.name, interest.choose, "segments_class",
            options=list(of.tree.classes),
            format_func=of.tree.name_of_class.get,
        )  # fmt: skip


def rows() -> None:
    """Which rows are counted."""
    of = found.segments()
    state.controlled(
        st.selectbox, "Rows counted", found.role(), lambda name: state.choose("segments role", name), "segments_role",
        options=list(of.held), format_func=lambda name: f"{found.role_name(name)} ({brief(of.held[name].n_rows)})",
        help=f"Segments are ordered by their rates in {found.role_name(of.tree.figures_of)}; rows that chose nothing "
        "say what comes of it",
    )  # fmt: skip
