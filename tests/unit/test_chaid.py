"""CHAID's search: merges worked by hand, multipliers counted one by one, and the algorithm once more in plain loops."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from treecore.criteria.groupings import FLOATING, NOMINAL, ORDERED, log_groupings
from treecore.criteria.significance import chi_square
from treecore.errors import TreecoreError
from treecore.growing.search.branches import present_codes
from treecore.growing.search.category_merging import Categories, Merging, group_numbers
from treecore.growing.search.chaid import (
    ChaidSearch,
    _category_starts,
    _log_p_of_classes,
    _present,
    _shares,
    _starts,
)
from treecore.kernels import state

MISSING = None


def problem(columns, target, n_classes=0, nominal=True):
    """The parts of a Problem that the search reads. columns : codes, None where missing."""
    nominal = [nominal] * len(columns) if isinstance(nominal, bool) else nominal
    features, rows = np.zeros(len(columns), state.FEATURE), np.zeros(len(target), state.ROW)
    features["n_codes"] = [max(c for c in column if c is not MISSING) + 1 for column in columns]
    features["splitter"] = [state.MULTIWAY if n else state.ORDERED for n in nominal]
    codes = [[n if c is MISSING else c for c in column] for column, n in zip(columns, features["n_codes"], strict=True)]
    rows["label" if n_classes else "response"] = target
    rules = np.zeros(1, state.RULES)
    rules["n_classes"], rules["min_rows_leaf"], rules["min_rows_split"] = n_classes, 1, 2
    return SimpleNamespace(
        codes=np.array(codes, np.int32), rows=rows, features=features, rules=rules, targets=rows["response"]
    )


def rows_of(table):
    """(codes, labels) of a table {code: class counts}."""
    cells = [(code, k) for code, counts in table.items() for k, n in enumerate(counts) for _ in range(n)]
    return [c for c, _ in cells], [k for _, k in cells]


def search(table, nominal=True, **settings):
    codes, labels = rows_of(table)
    return ChaidSearch(problem([codes], labels, len(next(iter(table.values()))), nominal), **settings)


def outcome(found):
    """(Found, Merged of the first feature) of all rows, each of weight 1."""
    every = np.arange(len(found.problem.rows))
    return found(every, np.ones(len(every))), found.tested(every, np.ones(len(every)))[0]


def groups_of(merged):
    return [g.tolist() for g in merged.groups]


# merging


def test_a_merge_by_hand():
    """0 and 1 differ by chi-square 80 (30*12 - 28*10)^2 / (40*40*58*22) = 0.25, p = .62, and are merged; then
    120 (58*30 - 22*10)^2 / (80*40*68*52) = 24.5. There are three ways to make two groups of three levels."""
    found, merged = outcome(search({0: (30, 10), 1: (28, 12), 2: (10, 30)}))
    assert groups_of(merged) == [[0, 1], [2]]
    assert merged.statistic == pytest.approx(120 * 1520**2 / (80 * 40 * 68 * 52), rel=1e-12)
    assert (merged.df, merged.n_categories) == (1, 3)
    assert merged.multiplier == pytest.approx(3)
    p = math.erfc(math.sqrt(merged.statistic / 2))
    assert merged.p_value == pytest.approx(p, rel=1e-12)
    assert merged.adjusted_p == pytest.approx(3 * p, rel=1e-12)
    assert found.score == pytest.approx(-math.log(3 * p), rel=1e-12)
    assert found.branch_of_level.tolist() == [0, 0, 1]
    assert (found.feature, found.missing_branch, found.n_branches, len(found.cuts)) == (0, None, 2, 0)


ZIGZAG = {0: (30, 10), 1: (10, 30), 2: (30, 10), 3: (10, 30)}


def test_ordered_features_merge_neighbours_only():
    found, merged = outcome(search(ZIGZAG))
    assert groups_of(merged) == [[0, 2], [1, 3]]
    assert merged.multiplier == pytest.approx(7)
    found, merged = outcome(search(ZIGZAG, nominal=False))
    assert groups_of(merged) == [[0], [1], [2], [3]]
    assert merged.multiplier == pytest.approx(1)
    assert found.cuts.tolist() == [0, 1, 2]
    assert (found.n_branches, len(found.branch_of_level), found.missing_branch) == (4, 0, None)


def test_cuts_are_codes_that_are_present():
    found, merged = outcome(search({1: (30, 10), 4: (28, 12), 6: (10, 30), 9: (9, 31)}, nominal=False))
    assert groups_of(merged) == [[1, 4], [6, 9]]
    assert found.cuts.tolist() == [4]


def test_missing_floats_to_the_group_it_is_like():
    table = {0: (10, 30), 1: (12, 28), 2: (30, 10), MISSING: (11, 29)}
    found, merged = outcome(search(table, nominal=False))
    assert groups_of(merged) == [[0, 1, 3], [2]]
    assert (found.cuts.tolist(), found.missing_branch) == ([1], 0)
    assert merged.multiplier == pytest.approx(1 + 2 * 2)  # alone: C(2, 0); with either group: 2 C(2, 1)
    found, merged = outcome(search({**table, MISSING: (28, 12)}, nominal=False))
    assert groups_of(merged) == [[0, 1], [2, 3]]
    assert (found.cuts.tolist(), found.missing_branch) == ([1], 1)


def test_missing_joins_no_second_time():
    """Missing joins 0 and then has its place there: 2, alike as it is, is no neighbour."""
    table = {0: (30, 10), 1: (10, 30), 2: (29, 11), MISSING: (30, 10)}
    found, merged = outcome(search(table, nominal=False))
    assert groups_of(merged) == [[0, 3], [1], [2]]
    assert (found.cuts.tolist(), found.missing_branch) == ([0, 1], 0)


def test_missing_may_be_a_branch_of_its_own():
    table = {0: (30, 10), 1: (28, 12), MISSING: (5, 35)}
    found, merged = outcome(search(table, nominal=False))
    assert groups_of(merged) == [[0, 1], [2]]
    assert (found.cuts.tolist(), found.missing_branch, found.n_branches) == ([1], 1, 2)
    assert merged.multiplier == pytest.approx(3)
    found, merged = outcome(search(table))
    assert groups_of(merged) == [[2], [0, 1]]
    assert (found.branch_of_level.tolist(), found.missing_branch, found.n_branches) == ([1, 1], 0, 2)


def test_missing_is_a_level_like_any_of_a_nominal_feature():
    found, _ = outcome(search({0: (30, 10), 2: (9, 31), MISSING: (10, 30)}))
    assert (found.branch_of_level.tolist(), found.missing_branch) == ([0, -1, 1], 1)


def test_a_feature_without_known_values_does_not_split():
    columns = [[MISSING] * 40 + [0], [0] * 20 + [1] * 21]
    found = ChaidSearch(problem(columns, [0] * 20 + [1] * 21, 2, [False, True]))
    unknown, known = found.tested(np.arange(40), np.ones(40))
    assert (groups_of(unknown), unknown.adjusted_log_p) == ([[1]], 0)
    assert groups_of(known) == [[0], [1]]
    assert found(np.arange(40), np.ones(40)).feature == 1


@pytest.mark.parametrize("mirrored", [1, -1])
def test_groups_that_are_too_small_join_the_most_similar(mirrored):
    """2 has eight rows, all of one class: apart from both others, but less so from 1."""
    table = {0: (40, 2)[::mirrored], 1: (12, 30)[::mirrored], 2: (0, 8)[::mirrored]}
    for enough in (1, 8):
        assert groups_of(outcome(search(table, alpha_merge=0.2, min_rows_leaf=enough))[1]) == [[0], [1], [2]]
    assert groups_of(outcome(search(table, alpha_merge=0.2, min_rows_leaf=9))[1]) == [[0], [1, 2]]
    whole = search(table, alpha_merge=0.2, min_rows_leaf=51)
    assert (groups_of(outcome(whole)[1]), outcome(whole)[0]) == ([[0, 1, 2]], None)


def test_the_smallest_group_is_joined_first():
    """2 (three rows) is most like 1, and with it large enough; 1 (eight rows) is most like 0."""
    table = {0: (60, 60), 1: (5, 3), 2: (3, 0)}
    assert groups_of(outcome(search(table, alpha_merge=0.6))[1]) == [[0], [1], [2]]
    assert groups_of(outcome(search(table, alpha_merge=0.6, min_rows_leaf=9))[1]) == [[0], [1, 2]]


def test_a_small_group_joins_a_neighbour_even_if_nothing_is_like_it():
    """Constant targets: every pair differs with p = 0, but only 1 may be joined."""
    columns, y = [[0] * 5 + [1] * 5 + [2] * 2], [0.1] * 5 + [0.4] * 5 + [0.15] * 2
    found, merged = outcome(ChaidSearch(problem(columns, y, nominal=False), min_rows_leaf=3))
    assert groups_of(merged) == [[0], [1, 2]]
    assert found.cuts.tolist() == [0]


def test_limits_of_rows():
    table = {0: (30, 10), 1: (10, 30)}
    assert outcome(search(table, min_rows_split=80))[0] is not None
    assert outcome(search(table, min_rows_split=81))[0] is None
    by_rules = search(table)
    by_rules.problem.rules["min_rows_split"] = 81
    assert outcome(ChaidSearch(by_rules.problem))[0] is None
    by_rules.problem.rules["min_rows_split"], by_rules.problem.rules["min_weight_leaf"] = 2, 40.5
    assert outcome(ChaidSearch(by_rules.problem))[0] is None


def test_alpha_split_is_compared_with_the_adjusted_p():
    table = {0: (30, 10), 1: (28, 12), 2: (19, 21)}
    p = outcome(search(table))[1].adjusted_p
    assert 0.01 < p < 0.05
    assert outcome(search(table, alpha_split=p * 1.001))[0] is not None
    assert outcome(search(table, alpha_split=p * 0.999))[0] is None


def test_rows_without_weight_do_not_count():
    found = search({0: (30, 10), 1: (28, 12), 2: (10, 30)})
    weight = np.ones(120)
    weight[80:] = 0
    assert groups_of(found.tested(np.arange(120), weight)[0]) == [[0, 1]]
    half = found.tested(np.arange(120), np.full(120, 0.5))[0]
    assert half.statistic == pytest.approx(outcome(found)[1].statistic / 2)


@pytest.mark.parametrize("wrong", [{"alpha_split": 0}, {"alpha_merge": 1.5}, {"bins": 1}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(TreecoreError) as caught:
        search(ZIGZAG, **wrong)
    assert caught.value.where in wrong


@pytest.mark.parametrize("seed", range(8))
def test_a_split_sends_rows_where_its_groups_say(seed):
    rng = np.random.default_rng(seed)
    n, ordered = 300, bool(seed % 2)
    codes = [int(v) if v >= 0 else MISSING for v in rng.integers(-1 - seed % 3, 25, n)]
    y = np.array([-2.0 if c is MISSING else c % 7 if seed < 4 else c // 9 for c in codes]) + rng.normal(size=n)
    found, merged = outcome(ChaidSearch(problem([codes], y, nominal=not ordered), min_rows_leaf=15))
    code = ChaidSearch(problem([codes], y)).problem.codes[0]
    known = code < code.max() if MISSING in codes else np.full(n, True)
    branch = np.full(n, -1 if found.missing_branch is None else found.missing_branch)
    branch[known] = np.searchsorted(found.cuts, code[known]) if ordered else found.branch_of_level[code[known]]
    assert found.n_branches == len(merged.groups) > 1
    for b, group in enumerate(merged.groups):
        assert (branch == b).sum() >= 15
        assert set(code[branch == b]) == set(group)
    assert known.all() == (found.missing_branch is None)


# the plain algorithm


def p_of(groups, rows, labels):
    """p of chi-square (labels) or F (numbers) of groups of codes, by scipy."""
    members = [labels[np.isin(rows, g)] for g in groups]
    if labels.dtype.kind == "f":
        return scipy_stats.f_oneway(*members).pvalue
    table = np.array([np.bincount(m, minlength=labels.max() + 1) for m in members])
    return scipy_stats.chi2_contingency(table[:, table.sum(axis=0) > 0], correction=False).pvalue


def may_merge(a, b, kind, c):
    if kind == NOMINAL or (kind == FLOATING and ([c - 1] in (a, b))):
        return True
    a, b = ([i for i in g if kind == ORDERED or i < c - 1] for g in (a, b))
    return max(a) + 1 == min(b) or max(b) + 1 == min(a)


def plain_merging(kind, codes, labels, alpha):
    c = codes.max() + 1
    groups = [[i] for i in range(c)]
    while True:
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[i + 1 :] if may_merge(a, b, kind, c)]
        p, pair = max(((p_of(pair, codes, labels), pair) for pair in pairs), default=(0, None))
        if p <= alpha:
            return sorted(groups)
        groups = [g for g in groups if g not in pair] + [sorted(pair[0] + pair[1])]


def random_rows(seed, kind, numeric):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 8))
    codes = np.append(np.arange(c).repeat(3), rng.integers(0, c, 150))
    place = rng.normal(size=c)[codes] + rng.normal(size=len(codes)) * 2
    return c, codes, place if numeric else np.digitize(place, [-1.0, 0.7])


@pytest.mark.parametrize("numeric", [False, True], ids=["classes", "numbers"])
@pytest.mark.parametrize("kind", [NOMINAL, ORDERED, FLOATING])
def test_groups_are_those_of_the_plain_algorithm(kind, numeric):
    sizes = set()
    for seed in range(12):
        c, codes, target = random_rows(seed, kind, numeric)
        cells = [MISSING if kind == FLOATING and v == c - 1 else int(v) for v in codes]
        found = ChaidSearch(problem([cells], target, 0 if numeric else 3, kind == NOMINAL))
        merged = outcome(found)[1]
        expected = plain_merging(kind, codes, target, 0.05)
        assert sorted(groups_of(merged)) == expected
        if len(expected) > 1:
            assert merged.p_value == pytest.approx(p_of(expected, codes, target), rel=1e-7)
        sizes.add(len(expected))
    assert len(sizes) > 1


def test_a_numeric_target_by_hand():
    """Means 2, 2, 5 of three rows each: 0 and 1 merge; between 6 * 1 + 3 * 4 = 18, within 2 + 2 + 2, F = 21."""
    found = ChaidSearch(problem([[0] * 3 + [1] * 3 + [2] * 3], [1.0, 2, 3, 1, 2, 3, 4, 5, 6]))
    split, merged = outcome(found)
    assert groups_of(merged) == [[0, 1], [2]]
    assert merged.statistic == pytest.approx(18 / (6 / 7), rel=1e-12)
    assert merged.df == (1, 7)
    assert split.score == pytest.approx(-math.log(3 * 2 * scipy_stats.t.sf(math.sqrt(21), 7)), rel=1e-10)


def test_a_perfect_split_of_numbers_has_a_finite_score():
    found, merged = outcome(ChaidSearch(problem([[0] * 4 + [1] * 4], [0.1] * 4 + [0.7] * 4)))
    assert merged.adjusted_log_p == -math.inf
    assert 1e6 < found.score < math.inf


# renumbering, noise, size


def test_the_order_of_levels_only_changes_their_numbers():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 12, 600)
    labels = (rng.random(600) < (codes % 4) / 5 + 0.1).astype(int)
    table = {c: tuple(np.bincount(labels[codes == c], minlength=2)) for c in range(12)}
    table[MISSING] = (20, 20)
    first = outcome(search(table))[1]
    assert 1 < len(first.groups) < 8
    for seed in range(5):
        new = np.random.default_rng(seed).permutation(12)
        other = outcome(search({c if c is MISSING else int(new[c]): counts for c, counts in table.items()}))[1]
        number = np.append(new, 12)
        assert {frozenset(number[g]) for g in first.groups} == {frozenset(g) for g in other.groups}
        assert other.adjusted_log_p == first.adjusted_log_p
        firsts = [g[0] for g in other.groups if g[0] < 12]
        assert firsts == sorted(firsts)


def test_noise_does_not_split_and_signal_does():
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 2, 400)
    signal = np.where(rng.random(400) < 0.7, labels, 1 - labels)
    noise = [rng.integers(0, 40, 400), rng.integers(0, 400, 400), rng.integers(0, 3, 400)]
    nominal = [True, False, True]
    every, weight = np.arange(400), np.ones(400)
    assert ChaidSearch(problem(noise, labels, 2, nominal), alpha_split=0.01)(every, weight) is None
    found = ChaidSearch(problem([*noise, signal], labels, 2, [*nominal, True]), alpha_split=0.01)(every, weight)
    assert found.feature == 3
    twice = ChaidSearch(problem([signal, noise[0], signal], labels, 2))
    assert twice(every, weight).feature == 0


def test_numbers_are_binned_into_groups_of_equal_size():
    """1000 values in four bins of 250, whose share of class 1 is 0, .5, .5 and 1."""
    labels = [0] * 250 + [0, 1] * 250 + [1] * 250
    found = ChaidSearch(problem([list(range(1000))], labels, 2, nominal=False), bins=4)
    split, merged = outcome(found)
    assert merged.n_categories == 4
    assert [len(g) for g in merged.groups] == [250, 500, 250]
    assert split.cuts.tolist() == [249, 749]
    assert merged.multiplier == pytest.approx(3)
    part = found.tested(np.arange(100, 180), np.ones(80))[0]  # bins are made anew at each node
    assert part.n_categories == 4


def test_equal_values_stay_in_one_bin_and_few_values_are_not_binned():
    values = [0] * 500 + list(range(1, 101))
    found = ChaidSearch(problem([values], [0] * 500 + [1] * 100, 2, nominal=False), bins=6, alpha_merge=1.0)
    merged = outcome(found)[1]
    assert groups_of(merged)[0] == [0]
    assert merged.n_categories == 2  # 0 takes five sixths of the rows
    few = outcome(search({c: (5 + c, 20 - c) for c in range(6)}, nominal=False, bins=6, alpha_merge=1.0))[1]
    assert groups_of(few) == [[c] for c in range(6)]


def test_thousands_of_levels_are_grouped():
    """Singletons of three classes have three profiles; 3000 different means are first put together."""
    n = 3000
    labels = np.arange(n) % 3
    merged = outcome(ChaidSearch(problem([list(range(n))], labels, 3)))[1]
    assert {frozenset(labels[g]) for g in merged.groups} == {frozenset({k}) for k in range(3)}
    assert merged.log_multiplier == pytest.approx(log_groupings(NOMINAL, n, 3))
    assert merged.multiplier == math.inf
    numbers = np.random.default_rng(0).normal(size=n)
    merged = outcome(ChaidSearch(problem([list(range(n))], numbers)))[1]
    assert sorted(np.concatenate(merged.groups).tolist()) == list(range(n))
    assert max(len(g) for g in merged.groups) < 20
    assert merged.adjusted_p == 1  # an identifier explains nothing, however many groups it makes


def partings(group):
    for bits in range(1, 2 ** (len(group) - 1)):
        one = [m for i, m in enumerate(group) if bits >> i & 1]
        yield one, [m for m in group if m not in one]


def parts_again(groups, codes, labels):
    """Can a merger of three levels or more be parted at 5 %?"""
    return any(p_of(two, codes, labels) <= 0.05 for g in groups if len(g) > 2 for two in partings(g))


def test_resplit_parts_mergers_that_differ_within():
    seen = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        codes = np.append(np.arange(9).repeat(6), rng.integers(0, 9, 130))
        labels = (rng.random(len(codes)) < codes / 12 + 0.1).astype(int)
        groups = [
            groups_of(outcome(ChaidSearch(problem([codes], labels, 2), resplit=resplit))[1])
            for resplit in (False, True)
        ]
        seen.append(tuple(parts_again(g, codes, labels) for g in groups))
    assert any(without for without, _ in seen)
    assert not any(after for _, after in seen)


# multipliers


def partitions(items):
    """All partitions of a list."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i in range(len(rest)):
            yield [*rest[:i], [items[0], *rest[i]], *rest[i + 1 :]]


