"""What the user has chosen: one immutable record per session, and the only use of st.session_state.

Widgets are controlled: each run puts the recorded value into the widget before it is drawn, and a
change goes into the record before the run. So nothing is lost by visiting another page.
"""

import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from secrets import token_urlsafe

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.session import choices
from pages.shared.session.uploaded_file import KeptFile
from pages.shared.widgets import messages
from treecore.data import RawTable, ReadOptions, why_target
from treecore.data.readers import read_raw
from treecore.errors import TreecoreError
from treecore.export.experiment_result import ExperimentResult
from treecore.judging.interest import FlagRule
from treecore.recipe import Edit, Grow, Prepare, Prune, Split, Take
from treecore.seal import Seal
from treecore.target import Counted, Counts, Effect
from treecore.target.effects import MIN_ROWS

OWN = "own"
"""Where all is kept in st.session_state that is no widget's."""
_RECORD, _RAW, _FILE, _NEXT, _OTHER = "record", "raw table", "file", "next file", "other file"
_PAST, _FUTURE, _ACTED, _REPLACED = "past", "future", "acted", "replaced"
_SECRET, _OFFERED, _AWAITED, _FORGOTTEN = "secret", "offered", "awaited", "forgotten"
_NAMES, _TO_ANSWER, _FINDINGS = "names of states", "rows to answer", "findings"
_OPENED, _OPENING = "table that stays where it is", "place to open"
_CANVAS = "room of the canvas"
_MODELS, _WAITING, _ANSWER, _SEALED = "models", "model that waits", "answer", "sealed tables"
_EVERYTHING = (
    _RECORD,
    _RAW,
    _FILE,
    _NEXT,
    _OTHER,
    _TO_ANSWER,
    _PAST,
    _FUTURE,
    _NAMES,
    _OPENED,
    _FINDINGS,
    _MODELS,
    _SEALED,
    _CANVAS,
)
VIEW = {"selected", "stopped", "choices", "seal"}
"""Fields of the record that say what is looked at, and whether test rows are: changing them is no step that can be
undone."""
DRAWN_BY = ("split", "options", "target", "weights", "infinite", "kinds")
"""Fields of the record that say which rows have which role."""
ALL_TRAIN = "all rows train"
"""The choice that no row was held back because the table is small."""
MOST_STEPS = 200
MOST_MODELS = 5
ECHO = 1.5
"""Seconds for which a browser may still tell of a widget's former value."""


@dataclass(frozen=True)
class Record:
    """Everything chosen so far.

    kinds : column -> kind or declared levels, where they differ from the guess. class_names : (class, what texts call
    it) of the target. descriptions : (column, what it holds) in the user's words. features : None for the
    guessed ones. target : what is predicted, a column, or one with another beside it; None for what is guessed.
    derive : date column -> parts. weights : column of case weights. refine : where cuts between an engine's bins are
    moved, a key of database.opened.REFINED. edits : cuts,
    restores and taken splits by hand, in order. flag : which rows are flagged, None for none. seal : of the test rows,
    None where they were never sealed.
    selected : node id in the grown tree.
    stopped : the fit the user stopped. choices : settings of single pages, by name. derived : see `derived`; no
    choice itself.
    """

    options: ReadOptions = ReadOptions()
    target: str | Counted | None = None
    kinds: tuple = ()
    class_names: tuple = ()
    descriptions: tuple = ()
    features: tuple[str, ...] | None = None
    derive: tuple = ()
    weights: str | None = None
    infinite: str = "error"
    split: Split = Split()
    prepare: Prepare = Prepare()
    grow: Grow = Grow()
    prune: Prune = Prune()
    refine: str = "by size"
    edits: tuple[Edit | Take, ...] = ()
    flag: FlagRule | None = None
    seal: Seal | None = None
    selected: int = 0
    stopped: object = None
    choices: Mapping = field(default_factory=dict)
    derived: dict = field(default_factory=dict, init=False, repr=False, compare=False)


_last = threading.local()


def _own() -> dict:
    """What is kept in this session besides its widgets, by name.

    It is asked for a thousand times in a run, and st.session_state takes longer to find it than all of them do.
    """
    run = get_script_run_ctx()
    if run is None or getattr(_last, "run", None) is not run:
        _last.run, _last.own = run, st.session_state.setdefault(OWN, {})
    return _last.own


