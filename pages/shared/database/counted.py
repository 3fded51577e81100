"""The rows of a table that stays where it is, by role, as an engine counts them, and the tree grown from its counts."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

import treecore as tc
from pages.shared.database.opened import Opened
from pages.shared.server import background, memo
from pages.shared.session import state
from pages.shared.trees import tables
from pages.shared.trees.plan import Plan
from treecore.database.connection import NoAnswer
from treecore.database.database_table import N_CODES
from treecore.database.open import table_of_source as table_of
from treecore.errors import TreecoreError
from treecore.growing.aggregates.covered import NeedsRows
from treecore.recipe import Split

AGAIN = 1.0
"""Seconds after a fault in which nothing is tried again: those of a run of a page."""


def is_on() -> bool:
    """Does the session's table stay where it is?"""
    return state.opened() is not None


@dataclass(frozen=True)
class Asked:
    """What the counted rows depend on; it may be asked outside of the session. key : tells them from others."""

    key: tuple
    opened: Opened = field(compare=False)
    target: str
    kinds: tuple
    features: tuple[str, ...]
    split: Split
    refine: str
    sealed: bool = False

    def roles(self) -> dict[str, object]:
        """Role -> a table whose rows an engine counts, without roles that have none."""
        return memo.get(("counted", self.key), self._made)

    def _made(self) -> dict[str, object]:
        given, refined = self.opened, self.opened.is_refined(self.refine)
        whole = table_of(given.source, self.target, dict(self.kinds), self.features, (), N_CODES, refined)
        parts = dict(zip(tables.ROLES, whole.split(self.split.roles()), strict=False))
        hidden = "test" if self.sealed else ""
        found = {name: part for name, part in parts.items() if part.n_rows and name != hidden}
        if "train" not in found:
            remedy = "Give training a larger share on the page Data, or check that the table still has rows"
            raise NoAnswer("It has no rows to train on", where=given.source.name, remedy=remedy)
        return found

    def watched(self, make: Callable) -> Callable:
        """make(roles, report), given a callback for progress, which every query calls with what was told last."""

        def run(report):
            last = [None]

            def told(now) -> None:
                last[0] = now
                report(now)

            try:
                with self.opened.source.watched(lambda: report(last[0])):
                    found = make(self.roles(), told)
                    self.opened.look_again()
                    return found
            except NeedsRows:  # what was described is not the reason, and is kept for the next try
                raise
            except TreecoreError:
                memo.forget(("counted", self.key))  # where the table has changed, the next try describes it anew
                raise

        return run


def asked() -> Asked:
    """What is asked for now; TreecoreError where it needs the rows."""
    record, table = state.record(), tables.table()
    if record.weights:
        raise _needs_rows("Case weights", "Choose no weights on the page Data")
    if record.derive:
        raise _needs_rows("Parts of dates", "Leave them out of the features on the page Data, or create them in a view")
    if table.target is None or not table.features:
        tables.check_trainable(table)
    kinds = {name: table.column(name).kind for name in (*table.features, table.target)} | dict(record.kinds)
    wanted = tuple(sorted((name, kind) for name, kind in kinds.items() if name in (*table.features, table.target)))
    sealed = tables.is_sealed()
    key = (*tables.table_key(), record.split, sealed)
    return Asked(key, state.opened(), table.target, wanted, table.features, record.split, record.refine, sealed)


def _needs_rows(what: str, remedy: str) -> TreecoreError:
    return TreecoreError(f"{what} are not counted in an engine", where="Table", remedy=remedy)


def grown(plan: Plan, key: tuple, by_hand: bool) -> tc.Tree:
    """The full tree, grown in the background from an engine's counts of all training rows."""
    if by_hand:
        raise _needs_rows("Splits taken by hand", "Undo this step, or try it on a sample given as a file")
    what, growth = asked(), plan.grow.growth()
    make = what.watched(lambda roles, report: tc.grow(roles["train"], growth, progress=report))
    job = lambda: background.kept(key, make, _said, "Growing", "change a limit", "Grow this tree")  # noqa: E731
    return _once(key, lambda: _told_of_change(job))


_faults: dict[tuple, tuple[TreecoreError, float]] = {}


def _once(key: tuple, make: Callable) -> tc.Tree:
    """make(); what went wrong with it just now is raised again, so that one run of a page does not try it twice."""
    fault, when = _faults.pop(key, (None, 0.0))
    if fault is not None and time.monotonic() - when < AGAIN:
        _faults[key] = fault, when
        raise fault
    try:
        return make()
    except TreecoreError as found:
        _faults[key] = found, time.monotonic()
        raise


def _said(progress) -> str:
    if progress is None:
        return "Describing the columns …"
    many = "1 node" if progress.n_nodes == 1 else f"{progress.n_nodes:,} nodes"
    return f"Growing where the rows are: {many} so far, {progress.n_waiting:,} waiting to be split"


def kept(key: tuple, what: str, make: Callable):
    """make(role -> counted rows), made in the background and kept under this key. what : it is doing, in words."""
    return with_progress(key, what, lambda roles, _: make(roles), lambda _: f"{what} …")


def with_progress(key: tuple, what: str, make: Callable, said: Callable[[object], str]):
    """The same for make(role -> counted rows, report). said : what was reported, in words."""
    told = lambda now: f"{what} …" if now is None else said(now)  # noqa: E731
    watched = asked().watched(make)
    return _told_of_change(lambda: background.kept(key, watched, told, what, "change a setting", "Go on"))


def _told_of_change(count: Callable):
    """What count() gives. Where the table was seen to have changed meanwhile the page runs again, to say so on top."""
    before, found = state.opened().change, count()
    if state.opened().change and not before:
        st.rerun()
    return found
