"""What each feature adds: gains of its splits, and exact Shapley values of a tree's answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import SHARED, STAYS
from treecore.tree.oblique import own_parts
from treecore.tree.routing import branches_known, routing_of
from treecore.tree.tree import Tree

# Which features a tree leans on.


def importance(tree: Tree) -> np.ndarray:
    """float64 (n_features,): summed gain of a feature's splits, each times its node's share of the weight.

    In the unit of the criterion, not scaled to 1. Source: Breiman et al. (1984), without surrogates.
    """
    inner = ~tree.is_leaf
    total = np.maximum(tree.gain[inner], 0.0) * tree.weight[inner] / tree.weight[0]
    return np.bincount(tree.splits.feature[inner], total, len(tree.schema.features))


def own_importance(tree: Tree, table: Table) -> np.ndarray:
    """float64 (len(schema.own),): importance of the features that rows have themselves.

    The gain of a weighted sum is shared among its terms by |weight| times the feature's standard deviation among the
    rows of the table: as regression coefficients are compared once the features are standardised. What is shared adds
    up to the whole.
    """
    whole, place = importance(tree), {tree.schema.features[f].name: i for i, f in enumerate(tree.schema.own)}
    result = whole[list(tree.schema.own)]
    for feature, gain in zip(tree.schema.features, whole.tolist(), strict=True):
        if feature.terms:
            spread = np.array([abs(weight) * _deviation(table, name) for name, weight in feature.terms])
            part = spread / spread.sum() if spread.sum() > 0 else np.full(len(spread), 1 / len(spread))
            np.add.at(result, [place[name] for name, _ in feature.terms], gain * part)
    return result


def _deviation(table: Table, name: str) -> float:
    """Standard deviation of a column's known numbers; 0 without any."""
    values = table.column(name).values()
    known = values[~np.isnan(values)]
    return float(known.std()) if len(known) else 0.0


def leading_features(tree: Tree) -> list[str]:
    """Names of all features, those the tree leans on most first, of a weighted sum its terms; the rest in order."""
    features = tree.schema.features
    order = np.argsort(-importance(tree), kind="stable").tolist()
    parts = [name for f in order for name in [name for name, _ in features[f].terms] or [features[f].name]]
    return list(dict.fromkeys(parts))


MOST_SETS = 20_000
"""Sets of features that a path with weighted sums may tell apart."""


@dataclass(frozen=True, eq=False, repr=False)
class Shapley(Brief):
    """base + values.sum(axis=1) is what the tree answers.

    values : float64 (n_rows, n_features, n_classes), or (n_rows, n_features) of a target of numbers.
    base : float64 (n_classes,), or a number: the answer with no feature known, the training rows' mean.
    """

    values: np.ndarray
    base: np.ndarray


def shapley(tree: Tree, rows) -> Shapley:
    """Shapley values of the rows of a Table, frame or matrix.

    A feature that is not known sends a row down all branches, by their shares of the training weight. What surrogates
    or a route for missing values decide counts as the feature's that the node asks for. A weighted sum is known where
    all of its features are, and they share in what it adds; itself it has 0. Time grows with leaves * rows * the cube
    of the features on a path. TreecoreError for a tree with leaves that do not answer, or too many sums on a path.
    Source: Lundberg et al. (2020), path-dependent; here summed leaf by leaf.
    """
    answers = tree.proba if tree.classes else tree.value[:, None]
    if np.isnan(answers[tree.answer]).any() or (tree.answer < 0).any():
        remedy = "Grow it so that a branch without rows answers as its parent"
        raise TreecoreError("The tree has leaves that give no answer", where="tree", remedy=remedy)
    follows, stays = _ways(tree, rows)
    n_rows = follows.shape[1]
    values = np.zeros((len(tree.schema.features), answers.shape[1], n_rows))
    base = np.zeros(answers.shape[1])
    for end, asked, unknown, known in _ends(tree, follows, stays):
        base += unknown.prod() * answers[end]
        for f, part in _parts_of(asked, unknown, known):
            values[f] += answers[end][:, None] * part
    values = values.transpose(2, 0, 1)
    return Shapley(values, base) if tree.classes else Shapley(values[:, :, 0], base[0])


