"""The page Experiments: the scores of the folds, and the tests of their differences with all their arithmetic."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.bench import quality, side_panel
from pages.shared.experiments import folds, recipes
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames, messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import brief, percent
from treecore.plots.score_comparison import critical_difference, fold_scores
from treecore.study import Trials, describe_corrected_t, describe_paired_t, friedman, paired_t, resampled_t
from treecore.study.questions.paired_comparison import (
    describe_other_tests,
    describe_ranks,
    difference_sentence,
    posterior_sentence,
    recommendation_sentence,
    score_rows,
)


def show() -> None:
    """Which recipes on which folds; their scores; and what tests make of the differences."""
    recipes.choose()
    tried = recipes.tried()
    if tried is not None:
        scores(tried)
        folds.choose(tried)
        two(tried)
        many(tried)


def scores(tried: Trials) -> None:
    """Which to hand over; a point for every fold, mean and spread; the same in numbers."""
    measure = recipes.measure()
    found = tried.scores(measure)
    if told_of := recommendation_sentence(tried, measure):
        st.markdown(plain(told_of))
    height = side_panel.picture("experiments", 120 + 52 * len(found))
    st.plotly_chart(fold_scores(tried.names, found, measure), key="fold_scores", height=height)
    recipes.about_rows()
    told = percent if measure.percent else brief
    rows = [
        {"": name, "mean": told(s.mean), "± sd": told(s.sd), "± SE": told(s.standard_error), "leaves": f"{leaves:.1f}"}
        for name, s, leaves in score_rows(tried, measure)
    ]
    looks = {name: st.column_config.Column(width=62 if name else 28) for name in rows[0]}
    frames.figures(pd.DataFrame(rows), looks, hide_index=True)
    pooled = lambda: {a: (work.grown(), {"all folds": tried.pooled(i)}) for i, a in enumerate(tried.names)}  # noqa: E731
    quality.arithmetic("recipes", pooled)
    st.caption("Lines: mean ± sd of the folds. SE = sd/√n: the uncertainty of the mean (a lower bound).")


def two(tried: Trials) -> None:
    """The verdict on two of them, and the tests behind it."""
    if len(tried.names) < 2:
        st.caption("Choose a second recipe to compare them.")
        return
    pair, measure = _pair(tried), recipes.measure()
    a, b = (tried.names.index(name) for name in pair)
    found = tried.scores(measure)[[a, b]]
    try:
        plain_t, corrected = paired_t(*found), resampled_t(*found, tried.overlap)
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.markdown(f"**{plain(difference_sentence(corrected, pair, measure))}**")
    st.markdown(plain(posterior_sentence(found, tried.overlap, pair[1], measure)))
    fold(
        "The paired t-test, step by step",
        "paired t",
        lambda: explained.show(describe_paired_t(plain_t, found, pair, measure.percent)),
    )
    fold(
        "Why it is too sure, and the corrected one",
        "corrected t",
        lambda: explained.show(describe_corrected_t(corrected, measure.percent)),
    )
    fold("Other tests of the same", "other tests", lambda: explained.show(describe_other_tests(tried, (a, b), measure)))


def many(tried: Trials) -> None:
    """Ranks of three and more."""
    found = tried.scores(recipes.measure())
    if len(found) >= 3 and np.isfinite(found).all():
        fold("Ranks of all of them", "ranks", lambda: ranks(found, tried.names, "folds"))


def ranks(scores: np.ndarray, names: tuple[str, ...], of: str) -> None:
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
