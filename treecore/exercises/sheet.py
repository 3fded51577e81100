"""An exercise sheet and its key: questions with space to work, answers with all of their arithmetic."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Grid:
    """A small table. columns : its heads; rows : as many cells each, '' for a blank to be filled in."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Blank:
    """One answer that a machine can mark: a number, or a choice.

    asks : what belongs there, understood without the others. value, within : the number as computed, and how far an
    answer may be from it. options, right : what can be chosen, and the places of what is right, as several may be.
    place : row and column of it in the task's table, or None for one below it. path : of a node of a tree that is to
    be drawn, the attributes asked above it, each with the branch that leads on; None elsewhere.
    """

    asks: str
    value: float = 0.0
    within: float = 0.0
    options: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    place: tuple[int, int] | None = None
    path: tuple[tuple[str, str], ...] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Task:
    """One question. text : what is asked. given : tables that it needs. blank : what is to be filled in, or None.
    lines : empty lines to work on. key : the answer, a line each, with its arithmetic. drawn : tables of the answer.
    blanks : what is marked in a quiz. hint : the rule or the formula it is answered by. draws : where the answer is a
    tree to be drawn, the attributes that can be asked, each with its branches; draws_rows : of every row the place of
    its branch, attribute by attribute.
    """

    text: str
    given: tuple[Grid, ...] = ()
    blank: Grid | None = None
    lines: int = 6
    key: tuple[str, ...] = ()
    drawn: tuple[Grid, ...] = ()
    blanks: tuple[Blank, ...] = ()
    hint: str = ""
    draws: tuple[tuple[str, tuple[str, ...]], ...] = ()
    draws_rows: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A title, the variant's number, and the questions."""

    title: str
    variant: int
    tasks: tuple[Task, ...]

    @property
    def markable(self) -> tuple[Task, ...]:
        """The questions that have answers which a machine can mark."""
        return tuple(task for task in self.tasks if task.blanks)
