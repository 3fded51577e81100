"""Your tree in a line of numbers, and two trees beside each other in tables."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import quality
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import comparable_trees, tables, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import frames
from pages.shared.widgets.messages import in_labels, plain
from treecore.figures import brief, percent
from treecore.judging.measures import measured, short_name
from treecore.study.metrics import Score, score
from treecore.study.overlay import NodeMatch, best_match
from treecore.tree.binary_chain import binary_chain

# The two trees of the page Compare: which they are, and which node of each is looked at.

SIDES = ("A", "B")


@dataclass(frozen=True)
class Side:
    """One of the trees. chain : it is the plan's tree with every split in splits of two branches."""

    plan: Plan
    chain: bool = False

    @property
    def key(self) -> tuple:
        """What it depends on."""
        return (work.tree_key(self.plan), self.plan.prune, self.plan.edits, self.chain)

    @property
    def tree(self) -> tc.Tree:
        """The tree, with ids of its own."""
        pruned = work.pruned(self.plan)
        if not self.chain:
            return pruned
        return work.cached_cut("chain", make=lambda: binary_chain(pruned), plan=self.plan).tree

    @property
    def is_yours(self) -> bool:
        return self.plan == in_force() and not self.chain

    def kept(self, name: str, *more, make):
        """A result of this tree, kept under its name."""
        return work.cached_cut(name, self.chain, *more, make=make, plan=self.plan)


def name_of(side: str) -> str:
    """The name of the tree chosen for a side; the first one where what was chosen is not offered any more."""
    name = state.choice(f"compared {side}")
    return name if name in comparable_trees.offers() else _first(side)


def _first(side: str) -> str:
    """At first your tree is compared with what it was before it was pruned, or with another way to prune it."""
    if side == "A":
        return "in force"
    judged = work.judge() in work.parts()
    pruned = "pruner cost_complexity"  # which is yours where it is in force, whether it cuts anything or not
    return pruned if judged and not work.pruned_away() and pruned in comparable_trees.offers() else "unpruned"


def take(side: str, name: str | None) -> None:
    """Compare this tree."""
    if name is not None:
        state.choose(f"compared {side}", name)


def swap() -> None:
    a, b = map(name_of, SIDES)
    take("A", b)
    take("B", a)


def side_of(side: str) -> Side:
    """The tree chosen for a side."""
    name = name_of(side)
    return Side(comparable_trees.plan(name), name == "chain")


def plan_of(side: str) -> Plan:
    return side_of(side).plan


def tree_of(side: str) -> tc.Tree:
    """The tree chosen for a side, with ids of its own."""
    return side_of(side).tree


def describe_tree(side: str) -> str:
    """ "your tree, unpruned"; plain text."""
    return comparable_trees.offers()[name_of(side)].said


def label_of(side: str) -> str:
    """ "A: your tree, unpruned"; plain text."""
    return f"{side}: {describe_tree(side)}"


def say_what_is_lost() -> None:
    """Steps by hand that do not find their node in one of the trees; those of the tree in force have their message."""
    for side in SIDES:
        fault = work.lost_edit(plan_of(side)) if plan_of(side) != in_force() else None
        if fault is not None:
            st.caption(plain(f"{label_of(side)}. Without the steps by hand from here on: {in_labels(fault).what}."))


def rows() -> dict[str, tc.Table]:
    """The rows of each role that has any: as both trees see them, or as given where each sees them prepared its way."""
    a, b = (plan_of(side).prepare for side in SIDES)
    result = work.roles(plan_of("A")) if a == b else tables.unprepared_roles()
    return {name: part for name, part in result.items() if part.n_rows}


def of_all_rows(name: str, make):
    """make(role -> all of its rows), kept under its name and both plans; an engine counts rows that are not here."""
    if external_table.is_on():
        return external_table.cached_query((name, *(side_of(side).key for side in SIDES)), "Judging both trees", make)
    return cached_of_pair(name, make=lambda: make(rows()))


def cached_of_pair(name: str, *more, make):
    """A result of both trees, kept under its name and both plans."""
    return side_of("A").kept(name, side_of("B").key, *more, make=make)


def same_growth() -> bool:
    """Are both trees cuts of the grown tree in force?"""
    sides = [side_of(side) for side in SIDES]
    return all(work.tree_key(side.plan) == work.tree_key() and not side.chain for side in sides)


# The node looked at: the one selected on every page; of another tree the very node that was pointed at last.


def select(side: str, node: int) -> None:
    """Look at this node of a side's tree; what has most of its rows in your tree is selected on every page."""
    chosen = side_of(side)
    if 0 <= node < chosen.tree.n_nodes:
        state.change(selected=_in_grown(chosen, node))
        _pointed().update(at=(chosen.key, chosen, node, work.selected()))


def pointed_side() -> str:
    """The side in whose tree the node was pointed at."""
    at = _pointed().get("at")
    other = at is not None and at[3] == work.selected() and at[0] == side_of("B").key != side_of("A").key
    return "B" if other else "A"


def _in_grown(chosen: Side, node: int) -> int:
    if work.tree_key(chosen.plan) == work.tree_key() and not chosen.chain:
        return int(work.cuts(chosen.plan).standing(work.grown())[node])
    return _match(chosen, node, _grown())


def _grown() -> Side:
    return Side(comparable_trees.plan("unpruned"))


def _pointed() -> dict:
    return state.stored_for("compared at", {})


