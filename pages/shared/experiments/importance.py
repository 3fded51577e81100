"""The page Experiments: which features the tree needs."""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments import recipes
from pages.shared.experiments.start import begun
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.figures import brief, percent
from treecore.plots import feature_effects as plots
from treecore.recipe import Recipe
from treecore.study import MEASURES, Importances, Measure, importances, measures_for
from treecore.study.questions.importances import importance_sentence

KINDS = {
    "mixed": "Permutation (values shuffled)", "without": "Drop-column (regrown without it)",
    "gain": "Total gain of its splits", "chance": "Gain beside random columns",
}  # fmt: skip
MEANINGS = {
    "mixed": "How much worse the score gets when the values of one feature are shuffled among the rows, ± sd of ten "
    "shuffles. Of features that carry the same information, only those in the tree count.",
    "without": "How much worse the score gets when your recipe grows the tree without the feature: little, if another "
    "feature can replace it.",
    "gain": "Summed gains of a feature's splits on the training rows; those of a weighted sum are shared among its "
    "terms by |weight| · standard deviation. Features with many values gain by chance: compare with random columns.",
    "chance": "The unpruned tree, grown with two random columns added (hatched). A feature that gains no more than "
    "they "
    "do has not shown any effect.",
}


def show() -> None:
    """Importance in one of four ways."""
    told = "How much each feature matters: by its gains, by shuffling its values, or by growing without it."
    if begun("importance on", "Try it", "try_importance", told):
        _importances()


def _importances() -> None:
    measure = recipes.measure()
    kind, role = state.choice("importance kind"), judging()
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Importance", kind, lambda v: state.choose("importance kind", v), "importance_kind",
            options=list(KINDS), format_func=KINDS.get, width=290,
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Rows", role, lambda v: state.choose("importance role", v), "importance_role",
            options=list(work.parts()), width=110,
        )  # fmt: skip
        known = [m.name for m in measures_for(work.table().target_kind)]
        state.controlled(
            st.selectbox, "Measure", measure.name, lambda v: state.choose("experiment measure", v),
            "importance_measure", options=known, format_func=lambda name: MEASURES[name].label, width=170,
        )  # fmt: skip
    with messages.caught():
        _draw(_found(role), kind, role, measure)


def _draw(found: Importances, kind: str, role: str, measure: Measure) -> None:
    n = len(found.with_random if kind == "chance" else found.names)
    st.markdown(plain(importance_sentence(found, kind, measure)))
    drawn = plots.importances(found, kind, measure.percent)
    st.plotly_chart(drawn, key="importances", height=side_panel.picture("experiments", 116 + 26 * min(n, plots.MOST)))
    told = (percent if measure.percent else brief)(found.score)
    meaning = MEANINGS[kind].replace("the training rows", f"the {work.pruned().rows_named}")
    st.caption(f"{measure.label} of the {role} rows: {told}. {meaning}")


def judging() -> str:
    """The role whose rows judge; of rows held back if there are some."""
    chosen, parts = state.choice("importance role"), work.parts()
    return chosen if chosen in parts else next(r for r in ("validation", "test", "train") if r in parts)


def key() -> tuple:
    """What the importances depend on."""
    return work.cut_key("importances", judging(), recipes.measure().name)


def _found(role: str) -> Importances:
    plan, rows, tree, measure = in_force(), work.roles(), work.pruned(), recipes.measure()
    recipe = Recipe((state.record().split, plan.grow, plan.prune))

    def make(report) -> Importances:
        return importances(tree, recipe, rows["train"], rows["validation"], rows[role], measure, progress=report)

    said = recipes.said("Trying", "features and trees")
    return long_work.cached_in_background(key(), make, said, "Trying", "choose another measure", "Try it")
