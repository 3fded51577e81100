"""The backup splits of a node, from their definition: the split of each other feature that agrees best with it."""

import itertools
import math
from dataclasses import dataclass

from scipy.stats import chi2

from tests.property.naive_options import is_ordered, threshold_between
from tests.property.naive_scores import World


@dataclass
class Surrogate:
    """A test of another feature. cut : (threshold, branch of the low side). branch : of every level, -1: not asked."""

    feature: int
    agree: float
    adjusted: float
    cut: tuple | None = None
    branch: list | None = None
    closed: bool = False

    def side(self, cell):
        """The branch it names, None if it cannot say."""
        if cell is None:
            return None
        if self.cut is None:
            return None if self.branch[cell] < 0 else self.branch[cell]
        low = cell < self.cut[0] or (self.closed and cell == self.cut[0])
        return self.cut[1] if low else 1 - self.cut[1]


def surrogates_of(world: World, feature: int, sent: list, parts: list) -> list[Surrogate]:
    """Best agreement first, then feature order. sent : the known rows of both branches. parts : all of the node."""
    found = []
    side = {p.row: b for b in (0, 1) for p in sent[b]}
    size = [math.fsum(world.cases[r] for r in side if side[r] == b) for b in (0, 1)]
    for f in range(len(world.sample.kinds)):
        if f == feature:
            continue
        rows = [r for r in side if world.sample.columns[f][r] is not None]
        if is_ordered(world, f):
            test = _best_cut(world, f, side, rows, {world.sample.columns[f][p.row] for p in parts} - {None})
        else:
            test = _best_levels(world, f, side, rows)
        if test is None:
            continue
        both = [_weight(world, side, rows, b) for b in (0, 1)]
        whole, most = (sum(size), max(size)) if world.growth.surrogate_style == "all" else (sum(both), max(both))
        if whole <= most:
            continue
        same = test.agree
        test.agree, test.adjusted = same / whole, (same - most) / (whole - most)
        if test.adjusted > 1e-10:
            found.append(test)
    found.sort(key=lambda s: -s.agree)
    return found[: world.growth.max_surrogates]


def _weight(world, side, rows, b):
    return math.fsum(world.cases[r] for r in rows if side[r] == b)


def _filled(world, rows):
    return sum(world.cases[r] > 0 for r in rows)


def _best_cut(world, f, side, rows, values):
    """The first cut and direction of largest agreement; two rows either way, better than all rows one way.

    values : of all rows of the node, also of those that the split itself does not know.
    """
    cells = world.sample.columns[f]
    best, found = max(_weight(world, side, rows, b) for b in (0, 1)), None
    for low, high in itertools.pairwise(sorted(values)):
        below, above = [r for r in rows if cells[r] <= low], [r for r in rows if cells[r] >= high]
        if min(_filled(world, below), _filled(world, above)) < 2:
            continue
        for low_branch in (0, 1):
            same = _weight(world, side, below, low_branch) + _weight(world, side, above, 1 - low_branch)
            if same > best:
                best = same
                found = Surrogate(f, same, 0.0, cut=(threshold_between(world, f, low, high), low_branch))
                found.closed = world.growth.threshold != "midpoint"
    return found


def _best_levels(world, f, side, rows):
    """Each level to the branch that most of its weight takes; on equality to that of most of these rows' weight, branch
    1 if there is none. Levels without weight are not asked."""
    cells, size = world.sample.columns[f], [_weight(world, side, rows, b) for b in (0, 1)]
    branch, same = [-1] * world.sample.levels[f], 0.0
    for v in sorted({cells[r] for r in rows if world.cases[r] > 0}):
        here = [r for r in rows if cells[r] == v]
        left, right = (_weight(world, side, here, b) for b in (0, 1))
        branch[v] = int(right > left or (left == right and size[1] >= size[0]))
        same += max(left, right)
    if world.growth.missing.startswith("rpart"):  # which drops those that err on fewer than two rows
        fits = _filled(world, [r for r in rows if branch[cells[r]] != side[r]]) >= 2
    else:
        fits = min(_filled(world, [r for r in rows if branch[cells[r]] == b]) for b in (0, 1)) >= 2
    if not fits:
        return None
    return Surrogate(f, same, 0.0, branch=branch)


# Those that tests find: how surely does a feature tell which branch a row takes?

EQUAL = 1e-10


def tested_surrogates_of(world: World, feature: int, sent: list, parts: list) -> list[Surrogate]:
    """Most significant feature first, of equal ones the last; its best split, however few rows are on a side."""
    side = {p.row: b for b in (0, 1) for p in sent[b]}
    tests = {f: _log_p(world, f, side) for f in range(len(world.sample.kinds)) if f != feature}
    tests = {f: log_p for f, log_p in tests.items() if log_p is not None}
    found = []
    for _ in range(min(world.growth.max_surrogates, len(tests))):
        least = max(-log_p for log_p in tests.values()) * (1 - EQUAL)
        f = max(f for f, log_p in tests.items() if -log_p >= least)
        del tests[f]
        split = _tested_split(world, f, side, parts)
        if split is not None:
            found.append(split)
    return found


