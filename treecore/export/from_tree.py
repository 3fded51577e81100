"""A tree as the cards of its diagram."""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.export.cards import Bar, NodeCard, missing_count
from treecore.figures import brief, in_unit, percent
from treecore.figures import count as number
from treecore.pruning.cuts import CUT, RAISED, Cuts, stub_lines
from treecore.tree.missing import MissingRoute, as_grown, branch_name, is_for_missing, missing_parts, missing_route
from treecore.tree.node import NodeView
from treecore.tree.node_statistics import missing_weights
from treecore.tree.short_text import clean
from treecore.tree.tree import Tree


def said(view: NodeView) -> str:
    """What a node predicts, as its card says it: a large number with separators of thousands, and its unit."""
    return view.tree.target_kind.card_text(view.tree, view.id)


def deviation_text(tree: Tree, variance: float) -> str:
    """ "± 12,345 €": the root of a squared error has the unit of the target, it itself says little to anybody."""
    return f"± {in_unit(brief(variance**0.5), tree.schema.target_unit)}"


def tree_cards(
    tree: Tree,
    nodes: np.ndarray,
    stats: dict[str, np.ndarray],
    cuts: Cuts | None = None,
    values: np.ndarray | None = None,
) -> tuple[NodeCard, ...]:
    """One card per node to draw.

    nodes : ids, ascending, closed under parents (but for the first). stats : role -> float64 (n_nodes, S),
    see tree.tally.node_statistics. cuts : marks cut and raised nodes, and ghosts. values : what sets the scale of a
    regression's bars, the tree's own values unless given.
    """
    cuts = cuts or Cuts.none(tree)
    found = cuts.stand(tree)
    ghost = np.ones(tree.n_nodes, bool)
    ghost[found.nodes] = False
    place = dict(zip(found.nodes[found.raised].tolist(), found.place[found.raised].tolist(), strict=True))
    drawn = set(nodes.tolist())
    values = tree.value if values is None else values
    low, high = (0.0, 1.0) if tree.classes else (float(values.min()), float(values.max()))
    size = tree.add_up(np.ones(tree.n_nodes, np.int64))

    taken = {place: node for node, place in place.items()}

    def card(node: int) -> NodeCard:
        view = tree.node(node)
        leaf = view.is_leaf
        shown = any(child in drawn for child in tree.children(node))
        return NodeCard(
            id=node,
            parent=int(tree.parent[node]) if int(tree.parent[node]) in drawn else None,
            branch=clean(view.branch.removeprefix("∈ ").removeprefix("= ")),
            levels=view.branch_levels,
            title=said(view) if leaf else view.feature,
            is_leaf=leaf,
            rows=view.weight,
            share=view.weight / float(tree.weight[0]),
            impurity=view.impurity,
            impurity_name=CRITERIA[tree.criterion].label,
            spread=deviation_text(tree, view.impurity) if tree.criterion == "squared_error" else "",
            bars=tuple(_bar(tree, node, role, s[node], low, high) for role, s in stats.items()),
            predicted=said(view),
            **(_missing(tree, node) if shown and not leaf else {}),
            for_missing=only_missing(tree, node),
            ghost=bool(ghost[node]),
            place=place.get(node),
            **_verdict(cuts, node, bool(ghost[node]), taken),
            below=0 if leaf or shown else int(size[node]) - 1,
        )

    return tuple(card(int(node)) for node in nodes)


def _verdict(cuts: Cuts, node: int, ghost: bool, taken: dict[int, int]) -> dict:
    """The card's fields that say what a method made of the node, where it shows: taken is place -> node in it."""
    reason = cuts.reasons.get(node)
    if cuts.verdict[node] == RAISED and node in taken:
        return {"raised": taken[node], "stub": stub_lines(reason)}
    if cuts.verdict[node] != CUT or ghost:
        return {}
    return {"cut": f"{reason.method}, {reason.text}" if reason else "cut", "stub": stub_lines(reason)}


