"""From the record to tables: the encoded one, and the rows of each role, each made once and then kept."""

from dataclasses import replace

import numpy as np

import treecore as tc
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.widgets import messages
from treecore.data import build_table, why_target
from treecore.data.table_like import lone_value
from treecore.ensembles import Ensemble
from treecore.errors import TreecoreError
from treecore.importing import read_model
from treecore.recipe import Import, Prepare, Split
from treecore.target import Counted
from treecore.tree.tree import Tree

ROLES = ("train", "validation", "test", "pruning", "estimation")
"""The last two only where rows are for pruning, or for the figures of the leaves, alone."""
MOST_TOLD = 6
"""Columns named in a message."""


def table_key() -> tuple:
    """What the encoded table depends on. Without a table, the page says where to get one and ends."""

    def make() -> tuple:
        messages.need(state.raw(), "Load a table first: a file of yours or a sample.", "pages/data.py", "Data")
        r = state.record()
        place = (state.opened().token, state.record().refine) if state.opened() else ()
        rows = (state.raw().fingerprint, r.weights, r.infinite, place)
        return cache.Key(("table", *rows, predicted(), r.kinds, r.features, r.derive))

    return state.derived("table key", make)


def predicted() -> str | Counted | None:
    """What is predicted, as it was chosen or guessed: a column, or counts with their exposure."""

    def make() -> str | Counted | None:
        chosen = state.record().target or why_target(state.raw().guesses).predicted
        # an engine sums up no deviances: the counts of a table that stays where it is are numbers
        return chosen if state.opened() is None else getattr(chosen, "name", chosen)

    return state.derived("predicted", make)


def target() -> str | None:
    """The column that is predicted."""
    result = predicted()
    return getattr(result, "name", result)


def target_columns() -> tuple[str, ...]:
    """The columns that the target takes: no feature is one of them."""
    result = predicted()
    return tuple(filter(None, (target(), getattr(result, "exposure", None))))


def passed_over() -> str:
    """Why another column than one would expect is predicted, where it was chosen unasked; "" for nothing to say."""
    result, place = why_target(state.raw().guesses), state.opened()
    if state.record().target is not None or not result.passed or result.name is None:
        return ""
    looked_at = " (looked at: the sample)" * (place is not None and place.drawn.is_part)
    return f"{result.passed.rstrip('.')}{looked_at}: “{result.name}” was taken in its place."


def features() -> tuple[str, ...]:
    """Names of the features in force."""

    def make() -> tuple[str, ...]:
        r = state.record()
        others = (*target_columns(), r.weights)
        chosen = r.features if r.features is not None else [g.name for g in state.raw().guesses if g.use == "feature"]
        return tuple(name for name in chosen if name not in others)

    return state.derived("features", make)


def table() -> tc.Table:
    """The encoded table with its target and features; rows without a target are left out, with a note."""

    r = state.record()
    return cache.get(table_key(), lambda: table_as(predicted(), r.kinds, None if r.features is None else features()))


def table_as(target: str | Counted | None, kinds: tuple, features: tuple[str, ...] | None) -> tc.Table:
    """The table with another target, other kinds and features, all else as in the record."""
    r = state.record()
    built = build_table(
        state.raw(), target=target, kinds=dict(kinds), features=features, weights=r.weights,
        derive=dict(r.derive) or None, infinite=r.infinite,
    )  # fmt: skip
    if built.target is None or not built.target_column.present().any():
        return built
    known = built.without_missing_target()
    note = lone_value(known)
    return replace(known, notes=(*known.notes, note)) if note else known


def description(column: str) -> str:
    """What a column holds, in the user's words or those of its file; "" where neither says it."""
    return dict(state.record().descriptions).get(column, state.raw().labels.get(column, ""))


def roles_key(how: Prepare) -> tuple:
    """What the prepared rows of the roles depend on."""
    return state.derived(("roles", how), lambda: cache.Key(("roles", table_key(), state.record().split, how)))


def unprepared_roles() -> dict[str, tc.Table]:
    """The rows of each role before any preparation; they share the table's encoding.

    Of a table that stays where it is: the rows of the sample, with the roles that they have there.
    """
    result = _every_role()
    return result | {"test": result["test"].take([])} if is_sealed() else result


def is_sealed() -> bool:
    """Are the test rows out of sight? Then no page gets any of them."""
    seal = state.record().seal
    return seal is not None and seal.is_closed


def table_in_sight() -> tc.Table:
    """The encoded table without sealed rows."""
    if not is_sealed():
        return table()
    without = lambda: table().take(np.isin(table().row_numbers, _every_role()["test"].row_numbers, invert=True))  # noqa: E731
    return cache.get(sight_key(), without)


