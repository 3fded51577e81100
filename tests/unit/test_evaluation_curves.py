"""The size curve in one pass against pruning and predicting every subtree for itself."""

import sys

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import ROLES, SAMPLES, grown, small_table
from treecore.data import Table, numeric_column
from treecore.study import curves, score, size_curve

FITS = [(name, preset) for name in SAMPLES for preset in ("cart", "id3") if (name, preset) != ("mpg", "id3")]


@pytest.mark.parametrize(("name", "preset"), FITS)
def test_every_step_equals_its_own_pruned_tree(name, preset):
    tree, tables = grown(name, preset)
    sequence = tc.sequence(tree)
    curve = size_curve(sequence, tables)
    assert len(curve) == len(sequence) > 2
    for k in range(len(curve)):
        subtree = tree.cut(sequence.cuts(k))
        assert curve.n_leaves[k] == subtree.n_leaves
        assert curve.n_nodes[k] == subtree.n_nodes
        assert curve.depth[k] == subtree.depth
        for role in ROLES:
            judged = score(subtree, tables[role])
            assert curve.error[role][k] == pytest.approx(judged.error, rel=1e-9, abs=1e-9)
            assert curve.baseline[role] == pytest.approx(judged.baseline, rel=1e-9)


def test_weighted_rows():
    tree, tables = grown("titanic")
    table = tables["test"]
    table = table.with_weights(np.linspace(0, 3, table.n_rows))
    sequence = tc.sequence(tree)
    curve = size_curve(sequence, {"test": table})
    for k in (0, len(curve) // 2, len(curve) - 1):
        assert curve.error["test"][k] == pytest.approx(score(tree.cut(sequence.cuts(k)), table).error)


def test_best_is_the_smallest_of_the_least_errors():
    tree, tables = grown("titanic")
    curve = size_curve(tc.sequence(tree), tables)
    for role in ROLES:
        error, best = curve.error[role], curve.best(role)
        assert error[best] == pytest.approx(error.min())
        assert all(error[k] > error.min() + 1e-12 for k in range(best + 1, len(curve)))


def test_roles_without_rows_have_no_curve_and_no_best():
    tree, tables = grown("iris")
    nobody = tables["test"].take(np.array([], int))
    curve = size_curve(tc.sequence(tree), {"train": tables["train"], "validation": nobody, "test": None})
    assert list(curve.error) == ["train", "validation"]
    assert np.isnan(curve.error["validation"]).all()
    assert np.isnan(curve.baseline["validation"])
    assert curve.best("validation") is None
    assert curve.best("test") is None


def test_a_lone_root_is_a_curve_of_one_step():
    table = small_table(["no", "no", "yes"], [1, 1, 1])
    curve = size_curve(tc.sequence(tc.grow(table, "cart")), {"train": table})
    assert (curve.n_leaves.tolist(), curve.n_nodes.tolist(), curve.depth.tolist()) == ([1], [1], [0])
    assert curve.error["train"].tolist() == pytest.approx([1 / 3])


def test_rows_are_routed_once_per_role_and_nothing_is_predicted(monkeypatch):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(20_000, 2))
    y = x[:, 0] + rng.normal(size=len(x))
    columns = [numeric_column("a", x[:, 0]), numeric_column("b", x[:, 1]), numeric_column("y", y)]
    table = Table(tuple(columns), target="y", features=("a", "b"))
    tree = tc.grow(table.take(np.arange(10_000)), "cart")
    assert tree.n_leaves > 9_000
    calls = []
    tally = curves.end_statistics
    monkeypatch.setattr(curves, "end_statistics", lambda *a: calls.append(a) or tally(*a))
    monkeypatch.setattr(
        sys.modules[tc.pruning.Sequence.__module__], "end_statistics", None
    )  # what would route once more
    monkeypatch.setattr(tc.Tree, "predict", None)
    monkeypatch.setattr(tc.Tree, "pruned_at", None)
    curve = size_curve(tc.sequence(tree), {"train": table.take(np.arange(10_000)), "test": table})
    assert len(calls) == 2
    assert curve.n_nodes.tolist() == (2 * curve.n_leaves - 1).tolist()
    assert curve.depth[0] == tree.depth
