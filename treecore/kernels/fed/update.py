"""New rows go down from the root; a node whose best split now sends its former rows otherwise is grown anew below."""

from treecore.criteria.impurity import impurity_by_code
from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.constraints import may_split, split_allowed
from treecore.kernels.fed.regrow import find_split, note_gains
from treecore.kernels.fed.slices import (
    GROWN,
    N_WAITING,
    REGROWN,
    REPLACED,
    SHIFTED,
    UPDATED,
    catch_up_all,
    copy_rows,
    discard,
    drop,
    exchange,
    has_room,
    has_room_to_grow,
    insert,
    keep_rows,
    raise_bounds,
)
from treecore.kernels.general.partition import branch_of, largest_branch
from treecore.kernels.general.search_nodes import search
from treecore.kernels.general.split_nodes import make_children
from treecore.kernels.state import N_ENTRIES, N_LEVELS, N_NODES, ORDERED

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
def same_partition(fed, node, was):
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


@kernel
def find_any_split(problem, growing, node, special):
    """Find the best split of a node, looking at every cut."""
    search(problem, growing, node, special)


@kernel
def grow_on(problem, fed, special):
    """Grow the nodes from fed.counts[GROWN] on to the end; False if there is no room for more, as yet."""
    growing, i = fed.growing, fed.counts[GROWN]
    while 0 <= i < growing.counts[N_NODES]:
        if not has_room_to_grow(growing):
            fed.counts[GROWN] = i
            return False
        node = growing.nodes[i]
        fed.slices[i].slot = -1
        if may_split(problem.rules[0], node):
            find_any_split(problem, growing, node, special)
        note_gains(problem, fed, node)
        if node.n_children > 0:
            make_children(problem, growing, node, special)
        i += 1
    fed.counts[GROWN] = -1
    return True


@kernel
def settle(problem, fed, node, first, stop, special):
    """Make the children that the node's split asks for, from a copy of its rows, and note what it did before; is it
    as it was? Then they are those that it had."""
    growing, was, start, end = fed.growing, fed.was[0], node.start, node.stop
    catch_up_all(problem, fed, node)
    alike = node.feature == was.feature and was.n_children > 0
    if alike:
        note_branches(problem, fed, node, was, first, stop)
    at = growing.counts[N_ENTRIES]
    copy_rows(growing, start, end, at)
    node.start, node.stop = at, at + end - start
    node.missing_rows, node.missing_weight, node.low_branch = 0, 0.0, 0
    make_children(problem, growing, node, special)
    node.start, node.stop = start, end
    how = same_partition(fed, node, was) if alike else OTHER
    if how == OTHER:
        fed.counts[GROWN] = node.first_child
        replace(fed, was)
        return False
    discard(growing, node.first_child, node.n_children)
    node.first_child = was.first_child
    if how == SWAPPED:
        exchange(fed, node.first_child)
    if node.level_start >= 0:
        fed.counts[SHIFTED] += take_table(problem, growing, node, was, how == SWAPPED)
    else:
        fed.counts[SHIFTED] += node.low != was.low or node.high != was.high
    return True


@kernel
def replace(fed, was):
    """Forget what was below the split that the node had."""
    fed.counts[REGROWN] += 1
    if was.n_children > 0:
        fed.counts[REPLACED] += 1 + drop(fed, was.first_child, was.n_children)


@kernel
def become_leaf(node):
    """No split, and no children."""
    node.feature, node.first_child, node.n_children, node.level_start = -1, -1, 0, -1
    node.missing_rows, node.missing_weight = 0, 0.0


@kernel
def update(problem, free, fed, i, first, stop, bounded, by_records, special):
    """Give node i, which has taken in fed.batch[first:stop], its best split; does it keep the children it had?"""
    growing, node, was = fed.growing, fed.growing.nodes[i], fed.was[0]
    fed.was[0] = node
    node.feature, node.n_children, node.level_start = -1, 0, -1
    if may_split(problem.rules[0], node):
        if bounded:
            find_split(problem, free, fed, i, was.feature, special)
        else:
            catch_up_all(problem, fed, node)
            find_any_split(problem, growing, node, special)
    if node.n_children == 0:
        if was.n_children > 0:
            replace(fed, was)
        become_leaf(node)
        return False
    if was.n_children > 0 and stays_plainly(problem, growing, node, was):
        fed.counts[SHIFTED] += node.low != was.low or node.high != was.high
        return True
    if by_records:  # cuts of values that all rows have: no other one parts the former rows alike
        catch_up_all(problem, fed, node)
        replace(fed, was)
        fed.counts[GROWN] = i
        return False
    return settle(problem, fed, node, first, stop, special)


@inner
def branch_now(problem, growing, node, row):
    """The branch of a row."""
    code = problem.codes[node.feature, row]
    known = code < problem.features[node.feature].n_codes
    return branch_of(problem, growing, node, code) if known else node.missing_branch


