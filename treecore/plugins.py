"""Entries of registries that other installed packages bring, by entry points."""

import warnings
from collections.abc import Iterable
from importlib.metadata import entry_points


def with_plugins(group: str, kind: type, *entries) -> Iterable:
    """The entries, and those of this kind that installed packages name under the group, by name of the entry point.

    A package that cannot be imported, or whose entry is of another kind or has a name that is taken, is left out with
    a warning, so that it never keeps the library from being used.
    """
    found = {entry.name: entry for entry in entries}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            entry = point.load()
        except Exception as fault:  # whatever the other package does wrong
            warnings.warn(f"{group}: {point.value} cannot be loaded: {fault}", stacklevel=2)
            continue
        if not isinstance(entry, kind) or entry.name in found:
            why = "its name is taken" if isinstance(entry, kind) else f"it is no {kind.__name__}"
            warnings.warn(f"{group}: {point.value} is left out: {why}", stacklevel=2)
            continue
        found[entry.name] = entry
    return found.values()
