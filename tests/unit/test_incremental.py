"""Trees that are fed with rows: what each row changes, on examples that can be redone by hand."""

import numpy as np
import pytest

import treecore as tc
from treecore.criteria import CRITERIA, criteria_for
from treecore.data import level_column, numeric_column
from treecore.errors import TreecoreError
from treecore.incremental import LEARNERS, Bound, ExactTree, HoeffdingTree, hoeffding_bound
from treecore.kernels.sums import impurity_of

GROWTH = tc.GrowSettings()


def table(x, y, z=None, levels="pq"):
    """x numbers, z levels, y classes a and b."""
    columns = [numeric_column("x", np.array(x, float))]
    if z is not None:
        columns.append(level_column("z", "nominal", list(z), tuple(levels)))
    names = tuple(c.name for c in columns)
    return tc.Table((*columns, level_column("y", "nominal", list(y), ("a", "b"))), target="y", features=names)


def conditions(tree):
    return [tree.node(node).condition for node in range(1, tree.n_nodes)]


def counts(step):
    return step.updated, step.shifted, step.replaced, step.regrown


def test_a_row_between_two_neighbours_shifts_the_threshold():
    tree = ExactTree(table([1, 2, 3, 4], "aabb"), GROWTH)
    assert conditions(tree.tree) == ["x < 2.5", "x ≥ 2.5"]
    step = tree.add(table([2.2], "b"))
    assert counts(step) == (2, 1, 0, 0)
    assert conditions(tree.tree) == ["x < 2.1", "x ≥ 2.1"]


def test_a_row_of_another_class_splits_its_leaf():
    tree = ExactTree(table([1, 2, 3, 4], "aabb"), GROWTH)
    assert counts(tree.add(table([5], "a"))) == (2, 0, 0, 1)
    assert conditions(tree.tree) == ["x < 2.5", "x ≥ 2.5", "x < 4.5", "x ≥ 4.5"]


def test_a_row_that_fits_changes_counts_alone():
    tree = ExactTree(table([1, 2, 3, 4], "aabb"), GROWTH)
    assert counts(tree.add(table([0, 9], "ab"))) == (3, 0, 0, 0)
    assert tree.tree.stats.tolist() == [[3, 3], [3, 0], [0, 3]]


def test_another_feature_at_the_root_grows_the_tree_anew():
    """Both features part four rows without error, and the first one wins; a fifth row is parted by z alone."""
    tree = ExactTree(table([1, 2, 3, 4], "aabb", "ppqq"), GROWTH)
    assert conditions(tree.tree) == ["x < 2.5", "x ≥ 2.5"]
    assert counts(tree.add(table([1.5], "b", "q"))) == (1, 0, 1, 1)
    assert conditions(tree.tree) == ["z = p", "z = q"]


def test_a_split_that_is_no_longer_worth_it_goes():
    """Half of the rows on either side: with two rows more both sides are mixed alike."""
    growth = tc.GrowSettings(max_depth=1)
    tree = ExactTree(table([1, 1, 2, 2], "abbb"), growth)
    assert tree.tree.n_leaves == 2
    assert counts(tree.add(table([2, 2], "aa"))) == (1, 0, 1, 1)
    assert tree.tree.n_leaves == 1


def test_groups_of_levels_whose_means_change_places_are_the_same_groups():
    tree = ExactTree(table([0] * 6, "abbaab", "ppprqq", "pqr"), GROWTH)
    before = tree.tree.node(0)
    step = tree.add(table([0, 0], "bb", "rr", "pqr"))
    assert step.n_rows == 8
    grown = tc.grow(table([0] * 8, "abbaabbb", "ppprqqrr", "pqr"), GROWTH)
    assert tree.tree.to_dict() == grown.to_dict()
    assert before.feature == "z"


def test_levels_are_known_by_their_names():
    tree = ExactTree(table([0, 0, 0, 0], "aabb", "ppqq", "pq"), GROWTH)
    tree.add(table([0], "b", "p", "qp"))
    assert tree.tree.stats.tolist() == [[2, 3], [2, 1], [0, 2]]


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (table([0], "a"), "no column 'z'"),
        (table([0], "a", "s", "pqs"), "'s' is no level"),
        (table([0], "a", "p").with_weights([2.0]), "weights"),
        (table([0], "a", "p").with_kinds({"x": "nominal"}), "numeric"),
    ],
)
def test_rows_that_do_not_fit_change_nothing(rows, what):
    tree = ExactTree(table([1, 2, 3, 4], "aabb", "ppqq"), GROWTH)
    before = tree.tree.to_dict()
    with pytest.raises(TreecoreError, match=what):
        tree.add(rows)
    assert (tree.n_rows, tree.tree.to_dict()) == (4, before)


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=lambda learner: learner.name)
def test_numbers_have_no_such_trees_and_no_rows_are_no_step(learner):
    rows = table([1, 2, 3, 4], "aabb", "ppqq")
    with pytest.raises(TreecoreError, match="classes alone"):
        learner.begun(rows.with_target("x"), GROWTH, Bound())
    assert learner.begun(rows, GROWTH, Bound()).add(table([], "", "")).n_new == 0


