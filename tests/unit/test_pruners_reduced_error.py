"""Reduced-error pruning by hand: its four orders, costs, unknown classes, and rows that stay inside."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.fit import grow_with
from treecore.pruning import CUT, KEEP
from treecore.recipe import Take

ORDERS = ("bottom-up", "leaves", "top-down", "best-first")
A, B = 0, 1
KINDS, LEVELS = ["nominal"] * 3, [2, 2, 2]


def sample(rows, **more):
    """rows : (x0, x1, x2, class, how many)."""
    rows = [row[:4] for row in rows for _ in range(row[4])]
    columns = [list(cells) for cells in zip(*(row[:3] for row in rows), strict=True)]
    return Sample(KINDS, columns, LEVELS, [row[3] for row in rows], 2, **more).table()


# x0 parts two halves; in the left one x1 tells the classes apart, in the right one x2. Labels: root a (8 : 7),
# left a (6 : 3), right b (2 : 4), the leaves a, b and a, b.
TRAIN = sample([(0, 0, 0, A, 6), (0, 1, 0, B, 3), (1, 0, 0, A, 2), (1, 0, 1, B, 4)])
TREE = grow_with(TRAIN, tc.GrowSettings(), (Take((), "", "x0", branches=(("x0=0",), ("x0=1",))),))
ROOT, LEFT, RIGHT = 0, 1, 2
# errors as a leaf, and with the branches: left 4 and 1 + 5, right 2 and 3 + 2, root 7 and 11
EVERYWHERE_WORSE = sample([(0, 0, 0, B, 1), (0, 1, 0, B, 3), (0, 1, 0, A, 5), (1, 0, 0, B, 3), (1, 0, 1, A, 2)])
# left 4 and 0, right 20 and 20, root 4 and 20
LEFT_IS_GOOD = sample([(0, 1, 0, B, 4), (1, 0, 1, A, 20)])


def errors(tree, table):
    return int(np.sum(tree.predict(table) != table.target_column.labels()))


def test_the_tree_is_the_one_that_the_numbers_are_for():
    assert TREE.parent.tolist()[:3] == [-1, 0, 0]
    assert TREE.n_leaves == 4
    assert TREE.value[[ROOT, LEFT, RIGHT]].tolist() == [A, A, B]
    assert errors(TREE, EVERYWHERE_WORSE) == 11
    assert errors(TREE, LEFT_IS_GOOD) == 20


@pytest.mark.parametrize(
    ("order", "cut", "left"), [
        ("bottom-up", {LEFT, RIGHT}, 6),  # 4 and 2; the root's 7 are more than these
        ("leaves", {LEFT, RIGHT}, 6),
        ("top-down", {ROOT}, 7),  # 7 of 11
        ("best-first", {ROOT}, 7),  # the root saves 4, the halves 2 and 3
    ],
)  # fmt: skip
def test_orders_differ_where_everything_is_better_cut(order, cut, left):
    cuts = tc.prune(TREE, "reduced_error", validation=EVERYWHERE_WORSE, order=order)
    assert set(cuts.cut_nodes) == cut
    assert errors(TREE.cut(cuts), EVERYWHERE_WORSE) == left


@pytest.mark.parametrize(
    ("order", "n_leaves", "left"), [
        ("bottom-up", 1, 4),  # 4 as a leaf, 0 + 20 with the branches
        ("leaves", 3, 20),  # the left half keeps its branches, so the root is never tested
        ("top-down", 1, 4),
        ("best-first", 1, 4),
    ],
)  # fmt: skip
def test_a_branch_worth_keeping_shields_its_parents_only_above_leaves(order, n_leaves, left):
    cuts = tc.prune(TREE, "reduced_error", validation=LEFT_IS_GOOD, order=order)
    assert TREE.cut(cuts).n_leaves == n_leaves
    assert errors(TREE.cut(cuts), LEFT_IS_GOOD) == left


def test_a_node_that_is_not_tested_says_so():
    cuts = tc.prune(TREE, "reduced_error", validation=LEFT_IS_GOOD, order="leaves")
    assert (cuts.verdict[LEFT], cuts.verdict[RIGHT], cuts.verdict[ROOT]) == (KEEP, CUT, KEEP)
    assert (cuts.reasons[LEFT].number, cuts.reasons[LEFT].threshold) == (4, 0)
    assert (cuts.reasons[RIGHT].number, cuts.reasons[RIGHT].threshold) == (20, 20)
    assert np.isnan(cuts.reasons[ROOT].number)
    assert "not all of its children are leaves" in cuts.reasons[ROOT].text


def test_best_first_goes_on_with_what_is_left():
    """Left 3 and 6 (saves 3), right 3 and 5 (saves 2), root 8 and 11 (saves 3; of equals the first): only the root."""
    rows = [(0, 0, 0, B, 1), (0, 1, 0, B, 2), (0, 1, 0, A, 5), (1, 0, 0, B, 3), (1, 0, 1, A, 2), (1, 0, 0, A, 1)]
    validation = sample([*rows, (1, 0, 1, B, 2)])
    cuts = tc.prune(TREE, "reduced_error", validation=validation, order="best-first")
    assert [(d.node, d.verdict, d.reason.number, d.reason.threshold) for d in cuts.decisions] == [(ROOT, CUT, 8, 11)]
    # one more b on the right, 9 and 11 for the root: left first, then right, then the root is worse: 9 of 3 + 3
    more = sample([*rows, (1, 0, 1, B, 3)])
    cuts = tc.prune(TREE, "reduced_error", validation=more, order="best-first")
    steps = [(d.node, d.verdict, d.reason.number, d.reason.threshold) for d in cuts.decisions]
    assert steps == [(LEFT, CUT, 3, 6), (RIGHT, CUT, 3, 5), (ROOT, KEEP, 9, 6)]


def test_the_reason_in_words():
    cuts = tc.prune(TREE, "reduced_error", validation=EVERYWHERE_WORSE, epsilon=0.5)
    assert cuts.reasons[LEFT].text == "validation errors 4 as a leaf, 6 with its branches (7 more accepted)"
    assert cuts.reasons[LEFT].threshold == 13
    assert cuts.judged_by == "validation rows"


def test_with_costs_it_is_a_cost():
    """An a called b costs 1, a b called a 5: the label is b from 1/6 on, so that root, left and right are b."""
    costly = grow_with(
        TRAIN, tc.GrowSettings(loss=((0, 1), (5, 0))), (Take((), "", "x0", branches=(("x0=0",), ("x0=1",))),)
    )
    assert costly.value[[ROOT, LEFT, RIGHT]].tolist() == [B, B, B]
    cuts = tc.prune(costly, "reduced_error", validation=EVERYWHERE_WORSE)
    # left: 5 a's called b; leaves: one b called a, and 5 a's called b
    assert cuts.reasons[LEFT].text == "validation cost of errors 5 as a leaf, 10 with its branches"
    # right: 2 a's; leaves: 3 b's called a, 2 a's called b
    assert cuts.reasons[RIGHT].text == "validation cost of errors 2 as a leaf, 17 with its branches"


def test_priors_weight_the_errors():
    priors = (8 / 15 / 2, 1 - 8 / 15 / 2)  # every a counts half, every b 11/7
    tree = grow_with(TRAIN, tc.GrowSettings(priors=priors), (Take((), "", "x0", branches=(("x0=0",), ("x0=1",))),))
    cuts = tc.prune(tree, "reduced_error", validation=EVERYWHERE_WORSE)
    assert tree.value[LEFT] == B  # 3 : 33/7
    assert cuts.reasons[LEFT].number == pytest.approx(5 / 2)
    assert cuts.reasons[LEFT].threshold == pytest.approx(11 / 7 + 5 / 2)
    assert "errors weighted by priors" in cuts.reasons[LEFT].text


def test_numbers_by_hand():
    """y = 0 0 4 4 at x = 0..3; the leaves' means 0 and 4, the root's 2. Rows 1 and 2 at either side."""
    tree = tc.grow(Sample(["numeric"], [[0, 1, 2, 3]], [0], [0.0, 0.0, 4.0, 4.0], 0).table())
    close = Sample(["numeric"], [[0, 3]], [0], [1.5, 2.5], 0).table()
    cuts = tc.prune(tree, "reduced_error", validation=close)
    assert cuts.reasons[0].number == pytest.approx(0.25 + 0.25)
    assert cuts.reasons[0].threshold == pytest.approx(1.5**2 + 1.5**2)
    assert cuts.verdict[0] == CUT
    assert "squared error" in cuts.reasons[0].text
    apart = Sample(["numeric"], [[0, 3]], [0], [0.5, 3.0], 0).table()
    assert tc.prune(tree, "reduced_error", validation=apart).verdict[0] == KEEP  # 2.25 + 1 as a leaf, .25 + 1


def three_classes(target, levels):
    """A table of one number and a class column with these levels, some of them without rows."""
    from treecore.data import level_column, numeric_column

    x = numeric_column("x", np.arange(len(target), dtype=float))
    return tc.Table((x, level_column("y", "nominal", target, levels)), target="y", features=("x",))


@pytest.mark.parametrize("order", ORDERS)
def test_a_class_that_training_lacks_is_counted_or_told(order):
    declared = tc.grow(three_classes(["a", "a", "b", "b"], ("a", "b", "c")))
    validation = three_classes(["a", "c", "b", "c"], ("a", "b", "c"))
    cuts = tc.prune(declared, "reduced_error", validation=validation, order=order)
    # the c's are wrong either way: 1 + 2 errors as a leaf, 2 with the branches
    assert (cuts.reasons[0].number, cuts.reasons[0].threshold) == (3, 2)
    assert cuts.judged_by == "validation rows (2 of a class that no training row has)"
    unknown = tc.grow(three_classes(["a", "a", "b", "b"], ("a", "b")))
    cuts = tc.prune(unknown, "reduced_error", validation=validation, order=order)
    assert (cuts.reasons[0].number, cuts.reasons[0].threshold) == (1, 0)
    assert cuts.judged_by == "validation rows (2 of a class that no training row has, left out)"


def test_rows_without_a_target_are_told():
    tree = tc.grow(three_classes(["a", "a", "b", "b"], ("a", "b")))
    validation = three_classes(np.array([0, -1, 1, -1]), ("a", "b"))
    cuts = tc.prune(tree, "reduced_error", validation=validation)
    assert cuts.judged_by == "validation rows (2 without a target, left out)"
    nothing = three_classes(np.array([-1, -1]), ("a", "b"))
    with pytest.raises(tc.TreecoreError, match="No validation row has a known target"):
        tc.prune(tree, "reduced_error", validation=nothing)


@pytest.mark.parametrize("order", ORDERS)
def test_rows_that_stay_at_a_node_count_on_both_sides(order):
    """10 rows without x end at the root, all b where the root says a: wrong with branches and without."""
    tree = tc.grow(Sample(["numeric"], [[0, 1, 2, 3, 4]], [0], [A, A, A, B, B], 2).table(), missing="stay")
    validation = Sample(["numeric"], [[0, 1, 3, *[None] * 10]], [0], [A, A, B] + [B] * 10, 2).table()
    cuts = tc.prune(tree, "reduced_error", validation=validation, order=order)
    assert (cuts.reasons[0].number, cuts.reasons[0].threshold) == (11, 10)
    assert cuts.verdict[0] == KEEP


@pytest.mark.parametrize("order", ORDERS)
def test_a_lone_root_has_nothing_to_test(order):
    stump = tc.grow(TRAIN, max_depth=0)
    cuts = tc.prune(stump, "reduced_error", validation=EVERYWHERE_WORSE, order=order)
    assert not cuts.changes
    assert cuts.reasons == {}


def test_bad_settings_and_no_rows_are_refused():
    for name, value in (("epsilon", -0.1), ("epsilon", float("nan")), ("order", "sideways")):
        with pytest.raises(tc.TreecoreError) as caught:
            tc.prune(TREE, "reduced_error", validation=EVERYWHERE_WORSE, **{name: value})
        assert caught.value.where == name
    with pytest.raises(tc.TreecoreError, match="Reduced-error pruning has no validation rows"):
        tc.prune(TREE, "reduced_error", validation=TRAIN.take(np.arange(0)))


@pytest.mark.parametrize("order", ORDERS)
def test_no_answer_is_worse_than_any_number(order):
    """Level 2 has no training rows and its leaf no answer; a row of it makes the branches worth nothing."""
    train = Sample(["nominal"], [[0, 0, 1, 1]], [3], [0.0, 0.0, 4.0, 4.0], 0).table()
    tree = tc.grow(train, nominal="multiway", empty_leaf="none")
    validation = Sample(["nominal"], [[0, 1, 2]], [3], [0.0, 4.0, 2.0], 0).table()
    assert tc.prune(tree, "reduced_error", validation=validation, order=order).verdict[0] == CUT
    assert tc.prune(tree, "reduced_error", validation=train, order=order).verdict[0] == KEEP
    assert tc.prune(tree, "validation_peak", validation=validation).verdict[0] == CUT
    assert tc.prune(tree, "validation_peak", validation=train).verdict[0] == KEEP
