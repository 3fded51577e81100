"""What a node says in a sentence or two, for somebody who has not seen a formula yet."""

from bisect import bisect_right
from itertools import accumulate

import numpy as np

from treecore.brief import visible
from treecore.figures import count, percent, times
from treecore.judging.interest import Interest
from treecore.kernels.codes import LEVELS
from treecore.tree.node import NodeView
from treecore.tree.short_text import shorten
from treecore.tree.text import MISSING
from treecore.tree.tree import Tree

MOST_BRANCHES = 3
"""Told one by one; of more, the purest."""
LONGEST = 60
"""Letters of a condition or a name."""


def plain_words(tree: Tree, node: int, interest: Interest | None = None) -> str:
    """What the rows of the node are, and what its question does about it; of a leaf, what it answers and why.

    Shares are those of the training rows as they are; an answer that is not the commonest says so.
    interest : the class whose share is told everywhere; None: that of what each node answers.
    """
    view = tree.node(node)
    if not view.weight > 0:
        row, above = tree.rows_named.removesuffix("s"), int(tree.answer[node])
        as_above = f", as node {above} does" if tree.figures_of != "train" else ""
        return f"No {row} comes here: the tree predicts {_named(view.predicted)}{as_above}."
    if interest is not None:
        return _of_interest(view, interest)
    if view.is_leaf:
        return f"Here the tree predicts {_answer(view)}."
    return f"{_rows_are(view)} {_named(view.feature)} splits them: {_branches(view)}."


def _of_interest(view: NodeView, interest: Interest) -> str:
    """The rate of one class here, and in the branches or against that of all rows."""
    target, name = _named(view.tree.schema.target), _named(interest.name)
    rate = _rate(view, interest)
    said = f"Of the {_rows(view)} here, {percent(rate)} have {target} = {name}"
    if view.id:
        said += f", {times(interest.lift(rate))} the rate of all rows ({percent(interest.base)})"
    if view.is_leaf:
        return f"{said}. The tree predicts {_named(view.predicted)}{_unlike(view)}."
    children = [view.tree.node(child) for child in view.tree.children(view.id)]
    children = [child for child in children if child.weight > 0]
    if len(children) > MOST_BRANCHES:
        children = sorted(children, key=lambda child: -_rate(child, interest))
        ends = children[0], children[-1]
        told = " and ".join(f"{percent(_rate(child, interest))} where {_condition(child)}" for child in ends)
        return f"{said}. {_named(view.feature)} splits them into {len(children)} branches: from {told}."
    *others, last = [f"{percent(_rate(child, interest))} where {_condition(child)}" for child in children]
    told = f"{', '.join(others)}, and {last}" if others else last
    return f"{said}. {_named(view.feature)} splits them: {told}."


def _rate(view: NodeView, interest: Interest) -> float:
    """Share of the class of interest among the training rows of a node, as they are."""
    return float(view.tree.stats[view.id, interest.k]) / view.weight


def _unlike(view: NodeView) -> str:
    """Why the answer is not the commonest class, where it is not."""
    if _is_commonest(view):
        return ""
    return f", {_by_costs(view)}" if view.tree.loss is not None else ", because of the class weights"


def _by_costs(view: NodeView) -> str:
    return "as this has the highest expected profit" if view.tree.earns else "as this has the lowest expected cost"


def _answer(view: NodeView) -> str:
    target = _named(view.tree.target_kind.subject(view.tree))
    if not view.tree.classes:
        return f"{target} {_value(view)}, the {_which(view)} of its {_rows(view)}"
    answer = f"{target} = {_named(view.predicted)}"
    if _is_commonest(view):
        return f"{answer}, as in {_share(view)} of its {_rows(view)}"
    why = _by_costs(view) if view.tree.loss is not None else "because of the class weights"
    return f"{answer} {why}, although only {_share(view)} of its {_rows(view)} have it"