def record() -> Record:
    """The session's record."""
    result = _own().get(_RECORD)
    if result is None:
        result = _own()[_RECORD] = Record()
    return result


def derived(name: Hashable, make: Callable):
    """What follows from the record and the table alone, such as a key: made once per record, as it is asked for often.

    A changed record starts without any; a new table always comes with a new record.
    """
    kept = record().derived
    if name not in kept:
        kept[name] = make()
    return kept[name]


def everything_chosen() -> tuple:
    """The record, and the files beside it."""
    return record(), file(), other_file()


def _at_work() -> tuple:
    """What the user works on, whatever of it is looked at."""
    settings = replace(record(), selected=0, stopped=None, choices={})
    return settings, raw(), file(), next_file(), other_file(), waiting_model()


def differs_besides_selection(before: tuple, own: Collection[str] = ()) -> bool:
    """Has the user chosen anything since `everything_chosen` was this, but another node to look at? own : names of
    choices that do not count either."""
    (former, *files), (now, *others) = before, everything_chosen()
    return files != others or (now is not former and _besides(now, own) != _besides(former, own))


def _besides(record: Record, own: Collection[str]) -> Record:
    """The record without the selected node and these choices."""
    choices = {name: value for name, value in record.choices.items() if name not in own} if own else record.choices
    return replace(record, selected=0, choices=choices)


def change(**fields) -> None:
    """Replace fields of the record; what was there before can be brought back.

    What one action of the user changes is one step, however many calls it takes: see `settle`.
    """
    before = record()
    after = replace(before, **fields)
    _check_seal(before, after)
    if any(getattr(before, name) != value for name, value in fields.items() if name not in VIEW):
        if not _own().get(_ACTED):
            _own()[_PAST] = (*past(), before)[-MOST_STEPS:]
            _own()[_ACTED] = True
        _own()[_FUTURE] = ()
    _take(after)


def _check_seal(before: Record, after: Record) -> None:
    """TreecoreError where sealed rows would get other roles: they are drawn within the target's classes, of the rows
    that have one."""
    if _is_sealed(before) and _roles_depend_on(before) != _roles_depend_on(after):
        remedy = "Open the test rows first; the report then says when"
        raise TreecoreError("Other roles would show some of the sealed rows", where="Test set", remedy=remedy)


def _roles_depend_on(of: Record) -> tuple:
    """What the roles of the rows depend on."""
    target = of.target if of.target is not None or raw() is None else why_target(raw().guesses).predicted
    # roles depend neither on how far rates are drawn to that of all rows, nor on what leaves hold
    target = replace(target, shrink=1.0) if isinstance(target, Counts) else target
    target = replace(target, min_rows=MIN_ROWS) if isinstance(target, Effect) else target
    kinds = dict(of.kinds).get(target) if isinstance(target, str) else of.kinds
    return of.split, of.options, of.weights, of.infinite, target, kinds


def _take(after: Record) -> None:
    """This record from now on. What followed from the former one may be a table, and is made again if it comes back."""
    record().derived.clear()
    _own()[_RECORD] = after
    if after.seal is not None and raw() is not None:
        sealed = {name: getattr(after, name) for name in ("seal", "split", "target", "weights")}
        _own()[_SEALED] = _own().get(_SEALED, {}) | {_content(raw(), file()): sealed}


def _content(table: RawTable, source: KeptFile | None) -> str:
    """What tells a file from others, however it is read."""
    return table.fingerprint if source is None else source.digest


def read_otherwise(options: ReadOptions) -> None:
    """The user's file read with other options, all else staying: a step that can be undone."""
    _check_seal(record(), replace(record(), options=options))
    _read_as(options)
    change(options=options, selected=0, stopped=None)


def _read_as(options: ReadOptions) -> None:
    if file() is not None and options != record().options:
        _own()[_RAW] = read_raw(file().content(), name=file().name, options=options)


def forget_steps() -> None:
    """What was done until now cannot be undone: a table starts afresh."""
    _own()[_PAST], _own()[_FUTURE], _own()[_NAMES] = (), (), []


def set_history(past: tuple[Record, ...], future: tuple[Record, ...], names: list[tuple[Record, str]]) -> None:
    """The steps of a session that is gone on with."""
    _own()[_PAST], _own()[_FUTURE], _own()[_NAMES] = past, future, names


