"""Undo and redo of everything the user decides: reading, kinds, roles, growing, pruning, steps by hand."""

from dataclasses import fields

from pages.shared import state
from pages.shared.state import VIEW, Record
from treecore.recipe import Edit, Take

NAMES = {
    "options": "how the file is read", "target": "what is predicted", "kinds": "kinds of columns",
    "features": "the features", "derive": "parts of dates", "weights": "case weights",
    "infinite": "infinite values",
    "split": "roles of the rows", "prepare": "preparation", "grow": "settings",
    "prune": "pruning", "edits": "a step by hand",
}  # fmt: skip


def undo() -> None:
    """Take the last step back; the node it was about is looked at."""
    before = state.record()
    state.undo()
    _look_at(before)


def redo() -> None:
    """Do it once more."""
    before = state.record()
    state.redo()
    _look_at(before)


def _look_at(before: Record) -> None:
    """A tree of other settings has other nodes: its root is looked at unless the step was by hand."""
    now = state.record()
    if (before.grow, before.prepare, before.split) != (now.grow, now.prepare, now.split):
        state.change(selected=0)


def undone_by_undo() -> str:
    """What the next undo takes back, in words; '' when there is nothing."""
    return _between(state.past()[-1], state.record()) if state.past() else ""


def done_by_redo() -> str:
    """What the next redo does; '' when there is nothing."""
    return _between(state.record(), state.future()[0]) if state.future() else ""


def _between(before: Record, after: Record) -> str:
    """The step from one record to the other in words."""
    told = []
    for field in fields(Record):
        name = field.name
        if name in VIEW or not field.init or getattr(before, name) == getattr(after, name):
            continue
        told.append(_told(name, getattr(after, name), getattr(before, name)))
    return "; ".join(told)


def _told(name: str, value, former) -> str:
    if name in ("grow", "prune"):
        return f"{former.text()} → {value.text()}"
    if name == "edits" and len(value) > len(former) and isinstance(value[-1], Edit | Take):
        return value[-1].text()
    return NAMES[name]
