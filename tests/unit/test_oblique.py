"""Oblique splits: kept, told, routed, grown; refused where a single feature is taken for granted."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data.combine import terms_text, weighted_sum, with_sums
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.evaluation.shapley import shapley
from treecore.experiments.partial import partial
from treecore.export.portable import Portable
from treecore.oblique import DIRECTIONS, grow_oblique
from treecore.oblique.cases import Cases
from treecore.oblique.directions import discriminants
from treecore.oblique.exhaustive import all_best, n_hyperplanes
from treecore.oblique.terms import without_small
from treecore.rules.describe import describe
from treecore.tree.oblique import oblique_nodes

SUM = (("x", 1.0), ("z", -2.5))


def frame_of(n=200, seed=0, noise=0.0):
    rng = np.random.default_rng(seed)
    x, z, other = rng.uniform(0, 100, n), rng.uniform(0, 40, n), rng.uniform(0, 1, n)
    y = (x - 2.5 * z > 0) != (rng.uniform(size=n) < noise)
    return pd.DataFrame({"x": x, "z": z, "other": other, "y": np.where(y, "in", "out")})


def line_tree(frame, **settings):
    return tc.grow(with_sums(tc.read_table(frame, target="y"), [SUM]), "cart", **settings)


def test_a_sum_is_written_in_the_users_units():
    assert terms_text((("a", -1.0), ("b", 0.5), ("c", 1.0))) == "−a + 0.5·b + c"
    assert with_sums(tc.read_table(frame_of(9), target="y"), [SUM, SUM]).features[-1] == "x − 2.5·z"


def test_rows_without_the_sum_are_sent_the_same_way():
    frame = frame_of()
    tree, matrix = line_tree(frame), frame[["x", "z", "other"]].to_numpy()
    assert (tree.n_leaves, tree.node(0).feature) == (2, "x − 2.5·z")
    for rows in (frame, matrix, tc.read_table(frame, target="y")):
        assert (tree.predict(rows) == frame["y"]).all()


def test_a_missing_term_leaves_no_sum_and_the_way_with_missing_values_decides():
    frame = frame_of()
    assert np.isnan(weighted_sum(np.array([[1.0], [np.nan]]), [1.0, 2.0])).all()
    incomplete = pd.DataFrame({"x": [None, 95.0, None], "z": [39.0, None, 1.0], "other": [0.0, 0.0, 0.0]})
    tree = line_tree(frame, missing="majority")
    larger = tree.children(0)[int(tree.weight[2] > tree.weight[1])]
    assert tree.apply(incomplete).tolist() == [larger] * 3
    assert line_tree(frame, missing="surrogates").predict(incomplete).tolist() == ["out", "in", "in"]


def test_json_keeps_the_weights_and_refuses_wrong_ones():
    frame = frame_of()
    tree = line_tree(frame)
    data = json.loads(tc.export(tree, "json"))
    assert tc.Tree.from_dict(data).schema == tree.schema
    assert (tc.Tree.from_dict(data).predict(frame) == frame["y"]).all()
    for terms in ([["x", 0.0], ["z", 1.0]], [["nobody", 1.0]], [["x", 1.0], ["x", 2.0]], [["x", True]], [[["x"], 1.0]]):
        data["schema"]["features"][-1]["terms"] = terms
        with pytest.raises(TreecoreError, match="x − "):
            tc.Tree.from_dict(data)


def test_candidates_landscape_and_rules_know_the_sum():
    frame = frame_of()
    tree, table = line_tree(frame), tc.read_table(frame, target="y")
    best = tc.candidates(tree, 0, table).ranked[0]
    assert (best.feature, best.gain) == ("x − 2.5·z", pytest.approx(tree.gain[0]))
    assert all("x − 2.5·z" in rule.text for rule in tc.rules(tree))
    assert "x − 2.5·z" in tc.export(tree, "dot")


@pytest.mark.parametrize("name", ["python", "sql", "javascript", "excel", "pmml", "onnx", "html"])
def test_a_format_that_cannot_say_it_refuses_and_names_the_node(name):
    with pytest.raises(TreecoreError, match="Node 0"):
        tc.export(line_tree(frame_of()), name)


def test_what_is_of_single_features_refuses_and_names_the_node():
    frame = frame_of()
    tree, table = line_tree(frame), tc.read_table(frame, target="y")
    for asked in (
        lambda: Portable(tree), lambda: shapley(tree, table), lambda: partial(tree, table, "x"), lambda: describe(tree),
    ):  # fmt: skip
        with pytest.raises(TreecoreError, match="Node 0"):
            asked()


@pytest.mark.parametrize("directions", [name for name in DIRECTIONS if name != "exhaustive"])
def test_a_slanted_line_takes_fewer_leaves_and_errs_less(directions):
    train, test = (tc.read_table(frame_of(600, seed, 0.03), target="y") for seed in (1, 2))
    straight = tc.grow(train, "cart", min_rows_leaf=10)
    tree = grow_oblique(train, "cart", directions, min_rows_leaf=10)
    assert tree.node(0).feature.startswith("x − 2.")
    assert tree.n_leaves < straight.n_leaves
    right = [np.mean(t.predict(test) == test.target_column.labels()) for t in (straight, tree)]
    assert right[1] > right[0] + 0.01


def test_the_sample_with_a_slanted_line_needs_one():
    table = read_sample("oblique")
    tree = grow_oblique(table, "cart", "climb")
    assert tree.n_leaves <= 3 < tc.grow(table, "cart").n_leaves
    assert [f.name for f in tree.schema.features if not f.terms] == list(table.features)
    assert len(oblique_nodes(tree)) == sum(bool(f.terms) for f in tree.schema.features) == 1


def test_single_features_are_preferred_where_they_do():
    frame = frame_of(300)
    frame["y"] = np.where(frame["x"] > 40, "a", "b")
    table = tc.read_table(frame, target="y")
    assert len(oblique_nodes(grow_oblique(table, "cart", "climb"))) == 0


def test_a_price_out_of_reach_leaves_the_tree_as_it_is():
    table = tc.read_table(frame_of(150, noise=0.05), target="y")
    assert grow_oblique(table, price=1e6).to_dict() == tc.grow(table, "cart").to_dict()


def test_numbers_are_learned_too():
    frame = frame_of(300)
    frame["y"] = np.where(frame["y"] == "in", 10.0, 2.0)
    tree = grow_oblique(tc.read_table(frame, target="y", kinds={"y": "numeric"}), "cart", "ridge", max_depth=1)
    assert tree.node(0).feature.startswith("x − 2.")


def test_what_cannot_be_is_said():
    words = pd.DataFrame({"a": list("xyxyxy"), "b": range(6), "y": list("ppqqpq")})
    with pytest.raises(TreecoreError, match="fewer than two numeric"):
        grow_oblique(tc.read_table(words, target="y"))
    table = tc.read_table(frame_of(80, noise=0.1), target="y")
    with pytest.raises(TreecoreError, match="hyperplanes"):
        grow_oblique(tc.read_table(frame_of(400), target="y"), directions="exhaustive")
    with pytest.raises(TreecoreError, match="price"):
        grow_oblique(table, price=-1)


def naive_least_bits(cases):
    """Over every way of drawing a line between the rows: each pair's line, turned a little either way, and moved."""
    n, best = len(cases.x), np.inf
    for a, b in itertools.combinations(range(n), 2):
        across = cases.x[b] - cases.x[a]
        normal = np.array([-across[1], across[0]])
        for turn in (-1e-5, 1e-5):
            w = normal + turn * across
            place = cases.x @ w
            for t in np.unique(place):
                low = place <= t
                if 0 < low.sum() < n:
                    bits = sum(
                        -sum(np.log2(c / side.sum()) * c for c in np.bincount(cases.target[side]) if c)
                        for side in (low, ~low)
                    )
                    best = min(best, bits)
    return best


