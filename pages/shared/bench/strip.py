"""The strip over every page: which table, which tree, how good it is; undo, redo, and what leaves the app."""

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from pages import PAGES, WORKBENCH
from pages.shared.bench import about_table, exports, quality
from pages.shared.controls import bin_edges, pruning, sidebar
from pages.shared.database import external_table, place
from pages.shared.learn import classroom
from pages.shared.session import history, persistence, state
from pages.shared.trees import first_recipe, interest, tables, work
from pages.shared.widgets import fold, present
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.growing.directions import NO_SUMS
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.recipe import lowered
from treecore.tree.short_text import shorten

_marks = st.components.v2.component(
    "treecore_marks", html='<span class="marks"></span>', js=(WORKBENCH / "marks.js").read_text(encoding="utf-8")
)
PURPOSE_CLOSED = "purpose is closed"
MARKS = {
    ".st-key-strip": "strip", ".st-key-verdict": "verdict", ".st-key-undo button": "undo",
    ".st-key-redo button": "redo", ".st-key-export button": "export", ".st-key-share button": "share",
    ".st-key-drawer": "drawer",
}  # fmt: skip


def show(page: str, drawer: Callable[[], None] | None = None) -> None:
    """page : the page's name. drawer : draws the button that opens and closes what stands beside the tree."""
    present.look(page)
    _purpose(page)
    grows = page != "data"  # where the tree is not shown it is not waited for
    if state.raw() is not None and grows:
        first_recipe.settle()
    bar = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key="strip")
    with bar:
        st.title(PAGES[page].heading, anchor=False, width="content")
    if grows and external_table.is_on() and state.record().stopped is None:
        with suppress(TreecoreError):  # what takes long is told below the strip, where there is room for it
            quality.text()
    with bar:
        if state.raw() is not None:
            with suppress(TreecoreError):  # the page says what is wrong, where there is room for it
                _of_table(page, grows)
            st.space("stretch")
            classroom.menu()
            _history()
            fold.menus(page, lambda: _menus(page, grows))
        if drawer is not None:
            drawer()
        _marks(key="marks", data=MARKS)
        persistence.show(page)
    place.say()
    if state.raw() is not None and grows and drawer is None:  # else the drawer says it
        external_table.note()


def _purpose(page: str) -> None:
    """What the page is for, in the bar over it, until the reader closes it; then a sign that brings it back."""
    closed = state.choice(f"{PURPOSE_CLOSED} {page}")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key="purpose"):
        if not closed:
            st.caption(PAGES[page].purpose, width="content")
        st.button(
            "", key="turn_purpose", type="tertiary", icon=":material/help:" if closed else ":material/close:",
            help="What is this page for?" if closed else "Close this line",
            on_click=lambda: state.choose(f"{PURPOSE_CLOSED} {page}", not closed),
        )  # fmt: skip


def _of_table(page: str, grows: bool) -> None:
    with st.popover(_named(), type="tertiary", icon=":material/table:"):
        about_table.show(grows)
    work.check_rows()
    if not work.is_grown() and (not grows or state.record().stopped is not None):
        return  # who has stopped a fit gets the settings first
    work.grown()
    work.strategy()  # here, as it tells how far it is: in what follows nobody would see it
    with st.popover(_algorithm(), type="tertiary", icon=":material/account_tree:"):
        st.markdown("**How your tree is made**")
        st.caption(plain(work.recipe().text(work.grown()) + bin_edges.describe_refinement()))
        if tables.in_force():
            st.caption("Splits and predictions come from the model; the rows are those of your table.")
        sidebar.algorithm("preset_in_strip")
        pruning.choose("pruner_in_strip")
        st.caption("All other settings are in the sidebar (» opens it).")
        quality.arithmetic("of your tree", quality.of_yours)
    with st.container(key="verdict", width="content"):
        quality.line()
    if (
        page != "segments"
        and classroom.shows("segments")
        and interest.of(work.pruned()) is not None
        and work.pruned().n_leaves > 1
    ):
        with st.container(key="to_segments", width="content"):
            st.page_link(
                "pages/segments.py", label="Flag the riskiest …", icon=":material/flag:",
                help="Which rows are worth a call? The leaves, riskiest first",
            )  # fmt: skip


def _named() -> str:
    source, target = shorten(state.raw().source, 24), work.table().target
    looked_for = interest.of(work.grown()) if target and work.is_grown() else None
    of_class = "" if looked_for is None else f" = {shorten(looked_for.name, 12)}"
    return plain(f"{source} ▸ {shorten(target, 18)}{of_class}" if target else source)


def _algorithm() -> str:
    r = state.record()
    preset = shorten(PRESETS[r.grow.preset].label.split(" (")[0].split(",")[0], 26)
    oblique = "" if r.grow.growth().oblique == NO_SUMS else ", oblique"
    honest = ", honest leaves" if work.estimation() else ""
    changed = " *" if r.grow.settings else ""
    method = PRUNERS[r.prune.method]
    if tables.in_force():
        preset, oblique, changed = shorten(r.grow.file, 24), "", ""
    how = "not pruned" if method.name == "none" else "pruned: " + lowered(method.label.split(" (")[0])
    return plain(f"{preset}{oblique}{honest}{changed} · {shorten(how, 30)}")


def _history() -> None:
    for label, key, told, act in (
        ("Undo", "Mod+Z", history.undone_by_undo(), history.undo),
        ("Redo", "Mod+Shift+Z", history.done_by_redo(), history.redo),
    ):
        st.button(
            label, key=label.lower(), type="tertiary", icon=f":material/{label.lower()}:", shortcut=key, on_click=act,
            disabled=not told, help=plain(f"{label}: {told}") if told else None,
        )  # fmt: skip


def _menus(page: str, grows: bool) -> None:
    """The steps, and what leaves the app."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key="menus"):
        classroom.glossary_menu()
        if state.past() or state.future():
            look = {"type": "tertiary", "icon": ":material/history:", "help": "Every step"}
            fold.menu("", "history", _steps, **look)
        if grows and work.is_grown() and not classroom.is_locked():
            exports.menu(page)
            exports.share_menu(page)


MOST_STEPS = 40


def _steps() -> None:
    """Every step, the last one first; each can be gone to, and where we are can be given a name."""
    now = len(state.past())
    state.controlled(
        st.text_input, "Name this state", history.name_of(now), history.give_name, "state_name",
        placeholder="such as: before pruning",
    )  # fmt: skip
    told = list(enumerate(history.steps()))
    for step, (text, is_now) in reversed(told[-MOST_STEPS:]):
        name = history.name_of(step)
        said = f"**{plain(name)}** · {plain(shorten(text, 120))}" if name else plain(shorten(text, 120))
        st.button(
            f"{step}. {said}", key=f"step_{step}", type="tertiary", disabled=is_now,
            icon=":material/arrow_forward:" if is_now else None, on_click=history.jump, args=(step,),
        )  # fmt: skip
