"""The entry: one page at a time, every page drawn by its own file in pages/.

The server imports this file once, for `app`, and runs it anew for every session, then as __main__.
"""

import streamlit as st

if __name__ == "__main__":
    from pages import PAGES
    from pages.shared import engine

    engine.prepare()
    from pages.shared import guard  # the compilers start before the imports of all that a page needs

    st.set_page_config(page_title="treecore: decision trees, opened", page_icon="🌳", layout="wide")
    st.html("<style>.stMainBlockContainer { padding: 2.6rem 2rem 4rem; }</style>")

    # The library under Streamlit's widgets lists what is in transition, and keeps for ever what goes meanwhile.
    st.html("<style>[data-testid=stExpander] :is(details, summary) { transition: none !important; }</style>")

    with guard.inside():
        first = next(iter(PAGES))
        pages = [st.Page(f"pages/{p.name}.py", title=p.label, default=p.name == first) for p in PAGES.values()]
        st.navigation(pages).run()
else:
    from pages.shared.doors import MIDDLEWARE

    app = st.App(__file__, middleware=MIDDLEWARE)
