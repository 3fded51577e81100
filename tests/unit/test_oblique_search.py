"""The search for sums: cuts by the compiled kernel as by the formulas, trees as by growing all of them anew."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.growing import oblique_growth as oblique_grow
from treecore.growing.directions import EPSILON, RIDGE, Cases, logistic, without_small
from treecore.tree.oblique import own_parts, with_sums


def cases_of(seed, n, n_classes, tied, weighted):
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal((n, 2)), 1 if tied else 9)
    target = rng.integers(0, n_classes, n) if n_classes else rng.standard_normal(n)
    return Cases(x, target, rng.choice([0.5, 1.0, 2.5], n) if weighted else np.ones(n), n_classes)


def naive_bits(cases, is_low):
    """Bits to tell the target on both sides; inf where one is empty."""
    if is_low.all() or not is_low.any():
        return np.inf
    sides = [(cases.target[side], cases.weight[side]) for side in (is_low, ~is_low)]
    if cases.n_classes:
        counts = [np.bincount(y, w, cases.n_classes) for y, w in sides]
        return sum(-sum(c * np.log2(c / count.sum()) for c in count if c > 0) for count in counts)
    left = sum(np.sum(w * (y - np.average(y, weights=w)) ** 2) for y, w in sides)
    whole = np.sum(cases.weight * (cases.target - np.average(cases.target, weights=cases.weight)) ** 2)
    return 0.5 * cases.weight.sum() * np.log2(max(left / max(whole, EPSILON), EPSILON))


MADE = st.builds(
    cases_of, st.integers(0, 10_000), st.integers(2, 30), st.sampled_from([0, 2, 3, 5]), st.booleans(), st.booleans()
)


@given(MADE, st.booleans())
def test_the_best_cut_is_that_of_all_cuts(cases, far_apart):
    place = np.sign(cases.x[:, 0]) * np.exp(9 * cases.x[:, 0]) if far_apart else cases.x[:, 0]
    bits, where = cases.best_cuts(place[None])[0]
    every = [naive_bits(cases, place <= value) for value in np.unique(place)]
    assert bits == pytest.approx(min(every), rel=1e-9, abs=1e-6)
    if np.isfinite(bits):
        assert naive_bits(cases, place <= where) == pytest.approx(bits, rel=1e-9, abs=1e-6)


@given(MADE)
def test_the_best_feature_is_that_of_all_of_them(cases):
    """A feature that cannot be better than one before it is not put in order."""
    bits, f = cases.best_feature()
    every = [min(naive_bits(cases, place <= value) for value in np.unique(place)) for place in cases.x.T]
    assert bits == pytest.approx(min(every), rel=1e-9, abs=1e-6)
    assert every[f] == pytest.approx(min(every), rel=1e-9, abs=1e-6)


@given(MADE, st.lists(st.floats(0, 5), min_size=4, max_size=4), st.floats(0, 60))
def test_the_best_line_is_that_of_fewest_bits_with_its_price(cases, prices, limit):
    lines = np.vstack([cases.x.T, cases.x @ [1.0, 2.0], np.zeros(len(cases.x))])
    bits, j = cases.best_line(lines, np.array(prices), limit)
    every = [min(naive_bits(cases, place <= value) for value in np.unique(place)) for place in lines]
    best = min(np.add(every, prices))
    if best < limit - 1e-6:
        assert (bits, every[j] + prices[j]) == (pytest.approx(best, abs=1e-6), pytest.approx(best, abs=1e-6))
    elif best > limit + 1e-6:
        assert (bits, j) == (np.inf, -1)


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.2, 1.0]), st.sampled_from([2, 3]))
@settings(max_examples=30)
def test_as_many_coefficients_stay_as_pay_for_themselves(seed, price, n_classes):
    rng = np.random.default_rng(seed)
    x, w = rng.standard_normal((60, 5)), rng.standard_normal(5) ** 3
    target = np.digitize(x @ w + 0.3 * rng.standard_normal(60), [0.0, 1.0][: n_classes - 1])
    cases = Cases(x, target, np.ones(60), n_classes, price)
    order = np.argsort(-abs(w))
    cut = [np.where(np.isin(range(5), order[:n]), w, 0.0) for n in range(2, 6)]
    told = [min(naive_bits(cases, x @ v <= value) for value in x @ v) for v in cut]
    costs = told + cases.coefficient_bits * np.arange(1, 5)
    kept, bits = without_small(cases, w)
    n = np.count_nonzero(kept)
    assert kept.tolist() == cut[n - 2].tolist()
    assert bits == pytest.approx(told[n - 2])
    assert costs[n - 2] == pytest.approx(min(costs))
    assert without_small(cases, w, min(costs) - 1e-6) is None


@pytest.mark.parametrize("wrong", [0.0, 0.1])
def test_a_logistic_fit_is_that_of_newtons_steps_from_nothing(wrong):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((300, 4))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    target = ((x @ [1.0, -2.0, 0.0, 0.5] > 0.7) ^ (rng.random(300) < wrong)).astype(int)
    wide, beta = np.column_stack([x, np.ones(300)]), np.zeros(5)
    for _ in range(40):
        p = 1 / (1 + np.exp(-wide @ beta))
        bent = wide.T @ (wide * (p * (1 - p))[:, None]) + RIDGE * 300 * np.eye(5)
        beta = beta + np.linalg.solve(bent, wide.T @ (target - p) - RIDGE * 300 * beta)
    found = logistic(Cases(x, target, np.ones(300), 2))[0]
    assert found == pytest.approx(beta[:-1], abs=1e-2 * abs(beta).max())


@given(MADE, st.sampled_from([0.0, 0.3, 3.0]), st.sampled_from([0.0, 0.3]))
def test_a_coefficient_is_the_best_of_all_turns_or_none(cases, price, before):
    cases = replace(cases, price=price)
    column, rest, w = cases.x[:, 0], cases.x[:, 1] - 0.05, np.array([before, 1.0, -0.05])
    bits = cases.climb(np.array([0]), 1, w)
    each, values = cases.coefficient_bits, middles(column, rest)
    stays = [naive_bits_or_none(cases, rest + value * column <= 0) for value in (before, 0.0)]
    turned = [naive_bits_or_none(cases, rest + value * column <= 0) + each for value in values]
    assert bits + each * (w[0] != 0) == pytest.approx(
        min([stays[0] + each * (before != 0), stays[1], *turned]), rel=1e-9, abs=1e-6
    )
    assert naive_bits_or_none(cases, rest + w[0] * column <= 0) == pytest.approx(bits, rel=1e-9, abs=1e-6)
    assert w[1:].tolist() == [1.0, -0.05]


def middles(column, rest):
    """Between all places where a coefficient makes a row change sides."""
    moving = abs(column) > EPSILON
    turns = np.unique(-rest[moving] / column[moving])
    return ((turns[1:] + turns[:-1]) / 2)[np.diff(turns) > 1e-9]


@given(MADE, st.integers(0, 100))
@settings(max_examples=30)
def test_a_summit_is_as_high_from_any_rows_order(cases, seed):
    """Buckets and insertion put turns in order also where rows lie far from evenly."""
    rng = np.random.default_rng(seed)
    spread = replace(cases, x=np.sign(cases.x) * np.exp(5 * cases.x))
    order = rng.permutation(len(cases.x))
    found = [c.climb(np.array([2, 0, 1]), 3, np.array([1.0, 0.5, 0.0])) for c in (spread, spread.some(order))]
    assert found[0] == pytest.approx(found[1], rel=1e-6, abs=1e-6)


def naive_bits_or_none(cases, is_low):
    """As naive_bits; where one side is empty, the bits without a cut."""
    bits = naive_bits(cases, is_low)
    if np.isfinite(bits) or not cases.n_classes:
        return bits if np.isfinite(bits) else 0.0
    counts = np.bincount(cases.target, cases.weight)
    return -sum(c * np.log2(c / counts.sum()) for c in counts if c > 0)


@pytest.mark.parametrize("limits", [{}, {"max_depth": 3}, {"max_leaves": 6}, {"missing": "surrogates"}])
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_trees_in_between_are_cut_off_where_nothing_depends_on_it(monkeypatch, limits, gaps):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((500, 4))
    y = ((X[:, 0] + X[:, 1] > 0.3) ^ (X[:, 2] - 2 * X[:, 3] > 0.5) ^ (rng.random(500) < 0.03)).astype(int)
    X[rng.random(X.shape) < gaps] = np.nan
    table = tc.from_arrays(X, y, classes=["0", "1"])
    tree = tc.grow(table, "cart", oblique="discriminant", min_rows_leaf=4, **limits)
    monkeypatch.setattr(oblique_grow, "_draft", lambda table, growth: growth)
    monkeypatch.setattr(oblique_grow, "_down_to", lambda level, growth: growth)
    assert tree.to_dict() == tc.grow(table, "cart", oblique="discriminant", min_rows_leaf=4, **limits).to_dict()


def test_surrogates_lack_no_value_wherever_the_split_does():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((600, 4))
    y = (X[:, 0] + X[:, 1] + 0.4 * (X[:, 2] > 0) > 0.2).astype(int)
    X[:, 3] = X[:, 0] + 0.3 * rng.standard_normal(600)
    table = tc.from_arrays(X, y, classes=["0", "1"])
    settings = {"min_rows_leaf": 10, "missing": "surrogates"}
    tree = tc.grow(table, "cart", oblique="discriminant", **settings)
    wide = with_sums(table, [f.terms for f in tree.schema.features if f.terms])
    plain = tc.grow(wide, "cart", **settings)

    def useless(tree):
        parts = [own_parts(tree.schema, [f]) for f in range(len(tree.schema.features))]
        return [
            (node, s)
            for node in range(tree.n_nodes)
            for s in range(*tree.surrogate_start[node : node + 2])
            if parts[tree.splits.feature[node]] <= parts[tree.surrogates.feature[s]]
        ]

    assert useless(plain)
    assert not useless(tree)
    assert len(tree.surrogates) == len(plain.surrogates) - len(useless(plain)) > 0
    gaps = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    assert (tree.apply(gaps) == plain.apply(gaps)).all()
