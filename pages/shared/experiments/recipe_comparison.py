"""The page Experiments: recipes on the same folds, or on other tables; their scores, and tests of the differences."""

import numpy as np
import streamlit as st

from pages.shared.bench import quality, side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments import recipes
from pages.shared.experiments.panel import answered
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import offer
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames, messages
from pages.shared.widgets.fold import fold as folded
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import brief, percent
from treecore.plots.score_comparison import critical_difference, fold_scores
from treecore.study.questions.paired_comparison import (
    MOST_FOLDS_ELSEWHERE,
    OTHER_TABLES,
    describe_corrected_t,
    describe_other_tests,
    describe_paired_t,
    describe_ranks,
    difference_sentence,
    posterior_sentence,
    recommendation_sentence,
    score_rows,
    tables_chosen,
    tables_to_choose,
)
from treecore.study.recipe_trials import FoldTree, Trials, tree_of_fold
from treecore.study.score_tests import friedman, paired_t, resampled_t

YOURS = "your tree"
CHOSEN, OF = "experiment fold", "experiment fold of"


def show() -> None:
    """Which recipes on which folds; their scores; and what tests make of the differences."""
    recipes.choose()
    tried = recipes.tried()
    if tried is not None:
        _scores(tried)
        _choose_fold(tried)
        _two(tried)
        _many(tried)


def _scores(tried: Trials) -> None:
    """Which to hand over; a point for every fold, mean and spread; the same in numbers."""
    measure = recipes.measure()
    result = tried.scores(measure)
    if told_of := recommendation_sentence(tried, measure):
        st.markdown(plain(told_of))
    height = side_panel.picture("experiments", 120 + 52 * len(result))
    st.plotly_chart(fold_scores(tried.names, result, measure), key="fold_scores", height=height)
    recipes.about_rows()
    told = percent if measure.percent else brief
    rows = [
        {"": name, "mean": told(s.mean), "± sd": told(s.sd), "± SE": told(s.standard_error), "leaves": f"{leaves:.1f}"}
        for name, s, leaves in score_rows(tried, measure)
    ]
    looks = {name: st.column_config.Column(width=62 if name else 28) for name in rows[0]}
    frames.figures(frames.of(rows), looks, hide_index=True)
    pooled = lambda: {a: (work.grown(), {"all folds": tried.pooled(i)}) for i, a in enumerate(tried.names)}  # noqa: E731
    quality.arithmetic("recipes", pooled)
    st.caption("Lines: mean ± sd of the folds. SE = sd/√n: the uncertainty of the mean (a lower bound).")


def _two(tried: Trials) -> None:
    """The verdict on two of them, and the tests behind it."""
    if len(tried.names) < 2:
        st.caption("Choose a second recipe to compare them.")
        return
    pair, measure = _pair(tried), recipes.measure()
    a, b = (tried.names.index(name) for name in pair)
    result = tried.scores(measure)[[a, b]]
    try:
        plain_t, corrected = paired_t(*result), resampled_t(*result, tried.overlap)
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.markdown(f"**{plain(difference_sentence(corrected, pair, measure))}**")
    st.markdown(plain(posterior_sentence(result, tried.overlap, pair[1], measure)))
    folded(
        "The paired t-test, step by step",
        "paired t",
        lambda: explained.show(describe_paired_t(plain_t, result, pair, measure.percent)),
    )
    folded(
        "Why it is too sure, and the corrected one",
        "corrected t",
        lambda: explained.show(describe_corrected_t(corrected, measure.percent)),
    )
    folded(
        "Other tests of the same", "other tests", lambda: explained.show(describe_other_tests(tried, (a, b), measure))
    )


def _many(tried: Trials) -> None:
    """Ranks of three and more."""
    result = tried.scores(recipes.measure())
    if len(result) >= 3 and np.isfinite(result).all():
        folded("Ranks of all of them", "ranks", lambda: _ranks(result, tried.names, "folds"))


def _ranks(scores: np.ndarray, names: tuple[str, ...], of: str) -> None:
    """Drawn and told. scores : float64 (n_recipes, n of what they are of). of : "folds" or "tables"."""
    measure = recipes.measure()
    height = 150 + 26 * len(names)
    drawn = critical_difference(friedman(scores.T, measure.higher), names)
    st.plotly_chart(drawn, key=f"ranks_of_{of}", height=height)
    explained.show(describe_ranks(scores, names, measure, of))


