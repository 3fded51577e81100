"""What every page says of a table that has changed since it was opened, and a button that opens it again."""

import streamlit as st

from pages.shared.database import place
from pages.shared.session import state
from pages.shared.widgets.messages import plain


def say() -> None:
    """What is different and what helps; your tree stays meanwhile."""
    opened, opening = state.opened(), state.opening()
    if opened is None:
        return
    if opening is not None and opening.steps is not None:
        place.go_on()
    if not opened.change:
        return
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="changed"):
        st.warning(
            f"**{plain(opened.source.name)}**: it has changed since it was opened: {opened.change}. Your tree stays; "
            "each number counts the rows of its moment. Opened again, all are counted anew, and your settings stay.",
            icon=":material/history_toggle_off:",
        )  # fmt: skip
        st.button("Open it again", key="open_again", width="content", on_click=place.again)
        st.space("small")  # a page of a canvas has no margin
