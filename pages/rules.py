"""Rules: the tree in force as IF … THEN …, and what is left of it when preconditions may go."""

import streamlit as st

from pages import PAGES
from pages.shared import controls, diagram, guard, rule_card, rule_views, rulebook, work

guard.enter()

st.title(PAGES["rules"].heading, anchor=False)
work.table()
controls.sidebar()
work.grown()
rule_views.choose()
rulebook.listing()
rulebook.otherwise()
rulebook.quality()
left, right = st.columns(2, gap="medium")
with left:
    rule_card.show()
with right:
    diagram.toolbar(compact=True)
    diagram.draw("rules_tree", height=440, cuts=work.cuts(), compact=True)
controls.recipe_line()
