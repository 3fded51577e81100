"""The arithmetic behind a number, as LaTeX with the user's own counts. No text from data goes in."""

import numpy as np

from treecore.tree.tree import Tree


def gain_arithmetic(tree: Tree, node: int) -> list[str]:
    """Lines that compute a split's gain: the impurities of node and branches, and their difference."""
    children = list(tree.children(node))
    lines = [_impurity(tree, node, "t")]
    lines += [_impurity(tree, child, f"t_{{{b}}}") for b, child in enumerate(children, 1)]
    n = tree.weight[node]
    parts = " - ".join(
        rf"\tfrac{{{tree.weight[c]:.6g}}}{{{n:.6g}}} \cdot {tree.impurity[c]:.5g}" for c in children
    )
    return [*lines, rf"\Delta i = {tree.impurity[node]:.5g} - {parts} = {tree.gain[node]:.5g}"]


def _impurity(tree: Tree, node: int, name: str) -> str:
    """i(name) = the criterion's formula with this node's counts = the value."""
    return f"i({name}) = {_SUBSTITUTED[tree.criterion](tree, node)} = {tree.impurity[node]:.5g}"


def _counts(tree: Tree, node: int) -> tuple[np.ndarray, float]:
    """The counts that are not 0, and their sum."""
    counts = tree.stats[node]
    return counts[counts > 0], float(counts.sum())


def _gini(tree: Tree, node: int) -> str:
    counts, n = _counts(tree, node)
    return "1 - " + " - ".join(rf"\left(\tfrac{{{c:.6g}}}{{{n:.6g}}}\right)^2" for c in counts)


def _entropy(tree: Tree, node: int) -> str:
    counts, n = _counts(tree, node)
    return " ".join(rf"- \tfrac{{{c:.6g}}}{{{n:.6g}}} \log_2 \tfrac{{{c:.6g}}}{{{n:.6g}}}" for c in counts)


def _misclassification(tree: Tree, node: int) -> str:
    counts, n = _counts(tree, node)
    return rf"1 - \tfrac{{{counts.max(initial=0):.6g}}}{{{n:.6g}}}"


def _squared_error(tree: Tree, node: int) -> str:
    w, wy, wyy = tree.stats[node]
    squares, total = wyy + 2 * tree.center * wy + tree.center**2 * w, wy + tree.center * w
    return rf"\tfrac{{{squares:.8g}}}{{{w:.6g}}} - \left(\tfrac{{{total:.8g}}}{{{w:.6g}}}\right)^2"


_SUBSTITUTED = {
    "gini": _gini,
    "entropy": _entropy,
    "misclassification": _misclassification,
    "squared_error": _squared_error,
}
