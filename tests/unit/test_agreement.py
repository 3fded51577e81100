"""Rows and regions on which two trees disagree, recounted."""

from dataclasses import replace
from math import comb, nan

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown, small_table, stump
from tests.unit.test_evaluation_regions import frame_of
from treecore.data import level_column, numeric_column
from treecore.plots.disagreement_map import disagreement_map
from treecore.study import default_fixed, plot_ranges
from treecore.study.disagreement import disagreement, places_of, weight_inside
from treecore.study.metrics import FIRST, NEITHER, SECOND, agreement, changed_rows, compare_predictions, mcnemar


def test_counts_by_hand():
    """A says no below 2, else yes; B always says what its root says, yes."""
    rows = small_table(["no", "no", "yes", None, "yes"], [0, 1, 0, 1, 9], weights=[1, 2, 4, 8, 16])
    one, other = stump(), stump().pruned_at(np.array([True, False, False]))
    found = agreement(one, other, rows)
    assert (found.differ.tolist(), found.gained.tolist(), found.lost.tolist()) == ([0, 1, 2, 3], [2], [0, 1])
    assert (found.differ_weight, found.gained_weight, found.lost_weight) == (15.0, 4.0, 3.0)
    assert found.difference == pytest.approx(20 / 23 - 19 / 23)
    assert found.p == 1.0
    listed = changed_rows(one, other, rows, found)
    assert listed.row.tolist() == [0, 1, 2, 3]
    assert listed.truth.tolist() == ["no", "no", "yes", None]
    assert listed.answer_a.tolist() == ["no"] * 4
    assert listed.answer_b.tolist() == ["yes"] * 4
    assert listed.right.tolist() == [FIRST, FIRST, SECOND, NEITHER]
    assert listed.values["x"].tolist() == [0, 1, 0, 1]


def test_mcnemar_is_the_exact_binomial():
    """10 against 2: 2 · (1 + 12 + 66) / 4096, the textbook's sum."""
    assert mcnemar(10, 2) == pytest.approx(2 * (1 + 12 + 66) / 4096)
    assert mcnemar(2, 10) == mcnemar(10, 2)
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 0) == 1.0
    for gained in range(8):
        for lost in range(8):
            n, k = gained + lost, min(gained, lost)
            exact = min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)
            assert mcnemar(gained, lost) == pytest.approx(exact)


@pytest.mark.parametrize(("name", "presets"), [("titanic", ("cart", "c4.5")), ("iris", ("cart", "sklearn"))])
def test_rows_are_recounted(name, presets):
    (one, tables), (other, _) = (grown(name, preset, max_depth=2 + 3 * i) for i, preset in enumerate(presets))
    table = tables["train"]
    found, truth = agreement(one, other, table), table.target_column.labels()
    a, b = one.predict(table), other.predict(table)
    assert len(found.differ) > 0
    assert found.differ.tolist() == np.flatnonzero(a != b).tolist()
    assert found.gained.tolist() == np.flatnonzero((a != truth) & (b == truth)).tolist()
    assert found.lost.tolist() == np.flatnonzero((a == truth) & (b != truth)).tolist()
    assert found.difference == pytest.approx((b == truth).mean() - (a == truth).mean())
    assert found.p == mcnemar(len(found.gained), len(found.lost))
    listed = changed_rows(one, other, table, found)
    assert listed.row.tolist() == table.row_numbers[found.differ].tolist()
    assert listed.answer_a.tolist() == a[found.differ].tolist()
    assert listed.answer_b.tolist() == b[found.differ].tolist()
    assert list(listed.values) == list(table.features)


def test_numbers_tell_the_change_of_error():
    (one, tables), (other, _) = grown("mpg", max_depth=2), grown("mpg", max_depth=5)
    table = tables["test"]
    y, a, b = table.target_column.values(), one.predict(table), other.predict(table)
    found = agreement(one, other, table)
    assert found.p is None
    assert found.gained.tolist() == [i for i in range(len(y)) if a[i] != b[i] and abs(b[i] - y[i]) < abs(a[i] - y[i])]
    assert found.difference == pytest.approx(np.sqrt(np.mean((b - y) ** 2)) - np.sqrt(np.mean((a - y) ** 2)))
    listed = changed_rows(one, other, table, found)
    assert listed.truth.tolist() == y[found.differ].tolist()
    assert listed.answer_b.tolist() == b[found.differ].tolist()


