"""The page Experiments: answers that are kept, each with its recipe and its rows, for the page and for the report."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from pages.shared.experiments.panel import Panel
from pages.shared.experiments.panels import panel_of
from pages.shared.experiments.setup import SessionSetup
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.chart import Chart, chart_svg
from treecore.export.experiment_result import MOST, ExperimentResult, Told, added
from treecore.plots.charts import charts_of
from treecore.recipe import Data, Recipe
from treecore.seal import Seal
from treecore.study.questions import QUESTIONS
from treecore.study.questions.question import StudyQuestion, plain_lines

WIDE = 330
"""Pixels of a picture, about as many as stand beside the tree: its words are as large as others."""


@dataclass(frozen=True)
class Source:
    """A question as it is asked now. key : what its answer is kept under; () where it was not asked. plans : the
    recipes that it tries. settings : names and values, in words."""

    question: StudyQuestion
    panel: Panel
    key: tuple
    setup: SessionSetup
    plans: tuple[Plan, ...]
    settings: tuple[tuple[str, str], ...]
    title: str
    of_table: bool

    @property
    def steps(self) -> tuple[str, ...]:
        """The recipes as JSON: what they depend on besides the table's values."""
        r, whole = state.record(), work.table()
        seal = (Seal(),) if work.is_sealed() else ()
        data = Data.of(work.predicted(), features=whole.features, kinds=r.kinds)
        made = []
        for plan in self.plans:
            rows = (data, r.split, *seal, plan.prepare) if self.of_table else ()
            pruned = (plan.prune,) if self.question.pruned else ()
            made.append(Recipe((*rows, plan.grow, *pruned, *plan.edits)))
        return tuple(recipe.to_json() for recipe in made)

    @property
    def data(self) -> str:
        """What tells the table from others; '' where rows are invented."""
        return work.table().fingerprint if self.of_table else ""

    @property
    def name(self) -> tuple:
        """As ExperimentResult.key of what it finds."""
        return self.question.name, self.steps, self.data, self.settings

    def outdates(self, kept: ExperimentResult) -> bool:
        """Is the kept one a look at the same with another value of what is looked through?"""
        passing = self.question.passing
        lasting = [tuple(pair for pair in of if pair[0] not in passing) for of in (self.settings, kept.settings)]
        same = kept.kind == self.question.name and kept.is_of(self.steps, self.data)
        return bool(passing) and same and lasting[0] == lasting[1]

    def finding(self, answer: Any) -> ExperimentResult:
        """What the answer comes to."""
        answer, q = self.panel.whole(answer), self.question
        texts = [plan.text() for plan in self.plans]
        lettered = "; ".join(f"{a}: {t}" for a, t in zip("ABCDEFGH", texts, strict=False))
        return ExperimentResult(
            q.name, self.title, texts[0] if len(texts) == 1 else lettered, self.settings, self.steps,
            state.raw().source if self.of_table else "", self.data, datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            tuple(plain_lines(q.describe(answer, self.setup))), tuple(charts_of(q.pictures(answer, self.setup))),
        )  # fmt: skip


def sources() -> list[Source]:
    """Every question as it is asked now; none where the recipe in force cannot be done, which the page says."""
    try:
        return [_source(question) for question in sorted(QUESTIONS.values(), key=attrgetter("report_place"))]
    except TreecoreError:
        return []


def _source(question: StudyQuestion) -> Source:
    """Of your tree with the steps by hand, or of the recipes, whose samples do not repeat them."""
    panel, mine = panel_of(question.name), in_force()
    setup = SessionSetup(panel.key())
    own = mine if question.of_tree else Plan(mine.prepare, mine.grow, mine.prune)
    about = question.about(setup) if panel.about is None else panel.about()
    return Source(
        question, panel, setup.key, setup, panel.plans() if panel.plans else (own,),
        tuple((name, str(value)) for name, value in about), question.title_of(setup), question.of_table(setup),
    )  # fmt: skip


def _answered(name: str) -> Iterator[tuple[Source, Any]]:
    """The question with its answer, if that is there."""
    for source in sources():
        answer = cache.find(source.key) if source.question.name == name else None
        if answer is not None:
            yield source, answer


def keep(name: str) -> None:
    """What this question has as its answer by now goes into the record, once."""
    result = kept = state.findings()
    for source, answer in _answered(name):
        if source.name not in {finding.key for finding in result}:
            result = added((of for of in result if not source.outdates(of)), [source.finding(answer)])
    if result is not kept:
        state.set_findings(result)


def report_sections() -> list[Told]:
    """The last finding of each question, in the order of the report."""
    return [finding.told() for finding in findings_of_now()]


def findings_of_now() -> list[ExperimentResult]:
    """Of every question the last finding that is of the recipe and the rows in force."""
    by_question: dict[str, list[ExperimentResult]] = {}
    for finding in state.findings():
        by_question.setdefault(finding.kind, []).append(finding)
    result = []
    for source in sources() if by_question else ():
        mine = by_question.get(source.question.name, [])
        steps, data = (source.steps, source.data) if mine else ((), "")
        result += [finding for finding in mine if finding.is_of(steps, data)][-1:]
    return result


def _may_tell_of_test_rows(finding: ExperimentResult) -> bool:
    """Was it found before the test rows were sealed?"""
    return work.is_sealed() and bool(finding.data) and not any(f'"{Seal.step}"' in step for step in finding.steps)


def show() -> None:
    """The last one on top, each with a mark where recipe or rows are others now."""
    result = [of for of in state.findings() if not _may_tell_of_test_rows(of)]
    if not result:
        st.caption("Nothing yet. Each result of this page is kept here with its recipe, seed and rows.")
        return
    st.caption(
        f"The last {MOST} results at most. They stay when the page is loaded again and are in the work file "
        "(Share); those of your recipe and rows are in the report (Export)."
    )
    by_name = {source.question.name: source for source in sources()}
    for number, finding in reversed(list(enumerate(result))):
        mark = differs(finding, by_name)
        fold(f"{plain(finding.title)}, {finding.when}" + (f" · **{mark}**" if mark else ""), f"found {number}",
             partial(_one, finding))  # fmt: skip
    st.button("Forget all results", on_click=lambda: state.set_findings(()), key="forget_found")


def differs(finding: ExperimentResult, by_name: dict[str, Source]) -> str:
    """What is not as it was when this was found; '' where all is."""
    source = by_name.get(finding.kind)
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
            frames.figures(frames.of(list(rows), columns=list(heads)), hide_index=True)


def _draw(chart: Chart) -> None:
    st.image(chart_svg(chart, WIDE, frames.is_dark()), width="stretch")
    st.caption(plain(chart.caption))
