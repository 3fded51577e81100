"""The page Experiments: the recipes on other tables as well, ranked over all of them."""

import pandas as pd
import streamlit as st

from pages.shared.experiments import recipes as experiments
from pages.shared.experiments import results
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.data.samples import SAMPLES, read_sample
from treecore.figures import brief, percent
from treecore.study import across

MINE = "this table"
MOST_FOLDS = 5


def show() -> None:
    """Which tables, scores on each, and ranks over them."""
    experiments.choose_recipes()
    _choose()
    names = _chosen()
    if not state.choice("experiment across"):
        st.caption(
            f"Each recipe on the same {MOST_FOLDS} folds of every table. Bins and costs of this table's own columns do "
            "not serve the others, which then are left out and say why."
        )
        st.button("Try them", type="primary", key="try", on_click=lambda: state.choose("experiment across", True))
        return
    found = _tried(names)
    measure = experiments.measure()
    told = percent if measure.percent else brief
    scored = zip(found.tables, found.scores, strict=True)
    rows = [{"": table} | dict(zip(found.names, map(told, scores), strict=True)) for table, scores in scored]
    frames.figures(pd.DataFrame(rows or [{"": ""}]), hide_index=True)
    st.caption(f"{measure.label}, mean of {MOST_FOLDS} folds.")
    for name, fault in found.faults.items():
        st.caption(plain(f"Left out: {name}. {fault}"))
    if len(found.names) >= 3 and len(found.tables) >= 2:
        results.ranks(found.scores.T, found.names, "tables")
    else:
        st.caption("Three recipes on two tables have ranks to be tested.")


def key() -> tuple:
    """What the scores depend on."""
    plans, measure = experiments.asked().plans, experiments.measure()
    return ("across", work.table_key(), state.record().split, plans, measure.name, _chosen())


def _tried(names: tuple[str, ...]):
    asked, measure = experiments.asked(), experiments.measure()

    mine = {MINE: experiments.judged_rows()} if MINE in names else {}
    recipes = experiments.made(asked)

    def make(report):
        tables = {SAMPLES[name].label: read_sample(name) for name in names if name != MINE}
        return across(mine | tables, recipes, measure, MOST_FOLDS, progress=report)

    return long_work.cached_in_background(
        key(), make, experiments.said("Trying", "tables"), "Trying", "choose fewer tables or recipes", "Try them"
    )


def _choose() -> None:
    options = _options()
    with st.popover(f"Tables ({len(_chosen())})"):
        state.controlled(
            st.multiselect, "Tables", list(_chosen()), lambda v: state.choose("experiment samples", list(v)),
            "experiment_samples", options=list(options), format_func=options.get,
        )  # fmt: skip


def _options() -> dict[str, str]:
    """Name -> label of this table, and of the samples with a target of the same sort."""
    task = work.table().task
    return {MINE: MINE} | {name: sample.label for name, sample in SAMPLES.items() if sample.task == task}


def _chosen() -> tuple[str, ...]:
    """Those chosen; at first this one and the samples with rows enough."""
    chosen, options = state.choice("experiment samples"), _options()
    if chosen is not None:
        return tuple(name for name in chosen if name in options)
    return tuple(n for n in options if n == MINE or (n in LARGE and n != state.choice("sample")))


LARGE = ("iris", "penguins", "titanic", "crescents", "oblique", "customers", "mpg", "curve")
