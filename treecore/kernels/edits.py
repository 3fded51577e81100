"""Splits that somebody wants at certain places of the tree."""

from treecore.criteria.impurity import impurity
from treecore.jit import kernel
from treecore.kernels.rows import add_row
from treecore.kernels.state import N_LEVELS


@kernel
def edit_at(edits, parent, branch):
    """The entry of the place that is this branch of another place, -1 if there is none."""
    for e in range(edits.shape[0]):
        if edits[e].parent == parent and edits[e].branch == branch:
            return e
    return -1


@kernel
def impose(problem, growing, node):
    """Give the node the split that an edit wants; False if it wants none or the node has no rows."""
    if node.edit < 0 or problem.edits[node.edit].feature < 0 or node.weight <= 0.0:
        return False
    edit = problem.edits[node.edit]
    node.feature, node.low, node.high, node.n_children = edit.feature, edit.low, edit.high, edit.n_branches
    if edit.level_start >= 0:
        node.level_start = growing.counts[N_LEVELS]
        n_levels = problem.features[edit.feature].n_codes
        growing.counts[N_LEVELS] += n_levels
        for v in range(n_levels):
            growing.level_branch[node.level_start + v] = problem.edit_level[edit.level_start + v]
    node.score = gain_of(problem, growing, node)
    return True


@kernel
def gain_of(problem, growing, node):
    """Impurity decrease of the node's split over its known values, times their share.

    The branches are summed up in growing.levels, as if they were levels.
    """
    rules, levels, stats = problem.rules[0], growing.levels, growing.level_stats
    codes, order, sums = problem.codes[node.feature], growing.order[node.feature], growing.sums
    for b in range(node.n_children):
        levels[b].weight = 0.0
        for s in range(stats.shape[1]):
            stats[b, s] = 0.0
            sums[2, s] = 0.0
    known = 0.0
    for i in range(node.start, node.stop):
        row, code = problem.rows[order[i]], codes[order[i]]
        if code == problem.features[node.feature].n_codes:
            break
        branch = int(code > node.low) if node.level_start < 0 else growing.level_branch[node.level_start + code]
        add_row(stats[max(branch, 0)], row, rules.n_classes)
        add_row(sums[2], row, rules.n_classes)
        levels[max(branch, 0)].weight += row.weight
        known += row.weight
    if known <= 0.0:
        return 0.0
    remaining = 0.0
    for b in range(node.n_children):
        remaining += levels[b].weight * impurity(rules.criterion, stats[b], levels[b].weight)
    return (impurity(rules.criterion, sums[2], known) * known - remaining) / node.weight
