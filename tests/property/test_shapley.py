"""Shapley values against their definition, the sum over all sets of features (shap's own: tests/explainers.py)."""

import itertools
from math import factorial

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.study.shapley import shapley
from treecore.tree.predict import route


def rows_of(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=n).round(1), "b": rng.normal(size=n), "c": rng.choice(list("uvw"), n)})
    frame["y"] = np.where(frame.a + (frame.c == "u") + 0.3 * rng.normal(size=n) > 0.3, "yes", "no")
    frame.loc[::7, "a"] = np.nan
    frame.loc[::9, "c"] = None
    return frame


def expected(tree: tc.Tree, row: pd.DataFrame, known: frozenset[str], node: int = 0) -> np.ndarray:
    """The answer where only these features are known: other tests send a row down all branches by weight."""
    if tree.is_leaf[node]:
        return tree.proba[node]
    children = np.array(tree.children(node))
    feature = tree.schema.features[tree.splits.feature[node]]
    if ({name for name, _ in feature.terms} or {feature.name}) <= known:  # asked of the node alone
        stump = tree.keep(np.array([node, *children]), np.array([False, *[True] * len(children)]))
        routes = route(stump, row)
        share = np.bincount(routes.node, routes.share, len(children) + 1)[1:]
    else:
        share = tree.weight[children] / tree.weight[children].sum()
    return sum(s * expected(tree, row, known, int(c)) for s, c in zip(share, children, strict=True) if s > 0)


def by_definition(tree: tc.Tree, row: pd.DataFrame) -> np.ndarray:
    names = [f.name for f in tree.schema.features]
    subsets = [frozenset(known) for size in range(len(names) + 1) for known in itertools.combinations(names, size)]
    answers = {known: expected(tree, row, known) for known in subsets}
    found = np.zeros((len(names), len(tree.classes)))
    for f, name in enumerate(names):
        others = [other for other in names if other != name]
        for size in range(len(names)):
            weight = factorial(size) * factorial(len(names) - 1 - size) / factorial(len(names))
            for known in map(frozenset, itertools.combinations(others, size)):
                found[f] += weight * (answers[known | {name}] - answers[known])
    return found


@pytest.mark.parametrize("preset", ["cart", "c4.5", "id3", "chaid", "sklearn"])
def test_values_are_those_of_the_definition(preset):
    frame = rows_of()
    tree = tc.grow(tc.read_table(frame, target="y"), preset, max_depth=4, alpha=0.5)
    assert tree.n_leaves > 3
    found = shapley(tree, frame)
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), tree.predict_proba(frame), atol=1e-12)
    for i in (0, 1, 2, 7, 9):
        np.testing.assert_allclose(found.values[i], by_definition(tree, frame.iloc[[i]]), atol=1e-12)


def test_the_features_of_a_sum_share_what_it_adds():
    frame = rows_of(120).assign(d=np.random.default_rng(5).normal(size=120))
    frame["y"] = np.where((frame.a.fillna(0) + frame.b > 0.2) ^ (frame.b - 2 * frame.d > 1), "yes", "no")
    tree = tc.grow(tc.read_table(frame, target="y"), "cart", oblique="discriminant", max_depth=4, coefficient_price=0.2)
    sums = [f for f, feature in enumerate(tree.schema.features) if feature.terms]
    assert len(sums) > 1
    found = shapley(tree, frame)
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), tree.predict_proba(frame), atol=1e-12)
    assert not found.values[:, sums].any()
    for i in (0, 1, 2, 7, 9):
        np.testing.assert_allclose(found.values[i], by_definition(tree, frame.iloc[[i]]), atol=1e-12)


def test_rows_that_stay_at_a_node():
    frame = rows_of()
    tree = tc.grow(tc.read_table(frame, target="y"), "cart", missing="stay", max_depth=3)
    found = shapley(tree, frame)
    assert (~tree.is_leaf[tree.apply(frame)]).any()
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), tree.predict_proba(frame), atol=1e-12)
