"""A tree of many-way splits as a tree of two-way splits that predicts the same."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA
from treecore.errors import TreecoreError
from treecore.kernels.codes import CUTS, SHARED, THRESHOLD
from treecore.kernels.sums import impurity_of
from treecore.target.numbers import recentred
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Chain(Brief):
    """A tree whose nodes have two branches at most, and where its nodes come from.

    origin : int64 (tree.n_nodes,), the node of the old tree each node stems from; all links of a chain stem from
        the node with many branches.
    new_id : int64 (nodes of the old tree,), the node of `tree` for each; of a chain, its first link.
    Both are read-only.
    """

    tree: Tree
    origin: np.ndarray
    new_id: np.ndarray

    def __post_init__(self):
        self.origin.flags.writeable = self.new_id.flags.writeable = False


@dataclass(frozen=True, eq=False, repr=False)
class _Layout(Brief):
    """The new nodes: int64 (n_new,) each; `link` is a node's place in its chain, -1 outside of chains.

    new_id : int64 (n_old,), the new node for each old one; of a chain, its first link.
    """

    new_id: np.ndarray
    origin: np.ndarray
    link: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray


def binary_chain(tree: Tree) -> Chain:
    """Every node with k > 2 branches as a chain of k - 1 links: branch 0 or the rest, branch 1 or the rest, ...

    Every row ends in the same leaf, and a row that stays at the node stays at the first link. Shares multiply out
    to the same numbers but for rounding, since a link weighs what the branches below it weigh. The first link
    keeps the node's statistics: where training rows stayed at the node, its branches weigh less than it does.
    A later link's statistics and rows are the sums of its branches; a row counted in several branches counts as
    often. Gains are the decrease over the rows of both branches, times their share of the link's weight; NaN, as
    the links' impurity is, under a criterion that does not follow from statistics.
    A surrogate is repeated at every link it has an answer for; its numbers are still those of the whole split. Links
    have no score, and answer with the median of the whole node where nodes answer with medians.
    A link of a node that branches by several cuts has one of them as its threshold; so has a node with two branches.
    Raises TreecoreError for a node with more than two branches and a single threshold.
    """
    _check(tree)
    layout = _layout(tree)
    origin, link = layout.origin, layout.link
    parent, depth = _upward(layout)
    center = tree.center[origin]  # the links of a chain have that of its node
    stats = _summed(tree.stats[origin], layout, None if tree.classes else center)
    n_rows = _summed(tree.n_rows[origin], layout)
    surrogates, start, entry = _surrogates(tree, layout)
    without_rows, without_weight = _missing(tree, layout)
    made = replace(
        tree,
        parent=parent,
        first_child=layout.first_child,
        n_children=layout.n_children,
        node_depth=depth,
        splits=_cut_in_two(_peeled(tree.splits.take(origin), link), link),
        stats=stats,
        center=center,
        n_rows=n_rows,
        impurity=tree.impurity[origin],
        gain=tree.gain[origin],
        answer=np.arange(len(origin)),
        surrogates=surrogates,
        surrogate_start=start,
        surrogate_agree=tree.surrogate_agree[entry],
        surrogate_adjusted=tree.surrogate_adjusted[entry],
        surrogate_rows=tree.surrogate_rows[entry],
        missing_rows=without_rows,
        missing_weight=without_weight,
        score=np.where(link < 0, tree.score[origin], np.nan),
        median=None if tree.median is None else tree.median[origin],
        outputs=None if tree.outputs is None else tree.outputs[origin],
        cover=None if tree.cover is None else tree.cover[origin],
        share_weight=None if tree.share_weight is None else _summed(tree.share_weight[origin], layout),
        training_missing=None if tree.training_missing is None else tree.training_missing[origin],
    )
    impurity, gain = _judged(made, layout)
    made = replace(made, impurity=impurity, gain=gain, answer=_answers(tree, made, layout))
    return Chain(made, origin, layout.new_id)


def _check(tree: Tree) -> None:
    if tree.lines is not None:
        what = "Its leaves answer with lines, and a node that stands for several branches has no line of its own"
        raise TreecoreError(what, where="Leaves", remedy="Grow the tree with one answer per leaf")
    odd = np.flatnonzero((tree.n_children > 2) & (tree.splits.kind == THRESHOLD))
    if len(odd):
        raise TreecoreError(
            f"It has {tree.n_children[odd[0]]} branches at a single threshold",
            where=f"Node {odd[0]}",
            remedy="Grow the tree again",
        )


def _layout(tree: Tree) -> _Layout:
    """Old nodes keep their order; a later link comes right before the branch it peels off, beside the branch before."""
    many, old = tree.n_children > 2, np.arange(tree.n_nodes)
    branch = old - tree.first_child[tree.parent]
    peeled_later = many[tree.parent] & (branch >= 1) & (branch < tree.n_children[tree.parent] - 1)
    at = np.flatnonzero(peeled_later & (old > 0))
    origin = np.insert(old, at, tree.parent[at])
    link = np.insert(np.where(many, 0, -1), at, branch[at])
    new_id = np.unique(origin, return_index=True)[1]
    # a peeled branch is the first child of the link that peels it off
    first = new_id[tree.first_child[origin] + np.maximum(link, 0)]
    n_children = np.minimum(tree.n_children[origin], 2)
    return _Layout(new_id, origin, link, np.where(n_children > 0, first, -1), n_children)


def _upward(layout: _Layout) -> tuple[np.ndarray, np.ndarray]:
    """(parent, depth) of every new node."""
    parent = np.full(len(layout.origin), -1)
    for b in (0, 1):
        above = np.flatnonzero(layout.n_children > b)
        parent[layout.first_child[above] + b] = above
    depth = np.zeros(len(parent), np.int64)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    return parent, depth


def _summed(amount: np.ndarray, layout: _Layout, center: np.ndarray | None = None) -> np.ndarray:
    """The amounts (first axis n_new), with those of all but the first links summed up from their branches.

    center : float64 (n_new,), what they are taken around if they are sums of a numeric target.
    """
    for node in np.flatnonzero(layout.link > 0)[::-1]:
        both = layout.first_child[node] + np.arange(2)
        parts = amount[both] if center is None else recentred(amount[both], center[both] - center[node])
        amount[node] = parts.sum(axis=0)
    return amount


def _side(branch: np.ndarray, link: np.ndarray) -> np.ndarray:
    """A branch of the old node as one of a link's: 0 is peeled off, 1 goes on, -1 was peeled off before.

    Unchanged where negative, and outside of chains (link -1). No row comes to a link with what was peeled off
    before, so that -1 may stand for "not seen" in a table of levels and for "stays" among routes.
    """
    side = np.where(branch == link, 0, np.where(branch > link, 1, -1))
    return np.where((link < 0) | (branch < 0), branch, side)


def _peeled(splits: Splits, link: np.ndarray) -> Splits:
    """One test per entry, turned from the old node's branches to those of its link."""
    per_level = np.repeat(link, np.diff(splits.level_start))
    return replace(
        splits,
        level_branch=_side(splits.level_branch, per_level),
        usual_branch=_side(splits.usual_branch, link if splits.are_listed else link[:0]),
        missing_branch=_side(splits.missing_branch, link),
        unseen_branch=_side(splits.unseen_branch, link),
    )


