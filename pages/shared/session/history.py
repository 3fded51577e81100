"""Undo and redo of everything the user decides: reading, kinds, roles, growing, pruning, steps by hand."""

from dataclasses import fields
from itertools import pairwise

from pages.shared.session import state
from pages.shared.session.state import VIEW, Record
from treecore.recipe import Edit, Take

NAMES = {
    "options": "how the file is read", "target": "what is predicted", "kinds": "kinds of columns",
    "class_names": "names of classes", "descriptions": "what columns hold",
    "features": "the features", "derive": "parts of dates", "weights": "case weights",
    "infinite": "infinite values",
    "split": "train / validation / test split", "prepare": "preparation", "grow": "settings",
    "prune": "pruning", "refine": "cuts between bins", "edits": "a step by hand",
    "flag": "the flag rule",
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


def steps() -> list[tuple[str, bool]]:
    """(what was done, is it where we are now?) of every step from the first state to the last one undone."""
    every = (*state.past(), state.record(), *state.future())
    told = ["The table as it was opened", *(_between(a, b) for a, b in pairwise(every))]
    return [(text, place == len(state.past())) for place, text in enumerate(told)]


def jump(place: int) -> None:
    """To the state after so many steps."""
    before = state.record()
    while len(state.past()) > place:
        state.undo()
    while len(state.past()) < place and state.future():
        state.redo()
    _look_at(before)


def name_of(place: int) -> str:
    """What the user called this state; '' for nothing."""
    every = (*state.past(), state.record(), *state.future())
    return next((name for kept, name in state.names() if _same(kept, every[place])), "")


def give_name(name: str) -> None:
    """Call the present state so; '' takes its name away."""
    others = [(kept, called) for kept, called in state.names() if not _same(kept, state.record())]
    state.set_names([*others, (state.record(), name.strip())] if name.strip() else others)


def _same(one: Record, other: Record) -> bool:
    """Do they differ in nothing but what is looked at?"""
    names = [field.name for field in fields(Record) if field.name not in VIEW and field.init]
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _look_at(before: Record) -> None:
    """A tree of other settings has other nodes: its root is looked at unless the step was by hand."""
    now = state.record()
    if any(getattr(before, name) != getattr(now, name) for name in ("grow", "prepare", "split", "refine")):
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
        told.append(_describe_change(name, getattr(after, name), getattr(before, name), dict(after.class_names)))
    return "; ".join(told)


def _describe_change(name: str, value, former, class_names: dict[str, str]) -> str:
    if name in ("grow", "prune"):
        return f"{former.text()} → {value.text()}"
    if name == "edits" and len(value) > len(former) and isinstance(value[-1], Edit | Take):
        return value[-1].text()
    if name == "flag":
        return "flag no rows" if value is None else value.text(class_names)
    return NAMES[name]