def settle() -> None:
    """What is changed from now on is another step."""
    _own()[_ACTED] = False


def do(step: Edit | Take, **fields) -> None:
    """One more step by hand."""
    change(edits=(*record().edits, step), **fields)


def past() -> tuple[Record, ...]:
    """The records that can be brought back, the last one at the end."""
    return _own().get(_PAST, ())


def future() -> tuple[Record, ...]:
    """Those that were taken back, the next one first."""
    return _own().get(_FUTURE, ())


def names() -> list[tuple[Record, str]]:
    """The states that the user gave a name."""
    return _own().get(_NAMES, [])


def set_names(named: list[tuple[Record, str]]) -> None:
    """Keep these names."""
    _own()[_NAMES] = named


def findings() -> tuple[ExperimentResult, ...]:
    """What experiments have found, of whatever table, the last one at the end."""
    return _own().get(_FINDINGS, ())


def set_findings(found: tuple[ExperimentResult, ...]) -> None:
    """Keep these."""
    _own()[_FINDINGS] = found


def undo() -> None:
    """The record of before the last step, looked at as it is now."""
    if past():
        *rest, result = past()
        result = _as_looked_at(result)
        _read_as(result.options)
        _own()[_FUTURE] = (record(), *future())
        _own()[_PAST] = tuple(rest)
        _take(result)


def redo() -> None:
    """The step that was undone last once more."""
    if future():
        result, *rest = future()
        result = _as_looked_at(result)
        _read_as(result.options)
        _own()[_PAST] = (*past(), record())
        _own()[_FUTURE] = tuple(rest)
        _take(result)


def _as_looked_at(found: Record) -> Record:
    """A former record with the pages' settings of now; what was sealed or opened since stays so, and sealed rows keep
    their roles."""
    now = record()
    others = _is_sealed(now) and _roles_depend_on(found) != _roles_depend_on(now)
    roles = {name: getattr(now, name) for name in DRAWN_BY} if others else {}
    return replace(found, choices=now.choices, seal=now.seal, **roles)


def _is_sealed(of: Record) -> bool:
    """Are the test rows out of sight, so that each row keeps its role?"""
    return of.seal is not None and of.seal.is_closed


def choice(name: str, default=None):
    """A page's setting, by its name in choices.py; default : until it is made, where that follows from the table."""
    return choices.value_of(record().choices, name, default)


def choose(name: str, value) -> None:
    """Remember a page's setting; TreecoreError where there is no such one, or it cannot be this."""
    change(choices={**record().choices, name: choices.checked(name, value)})


def raw() -> RawTable | None:
    """The table as read, before kinds are decided."""
    return _own().get(_RAW)


def file() -> KeptFile | None:
    """The file the table is from, to read it again with other options; None for a sample."""
    return _own().get(_FILE)


def next_file() -> tuple[str, bytes, ReadOptions] | None:
    """A file that is to be read, or that could not be, and how; the table is still the former one."""
    return _own().get(_NEXT)


def set_next_file(found: tuple[str, bytes, ReadOptions] | None) -> None:
    """Ask for this file to be read; None forgets a file that could not be."""
    _own()[_NEXT] = found


def other_file() -> tuple[str, bytes, ReadOptions] | None:
    """A second file, whose rows are shown beside the training rows, and how it is read."""
    return _own().get(_OTHER)


def set_other_file(found: tuple[str, bytes, ReadOptions] | None) -> None:
    """Take this second file; None forgets it."""
    _own()[_OTHER] = found


def rows_to_answer() -> KeptFile | None:
    """The file whose rows the tree answers for."""
    return _own().get(_TO_ANSWER)


def set_rows_to_answer(found: KeptFile) -> None:
    """Take this file of rows."""
    _own()[_TO_ANSWER] = found


def model(digest: str) -> KeptFile | None:
    """The file of a model made elsewhere, by what tells its bytes from others'."""
    return _own().get(_MODELS, {}).get(digest)


def keep_model(found: KeptFile) -> None:
    """Keep this file; the last MOST_MODELS of them stay."""
    others = {name: kept for name, kept in _own().get(_MODELS, {}).items() if name != found.digest}
    _own()[_MODELS] = dict([*others.items(), (found.digest, found)][-MOST_MODELS:])


