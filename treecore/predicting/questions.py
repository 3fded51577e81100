"""Twenty questions: only what a row's way needs is asked, and "I don't know" is an answer."""

from collections.abc import Mapping

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
