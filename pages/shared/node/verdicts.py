"""What the strategy in force made of the selected node, and the arithmetic of its deciding number."""

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import explained
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Line
from treecore.explaining.pruning_arithmetic import Verdict, verdict_lines
from treecore.pruning import PRUNERS


def of_selected() -> None:
    """Of the strategy alone: what was cut or restored by hand is said in the inspector."""
    node = work.selected()
    lines = lines_of(in_force(), node)
    if not lines:
        return
    with st.expander(f"Why {PRUNERS[state.record().prune.method].label} decided so about node {node}"):
        explained.show(lines)


def lines_of(plan: Plan, node: int) -> list[Line]:
    """The explanation of this plan's strategy; [] where it never looked at the node, or cannot serve."""
    cuts = work.strategy(plan)
    if isinstance(cuts, TreecoreError):
        return []
    about, tree = plan.prune, work.grown(plan)
    stats = work.statistics(plan).get("validation")
    verdict = Verdict(tree, cuts, node, PRUNERS[about.method], dict(about.parameters), stats)
    return work.kept("verdict lines", about, node, make=lambda: verdict_lines(verdict), plan=plan)
