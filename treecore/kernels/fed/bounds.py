"""What the cuts of each block can gain at most, once more rows are at a node.

Let F be a node's weight times its impurity. The gain of a split, times the weight, is F(node) less the sum of
F(branch). F is concave, and in proportion to the number of rows mixed alike, so that F(a + b) >= F(a) + F(b): no
F(branch) falls by new rows. So no gain, times the weight, rises by more than F(node) does.

Of two classes more is known: by a row of one class F(branch) rises the less, the more rows of this class are there
(F is concave) and the fewer of the other (then their mixed derivative is not negative). The counts left of the cuts of
a block lie between those at its ends; so a corner of these has the least rise, and what F(node) rises by more than
that is all that a gain can have won by the row.
"""

import math

from treecore.criteria.impurity import impurity
from treecore.engine.jit import inner, kernel
from treecore.kernels.fed.state import N_BLOCKS
from treecore.kernels.state import ORDERED

ROUNDING = 4e-15
"""What a rise is wrong by at most, in parts of the node's weight."""


@inner
def mass(judge, stats, total):
    """F of these rows."""
    return total * impurity(judge, stats, total) if total > 0.0 else 0.0


@inner
def rise(judge, stats, label, mine, other):
    """F(mine + 1, other) - F(mine, other). stats : room for two numbers."""
    stats[label], stats[1 - label] = mine, other
    before = mass(judge, stats, mine + other)
    stats[label] = mine + 1.0
    return mass(judge, stats, mine + other + 1.0) - before


@inner
def block_of(codes, edge, row):
    """The block that a row comes to. edge : int32 (N_BLOCKS,), see Fed."""
    b = 0
    while b + 1 < N_BLOCKS and edge[b + 1] >= 0 and codes[row] >= codes[edge[b + 1]]:
        b += 1
    return b


@kernel
def enter_blocks(problem, fed, slot, row):
    """Count a row into the rows before the blocks behind its own."""
    label = fed.growing.rows[row].label
    for f in range(fed.left.shape[1]):
        for b in range(block_of(problem.codes[f], fed.edge[slot, f], row) + 1, N_BLOCKS):
            fed.left[slot, f, b, label] += 1


@kernel
def raise_blocks(judge, stats, label, whole, place, left, node, upper):
    """Raise the bounds of one feature by a row, which has been counted, of the block `place`. node, left : rows of
    each class, of all and before each block. whole : by how much F(node) rose."""
    mine, other = node[label], node[1 - label]
    for b in range(N_BLOCKS):
        if upper[b] == math.inf:
            continue
        begin, end = left[b], left[b + 1] if b + 1 < N_BLOCKS else left[b]
        last_mine = mine if b + 1 == N_BLOCKS else float(end[label])
        last_other = other if b + 1 == N_BLOCKS else float(end[1 - label])
        least = math.inf
        if place <= b:
            least = rise(judge, stats, label, last_mine, float(begin[1 - label]))
        if place >= b:
            least = min(least, rise(judge, stats, label, mine - begin[label], other - last_other))
        upper[b] = max(0.0, upper[b] + whole - least)


@kernel
def raise_bounds(problem, fed, node, first, stop, mass_before):
    """Raise the bounds of a node that keeps its rows, by fed.batch[first:stop], which have been counted."""
    growing, slot = fed.growing, fed.kept[node.id].slot
    stats, row = growing.stats[node.id], fed.batch[first]
    label = growing.rows[row].label
    whole = node.weight * node.impurity - mass_before + ROUNDING * node.weight
    for f in range(fed.upper.shape[1]):
        upper = fed.upper[slot, f]
        if stop - first == 1 and stats.shape[0] == 2 and problem.features[f].splitter == ORDERED:
            place = block_of(problem.codes[f], fed.edge[slot, f], row)
            raise_blocks(problem.judge, growing.sums[0], label, whole, place, fed.left[slot, f], stats, upper)
        else:
            for b in range(N_BLOCKS):
                upper[b] += whole
