"""The class that the reader looks for: whose share every node of a tree tells."""

import treecore as tc
from pages.shared.session import state
from pages.shared.trees import work
from treecore.judging.interest import EVERY, Interest, interest_of

NAME = "interest"
"""The choice."""


def of(tree: tc.Tree) -> Interest | None:
    """That of the reader; where he has chosen none, the rarer of two classes. None for numbers and for every class."""
    return interest_of(tree, state.choice(NAME))


def offered(tree: tc.Tree) -> list[str]:
    """What can be looked for; [] for numbers."""
    return [*tree.class_names, EVERY] if len(tree.classes) > 1 else []


def choose(name: str) -> None:
    """Look for this class from now on: remembered by its value, whatever it is called later."""
    tree = work.grown()
    result = interest_of(tree, name)
    state.choose(NAME, EVERY if result is None else tree.classes[result.k])


def chosen(tree: tc.Tree) -> str:
    """The one in force, as `offered` names it."""
    result = of(tree)
    return EVERY if result is None else result.name


def value(tree: tc.Tree) -> str | None:
    """The same for the library: the class itself; None for numbers."""
    result = of(tree)
    return (EVERY if tree.classes else None) if result is None else tree.classes[result.k]
