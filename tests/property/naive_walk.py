"""A grown tree checked from the root down against the slow twin, whatever the settings.

At every node the counts, the impurity, the split with its gain and score, and the route of missing values are
computed anew. Among splits of equal worth the tree's own is followed, so that one tie does not blur what is below.
"""

import math
from dataclasses import replace

import numpy as np

import treecore as tc
from tests.property.naive import Sample
from tests.property.naive_missing import send_missing
from tests.property.naive_options import Option, by_known, is_ordered, winners
from tests.property.naive_scores import Part, World
from treecore.tree.predict import route


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-11)


def that_grow(sample: Sample, missing: str) -> Sample:
    """Without the rows that a peer leaves out: rpart those of no value at all, unless rows have weights, and
    scikit-learn those that weigh nothing."""
    kept = range(sample.n_rows)
    if missing.startswith("rpart") and sample.weights is None:
        kept = [i for i in kept if any(column[i] is not None for column in sample.columns)]
    elif missing == "both_ways" and sample.weights is not None:
        kept = [i for i in kept if sample.weights[i]]
    if len(kept) in (0, sample.n_rows):
        return sample
    weights = None if sample.weights is None else [sample.weights[i] for i in kept]
    columns = [[column[i] for i in kept] for column in sample.columns]
    return replace(sample, columns=columns, target=[sample.target[i] for i in kept], weights=weights)


def has_its_classes(sample: Sample, growth: tc.GrowSettings) -> bool:
    """Is there a row of weight for every class that has a prior, among the rows that grow the tree?"""
    grown = that_grow(sample, growth.missing)
    met = {y for i, y in enumerate(grown.target) if grown.weights is None or grown.weights[i]}
    return growth.priors is None or all(k in met for k, prior in enumerate(growth.priors) if prior > 0)


def check_tree(sample: Sample, growth: tc.GrowSettings, tree: tc.Tree) -> None:
    """AssertionError at the first node that is not as the formulas say."""
    sample = that_grow(sample, growth.missing)
    world = World(sample, growth)
    ends, elsewhere, waiting = {}, set(), [(0, [Part(i) for i in range(sample.n_rows)], 0)]
    n_nodes = 1
    while waiting:
        node, parts, depth = waiting.pop(0)
        _check_counts(world, tree, node, parts, depth)
        found, may_stop = winners(world, parts, depth)
        if tree.is_leaf[node]:
            assert may_stop, f"node {node} should split: {found}"
            children = []
        else:
            children, lost = _split(world, tree, node, parts, found)
            elsewhere |= lost
            assert tree.first_child[node] == n_nodes
            n_nodes += len(children)
            waiting += [(b, c, depth + 1) for b, c in zip(tree.children(node), children, strict=True)]
        for p in parts:
            stays = p.share - math.fsum(q.share for c in children for q in c if q.row == p.row)
            if stays > 1e-9:
                ends[p.row, node] = stays
    assert tree.n_nodes == n_nodes
    _check_routes(sample, tree, ends, elsewhere)


def _check_counts(world, tree, node, parts, depth):
    assert tree.n_rows[node] == len(parts), f"node {node}: {tree.n_rows[node]} rows, not {parts}"
    assert close(tree.weight[node], world.case(parts)), f"node {node}: weight {world.case(parts)}"
    assert tree.node_depth[node] == depth
    assert close(tree.impurity[node], world.impurity(parts)), f"node {node}: impurity {world.impurity(parts)}"
    if world.sample.n_classes:
        np.testing.assert_allclose(tree.stats[node], world.class_weights(parts, world.cases), rtol=1e-9, atol=1e-12)
    elif world.weight(parts) > 0:
        assert close(tree.value[node], world.mean(parts)), f"node {node}: mean {world.mean(parts)}"


