"""What a pruning strategy is."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """A number a pruner can be given. `default` None means that the pruner chooses by its own rule."""

    name: str
    label: str
    default: float | None
    least: float
    note: str = ""


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
