"""What survives a reload: the tab keeps a note, the server keeps the tables, and both find each other by a secret."""

import json
import os
from contextlib import suppress
from pathlib import Path

import streamlit as st

from pages.shared import messages, resumed, shelf, state
from pages.shared.messages import plain
from pages.shared.resumed import Awaited
from treecore.command_line.opened import OPENED
from treecore.data import ReadOptions
from treecore.data.counted import counted
from treecore.errors import TreecoreError
from treecore.recipe import Data, Prepare, Read, Recipe

VERSION = 1
ASSETS = Path(__file__).resolve().parents[2] / "assets"
_component = st.components.v2.component(
    "treecore_keeper", html="<span></span>", js=(ASSETS / "keeper.js").read_text(encoding="utf-8")
)


def show() -> None:
    """Part of the strip of every page."""
    mode = "keep" if state.raw() is not None else "forget" if state.is_forgotten() else "ask"
    note = _note() if mode == "keep" else ""
    _component(key="keeper", data={"mode": mode, "note": note, "waits": bool(_given())}, on_found_change=_found)


def save() -> None:
    """At the end of every run: what the session holds now is what a reload brings back."""
    if state.raw() is not None:
        shelf.put(state.secret(), state.everything(), state.raw())


def recipe_asked() -> Recipe:
    """The steps as they were chosen, whether or not they could be done."""
    r, sample = state.record(), state.choice("sample")
    file = sample or state.raw().source
    read = Read.of(file, bool(sample), r.options, derive=r.derive, weights=r.weights, infinite=r.infinite)
    data = Data("", r.target or "", r.features or (), r.kinds)
    return Recipe((read, data, r.split, *(() if r.prepare == Prepare() else (r.prepare,)), r.grow, r.prune, *r.edits))


def _note() -> str:
    """What the browser keeps: the secret, and enough to go on without this server."""
    about = {"fingerprint": state.raw().fingerprint, "selected": state.record().selected}
    return json.dumps({"version": VERSION, "secret": state.secret(), "recipe": recipe_asked().to_json(), **about})


def _found() -> None:
    """The browser has a note: of this tab it comes back at once, of another one it is offered."""
    found = state.widget("keeper").get("found") or {}
    note = _read(found.get("note"))
    if state.raw() is not None:
        return
    if note is not None and found.get("mine"):
        go_on(note)
        return
    state.offer(note)
    if _given():
        with messages.caught():
            state.set_next_file((Path(_given()).name, _content(_given()), ReadOptions()))


def _given() -> str:
    """The file that the app was started on; see treecore explore."""
    return os.environ.get(OPENED, "")


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError("It cannot be read any more", where=path, remedy="Give the file here") from fault


def _read(text) -> dict | None:
    """The note, None for what is none."""
    with suppress(ValueError, TypeError, RecursionError):
        note = json.loads(text)
        if isinstance(note, dict) and note.get("version") == VERSION and isinstance(note.get("secret"), str):
            return note
    return None


def go_on(note: dict) -> None:
    """All that the server still has; else the recipe, which asks for the file."""
    kept = shelf.find(note["secret"])
    state.offer(None)
    if kept is not None:
        state.restore(kept)
        shelf.forget(note["secret"])  # from now on it is kept under this session's
        return
    with messages.caught():
        selected = note.get("selected")
        asked = Awaited(_recipe(note), str(note.get("fingerprint") or ""), selected if isinstance(selected, int) else 0)
        resumed.open_recipe(asked)


def _recipe(note: dict) -> Recipe:
    return Recipe.from_json(note["recipe"]) if isinstance(note.get("recipe"), str) else Recipe(())


def say() -> None:
    """On the start: what can be gone on with, and what is waited for."""
    note, asked = state.offered(), state.awaited()
    if note is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="go_on"):
            st.info(f"You were at work on {_told(note)}.", icon=":material/history:")
            st.button("Go on with it", on_click=go_on, args=(note,), type="primary")
            st.button("Forget it", on_click=forget, args=(note["secret"],))
    if asked is not None:
        steps = f" and {counted(asked.n_steps, 'step')} by hand" if asked.n_steps else ""
        with st.container(horizontal=True, vertical_alignment="center", key="awaited"):
            st.info(
                f"Give **{plain(asked.file)}** again: its settings{steps} are kept and will be there.",
                icon=":material/upload_file:",
            )
            st.button("Begin anew", on_click=forget, args=(state.secret(),))


def _told(note: dict) -> str:
    try:
        return f"**{plain((_recipe(note).last(Read) or Read()).file or 'a table')}**"
    except TreecoreError:
        return "a table"


def forget(secret: str) -> None:
    """Nothing is kept any more, here or in the browser."""
    shelf.forget(secret)
    state.forget_all()


def about() -> None:
    """What is kept where, and a way to let go of it."""
    st.caption(
        f"Kept for a reload: your table and steps in this server's memory, for {shelf.HOURS} hours at most, and a note "
        "of the steps in this browser. Nobody else can ask for them, and nothing is sent elsewhere."
    )
    st.button("Forget my work", on_click=forget, args=(state.secret(),), key="forget", icon=":material/delete:")
