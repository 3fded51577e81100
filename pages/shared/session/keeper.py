"""What survives a reload: the tab keeps a note, the server keeps the tables, and both find each other by a secret."""

import os
from pathlib import Path

import streamlit as st
from streamlit import runtime

from pages import PAGES
from pages.shared.server import memo
from pages.shared.session import note, resumed, shelf, state
from pages.shared.session.resumed import Awaited
from pages.shared.widgets.messages import plain
from treecore.command_line.files import FILE_TO_OPEN
from treecore.data import ReadOptions
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.recipe import Read, Recipe

ASSETS = Path(__file__).resolve().parents[3] / "assets"
_component = st.components.v2.component(
    "treecore_keeper", html="<span></span>", js=(ASSETS / "keeper.js").read_text(encoding="utf-8")
)


def show(page: str) -> None:
    """Part of the strip of every page. page : its name."""
    if state.raw() is None and state.awaited() is not None and page != "data":
        st.switch_page("pages/data.py")  # where the file is given
    mode = "keep" if state.raw() is not None else "forget" if state.is_forgotten() else "ask"
    told = note.written(state.secret(), page) if mode == "keep" else ""
    answered = _memory()["answered"] or state.awaited() is not None or state.offered() is not None
    data = {"mode": mode, "note": told, "secret": state.secret(), "waits": bool(_given()), "answered": answered}
    _component(key="keeper", data=data, on_found_change=_found, on_again_change=_again)


def _again() -> None:
    """The connection was lost and is there again: that the page runs is enough."""


def _memory() -> dict:
    """answered : has the browser said what it has? former : secrets of sessions that this one has gone on with."""
    return state.kept_for("keeper's memory", {"answered": False, "former": []})


def save() -> None:
    """At the start and the end of every run: what the session holds now is what a reload brings back."""
    if state.raw() is not None:
        shelf.put(state.secret(), memo.user(), state.everything(), state.raw())


def _found() -> None:
    """What the browser has of this tab comes back at once, what it has of another one is offered."""
    found = state.widget("keeper").get("found") or {}
    _memory()["answered"] = True
    if state.raw() is not None:
        return
    mine = note.read(found.get("mine"))
    secrets = [found.get("tab"), mine and mine["secret"]]
    kept = next((s for s in secrets if isinstance(s, str) and shelf.find(s) is not None), None)
    if kept is not None or mine is not None:
        go_on((mine or {}) | {"secret": kept or mine["secret"]}, stay=True)
        return
    state.offer(note.read(found.get("last")))
    if _given():
        with state.answered():
            state.set_next_file((Path(_given()).name, _content(_given()), ReadOptions()))


def _given() -> str:
    """The file that the app was started on; see treecore explore."""
    return os.environ.get(FILE_TO_OPEN, "")


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError("It cannot be read any more", where=path, remedy="Give the file here") from fault


def go_on(told: dict, stay: bool = False) -> None:
    """All that the server still has; else the recipe, which asks for the file. stay : the page is that of the note."""
    kept, page = shelf.find(told["secret"]), _page(told)
    state.offer(None)
    if kept is not None:
        state.restore(kept)
        _memory()["former"].append(told["secret"])
        _let_go_of_former()  # from now on it is kept under this session's secret
        if page and not stay:
            state.choose(resumed.GO_ON, page)
        return
    with state.answered():
        selected = told.get("selected") if isinstance(told.get("selected"), int) else 0
        asked = Awaited(_recipe(told), str(told.get("fingerprint") or ""), selected, page, note.before(told))
        resumed.open_recipe(asked)


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
            st.info(f"You were working on {_told(told)}.", icon=":material/history:")
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


def _told(told: dict) -> str:
    try:
        return f"**{plain((_recipe(told).last(Read) or Read()).file or 'a table')}**"
    except TreecoreError:
        return "a table"


def _let_go_of_former() -> None:
    """What is kept of sessions that are over; another tab that is open still finds its work after a reload."""
    for secret in tuple(_memory()["former"]):
        if not _is_connected(shelf.session_of(secret)):
            shelf.forget(secret)
            _memory()["former"].remove(secret)


def _is_connected(session: str | None) -> bool:
    return session is not None and runtime.exists() and bool(runtime.get_instance().is_active_session(session))


def forget(secret: str) -> None:
    """Nothing is kept any more, here or in the browser."""
    shelf.forget(secret)
    _let_go_of_former()
    state.forget_all()


def about() -> None:
    """What is kept where, and a way to let go of it."""
    st.caption(
        f"Kept for a reload: your table and steps on this server, for {shelf.HOURS} hours at most, and a note "
        "of your steps and choices, and of what you type on Predict, in this browser. Nobody else can ask for them, "
        "and nothing is sent elsewhere."
    )
    st.button("Forget my work", on_click=forget, args=(state.secret(),), key="forget", icon=":material/delete:")