def waiting_model():
    """The model that waits for a table, or for what the user knows of it: a data.model.Waiting, None for none."""
    return _own().get(_WAITING)


def set_waiting_model(asked) -> None:
    """Have this one wait; None: none."""
    _own()[_WAITING] = asked


def secret() -> str:
    """What this session's work is kept under: only its browser knows it."""
    if _SECRET not in _own():
        _own()[_SECRET] = token_urlsafe(24)
    return _own()[_SECRET]


def everything() -> dict:
    """All that the user has chosen and given, to be restored in another session."""
    return {name: _own()[name] for name in _EVERYTHING if name in _own()}


def without_table(kept: Mapping) -> Mapping:
    """Of `everything` what a user who has gone needs when he comes back: a table that can be read again is not kept."""
    kept[_RECORD].derived.clear()
    return {name: value for name, value in kept.items() if name != _RAW} if kept.get(_FILE) else kept


def restore(kept: Mapping) -> None:
    """Go on with what another session of the same user held."""
    for name in _EVERYTHING:
        _own().pop(name, None)
    _own().update(kept)
    if raw() is None and file() is not None:
        _own()[_RAW] = read_raw(file().content(), name=file().name, options=record().options)


def forget_all() -> None:
    """Begin anew, with a secret of another name."""
    for name in (*_EVERYTHING, _SECRET, _OFFERED, _AWAITED, _WAITING):
        _own().pop(name, None)
    _own()[_FORGOTTEN] = True


def is_forgotten() -> bool:
    """Has the user said that nothing is to be kept?"""
    return _own().get(_FORGOTTEN, False)


def offered() -> dict | None:
    """A note of work in another tab that can be gone on with."""
    return _own().get(_OFFERED)


def offer(note: dict | None) -> None:
    """Offer it; None: it was taken or put away."""
    _own()[_OFFERED] = note


def awaited():
    """The recipe that waits for its file, a resumed.Awaited; None where none does."""
    return _own().get(_AWAITED)


def await_file(asked) -> None:
    """Wait for the file of this recipe; None: for none."""
    _own()[_AWAITED] = asked


def opened():
    """Where the rows stay that the table is a sample of, a database.opened.Opened; None for a table in memory."""
    return _own().get(_OPENED)


def opening():
    """The place that is to be opened, a database.opened.Opening; None where none is."""
    return _own().get(_OPENING)


def set_opening(asked) -> None:
    """Open this place; None: it is done with."""
    _own()[_OPENING] = asked


def new_table(raw_table: RawTable, source: KeptFile | None = None, opened=None, **fields) -> None:
    """Take a table that was read; choices that belong to the former one go, settings of growth stay.

    opened : where its rows stay, if it is a sample of them. A table whose test rows were sealed comes back with them
    sealed, or opened on that day: nobody gets around a seal by loading the file again.
    """
    kept, were_elsewhere = record(), _own().get(_OPENED) is not None
    _own()[_OPENED] = opened
    _own()[_OFFERED], _own()[_FORGOTTEN] = None, False
    _own()[_RAW], _own()[_FILE], _own()[_NEXT] = raw_table, source, None
    forget_steps()
    fields["choices"] = {"uploader": choice("uploader"), **fields.get("choices", {})}
    split = replace(kept.split, column=None, stratify=kept.split.stratify or were_elsewhere)
    if kept.choices.get(ALL_TRAIN) and split.train == 1:  # as the former table was small, not because the user said so
        split = Split()
    split = fields.pop("split", split)
    if opened is not None:  # a row's hash says which role it has
        train = split.train + split.estimation  # the rows of it would have to be here
        split = replace(split, column=None, order=None, stratify=False, train=train, estimation=0.0)
    sealed = _own().get(_SEALED, {}).get(_content(raw_table, source))
    if sealed is not None and fields.get("seal") is None:
        split = sealed["split"]
        fields |= {name: value for name, value in sealed.items() if name != "split"}
    grow = Grow(kept.grow.preset, kept.grow.settings)  # a model's tree is of the former table
    _take(Record(**({"grow": grow} | fields), split=split))


@dataclass
class Answer:
    """What went wrong in what the user did last, while this was in force and this page was shown; see `answer`."""

    error: TreecoreError
    at_work: tuple | None = None
    page: str | None = None


