"""The entry: one page at a time, every page drawn by its own file in pages/."""

import streamlit as st

from pages.shared import engine

engine.prepare()
from pages.shared import guard  # noqa: E402, the compilers start before the imports of all that a page needs

st.set_page_config(page_title="treecore: decision trees, opened", page_icon="🌳", layout="wide")
st.html("<style>.stMainBlockContainer { padding: 2.6rem 2rem 4rem; }</style>")

PAGES = [
    st.Page("pages/data.py", title="Data", default=True),
    st.Page("pages/grow.py", title="Grow"),
    st.Page("pages/step_by_step.py", title="Step by step"),
    st.Page("pages/regions.py", title="Regions"),
    st.Page("pages/size_and_pruning.py", title="Size & pruning"),
    st.Page("pages/court.py", title="Pruning court"),
    st.Page("pages/compare.py", title="Compare"),
    st.Page("pages/rules.py", title="Rules"),
]

with guard.inside():
    st.navigation(PAGES).run()
