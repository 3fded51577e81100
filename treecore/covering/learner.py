"""The ways to learn rules from data, as a list."""

from collections.abc import Callable
from dataclasses import dataclass

from treecore.covering.depth_first import depth_first
from treecore.covering.found import Answers
from treecore.covering.part import part
from treecore.covering.prism import prism
from treecore.covering.ripper import ripper
from treecore.covering.rows import Rows
from treecore.registry import Registry


@dataclass(frozen=True)
class Learner:
    """One way to learn rules. formula : what it does, in one line. levels_only : numbers are put in bins for it.

    shared : rows that lack a value are shared among rules.
    """

    name: str
    label: str
    formula: str
    source: str
    learn: Callable[[Rows], Answers]
    levels_only: bool = False
    shared: bool = False


LEARNERS = Registry(
    "way to learn rules",
    Learner("prism", "Prism", "class by class, the test with the greatest share of right answers, until no error",
            "Cendrowska (1987)", prism, levels_only=True),
    Learner("ripper", "RIPPER", "rarest class first: grow by FOIL's gain, prune on rows put aside, shorten the list",
            "Cohen (1995)", ripper),
    Learner("part", "PART", "the largest leaf of a partial C4.5 tree is a rule; its rows go, and again",
            "Frank and Witten (1998)", part, shared=True),
    Learner("depth_first", "Depth first", "into the purer side of the test of most information gain, until it is pure",
            "the lectures' search for rules by depth", depth_first),
)  # fmt: skip
