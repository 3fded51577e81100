"""Trees of effects against a twin in plain Python: every split tried one by one, by the formula of Athey and Imbens."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.criteria import CRITERIA
from treecore.detectors.arms import standardised_differences
from treecore.judging.measures import measured
from treecore.target.effects import effects_of
from treecore.tree.node_statistics import node_statistics
from treecore.tree.predict import route

CUTS, LEVELS = "x", "g"


class Trial:
    """Rows of a small random trial with ties: numbers in few values, three levels, gaps, whole outcomes.

    weight : 1 of every row, or where asked one of 0, a half and more.
    """

    def __init__(self, seed: int, n: int, binary: bool, gaps: float, weighted: bool = False):
        rng = np.random.default_rng(seed)
        self.x, self.g = rng.integers(0, 5, n).astype(float), rng.integers(0, 3, n)
        self.arm = rng.integers(0, 2, n)
        self.arm[:2] = 0, 1
        wish = (self.x > 2) * self.arm + (self.g == 1) * (1 - self.arm)
        self.y = rng.integers(0, 2, n) if binary else rng.integers(-3, 4, n) + 3 * wish
        self.x[rng.random(n) < gaps] = np.nan
        self.g[rng.random(n) < gaps] = -1
        self.weight = rng.choice([0.0, 0.5, 1.0, 2.0, 3.0], n) if weighted else np.ones(n)
        self.weight[:2] = 1.0
        self.weighted = weighted

    def table(self, min_rows: int) -> tc.Table:
        columns = (
            tc.data.numeric_column("x", self.x),
            tc.data.level_column("g", "nominal", self.g, ("a", "b", "c")),
            tc.data.level_column("arm", "nominal", self.arm, ("control", "drug")),
            tc.data.numeric_column("y", self.y.astype(float)),
        )
        table = tc.Table(columns, features=("x", "g")).with_target(tc.Effect("y", "arm", min_rows=min_rows))
        return table.with_weights(self.weight) if self.weighted else table


def sums(trial, rows):
    """{arm: (n, Σy, Σy²)}, exact."""
    found = {0: [0, 0, 0], 1: [0, 0, 0]}
    for i in rows:
        y, weight = int(trial.y[i]), Fraction(trial.weight[i])
        for k, value in enumerate((1, y, y * y)):
            found[int(trial.arm[i])][k] += weight * value
    return found


def size(trial, rows):
    return sum(Fraction(trial.weight[i]) for i in rows)


def worth(trial, rows, honest):
    """n τ², less 2 n (s₁² / n₁ + s₀² / n₀) where honest; None without rows of both arms."""
    arms, n = sums(trial, rows), size(trial, rows)
    if not arms[0][0] or not arms[1][0]:
        return None
    mean = {a: Fraction(y, m) for a, (m, y, _) in arms.items()}
    value = n * (mean[1] - mean[0]) ** 2
    if honest:
        value -= 2 * n * sum((Fraction(yy, m) - mean[a] ** 2) / m for a, (m, _, yy) in arms.items())
    return value


def transformed(trial, i, share, mean):
    return (int(trial.y[i]) - mean) * (int(trial.arm[i]) - share) / (share * (1 - share))


def options(trial, rows, least, honest):
    """(feature, first side, gain), in the order of the features and of their scans."""
    rows = [i for i in rows if trial.weight[i] > 0]
    known = [i for i in rows if not np.isnan(trial.x[i])]
    for cut in sorted({trial.x[i] for i in known})[1:]:
        yield from option(trial, CUTS, rows, known, [i for i in known if trial.x[i] < cut], least, honest)
    known = [i for i in rows if trial.g[i] >= 0]
    by_mean = sorted(
        {int(trial.g[i]) for i in known}, key=lambda level: (-mean_transformed(trial, known, level), level)
    )
    for n in range(1, len(by_mean)):
        yield from option(trial, LEVELS, rows, known, [i for i in known if trial.g[i] in by_mean[:n]], least, honest)


def mean_transformed(trial, rows, level):
    every = range(len(trial.y))
    arms = sums(trial, every)
    share = Fraction(arms[1][0], arms[0][0] + arms[1][0])
    means = [Fraction(arms[a][1], arms[a][0]) for a in (0, 1)]
    at = [i for i in rows if trial.g[i] == level]
    mean = share * means[0] + (1 - share) * means[1]
    return sum(Fraction(trial.weight[i]) * transformed(trial, i, share, mean) for i in at) / size(trial, at)


def option(trial, feature, rows, known, first, least, honest):
    second = [i for i in known if i not in set(first)]
    fewest = min((arm[0] for side in (first, second) for arm in sums(trial, side).values()), default=0)
    if fewest < least or not first or not second:
        return
    gain = worth(trial, first, honest) + worth(trial, second, honest) - worth(trial, known, honest)
    yield feature, frozenset(first), float(gain / size(trial, rows))


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10**6), n=st.integers(8, 60), binary=st.booleans(), gaps=st.sampled_from([0.0, 0.2]),
    least=st.integers(1, 3), honest=st.booleans(), weighted=st.booleans(),
)  # fmt: skip
def test_every_node_has_the_first_of_the_best_splits(seed, n, binary, gaps, least, honest, weighted):
    trial = Trial(seed, n, binary, gaps, weighted)
    table = trial.table(least)
    tree = tc.grow(table, "cart", max_depth=3, criterion="honest_effect" if honest else "")
    ends = route(tree, table).node
    for node in range(tree.n_nodes):
        inside = tree.descendants(node)
        inside[node] = True
        rows = np.flatnonzero(inside[ends]).tolist()
        tried = list(options(trial, rows, least, honest)) if tree.node_depth[node] < 3 else []
        best = max((gain for *_, gain in tried), default=-np.inf)
        spread = max(1.0, float(np.var(trial.y))) * 16
        if tree.is_leaf[node]:
            assert best <= 1e-9 * spread
            continue
        assert tree.gain[node] == pytest.approx(best, rel=1e-9, abs=1e-12 * spread)
        feature, first, _ = next(o for o in tried if o[2] >= best - 1e-10 * best - 1e-13 * spread)
        assert tree.schema.features[tree.splits.feature[node]].name == feature
        below = tree.descendants(tree.children(node)[0])
        below[tree.children(node)[0]] = True
        counted = {i for i in rows if known(trial, feature, i) and trial.weight[i] > 0}
        made = {i for i in counted if below[ends[i]]}
        other = counted - made
        assert first in (frozenset(made), frozenset(other))


def known(trial, feature, i):
    return trial.g[i] >= 0 if feature == LEVELS else not np.isnan(trial.x[i])


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_figures_of_nodes_are_those_of_their_rows(binary, gaps):
    trial = Trial(3, 400, binary, gaps)
    table = trial.table(5)
    tree = tc.grow(table, "cart", max_depth=4)
    ends = route(tree, table).node
    assert tree.n_leaves > 3
    for node in range(tree.n_nodes):
        inside = tree.descendants(node)
        inside[node] = True
        rows = inside[ends]
        means = [trial.y[rows & (trial.arm == a)].mean() for a in (0, 1)]
        assert tree.value[node] == pytest.approx(means[1] - means[0], rel=1e-10, abs=1e-12)
        assert tree.n_rows[node] == rows.sum()
        spread = sum(
            rows.sum() * trial.y[rows & (trial.arm == a)].var() / (rows & (trial.arm == a)).sum() for a in (0, 1)
        )
        assert tree.impurity[node] == pytest.approx(spread, rel=1e-9, abs=1e-12)


def test_a_half_treated_in_every_branch_makes_it_cart_on_the_transformed_outcome():
    """With as many treated as control rows for every value, mean transformed outcomes are effects, and gains are those
    of squared errors: CART on them is the same tree. Source: Athey and Imbens (2016), section 4.2."""
    rng = np.random.default_rng(5)
    half = 300
    x, z = rng.integers(0, 8, half).astype(float), rng.integers(0, 6, half).astype(float)
    y = rng.normal(size=(2, half)) + np.array([[0.0], [1.0]]) * (x > 3)
    both = lambda column: np.concatenate([column, column])  # noqa: E731
    arm = np.repeat([0.0, 1.0], half)
    features = {"x": both(x), "z": both(z)}
    make = lambda **more: tc.Table(  # noqa: E731
        tuple(tc.data.numeric_column(name, v) for name, v in (features | more).items()), features=("x", "z")
    )
    effects = make(w=arm, y=y.ravel()).with_target(tc.Effect("y", "w", min_rows=5))
    star = y.ravel() * (arm - 0.5) / 0.25
    numbers = make(star=star).with_target("star")
    ours, theirs = tc.grow(effects, "cart", max_depth=4), tc.grow(numbers, "cart", max_depth=4, min_rows_leaf=10)
    assert ours.n_leaves > 4
    assert np.array_equal(ours.splits.feature, theirs.splits.feature)
    assert np.allclose(ours.splits.threshold, theirs.splits.threshold, equal_nan=True)
    assert np.allclose(ours.value, theirs.value, rtol=1e-9, atol=1e-12)
    assert np.allclose(ours.gain, theirs.gain, rtol=1e-9, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("criterion", ["squared_effect", "honest_effect"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_candidates_tell_the_same_gain_as_growth(criterion, gaps, weighted):
    assert CRITERIA[criterion].task == "effects"
    table = Trial(11, 500, False, gaps, weighted).table(8)
    tree = tc.grow(table, "cart", max_depth=3, criterion=criterion)
    assert tree.n_leaves > 2
    for node in np.flatnonzero(~tree.is_leaf):
        ranked = tc.candidates(tree, int(node), table, limit=10**4).ranked
        chosen = next(c for c in ranked if c.chosen)
        assert chosen.gain == pytest.approx(tree.gain[node], rel=1e-9)
        assert ranked[0].gain == pytest.approx(chosen.gain, rel=1e-9)
        assert effects_of(chosen.stats).shape == (2,)


@pytest.mark.parametrize("criterion", ["squared_effect", "honest_effect"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_a_row_of_weight_three_is_a_row_that_is_there_three_times(criterion, gaps):
    """In splits, figures, intervals, sequence, honest leaves, Qini curve and balance of the arms."""
    trial = Trial(7, 500, False, gaps)
    rng = np.random.default_rng(1)
    times = rng.integers(0, 4, 500)
    weighted = trial.table(8).with_weights(times.astype(float))
    repeated = trial.table(8).take(np.repeat(np.arange(500), times))
    settings = {"criterion": criterion, "max_depth": 4, "min_rows_leaf": 1, "min_rows_split": 2}
    ours, theirs = tc.grow(weighted, "cart", **settings), tc.grow(repeated, "cart", **settings)
    assert ours.n_leaves > 3
    assert np.array_equal(ours.splits.feature, theirs.splits.feature)
    np.testing.assert_allclose(ours.splits.threshold, theirs.splits.threshold)
    for name in ("stats", "impurity", "gain", "value", "weight", "missing_weight"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-9, err_msg=name)
    kind = ours.target_kind
    assert kind.interval(ours.stats[0]) == pytest.approx(theirs.target_kind.interval(theirs.stats[0]))
    a, b = tc.sequence(ours), tc.sequence(theirs)
    np.testing.assert_array_equal(a.step, b.step)
    np.testing.assert_allclose(a.risk, b.risk)
    other = Trial(8, 400, False, gaps)
    times = rng.integers(0, 4, 400)
    held = other.table(8).with_weights(times.astype(float)), other.table(8).take(np.repeat(np.arange(400), times))
    np.testing.assert_allclose(node_statistics(ours, held[0]), node_statistics(ours, held[1]), atol=1e-9)
    for measure in ("qini", "top_effect", "transformed"):
        assert measured(ours, held[0], measure) == pytest.approx(measured(ours, held[1], measure))
    wary = [tc.honest(ours, rows) for rows in held]
    np.testing.assert_allclose(wary[0].stats, wary[1].stats, atol=1e-9)
    np.testing.assert_allclose(wary[0].gain, wary[1].gain, atol=1e-9)
    assert wary[0].n_rows[0] == 400
    apart = [standardised_differences(rows) for rows in held]
    assert apart[0] == pytest.approx(apart[1])
