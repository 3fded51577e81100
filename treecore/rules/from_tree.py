"""The rules of a tree: every path from the root to a leaf."""

import math

import numpy as np

from treecore.kernels.codes import CUTS, LEVELS, SHARED
from treecore.rules.condition import (
    Backup,
    BranchTest,
    BranchTests,
    Condition,
    Interval,
    LevelSet,
    Range,
    with_condition,
)
from treecore.rules.rule import Figures, Rule
from treecore.tree.missing import own_branch
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree

RESOLVED = 1e-14
"""Below this share of the squares that it is left over from, a mean squared error is rounding."""


def path_rules(tree: Tree, merged: bool = True) -> tuple[Rule, ...]:
    """One rule per leaf, from the left of the tree to its right.

    merged : conditions on one feature are taken together (x < 5 and x < 3 are x < 3), in the order in which the path
    asks for the features first; else every branch is a condition of its own.
    """
    premises = [()]
    for child in range(1, tree.n_nodes):
        above, condition = premises[tree.parent[child]], _condition(tree, child)
        premises.append(with_condition(above, condition) if merged else (*above, condition))
    return tuple(_rule(tree, leaf, premises[leaf]) for leaf in leaves_in_order(tree))


def leaves_in_order(tree: Tree) -> list[int]:
    """Ids of the leaves, depth first, in the order of the branches."""
    leaves, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.is_leaf[node]:
            leaves.append(node)
        waiting.extend(reversed(tree.children(node)))
    return leaves


def _condition(tree: Tree, child: int) -> Condition:
    """The branch that leads to this node."""
    node, splits = int(tree.parent[child]), tree.splits
    branch, index = child - int(tree.first_child[node]), int(splits.feature[node])
    missing, unseen = int(splits.missing_branch[node]), int(splits.unseen_branch[node])
    asked = _range(splits, node, branch)
    step = BranchTest(
        asked,
        missing=missing == branch,
        unseen=unseen == branch,
        shared=missing == SHARED,
        told=bool(tree.missing_rows[node] > 0) or own_branch(tree, node) == branch,
        backups=_backups(tree, node, branch),
    )
    return Condition(tree.schema.features[index], index, asked, BranchTests(step))


def _range(splits: Splits, entry: int, branch: int) -> Range:
    """The known values that go down this branch of a test; see kernels.route.branch_of."""
    if splits.kind[entry] == LEVELS:
        to = splits.levels(entry)
        admitted, decided = (frozenset(np.flatnonzero(mask).tolist()) for mask in (to == branch, to >= 0))
        return LevelSet(admitted, decided)
    closed = bool(splits.closed[entry])
    if splits.kind[entry] == CUTS:
        cuts = splits.cuts[splits.cut_start[entry] : splits.cut_start[entry + 1]].tolist()
        place = branch
    else:
        cuts, place = [float(splits.threshold[entry])], int(branch != splits.low_branch[entry])
    low, high = (cuts[place - 1] if place else -math.inf), (cuts[place] if place < len(cuts) else math.inf)
    return Interval(low, high, place == 0 or not closed, place == len(cuts) or closed)


def _backups(tree: Tree, node: int, branch: int) -> tuple[Backup, ...]:
    if not tree.surrogates_asked:
        return ()
    entries = range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1]))
    features = [int(tree.surrogates.feature[e]) for e in entries]
    return tuple(
        Backup(tree.schema.features[f], f, _range(tree.surrogates, e, branch))
        for e, f in zip(entries, features, strict=True)
    )


def _rule(tree: Tree, leaf: int, conditions: tuple) -> Rule:
    value, (target, said) = tree.summary[leaf], tree.target_kind.rule_words(tree, leaf)
    return Rule(
        conditions,
        answer=int(value) if tree.classes else float(value),
        said=said,
        target=target,
        leaf=leaf,
        shares=tuple(tree.summary_shares[leaf].tolist()) if tree.classes else (),
        train=_training_figures(tree, leaf),
        is_path=True,
        by_line=tree.lines is not None,
    )


def _training_figures(tree: Tree, leaf: int) -> Figures:
    """From the statistics that the tree keeps; rows sent down in shares count by their share."""
    weight, whole, n = float(tree.weight[leaf]), float(tree.weight[0]), int(tree.n_rows[leaf])
    support = weight / whole
    if weight <= 0:
        return Figures(n, weight, support, *([math.nan] * (3 if tree.classes else 1)))
    if tree.schema.counts is not None:
        error = tree.target_kind.deviance_of(tree.stats[leaf], tree.value[leaf])
        return Figures(n, weight, support, float(error) / weight)
    if tree.lines is not None and not tree.classes:
        return Figures(n, weight, support, float(tree.lines.error[tree.answer[leaf]]) / weight)
    if tree.schema.row_loss is not None:
        return Figures(n, weight, support, float(tree.impurity[leaf]))
    if not tree.classes:
        w, wy, wyy = tree.stats[leaf].tolist()
        off = float(tree.value[leaf] - tree.center[leaf])
        error, most = wyy / w - 2 * off * wy / w + off**2, wyy / w + off**2
        return Figures(n, weight, support, error if error > RESOLVED * most else 0.0)
    answer, shares = int(tree.summary[leaf]), tuple((tree.stats[leaf] / weight).tolist())
    if tree.lines is not None:  # with costs and priors lines keep what errors cost, not how many there are
        error = math.nan if tree.loss is not None or tree.priors is not None else float(tree.lines.error[leaf]) / weight
        return Figures(n, weight, support, error, 1 - error, math.nan, shares)
    right = shares[answer] if answer >= 0 else 0.0
    of_class = float(tree.stats[0, answer]) / whole if answer >= 0 else 0.0
    return Figures(n, weight, support, 1 - right, right, right / of_class if of_class > 0 else math.nan, shares)
