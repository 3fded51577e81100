"""The page Experiments: all that was found so far, with the recipe and the rows that each result belongs to."""

from functools import partial

import pandas as pd
import streamlit as st

from pages.shared.experiments import found as experiment_found
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.export.chart import Chart, chart_svg
from treecore.export.experiment_result import MOST, ExperimentResult, added
from treecore.seal import Seal

WIDE = 330
"""Pixels of a picture, about as many as stand beside the tree: its words are as large as others."""


def keep(kind: str) -> None:
    """What this experiment has found by now goes into the record, once."""
    found = kept = state.findings()
    for source, result in experiment_found.done(kind):
        if source.name not in {finding.key for finding in found}:
            found = added((of for of in found if not source.outdates(of)), [source.finding(result)])
    if found is not kept:
        state.set_findings(found)


def _may_tell_of_test_rows(finding: ExperimentResult) -> bool:
    """Was it found before the test rows were sealed?"""
    return work.is_sealed() and bool(finding.data) and not any(f'"{Seal.step}"' in step for step in finding.steps)


def show() -> None:
    """The last one on top, each with a mark where recipe or rows are others now."""
    found = [of for of in state.findings() if not _may_tell_of_test_rows(of)]
    if not found:
        st.caption("Nothing yet. Each result of this page is kept here with its recipe, seed and rows.")
        return
    st.caption(
        f"The last {MOST} results at most. They stay when the page is loaded again and are in the work file "
        "(Share); those of your recipe and rows are in the report (Export)."
    )
    sources = {source.kind: source for source in experiment_found.sources()}
    for number, finding in reversed(list(enumerate(found))):
        mark = differs(finding, sources)
        fold(f"{plain(finding.title)}, {finding.when}" + (f" · **{mark}**" if mark else ""), f"found {number}",
             partial(_one, finding))  # fmt: skip
    st.button("Forget all results", on_click=lambda: state.set_findings(()), key="forget_found")


def differs(finding: ExperimentResult, sources: dict) -> str:
    """What is not as it was when this was found; '' where all is."""
    source = sources.get(finding.kind)
    if source is None:
        return "of another version"
    told = ["other rows"] * (finding.data != source.data) + ["another recipe"] * (finding.steps != source.steps)
    return "of " + " and ".join(told) if told else ""


def _one(finding: ExperimentResult) -> None:
    """What it is of, its pictures, sentences and tables."""
    st.markdown(plain(finding.made_of))
    for chart in finding.charts:
        _draw(chart)
    for line in finding.lines:
        if isinstance(line, str):
            st.markdown(plain(line))
        else:
            heads, rows = line
            frames.figures(pd.DataFrame(list(rows), columns=list(heads)), hide_index=True)


def _draw(chart: Chart) -> None:
    st.image(chart_svg(chart, WIDE, st.context.theme.type == "dark"), width="stretch")
    st.caption(plain(chart.caption))
