"""Where the table comes from: a file of the user's or a sample, and how it is read."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages import ASSETS, PAGES
from pages.shared.data import model, reading
from pages.shared.database import place
from pages.shared.server import cache
from pages.shared.session import saved_session, state
from pages.shared.session.saved_session import GO_ON, Awaited
from pages.shared.session.uploaded_file import KeptFile
from pages.shared.trees import first_recipe, work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.data import RaggedLines, RawTable, ReadOptions, read_raw
from treecore.data.readers.source import TooManyColumns
from treecore.data.samples import SAMPLES, Sample
from treecore.errors import TreecoreError
from treecore.export.experiment_result import findings
from treecore.figures import counted
from treecore.importing import is_model
from treecore.recipe import Grow, Recipe, Split

RECORDS = re.compile(rb"(\xef\xbb\xbf)?\s*(\[|\{[^\n]*\}[ \r]*\n\s*\{)")
"""How JSON of records begins, a list or one in a line: recipes and work files are one object."""


def choose() -> None:
    """Another upload or sample becomes the session's table; a fault leaves the former table in place."""
    given, sample = st.columns(2, gap="large")
    with given:
        upload()
        place.ask()
    with sample:
        samples()


def another() -> None:
    """Another table, and how this one is read: beside each other and folded, until a new file has to be read."""
    waits = state.next_file() is not None
    left, right = (st.container(), st.container()) if waits else st.columns(2, gap="small")
    with left, st.expander("Another table", expanded=waits):
        choose()
    with right:
        read()


def read() -> None:
    """Read the file that was given, if one was; how it is read can be changed."""
    model.say()
    if state.next_file():
        _read(*state.next_file())
    reading.settings()


def upload() -> None:
    """A place for a file."""
    key = f"upload {state.choice('uploader')}"
    st.file_uploader(
        "Drop your table here: CSV, Excel, Parquet, SPSS, Stata, SAS, R, ARFF or JSON, packed or not; or a recipe, "
        "a work file, or a model made elsewhere",
        key=key,
        type=None,
        on_change=lambda: _take_upload(key),
    )
    with st.popover("Paste a table", icon=":material/content_paste:"):
        pasted = f"pasted {state.choice('uploader')}"
        st.text_area(
            "Cells copied from a spreadsheet, or lines of CSV, with the names above", key=pasted, height=180,
            placeholder="age\tcity\tbuys\n34\tRome\tyes",
        )  # fmt: skip
        st.button("Read the table", key="read_pasted", type="primary", on_click=_take_pasted, args=(pasted,))


def upload_recipe() -> None:
    """A place for a recipe or a work file alone."""
    key = f"recipe {state.choice('uploader')}"
    st.file_uploader("Open a recipe or a work file", key=key, type=["json"], on_change=lambda: _take_upload(key))


def _take_pasted(key: str) -> None:
    """Text from the clipboard is a file like any other."""
    text = state.widget(key)
    if text and text.strip():
        state.set_next_file(("pasted table", text.encode("utf-8", "replace"), reading.LIMITED))
        state.choose("uploader", state.choice("uploader") + 1)


def _take_upload(key: str) -> None:
    """Take the file out of the uploader, so that it is in memory once.

    In a run Streamlit copies the file of each uploader, and its server keeps it until the session ends. Here, before
    the run, these are still the bytes that came in; the run draws another uploader, which holds no file.
    """
    given = state.widget(key)
    if not hasattr(given, "getvalue"):  # none, or one that an interrupted run has taken already
        return
    with state.answered():
        _take_file(given.name, given.getvalue())
    state.choose("uploader", state.choice("uploader") + 1)
    here = get_script_run_ctx()
    here.uploaded_file_mgr.remove_file(here.session_id, given.file_id)


def _take_file(name: str, content: bytes) -> None:
    """A model, a recipe, or a table. TreecoreError for a pickle, which is not opened."""
    if is_model(content, name):
        model.take(name, content)
    elif name.lower().endswith(".json") and not RECORDS.match(content):
        _take_recipe(content)
    else:
        options = state.awaited().how.read_options() if state.awaited() else reading.LIMITED
        state.set_next_file((name, content, options))


