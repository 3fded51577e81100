"""Splits by absolute error, pinball loss and Huber loss against a slow twin: every candidate listed, every quantile and
every robust mean worked out anew."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn.metrics import mean_pinball_loss

import treecore as tc
from tests.property.naive import Sample
from treecore.criteria import CRITERIA
from treecore.criteria.row_losses import loss_of
from treecore.growing.settings.problem import problem_of
from treecore.kernels.ranked_search import node_errors, search_row_losses
from treecore.kernels.state import N_NODES, SHARE, new_growing

WEIGHTS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 3.0])
TOLERANCE = 1e-10
LOSSES = [
    {"criterion": "absolute_error"},
    {"criterion": "quantile", "quantile": 0.9},
    {"criterion": "quantile", "quantile": 0.25},
    {"criterion": "huber", "delta": 0.75},
    {"criterion": "huber", "delta": 2.0},
]
ABSOLUTE = tc.GrowSettings(criterion="absolute_error")


# the twin


def median_of(y, w):
    return quantile_of(y, w, 0.5)


def quantile_of(y, w, share):
    """The smallest value at which the cumulated weight passes the share; at exactly it the mean of it and the next."""
    order, y, w = np.argsort(y, kind="stable").tolist(), np.asarray(y).tolist(), np.asarray(w).tolist()
    order = [i for i in order if w[i] > 0]
    total, cumulated = sum(w[i] for i in order), 0.0
    for at, i in enumerate(order):
        cumulated += w[i]
        if math.isclose(cumulated, share * total, rel_tol=1e-12):
            return (y[i] + y[order[at + 1]]) / 2
        if cumulated > share * total:
            return y[i]
    return 0.0


def huber_of(distance, delta):
    size = np.abs(distance)
    return np.where(size <= delta, size**2 / 2, delta * (size - delta / 2))


def huber_mean_of(y, w, delta):
    """Where the distances, cut at delta, cancel, by halving an interval; where they do so all along one, its middle."""
    y, w = np.asarray(y, float)[np.asarray(w) > 0], np.asarray(w, float)[np.asarray(w) > 0]
    if not len(y):
        return 0.0

    def end(side):
        low, high = y.min() - 1, y.max() + 1
        for _ in range(70):
            middle = (low + high) / 2
            pull = w @ np.clip(y - middle, -delta, delta) + side * 1e-11 * delta * w.sum()
            low, high = (middle, high) if pull > 0 else (low, middle)
        return low

    return (end(-1) + end(1)) / 2


def answer_of(y, w, growth):
    if growth.criterion == "huber":
        return huber_mean_of(y, w, growth.delta)
    return quantile_of(y, w, growth.quantile if growth.criterion == "quantile" else 0.5)


def error_of(y, w, growth):
    off = y - answer_of(y, w, growth)
    if growth.criterion == "huber":
        return float(np.sum(w * huber_of(off, growth.delta)))
    if growth.criterion == "absolute_error":
        return float(np.sum(w * np.abs(off)))
    return float(np.sum(w * np.maximum(growth.quantile * off, (growth.quantile - 1) * off)))


class Twin:
    """The rows of one node of a sample that count, and all splits that the settings allow there."""

    def __init__(self, sample, growth, rows, weights=None):
        self.sample, self.growth = sample, growth
        self.y = np.array(sample.target, float)
        self.w = np.ones(len(self.y)) if sample.weights is None else np.array(sample.weights)
        if weights is not None:
            self.w = weights
        self.rows = np.asarray(rows)[self.w[rows] > 0]
        self.least = growth.min_share_leaf * (len(self.y) if sample.weights is None else sum(sample.weights))

    @property
    def impurity(self):
        return self.error(self.rows) / self.w[self.rows].sum()

    def error(self, rows):
        return error_of(self.y[rows], self.w[rows], self.growth)

    def enough(self, rows):
        return np.sum(self.w[rows] > 0) >= self.growth.min_rows_leaf and self.w[rows].sum() >= self.least

    def gain(self, branches):
        """Decrease among the rows sent, times their share of the node's weight."""
        known = np.concatenate(branches)
        return (self.error(known) - sum(self.error(b) for b in branches)) / self.w[self.rows].sum()

    def options(self, f):
        """(description, gain) of every split of feature f."""
        cell = np.array([math.nan if c is None else float(c) for c in self.sample.columns[f]])[self.rows]
        own = self.growth.missing == "own_value"
        ordered = self.sample.kinds[f] in ("numeric", "ordinal")
        found = list(self._cuts(cell, own) if ordered else self._groupings(cell, own))
        return [(what, self.gain(b)) for what, b, fits in found if fits]

    def _cuts(self, cell, own):
        present, lost = sorted(set(cell[~np.isnan(cell)])), self.rows[np.isnan(cell)]
        both_ways = own and len(lost) > 0
        for side in (1, 0) if both_ways else (None,):
            for low, high in itertools.pairwise(present):
                branches = [self.rows[cell <= low], self.rows[cell >= high]]
                if side is not None:
                    branches[side] = np.concatenate([branches[side], lost])
                yield ("cut", low, high, side), branches, all(map(self.enough, branches))
        if both_ways and present:
            branches = [self.rows[~np.isnan(cell)], lost]
            yield ("missing", present[-1]), branches, all(map(self.enough, branches))

    def _groupings(self, cell, own):
        cell = np.where(np.isnan(cell), -1, cell) if own else cell
        present = sorted(set(cell[~np.isnan(cell)]), key=lambda v: (v < 0, v))
        if len(present) < 2:
            return
        if self.growth.nominal == "multiway":
            branches = [self.rows[cell == v] for v in present]
            yield "multiway", branches, sum(map(self.enough, branches)) >= 2
            return
        for subset in range(1, 2 ** (len(present) - 1)):
            group = [v for j, v in enumerate(present) if subset >> j & 1]
            if self.growth.nominal == "one_level" and 1 < len(group) < len(present) - 1:
                continue
            branches = [self.rows[np.isin(cell, group)], self.rows[np.isin(cell, present) & ~np.isin(cell, group)]]
            parts = frozenset({frozenset(group), frozenset(present) - frozenset(group)})
            yield parts, branches, all(map(self.enough, branches))

    def winners(self):
        """(feature, [(description, gain) of the splits that may win], best gain of each feature)."""
        found = [self.options(f) for f in range(len(self.sample.kinds))]
        costs = dict(self.growth.costs)
        cost = [costs.get(f"x{f}", 1.0) for f in range(len(found))]
        best = [max((g for _, g in o), default=-math.inf) for o in found]
        slack = TOLERANCE * self.impurity
        score = [g / c for g, c in zip(best, cost, strict=True)]
        top = max(score)
        if top == -math.inf or max(best) <= slack:
            return None, [], best
        f = next(i for i, s in enumerate(score) if s >= top - slack)
        return f, [o for o in found[f] if o[1] / cost[f] >= min(top, score[f]) - slack], best


