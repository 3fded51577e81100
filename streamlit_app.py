"""The entry: one page at a time, every page drawn by its own file in pages/."""

import streamlit as st

from pages.shared import engine, guard

st.set_page_config(page_title="treecore: decision trees, opened", page_icon="🌳", layout="wide")
engine.prepare()

PAGES = [
    st.Page("pages/data.py", title="Data", icon="📋", default=True),
    st.Page("pages/grow.py", title="Grow", icon="🌱"),
    st.Page("pages/regions.py", title="Regions", icon="🗺️"),
    st.Page("pages/size_and_pruning.py", title="Size & pruning", icon="✂️"),
    st.Page("pages/compare.py", title="Compare", icon="⚖️"),
]

with guard.inside():
    st.navigation(PAGES).run()
