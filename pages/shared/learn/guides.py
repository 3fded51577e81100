"""A worked example on the screen: each step sets the tree and the node, and shows printed figures beside ours."""

from collections.abc import Callable

import streamlit as st

from pages.shared.bench import stages
from pages.shared.controls.refit import keep_costs
from pages.shared.data.source import take_sample
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames, present
from pages.shared.widgets.fold import fold, offer_next
from pages.shared.widgets.messages import plain
from treecore.data.samples import SAMPLES
from treecore.figures import counted
from treecore.plots.lesson_figures import half_planes
from treecore.recipe import Prepare, Prune, Split
from treecore.teach.guide import Guide, GuideStep, figure_rows, implied_half_planes, where_printed
from treecore.teach.index import (
    GUIDES,
    INDEX,
    THEMES,
    guides_of,
    search_guides,
    splits_made,
    theme_of,
    weighed_split,
)

NAME, STEP, SEARCH, ALL = "guide", "guide step", "guide search", "all guides"
WIDE = 400
EVERY_ROW = Split(train=1.0, validation=0.0, test=0.0)
PAGE = "pages/worked_examples.py"


def in_hand() -> Guide | None:
    """The example to be shown; None where the table has none, and while all examples are looked through."""
    return None if state.choice(ALL) else chosen()


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
    """All examples, to open one: by theme, by what a class is to see, or by a search."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            "**Worked examples from lecture notes.** Each opens with its table, its algorithm and the printed figures."
        )
        guide = chosen()
        if guide is not None:
            st.button(f"Back to {guide.label}", key="guide_open", on_click=state.choose, args=(ALL, False))
    asked = _asked()
    if asked:
        _show_matches(asked)
    else:
        for theme, names in THEMES.items():
            st.markdown(f"**{theme}**")
            _buttons([(GUIDES[name], 0) for name in names])
    if state.raw() is None:
        work.table()  # says where to get one


def _asked() -> str:
    """What is searched for; and the index for teachers beside the search."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asked = state.choice(SEARCH) or ""
        state.controlled(
            st.text_input, "Search the examples", asked, lambda text: state.choose(SEARCH, (text or "").strip()),
            "guide_search", placeholder="gain ratio, missing, threshold …", width=320, max_chars=80,
        )  # fmt: skip
        state.controlled(
            st.selectbox, "I want to show …", None, _show, "guide_index", options=range(len(INDEX)), index=None,
            format_func=lambda i: INDEX[i].what, placeholder="Choose what your class is to see", width=420,
        )  # fmt: skip
    return asked


def _show(place: int | None) -> None:
    if place is not None:
        begin(INDEX[place].guide, INDEX[place].step)


def _show_matches(asked: str) -> None:
    result = search_guides(asked)
    if not result:
        st.info(f"No example has all of these words: {plain(asked)}. Try fewer, or clear the search.")
        return
    st.markdown(f"**{counted(len(result), 'example')}**")
    _buttons(result)


def _buttons(found: list[tuple[Guide, int]]) -> None:
    """Three in a row; each opens its example at the step that was found."""
    for first in range(0, len(found), 3):
        for column, (guide, step) in zip(st.columns(3), found[first : first + 3], strict=False):
            with column:
                at = f", step {step + 1}: {guide.steps[step].title}" if step else ""
                st.button(
                    guide.label, key=f"guide_{guide.name}", on_click=begin, args=(guide.name, step), width="stretch",
                    help=plain(f"{SAMPLES[guide.sample].label}, {counted(len(guide.steps), 'step')}{at}"),
                )  # fmt: skip


def begin(name: str, step: int = 0) -> None:
    """Open the example's table at a step."""
    guide = GUIDES[name]
    if state.choice("sample") != guide.sample or state.raw() is None:
        take_sample(guide.sample)
    state.choose(NAME, name)
    state.choose(ALL, False)
    go(step)


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
        st.caption(plain(where_printed(step.place)))
    if step.half_planes:
        st.plotly_chart(half_planes(step.half_planes, implied_half_planes(step.half_planes)), key="half_planes")
    _figures(guide, now)
    _arithmetic()
    _ends(guide, step)


def _which(guide: Guide) -> None:
    """Another example: of another table too."""
    themes = {name: theme for theme, names in THEMES.items() for name in names}
    state.controlled(
        st.selectbox, "Worked example", guide.name, begin, "guide", options=list(themes),
        format_func=lambda name: f"{themes[name]} · {GUIDES[name].label}", label_visibility="collapsed",
    )  # fmt: skip
    if not present.on():
        st.button(
            "All examples: themes, search, “I want to show …”", key="guide_all", icon=":material/search:",
            type="tertiary", on_click=state.choose, args=(ALL, True),
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
    rows = cache.get(("guide figures", guide.name, now, digits), lambda: figure_rows(guide, now, digits))
    if not rows:
        return
    frame = frames.of([row[:3] for row in rows], columns=["quantity", "in the notes", "exact"])
    frames.whole(frame)
    remarks = [remark for *_, remark in rows if remark]
    if remarks:
        fold(f"Slips of the notes ({len(remarks)})", "slips", lambda: _slips(remarks))
    state.controlled(st.toggle, "More digits", digits, lambda on: state.choose(explained.DIGITS, on), "guide_digits")


def _slips(remarks: list[str]) -> None:
    for remark in remarks:
        st.caption("• " + plain(remark))


def _arithmetic() -> None:
    tree, node = work.grown(), work.selected()
    if not tree.node(node).is_leaf:
        fold("The arithmetic of this split", "arithmetic", lambda: explained.arithmetic(node))


def _ends(guide: Guide, step: GuideStep) -> None:
    if step is not guide.steps[-1]:
        return
    st.markdown("That was the last step of this example.")
    names = THEMES[theme_of(guide)]
    after = [name for name in names[names.index(guide.name) + 1 :] if name in GUIDES]
    if after:
        follow = GUIDES[after[0]]
        st.button(f"Next example: {follow.label}", key="guide_follow", on_click=begin, args=(follow.name,))
    offer_next(("guess", "Guess the splits of this tree"), ("exercises", "Exercises from this table, with a key"))


def canvas_of_guide() -> Callable[[], None] | None:
    """The tree grows with the steps; where its settings were changed it is your tree."""
    if not is_set():
        return None
    guide, now = chosen(), place()
    made = cache.get(("guide splits", guide.name, now), lambda: splits_made(guide, now))
    weighed = cache.get(("guide weighs", guide.name, now), lambda: (weighed_split(guide, now),))[0]
    return lambda: stages.draw_growth(made, guide.opened(now).node, _point, weighed=weighed)


def _point(k: int) -> None:
    """A click on the canvas: the node that this split splits."""
    state.change(selected=int(stages.order()[k - 1]) if k else 0)
