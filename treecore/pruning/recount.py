"""Figures of nodes counted on rows other than those they grew on: honest leaves, rows put back, raised branches."""

import itertools
from dataclasses import replace

import numpy as np

from treecore.criteria import CRITERIA, N_COMPILED, impurity
from treecore.criteria.effect import effect_gains
from treecore.criteria.row_losses import RowLoss, loss_of
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEVELS
from treecore.kernels.route import Ground, PlaceCounts
from treecore.kernels.sums import node_impurities
from treecore.pruning.rerouting import descend_uncompiled, ground_of_any, send_on, zero_counts
from treecore.target.numbers import recentred
from treecore.tree.line_fit import refitted
from treecore.tree.missing import own_branch
from treecore.tree.node_statistics import add_up_statistics, end_statistics, has_target, missing_weights
from treecore.tree.predict import route
from treecore.tree.tree import Tree


def impurities_of(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n,): by the criterion that the tree grew by, which must be one that reads additive statistics.

    stats : float64 (n, S), as splits were judged with: times tree.class_factor.
    """
    judge = tree.judge
    if tree.schema.counts is not None or (judge.code >= N_COMPILED and not judge.address):
        return impurity.impurities(judge, np.moveaxis(stats, -1, 0), tree.weight_of(stats))
    return node_impurities(judge, np.ascontiguousarray(stats), np.ascontiguousarray(tree.weight_of(stats)))


# Answers and losses of nodes whose rows are others than those they grew on.


def row_losses_of(
    tree: Tree, ground: Ground, fixed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(impurity, gain, answer), float64 (n_nodes,): of the nodes that the rows meet, NaN for others.

    Impurity is the mean loss of the criterion around what answers best; gain its decrease over the rows whose value is
    known (all, where missing is a value of its own), times their share. fixed : see descend_uncompiled.
    """
    loss = loss_of(tree.judge.loss)
    impurity, gain, median = (np.full(tree.n_nodes, np.nan) for _ in range(3))
    entry = ground.entries
    waiting, scratch = [(0, entry, np.ones(len(entry)))], zero_counts(tree)
    while waiting:
        place, entry, share = waiting.pop()
        t, weight = int(ground.standing[place]), ground.rows["case"][entry] * share
        middle, error = loss.best_and_total(ground.rows["response"][entry], weight)
        total = max(weight.sum(), 1e-300)
        impurity[t], median[t] = error / total, middle
        if ground.leaf[t]:
            continue
        begin, entry, share = send_on(ground, scratch, t, entry, share, fixed)
        parts = [slice(a, b) for a, b in itertools.pairwise(begin)]
        waiting += [(child, entry[s], share[s]) for child, s in zip(tree.children(t), parts, strict=True)]
        counts = np.ones(len(entry), bool) if own_branch(tree, t) is not None else _known(tree, ground, t, entry)
        gain[t] = _decrease(loss, ground, entry, share * counts, parts) / total
    return impurity, gain, median


def _known(tree: Tree, ground: Ground, t: int, entry: np.ndarray) -> np.ndarray:
    """bool (m,): entries whose branch the node's own test knows."""
    value = ground.values[ground.routing.nodes["slot"][t], entry]
    if tree.splits.kind[t] != LEVELS:
        return ~np.isnan(value)
    branch = np.append(tree.splits.levels(t), -1)
    return branch[np.where(value >= 0, value, -1).astype(np.int64)] >= 0


def _decrease(loss: RowLoss, ground: Ground, entry: np.ndarray, share: np.ndarray, parts: list[slice]) -> float:
    """By how much the branches' errors are less than the error of all their rows together."""
    weight, response = ground.rows["case"][entry] * share, ground.rows["response"][entry]
    apart = sum(loss.best_and_total(response[s], weight[s])[1] for s in parts)
    return loss.best_and_total(response, weight)[1] - apart


# Rows that decided about a tree are put back into it.


def check_sums(tree: Tree, method: str) -> None:
    """TreecoreError for a tree whose nodes answer with lines, which do not follow from sums."""
    if tree.lines is not None:
        what = f"{method} cannot put rows back into nodes that answer with lines"
        remedy = "Set backfit to False, or grow the tree with one answer per leaf"
        raise TreecoreError(what, where="backfit", remedy=remedy)


def backfitted(pruned: Tree, stats: np.ndarray) -> Tree:
    """The tree with these statistics added to those of its nodes.

    stats : float64 (n_nodes, S), of other rows in every node; sums of a numeric target are around the nodes' centers.
    Labels, means, shares, impurities and weights are those of all rows together, and a node that had none before
    answers for itself if it has one now. Tests, gains and counts of training rows stay, and rows without a value are
    still shared by the weights of the training rows.
    """
    shared_by = pruned.weight if pruned.share_weight is None else pruned.share_weight
    added = replace(pruned, stats=pruned.stats + stats, share_weight=shared_by)
    answer = np.where(added.weight > 0, np.arange(added.n_nodes), pruned.answer)
    return replace(added, answer=answer, impurity=impurities_of(added, added.stats * added.class_factor))


def with_new_impurities(
    tree: Tree,
    ground: Ground,
    counts: PlaceCounts,
    nodes: np.ndarray,
    split: np.ndarray,
    fixed: np.ndarray | None = None,
) -> Tree:
    """The tree with the impurities of these nodes, and the gains of those that still split.

    counts : what the rows of the ground have been counted to, as they are in the tree. fixed : see descend_uncompiled.
    """
    if CRITERIA[tree.criterion].additive:
        stats, known = counts.stats * tree.class_factor, counts.known * tree.class_factor
        impurity, gain, median = impurities_of(tree, stats), _gain(tree, ground, split, stats, known), None
    else:
        impurity, gain, median = row_losses_of(tree, ground, fixed)
    return replace(
        tree,
        impurity=with_entries(tree.impurity, nodes, impurity),
        gain=with_entries(tree.gain, split, gain),
        median=None if tree.median is None or median is None else with_entries(tree.median, nodes, median),
    )


