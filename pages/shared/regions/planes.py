"""Decision regions: which two features, where the others stand, and the picture."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import side_panel
from pages.shared.predict import one_row
from pages.shared.regions import votes
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import number
from treecore.plots.decision_regions import region_map
from treecore.plots.picture_style import CLEAR
from treecore.plots.step_lines import step_function as step_chart
from treecore.study.disagreement import tested_features
from treecore.study.plane import Axis, default_fixed, shown_axes
from treecore.study.points import LIMIT, plane_points, step_points
from treecore.study.regions import node_box, occupied, regions, step_function
from treecore.study.shapley import leading_features

HEIGHT, OVER, FEW = 350, 144, 400
"""Pixels of the picture in a narrow drawer, and of the window for what is over it in a wide one; rows that can be told
apart in the former."""
ROOM = {False: (180, 140), True: (520, 400)}
"""Pixels of the plane alone."""
LINE, LETTER, SIGN, WIDE = 19, 6.5, 50, {False: 270, True: 500}
"""Pixels of a line of its key, of a letter, of an entry's sign and its margins; of a line's length."""
SCALE = 90
"""Pixels of the scale of its colours below it."""


def height() -> int:
    """Pixels of the picture: a key of many lines is no reason for less of the plane."""
    wider, classes = side_panel.is_wider("regions"), work.grown().classes
    plain_height = side_panel.high("regions", HEIGHT, OVER)
    if not classes:
        return plain_height
    scale = 0 if wider or interest.of(work.grown()) is None else SCALE
    longest = SIGN + LETTER * max(len("wrong"), *(min(len(name), 24) for name in classes))
    lines = -(-(len(classes) + 2) // max(1, int(WIDE[wider] / longest)))
    return plain_height + scale + LINE * max(0, min(lines, 14) - 3)


def is_curve(tree: tc.Tree) -> bool:
    """One feature: the answer is a function of it."""
    return len(tree.schema.own) == 1


def choose_tree() -> None:
    """The pruned tree, or the grown one as if nothing were cut."""
    options, now = ["pruned", "unpruned", *votes.offered()], state.choice("regions_tree")
    with st.container(horizontal=True, vertical_alignment="center"):
        state.controlled(
            st.segmented_control, "Tree", now if now in options else "pruned",
            lambda v: state.choose("regions_tree", v or "pruned"), "regions_tree", options=options,
        )  # fmt: skip
        roles = [name for name, part in work.roles().items() if part.n_rows]
        state.controlled(
            st.pills, "Rows shown", [name for name in state.choice("regions_roles", roles[:1]) if name in roles],
            lambda v: state.choose("regions_roles", v), "regions_roles", options=roles, selection_mode="multi",
        )  # fmt: skip


def shown() -> tuple[tc.Tree, np.ndarray]:
    """The chosen tree, and which node of the grown one each of its nodes is."""
    grown = work.grown()
    if state.choice("regions_tree") == "unpruned":
        return grown, np.arange(grown.n_nodes)
    return work.pruned(), work.cuts().standing(grown)


def rows_shown() -> dict[str, tc.Table]:
    chosen = state.choice("regions_roles", ["train"])
    return {name: part for name, part in work.roles().items() if name in chosen and part.n_rows}


def axes() -> tuple[str, str]:
    """The two features chosen, or those the tree leans on most."""
    names = leading_features(work.grown())
    x, y = state.choice("axis_x"), state.choice("axis_y")
    x = x if x in names else next(n for n in names if n != y)
    y = y if y in names and y != x else next(n for n in names if n != x)
    return x, y


def sides() -> tuple[Axis, Axis]:
    """Both axes over all rows, with levels taken together that the grown tree never separates."""
    parts = (part for part in work.roles().values() if part.n_rows)
    return shown_axes([work.grown()], axes(), *parts)


def choose_axes(tested: set[str] | None = None, offer: Callable[[], None] | None = None) -> None:
    """Two features for the axes, and the values of the others.

    tested : names of the features that matter; None for those of the tree that the page Regions shows. offer : what
    stands beside them.
    """
    x, y = axes()
    names = work.grown().schema.own_names
    left, right, *rest = st.columns(2) if offer is None else st.columns([2, 2, 1], vertical_alignment="center")
    if offer is not None:
        with rest[0]:
            offer()
    for place, label, name, axis in ((left, "X axis", x, "axis_x"), (right, "Y axis", y, "axis_y")):
        with place:
            state.controlled(
                st.selectbox, label, name, lambda v, axis=axis: _take_axis(axis, v), axis, options=names,
                label_visibility="collapsed", format_func=lambda option, label=label: f"{label}: {option}",
            )  # fmt: skip
    if tested is not None:
        choose_values(tested - {x, y})


def choose_rest() -> None:
    """How the features stand that are not on the axes."""
    (tree, _), (x, y) = shown(), axes()
    choose(set(tested_features(tree)) - {x, y})


def _take_axis(which: str, name: str) -> None:
    """Choosing the other axis' feature swaps the two."""
    x, y = axes()
    other = "axis_y" if which == "axis_x" else "axis_x"
    if name == (y if which == "axis_x" else x):
        state.choose(other, x if which == "axis_x" else y)
    state.choose(which, name)