def test_no_rows_and_other_targets():
    tree, tables = grown("iris", max_depth=2)
    empty = agreement(tree, tree.pruned_at(np.ones(tree.n_nodes, bool)), tables["test"].take(np.array([], int)))
    assert (len(empty.differ), empty.p) == (0, 1.0)
    with pytest.raises(tc.TreecoreError, match="'class' and 'survived'"):
        agreement(tree, grown("titanic")[0], tables["test"])


# regions

PLANES = [
    ("iris", ("cart", "sklearn"), ("petallength", "petalwidth")),
    ("titanic", ("cart", "rpart"), ("age", "fare")),
    ("titanic", ("cart", "id3"), ("age", "sex")),
    ("titanic", ("id3", "cart"), ("embarked", "pclass")),
    ("mpg", ("cart", "rpart"), ("weight", "horsepower")),
]


@pytest.mark.parametrize(("name", "presets", "features"), PLANES)
def test_a_point_is_covered_exactly_where_the_answers_differ(name, presets, features):
    (one, tables), (other, _) = (grown(name, preset, max_depth=1 + 4 * i) for i, preset in enumerate(presets))
    fixed = default_fixed(one, tables["train"])
    found = disagreement(one, other, features, fixed, plot_ranges(features, *tables.values()))
    rng = np.random.default_rng(0)
    values = [
        rng.uniform(axis.low, axis.high, 1500) if axis.kind == "numeric" else rng.integers(0, len(axis.levels), 1500)
        for axis in (found.x, found.y)
    ]
    frame = frame_of(one, found, fixed, *values)
    differ = np.asarray(one.predict(frame) != other.predict(frame), bool)
    assert differ.any()
    assert found.covers(*(np.asarray(v, float) for v in values)).tolist() == differ.tolist()
    area = ((found.x1 - found.x0) * (found.y1 - found.y0)).sum()
    assert found.share == pytest.approx(area / ((found.x.high - found.x.low) * (found.y.high - found.y.low)))
    for i in range(len(found)):
        assert found.value_a[i] == one.value[found.node_a[i]] != found.value_b[i] == other.value[found.node_b[i]]


def test_shares_by_hand():
    """A parts x at 2, B at 3: between the two they disagree; 1 of 4 of the range, 2 of 5 rows of weight."""
    one = stump()
    cut = np.where(one.is_leaf, nan, 3.0)
    other = replace(one, splits=replace(one.splits, threshold=cut))
    found = disagreement(one, other, ("x",), {}, {"x": (0.0, 4.0)})
    assert (found.x0.tolist(), found.x1.tolist(), found.y) == ([2.0], [3.0], None)
    assert found.share == pytest.approx(0.25)
    assert (found.value_a.tolist(), found.value_b.tolist()) == ([1], [0])
    rows = small_table(["no", "yes", "no", "no"], [2, 3, 2.5, nan], weights=[1, 2, 1, 1])
    assert weight_inside(found, one, rows) == (2, pytest.approx(0.4))
    assert len(disagreement(one, one, ("x",), {}, {"x": (0.0, 4.0)})) == 0


def test_thresholds_apart_by_rounding_make_no_region():
    one = stump()
    cut = np.where(one.is_leaf, nan, np.nextafter(2.0, 3.0))
    other = replace(one, splits=replace(one.splits, threshold=cut))
    assert len(disagreement(one, other, ("x",), {}, {"x": (0.0, 4.0)})) == 0


def test_one_feature_on_both_axes_and_other_levels_are_refused():
    tree, tables = grown("titanic", max_depth=2)
    fixed = default_fixed(tree, tables["train"])
    with pytest.raises(tc.TreecoreError, match="same feature"):
        disagreement(tree, tree, ("age", "age"), fixed)
    features = tuple(replace(f, levels=f.levels[::-1]) for f in tree.schema.features)
    other = replace(tree, schema=replace(tree.schema, features=features))
    with pytest.raises(tc.TreecoreError, match="different values"):
        disagreement(tree, other, ("age", "sex"), fixed)


# the picture


