"""The class that the reader looks for: whose share every node of a tree tells."""

import treecore as tc
from pages.shared.session import state
from treecore.judging.interest import EVERY, Interest, interest_of

NAME = "interest"
"""The choice."""


def of(tree: tc.Tree) -> Interest | None:
    """That of the reader; where he has chosen none, the rarer of two classes. None for numbers and for every class."""
    return interest_of(tree, state.choice(NAME))


def offered(tree: tc.Tree) -> list[str]:
    """What can be looked for; [] for numbers."""
    return [*tree.classes, EVERY] if len(tree.classes) > 1 else []


def choose(name: str) -> None:
    """Look for this class from now on."""
    state.choose(NAME, name)


def chosen(tree: tc.Tree) -> str:
    """The one in force, as `offered` names it."""
    found = of(tree)
    return EVERY if found is None else found.name
