"""The ways to learn rules from data, as a list."""

from collections.abc import Callable
from dataclasses import dataclass

from treecore.covering.depth_first import depth_first
from treecore.covering.found import Answers
from treecore.covering.listing import by_shares
from treecore.covering.part import PartSettings, part
from treecore.covering.prism import prism
from treecore.covering.ripper import RipperSettings, ripper
from treecore.registry import Registry


@dataclass(frozen=True)
class Learner:
    """One way to learn rules. formula : what it does, in one line. levels_only : numbers are put in bins for it.

    shared : rows that lack a value are shared among rules. settings : what it can be told, as a dataclass; None for
    nothing. by_shares : a rule answers with the commonest class of what it covers; see listing.by_shares.
    """

    name: str
    label: str
    formula: str
    source: str
    learn: Callable[..., Answers]
    levels_only: bool = False
    shared: bool = False
    settings: type | None = None
    by_shares: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of its settings."""
        return tuple(self.settings.__dataclass_fields__) if self.settings else ()

    def answering(self, answers: Answers) -> Answers:
        """The rules with the classes that they answer with."""
        return by_shares(answers) if self.by_shares else answers


LEARNERS = Registry(
    "way to learn rules",
    Learner("prism", "Prism", "class by class, the test with the greatest share of right answers, until no error",
            "Cendrowska (1987)", prism, levels_only=True),
    Learner("ripper", "RIPPER", "rarest class first: grow by FOIL's gain, prune on rows put aside, shorten the list",
            "Cohen (1995)", ripper, settings=RipperSettings, by_shares=True),
    Learner("part", "PART", "the largest leaf of a partial C4.5 tree is a rule; its rows go, and again",
            "Frank and Witten (1998)", part, shared=True, settings=PartSettings),
    Learner("depth_first", "Depth first", "into the purer side of the test of most information gain, until it is pure",
            "the lectures' search for rules by depth", depth_first),
)  # fmt: skip
