"""Pruning court: every method's verdict on every node, with the numbers that decided."""

import streamlit as st

from pages import PAGES
from pages.shared import controls, court, guard, work

guard.enter()

st.title(PAGES["court"].heading, anchor=False)
work.table()
controls.sidebar()
work.grown()
court.choose()
found = court.made()
court.table(found)
court.totals(found)
left, right = st.columns([1, 1], gap="medium")
with left:
    court.picture(found)
with right:
    court.testimony(found)
controls.recipe_line()
