"""A tree of ours, as JSON."""

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.importing.source import Source
from treecore.tree.tree import Tree


def is_mine(source: Source) -> bool:
    return isinstance(source.given, Tree) or (
        source.json is not None and {"schema_version", "schema"} <= set(source.json)
    )


def read(source: Source, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    """As it was saved: it carries its counts, whatever the table."""
    if isinstance(source.given, Tree):
        return source.given
    try:
        return Tree.from_dict(source.json)
    except TreecoreError as fault:
        raise TreecoreError(fault.what, where=f"{source.name}, {fault.where}", remedy=fault.remedy) from None
