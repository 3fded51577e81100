"""Where a tree sends the rows of an engine: the node at which each one ends, as an expression over its columns."""

import numpy as np

from treecore.database.describe import as_number, as_text, exact, level_code
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEAF, SHARED, THRESHOLD
from treecore.kernels.codes import LEVELS as BY_LEVEL
from treecore.tree.oblique import refuse_oblique
from treecore.tree.tree import Tree


def end_of(tree: Tree, relation, halved: bool):
    """int32, an Ibis expression: the node at which each row's route ends. halved : as in level_code.

    TreecoreError for trees that send parts of rows, ask surrogates or branch by bins, which one node cannot tell.
    """
    _check(tree)
    return _below(tree, relation, halved, 0)


def _check(tree: Tree) -> None:
    refuse_oblique(tree, "judging in an engine")
    inner = ~tree.is_leaf
    whole = (tree.splits.missing_branch[inner] != SHARED).all() and not len(tree.surrogates)
    if not whole or not np.isin(tree.splits.kind, (LEAF, THRESHOLD, BY_LEVEL)).all():
        raise TreecoreError(
            "It sends parts of rows, asks surrogates or branches by bins, which is not counted in an engine",
            where="Tree",
            remedy="Grow with missing = majority, or judge it on a sample",
        )


def _below(tree: Tree, relation, halved: bool, node: int):
    import ibis

    here = ibis.literal(node, "int32")
    if tree.is_leaf[node]:
        return here
    splits, feature = tree.splits, tree.schema.features[int(tree.splits.feature[node])]
    cell = relation[feature.name]
    if feature.kind == "numeric":
        value = as_number(cell)
        missing = value.isnull()
        value = value.cast("float32").cast("float64") if tree.schema.precision == "float32" else value
    else:
        value, missing = level_code(as_text(cell), feature.levels, halved), cell.isnull()
    if splits.kind[node] == BY_LEVEL:
        asked = _by_level(splits.levels(node), value)
        unseen = ~missing & ~value.isin(np.flatnonzero(splits.levels(node) >= 0).tolist())
        _send(asked, int(splits.unseen_branch[node]), unseen)
    else:
        asked = _by_threshold(splits, node, value if feature.kind == "numeric" else value.nullif(len(feature.levels)))
    _send(asked, int(splits.missing_branch[node]), missing)
    # every child stands in the query once: its text would double from level to level otherwise
    cases = [
        (asked[b], _below(tree, relation, halved, child)) for b, child in enumerate(tree.children(node)) if b in asked
    ]
    return ibis.cases(*cases, else_=here)


def _send(asked: dict, branch: int, rows) -> None:
    """Let a branch get these rows, too; none if it is none."""
    if branch >= 0:
        asked[branch] = asked[branch] | rows if branch in asked else rows


def _by_threshold(splits, node: int, value) -> dict:
    """branch -> condition for known values."""
    low = int(splits.low_branch[node])
    if np.isinf(splits.threshold[node]):
        return {low: value.notnull()}
    edge = exact(splits.threshold[node])
    below = value <= edge if splits.closed[node] else value < edge
    return {low: below, 1 - low: ~below}


def _by_level(branches: np.ndarray, value) -> dict:
    """branch -> condition for levels that it was seen with."""
    return {int(b): value.isin(np.flatnonzero(branches == b).tolist()) for b in np.unique(branches) if b >= 0}