@kernel
def part_batch(fed, node, first, stop):
    """Sort these new rows by branch, as growing.side has them; growing.levels[b].order = where a branch's end."""
    levels, side = fed.growing.levels, fed.growing.side
    for b in range(node.n_children + 1):
        levels[b].order = first if b == 0 else 0
    for at in range(first, stop):
        levels[side[fed.batch[at]] + 1].order += 1
        fed.ordered[at - first] = fed.batch[at]
    for b in range(node.n_children):
        levels[b + 1].order += levels[b].order
    for at in range(stop - first):
        row = fed.ordered[at]
        fed.batch[levels[side[row]].order] = row
        levels[side[row]].order += 1


@kernel
def count_in(problem, growing, node, batch, first, stop):
    """Count new rows into a node."""
    for at in range(first, stop):
        growing.stats[node.id, growing.rows[batch[at]].label] += 1.0
    node.weight += stop - first
    node.n_rows += stop - first
    node.impurity = impurity_by_code(problem.judge, growing.stats[node.id], node.weight)


@inner
def is_open(rules, node):
    """Can the node have a split, or has it one?"""
    allowed = split_allowed(rules, node.impurity, node.weight, node.n_rows, node.depth)
    return node.n_children > 0 or (node.n_rows >= rules.min_rows_split and allowed)


@kernel
def take_in(problem, fed, parent, i, branch, first, stop, sided):
    """Let a child have its new rows, fed.batch[first:stop], and wait if that may change it; are its parent's rows all
    in growing.side now? sided : they were."""
    growing, node = fed.growing, fed.growing.nodes[i]
    mass_before = node.weight * node.impurity
    count_in(problem, growing, node, fed.batch, first, stop)
    fed.counts[UPDATED] += 1
    if fed.slices[i].slot < 0 and not is_open(problem.rules[0], node):
        return sided
    if fed.slices[i].slot >= 0:
        insert(problem, fed, i, first, stop)
    else:
        if not sided:
            catch_up_all(problem, fed, parent)
            for at in range(parent.start, parent.stop):
                row = growing.order[0, at]
                growing.side[row] = branch_now(problem, growing, parent, row)
        keep_rows(fed, parent, i, branch)
        sided = True
    raise_bounds(problem, fed, node, first, stop, mass_before)
    waiting = fed.waiting[fed.counts[N_WAITING]]
    waiting[0], waiting[1], waiting[2] = i, first, stop
    fed.counts[N_WAITING] += 1
    return sided


@kernel
def send(problem, fed, node, first, stop):
    """Send new rows to the children of the node."""
    growing, sided = fed.growing, False
    for at in range(first, stop):
        growing.side[fed.batch[at]] = branch_now(problem, growing, node, fed.batch[at])
    part_batch(fed, node, first, stop)
    begin = first
    for b in range(node.n_children):
        end = growing.levels[b].order
        if end > begin:
            sided = take_in(problem, fed, node, node.first_child + b, b, begin, end, sided)
        begin = end
    if node.missing_rows == 0:
        for b in range(node.n_children):
            growing.levels[b].weight = growing.nodes[node.first_child + b].weight
        rules = problem.rules[0]
        node.missing_branch = largest_branch(growing, node, rules.majority_rows, rules.majority_ties)


@jit
def feed(problem, free, fed, bounded, by_records, special):
    """Work until no node waits for new rows; False if there is no room to go on, as yet, or by_records node
    fed.counts[GROWN] is to be grown anew.

    fed.waiting : at first the root, which keeps its rows, the new ones among them. bounded : see
    incremental.local.is_bounded. free : see best.find_split. special : see general.search_nodes.
    """
    while True:
        if by_records and fed.counts[GROWN] >= 0:
            return False
        if not grow_on(problem, fed, special):
            return False
        if fed.counts[N_WAITING] == 0:
            return True
        waiting = fed.waiting[fed.counts[N_WAITING] - 1]
        i, first, stop = waiting[0], waiting[1], waiting[2]
        if not has_room(fed, fed.growing.nodes[i]):
            return False
        fed.counts[N_WAITING] -= 1
        if update(problem, free, fed, i, first, stop, bounded, by_records, special):
            send(problem, fed, fed.growing.nodes[i], first, stop)


@jit
def take_in_root(problem, fed, n):
    """Let the root have the first n rows of fed.batch."""
    growing, root = fed.growing, fed.growing.nodes[0]
    mass_before = root.weight * root.impurity
    count_in(problem, growing, root, fed.batch, 0, n)
    insert(problem, fed, 0, 0, n)
    raise_bounds(problem, fed, root, 0, n, mass_before)
    fed.counts[UPDATED] += 1
    fed.waiting[0, 0], fed.waiting[0, 1], fed.waiting[0, 2] = 0, 0, n
    fed.counts[N_WAITING] = 1
