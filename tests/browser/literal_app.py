"""Hostile names in everything of Streamlit that reads Markdown or has options; plain and to be compared by the test."""

import streamlit as st

from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from tests.hostile import NAMES, UNSEEN

ALL = (*NAMES, *UNSEEN)

for i, name in enumerate(ALL):
    said = plain(name)
    with st.container(key=f"case{i}_alone"):
        st.markdown(said)
        st.caption(said)
        st.info(said)
        st.subheader(said, anchor=False)
        st.button(said, key=f"button {i}")
        st.toggle(said, key=f"toggle {i}")
        for widget in (st.pills, st.radio):
            widget("options", key=f"{widget.__name__} {i}", **messages.options(widget, {"options": [name]}))
    with st.container(key=f"case{i}_within"):
        st.markdown(f"**{said}**: a {said} b")
        st.markdown(f"- {said}")
        st.markdown(f"~~{said}~~ c")
st.text("end")
