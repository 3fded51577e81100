"""What a pruning strategy is."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real


@dataclass(frozen=True)
class Parameter:
    """A number a pruner can be given. `default` None means that the pruner chooses by its own rule."""

    name: str
    label: str
    default: float | None
    least: float
    note: str = ""

    def allows(self, value) -> bool:
        """Is this a number from `least` on, or None where the pruner can choose by itself?"""
        if value is None:
            return self.default is None
        return isinstance(value, Real) and not isinstance(value, bool) and value >= self.least


@dataclass(frozen=True)
class Pruner:
    """A strategy: (tree, validation table or None, **parameters) -> Cuts.

    needs_validation : it judges by rows that the tree was not grown on.
    """

    name: str
    label: str
    formula: str
    source: str
    cuts: Callable
    needs_validation: bool = False
    parameters: tuple[Parameter, ...] = ()
