"""What a node says in plain words: what its rows are, why it is split as it is, whether pruning left it."""

from bisect import bisect_right
from itertools import accumulate

import numpy as np

from treecore.brief import visible
from treecore.criteria import CRITERIA
from treecore.criteria.row_losses import loss_of
from treecore.data.table import Table
from treecore.explaining.formulas import Grid
from treecore.figures import brief, count, in_unit, p_value, percent, times
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.rebuild_node import why_leaf
from treecore.judging.interest import Interest
from treecore.kernels.codes import LEVELS
from treecore.pruning import Cuts
from treecore.tree.condition_text import MISSING
from treecore.tree.node import NodeView
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree

# What a node says in a sentence or two, for somebody who has not seen a formula yet.

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
    sentence = f"Of the {_rows(view)} here, {percent(rate)} have {target} = {name}"
    if view.id:
        sentence += f", {times(interest.lift(rate))} the rate of all rows ({percent(interest.base)})"
    if view.is_leaf:
        return f"{sentence}. The tree predicts {_named(view.predicted)}{_unlike(view)}."
    children = [view.tree.node(child) for child in view.tree.children(view.id)]
    children = [child for child in children if child.weight > 0]
    if len(children) > MOST_BRANCHES:
        children = sorted(children, key=lambda child: -_rate(child, interest))
        ends = children[0], children[-1]
        branches = " and ".join(f"{percent(_rate(child, interest))} where {_condition(child)}" for child in ends)
        return f"{sentence}. {_named(view.feature)} splits them into {len(children)} branches: from {branches}."
    *others, last = [f"{percent(_rate(child, interest))} where {_condition(child)}" for child in children]
    branches = f"{', '.join(others)}, and {last}" if others else last
    return f"{sentence}. {_named(view.feature)} splits them: {branches}."


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
    if view.tree.lines is not None:
        return _line(view, target)
    if not view.tree.classes:
        return f"{target} {_value(view)}, the {_which(view)} of its {_rows(view)}"
    answer = f"{target} = {_named(view.predicted)}"
    if _is_commonest(view):
        return f"{answer}, as in {_share(view)} of its {_rows(view)}"
    why = _by_costs(view) if view.tree.loss is not None else "because of the class weights"
    return f"{answer} {why}, although only {_share(view)} of its {_rows(view)} have it"


def _line(view: NodeView, target: str) -> str:
    """The line of a leaf, and where it holds."""
    tree, node = view.tree, view.id
    kind, fitted = tree.target_kind, f"fitted to its {_rows(view)}"
    ranges = kind.ranges_text(tree, node)
    if not ranges and tree.classes:
        return f"{kind.answer_text(tree, node)}, for each of its {_rows(view)}"
    if not ranges:
        return f"{target} {_value(view)}, the {_which(view)} of its {_rows(view)}"
    held = "values beyond count as the nearest end"
    target = _named(kind.line_name(tree))
    return f"{target} = {kind.line_text(tree, node)}, {fitted}, for {ranges}; {held}"


def _rows_are(view: NodeView) -> str:
    target = _named(view.tree.target_kind.subject(view.tree))
    told = view.tree.target_kind.rows_text(view.tree, view.id)
    if told:
        return told
    if not view.tree.classes:
        which = {"average": "on average", "rate": "", "hazard ratio": ""}.get(_which(view), f"as their {_which(view)}")
        return f"The {_rows(view)} here have {target} {_value(view)} {which}".rstrip() + "."
    counts = view.tree.stats[view.id]
    first = [name for name, n in zip(view.tree.class_names, counts, strict=True) if n == counts.max()]
    if len(first) > 1:
        names = [_named(name) for name in first[:MOST_BRANCHES]] + ["…"] * (len(first) > MOST_BRANCHES)
        every = "All" if len(first) == np.count_nonzero(counts) else "The most frequent"
        return f"{every} classes are equally frequent in the {_rows(view)} here: {', '.join(names)}."
    return f"In {_share(view)} of the {_rows(view)} here {target} is {_named(_label(view))}."


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
    what = f"{_named(_label(child))} in {_share(child)}" if child.tree.classes else _value(child)
    return f"{what} where {_condition(child)}"


