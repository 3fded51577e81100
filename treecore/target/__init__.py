"""Kinds of target: what a tree counts of its rows, how it answers, what answers lose, and how it is said in words."""

from functools import lru_cache

from treecore.criteria.row_losses import RowLoss
from treecore.target.classes import ClassTarget
from treecore.target.counts import Counts, CountTarget
from treecore.target.effects import Effect, EffectTarget
from treecore.target.lines import AnsweredByLines, ClassLineTarget, LineTarget
from treecore.target.numbers import NumberTarget
from treecore.target.survival import Survival, SurvivalTarget, exponential_exposure
from treecore.target.target import OWN, Target

Counted = Counts | Survival | Effect
"""What is predicted by two columns: a count and what it was counted in, or an outcome and who was treated."""
CountedTarget = CountTarget | EffectTarget
"""The kinds of target that these make."""


@lru_cache(maxsize=64)
def target_of(classes: tuple[str, ...] = (), row_loss: RowLoss | None = None) -> Target:
    """The kind of a target with these classes; () for numbers. row_loss : the loss of numbers that answers are of."""
    return ClassTarget(classes) if classes else NumberTarget(row_loss)


@lru_cache(maxsize=64)
def answered_by_lines(classes: tuple[str, ...] = ()) -> AnsweredByLines:
    """The kind of a target with these classes, () for numbers, of a tree whose nodes answer with lines."""
    return ClassLineTarget(classes) if classes else LineTarget()


__all__ = [
    "OWN", "AnsweredByLines", "ClassLineTarget", "ClassTarget", "CountTarget", "Counted", "CountedTarget", "Counts",
    "Effect", "EffectTarget", "LineTarget", "NumberTarget", "Survival", "SurvivalTarget", "Target", "answered_by_lines",
    "exponential_exposure", "target_of",
]  # fmt: skip
