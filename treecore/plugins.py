"""Entries of registries that other installed packages bring, by entry points."""

import warnings
from importlib.metadata import entry_points
from typing import Protocol, TypeVar


class Plugin(Protocol):
    """An entry that another package brings."""

    @property
    def name(self) -> str: ...


Entry = TypeVar("Entry", bound=Plugin)


def plugins(group: str, kind: type[Entry], *entries: Entry) -> list[Entry]:
    """Entries of this kind that installed packages name under the group, by name of the entry point.

    entries : our own, whose names are taken.

    A package that cannot be imported, or whose entry is of another kind or has a name that is taken, is left out with
    a warning, so that it never keeps the library from being used.
    """
    taken = {entry.name for entry in entries}
    result: list[Entry] = []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            entry = point.load()
        except Exception as fault:  # whatever the other package does wrong
            warnings.warn(f"{group}: {point.value} cannot be loaded: {fault}", stacklevel=2)
            continue
        if not isinstance(entry, kind) or entry.name in taken:
            why = "its name is taken" if isinstance(entry, kind) else f"it is no {kind.__name__}"
            warnings.warn(f"{group}: {point.value} is left out: {why}", stacklevel=2)
            continue
        taken.add(entry.name)
        result.append(entry)
    return result
