"""The page Experiments: how good the answers of your tree are, in every measure and role, drawn and by threshold."""

import streamlit as st

from pages.shared.bench import quality, side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments import recipes
from pages.shared.experiments.setup import SessionSetup
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.figures import percent
from treecore.plots import prediction_quality as calibration_plot
from treecore.plots import prediction_quality as residuals_plot
from treecore.plots.prediction_quality import ranking_curve
from treecore.study import (
    Answers,
    Residuals,
    Trials,
    answered_at,
    answers_of,
    by_node,
    calibration,
    ranking_of,
    tree_at,
)  # fmt: skip
from treecore.study.questions.answer_quality import (
    ANSWER_QUALITY,
    MOST_OF_LEAVES,
    SHAPES,
    THRESHOLD,
    describe_classes,
    describe_threshold,
    measure_rows,
    residuals_by_role,
    role_shown,
)
from treecore.study.questions.question import POSITIVE, Told

ON_CANVAS = "threshold"
CLASS_CURVES = (*SHAPES, "calibration")
NUMBER_CURVES = ("residuals", "residuals by leaf")
CROSS = "cross-validation"
MINE = ("in force",)
"""Your recipe alone."""
HEIGHT = 400
SHORT = {"validation": "valid.", CROSS: "folds"}


def show() -> None:
    """Measures by role, a picture, and what another threshold would answer."""
    result = answers()
    _table(result)
    quality.arithmetic("answers", lambda: {"your tree": (work.pruned(), work.parts() | _of_folds(result))})
    _curves(result)
    if len(work.grown().classes) == 2:
        _threshold(result)
    if work.grown().classes:
        role, names = _role(result), work.name_of_class()
        fold(f"By class, {role} rows", "by class", lambda: explained.show(describe_classes(result[role], names)))


def _of_folds(found: dict[str, Answers]) -> dict[str, Answers]:
    return {CROSS: found[CROSS]} if CROSS in found else {}


def answers() -> dict[str, Answers]:
    """Role -> what your tree says of its rows; cross-validated ones where they are asked for."""
    return _answers(recipes.tried(MINE))


def _answers(tried: Trials | None) -> dict[str, Answers]:
    tree, parts = work.pruned(), work.parts()
    make = lambda: {role: answers_of(tree, rows) for role, rows in parts.items()}  # noqa: E731
    result = dict(cache.get(key(), make))
    return result if tried is None else result | {CROSS: tried.pooled(0)}


def key() -> tuple:
    """What the answers of the roles are kept under."""
    return work.cut_key("answers by role")


def about() -> Told:
    """What is looked at, as it is told with an answer."""
    result = answers_by_now()
    of_folds = (("folds", recipes.asked(MINE).drawn),) if CROSS in result else ()
    [(name, _), *more] = ANSWER_QUALITY.about(SessionSetup())
    return ((name, _role(result)), *more, *of_folds)


def answers_by_now(*_) -> dict[str, Answers]:
    """Of all roles, and of the folds if they are there, without a run of anything."""
    return _answers(_tried_by_now())


def _tried_by_now() -> Trials | None:
    """The folds of your recipe, if they were asked for and are there."""
    return cache.find(recipes.asked(MINE).key) if state.choice("experiment on") else None


def exhibit() -> Exhibit | None:
    """The tree as it answers at the chosen threshold, where it is to be seen."""
    classes = work.grown().classes
    if state.choice("experiment tree") != ON_CANVAS or len(classes) != 2:
        return None
    positive, threshold = _positive(classes), _at()
    make = lambda: tree_at(work.pruned(), positive, threshold)  # noqa: E731
    made = work.cached_cut("at threshold", positive, threshold, make=make)
    tag = f"Your tree, {work.called(positive)} from {percent(threshold)} on"
    return Exhibit(work.cut_key("at threshold", positive, threshold), made, tag, work.parts())


