"""What a worked example is made of: steps that set the screen, and printed figures beside computed ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from treecore.lectures.implied import Condition
from treecore.lectures.opened import Opened, opened
from treecore.recipe import Edit, Grow, Take

NOTES = {
    "000": "Ahmed and Pavlu, Decision Trees (lecture 1)",
    "001": "Decision Tree (notes of September 16, 2014)",
    "002": "Decision Trees (notes in Markdown, with Hunt's algorithm)",
    "003": "Doyle, Nonmetric Methods: Decision Trees (slides, 2020)",
    "004": "CS446 Machine Learning, Decision Trees (slides, spring 2017)",
}
"""The five notes by the numbers that they go by here."""
BY_HAND, TABLE_OF_OURS = "worked out by hand", "of a table of ours"
"""In place of where it is printed: figures that belong to an example and are in none of the notes."""
ROUNDED, CUT_OFF, DIFFERS = "rounded", "cut off", "differs"


@dataclass(frozen=True)
class Figure:
    """A number that a note prints, and how it is computed here.

    what : it is, in words. printed : as it stands there, a decimal number or a fraction such as 9/14.
    ours : of the step's table and tree. slip : what is wrong with the printed one, or with the line it stands in; ""
    where nothing is. place : where it stands, if not where its step does; BY_HAND or TABLE_OF_OURS where it is in none
    of the notes.
    """

    what: str
    printed: str
    ours: Callable[[Opened], float]
    slip: str = ""
    place: str = ""

    @property
    def is_printed(self) -> bool:
        """Does it stand in the notes?"""
        return self.place not in (BY_HAND, TABLE_OF_OURS)

    def agreement(self, value: float) -> str:
        """How the printed number comes from this value: ROUNDED, CUT_OFF after its last digit, or DIFFERS."""
        if "/" in self.printed:
            above, below = self.printed.split("/")
            return ROUNDED if math.isclose(value, float(above) / float(below), rel_tol=1e-9) else DIFFERS
        _, _, decimals = self.printed.partition(".")
        printed, scale = float(self.printed), 10 ** len(decimals)
        if abs(value - printed) * scale <= 0.5 + 1e-9 * max(scale, abs(value)):
            return ROUNDED
        is_cut = math.isclose(math.trunc(value * scale + 1e-9) / scale, printed, abs_tol=1e-12)
        return CUT_OFF if is_cut else DIFFERS


@dataclass(frozen=True)
class Step:
    """One step of a worked example.

    title, text : what is looked at, and what to see. place : where it stands, "004: Information Gain: Outlook".
    figures : printed and computed. node : conditions from the root to the node that is selected.
    grow : how the tree is grown from here on, None for the guide's own way. edits : splits taken and nodes cut by hand,
    where the notes draw a tree that no algorithm grows. half_planes : conditions of a rule that are drawn, in two
    features.
    """

    title: str
    text: str
    place: str = ""
    figures: tuple[Figure, ...] = ()
    node: tuple[str, ...] = ()
    grow: Grow | None = None
    edits: tuple[Edit | Take, ...] = ()
    half_planes: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Guide:
    """A worked example on a sample table. grow : how its tree is grown, all rows training."""

    name: str
    label: str
    sample: str
    grow: Grow
    steps: tuple[Step, ...]

    def growth(self, place: int) -> Grow:
        """How the tree of step `place` (0-based) is grown."""
        return self.steps[place].grow or self.grow

    def opened(self, place: int) -> Opened:
        """Table, tree and node of step `place` (0-based)."""
        step = self.steps[place]
        return opened(self.sample, self.growth(place), step.node, step.edits)
