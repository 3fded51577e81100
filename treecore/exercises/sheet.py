"""An exercise sheet and its key: questions with space to work, answers with all of their arithmetic."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A small table. columns : its heads; rows : as many cells each, '' for a blank to be filled in."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Task:
    """One question. text : what is asked. given : tables that it needs. blank : what is to be filled in, or None.
    lines : empty lines to work on. key : the answer, a line each, with its arithmetic. drawn : tables of the answer.
    """

    text: str
    given: tuple[Grid, ...] = ()
    blank: Grid | None = None
    lines: int = 6
    key: tuple[str, ...] = ()
    drawn: tuple[Grid, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A title, the variant's number, and the questions."""

    title: str
    variant: int
    tasks: tuple[Task, ...]
