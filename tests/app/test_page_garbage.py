"""What the search for garbage after every run of the script looks at."""

import gc
import weakref

import streamlit as st

from pages.shared.server import engine


def test_modules_are_set_aside_as_pages_import_them(app):
    gc.unfreeze()
    engine._set_aside.clear()
    app.sample("iris")
    for page in ("grow", "compare"):
        app.go(page).run()
        assert len(gc.get_objects()) < gc.get_freeze_count(), page


def test_no_run_searches_all_sessions_for_garbage():
    assert st.get_option("runner.postScriptGC") is False


def test_what_was_set_aside_with_the_modules_goes_all_the_same():
    class Session:
        """Holds itself, as sessions do."""

    session = Session()
    session.me = session
    gone = weakref.ref(session)
    gc.freeze()
    del session
    gc.collect()
    assert gone() is not None, "set aside"
    engine.sweep()
    assert gone() is None
