"""Rows as points: which, where, what they are, and what is said of those left out."""

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import ROLES, grown, small_table, stump
from treecore.study import default_fixed, plane_points, plot_ranges, regions, step_points
from treecore.study.points import SPREAD, sampled


def plane(name, x, y, **settings):
    tree, tables = grown(name, **settings)
    ranges = plot_ranges([x, y], *tables.values())
    return tree, tables, regions(tree, x, y, default_fixed(tree, tables["train"]), ranges=ranges)


def test_every_row_is_drawn_where_it_is_with_what_it_is():
    tree, tables, found = plane("iris", "petallength", "petalwidth")
    points = plane_points(tree, found, tables)
    assert points.note == ""
    assert points.roles == ROLES
    for r, role in enumerate(ROLES):
        table, here = tables[role], points.role == r
        assert np.array_equal(points.x[here], table.column("petallength").values())
        assert np.array_equal(points.y[here], table.column("petalwidth").values())
        assert np.array_equal(points.row[here], table.row_numbers)
        assert np.array_equal(points.node[here], tree.apply(table))
        truth, answer = table.target_column.labels(), tree.predict(table)
        assert [tree.classes[k] for k in points.truth[here]] == truth.tolist()
        assert [tree.classes[k] for k in points.answer[here]] == answer.tolist()
        assert points.wrong[here].tolist() == [a != b for a, b in zip(truth, answer, strict=True)]


def test_rows_whose_other_features_lead_elsewhere_are_marked():
    tree, tables, found = plane("titanic", "age", "fare")
    points = plane_points(tree, found, tables)
    under = found.node[found.index_at(points.x, points.y)]
    assert np.array_equal(points.in_plane, under == points.node)
    assert 0 < points.in_plane.mean() < 1
    tree, tables, found = plane("crescents", "x1", "x2")
    assert plane_points(tree, found, tables).in_plane.all()


def test_rows_on_levels_are_spread_inside_their_band():
    tree, tables, found = plane("titanic", "pclass", "embarked")
    points = plane_points(tree, found, tables)
    level = np.rint(points.x)
    assert np.abs(points.x - level).max() <= SPREAD < 0.5
    numbers = np.concatenate([tables[role].row_numbers for role in ROLES])
    codes = np.concatenate([tables[role].column("pclass").values() for role in ROLES])
    assert dict(zip(points.row, level, strict=True)).items() <= dict(zip(numbers, codes, strict=True)).items()
    assert points.note == "2 rows without a value on an axis or a known target are not drawn"


def test_a_large_table_is_sampled_and_says_so():
    table = small_table(["no", "yes"] * 2000, np.arange(4000))
    nobody = table.take(np.array([], int))
    roles, parts, note = sampled({"train": table, "validation": nobody, "test": table.take([5]), "other": None}, 100, 0)
    assert roles == ("train", "validation", "test")
    assert sum(part.n_rows for part in parts) == 100
    assert note == "100 of 4,001 rows are drawn, chosen at random"
    assert len(set(parts[0].row_numbers)) == parts[0].n_rows
    again = sampled({"train": table, "validation": nobody, "test": table.take([5])}, 100, 0)[1]
    assert np.array_equal(again[0].row_numbers, parts[0].row_numbers)
    assert sampled({"train": table}, 4000, 0)[2] == ""


def test_only_the_sample_is_routed(monkeypatch):
    tree, tables, found = plane("titanic", "age", "fare")
    routed, apply = [], tc.Tree.apply
    monkeypatch.setattr(tc.Tree, "apply", lambda self, rows: routed.append(rows.n_rows) or apply(self, rows))
    points = plane_points(tree, found, tables, limit=50)
    assert sum(routed) == 50
    assert len(points) <= 50


def test_no_tables_no_points():
    tree, _, found = plane("iris", "petallength", "petalwidth")
    assert len(plane_points(tree, found, {})) == 0
    assert len(plane_points(tree, found, {"test": None})) == 0


def test_pruned_rows_belong_to_the_node_that_hides_theirs():
    tree, tables, _ = plane("crescents", "x1", "x2")
    cuts = tc.sequence(tree).cuts(5)
    small, ids = tree.cut(cuts), cuts.standing(tree)
    found = regions(small, "x1", "x2", {}, plot_ranges(["x1", "x2"], *tables.values()), ids)
    points = plane_points(small, found, tables, ids)
    assert points.in_plane.all()
    ends = [cuts.visible_ancestor(tree, node) for node in tree.apply(tables["train"]).tolist()]
    assert points.node[points.role == 0].tolist() == ends
    assert [small.classes[k] for k in points.answer[points.role == 0]] == small.predict(tables["train"]).tolist()


def test_points_of_a_step_function_are_feature_and_target():
    tree, tables = grown("mpg")
    points = step_points(tree, "horsepower", tables)
    table, here = tables["train"], points.role == 0
    known = ~table.column("horsepower").missing
    assert np.array_equal(points.x[here], table.column("horsepower").values()[known])
    assert np.array_equal(points.y[here], table.target_column.values()[known])
    assert points.answer[here] == pytest.approx(tree.predict(table)[known])
    assert points.note.startswith("6 rows without a value")
    assert not points.wrong.any()


def test_a_class_the_tree_does_not_know_is_not_drawn():
    rows = small_table(["no", "new", None], [1, 1, 1], levels=("no", "yes", "new"))
    assert len(sampled({"test": rows}, 10, 0)[1]) == 1
    from treecore.tree.node_statistics import true_labels

    assert true_labels(stump(), rows).tolist() == [0, -1, -1]
