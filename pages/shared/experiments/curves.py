"""The page Experiments: what more rows would do, and how much noise or a rare class harms."""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments import recipes
from pages.shared.experiments.start import begun
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.figures import percent
from treecore.judging.measures import recall_of
from treecore.plots.error_curves import leaves_along, score_curve
from treecore.recipe import Recipe
from treecore.study import (
    Along,
    Measure,
    learning_curve,
    measures_for,
    noise_curve,
    rare_curve,
)  # fmt: skip
from treecore.study.questions.learning_curve import NOISES, curve_sentence, grown_in_noise, outlook_of

ROWS, LABELS, RARE = "more rows", "wrong targets", "a rare class"
EVERYWHERE, VALUES = "wrong values everywhere", "wrong values of "
MOST_REPEATS = 100
SCALES = {
    ROWS: "size of the training set", LABELS: "training rows with a wrong target", RARE: "remaining rows of the class",
    EVERYWHERE: "training rows with a wrong value, in each column",
}  # fmt: skip


def show() -> None:
    """What is changed; the curve, the leaves, and what they say."""
    what, measure = _choose()
    told = (
        "In every repetition a third of the rows judges and stays as it is; the recipe is tried on ever more, or ever "
        "worse, of the others."
    )
    if _wrong() is not None:
        _offer_tree()
    if begun("along on", "Try it", "try_along", told):
        with messages.caught():
            _draw(_found(what, measure), what, measure)


def _draw(found: Along, what: str, measure: Measure) -> None:
    ahead, share = outlook_of(found, measure), what != ROWS
    st.markdown(plain(curve_sentence(found, measure, scale())))
    st.plotly_chart(
        score_curve(found, measure, scale(), share, ahead), key="along", height=side_panel.picture("experiments", 320)
    )
    st.plotly_chart(leaves_along(found, scale(), share), key="along_leaves", height=200)
    st.caption("Bands: ± sd of the repetitions" + ("; of the dashed part 90 % of them drawn anew." if ahead else "."))


def _choose() -> tuple[str, Measure]:
    table, what, now = work.table(), _what(), measure()
    known, choice = _known(), "along rare measure" if what == RARE else "experiment measure"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "With", what, lambda v: state.choose("along what", v), "along_what", options=_options(),
            width=180,
        )  # fmt: skip
        if what == RARE:
            state.controlled(
                st.selectbox, "Class", _rare(), lambda v: state.choose("along class", v), "along_class",
                options=list(table.classes), format_func=work.name_of_class().get, width=100,
            )  # fmt: skip
        state.controlled(
            st.selectbox, "Measure", now.name, lambda v: state.choose(choice, v), "along_measure",
            options=list(known), format_func=lambda name: known[name].label, width=170,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Times", _repeats(), lambda v: state.choose("along repeats", int(v)), "along_repeats",
            min_value=2, max_value=MOST_REPEATS, step=5, width=110,
        )  # fmt: skip
    return what, now


def exhibit() -> Exhibit | None:
    """The tree that grows where as many training rows are wrong as is chosen."""
    wrong, part = _wrong(), state.choice("along shown")
    if wrong is None or not part:
        return None
    plan, rows = moving.plan(), work.roles_as_given()
    recipe = Recipe((state.record().split, plan.prepare, plan.grow, plan.prune))
    roles = {role: rows.get(role) for role in ("train", "validation", "pruning")}
    name = work.cut_key("in noise", wrong, part, plan=plan)
    tree, train = cache.get(name, lambda: grown_in_noise(recipe, wrong, part, **roles))
    return Exhibit(name, tree, f"{percent(part)} {scale()}", {"train": train})


def _offer_tree() -> None:
    """How many rows are wrong for the tree on the canvas."""
    state.controlled(
        st.select_slider, "Tree with so many wrong", state.choice("along shown"),
        lambda v: state.choose("along shown", v), "along_shown", options=list(NOISES), format_func=percent,
    )  # fmt: skip


def key() -> tuple:
    """What the curve depends on."""
    plan, what = in_force(), _what()
    steps = (state.record().split, plan.prepare, plan.grow, plan.prune)
    rare = _rare() if what == RARE else ""
    return ("along", work.table_key(), steps, what, rare, measure().name, _repeats())


def measure() -> Measure:
    """What is told along the scale: of a class that becomes rare how many of its rows are found, if nothing else is
    chosen."""
    if _what() != RARE:
        return recipes.measure()
    known = _known()
    return known.get(state.choice("along rare measure")) or next(iter(known.values()))


def _known() -> dict[str, Measure]:
    target = work.table().target_kind
    of_class = [recall_of(target.classes, _rare(), work.called(_rare()))] if _what() == RARE else []
    return {m.name: m for m in (*of_class, *measures_for(target))}


def scale() -> str:
    """What the axis is."""
    return SCALES.get(_what(), f"training rows with {_what()}")


def _options() -> list[str]:
    names = work.grown().schema.own_names
    return [ROWS, LABELS, *([RARE] if work.table().classes else []), EVERYWHERE, *(VALUES + name for name in names)]


def _what() -> str:
    what = state.choice("along what", ROWS)
    return what if what in _options() else ROWS


def _wrong() -> str | tuple[str, ...] | None:
    """What is wrong, as of noise_curve; None where nothing is."""
    what = _what()
    if what in (ROWS, RARE):
        return None
    return "" if what == LABELS else work.grown().schema.own_names if what == EVERYWHERE else what.removeprefix(VALUES)


def _rare() -> str:
    classes = work.table().classes
    chosen = state.choice("along class")
    return chosen if chosen in classes else classes[-1]


def _repeats() -> int:
    return min(state.choice("along repeats"), MOST_REPEATS)


def _found(what: str, measure: Measure) -> Along:
    plan, split, n = in_force(), state.record().split, _repeats()
    rows, recipe = recipes.judged_rows(), Recipe((split, plan.prepare, plan.grow, plan.prune))
    rare, wrong = _rare() if what == RARE else "", _wrong()

    def make(report) -> Along:
        if what == ROWS:
            return learning_curve(rows, recipe, measure, n, progress=report)
        if what == RARE:
            return rare_curve(rows, recipe, measure, rare, n, progress=report)
        return noise_curve(rows, recipe, measure, wrong, n, progress=report)

    return long_work.cached_in_background(
        key(), make, recipes.said("Trying"), "Trying", "choose fewer repetitions", "Try it"
    )
