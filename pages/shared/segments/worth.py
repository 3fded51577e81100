"""What a row is worth: four plain fields, from which every profit on the page follows."""

import streamlit as st

from pages.shared.segments import found
from pages.shared.session import state
from pages.shared.widgets.messages import plain
from treecore.study.segments import Profit

FIELDS = {
    "hit": "Hit", "miss": "Miss", "false_alarm": "False alarm", "correct_rejection": "Correct rejection",
}  # fmt: skip


def show() -> None:
    """The fields; a cost is a profit below 0."""
    of = found.segments()
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
    told = {field: float(getattr(now, field)) for field in found.WORTH}
    state.choose("segments worth", told | {name: float(value)})