def _label(view: NodeView) -> str:
    """The class that a node answers with, or where it does so by a line the one that sums its rows up."""
    return view.tree.target_kind.card_text(view.tree, view.id)


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
    n_shown = max(1, min(len(codes) - 1, bisect_right(lengths, LONGEST // 2 + len(", "))))
    text = f"{_named(feature.name)} is {', '.join(map(_named, levels[:n_shown]))}"
    if len(codes) > n_shown:
        text += f" or one of {len(codes) - n_shown:,} more"
    return f"{text}, or {MISSING}" if whole.endswith(f" or {MISSING}") else text


def _rows(view: NodeView) -> str:
    return f"{count(view.weight, ',')} row{'' if view.weight == 1 else 's'}"


def _share(view: NodeView) -> str:
    """Of the rows that are what the node answers."""
    answer = int(view.tree.summary[view.id])
    right = float(view.tree.stats[view.id, answer]) / view.weight if answer >= 0 else 0.0
    return "all" if right == 1 else percent(right)


def _value(view: NodeView) -> str:
    return view.tree.target_kind.short_text(view.tree, view.id)


def _which(view: NodeView) -> str:
    """What the answer is of its rows, which is no class: their average, median or rate."""
    tree = view.tree
    noun = tree.target_kind.noun if tree.median is None else loss_of(tree.judge.loss).answer
    return {"mean": "average"}.get(noun, noun)


def _is_commonest(view: NodeView) -> bool:
    answer, weights = int(view.tree.summary[view.id]), view.tree.stats[view.id]
    return answer >= 0 and weights[answer] >= weights.max()


def _named(text: str) -> str:
    return shorten(text, LONGEST)


# Why a node was split on its feature, in a sentence.

SCORE_WORDS = {
    "decrease": "gain",
    "gain_ratio": "gain ratio",
    "mdl_gain_ratio": "gain ratio, with the cut paid for,",
    "twoing": "twoing score",
    "chi_square": "−log10 p of chi-square",
    "g_test": "−log10 p of G",
    "log_rank": "log-rank statistic",
}


def score_text(tree: Tree, candidates: Candidates, value: float) -> str:
    """What splits compete by, with its unit."""
    unit = CRITERIA[tree.criterion].unit if candidates.score == "decrease" else ""
    return f"{brief(value)}{f' {unit}' if unit else ''}"


def gain_text(tree: Tree, node: int) -> str:
    """A split's gain with its unit."""
    unit = CRITERIA[tree.criterion].unit
    return f"{brief(tree.gain[node])}{f' {unit}' if unit else ''}"


def error_text(tree: Tree, node: int) -> str:
    """By how much a split lowers the root mean squared error of a node's rows, "RMSE 191,347 → 142,518"; '' where the
    impurity is another one."""
    if tree.criterion != "squared_error":
        return ""
    before, after = float(tree.impurity[node]), float(tree.impurity[node] - tree.gain[node])
    unit = tree.schema.target_unit
    return f"RMSE {in_unit(brief(before**0.5), unit)} → {in_unit(brief(max(after, 0.0) ** 0.5), unit)}"


def why_split(tree: Tree, node: int, candidates: Candidates, by_hand: bool, tests: Grid | None = None) -> str:
    """The reason, to follow "Node 3 is split on sex"; plain text that may name features.

    candidates : those of the node on the training rows. by_hand : the split was taken, not found. tests : the tests of
    all features, where they chose (explaining.feature_tests).
    """
    feature, ranked = tree.node(node).feature, candidates.per_feature()
    others = len({c.feature for c in ranked if c.drawn} - {feature})
    considered = f"{others} other feature{' was' if others == 1 else 's were'} considered"
    if by_hand:
        return f"because it was taken by hand; its gain is {gain_text(tree, node)}. {considered}."
    if tests is not None:
        return _by_tests(tree, node, tests)
    if not others:
        why = "can be split" if all(c.drawn for c in ranked) else "that was drawn can be split"
        return f"with gain {gain_text(tree, node)}: no other feature {why} here."
    return _by_score(tree, node, candidates, ranked, considered)


def _by_tests(tree: Tree, node: int, tests: Grid) -> str:
    feature, p = tree.node(node).feature, {row[0]: p_value(float(row[1])) for row in tests.rows}
    first = tests.rows[0][0] == feature
    why = "the smallest" if first else "the smallest of the features with a split that the limits allow"
    return f"because the p-value of its test, {p[feature]} when adjusted, is {why}; {len(p) - 1} others were tested."


def _by_score(tree: Tree, node: int, candidates: Candidates, ranked: tuple[Candidate, ...], considered: str) -> str:
    feature, word = tree.node(node).feature, SCORE_WORDS[candidates.score]
    mine = next((c for c in ranked if c.feature == feature), None)
    rivals = [c for c in ranked if c.feature != feature and c.eligible]
    costly = bool(dict(tree.growth).get("costs"))
    passed = sum(not c.eligible for c in ranked)
    among = " of the features drawn here" if not all(c.drawn for c in ranked) else ""
    if candidates.average_gain is not None and passed:
        among = f" of the features whose gain reaches the average of {brief(candidates.average_gain)}"
    if mine is None or not mine.eligible or any(c.score > mine.score * (1 + 1e-9) for c in rivals):
        return f"with gain {gain_text(tree, node)}; {considered}."
    value_text = score_text(
        tree, candidates, mine.score if costly or candidates.score != "decrease" else tree.gain[node]
    )
    if costly:  # no longer in the unit of the gain, by some forms of costs
        word, value_text = f"{word} for its cost", brief(mine.score)
    tie = rivals and rivals[0].score >= mine.score * (1 - 1e-9)
    why = f"{value_text} is the largest{among}" if not tie else f"{value_text} is as large as any, and it comes first"
    if not rivals:
        return f"because its {word} {why}; {considered}."
    return f"because its {word} {why}; {considered} (next: {rivals[0].feature}, {brief(rivals[0].score)})."


def why_node(
    tree: Tree, node: int, cuts: Cuts, candidates: Candidates | None = None, by_hand: bool = False,
    train: Table | None = None, interest: Interest | None = None,
) -> list[str]:  # fmt: skip
    """Sentences of plain text that may name features and levels.

    candidates : the candidates of the node on the training rows, where they are known. by_hand : its split was taken.
    train : the training rows, to say what a rule that stopped it counted.
    """
    view = tree.node(node)
    lines = [plain_words(tree, node, interest)]
    if candidates is not None and not view.is_leaf:
        lines.append(f"Split on {view.feature} {why_split(tree, node, candidates, by_hand)}")
    elif candidates is not None:
        gain = max((c.gain for c in candidates.ranked if c.eligible), default=None)
        lines.append(why_leaf(tree, node, gain, train))
    reason = cuts.reasons.get(node)
    if reason is not None:
        stands = node in cuts.standing(tree)
        lines.append(f"{'Kept' if stands else 'Pruned'}, {reason.method}: {reason.text}")
    return lines
