"""Data: a file becomes a table, and every column says what it was taken for."""

import streamlit as st

from pages.shared.bench import strip
from pages.shared.data import columns, model, reading, relations, source, split, traps
from pages.shared.database import external_table
from pages.shared.server import guard
from pages.shared.session import persistence, state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain

guard.enter()

raw = state.raw()
if raw is not None:
    model.open_waiting_model()
    source.go_on()
strip.show("data")
if raw is None:
    persistence.say()
    source.show()
    st.caption("Your file is read by this app alone and sent to nobody else.")
    st.stop()

with st.container(horizontal=True, vertical_alignment="center", key="table_head"):
    told = f"**{plain(raw.source)}**: {external_table.size()}"
    st.markdown(told, width="content")
    st.space("stretch")
    if st.button("Show the tree", type="primary", icon=":material/account_tree:", key="show_tree"):
        st.switch_page("pages/grow.py")
external_table.where()
reading.doubts()
source.another()
if state.next_file() is None:
    fold("Samples to look around in", "samples", source.gallery)
persistence.say()
columns.target_and_weights()
reading.odd_cells()
columns.infinite()
columns.editor()
reading.meanings()
table = work.table()
columns.notes(table)
traps.show()
seen = work.table_in_sight()
left, right = st.columns(2, gap="large")
with left:
    split.chooser()
    columns.dates()
    columns.level_order()
with right:
    columns.missing_note(table)
    columns.histogram(seen)
relations.show_two_columns(seen)
relations.show_distances(seen)
with st.expander("The first rows"):
    frames.show(seen.take(range(min(100, seen.n_rows))).to_frame())
work.check_trainable(work.roles()["train"])
persistence.about()
