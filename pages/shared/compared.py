"""The two trees of the page Compare: which ones there are to choose from, which are chosen, which node is looked at."""

from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared import kept_trees, state, tables, work
from pages.shared.controls_growth import with_preset
from pages.shared.controls_refit import presets_for
from pages.shared.messages import plain
from pages.shared.plan import Plan, in_force
from pages.shared.wording import in_labels
from treecore.evaluation.matching import Passage, best_match
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.recipe import Prune, Take, own_pruning

SIDES = ("A", "B")
FIRST = {"A": "unpruned", "B": "in force"}
"""What is compared at first."""


def offered() -> dict[str, str]:
    """Name -> label of every tree that can be compared."""
    now = in_force()
    found = {"in force": "The tree in force", "unpruned": "The same, unpruned"}
    if now.edits:
        found["untouched"] = "The same without steps by hand"
    for name, pruner in PRUNERS.items():
        if name != "none" and _plan(f"pruner {name}") != now:
            found[f"pruner {name}"] = f"Pruned otherwise: {pruner.label}"
    for name in presets_for(work.table().task):
        how = "unpruned" if own_pruning(name) == Prune() else "pruned as the peer does"
        found[f"preset {name}"] = f"Grown otherwise, {how}: {PRESETS[name].label}"
    return found | {f"kept {name}": f"Kept: {name}" for name in kept_trees.all_kept()}


def _plan(name: str) -> Plan:
    """The plan of a tree by its name."""
    now, (sort, _, which) = in_force(), name.partition(" ")
    by_machine = tuple(step for step in now.edits if isinstance(step, Take))
    if sort == "pruner":
        return replace(now, prune=Prune(which), edits=by_machine)
    if sort == "preset":
        return replace(now, grow=with_preset(which), prune=own_pruning(which), edits=())
    if sort == "kept":
        return kept_trees.all_kept()[which]
    return {
        "in force": now,
        "unpruned": replace(now, prune=Prune(), edits=by_machine),
        "untouched": replace(now, edits=()),
    }[name]


def choose() -> None:
    """A and B, side by side, with a way to swap them."""
    found = offered()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for side in SIDES:
            state.controlled(
                st.selectbox, f"Tree {side}", _chosen(side, found), lambda name, s=side: state.choose(_key(s), name),
                _key(side).replace(" ", "_"), options=list(found), format_func=found.get,
            )  # fmt: skip
        st.button("Swap", key="swap_trees", on_click=_swap)


def _key(side: str) -> str:
    return f"compared {side}"


def _chosen(side: str, found: dict[str, str]) -> str:
    """The name chosen for a side; the first one where what was chosen is not offered any more."""
    name = state.choice(_key(side), FIRST[side])
    return name if name in found else FIRST[side]


def say_what_is_lost() -> None:
    """Steps by hand that do not find their node in one of the trees; those of the tree in force have their message."""
    for side in SIDES:
        fault = work.lost_edit(plan_of(side)) if plan_of(side) != in_force() else None
        if fault is not None:
            st.caption(plain(f"{label_of(side)}. Without the steps by hand from here on: {in_labels(fault).what}."))


def _swap() -> None:
    found = offered()
    a, b = (_chosen(side, found) for side in SIDES)
    state.choose(_key("A"), b)
    state.choose(_key("B"), a)


def plan_of(side: str) -> Plan:
    """The plan of the tree chosen for a side."""
    return _plan(_chosen(side, offered()))


def label_of(side: str) -> str:
    """ "A: the same, unpruned"; plain text."""
    found = offered()
    label = found[_chosen(side, found)]
    return f"{side}: {label if label.startswith('Kept') else label[:1].lower() + label[1:]}"


def tree_of(side: str) -> tc.Tree:
    """The tree chosen for a side, with ids of its own."""
    return work.pruned(plan_of(side))


def rows() -> dict[str, tc.Table]:
    """The rows of each role that has any: as both trees see them, or as given where each sees them prepared its way."""
    a, b = (plan_of(side).prepare for side in SIDES)
    found = work.roles(plan_of("A")) if a == b else tables.roles_as_given()
    return {name: part for name, part in found.items() if part.n_rows}


def kept(name: str, *more, make):
    """A result of both trees, kept under its name and both plans."""
    b = plan_of("B")
    about = (work.tree_key(b), b.prune, b.edits)
    return work.kept_cut(name, about, *more, make=make, plan=plan_of("A"))


def same_growth() -> bool:
    """Are both trees cuts of the grown tree in force?"""
    return all(work.tree_key(plan_of(side)) == work.tree_key() for side in SIDES)


# The node looked at: the one selected on every page, unless a node of another tree was pointed at since.


def select(side: str, node: int) -> None:
    """Look at this node of a side's tree; one of the grown tree in force is selected on every page."""
    plan = plan_of(side)
    if work.tree_key(plan) == work.tree_key():
        state.change(selected=int(work.cuts(plan).standing(work.grown(plan))[node]))
    state.choose("compared at", (plan, node, state.record().selected))


def selected(side: str) -> int:
    """The node of a side's tree that is looked at, or that holds most of its rows."""
    plan, at = plan_of(side), state.choice("compared at")
    if at is None or at[2] != state.record().selected or at[1] >= work.pruned(at[0]).n_nodes:
        at = (_plan("unpruned"), work.selected())
    if at[0] == plan:
        return at[1]
    node, _ = work.kept_cut("matching node", _cut_of(at[0]), at[1], make=lambda: _match(*at[:2], plan), plan=plan)
    return node


def _cut_of(plan: Plan) -> tuple:
    return (work.tree_key(plan), plan.prune, plan.edits)


def _match(plan: Plan, node: int, other: Plan) -> tuple[int, float]:
    """The node of another plan's tree with most of the training rows of this one."""
    given = plan.prepare != other.prepare
    return best_match(_passage(plan, given), node, _passage(other, given))


def _passage(plan: Plan, given: bool) -> Passage:
    train = (tables.roles_as_given() if given else work.roles(plan))["train"]
    return work.kept_cut("passage", given, make=lambda: Passage.of(work.pruned(plan), train), plan=plan)


def ends_of(part: tc.Table, row: int) -> dict[str, int]:
    """Side -> the node in which one row of a table ends."""
    one = part.take(np.array([row]))
    return {side: int(tree_of(side).apply(one)[0]) for side in SIDES}
