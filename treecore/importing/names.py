"""What a model's features and classes are called: as the model says, or as the table that it is read beside."""

from collections.abc import Iterable, Mapping, Sequence

from treecore.data.level_index import label_of, level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.importing.source import unsaid

CLASSES = "classes"
"""Where a fault lies that names of classes mend."""
MOST_NUMBERED = 2**18
"""Features, categories or classes that a file only counts, and are numbered here: as many as Spark hashes words into.
A few bytes of a file could else ask for any amount of memory."""
TARGET = "y"
"""What the target is called where neither model nor table says."""


def feature_names(n: int, names: Sequence[object] | None, table: Table | None, are_numbered: bool = False) -> tuple:
    """Names of n features.

    names : as the model has them, None where it has none. are_numbered : did its package make them up itself? Then they
    are the table's, unless it has columns of these names. TreecoreError for a table of other columns.
    """
    if names is not None:
        told = tuple(str(name) for name in names)
        if len(told) != n or len(set(told)) < n:
            raise unsaid("features", f"The model has {n} features, and not as many different names", "Name its columns")
        if table is None or not are_numbered or set(told) <= set(table.features):
            return told
    if table is None:
        _check_count("features", n)
        return tuple(f"x{j}" for j in range(n))
    if len(table.features) != n:
        raise TreecoreError(
            f"The model has {n} features without names, the table {len(table.features)}",
            where="features",
            remedy="Give a table with the same features in the same order, or train on columns with names",
        )
    return table.features


def coded_levels(name: str, n: int, table: Table | None) -> tuple[str, ...]:
    """Levels of a feature whose categories are known by their numbers alone, from 0 on.

    TreecoreError where the table has other levels: which is which is not guessed.
    """
    _check_count(f"feature {name!r}", n)
    return known_levels(name, tuple(str(k) for k in range(n)), table)


def coded_features(names: Sequence[str], counts: Mapping[int, int], table: Table | None) -> dict[int, tuple[str, ...]]:
    """Feature -> its levels, of those whose categories are known by their numbers alone. counts : feature -> how many.

    TreecoreError as of coded_levels, and where they are too many together.
    """
    _check_count("categories", sum(counts.values()))
    return {f: coded_levels(names[f], n, table) for f, n in counts.items()}


def known_levels(name: str, levels: tuple[str, ...], table: Table | None) -> tuple[str, ...]:
    """These numbers of a feature's categories. TreecoreError where the table has words for them."""
    if table is not None and name in table.features and table.column(name).kind != "numeric":
        column = table.column(name)
        if column.levels and max(level_index(levels).place(level) for level in column.levels) < 0:
            raise unsaid(
                f"feature {name!r}",
                f"The model knows its categories by numbers, the table as {', '.join(column.levels[:3])}, …",
                "Give the table these numbers, or save the model with names of categories",
            )
    return levels


def target_name(table: Table | None, taken: Iterable[str]) -> str:
    """The table's target, or a name that is no feature's."""
    name = TARGET if table is None or table.target is None else table.target
    while name in taken:
        name += "_"
    return name


def class_labels(classes: Iterable[object], table: Table | None) -> tuple[str, ...]:
    """The classes as text: as the table spells those that it has. TreecoreError where two become one."""
    classes = tuple(classes)
    known = level_index(table.classes) if table is not None and table.target is not None else level_index(())
    places = [known.place(value) for value in classes]
    labels = tuple(
        known.labels[place] if place >= 0 else value if type(value) is str else label_of(value)
        for place, value in zip(places, classes, strict=True)
    )
    if len(set(labels)) < len(labels):
        raise unsaid(
            CLASSES, f"Two of the classes {', '.join(labels)} have one name", "Give classes names of their own"
        )
    return labels


def numbered_classes(n: int, classes: tuple[str, ...] | None, table: Table | None) -> tuple[str, ...]:
    """Names of classes that a file numbers from 0 on. classes : as the caller names them.

    TreecoreError where the table's classes are no such numbers: which is which is not guessed.
    """
    if classes is not None:
        if len(classes) != n:
            raise unsaid(CLASSES, f"The model has {n} classes, {len(classes)} are named", f"Name {n}, in their order")
        return class_labels(classes, table)
    if table is not None and table.classes and any(level_index(table.classes).place(k) < 0 for k in range(n)):
        told = ", ".join(table.classes[:n])
        raise unsaid(
            CLASSES,
            f"The file numbers its classes 0 to {n - 1}, the table has {told}",
            "Name them in the order of these numbers: read_model(…, classes=[…]), or --classes in a terminal",
        )
    _check_count(CLASSES, n)
    return class_labels(range(n), table)


def _check_count(where: str, n: int) -> None:
    if n > MOST_NUMBERED:
        what = f"The file says that there are {n:,}; without names, at most {MOST_NUMBERED:,} are read"
        raise unsaid(where, what, "Check the file, or save the model with names")
