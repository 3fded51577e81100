"""Twin bars: the tests of every node against scipy's, their correction, the words, and another table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.export.cards import cards_as_grown, outline, tree_cards, with_differences
from treecore.export.dot import tree_dot
from treecore.study import twins as twin_words
from treecore.study.homogeneity import CORRECTIONS, MOST_TABLES, adjust, exact_p, welch
from treecore.study.twins import (
    CHI_SQUARE,
    EXACT,
    FEW_ROWS,
    FISHER,
    METHODS,
    MONTE_CARLO,
    NO_SPREAD,
    WELCH,
    judged,
    node_tests,
    rows_judged,
    twins,
)
from treecore.tree.node_statistics import node_statistics


def table_of(y, x=None, classes=None, weights=None) -> tc.Table:
    x = np.arange(len(y), dtype=float) if x is None else np.asarray(x, float)
    target = numeric_column("y", np.asarray(y, float)) if classes is None else level_column("y", "nominal", y, classes)
    return tc.Table((numeric_column("x", x), target), target="y", features=("x",), weights=weights)


def lone_root(classes: int) -> tc.Tree:
    """A tree of one node, to test any table in it."""
    if classes == 0:
        return tc.grow(table_of([1.0, 2.0]), max_depth=0)
    names = [chr(97 + k) for k in range(classes)]
    return tc.grow(table_of(np.arange(2 * classes) % classes, classes=names), max_depth=0)


def at_root(train, other, **settings):
    tree = lone_root(len(train) if len(train) != 3 or settings.pop("classes", True) else 0)
    return twins(tree, np.array([train], float), np.array([other], float), **settings)


# the tests


def test_chi_square_is_scipys():
    found = at_root([33, 17], [7, 11])
    assert found.tests.method[0] == CHI_SQUARE
    expected = reference.chi2_contingency([[33, 17], [7, 11]], correction=False)
    assert found.tests.statistic[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert found.tests.p_value[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.tests.df[0] == 1


def test_three_classes_are_scipys_and_an_absent_class_takes_no_degree_of_freedom():
    found = at_root([30, 17, 12, 0], [20, 31, 14, 0])
    expected = reference.chi2_contingency([[30, 17, 12], [20, 31, 14]], correction=False)
    assert (found.tests.df[0], expected.dof) == (2, 2)
    assert found.tests.p_value[0] == pytest.approx(expected.pvalue, rel=1e-12)


def test_tea_by_hand():
    """Fisher's cup of tea with 5 cups more on each side: 8 1 / 1 8 has p = 2 (81 + 1) / 48620."""
    found = at_root([8, 1], [1, 8])
    assert METHODS[found.tests.method[0]] == "Fisher's exact test"
    assert found.tests.p_value[0] == pytest.approx(2 * 82 / 48620, rel=1e-12)


@settings(max_examples=200)
@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
def test_two_classes_are_scipys_fisher(cells):
    table = np.array(cells, float).reshape(1, 2, 2)
    p, drawn = exact_p(table)
    assert not drawn[0]
    if table.sum(axis=1).all() and table.sum(axis=2).all():
        assert p[0] == pytest.approx(reference.fisher_exact(table[0].astype(int)).pvalue, rel=1e-9)
    else:
        assert p[0] == pytest.approx(1.0)


def naive_exact(table: np.ndarray) -> float:
    """Freeman and Halton's p by going through every row of counts, with probabilities as whole numbers."""
    from itertools import product
    from math import comb

    columns, first = table.sum(axis=0), table[0]
    ways = {}
    for x in product(*(range(c + 1) for c in columns)):
        if sum(x) == first.sum():
            ways[x] = int(np.prod([comb(int(c), k) for c, k in zip(columns, x, strict=True)], dtype=object))
    own = ways[tuple(first.tolist())]
    return sum(w for w in ways.values() if w <= own) / sum(ways.values())


@settings(max_examples=60)
@given(st.lists(st.integers(0, 6), min_size=8, max_size=8))
def test_more_classes_by_brute_force(cells):
    table = np.array(cells).reshape(2, 4)
    p, drawn = exact_p(table[None].astype(float))
    assert not drawn[0] or (np.minimum(table.sum(axis=0), 24) + 1).prod() > MOST_TABLES
    assert p[0] == pytest.approx(naive_exact(table), abs=0.06 if drawn[0] else 1e-9)


