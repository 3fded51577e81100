"""The page Experiments: which recipes are tried, on which folds, and trying them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import quality, side_panel
from pages.shared.experiments.start import offer, progress_text
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import comparable_trees, tables, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.recipe import Recipe
from treecore.study import MEASURES, Measure, Trials, measures_for, repeated_folds, trials
from treecore.study.questions.paired_comparison import PAIRED_COMPARISON

FOLDS, MOST_RECIPES, MOST_REPEATS = 10, 8, 20
LETTERS = "ABCDEFGH"
NOT_RECIPES = ("chain", "untouched")
"""Trees that a recipe of their own does not make: steps by hand are not repeated in the folds."""
APART = "no groups"
FIRST = ("preset c4.5", "preset cart", "preset rpart")
"""The first of these that is another recipe than yours stands beside it at first."""


def choose() -> None:
    """Recipes, folds and measure; a button that tries them."""
    choose_recipes(_folds_of_choice)
    names = recipes()
    if names and not state.choice("experiment on"):
        about_rows()
        offer(PAIRED_COMPARISON.start, "try")


def choose_recipes(more: Callable[[], None] = lambda: None) -> None:
    """Recipes and measure, each recipe told by its letter. more : what else is chosen, beside them."""
    names, options = recipes(), _options()
    labels = {name: _label(options, name) for name in options}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover(f"Recipes ({len(names)})"):
            state.controlled(
                st.multiselect, "Recipes", list(names), lambda v: state.choose("experiment recipes", list(v)),
                "experiment_recipes", options=list(options), format_func=labels.get, max_selections=MOST_RECIPES,
            )  # fmt: skip
        more()
        choose_measure("experiment_measure", label_visibility="collapsed")
    between = " · " if side_panel.is_wider("experiments") else "  \n"
    st.markdown(between.join(f"**{a}** {plain(labels[name])}" for a, name in zip(LETTERS, names, strict=False)))
    if measure().loss and len(names) > 1:
        st.caption(f"All are judged by the loss that your tree grows by: of its {work.grown().target_kind.noun}.")


def choose_measure(key: str, **looks) -> None:
    """By which recipes and trees are judged here. key : of the control."""
    state.controlled(
        st.selectbox, "Measure", measure().name, lambda v: state.choose("experiment measure", v), key,
        options=list(_measures()),
        format_func=lambda name: MEASURES[name].label, width=170, **looks,
    )  # fmt: skip


def _folds_of_choice() -> None:
    with st.popover(f"{_n_folds()} folds"):
        _folds()


def recipes() -> tuple[str, ...]:
    """Names of the recipes, see `offered`: as chosen, else yours and a well-known other one."""
    chosen, options = state.choice("experiment recipes"), _options()
    if chosen is not None:
        return tuple(name for name in chosen if name in options)[:MOST_RECIPES]
    now = _makes(in_force())
    other = next((n for n in FIRST if n in options and _makes(comparable_trees.plan(n)) != now), None)
    return ("in force", other) if other else ("in force",)


def measure() -> Measure:
    """The measure in which they are judged; that by which sizes are judged if none is chosen."""
    known, name = _measures(), state.choice("experiment measure")
    if name not in known:
        name = quality.in_force(work.grown())
    return known.get(name) or next(iter(known.values()))


def _measures() -> dict[str, Measure]:
    """Those of the target, and the loss that your tree grows by where it is among the recipes, which are all judged by
    it then."""
    target = work.grown().target_kind if "in force" in recipes() else work.table().target_kind
    return {m.name: m for m in measures_for(target)}


def tried(names: tuple[str, ...] | None = None) -> Trials | None:
    """What the recipes said of every fold; None where nothing is asked for yet, or it cannot be, which is said.

    names : of the recipes, those chosen if None.
    """
    what = asked(names)
    if not what.plans or not state.choice("experiment on"):
        return None
    many = f"Trying {len(what.plans)} recipe{'s' * (len(what.plans) > 1)}"
    try:
        rows, of, folds = judged_rows(), made(what), folds_of(what)
        make = lambda report: trials(rows, of, folds, report)  # noqa: E731
        return long_work.cached_in_background(
            what.key, make, progress_text(many), "Trying", "choose fewer folds or recipes", "Try them"
        )
    except TreecoreError as fault:
        messages.show(fault)
        return None


@dataclass(frozen=True)
class TrialPlan:
    """What is tried. plans : the steps of every recipe. drawn : folds, repetitions, seed, group."""

    plans: tuple[tuple, ...]
    drawn: tuple[int, int, int, str]

    @property
    def key(self) -> tuple:
        """What the results depend on."""
        return ("trials", work.table_key(), state.record().split, self.plans, self.drawn)


def asked(names: tuple[str, ...] | None = None) -> TrialPlan:
    """As it is chosen now. names : of the recipes, those chosen if None."""
    plans = tuple(_makes(comparable_trees.plan(name)) for name in (recipes() if names is None else names))
    return TrialPlan(plans, (_n_folds(), _number("repeats", 1), _number("seed", 0), _group()))


def texts() -> dict[str, str]:
    """The recipes that are chosen, by their letters, in words."""
    return {letter: comparable_trees.plan(name).text() for letter, name in zip(LETTERS, recipes(), strict=False)}


def plans() -> tuple[Plan, ...]:
    """Of the recipes that are chosen."""
    return tuple(Plan(*steps) for steps in asked().plans)


def made(what: TrialPlan) -> dict[str, Recipe]:
    """The recipes by their letters."""
    return {letter: Recipe((state.record().split, *steps)) for letter, steps in zip(LETTERS, what.plans, strict=False)}


def folds_of(what: TrialPlan) -> np.ndarray:
    """The folds as they are drawn, see repeated_folds."""
    n_folds, n_repeats, seed, group = what.drawn
    return repeated_folds(judged_rows(), n_folds, n_repeats, seed, group=group)


def judged_rows() -> tc.Table:
    """All rows but those of the test role, which stay for the end, and of estimation, which choose nothing."""
    whole = work.table().with_features(work.unprepared_roles()["train"].features)
    return whole.take(np.isin(whole.row_numbers, tables.rows_apart(), invert=True))


def _makes(plan: Plan) -> tuple:
    """The steps that a fold repeats."""
    return plan.prepare, plan.grow, plan.prune


def _options() -> dict[str, comparable_trees.Offer]:
    return {name: offer for name, offer in comparable_trees.offers().items() if name not in NOT_RECIPES}


def _label(options: dict[str, comparable_trees.Offer], name: str) -> str:
    """What it is called; of other prunings and algorithms with all that they are."""
    offer = options[name]
    told = offer.said if offer.group in (comparable_trees.PRUNING, comparable_trees.ALGORITHM) else offer.label
    return told[:1].upper() + told[1:]


def _folds() -> None:
    """How many, how often, drawn by which seed, and what stays together."""
    most = max(2, judged_rows().n_rows)
    for name, label, value, least, greatest in (
        ("folds", "Folds", FOLDS, 2, most), ("repeats", "Times", 1, 1, MOST_REPEATS), ("seed", "Seed", 0, 0, 2**31),
    ):  # fmt: skip
        state.controlled(
            st.number_input, label, min(_number(name, value), greatest), lambda v, name=name: _take(name, int(v)),
            f"experiment_{name}", min_value=least, max_value=greatest, step=1,
        )  # fmt: skip
    columns = [c for c in work.table().column_names if c != work.table().target]
    state.controlled(
        st.selectbox, "In one fold", _group() or APART, lambda v: _take("group", "" if v == APART else v),
        "experiment_group", options=[APART, *columns],
        help="Rows with the same value of this column stay in one fold, as those of one patient or customer have to",
    )  # fmt: skip


def _n_folds() -> int:
    """As many as are chosen, or as there are rows."""
    return max(2, min(_number("folds", FOLDS), judged_rows().n_rows))


def _number(name: str, value: int) -> int:
    return int(state.choice(f"experiment {name}", value))


def _group() -> str:
    chosen = state.choice("experiment group")
    return chosen if chosen in work.table().column_names else ""


def _take(name: str, value) -> None:
    state.choose(f"experiment {name}", value)


def about_rows() -> None:
    """Which rows are in the folds, and what of the recipes is left out."""
    test = tables.n_test()
    left = f"the {test:,} test rows stay unseen" if test else "there are no test rows to keep for the end"
    told = f"Each is grown and pruned anew on the other folds of {judged_rows().n_rows:,} rows; {left}."
    by_hand = any(comparable_trees.plan(name).edits for name in recipes())
    st.caption(told + " Steps by hand are not repeated: they were made in sight of all rows." * by_hand)