def _pair(tried: Trials) -> tuple[str, str]:
    """Which two are tested: chosen where there are more."""
    names = list(tried.names)
    now = [state.choice(f"experiment side {side}", names[side]) for side in (0, 1)]
    now = [name if name in names else names[side] for side, name in enumerate(now)]
    if len(names) > 2:
        with st.container(horizontal=True):
            for side, label in enumerate(("Test", "against")):
                state.controlled(
                    st.selectbox, label, now[side], lambda v, side=side: state.choose(f"experiment side {side}", v),
                    f"experiment_side_{side}", options=names, width=90,
                )  # fmt: skip
    return now[0], now[1]


def _choose_fold(tried: Trials) -> None:
    """Which fold's tree of which recipe is on the canvas; none at first."""
    n = tried.folds.shape[0] * tried.n_folds
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Tree on the canvas", _fold(n), lambda v: state.choose(CHOSEN, v), "experiment_fold",
            options=range(n + 1), format_func=lambda i: f"of fold {i}" if i else YOURS, width=150,
        )  # fmt: skip
        if len(tried.names) > 1 and _fold(n):
            state.controlled(
                st.selectbox, "by recipe", _recipe(tried.names), lambda v: state.choose(OF, v), "experiment_fold_of",
                options=list(tried.names), width=90,
            )  # fmt: skip


def exhibit() -> Exhibit | None:
    """The chosen tree; None for yours, or where nothing was tried."""
    if not state.choice(CHOSEN) or not state.choice("experiment on"):
        return None
    asked = recipes.asked()
    folds, made = recipes.folds_of(asked), recipes.made(asked)
    n_folds = int(folds.max()) + 1
    fold, name = _fold(folds.shape[0] * n_folds), _recipe(tuple(made))
    if not fold or not made:
        return None
    judged = folds[(fold - 1) // n_folds] == (fold - 1) % n_folds
    key = ("tree of fold", *asked.key, name, fold)
    said = lambda progress: f"Growing the tree of fold {fold}"  # noqa: E731
    rows = recipes.judged_rows()
    make = lambda report: tree_of_fold(rows, made[name], judged, lambda *now: report(now))  # noqa: E731
    result: FoldTree = long_work.cached(key, make, said, "Growing", "choose another fold", "Grow this tree")
    bars = {"train": result.train, "held back": result.judged}
    return Exhibit(key, result.tree, f"{name}, fold {fold}: bars of its training rows and those held back", bars)


def _fold(n: int) -> int:
    """From 1 on; 0 for your tree."""
    return min(state.choice(CHOSEN), n)


def _recipe(names: tuple[str, ...]) -> str:
    chosen = state.choice(OF)
    return chosen if chosen in names else names[0]


def show_other_tables() -> None:
    """Which tables, scores on each, and ranks over them."""
    recipes.choose_recipes()
    _choose_tables()
    if not state.choice("experiment across"):
        st.caption(
            f"Each recipe on the same {MOST_FOLDS_ELSEWHERE} folds of every table. Bins and costs of this table's own "
            "columns do not serve the others, which then are left out and say why."
        )
        offer(OTHER_TABLES.start, "try")
        return
    result = answered(OTHER_TABLES, key_of_other_tables(), SessionSetup())
    measure = recipes.measure()
    told = percent if measure.percent else brief
    scored = zip(result.tables, result.scores, strict=True)
    rows = [{"": table} | dict(zip(result.names, map(told, scores), strict=True)) for table, scores in scored]
    frames.figures(frames.of(rows or [{"": ""}]), hide_index=True)
    st.caption(f"{measure.label}, mean of {MOST_FOLDS_ELSEWHERE} folds.")
    for name, fault in result.faults.items():
        st.caption(plain(f"Left out: {name}. {fault}"))
    if len(result.names) >= 3 and len(result.tables) >= 2:
        _ranks(result.scores.T, result.names, "tables")
    else:
        st.caption("Three recipes on two tables have ranks to be tested.")


def key_of_other_tables() -> tuple:
    """What the scores depend on."""
    plans, names = recipes.asked().plans, tables_chosen(SessionSetup())
    return ("across", work.table_key(), state.record().split, plans, recipes.measure().name, names)


def _choose_tables() -> None:
    setup = SessionSetup()
    options, chosen = tables_to_choose(setup), tables_chosen(setup)
    with st.popover(f"Tables ({len(chosen)})"):
        state.controlled(
            st.multiselect, "Tables", list(chosen), lambda v: state.choose("experiment samples", list(v)),
            "experiment_samples", options=list(options), format_func=options.get,
        )  # fmt: skip