def _take_recipe(content: bytes) -> None:
    """Do what a saved recipe or work file says; nothing changes where it cannot be done."""
    text = content.decode("utf-8", "replace")
    recipe, more = Recipe.from_json(text), json.loads(text)
    selected = more.get("selected")
    selected = selected if isinstance(selected, int) and selected >= 0 else 0
    saved_session.open_recipe(
        Awaited(recipe, str(more.get("fingerprint") or ""), selected, before=saved_session.before(more))
    )
    findings(more.get("findings") or ())  # says so where these are damaged; all the rest is there


def samples() -> None:
    """All sample tables."""
    picked = state.choice("sample")
    state.controlled(
        st.selectbox, "All samples", picked, take_sample, "sample", options=list(SAMPLES), index=None,
        placeholder="Choose a sample table", format_func=lambda name: SAMPLES[name].label,
    )  # fmt: skip
    if picked:
        st.caption(f"{plain(SAMPLES[picked].description)} {plain(SAMPLES[picked].source)}")


def open_sample(name: str) -> None:
    """Load a sample and go on to its tree."""
    take_sample(name)
    state.choose(GO_ON, True)


def go_on() -> None:
    """To the tree of a table that was just read, or the page that was looked at before; where it cannot be grown, or
    lines of the file are in doubt, the page says so."""
    wanted = state.choice(GO_ON)
    if not wanted:
        return
    state.choose(GO_ON, False)
    try:
        first_recipe.train_all_of_few()
        if state.file() and reading.open_doubts():
            return
        work.check_trainable(work.roles()["train"])
    except TreecoreError:
        return
    st.switch_page(f"pages/{'grow' if wanted is True else wanted}.py")


def take_sample(name: str | None) -> None:
    """Load the sample that was picked, with its own recipe, or without one as any new table is grown; settings of the
    user's can be brought back by undo."""
    if name is None:
        return
    sample, kept, former = SAMPLES[name], state.record(), state.choice("sample")
    raw = cache.get(("sample", name), lambda: read_raw(sample.path, name=sample.file))
    before = _own_recipe(SAMPLES[former]) if former else {}
    own = _own_recipe(sample) or ({"grow": Grow(), "split": Split()} if before else {})
    users = kept.grow not in (Grow(), before.get("grow"))
    as_new = {first_recipe.PENDING: True} if not (sample.preset or users) else {}
    state.new_table(
        raw, target=sample.predicted, kinds=tuple(sorted(sample.kinds.items())),
        choices={"sample": name} | as_new, **({} if users else own),
    )  # fmt: skip
    if users and own:
        state.settle()
        state.change(**own)


def _own_recipe(sample: Sample) -> dict:
    """Growth and roles that yield the numbers a textbook prints; nothing for other samples."""
    if not sample.preset:
        return {}
    every_row = Split(train=1.0, validation=0.0, test=0.0)
    return {"grow": Grow(sample.preset, tuple(sample.settings.items())), "split": every_row}


def _read(name: str, content: bytes, options: ReadOptions) -> None:
    """Read a file; on a fault say what it is and offer what can be done."""
    try:
        with st.spinner(f"Reading {plain(name)}"):
            key = ("raw", hashlib.sha256(content).hexdigest(), name, options)
            raw = cache.get(key, lambda: read_raw(content, name=name, options=options))
    except RaggedLines as fault:
        _offer_to_skip(fault)
    except TooManyColumns as fault:
        reading.offer(fault)
    except TreecoreError as fault:
        messages.show(fault)
    else:
        if state.awaited() is not None:
            _take_awaited(raw, KeptFile(name, content))
            return
        again = state.file() is not None and state.file().name == name
        pending = {} if again else {"choices": {first_recipe.PENDING: True, GO_ON: True}} | reading.target(raw)
        state.new_table(raw, source=KeptFile(name, content), options=options, **pending)
        st.rerun()
    _say_what_stays()


def _take_awaited(raw: RawTable, file: KeptFile) -> None:
    """The file that a recipe waits for: its table is there, with all of its steps. Of another one the user decides."""
    asked = state.awaited()
    if asked.fingerprint in ("", raw.fingerprint):
        with messages.caught():
            saved_session.with_file(asked, raw, file)
            st.rerun()
        return
    st.warning(f"{plain(file.name)} has other contents than the {plain(asked.file)} that your steps are kept for.")
    with st.container(horizontal=True):
        st.button("Repeat the steps with this file", on_click=state.await_file, args=(replace(asked, fingerprint=""),))
        st.button("Start over with this file", on_click=state.await_file, args=(None,))
        st.button("Choose another file", on_click=state.set_next_file, args=(None,))


