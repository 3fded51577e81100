"""Does a split part rows as the one before it did?"""

from treecore.engine.jit import inner, kernel
from treecore.kernels.state import N_LEVELS, ORDERED

SAME, SWAPPED, OTHER = 0, 1, 2
"""How a split parts rows, beside the one before it."""


@inner
def branch_before(problem, growing, was, code):
    """The branch of a code by the split that the node had."""
    if code == problem.features[was.feature].n_codes:
        return was.missing_branch
    if was.level_start >= 0:
        return growing.level_branch[was.level_start + code]
    return int(code > was.low)


@kernel
def note_branches(problem, fed, node, was, first, stop):
    """fed.before = the branch of every row by the split that the node had, -1 for new ones."""
    codes, order = problem.codes[was.feature], fed.growing.order[was.feature]
    for at in range(node.start, node.stop):
        fed.before[order[at]] = branch_before(problem, fed.growing, was, codes[order[at]])
    for at in range(first, stop):
        fed.before[fed.batch[at]] = -1


@kernel
def likeness(fed, node, was):
    """Does growing.side send the former rows as fed.before does?"""
    if node.n_children != was.n_children:
        return OTHER
    order, same, swapped = fed.growing.order[0], True, node.n_children == 2
    for at in range(node.start, node.stop):
        before = fed.before[order[at]]
        if before >= 0:
            same &= before == fed.growing.side[order[at]]
            swapped &= before == 1 - fed.growing.side[order[at]]
    return SAME if same else (SWAPPED if swapped else OTHER)


@kernel
def take_table(problem, growing, node, was, swapped):
    """Let the table of levels stand where the former one did; is it another one, whichever branch comes first?"""
    differs, differs_swapped = False, node.n_children > 2
    for v in range(problem.features[node.feature].n_codes):
        old, new = growing.level_branch[was.level_start + v], growing.level_branch[node.level_start + v]
        differs |= old != new
        differs_swapped |= old != (1 - new if new >= 0 else new)
    for v in range(problem.features[node.feature].n_codes + 1):
        growing.level_branch[was.level_start + v] = growing.level_branch[node.level_start + v]
    growing.counts[N_LEVELS], node.level_start = node.level_start, was.level_start
    return differs and differs_swapped


@inner
def stays_plainly(problem, growing, node, was):
    """Is a cut, with no values missing, between the same former rows?"""
    f = node.feature
    if f != was.feature or problem.features[f].splitter != ORDERED or was.missing_rows > 0:
        return False
    is_known = problem.codes[f, growing.order[f, node.stop - 1]] < problem.features[f].n_codes
    return is_known and node.low >= was.low and node.high <= was.high
