"""A small app around the tree diagram for the browser tests.

Query parameters: n (nodes), cut (a node), evil (hostile names), regression, lr, holes (missing values at the root,
which are shared, and at node 1, which go to its first branch).
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
def drawing(n, evil, regression, orientation, classes, holes):
    return layout_svg(
        tree_dot(as_grown(cards(n, evil, regression, holes)), classes=classes, orientation=orientation)
    ).decode()


def cards(n, evil, regression, holes):
    if evil:
        return hostile_cards()
    found = list(sample_cards(n, regression=regression))
    if holes:
        found[0] = replace(found[0], missing_rows=5, missing_goes="shared 60 % / 40 %")
        found[1] = replace(found[1], missing_rows=3, missing_to=3, missing_goes="< 2")
    return tuple(found)


def with_cuts(found, cuts):
    """Ghosts below each cut node."""
    ghosts, out = set(), []
    for card in found:
        if card.parent in ghosts or card.parent in cuts:
            ghosts.add(card.id)
        out.append(replace(card, ghost=card.id in ghosts, cut="cost complexity α=0.01" if card.id in cuts else ""))
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
found = cards(n, evil, regression, "holes" in ask)
result = tree_view(
    drawing(n, evil, regression, orientation, names, "holes" in ask),
    f"{n}-{evil}-{regression}-{orientation}-{'holes' in ask}",
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
