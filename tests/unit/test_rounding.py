"""What is 0 but for rounding is 0 wherever it is kept, shown or judged."""

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown
from treecore.data import level_column, numeric_column
from treecore.explaining.branch_statistics import branch_statistics
from treecore.rules.cover import LabelledRows
from treecore.study import metrics
from treecore.target.rounding import distances, settled

CASES = [("titanic", "misclassification"), ("iris", "misclassification"), ("titanic", "entropy"), ("iris", "gini"),
         ("mpg", "squared_error"), ("mpg", "absolute_error")]  # fmt: skip


def no_rounding(numbers, scale, share=1e-12) -> bool:
    numbers = np.asarray(numbers)
    return not ((numbers != 0) & (np.abs(numbers) <= share * scale)).any()


@pytest.mark.parametrize(("sample", "criterion"), CASES)
def test_gains_are_0_or_more_than_rounding(sample, criterion):
    tree, tables = grown(sample, criterion=criterion, zero_gain="split")
    train = tables["train"]
    inner = ~tree.is_leaf
    assert no_rounding(tree.gain[inner], tree.impurity[inner])
    assert (tree.gain[inner] >= 0).all()
    for node in np.flatnonzero(inner)[:12]:
        gains = [c.gain for c in tc.candidates(tree, int(node), train).ranked]
        assert no_rounding(gains, tree.impurity[node])
        assert no_rounding(branch_statistics(tree, int(node), train).gain(), tree.impurity[node])


def table_of(y) -> tc.Table:
    columns = numeric_column("x", np.arange(len(y), dtype=float)), numeric_column("y", np.asarray(y, float))
    return tc.Table(columns, target="y", features=("x",))


@pytest.mark.parametrize("shift", [0.0, 1e6, -3e8])
def test_a_tree_that_knows_every_row_has_an_error_of_0(shift):
    """Means are summed around the mean of all rows: 0.1 comes back as 0.1 + 1e-17."""
    train = table_of(np.random.default_rng(0).integers(0, 50, 300) / 10 + shift)
    tree = tc.grow(train)
    score = metrics.score(tree, train)
    assert score.error == score.rmse == score.mae == 0
    assert score.r2 == 1
    steps = tc.sequence(tree)
    assert steps.curve(train)[0] == 0
    assert steps.losses(train)[0][0].tolist() == [0, 0]
    rules = tc.rules(tree)
    judged = LabelledRows.of(tree, train)
    assert all(judged.figures(rule).error == 0 for rule in rules)


@pytest.mark.parametrize("method", ["merge_siblings", "rpart_cp"])
def test_numbers_that_decide_on_a_cut_are_0_or_more_than_rounding(method):
    """Merging leaves raised a rate by 1.9e-18, and branches that save nothing had a complexity of 1.3e-17."""
    for seed in range(20):
        r = np.random.default_rng(seed)
        y = level_column("y", "nominal", r.integers(0, 2, 60), ("p", "q"))
        columns = numeric_column("a", r.integers(0, 6, 60) * 0.1), numeric_column("c", r.normal(size=60).round(1)), y
        rows = tc.Table(columns, target="y", features=("a", "c"), weights=r.choice([0.1, 0.2, 0.7], 60))
        criterion = "misclassification" if method == "merge_siblings" else "gini"
        tree = tc.grow(rows, "cart", criterion=criterion, zero_gain="split", max_depth=5)
        numbers = [reason.number for reason in tc.prune(tree, method).reasons.values() if reason.number is not None]
        assert no_rounding(numbers, 1.0)


def test_real_differences_stay():
    assert distances(np.array([1.0, 1.0]), np.array([1.0 + 1e-12, 1.0])).tolist() == pytest.approx([1e-12, 0], rel=1e-3)
    assert settled(np.array([1e-13, 1e-15, np.nan, np.inf]), 1.0).tolist()[:2] == [1e-13, 0]
