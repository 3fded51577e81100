"""Tables of very many columns: refused before they are read where a limit is set, and read in part."""

from collections.abc import Sequence

from treecore.data.options import ReadOptions
from treecore.data.table import no_such_column
from treecore.errors import TreecoreError


class TooManyColumns(TreecoreError):
    """More columns than options.max_columns. names : of all of them."""

    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], most: int, where: str) -> "TooManyColumns":
        error = cls(
            f"There are {len(names):,} columns, more than {most:,}",
            where=where,
            remedy="Choose the columns to read, the target among them, or raise the limit",
            setting="columns, max_columns",
        )
        error.names = tuple(names)
        return error


def places_to_read(names: Sequence[str], options: ReadOptions, where: str) -> tuple[int, ...]:
    """The places of the columns that are read, in their order. TooManyColumns, or a TreecoreError for unknown names."""
    if options.columns:
        place = {name: at for at, name in enumerate(names)}
        unknown = next((name for name in options.columns if name not in place), None)
        if unknown is not None:
            raise no_such_column(unknown, tuple(names))
        return tuple(sorted(place[name] for name in options.columns))
    if options.max_columns is not None and len(names) > options.max_columns:
        raise TooManyColumns.of(names, options.max_columns, where)
    return tuple(range(len(names)))


def some_columns(names: Sequence[str], target: str, part: str, most: int) -> tuple[str, ...]:
    """The target and the first columns, `most` at most, whose names hold this part, whatever its case."""
    asked = part.strip().casefold()
    others = [name for name in names if name != target and asked in name.casefold()]
    return (*others[: max(most - 1, 0)], target)