def _cut_in_two(splits: Splits, link: np.ndarray) -> Splits:
    """Each link's own threshold in place of the cuts: below it is the branch it peels off."""
    several = splits.kind == CUTS
    place = splits.cut_start[:-1] + np.maximum(link, 0)
    threshold, low_branch = splits.threshold.copy(), np.where(several, 0, splits.low_branch)
    threshold[several] = splits.cuts[place[several]]
    kind = np.where(several, THRESHOLD, splits.kind)
    return replace(splits, kind=kind, threshold=threshold, low_branch=low_branch, cut_start=None, cuts=None)


def _surrogates(tree: Tree, layout: _Layout) -> tuple[Splits, np.ndarray, np.ndarray]:
    """(tests, start, the old entry of each test) of the new nodes.

    A threshold knows only the branches 0 and 1 of the old node: at the second link, what was its side 1 is
    peeled off, and later links never ask it.
    """
    n_each = np.diff(tree.surrogate_start)[layout.origin]
    owner = np.repeat(np.arange(len(n_each)), n_each)
    within = np.arange(len(owner)) - (np.cumsum(n_each) - n_each)[owner]
    entry = tree.surrogate_start[layout.origin][owner] + within
    asked = (tree.surrogates.kind[entry] != THRESHOLD) | (layout.link[owner] <= 1)
    owner, entry = owner[asked], entry[asked]
    tests = _peeled(tree.surrogates.take(entry), layout.link[owner])
    flipped = (tests.kind == THRESHOLD) & (layout.link[owner] == 1)
    tests = replace(tests, low_branch=np.where(flipped, 1 - tests.low_branch, tests.low_branch))
    start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(n_each)))])
    return tests, start, entry