def selected(side: str) -> int:
    """The node of a side's tree that is looked at, or that holds most of its rows."""
    chosen, at = side_of(side), _pointed().get("at")
    if at is None or at[3] != work.selected() or at[0] not in [side_of(s).key for s in SIDES]:
        at = (None, _grown(), work.selected(), None)
    _, other, node, _ = at
    return node if other == chosen else _match(other, node, chosen)


def _match(mine: Side, node: int, other: Side) -> int:
    """The node of another tree with most of the training rows of this one."""
    given = mine.plan.prepare != other.plan.prepare
    make = lambda: best_match(_passage(mine, given), node, _passage(other, given))  # noqa: E731
    return int(other.kept("matching node", mine.key, node, make=make)[0])


def _passage(side: Side, given: bool) -> NodeMatch:
    train = (tables.unprepared_roles() if given else work.roles(side.plan))["train"]
    return side.kept("passage", given, make=partial(NodeMatch.of, side.tree, train))


def ends_of(part: tc.Table, row: int) -> dict[str, int]:
    """Side -> the node in which one row of a table ends."""
    one = part.take(np.array([row]))
    return {side: int(tree_of(side).apply(one)[0]) for side in SIDES}


def parts() -> dict[str, tc.Table]:
    """The rows of each role that has any."""
    return work.parts()


def in_a_line() -> None:
    """Size and quality of your tree, role by role."""
    tree, small = work.grown(), work.pruned()
    all_leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    leaves = f"{small.n_leaves:,} of {all_leaves}" if work.pruned_away() else all_leaves
    st.caption(f"Your tree: {leaves}, depth {small.depth}. {plain(quality_line(work.scores()))}")


def quality_line(found: dict[str, Score]) -> str:
    """The scores in words; what errors cost comes before how many they are."""
    first = next(iter(found.values()))
    heads = {role: s.headline for role, s in found.items()}
    told = ", ".join(f"{role} {h.told(h.value)}" + f" ({h.beside})" * bool(h.beside) for role, h in heads.items())
    accuracy = f"{first.headline.name.capitalize()}: {told}."
    if first.cost is None:
        return accuracy
    costs = ", ".join(f"{role} {brief(s.cost)}" for role, s in found.items())
    return f"{first.measure.capitalize()}: {costs}. {accuracy}"


def numbers() -> None:
    """Leaves, depth and accuracy (or error) on each role, for both trees and the baseline; what errors cost first."""
    trees = [tree_of(side) for side in SIDES]
    if not external_table.is_on():
        quality.choose(trees[0], "compared_judged")
    scores = of_all_rows(
        "both scores", lambda rows: [{role: score(tree, part) for role, part in rows.items()} for tree in trees]
    )
    result = {"leaves": [*(f"{tree.n_leaves:,}" for tree in trees), "1"]}
    result["depth"] = [*(f"{tree.depth:,}" for tree in trees), "0"]
    result |= _measured(scores, trees)
    for measure in (_cost, _quality):
        told = _by_role(scores, measure) if measure(scores, next(iter(scores[0]))) else {}
        result |= {name: values for name, values in told.items() if name not in result}
    columns = {name: [row[place] for row in result.values()] for place, name in enumerate(("A", "B", ROOT))}
    right = {name: st.column_config.TextColumn(alignment="right") for name in columns}
    frames.show(frames.of({"": list(result), **columns}), hide_index=True, column_config=right)
    quality.arithmetic("compare", lambda: {side: (tree_of(side), rows()) for side in SIDES})


ROOT = "baseline"


def _measured(scores: list[dict[str, Score]], trees: list[tc.Tree]) -> dict[str, list[str]]:
    """A row per role in the measure that is chosen; none of rows that an engine counts."""
    if external_table.is_on():
        return {}
    measure, looked_for = quality.chosen(trees[0]), quality.looked_for(trees[0])
    told = percent if measure.percent else brief
    three = [*trees, trees[1].baseline()]
    result = of_all_rows(
        f"both in {measure.name} of {looked_for}",
        lambda rows: {
            role: [measured(tree, part, measure.name, looked_for) for tree in three] for role, part in rows.items()
        },
    )
    return {
        f"{short_name(measure)}, {role} ({scores[0][role].n_rows:,} rows)": list(map(told, values))
        for role, values in result.items()
    }


def _by_role(scores: list[dict[str, Score]], measure: Callable) -> dict[str, list[str]]:
    """A row per role; its name says of how many rows."""
    result = {role: measure(scores, role) for role in scores[0]}
    return {f"{name}, {role} ({scores[0][role].n_rows:,} rows)": values for role, (name, values) in result.items()}


def _quality(scores: list[dict[str, Score]], role: str) -> tuple[str, list[str]]:
    """(what is judged, its value for both trees and the root of B alone)."""
    both = [s[role] for s in scores]
    a, b = (s.headline for s in both)
    return a.name, [a.told(value) for value in (a.value, b.value, b.baseline)]


def _cost(scores: list[dict[str, Score]], role: str) -> tuple[str, list[str]] | None:
    """The same for what errors cost; None unless both trees reckon with the same costs and priors of the same name."""
    both = [s[role] for s in scores]
    if both[0].cost is None or both[0].measure != both[1].measure:
        return None
    return both[0].measure, [brief(cost) for cost in (*(s.cost for s in both), both[1].cost_baseline)]
