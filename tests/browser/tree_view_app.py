"""A small app around the tree diagram for the browser tests.

Query parameters: n (nodes), cut (a node), evil (hostile names), regression, lr.
"""

from dataclasses import replace

import streamlit as st

from pages.shared.tree_view import tree_view
from tests.unit.test_dot_cards import CLASSES, hostile_cards, sample_cards
from treecore.export.cards import as_grown, outline
from treecore.export.dot import tree_dot
from treecore.export.layout import layout_svg

st.set_page_config(page_title="Tree view", page_icon="🌳", layout="wide")


@st.cache_data
def drawing(n, evil, regression, orientation, classes):
    return layout_svg(
        tree_dot(as_grown(cards(n, evil, regression)), classes=classes, orientation=orientation)
    ).decode()


def cards(n, evil, regression):
    return hostile_cards() if evil else sample_cards(n, regression=regression)


def with_cuts(found, cuts):
    """Ghosts below each cut node."""
    ghosts, out = set(), []
    for card in found:
        if card.parent in ghosts or card.parent in cuts:
            ghosts.add(card.id)
        out.append(
            replace(card, ghost=card.id in ghosts, cut="cost complexity α=0.01" if card.id in cuts else "")
        )
    return out


ask = st.query_params
n, evil, regression = int(ask.get("n", 7)), "evil" in ask, "regression" in ask
orientation = "LR" if "lr" in ask else "TB"
state = st.session_state
if "node" not in state:
    state.node, state.cuts, state.runs = 0, {int(i) for i in ask.get_all("cut")}, 0
state.runs += 1

left, right = st.columns(2)
if left.button("Python selects the last node"):
    state.node = n - 1
if right.button("Rerun"):
    state.noise = True

names = () if regression else CLASSES
if evil:
    names = ("<img src=x onerror=alert(1)>", "![x](http://evil.example/x.png)", "\u202ecba")
found = cards(n, evil, regression)
result = tree_view(
    drawing(n, evil, regression, orientation, names),
    f"{n}-{evil}-{regression}-{orientation}",
    outline(with_cuts(found, state.cuts)),
    selected=state.node,
    key="tree",
    classes=names,
    actions=("cut", "restore"),
)
if result.selected is not None:
    state.node = result.selected
if result.action:
    state.cuts = state.cuts ^ {result.action["node"]}
    st.rerun()
st.text(f"selected={state.node} folded={list(result.folded)} cuts={sorted(state.cuts)} runs={state.runs}")
