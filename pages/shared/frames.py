"""Tables on a page: what is shown is also what the button over it downloads."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from treecore.data.harmless import harmless, harmless_text


def show(
    frame: pd.DataFrame, column_config: dict | None = None, css: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    **settings,
):  # fmt: skip
    """st.dataframe, of text that no spreadsheet works out. css : the frame shown -> the CSS of every cell."""
    looks = {
        harmless_text(name) if isinstance(name, str) else name: look for name, look in (column_config or {}).items()
    }
    shown = harmless(frame)
    return st.dataframe(
        shown if css is None else shown.style.apply(css, axis=None), column_config=looks or None, **settings
    )