def fixed_values() -> dict:
    """Feature -> value of those that are not on the axes, as chosen by hand."""
    return chosen()


def draw_plane() -> None:
    """The rectangles, the rows on top, the selected node's box."""
    (tree, ids), parts = shown(), work.roles()
    x, y = axes()
    rows, fixed = rows_shown(), values()
    real = mode() == ROWS
    most = LIMIT if side_panel.is_wider("regions") else FEW
    looked_for = interest.of(tree)
    about = (x, y, tuple(fixed.items()), state.choice("regions_tree"), tuple(rows), real, most, looked_for)

    def make():
        axes = shown_axes([tree], (x, y), *(part for part in parts.values() if part.n_rows))
        plane = regions(tree, *axes, fixed, ids=ids, interest=looked_for)
        points = plane_points(tree, plane, rows, ids, most)
        return (occupied(tree, plane, parts["train"]), points.of_all()) if real else (plane, points)

    plane, points = work.cached_cut("plane", *about, make=make)
    if votes.is_on():
        votes.draw(plane.x, plane.y, fixed, points, height())
        return
    node = work.selected()
    box = node_box(*_of_its_tree(node), plane.x, plane.y, fixed=fixed) if node else None
    wider = side_panel.is_wider("regions")
    picture = region_map(plane, points, box, ROOM[wider], frames.is_dark())
    if wider:  # the menus over it name the axes
        keyed = bool(work.grown().classes or points.arms)
        picture.update_layout(xaxis_title=None, yaxis_title=None, margin_t=28 if keyed else 8)
        picture.update_layout(showlegend=keyed or len(rows) > 1)
        if not work.grown().classes:
            bar = picture.layout.coloraxis.colorbar
            # spaces are left out at an end: unseen dashes keep the bar away from the last letter
            bar.title.update(side="right", text=f"{bar.title.text}<span style='color:{CLEAR}'>––</span>")
    if wider and picture.layout.coloraxis.colorscale and work.grown().classes:
        picture.update_layout(coloraxis_showscale=False)  # the legend of the tree beside it has the same one
    st.plotly_chart(
        picture, key="plane", height=height(), on_select=lambda: _take_click("plane"), selection_mode="points"
    )
    say_bands(plane.x, plane.y)
    _say(points, node, real or node in plane.reached)


def say_bands(*axes: Axis | None, trees: str = "the tree never separates") -> None:
    """Which levels are drawn together, and which are not drawn."""
    for axis in axes:
        if axis is None or not axis.bands:
            continue
        n = sum(map(len, axis.bands)) + axis.left_out
        told = f"{n:,} levels of {axis.name}: those that {trees} share a band (“+3”: and three more)."
        if axis.left_out:
            told += f" Drawn are the {len(axis.bands)} bands with most rows; "
            told += "1 level is not shown." if axis.left_out == 1 else f"{axis.left_out:,} levels are not shown."
        st.caption(plain(told))


def _of_its_tree(node: int) -> tuple[tc.Tree, int]:
    """The selected node as one of the tree shown; a ghost as one of the grown tree."""
    tree, ids = shown()
    place = np.flatnonzero(ids == node)
    return (tree, int(place[0])) if len(place) else (work.grown(), node)


def _say(points, node: int, reached: bool) -> None:
    if node:
        away = "" if reached else " With these fixed values no row of this plane reaches it."
        st.caption(f"Outlined: the region of node {node}.{away}")
    if points.note:
        st.caption(plain(points.note))


def _take_click(key: str) -> None:
    """A clicked row or rectangle selects its node on every page."""
    told = state.clicked(key)
    if told:
        state.change(selected=int(told[-1]))
        take_clicked(int(told[0]) if len(told) == 2 else None)


def offer_change() -> None:
    """What would it take to give the row that was clicked another answer? The page Predict says."""
    place = clicked()
    if place is None:
        return
    if st.button(
        f"What would change the answer for row {place:,}?", key="change_clicked", icon=":material/swap_horiz:"
    ):
        one_row.take_row(place)
        state.choose("ask by", "Changes")
        st.switch_page("pages/predict.py")


def draw_steps() -> None:
    """One feature: the step function, or bands for classes."""
    (tree, ids), parts = shown(), work.roles()
    feature = tree.schema.features[0]
    if tree.classes or not feature.numeric:
        st.info("Regions need two features, or one numeric feature and a numeric target.")
        return
    rows = rows_shown()
    about = (state.choice("regions_tree"), tuple(rows))

    def make():
        steps = step_function(tree, parts["train"], feature.name, {}, ids)
        return steps, step_points(tree, feature.name, rows, ids)

    steps, points = work.cached_cut("steps", *about, make=make)
    node = work.selected()
    box = None
    if node:
        box = _range_of(*_of_its_tree(node), steps.axis.low, steps.axis.high)
    st.plotly_chart(
        step_chart(steps, points, box), key="steps", height=height(), on_select=lambda: _take_click("steps"),
        selection_mode="points",
    )  # fmt: skip
    if node:
        st.caption(f"Shaded: the values that lead to node {node}.")