def test_the_picture_hatches_each_pair_of_answers_in_both_colours():
    (one, tables), (other, _) = grown("iris", max_depth=1), grown("iris", max_depth=4)
    fixed = default_fixed(one, tables["train"])
    found = disagreement(one, other, ("petallength", "petalwidth"), fixed)
    figure = disagreement_map(found, ("old", "<b>new"))
    *areas, middles = figure.data
    pairs = {(one.classes[a], one.classes[b]) for a, b in zip(found.value_a, found.value_b, strict=True)}
    assert {area.name for area in areas} == {f"old: {a}, &lt;b&gt;new: {b}" for a, b in pairs}
    assert len({area.fillpattern.shape for area in areas}) == len(areas), "told apart without colour"
    assert all(area.fillpattern.fgcolor != area.fillpattern.bgcolor for area in areas)
    assert sum(np.isnan(area.x).sum() for area in areas) == len(found), "a closed line around each"
    assert middles.customdata.tolist() == np.stack([found.node_a, found.node_b], axis=1)[np.argsort(
        -(found.x1 - found.x0) * (found.y1 - found.y0), kind="stable")].tolist()  # fmt: skip


def test_rows_are_marked_by_who_is_right():
    (one, tables), (other, _) = grown("iris", max_depth=1), grown("iris", max_depth=4)
    found = disagreement(one, other, ("petallength", "petalwidth"), default_fixed(one, tables["train"]))
    places = places_of(found, one, tables["train"])
    assert found.covers(*places).sum() == weight_inside(found, one, tables["train"])[0]
    figure = disagreement_map(
        found, rows={"A <b>": [along[:3] for along in places], "B": [along[3:4] for along in places]}
    )
    first, second = figure.data[-2:]
    assert (first.name, len(first.x), second.name, list(second.y)) == ("A &lt;b&gt;", 3, "B", places[1][3:4].tolist())
    assert first.marker.symbol != second.marker.symbol


def test_numbers_are_parted_by_more_and_less():
    (one, tables), (other, _) = grown("mpg", max_depth=1), grown("mpg", max_depth=6)
    found = disagreement(one, other, ("weight", "model_year"), default_fixed(one, tables["train"]))
    figure = disagreement_map(found)
    assert {area.name for area in figure.data[:-1]} == {"B answers more", "B answers less"}
    assert len({area.fillpattern.shape for area in figure.data[:-1]}) == 2


def test_hostile_names_in_a_picture_of_one_feature():
    nasty = '<a href="http://e">%{x} $\\alpha$</a>'
    columns = (numeric_column(nasty, np.arange(6.0)),
               level_column("y", "nominal", np.array(list("aabbba"), object), ("a", "b")))  # fmt: skip
    table = tc.Table(columns, target="y", features=(nasty,))
    one, other = tc.grow(table, "cart", max_depth=1), tc.grow(table, "cart")
    figure = disagreement_map(disagreement(one, other, (nasty,), {}), (nasty, "B"))
    told = figure.to_json()
    assert "<a href" not in told
    assert "%{x}" not in told


def test_means_summed_in_another_order_are_the_same_answer():
    x = np.arange(12) % 4.0
    y = np.array([0.1, 0.2, 0.3, 0.7, 0.4, 0.15, 0.9, 0.8, 0.35, 0.6, 0.55, 0.05])
    table = tc.Table((numeric_column("x", x), numeric_column("y", y)), target="y", features=("x",))
    order = np.random.default_rng(1).permutation(12)
    found = compare_predictions(tc.grow(table), tc.grow(table.take(order)), table)
    assert [len(rows) for rows in (found.differ, found.gained, found.lost)] == [0, 0, 0]


def test_a_number_is_nearer_than_no_answer():
    levels = level_column("f", "nominal", [0, 0, 1, 1], ("a", "b", "c"))
    y = numeric_column("y", np.array([1.0, 2.0, 5.0, 6.0]))
    train = tc.Table((levels, y), target="y", features=("f",))
    silent, whole = (tc.grow(train, tc.GrowSettings(nominal="multiway", empty_leaf=e)) for e in ("none", "parent"))
    new = tc.Table((level_column("f", "nominal", [2, 0], ("a", "b", "c")), numeric_column("y", np.array([3.0, 1.0]))),
                   target="y", features=("f",))  # fmt: skip
    found = compare_predictions(silent, whole, new)
    assert (found.differ.tolist(), found.gained.tolist(), found.lost.tolist()) == ([0], [0], [])
    assert compare_predictions(silent, silent, new).differ.tolist() == []
