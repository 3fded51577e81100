"""One row: a form of what the tree asks, filled from the table or typed, and the way it takes."""

import streamlit as st

from pages.shared.bench import room
from pages.shared.predict import asked, fields, telling
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.fold import fold


def show() -> None:
    """The answer, the form, the way."""
    found = asked.told()
    telling.answer(found)
    telling.flag(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = min(state.choice(asked.ROW, 1), asked.n_rows())
        state.controlled(
            st.number_input, f"Row (1 to {asked.n_rows():,})", place, asked.take_row, "predict_row", min_value=1,
            max_value=asked.n_rows(), step=1, width=170,
        )  # fmt: skip
        st.button(
            "Reset row", key="predict_reset", on_click=asked.take_row, args=(place,),
            disabled=not asked.typed(),
        )  # fmt: skip
    features = {feature.name: feature for feature in work.pruned().schema.features}
    row = asked.row()
    columns = st.columns(4 if room.is_wider("predict") else 2)
    for i, name in enumerate(asked.names()):
        with columns[i % len(columns)]:
            fields.field(
                features[name], row[name], f"predict {name}", lambda value, name=name: asked.take_value(name, value)
            )
    telling.curve(found)
    telling.way(found)
    telling.mixture(found)
    fold("The leaf, its rows and intervals", "endings of a row", lambda: telling.endings(found))