def allowed(partition, kind, c):
    known = [[i for i in g if kind != FLOATING or i < c - 1] for g in partition]
    return kind == NOMINAL or all(not g or sorted(g) == list(range(min(g), max(g) + 1)) for g in known)


@pytest.mark.parametrize("kind", [NOMINAL, ORDERED, FLOATING])
@pytest.mark.parametrize("c", range(2, 9))
def test_multipliers_count_the_partitions(kind, c):
    sizes = [len(p) for p in partitions(list(range(c))) if allowed(p, kind, c)]
    for r in range(1, c + 1):
        assert math.exp(log_groupings(kind, c, r)) == pytest.approx(sizes.count(r), rel=1e-12)
    assert log_groupings(kind, c, c + 1) == -math.inf


def test_multipliers_do_not_overflow():
    """Kass's alternating sum for 300 levels and 5 groups, in whole numbers; S(n, 2) = 2^(n-1) - 1."""
    exact = sum((-1) ** i * math.comb(5, i) * (5 - i) ** 300 for i in range(5)) // math.factorial(5)
    assert log_groupings(NOMINAL, 300, 5) == pytest.approx(math.log(exact), rel=1e-13)
    assert log_groupings(NOMINAL, 5000, 2) == pytest.approx(4999 * math.log(2), rel=1e-12)
    assert log_groupings(ORDERED, 5000, 2500) == pytest.approx(math.log(math.comb(4999, 2499)), rel=1e-12)


