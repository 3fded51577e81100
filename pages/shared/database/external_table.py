"""A table that was opened where it is: its source, and the sample of its rows that the pages show."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from secrets import token_hex

import streamlit as st

import treecore as tc
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import tables
from pages.shared.trees.plan import Plan
from treecore.database.connection import DatabaseSource, NoAnswer, Snapshot, files_of, snapshot
from treecore.database.database_table import N_CODES, ROWS_WORTH_REFINING
from treecore.database.hash_split import RowSample, row_sample
from treecore.database.open import source_of
from treecore.database.open import table_of_source as table_of
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.growing.counted_table import NeedsRows
from treecore.recipe import Split

N_DRAWN = 10_000
BY_SIZE = "by size"
REFINED = {
    BY_SIZE: f"in tables of up to {ROWS_WORTH_REFINING:,} rows", "always": "always", "never": "never",
}  # fmt: skip
"""In which tables cuts between bins are moved to the best value beside them."""
REFINE = {BY_SIZE: None, "always": True, "never": False}
"""The same as open_table and a recipe take it."""


@dataclass(frozen=True, eq=False)
class Opening:
    """A place that is to be opened. told : it, as it may be shown. steps : a resumed.Awaited to go on with there."""

    address: str = field(repr=False)
    told: str
    seconds: float | None
    steps: object = None
    token: str = field(default_factory=token_hex)

    def opened(self, look) -> "Opened":
        """Opened and sampled. look : called while a query runs."""
        source = source_of(self.address, seconds=self.seconds)
        with source.watched(lambda: look(None)):
            files = files_of(source)  # first: what is written meanwhile shows later
            some = row_sample(source, N_DRAWN)
        return Opened(source, some, replace(self, steps=None), Snapshot(some.n_rows, files))


@dataclass(frozen=True, eq=False)
class Opened:
    """asked : the opening that it is from; the table may have changed between two. first : how it was then."""

    rows_are_elsewhere = True

    source: DatabaseSource
    drawn: RowSample
    asked: Opening
    first: Snapshot
    _seen: list[Snapshot] = field(default_factory=list, init=False, repr=False)

    @property
    def token(self) -> str:
        """It tells this opening from others."""
        return self.asked.token

    @property
    def last(self) -> Snapshot:
        """How the table was when it was looked at last."""
        return self._seen[-1] if self._seen else self.first

    @property
    def change(self) -> str:
        """What is different since it was opened, in words; '' for nothing that was seen."""
        return self.first.change_to(self.last)

    def look_again(self) -> None:
        """Whoever has counted in it sees whether it is as it was; where there is no answer now, what he has is kept."""
        with suppress(TreecoreError):
            self._seen[:] = [snapshot(self.source)]

    def is_refined(self, chosen: str) -> bool:
        """Are cuts between bins moved to the best value beside them? chosen : a key of REFINED."""
        return self.drawn.n_rows <= ROWS_WORTH_REFINING if chosen == BY_SIZE else REFINE[chosen]


# The rows of a table that stays where it is, by role, as an engine counts them, and the tree grown from its counts.

AGAIN = 1.0
"""Seconds after a fault in which nothing is tried again: those of a run of a page."""


def is_on() -> bool:
    """Does the session's table stay where it is?"""
    return state.opened() is not None


@dataclass(frozen=True)
class PlaceRequest:
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
        return cache.get(("counted", self.key), self._made)

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
                cache.forget(("counted", self.key))  # where the table has changed, the next try describes it anew
                raise

        return run


def asked() -> PlaceRequest:
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
    return PlaceRequest(key, state.opened(), table.target, wanted, table.features, record.split, record.refine, sealed)


def _needs_rows(what: str, remedy: str) -> TreecoreError:
    return TreecoreError(f"{what} are not counted in an engine", where="Table", remedy=remedy)


