"""Trees that the user keeps: a name and the plan, so that another one can be compared with them later."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.shared.controls.growth import with_preset, with_setting
from pages.shared.controls.refit import presets_for
from pages.shared.session import state
from pages.shared.trees import tables, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets.messages import plain
from treecore.growing.directions import NO_SUMS
from treecore.growing.settings.parts import ZERO_GAINS
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.recipe import Prune, Take, lowered, own_pruning
from treecore.tree.line_fit import CONSTANT, LINEAR

MOST_COLUMNS = 60


def saved_trees() -> dict[str, Plan]:
    """Name -> plan, in the order of keeping."""
    return dict(state.choice("kept trees"))


def keep(name: str, plan: Plan) -> None:
    """Keep a plan under a name that no other one has; '' gives it a number."""
    kept = saved_trees()
    name = " ".join(name.split())[:MOST_COLUMNS] or f"tree {len(kept) + 1}"
    free = [name, *(f"{name} ({n})" for n in range(2, len(kept) + 3))]
    state.choose("kept trees", (*kept.items(), (next(n for n in free if n not in kept), plan)))
    state.choose("name to keep", "")


def drop(name: str) -> None:
    """Forget a kept tree."""
    state.choose("kept trees", tuple((n, plan) for n, plan in saved_trees().items() if n != name))


def show() -> None:
    """A name and a button that keeps your tree; the kept ones with a button that forgets each."""
    kept = saved_trees()
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


# The trees that there are to compare, in groups, each by the plan that makes it.

YOURS, PRUNING, ALGORITHM, KEPT = GROUPS = ("Your settings", "Another pruning", "Another algorithm", "Kept")


@dataclass(frozen=True)
class Offer:
    """group : one of GROUPS. label : within its group. said : in a sentence."""

    group: str
    label: str
    said: str


def offers() -> dict[str, Offer]:
    """Name -> the tree of that name."""
    return state.derived("offers", _offers)


def _offers() -> dict[str, Offer]:
    result = _yours()
    for name, pruner in PRUNERS.items():
        if name != "none" and _plan(f"pruner {name}") != in_force():
            result[f"pruner {name}"] = Offer(PRUNING, pruner.label, f"your tree, pruned otherwise: {pruner.label}")
    for name in presets_for(work.table().target_kind):
        label = PRESETS[name].label
        result[f"preset {name}"] = Offer(ALGORITHM, label, f"{label}, {_how(name)}")
        result[f"grown {name}"] = Offer(ALGORITHM, f"{label}, unpruned", f"{label}, unpruned")
    return result | {f"kept {name}": Offer(KEPT, name, f"kept: {name}") for name in saved_trees()}


def _yours() -> dict[str, Offer]:
    result = {"in force": Offer(YOURS, "Your tree", "your tree")}
    result["unpruned"] = Offer(YOURS, "Unpruned", "your tree, unpruned")
    if in_force().edits:
        result["untouched"] = Offer(YOURS, "Without steps by hand", "your tree without steps by hand")
    if not tables.in_force():
        told = (
            "Stopping where no split gains" if _other_zero_gain() == "stop" else "Splitting where no split gains, too"
        )
        result["zero gain"] = Offer(YOURS, told, f"your settings, {told[:1].lower()}{told[1:]}")
    if not tables.in_force() and _can_add():
        told = "One feature a split" if _other_oblique() == NO_SUMS else "With oblique splits"
        result["oblique"] = Offer(YOURS, told, f"your settings, {told[:1].lower()}{told[1:]}")
    if not tables.in_force() and _can_have_lines():
        told = "One answer per leaf" if _other_leaf_model() == CONSTANT else "With lines in the leaves"
        result["leaf model"] = Offer(YOURS, told, f"your settings, {told[:1].lower()}{told[1:]}")
    if has_many_branches():
        result["chain"] = Offer(YOURS, "In splits of two branches", "your tree, in splits of two branches")
    return result


def has_many_branches() -> bool:
    """Has a node of your tree more than two branches?"""
    return bool(np.any(work.grown().n_children > 2))


def _how(preset: str) -> str:
    """How the tree of another algorithm is pruned."""
    own, now = own_pruning(preset), in_force().prune
    if own != Prune():
        return "pruned as it does itself"
    return "unpruned, as yours" if now == Prune() else f"pruned as yours ({lowered(PRUNERS[now.method].label)})"


def plan(name: str) -> Plan:
    """The plan of a tree by its name; of "chain" that of the tree it is made from."""
    return state.derived(f"plan of {name}", lambda: _plan(name))


def _plan(name: str) -> Plan:
    now, (sort, _, which) = in_force(), name.partition(" ")
    by_machine = tuple(step for step in now.edits if isinstance(step, Take))
    if sort == "pruner":
        return replace(now, prune=Prune(which), edits=by_machine)
    if sort in ("preset", "grown"):
        own = own_pruning(which)
        prune = Prune() if sort == "grown" else own if own != Prune() else now.prune
        return replace(now, grow=with_preset(which), prune=prune, edits=())
    if sort == "kept":
        return saved_trees()[which]
    if name == "oblique":
        return replace(now, grow=with_setting(now.grow, "oblique", _other_oblique()))
    if name == "leaf model":
        return replace(now, grow=with_setting(now.grow, "leaf_model", _other_leaf_model()))
    if name == "zero gain":
        return replace(now, grow=with_setting(now.grow, "zero_gain", _other_zero_gain()))
    return {
        "in force": now,
        "chain": now,
        "unpruned": replace(now, prune=Prune(), edits=by_machine),
        "untouched": replace(now, edits=()),
    }[name]


def _other_zero_gain() -> str:
    now = in_force().grow.growth().zero_gain
    return next(name for name in ZERO_GAINS if name != now)


def _other_leaf_model() -> str:
    """Lines beside means, and the other way round."""
    return CONSTANT if in_force().grow.growth().leaf_model != CONSTANT else LINEAR


def _can_have_lines() -> bool:
    """Is the target one for lines, and a feature numeric?"""
    table = work.table()
    numeric = any(table.column(name).kind == "numeric" for name in table.features)
    return numeric and table.target_kind.allows("leaf_model", LINEAR)


def _can_add() -> bool:
    """Is there more than one numeric feature?"""
    table = work.table()
    return sum(table.column(name).kind == "numeric" for name in table.features) > 1


def _other_oblique() -> str:
    """Thresholds on single features beside those on sums, and the other way round."""
    return NO_SUMS if in_force().grow.growth().oblique != NO_SUMS else "climb"
