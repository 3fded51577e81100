"""A field for a value of a feature, which may be unknown."""

from collections.abc import Callable

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import tables
from pages.shared.widgets.messages import plain
from treecore.tree.schema import FeatureSchema

UNKNOWN = "not known"
MOST_LEVELS = 500


def field(feature: FeatureSchema, value: float | str | None, key: str, save: Callable[[object], None]) -> None:
    """save : takes a number, a level's name, or None."""
    told = plain(tables.description(feature.name)) or None
    if feature.by_number:
        now = value if isinstance(value, float | int) else None
        state.controlled(
            st.number_input,
            plain(feature.name),
            now,
            save,
            key,
            value=None,
            format="%.6g",
            placeholder=UNKNOWN,
            help=told,
        )
        return
    levels = [UNKNOWN, *feature.levels[:MOST_LEVELS]]
    if value is not None and value not in levels:  # it keeps the level that it has
        levels.append(value)
    state.controlled(
        st.selectbox, plain(feature.name), 0 if value is None else levels.index(value),
        lambda i: save(None if i == 0 else levels[i]), key, options=list(range(len(levels))),
        format_func=lambda i: levels[i], help=told,
    )  # fmt: skip
