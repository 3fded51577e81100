"""Trees that the user keeps: a name and the plan, so that another one can be compared with them later."""

import streamlit as st

from pages.shared.session import state
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets.messages import plain

MOST_COLUMNS = 60


def all_kept() -> dict[str, Plan]:
    """Name -> plan, in the order of keeping."""
    return dict(state.choice("kept trees"))


def keep(name: str, plan: Plan) -> None:
    """Keep a plan under a name that no other one has; '' gives it a number."""
    kept = all_kept()
    name = " ".join(name.split())[:MOST_COLUMNS] or f"tree {len(kept) + 1}"
    free = [name, *(f"{name} ({n})" for n in range(2, len(kept) + 3))]
    state.choose("kept trees", (*kept.items(), (next(n for n in free if n not in kept), plan)))
    state.choose("name to keep", "")


def drop(name: str) -> None:
    """Forget a kept tree."""
    state.choose("kept trees", tuple((n, plan) for n, plan in all_kept().items() if n != name))


def show() -> None:
    """A name and a button that keeps your tree; the kept ones with a button that forgets each."""
    kept = all_kept()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.text_input, "Name", state.choice("name to keep"), lambda v: state.choose("name to keep", v),
            "name_to_keep", placeholder=f"tree {len(kept) + 1}", max_chars=MOST_COLUMNS, width=220,
        )  # fmt: skip
        st.button("Keep your tree", key="keep_tree", on_click=_keep)
    for place, (name, plan) in enumerate(kept.items()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(name)}**: {plain(plan.text())}", width="stretch")
            st.button("Remove", key=f"drop_tree {place}", on_click=drop, args=(name,))


def _keep() -> None:
    keep(state.choice("name to keep"), in_force())
