"""What was found, in words and figures."""

import math

from treecore.brief import visible
from treecore.figures import count
from treecore.tree.tree import Tree

MOST = 40
"""Questions for which the digits of the number of functions are counted."""


def power_of_ten(n: int) -> str:
    """A whole number, in full up to a million, else as "3.1 · 10¹²"."""
    if n < 10**6:
        return f"{n:,}"
    digits = len(str(n)) - 1
    return f"{int(str(n)[:2]) / 10:.1f} · 10{raised(digits)}"


def raised(n: int) -> str:
    """A whole number as an exponent."""
    return str(n).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def functions_told(n_questions: int, n_classes: int) -> str:
    """How many ways there are to answer all combinations, K^(2^m), with its digits where those can be counted."""
    told = f"{n_classes} to the power of 2{raised(n_questions)}"
    if n_questions > MOST:
        return told
    digits = math.floor(2**n_questions * math.log10(n_classes)) + 1
    return f"{told}, a number of {count(digits, ',')} digits"


def where_they_part(greedy: Tree, best: Tree) -> str:
    """The first questions, from the root down, that two trees of one table do not share; "" where they ask the same."""
    waiting = [(0, 0, "At the root")]
    while waiting:
        a, b, place = waiting.pop(0)
        if _asked(greedy, a) != _asked(best, b):
            return f"{place} it {_does(best, b)}, the greedy tree {_does(greedy, a)}."
        for one, other in zip(greedy.children(a), best.children(b), strict=True):
            waiting.append((one, other, f"Where {visible(greedy.node(one).rule)}"))
    return ""


def _asked(tree: Tree, node: int) -> tuple:
    return tuple(tree.node(child).condition for child in tree.children(node))


def _does(tree: Tree, node: int) -> str:
    conditions = _asked(tree, node)
    return f"asks {visible(' | '.join(conditions))}" if conditions else "ends in a leaf"