def _missing(tree: Tree, layout: _Layout) -> tuple[np.ndarray, np.ndarray]:
    """(rows, weight) of the training rows that come to each new node without the value it asks for.

    Those that do not stay at the first link go on as their branch, or their shares, do.
    """
    origin, link = layout.origin, layout.link
    branch = tree.splits.missing_branch[origin]
    comes = (link <= 0) | (branch >= link) | (branch == SHARED)
    share = np.ones(len(origin))
    peeled = tree.first_child[origin] + link
    for node in np.flatnonzero((link > 0) & (branch == SHARED)):
        shared_by = tree.weight if tree.share_weight is None else tree.share_weight
        among = shared_by[list(tree.children(origin[node]))]
        share[node] = shared_by[peeled[node] :][: len(among) - link[node]].sum() / max(among.sum(), 1e-300)
    return tree.missing_rows[origin] * comes, tree.missing_weight[origin] * comes * share


def _answers(tree: Tree, made: Tree, layout: _Layout) -> np.ndarray:
    """Who answers for each new node: the first link for the old node; for a link without weight, as its branches."""
    answer = np.append(layout.new_id, -1)[tree.answer[layout.origin]]
    for node in np.flatnonzero(layout.link > 0)[::-1]:
        answer[node] = node if made.weight[node] > 0 else answer[layout.first_child[node]]
    return answer


def _judged(made: Tree, layout: _Layout) -> tuple[np.ndarray, np.ndarray]:
    """(impurity, gain) with those of the links computed; the first link's impurity is the old node's."""
    impurity, gain = made.impurity.copy(), made.gain.copy()
    stats = made.stats * made.class_factor
    weight = made.weight_of(stats)
    for node in np.flatnonzero(layout.link >= 0)[::-1]:
        pair = list(made.children(node))
        together = _impurity(made, stats[pair].sum(axis=0), weight[pair].sum())
        if layout.link[node] > 0:
            impurity[node] = together
        left = together * weight[pair].sum() - impurity[pair] @ weight[pair]
        gain[node] = left / weight[node] if weight[node] > 0 else 0.0
    return impurity, gain


def _impurity(tree: Tree, stats: np.ndarray, weight: float) -> float:
    """Impurity by the tree's criterion; NaN if it does not follow from statistics."""
    criterion = CRITERIA[tree.criterion]
    return impurity_of(criterion.judge(tree.loss), stats, weight) if criterion.additive else np.nan


def answered_alike(tree: Tree, chain: Chain, rows) -> np.ndarray:
    """bool (n_rows,): rows that a tree and its chain give the same answer, but for rounding of means.

    rows : a Table or DataFrame.
    """
    a, b = tree.predict(rows), chain.tree.predict(rows)
    return np.array(a == b, bool) if tree.classes else np.isclose(a, b, rtol=1e-9, atol=0, equal_nan=True)
