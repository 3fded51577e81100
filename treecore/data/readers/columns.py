"""The columns of a source: a name of its own for each, which of them are read, and those that no split can use."""

from collections.abc import Sequence

from treecore.data.options import ReadOptions
from treecore.data.table import no_such_column
from treecore.errors import TreecoreError
from treecore.figures import counted

NAMED = 10  # columns named in a note


def unique_names(originals: list[str]) -> tuple[list[str], list[str]]:
    """(names, notes): outer spaces removed, empty names filled, repeated ones numbered.

    The names stay in order; a note says each change except that of spaces.
    """
    names: list[str] = []
    notes: list[str] = []
    stripped = [str(original).strip() for original in originals]
    taken = set(stripped)
    seen: set[str] = set()
    for place, name in enumerate(stripped, start=1):
        if not name:
            new = _free(f"column {place}", taken, "{} ({})")
            notes.append(f"Column {place} has no name; it is called '{new}'.")
        elif name in seen:
            new = _free(name, taken, "{} ({})")
            notes.append(f"The name '{name}' occurs more than once; column {place} is called '{new}'.")
        else:
            new = name
        seen.add(new)
        taken.add(new)
        names.append(new)
    return names, notes


def _free(name: str, taken: set[str], pattern: str) -> str:
    """The name itself when nobody has it, else the first numbered one that is free."""
    candidate, number = name, 2
    while candidate in taken:
        candidate = pattern.format(name, number)
        number += 1
    return candidate


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


def storage(kind):
    """What an Arrow extension type such as uuid is made of; any other type as it is."""
    return getattr(kind, "storage_type", kind)


def is_nested(kind) -> bool:
    """Does a cell of this Arrow type hold a list, a record or a map? Reading such can take any amount of memory."""
    import pyarrow as pa

    return pa.types.is_nested(storage(kind))


def n_leaves(kind) -> int:
    """Columns of single values that a Parquet file keeps for one of this Arrow type."""
    kind = storage(kind)
    return sum(n_leaves(kind.field(i).type) for i in range(kind.num_fields)) if is_nested(kind) else 1


def nested_note(names: list[str]) -> list[str]:
    """The sentence for the user that names the columns left out; nothing where there are none."""
    if not names:
        return []
    what = f"{counted(len(names), 'column')} with lists or records in the cells {'is' if len(names) == 1 else 'are'}"
    return [f"{what} left out, no split can use them: {_named(names)}."]


def refuse_only_nested(names: list[str], n_others: int, where: str) -> None:
    """TreecoreError when there is no other column."""
    if names and not n_others:
        raise TreecoreError(
            f"Every column has lists or records in its cells, which no split can use: {_named(names)}",
            where=where,
            remedy="Save what they hold as columns of their own, with one value in a cell.",
        )


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(f"'{name}'" for name in names[:NAMED]) + more