@contextmanager
def answered():
    """What goes wrong in a callback is said by `answer`. Said there it would be gone with the next run, which any word
    of the browser begins.
    """
    try:
        yield
    except Exception as error:
        _own()[_ANSWER] = Answer(messages.explained(error))


def answer(page: str | None = None) -> None:
    """Say what went wrong in the last callback, until it is put away or something else is chosen.

    page : the one that is shown; None where a part of it runs alone, which leaves to the page what that has said.
    """
    given: Answer | None = _own().get(_ANSWER)
    if given is None or (given.page and page is None):
        return
    given.at_work, given.page = given.at_work or _at_work(), given.page or page
    if given.at_work != _at_work() or given.page != page:
        _own()[_ANSWER] = None
        return
    with st.container(horizontal=True, vertical_alignment="center", key="answer"):
        with st.container():
            messages.show(given.error)
        st.button("Close", key="close_answer", on_click=_own().pop, args=(_ANSWER, None))


def controlled(widget: Callable, label: str, value, save: Callable, key: str, /, **settings):
    """A widget that shows `value` and hands what the user makes of it to `save`, before the next run."""

    def take() -> None:
        # A run that was overtaken by another one can report a change that is none, even of a widget that has gone.
        made = st.session_state.get(key, value)
        if made != value and not _is_echo(key, made):
            with answered():
                save(made)

    if key in st.session_state and st.session_state[key] != value:
        _own().setdefault(_REPLACED, {})[key] = st.session_state[key], time.monotonic()
    st.session_state[key] = value
    return widget(label, key=key, on_change=take, **messages.options(widget, settings))


def _is_echo(key: str, made) -> bool:
    """Is this what the widget held before we gave it another value, told by a browser that had not drawn that yet?

    Any event of the page brings what all of its widgets hold at that moment.
    """
    before, when = _own().get(_REPLACED, {}).get(key, (None, -ECHO))
    return before == made and time.monotonic() - when < ECHO


def expander(label: str, is_open: bool, key: str, turned: Callable[[], None]):
    """An expander that says whether it is open; `turned` is called before the next run when that has changed."""
    st.session_state[key] = is_open
    return st.expander(label, key=key, on_change=turned)


def popover(label: str, is_open: bool, key: str, turned: Callable[[], None], **look):
    """The same of a popover. look : how its button looks, of st.popover."""
    st.session_state[key] = is_open
    return st.popover(label, key=key, on_change=turned, **look)


def widget(key: str):
    """What a widget holds, for use in its own callback."""
    return st.session_state.get(key)


def set_widget(key: str, value) -> None:
    """What a widget is to hold, for use in its own callback."""
    st.session_state[key] = value


def clicked(key: str) -> tuple:
    """The numbers that a chart keeps with the point just clicked (its customdata); () when none was clicked."""
    points = (st.session_state.get(key) or {}).get("selection", {}).get("points", [])
    data = points[0].get("customdata") if points else None
    if isinstance(data, Mapping):  # the browser sends a row of an array as {"0": …, "1": …}
        return tuple(data[place] for place in sorted(data, key=int))
    if data is None:
        return ()
    return tuple(data) if isinstance(data, list | tuple) else (data,)


def picked_row(key: str) -> int | None:
    """Position of the row selected in a table; None when there is none."""
    rows = (st.session_state.get(key) or {}).get("selection", {}).get("rows", [])
    return int(rows[0]) if rows else None


def canvas_room() -> tuple[int, int] | None:
    """Width and height that the tree was drawn for last, before a reload, too; None before a tree was drawn."""
    return _own().get(_CANVAS)


def set_canvas_room(room: tuple[int, int]) -> None:
    """Remember it."""
    _own()[_CANVAS] = room


def stored_for(name: str, fresh: dict) -> dict:
    """A component's own memory in this session: changed in place by the component, `fresh` at first."""
    return _own().setdefault(name, fresh)


def table_editor(frame, key: str, save: Callable, **settings) -> None:
    """An editable table that hands its edited cells ({row: {column: value}}) to `save`, before the next run.

    The editor starts afresh after each edit: its own memory of edits would come on top of ours.
    """
    edits = choices.EDITS + key
    version = choice(edits)
    name = f"{key} {version}"

    def take() -> None:
        changed = st.session_state[name]["edited_rows"]
        choose(edits, version + 1)
        save(changed)

    st.data_editor(messages.frame(frame), key=name, on_change=take, **settings)
