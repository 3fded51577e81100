"""Where rows without a value go: one small rule per strategy."""

import math

from tests.property.naive_options import by_known, is_ordered
from tests.property.naive_scores import SUM_TOLERANCE, Part, World
from tests.property.naive_surrogates import check_surrogates, surrogates_of, tested_surrogates_of

STAYS, SHARED = -1, -2


def send_missing(world: World, tree, node: int, option, parts, children, branch_of) -> tuple[list, dict]:
    """([the children's parts], {row: where the tree would send it} of rows that prediction may send elsewhere).

    children : the known parts of every branch; branch_of : a cell's branch. Checks the node's route of missing values.
    Rows that end at the node are in no child.
    """
    known, missing = by_known(world, option.feature, parts)
    strategy, sent_on = world.growth.missing, {p.row for child in children for p in child}
    absent = [p for p in known if p.row not in sent_on]  # the level has no row of positive weight: there is no branch
    backups = []
    if strategy in LISTING:
        if len(children) == 2:
            backups = LISTING[strategy](world, option.feature, children, parts)
        check_surrogates(tree, node, backups)
    to = RULES[strategy](world, option, parts, children, branch_of)
    children = [list(c) for c in children]
    sizes = [world.case(c) for c in children]
    sent = [0] * len(backups)
    for p in missing + (absent if not strategy.startswith("rpart") else []):
        branch = to
        for j, s in enumerate(backups if strategy != "rpart_stay" else []):
            side = s.side(world.sample.columns[s.feature][p.row])
            if side is not None:
                branch, sent[j] = side, sent[j] + 1
                break
        if branch == SHARED:
            _share(world, p, sizes, children)
        elif branch != STAYS:
            children[branch].append(p)
    start = tree.surrogate_start[node]
    assert tree.surrogate_rows[start : start + len(sent)].tolist() == sent, f"node {node}: {sent}"
    told = to
    if strategy == "rpart" and len(children) == 2:
        first, second = (len(c) for c in children)
        told = STAYS if first == second else int(second > first)
    assert tree.splits.missing_branch[node] == told, f"node {node}: missing go to {told}"
    assert tree.splits.unseen_branch[node] == told
    elsewhere = {p.row for p in missing} if told != to else set()
    return children, elsewhere | ({p.row for p in absent} if strategy.startswith("rpart") else set())


def _share(world, part, sizes, children):
    least = SUM_TOLERANCE if world.growth.score == "mdl_gain_ratio" else 0.0
    for child, size in zip(children, sizes, strict=True):
        if size / sum(sizes) > least:
            child.append(Part(part.row, part.share * size / sum(sizes)))


def _majority(world, _option, _parts, children, _branch_of):
    sizes = [world.case(c) for c in children]
    return sizes.index(max(sizes))


def _stay(*_):
    return STAYS


def _fractional(*_):
    return SHARED


def _rpart(world, option, parts, children, branch_of):
    if world.growth.max_surrogates == 0:
        return STAYS
    sizes = [world.case(c) for c in children]
    return STAYS if sizes.count(max(sizes)) > 1 else _majority(world, option, parts, children, branch_of)


def _node_value(world, option, _parts, children, branch_of):
    """The branch of the mean of the known values, or of the heaviest level (the first of equals)."""
    cells = world.sample.columns[option.feature]
    known = [p for c in children for p in c]
    if is_ordered(world, option.feature):
        return branch_of(math.fsum(world.case([p]) * cells[p.row] for p in known) / world.case(known))
    sizes = {v: world.case([p for p in known if cells[p.row] == v]) for v in sorted({cells[p.row] for p in known})}
    return branch_of(max(sizes, key=sizes.get))


def _own_value(world, option, parts, children, branch_of):
    """As the split names it; without missing values at the node the larger branch, or the rest of the levels."""
    if world.filled(by_known(world, option.feature, parts)[1]) or _has_own_branch(world, option, children):
        return branch_of(None)
    if option.threshold is None and world.growth.nominal == "one_level":
        return 1
    return _majority(world, option, parts, children, branch_of)


def _both_ways(world, option, parts, children, branch_of):
    if world.filled(by_known(world, option.feature, parts)[1]) or _has_own_branch(world, option, children):
        return branch_of(None)
    sizes = [world.filled(c) for c in children]
    return max(b for b, size in enumerate(sizes) if size == max(sizes))


def _has_own_branch(world, option, children):
    return option.threshold is None and len(children) > max(2, world.sample.levels[option.feature])


def _majority_rows(_world, _option, _parts, children, _branch_of):
    """The last of those with most rows, whatever they weigh."""
    sizes = [len(c) for c in children]
    return len(sizes) - 1 - sizes[::-1].index(max(sizes))


RULES = {
    "majority": _majority, "stay": _stay, "fractional": _fractional, "surrogates": _majority,
    "surrogates_only": _stay, "rpart": _rpart, "rpart_only": _stay, "rpart_stay": _stay, "node_value": _node_value,
    "own_value": _own_value, "both_ways": _both_ways, "majority_rows": _majority_rows,
    "tested_surrogates": _majority_rows,
}  # fmt: skip
LISTING = dict.fromkeys(("surrogates", "surrogates_only", "rpart", "rpart_only", "rpart_stay"), surrogates_of)
LISTING["tested_surrogates"] = tested_surrogates_of
"""Strategy -> who finds its surrogates."""