def test_the_adjusted_p_is_at_most_one():
    merged = outcome(search({c: (10 + c % 3, 10) for c in range(9)}, alpha_merge=1.0))[1]
    assert len(merged.groups) == 9
    assert merged.adjusted_p <= 1
    assert merged.test == chi_square(np.array([[10.0 + c, 10.0] for c in (0, 0, 0, 1, 1, 1, 2, 2, 2)]))


# side by side


def test_predictors_merged_side_by_side_have_the_groups_that_each_has_alone():
    rng = np.random.default_rng(3)
    rule = Merging(_log_p_of_classes, _shares, alpha=0.05, least=(12, 12.0))
    predictors = []
    for i in range(60):
        stats = rng.integers(1, 30, (int(rng.integers(1, 14)), 2)).astype(np.float64)
        kind = (NOMINAL, ORDERED, FLOATING)[i % 3]
        predictors.append(Categories(kind, stats, np.repeat(stats.sum(axis=1, keepdims=True), 2, axis=1)))
    together = group_numbers(predictors, rule)
    alone = [group_numbers([predictor], rule)[0] for predictor in predictors]
    assert [t.tolist() for t in together] == [a.tolist() for a in alone]
    assert len({int(t.max()) for t in together}) > 2


def test_nodes_searched_together_have_the_splits_that_each_has_alone():
    rng = np.random.default_rng(4)
    columns = [rng.integers(0, 8, 400).tolist(), rng.integers(0, 3, 400).tolist()]
    labels = (rng.random(400) < np.array(columns[0]) / 10 + 0.1).astype(int)
    search = ChaidSearch(problem(columns, labels, 2, [True, False]), min_rows_split=5)
    nodes = [(rows, np.ones(len(rows))) for rows in np.split(np.arange(400), [3, 100, 250])]
    together = search.many(nodes)
    assert together[0] is None
    assert sum(found is not None for found in together) > 1
    for found, node in zip(together, nodes, strict=True):
        alone = search(*node)
        assert (found is None) == (alone is None)
        if found is not None:
            assert (found.feature, found.score, found.branch_of_level.tolist()) == (
                alone.feature,
                alone.score,
                alone.branch_of_level.tolist(),
            )