def _counted(world, f, side) -> list[int]:
    return [r for r in side if world.sample.columns[f][r] is not None and world.cases[r] > 0]


def _log_p(world, f, side):
    """ln p of the permutation test; None where the feature or the branch is the same in all rows."""
    rows, cells = _counted(world, f, side), world.sample.columns[f]
    n = math.fsum(world.cases[r] for r in rows)
    if n <= 1 or len({side[r] for r in rows}) < 2 or len({cells[r] for r in rows}) < 2:
        return None
    if not is_ordered(world, f):
        groups = [[r for r in rows if cells[r] == v] for v in sorted({cells[r] for r in rows})]
        return float(chi2.logsf(_of_groups(world, groups, side), len(groups) - 1))
    # the places of levels: what is between those that a training row has does not count
    levels = sorted({v for v in cells if v is not None})
    score = {v: v if world.sample.kinds[f] == "numeric" else levels.index(v) for v in levels}
    mean_x = math.fsum(world.cases[r] * score[cells[r]] for r in rows) / n
    mean_s = math.fsum(world.cases[r] * side[r] for r in rows) / n
    sums = [
        math.fsum(world.cases[r] * (score[cells[r]] - mean_x) ** a * (side[r] - mean_s) ** (2 - a) for r in rows)
        for a in (0, 1, 2)
    ]
    return float(chi2.logsf((n - 1) * sums[1] ** 2 / (sums[0] * sums[2]), 1))


def _of_groups(world, groups, side) -> float:
    """(n - 1) / n times the chi-square of groups of rows against the branches."""
    cells = [[math.fsum(world.cases[r] for r in g if side[r] == b) for b in (0, 1)] for g in groups]
    of_branch = [math.fsum(c[b] for c in cells) for b in (0, 1)]
    n = math.fsum(of_branch)
    expected = [[sum(c) * of_branch[b] / n for b in (0, 1)] for c in cells]
    return (
        (n - 1) / n * math.fsum((c[b] - e[b]) ** 2 / e[b] for c, e in zip(cells, expected, strict=True) for b in (0, 1))
    )


def _tested_split(world, f, side, parts):
    rows, cells = _counted(world, f, side), world.sample.columns[f]
    present = sorted({cells[r] for r in rows})
    if is_ordered(world, f):
        lows = [set(present[: i + 1]) for i in range(len(present) - 1)]
    else:
        numbers = range(1, 2 ** (len(present) - 1))
        lows = [{present[0]} | {v for j, v in enumerate(present[1:]) if not number >> j & 1} for number in numbers]
    worth = [
        _of_groups(world, [[r for r in rows if (cells[r] in low) == x] for x in (True, False)], side) for low in lows
    ]
    if max(worth) <= 0:
        return None
    low = lows[next(i for i, x in enumerate(worth) if x >= max(worth) * (1 - EQUAL))]
    low |= {v for v in set(cells) - {None} if is_ordered(world, f) and v < max(low)}  # of rows of weight 0, too
    below = [side[r] for r in side if cells[r] in low]
    first = int(2 * sum(below) > len(below))
    agree = math.fsum(world.cases[r] for r in rows if (first if cells[r] in low else 1 - first) == side[r])
    judged = rows if world.growth.surrogate_style == "known" else list(side)
    both = [_weight(world, side, judged, b) for b in (0, 1)]
    adjusted = (agree - max(both)) / (sum(both) - max(both)) if sum(both) > max(both) else 0.0
    if is_ordered(world, f):
        here = {cells[p.row] for p in parts} - {None}
        threshold = threshold_between(world, f, max(low), min(v for v in here if v > max(low)))
        closed = world.growth.threshold != "midpoint"
        return Surrogate(f, agree / sum(both), adjusted, cut=(threshold, first), closed=closed)
    branch = [-1] * world.sample.levels[f]
    for v in present:
        branch[v] = first if v in low else 1 - first
    return Surrogate(f, agree / sum(both), adjusted, branch=branch)


def check_surrogates(tree, node, expected: list[Surrogate]) -> None:
    """The node's list, entry for entry."""
    entries = range(tree.surrogate_start[node], tree.surrogate_start[node + 1])
    names = [int(tree.surrogates.feature[e]) for e in entries]
    assert names == [s.feature for s in expected], f"node {node}: {names}, should be {expected}"
    for e, s in zip(entries, expected, strict=True):
        assert math.isclose(tree.surrogate_agree[e], s.agree, rel_tol=1e-12), f"node {node}: {s}"
        assert math.isclose(tree.surrogate_adjusted[e], s.adjusted, rel_tol=1e-9, abs_tol=1e-12), f"node {node}: {s}"
        if s.cut is None:
            assert tree.surrogates.levels(e).tolist() == s.branch, f"node {node}: {s}"
        else:
            assert (tree.surrogates.threshold[e], tree.surrogates.low_branch[e]) == s.cut, f"node {node}: {s}"
