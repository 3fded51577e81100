"""Step by step: the tree after k splits, and why split k was made."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import stages
from pages.shared.database import external_table
from pages.shared.node import alternatives
from pages.shared.session import state
from pages.shared.trees import interest, twins, work
from pages.shared.widgets import explained, fold, present
from pages.shared.widgets.messages import plain
from treecore.explaining.why_node import gain_text, why_split
from treecore.growing.inspect.candidates import Candidates
from treecore.judging.interest import observed_shares, shown_rate


def chosen() -> int:
    """How many splits are made on this page."""
    return min(state.choice("splits made"), len(stages.order()))


def _go(k: int | None) -> None:
    """To this many splits; the node that is split last is the selected one on every page."""
    order = stages.order()
    k = int(np.clip(k or 0, 0, len(order)))
    state.choose("splits made", k)
    state.change(selected=int(order[k - 1]) if k else 0)


def walk() -> None:
    """First, back, forwards, last, or any step by its number."""
    n, k = len(stages.order()), chosen()
    if not n:
        st.info("This tree has no splits. Relax the stopping limits in the sidebar.")
        return
    with st.container(horizontal=True, gap="xsmall"):
        st.button("First", on_click=_go, args=(0,), key="step_first", disabled=k == 0, help="Only the root")
        st.button("Back", on_click=_go, args=(k - 1,), key="step_back", disabled=k == 0, shortcut="PageUp")
        st.button("Forwards", on_click=_go, args=(k + 1,), key="step_forwards", disabled=k == n, shortcut="PageDown")
        st.button("Last", on_click=_go, args=(n,), key="step_last", disabled=k == n, help="The full tree")
        present.button("step_by_step")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.slider, f"Splits made, of {n:,}", k, _go, "step_slider", min_value=0, max_value=n,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Splits made", k, _go, "step_number", min_value=0, max_value=n, step=1, width=110,
            label_visibility="collapsed",
        )  # fmt: skip


def draw() -> None:
    """What is grown so far, the node split last selected; a click goes to the step that splits that node."""
    k = chosen()
    stages.draw_growth(k, int(stages.order()[k - 1]) if k else 0, _go)


def explain() -> None:
    """The last split: in words, its rivals, its arithmetic."""
    tree, k = work.trained(), chosen()
    if not k:
        st.subheader("Before the first split", anchor=False)
        root = tree.node(0)
        told = ""
        if tree.classes:
            shares = observed_shares(tree)[0].tolist()
            told = f" ({plain(shown_rate(shares, int(tree.summary[0]), tree.class_names, interest.of(tree)))})"
        rows = f"all {root.n_rows:,} training rows"
        st.markdown(f"The root holds {rows}{told} and would predict {plain(root.predicted)}.")
        return
    node = int(stages.order()[k - 1])
    result = work.candidates(node)
    st.subheader(f"Split {k:,}: node {node}", anchor=False)
    st.markdown(_sentence(tree, node, result))
    if result.ranked:
        st.markdown("The best split of every feature, on the training rows of this node (✓ the one taken)")
        alternatives.table(tree, result, alternatives.best_of_each(result))
        told = alternatives.remarks(tree, result, every=False)
        if told:
            st.caption(plain(told))
    if k == len(stages.order()):
        fold.offer_next(
            ("guess", "Guess the splits yourself"), ("size_and_pruning", "See how many of these splits are worth "
                                                                         "keeping"),
        )  # fmt: skip
    explained.show(explained.feature_tests(node))
    st.markdown("**The arithmetic** on the training rows: $t$ is the node, $t_1, t_2, …$ are its branches")
    with st.container(key=f"arithmetic_{node}"):  # numbers of its cards fly there
        explained.arithmetic(node)
    explained.missing(node)
    twins.choose()


def _sentence(tree: tc.Tree, node: int, found: Candidates) -> str:
    """Which node was split on what, and why."""
    view = tree.node(node)
    where = f"({plain(view.condition)})" if node else "(the root)"
    by_hand = work.path(node) in {take.path for take in work.takes()}
    if external_table.is_sampled():  # its rivals are of other rows than its own gain
        why = f"with gain {gain_text(tree, node)}, counted on all training rows."
    else:
        why = why_split(tree, node, found, by_hand, explained.tests_grid(node))
    start = f"Node {node} {where}, {plain(explained.rows(view))}, is split on **{plain(view.feature)}**"
    return start + (", " if why.startswith("with") else " ") + plain(why)
