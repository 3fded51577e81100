"""What a pruning strategy is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.target import ClassLineTarget, Target

LINES_OF_CLASSES = ClassLineTarget.own_kind
"""The kind of a target of classes whose leaves answer with lines."""


@dataclass(frozen=True)
class Parameter:
    """A setting of a pruner: a number, a name of a menu, or on and off.

    default : None means that the pruner chooses by its own rule; True or False make it a switch.
    least, most : limits of a number; `above` leaves `least` itself out. whole : only whole numbers.
    choices : (name, label) pairs of a menu, () for a number. note : a sentence of help.
    """

    name: str
    label: str
    default: float | str | bool | None
    least: float = 0.0
    note: str = ""
    most: float = inf
    above: bool = False
    whole: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def switch(self) -> bool:
        return isinstance(self.default, bool)

    def allows(self, value) -> bool:
        """Is this a possible value?"""
        if value is None:
            return self.default is None
        if self.switch:
            return isinstance(value, bool)
        if self.choices:
            return isinstance(value, str) and value in dict(self.choices)
        number = isinstance(value, Real) and not isinstance(value, bool) and value == value
        if not number or (self.whole and (abs(value) == inf or value != int(value))):
            return False
        return (value > self.least if self.above else value >= self.least) and value <= self.most

    @property
    def remedy(self) -> str:
        """What to give instead of a value that is not possible."""
        if self.switch:
            return "Choose True or False"
        if self.choices:
            return "Choose one of: " + ", ".join(name for name, _ in self.choices)
        kind = "a whole number" if self.whole else "a number"
        from_ = f"above {self.least:g}" if self.above else f"of at least {self.least:g}"
        return f"Give {kind} {from_}" + (f", at most {self.most:g}" if self.most < inf else "")


@dataclass(frozen=True)
class PruneProgress:
    """How many of the nodes have been judged."""

    n_done: int
    n_nodes: int


OFTEN = 256
"""Nodes judged between two calls of the progress callback: a small fraction of a second."""


@dataclass(frozen=True, eq=False, repr=False)
class PruningContext(Brief):
    """What a pruner may look at besides the tree; None for what there is not.

    train : the rows the tree was grown on. validation : rows it was not grown on. judges : what these are called,
        "pruning" where they are for that alone.
    progress : called with PruneProgress while nodes are judged; an exception that it raises ends the pruning.
    cross_validated : (Sequence, number of folds, seed, measure) -> CrossValidated, refits on the training rows.
    """

    train: Table | None = None
    validation: Table | None = None
    cross_validated: Callable | None = None
    judges: str = "validation"
    progress: Callable[[PruneProgress], None] | None = None

    def look(self, n_done: int, n_nodes: int) -> None:
        """Tell how far it is."""
        if self.progress is not None:
            self.progress(PruneProgress(n_done, n_nodes))

    def told(self, nodes: Sequence[int]) -> Iterator[int]:
        """The nodes one after the other, telling how far it is."""
        for i, node in enumerate(nodes):
            if i % OFTEN == 0:
                self.look(i, len(nodes))
            yield node

    def need_train(self, method: str) -> Table:
        """The training rows; TreecoreError naming the method when they were not given."""
        if self.train is None or self.train.n_rows == 0:
            remedy = "Give the rows that the tree was grown on: train="
            raise TreecoreError(f"{method} looks at the training rows, there are none", where="train", remedy=remedy)
        return self.train

    def need_validation(self, method: str) -> Table:
        """The validation rows; TreecoreError naming the method when there are none."""
        if self.validation is None or self.validation.n_rows == 0:
            raise TreecoreError(
                f"{method} has no validation rows to judge by",
                where="Roles",
                remedy="Set some rows aside for validation (on the page Data, or by --validation), or choose another "
                "pruning strategy",
            )
        return self.validation


@dataclass(frozen=True)
class Pruner:
    """A strategy: (tree, Given, **parameters) -> Cuts.

    needs_validation : it judges by rows that the tree was not grown on, whatever its parameters.
    task : "classification" or "regression" where it has a meaning for one of them only. why_task : a sentence on that.
    not_for : kinds of target (Target.kinds) whose rows it cannot weigh or count anew.
    """

    name: str
    label: str
    formula: str
    source: str
    cuts: Callable
    needs_validation: bool = False
    parameters: tuple[Parameter, ...] = ()
    task: str = ""
    why_task: str = ""
    not_for: tuple[str, ...] = ()

    def serves(self, target: Target) -> bool:
        """Has it a meaning for this kind of target?"""
        return self.task in ("", target.task) and not set(target.kinds) & set(self.not_for)

    def why_not(self, target: Target) -> str:
        """Why it has no meaning for a kind of target that it does not serve, behind a colon."""
        if LINES_OF_CLASSES in set(target.kinds) & set(self.not_for):
            return "it reckons with nodes that answer all of their rows alike"
        return self.why_task
