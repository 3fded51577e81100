"""Which two trees are compared, how they are drawn, and keeping your tree for later."""

import streamlit as st

from pages.shared.session import kept_trees, state
from pages.shared.trees import compared, offered
from pages.shared.widgets.messages import plain
from treecore.tree.short_text import shorten

VIEWS = {"beside": "Side by side", "overlay": "Overlay", "ghosts": "Ghosts"}


def choose() -> None:
    """Two menus, with a way to swap; then the view, and what is kept."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="compared"):
        for side in compared.SIDES:
            label = offered.offers()[compared.name_of(side)].label
            with st.popover(plain(f"{side}: {shorten(label, 26)}"), width="content", key=f"menu_{side}"):
                _menu(side)
        st.button("", icon=":material/swap_horiz:", key="swap_trees", on_click=compared.swap, help="Swap A and B")
        with st.popover("Keep", width="content", key="kept_trees"):
            kept_trees.show()
    views = list(VIEWS) if compared.same_growth() else ["beside", "overlay"]
    now = view()
    state.controlled(
        st.segmented_control, "View", now, lambda v: state.choose("view", v or now), "view", options=views,
        format_func=VIEWS.get, label_visibility="collapsed",
    )  # fmt: skip


def view() -> str:
    """How the two are drawn; ghosts only where both are cuts of the grown tree in force."""
    found = state.choice("view")
    return found if found in VIEWS and (found != "ghosts" or compared.same_growth()) else "beside"


def _menu(side: str) -> None:
    """A group, and a tree of it."""
    found, now = offered.offers(), compared.name_of(side)
    groups = [group for group in offered.GROUPS if any(offer.group == group for offer in found.values())]
    group = found[now].group
    state.controlled(
        st.segmented_control, f"Tree {side}", group, lambda g: compared.take(side, _first_of(g)),
        f"compared_{side}_group", options=groups,
    )  # fmt: skip
    if group == offered.ALGORITHM:
        _algorithm(side, now)
        return
    here = [name for name, offer in found.items() if offer.group == group]
    state.controlled(
        st.radio, group, now, lambda name: compared.take(side, name), f"compared_{side}", options=here,
        format_func=lambda name: found[name].label, label_visibility="collapsed",
    )  # fmt: skip


def _first_of(group: str | None) -> str | None:
    """The tree that a group begins with: none that is grown as yours is, where there is another."""
    here = [name for name, offer in offered.offers().items() if offer.group == group]
    own = f"preset {state.record().grow.preset}"
    return next((name for name in here if name.startswith("preset ") and name != own), here[0] if here else None)


def _algorithm(side: str, now: str) -> None:
    """Another algorithm: pruned, unless it is asked for as it grows."""
    found, (sort, _, preset) = offered.offers(), now.partition(" ")
    here = [name.partition(" ")[2] for name in found if name.startswith("preset ")]
    state.controlled(
        st.selectbox, "Algorithm", preset, lambda name: compared.take(side, f"{sort} {name}"), f"compared_{side}",
        options=here, format_func=lambda name: found[f"preset {name}"].label,
    )  # fmt: skip
    state.controlled(
        st.toggle, "As it grows, unpruned", sort == "grown",
        lambda on: compared.take(side, f"{'grown' if on else 'preset'} {preset}"), f"compared_{side}_unpruned",
    )  # fmt: skip
    if sort == "preset":
        st.caption(plain(found[now].said) + ".")
