"""Borders of decision regions: the split that draws each of them, and the tree with that split at another place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.fit import edit_of, edited, grow_with, prune, without_regrown
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.kernels.codes import THRESHOLD
from treecore.pruning.cuts import Cuts
from treecore.recipe import Edit, Prune, Take
from treecore.study.plane import Axis, Plane, fixed_codes
from treecore.study.polygons import is_slanted
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Border(Brief):
    """The threshold of one node in the plane of two features.

    node : whose split it is, as `ids` call it. axis : 0 where the threshold is one of x, 1 of y. at : the threshold.
    low, high : the node's part of that axis, within the range shown: between them it can be moved. spans : the parts of
    the other axis along which it is drawn. printed : the threshold in print.
    """

    node: int
    axis: int
    at: float
    low: float
    high: float
    spans: tuple[tuple[float, float], ...]
    printed: str


def borders(
    tree: Tree, x: Axis, y: Axis, fixed: Mapping[str, object], ids: np.ndarray | None = None
) -> tuple[Border, ...]:
    """The borders that the thresholds of a tree draw in a plane, those of the upper nodes last.

    fixed, ids : as for `regions`. () for a tree with oblique splits, whose borders are slanted.
    """
    if is_slanted(tree):
        return ()
    axes = x, y
    plane = Plane(tree, axes, fixed_codes(tree, axes, fixed))
    ids, result = np.arange(tree.n_nodes) if ids is None else ids, []
    for node, box, is_end in plane.ends_in(tree.is_leaf):
        place = plane.axes.get(int(tree.splits.feature[node]))
        if is_end or place is None or axes[place].kind != "numeric" or tree.splits.kind[node] != THRESHOLD:
            continue
        spans, at = axes[1 - place].spans(box[1 - place]), float(tree.splits.threshold[node])
        for low, high in axes[place].spans(box[place]):
            if spans and low < at < high:
                result.append(Border(int(ids[node]), place, at, low, high, tuple(spans), printed_threshold(tree, node)))
    return tuple(sorted(result, key=lambda border: -border.node))


def printed_threshold(tree: Tree, node: int) -> str:
    """The threshold of a node in print: a number that parts the training rows as it does."""
    feature = tree.schema.features[int(tree.splits.feature[node])]
    return feature.printed(float(tree.splits.threshold[node]), bool(tree.splits.closed[node]))


@dataclass(frozen=True, eq=False, repr=False)
class WithBorder(Brief):
    """A tree whose split at one node stands at another threshold; what is below has grown anew.

    take : the step of a recipe that makes it. grown : the full tree. cuts : what is pruned of it.
    """

    take: Take
    grown: Tree
    cuts: Cuts

    @property
    def tree(self) -> Tree:
        return self.grown.cut(self.cuts)


def border_take(tree: Tree, node: int, threshold: float) -> Take:
    """The step that puts the threshold of a node of the full tree elsewhere."""
    feature = tree.node(node).feature
    if feature is None or tree.splits.kind[node] != THRESHOLD:
        remedy = "Choose a node that splits a number in two"
        raise TreecoreError(f"Node {node} has no threshold", where="Border", remedy=remedy)
    return Take(edit_of(tree, node, "cut").path, feature, feature, float(threshold))


def with_border(
    take: Take, growth: GrowSettings, pruning: Prune, steps: tuple[Edit | Take, ...], rows: Mapping[str, Table]
) -> WithBorder:
    """The tree with this step after others by hand, pruned.

    pruning : see `at_alpha`, so that no folds grow at every place of a border. rows : role -> Table, "train" and those
    that pruning looks at. TreecoreError where the threshold parts no rows of its node.
    """
    takes = tuple(step for step in steps if isinstance(step, Take))
    try:
        tree = grow_with(rows["train"], growth, (*takes, take), None, rows.get("validation"))
    except TreecoreError as fault:
        if fault.where != "steps by hand":
            raise
        remedy = "Move it to where rows lie on both of its sides"
        what = f"At {number(take.threshold)} the border does not part the rows of its node"
        raise TreecoreError(what, where="Border", remedy=remedy) from None
    apart: dict[str, Any] = {role: rows.get(role) for role in ("train", "validation", "pruning")}
    cuts = prune(tree, pruning.method, **apart, **dict(pruning.parameters))
    for step in without_regrown((*steps, take)):
        if isinstance(step, Edit):
            cuts = _edited(tree, cuts, step)
    return WithBorder(take, tree, cuts)


def _edited(tree: Tree, cuts: Cuts, step: Edit) -> Cuts:
    """The cuts after a step by hand; as they are where its node is no longer there."""
    try:
        return edited(tree, cuts, step)
    except TreecoreError:
        return cuts


def at_alpha(pruning: Prune, alpha: float | None) -> Prune:
    """Cost-complexity pruning by the α that it has chosen, which another tree is then pruned by; others as they are."""
    given = dict(pruning.parameters)
    if pruning.method != "cost_complexity" or alpha is None or given.get("alpha") is not None:
        return pruning
    risk = (("risk", given["risk"]),) if "risk" in given else ()
    return replace(pruning, parameters=(*risk, ("alpha", float(alpha))))
