"""Compare: any two trees side by side or over each other, which rows change, and where the two disagree."""

import streamlit as st

from pages.shared import (
    chains,
    changes,
    compared,
    comparison,
    confusions,
    controls,
    disagreements,
    guard,
    kept_trees,
    messages,
    side_by_side,
    work,
)
from pages.shared.bench import strip
from treecore.errors import TreecoreError

guard.enter()

strip.show("compare")
work.table()
controls.sidebar()
work.pruned()
kept_trees.show()
compared.choose()
try:
    for side in compared.SIDES:
        compared.tree_of(side)
except TreecoreError as error:
    messages.show(error)
    st.stop()
compared.say_what_is_lost()
if not work.pruned_away():
    st.info(
        "Nothing is cut yet in the tree in force. Choose a pruning strategy in the sidebar, or cut nodes by hand: "
        "under *ghosts*, or on the pages Grow and Size & pruning."
    )
side_by_side.draw(side_by_side.choose_view())
chains.show()
comparison.numbers()
changes.counts()
changes.rows()
disagreements.show()
confusions.show()
controls.recipe_line()
