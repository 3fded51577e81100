"""R(t), R(T_t), |T_t| and g(t) of every node in the subtree in force, and the arithmetic of the selected one."""

import pandas as pd
import streamlit as st

from pages.shared.trees import nested, work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.node_table import node_table
from treecore.explaining.pruning_arithmetic import link_lines
from treecore.pruning.sequence import Links, links_at

MOST_ROWS = 300


def show() -> None:
    """The table, weakest link first; a row selects its node, and its g(t) is opened below."""
    found, step = nested.steps(), nested.chosen_step()
    if len(found) < 2:
        return
    k = 0 if step is None else step
    here: Links = work.kept("links", found.by, k, make=lambda: links_at(found, k))
    st.subheader("Weakest links", anchor=False)
    what = "of the grown tree" if step in (None, 0) else f"of the subtree of {int(found.n_leaves[k]):,} leaves"
    st.caption(
        f"Inner nodes {what}, weakest first: the least $g(t) = (R(t) - R(T_t)) / (|T_t| - 1)$ is the α at which the "
        f"next branches fall. $R$ is what rows of the node (or of the leaves below it) add to the tree's {found.unit} "
        "on the training rows."
    )
    settings = {"height": 280, "placeholder": "", "column_config": _columns()}
    node_table(_frame(here), here.node[:MOST_ROWS], "links", (found.by, k), **settings)
    if len(here) > MOST_ROWS:
        st.caption(
            f"{len(here) - MOST_ROWS:,} more nodes are not listed: the strongest links, and those pruned long before."
        )
    node = work.selected()
    st.markdown(f"**Node {node}**")
    explained.show(link_lines(here, node))


def _frame(here: Links) -> pd.DataFrame:
    tree, first = work.grown(), slice(MOST_ROWS)
    frame = {
        "node": here.node[first], "test": [tree.node(int(t)).feature for t in here.node[first]],
        "R(t)": here.risk[first], "R(Tt)": here.branch_risk[first], "|Tt|": here.n_leaves[first],
        "g(t)": here.g[first], "falls at step": here.step[first], "α": here.alpha[first],
    }  # fmt: skip
    shown = pd.DataFrame(frame).astype({"|Tt|": "Int64"})
    shown.loc[~here.stands[first], "|Tt|"] = pd.NA  # it has no branches any more
    return shown


def _columns() -> dict:
    small = {name: st.column_config.NumberColumn(name, format="%.4g") for name in ("R(t)", "R(Tt)", "g(t)", "α")}
    small["|Tt|"] = frames.COUNT
    return small | {"": st.column_config.TextColumn("", width=24), "node": st.column_config.NumberColumn(width=60)}
