"""Which rows change their answer between the two trees of the page Compare: counts by role, and the rows themselves."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.regions import planes
from pages.shared.session import state
from pages.shared.trees import comparison, interest, work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import brief, count, counted, p_value, percent
from treecore.judging.confusion import NO_ANSWER, Confusion, confusion
from treecore.plots.confusion_matrix import SHOWN
from treecore.plots.confusion_matrix import confusion as confusion_chart
from treecore.plots.decision_regions import region_map
from treecore.plots.disagreement_map import disagreement_map
from treecore.study.disagreement import (
    Disagreement,
    check_same_values,
    disagreement,
    places_of,
    tested_features,
    weight_inside,
)
from treecore.study.metrics import FIRST, SECOND, TEST, Agreement, ChangedRows, agreement, changed_rows, score
from treecore.study.plane import shown_axes
from treecore.study.points import Points, plane_points
from treecore.study.regions import Regions, regions

MOST = 1000
"""Rows listed."""
SIGNS = {0: "", FIRST: "◀ A", SECOND: "B ▶"}
"""Whose answer is right: in words, with a sign that points to its tree."""
ONLY_A, ONLY_B = ONLY = ("◀ only A right", "only B right ▶")
NEARER = "nearer is"
JUDGES = ("validation", "train", "test")
LEVEL = 0.05
"""A p above it may be chance."""


def _changes() -> dict[str, Agreement]:
    a, b = (comparison.tree_of(side) for side in comparison.SIDES)
    make = lambda: {role: agreement(a, b, part) for role, part in comparison.rows().items()}  # noqa: E731
    return comparison.cached_of_pair("agreement", make=make)


def verdict() -> None:
    """In a sentence, of the rows that judge: how good both are, who alone is right on how many, and is it chance."""
    role, of, _ = judged()
    if not comparison.tree_of("A").classes:
        a, b = of.a.headline, of.b.headline
        told = f"{a.short} {plain(a.told(a.value))} (A), {plain(b.told(b.value))} (B); {NEARER} "
        told += f"A on {len(of.lost):,} rows, B on "
        st.markdown(f"**{role.capitalize()}**: {told}{len(of.gained):,}.")
        return
    alone = f"{SIGNS[FIRST]} alone right on **{len(of.lost):,}** rows, {SIGNS[SECOND]} on **{len(of.gained):,}**"
    chance = "may be chance" if of.p > LEVEL else "more than chance"
    p = f"p {p_value(of.p)}: {chance}" if len(of.lost) + len(of.gained) else "they predict the same"
    both = f"A **{percent(of.a.accuracy)}**, B **{percent(of.b.accuracy)}**"
    st.markdown(f"**{role.capitalize()}**: {both} · {alone} · {p}")


def judged() -> tuple[str, Agreement, dict[str, np.ndarray]]:
    """(the role that judges, what its rows say, and the rows on which one tree alone is right, by name)."""
    result = _changes()
    role = next(name for name in JUDGES if name in result)
    first, second = ONLY if comparison.tree_of("A").classes else ("◀ nearer in A", "nearer in B ▶")
    return role, result[role], {first: result[role].lost, second: result[role].gained}


def counts() -> None:
    """How many rows change, who is right there, and whether that is more than chance."""
    result = _changes()
    classes = bool(comparison.tree_of("A").classes)
    frame = _class_counts(result) if classes else _number_counts(result)
    frames.figures(frame, {"p": st.column_config.NumberColumn(format="%.2g")}, hide_index=True)
    if classes:
        told = f"p: {TEST} of the rows that only one of the trees gets right, role by role."
    else:
        head = next(iter(result.values())).a.headline
        told = f"Nearer: the smaller error of the row. {head.short}: {head.name}."
    if "train" in result:
        told += " On training rows every tree looks better than on new ones."
    st.caption(plain(told))


def _class_counts(found: dict[str, Agreement]) -> frames.Frame:
    """Role by role; weights where rows have any."""
    columns = {"rows of": list(found)}
    for name, which in (("changes", "differ"), (ONLY_A, "lost"), (ONLY_B, "gained")):
        columns[name] = [len(getattr(f, which)) for f in found.values()]
    if any(part.weights is not None for part in comparison.rows().values()):
        for name, which in (("weight only A", "lost"), ("weight only B", "gained")):
            columns[name] = [getattr(f, f"{which}_weight") for f in found.values()]
    columns["p"] = [f.p for f in found.values()]
    columns["B − A, points"] = [round(100 * f.difference, 1) for f in found.values()]
    return frames.of(columns)


def _number_counts(found: dict[str, Agreement]) -> frames.Frame:
    columns = {"rows of": list(found)}
    for name, which in (("answer moves", "differ"), ("◀ nearer in A", "lost"), ("nearer in B ▶", "gained")):
        columns[name] = [len(getattr(f, which)) for f in found.values()]
    for side in ("a", "b"):
        heads = [getattr(f, side).headline for f in found.values()]
        columns[f"{heads[0].short}, {side.upper()}"] = [head.told(head.value) for head in heads]
    return frames.of(columns)


def rows() -> None:
    """The rows of one role that change, with their features; a selected one selects the nodes in which it ends."""
    result = {role: f for role, f in _changes().items() if len(f.differ)}
    if not result:
        st.caption("Both trees predict the same for every row.")
        return
    role = state.choice("changed role", next(reversed(result)))
    role = role if role in result else next(reversed(result))
    state.controlled(
        st.segmented_control, "Rows with different predictions", role, lambda v: state.choose("changed "
                                                                                              "role", v or role),
        "changed_role", options=list(result), format_func=lambda r: f"{r} ({count(len(result[r].differ), ',')})",
    )  # fmt: skip
    a, b = (comparison.tree_of(side) for side in comparison.SIDES)
    part = comparison.rows()[role]
    listed = comparison.cached_of_pair("changed rows", role, make=lambda: changed_rows(a, b, part, result[role]))
    places = result[role].differ[:MOST]
    key = f"changed {role} {len(listed)}"
    frames.show(
        _frame(listed, a.schema.target), hide_index=True, height=frames.height(len(places), 353), key=key,
        on_select=lambda: _take_row(key, role, places), selection_mode="single-row",
    )  # fmt: skip
    more = f"The first {MOST:,} of {len(listed):,} rows. " if len(listed) > MOST else ""
    st.caption(f"{more}Select a row to show the leaves it reaches. Rows are counted from 1.")


def _frame(listed: ChangedRows, target: str) -> frames.Frame:
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
    return frames.of({name: values[:MOST] for name, values in columns.items()})


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
        comparison.select("A", comparison.ends_of(comparison.rows()[role], int(places[row]))["A"])


# Where the two trees of the page Compare answer differently, in the plane of two features or along one.

HEIGHT, FLAT, BESIDE = 420, 220, 260
PLANE = 230, 190
"""Pixels of each of two planes beside each other."""


def show_disagreements() -> None:
    """Two features, the rectangles, and how much of the plane and of the rows lies in them."""
    tested = {name for side in comparison.SIDES for name in tested_features(comparison.tree_of(side))}
    if planes.is_curve(work.grown()):
        features = (work.grown().schema.features[0].name,)
    else:
        planes.choose_axes(tested)
        features = planes.axes()
    try:
        result = _disagreements(features)
    except TreecoreError as error:
        messages.show(error)
        return
    if result.y is not None:
        _each(result)
    if not len(result):
        fixed = " at these values of the other features" if tested - set(features) else ""
        st.caption(f"Both trees predict the same everywhere shown{fixed}.")
        return
    st.plotly_chart(
        disagreement_map(result, rows=_rows(result)), key="disagreement",
        height=HEIGHT if result.y is not None else FLAT, on_select=_take_click, selection_mode="points",
    )  # fmt: skip
    planes.say_bands(result.x, result.y, trees="neither tree separates")
    _say_disagreement(result)


def _each(found: Disagreement) -> None:
    """What each tree answers there, and the training rows: the two planes beside each other."""
    fixed = planes.fixed_values()
    for column, side in zip(st.columns(2), comparison.SIDES, strict=True):
        about, make = (found.x, found.y, tuple(fixed.items())), partial(_plane, side, found, fixed)
        looked_for = interest.of(comparison.tree_of(side))
        plane, points = comparison.side_of(side).kept("plane of one", *about, looked_for, make=make)
        with column:
            st.markdown(f"**{plain(comparison.label_of(side))}**")
            chart = region_map(plane, points, room=PLANE, dark=frames.is_dark()).update_layout(
                showlegend=False, margin_t=8
            )
            chart.update_layout(coloraxis={"showscale": not plane.classes})
            st.plotly_chart(chart, key=f"plane_{side}", height=BESIDE)


def _plane(side: str, found: Disagreement, fixed: dict) -> tuple[Regions, Points]:
    tree = comparison.tree_of(side)
    plane = regions(tree, found.x, found.y, fixed, interest=interest.of(tree))
    return plane, plane_points(tree, plane, {"train": comparison.rows()["train"]}, None, planes.FEW)


def _disagreements(features: tuple[str, ...]) -> Disagreement:
    a, b = (comparison.tree_of(side) for side in comparison.SIDES)
    fixed = planes.fixed_values()

    def make() -> Disagreement:
        check_same_values(a, b, features)
        return disagreement(a, b, shown_axes((a, b), features, *comparison.rows().values()), fixed)

    return comparison.cached_of_pair("disagreement", features, tuple(fixed.items()), make=make)


def _rows(found: Disagreement) -> dict[str, list[np.ndarray]]:
    """The judging rows that lie there and change their answer, by who alone is right."""
    role, _, kinds = judged()
    places = places_of(found, comparison.tree_of("A"), comparison.rows()[role])
    inside = np.flatnonzero(found.covers(*places))
    shown = {name: np.intersect1d(inside, which) for name, which in kinds.items()}
    return {f"{name} ({len(rows):,} {role} rows)": [along[rows] for along in places] for name, rows in shown.items()}


def _say_disagreement(found: Disagreement) -> None:
    """Shares of the plane and of the rows."""
    tree = comparison.tree_of("A")
    inside = {role: weight_inside(found, tree, part) for role, part in comparison.rows().items()}
    shown = "the plane" if found.y is not None else "the range"
    pieces = counted(len(found), "piece")
    st.markdown(plain(f"They disagree on {percent(found.share)} of {shown} shown ({pieces})."))
    frame = frames.of({
        "rows of": list(inside),
        "rows that lie there": [n for n, _ in inside.values()],
        "share of the role's weight": [percent(share) for _, share in inside.values()],
    })  # fmt: skip
    frames.figures(frame, hide_index=True)
    st.caption("Rows are placed by these features alone. A row's prediction also depends on its other features, so "
               "these are not "
               "the rows whose prediction changes. Point at the middle of an area to see both predictions; click to "
               "select the nodes.")  # fmt: skip


def _take_click() -> None:
    """Look at the node of A at the point clicked."""
    told = state.clicked("disagreement")
    if told:
        comparison.select("A", int(told[0]))


# Confusion matrix, on the rows of a role: counts, shares, recall, costs.

MEASURES = {"counts": "counts", "shares": "shares of all rows", "recall": "shares of the true class", "cost": "costs"}
TREES = {"pruned": "your tree", "unpruned": "your tree, unpruned"}


def show_confusions() -> None:
    """The matrix with its switches, the cells of two classes by name, and what the errors cost."""
    if not work.grown().classes:
        return
    role, which, measure = _switches()
    tree, rows = _tree(which), comparison.parts()[role]
    result = work.cached_cut("confusion", role, which, make=lambda: confusion(tree, rows))
    st.plotly_chart(confusion_chart(result, measure), key="confusion", height=_height(result))
    _say(result, tree, rows, role, which)


def _tree(which: str) -> tc.Tree:
    return work.pruned() if which == "pruned" else work.grown()


def _switches() -> tuple[str, str, str]:
    roles = list(comparison.parts())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        role = _switch("Rows of", "confusion_role", roles, roles[-1])
        which = (
            _switch("Predictions of", "confusion_tree", list(TREES), "pruned", TREES.get) if work.pruned_away() else ""
        )
        measure = _switch("Shown as", "confusion_shown", list(SHOWN), "counts", lambda m: MEASURES.get(m, m))
    return role, which or "pruned", measure


def _switch(label: str, key: str, options: list[str], first: str, named=str) -> str:
    chosen = state.choice(key, first)
    chosen = chosen if chosen in options else first
    state.controlled(
        st.segmented_control, label, chosen, lambda v: state.choose(key, v or chosen), key, options=options,
        format_func=named,
    )  # fmt: skip
    return chosen


def _height(found: Confusion) -> int:
    """Pixels: a row each, and room for the answers' names, which stand upright when they are many."""
    return min(900, 150 + 52 * len(found.classes) if len(found.classes) <= 8 else 260 + 36 * len(found.classes))


