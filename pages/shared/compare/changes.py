"""Which rows change their answer between the two trees of the page Compare: counts by role, and the rows themselves."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.session import state
from pages.shared.trees import compared
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import count, p_value, percent
from treecore.study.metrics import FIRST, SECOND, TEST, Agreement, ChangedRows, agreement, changed_rows

MOST = 1000
"""Rows listed."""
SIGNS = {0: "", FIRST: "◀ A", SECOND: "B ▶"}
"""Whose answer is right: in words, with a sign that points to its tree."""
ONLY_A, ONLY_B = ONLY = ("◀ only A right", "only B right ▶")
NEARER = "nearer is"
JUDGES = ("validation", "train", "test")
LEVEL = 0.05
"""A p above it may be chance."""


def _found() -> dict[str, Agreement]:
    a, b = (compared.tree_of(side) for side in compared.SIDES)
    make = lambda: {role: agreement(a, b, part) for role, part in compared.rows().items()}  # noqa: E731
    return compared.kept("agreement", make=make)


def verdict() -> None:
    """In a sentence, of the rows that judge: how good both are, who alone is right on how many, and is it chance."""
    role, of, _ = judged()
    if not compared.tree_of("A").classes:
        a, b = of.a.headline, of.b.headline
        told = f"{a.short} {a.told(a.value)} (A), {b.told(b.value)} (B); {NEARER} A on {len(of.lost):,} rows, B on "
        st.markdown(f"**{role.capitalize()}**: {told}{len(of.gained):,}.")
        return
    alone = f"{SIGNS[FIRST]} alone right on **{len(of.lost):,}** rows, {SIGNS[SECOND]} on **{len(of.gained):,}**"
    chance = "may be chance" if of.p > LEVEL else "more than chance"
    p = f"p {p_value(of.p)}: {chance}" if len(of.lost) + len(of.gained) else "they predict the same"
    both = f"A **{percent(of.a.accuracy)}**, B **{percent(of.b.accuracy)}**"
    st.markdown(f"**{role.capitalize()}**: {both} · {alone} · {p}")


def judged() -> tuple[str, Agreement, dict[str, np.ndarray]]:
    """(the role that judges, what its rows say, and the rows on which one tree alone is right, by name)."""
    found = _found()
    role = next(name for name in JUDGES if name in found)
    first, second = ONLY if compared.tree_of("A").classes else ("◀ nearer in A", "nearer in B ▶")
    return role, found[role], {first: found[role].lost, second: found[role].gained}


def counts() -> None:
    """How many rows change, who is right there, and whether that is more than chance."""
    found = _found()
    classes = bool(compared.tree_of("A").classes)
    frame = _class_counts(found) if classes else _number_counts(found)
    frames.figures(frame, {"p": st.column_config.NumberColumn(format="%.2g")}, hide_index=True)
    if classes:
        told = f"p: {TEST} of the rows that only one of the trees gets right, role by role."
    else:
        head = next(iter(found.values())).a.headline
        told = f"Nearer: the smaller error of the row. {head.short}: {head.name}."
    if "train" in found:
        told += " On training rows every tree looks better than on new ones."
    st.caption(plain(told))


def _class_counts(found: dict[str, Agreement]) -> pd.DataFrame:
    """Role by role; weights where rows have any."""
    columns = {"rows of": list(found)}
    for name, which in (("changes", "differ"), (ONLY_A, "lost"), (ONLY_B, "gained")):
        columns[name] = [len(getattr(f, which)) for f in found.values()]
    if _weighted():
        for name, which in (("weight only A", "lost"), ("weight only B", "gained")):
            columns[name] = [getattr(f, f"{which}_weight") for f in found.values()]
    columns["p"] = [f.p for f in found.values()]
    columns["B − A, points"] = [round(100 * f.difference, 1) for f in found.values()]
    return pd.DataFrame(columns)


def _number_counts(found: dict[str, Agreement]) -> pd.DataFrame:
    columns = {"rows of": list(found)}
    for name, which in (("answer moves", "differ"), ("◀ nearer in A", "lost"), ("nearer in B ▶", "gained")):
        columns[name] = [len(getattr(f, which)) for f in found.values()]
    for side in ("a", "b"):
        heads = [getattr(f, side).headline for f in found.values()]
        columns[f"{heads[0].short}, {side.upper()}"] = [head.told(head.value) for head in heads]
    return pd.DataFrame(columns)


def _weighted() -> bool:
    return any(part.weights is not None for part in compared.rows().values())


def rows() -> None:
    """The rows of one role that change, with their features; a selected one selects the nodes in which it ends."""
    found = {role: f for role, f in _found().items() if len(f.differ)}
    if not found:
        st.caption("Both trees predict the same for every row.")
        return
    role = state.choice("changed role", next(reversed(found)))
    role = role if role in found else next(reversed(found))
    state.controlled(
        st.segmented_control, "Rows with different predictions", role, lambda v: state.choose("changed "
                                                                                              "role", v or role),
        "changed_role", options=list(found), format_func=lambda r: f"{r} ({count(len(found[r].differ), ',')})",
    )  # fmt: skip
    a, b = (compared.tree_of(side) for side in compared.SIDES)
    part = compared.rows()[role]
    listed = compared.kept("changed rows", role, make=lambda: changed_rows(a, b, part, found[role]))
    places = found[role].differ[:MOST]
    key = f"changed {role} {len(listed)}"
    frames.show(
        _frame(listed, a.schema.target), hide_index=True, height=frames.height(len(places), 353), key=key,
        on_select=lambda: _take_row(key, role, places), selection_mode="single-row",
    )  # fmt: skip
    more = f"The first {MOST:,} of {len(listed):,} rows. " if len(listed) > MOST else ""
    st.caption(f"{more}Select a row to show the leaves it reaches. Rows are counted from 1.")


def _frame(listed: ChangedRows, target: str) -> pd.DataFrame:
    """The rows as a table; features keep their names apart from ours."""
    own = {
        "row": listed.row + 1,
        f"true {target}": _words(listed.truth),
        "A says": _words(listed.answer_a),
        "B says": _words(listed.answer_b),
        "right" if listed.truth.dtype == object else "nearer": [SIGNS[k] for k in listed.right.tolist()],
    }
    columns = dict(own)
    for name, values in listed.values.items():
        columns[unlike(name, columns)] = values
    return pd.DataFrame({name: values[:MOST] for name, values in columns.items()})


def unlike(name: str, taken: Iterable[str]) -> str:
    """The name, with "feature" behind it for as often as it is taken."""
    while name in taken:
        name = f"{name} (feature)"
    return name


def _words(answers: np.ndarray) -> np.ndarray:
    """Labels, "(none)" for no answer or an unknown class; numbers as they are."""
    if answers.dtype != object:
        return answers
    return np.array([label if label is not None else "(none)" for label in answers.tolist()], object)


def _take_row(key: str, role: str, places: np.ndarray) -> None:
    """Look at the node of A in which the row ends."""
    row = state.picked_row(key)
    if row is not None and row < len(places):
        compared.select("A", compared.ends_of(compared.rows()[role], int(places[row]))["A"])
