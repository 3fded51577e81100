"""Regions: a border of the plane is dragged, and the tree grows anew below its split while it moves."""

import math
from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages import WORKBENCH
from pages.shared.bench import canvas
from pages.shared.regions import planes, votes
from pages.shared.server import guard
from pages.shared.session import state
from pages.shared.trees import comparison, interest, nested, tables, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.modules import joined, styles
from treecore.figures import counted
from treecore.fit import node_at
from treecore.judging.losses import OWN
from treecore.plots.plane_drawing import axis_drawing, plane_drawing, point_drawing, scale_drawing
from treecore.recipe import Prune, Take
from treecore.study.metrics import score
from treecore.study.plane import Axis
from treecore.study.plane_borders import WithBorder, at_alpha, border_take, borders, printed_threshold, with_border
from treecore.study.points import plane_points
from treecore.study.regions import regions
from treecore.tree.short_text import shorten

KEY, CHOICE, DRAG = "border plane", "plane borders", "dragged border"

_component = st.components.v2.component(
    "treecore_plane", html='<div class="plane" data-testid="border-plane"></div>',
    css=styles(WORKBENCH / "plane.css"), js=joined(WORKBENCH / "plane_main.js"),
)  # fmt: skip


def on() -> bool:
    """Are borders dragged in the plane that is shown?"""
    return state.choice(CHOICE) and can()


def can() -> bool:
    """Has the plane borders of a tree that can grow anew here?"""
    if state.opened() is not None or tables.in_force() or votes.is_on() or planes.mode() == planes.ROWS:
        return False
    if work.grown().lines is not None:  # its colours run across a region, and its lines are fitted after pruning
        return False
    return bool(_borders(*planes.shown(), planes.sides()))


def offer() -> None:
    """The switch between the picture and the plane whose borders can be dragged."""
    if state.choice(CHOICE) or can():
        state.controlled(
            st.toggle, "Drag the borders", state.choice(CHOICE), lambda v: state.choose(CHOICE, v), "drag_borders",
            help="Move a threshold in the plane: what is below its split grows anew while you drag",
        )  # fmt: skip


def show() -> None:
    """The plane; a step of a border runs this part alone. What else the page runs for ends a drag."""
    state.stored_for(DRAG, {}).clear()
    guard.part(_live)


def _live() -> None:
    axes, moved, fault = planes.sides(), None, None
    try:
        moved = _tree_of_drag()
    except TreecoreError as error:
        fault = error
    now = planes.shown()
    tree, ids = now if moved is None else _shown(moved)
    plane = regions(tree, *axes, planes.values(), ids=ids, interest=interest.of(work.grown()))
    points = plane_points(tree, plane, planes.rows_shown(), ids, planes.FEW)
    held = None if moved is None else node_at(moved.grown, replace(moved.take, expect=""))
    data = plane_drawing(plane, _borders(tree, ids, axes)) | {
        "axes": [axis_drawing(axis) for axis in axes], "points": point_drawing(points, plane),
        "scale": scale_drawing(plane), "wrong": np.flatnonzero(points.wrong).tolist(),
        "pale": np.flatnonzero(~points.in_plane).tolist(), "held": held, "seen": _events()["seen"],
        "selected": work.selected(), "pixels": planes.height(), "text": _sentence(moved, tree, held, fault),
        "before": "" if moved is None else _quality(now[0]),
    }  # fmt: skip
    _component(
        key=KEY, data=data, height=planes.height(), on_moved_change=_move, on_dropped_change=_drop,
        on_chosen_change=_choose,
    )  # fmt: skip
    planes.say_bands(*axes)
    if points.note:
        st.caption(plain(points.note))
    if _pruning() not in (Prune(), in_force().prune):
        st.caption(
            "While you drag, the tree is pruned with the same α as before. Your settings choose its size afterwards."
        )


def _shown(moved: WithBorder) -> tuple[tc.Tree, np.ndarray]:
    """As planes.shown() has the tree in force: with the names of classes, its figures of the same rows."""
    tree, names, rows = moved.tree, work.class_names(), work.estimation()
    tree = tree.with_class_names(dict(names)) if names else tree
    return tc.honest(tree, rows["estimation"]) if rows else tree, moved.cuts.standing(moved.grown)


