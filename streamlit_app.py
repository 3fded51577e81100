"""The entry: one page at a time, every page drawn by its own file in pages/.

The server imports this file once, for `app`, and runs it anew for every session, then as __main__.
"""

import streamlit as st

if __name__ == "__main__":
    st.set_page_config(  # before the imports, which take their time at first
        page_title="treecore: decision trees, opened", page_icon="🌳", layout="wide", initial_sidebar_state="collapsed"
    )
    from pages.shared.server import starting

    starting.wait()  # before any other import of ours, which would meet those of the server half done
    from pages import PAGES
    from pages.shared.server import engine, sign_in

    sign_in.enter()

    engine.prepare()
    from pages.shared.server import guard  # the compilers start before the imports of all that a page needs
    from pages.shared.session import saved_session, state
    from pages.shared.widgets import frames

    with guard.inside():
        from pages.shared.learn import classroom

        first = next(iter(PAGES))
        groups: dict[str, list] = {}
        for p in PAGES.values():
            seen = "visible" if classroom.shows(p.name) else "hidden"
            page = st.Page(f"pages/{p.name}.py", title=p.label, default=p.name == first, visibility=seen)
            groups.setdefault(p.group, []).append(page)
        page = st.navigation(groups, position="top")
        saved_session.follow_link()
        classroom.settle(next(p.name for p in PAGES.values() if p.label == page.title))
        state.answer(page.title)
        frames.dress_for_paper()
        sign_in.offer_to_leave()
        page.run()
else:
    from pages.shared.server import starting
    from pages.shared.server.doors import MIDDLEWARE

    app = st.App(__file__, middleware=MIDDLEWARE, lifespan=starting.started)
