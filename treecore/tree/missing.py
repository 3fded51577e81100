"""Where rows without the value that a split asks for went, and where rows to come will go."""

import math
from dataclasses import dataclass, replace

import numpy as np

from treecore.kernels.codes import LEVELS, SHARED, STAYS
from treecore.tree.columns import TreeColumns
from treecore.tree.condition_text import MISSING, branch_text, condition_text

OWN_VALUE = ("own_value", "both_ways")
"""Strategies, and the selector "chaid", by which a missing value is a value of its own."""


@dataclass(frozen=True)
class Surrogate:
    """A backup test of a node.

    feature : its name. condition : of the rows that it sends down `branch`. agreement : share of the rows that it
    sends like the split does; adjusted : how far this goes beyond sending all down the larger branch (1: all the
    way). rows : training rows that it sent.
    """

    feature: str
    condition: str
    branch: int
    agreement: float
    adjusted: float
    rows: int


@dataclass(frozen=True)
class MissingRoute:
    """What became of the training rows without the value that a split asks for.

    rows, weight : of these. own : missing is a value of its own. branch : where those went that no surrogate sent,
    None where they were shared or stayed. shares : of every branch where they were shared, else ().
    surrogates : in the order in which they are asked; asked : False where they are only listed.
    """

    rows: int
    weight: float
    own: bool
    branch: int | None
    shares: tuple[float, ...]
    surrogates: tuple[Surrogate, ...]
    asked: bool

    @property
    def by_surrogates(self) -> int:
        """Training rows that surrogates sent."""
        return sum(s.rows for s in self.surrogates) if self.asked else 0

    @property
    def others(self) -> int:
        """Training rows that no surrogate sent."""
        return self.rows - self.by_surrogates


def own_branch(tree: TreeColumns, node: int) -> int | None:
    """The branch of missing values where they are a value of its own at this node; None otherwise.

    Without missing values among its training rows they were none, but for a branch that no level goes down.
    """
    if not (tree.growth.get("missing") in OWN_VALUE or tree.growth.get("selector") == "chaid"):
        return None
    branch = int(tree.splits.missing_branch[node])
    missing = tree.missing_rows if tree.training_missing is None else tree.training_missing
    return branch if branch >= 0 and (missing[node] > 0 or _has_no_level(tree, node, branch)) else None


def _has_no_level(tree: TreeColumns, node: int, branch: int) -> bool:
    return bool(tree.splits.kind[node] == LEVELS and (tree.splits.levels(node) != branch).all())


def missing_route(tree: TreeColumns, node: int) -> MissingRoute | None:
    """The routes of an inner node's missing values; None at a leaf."""
    if tree.is_leaf[node]:
        return None
    to = int((tree.splits.missing_branch if tree.training_route is None else tree.training_route)[node])
    some = tree.missing_rows[node] > 0
    if to != SHARED and some and tree.training_missing is None and _lost_weight(tree, node):
        to = STAYS  # of a tree saved before it told where its training rows went
    return MissingRoute(
        rows=int(tree.missing_rows[node]),
        weight=float(tree.missing_weight[node]),
        own=own_branch(tree, node) is not None,
        branch=to if to >= 0 else None,
        shares=branch_shares(tree, node) if to == SHARED else (),
        surrogates=surrogates_of(tree, node),
        asked=tree.surrogates_asked,
    )


def as_grown(tree: TreeColumns) -> TreeColumns:
    """The same tree, sending rows as it sent its training rows while it grew."""
    route = tree.training_route
    if route is None:
        return tree
    # a level that no row had which counts stays at the node
    splits = replace(tree.splits, missing_branch=route, unseen_branch=np.full(tree.n_nodes, STAYS))
    return replace(tree, splits=splits, training_route=None)


def is_for_missing(tree: TreeColumns, node: int, branch: int) -> bool:
    """Does this branch take missing values and nothing else?"""
    feature = tree.schema.features[tree.splits.feature[node]]
    return own_branch(tree, node) == branch and branch_text(feature, tree.splits, node, branch) in ("∈ {}", MISSING)


def missing_parts(tree: TreeColumns, node: int, route: MissingRoute) -> tuple[tuple[int, float], ...]:
    """(branch, training weight without the value that went down it), as far as the tree itself knows; () where
    surrogates sent some rows, or all stayed. See tally.missing_weights for what the rows themselves tell."""
    if route.shares:
        return tuple((branch, share * route.weight) for branch, share in enumerate(route.shares) if share > 0)
    return () if route.branch is None or route.by_surrogates else ((route.branch, route.weight),)


def _lost_weight(tree: TreeColumns, node: int) -> bool:
    """Did training rows stay at the node?"""
    below = float(sum(tree.weight[child] for child in tree.children(node)))
    return not math.isclose(below, float(tree.weight[node]), rel_tol=1e-9)


def branch_shares(tree: TreeColumns, node: int) -> tuple[float, ...]:
    """Each branch's share of the weight of all of them."""
    weight = tree.weight if tree.share_weight is None else tree.share_weight
    weights = [float(weight[child]) for child in tree.children(node)]
    return tuple(w / max(sum(weights), 1e-300) for w in weights)


def known_weights(tree: TreeColumns, node: int) -> tuple[float, ...]:
    """Of every branch, the training weight of the rows that have the value which the node asks for, where the others
    were shared in these proportions."""
    if tree.training_missing is not None:  # shared by the weights of other rows than these
        lost = float(tree.missing_weight[node])
        shares = branch_shares(tree, node)
        return tuple(float(tree.weight[c]) - s * lost for c, s in zip(tree.children(node), shares, strict=True))
    known = float(tree.weight[node] - tree.missing_weight[node])
    return tuple(share * known for share in branch_shares(tree, node))


def surrogates_of(tree: TreeColumns, node: int) -> tuple[Surrogate, ...]:
    """The backup tests of a node, in the order in which they are asked."""
    entries = range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1]))
    return tuple(_surrogate(tree, entry) for entry in entries)


def _surrogate(tree: TreeColumns, entry: int) -> Surrogate:
    splits, feature = tree.surrogates, tree.schema.features[tree.surrogates.feature[entry]]
    return Surrogate(
        feature=feature.name,
        condition=condition_text(feature, splits, entry, 0),
        branch=0,
        agreement=float(tree.surrogate_agree[entry]),
        adjusted=float(tree.surrogate_adjusted[entry]),
        rows=int(tree.surrogate_rows[entry]),
    )


def branch_name(tree: TreeColumns, node: int, branch: int) -> str:
    """The condition of one branch of a node."""
    feature = tree.schema.features[tree.splits.feature[node]]
    return branch_text(feature, tree.splits, node, branch, own_branch(tree, node))
