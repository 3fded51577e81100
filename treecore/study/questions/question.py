"""What a question of the page Experiments consists of, and what it is asked about: a table, a recipe and its tree."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.roles import Roles
from treecore.data.table import Table
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.fit import described_by, grow, prune
from treecore.judging.losses import OWN
from treecore.judging.measures import MEASURES, Measure, measures_for
from treecore.recipe import Data, Grow, Prepare, Prune, Recipe, Split
from treecore.tree.tree import Tree

Progress = Callable[[object], None]
"""Called with what an answer in the making tells of itself; an exception that it raises ends the work."""
Work = Callable[[Progress], Any]
"""Computes an answer; it may run in another thread, where nothing can be asked of an app's session."""
Told = tuple[tuple[str, object], ...]
"""Settings with their values, as they stand beside an answer."""


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Brief):
    """One thing that is chosen for a question.

    choice : the name under which it is kept. label : of its control. default : until one is chosen; None where `usual`
    or nothing stands for it. among : its only values, whatever the table. options : what there is to choose on a table,
    value -> label. usual : of a table, where none is chosen that it has; the first of the options if None.
    least, most, step : of a whole number. help, width, key : of its control; the key follows from the choice if "".
    kind : type of the value, where neither the default nor `least` tells it.
    """

    choice: str
    label: str
    default: Any = None
    among: tuple = ()
    options: "Callable[[Setup], Mapping[Any, str]] | None" = None
    usual: "Callable[[Setup], Any] | None" = None
    least: int | None = None
    most: int | None = None
    step: int = 1
    help: str | None = None
    width: int = 140
    key: str = ""
    kind: type | tuple[type, ...] = str

    def value(self, setup: "Setup") -> Any:
        """As chosen, where that is possible on the table; a number at most the largest one."""
        chosen = setup.chosen(self)
        if self.options is not None and chosen not in (known := self.options(setup)):
            return self.usual(setup) if self.usual is not None else next(iter(known), None)
        return chosen if self.most is None or chosen is None else min(chosen, self.most)


class Setup:
    """What a question is asked about: the rows, the recipe, the tree that it makes of them, and the settings chosen.

    table : all rows, with a target. recipe : with its growth; its split says which rows train. chosen : name of a
    setting -> value. measure : a name in MEASURES, by which recipes are judged; the tree's own one if None. An app
    that has made some of this already overrides these properties.
    """

    def __init__(self, table: Table, recipe: Recipe, chosen: Mapping[str, Any] | None = None, measure: str = ""):
        data = recipe.last(Data)
        self.table = table if data is None else described_by(table, data)
        self.recipe, self._chosen, self._measure = recipe, dict(chosen or {}), measure

    def __getitem__(self, setting: Setting) -> Any:
        return setting.value(self)

    def chosen(self, setting: Setting) -> Any:
        """The value that was chosen, whether it is possible on the table or not."""
        return self._chosen.get(setting.choice, setting.default)

    def cached(self, *name, make: Callable[[], Any]) -> Any:
        """What make() gives, of the tree as it is; an app makes it once. name : what it is and depends on besides."""
        return make()

    @property
    def split(self) -> Split:
        """Which rows train, validate and test."""
        return self.recipe.last(Split) or Split()

    @property
    def prepare(self) -> Prepare:
        """What is done to the rows first."""
        return self.recipe.last(Prepare) or Prepare()

    @property
    def growth(self) -> Grow:
        """How trees are grown."""
        return self.recipe.last(Grow) or Grow()

    @property
    def pruning(self) -> Prune:
        """How trees are pruned."""
        return self.recipe.last(Prune) or Prune()

    @cached_property
    def rows_as_read(self) -> Mapping[str, Table]:
        """Role -> rows, before they are prepared."""
        s, known = self.split, self.table.without_missing_target()
        parts = known.split(Roles(s.train, s.validation, s.test, stratify=s.stratify, seed=s.seed))
        return dict(zip(("train", "validation", "test"), parts, strict=True))

    @cached_property
    def roles(self) -> Mapping[str, Table]:
        """Role -> rows as trees see them."""
        return dict(zip(self.rows_as_read, self.prepare.tables(*self.rows_as_read.values()), strict=True))

    @property
    def parts(self) -> Mapping[str, Table]:
        """The same of the roles that have rows."""
        return {role: rows for role, rows in self.roles.items() if rows.n_rows}

    @property
    def held_back(self) -> str:
        """The role of the rows that judge: validation or test rows, "train" where there are none."""
        return next(role for role in ("validation", "test", "train") if role in self.parts)

    @property
    def judged_rows(self) -> Table:
        """All rows that recipes may be tried on: those of the test set stay for the end."""
        test = self.rows_as_read["test"].row_numbers
        return self.table.take(np.isin(self.table.row_numbers, test, invert=True))

    @cached_property
    def grown(self) -> Tree:
        """The unpruned tree."""
        return grow(self.roles["train"], self.recipe, validation=self.roles["validation"])

    @cached_property
    def tree(self) -> Tree:
        """The pruned tree."""
        rows = {role: self.roles[role] for role in ("train", "validation")}
        return self.grown.cut(prune(self.grown, self.pruning.method, **rows, **dict(self.pruning.parameters)))

    @property
    def measure(self) -> Measure:
        """By which recipes are judged."""
        return MEASURES[self._measure or measures_for(self.table.target_kind)[0].name]

    @property
    def recipes(self) -> Mapping[str, Recipe]:
        """Letter -> recipe, of those that are compared."""
        return {"A": self.recipe}

    @property
    def sample(self) -> str:
        """Name of the sample that the table is, "" for any other table."""
        return ""

    @property
    def judged_by(self) -> str:
        """Name of the loss by which sizes are judged, see judging.measures.MEASURED."""
        return OWN

    @property
    def risk(self) -> str:
        """Name of the loss that the nested sequence keeps least, see pruning.sequence.RISKS."""
        return OWN

    @property
    def class_names(self) -> Mapping[str, str]:
        """Class -> what texts call it."""
        return {name: name for name in self.table.classes}

    def called(self, name: str) -> str:
        """What texts call a class."""
        return self.class_names.get(name, name)


