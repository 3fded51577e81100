"""Regrown trees: as fits of the drawn rows; what of a tree returns in them, by hand and by a slow twin."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.experiments import grown_on, regrown, resampling, stability
from treecore.experiments.resampling import Regrown
from treecore.experiments.same_splits import Ruler
from treecore.recipe import Grow, Prepare, Prune, Recipe

CART = Recipe((Grow("cart", (("max_depth", 3),)),))
ONE_SE = (("choose", "cross-validation"), ("folds", 3), ("standard_errors", 1.0))


@pytest.mark.parametrize("recipe", [
    CART,
    Recipe((Grow("id3"),)),
    Recipe((Prepare("mean", bins="equal_frequency"), Grow("cart"))),
    Recipe((Grow("c4.5"), Prune("error_based"))),
], ids=["cart", "id3", "in bins", "c4.5"])  # fmt: skip
@pytest.mark.parametrize("sample", ["titanic", "iris"])
def test_a_tree_of_a_sample_is_a_fit_of_the_rows_as_drawn(recipe, sample):
    table = read_sample(sample).without_missing_target()
    found = regrown(table, recipe, 3, seed=4)
    for tree, times in zip(found.trees, found.times, strict=True):
        assert times.sum() == table.n_rows
        fit = tc.fit(table.take(np.repeat(np.arange(table.n_rows), times)), recipe).tree
        assert tree.predict(table).tolist() == fit.predict(table).tolist()
        assert tree.stats.tolist() == fit.stats.tolist()
        assert tree.splits.feature.tolist() == fit.splits.feature.tolist()


@pytest.mark.parametrize("recipe", [
    Recipe((Grow("hunt"),)), Recipe((Grow("sklearn"),)), Recipe((Grow("c4.5"), Prune("pessimistic"))),
    Recipe((Grow("cart", (("max_surrogates", 0), ("min_rows_leaf", 3))),)),
    Recipe((Grow("cart", (("max_surrogates", 0),)), Prune("critical_value"))),
    Recipe((Grow("cart", (("max_surrogates", 0),)), Prune("cost_complexity", (("alpha", 0.01),)))),
], ids=lambda recipe: recipe.steps[0].preset + recipe.steps[-1].text())  # fmt: skip
@pytest.mark.parametrize("sample", ["iris", "titanic", "play_tennis"])
def test_a_weight_of_k_is_k_rows_to_the_last_bit(recipe, sample):
    """However the library grows it, the tree is that of the rows as they were drawn."""
    table = read_sample(sample).without_missing_target()
    for times in regrown(table, recipe, 3, seed=1).times:
        drawn = table.take(np.repeat(np.arange(table.n_rows), times))
        assert grown_on(table, recipe, times).to_dict() == tc.fit(drawn, recipe).tree.to_dict()


def test_classes_are_grown_by_weights(monkeypatch):
    """So that the test above compares two ways; a sample of one class is a lone root all the same."""
    seen = []
    make = resampling.grown_by_weights
    monkeypatch.setattr(resampling, "grown_by_weights", lambda *given: seen.append(given[1]) or make(*given))
    iris, curve = (read_sample(name) for name in ("iris", "curve"))
    regrown(iris, Recipe((Grow("hunt"),)), 2)
    assert len(seen) == 2
    regrown(curve, Recipe((Grow("cart"),)), 2)
    only = np.zeros(iris.n_rows, np.uint8)
    only[:10] = 3
    lone = grown_on(iris, Recipe((Grow("hunt"),)), only)
    assert len(seen) == 2
    assert (lone.n_nodes, lone.n_rows[0]) == (1, 30)


def test_weights_stand_for_rows_where_folds_choose_the_size():
    table = read_sample("titanic").without_missing_target()
    times = regrown(table, CART, 2).times[0]
    tree = grown_on(table, Recipe((Grow("cart"), Prune("cost_complexity", ONE_SE))), times)
    assert tree.stats[0].sum() == table.n_rows
    watching = grown_on(table, Recipe((Grow("cart"), Prune("reduced_error"))), times)
    assert 0 < watching.stats[0].sum() < table.n_rows


def test_one_row_is_left_out_at_a_time():
    table = read_sample("play_tennis")
    found = regrown(table, Recipe((Grow("id3"),)), 100, "leave one out")
    assert len(found.trees) == table.n_rows
    assert (found.times.sum(axis=1) == table.n_rows - 1).all()
    assert (found.times.sum(axis=0) == table.n_rows - 1).all()


def two_stumps() -> tuple[Table, tc.Tree, Regrown]:
    """x = 0 to 9, cut at 4.5 in all rows; another sample cuts at 4.5, too, a third at 6.5."""
    x = np.arange(10.0)
    table = lambda y: Table(  # noqa: E731
        (numeric_column("x", x), level_column("y", "nominal", list(y), "ab")), target="y", features=("x",)
    )
    trees = [tc.grow(table(y), "cart", max_depth=1) for y in ("aaaaabbbbb", "aaaaabbbbb", "aaaaaaabbb")]
    return table("aaaaabbbbb"), trees[0], Regrown(table("aaaaabbbbb"), tuple(trees[1:]), np.ones((2, 10), np.uint8))


def test_what_returns_by_hand():
    """4.5 and 6.5 have two of ten rows between them."""
    _, tree, found = two_stumps()
    of = stability(tree, found)
    assert of.returns[0] == of.same_depth[0] == 0.5
    assert stability(tree, found, 0.2).returns[0] == 1
    assert of.changed.tolist() == [0, 0.2]
    assert of.row_changed.tolist() == [0] * 5 + [0.5] * 2 + [0] * 3
    assert of.apart.tolist() == [[0, 0.2], [0.2, 0]]
    assert of.holds.tolist() == [0.9, 1, pytest.approx(0.8)]
    assert of.used.tolist() == of.at_root.tolist() == [1]
    assert of.usual_depth[0] == 0
    assert of.representative == 0


def test_the_same_tree_returns_whole():
    for sample, preset in (("titanic", "cart"), ("play_tennis", "id3"), ("mpg", "cart")):
        table = read_sample(sample).without_missing_target()
        tree = tc.grow(table, preset)
        of = stability(tree, Regrown(table, (tree, tree), np.ones((2, table.n_rows), np.uint8)), 0)
        assert np.nanmin(of.returns) == np.nanmin(of.same_depth) == 1
        assert of.changed.tolist() == [0, 0]
        assert np.nanmin(of.holds) == 1


@pytest.mark.parametrize(("sample", "preset"), [("titanic", "cart"), ("titanic", "c4.5"), ("penguins", "chaid")])
def test_returns_by_a_slow_twin(sample, preset):
    table = read_sample(sample).without_missing_target()
    found = regrown(table, Recipe((Grow(preset, (("max_depth", 4),)),)), 5)
    tree, ruler = tc.grow(table, preset, max_depth=4), Ruler(table)
    of = stability(tree, found, 0.1)
    for node in np.flatnonzero(~tree.is_leaf):
        depths = [
            [t.node_depth[b] for b in np.flatnonzero(~t.is_leaf) if ruler.apart(tree, node, t, b) <= 0.1 + 1e-12]
            for t in found.trees
        ]
        assert of.returns[node] == sum(map(bool, depths)) / 5
        assert of.same_depth[node] == sum(tree.node_depth[node] in d for d in depths) / 5
        if any(depths):
            assert of.usual_depth[node] == np.median([min(d) for d in depths if d])


def test_bad_input_is_named():
    table, tree, found = two_stumps()
    with pytest.raises(TreecoreError, match="is no share"):
        stability(tree, found, 2)
    with pytest.raises(TreecoreError, match="vary by nothing"):
        regrown(table, CART, 1)
    with pytest.raises(TreecoreError, match="no way"):
        regrown(table, CART, 5, "jackknife")
    with pytest.raises(TreecoreError, match="other features"):
        stability(tc.grow(read_sample("iris")), found)