@given(st.integers(0, 10_000), st.integers(3, 9), st.integers(2, 3))
@settings(max_examples=25, deadline=None)
def test_every_hyperplane_is_tried(seed, n, k):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, k, n)
    cases = Cases(rng.standard_normal((n, 2)), target, np.ones(n), k)
    found = all_best(cases)
    assert cases.cut_bits(cases.x @ found[0]) == pytest.approx(naive_least_bits(cases), abs=1e-6)
    for way in ("climb", "ridge", "discriminant", "logistic"):
        others = DIRECTIONS[way].find(cases, rng)
        assert (
            min((cases.cut_bits(cases.x @ w) for w in others), default=np.inf)
            >= cases.cut_bits(cases.x @ found[0]) - 1e-6
        )


def test_the_count_of_hyperplanes():
    assert n_hyperplanes(10, 2) == 4 * 45


def test_small_coefficients_go_and_others_stay():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((400, 4))
    cases = Cases(x, (x[:, 0] + x[:, 2] > 0).astype(int), np.ones(400), 2)
    w, bits = without_small(cases, discriminants(cases)[0], price=1.0)
    assert np.flatnonzero(w).tolist() == [0, 2]
    assert bits <= cases.cut_bits(x @ discriminants(cases)[0]) + 2 * cases.coefficient_bits
