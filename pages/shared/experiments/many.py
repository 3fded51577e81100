"""The page Experiments: would many trees do better? Each can be looked at, and the one nearest to all."""

import numpy as np
import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.data import model
from pages.shared.data.model import MODEL
from pages.shared.experiments.panel import answered, control
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun, progress_text
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain, role_rows
from treecore.ensembles import KINDS, Distilled, Ensemble, distilled, kinds_for, mixed_up
from treecore.ensembles.boosted import adds_to, grown_on
from treecore.ensembles.ensemble_summary import Questions, questions_of
from treecore.ensembles.imported import SummedTrees
from treecore.figures import brief, percent
from treecore.plots.error_curves import many_trees as drawn
from treecore.plots.error_curves import of_one_height
from treecore.plots.feature_effects import of_many
from treecore.plots.size_curve import size_curve
from treecore.recipe import Import
from treecore.study.questions.importances import MOST_BARS
from treecore.study.questions.many_trees import (
    KIND,
    MANY_TREES,
    MOST_DEPTH,
    TREES,
    depth_of_trees,
    error_name,
    errors_of,
    errors_sentence,
)
from treecore.study.questions.question import Start, Told
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree

MOST_LETTERS, MOST_ASKED = 30, 8
NEAREST = "nearest"
NEEDS = Start(
    "many needs",
    "Which features do they need?",
    "Permutation importance of all trees together: their error when the values of one feature are shuffled.",
)


def show() -> None:
    """Which kind, how many; what each asks for, the errors, and which tree is on the canvas."""
    _choose()
    if begun(MANY_TREES.start, "grow_many"):
        with messages.caught():
            result = long_work.cached_for_canvas(key(), _answer)
            _pick(result)
            _asked(result)
            _draw(result)
            if begun(NEEDS, "many_importance"):
                _needs(result)


def exhibit() -> Exhibit | None:
    """The tree chosen from among them, or the one that comes nearest to all; None while they grow."""
    result, shown = grown(), state.choice("many shown")
    if result is None:
        return None
    rows = work.parts()
    if shown == NEAREST:
        return Exhibit((*key(), NEAREST), _nearest(result).tree, "Nearest to the prediction of all trees", rows)
    place = _place(result)
    if isinstance(result, SummedTrees):  # of what the tree adds itself
        rows = {
            role: work.cached("summand", key(), place, role, make=lambda part=part: result.summand(place, part))
            for role, part in rows.items()
        }
    elif result.classes and not result.trees[place].classes:  # of numbers that only the training rows have
        rows = {"train": work.cached("grown on", key(), place, make=lambda: grown_on(result, place))}
    of = _adds_to(result, place)
    tag = f"Tree {place + 1:,} of {len(result.trees):,}" + (f", for “{of}”" if of else "")
    return Exhibit((*key(), place), result.trees[place], tag, rows)


def _choose() -> None:
    kind, names = _kind(), {name: _label(name) for name in _kinds()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "Kind", kind, lambda v: state.choose("many kind", v), "many_kind",
            options=list(names), format_func=names.get, width=190,
        )  # fmt: skip
        if kind == MODEL:
            return
        setup = SessionSetup()
        control(TREES, setup)
        state.controlled(
            st.number_input, "Depth", depth_of_trees(setup), lambda v: state.choose("many depth", v and int(v)),
            "many_depth", min_value=1, max_value=MOST_DEPTH, step=1, width=110, placeholder="yours",
        )  # fmt: skip
    st.caption(plain(f"{KINDS[kind].note} {KINDS[kind].source}."))


def _model() -> Import | None:
    """The model whose trees can be looked at, if one was given."""
    return state.choice("many model")


def _kinds() -> list[str]:
    """A model's trees, where there is one, and what can be grown here."""
    return [MODEL] * (_model() is not None) + kinds_for(work.table().task, in_force().grow.growth())


def _kind() -> str:
    chosen, known = state.choice("many kind"), _kinds()
    return chosen if chosen in known else known[0]


def grown() -> Ensemble | None:
    """The trees, if they have been grown; nothing is begun."""
    return cache.find(key()) if state.choice("many on") else None


def label() -> str:
    """What kind they are, in words."""
    return _label(_kind())


def _label(kind: str) -> str:
    return _model().file if kind == MODEL else KINDS[kind].label


def key() -> tuple:
    """What the trees depend on."""
    plan = in_force()
    if _kind() == MODEL:
        return ("many trees", work.table_key(), state.record().split, plan.prepare, _model())
    setup = SessionSetup()
    about = (work.table_key(), state.record().split, plan.prepare, plan.grow)
    return ("many trees", *about, setup[KIND], setup[TREES], depth_of_trees(setup))


def _answer() -> Ensemble:
    if _kind() == MODEL:
        rows = work.roles()["train"]
        return cache.get(key(), lambda: model.opened(_model(), rows, key()))
    return answered(MANY_TREES, key(), SessionSetup())


def about() -> Told:
    """Settings, as they are told with an answer."""
    return (("model", label()),) if _kind() == MODEL else MANY_TREES.about(SessionSetup())


def _draw(found: Ensemble) -> None:
    setup = SessionSetup(key())
    errors, one = errors_of(found, setup)
    st.markdown(plain(errors_sentence(found, setup)))
    chart, sizes = of_one_height(drawn(errors, one, bool(found.classes), error_name(found)), size_curve(nested.curve()))
    st.plotly_chart(chart, key="many_errors", height=side_panel.picture("experiments", 340))
    st.caption("Your single tree at every pruned size, on the same scale (larger errors are out of view):")
    st.plotly_chart(sizes, key="one_error", height=240)


