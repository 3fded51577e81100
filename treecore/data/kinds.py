"""What a column can be, and how a caller says so: a kind's name, Ordinal(levels) or Nominal(levels)."""

from collections.abc import Iterable
from dataclasses import dataclass

from treecore.errors import TreecoreError

KINDS = ("numeric", "ordinal", "nominal", "boolean")


@dataclass(frozen=True)
class _Levels:
    levels: tuple[str, ...]

    def __init__(self, levels: Iterable[str]):
        if isinstance(levels, str):
            raise TreecoreError(
                f"The levels are one text, {levels!r}",
                where=type(self).__name__,
                remedy="Give a list of levels, such as ['S', 'M', 'L'].",
            )
        object.__setattr__(self, "levels", tuple(str(level) for level in levels))
        require_distinct(self.levels, where=type(self).__name__)


class Ordinal(_Levels):
    """An ordered column with its levels from lowest to highest: Ordinal(["S", "M", "L"])."""

    kind = "ordinal"


class Nominal(_Levels):
    """An unordered column with its levels declared; the order is kept for display and for ties."""

    kind = "nominal"


def require_distinct(levels: tuple[str, ...], *, where: str) -> None:
    """TreecoreError when a level is declared twice."""
    if len(set(levels)) == len(levels):
        return
    twice = next(level for i, level in enumerate(levels) if level in levels[:i])
    raise TreecoreError(f"Level {twice!r} is declared twice", where=where, remedy="Name each level once.")


def kind_and_levels(spec, *, where: str) -> tuple[str, tuple[str, ...] | None]:
    """The kind and the declared levels (None when none are declared) of one value of `kinds=`."""
    if isinstance(spec, _Levels):
        return spec.kind, spec.levels
    if isinstance(spec, str) and spec in KINDS:
        return spec, None
    raise TreecoreError(
        f"{spec!r} is not a kind of column",
        where=where,
        remedy=f"Use one of {', '.join(KINDS)}, or Ordinal([...]) or Nominal([...]).",
    )