def test_many_tables_at_once_are_the_same_as_each_alone():
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 9, (60, 2, 3)).astype(float)
    np.testing.assert_allclose(exact_p(tables)[0], [exact_p(t[None])[0][0] for t in tables], rtol=1e-12)


def test_drawn_tables_estimate_the_exact_p():
    """Six classes of 12 rows: too many tables to list, and scipy's own estimate has a standard error of 0.0014."""
    rows = np.array([[12, 9, 10, 3, 4, 5], [0, 3, 2, 9, 8, 7]])
    p, drawn = exact_p(rows[None].astype(float))
    assert drawn[0]
    chi = reference.chi2_contingency(rows, correction=False).pvalue
    assert 0 < p[0] < 0.001
    assert chi < 0.001
    assert p[0] == exact_p(rows[None].astype(float))[0][0], "the seed is fixed"
    mild = np.array([[6, 8, 5, 7, 4, 9], [6, 4, 7, 5, 8, 3]])
    p, drawn = exact_p(mild[None].astype(float))
    assert drawn[0]
    assert p[0] == pytest.approx(reference.chi2_contingency(mild, correction=False).pvalue, abs=0.06)


def test_the_method_is_named_per_node():
    assert at_root([33, 17], [7, 11]).tests.method[0] == CHI_SQUARE
    assert at_root([33, 17], [7, 2]).tests.method[0] == FISHER
    assert at_root([9, 3, 4, 0], [2, 6, 1, 0]).tests.method[0] == EXACT
    assert at_root([9, 3, 4, 8, 7, 9], [2, 6, 7, 2, 2, 3]).tests.method[0] == MONTE_CARLO
    assert at_root([33, 17], [3, 1]).tests.method[0] == FEW_ROWS
    assert at_root([33, 0], [13, 0]).tests.method[0] == NO_SPREAD


@pytest.mark.parametrize(("train", "other", "tested"), [([3, 2], [3, 2], True), ([3, 1], [30, 20], False)])
def test_five_rows_are_needed_on_both_sides(train, other, tested):
    assert bool(at_root(train, other).tests.tested[0]) == tested
    assert bool(at_root(other, train).tests.tested[0]) == tested


def moments(y) -> list[float]:
    y = np.asarray(y, float)
    return [len(y), y.sum(), (y * y).sum()]


@settings(max_examples=100)
@given(st.lists(st.integers(-50, 50), min_size=5, max_size=30), st.lists(st.integers(-50, 50), min_size=5, max_size=30))
def test_welch_is_scipys(a, b):
    t, df, p = welch(np.array([[moments(a), moments(b)]]))
    if len(set(a)) == 1 and len(set(b)) == 1:
        assert np.isnan(t[0])
        return
    expected = reference.ttest_ind_from_stats(
        np.mean(b), np.std(b, ddof=1), len(b), np.mean(a), np.std(a, ddof=1), len(a), equal_var=False
    )
    assert t[0] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert p[0] == pytest.approx(expected.pvalue, rel=1e-7)
    assert df[0] == pytest.approx(reference.ttest_ind(b, a, equal_var=False).df, rel=1e-9)


def test_a_regression_tree_is_tested_by_means():
    rng = np.random.default_rng(3)
    train = table_of(np.where(np.arange(80) < 40, 1.0, 9.0) + rng.normal(size=80))
    far = table_of(np.where(np.arange(80) < 40, 1.0, 12.0) + rng.normal(size=80))
    tree = tc.grow(train, max_depth=1)
    found = twins(tree, node_statistics(tree, train), node_statistics(tree, far))
    assert found.tests.method.tolist() == [WELCH] * 3
    expected = reference.ttest_ind(far.target_column.values()[40:], train.target_column.values()[40:], equal_var=False)
    assert found.tests.statistic[2] == pytest.approx(expected.statistic, rel=1e-9)
    assert found.tests.p_value[2] == pytest.approx(expected.pvalue, rel=1e-7)
    assert found.differs.tolist()[1:] == [False, True]


def test_equal_numbers_on_both_sides_leave_nothing_to_test():
    found = at_root([9.0, 27.0, 81.0], [6.0, 18.0, 54.0], classes=False)
    assert METHODS[found.tests.method[0]] == "not tested: nothing varies"


# weights


