"""name=value arguments."""

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches

from treecore.errors import TreecoreError

LISTS = ("--set", "--prune-set", "--kind")
"""Options that take several name=value."""
_SETTING = re.compile(r"[A-Za-z][\w-]*=|.*=(numeric|nominal|ordinal|boolean)$", re.DOTALL)


def one_by_one(words: Iterable[str]) -> list[str]:
    """`--set a=1 b=2 FILE` as `--set a=1 --set b=2 FILE`, so that a file after the settings is the file."""
    made, option = [], ""
    for word in words:
        if word.startswith("-"):
            option = word if word in LISTS else ""
        elif option and made[-1] != option:
            option = option if _SETTING.match(word) else ""
            made += [option] if option else []
        made.append(word)
    return made


def parsed(given: Iterable[str], known: Iterable[str], what: str) -> dict:
    """name -> value; values are JSON where they can be read so, else text.

    known : the names there are; TreecoreError names the closest of them for any other.
    what : what the names are of, in messages.
    """
    known, found = list(known), {}
    for entry in given:
        name, sign, value = entry.partition("=")
        name = name.strip().replace("-", "_")
        if not sign:
            raise TreecoreError(f"{entry!r} has no value", where=what, remedy=f"Write {name}=VALUE")
        if name not in known:
            close = get_close_matches(name, known, 3, 0.5)
            remedy = f"Close to it: {', '.join(close)}" if close else f"There are: {', '.join(known) or 'none'}"
            raise TreecoreError(f"There is no {what} {name!r}", remedy=remedy)
        found[name] = _value(value.strip())
    return found


def _value(text: str):
    """JSON: 6, 0.1, true, null (no limit), [0.5, 0.5]; anything else is a word, "none" among them."""
    try:
        return _tuples(json.loads(text))
    except ValueError:
        return text


def _tuples(value):
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
