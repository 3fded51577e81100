"""The path of one row down a tree: question by question, told as a story, and as a game of twenty questions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from treecore.data.level_index import MISSING, NO_LEVEL, is_missing, label_of, level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.portable import UNKNOWN, Portable, PortableQuestion, PortableTerm
from treecore.figures import count, exact, number, percent
from treecore.judging.interest import wilson
from treecore.kernels.codes import SHARED, STAYS
from treecore.target import answered_by_lines
from treecore.target.lines import signed, signed_number
from treecore.tree.condition_text import condition_text
from treecore.tree.missing import own_branch
from treecore.tree.oblique import coefficient
from treecore.tree.threshold_gaps import with_value
from treecore.tree.tree import Tree

OWN = 0
"""The node's own question; those after it are its surrogates."""


@dataclass(frozen=True)
class NodeVisit:
    """A row, or a part of it, at a node.

    share : of the row that is here. branch : where it goes, STAYS or SHARED. decided : the place of the question that
    knew, None where none did.
    """

    node: int
    share: float
    branch: int
    decided: int | None


def passages(portable: Portable, row: Mapping) -> list[NodeVisit]:
    """Every node that some part of the row comes to, in the order of treecore's own walk; ends have branch STAYS.

    row : feature -> number, level, or None for a missing value; a feature that is not in it is missing.
    TreecoreError for a number that is none.
    """
    path, waiting = [], [(0, 1.0)]
    while waiting:
        at, share = waiting.pop()
        node = portable.at(at)
        branch, decided = branch_of(portable, at, row) if node.questions else (STAYS, None)
        path.append(NodeVisit(at, share, branch, decided))
        if branch == SHARED:
            parts = zip(node.children, node.shares, strict=True)
            waiting.extend((child, share * part) for child, part in parts if share * part > 0)
        elif branch != STAYS:
            waiting.append((node.children[branch], share))
    return path


def branch_of(portable: Portable, at: int, row: Mapping) -> tuple[int, int | None]:
    """(branch, STAYS or SHARED; the place of the question that knew, None where none did) at an inner node."""
    node = portable.at(at)
    for place, question in enumerate(node.questions):
        branch = branch_of_value(question, value_of(portable, question.feature, row))
        if branch != UNKNOWN:
            return branch, place
    first = value_of(portable, node.questions[OWN].feature, row)
    return (node.missing if first is None else node.unseen), None


def branch_of_value(question: PortableQuestion, value: float | str | None) -> int:
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
        return _weighted_sum(portable, terms, row)
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


def terms_of(portable: Portable, terms: tuple[PortableTerm, ...], row: Mapping) -> list[float | None]:
    """What a row has of each term of a weighted sum, or what stands in for it; None for a missing value."""
    values = (value_of(portable, term.feature, row) for term in terms)
    return [term.fill if value is None else value for term, value in zip(terms, values, strict=True)]


def _weighted_sum(portable: Portable, terms: tuple[PortableTerm, ...], row: Mapping) -> float | None:
    """The sum as tree.oblique adds it up; None where a term is missing."""
    values = terms_of(portable, terms, row)
    if None in values:
        return None
    total = terms[0].weight * values[0]
    for term, value in zip(terms[1:], values[1:], strict=True):
        total = total + term.weight * value
    return total + 0.0


# How a tree comes to its answer for one row, told step by step.


@dataclass(frozen=True)
class PathStep:
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
    target there, NaN for classes. value : the number that is answered, NaN for classes. sums : where that is by a line,
    the sum written out and of classes the share that it gives, and what was held at the ends of a range or filled
    in; else ().
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
    value: float = float("nan")
    sums: tuple[str, ...] = ()


@dataclass(frozen=True)
class Story:
    """The way of one row. shares : float64 (n_classes,), as predict_proba gives them; empty for numbers. answer : as
    predict gives it, None for none."""

    steps: tuple[PathStep, ...]
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
    answer, shares = _answer(portable, ends, row)
    known = answer is not None and answer == answer
    if isinstance(answer, str):
        name = tree.class_names[tree.classes.index(answer)]
    else:
        name = tree.target_kind.value_text(tree, answer) if known else ""
    return Story(steps, tuple(_ending(portable, end, level, row) for end in ends), answer, shares, name)


