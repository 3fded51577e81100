"""Where a tree sends the rows of an engine: the node at which each one ends, as an expression over its columns."""

from collections.abc import Mapping

import numpy as np

from treecore.data.level_index import MISSING
from treecore.database.binned import exact
from treecore.database.describe import as_number, as_text, level_code
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEAF, SHARED, THRESHOLD
from treecore.kernels.codes import LEVELS as BY_LEVEL
from treecore.tree.oblique import refuse_oblique
from treecore.tree.tree import Tree


def end_of(tree: Tree, relation, texts: Mapping[str, Mapping[str, int]], halved: bool):
    """int32, an Ibis expression: the node at which each row's route ends; -1 for a row of which parts go several ways.

    texts : of each feature with levels, the place that each of the engine's texts has among those of the tree, MISSING
    or NO_LEVEL for none. halved : as in level_code. TreecoreError for trees that ask surrogates or branch by bins.
    """
    _check(tree)
    return _below(tree, relation, texts, halved, 0)


def _check(tree: Tree) -> None:
    refuse_oblique(tree, "judging in an engine")
    if len(tree.surrogates) or not np.isin(tree.splits.kind, (LEAF, THRESHOLD, BY_LEVEL)).all():
        raise _not_counted("It asks surrogates or branches by bins")


def refuse_parts(nodes: np.ndarray) -> None:
    """TreecoreError where one of these ends of rows is of a row that goes several ways."""
    if (nodes < 0).any():
        raise _not_counted("Rows lack a value that it asks for, and it sends parts of them down every branch")


def _not_counted(what: str) -> TreecoreError:
    remedy = "Grow with missing = majority, or judge it on a sample"
    return TreecoreError(f"{what}, which is not counted in an engine", where="Tree", remedy=remedy)


def _below(tree: Tree, relation, texts: Mapping[str, Mapping[str, int]], halved: bool, node: int):
    import ibis

    here = ibis.literal(node, "int32")
    if tree.is_leaf[node]:
        return here
    splits, feature = tree.splits, tree.schema.features[int(tree.splits.feature[node])]
    cell, parted = relation[feature.name], []
    if feature.kind == "numeric":
        value = as_number(cell)
        missing = value.isnull()
        value = value.cast("float32").cast("float64") if tree.schema.precision == "float32" else value
    else:
        known = {text: place for text, place in texts[feature.name].items() if place >= 0}
        gone = [text for text, place in texts[feature.name].items() if place == MISSING]
        text = as_text(cell)
        value = level_code(text, known, len(feature.levels), halved)
        missing = text.isnull() | text.isin(gone) if gone else text.isnull()
    if splits.kind[node] == BY_LEVEL:
        asked = _by_level(splits.levels(node), value)
        unseen = ~missing & ~value.isin(np.flatnonzero(splits.levels(node) >= 0).tolist())
        _send(asked, int(splits.unseen_branch[node]), unseen)
        if splits.unseen_branch[node] == SHARED:
            parted.append(unseen)
    else:
        asked = _by_threshold(splits, node, value if feature.kind == "numeric" else value.nullif(len(feature.levels)))
    _send(asked, int(splits.missing_branch[node]), missing)
    if splits.missing_branch[node] == SHARED:
        parted.append(missing)
    # every child stands in the query once: its text would double from level to level otherwise
    cases = [(rows, ibis.literal(-1, "int32")) for rows in parted] + [
        (asked[b], _below(tree, relation, texts, halved, child))
        for b, child in enumerate(tree.children(node))
        if b in asked
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