@pytest.mark.parametrize("name", [c.name for c in criteria_for("classification", 2) if c.concave])
def test_no_branch_loses_impurity_by_new_rows(name):
    """F(a + b) >= F(a) + F(b) for F = weight times impurity: why features that are far behind need no new look."""
    judge, rng = CRITERIA[name].judge(), np.random.default_rng(0)
    mass = lambda stats: float(stats.sum()) * impurity_of(judge, stats, float(stats.sum()))  # noqa: E731
    for _ in range(100):
        a, b = rng.integers(0, rng.integers(2, 60), (2, 2)).astype(float)
        assert mass(a + b) >= mass(a) + mass(b) - 1e-9


# the bound: R sqrt(ln(1 / delta) / 2n); Gini's gains of two classes are between 0 and 1/2


def test_the_bound_by_hand():
    assert hoeffding_bound(1.0, np.exp(-2.0), 4) == pytest.approx(0.5)
    assert hoeffding_bound(0.5, 1e-7, 10) == pytest.approx(0.5 * np.sqrt(16.118095650958319 / 20))


@pytest.mark.parametrize(("n", "leaves"), [(5, 1), (9, 1), (10, 2)])
def test_a_leaf_is_split_at_the_look_at_which_the_lead_is_larger_than_the_bound(n, leaves):
    """x parts all rows: a gain of 1/2 against 0 for z. The bound is 0.63 after 5 rows, 0.45 after 10."""
    rows = table([i % 2 for i in range(10)], "ab" * 5, "p" * 10).take(np.arange(n))
    tree = HoeffdingTree(rows, GROWTH, Bound(grace=5, tie=0.0)).tree
    assert tree.n_leaves == leaves
    assert conditions(tree) == ["x < 0.5", "x ≥ 0.5"][: 2 * (leaves - 1)]


def test_equal_features_wait_until_the_bound_is_below_the_tie():
    """z parts the rows as x does: no lead. With 0.5 the bound is below it after 10 rows, with 0.4 after 15: 0.37."""
    rows = table([i % 2 for i in range(15)], ("ab" * 8)[:15], ("pq" * 8)[:15])
    leaves = [
        [HoeffdingTree(rows.take(np.arange(n)), GROWTH, Bound(grace=5, tie=tie)).tree.n_leaves for n in (5, 10, 15)]
        for tie in (0.0, 0.5, 0.4)
    ]
    assert leaves == [[1, 1, 1], [1, 2, 2], [1, 1, 2]]


def test_a_split_stays_for_good_and_new_branches_observe_from_then_on():
    rows = table([i % 2 for i in range(10)], "ab" * 5)
    tree = HoeffdingTree(rows, GROWTH, Bound(grace=5, tie=0.0))
    assert counts(tree.add(table([0.2] * 8, "bbbbbbbb"))) == (2, 0, 0, 0)
    assert conditions(tree.tree) == ["x < 0.5", "x ≥ 0.5"]
    assert tree.tree.stats.tolist() == [[5, 13], [5, 8], [0, 5]]


def test_rows_without_a_value_and_unseen_levels_follow_the_larger_branch():
    rows = table([0] * 20, "ab" * 10, "pq" * 10, "pqr")
    more = table([0] * 3, "aaa", [None, "r", "p"], "pqr")
    tree = HoeffdingTree(rows, GROWTH, Bound(grace=5, tie=0.0))
    tree.add(more)
    everything = np.array([[11 + 2, 10], [11 + 2, 0], [0, 10]])
    assert tree.tree.stats.tolist() == everything.tolist()
    assert tree.tree.missing_rows[0] == 1
    assert tree.tree.predict(more).tolist() == ["a", "a", "a"]


@pytest.mark.parametrize("wrong", [{"grace": 0}, {"delta": 0.0}, {"delta": 1.0}, {"tie": -0.1}])
def test_a_bound_that_cannot_be(wrong):
    with pytest.raises(TreecoreError, match="not possible"):
        Bound(**wrong)
