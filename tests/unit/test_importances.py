"""Importance in three ways, columns of chance, and partial dependence against asking for every value."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.plots import feature_effects as plots
from treecore.recipe import Grow, Recipe
from treecore.study import MEASURES, importances, partial_dependence
from treecore.study.questions.importances import RANDOM_NUMBER, RANDOM_WORD, with_chance, with_column

ACCURACY = MEASURES["accuracy"]


def of(table: Table, preset: str = "cart", **settings):
    recipe = Recipe((Grow(preset, tuple(settings.items())),))
    train, judged = table.take(np.arange(0, table.n_rows, 2)), table.take(np.arange(1, table.n_rows, 2))
    tree = tc.grow(train, recipe)
    return importances(tree, recipe, train, judged, judged, ACCURACY if tree.classes else MEASURES["rmse"])


def twins() -> Table:
    """x decides, its double says the same, z nothing."""
    rng = np.random.RandomState(1)
    x = rng.random_sample(400)
    columns = [numeric_column(name, v) for name, v in (("x", x), ("double", 2 * x), ("z", rng.random_sample(400)))]
    target = level_column("y", "nominal", np.where(x > 0.5, "b", "a").tolist(), "ab")
    return Table((*columns, target), target="y", features=("x", "double", "z"))


def test_what_has_a_double_is_needed_by_the_tree_but_not_by_the_recipe():
    found = of(twins())
    assert found.score == pytest.approx(1, abs=0.02)
    assert found.gain.tolist() == [1, 0, 0]
    assert found.mixed[0] == pytest.approx(0.5, abs=0.1)
    assert found.mixed[1:].tolist() == [0, 0]
    assert found.without == pytest.approx([0, 0, 0])
    alone = of(twins().with_features(["x", "z"]))
    assert alone.without[0] == pytest.approx(0.5, abs=0.12)


def test_chance_gains_by_many_values():
    """A word of thirty that means nothing gains more than some real feature."""
    table = read_sample("titanic").without_missing_target()
    found = of(table)
    assert set(found.with_random) == {*found.names, RANDOM_NUMBER, RANDOM_WORD}
    assert sum(found.with_random.values()) == pytest.approx(1)
    assert found.with_random[RANDOM_WORD] > min(found.with_random.values())
    assert with_chance(table).fingerprint == with_chance(table).fingerprint


def test_numbers_have_importances_too():
    found = of(read_sample("mpg").without_missing_target())
    assert found.mixed.max() > 0
    table = twins()
    tree, nobody = tc.grow(table), table.take(np.empty(0, int))
    with pytest.raises(TreecoreError, match="no rows to judge"):
        importances(tree, Recipe((Grow("cart"),)), table, nobody, nobody, ACCURACY)


@pytest.mark.parametrize(
    ("sample", "name"), [("titanic", "fare"), ("titanic", "sex"), ("titanic", "pclass"), ("mpg", "weight")]
)
def test_partial_dependence_is_exact(sample, name):
    """In every piece all values get the same answers, and those of a piece are the tree's for rows changed by hand."""
    table = read_sample(sample).without_missing_target()
    tree = tc.grow(table, "cart", max_depth=5)
    found = partial_dependence(tree, table, name, most=40)
    rows = table.take(found.row)
    rng = np.random.RandomState(0)
    for i in range(len(found.mean)):
        if found.levels:
            labels = [found.levels[i]] * rows.n_rows
            changed = level_column(name, table.column(name).kind, labels, found.levels)
        else:
            low, high = found.edges[i : i + 2]
            changed = numeric_column(
                name, np.full(rows.n_rows, low + (high - low) * (0.01 + 0.98 * rng.random_sample()))
            )
        other = with_column(rows, changed)
        want = tree.predict_proba(other)[:, -1] if tree.classes else tree.predict(other)
        np.testing.assert_allclose(found.each[i], want)
        assert found.mean[i] == pytest.approx(want.mean())
    with pytest.raises(TreecoreError, match="no feature"):
        partial_dependence(tree, table, "nothing")


def test_pictures_have_every_bar():
    found = of(twins())
    for kind in ("gain", "mixed", "without", "chance"):
        drawn = plots.importances(found, kind, True).data[0]
        assert len(drawn.x) == (5 if kind == "chance" else 3)
        assert list(drawn.x) == sorted(drawn.x, reverse=True)
    table = read_sample("titanic").without_missing_target()
    curve = partial_dependence(tc.grow(table, max_depth=3), table, "fare")
    mean = plots.partial(curve, "survived", True).data[1]
    assert list(mean.y[::2]) == curve.mean.tolist()


def slanted():
    """A tree that asks for one weighted sum of x, in thousandths, and z; other stands beside."""
    rng = np.random.RandomState(3)
    x, z, other = rng.random_sample((3, 400))
    columns = [numeric_column(name, v) for name, v in (("x", 1000 * x), ("z", z), ("other", other))]
    target = level_column("y", "nominal", np.where(x + 0.5 * z > 0.8, "b", "a").tolist(), "ab")
    table = Table((*columns, target), target="y", features=("x", "z", "other"))
    recipe = Recipe((Grow("cart", (("max_depth", 1), ("oblique", "discriminant"))),))
    return tc.grow(table, recipe), recipe, table


def test_gains_of_a_sum_are_shared_by_what_its_terms_contribute():
    tree, recipe, table = slanted()
    found = importances(tree, recipe, table, table, table, ACCURACY)
    weights = dict(tree.schema.features[tree.splits.feature[0]].terms)
    spread = np.array([abs(weights[name]) * table.column(name).values().std() for name in ("x", "z")])
    assert found.names == ("x", "z", "other")
    assert found.gain == pytest.approx([*(spread / spread.sum()), 0])
    assert found.mixed[0] > found.mixed[1] > 0 == found.mixed[2]
    assert found.without[0] > 0.05
    assert sum(found.with_random.values()) == pytest.approx(1)


def test_partial_dependence_on_a_term_is_the_mean_answer_at_every_place():
    tree, _, table = slanted()
    found = partial_dependence(tree, table, "x", most=30)
    assert (found.exact, partial_dependence(tree, table, "other").exact) == (False, True)
    for i in (0, 30, 60, 99):
        middle = (found.edges[i] + found.edges[i + 1]) / 2
        rows = with_column(table.take(found.row), numeric_column("x", np.full(30, middle)))
        assert found.mean[i] == pytest.approx(tree.predict_proba(rows)[:, -1].mean())
    assert found.mean[0] < 0.1 < 0.9 < found.mean[-1]
    with pytest.raises(TreecoreError, match="no feature"):
        partial_dependence(tree, table, tree.schema.features[tree.splits.feature[0]].name)