def test_weights_are_scaled_to_the_number_of_rows():
    y = np.array([0] * 30 + [1] * 20)
    other = np.array([0] * 8 + [1] * 12)
    plain, heavy = table_of(y, classes=["a", "b"]), table_of(y, classes=["a", "b"], weights=np.full(50, 7.5))
    beside = table_of(other, classes=["a", "b"], weights=np.full(20, 0.01))
    tree = tc.grow(heavy, max_depth=0)
    statistics = [node_statistics(tree, table) for table in (heavy, beside)]
    found = node_tests(tree, *statistics, rows_judged(tree, heavy), rows_judged(tree, beside))
    np.testing.assert_allclose(found.stats[0], [[30, 20], [8, 12]])
    expected = reference.chi2_contingency([[30, 20], [8, 12]], correction=False)
    assert found.p_value[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.scaled
    same = node_tests(tree, node_statistics(tree, plain), node_statistics(tree, plain), 50, 50)
    assert not same.scaled
    assert same.p_value[0] == pytest.approx(1.0)


def test_rows_of_no_weight_or_of_an_unknown_class_are_not_counted():
    tree = tc.grow(table_of([0, 1, 0, 1], classes=["a", "b"]))
    other = table_of([0, 1, 2, 2], classes=["a", "b", "c"], weights=np.array([1.0, 0.0, 1.0, 1.0]))
    assert rows_judged(tree, other) == 1
    numbers = tc.grow(table_of([1.0, 2.0, 5.0]))
    assert rows_judged(numbers, table_of([1.0, np.nan, 2.0])) == 2


# corrections


def test_corrections_by_hand():
    """0.01 0.02 0.03 0.04 of four tests."""
    p = [0.04, 0.01, np.nan, 0.03, 0.02]
    np.testing.assert_allclose(adjust(p, "holm"), [0.06, 0.04, np.nan, 0.06, 0.06])
    np.testing.assert_allclose(adjust(p, "benjamini_hochberg"), [0.04, 0.04, np.nan, 0.04, 0.04])
    np.testing.assert_allclose(adjust(p, "none"), p)


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_scipys(p):
    np.testing.assert_allclose(adjust(p, "benjamini_hochberg"), reference.false_discovery_control(p), atol=1e-14)


@pytest.mark.parametrize("name", list(CORRECTIONS))
@settings(max_examples=60)
@given(p=st.lists(st.floats(0, 1), min_size=0, max_size=15))
def test_every_correction_keeps_the_order_and_lowers_no_p(name, p):
    p = np.array(p, float)
    adjusted = adjust(p, name)
    assert np.all(adjusted >= p - 1e-15)
    assert np.all(adjusted <= 1)
    assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-15)


def test_holm_over_a_whole_tree_counts_the_tested_nodes_only():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=120)
    train = table_of((x > 0.5).astype(int), x, ["a", "b"])
    other = table_of(((x > 0.5) ^ (x > 0.8)).astype(int), x, ["a", "b"])
    tree = tc.grow(train)
    found = twins(tree, node_statistics(tree, train), node_statistics(tree, other))
    assert tree.n_nodes == 3
    assert found.tests.method[1] == NO_SPREAD
    assert found.n_tested == 2
    smaller, larger = sorted(found.tests.p_value[[0, 2]])
    np.testing.assert_allclose(sorted(found.adjusted[[0, 2]]), [2 * smaller, max(2 * smaller, larger)])
    assert twin_words.marks(found)[2].startswith("train ≠ valid, p ")
    loose = judged(found.tests, "validation", "none", 0.999999)
    assert loose.differs.sum() >= found.differs.sum()


def test_the_same_rows_never_differ():
    rng = np.random.default_rng(2)
    x = rng.uniform(size=300)
    train = table_of(rng.integers(0, 3, 300), x, ["a", "b", "c"])
    tree = tc.grow(train)
    stats = node_statistics(tree, train)
    found = twins(tree, stats, stats, correction="none")
    assert not found.differs.any()
    np.testing.assert_allclose(found.tests.p_value[found.tests.tested], 1.0)


@pytest.mark.parametrize("level", [0, 1, -0.1, float("nan")])
def test_an_impossible_level_is_refused(level):
    with pytest.raises(tc.TreecoreError, match="level"):
        at_root([33, 17], [7, 11], level=level)


