"""The split landscape: the same gains as the candidates', every cut, any measure; and its picture."""

import json
import re

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from tests.unit.test_evaluation_metrics import grown
from tests.unit.test_plots_words import OURS, hostile_table, strings_of
from treecore.criteria import criteria_for
from treecore.data import level_column, numeric_column
from treecore.growing.inspect.landscape import NEAR, Bars, Curve, landscape
from treecore.plots import split_landscape
from treecore.plots.split_landscape import MOST, height

# 1 2 | 3 4 5 6 by x0: classes 0 0 | 1 1 0 1; x1 = a a a a b c
SAMPLE = Sample(["numeric", "nominal"], [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 1, 2]], [0, 3], [0, 0, 1, 1, 0, 1], 2)


def test_every_cut_has_its_gain_by_hand():
    """Gini of 3 | 3 is 1/2; behind the second row 0 and 3/8 remain: 1/2 - 4/6 * 3/8 = 1/4."""
    table = SAMPLE.table()
    found = landscape(tc.grow(table), 0, table)
    curve = next(p for p in found.parts if isinstance(p, Curve))
    assert curve.threshold.tolist() == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert curve.gain == pytest.approx([1 / 10, 1 / 4, 1 / 18, 0, 1 / 10], abs=1e-15)
    assert curve.n_low.tolist() == [1, 2, 3, 4, 5]
    assert (curve.n_low + curve.n_high).tolist() == [6] * 5
    assert curve.share == pytest.approx(np.arange(1, 6) / 6)
    assert (found.winner(), found.best, found.impurity, found.n_rows) == ("x0", 0.25, 0.5, 6)
    assert found.won(curve).tolist() == found.near(curve).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize(("sample", "preset"), [("titanic", "cart"), ("iris", "cart"), ("mpg", "cart")])
def test_its_best_cuts_are_the_candidates(sample, preset):
    """Missing values, ordinal features and inner nodes included."""
    tree, tables = grown(sample, preset, max_depth=4)
    for node in (0, 1, 2):
        found, table = landscape(tree, node, tables["train"]), tables["train"]
        best = {c.feature: c for c in tc.candidates(tree, node, table).per_feature()}
        gains = {f: c.gain for f, c in best.items()}
        assert {p.feature: p.best for p in found.parts} == pytest.approx(gains, abs=1e-12)
        for part in found.parts:
            if isinstance(part, Curve):
                assert best[part.feature].threshold in part.threshold
                assert found.candidate(part.feature, best[part.feature].threshold).n_rows == best[part.feature].n_rows
            else:
                assert part.groupings[0].groups == best[part.feature].groups


def test_every_measure_of_the_task_can_judge_and_no_other():
    for sample, task in (("titanic", "classification"), ("mpg", "regression")):
        tree, tables = grown(sample, max_depth=2)
        for criterion in criteria_for(task, len(tree.classes)):
            if criterion.parameter:  # only its own trees know it
                with pytest.raises(tc.TreecoreError, match="cannot judge"):
                    landscape(tree, 0, tables["train"], criterion.name)
                continue
            other = tc.grow(tables["train"], criterion=criterion.name, max_depth=1)
            found = landscape(tree, 0, tables["train"], criterion.name)
            assert found.measure == criterion.name
            assert found.best == pytest.approx(float(other.gain[0]), rel=1e-9)
            assert found.winner() == other.node(0).feature
    with pytest.raises(tc.TreecoreError, match="cannot judge"):
        landscape(tree, 0, tables["train"], "gini")


def test_near_ties_are_those_within_one_percent():
    tree, tables = grown("iris")
    found = landscape(tree, 0, tables["train"])
    near = [g for p in found.parts for g in p.gain[found.near(p)]]
    assert len(near) >= 2, "petal length and petal width part Setosa off alike"
    assert min(near) >= NEAR * found.best
    assert sum(len(p.gain) for p in found.parts) > len(near)


