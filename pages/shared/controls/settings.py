"""What a setting of growth is on the screen, and what decides whether it makes sense."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import treecore as tc
from treecore.growing.search.searchers import is_tested
from treecore.growing.settings.grow_settings import GrowSettings, usual_criterion
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.growing.settings.words import LABELS
from treecore.registry import Registry
from treecore.target import Target


@dataclass(frozen=True)
class Situation:
    """What decides which settings make sense: the table, and what is chosen so far."""

    table: tc.Table
    growth: GrowSettings

    @property
    def target(self) -> Target:
        return self.table.target_kind

    @property
    def task(self) -> str:
        return self.target.task

    @property
    def n_classes(self) -> int:
        return len(self.table.classes)

    @cached_property
    def kinds(self) -> set[str]:
        """Kinds of the features."""
        return {c.kind for c in self.table.feature_columns}

    @property
    def grouped(self) -> bool:
        """Is there a feature whose levels have no order?"""
        return bool(self.kinds & {"nominal", "boolean"})

    @property
    def ordered(self) -> bool:
        return bool(self.kinds & {"numeric", "ordinal"})

    @property
    def surrogates(self) -> bool:
        return MISSING_STRATEGIES[self.growth.missing].surrogates

    @property
    def tested(self) -> bool:
        """Does a test of every feature choose, and group or cut it by itself?"""
        return is_tested(self.growth)


@dataclass(frozen=True)
class Setting:
    """One field of Growth on the screen.

    group : the part of the sidebar it stands in. note : what it does.
    menu : the entries to choose from, None for a number. fits : is this entry one for the situation?
    least, most, step, digits : of a number; digits 0 for whole ones. unlimited : None is possible, and means no limit.
    shown : False hides it. idle : why it would change nothing with this table, '' where it acts.
    widget : the key of its control, its name where nothing else is said.
    """

    name: str
    group: str
    note: str = ""
    menu: Registry | None = None
    fits: Callable = lambda entry, now: True
    least: float = 0
    most: float | None = None
    step: float = 1
    digits: int = 0
    unlimited: bool = False
    shown: Callable = lambda now: True
    idle: Callable = lambda now: ""
    widget: str = ""

    @property
    def label(self) -> str:
        return LABELS[self.name]

    def makes_sense(self, now: Situation) -> bool:
        """Is there anything to be chosen, by the settings and for the target?"""
        return self.shown(now) and now.target.leaves_open(self.name)

    @property
    def format(self) -> str:
        """How the number is written."""
        return "%.3g" if self.digits > 6 else f"%.{self.digits}f" if self.digits else "%d"

    @property
    def key(self) -> str:
        return self.widget or self.name


def value_of(growth: GrowSettings, name: str, task: str):
    """The value in force; the criterion's own default in place of ''."""
    value = getattr(growth, name)
    if name == "criterion" and not value:
        return usual_criterion(growth, task)
    return value


def entries_for(setting: Setting, now: Situation) -> dict:
    """The entries of a menu that fit, by name."""
    known = {name: entry for name, entry in setting.menu.items() if now.target.allows(setting.name, name)}
    return {name: entry for name, entry in known.items() if setting.fits(entry, now)}


def why_not(entry, now: Situation) -> str:
    """Why an entry does not fit, as the end of a sentence that starts with its label."""
    most = getattr(entry, "max_classes", None)
    if most is not None and now.n_classes > most:
        return f"is for {most} classes, the target has {now.n_classes}"
    if now.n_classes and getattr(entry, "needs_loss", False) and not now.growth.weighs_answers:
        return "needs costs of errors"
    return f"is not for {now.target.held}"