@dataclass(frozen=True)
class Picture:
    """A picture of an answer. plot : "file.function" in treecore/plots, which draws it from `data`. caption : a
    sentence below it where it stands still, in reports. height : there, in pixels. note : below it on the page.
    height_on_page : there; a picture stands above all others as high as there is room."""

    plot: str
    data: tuple
    caption: str
    height: int = 300
    note: str = ""
    height_on_page: int = 320


@dataclass(frozen=True)
class Start:
    """Work that takes long. choice : the name under which it is kept that somebody has asked for it; "" where it begins
    at once. button : asks for it, also once it was stopped. note : what it will do. doing, things : how its progress
    is told: "Growing: 3 of 50 trees". remedy : where it takes too long."""

    choice: str
    button: str
    note: str
    doing: str = "Trying"
    things: str = "trees"
    remedy: str = "choose fewer trees"


def _no_pictures(answer: Any, setup: Setup) -> list[Picture]:
    return []


def _nothing(setup: Setup) -> Told:
    return ()


def _no_words(setup: Setup) -> str:
    return ""


def _always(setup: Setup) -> bool:
    return True


ROLE = Setting(
    "importance role", "Rows", options=lambda setup: {role: role for role in setup.parts},
    usual=lambda setup: setup.held_back, width=110,
)  # fmt: skip
POSITIVE = Setting(
    "experiment positive", "Class", options=lambda setup: setup.class_names,
    usual=lambda setup: next(reversed(setup.table.classes), None), width=100,
)  # fmt: skip
"""Of several questions: the rows that judge, and the class that is looked for; None of a target of numbers."""


@dataclass(frozen=True)
class StudyQuestion:
    """An entry of the registry.

    label : the question, as people ask it. title : of what is found, or what gives it.
    work : reads what it needs of the setup, and gives what computes the answer. describe : the answer in sentences and
    tables. pictures : of it, drawn by treecore.plots.
    settings : what is chosen for it. about : what of that is told with an answer. note : a line above the answer.
    obstacle : why it cannot be asked of this tree, "" where it can. start : None where it is answered at once.
    of_tree : is it about the tree as it is, steps by hand included, or about its recipe? pruned : does pruning
    count? of_table : do the rows, or are they invented? passing : names in `about` of what is only looked through: of
    its values the last answer is kept. on_page : is it in the list of the page Experiments, or does another page ask?
    report_place : sections of a report stand by it, those of one place in the order of the registry.
    """

    name: str
    label: str
    title: str | Callable[[Setup], str]
    work: Callable[[Setup], Work]
    describe: Callable[[Any, Setup], list[Line]]
    pictures: Callable[[Any, Setup], list[Picture]] = _no_pictures
    settings: tuple[Setting, ...] = ()
    about: Callable[[Setup], Told] = _nothing
    note: Callable[[Setup], str] = _no_words
    obstacle: Callable[[Setup], str] = _no_words
    start: Start | None = None
    of_tree: bool = False
    pruned: bool = True
    of_table: Callable[[Setup], bool] = _always
    passing: tuple[str, ...] = ()
    on_page: bool = True
    report_place: int = 100

    def answer(self, setup: Setup, progress: Progress = lambda now: None) -> Any:
        """Computed here and now."""
        return self.work(setup)(progress)

    def title_of(self, setup: Setup) -> str:
        """Of what is found."""
        return self.title if isinstance(self.title, str) else self.title(setup)


def score_format(measure: Measure) -> Callable[[float], str]:
    """How scores by a measure are written."""
    return percent if measure.percent else brief


def plain_lines(lines: list[Line]) -> list[str | tuple]:
    """Paragraphs, and (heads, rows) of tables; formulas are left to the screen."""
    return list(_plain(lines))


def _plain(lines: list[Line]) -> Iterator[str | tuple]:
    for line in lines:
        if isinstance(line, Words):
            yield line.text
        elif isinstance(line, Grid):
            yield line.columns, line.rows
