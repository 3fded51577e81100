"""The page Experiments: what more rows would do, and how much noise or a rare class harms."""

import streamlit as st

from pages.shared import background, experiments, messages, state, work
from pages.shared.experiment_start import begun
from pages.shared.messages import plain
from pages.shared.plan import in_force
from treecore.errors import TreecoreError
from treecore.experiments import (
    MEASURES,
    Along,
    Measure,
    Outlook,
    learning_curve,
    measures_for,
    noise_curve,
    outlook,
    rare_curve,
)  # fmt: skip
from treecore.figures import brief, percent
from treecore.plots.along import along, leaves
from treecore.recipe import Recipe

ROWS, LABELS, RARE = "more rows", "wrong targets", "a rare class"
VALUES = "wrong values of "
MOST_REPEATS = 100
SCALES = {ROWS: "rows that train", LABELS: "training rows with a wrong target", RARE: "rows of the class that are left"}


def show() -> None:
    """What is changed; the curve, the leaves, and what they say."""
    what, measure = _choose()
    told = (
        "In every repetition a third of the rows judges and stays as it is; the recipe is tried on ever more, or ever "
        "worse, of the others."
    )
    if begun("along on", "Try it", "try_along", told):
        with messages.caught():
            _draw(_found(what, measure), what, measure)


def _draw(found: Along, what: str, measure: Measure) -> None:
    ahead = _ahead(found) if what == ROWS else None
    share = what != ROWS
    st.markdown(plain(_said(found, measure, ahead)))
    st.plotly_chart(along(found, measure, scale(), share, ahead), key="along", height=320)
    st.plotly_chart(leaves(found, scale(), share), key="along_leaves", height=200)
    st.caption("Bands: ± sd of the repetitions" + ("; of the dashed part 90 % of them drawn anew." if ahead else "."))


def _choose() -> tuple[str, Measure]:
    table, what = work.table(), _what()
    known = {m.name: m for m in measures_for(table.classes)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "With", what, lambda v: state.choose("along what", v), "along_what", options=_options(),
            width=180,
        )  # fmt: skip
        if what == RARE:
            state.controlled(
                st.selectbox, "Class", _rare(), lambda v: state.choose("along class", v), "along_class",
                options=list(table.classes), width=100,
            )  # fmt: skip
        measure = experiments.measure()
        state.controlled(
            st.selectbox, "Measure", measure.name, lambda v: state.choose("experiment measure", v), "along_measure",
            options=list(known), format_func=lambda name: MEASURES[name].label, width=170,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Times", _repeats(), lambda v: state.choose("along repeats", int(v)), "along_repeats",
            min_value=2, max_value=MOST_REPEATS, step=5, width=110,
        )  # fmt: skip
    return what, measure


def key() -> tuple:
    """What the curve depends on."""
    plan, what = in_force(), _what()
    steps = (state.record().split, plan.prepare, plan.grow, plan.prune)
    rare = _rare() if what == RARE else ""
    return ("along", work.table_key(), steps, what, rare, experiments.measure().name, _repeats())


def scale() -> str:
    """What the axis is."""
    return SCALES.get(_what(), f"training rows with {_what()}")


def _options() -> list[str]:
    names = [f.name for f in work.grown().schema.features]
    return [ROWS, LABELS, *([RARE] if work.table().classes else []), *(VALUES + name for name in names)]


def _what() -> str:
    what = state.choice("along what", ROWS)
    return what if what in _options() else ROWS


def _rare() -> str:
    classes = work.table().classes
    chosen = state.choice("along class")
    return chosen if chosen in classes else classes[-1]


def _repeats() -> int:
    return min(state.choice("along repeats"), MOST_REPEATS)


def _found(what: str, measure: Measure) -> Along:
    plan, split, n = in_force(), state.record().split, _repeats()
    rows, recipe = experiments.judged_rows(), Recipe((split, plan.prepare, plan.grow, plan.prune))
    rare = _rare() if what == RARE else ""

    def make(report) -> Along:
        if what == ROWS:
            return learning_curve(rows, recipe, measure, n, progress=report)
        if what == RARE:
            return rare_curve(rows, recipe, measure, rare, n, progress=report)
        return noise_curve(
            rows, recipe, measure, what.removeprefix(VALUES) if what != LABELS else "", n, progress=report
        )

    return background.kept(key(), make, experiments.said("Trying"), "Trying", "choose fewer repetitions", "Try it")


def _ahead(found: Along) -> Outlook | None:
    """The curve carried on; None where a score is missing."""
    try:
        return outlook(found.at, found.score)
    except TreecoreError:
        return None


def _said(found: Along, measure: Measure, ahead: Outlook | None) -> str:
    told = percent if measure.percent else brief
    first, last = (float(found.score.mean(axis=1)[i]) for i in (0, -1))
    if ahead is None:
        return f"{measure.label} of rows held back: {told(first)} at first, {told(last)} at last."
    n, then = f"{ahead.at[-1]:,.0f}", (told(float(v[-1])) for v in (ahead.score, ahead.low, ahead.high))
    score, low, high = then
    return (
        f"{measure.label} of rows held back with all {found.at[-1]:,.0f} rows: {told(last)}. Carried on as a power law "
        f"to {n} rows: {score} ({low} to {high})."
    )
