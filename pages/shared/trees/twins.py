"""Twin bars: which rows stand beside the training rows in every node, and where the two differ significantly."""

from collections.abc import Iterable

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import groups, interest, other, work
from pages.shared.trees.plan import Plan
from pages.shared.trees.tables import ROLES
from pages.shared.widgets import explained
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import in_labels, plain
from treecore.export.cards import NodeCard, pruned_cards, recounted, tree_cards, with_quantile_bars
from treecore.study import twins as twin_tests
from treecore.study.homogeneity import CORRECTIONS
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.study.twins import NodeTests, Twins, judged, node_tests, rows_judged
from treecore.tree.node_statistics import node_statistics
from treecore.view import canvas_nodes

NONE = "none"
LEVELS = (0.001, 0.01, 0.05, 0.1)


def choose() -> None:
    """The second bar, the test's correction and level, and a table of the user's own."""
    fold("Bars", "bars", _choices)


def _choices() -> None:
    groups.choose("bars_show")
    names = {role: _label(role) for role in _offered()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, f"Beside the {work.grown().rows_named}", second() or NONE,
            lambda v: state.choose("second_bar", v), "second_bar", options=list(names),
            format_func=lambda role: names.get(role, role),
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Correction for many tests", correction(), lambda v: state.choose("twin_correction", v),
            "twin_correction", options=list(CORRECTIONS), format_func=lambda name: CORRECTIONS[name].label,
            help=CORRECTIONS[correction()].keeps.capitalize() + ".",
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Level", level(), lambda v: state.choose("twin_level", v), "twin_level",
            options=list(LEVELS), help="A node is marked where its adjusted p is at most this.",
        )  # fmt: skip
    st.caption(twin_tests.CAUTION)
    other.choose()


def correction() -> str:
    return state.choice("twin_correction")


def level() -> float:
    return state.choice("twin_level")


def second(plan: Plan | None = None) -> str | None:
    """The role of the second bar: "validation", "test", "other"; None for none.

    Test rows are shown only when they are asked for: who looks at them at each step has none left to test with.
    """
    asked, offered = state.choice("second_bar", "validation"), _offered(plan)
    role = next((role for role in (asked, "validation") if role in offered), NONE)
    return None if role == NONE else role


def _offered(plan: Plan | None = None) -> list[str]:
    roles = [role for role in work.statistics(plan) if role != work.grown(plan).figures_of]
    return [*roles, *["other"] * (other.table(plan)[0] is not None), NONE]


def _label(role: str | None) -> str:
    """A role, or the name of the other table's file where it cannot be taken for one."""
    if role != "other":
        return role or NONE
    return "other" if other.name() in (None, *ROLES, "class") else other.name()


def labels(plan: Plan | None = None) -> list[str]:
    """What the rows of the bars are called: a role, or a file's name."""
    return [_label(role) for role in statistics(plan)]


def statistics(plan: Plan | None = None) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in every node, for the rows of the tree's figures and those beside them."""
    role, known, tree = second(plan), work.statistics(plan), work.grown(plan)
    first = tree.figures_of
    if role != "other":
        return {name: known[name] for name in (first, role) if name in known}
    rows = other.table(plan)[0]
    make = lambda: node_statistics(tree, rows)  # noqa: E731
    return {first: known[first], "other": work.cached("other statistics", key(plan), make=make, plan=plan)}


def own_cards(tree: tc.Tree, nodes: np.ndarray, cuts: tc.Cuts | None = None) -> tuple[NodeCard, ...]:
    """Cards of the grown tree with its bars."""
    return with_own_bars(tree_cards(tree, nodes, statistics(), cuts), tree)


def with_own_bars(cards: tuple[NodeCard, ...], tree: tc.Tree) -> tuple[NodeCard, ...]:
    """Cards with the ids of the grown tree, their bars, of quantiles and Huber means, from the rows themselves."""
    return with_quantile_bars(cards, tree, _targets())


def _targets() -> dict[str, NodeTargets]:
    if external_table.is_on() or work.grown().schema.row_loss is None:
        return {}
    return work.cached("targets at nodes", key(), make=lambda: targets_by_role(work.grown(), tables()))


def key(plan: Plan | None = None) -> tuple:
    """What the bars depend on besides the tree."""
    role, r = second(plan), state.record()
    return (role, other.fingerprint(), r.derive, r.weights, r.infinite) if role == "other" else (role,)


def differences(plan: Plan | None = None) -> Twins | None:
    """The test of every node of the grown tree; None without a second bar."""
    role = second(plan)
    if role is None:
        return None
    return judged(work.cached("twins", key(plan), make=lambda: _tests(plan), plan=plan),
                  _label(role), correction(), level())  # fmt: skip


def _tests(plan: Plan | None) -> NodeTests:
    tree = work.grown(plan)
    return node_tests(tree, *statistics(plan).values(), *_sizes(tree, plan))


def tables(plan: Plan | None = None) -> dict[str, tc.Table]:
    """Role -> its rows, for those of the tree's figures and those beside them."""
    role, rows = second(plan), work.roles(plan)
    beside = {role: other.table(plan)[0] if role == "other" else rows[role]} if role else {}
    return {work.grown(plan).figures_of: work.own_rows(plan), **beside}