def sight_key() -> tuple:
    """What the rows in sight depend on."""
    return cache.Key(("in sight", table_key(), state.record().split)) if is_sealed() else table_key()


def rows_apart() -> np.ndarray:
    """int64: row numbers of the test rows, sealed or not, and of estimation, by which nothing is chosen."""
    given = _every_role()
    return np.concatenate([given[role].row_numbers for role in ("test", "estimation") if role in given])


def n_test() -> int:
    """Test rows, sealed or not."""
    return _every_role()["test"].n_rows


def _every_role() -> dict[str, tc.Table]:
    split, place = state.record().split, state.opened()
    return cache.get(("roles", table_key(), split), lambda: _by_role(table(), split, place))


def _by_role(whole: tc.Table, split: Split, place) -> dict[str, tc.Table]:
    if place is None:
        return whole.by_role(split.roles())
    parts = (whole.take(has[whole.row_numbers]) for has in place.drawn.places(split.roles()))
    return dict(zip(ROLES, parts, strict=False))


def prepared(how: Prepare) -> tuple[dict[str, tc.Table], TreecoreError | None]:
    """The rows of each role, and why they could not be prepared: then they are as given."""

    def make() -> tuple[dict[str, tc.Table], TreecoreError | None]:
        given = unprepared_roles()
        if state.opened() is not None and how != Prepare():
            remedy = "Take fills, bins and the like back, and make them in a view of the database"
            return given, TreecoreError(
                "Rows that stay where they are cannot be prepared", where="Preparation", remedy=remedy
            )
        try:
            return dict(zip(given, how.tables(*given.values()), strict=True)), None
        except TreecoreError as fault:
            return given, fault

    return cache.get((roles_key(how), is_sealed()), make)


def check_rows() -> None:
    """TreecoreError for a table of one row: nothing is learned from it, whatever its columns are."""
    if table().n_rows == 1:
        remedy = "A tree learns from differences between rows: load a table with more of them"
        raise TreecoreError("The table has one row", where="Rows", remedy=remedy)


def check_trainable(train: tc.Table) -> None:
    """TreecoreError naming the first thing that keeps a tree from growing, and what was left out unasked."""
    check_rows()
    if len(table().column_names) > 1:
        if not train.features and state.record().features is None:
            raise _nothing_left()
        if train.n_rows == 1:
            remedy = "Load more rows, or give the training role a larger share of them on the page Data"
            raise TreecoreError("There is one training row", where="Rows", remedy=remedy)
    train.check_trainable()


def _nothing_left() -> TreecoreError:
    left = [g for g in state.raw().guesses if g.name not in (*target_columns(), state.record().weights)]
    told = [f"“{g.name}”: {g.reason.removeprefix('Left out: ').rstrip('.')}" for g in left[:MOST_TOLD]]
    if len(left) > MOST_TOLD:
        told.append(f"and {len(left) - MOST_TOLD:,} more")
    what = f"No feature is left, as every column besides the target was left out ({'; '.join(told)})"
    remedy = "Set one of them to “feature” in the table of columns on the page Data, or derive parts of a date there"
    if not passed_over():
        return TreecoreError(what, where="Features", remedy=remedy)
    remedy = f"Choose another target on the page Data, or give a table in which the target has values. {remedy}"
    return TreecoreError(f"{passed_over()} {what}", where="Target", remedy=remedy)


# Models made elsewhere, read beside the table: a tree that is yours, or trees that answer together.


def read(step: Import, rows: tc.Table | None, key: tuple) -> Tree | Ensemble:
    """The model, with these rows counted in its nodes. key : what the rows depend on. TreecoreError where its file is
    not here, or does not fit the rows."""
    file = state.model(step.digest)
    if file is None:
        remedy = "Drop this file on the page Data, beside the table, or choose an algorithm in the bar at the left"
        raise TreecoreError("The tree is read from this model, whose file is not kept", where=step.file, remedy=remedy)
    make = lambda: read_model(file, rows, classes=step.classes or None)  # noqa: E731
    return cache.get(("model", step.digest, step.classes, key), make)


def tree(step: Import, rows: tc.Table, key: tuple) -> Tree:
    """The single tree of a model."""
    result = read(step, rows, key)
    if not isinstance(result, Tree):
        remedy = "Open it under Experiments, “Would many trees do better?”"
        raise TreecoreError("The model has several trees", where=step.file, remedy=remedy)
    return result


def in_force() -> bool:
    """Is your tree read from a model, so that nothing can be grown in it?"""
    return isinstance(state.record().grow, Import)