def _missing(tree: Tree, node: int) -> dict:
    """The card's fields that say where rows without the value went."""
    route = missing_route(tree, node)
    if route is None or not route.rows:
        return {}
    parts = missing_parts(tree, node, route)
    return {
        "missing_rows": route.rows,
        "missing_weight": route.weight,
        "missing_to": int(tree.first_child[node]) + parts[0][0] if len(parts) == 1 else None,
        "missing_goes": missing_goes(tree, node, route),
    }


def only_missing(tree: Tree, node: int) -> bool:
    """Do only rows without a value come here?"""
    above = int(tree.parent[node])
    return above >= 0 and is_for_missing(tree, above, node - int(tree.first_child[above]))


def missing_marks(tree: Tree, rows: Table | None = None) -> tuple[dict[int, str], dict[int, str]]:
    """What is written beside the routes of missing values, of all nodes.

    rows : the training rows, where they are at hand: only they tell which branch surrogates sent a row to.
    Returns (node -> what came to it without a value of what its parent asks for, inner node -> what no branch is known
    to have taken): "118 missing", or the weight where rows were shared; "3 missing stay here".
    """
    routes = {node: missing_route(tree, node) for node in np.flatnonzero((tree.missing_rows > 0) & ~tree.is_leaf)}
    weights = None
    if rows is not None and any(route.by_surrogates for route in routes.values()):
        weights = missing_weights(as_grown(tree), rows)
    came, rest = {}, {}
    for node, route in routes.items():
        parts = {int(tree.first_child[node]) + branch: weight for branch, weight in missing_parts(tree, node, route)}
        if weights is not None and not parts:
            parts = {child: float(weights[child]) for child in tree.children(node) if weights[child] > 0}
        came |= {child: _missing_part(route, weight) for child, weight in parts.items()}
        left = route.weight - sum(parts.values())
        if route.by_surrogates and not parts:
            rest[int(node)] = f"{missing_count(route.rows, route.weight)}, by surrogates"
        elif left > LEAST_WEIGHT * route.weight:
            rest[int(node)] = f"{_missing_part(route, left)} stay here"
    return came, rest


def _missing_part(route: MissingRoute, weight: float) -> str:
    part = number(weight)
    return missing_count(route.rows, route.weight) if part == number(route.weight) else f"{part} missing"


LEAST_WEIGHT = 1e-9
"""Of the rows without a value: what sums leave over is no row that stays."""
MOST_SHARES = 4


def missing_goes(tree: Tree, node: int, route: MissingRoute) -> str:
    """Where the rows went, in few words: "≥ 2.5", "shared 60.0 % / 40.0 %", "2 by surrogate age, 1 stays here"."""
    if route.shares:
        if len(route.shares) > MOST_SHARES:
            return f"shared among {len(route.shares)} branches"
        return "shared " + " / ".join(percent(share) for share in route.shares)
    by = [f"{s.rows} by surrogate {s.feature}" for s in route.surrogates if s.rows] if route.asked else []
    if not by:
        return "stay here" if route.branch is None else branch_name(tree, node, route.branch)
    stay = f"{route.others} stay{'s' if route.others == 1 else ''} here"
    rest = [stay if route.branch is None else f"{route.others} to the larger branch"] if route.others else []
    return ", ".join(by + rest)


def _bar(tree: Tree, node: int, role: str, stats: np.ndarray, low: float, high: float) -> Bar:
    n = float(tree.weight_of(stats))
    if tree.classes:
        return Bar(role, tuple((stats / n).tolist()) if n > 0 else None, None, n)
    mean = tree.center[node] + tree.target_kind.mean_of(stats) if n > 0 else low
    if high <= low:
        return Bar(role, None, 0.5, n)
    place = float(np.clip((mean - low) / (high - low), 0.0, 1.0))  # an estimate is nearer to that of all rows
    return Bar(role, None, place, n, _band(tree, stats, float(mean), low, high))


def _band(tree: Tree, stats: np.ndarray, mean: float, low: float, high: float) -> tuple[float, float] | None:
    """Mean less and plus the standard deviation of a node's rows, on the scale of its bar; None of other targets."""
    spread = tree.target_kind.deviation(stats)
    if np.isnan(spread):
        return None
    return tuple(float(np.clip((end - low) / (high - low), 0.0, 1.0)) for end in (mean - spread, mean + spread))