def _split(world, tree, node, parts, found):
    """The children's parts, after all that can be said about the split."""
    feature = int(tree.splits.feature[node])
    said = f"node {node} tests x{feature} {_test(tree, node)}, should be of {found}"
    same = [o for o in found if o.feature == feature and _is_split(world, tree, node, o)]
    assert same, said
    option = same[0]
    assert close(tree.score[node], option.score), f"score {tree.score[node]}: {said}"
    assert close(tree.gain[node], world.decrease(parts, option.branches)), f"gain {tree.gain[node]}: {said}"
    missing = by_known(world, feature, parts)[1]
    assert tree.missing_rows[node] == len(missing), said
    assert close(tree.missing_weight[node], world.case(missing)), f"missing {tree.missing_weight[node]}: {said}"
    branch_of = _branch_of(world, tree, node, option)
    cells, children = world.sample.columns[feature], [[] for _ in tree.children(node)]
    for p in parts:
        if cells[p.row] is not None and branch_of(cells[p.row]) >= 0:
            children[branch_of(cells[p.row])].append(p)
    _check_order(world, tree, node, option, children)
    return send_missing(world, tree, node, option, parts, children, branch_of)


def _test(tree, node):
    return f"{tree.splits.threshold[node]} {tree.splits.levels(node)} missing {tree.splits.missing_branch[node]}"


def _is_split(world, tree, node, option: Option) -> bool:
    splits = tree.splits
    if option.threshold is not None:
        side = None if option.missing is None else int(option.missing != splits.low_branch[node])
        at = splits.threshold[node] == option.threshold
        return bool(at) and (side is None or splits.missing_branch[node] == side)
    table = dict(enumerate(splits.levels(node).tolist()))
    if None in option.branch:
        table[None] = int(splits.missing_branch[node])
    if len(tree.children(node)) > 2 or world.growth.nominal in ("multiway", "one_level"):
        return all(table[v] == b for v, b in option.branch.items())
    present = [v for v in table if v in option.branch]
    flip = table[present[0]] != option.branch[present[0]]
    return all(table[v] == (1 - b if flip else b) for v, b in option.branch.items())


def _branch_of(world, tree, node, option):
    """cell -> branch by the option's own threshold or the tree's order of the sides."""
    splits = tree.splits
    if option.threshold is None:
        table, missing = splits.levels(node).tolist(), int(splits.missing_branch[node])
        return lambda cell: missing if cell is None else table[cell]
    low = int(splits.low_branch[node])
    closed = world.growth.threshold != "midpoint"  # never on a threshold, if the feature is ordinal

    def branch(cell):
        if cell is None:
            return low if option.missing == 0 else 1 - low
        below = cell <= option.threshold if closed else cell < option.threshold
        return low if below else 1 - low

    return branch


def _check_order(world, tree, node, option, children):
    """Low values or the one level first; the smaller mean first in groups of levels, and on request at cuts."""
    ordered = is_ordered(world, option.feature)
    if len(children) != 2 or (world.growth.nominal == "multiway" and not ordered):
        return
    if not all(children):  # all rows of a side are without a value, which is a value of its own
        return
    if not (world.growth.branch_order == "mean" if ordered else world.growth.nominal == "subset"):
        assert tree.splits.low_branch[node] == 0
        return
    means = [world.mean(c) for c in children]
    assert means[0] <= means[1] + 1e-9, f"node {node}: means {means}"


def _check_routes(sample, tree, ends, elsewhere):
    """The table's rows end where they were counted, but for rows that prediction sends elsewhere by rule."""
    routes = route(tree, sample.table())
    found = {}
    for row, node, share in zip(routes.row.tolist(), routes.node.tolist(), routes.share.tolist(), strict=True):
        found[row, node] = found.get((row, node), 0.0) + share
    for key in found.keys() | ends.keys():
        if key[0] not in elsewhere:
            assert close(found.get(key, 0.0), ends.get(key, 0.0)), f"row {key[0]} in node {key[1]}"