def with_entries(column: np.ndarray, nodes: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The column with the new entries of these nodes."""
    changed = column.copy()
    changed[nodes] = new[nodes]
    return changed


def _gain(tree: Tree, ground: Ground, split: np.ndarray, stats: np.ndarray, known: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): the decrease that these nodes achieve, over rows with a value, times their share.

    Over all rows where missing is a value of its own.
    """
    gain, weight = np.full(tree.n_nodes, np.nan), tree.weight_of(stats)
    for t in split:
        children = ground.standing[list(tree.children(t))]
        parts = stats[children] if own_branch(tree, t) is not None else known[children]
        if not tree.classes:
            parts = recentred(parts, tree.center[children] - tree.center[t])
        parts = np.concatenate([parts.sum(axis=0, keepdims=True), parts])
        sizes = tree.weight_of(parts)
        amounts = impurities_of(tree, parts) * sizes
        gain[t] = (amounts[0] - amounts[1:].sum()) / weight[t] if weight[t] > 0 else 0.0
    return gain


# Honest leaves: the figures of a tree counted on rows that had no say in its splits or its size.
#
# Source: Athey and Imbens (2016), Recursive partitioning for heterogeneous causal effects.


def honest_tree(tree: Tree, estimation: Table) -> Tree:
    """The same splits with the statistics of these rows; see fit.honest.

    Rows go as the tree sends rows to come; those without a value are shared by the weights of the training rows. What
    the splits were selected by (score), surrogates' agreement and the centers stay. A node without rows answers as the
    nearest one above it that has some. TreecoreError where none has a target that the tree knows, or a weight.
    """
    if tree.task == "effects":
        return _honest_effects(tree, estimation)
    ground, counts = ground_of_any(tree, estimation), zero_counts(tree)
    entry, fixed = ground.entries, ground.routing.share
    descend_uncompiled(ground, counts, 0, entry, np.ones(len(entry)), fixed)
    if not tree.weight_of(counts.stats[0]) > 0:
        what = "None of the estimation rows has a target that the tree knows, and a weight"
        raise TreecoreError(what, where="Estimation", remedy="Set aside more rows for estimation")
    counted = replace(
        tree,
        stats=counts.stats,
        n_rows=counts.n_rows,
        missing_rows=counts.missing_rows,
        missing_weight=counts.missing_weight,
        surrogate_rows=counts.surrogate_rows,
        share_weight=tree.weight if tree.share_weight is None else tree.share_weight,
        training_missing=tree.missing_rows if tree.training_missing is None else tree.training_missing,
        training_route=None,
        outputs=None,  # of a model made elsewhere, too, the rows say what is answered
        cover=None,
    )
    everything, split = np.arange(tree.n_nodes), np.flatnonzero(~tree.is_leaf)
    counted = with_new_impurities(counted, ground, counts, everything, split, fixed)
    return refitted(replace(counted, answer=_answers(counted)), estimation)


def _honest_effects(tree: Tree, estimation: Table) -> Tree:
    """The same for effects of a treatment, whose sums no kernel counts: from the routes of the rows."""
    routes = route(tree, estimation)
    ends = end_statistics(tree, estimation, routes)
    stats = add_up_statistics(tree, ends)
    if not tree.target_kind.answers(stats[:1])[0]:
        what = "The estimation rows are not of both arms, with a known outcome"
        raise TreecoreError(what, where="Estimation", remedy="Set aside more rows for estimation")
    each = estimation.with_weights(None)
    n_rows = add_up_statistics(tree, end_statistics(tree, each, routes))[:, 0]
    split, gain = np.flatnonzero(~tree.is_leaf), np.full(tree.n_nodes, np.nan)
    for t in split.tolist():
        children = stats[list(tree.children(t))]
        gain[t] = effect_gains(children, tree.criterion == "honest_effect") if tree.weight[t] > 0 else 0.0
    counted = replace(
        tree,
        stats=stats,
        n_rows=n_rows.astype(np.int64),
        missing_rows=np.rint(_missing_below(tree, each)).astype(np.int64),
        missing_weight=_missing_below(tree, estimation),
        share_weight=tree.weight if tree.share_weight is None else tree.share_weight,
        training_missing=tree.missing_rows if tree.training_missing is None else tree.training_missing,
        training_route=None,
        gain=gain,
    )
    return replace(counted, impurity=impurities_of(counted, stats), answer=_answers(counted))


def _missing_below(tree: Tree, table: Table) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows with a known target at each inner node that lack the value it asks for."""
    result = np.zeros(tree.n_nodes)
    by_child = missing_weights(tree, table.take(has_target(tree, table)))
    np.add.at(result, tree.parent[1:], by_child[1:])
    return result


def _answers(tree: Tree) -> np.ndarray:
    """int32 (n_nodes,): each node, or the nearest one above it that has rows, and of effects rows of both arms."""
    answer, own = np.arange(tree.n_nodes), tree.target_kind.answers(tree.stats)
    for nodes in tree.levels[1:]:
        answer[nodes] = np.where(own[nodes], nodes, answer[tree.parent[nodes]])
    return answer


def check_of_training(tree: Tree, what: str) -> None:
    """TreecoreError for an honest tree: its size must not be decided by the rows that its figures are of."""
    if tree.figures_of != "train":
        raise TreecoreError(
            f"The figures of this tree are of {int(tree.n_rows[0]):,} estimation rows, which must not decide: {what} "
            "looks at the training rows",
            where="tree",
            remedy="Prune the tree as it grew, and make the pruned one honest",
        )
