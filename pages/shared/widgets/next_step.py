"""What to try next, where a page has come to its end."""

import streamlit as st


def offer(*ways: tuple[str, str]) -> None:
    """Links to pages. ways : name of a page, and what can be done there."""
    st.markdown("**Try next**")
    for page, what in ways:
        st.page_link(f"pages/{page}.py", label=what, icon=":material/arrow_forward:")
