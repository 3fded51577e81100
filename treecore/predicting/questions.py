"""Twenty questions: only what a row's way needs is asked, and "I don't know" is an answer."""

from collections.abc import Iterable, Mapping

import numpy as np

from treecore.data.table import Table
from treecore.export.portable import UNKNOWN, Portable
from treecore.kernels.codes import SHARED, STAYS
from treecore.predicting.walk import answered, branch_of, value_of


def next_question(portable: Portable, answers: Mapping) -> int | None:
    """Index of the feature to ask for next; None when the answer stands.

    answers : feature -> number, level, or None for "I don't know". Where a row is shared among branches, the way of
    its largest part is asked about first.
    """
    waiting = [(1.0, 0)]
    while waiting:
        share, at = waiting.pop()
        node = portable.at(at)
        if not node.questions:
            continue
        wanted = _unasked(portable, at, answers)
        if wanted is not None:
            return wanted
        branch, _ = branch_of(portable, at, answers)
        if branch == SHARED:
            waiting += [
                (share * part, child) for child, part in zip(node.children, node.shares, strict=True) if part > 0
            ]
            waiting.sort(key=lambda part: part[0])
        elif branch != STAYS:
            waiting.append((share, node.children[branch]))
    return None


def _unasked(portable: Portable, at: int, answers: Mapping) -> int | None:
    """The first feature that the node needs and nobody was asked for."""
    for question in portable.at(at).questions:
        for f in portable.parts(question.feature):
            if portable.tree.schema.features[f].name not in answers:
                return f
        if answered(question, value_of(portable, question.feature, answers)) != UNKNOWN:
            return None
    return None


def asked_features(portable: Portable) -> list[str]:
    """The features that the tree asks for, those of the most rows first; then those asked where others are missing."""
    tree = portable.tree
    inner = np.flatnonzero(~tree.is_leaf)
    weight = np.bincount(tree.splits.feature[inner], tree.weight[inner], len(tree.schema.features))
    order = [i for i in np.argsort(-weight, kind="stable") if weight[i] > 0]
    first = [own for i in order for own in portable.parts(i)]  # of a weighted sum, its terms
    return [tree.schema.features[i].name for i in dict.fromkeys([*first, *portable.used])]


def row_values(table: Table, place: int, names: Iterable[str]) -> dict[str, float | str | None]:
    """feature -> number, level, or None where the cell is empty, of one row of a table."""
    here = table.take(np.array([place]))
    columns = {name: here.column(name) for name in names}
    return {
        name: None if not c.present().any() else float(c.values()[0]) if c.kind == "numeric" else c.labels()[0]
        for name, c in columns.items()
    }