def grown(plan: Plan, key: tuple, by_hand: bool) -> tc.Tree:
    """The full tree, grown in the background from an engine's counts of all training rows."""
    if by_hand:
        raise _needs_rows("Splits taken by hand", "Undo this step, or try it on a sample given as a file")
    what, growth = asked(), plan.grow.growth()
    make = what.watched(lambda roles, report: tc.grow(roles["train"], growth, progress=report))
    words = "Growing", "change a limit", "Grow this tree"
    return _once(key, lambda: _rerun_if_changed(
        lambda: long_work.cached_in_background(key, make, _describe_opening, *words)
    ))  # fmt: skip


_faults: dict[tuple, tuple[TreecoreError, float]] = {}


def _once(key: tuple, make: Callable) -> tc.Tree:
    """make(); what went wrong with it just now is raised again, so that one run of a page does not try it twice."""
    fault, when = _faults.pop(key, (None, 0.0))
    if fault is not None and time.monotonic() - when < AGAIN:
        _faults[key] = fault, when
        raise fault
    try:
        return make()
    except TreecoreError as error:
        _faults[key] = error, time.monotonic()
        raise


def _describe_opening(progress) -> str:
    if progress is None:
        return "Describing the columns …"
    many = "1 node" if progress.n_nodes == 1 else f"{progress.n_nodes:,} nodes"
    return f"Growing where the rows are: {many} so far, {progress.n_waiting:,} waiting to be split"


def cached_query(key: tuple, what: str, make: Callable):
    """make(role -> counted rows), made in the background and kept under this key. what : it is doing, in words."""
    return with_progress(key, what, lambda roles, _: make(roles), lambda _: f"{what} …")


def with_progress(key: tuple, what: str, make: Callable, said: Callable[[object], str]):
    """The same for make(role -> counted rows, report). said : what was reported, in words."""
    told = lambda now: f"{what} …" if now is None else said(now)  # noqa: E731
    watched = asked().watched(make)
    return _rerun_if_changed(
        lambda: long_work.cached_in_background(key, watched, told, what, "change a setting", "Go on")
    )


def _rerun_if_changed(count: Callable):
    """What count() gives. Where the table was seen to have changed meanwhile the page runs again, to say so on top."""
    before, found = state.opened().change, count()
    if state.opened().change and not before:
        st.rerun()
    return found


# What the screen says of a table that stays where it is: how large it is, and what is only a sample of it.

_REFINED = {
    True: ", and then at the best value within the two bins beside it",
    False: "; All settings beside a tree has a switch for cuts within bins",
}


def n_rows() -> int:
    """Of the session's table, wherever it is, when they were counted last."""
    opened = state.opened()
    return state.raw().n_rows if opened is None else opened.last.n_rows


def size() -> str:
    """ "1,000,000 rows, 11 columns"."""
    return f"{counted(n_rows(), 'row')}, {counted(len(state.raw().names), 'column')}"


def is_sampled() -> bool:
    """Is what stands here row by row a sample?"""
    opened = state.opened()
    return opened is not None and opened.drawn.is_part


def sample() -> str:
    """ "a sample of 10,000 of 1,000,000 rows", as many as there were when it was drawn."""
    return f"a sample of {state.raw().n_rows:,} of {counted(state.opened().drawn.n_rows, 'row')}"


def note() -> None:
    """Beside every tree: what counts all rows, and what a sample of them."""
    if is_sampled():
        every = (
            "the rows that were there when each number was counted"
            if state.opened().change
            else f"all {n_rows():,} rows"
        )
        st.caption(
            f"Your tree, its bars, scores and sizes count {every}. What else is told here is of "
            f"{sample()}, drawn by their hash."
        )


def where() -> None:
    """On the page Data: what is counted where the rows are, and what is looked at here."""
    if state.opened() is None:
        return
    all_of_it = "Trees are grown, pruned and judged on all rows. The rows stay where they are and are only read."
    refined = state.opened().is_refined(state.record().refine)
    all_of_it += f" Numbers of more than {N_CODES} values are cut between bins{_REFINED[refined]}."
    some = f" Columns, charts and single rows below are shown by {sample()}, drawn by their hash." * is_sampled()
    st.info(all_of_it + some, icon=":material/database:")
