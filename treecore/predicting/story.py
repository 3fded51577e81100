"""How a tree comes to its answer for one row, told step by step."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore.export.portable import Portable
from treecore.figures import count, exact, number, percent
from treecore.judging.wilson import wilson
from treecore.kernels.codes import SHARED, STAYS
from treecore.predicting.walk import OWN, Passed, passages, terms_of, value_of
from treecore.tree.missing import own_branch
from treecore.tree.oblique import coefficient
from treecore.tree.text import condition_text
from treecore.tree.threshold_gaps import with_value
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Step:
    """One node on the way. share : of the row that is here. to : (child, share of the row) it goes to. text : the
    step as a sentence."""

    node: int
    share: float
    to: tuple[tuple[int, float], ...]
    text: str


@dataclass(frozen=True)
class Ending:
    """Where the row, or a part of it, ends.

    weight : of the training rows there. answer : in words. shares : float64 (n_classes,), as predict_proba gives them;
    counted, low, high : of the training rows, and Wilson's interval of each; empty for numbers. deviation : of the
    target there, NaN for classes.
    """

    node: int
    share: float
    weight: float
    answer: str
    shares: np.ndarray
    counted: np.ndarray
    low: np.ndarray
    high: np.ndarray
    deviation: float


@dataclass(frozen=True)
class Story:
    """The way of one row. shares : float64 (n_classes,), as predict_proba gives them; empty for numbers. answer : as
    predict gives it, None for none."""

    steps: tuple[Step, ...]
    ends: tuple[Ending, ...]
    answer: str | float | None
    shares: np.ndarray
    name: str = ""

    @property
    def said(self) -> str:
        """The answer in words, a class by its name."""
        if self.answer is None or self.answer != self.answer:
            return "no answer"
        return self.name or (self.answer if isinstance(self.answer, str) else number(self.answer))


def story(portable: Portable, row: Mapping, level: float = 0.95) -> Story:
    """Send one row down the tree and tell it.

    portable : Portable(tree). row : feature -> number, level, or None where it is not known. level : of confidence of
    the intervals.
    """
    tree, way = portable.tree, passages(portable, row)
    steps = tuple(_step(portable, passed, row) for passed in way if passed.branch != STAYS)
    ends = [passed for passed in way if passed.branch == STAYS]
    answer, shares = _answer(tree, ends)
    known = answer is not None and answer == answer
    if isinstance(answer, str):
        name = tree.class_names[tree.classes.index(answer)]
    else:
        name = tree.target_kind.value_text(tree, answer) if known else ""
    return Story(steps, tuple(_ending(tree, end, level) for end in ends), answer, shares, name)


def _step(portable: Portable, passed: Passed, row: Mapping) -> Step:
    tree, node = portable.tree, portable.at(passed.node)
    part = "" if passed.share == 1 else f" ({percent(passed.share)} of the row)"
    own = node.questions[OWN]
    name, value = tree.schema.features[own.feature].name, value_of(portable, own.feature, row)
    is_ = f"{name} is not known"
    if value is not None:
        is_ = f"{name} is {_sum(portable, own.feature, row)}{_of(tree, own.feature, value)}"
    if passed.branch == SHARED:
        to = tuple((c, passed.share * s) for c, s in zip(node.children, node.shares, strict=True) if s > 0)
        told = ", ".join(f"{percent(share / passed.share)} down {tree.node(c).condition}" for c, share in to)
        why = "" if value is None else ", a level that was not seen here"
        return Step(passed.node, passed.share, to, f"{is_}{why}: the row is shared, {told}{part}")
    child = node.children[passed.branch]
    same = f"{count(tree.weight[child], ',')} of {count(tree.weight[passed.node], ',')} {tree.rows_named}"
    same += " went the same way"
    condition = tree.node(child).condition
    if passed.decided == OWN:
        told = f"{is_}: {_condition_beside(tree, passed, value)}"
    elif passed.decided is None:
        why = "" if value is None else ", a level that was not seen here"
        told = f"{is_}{why}: such rows go on to {condition}"
    else:
        backup = node.questions[passed.decided]
        other = tree.schema.features[backup.feature].name
        stands_in = _of(tree, backup.feature, value_of(portable, backup.feature, row))
        told = f"{is_}, so {other} stands in for it, {stands_in}: {condition}"
    return Step(passed.node, passed.share, ((child, passed.share),), f"{told}; {same}{part}")


def _condition_beside(tree: Tree, passed: Passed, value: float | str) -> str:
    """The branch that a row takes by its value: a threshold in print lies on the same side of it as the tree's own."""
    feature = tree.schema.features[tree.splits.feature[passed.node]]
    if feature.numeric and isinstance(value, float):
        feature = with_value(tree.schema, feature, value)
    return condition_text(feature, tree.splits, passed.node, passed.branch, own_branch(tree, passed.node))


def _sum(portable: Portable, feature: int, row: Mapping) -> str:
    """ "1·5.1 − 0.49·3.9 = " where the feature is a weighted sum, else ''."""
    terms = portable.terms(feature)
    told = ""
    for term, value in zip(terms, terms_of(portable, terms, row), strict=True):
        sign = ("−" if term.weight < 0 else "") if not told else (" − " if term.weight < 0 else " + ")
        said = f"({_said(value)})" if value < 0 else _said(value)
        told += sign + (said if abs(term.weight) == 1 else f"{coefficient(abs(term.weight))}·{said}")
    return f"{told} = " if told else ""


def _of(tree: Tree, feature: int, value: float | str | None) -> str:
    """The value of a row with the feature's unit."""
    text = _said(value)
    return tree.schema.features[feature].in_unit(text) if isinstance(value, float) else text


def _said(value: float | str | None) -> str:
    return exact(value) if isinstance(value, float) else str(value)


def _ending(tree: Tree, end: Passed, level: float) -> Ending:
    view, from_ = tree.node(end.node), int(tree.answer[end.node])
    none = np.zeros(0)
    if from_ < 0:
        return Ending(end.node, end.share, 0.0, view.predicted, tree.proba[end.node], none, none, none, float("nan"))
    stats, weight = tree.stats[from_], float(tree.weight[from_])
    if not tree.classes:
        return Ending(end.node, end.share, weight, view.predicted, none, none, none, none, tree.node(from_).deviation)
    low, high = wilson(stats, weight, level)
    shares = tree.proba[end.node]
    return Ending(end.node, end.share, weight, view.predicted, shares, stats / weight, low, high, float("nan"))


def _answer(tree: Tree, ends: list[Passed]) -> tuple[str | float | None, np.ndarray]:
    """(answer, shares of classes): those of the one end, or mixed by the parts of the row."""
    mixed = sum(end.share * (tree.proba[end.node] if tree.classes else tree.value[end.node]) for end in ends)
    if not tree.classes:
        return float(mixed), np.zeros(0)
    if len(ends) == 1:
        label = int(tree.value[ends[0].node])
    elif np.isnan(mixed).any():
        label = -1
    else:
        label = int(np.argmax(mixed) if tree.loss is None else np.argmin(mixed @ tree.loss))
    return (tree.classes[label] if label >= 0 else None), mixed
