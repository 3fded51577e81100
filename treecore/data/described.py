"""What a table says of itself, from its columns: in memory or in an engine."""

from treecore.brief import FEW, MOST_LETTERS, Brief, shortened, visible
from treecore.data.gaps import Gaps
from treecore.target import CountTarget, Target, target_of

Terms = tuple[tuple[str, float], ...]
Described = tuple[str, str, tuple[str, ...], float | None, tuple[float, ...] | None, Terms, Gaps, str]
"""Name, kind, levels (none of numbers), fill, cuts, terms, gaps and unit of a column; see Column."""


class FromColumns(Brief):
    """The part of a table's face that follows from `feature_columns` and `target_column`."""

    def __repr__(self) -> str:
        asked = "" if self.target is None else f", target {self.target!r}"
        names = ", ".join(self.column_names[:FEW]) + (", …" if len(self.column_names) > FEW else "")
        return shortened(visible(f"{type(self).__name__}({self._size_in_words}{asked}: {names})"), MOST_LETTERS)

    @property
    def _size_in_words(self) -> str:
        return f"{self.n_rows:,} rows × {len(self.column_names):,} columns"

    @property
    def described(self) -> tuple[Described, ...]:
        """What there is to know of each feature besides its values."""
        return tuple(
            (c.name, c.kind, c.levels or (), c.fill, c.cuts, c.terms, c.gaps, c.unit) for c in self.feature_columns
        )

    counts: CountTarget | None = None
    """How the target is counted, where it is one of counts."""

    @property
    def target_kind(self) -> Target:
        """What a tree counts of the target, answers and loses."""
        return self.counts or target_of(self.target_column.levels or () if self.target_column.kind != "numeric" else ())

    @property
    def task(self) -> str:
        """ "regression" for a numeric target, "counts" for one of counts, "classification" for every other kind."""
        column = self.target_column
        return self.counts.task if self.counts else "regression" if column.kind == "numeric" else "classification"

    @property
    def classes(self) -> tuple[str, ...]:
        """The target's levels in order; empty for a regression."""
        return self.target_column.levels or ()
