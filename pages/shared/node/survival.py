"""How long the rows of a node are without the event, beside all rows, where times until an event are predicted."""

import streamlit as st

from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.plots.survival_curve import survival_curve
from treecore.study.survival_curves import has_curves, node_curve, survival_score

HEIGHT = 300
MOST_JUDGED = 20_000
"""Validation rows that are ranked and foretold while one waits."""
SCORES = (
    "Concordance: of two rows of which one is known to have had its event first, how often that one had the higher "
    "hazard; 0.5 is chance. Brier score: mean squared distance of the curves from what happened, over time; lower is "
    "better."
)


def of_node(node: int) -> None:
    """The curve of a node of the grown tree, with its median in words; nothing for other targets."""
    found = work.kept("survival", node, make=lambda: node_curve(work.grown(), work.own_rows(), node))
    if found is not None:
        st.plotly_chart(survival_curve(found), key=f"survival {node}", height=HEIGHT)
        st.caption(plain(f"{found.text}."))


def judged() -> None:
    """How well the pruned tree ranks and foretells the validation rows; nothing for other targets, or many rows."""
    rows = work.parts()
    if "validation" not in rows or not has_curves(work.pruned()) or rows["validation"].n_rows > MOST_JUDGED:
        return
    make = lambda: survival_score(work.pruned(), rows["train"], rows["validation"])  # noqa: E731
    found = work.kept_cut("survival score", make=make)
    if found.text:
        st.caption(plain(f"Validation: {found.text}."), help=SCORES)