def test_limits_apply_and_a_node_without_a_split_has_no_parts():
    table = SAMPLE.table()
    few = landscape(tc.grow(table, min_rows_leaf=3), 0, table)
    assert [(p.feature, len(p.gain)) for p in few.parts] == [("x0", 1)]
    tree = tc.grow(table)
    pure = int(np.flatnonzero(tree.is_leaf & (tree.n_rows == 1))[0])
    none = landscape(tree, pure, table)
    assert (none.parts, none.winner()) == ((), None)
    with pytest.raises(tc.TreecoreError, match="No such split"):
        none.candidate("x0", 2.0)


def test_thinning_keeps_the_best_the_worst_and_the_ends():
    rng = np.random.default_rng(0)
    columns = numeric_column("x", rng.normal(size=5000)), numeric_column("y", rng.normal(size=5000))
    table = tc.Table(columns, target="y", features=("x",))
    whole = landscape(tc.grow(table, max_depth=1), 0, table)
    thin = whole.thinned(100)
    assert 50 <= len(thin.parts[0].gain) <= 102
    assert thin.best == whole.best
    assert thin.parts[0].gain.min() == whole.parts[0].gain.min()
    assert thin.parts[0].threshold[[0, -1]].tolist() == whole.parts[0].threshold[[0, -1]].tolist()
    assert (np.diff(thin.parts[0].threshold) > 0).all()


def test_the_root_of_a_large_table_has_every_cut():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 100_000))
    target = level_column("y", "nominal", (x[0] + rng.normal(size=100_000) > 0).astype(int), ("a", "b"))
    columns = [numeric_column(f"x{i}", v) for i, v in enumerate(x)]
    table = tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))
    tree = tc.grow(table, max_depth=1)
    found = landscape(tree, 0, table, "entropy")
    assert sum(len(p.gain) for p in found.parts) == 5 * 99_999


@pytest.mark.parametrize("ranks", [False, True])
def test_the_picture_has_every_feature_and_marks_the_winner(ranks):
    tree, tables = grown("titanic", max_depth=3)
    found = landscape(tree, 2, tables["train"])
    figure = split_landscape(found, ranks)
    assert [re.search("<b>(.*)</b>", a.text)[1] for a in figure.layout.annotations] == [p.feature for p in found.parts]
    stars = [t for t in figure.data if t.marker.to_plotly_json().get("symbol") == "star" and t.x[0] is not None]
    assert [float(t.y[0]) for t in stars] == [found.best]
    told = {int(t.customdata[0][0]) for t in figure.data if t.customdata is not None}
    assert told == set(range(len(found.parts)))
    assert height(found) > 300
    curve = next(i for i, p in enumerate(found.parts) if isinstance(p, Curve) and p.feature == "fare")
    line = next(t for t in figure.data if t.customdata is not None and t.customdata[0][0] == curve)
    assert (max(line.x) <= 1) == ranks


def test_many_features_are_drawn_only_so_far():
    rng = np.random.default_rng(0)
    columns = [numeric_column(f"x{i}", rng.normal(size=50)) for i in range(MOST + 4)]
    table = tc.Table(tuple(columns), target="x0", features=tuple(f"x{i}" for i in range(1, MOST + 4)))
    found = landscape(tc.grow(table), 0, table)
    assert len(found.parts) == MOST + 3
    assert len(split_landscape(found).layout.annotations) == MOST


@pytest.mark.parametrize("regression", [False, True])
def test_names_stay_literal(regression):
    table = hostile_table(regression)
    found = landscape(tc.grow(table, max_depth=2), 0, table)
    assert any(isinstance(p, Bars) for p in found.parts)
    data = json.loads(split_landscape(found.thinned(50)).update_layout(template="none").to_json())
    data["layout"].pop("template", None)
    for string in strings_of(data):
        bare = OURS.sub("", string)
        assert not re.search(r"[<$]|%\{x\}|&quot;", bare), string[:200]
