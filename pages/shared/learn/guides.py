"""A worked example on the screen: each step sets the tree and the node, and shows printed figures beside ours."""

import pandas as pd
import streamlit as st

from pages.shared.controls.refit import keep_costs
from pages.shared.data.source import take_sample
from pages.shared.server import memo
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames, present
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.data.samples import SAMPLES
from treecore.lectures import GUIDES, Guide, Step, guides_of
from treecore.lectures.guide import NOTES
from treecore.lectures.implied import implied
from treecore.lectures.shown import comparison
from treecore.plots.half_planes import half_planes
from treecore.recipe import Prepare, Prune, Split

NAME, STEP = "guide", "guide step"
WIDE = 400
EVERY_ROW = Split(train=1.0, validation=0.0, test=0.0)
PAGE = "pages/worked_examples.py"


def chosen() -> Guide | None:
    """The example in hand, or the first of the sample that is open; None where the table has none."""
    here = guides_of(state.choice("sample")) if state.raw() is not None else ()
    named = state.choice(NAME)
    return next((guide for guide in here if guide.name == named), here[0] if here else None)


def link() -> None:
    """To the example of the table that is open, where it has one."""
    guide = chosen()
    if guide is not None:
        st.page_link(PAGE, label=f"Worked example: {guide.label}", icon=":material/school:")


def offer() -> None:
    """All examples, to open one."""
    with st.container(border=True):
        st.markdown("**Worked examples of lecture notes.** Open one: its table, its algorithm, its figures.")
        for first in range(0, len(GUIDES), 3):
            some = list(GUIDES.values())[first : first + 3]
            for column, guide in zip(st.columns(3), some, strict=False):
                with column:
                    st.button(
                        guide.label, key=f"guide_{guide.name}", on_click=begin, args=(guide.name,), width="stretch",
                        help=f"{SAMPLES[guide.sample].label}, {len(guide.steps)} steps",
                    )  # fmt: skip
    if state.raw() is None:
        work.table()  # says where to get one


def begin(name: str) -> None:
    """Open the example's table at its first step."""
    guide = GUIDES[name]
    if state.choice("sample") != guide.sample or state.raw() is None:
        take_sample(guide.sample)
    state.choose(NAME, name)
    go(0)


def go(place: int) -> None:
    """To a step: its settings, all rows training, its node. The settings are one step that can be undone."""
    guide = chosen()
    place = min(max(place, 0), len(guide.steps) - 1)
    state.choose(STEP, place)
    edits = guide.steps[place].edits
    wanted = {"grow": guide.growth(place), "split": EVERY_ROW, "prune": Prune(), "prepare": Prepare(), "edits": edits}
    now = state.record()
    changed = {name: value for name, value in wanted.items() if getattr(now, name) != value}
    state.change(**changed, selected=guide.opened(place).node)
    keep_costs()


def place() -> int:
    """The step in hand."""
    return min(state.choice(STEP), len(chosen().steps) - 1)


def is_set() -> bool:
    """Is the tree grown as the step wants it?"""
    now = state.record()
    as_wanted = (chosen().growth(place()), Prepare(), chosen().steps[place()].edits, EVERY_ROW)
    return (now.grow, now.prepare, now.edits, now.split) == as_wanted


def show() -> None:
    """The step: what to see, printed and computed, and the way on."""
    guide, now = chosen(), place()
    _which(guide)
    _walk(guide, now)
    step = guide.steps[now]
    st.subheader(f"{now + 1}: {step.title}", anchor=False)
    if not is_set():
        st.button("Set the screen for this step", key="guide_set", on_click=go, args=(now,), type="primary")
    st.markdown(plain(step.text))
    if step.place:
        st.caption(plain(_told(step.place)))
    if step.half_planes:
        st.plotly_chart(half_planes(step.half_planes, implied(step.half_planes)), key="half_planes")
    _figures(guide, now)
    _arithmetic()
    _ends(guide, step)


def _told(place: str) -> str:
    """ "004: Information Gain" with the note's name."""
    number, _, rest = place.partition(": ")
    return f"{NOTES[number]}: {rest}" if number in NOTES else place


def _which(guide: Guide) -> None:
    """Another example: of another table too."""
    state.controlled(
        st.selectbox, "Worked example", guide.name, begin, "guide", options=list(GUIDES),
        format_func=lambda name: GUIDES[name].label, label_visibility="collapsed",
    )  # fmt: skip


def _walk(guide: Guide, now: int) -> None:
    last = len(guide.steps) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button("Back", key="guide_back", on_click=go, args=(now - 1,), disabled=now == 0, shortcut="PageUp")
        st.button("Next", key="guide_next", on_click=go, args=(now + 1,), disabled=now == last, shortcut="PageDown")
        st.markdown(f"step {now + 1} of {last + 1}", width="content")
        st.space("stretch")
        present.button("worked_examples")


def _figures(guide: Guide, now: int) -> None:
    digits = bool(state.choice(explained.DIGITS))
    rows = memo.get(("guide figures", guide.name, now, digits), lambda: comparison(guide, now, digits))
    if not rows:
        return
    frame = pd.DataFrame([row[:3] for row in rows], columns=["quantity", "in the notes", "exact"])
    frames.whole(frame)
    for _, _, _, remark in rows:
        if remark:
            st.caption("• " + plain(remark))
    state.controlled(st.toggle, "More digits", digits, lambda on: state.choose(explained.DIGITS, on), "guide_digits")


def _arithmetic() -> None:
    tree, node = work.grown(), work.selected()
    if not tree.node(node).is_leaf:
        fold("The arithmetic of this split", "arithmetic", lambda: explained.arithmetic(node))


def _ends(guide: Guide, step: Step) -> None:
    if step is guide.steps[-1]:
        st.caption("That was the last step of this example.")
