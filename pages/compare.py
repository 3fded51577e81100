"""Compare: the pruned tree beside the unpruned one, and over it."""

import streamlit as st

from pages.shared import chains, comparison, confusions, controls, diagram, guard, state, work

guard.enter()

st.title("Pruned and unpruned", anchor=False)
work.table()
controls.sidebar()
cuts = work.cuts()
if not work.pruned_away():
    st.info(
        "Nothing is cut yet. Choose a pruning strategy in the sidebar, or cut nodes by hand: "
        "under *ghosts*, or on the pages Grow and Size & pruning."
    )
state.controlled(
    st.segmented_control, "View", state.choice("view", "side by side"),
    lambda v: state.choose("view", v or "side by side"), "view", options=["side by side", "ghosts"],
)  # fmt: skip
diagram.toolbar()
if state.choice("view") == "ghosts":
    diagram.draw("ghost_tree", height=600, cuts=cuts, editable=True)
else:
    left, right = st.columns(2)
    with left:
        st.markdown("**Unpruned**")
        diagram.draw("full_tree", height=520, compact=True)
    with right:
        st.markdown("**Pruned**")
        diagram.draw("pruned_tree", height=520, cuts=cuts, only_kept=True, compact=True)
chains.show()
comparison.numbers()
comparison.changes()
confusions.show()
controls.recipe_line()
