"""Models made elsewhere, read beside the table: a tree that is yours, or trees that answer together."""

import treecore as tc
from pages.shared.server import memo
from pages.shared.session import state
from treecore.ensembles import Ensemble
from treecore.errors import TreecoreError
from treecore.importing import read_model
from treecore.recipe import Import
from treecore.tree.tree import Tree


def read(step: Import, rows: tc.Table | None, key: tuple) -> Tree | Ensemble:
    """The model, with these rows counted in its nodes. key : what the rows depend on. TreecoreError where its file is
    not here, or does not fit the rows."""
    file = state.model(step.digest)
    if file is None:
        remedy = "Drop this file on the page Data, beside the table, or choose an algorithm in the bar at the left"
        raise TreecoreError("The tree is read from this model, whose file is not kept", where=step.file, remedy=remedy)
    make = lambda: read_model(file, rows, classes=step.classes or None)  # noqa: E731
    return memo.get(("model", step.digest, step.classes, key), make)


def tree(step: Import, rows: tc.Table, key: tuple) -> Tree:
    """The single tree of a model."""
    found = read(step, rows, key)
    if not isinstance(found, Tree):
        remedy = "Open it under Experiments, “Would many trees do better?”"
        raise TreecoreError("The model has several trees", where=step.file, remedy=remedy)
    return found


def in_force() -> bool:
    """Is your tree read from a model, so that nothing can be grown in it?"""
    return isinstance(state.record().grow, Import)