def _range_of(tree: tc.Tree, node: int, low: float, high: float) -> np.ndarray:
    """float64 (1, 2): the values of the only feature that lead to a node."""
    path = tree.path(node)
    for parent, child in pairwise(path):
        cut = float(tree.splits.threshold[parent])
        if child - tree.first_child[parent] == tree.splits.low_branch[parent]:
            high = min(high, cut)
        else:
            low = max(low, cut)
    return np.array([[low, high]])


# The features that are not on the axes of a plane: at chosen values, at those of a row, or as they are in all rows.

MISSING = "(missing)"
TYPICAL, ROW, ROWS = "at chosen values", "as in one row", "as in all rows"
MODES = {
    TYPICAL: "At typical values of the training rows, or at those you choose",
    ROW: "At the values of one row",
    ROWS: "Averaged over the rows that lie at each place: the deeper the colour, the more rows",
}
LABELS = {TYPICAL: "fixed", ROW: "from a row", ROWS: "averaged"}
PLACE = "plane row"
CLICKED = "clicked row"


def mode() -> str:
    """How the other features stand."""
    return state.choice("plane rest")


def choose(tested: set[str]) -> None:
    """One of the three ways, and what it needs; nothing where the tree asks for no other feature."""
    if not tested:
        return
    state.controlled(
        st.segmented_control, "The other features", mode(), lambda v: state.choose("plane rest", v or TYPICAL),
        "plane_rest", options=list(MODES), format_func=LABELS.get,
        help=" ".join(f"*{LABELS[name]}*: {told}." for name, told in MODES.items()),
    )  # fmt: skip
    if mode() == ROW:
        _choose_row()
    if mode() == TYPICAL:
        choose_values(tested)
    elif mode() == ROW:
        _say_rest(tested, values())
    else:
        st.caption("The deeper the colour, the more rows lie there; white: no rows.")


def _choose_row() -> None:
    n = work.table_in_sight().n_rows
    state.controlled(
        st.number_input, "Row of the table", row(), lambda v: state.choose(PLACE, int(v or 1)), "plane_row",
        min_value=1, max_value=n, step=1, help="Click a point of the plane to take its row",
    )  # fmt: skip


def row() -> int:
    """The chosen row, counted from 1; the one that was clicked last until another is typed."""
    return min(state.choice(PLACE), work.table_in_sight().n_rows)


def take_clicked(source_row: int | None) -> None:
    """A row of the source, counted from 0, was clicked; None: what was clicked is no row."""
    state.choose(CLICKED, source_row)
    place = clicked()
    if place is not None:
        state.choose(PLACE, place)


def clicked() -> int | None:
    """The place in the table, from 1, of the row that was clicked."""
    told = state.choice(CLICKED)
    return None if told is None else place_in_table(told)


def place_in_table(source_row: int) -> int | None:
    """The place, from 1, of a row of the source, counted from 0."""
    place = np.flatnonzero(work.table_in_sight().row_numbers == source_row)
    return int(place[0]) + 1 if len(place) else None


def values() -> dict:
    """Feature -> value: of the row, or the chosen ones over typical ones of the training rows."""
    if mode() == ROW:
        here = np.array([row() - 1])
        make = lambda: default_fixed(work.grown(), work.table_in_sight().take(here))  # noqa: E731
        return work.cached("row", work.sight_key(), row(), make=make)
    return chosen()


def chosen() -> dict:
    """Feature -> value: the chosen ones over typical ones of the training rows."""
    typical = work.cached("typical", make=lambda: default_fixed(work.grown(), work.roles()["train"]))
    return typical | {k: v for k, v in state.choice("fixed").items() if k in typical}


def choose_values(tested: set[str]) -> None:
    """The values of the features that the tree tests besides those of the axes."""
    others, now = [f for f in work.grown().schema.features if f.name in tested], chosen()
    if not others:
        return
    with st.expander("Other values" if len(others) > 1 else "Another value"):
        for f in others:
            if f.numeric:
                state.controlled(
                    st.number_input, plain(f.name), now[f.name], lambda v, n=f.name: _take(n, v),
                    f"fixed {f.name}", value=None, placeholder=MISSING,
                )  # fmt: skip
            else:
                state.controlled(
                    st.selectbox, plain(f.name), now[f.name], lambda v, n=f.name: _take(n, v),
                    f"fixed {f.name}", options=[None, *f.levels], format_func=lambda v: MISSING if v is None else v,
                )  # fmt: skip
        st.button("Back to typical values", on_click=lambda: state.choose("fixed", {}))
    _say_rest(tested, now)


def _take(name: str, value) -> None:
    state.choose("fixed", state.choice("fixed") | {name: value})


def _say_rest(tested: set[str], now: dict) -> None:
    st.caption("Fixed: " + plain(", ".join(f"{name} = {_value(now[name])}" for name in sorted(tested))))


def _value(value) -> str:
    if value is None:
        return MISSING
    return value if isinstance(value, str) else number(value)
