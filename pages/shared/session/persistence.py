"""What survives a reload: the tab keeps a note, the server keeps the tables, and both find each other by a secret."""

import os
from contextlib import suppress
from pathlib import Path
from threading import Timer

import streamlit as st
from streamlit import runtime

from pages import ASSETS, PAGES
from pages.shared.server import cache, engine
from pages.shared.session import saved_session, state
from pages.shared.session.saved_session import Awaited
from pages.shared.widgets.messages import plain
from treecore.command_line.files import FILE_TO_OPEN
from treecore.data import ReadOptions
from treecore.engine.memory import give_back
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.recipe import Read, Recipe

_component = st.components.v2.component(
    "treecore_keeper", html="<span></span>", js=(ASSETS / "keeper.js").read_text(encoding="utf-8")
)


def show(page: str) -> None:
    """Part of the strip of every page. page : its name."""
    if state.raw() is None and state.awaited() is not None and page != "data":
        st.switch_page("pages/data.py")  # where the file is given
    mode = "keep" if state.raw() is not None else "forget" if state.is_forgotten() else "ask"
    told = saved_session.written(state.secret(), page) if mode == "keep" else ""
    answered = _memory()["answered"] or state.awaited() is not None or state.offered() is not None
    data = {"mode": mode, "note": told, "secret": state.secret(), "waits": bool(_file_to_open()), "answered": answered}
    _component(key="keeper", data=data, on_found_change=_take_notes_of_browser, on_again_change=_again)


def _again() -> None:
    """The connection was lost and is there again: that the page runs is enough."""


def _memory() -> dict:
    """answered : has the browser said what it has? former : secrets of sessions that this one has gone on with."""
    return state.stored_for("keeper's memory", {"answered": False, "former": []})


def save() -> None:
    """At the start and the end of every run: what the session holds now is what a reload brings back."""
    if state.raw() is not None:
        cache.store_session(state.secret(), cache.user(), state.everything(), state.raw())


def _take_notes_of_browser() -> None:
    """What the browser has of this tab comes back at once, what it has of another one is offered."""
    result = state.widget("keeper").get("found") or {}
    _memory()["answered"] = True
    if state.raw() is not None:
        return
    mine = saved_session.read(result.get("mine"))
    secrets = [result.get("tab"), mine and mine["secret"]]
    kept = next((s for s in secrets if isinstance(s, str) and cache.find_session(s) is not None), None)
    if kept is not None or mine is not None:
        go_on((mine or {}) | {"secret": kept or mine["secret"]}, stay=True)
        return
    state.offer(saved_session.read(result.get("last")))
    if _file_to_open():
        with state.answered():
            state.set_next_file((Path(_file_to_open()).name, _content(_file_to_open()), ReadOptions()))


def _file_to_open() -> str:
    """The file that the app was started on; see treecore explore."""
    return os.environ.get(FILE_TO_OPEN, "")


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError("It cannot be read any more", where=path, remedy="Give the file here") from fault


def go_on(told: dict, stay: bool = False) -> None:
    """All that the server still has; else the recipe, which asks for the file. stay : the page is that of the note."""
    kept, page = cache.find_session(told["secret"]), _page(told)
    state.offer(None)
    if kept is not None:
        state.restore(kept)
        _memory()["former"].append(told["secret"])
        _let_go_of_former()  # from now on it is kept under this session's secret
        if page and not stay:
            state.choose(saved_session.GO_ON, page)
        return
    with state.answered():
        selected = told.get("selected") if isinstance(told.get("selected"), int) else 0
        asked = Awaited(_recipe(told), str(told.get("fingerprint") or ""), selected, page, saved_session.before(told))
        saved_session.open_recipe(asked)


def _page(told: dict) -> str:
    """The page of the tree that was looked at; '' for none."""
    page = told.get("page")
    return page if isinstance(page, str) and page in PAGES and page != "data" else ""


def _recipe(told: dict) -> Recipe:
    return Recipe.from_json(told["recipe"]) if isinstance(told.get("recipe"), str) else Recipe(())


def say() -> None:
    """On the start: what can be gone on with, and what is waited for."""
    told, asked = state.offered(), state.awaited()
    if told is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="go_on"):
            st.info(f"You were working on {_describe_note(told)}.", icon=":material/history:")
            st.button("Go on with it", on_click=go_on, args=(told,), type="primary")
            st.button("Forget it", on_click=forget, args=(told["secret"],))
    if asked is not None:
        steps = f" and {counted(asked.n_steps, 'step')} by hand" if asked.n_steps else ""
        with st.container(horizontal=True, vertical_alignment="center", key="awaited"):
            st.info(
                f"Give **{plain(asked.file)}** again: its settings{steps} are kept and will be there.",
                icon=":material/upload_file:",
            )
            st.button("Start over", on_click=forget, args=(state.secret(),))


def _describe_note(told: dict) -> str:
    try:
        return f"**{plain((_recipe(told).last(Read) or Read()).file or 'a table')}**"
    except TreecoreError:
        return "a table"


def _let_go_of_former() -> None:
    """What is kept of sessions that are over; another tab that is open still finds its work after a reload."""
    for secret in tuple(_memory()["former"]):
        if not _is_connected(cache.owner_of(secret)):
            cache.forget_session(secret)
            _memory()["former"].remove(secret)


def _is_connected(session: str | None) -> bool:
    return session is not None and runtime.exists() and bool(runtime.get_instance().is_active_session(session))


def forget(secret: str) -> None:
    """Nothing is kept any more, here or in the browser."""
    cache.forget_session(secret)
    _let_go_of_former()
    state.forget_all()


def about() -> None:
    """What is kept where, and a way to let go of it."""
    st.caption(
        f"Kept for a reload: your table and steps on this server, for {cache.HOURS} hours at most, and a note "
        "of your steps and choices, and of what you type on Predict, in this browser. Nobody else can ask for them, "
        "and nothing is sent elsewhere."
    )
    st.button("Forget my work", on_click=forget, args=(state.secret(),), key="forget", icon=":material/delete:")


# What is let go when a user has left for good: results that only he used, his session, and the memory of both.

LATER = 5.0
"""Seconds after which a session that did not come back in time is swept away."""
_here: dict[str, "_Guest"] = {}


class _Guest:
    """A session that is connected. One that comes back in time is another guest with the same session."""

    def __init__(self, session: str):
        self.session = session


def _left(guest: _Guest) -> None:
    patience = st.get_option("server.disconnectedSessionTTL") + LATER
    timer = Timer(patience, sweep, (guest,))
    timer.daemon = True
    timer.start()


@st.cache_resource(scope="session", on_release=_left, show_spinner=False)
def _guest() -> _Guest:
    return _Guest(cache.user())


def arrive() -> None:
    """Every run of a session says that it is there."""
    guest = _guest()
    _here[guest.session] = guest


def sweep(guest: _Guest) -> None:
    """Let go of what a guest has left, unless he has come back."""
    if _here.get(guest.session) is not guest:
        return
    del _here[guest.session]
    cache.leave(guest.session)
    cache.shrink_session(guest.session, state.without_table)
    # sessions that may no longer come back stay until another one leaves
    with suppress(AttributeError, RuntimeError):
        runtime.get_instance()._session_mgr._session_storage._cache.expire()
    engine.sweep()
    give_back()