def _rows_are(view: NodeView) -> str:
    target = _named(view.tree.target_kind.subject(view.tree))
    if not view.tree.classes:
        which = {"average": "on average", "rate": "", "hazard ratio": ""}.get(_which(view), f"as their {_which(view)}")
        return f"The {_rows(view)} here have {target} {_value(view)} {which}".rstrip() + "."
    counts = view.tree.stats[view.id]
    first = [name for name, n in zip(view.tree.class_names, counts, strict=True) if n == counts.max()]
    if len(first) > 1:
        names = [_named(name) for name in first[:MOST_BRANCHES]] + ["…"] * (len(first) > MOST_BRANCHES)
        every = "All" if len(first) == np.count_nonzero(counts) else "The most frequent"
        return f"{every} classes are equally frequent in the {_rows(view)} here: {', '.join(names)}."
    return f"In {_share(view)} of the {_rows(view)} here {target} is {_named(view.predicted)}."


def _branches(view: NodeView) -> str:
    """ "no in 91.9 % where calls < 3.5, and no in 60.8 % where calls ≥ 3.5"."""
    children = [view.tree.node(child) for child in view.tree.children(view.id)]
    children = [child for child in children if child.weight > 0]
    if len(children) > MOST_BRANCHES:
        purest = min(children, key=lambda child: child.impurity)
        return f"the purest of {len(children)} branches has {_branch(purest)}"
    *others, last = [_branch(child) for child in children]
    return f"{', '.join(others)}, and {last}" if others else last


def _branch(child: NodeView) -> str:
    what = f"{_named(child.predicted)} in {_share(child)}" if child.tree.classes else _value(child)
    return f"{what} where {_condition(child)}"


def _condition(child: NodeView) -> str:
    """Of many levels the first ones, and how many more there are; a long name gives way, not what is asked of it."""
    whole = visible(child.condition)
    if len(whole) <= LONGEST:
        return whole
    tree, parent = child.tree, int(child.tree.parent[child.id])
    feature = tree.schema.features[tree.splits.feature[parent]]
    if tree.splits.kind[parent] != LEVELS:
        name = visible(feature.name)
        return whole.replace(name, _named(name), 1)
    branch = child.id - int(tree.first_child[parent])
    codes = np.flatnonzero(tree.splits.levels(parent) == branch)
    levels = [visible(feature.level_names[v]) for v in codes[:LONGEST]]  # no more of them fit
    lengths = list(accumulate(len(level) + len(", ") for level in levels))
    kept = max(1, min(len(codes) - 1, bisect_right(lengths, LONGEST // 2 + len(", "))))
    told = f"{_named(feature.name)} is {', '.join(map(_named, levels[:kept]))}"
    if len(codes) > kept:
        told += f" or one of {len(codes) - kept:,} more"
    return f"{told}, or {MISSING}" if whole.endswith(f" or {MISSING}") else told


def _rows(view: NodeView) -> str:
    return f"{count(view.weight, ',')} row{'' if view.weight == 1 else 's'}"


def _share(view: NodeView) -> str:
    """Of the rows that are what the node answers."""
    answer = int(view.tree.value[view.id])
    right = float(view.tree.stats[view.id, answer]) / view.weight if answer >= 0 else 0.0
    return "all" if right == 1 else percent(right)


def _value(view: NodeView) -> str:
    return view.tree.target_kind.short_text(view.tree, view.id)


def _which(view: NodeView) -> str:
    """What the answer is of its rows, which is no class: their average, median or rate."""
    noun = view.tree.target_kind.noun if view.tree.median is None else "median"
    return {"mean": "average"}.get(noun, noun)


def _is_commonest(view: NodeView) -> bool:
    answer, weights = int(view.tree.value[view.id]), view.tree.stats[view.id]
    return answer >= 0 and weights[answer] >= weights.max()


def _named(text: str) -> str:
    return shorten(text, LONGEST)