# the kernels on the same rows


def searched(sample, growth, rows, shares=None):
    """(growing, answer) after a search at node 1, which holds these rows and stands behind all others."""
    problem = problem_of(sample.table(), growth)
    rest = np.setdiff1d(np.arange(sample.n_rows), rows)
    order = np.stack([
        np.concatenate([part[np.argsort(codes[part], kind="stable")] for part in (rest, rows)])
        for codes in problem.codes
    ]).astype(np.int32)  # fmt: skip
    if shares is not None:  # also where no cell is missing, which would leave rows whole
        problem.rules["missing"] = SHARE
    growing = new_growing(problem, order, capacity=8)
    weight = problem.rows["weight"].copy()
    if shares is not None:
        growing.share[:] = shares[order[0]]
        weight *= shares
    for i, (part, start) in enumerate([(np.arange(sample.n_rows), 0), (rows, len(rest))]):
        node = growing.nodes[i]
        node["id"], node["start"], node["stop"] = i, start, start + len(part)
        node["weight"], node["n_rows"] = weight[part].sum(), np.sum(weight[part] > 0)
        node["level_start"], node["center"] = -1, problem.center
    growing.counts[N_NODES] = 2
    median = node_errors(problem, growing, 1, 2)[0] + np.average(sample.target, weights=sample.weights)
    assert search_row_losses(problem, growing, 1, 2) == 2
    return growing, median


