"""REPTree by hand: how it grows, prunes by rows kept for that, and puts them back."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
import treecore.pruning.reptree as reptree_module
from treecore.growing.rebuild_node import why_leaf
from treecore.growing.settings.grow_settings import usual_criterion
from treecore.pruning import CUT, KEEP
from treecore.tree.node_statistics import node_statistics
from treecore.tree.predict import route

PRESET = tc.PRESETS["reptree"].growth
SMALL = {"min_weight_leaf": 1.0, "min_weight_split": 2.0}


def bits(*counts: float) -> float:
    """Entropy of these class weights."""
    return -sum(c / sum(counts) * math.log2(c / sum(counts)) for c in counts if c)


def words(rows: str, names: str, **kinds) -> tc.Table:
    """One word per row, one letter per column, the last one the target; ? is missing."""
    frame = pd.DataFrame([list(row) for row in rows.split()], columns=list(names)).replace("?", None)
    return tc.read_table(frame, target=names[-1], kinds={n: tc.Nominal(list(v)) for n, v in kinds.items()})


def numbers(x, y) -> tc.Table:
    frame = pd.DataFrame({"x": np.asarray(x, float), "y": y})
    return tc.read_table(frame, target="y", kinds={"x": "numeric"})


# growth


def test_classes_by_entropy_and_numbers_by_squared_error():
    assert (usual_criterion(PRESET, "classification"), usual_criterion(PRESET, "regression")) == (
        "entropy", "squared_error"
    )  # fmt: skip
    assert usual_criterion(tc.GrowSettings(), "classification") == "gini"
    assert tc.grow(numbers([1, 1, 2, 2], list("nnpp")), "reptree").criterion == "entropy"
    assert tc.grow(numbers([1, 1, 2, 2], [1, 2, 5, 7.5]), "reptree").criterion == "squared_error"


# x parts its four known rows; z, known for all, leaves 2 n and 3 p together
SHARED = "1an 1an 2bp 2bp ?an ?bn ?bn ?bp"


def test_rows_without_a_value_count_in_every_branch_when_features_compete():
    table = words(SHARED, "xzy", x="12", z="ab", y="np")
    tree = tc.grow(table, "reptree", max_depth=1)
    assert tree.node(0).feature == "z"
    assert tree.gain[0] == tree.score[0] == pytest.approx(bits(5, 3) - 5 / 8 * bits(2, 3))
    usual = tc.grow(table, replace(PRESET, selector="best", criterion="entropy", max_depth=1))
    assert usual.node(0).feature == "x"
    assert usual.gain[0] == pytest.approx(0.5)


def test_the_candidates_tell_both_gains():
    """Half of the rows have an x; with the others shared its branches hold 3.5 n, 0.5 p and 1.5 n, 2.5 p."""
    table = words(SHARED, "xzy", x="12", z="ab", y="np")
    tree = tc.grow(table, "reptree", max_depth=1)
    first, second = tc.candidates(tree, 0, table).per_feature()
    assert (first.feature, first.chosen, second.feature) == ("z", True, "x")
    assert second.gain == pytest.approx(0.5)
    assert second.score == pytest.approx(bits(5, 3) - (bits(3.5, 0.5) + bits(1.5, 2.5)) / 2)


def test_a_cut_with_missing_values_of_numbers():
    """Known: 0 0 | 6 6; without a value 3 and 9: each branch gets half of both. SS 66 falls by 2 * 27 - 0."""
    table = numbers([1, 1, 2, 2, np.nan, np.nan], [0, 0, 6.0, 6.0, 3.0, 9.0])
    tree = tc.grow(table, "reptree", max_depth=1)
    assert tree.splits.threshold[0] == 1.5
    # means 2 and 6 around 4, three rows each
    assert tree.score[0] * 6 == pytest.approx(3 * 4 + 3 * 4)
    assert tree.gain[0] * 6 == pytest.approx(4 * 9)
    (chosen,) = tc.candidates(tree, 0, table).ranked
    assert (chosen.chosen, chosen.score) == (True, pytest.approx(4))
    assert tree.value.tolist() == pytest.approx([4, 2, 6])


def test_the_winner_alone_is_asked_for_branches_of_enough_weight():
    """x parts one row from nine with the larger gain; z parts five from five."""
    table = words("1ap 2an 2an 2an 2an 2bn 2bn 2bn 2bn 2bn", "xzy")
    tree = tc.grow(table, "reptree")
    assert tree.n_nodes == 1
    found = tc.candidates(tree, 0, table)
    assert [c.feature for c in found.per_feature()] == ["x", "z"]
    assert "does not have two branches of at least 2 in weight" in why_leaf(tree, 0, found.ranked[0].gain)
    assert tc.grow(table, replace(PRESET, selector="best")).node(0).feature == "z"
    assert tc.grow(table, "reptree", **SMALL).node(0).feature == "x"


def test_a_threshold_is_taken_whatever_its_sides_weigh():
    """The best cut of x parts one row; a worse one with two rows on either side is not looked for."""
    table = numbers([1, 2, 3, 4, 5, 6], list("pnnnnn"))
    assert tc.grow(table, "reptree").n_nodes == 1
    assert tc.grow(table, replace(PRESET, selector="best", criterion="entropy")).splits.threshold[0] == 2.5


def test_numbers_that_vary_little_are_not_parted():
    table = numbers(range(8), [0, 0, 0.1, 0.1, 9, 10, 10, 11.0])
    tree = tc.grow(table, "reptree")
    left = tree.children(0)[0]
    assert tree.is_leaf[left]
    assert tree.impurity[left] == pytest.approx(0.0025)
    assert why_leaf(tree, left, 0.0025) == "Its variance is less than 0.1 % of that of all training rows."
    assert tc.grow(table, "reptree", min_impurity=1e-300).n_nodes > tree.n_nodes
    three = tc.grow(table.take([0, 4, 7]), "reptree")
    assert why_leaf(three, 0, 1) == "Its weight of 3 is less than the 4 that a split needs."


def test_a_gain_of_next_to_nothing_is_none():
    """Squares that fall by 4e-7 in all are too little for numbers, whatever their scale."""
    y = np.array([0, 0, 1, 1.0])
    assert tc.grow(numbers([1, 2, 3, 4], 1e-2 * y), "reptree").n_nodes == 3
    assert tc.grow(numbers([1, 2, 3, 4], 6e-4 * y), "reptree").n_nodes == 1
    assert tc.grow(numbers([1, 2, 3, 4], 6e-4 * y), replace(PRESET, selector="best")).n_nodes == 3


# pruning

KINDS = {"x": "abc", "z": "uv", "y": "np"}
TRAIN = words("aun aun avn avn bup bup bup bvn", "xzy", **KINDS)
HOLD_OUT = words("aun bvp ?vp aup cup", "xzy", **KINDS)


def grown() -> tc.Tree:
    """x: a (4 n), b (then z: u 3 p, v 1 n), c without rows."""
    tree = tc.grow(TRAIN, "reptree", **SMALL)
    assert [tree.node(i).feature for i in range(tree.n_nodes)] == ["x", None, "z", None, None, None]
    assert tree.weight.tolist() == [8, 4, 4, 0, 3, 1]
    return tree


def test_errors_of_rows_that_are_shared():
    """The row without x is half in a and half in b; the leaf c answers n as the root does."""
    tree = grown()
    cuts = tc.prune(tree, "reptree", validation=HOLD_OUT)
    assert cuts.verdict.tolist() == [KEEP, KEEP, CUT, KEEP, KEEP, KEEP]
    root, b = cuts.reasons[0], cuts.reasons[2]
    # p as n: rows 2 to 5 at the root; half of row 3 and row 4 at a, nothing at b, row 5 at c
    assert (root.number, root.threshold) == (4, pytest.approx(1.5 + 0 + 1))
    # p as p; with z, v says n to row 2 and to half of row 3
    assert (b.number, b.threshold) == (0, 1.5)
    assert b.text == "weight of validation rows that err: 0 as a leaf, 1.5 with its branches"
    assert cuts.judged_by == "validation rows"
    assert [d.node for d in cuts.decisions] == [2, 0]


def test_rows_put_back():
    tree = grown()
    pruned = tree.cut(tc.prune(tree, "reptree", validation=HOLD_OUT))
    assert pruned.stats.tolist() == [[6, 7], [5, 1.5], [1, 4.5], [0, 1]]
    assert pruned.weight.tolist() == [13, 6.5, 5.5, 1]
    assert [pruned.node(i).predicted for i in range(4)] == ["p", "n", "p", "p"]
    np.testing.assert_allclose(pruned.proba, [[6 / 13, 7 / 13], [10 / 13, 3 / 13], [2 / 11, 9 / 11], [0, 1]])
    np.testing.assert_allclose(pruned.impurity, [bits(6, 7), bits(5, 1.5), bits(1, 4.5), 0])
    assert pruned.n_rows.tolist() == [8, 4, 4, 0]
    assert tree.stats[0].tolist() == [5, 3]


def test_rows_without_a_value_are_shared_by_the_training_rows():
    tree = grown()
    pruned = tree.cut(tc.prune(tree, "reptree", validation=HOLD_OUT))
    row = words("?un", "xzy", **KINDS)
    assert route(pruned, row).share.tolist() == [0.5, 0.5]
    expected = [(10 / 13 + 2 / 11) / 2, (3 / 13 + 9 / 11) / 2]
    np.testing.assert_allclose(pruned.predict_proba(row), [expected])
    again = tc.Tree.from_dict(pruned.to_dict())
    np.testing.assert_allclose(again.predict_proba(row), [expected])


def test_an_empty_leaf_without_rows_to_put_back_answers_as_its_parent():
    tree = grown()
    pruned = tree.cut(tc.prune(tree, "reptree", validation=words("aun aun bvp", "xzy", **KINDS)))
    assert pruned.weight.tolist() == [11, 6, 5, 0]
    np.testing.assert_allclose(pruned.proba[3], [7 / 11, 4 / 11])


def test_nothing_is_put_back_on_request():
    tree = grown()
    kept, usual = (tc.prune(tree, "reptree", validation=HOLD_OUT, backfit=b) for b in (False, True))
    assert kept.added is None
    assert kept.verdict.tolist() == usual.verdict.tolist()
    assert tree.cut(kept).stats.tolist() == [[5, 3], [4, 0], [1, 3], [0, 0]]


def test_errors_that_are_equal_but_for_rounding_cut(monkeypatch):
    """The root errs on p of 0.1 in a, 0.2 in b and 0.1 in c; its branches on 0.1, on n of 0.2, and on 0.1."""
    tree = grown()
    weights = np.array([0.1, 0.2, 0.2, 0.1])
    rows = words("aup bup bun cup", "xzy", **KINDS).with_weights(weights)
    cuts = tc.prune(tree, "reptree", validation=rows)
    assert cuts.reasons[0].number == cuts.reasons[0].threshold == pytest.approx(0.4)
    assert cuts.cut_nodes.tolist() == [0, 2]
    monkeypatch.setattr(reptree_module, "snapped_threshold", lambda number, threshold: threshold)
    as_summed = tc.prune(tree, "reptree", validation=rows).reasons[0]
    assert as_summed.number > as_summed.threshold


def test_numbers():
    """1 3 | 7 9, each parted again; hold-out 2 2 7 10 at the same places."""
    tree = tc.grow(numbers([1, 2, 3, 4], [1, 3, 7, 9.0]), "reptree", **SMALL)
    assert tree.value.tolist() == [5, 2, 8, 1, 3, 7, 9]
    cuts = tc.prune(tree, "reptree", validation=numbers([1, 2, 3, 4], [2, 2, 7, 10.5]))
    numbers_by_node = {t: (r.number, r.threshold) for t, r in cuts.reasons.items()}
    assert numbers_by_node[1] == pytest.approx((0, 2))
    assert numbers_by_node[2] == pytest.approx((1 + 6.25, 0 + 2.25))
    assert numbers_by_node[0] == pytest.approx((9 + 9 + 4 + 30.25, 2.25))
    assert cuts.cut_nodes.tolist() == [1]
    assert cuts.reasons[1].text == "sum of squared validation errors: 0 as a leaf, 2 with its branches"
    pruned = tree.cut(cuts)
    together = [[1, 3, 7, 9, 2, 2, 7, 10.5], [1, 3, 2, 2], [7, 9, 7, 10.5], [7, 7], [9, 10.5]]
    np.testing.assert_allclose(pruned.value, [np.mean(y) for y in together])
    np.testing.assert_allclose(pruned.impurity, [np.var(y) for y in together], atol=1e-12)
    assert pruned.weight.tolist() == [len(y) for y in together]


def test_without_missing_values_the_nodes_hold_all_rows():
    """As if the rows of both tables had been sent down together."""
    rng = np.random.default_rng(5)
    for n_classes in (0, 3):
        x = rng.integers(0, 9, 240)
        y = [f"c{k}" for k in (x // 3 + rng.integers(0, 2, 240)) % 3] if n_classes else x // 3 + rng.normal(0, 1, 240)
        table = numbers(x, y)
        train, kept = table.take(np.arange(160)), table.take(np.arange(160, 240))
        tree = tc.grow(train, "reptree")
        pruned = tree.cut(tc.prune(tree, "reptree", validation=kept))
        assert 1 < pruned.n_nodes < tree.n_nodes
        np.testing.assert_allclose(pruned.stats, node_statistics(pruned, table), atol=1e-9)


def test_the_pruned_tree_errs_least_of_all_its_subtrees():
    rng = np.random.default_rng(3)
    for _ in range(20):
        x, y = rng.integers(0, 8, 60), rng.integers(0, 2, 60)
        table = numbers(x, [f"c{k}" for k in y])
        train, kept = table.take(np.arange(40)), table.take(np.arange(40, 60))
        tree = tc.grow(train, "reptree", max_depth=3, **SMALL)
        truth = kept.target_column.labels()

        def errors(small: tc.Tree, kept=kept, truth=truth) -> int:
            return sum(a != b for a, b in zip(small.predict(kept), truth, strict=True))

        inner = np.flatnonzero(~tree.is_leaf)
        every = [[t for i, t in enumerate(inner) if subset >> i & 1] for subset in range(1 << len(inner))]
        least = min(errors(tree.cut(tc.Cuts.at(tree, nodes))) for nodes in every)
        assert errors(tree.cut(tc.prune(tree, "reptree", validation=kept, backfit=False))) == least


def test_absolute_error_is_not_measured_by_the_variance():
    """A thousandth of the variance of these targets, 24 630 469, is more than any absolute error of them."""
    y = np.repeat([100.5, 200.5, 10_000.5, 10_150.5], 10)
    tree = tc.grow(numbers(np.arange(40.0), y), "reptree", criterion="absolute_error", max_depth=2)
    assert tree.n_leaves == 4


# what cannot be


def test_it_needs_validation_rows():
    for validation in (None, HOLD_OUT.take(np.arange(0)), HOLD_OUT.with_weights(np.zeros(5))):
        with pytest.raises(tc.TreecoreError, match="alidation row"):
            tc.prune(grown(), "reptree", validation=validation)


def test_a_class_that_training_lacks_is_left_out():
    tree = grown()
    rows = words("aun bvp avq", "xzy", x="abc", z="uv", y="npq")
    cuts = tc.prune(tree, "reptree", validation=rows)
    assert cuts.added[0].tolist() == [1, 1]


@pytest.mark.parametrize("backfit", [True, False])
def test_medians_are_not_judged_by_squares(backfit):
    tree = tc.grow(numbers([1, 2, 3, 4], [1, 3, 7, 9.0]), criterion="absolute_error")
    with pytest.raises(tc.TreecoreError, match="squares"):
        tc.prune(tree, "reptree", validation=numbers([1, 2], [1, 2.5]), backfit=backfit)


def test_backfit_is_on_or_off():
    with pytest.raises(tc.TreecoreError, match="not possible"):
        tc.prune(grown(), "reptree", validation=HOLD_OUT, backfit=2)


def test_nothing_is_worse_than_no_answer():
    """No training row has c, and its leaf answers nothing: the branches cannot be better than the mean of all."""
    frame = pd.DataFrame({"x": list("aabb"), "y": [1, 2, 8, 9.0]})
    kinds = {"x": tc.Nominal(["a", "b", "c"]), "y": "numeric"}
    tree = tc.grow(tc.read_table(frame, target="y", kinds=kinds), "reptree", **SMALL, empty_leaf="none")
    assert tree.answer.tolist() == [0, 1, 2, -1]
    rows = tc.read_table(pd.DataFrame({"x": list("abbc"), "y": [1, 8, 9, 5.0]}), target="y", kinds=kinds)
    cuts = tc.prune(tree, "reptree", validation=rows)
    assert cuts.cut_nodes.tolist() == [0]
    assert (cuts.reasons[0].number, cuts.reasons[0].threshold) == (16 + 9 + 16, math.inf)
