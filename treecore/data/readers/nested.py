"""Columns with several values in a cell: no split can use them, and reading them can take any amount of memory."""

from treecore.data.counted import counted
from treecore.data.readers.words import storage
from treecore.errors import TreecoreError

NAMED = 10  # columns named in a note


def is_nested(kind) -> bool:
    """Does a cell of this Arrow type hold a list, a record or a map?"""
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