def _step(portable: Portable, passed: NodeVisit, row: Mapping) -> PathStep:
    tree, node = portable.tree, portable.at(passed.node)
    part = "" if passed.share == 1 else f" ({percent(passed.share)} of the row)"
    own = node.questions[OWN]
    name, value = tree.schema.features[own.feature].name, value_of(portable, own.feature, row)
    is_ = f"{name} is not known"
    if value is not None:
        is_ = f"{name} is {_sum(portable, own.feature, row)}{_of(tree, own.feature, value)}"
    if passed.branch == SHARED:
        to = tuple((c, passed.share * s) for c, s in zip(node.children, node.shares, strict=True) if s > 0)
        text = ", ".join(f"{percent(share / passed.share)} down {tree.node(c).condition}" for c, share in to)
        why = "" if value is None else ", a level that was not seen here"
        return PathStep(passed.node, passed.share, to, f"{is_}{why}: the row is shared, {text}{part}")
    child = node.children[passed.branch]
    same = f"{count(tree.weight[child], ',')} of {count(tree.weight[passed.node], ',')} {tree.rows_named}"
    same += " went the same way"
    condition = tree.node(child).condition
    if passed.decided == OWN:
        text = f"{is_}: {_condition_with_value(tree, passed, value)}"
    elif passed.decided is None:
        why = "" if value is None else ", a level that was not seen here"
        text = f"{is_}{why}: such rows go on to {condition}"
    else:
        backup = node.questions[passed.decided]
        other = tree.schema.features[backup.feature].name
        stands_in = _of(tree, backup.feature, value_of(portable, backup.feature, row))
        text = f"{is_}, so {other} stands in for it, {stands_in}: {condition}"
    return PathStep(passed.node, passed.share, ((child, passed.share),), f"{text}; {same}{part}")


def _condition_with_value(tree: Tree, passed: NodeVisit, value: float | str) -> str:
    """The branch that a row takes by its value: a threshold in print lies on the same side of it as the tree's own."""
    feature = tree.schema.features[tree.splits.feature[passed.node]]
    if feature.numeric and isinstance(value, float):
        feature = with_value(tree.schema, feature, value)
    return condition_text(feature, tree.splits, passed.node, passed.branch, own_branch(tree, passed.node))


def _sum(portable: Portable, feature: int, row: Mapping) -> str:
    """ "1·5.1 − 0.49·3.9 = " where the feature is a weighted sum, else ''."""
    terms = portable.terms(feature)
    text = ""
    for term, value in zip(terms, terms_of(portable, terms, row), strict=True):
        sign = ("−" if term.weight < 0 else "") if not text else (" − " if term.weight < 0 else " + ")
        value_text = f"({_value_text(value)})" if value < 0 else _value_text(value)
        text += sign + (value_text if abs(term.weight) == 1 else f"{coefficient(abs(term.weight))}·{value_text}")
    return f"{text} = " if text else ""


def _of(tree: Tree, feature: int, value: float | str | None) -> str:
    """The value of a row with the feature's unit."""
    text = _value_text(value)
    return tree.schema.features[feature].in_unit(text) if isinstance(value, float) else text


def _value_text(value: float | str | None) -> str:
    return exact(value) if isinstance(value, float) else str(value)


def _ending(portable: Portable, end: NodeVisit, level: float, row: Mapping) -> Ending:
    tree = portable.tree
    view, from_ = tree.node(end.node), int(tree.answer[end.node])
    none = np.zeros(0)
    if from_ < 0:
        return Ending(end.node, end.share, 0.0, view.predicted, tree.proba[end.node], none, none, none, float("nan"))
    stats, weight = tree.stats[from_], float(tree.weight[from_])
    if not tree.classes:
        value, sums = node_answer(portable, end.node, row), _sums(portable, end.node, row)
        said = tree.target_kind.value_text(tree, value) if sums else view.predicted
        deviation = tree.node(from_).deviation
        return Ending(end.node, end.share, weight, said, none, none, none, none, deviation, value, sums)
    low, high = wilson(stats, weight, level)
    shares, sums = node_shares(portable, end.node, row), _sums(portable, end.node, row)
    said = view.predicted if tree.lines is None else tree.class_names[int(_label(tree, shares))]
    return Ending(end.node, end.share, weight, said, shares, stats / weight, low, high, float("nan"), sums=sums)


def node_shares(portable: Portable, node: int, row: Mapping) -> np.ndarray:
    """float64 (n_classes,): the class shares that a node answers for a row, its own or by its line; NaN for none."""
    if portable.tree.lines is None:
        return portable.tree.proba[node]
    lines = np.array([line_value(portable, node, row)])
    return answered_by_lines(portable.tree.classes).answers_of_lines(lines)[0]


def node_answer(portable: Portable, node: int, row: Mapping) -> float:
    """The number that a node answers for a row: its mean, or by its line; NaN for none."""
    return float(portable.tree.value[node]) if portable.tree.lines is None else line_value(portable, node, row)


def line_value(portable: Portable, node: int, row: Mapping) -> float:
    """What the line of a node is for a row; NaN for none."""
    line = portable.line(node)
    if line is None:
        return float("nan")
    total = line.intercept
    for term in line.terms:
        total += term.coefficient * term.value(value_of(portable, term.feature, row))
    return total


