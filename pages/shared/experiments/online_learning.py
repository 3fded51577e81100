"""The page Experiments: rows come one after the other; what each changes, and how good the trees are meanwhile."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from pages.shared.bench import experiment_trees, side_panel
from pages.shared.bench.experiment_trees import Exhibit, Pair
from pages.shared.experiments.panel import answered, control, controls
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.figures import percent
from treecore.incremental import LEARNERS
from treecore.plots.error_curves import accuracy_by_rows, leaves_by_rows
from treecore.study import Feeding, step_sentence
from treecore.study.overlay import overlay
from treecore.study.questions.online_learning import (
    BATCH,
    DELTA,
    FIRST,
    GRACE,
    MIXED,
    ONLINE_LEARNING,
    TIE,
    bound_of,
    rows_at_a_time,
    rows_at_first,
)

VIEWS = {"change": "What it changed", "tree": "The tree", "ways": "Both ways"}


def show() -> None:
    """How rows come; the curves; and the step that is looked at."""
    _choose()
    if begun(ONLINE_LEARNING.start, "feed"):
        with messages.caught():
            result = _answer()
            _walk(result)
            _draw(result)


def canvas() -> Callable[[], None] | None:
    """What the step changed, the tree after it, or both ways over each other; None before there are any."""
    if not state.choice("fed on"):
        return None
    result = _answer()
    step, view, way = _step(result), state.choice("fed shown"), state.choice("fed way")
    trees, seen = result.ways[way].trees, f"{result.n_rows[step]:,} rows"
    name = (*key(), view, way, step)
    if view == "ways":
        names = tuple(LEARNERS[name].label for name in result.ways)
        return _two(
            name, [of.trees[step] for of in result.ways.values()], ("exact", "stream"), f"{' · '.join(names)}: {seen}"
        )
    if view == "change" and step:
        return _two(
            name, trees[step - 1 : step + 1], ("old tree", "new tree"), f"{LEARNERS[way].label}: before and with {seen}"
        )
    rows = {"train": work.roles()["train"].take(result.order[: result.n_rows[step]])}
    return partial(experiment_trees.draw, Exhibit(name, trees[step], f"{LEARNERS[way].label}: {seen}", rows))


def _two(name: tuple, trees, names: tuple[str, str], tag: str) -> Callable[[], None]:
    laid = work.cached("fed overlay", name, make=lambda: overlay(*trees))
    return partial(experiment_trees.draw_pair, Pair(name, laid, names, tag))


def _choose() -> None:
    setup = SessionSetup()
    most = setup.roles["train"].n_rows
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for setting, now in ((FIRST, rows_at_first(setup)), (BATCH, rows_at_a_time(setup))):
            state.controlled(
                st.number_input, setting.label, now, lambda v, of=setting: state.choose(of.choice, v and int(v)),
                setting.choice.replace(" ", "_"), min_value=1, max_value=most, step=1, width=140,
            )  # fmt: skip
        control(MIXED, setup)
    fold("When the streaming method splits", "hoeffding bound", _choose_bound)


def _choose_bound() -> None:
    controls(GRACE, DELTA, TIE, setup=SessionSetup())
    st.latex(r"\epsilon = R \sqrt{\ln(1 / \delta) / 2n}")
    st.caption("A leaf that has received n rows is split when its best feature leads by more than ε, or "
               "when ε is below the tie. R: the range of gains.")  # fmt: skip


def key() -> tuple:
    """What the trees depend on."""
    plan, setup = in_force(), SessionSetup()
    about = (work.table_key(), state.record().split, work.is_sealed(), plan.prepare, plan.grow)
    return ("fed", *about, rows_at_first(setup), rows_at_a_time(setup), setup[MIXED], bound_of(setup))


def _answer() -> Feeding:
    return answered(ONLINE_LEARNING, key(), SessionSetup())


def _step(found: Feeding) -> int:
    return min(state.choice("fed step"), len(found.n_rows) - 1)


def _go(step: int) -> None:
    state.choose("fed step", max(int(step), 0))


def _walk(found: Feeding) -> None:
    """Back, forwards, or any step; by which way; what it did; and what of it is on the canvas."""
    n, step = len(found.n_rows) - 1, _step(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Back", on_click=_go, args=(step - 1,), key="fed_back", disabled=step == 0)
        st.button("Forwards", on_click=_go, args=(step + 1,), key="fed_forwards", disabled=step == n)
        st.button("Next change", on_click=_go, args=(_next(found, step),), key="fed_next", disabled=step == n,
                  help="The next step that changes a split or an answer")  # fmt: skip
        if n:
            state.controlled(st.slider, f"Step, of {n:,}", step, _go, "fed_step", min_value=0, max_value=n)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.segmented_control, "Way", state.choice("fed way"), lambda v: state.choose("fed way", v or "exact"),
            "fed_way", options=list(found.ways), format_func=lambda name: LEARNERS[name].label,
        )  # fmt: skip
        state.controlled(
            st.segmented_control, "On the canvas", state.choice("fed shown"),
            lambda v: state.choose("fed shown", v or "change"), "fed_shown", options=list(VIEWS),
            format_func=VIEWS.get,
        )  # fmt: skip
    st.markdown(plain(_step_in_words(found, step)))


def _next(found: Feeding, step: int) -> int:
    """The next step that changes the tree of this way, or the last one."""
    later = np.flatnonzero(found.ways[state.choice("fed way")].changed[step:])
    return step + 1 + int(later[0]) if len(later) else len(found.n_rows) - 1


def _step_in_words(found: Feeding, step: int) -> str:
    if not step:
        return f"The tree of the first {found.n_rows[0]:,} rows."
    way, rows = state.choice("fed way"), found.batch(step)
    seen = int(found.n_rows[step])
    which = f"Row {seen:,} comes" if len(rows) == 1 else f"Rows {seen - len(rows) + 1:,} to {seen:,} come"
    return f"{which}: {step_sentence(found.ways[way].steps[step - 1], way == 'exact')}"


def _draw(found: Feeding) -> None:
    step, judging = _step(found), SessionSetup().held_back
    st.plotly_chart(
        accuracy_by_rows(found, judging, step), key="fed_accuracy", height=side_panel.picture("experiments", 280)
    )
    st.plotly_chart(leaves_by_rows(found, step), key="fed_leaves", height=200)
    told = [
        f"{way.label}: {percent(way.accuracy[judging][step])} of the {judging} rows, {_leaves(int(way.n_leaves[step]))}"
        for way in found.ways.values()
    ]
    order = "an order drawn at random" if state.choice("fed mixed") else "the rows' order"
    st.caption(plain(f"{'; '.join(told)}. Unpruned, in {order}."))
    if found.ways["hoeffding"].n_leaves[-1] == 1:
        st.caption(
            "The streaming method has not split yet: it needs more rows, fewer rows between checks, or a larger δ."
        )


def _leaves(n: int) -> str:
    return f"{n:,} leaf" if n == 1 else f"{n:,} leaves"
