"""A sealed test set: no figure of its rows is made until they are opened, once, and the recipe says when."""

from dataclasses import dataclass
from datetime import date

from treecore.errors import TreecoreError


@dataclass(frozen=True)
class Seal:
    """Keep the test rows out of sight until the last decision is made.

    opened : the day on which they were opened, as "2026-01-31"; "" while they are sealed. tree : what tells the steps
    that made the tree of that day from others, as Recipe.digest; "" while they are sealed.
    """

    step = "seal"
    opened: str = ""
    tree: str = ""

    def __post_init__(self):
        if not isinstance(self.opened, str) or not isinstance(self.tree, str):
            raise TreecoreError("A seal has a day and a digest", where="seal", remedy="Give them as texts")
        if self.opened and not _is_day(self.opened):
            remedy = "Give it as 2026-01-31, or nothing while the rows are sealed"
            raise TreecoreError(f"{self.opened!r} is no day", where="opened", remedy=remedy)

    @property
    def is_closed(self) -> bool:
        return not self.opened

    def at(self, day: str, tree: str) -> "Seal":
        """The seal, opened on this day for the tree of this digest; TreecoreError where it was opened before."""
        if not self.is_closed:
            remedy = "A test set judges one tree, once: keep new rows for another look"
            raise TreecoreError(f"The test rows were opened on {self.opened}", where="Test set", remedy=remedy)
        return Seal(day, tree)

    def text(self) -> str:
        return "test rows sealed" + (f" until {self.opened}" if self.opened else "")

    def told(self, tree: str) -> str:
        """What a reader has to know of the test figures. tree : digest of the steps that make the tree now."""
        if self.is_closed:
            return "The test rows are sealed: no figure of theirs is told."
        until = f"The test rows were sealed until {self.opened}."
        if tree == self.tree:
            return f"{until} The tree is the one that they were opened for."
        return f"{until} The tree was changed after that: it may have been chosen by their figures."


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
