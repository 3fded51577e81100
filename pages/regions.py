"""Regions: what the tree answers everywhere in the plane of two features."""

import streamlit as st

from pages import PAGES
from pages.shared import controls, guard, planes, work

guard.enter()

st.title(PAGES["regions"].heading, anchor=False)
work.table()
controls.sidebar()
tree = work.grown()
planes.choose_tree()
if planes.is_curve(tree):
    planes.draw_steps()
else:
    planes.choose_axes()
    planes.draw_plane()
controls.recipe_line()