def _sizes(tree: tc.Tree, plan: Plan | None) -> list[int]:
    if external_table.is_on():
        return [round(float(tree.weight_of(stats[0]))) for stats in statistics(plan).values()]
    return [rows_judged(tree, rows) for rows in tables(plan).values()]


def pruned_statistics(plan: Plan | None = None) -> dict[str, np.ndarray]:
    """What `statistics` is, in the nodes of the pruned tree."""
    tree, parts = work.pruned(plan), tables(plan)

    def made(rows: dict) -> dict[str, np.ndarray]:
        return {role: node_statistics(tree, rows.get(role, part)) for role, part in parts.items()}

    if external_table.is_on():
        return work.of_all_rows("bars of the pruned tree", "Counting rows", made, plan, work.cut_key("", plan=plan))
    return work.cached_cut("bars of the pruned tree", key(plan), make=lambda: made({}), plan=plan)


def in_pruned(plan: Plan | None = None) -> Twins | None:
    """What `differences` is, for the nodes of the pruned tree, by its ids: they alone are corrected for."""
    role, tree, stats = second(plan), work.pruned(plan), pruned_statistics(plan)
    if role is None:
        return None
    make = lambda: node_tests(tree, *stats.values(), *_sizes(tree, plan))  # noqa: E731
    tests = work.cached_cut("twins of the pruned tree", key(plan), make=make, plan=plan)
    return judged(tests, _label(role), correction(), level())


def marked_as_cut(cards: Iterable[NodeCard]) -> tuple[NodeCard, ...]:
    """Cards of the grown or the pruned tree, with the ids of the grown one and the marks of nodes that differ."""
    return canvas_nodes.marked_as_cut(cards, work.cuts().standing(work.grown()), in_pruned(), differences)


def legend(twins: Twins | None, plan: Plan | None = None, tree: str = "your tree") -> None:
    """What is hatched, by which test, with which correction."""
    if twins is not None:
        st.caption(plain(twin_tests.legend(twins, tree)))
    fault = other.table(plan)[1]
    if fault is not None:
        st.caption(f"Not compared, {plain(other.name())}: {plain(in_labels(fault))}")


def of_node(node: int) -> None:
    """The test of one node of the grown tree, in a sentence and step by step: as its card is marked."""
    at = np.flatnonzero(work.cuts().standing(work.grown()) == node)
    twins, node = (in_pruned(), int(at[0])) if len(at) else (differences(), node)
    if twins is None:
        return
    st.markdown(plain(twin_tests.sentence(twins, node, interest.of(twins.tests.tree))))
    lines = twin_tests.arithmetic(twins, node)
    if lines:
        fold("Training against validation in this node", "twin test", lambda: explained.show(lines))


# What cuts make of the diagram: ghosts over the grown layout, and new counts below a raised branch.


def faded(tree: tc.Tree, cuts: tc.Cuts | None, nodes: np.ndarray) -> tuple[NodeCard, ...]:
    """These nodes of the grown tree; below a raised branch they count the rows that reach them now."""
    cards = own_cards(tree, nodes, cuts)
    return recounted(cards, _standing(tree, cuts, nodes)) if recounts(tree, cuts) else cards


def recounts(tree: tc.Tree, cuts: tc.Cuts | None) -> bool:
    """Do other rows reach some nodes than when the tree was grown?"""
    return cuts is not None and bool(len(cuts.raised_nodes)) and cuts.stand(tree).any_raised


def stamp_of(cuts: tc.Cuts) -> bytes:
    """All that cuts say, as bytes."""
    return _bytes(cuts)


def _bytes(cuts: tc.Cuts) -> bytes:
    added = b"" if cuts.added is None else cuts.added.tobytes()
    return cuts.verdict.tobytes() + cuts.replaced_by.tobytes() + added


def _standing(tree: tc.Tree, cuts: tc.Cuts, nodes: np.ndarray) -> tuple[NodeCard, ...]:
    """Cards of those of the nodes that stand in the pruned tree."""
    positions = np.flatnonzero(np.isin(cuts.standing(tree), nodes))
    return pruned_cards(tree, cuts, _pruned(tree, cuts), positions, _statistics(tree, cuts))


def _pruned(tree: tc.Tree, cuts: tc.Cuts) -> tc.Tree:
    return work.cached("pruned by", _bytes(cuts), make=lambda: work.cut_by(cuts))


def _statistics(tree: tc.Tree, cuts: tc.Cuts) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in the nodes of the pruned tree, for the two bars."""
    pruned, roles = _pruned(tree, cuts), work.roles()
    rows = {role: other.table()[0] if role == "other" else roles[role] for role in statistics()}
    make = lambda: {role: node_statistics(pruned, part) for role, part in rows.items()}  # noqa: E731
    return work.cached("pruned statistics", _bytes(cuts), key(), make=make)


def say(tree: tc.Tree, cuts: tc.Cuts | None) -> None:
    """What is not obvious about the numbers in the picture."""
    if recounts(tree, cuts):
        st.caption(
            "↑ A raised branch stands where its ghost place was: from there down, rows and bars are counted anew, "
            "with all the rows of the place."
        )
    if cuts is not None and cuts.added is not None:
        st.caption("The pruned tree predicts from its training rows and the pruning rows together.")
