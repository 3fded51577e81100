"""A model made elsewhere, dropped beside a table: its tree becomes yours, or its trees are looked at together."""

import json
from dataclasses import dataclass, replace

import streamlit as st

from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.session.saved_session import GO_ON
from pages.shared.session.uploaded_file import KeptFile
from pages.shared.trees import first_recipe, tables, work
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.data import Table
from treecore.ensembles import Ensemble
from treecore.errors import TreecoreError
from treecore.importing import CLASSES, read_model
from treecore.recipe import Import, Prune
from treecore.tree.tree import Tree

MODEL = "model"
"""The kind of many trees that were not grown here."""


@dataclass(frozen=True)
class Waiting:
    """A model that cannot be opened yet: there is no table, or the user has to name its classes, or it does not fit.

    fault : what keeps it, None for the table that is to come. classes : of the table as the model reads it.
    """

    digest: str
    name: str
    fault: TreecoreError | None = None
    classes: tuple[str, ...] = ()


def take(name: str, content: bytes) -> None:
    """Keep the file of a model, and open it beside the table; without one it waits for it."""
    file = KeptFile(name, content)
    state.keep_model(file)
    state.set_waiting_model(Waiting(file.digest, name))
    open_waiting_model()


def open_waiting_model() -> None:
    """Open the model that waits, if there is a table now and nothing is wrong with it."""
    asked = state.waiting_model()
    if asked is not None and asked.fault is None and state.raw() is not None and state.next_file() is None:
        _open(asked)


def _open(asked: Waiting, classes: tuple[str, ...] = ()) -> None:
    """The table as the model reads it, and the model's tree, or trees; nothing changes where it cannot be opened."""
    known: tuple[str, ...] = ()
    try:
        if external_table.is_on():
            remedy = "Load a sample of them as a file"
            raise TreecoreError(
                "Rows that stay in a database cannot be counted in a model", where=asked.name, remedy=remedy
            )
        file = state.model(asked.digest)
        columns = _columns(read_model(file, classes=classes or None), asked.name)
        table = tables.table_as(**columns)
        known = table.classes
        result = read_model(file, table, classes=classes or None)
    except TreecoreError as fault:
        state.set_waiting_model(replace(asked, fault=fault, classes=known))
        state.choose(GO_ON, False)
        return
    state.set_waiting_model(None)
    grow = state.record().grow
    step = Import(grow.preset, grow.settings, file=asked.name, digest=asked.digest, classes=classes)
    if isinstance(result, Tree):
        as_yours(step, **columns)
        state.choose(GO_ON, True)
    else:
        state.change(**columns)
        _as_many(step)


def say() -> None:
    """What a model waits for: its table, the names of its classes; or why it cannot be opened."""
    asked = state.waiting_model()
    if asked is None:
        return
    if asked.fault is None:
        st.info(f"**{plain(asked.name)}** is a model: give the table that it is for.", icon=":material/account_tree:")
    else:
        messages.show(asked.fault)
        if asked.fault.where.endswith(CLASSES):
            _name_classes(asked)
    st.button("Remove the model", on_click=state.set_waiting_model, args=(None,), key="forget_model")


def _name_classes(asked: Waiting) -> None:
    """The order of the classes in a model that numbers them, which only the user knows."""
    known = list(asked.classes)
    named = st.multiselect(
        "The model's classes 0, 1, …, in their order", known, key="classes of the model",
        placeholder="Click them one after the other", format_func=plain,
    )  # fmt: skip
    st.button(
        "Read it with these classes", type="primary", key="read_model", disabled=len(named) < len(known),
        on_click=lambda: _open(asked, tuple(named)),
    )  # fmt: skip


def take_tree(tree: Tree, name: str) -> None:
    """A tree out of an experiment becomes yours, as if its file had been dropped."""
    file = KeptFile(name, json.dumps(tree.to_dict()).encode("utf-8"))
    state.keep_model(file)
    grow = state.record().grow
    as_yours(Import(grow.preset, grow.settings, file=name, digest=file.digest))


def as_yours(step: Import, **columns) -> None:
    """The model's tree is yours from now on, as it was made: unpruned, with no step by hand."""
    state.choose(first_recipe.PENDING, False)
    state.choose("cross_validate", False)  # its like cannot be grown on folds
    state.change(grow=step, prune=Prune(), edits=(), selected=0, stopped=None, **columns)


def _as_many(step: Import) -> None:
    """The model's trees are those of the page that is about many trees."""
    for name, value in {
        "many model": step, "many kind": MODEL, "many on": True, "many shown": "one", "many tree": 1,
        "many asks": None, "experiment": "many", "beside is wider experiments": True, GO_ON: "experiments",
    }.items():  # fmt: skip
        state.choose(name, value)


def _columns(model: Tree | Ensemble, where: str) -> dict:
    """target, kinds and features by which the table has what the model asks for, as it reads it."""
    schema = (model if isinstance(model, Tree) else model.trees[0]).schema
    names, here, features = (
        tuple(feature.name for feature in schema.features),
        state.raw().names,
        state.record().features,
    )
    lacking = [name for name in names if name not in here]
    if len(lacking) == len(names):  # a model without names, or one that writes them otherwise: see read_model
        target = work.target()
        return {"target": target, "features": features, "kinds": _kinds({target: not model.classes})}
    if lacking:
        told = ", ".join(lacking[:5]) + (f" and {len(lacking) - 5} more" if lacking[5:] else "")
        raise TreecoreError(
            f"The model needs {told}, which the table {state.raw().source} does not have",
            where=where,
            remedy="Give the table that the model is for, with the same names of columns",
        )
    target = _target(schema.target, names, where)
    if set(names) != set(work.features()) or target != work.target():
        features = names
    numeric = {feature.name: feature.numeric for feature in schema.features}
    return {"target": target, "features": features, "kinds": _kinds(numeric | {target: not model.classes})}


def _target(named: str, names: tuple[str, ...], where: str) -> str:
    """What the model predicts: the column that it names, else the one in force, else the only one that it leaves."""
    left = [name for name in state.raw().names if name not in names]
    if named in left:
        return named
    if work.target() in left:
        return work.target()
    if len(left) == 1:
        return left[0]
    raise TreecoreError(
        f"The model needs {work.target()}, which is what you predict",
        where=where,
        remedy="Choose another target in the table of columns, then open the model again",
    )


def _kinds(numeric: dict[str, bool]) -> tuple:
    """Those of the record, but for columns that the model reads otherwise. numeric : does it read them as numbers?"""
    kinds, guessed = dict(state.record().kinds), {guess.name: guess.kind for guess in state.raw().guesses}
    for name, is_number in numeric.items():
        kind = getattr(kinds.get(name), "kind", kinds.get(name)) or guessed.get(name)
        if is_number != (kind == "numeric"):
            kinds[name] = "numeric" if is_number else "nominal"
    return tuple(sorted(kinds.items(), key=lambda pair: pair[0]))


def opened(step: Import, rows: Table, key: tuple) -> Ensemble:
    """The trees of a model beside these rows."""
    result = tables.read(step, rows, key)
    if isinstance(result, Tree):
        raise TreecoreError("The model is a single tree", where=step.file, remedy="Look at it on the page Explore")
    return result