@pytest.mark.parametrize("n", [1, 3, 40])
@pytest.mark.parametrize("n_codes", [(1, 1, 1), (2, 5, 3), (60, 500, 900)])
def test_codes_of_all_features_are_those_of_each_alone(n, n_codes):
    rng = np.random.default_rng(n)
    codes = np.array([rng.integers(0, k + 1, n) for k in n_codes], np.int32)
    first, present, slot = _present(codes, np.array(n_codes))
    assert first[0] == 0
    assert present.dtype == np.int32
    for f, k in enumerate(n_codes):
        wanted, of_row = np.unique(codes[f], return_inverse=True)
        assert present[first[f] : first[f + 1]].tolist() == wanted.tolist()
        assert (slot[f] - first[f]).tolist() == of_row.tolist()
        alone, place = present_codes(codes[f], k)
        assert (alone.tolist(), place.tolist(), alone.dtype) == (wanted.tolist(), of_row.tolist(), np.int32)


@pytest.mark.parametrize("whole", [True, False])
def test_categories_of_all_features_begin_where_those_of_each_do(whole):
    rng = np.random.default_rng(3)
    for n in (2, 5, 10):
        size, n_missing = rng.integers(1, 60, 8), rng.integers(0, 2, 8)
        first = np.append(0, np.cumsum(size))
        weight = rng.integers(1, 9, first[-1]).astype(float) if whole else rng.random(first[-1]) + 0.01
        begin = []
        for a, m, gap in zip(first, size - n_missing, n_missing, strict=False):
            begin += [*(a + _starts(weight[a : a + m], n)), *[a + m] * gap]
        assert _category_starts(first, weight, size - n_missing, n).tolist() == begin
