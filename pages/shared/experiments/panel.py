"""How the page Experiments shows a question: its settings as controls, a button for slow work, the answer, pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import Any

import streamlit as st

from pages.shared.bench import experiment_trees, side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun, progress_text
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import explained, messages
from treecore.plots.charts import draw
from treecore.study.questions.question import Picture, Setting, StudyQuestion, Told

Canvas = Callable[[], None]


@dataclass(frozen=True)
class Panel:
    """show : fills the drawer. key : what the answer is kept under, () where none was asked for. canvas : what draws
    another tree than yours, None for yours. whole : the answer with what belongs to it here. about : its settings,
    where the question does not tell them. plans : of the recipes that it tries, where these are not yours."""

    show: Callable[[], None]
    key: Callable[[], tuple]
    canvas: Callable[[], Canvas | None] = lambda: None
    whole: Callable[[Any], Any] = lambda answer: answer
    about: Callable[[], Told] | None = None
    plans: Callable[[], tuple[Plan, ...]] | None = None


def exhibit_canvas(exhibit: Callable[[], Exhibit | None]) -> Callable[[], Canvas | None]:
    """Draws the exhibit, where there is one."""

    def canvas() -> Canvas | None:
        shown = exhibit()
        return None if shown is None else partial(experiment_trees.draw, shown)

    return canvas


def panel_for(question: StudyQuestion) -> Panel:
    """The panel of a question that has none of its own."""
    return Panel(partial(_show, question), partial(_key, question))


def _show(question: StudyQuestion) -> None:
    setup = SessionSetup(_key(question))
    if question.settings and not (obstacle := question.obstacle(setup)):
        controls(*question.settings, setup=setup)
    elif question.settings:
        st.caption(obstacle)
        return
    if question.start and question.start.choice and not begun(question.start, f"ask_{question.name}"):
        return
    if note := question.note(setup):
        st.caption(note)
    with messages.caught():
        answer = answered(question, setup.key, setup)
        explained.show(question.describe(answer, setup))
        for place, picture in enumerate(question.pictures(answer, setup)):
            show_picture(picture, place)


def show_picture(picture: Picture, place: int = 0) -> None:
    """Drawn, with its note; the first of several is as high as there is room."""
    high = picture.height_on_page
    key = picture.plot.rpartition(".")[2]
    height = side_panel.picture("experiments", high) if place == 0 else high
    st.plotly_chart(draw(picture), key=key if place == 0 else f"{key}_{place}", height=height)
    if picture.note:
        st.caption(picture.note)


def _key(question: StudyQuestion) -> tuple:
    """What the answer depends on; () while it cannot be asked."""
    setup = SessionSetup()
    if question.obstacle(setup):
        return ()
    chosen = tuple(setup[setting] for setting in question.settings)
    about = (setup.judged_by, setup.risk, setup.measure.name, chosen)
    if question.of_tree:
        return work.cut_key(question.name, *about)
    plan = in_force()
    return (question.name, work.tree_key(), state.record().split, plan.prepare, plan.grow, plan.prune, *about)


def answered(question: StudyQuestion, key: tuple, setup: SessionSetup) -> Any:
    """The answer; where it takes long it is made in the background, and the page ends here meanwhile."""
    start = question.start
    if start is None:
        return cache.get(key, lambda: question.answer(setup))
    if (result := cache.find(key)) is not None:
        return result
    return long_work.cached_in_background(
        key, question.work(setup), progress_text(start.doing, start.things), start.doing, start.remedy, start.button
    )


def controls(*settings: Setting, setup: SessionSetup) -> None:
    """One beside the other; those without anything to choose on this table are left out."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for setting in settings:
            if setting.options is None or setting.options(setup):
                control(setting, setup)


def control(setting: Setting, setup: SessionSetup, label: str = "") -> None:
    """A list, a number or a switch. label : where it has another one here."""
    save, value = partial(state.choose, setting.choice), setup[setting]
    key, label = setting.key or setting.choice.replace(" ", "_"), label or setting.label
    if setting.options is not None or setting.among:
        known = {v: str(v) for v in setting.among} if setting.options is None else setting.options(setup)
        state.controlled(
            st.selectbox, label, value, save, key, options=list(known), format_func=known.get, width=setting.width,
            help=setting.help,
        )  # fmt: skip
    elif isinstance(setting.default, bool):
        state.controlled(st.checkbox, label, value, lambda v: save(bool(v)), key, help=setting.help)
    elif setting.kind is Integral or setting.least is not None:
        state.controlled(
            st.number_input, label, value, lambda v: save(v if v is None else int(v)), key, min_value=setting.least,
            max_value=setting.most, step=setting.step, width=setting.width, help=setting.help,
        )  # fmt: skip
