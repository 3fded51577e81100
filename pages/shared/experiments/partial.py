"""The page Experiments: what your tree answers as one feature changes, of all rows and of each."""

import streamlit as st

from pages.shared.bench import side_panel
from pages.shared.experiments import importance
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.explaining.formulas import Words
from treecore.plots import feature_effects as plots
from treecore.plots.found import partial_charts
from treecore.study import PartialDependence, partial_dependence
from treecore.study.disagreement import tested_features
from treecore.study.questions.partial_dependence import partial_sentence

EXACT = "exact, as a tree is a step function of each feature."
SUMMED = "computed at points along the range, as splits on weighted sums give each row steps of its own."


def show() -> None:
    """Which feature, and of which class; what it comes to; partial dependence with the rows behind it."""
    tree = work.pruned()
    if not tested_features(tree):
        st.caption("Your tree uses no feature.")
        return
    _choose()
    parts = work.parts()
    rows, name, positive = parts[_role()], _feature(), _positive()
    found = cache.get(key(), lambda: partial_dependence(tree, rows, name, positive))
    st.markdown(plain(partial_sentence(found, *_target())))
    st.plotly_chart(plots.partial(found, *_target()), key="partial", height=side_panel.picture("experiments", 340))
    st.caption(f"Partial dependence (thick) and single rows (ICE), {_role()} rows: {EXACT if found.exact else SUMMED}")


def key() -> tuple:
    """What the answers are kept under; () while the tree asks for nothing."""
    return work.cut_key("partial", _role(), _feature(), _positive()) if tested_features(work.pruned()) else ()


def settings() -> tuple[tuple[str, object], ...]:
    """Which feature, class and rows, as it is told with what was found."""
    if not tested_features(work.pruned()):
        return ()
    of_class = (("class", work.called(_positive())),) if work.table().classes else ()
    return ("feature", _feature()), *of_class, ("rows", _role())


def told(found: PartialDependence) -> tuple[list, list]:
    """In words, and drawn."""
    return [Words(partial_sentence(found, *_target()))], partial_charts(found, *_target())


def _choose() -> None:
    tree = work.pruned()
    used = tested_features(tree)
    names = [*used, *(name for name in tree.schema.own_names if name not in used)]
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Answers as this feature changes", _feature(), lambda v: state.choose("importance of", v),
            "importance_of", options=names, width=220,
        )  # fmt: skip
        if tree.classes:
            state.controlled(
                st.selectbox, "Class", _positive(), lambda v: state.choose("experiment positive", v),
                "partial_positive", options=list(tree.classes), format_func=work.name_of_class().get, width=100,
            )  # fmt: skip
        state.controlled(
            st.selectbox, "Rows", _role(), lambda v: state.choose("importance role", v), "partial_role",
            options=list(work.parts()), width=110,
        )  # fmt: skip


def _feature() -> str:
    """The one chosen, else what the root asks for: it matters most."""
    tree, chosen = work.pruned(), state.choice("importance of")
    own, root = tree.schema.own_names, tree.node(0).feature
    return chosen if chosen in own else root if root in own else tested_features(tree)[0]


def _role() -> str:
    return importance.judging()


def _target() -> tuple[str, bool]:
    """What is answered, and whether that is a share of a class."""
    positive = _positive()
    return (work.grown().schema.target, False) if positive is None else (f"share of {work.called(positive)}", True)


def _positive() -> str | None:
    classes, chosen = work.grown().classes, state.choice("experiment positive")
    return (chosen if chosen in classes else classes[-1]) if classes else None
