"""A node as conditions that are tried in turn: what languages write that have cases and no tables."""

from collections.abc import Hashable
from typing import NamedTuple

from treecore.export.portable import UNKNOWN, Portable, PortableNode, Question


class Case(NamedTuple):
    """The values of one question that go down its `branch`, None for missing ones, take the branch `to`."""

    question: Question
    branch: int | None
    to: int


def cases_of(portable: Portable, node: PortableNode) -> tuple[list[Case], int]:
    """(cases, the branch of all other rows); the first case that holds decides. The node is no leaf."""
    cases = []
    for question in node.questions:
        cases += [Case(question, b, b) for b in _branches_of(question)]
        if question.missing != UNKNOWN:
            cases.append(Case(question, None, question.missing))
    first = node.questions[0]
    if first.missing != UNKNOWN:
        return cases, node.unseen
    if portable.knows_all(first):
        return cases, node.missing
    return [*cases, Case(first, None, node.missing)], node.unseen


def grouped(told: list[tuple[str, Hashable]], otherwise: Hashable) -> list[tuple[list[str], Hashable]]:
    """Conditions that exclude one another, together by what follows; without those that say `otherwise`."""
    results = dict.fromkeys(to for _, to in told if to != otherwise)
    return [([c for c, other in told if other == to], to) for to in results]


def _branches_of(question: Question) -> list[int]:
    to = question.branches if question.by_number else [b for _, b in question.levels]
    return sorted(set(to) - {UNKNOWN})
