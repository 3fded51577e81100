"""Step by step: the tree grows one split at a time, and every split says why it was made."""

import streamlit as st

from pages.shared import controls, guard, steps, work
from pages.shared.bench import strip

guard.enter()

strip.show("step_by_step")
work.table()
controls.sidebar()
work.grown()
steps.walk()
left, right = st.columns([5, 4], gap="medium")
with left:
    steps.draw()
    controls.recipe_line()
with right:
    steps.explain()
