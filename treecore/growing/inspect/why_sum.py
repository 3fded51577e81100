"""Why a node asks this weighted sum, and what the features that were left out of it would save, in sentences."""

import numpy as np

from treecore.data.table import Table
from treecore.figures import brief
from treecore.growing.inspect.node_values import node_rows
from treecore.growing.oblique.directions import NO_SUMS
from treecore.growing.oblique.grow import Search, Standardised
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree

MOST_NAMES = 5


def why_sum(tree: Tree, node: int, train: Table) -> str:
    """What a coefficient must save, in bits to tell the target of the node's training rows, the loss by the features
    that were left out of the sum, and by the best single feature instead of it; "" for any other split.

    The loss is that beside the best direction of all features, as the tree's way to find them finds it there.
    """
    growth = GrowSettings.from_dict(dict(tree.growth))
    terms = {} if tree.is_leaf[node] else dict(tree.schema.features[tree.splits.feature[node]].terms)
    if not terms or growth.oblique == NO_SUMS:
        return ""
    search = Search(train, growth, None)
    there = search.standardised(node_rows(tree, node, train).rows)
    if there is None or not set(terms) <= set(there.names):
        return ""
    mine = there.cases.cut_bits(_weights(there, terms) @ there.cases.x.T)
    single, _ = there.cases.best_feature()
    least = there.cases.coefficient_bits
    instead = f"The best single feature would take {brief(max(single - mine, 0.0))} bits more to tell the target here."
    paid = f"A further coefficient must save {brief(least)} bits."
    return " ".join([instead, paid, _left_out(there, terms, mine, search, growth.seed)])


def _weights(there: Standardised, terms: dict[str, float]) -> np.ndarray:
    """float64 (d,): of the standardised features."""
    return np.array([terms.get(name, 0.0) for name in there.names]) * there.scale


def _left_out(there: Standardised, terms: dict[str, float], mine: float, search: Search, seed: int) -> str:
    names = [name for name in there.names if name not in terms]
    if not names:
        return "No feature was left out of the sum."
    found = search.way.find(there.cases, np.random.default_rng(seed))
    whole = float(there.cases.cuts_bits(found @ there.cases.x.T).min()) if len(found) else mine
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    loss = f"{brief(mine - whole)} bits are lost by that" if whole < mine - 1e-9 else "nothing is lost by that"
    return f"Left out: {', '.join(names[:MOST_NAMES])}{more}; {loss}."
