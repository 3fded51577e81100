"""The answer of a row that is shared among leaves: how large its parts are, and the sums that mix their answers."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import count, percent, summed, tex
from treecore.judging.interest import weighted_words
from treecore.predicting.decision_path import Ending, Story
from treecore.tree.missing import known_weights
from treecore.tree.tree import Tree

MOST_CLASSES = 3
"""Of more, the likeliest are told."""
MOST_ENDS = 12
LARGEST = 999
"""Denominator of a fraction that says more than decimals."""


def mixture_lines(tree: Tree, story: Story) -> list[Line]:
    """The leaves that answer for parts of the row, and for each class, or the mean, the sum of their answers; [] where
    the row ends in one leaf. tree : whose story it is."""
    if len(story.ends) < 2 or story.answer is None:
        return []
    parts = row_parts(tree, story)
    lines: list[Line] = [_leaves(tree, story, parts)]
    if not tree.classes:
        kind, units = tree.target_kind, tree.target_kind.units_shown(tree)
        terms = [rf"{_tex(part)} \cdot {tex(units * end.value)}" for part, end in zip(parts, story.ends, strict=True)]
        return [*lines, _sum(rf"\text{{{kind.noun}}}", terms, tex(units * float(story.answer)))]
    for k in likeliest(story):
        how = f" {weighted_words(tree)}".rstrip()
        lines += [Words(f"Share of “{tree.class_names[k]}”{how}:"), _share(tree, story, parts, k)]
    return lines


def likeliest(story: Story) -> list[int]:
    """The classes of the largest mixed shares, those of share 0 left out."""
    order = np.argsort(-story.shares, kind="stable")[:MOST_CLASSES]
    return [int(k) for k in order if story.shares[k] > 0]


def mixed_share(tree: Tree, story: Story, k: int) -> str:
    """The share of a class in the mixed answer: "64.3 % (9/14)", without the fraction where it says no more."""
    exact = _exact(tree, story, row_parts(tree, story), k)
    return percent(float(story.shares[k])) + ("" if exact is None or exact.denominator == 1 else f" ({exact})")


def row_parts(tree: Tree, story: Story) -> list[Fraction | float]:
    """Of every ending, how much of the row ends there: exact where training rows are counted whole."""
    shared = {step.node for step in story.steps if len(step.to) > 1}
    return [_part(tree, end, shared) for end in story.ends]


def _part(tree: Tree, end: Ending, shared: set[int]) -> Fraction | float:
    part, path = Fraction(1), tree.path(end.node)
    for node, child in pairwise(path):
        if node not in shared:
            continue
        weights = known_weights(tree, node)
        if any(abs(w - round(w)) > 1e-6 for w in weights):
            return end.share
        part *= Fraction(round(weights[child - int(tree.first_child[node])]), round(sum(weights)))
    return part if abs(float(part) - end.share) < 1e-9 else end.share


def _leaves(tree: Tree, story: Story, parts: list) -> Grid:
    shown = likeliest(story) if tree.classes else []
    named = [f"share of {tree.class_names[k]} {weighted_words(tree)}".rstrip() for k in shown]
    heads = ("part of the row", "leaf", "where", *named)
    rows = [
        (_text(part), f"{end.node}", tree.node(end.node).rule, *(_counted(tree, end, k) for k in shown))
        + (() if tree.classes else (end.answer,))
        for part, end in zip(parts[:MOST_ENDS], story.ends, strict=False)
    ]  # fmt: skip
    return Grid(heads if tree.classes else (*heads, tree.target_kind.noun), tuple(rows))


def _text(part: Fraction | float) -> str:
    share = percent(float(part))
    return f"{share} ({part})" if isinstance(part, Fraction) and 1 < part.denominator <= LARGEST else share


def _counted(tree: Tree, end: Ending, k: int) -> str:
    share, exact = float(end.shares[k]), _leaf_share(tree, end, k)
    return percent(share) + (f" ({count(end.counted[k] * end.weight)} of {count(end.weight)})" if exact else "")


def _leaf_share(tree: Tree, end: Ending, k: int) -> Fraction | None:
    """Of a class among the training rows of a leaf; None where these are not whole, or not what it answers with."""
    if not len(end.counted):
        return None
    rows, weight = float(end.counted[k]) * end.weight, end.weight
    if max(abs(rows - round(rows)), abs(weight - round(weight))) > 1e-6 or round(weight) == 0:
        return None
    share = Fraction(round(rows), round(weight))
    return share if abs(float(share) - float(end.shares[k])) < 1e-9 else None


def _exact(tree: Tree, story: Story, parts: list, k: int) -> Fraction | None:
    """The mixed share of a class as a fraction that can be read, None where it is none."""
    shares = [_leaf_share(tree, end, k) for end in story.ends]
    if None in shares or not all(isinstance(part, Fraction) for part in parts):
        return None
    total = sum((part * share for part, share in zip(parts, shares, strict=True)), Fraction(0))
    return total if total.denominator <= LARGEST else None


def _share(tree: Tree, story: Story, parts: list, k: int) -> Formula:
    terms = []
    for part, end in zip(parts, story.ends, strict=True):
        share = _leaf_share(tree, end, k)
        terms.append(rf"{_tex(part)} \cdot {_tex(float(end.shares[k]) if share is None else share)}")
    exact = _exact(tree, story, parts, k)
    return _sum("p", terms, *([_tex(exact)] if exact is not None else []), tex(float(story.shares[k])))


def _sum(left: str, terms: list[str], *results: str) -> Formula:
    return equation(left, summed(terms), *results)


def _tex(value: Fraction | float) -> str:
    if not isinstance(value, Fraction) or value.denominator > LARGEST:
        return tex(float(value))
    return str(value.numerator) if value.denominator == 1 else rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