def test_an_unknown_correction_and_statistics_of_another_tree_are_refused():
    with pytest.raises(tc.TreecoreError, match="holm, benjamini_hochberg, none"):
        at_root([33, 17], [7, 11], correction="sidak")
    with pytest.raises(tc.TreecoreError, match="not of this tree"):
        twins(lone_root(2), np.ones((1, 3)), np.ones((1, 2)))


# words


def test_the_sentence_of_a_node():
    """Chi-square of 17 33 / 11 7 is 68 (17 * 7 - 33 * 11)^2 / (50 * 18 * 28 * 40)."""
    found = at_root([17, 33], [11, 7])
    assert found.tests.statistic[0] == pytest.approx(68 * 244**2 / 1_008_000)
    assert twin_words.sentence(found, 0) == (
        "train: 34.0\u00a0% of 50 rows are a; validation: 61.1\u00a0% of 18 rows. "
        "Chi-square 4.016, p 0.045, Holm-adjusted p 0.045: a significant difference."
    )
    strict = judged(found.tests, "test", "none", 0.01)
    assert twin_words.sentence(strict, 0).endswith("p 0.045: no significant difference at level 0.01.")
    assert twin_words.legend(strict) == (
        "In no node do train and test differ significantly "
        "(1 of 1 nodes of the tree tested: chi-square or exact, not corrected, level 0.01)."
    )
    assert twin_words.legend(found).startswith("Marked ≠: 1 node where train and validation differ significantly")


def test_the_sentence_says_why_a_node_is_not_tested():
    found = at_root([33, 17], [0, 0])
    assert twin_words.sentence(found, 0).endswith("validation: no rows. Not tested: fewer than 5 rows on a side.")
    assert twin_words.arithmetic(found, 0) == []
    assert "are not compared" in twin_words.legend(found)


def texts(lines) -> str:
    return "\n".join(str(line) for line in lines)


def test_the_arithmetic_shows_the_numbers():
    told = texts(twin_words.arithmetic(at_root([17, 33], [11, 7]), 0))
    assert "17 (20.59)" in told
    assert "number 1 of the 1 p-values" in told
    assert "over-fitting" in told
    told = texts(twin_words.arithmetic(at_root([33, 17], [7, 2]), 0))
    assert "Fisher's exact test" in told
    found = at_root([10.0, 20.0, 90.0], [8.0, 40.0, 240.0], classes=False)
    told = texts(twin_words.arithmetic(found, 0))
    assert "variance" in told
    assert "benjamini" not in told
    told = texts(twin_words.arithmetic(judged(found.tests, correction="none"), 0))
    assert "differ by chance alone" in told


# the picture


def marked_cards() -> tuple:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=120)
    train = table_of((x > 0.5).astype(int), x, ["a", "b"])
    other = table_of(((x > 0.5) ^ (x > 0.8)).astype(int), x, ["a", "b"])
    tree = tc.grow(train)
    stats = {"train": node_statistics(tree, train), "validation": node_statistics(tree, other)}
    found = twins(tree, *stats.values())
    cards = tree_cards(tree, np.arange(3), stats)
    return cards, with_differences(cards, twin_words.marks(found))


def test_a_picture_that_is_laid_out_for_itself_has_the_mark_in_the_node():
    plain, marked = marked_cards()
    assert [bool(card.differs) for card in marked] == [True, False, True], "a fifth of the rows moved from b to a"
    dot = tree_dot(marked, classes=["a", "b"])
    assert dot.count("<B>train ≠ valid, p ") == 2
    assert dot.count("<B>train ≠ valid, p &lt; 0.001</B>") >= 1
    assert "≠" not in tree_dot(plain, classes=["a", "b"])


def test_the_screen_lays_out_the_same_whatever_differs():
    plain, marked = marked_cards()
    assert cards_as_grown(marked) == cards_as_grown(plain)
    assert tree_dot(cards_as_grown(marked), classes=["a", "b"]) == tree_dot(plain, classes=["a", "b"])


def test_the_outline_says_it_in_words():
    _, marked = marked_cards()
    rows = outline(marked)
    assert "differs" not in rows[1]
    assert rows[2]["differs"] == "train ≠ valid, p < 0.001"
    assert "bars differ significantly: train ≠ valid, p < 0.001" in rows[2]["label"]