def split_of(sample, growth, growing):
    """The split at node 1 in the twin's words."""
    node = growing.nodes[1]
    column = sample.table().feature_columns[int(node["feature"])]
    if node["level_start"] < 0:
        values = column.distinct if column.kind == "numeric" else np.arange(column.n_distinct)
        if node["high"] == len(values):
            return ("missing", values[node["low"]])
        side = int(node["missing_branch"])
        return ("cut", values[node["low"]], values[node["high"]], side if side >= 0 else None)
    if growth.nominal == "multiway":
        return "multiway"
    table = growing.level_branch[node["level_start"] :][: column.n_distinct + 1]
    sides = [{v if v < column.n_distinct else -1 for v, b in enumerate(table) if b == side} for side in (0, 1)]
    return frozenset(frozenset(s) for s in sides)


def check_search(sample, growth, rows, shares=None):
    weights = None if shares is None else shares * (1.0 if sample.weights is None else np.array(sample.weights))
    twin = Twin(sample, growth, rows, weights)
    growing, median = searched(sample, growth, rows, shares)
    node = growing.nodes[1]
    np.testing.assert_allclose(median, answer_of(twin.y[rows], twin.w[rows], growth), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(node["impurity"], twin.impurity, rtol=1e-12, atol=1e-12)
    if twin.impurity < 1e-15:
        assert node["n_children"] == 0
        return
    feature, winners, best = twin.winners()
    known = feature if feature is not None else -1
    # the winner's scan is the one that stopped early; the others' hold their best gain
    for f in set(range(len(best))) - {known}:
        np.testing.assert_allclose(growing.scans["gain"][f], best[f], rtol=1e-9, atol=1e-9)
    assert (node["n_children"] > 0) == bool(winners)
    if not winners:
        return
    assert node["feature"] == feature
    np.testing.assert_allclose(node["gain"], winners[0][1], rtol=1e-9, atol=1e-9)
    described = split_of(sample, growth, growing)
    if sample.kinds[feature] in ("numeric", "ordinal"):
        assert described == winners[0][0]
    elif growth.nominal == "one_level":
        # levels that are absent at the node go with the others
        assert any(min(o, key=len) & s for o, _ in winners for s in described)
    else:
        assert described in [o for o, _ in winners]


@st.composite
def samples(draw, kinds=("numeric", "ordinal", "nominal")):
    n = draw(st.integers(4, 24))
    wanted = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    levels = [0 if k == "numeric" else draw(st.integers(2, 5)) for k in wanted]
    columns = []
    for kind, v in zip(wanted, levels, strict=True):
        cell = st.integers(0, 5).map(lambda c: c / 2) if kind == "numeric" else st.integers(0, v - 1)
        cell = st.none() | cell if draw(st.booleans()) else cell
        columns.append(draw(st.lists(cell, min_size=n, max_size=n)))
    target = draw(st.lists(st.integers(-6, 6).map(lambda v: v / 2), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(WEIGHTS, min_size=n, max_size=n))
    assume(1 < len(set(target)) < n)
    return Sample(wanted, columns, levels, target, 0, weights)


@st.composite
def places(draw, sample):
    """Rows of a node, of some weight."""
    rows = [i for i in range(sample.n_rows) if draw(st.integers(0, 3)) > 0]
    assume(any(sample.weights is None or sample.weights[i] > 0 for i in rows))
    return np.array(rows)


@given(st.data())
@settings(max_examples=100)
def test_the_split_is_the_one_of_the_twin(data):
    sample = data.draw(samples())
    growth = tc.GrowSettings(
        nominal=data.draw(st.sampled_from(["subset", "subset", "multiway", "one_level"])),
        missing=data.draw(st.sampled_from(["majority", "own_value"])),
        min_rows_leaf=data.draw(st.integers(1, 3)),
        min_share_leaf=data.draw(st.sampled_from([0.0, 0.0, 0.125])),
        costs=data.draw(st.sampled_from([(), (("x0", 2.0),)])),
        **data.draw(st.sampled_from(LOSSES)),
    )
    rows = data.draw(places(sample))
    assume(np.sum(Twin(sample, growth, rows).w[rows] > 0) >= 2 * growth.min_rows_leaf and len(rows) > 1)
    check_search(sample, growth, rows)


@given(st.data())
@settings(max_examples=100)
def test_shared_rows_count_with_their_part(data):
    sample = data.draw(samples())
    rows = data.draw(places(sample))
    shares = data.draw(st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=sample.n_rows, max_size=sample.n_rows))
    weights = np.array(shares) * (1.0 if sample.weights is None else np.array(sample.weights))
    assume(np.sum(weights[rows] > 0) >= 2)
    loss = data.draw(st.sampled_from(LOSSES))
    check_search(sample, tc.GrowSettings(missing="fractional", **loss), rows, np.array(shares))


@pytest.mark.parametrize("kind_of_weight", ["none", "uniform", "heavy"])
@pytest.mark.parametrize("n", [40, 900])
@pytest.mark.parametrize("loss", LOSSES)
def test_gains_of_larger_nodes(loss, n, kind_of_weight):
    """Several levels of sums and marks; weights that differ a million times carry the median far at once."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=n), rng.normal(size=n)
    y += np.where(x > 0.4, 1.5, 0.0)
    x[rng.integers(0, n, n // 10)] = math.nan
    x = [None if math.isnan(v) else v for v in x]
    weights = {
        "none": None,
        "uniform": rng.uniform(0.1, 2, n).tolist(),
        "heavy": (10 ** rng.uniform(-3, 3, n) * (rng.uniform(size=n) > 0.1)).tolist(),
    }[kind_of_weight]
    columns = [x, rng.integers(0, 9, n).tolist(), rng.integers(0, 6, n).tolist()]
    sample = Sample(["numeric", "ordinal", "nominal"], columns, [0, 9, 6], y.tolist(), 0, weights)
    for missing in ("majority", "own_value"):
        check_search(sample, tc.GrowSettings(missing=missing, **loss), np.flatnonzero(rng.uniform(size=n) < 0.9))


@pytest.mark.parametrize("loss", [LOSSES[0], LOSSES[1], LOSSES[3]])
def test_no_sampled_cut_of_a_large_node_is_better_than_the_one_found(loss):
    """Three levels of sums; the gain that was found is that of its cut."""
    rng = np.random.default_rng(5)
    n = 6000
    x, weights = rng.permutation(n).astype(float), 10 ** rng.uniform(-2, 2, n)
    y = rng.normal(size=n) + (x > 0.7 * n)
    sample = Sample(["numeric"], [x.tolist()], [0], y.tolist(), 0, weights.tolist())
    growth = tc.GrowSettings(**loss)
    growing, _ = searched(sample, growth, np.arange(n))
    twin, node = Twin(sample, growth, np.arange(n)), growing.nodes[1]
    gains = [
        twin.gain([np.flatnonzero(x <= cut), np.flatnonzero(x > cut)])
        for cut in (node["low"], node["low"] - 1, node["low"] + 1, *rng.integers(0, n - 1, 30))
    ]
    np.testing.assert_allclose(node["gain"], gains[0], rtol=1e-10)
    assert max(gains[1:]) < gains[0]


@pytest.mark.parametrize("loss", LOSSES)
def test_the_scan_is_exact_where_the_target_is_far_from_zero(loss):
    """A deep node may lie a billion from the training mean: its sums must not cancel."""
    rng = np.random.default_rng(3)
    x = rng.permutation(60).astype(float)
    y = np.round(np.where(x < 17, 1.0, 0.0) + rng.uniform(size=60), 3) + np.where(np.arange(60) < 30, 0.0, 2.0**31)
    sample = Sample(["numeric"], [x.tolist()], [0], y.tolist(), 0)
    growth, rows = tc.GrowSettings(**loss), np.arange(30, 60)
    growing, _ = searched(sample, growth, rows)
    _, winners, _ = Twin(sample, growth, rows).winners()
    assert split_of(sample, growth, growing) == winners[0][0]
    np.testing.assert_allclose(growing.nodes[1]["gain"], winners[0][1], rtol=1e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_many_levels_are_cut_in_the_order_of_their_answers(loss):
    rng = np.random.default_rng(11)
    n, k = 300, 17
    level = rng.integers(0, k, n)
    y = rng.normal(size=k)[level] + rng.normal(size=n)
    weights = rng.uniform(0.5, 2, n)
    sample = Sample(["nominal"], [level.tolist()], [k], y.tolist(), 0, weights.tolist())
    growth = tc.GrowSettings(**loss)
    growing, _ = searched(sample, growth, np.arange(n))
    order = np.argsort([answer_of(y[level == v], weights[level == v], growth) for v in range(k)])
    twin = Twin(sample, growth, np.arange(n))
    gains = []
    for cut in range(1, k):
        low = np.isin(level, order[:cut])
        gains.append(twin.gain([np.flatnonzero(low), np.flatnonzero(~low)]))
    best = int(np.argmax(gains)) + 1
    np.testing.assert_allclose(growing.nodes[1]["gain"], max(gains), rtol=1e-9)
    parts = {frozenset(order[:best].tolist()), frozenset(order[best:].tolist())}
    assert split_of(sample, growth, growing) == parts
    # all groupings of as many levels as the settings let it try
    every, _ = searched(sample, tc.GrowSettings(max_exhaustive=17, **loss), np.arange(n))
    assert every.nodes[1]["gain"] >= max(gains) - 1e-12


@given(st.data())
@settings(max_examples=200)
def test_medians_and_errors(data):
    n = data.draw(st.integers(2, 20))
    y = data.draw(st.lists(st.integers(-20, 20).map(float), min_size=n, max_size=n))
    w = data.draw(st.lists(WEIGHTS, min_size=n, max_size=n))
    assume(any(w))
    growth = tc.GrowSettings(**data.draw(st.sampled_from(LOSSES)))
    expected = answer_of(y, w, growth), error_of(np.array(y), np.array(w), growth) / sum(w)
    assert measured(y, w, growth) == pytest.approx(expected, abs=1e-9)
    loss = loss_of(np.array([made_of(growth).coefficients]))
    assert loss.best_and_total(np.array(y), np.array(w))[0] == pytest.approx(expected[0], abs=1e-9)


@given(st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=30))
@settings(max_examples=100)
def test_without_weights_the_median_is_numpys(y):
    deviation = np.abs(np.array(y) - np.median(y)).mean()
    assert measured(y, [1.0] * len(y)) == pytest.approx((np.median(y), deviation), abs=1e-12)


@pytest.mark.parametrize(
    ("y", "w", "median", "error"),
    [
        ([3, 1, 2], [1, 1, 1], 2, 2 / 3),
        ([10, 1, 3, 2], [1, 1, 1, 1], 2.5, 10 / 4),
        ([1, 2, 3], [1, 1, 2], 2.5, 3 / 4),
        ([1, 2, 3], [1, 1, 1.75], 2, 2.75 / 3.75),
        ([1, 2, 3], [1, 1, 2.25], 3, 3 / 4.25),
        ([1, 2, 3], [1, 0, 1], 2, 1),
        ([5, 5, 5, 9], [1, 1, 1, 1], 5, 1),
        ([7], [0.5], 7, 0),
        (range(10), [0.1] * 10, 4.5, 2.5),
    ],
)
def test_medians_by_hand(y, w, median, error):
    assert measured(y, w) == pytest.approx((median, error), abs=1e-12)


def made_of(growth):
    kind = CRITERIA[growth.criterion].row_loss
    return kind(getattr(growth, kind.parameter)) if kind.parameter else kind()


def measured(y, w, growth=ABSOLUTE):
    """(median, mean absolute error) of a root of these rows, as node_errors has them."""
    n = len(y)
    problem, growing = root_of(y, w, growth)
    median = node_errors(problem, growing, 0, 1)[0] + np.average(np.array(y, float), weights=w)
    assert growing.nodes[0]["stop"] == n
    return float(median), float(growing.nodes[0]["impurity"])


def root_of(y, w, growth=ABSOLUTE):
    """A problem of one numeric feature and one nominal one, the row numbers, and its root."""
    n = len(y)
    known = [*range(n), 0], [*[0] * n, 1]
    sample = Sample(["numeric", "nominal"], list(known), [0, 2], [*y, y[0] + 1.0], 0, [*w, 0.0])
    problem = problem_of(sample.table(), growth)
    order = np.argsort(problem.codes, axis=1, kind="stable").astype(np.int32)
    growing = new_growing(problem, np.stack([o[o < n] for o in order]), capacity=4)
    growing.nodes[0]["stop"], growing.nodes[0]["weight"] = n, sum(w)
    growing.nodes[0]["n_rows"] = np.sum(np.array(w) > 0)
    growing.counts[N_NODES] = 1
    return problem, growing


def test_a_node_without_rows_and_a_pure_one_have_no_error_and_no_split():
    problem, growing = root_of([4.0, 4.0, 1.0, 2.0], [1, 2, 1, 1])
    growing.nodes[1]["start"], growing.nodes[1]["stop"] = 0, 0
    growing.nodes[2]["stop"], growing.nodes[2]["weight"], growing.nodes[2]["n_rows"] = 2, 3, 2
    growing.nodes["impurity"] = 9.0
    assert node_errors(problem, growing, 1, 3)[0] == 0
    assert growing.nodes["impurity"][:3].tolist() == [9.0, 0.0, 0.0]
    assert search_row_losses(problem, growing, 1, 3) == 3
    assert growing.nodes["n_children"][:3].tolist() == [0, 0, 0]


def test_it_stops_where_the_table_of_levels_may_not_fit():
    problem, growing = root_of([1.0, 2.0, 3.0], [1, 1, 1])
    node_errors(problem, growing, 0, 1)
    full = growing._replace(level_branch=growing.level_branch[: len(growing.levels) - 1].copy())
    assert search_row_losses(problem, full, 0, 1) == 0
    assert growing.nodes[0]["n_children"] == 0
    assert search_row_losses(problem, growing, 0, 1) == 1
    assert growing.nodes[0]["n_children"] == 2


def test_a_split_that_is_there_stays():
    problem, growing = root_of([1.0, 2.0, 9.0], [1, 1, 1])
    node_errors(problem, growing, 0, 1)
    growing.nodes[0]["n_children"], growing.nodes[0]["low"] = 2, 77
    search_row_losses(problem, growing, 0, 1)
    assert growing.nodes[0]["low"] == 77


@given(st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=30), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=100)
def test_without_weights_the_quantile_is_numpys(y, quantile):
    growth = tc.GrowSettings(criterion="quantile", quantile=quantile)
    expected = np.quantile(y, quantile, method="averaged_inverted_cdf")
    error = mean_pinball_loss(y, np.full(len(y), expected), alpha=quantile)
    assert measured(y, [1.0] * len(y), growth) == pytest.approx((expected, error), abs=1e-12)


@given(st.data(), st.sampled_from([0.3, 1.0, 5.0]))
@settings(max_examples=60, deadline=None)
def test_no_point_has_less_huber_loss_than_the_robust_mean(data, delta):
    y = data.draw(st.lists(st.floats(-20, 20), min_size=1, max_size=20))
    w = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(y), max_size=len(y)))
    _, error = measured(y, w, tc.GrowSettings(criterion="huber", delta=delta))
    of = lambda point: float(np.array(w) @ huber_of(np.array(y) - point, delta)) / sum(w)  # noqa: E731
    least = minimize_scalar(of, bounds=(min(y) - 1, max(y) + 1), method="bounded", options={"xatol": 1e-9}).fun
    assert error <= least + 1e-9
    assert error >= least - 1e-6 * (1 + delta)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_tree_of_the_quantile_one_half_is_that_of_absolute_error(data):
    sample = data.draw(samples())
    assume(sample.weights is None or sum(sample.weights) > 0)
    missing = data.draw(st.sampled_from(["majority", "own_value", "fractional"]))
    half, absolute = (
        tc.grow(sample.table(), tc.GrowSettings(criterion=name, missing=missing))
        for name in ("quantile", "absolute_error")
    )
    assert str(half) == str(absolute)
    np.testing.assert_array_equal(half.value, absolute.value)
    np.testing.assert_allclose(2 * half.impurity, absolute.impurity, rtol=0, atol=0)
