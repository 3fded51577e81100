"""How brittle a tree is, in sentences, a table and a badge for every node."""

import numpy as np

from treecore.experiments.resampling import Regrown
from treecore.experiments.stability import Stability
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.tree.tree import Tree

MOST_SPLITS = 60


def stability_lines(tree: Tree, of: Stability, found: Regrown) -> list[Line]:
    """What changes in all, then every split with how often it returns, those of most rows first."""
    n, changed = len(found.trees), of.changed
    head = f"{percent(float(changed.mean()))} of the rows get another answer from a regrown tree on average"
    spread = f" (of {n:,} trees: {percent(float(changed.min()))} to {percent(float(changed.max()))})."
    size = f" They have {of.n_leaves.min():,} to {of.n_leaves.max():,} leaves, yours {tree.n_leaves:,}."
    lines: list[Line] = [Words(head + spread + size)]
    never = int((of.row_changed == 0).sum())
    share = percent(never / len(of.row_changed))
    lines.append(Words(f"{share} of the rows get your tree's answer from every one of them."))
    inner = np.flatnonzero(~tree.is_leaf)
    inner = inner[np.argsort(-tree.weight[inner], kind="stable")][:MOST_SPLITS]
    if not len(inner):
        return [*lines, Words("Your tree has no split that could return.")]
    lines.append(Words(f"The root's split returns in {percent(of.returns[0])} of the trees."))
    rows = tuple(
        (str(i), _test(tree, i), percent(of.returns[i]), percent(of.same_depth[i]), brief(of.usual_depth[i]))
        for i in inner.tolist()
    )
    return [*lines, Grid(("node", "split", "returns", "same depth", "usual depth"), rows)]


def badges(tree: Tree, of: Stability) -> dict[int, tuple[str, str]]:
    """Node -> at most three digits for its card, and the sentence behind them: of a split how often it returns, of a
    leaf how often its answers hold."""
    found = {}
    for node in range(tree.n_nodes):
        split = not tree.is_leaf[node]
        share = float((of.returns if split else of.holds)[node])
        if np.isfinite(share):
            what = "of the regrown trees have this split" if split else "of the regrown trees give its rows this answer"
            found[node] = (f"{100 * share:.0f}", f"{percent(share)} {what}")
    return found


def _test(tree: Tree, node: int) -> str:
    """The test of the node's first branch."""
    return tree.node(tree.children(node)[0]).condition
