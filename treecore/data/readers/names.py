"""Column names: every column gets one, and no two get the same."""


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
