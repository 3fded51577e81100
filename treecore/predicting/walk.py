"""One row down a tree, question by question: what a person can follow. Tables go by tree.predict."""

from collections.abc import Mapping
from dataclasses import dataclass

from treecore.data.level_index import MISSING, NO_LEVEL, is_missing, label_of, level_index
from treecore.errors import TreecoreError
from treecore.export.portable import UNKNOWN, Portable, Question, Term
from treecore.kernels.codes import SHARED, STAYS

OWN = 0
"""The node's own question; those after it are its surrogates."""


@dataclass(frozen=True)
class Passed:
    """A row, or a part of it, at a node.

    share : of the row that is here. branch : where it goes, STAYS or SHARED. decided : the place of the question that
    knew, None where none did.
    """

    node: int
    share: float
    branch: int
    decided: int | None


def passages(portable: Portable, row: Mapping) -> list[Passed]:
    """Every node that some part of the row comes to, in the order of treecore's own walk; ends have branch STAYS.

    row : feature -> number, level, or None for a missing value; a feature that is not in it is missing.
    TreecoreError for a number that is none.
    """
    found, waiting = [], [(0, 1.0)]
    while waiting:
        at, share = waiting.pop()
        node = portable.at(at)
        branch, decided = branch_of(portable, at, row) if node.questions else (STAYS, None)
        found.append(Passed(at, share, branch, decided))
        if branch == SHARED:
            parts = zip(node.children, node.shares, strict=True)
            waiting.extend((child, share * part) for child, part in parts if share * part > 0)
        elif branch != STAYS:
            waiting.append((node.children[branch], share))
    return found


def branch_of(portable: Portable, at: int, row: Mapping) -> tuple[int, int | None]:
    """(branch, STAYS or SHARED; the place of the question that knew, None where none did) at an inner node."""
    node = portable.at(at)
    for place, question in enumerate(node.questions):
        branch = answered(question, value_of(portable, question.feature, row))
        if branch != UNKNOWN:
            return branch, place
    first = value_of(portable, node.questions[OWN].feature, row)
    return (node.missing if first is None else node.unseen), None


def answered(question: Question, value: float | str | None) -> int:
    """The branch of a value, UNKNOWN where the question does not know it."""
    if value is None:
        return question.missing
    if isinstance(value, str):
        return dict(question.levels).get(value, UNKNOWN)
    above = sum(value > limit or (value == limit and not closed) for limit, closed in question.limits)
    return question.branches[above]


def value_of(portable: Portable, feature: int, row: Mapping) -> float | str | None:
    """What a row has of a feature: a number, a level's name, or None."""
    if terms := portable.terms(feature):
        return _summed(portable, terms, row)
    schema = portable.tree.schema.features[feature]
    value = row.get(schema.name)
    if is_missing(value) or (isinstance(value, str) and not value.strip()):
        return None
    place = NO_LEVEL if schema.numeric else level_index(schema.levels).place(value)
    if place >= 0:
        return schema.levels[place]
    if schema.by_number:
        try:
            return float(value)
        except (TypeError, ValueError):
            remedy = "Give a number, or nothing"
            raise TreecoreError(f"{value!r} is not a number", where=f"Column {schema.name!r}", remedy=remedy) from None
    return None if schema.kind == "ordinal" or place == MISSING else label_of(value)


def terms_of(portable: Portable, terms: tuple[Term, ...], row: Mapping) -> list[float | None]:
    """What a row has of each term of a weighted sum, or what stands in for it; None for a missing value."""
    values = (value_of(portable, term.feature, row) for term in terms)
    return [term.fill if value is None else value for term, value in zip(terms, values, strict=True)]


def _summed(portable: Portable, terms: tuple[Term, ...], row: Mapping) -> float | None:
    """The sum as tree.oblique adds it up; None where a term is missing."""
    values = terms_of(portable, terms, row)
    if None in values:
        return None
    total = terms[0].weight * values[0]
    for term, value in zip(terms[1:], values[1:], strict=True):
        total = total + term.weight * value
    return total + 0.0