def _sums(portable: Portable, node: int, row: Mapping) -> tuple[str, ...]:
    """("mpg = 12.3 + 4.5 × 80 − 0.2 × 20 = 367.3", "age is not known: ..."); () without a line."""
    tree, line = portable.tree, portable.line(node)
    if line is None or not line.terms:
        return ()
    told, notes = signed_number(line.intercept), []
    for term in line.terms:
        feature, given = tree.schema.features[term.feature], value_of(portable, term.feature, row)
        counted = term.value(given)
        size = signed_number(counted)
        told += signed(
            term.coefficient, f"{signed_number(abs(term.coefficient))} × {f'({size})' if counted < 0 else size}"
        )
        if given is None:
            filled = "the mean of the rows there" if feature.fill is None else "what stands in for it"
            notes.append(f"{feature.name} is not known and counts as {filled}, {feature.in_unit(size)}.")
        elif given != counted:
            low, high = (feature.in_unit(signed_number(end)) for end in (term.low, term.high))
            value = feature.in_unit(signed_number(given))
            notes.append(
                f"{feature.name} is {value}, beyond the {low} to {high} of the rows there, and counts as "
                f"{feature.in_unit(size)}: the line is not extended."
            )
    kind = answered_by_lines(tree.classes)
    return (*kind.sum_texts(tree, told, line_value(portable, node, row)), *notes)


def _answer(portable: Portable, ends: list[NodeVisit], row: Mapping) -> tuple[str | float | None, np.ndarray]:
    """(answer, shares of classes): those of the one end, or mixed by the parts of the row."""
    tree = portable.tree
    if not tree.classes:
        return float(sum(end.share * node_answer(portable, end.node, row) for end in ends)), np.zeros(0)
    mixed = np.sum([end.share * node_shares(portable, end.node, row) for end in ends], axis=0)
    label = int(tree.value[ends[0].node]) if len(ends) == 1 and tree.lines is None else _label(tree, mixed)
    return (tree.classes[label] if label >= 0 else None), mixed


def _label(tree: Tree, shares: np.ndarray) -> int:
    """Index of the class that these shares, float64 (n_classes,), are answered with; -1 for none."""
    return int(tree.target_kind.labels_of_shares(tree, shares[None])[0])


# Twenty questions: only what a row's way needs is asked, and "I don't know" is an answer.


def next_question(portable: Portable, answers: Mapping) -> int | None:
    """Index of the feature to ask for next; None when the answer stands.

    answers : feature -> number, level, or None for "I don't know". Where a row is shared among branches, the way of
    its largest part is asked about first.
    """
    waiting = [(1.0, 0)]
    while waiting:
        share, at = waiting.pop()
        node = portable.at(at)
        wanted = _unasked(portable, at, answers) if node.questions else None
        if wanted is not None:
            return wanted
        branch, _ = branch_of(portable, at, answers) if node.questions else (STAYS, None)
        wanted = _unasked_by_line(portable, at, answers) if branch == STAYS else None
        if wanted is not None:
            return wanted
        if branch == SHARED:
            waiting += [
                (share * part, child) for child, part in zip(node.children, node.shares, strict=True) if part > 0
            ]
            waiting.sort(key=lambda part: part[0])
        elif branch != STAYS:
            waiting.append((share, node.children[branch]))
    return None


def _unasked_by_line(portable: Portable, at: int, answers: Mapping) -> int | None:
    """The first feature that the line of a leaf reads and nobody was asked for."""
    line, features = portable.line(at), portable.tree.schema.features
    terms = () if line is None else line.terms
    return next((term.feature for term in terms if features[term.feature].name not in answers), None)


def _unasked(portable: Portable, at: int, answers: Mapping) -> int | None:
    """The first feature that the node needs and nobody was asked for."""
    for question in portable.at(at).questions:
        for f in portable.parts(question.feature):
            if portable.tree.schema.features[f].name not in answers:
                return f
        if branch_of_value(question, value_of(portable, question.feature, answers)) != UNKNOWN:
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


def backup_features(portable: Portable) -> list[str]:
    """Those of asked_features that surrogates alone ask for, where the value of another one is missing."""
    own = {part for f in portable.tree.asked.tolist() for part in portable.parts(f)}
    mine = {portable.tree.schema.features[f].name for f in own}
    return [name for name in asked_features(portable) if name not in mine]


def row_values(table: Table, place: int, names: Iterable[str]) -> dict[str, float | str | None]:
    """feature -> number, level, or None where the cell is empty, of one row of a table."""
    here = table.take(np.array([place]))
    columns = {name: here.column(name) for name in names}
    return {
        name: None if not c.present().any() else float(c.values()[0]) if c.kind == "numeric" else c.labels()[0]
        for name, c in columns.items()
    }