def _say(found: Confusion, tree: tc.Tree, rows: tc.Table, role: str, which: str) -> None:
    """Of which rows it is, the named cells, the totals."""
    st.markdown(plain(f"{found.n_rows:,} {role} rows, predictions of {TREES[which]}."))
    if len(found.classes) == 2:
        _named(found)
    lines = [f"Errors: {percent(found.error_rate)} of the rows."]
    if found.loss is not None:
        whole, word = float(found.worth.sum()), found.worth_name
        lines.append(f"Total {word} {brief(whole)}, mean {word} {brief(whole / found.weight)} per row.")
    if found.priors is not None:
        judged = score(tree, rows)
        lines.append(f"{judged.measure.capitalize()}: {brief(judged.cost)}, rows weighted by prior over share.")
    if NO_ANSWER in found.answers:
        lines.append("Rows without a prediction cost as much as the most expensive error of their class.")
    if found.n_left_out:
        lines.append(f"Left out: {found.n_left_out:,} rows whose class is missing or unknown to the tree.")
    st.markdown("  \n".join(map(plain, lines)))


def _named(found: Confusion) -> None:
    """TP, FN, FP and TN with their meaning; which class is the positive one is the reader's to say."""
    positive = _switch("Positive class", "positive", list(found.classes), found.classes[-1])
    cells = found.named(positive).values()
    st.markdown("  \n".join(
        f"**{cell.short}** {count(cell.weight, ',')}: {cell.name}, "
        f"{plain(cell.truth)} predicted as {plain(cell.answer)}"
        for cell in cells
    ))  # fmt: skip
