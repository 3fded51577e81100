"""The page Experiments: which features the tree needs."""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments import recipes
from pages.shared.experiments.panel import answered, control
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun
from pages.shared.trees import work
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.figures import brief, percent
from treecore.plots import feature_effects as plots
from treecore.study import Importances, Measure
from treecore.study.questions.importances import IMPORTANCE, KIND, MOST_BARS, importance_sentence
from treecore.study.questions.question import ROLE

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
    if begun(IMPORTANCE.start, "try_importance"):
        setup = SessionSetup()
        with st.container(horizontal=True):
            control(KIND, setup)
            control(ROLE, setup)
            recipes.choose_measure("importance_measure")
        with messages.caught():
            _draw(answered(IMPORTANCE, key(), setup), setup[KIND], setup[ROLE], setup.measure)


def _draw(found: Importances, kind: str, role: str, measure: Measure) -> None:
    n = len(found.with_random if kind == "chance" else found.names)
    st.markdown(plain(importance_sentence(found, kind, measure)))
    drawn = plots.importances(found, kind, measure.percent)
    st.plotly_chart(drawn, key="importances", height=side_panel.picture("experiments", 116 + 26 * min(n, MOST_BARS)))
    told = (percent if measure.percent else brief)(found.score)
    meaning = MEANINGS[kind].replace("the training rows", f"the {work.pruned().rows_named}")
    st.caption(f"{measure.label} of the {role} rows: {told}. {meaning}")


def key() -> tuple:
    """What the importances depend on."""
    setup = SessionSetup()
    return work.cut_key("importances", setup[ROLE], setup.measure.name)
