"""Guessing which branches cost-complexity pruning takes away next: the weakest link of the subtree."""

import streamlit as st

from pages.shared.guess import guesses, splits
from pages.shared.guess.guesses import FALLS, LINK
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.messages import plain
from treecore.explaining.pruning_arithmetic import link_lines
from treecore.figures import brief
from treecore.pruning.sequence import Links, links_at
from treecore.teach.guess import link_guess, offered_links


def n_questions() -> int:
    """Steps of the nested sequence."""
    return len(nested.steps()) - 1


def place() -> int:
    return guesses.place(FALLS, n_questions()) if n_questions() else 0


def is_known() -> bool:
    return place() < len(guesses.answers(FALLS))


def step() -> int:
    """The subtree that is drawn: with an answer, the one after it."""
    return place()


def here() -> Links:
    """The links of the subtree that is asked about."""
    result, k = nested.steps(), place()
    return work.cached("links", result.by, k, make=lambda: links_at(result, k))


def shown_node() -> int:
    """The node that was pointed at, or after an answer the weakest link."""
    if not n_questions():
        return 0
    if is_known():
        return int(here().node[0])
    chosen = state.choice(LINK)
    return int(chosen) if chosen is not None and chosen < work.grown().n_nodes else 0


def point(node: int) -> None:
    """A click on the canvas: one of those to choose from."""
    if n_questions() and not is_known() and node in offered_links(here()):
        state.choose(LINK, node)


def ask() -> None:
    """The nodes to choose from with what g(t) is made of, and the way to be told."""
    result = here()
    nodes = offered_links(result)
    st.subheader("Which branches fall next?", anchor=False)
    st.markdown(
        "Cost-complexity pruning takes the weakest link: the node of least $g(t) = (R(t) - R(T_t)) / (|T_t| - 1)$."
    )
    frames.figures(_frame(result, nodes), hide_index=True)
    chosen = state.choice(LINK)
    value = chosen if chosen in nodes else None
    state.controlled(
        st.radio, "The weakest of these", value, lambda v: state.choose(LINK, v), f"guess_link_{place()}",
        options=list(nodes), format_func={node: _named(node) for node in nodes}.get, index=None,
    )  # fmt: skip
    with st.container(horizontal=True, gap="xsmall"):
        splits.tell_button(value is not None, _tell)
        st.button("Show it", key="guess_show", on_click=guesses.add, args=(FALLS, [], None), help="Without a guess")


def _named(node: int) -> str:
    return f"node {node}: {work.grown().node(node).feature}"


def _frame(found: Links, nodes: tuple[int, ...], with_g: bool = False) -> frames.Frame:
    places = [found.place(node) for node in nodes]
    told_of = {
        "node": nodes, "R(t)": [_risk(found.risk[i]) for i in places],
        "R(Tt)": [_risk(found.branch_risk[i]) for i in places], "|Tt|": found.n_leaves[places],
    }  # fmt: skip
    return frames.of(told_of | ({"g(t)": [brief(found.g[i]) for i in places]} if with_g else {}))


def _risk(value: float) -> str:
    """Whole where it is large: a squared error in powers of ten is hard to compare by eye."""
    return f"{value:,.0f}" if 1e4 <= value < 1e12 else brief(value)


def _tell() -> None:
    node = int(state.choice(LINK))
    guesses.add(FALLS, [node], link_guess(here(), node).points)


def reveal() -> None:
    """The rank of the guess, g of all that were offered, and the arithmetic of the guess and of the weakest link."""
    result, answer = here(), guesses.answers(FALLS)[place()]
    weakest = int(result.node[0])
    if answer["said"]:
        _judge(result, int(answer["said"][0]), weakest)
    frames.figures(_frame(result, offered_links(result), with_g=True), hide_index=True)
    st.markdown(f"The next step takes the branches of **{plain(_named(weakest))}**, at α = {brief(result.g[0])}.")
    for node in dict.fromkeys([*map(int, answer["said"]), weakest]):
        st.markdown(f"**Node {node}**")
        explained.show(link_lines(result, node))


def _judge(found: Links, node: int, weakest: int) -> None:
    judged = link_guess(found, node)
    if judged.is_best:
        st.success(f"**Node {node}** is the weakest link: g = {brief(judged.value)}.", icon=":material/check:")
        return
    st.warning(
        f"Node {node} is number {judged.rank} of {judged.of}: g = {brief(judged.value)}. **Node {weakest}** is the "
        "weakest "
        f"link: it loses less per leaf saved, g = {brief(judged.best)}.",
        icon=":material/trending_up:",
    )  # fmt: skip
