"""Size and pruning: how small can the tree get before it gets worse, and which branches go first?"""

import streamlit as st

from pages import PAGES
from pages.shared import controls, diagram, guard, play, sizes, verdicts, weakest_links, work

guard.enter()

st.title(PAGES["size_and_pruning"].heading, anchor=False)
work.table()
controls.sidebar()
work.grown()


play.button()
left, right = st.columns([1, 1], gap="medium")
with left:
    sizes.curve()
    sizes.table()
with right:
    diagram.toolbar(compact=True)
    diagram.draw("size_tree", height=560, cuts=work.cuts(), editable=True, compact=True)
    controls.recipe_line()
    verdicts.of_selected()
weakest_links.show()
play.tick()