def _say_what_stays() -> None:
    """The former table is not lost, and the message can be put away."""
    if state.raw() is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"The table {plain(state.raw().source)} is still loaded.", width="content")
        st.button("Go on with it", on_click=lambda: state.set_next_file(None), key="keep_former")


def _offer_to_skip(fault: RaggedLines) -> None:
    messages.show(fault)
    rejects, has_quotes = fault.rejects, any(r.quote for r in fault.rejects)
    frame = frames.of(
        {
            "line": [r.line for r in rejects],
            "lines": [r.n_lines for r in rejects],
            "fields": [None if r.quote else r.n_fields for r in rejects],
            "expected": [None if r.quote else r.expected for r in rejects],
            "quote": [r.quote for r in rejects],
            "text": [r.text for r in rejects],
        }
    )
    hidden = [] if has_quotes else ["quote"]
    hidden += [] if any(r.n_lines > 1 for r in rejects) else ["lines"]
    frames.show(frame.drop(columns=hidden), hide_index=True, height=frames.height(len(rejects), 240))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Read the file without {fault.rejected.these_lines}",
            on_click=lambda: reading.again(skip_ragged=True, skip_open_quotes=True), disabled=fault.n_rows == 0,
        )  # fmt: skip
        if fault.n_above:
            lines = counted(fault.n_above, "line")
            st.button(f"Skip the first {lines}", on_click=lambda: reading.again(skip_lines=fault.n_above))
        if has_quotes:
            st.button("Read the file without quotes", on_click=lambda: reading.again(quote=""))
        st.caption(f"Without them {counted(fault.n_rows, 'row')} would be read.", width="content")


# The start: a place for a file, and samples to look around in, each with a picture and what it teaches.

CARDS = (
    ("play_tennis", "The lecture's first tree: entropy by hand, 14 days"),
    ("titanic", "Words, numbers and gaps: who survived, and why"),
    ("iris", "Two measurements separate three flowers: see the regions"),
    ("crescents", "A curved border: how a tree over-fits, and pruning"),
    ("mpg", "Numbers to predict: means in the leaves, R²"),
    ("customers", "6,000 rows: size, validation and the rare class"),
)
"""Sample -> what it teaches."""
PICTURES, WIDE = ASSETS / "samples" / "pictures", 104


def show() -> None:
    """What this is for; then a place for a file, what is wrong with it and what helps, six samples, all of them."""
    st.markdown("**Grow a decision tree from your table: see every split, check every number, prune and compare.**")
    upload()
    place.ask()
    read()
    st.markdown("**Or look around in a sample**")
    gallery()
    samples()


def gallery() -> None:
    """The samples that most is to be seen in."""
    for first in range(0, len(CARDS), 3):
        for column, (name, teaches) in zip(st.columns(3), CARDS[first : first + 3], strict=True):
            with column:
                _card(name, teaches)


def without_table(page: str) -> None:
    """What a page would show if there were a table, and where to get one; the page ends here. With a table: nothing."""
    if state.raw() is not None:
        st.empty()  # else what comes next would stand among the samples for a moment when a tab's work comes back
        return
    with st.container(key="without_table"):
        st.markdown(f"**{PAGES[page].purpose}**")
        st.info("Load a table first: a file of yours or a sample.")
        st.page_link("pages/data.py", label="Data", icon=":material/upload_file:")
        gallery()
    st.stop()


def _card(name: str, teaches: str) -> None:
    with st.container(border=True, key=f"card {name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            drawn = b64encode((PICTURES / f"{name}.svg").read_bytes()).decode()
            st.markdown(f"![a small drawing of {SAMPLES[name].label}](data:image/svg+xml;base64,{drawn})", width=WIDE)
            with st.container(gap=None):
                st.markdown(f"**{SAMPLES[name].label}**")
                st.caption(teaches)
        st.button("Open", key=f"open_{name}", on_click=open_sample, args=(name,), width="stretch")