def _needs(found: Ensemble) -> None:
    """Permutation importance, on rows that no tree has seen if there are any."""
    role, rows = next((role, part) for role, part in _held().items())
    make = lambda report: mixed_up(found, rows, progress=report)  # noqa: E731
    words = progress_text("Trying", "features")
    told = long_work.cached_in_background(
        (*key(), "needs", role), make, words, "Trying", "choose fewer trees", "Which features?"
    )
    chart = of_many(told.names, told.worse, told.sd, bool(found.classes))
    st.plotly_chart(chart, key="many_needs", height=90 + 26 * min(len(told.names), MOST_BARS))
    st.caption(f"How much their error on the {role_rows(role)} grows when the values of one feature are shuffled.")


def _held() -> dict:
    """Role -> rows, those that no tree has seen first."""
    parts = work.parts()
    return {role: parts[role] for role in ("validation", "test", "train") if role in parts}


def _nearest(found: Ensemble) -> Distilled:
    growth = in_force().grow.growth()
    return work.cached("nearest to many", key(), make=lambda: distilled(found, growth))


def _asked(found: Ensemble) -> None:
    """Which of the trees asks for what; a row puts its tree on the canvas."""
    asked = work.cached("questions of many", key(), make=lambda: questions_of(found))
    if not asked.features:
        return
    often = ", ".join(
        f"{shorten(name, 24)} {n:,}" for name, n in zip(asked.features[:MOST_ASKED], asked.n_trees, strict=False)
    )
    more = f" and {len(asked.features) - MOST_ASKED:,} more features" if asked.features[MOST_ASKED:] else ""
    st.markdown(plain(f"Of {len(found.trees):,} trees, this many use: {often}{more}."))
    chosen = state.choice("many asks") if state.choice("many asks") in asked.features else None
    state.controlled(
        st.selectbox, "Trees that use", chosen, lambda v: state.choose("many asks", v), "many_asks",
        options=list(asked.features), index=None, placeholder="any feature",
    )  # fmt: skip
    places = asked.asking(chosen)
    columns = {
        "tree": places + 1, "adds to": [_adds_to(found, i) for i in places], "leaves": asked.n_leaves[places],
        "depth": asked.depth[places], "asks first": [_first(asked, i) for i in places],
        "asks for": [_questions(asked, i) for i in places],
    }  # fmt: skip
    frame = frames.of({name: cells for name, cells in columns.items() if name != "adds to" or any(cells)})
    name = f"many questions {hash((key(), chosen)):x}"
    frames.show(
        frame, key=name, hide_index=True, height=frames.height(len(frame), 220), selection_mode="single-row",
        on_select=lambda: _look_at(state.picked_row(name), places),
    )  # fmt: skip


def _first(asked: Questions, place: int) -> str:
    return "nothing" if asked.first[place] < 0 else shorten(asked.features[asked.first[place]], MOST_LETTERS)


def _questions(asked: Questions, place: int) -> str:
    """ "age 3 times, income"."""
    told = [f"{shorten(name, MOST_LETTERS)}{f' {n} times' if n > 1 else ''}" for name, n in asked.of_tree(place)]
    return ", ".join(told[:MOST_ASKED]) + (", …" if told[MOST_ASKED:] else "")


def _look_at(row: int | None, places: np.ndarray) -> None:
    if row is not None and row < len(places):
        state.choose("many shown", "one")
        state.choose("many tree", int(places[row]) + 1)


def _adds_to(found: Ensemble, place: int) -> str:
    """The class whose score a tree adds to, "" for none."""
    of = found.adds_to_class(place) if isinstance(found, SummedTrees) else adds_to(found, place)
    return shorten(of, MOST_LETTERS)


def _place(found: Ensemble) -> int:
    return min(state.choice("many tree"), len(found.trees)) - 1


def _pick(found: Ensemble) -> None:
    """One of the trees, or the one that comes nearest to all of them."""
    options = {"one": "One of the trees", NEAREST: "The one nearest to all"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.segmented_control, "On the canvas", state.choice("many shown"),
            lambda v: state.choose("many shown", v or "one"), "many_shown", options=list(options),
            format_func=options.get,
        )  # fmt: skip
        if state.choice("many shown") != NEAREST:
            state.controlled(
                st.number_input, "Tree", _place(found) + 1, lambda v: state.choose("many tree", int(v)), "many_tree",
                min_value=1, max_value=len(found.trees), step=1, width=110,
            )  # fmt: skip
    if state.choice("many shown") != NEAREST:
        if not isinstance(found, SummedTrees) and found.trees[_place(found)].classes == found.classes:
            _offer(found.trees[_place(found)], f"tree {_place(found) + 1} of {_stem()}")
        return
    nearest, told = _nearest(found), percent if found.classes else brief
    same = {role: nearest.agreement(rows) for role, rows in work.parts().items()}
    what = (
        "It predicts the same as all trees together for"
        if found.classes
        else ("Of their joint prediction it explains (R²)")
    )
    said = ", ".join(
        f"{told(share)} of the {role_rows(role)}" if found.classes else f"{told(share)} on {role_rows(role)}"
        for role, share in same.items()
    )
    st.markdown(plain(f"{nearest.tree.n_leaves:,} leaves, grown by your settings on their predictions. {what} {said}."))
    _offer(nearest.tree, f"nearest to {_stem()}")


def _stem() -> str:
    """What the trees are called, as part of a file's name."""
    return label().removesuffix(".json")


def _offer(tree: Tree, name: str) -> None:
    """A button that makes the tree yours, so that all pages are about it."""
    st.button(
        "Make it your tree", key="many_as_yours", on_click=lambda: model.take_tree(tree, f"{name}.json"),
        help="On Explore and all other pages, with your rows counted in it; Undo brings yours back",
    )  # fmt: skip
