"""Docstrings as the house writes them, for the reference: a line that begins with "name : " is an entry of a list."""

import re

import griffe

_ENTRY = re.compile(r"^([\w*]+(?:, [\w*]+)*) : ", re.MULTILINE)


class Entries(griffe.Extension):
    """Makes the explained names of a docstring a list."""

    def on_object(self, *, obj, **kwargs):
        """Called with every function and class that is read."""
        if obj.docstring:
            obj.docstring.value = as_list(obj.docstring.value)


def as_list(text: str) -> str:
    """The docstring in Markdown: explained names in a list, whatever follows outside of it.

    A line that goes on with the sentence of an entry belongs to it, indented or not.
    """
    marked, entry = [], False
    for line in text.splitlines():
        starts = _ENTRY.match(line)
        if entry and not starts and line[:1].strip() and not marked[-1].endswith((".", ":")):
            line = "    " + line
        if bool(starts) != entry and not line.startswith("    "):
            marked.append("")
        entry = bool(starts) or (entry and line.startswith("    "))
        marked.append(_ENTRY.sub(r"- **\1**: ", line))
    return "\n".join(marked)
