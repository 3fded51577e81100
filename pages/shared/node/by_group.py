"""The groups of a column among the rows of a node: how they fare, and what the tree says of them."""

import pandas as pd
import streamlit as st

from pages.shared.trees import groups
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import per_cent
from treecore.study.groups import Groups
from treecore.tree.short_text import shorten


def of_selected() -> None:
    """Of the selected node, by the rows that its figures are of, where the bars show a column."""
    found = groups.at_selected()
    if found is not None:
        show(*found)
        tree = found[0].tree
        chose = ", which also chose the splits: for a column used by the tree a small p is no surprise"
        rows = f"Of the {tree.rows_named}{chose if tree.figures_of == 'train' else ''}."
        st.caption(f"{rows} p: against the other rows of the node, corrected for the number of groups (Holm).")


def show(of: Groups, node: int) -> None:
    """A sentence, and a row per group."""
    st.markdown(f"**By {plain(shorten(of.column, 40))}.** {plain(of.text(node))}")
    frame, looks = _frame(of, node)
    frames.show(frame, looks, hide_index=True, height=frames.height(len(frame)))


def _frame(of: Groups, node: int) -> tuple[pd.DataFrame, dict]:
    found = of.of_node(node)
    told = (lambda value: value) if of.k is None else per_cent
    look = st.column_config.NumberColumn(format="%.5g") if of.k is None else frames.SHARE
    kind = "mean" if of.k is None else "rate"
    made = {"group": [group.name for group in found], "rows": [group.rows for group in found]}
    looks = {"rows": frames.COUNT, "p": st.column_config.NumberColumn(format="%.2g")}
    for label, name in ((kind, "rate"), ("the others", "others")):
        made[label] = [told(getattr(group, name)) for group in found]
    made["p"] = [group.p_value for group in found]
    for label, name in (("tree says", "told"), ("from", "low"), ("to", "high"), ("difference", "difference")):
        made[label] = [told(getattr(group, name)) for group in found]
    looks |= {label: look for label in (kind, "the others", "tree says", "from", "to", "difference")}
    made["share of rows"] = [per_cent(group.share) for group in found]
    looks["share of rows"] = frames.SHARE
    made["test"] = [group.method for group in found]
    return pd.DataFrame(made), looks
