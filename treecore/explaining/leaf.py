"""The arithmetic of a leaf: its impurity, and the share or the mean that it answers with."""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.absolute_error import written_of_rows
from treecore.data.table import Table
from treecore.explaining.lines import Line, Words, equation
from treecore.explaining.parted import absolute_error, unparted
from treecore.figures import fraction, tex, weight
from treecore.tree.tree import Tree


def leaf_lines(tree: Tree, node: int, train: Table) -> list[Line]:
    """Of any node as a leaf. train : the rows that the tree was grown on."""
    parts = unparted(tree, node, train)
    if not parts.total > 0:
        return [Words(f"No {tree.rows_named.removesuffix('s')} came here: it predicts as the node above it.")]
    stats, center = parts.of(None)
    value = float(parts.impurities()[0])
    if parts.here.absolute:
        return [equation("i(t)", written_of_rows(*absolute_error(parts, None), stats[0]), tex(value))]
    lines: list[Line] = [
        equation("i(t)", CRITERIA[tree.criterion].written(stats, parts.here.judge.loss, center), tex(value))
    ]
    return lines + (_share(tree, node) if tree.classes else _mean(parts.here.numbers, parts.here.weight))


def _share(tree: Tree, node: int) -> list[Line]:
    """Of the answer among the training rows, as they are counted, and what is wrong."""
    stats = tree.stats[node]
    n, right = float(stats.sum()), float(stats[int(tree.value[node])])
    return [
        equation(r"p(\text{answer})", fraction(right, n), tex(right / n)),
        equation(r"\text{error}", rf"1 - {fraction(right, n)}", fraction(n - right, n), tex((n - right) / n)),
    ]


def _mean(y: np.ndarray, w: np.ndarray) -> list[Line]:
    total, n = float(w @ y), float(w.sum())
    return [equation(r"\bar g", rf"\tfrac{{{tex(total)}}}{{{weight(n)}}}", tex(total / n))]
