"""A table that was opened where it is: its source, and the sample of its rows that the pages show."""

from dataclasses import dataclass, field
from secrets import token_hex

from treecore.database.address import source_of
from treecore.database.drawn import Drawn, drawn
from treecore.database.source import Source
from treecore.database.table import ROWS_WORTH_REFINING

N_DRAWN = 10_000
BY_SIZE = "by size"
REFINED = {
    BY_SIZE: f"in tables of up to {ROWS_WORTH_REFINING:,} rows", "always": "always", "never": "never",
}  # fmt: skip
"""In which tables cuts between bins are moved to the best value beside them."""
REFINE = {BY_SIZE: None, "always": True, "never": False}
"""The same as open_table and a recipe take it."""


@dataclass(frozen=True, eq=False)
class Opened:
    """token : tells this opening from others: the table may have changed between two."""

    rows_are_elsewhere = True

    source: Source
    drawn: Drawn
    token: str

    def is_refined(self, chosen: str) -> bool:
        """Are cuts between bins moved to the best value beside them? chosen : a key of REFINED."""
        return self.drawn.n_rows <= ROWS_WORTH_REFINING if chosen == BY_SIZE else REFINE[chosen]


@dataclass(frozen=True, eq=False)
class Opening:
    """A place that is to be opened. told : it, as it may be shown."""

    address: str = field(repr=False)
    told: str
    seconds: float | None
    token: str = field(default_factory=token_hex)

    def opened(self, look) -> Opened:
        """Opened and sampled. look : called while a query runs."""
        source = source_of(self.address, seconds=self.seconds)
        with source.watched(lambda: look(None)):
            return Opened(source, drawn(source, N_DRAWN), self.token)
