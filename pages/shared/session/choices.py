"""Every setting of a page that is kept with the session: its name, what holds until one is made, what it may be.

A name that is not here is a mistake of ours and says so. A kept value that its entry does not allow, of a note that was
damaged or is older, counts as if nothing had been chosen.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from numbers import Integral, Real

from treecore.covering import LEARNERS
from treecore.errors import TreecoreError
from treecore.export.row_sample import SAMPLINGS
from treecore.judging.measures import MEASURED
from treecore.pruning.sequence import RISKS
from treecore.recipe import Import
from treecore.study.homogeneity import CORRECTIONS
from treecore.study.questions import QUESTIONS
from treecore.study.questions.learning_curve import NOISES
from treecore.study.questions.question import Setting


@dataclass(frozen=True)
class Choice:
    """default : until one is made; a page says another where it follows from the table. kind : type of the value;
    None, too, where that is the default. among : the only values; () for any of the kind. least : of a number.
    of_the_server : only this server can go on with it, so the browser does not keep it."""

    default: object = None
    kind: type | tuple[type, ...] = str
    among: tuple = ()
    least: float | None = None
    of_the_server: bool = False

    def allows(self, value) -> bool:
        """May it be this value?"""
        if value is None:
            return self.default is None
        if not isinstance(value, self.kind) or (isinstance(value, bool) and self.kind in (Integral, Real)):
            return False
        if self.least is not None and value < self.least:
            return False
        return not self.among or value in self.among


def one_of(*values) -> Choice:
    """One of these words or numbers, at first the first."""
    return Choice(values[0], type(values[0]), values)


def switch(on: bool = False, **more) -> Choice:
    """On or off."""
    return Choice(on, bool, **more)


def count(default: int | None, least: int = 0, **more) -> Choice:
    """A whole number, not below `least`."""
    return Choice(default, Integral, least=least, **more)


NAME, ANYTHING = Choice(), Choice(kind=object)
WORDS, TABLE, NAMES = Choice(""), Choice({}, dict), Choice(kind=(list, tuple))
DATA = {
    "sample": Choice(of_the_server=True), "uploader": count(0, of_the_server=True), "other_upload": count(0),
    "go on to the tree": Choice(kind=(bool, str), of_the_server=True),
    "first recipe": Choice(False, bool, of_the_server=True), "first growth preferred": WORDS,
    "ordered": NAME, "histogram": NAME,
    "name refused": WORDS, "pair 0": NAME, "pair 1": NAME, "pair shown": one_of("counts", "shares", "expected"),
    "third counted": NAME,
}  # fmt: skip
GROWTH = {
    "asked of settings": WORDS, "former growth": ANYTHING, "refitted": NAME, "costs for": Choice(kind=tuple),
    "costs panel": switch(), "cost edits": count(0), "loss row": count(0), "loss said": WORDS,
    "answers worth": one_of("loss", "profit"), "priors said": WORDS,
    "priors draft": Choice((None, None), tuple), "feature costs said": WORDS,
}  # fmt: skip
CANVAS = {
    "detail": one_of("look", "learn", "lab"), "interest": WORDS, "orientation": Choice("", str, ("", "LR", "TB")),
    "shape": one_of("tree", "icicle", "sunburst"), "ghosts": switch(), "routes": switch(),
    "empty": switch(True), "within": count(0), "picture paper": Choice("", str, ("", "slide", "a4")),
    "page rows": switch(), "page rows count": count(200, 1), "page rows without": Choice((), (list, tuple)),
    "page rows drawn": Choice("leaves", among=tuple(SAMPLINGS)),
    "window wide": count(1366), "window high": count(768),
    "coming": switch(), "second_bar": NAME, "bars show": WORDS,
    "twin_correction": Choice("holm", among=tuple(CORRECTIONS)),
    "twin_level": Choice(0.05, float, (0.001, 0.01, 0.05, 0.1)),
}  # fmt: skip
NODE = {
    "drawer": one_of("Why", "Rivals", "Rows", "What if"), "every_cut": switch(), "landscape": switch(),
    "measure_of_cuts": NAME, "scale_of_cuts": one_of("values", "ranks"), "offered": ANYTHING,
    "rows of": Choice("train"), "only wrong": switch(), "what if": TABLE, "row of what if": count(1, 1),
}  # fmt: skip
SIZES = {
    "measure": NAME, "size": one_of("leaves", "nodes", "depth"),
    "risk": Choice("error", among=tuple(name for name, _ in RISKS)),
    "judged_by": Choice("error", among=tuple(name for name, _ in MEASURED)),
    "cross_validate": switch(), "folds": count(10, 2),
    "folds_seed": count(0),
}  # fmt: skip
COURT = {
    "court": NAMES, "court_parameters": TABLE, "court_nodes": one_of("all", "where the methods disagree"),
    "court_ghosts": Choice("your tree"), "judged in": NAME, "opened rows": NAME, "opened tree": NAME,
}  # fmt: skip
REGIONS = {
    "regions_tree": one_of("pruned", "unpruned", "votes"), "regions_roles": NAMES, "axis_x": NAME, "axis_y": NAME,
    "plane rest": one_of("at chosen values", "as in one row", "as in all rows"), "plane row": count(1, 1),
    "clicked row": count(None), "fixed": TABLE, "sliced": NAME, "plane moved row": count(None),
    "plane moved x": Choice(kind=Real), "plane moved y": Choice(kind=Real), "plane borders": switch(),
}  # fmt: skip
COMPARE = {
    "compared A": NAME, "compared B": NAME, "compare tab": one_of("Numbers", "Rows", "Regions", "Classes"),
    "view": one_of("beside", "overlay", "ghosts"), "changed role": NAME, "kept trees": Choice((), tuple),
    "name to keep": WORDS, "confusion_role": NAME, "confusion_tree": NAME, "confusion_shown": NAME, "positive": NAME,
}  # fmt: skip


def _of_setting(setting: Setting) -> Choice:
    """What a setting of a question may be; options that follow from the table are any value of their kind."""
    if isinstance(setting.default, bool):
        return switch(setting.default)
    if setting.among:
        return Choice(setting.default, type(setting.default), setting.among)
    whole = setting.least is not None and setting.kind is str
    return Choice(setting.default, Integral if whole else setting.kind, least=setting.least)


EXPERIMENTS = {
    "experiment": one_of(*(name for name, question in QUESTIONS.items() if question.on_page), "found"),
    "experiment recipes": NAMES, "experiment measure": NAME,
    "experiment curve": NAME, "experiment tree": WORDS, "experiment fold": count(0), "experiment fold of": NAME,
    "cut points of": NAME, "regrown shown": one_of("yours", "representative"), "along shown": one_of(*NOISES),
    "many model": Choice(kind=Import, of_the_server=True), "many asks": NAME, "many needs": switch(),
    "many shown": one_of("one", "nearest"), "many tree": count(1, 1),
    "optimal within": count(None), "optimal place": count(1, 1),
    "fed step": count(0), "fed way": one_of("exact", "hoeffding"), "fed shown": one_of("change", "tree", "ways"),
}  # fmt: skip
"""What is looked at; what is chosen for a question its own entry says."""
for question in QUESTIONS.values():
    EXPERIMENTS |= {setting.choice: _of_setting(setting) for setting in question.settings}
    if question.start is not None and question.start.choice:
        EXPERIMENTS[question.start.choice] = switch()
RULES = {
    "rules_view": one_of("as read", "without implied", "post-pruned"), "rules shown": count(12),
    "rules learned": Choice("", among=("", *LEARNERS)),
    "find rule": WORDS, "rule answer": Choice("every answer"),
    "rule order": one_of("most rows first", "in their order"),
}  # fmt: skip
PREDICT = {
    "ask by": one_of("Row", "Questions", "Changes", "Table"), "row to predict": count(None, 1),
    "values to predict": TABLE, "answers": TABLE, "wanted": NAME, "wanted range": NAMES, "limits of changes": TABLE,
    "file of rows to answer": Choice(kind=dict), "file of the other table": Choice(kind=dict),
}  # fmt: skip
SEGMENTS = {
    "segments role": NAME, "segments by": one_of("rows", "budget", "rate", "profit"), "segments line": TABLE,
    "segments budget": Choice(kind=Real, least=0), "segments contact": Choice(kind=Real, least=0),
    "segments ranked": one_of("risk", "answer"), "horizon": Choice(kind=Real, least=0),
    "segments worth": TABLE, "segments curve": one_of("gains", "lift"), "segments sorted": NAME,
}  # fmt: skip
LEARN = {
    "splits made": count(1), "guide": NAME, "guide step": count(0), "guide search": WORDS,
    "all guides": switch(), "more digits": switch(),
    "present": NAME, "impurity measure": NAME, "impurity scaled": switch(), "distance": NAME,
    "distance columns": NAMES, "distance row x": count(1, 1), "distance row y": count(2, 1),
    "exercise variant": count(0), "exercise measure": one_of("entropy", "gini"),
    "quiz variants": count(5, 1), "exercise key": switch(), "exercise at node": switch(), "exercise kinds": NAMES,
    "guesses": TABLE, "guess game": one_of("one", "three", "cut", "falls"), "guess place": count(None),
    "glossary word": WORDS, "classwork": WORDS, "class code": WORDS, "class pages": NAMES, "class guesses": count(3),
    "class numbered": switch(), "class sheet": switch(),
    "guess said": NAMES, "guess at": Choice(kind=Real), "guess link": count(None),
}  # fmt: skip
CHOICES: dict[str, Choice] = (
    DATA | GROWTH | CANVAS | NODE | SIZES | COURT | REGIONS | COMPARE | EXPERIMENTS | RULES | SEGMENTS | PREDICT | LEARN
)
EDITS = "edits of "
"""Before the name of an editable table: how often it was edited."""
FAMILIES = {
    EDITS: count(0), "beside is open ": switch(True), "beside is wider ": switch(),
    "purpose is closed ": switch(),
    "beside has ": Choice(0.0, Real, least=0), "experiment side ": NAME,
}  # fmt: skip
"""Beginnings of names that go on with a table, a page, a side."""


def entry(name: str) -> Choice:
    """What is known of this choice; TreecoreError where there is none of this name."""
    result = _entry_of(name)
    if result is None:
        raise TreecoreError("No choice has this name", where=name, remedy="Name it in pages/shared/session/choices.py")
    return result


def _entry_of(name: str) -> Choice | None:
    return CHOICES.get(name) or next((e for start, e in FAMILIES.items() if name.startswith(start)), None)


def value_of(kept: Mapping, name: str, default=None):
    """The kept value, if it may be one; else the default, this one or that of the entry."""
    known = entry(name)
    value = kept.get(name)
    if name in kept and known.allows(value):
        return value
    return copy(known.default) if default is None else default


def checked(name: str, value):
    """The value; TreecoreError where the choice cannot be it."""
    if not entry(name).allows(value):
        raise TreecoreError(f"It cannot be {value!r}", where=name, remedy="See pages/shared/session/choices.py")
    return value


def is_known(name, value) -> bool:
    """Is there such a choice, and may it be this value?"""
    return isinstance(name, str) and _entry_of(name) is not None and entry(name).allows(value)


def is_portable(name, value) -> bool:
    """May the browser keep it, or have kept it?"""
    return is_known(name, value) and not entry(name).of_the_server
