"""A table that was opened where it is: its source, and the sample of its rows that the pages show."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from secrets import token_hex

from treecore.database.connection import DatabaseSource, Snapshot, files_of, snapshot
from treecore.database.database_table import ROWS_WORTH_REFINING
from treecore.database.hash_split import RowSample, row_sample
from treecore.database.open import source_of
from treecore.errors import TreecoreError

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
