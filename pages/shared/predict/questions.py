"""Twenty questions: one at a time, only what the way needs; "I don't know" is an answer."""

import streamlit as st

from pages.shared.predict import asked, telling
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.predicting.decision_path import next_question, story
from treecore.tree.schema import FeatureSchema

ANSWERS = "answers"


def show() -> None:
    """The next question, or the answer; what was said so far can be taken back."""
    known, portable = state.choice(ANSWERS), asked.portable()
    feature = next_question(portable, known)
    if feature is None:
        found = story(portable, known)
        telling.answer(found)
        telling.way(found)
    else:
        _ask(work.pruned().schema.features[feature], len(known) + 1)
    if known:
        said = "; ".join(f"{name}: {'not known' if value is None else value}" for name, value in known.items())
        st.caption(f"So far: {plain(said)}")
    with st.container(horizontal=True):
        st.button("Back", key="question_back", disabled=not known, on_click=_back)
        st.button("Start over", key="question_anew", disabled=not known, on_click=_keep, args=({},))


def _ask(feature: FeatureSchema, place: int) -> None:
    """A form: Enter goes on, from the field as from its button."""
    key = f"question {place} {feature.name}"
    with st.form(f"form {key}", enter_to_submit=True):
        label = f"{place}. What is {plain(feature.name)}?"
        if feature.by_number:
            st.number_input(label, value=None, format="%.6g", key=key)
        else:
            _levels(label, feature, key)
        with st.container(horizontal=True):
            st.form_submit_button("Next", type="primary", on_click=_take, args=(feature.name, key))
            st.form_submit_button("I don't know", on_click=_take, args=(feature.name, None))


def _levels(label: str, feature: FeatureSchema, key: str) -> None:
    options = list(range(len(feature.levels)))
    named = lambda i: feature.levels[i]  # noqa: E731
    if len(options) <= 8:
        st.radio(label, options, index=None, key=key, format_func=lambda i: plain(named(i)))
    else:
        st.selectbox(label, options, index=None, key=key, format_func=named)


def _take(name: str, key: str | None) -> None:
    """Remember the answer; an empty field is no answer yet, and "I don't know" has a button of its own."""
    value = None if key is None else state.widget(key)
    if key is not None and value is None:
        return
    feature = next(f for f in work.pruned().schema.features if f.name == name)
    if value is not None and not feature.by_number:
        value = feature.levels[value]
    _keep({**state.choice(ANSWERS), name: value})


def _back() -> None:
    known = state.choice(ANSWERS)
    _keep(dict(list(known.items())[:-1]))


def _keep(known: dict) -> None:
    """The tree shows how far the way is known."""
    state.choose(ANSWERS, known)
    found = story(asked.portable(), known) if known else None
    if next_question(asked.portable(), known) is None and found is not None:
        state.change(selected=asked.grown_node(found.ends[0].node))
