"""The class that the reader looks for: whose share every node of a tree tells."""

import treecore as tc
from pages.shared.session import state
from treecore.judging.interest import Interest, interest_of

NAME, ALL = "interest", "every class"
"""The choice, and its value where no class is looked for more than the others."""


def of(tree: tc.Tree) -> Interest | None:
    """That of the reader; where he has chosen none, the rarer of two classes. None for numbers and for every class."""
    chosen = state.choice(NAME)
    return None if chosen == ALL and len(tree.classes) > 1 else interest_of(tree, chosen)


def offered(tree: tc.Tree) -> list[str]:
    """What can be looked for; [] for numbers."""
    return [*tree.classes, ALL] if len(tree.classes) > 1 else []


def choose(name: str) -> None:
    """Look for this class from now on."""
    state.choose(NAME, name)


def chosen(tree: tc.Tree) -> str:
    """The one in force, as `offered` names it."""
    found = of(tree)
    return ALL if found is None else found.name
