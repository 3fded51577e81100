"""Guessing the split of the node that was split next: one feature, three in order, or a threshold."""

import streamlit as st

import treecore as tc
from pages.shared.bench import growth
from pages.shared.guess import told, verdicts
from pages.shared.guess.thresholds import choose_threshold
from pages.shared.guess.told import SAID, SPLITS
from pages.shared.node import rivals
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained
from pages.shared.widgets.messages import plain
from treecore.figures import count
from treecore.growing.inspect.candidates import Candidates

MANY = 9
"""Features from which on they are chosen from a list."""


def n_questions() -> int:
    return len(growth.order())


def place() -> int:
    return told.place(SPLITS, n_questions()) if n_questions() else 0


def is_known() -> bool:
    """Was the question looked at answered?"""
    return place() < len(told.answers(SPLITS))


def made() -> int:
    """Splits that are drawn."""
    return place() + is_known()


def node() -> int:
    """The node that is asked about."""
    return int(growth.order()[place()]) if n_questions() else 0


def go(k: int) -> None:
    """To the question whose answer is split k of the canvas."""
    state.choose(told.PLACE, max(k - 1, 0))


def ask(game: str) -> None:
    """The node, what is to be guessed, and the way to be told."""
    tree, here = work.grown(), node()
    found = work.candidates(here)
    view = tree.node(here)
    st.subheader(f"Node {here}: which split?", anchor=False)
    where = plain(view.rule) if here else "the root"
    st.markdown(f"{where}: {plain(explained.rows(view))}, {plain(_mix(tree, here))}.")
    ready = {"one": _one, "three": _three, "cut": choose_threshold}[game](found)
    with st.container(horizontal=True, gap="xsmall"):
        verdicts.tell_button(ready, _tell, game, here)
        st.button("Show the answer", key="guess_show", on_click=told.add, args=(SPLITS, [], None))


def _mix(tree: tc.Tree, here: int) -> str:
    """ "9 Yes, 5 No" of the node, or its mean."""
    if not tree.classes:
        return f"{tree.target_kind.noun} {tree.node(here).predicted}"
    pairs = sorted(zip(tree.stats[here], tree.class_names, strict=True), key=lambda pair: -pair[0])
    shown = [f"{count(n, ',')} {name}" for n, name in pairs if n > 0]
    return ", ".join(shown[:6]) + (" …" if len(shown) > 6 else "")


def _offered(found: Candidates) -> list[str]:
    """Features that can be split here, by name: the order of the table could give the best one away."""
    return sorted({c.feature for c in found.ranked} | {work.grown().node(found.node).feature})


def _one(found: Candidates) -> bool:
    names, said = _offered(found), state.choice(SAID) or []
    value = said[0] if said and said[0] in names else None
    widget = st.radio if len(names) <= MANY else st.selectbox
    state.controlled(
        widget, "Which feature is split on here?", value, lambda v: state.choose(SAID, [v] if v else []),
        f"guess_one_{found.node}", options=names, index=None,
    )  # fmt: skip
    return value is not None


def _three(found: Candidates) -> bool:
    names = _offered(found)
    most = min(3, len(names))
    said = [name for name in state.choice(SAID) or [] if name in names][:most]
    state.controlled(
        st.multiselect, f"The best {most}, best first" if most > 1 else "The best", said,
        lambda v: state.choose(SAID, list(v)), f"guess_three_{found.node}", options=names, max_selections=most,
    )  # fmt: skip
    return len(said) == most


def _tell(game: str, here: int) -> None:
    found, said = work.candidates(here), list(state.choice(SAID) or [])
    told.add(
        SPLITS, said, verdicts.points(found, game, said, state.choice(told.AT)), at=state.choice(told.AT), game=game
    )


def reveal() -> None:
    """What the guess was worth, what the tree has done, and all splits that were possible."""
    tree, here, answer = work.grown(), node(), told.answers(SPLITS)[place()]
    found = work.candidates(here)
    st.subheader(f"Node {here}: {'shown' if not answer['said'] else 'your guess'}", anchor=False)
    if answer["said"]:
        verdicts.show(found, answer)
    st.markdown(f"The tree splits on **{rivals.own_question(tree, found)}**.")
    if found.ranked:
        rivals.table(tree, found, rivals.best_of_each(found))
        note = rivals.remarks(tree, found, every=False)
        if note:
            st.caption(plain(note))
    if answer["said"]:
        verdicts.open_guess(found, answer)
    verdicts.open_own(here)
