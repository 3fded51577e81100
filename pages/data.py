"""Data: a file becomes a table, and every column says what it was taken for."""

import streamlit as st

from pages.shared import columns, frames, guard, source, split, state, work
from pages.shared.bench import strip
from pages.shared.messages import plain
from treecore.data.counted import counted

guard.enter()

strip.show("data")
source.choose()
raw = state.raw()
if raw is None:
    st.info("Choose a sample to look around, or give a file of your own: it stays on this machine.")
    st.stop()

st.subheader(plain(raw.source), anchor=False)
st.markdown(f"{counted(raw.n_rows, 'row')}, {counted(len(raw.names), 'column')}")
columns.target_and_weights()
source.odd_cells()
columns.editor()
columns.infinite()
table = work.table()
columns.notes(table)
left, right = st.columns(2, gap="large")
with left:
    columns.dates()
    columns.level_order()
    split.chooser()
with right:
    columns.missing_note(table)
    columns.histogram(table)
with st.expander("The first rows"):
    frames.show(table.take(range(min(100, table.n_rows))).to_frame())
work.check_trainable(work.roles()["train"])
st.page_link("pages/grow.py", label="Grow a tree on this table")