def _sentence(moved: WithBorder | None, tree: tc.Tree, held: int | None, fault: TreecoreError | None) -> str:
    if fault is not None:
        return f"{fault.what}. {fault.remedy}."
    if moved is None:
        return "Drag a border to move its threshold: what is below the split grows anew."
    feature = shorten(moved.take.feature, 40)
    return f"{feature} at {printed_threshold(moved.grown, held)}: {_quality(tree)}"


def _quality(tree: tc.Tree) -> str:
    scores = {role: score(tree, part) for role, part in work.parts().items()}
    return f"{counted(tree.n_leaves, 'leaf', 'leaves')}. {comparison.quality_line(scores)}"


def _borders(tree: tc.Tree, ids: np.ndarray, axes: tuple[Axis, Axis]):
    return borders(tree, *axes, planes.values(), ids)


# ---------------------------------------------------------------- what the reader does


def _drag() -> dict:
    """The place of the border while it is dragged; {} at rest, and where another tree is shown since."""
    result = state.stored_for(DRAG, {})
    if result.get("of") != work.cut_key("border"):
        result.clear()
    return result


def _tree_of_drag() -> WithBorder | None:
    """The tree with the border where it is dragged to; None at rest."""
    drag = _drag()
    if "node" not in drag:
        return None
    return _tree_with(border_take(work.trained(), drag["node"], drag["at"]))


def _tree_with(take: Take) -> WithBorder:
    """Not cached: every step of the pointer asks for another tree."""
    return with_border(take, in_force().grow.growth(), _pruning(), work.edits(), work.roles())


def _pruning() -> Prune:
    """That of the tree which is shown, without folds at every place of a border."""
    prune, cuts = in_force().prune, work.strategy()
    if state.choice("regions_tree") == "unpruned" or isinstance(cuts, TreecoreError):
        return Prune()
    if prune.method != nested.METHOD:
        return prune
    steps = work.sequence(risk=dict(prune.parameters).get("risk", OWN))  # steps by hand have no part in its size
    here = np.flatnonzero(steps.n_leaves == work.trained().cut(cuts).n_leaves)
    return at_alpha(prune, float(steps.alpha[here[0]]) if len(here) else None)


def _events() -> dict:
    """seen : number of the last event. dropped : of that by which a border was last let go."""
    return state.stored_for("border events", {"seen": 0, "dropped": 0})


def _event(name: str) -> tuple[int, float, int] | None:
    """(node, place, number of the event), where it is a border that can be there."""
    event = state.widget(KEY).get(name)
    node, at, seq = (event.get(part) for part in ("node", "at", "seq")) if isinstance(event, dict) else (None,) * 3
    if type(node) is not int or type(seq) is not int or type(at) not in (int, float) or not math.isfinite(at):
        return None
    _events()["seen"] = max(seq, _events()["seen"])
    here = {border.node for border in _borders(*planes.shown(), planes.sides())}
    return (node, float(at), seq) if node in here else None


def _move() -> None:
    """A step; one that is heard together with the end of its drag comes too late."""
    event = _event("moved")
    if event is not None and event[2] > _events()["dropped"]:
        state.stored_for(DRAG, {}).update(of=work.cut_key("border"), node=event[0], at=event[1])


def _drop() -> None:
    """Let go: the threshold becomes a step of the recipe, at the number that stands for it in print."""
    event = _event("dropped")
    _drag().clear()
    if event is None:
        return
    node, at, _events()["dropped"] = event
    tree = work.trained()
    try:
        moved = _tree_with(border_take(tree, node, at))
    except TreecoreError as fault:
        canvas.tell(f"{fault.what}: the border stays", undo=False)
        return
    held = node_at(moved.grown, replace(moved.take, expect=""))
    printed = printed_threshold(moved.grown, held)
    if printed == printed_threshold(tree, node):
        return
    state.do(border_take(tree, node, float(printed)), selected=node)
    canvas.tell(f"Node {node} is split at {printed}; what is below grew anew")


def _choose() -> None:
    node = state.widget(KEY).get("chosen")
    if type(node) is int and 0 <= node < work.grown().n_nodes:
        state.change(selected=node)
