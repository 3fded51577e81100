"""The permutation statistic against all permutations, its fast form against the general one, and the best split."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.criteria.significance import log_chi2_tail
from treecore.data import level_column, numeric_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.rebuild_node import why_leaf
from treecore.growing.search.conditional import ConditionalSearch, association
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of

LEVELS = ("a", "b", "c", "d")


def searched(columns: dict, target, weights=None, growth=None, **options):
    """(search, rows, weights) over the whole of a small table; lists of text are nominal."""
    made = [_column(name, cells) for name, cells in columns.items()]
    made.append(_column("y", target))
    table = Table(tuple(made), target="y", features=tuple(columns))
    search = ConditionalSearch(problem_of(table, growth or GrowSettings()), **options)
    n = table.n_rows
    return search, np.arange(n), np.ones(n) if weights is None else np.array(weights, float)


def _column(name, cells):
    if any(isinstance(cell, str) for cell in cells):
        return level_column(name, "nominal", [c or None for c in cells], tuple(sorted({c for c in cells if c})))
    return numeric_column(name, np.array([np.nan if c is None else c for c in cells], float))


def indicators(labels) -> np.ndarray:
    return (np.array(labels)[:, None] == np.unique(labels)).astype(float)


# ---- the statistic

Y3 = indicators([0, 1, 2, 0, 1, 0])
X = np.array([1.0, 2.5, 2.5, 4.0, 7.0, 0.0])


@pytest.mark.parametrize(
    ("influence", "scores", "df"),
    [
        (X**2, X, 1),
        (Y3, X, 2),
        (Y3, indicators([0, 0, 1, 1, 2, 2]), 4),
        (np.array([3.0, 1, 4, 1, 5, 9]), indicators([0, 0, 1, 1, 2, 2]), 2),
        (Y3, np.column_stack([X, X**2]), 4),
    ],
)
def test_statistic_is_that_of_all_permutations(influence, scores, df):
    h, g = influence.reshape(6, -1), scores.reshape(6, -1)
    dealt = np.array([(g.T @ h[list(p)]).ravel() for p in itertools.permutations(range(6))])
    covariance = np.cov(dealt.T, ddof=0).reshape(dealt.shape[1], -1)
    away = dealt[0] - dealt.mean(axis=0)
    expected = away @ np.linalg.pinv(covariance, rcond=1e-8, hermitian=True) @ away
    statistic, rank = association(influence, scores, np.ones(6))
    assert statistic == pytest.approx(expected, rel=1e-10)
    assert rank == df == np.linalg.matrix_rank(covariance, tol=1e-8 * np.abs(covariance).max())


def test_two_by_two_is_pearsons_chi_square_but_for_one_case():
    # 10 4 / 3 8: n = 25, X^2 = 25 (10*8 - 4*3)^2 / (14*11*13*12) = 4.8118548...
    pearson = 25 * (80 - 12) ** 2 / (14 * 11 * 13 * 12)
    label, group = np.repeat([0, 1, 0, 1], [10, 4, 3, 8]), np.repeat([0, 0, 1, 1], [10, 4, 3, 8])
    statistic, df = association(indicators(label), indicators(group), np.ones(25))
    assert df == 1
    assert statistic == pytest.approx(24 / 25 * pearson, rel=1e-12)


@pytest.mark.parametrize("constant", ["influence", "scores"])
def test_nothing_varies(constant):
    parts = {"influence": Y3, "scores": X, constant: np.full(6, 0.1)}
    assert association(**parts, weight=np.ones(6)) == (0.0, 0)
    assert association(Y3[:1], X[:1], np.ones(1)) == (0.0, 0)


def test_units_do_not_matter():
    statistic, df = association(Y3, np.column_stack([X, X**2]), np.ones(6))
    other, other_df = association(Y3, np.column_stack([1e-9 * X + 1, 1e9 * X**2]), np.ones(6))
    assert (other, other_df) == (pytest.approx(statistic, rel=1e-5), df)


# ---- p-values


def test_adjustments():
    # "flat" does not vary: partykit pays for 2 tests, party for 3
    columns = {"x": range(30), "flat": [1] * 30, "z": [i * 7 % 30 for i in range(30)]}
    target = [i % 5 + i / 10 for i in range(30)]
    for name, m in (("bonferroni", 2), ("bonferroni_all", 3), ("none", 1)):
        search, rows, weight = searched(columns, target, adjustment=name)
        x, flat, z = search.tested(rows, weight)
        assert (flat.statistic, flat.df, flat.p_value, flat.adjusted) == (0.0, 0, 1.0, 1.0)
        for test in (x, z):
            assert test.adjusted == pytest.approx(1 - (1 - test.p_value) ** m, rel=1e-12)


# ---- the fast form, feature by feature

TARGETS = st.one_of(
    st.lists(st.sampled_from("pqr"), min_size=12, max_size=12),
    st.lists(st.integers(-3, 3).map(float), min_size=12, max_size=12),
)
NUMBERS = st.lists(st.none() | st.integers(-4, 4).map(float), min_size=12, max_size=12)
NAMES = st.lists(st.sampled_from(("", *LEVELS)), min_size=12, max_size=12).filter(any)
WEIGHTS = st.lists(st.integers(0, 3), min_size=12, max_size=12)


@settings(max_examples=150)
@given(TARGETS, NUMBERS, NAMES, WEIGHTS)
def test_every_feature_as_in_general(target, numbers, names, weights):
    search, rows, weight = searched({"number": numbers, "name": names}, target, weights)
    h = indicators(target) if isinstance(target[0], str) else np.array(target)
    for test, cells in zip(search.tested(rows, weight), (numbers, names), strict=True):
        known = np.array([cell not in (None, "") for cell in cells]) & (weight > 0)
        values = [cell for cell, k in zip(cells, known, strict=True) if k]
        statistic, df = 0.0, 0
        if values:
            g = indicators(values) if cells is names else np.array(values)
            statistic, df = association(h[known], g, weight[known])
        assert test.df == df
        assert test.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-12)
        assert test.log_p == log_chi2_tail(test.statistic, df)


def test_an_ordinal_feature_numbers_its_levels_without_those_of_no_row():
    """Of the levels 0 to 3 no row has 2."""
    grades, y = [0, 0, 3, 1, 1, 3, 0, 1] * 4, [1.0, 2, 8, 2, 4, 7, 0, 3] * 4
    columns = (level_column("grade", "ordinal", np.array(grades), LEVELS), numeric_column("y", np.array(y)))
    search = ConditionalSearch(problem_of(Table(columns, target="y", features=("grade",)), GrowSettings()))
    (test,) = search.tested(np.arange(32), np.ones(32))
    ranks = np.minimum(grades, 2)
    assert (test.statistic, test.df) == (pytest.approx(association(np.array(y), ranks, np.ones(32))[0]), 1)
    assert search(np.arange(32), np.ones(32)).cuts.tolist() == [1]


@settings(max_examples=60)
@given(TARGETS, NUMBERS, NAMES, WEIGHTS, st.permutations(range(12)))
def test_order_and_repetition_of_rows(target, numbers, names, weights, order):
    search, rows, weight = searched({"number": numbers, "name": names}, target, min_rows_leaf=1, min_rows_split=2)
    weight = np.array(weights, float)
    shuffled = np.array(order)
    repeated = np.repeat(rows, weights)
    expected = search.tested(rows, weight)
    for other in (search.tested(shuffled, weight[shuffled]), search.tested(repeated, np.ones(len(repeated)))):
        assert [t.df for t in other] == [t.df for t in expected]
        for field in ("statistic", "log_p", "adjusted"):
            assert [getattr(t, field) for t in other] == pytest.approx(
                [getattr(t, field) for t in expected], rel=1e-9, abs=1e-12
            )


# ---- the split


def every_split(cells, least, weight):
    """Row masks of one side of every admissible cut (numbers) or grouping (names)."""
    known = np.array([cell not in (None, "") for cell in cells])
    present = sorted({c for c, k, w in zip(cells, known, weight, strict=True) if k and w > 0})
    if isinstance(present[0] if present else 0.0, str):
        lefts = [s for r in range(1, len(present)) for s in itertools.combinations(present, r) if present[0] in s]
    else:
        lefts = [present[: i + 1] for i in range(len(present) - 1)]
    for left in lefts:
        side = np.array([cell in left for cell in cells]) & known
        if weight[side].sum() >= least and weight[known & ~side].sum() >= least:
            yield side, known


@settings(max_examples=150)
@given(TARGETS, st.one_of(NUMBERS, NAMES), WEIGHTS, st.integers(1, 4))
def test_split_is_the_best_of_all(target, cells, weights, least):
    search, rows, weight = searched({"x": cells}, target, alpha=1.0, min_rows_leaf=least, min_rows_split=2)
    weight = np.array(weights, float)
    h = indicators(target) if isinstance(target[0], str) else np.array(target)

    def statistic(side, known):
        return association(h[known], side[known].astype(float), weight[known])[0]

    scores = [statistic(*split) for split in every_split(cells, least, weight)]
    found = search(rows, weight)
    if found is None:
        assert max(scores, default=0.0) < 1e-9 or search.tested(rows, weight)[0].df == 0
        return
    codes, missing = search.problem.codes[0], search.problem.features["n_codes"][0]
    known = codes != missing
    padded = np.append(found.branch_of_level, -1)
    side = (codes <= found.cuts[0]) & known if len(found.cuts) else padded[codes] == 0
    assert found.n_branches == 2
    assert least <= weight[side].sum() <= weight[known].sum() - least
    assert statistic(side, known) == pytest.approx(max(scores), rel=1e-9)


def test_score_and_cut():
    # y jumps after the 15th of 40 rows
    search, rows, weight = searched({"noise": [i * 17 % 40 for i in range(40)], "x": range(40)},
                                    [0.1 * (i % 3) + (i >= 15) for i in range(40)])  # fmt: skip
    found = search(rows, weight)
    assert (found.feature, found.cuts.tolist(), found.missing_branch) == (1, [14], None)
    assert found.score == -search.tested(rows, weight)[1].log_p > 10


def test_limits_on_size():
    x, y = range(20), [float(i >= 3) for i in range(20)]
    assert searched({"x": x}, y)[0](np.arange(20), np.ones(20)).cuts.tolist() == [6]
    assert searched({"x": x}, y, min_rows_leaf=3)[0](np.arange(20), np.ones(20)).cuts.tolist() == [2]
    assert searched({"x": x}, y, min_rows_split=21)[0](np.arange(20), np.ones(20)) is None
    shared = searched({"x": x}, y, min_rows_leaf=1, min_rows_split=2, min_share_leaf=0.22)[0]  # a weight of 4.4, so 5
    assert shared(np.arange(20), np.ones(20)).cuts.tolist() == [4]
    # a weight of 19 * 0.22 = 4.18, rounded up to 5: 6 rows of 0.95 have it, 5 rows have 4.75
    assert shared(np.arange(20), np.full(20, 0.95)).cuts.tolist() == [5]


def test_alpha_stops():
    search, rows, weight = searched({"x": range(24)}, [float(i % 2) + i / 48 for i in range(24)], alpha=0.05)
    (test,) = search.tested(rows, weight)
    assert test.p_value > 0.05
    assert search(rows, weight) is None
    higher = ConditionalSearch(search.problem, alpha=test.p_value * 1.001)
    assert higher(rows, weight) is not None


def test_second_feature_gets_its_turn_and_the_third_does_not():
    # "rare" explains y best, but one of its sides is too small
    y = [9.0] * 4 + [2.0] * 13 + [1.0] * 13
    columns = {"rare": ["r"] * 4 + ["s"] * 26, "half": [0] * 17 + [1] * 13}
    search, rows, weight = searched(columns, y)
    rare, half = search.tested(rows, weight)
    assert rare.log_p < half.log_p < math.log(0.05 / 2)
    assert search(rows, weight).feature == 1
    assert searched(columns, y, tries=1)[0](rows, weight) is None
    twice = {"rare": columns["rare"], "also": columns["rare"], "half": columns["half"]}
    assert searched(twice, y)[0](rows, weight) is None


@pytest.mark.parametrize("divisor", [3, 5, 7, 10, 11])
def test_last_of_equal_features(divisor):
    # the two statistics are equal but for rounding, which may well prefer the first
    x = [i * 5 % 8 for i in range(20)]
    y = [float(v) + i % 3 for i, v in enumerate(x)]
    search, rows, weight = searched({"x": x, "mirrored": [-v / divisor for v in x]}, y)
    one, other = search.tested(rows, weight)
    assert one.log_p == pytest.approx(other.log_p, rel=1e-12)
    assert search(rows, weight).feature == 1


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.1, 2.0, 2.2])
def test_first_of_equal_cuts(scale):
    x = [0] * 10 + [1] * 10 + [2] * 10
    search, rows, weight = searched({"x": x}, [(v - 1) * scale + scale * 10 / 7 for v in x])
    assert search(rows, weight).cuts.tolist() == [0]


def test_p_values_of_zero_are_still_ranked():
    y = [float(i >= 2500) for i in range(5000)]
    blurred = [v + 0.01 * (i % 7) for i, v in enumerate(y)]
    search, rows, weight = searched({"blurred": blurred, "sharp": y}, y)
    tests = search.tested(rows, weight)
    assert [t.p_value for t in tests] == [0.0, 0.0]
    assert search(rows, weight).feature == 1


def test_absent_level_has_no_branch():
    cells = ["a"] * 8 + ["b"] * 8 + ["c"] * 8 + ["d"]
    search, _, _ = searched({"x": cells}, ["p"] * 8 + ["q"] * 8 + ["p"] * 9)
    found = search(np.arange(24), np.ones(24))
    assert found.branch_of_level.tolist() == [0, 1, 0, -1]


def test_many_levels_are_sorted_by_mean():
    # 12 levels, means in two groups that alternate: all groupings are not tried, the order finds it
    cells = [f"level {i:02}" for i in range(12)] * 4
    y = [(i % 2) * 5.0 + 0.1 * (i % 3) for i in range(12)] * 4
    found = searched({"x": cells}, y, growth=GrowSettings(max_exhaustive=10))[0](np.arange(48), np.ones(48))
    assert found.branch_of_level.tolist() == [0, 1] * 6
    classes = ["pqr"[i % 3] for i in range(12)] * 4
    found = searched({"x": cells}, classes)[0](np.arange(48), np.ones(48))
    assert found.branch_of_level.tolist() == [0, 1, 1] * 4  # "p" apart, the first of three equals


def test_no_rows_and_zero_weights():
    search, rows, _ = searched({"x": range(20)}, [float(i >= 10) for i in range(20)], min_rows_split=0)
    assert search(rows[:0], np.ones(0)) is None
    assert search(rows, np.zeros(20)) is None


@pytest.mark.parametrize(
    ("option", "remedy"), [({"alpha": 1.5}, "probability"), ({"adjustment": "holm"}, "bonferroni")]
)
def test_settings_that_do_not_exist(option, remedy):
    with pytest.raises(TreecoreError, match=remedy):
        searched({"x": range(20)}, range(20), **option)


def weighted_table(weights) -> Table:
    """x and y rise together; 12 rows."""
    columns = numeric_column("x", np.arange(12.0)), numeric_column("y", np.arange(12.0) // 4)
    return Table(columns, target="y", features=("x",)).with_weights(np.array(weights, float))


@pytest.mark.parametrize("preset", ["ctree", "chaid"])
@pytest.mark.parametrize(("weight", "splits"), [(1.0, False), (2.0, True)])
def test_a_row_of_weight_2_is_two_rows_to_the_limits(preset, weight, splits):
    """20 to split, 8 to a leaf: 12 rows are too few, 24 are enough."""
    table = weighted_table([weight] * 12)
    tree = tc.grow(table, preset, min_rows_leaf=8)
    assert (tree.n_leaves > 1) == splits
    assert (tree.weight[tree.is_leaf] >= 8).all()
    found = tc.candidates(tree, 0, table).ranked
    assert len(found) > 0 or not splits
    assert all(sum(weight * n for n in c.n_rows) == 12 * weight and min(c.n_rows) * weight >= 8 for c in found)


def test_a_leaf_says_the_weight_that_its_test_asks_for():
    table = weighted_table([1.5] * 12)
    assert "weight of 18 is less than the 20" in why_leaf(tc.grow(table, "ctree"), 0, None, table)


def test_levels_that_the_node_lacks_go_up_as_in_partykit():
    """partykit 1.2-16: z <= 0, then o in a | b, c; a row with o = b and z = 0 gets 5."""
    columns = (
        level_column("o", "ordinal", [*"aaccbb"], ("a", "b", "c")),
        numeric_column("z", np.array([0.0, 0, 0, 0, 9, 9])),
        numeric_column("y", np.array([0.0, 0, 5, 5, 50, 50])),
    )
    table = Table(columns, target="y", features=("o", "z"))
    tree = tc.grow(table, "ctree", min_rows_split=2, min_rows_leaf=1, alpha=0.5)
    assert tree.predict(pd.DataFrame({"o": ["b"], "z": [0.0]})).tolist() == [5.0]
