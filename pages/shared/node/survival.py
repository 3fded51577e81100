"""How long the rows of a node are without the event, beside all rows, where times until an event are predicted."""

import streamlit as st

from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.evaluation.survival import node_curve
from treecore.plots.survival import survival_curve

HEIGHT = 300


def of_node(node: int) -> None:
    """The curve of a node of the grown tree, with its median in words; nothing for other targets."""
    found = work.kept("survival", node, make=lambda: node_curve(work.grown(), work.own_rows(), node))
    if found is not None:
        st.plotly_chart(survival_curve(found), key=f"survival {node}", height=HEIGHT)
        st.caption(plain(f"{found.text}."))