def _table(found: dict[str, Answers]) -> None:
    rows = [{"": label} | values for label, values in measure_rows(found)]
    looks = {"": st.column_config.Column(width=150, pinned=True)} | {
        r: st.column_config.Column(width=74) for r in found
    }
    frames.show(frames.of(rows), looks, hide_index=True, height=248)
    if CROSS not in found:
        st.button("Cross-validate too", key="try", on_click=lambda: state.choose("experiment on", True))


def _curves(found: dict[str, Answers]) -> None:
    """The picture that is chosen; of two and more classes for one of them."""
    classes = work.grown().classes
    curves = CLASS_CURVES if classes else NUMBER_CURVES
    now = state.choice("experiment curve")
    now = now if now in curves else curves[0]
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Picture", now, lambda v: state.choose("experiment curve", v), "experiment_curve",
            options=list(curves), format_func=lambda name: name[:1].upper() + name[1:], width=180,
        )  # fmt: skip
        if classes:
            state.controlled(
                st.selectbox, "Class", _positive(classes), lambda v: state.choose("experiment positive", v),
                "experiment_positive", options=list(classes), format_func=work.name_of_class().get, width=100,
            )  # fmt: skip
        state.controlled(
            st.selectbox, "Rows", _role(found), lambda v: state.choose("experiment role", v), "experiment_role",
            options=list(found), width=120, help="Of the calibration, the matrix and the residuals by leaf",
        )  # fmt: skip
    st.plotly_chart(_figure(now, found), key="answers_curve", height=side_panel.picture("experiments", HEIGHT))
    if now == "ROC":
        st.caption("In brackets: 95 % interval of the area (DeLong). A point is a leaf's share; rows of one leaf tie.")
    elif now == "calibration":
        st.caption("Numbers beside the markers: rows in the bin.")


def _figure(name: str, found: dict[str, Answers]):
    tree, classes = work.pruned(), work.grown().classes
    if name in SHAPES:
        threshold = _at() if len(classes) == 2 else None
        return ranking_curve({role: ranking_of(a, _positive(classes)) for role, a in found.items()}, name, threshold)
    if name == "calibration":
        return calibration_plot.calibration({(role := _role(found)): calibration(found[role], _positive(classes))})
    off = _off(found)
    if name == "residuals":
        return residuals_plot.residuals(off, tree.schema.target)
    leaves = by_node(off[_role_of_leaves(found)], MOST_OF_LEAVES)
    return residuals_plot.by_leaf(leaves, tree.schema.target)


def _off(found: dict[str, Answers]) -> dict[str, Residuals]:
    """Role -> how far the answers are off."""
    return residuals_by_role(found, SessionSetup())


def _role_of_leaves(found: dict) -> str:
    """The trees of the folds have other leaves."""
    return _role({role: of for role, of in found.items() if role != CROSS})


def _threshold(found: dict[str, Answers]) -> None:
    """From which share on a row is called the class, and what comes of it."""
    classes, role = work.grown().classes, _role(found)
    positive = _positive(classes)
    state.controlled(
        st.slider, plain(f"Flag as “{work.called(positive)}” from this probability on"), _at(),
        lambda v: state.choose("experiment threshold", float(v)),
        "experiment_threshold", min_value=0.0, max_value=1.0, step=0.01, format="percent",
        help="The rate of the class in the leaf. 50 % is the tree's own rule where every error costs 1, but for leaves "
        "of just a half, which it gives to the first class",
    )  # fmt: skip
    state.controlled(
        st.toggle, "Colour the tree by this threshold", state.choice("experiment tree") == ON_CANVAS,
        lambda on: state.choose("experiment tree", ON_CANVAS if on else ""), "experiment_canvas",
    )  # fmt: skip
    st.caption(f"{role.capitalize()} rows:")
    explained.show(describe_threshold(answered_at(found[role], positive, _at()), positive, work.name_of_class()))


def _role(found: dict) -> str:
    return role_shown(found, SessionSetup())


def _positive(classes: tuple[str, ...]) -> str:
    return SessionSetup()[POSITIVE]


def _at() -> float:
    return SessionSetup()[THRESHOLD]
