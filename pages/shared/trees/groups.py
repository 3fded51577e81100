"""The column whose groups the bars of the tree show in place of its answers, and how these groups fare in its nodes."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import interest, work
from treecore.data.column import Column
from treecore.study.groups import Groups, grouping, groups

CHOICE, ANSWER = "bars show", ""
"""The choice, and that of no column."""


def offered() -> list[str]:
    """Every column but the target, the features first; [] where rows stay in an engine."""
    table = work.table()
    if external_table.is_on() or table.target is None:
        return []
    return [*table.features, *(n for n in table.column_names if n not in table.features and n != table.target)]


def chosen() -> str | None:
    """The column; None where the bars show the answer."""
    name = state.choice(CHOICE)
    return name if name in offered() else None


def choose(key: str, label: str = "Bars show") -> None:
    """The control of it."""
    names = offered()
    if names:
        state.controlled(
            st.selectbox, label, chosen() or ANSWER, lambda name: state.choose(CHOICE, name), key,
            options=[ANSWER, *names], format_func=lambda name: name or "the target",
            help="Whose rows are in each node, by the values of any column: who is treated differently?",
        )  # fmt: skip


def of_grown() -> Groups | None:
    """Of the rows of its figures, in the nodes of the grown tree; None where no column is chosen."""
    return _groups_in(work.grown(), (), work.cached)


def of_pruned(roles: tuple[str, ...] = ()) -> Groups | None:
    """The same in those of the pruned tree, of the rows of these roles."""
    return _groups_in(work.pruned(), roles, work.cached_cut)


def at_selected() -> tuple[Groups, int] | None:
    """The groups in the selected node, as the tree stands: (of the pruned tree, or of the grown one where it is cut
    away, the node's number there)."""
    if chosen() is None:
        return None
    places = np.flatnonzero(work.cuts().standing(work.grown()) == work.selected())
    return (of_pruned(), int(places[0])) if len(places) else (of_grown(), work.selected())


def _groups_in(tree: tc.Tree, roles: tuple[str, ...], kept) -> Groups | None:
    name, parts, looked_for = chosen(), work.estimation() | work.parts(), interest.of(tree)
    if name is None:
        return None
    roles = roles or (tree.figures_of,)
    class_name = None if looked_for is None else tree.classes[looked_for.k]

    def make() -> Groups:
        rows = {role: parts[role] for role in roles}
        columns = {role: _column(name, role) for role in roles}
        by = grouping(_column(name, "train"), parts["train"].case_weights)
        return groups(tree, rows, columns, class_name, by)

    return kept("groups", name, class_name, roles, make=make)


def _column(name: str, role: str) -> Column:
    """As it was given, for the rows that are left of it: what is filled or put in bins for the tree is no value."""
    given, rows = work.unprepared_roles()[role], work.roles()[role]
    if given.n_rows == rows.n_rows:
        return given.column(name)
    place = {number: i for i, number in enumerate(given.row_numbers.tolist())}
    return given.column(name).take(np.array([place[number] for number in rows.row_numbers.tolist()], np.int64))
