"""What a detector says of a column."""

from collections.abc import Callable
from dataclasses import dataclass

from treecore.data.table import Table

LEAVE_OUT, BY_DATE, OWN_VALUE = "leave out", "by date", "missing is a value of its own"
MISSING, MERGE = "read {} as missing", "merge into the most frequent spelling"
ONE_LEVEL = "split one level against the rest"
KEEP_ONCE, USE = "keep each row once", "ask for {} too"


@dataclass(frozen=True)
class Finding:
    """A column that may mislead a tree.

    detector : name of the entry that found it. column : its name. number : what speaks for it, in the unit that `text`
    tells. text : a sentence with the number. remedy : what a click does, in words: LEAVE_OUT, or BY_DATE, which
    lets the earlier rows train and the later ones judge, or what `growth` does. others : columns that
    mislead only together with it, or in the same rows. growth : (setting of growth, value) pairs that are the remedy.
    reading : pairs for ReadOptions.with_more that are: the table is read so. use : columns that become features.
    Of a finding about rows `column` may be ""; where no click helps, `remedy` is, and the text says what could.
    """

    detector: str
    column: str
    number: float
    text: str
    remedy: str = LEAVE_OUT
    others: tuple[str, ...] = ()
    growth: tuple[tuple[str, object], ...] = ()
    reading: tuple[tuple[str, object], ...] = ()
    use: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All that the remedy is about."""
        return (self.column, *self.others)


@dataclass(frozen=True)
class Detector:
    """One sort of trap. find : table -> findings about its features. why : what it does to a tree."""

    name: str
    label: str
    why: str
    find: Callable[[Table], list[Finding]]
