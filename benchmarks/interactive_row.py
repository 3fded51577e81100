"""The rows of the table of results."""

from collections.abc import Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured: figures in `unit`; goal : what is to be reached, '' for nothing."""

    what: str
    figures: list[float]
    unit: str = "ms"
    goal: str = ""


def told(what: str, seen: list[dict[str, float]], effect: str, goal: str = "") -> Iterator[Row]:
    """The rows about one thing that was done several times; `effect` is what the goal is about."""
    yield Row(what, [times[effect] for times in seen], goal=goal)
    if effect != "settled":
        yield Row("· until nothing moves any more", [times["settled"] for times in seen])
    yield Row("· processor, server", [times["server"] for times in seen])
    yield Row("· processor, page in the browser", [times["browser"] for times in seen])