def _ways(tree: Tree, rows) -> tuple[np.ndarray, np.ndarray]:
    """float64 (n_nodes, n_rows) both: the part of a row at the node's parent that comes here; that ends at the node."""
    routing, values = routing_of(tree, rows)
    every = np.arange(values.shape[1])
    follows, stays = np.zeros((tree.n_nodes, len(every))), np.zeros((tree.n_nodes, len(every)))
    for t in np.flatnonzero(~tree.is_leaf):
        branch, _ = branches_known(routing, np.repeat(routing.nodes[t : t + 1], len(every)), values, every)
        for b, child in enumerate(tree.children(t)):
            follows[child] = np.where(branch == SHARED, routing.share[child], branch == b)
        stays[t] = branch == STAYS
    return follows, stays


def _ends(
    tree: Tree, follows: np.ndarray, stays: np.ndarray
) -> Iterator[tuple[int, list[frozenset[int]], np.ndarray, np.ndarray]]:
    """(node, the features of each question on its path, (k,) and (k, n_rows): part of a row that gets here by each,
    unknown and known). A question is of one feature, or of a sum's."""
    unknown, asked = _shares(tree), [frozenset(own_parts(tree.schema, [f])) for f in range(len(tree.schema.features))]
    for t in range(tree.n_nodes):
        stop = not tree.is_leaf[t] and stays[t].any()
        if not (tree.is_leaf[t] or stop):
            continue
        by_question: dict[frozenset[int], tuple[float, np.ndarray]] = {}
        steps = [(int(tree.splits.feature[tree.parent[c]]), unknown[c], follows[c]) for c in tree.path(t)[1:]]
        for f, part, known in [*steps, *([(int(tree.splits.feature[t]), 0.0, stays[t])] if stop else [])]:
            before = by_question.get(asked[f], (1.0, np.ones(follows.shape[1])))
            by_question[asked[f]] = before[0] * part, before[1] * known
        parts = list(by_question.values())
        known = np.array([known for _, known in parts]).reshape(len(parts), follows.shape[1])
        yield t, list(by_question), np.array([part for part, _ in parts]), known


def _shares(tree: Tree) -> np.ndarray:
    """float64 (n_nodes,): each node's share of the weight of itself and its siblings; 1 at the root."""
    inside = np.where(tree.parent >= 0, tree.weight, 0.0)
    total = np.bincount(np.maximum(tree.parent, 0), inside, tree.n_nodes)[np.maximum(tree.parent, 0)]
    return np.where(tree.parent >= 0, inside / np.where(total > 0, total, 1.0), 1.0)


def _parts_of(asked: list[frozenset[int]], unknown: np.ndarray, known: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """(feature, float64 (n_rows,) as _parts has it). asked : the features of each question, the rest as there."""
    if all(len(features) == 1 for features in asked):
        yield from zip((f for (f,) in asked), _parts(unknown, known), strict=True)
        return
    for features, amount in _by_set(asked, unknown, known).items():
        for f in features:  # what is there only where all of them are known, they share alike
            yield f, amount / len(features)


def _by_set(asked: list[frozenset[int]], unknown: np.ndarray, known: np.ndarray) -> dict[frozenset[int], np.ndarray]:
    """Sets of features -> float64 (n_rows,), what is added where all of a set are known: Harsanyi's dividends.

    A question counts unknown, and known - unknown more where its features are known; the product of all is expanded.
    """
    result = {frozenset(): np.ones(known.shape[1])}
    for features, without, given in zip(asked, unknown, known, strict=True):
        after: dict[frozenset[int], np.ndarray] = {}
        for before, amount in result.items():
            for union, part in ((before, without), (before | features, given - without)):
                after[union] = after.get(union, 0.0) + amount * part
        result = after
        if len(result) > MOST_SETS:
            remedy = "Prune the tree, or grow it without oblique splits"
            raise TreecoreError(f"More than {MOST_SETS:,} sets of features on a path", where="tree", remedy=remedy)
    return result


def _parts(unknown: np.ndarray, known: np.ndarray) -> Iterator[np.ndarray]:
    """float64 (n_rows,) for each feature: its Shapley value where the end answers 1 and all others 0.

    The coefficient of x**s in the product of (unknown + known * x) over the other features sums over the sets of s of
    them that are known. unknown : (k,). known : (k, n_rows).
    """
    k, n_rows = known.shape
    weight = np.array([factorial(s) * factorial(k - 1 - s) / factorial(k) for s in range(k)])
    for f in range(k):
        sums = np.zeros((k, n_rows))
        sums[0] = 1.0
        for g in (g for g in range(k) if g != f):
            sums[1:] = sums[1:] * unknown[g] + sums[:-1] * known[g]
            sums[0] *= unknown[g]
        yield (known[f] - unknown[f]) * (weight @ sums)
