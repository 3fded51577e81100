"""Splits of survival times by the log-rank test: a twin in plain Python, peers, arithmetic, and what is refused."""

import math
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid
from treecore.explaining.node_arithmetic import split_arithmetic
from treecore.figures import tex
from treecore.growing.inspect.landscape import landscape
from treecore.target.survival import log_rank_test

TOLERANCE = 1e-10


def naive_statistic(rows: list[tuple], first: set[int]) -> float:
    """(O - E)^2 / V of the rows (number, time, event, weight) in `first` against the others, time by time; -inf where
    nothing varies."""
    observed = expected = variance = 0.0
    for now in sorted({time for _, time, event, _ in rows if event}):
        n = sum(w for _, time, _, w in rows if time >= now)
        d = sum(w for _, time, event, w in rows if time == now and event)
        m = sum(w for i, time, _, w in rows if time >= now and i in first)
        observed += sum(w for i, time, event, w in rows if time == now and event and i in first)
        expected += d * m / n
        if n > 1:
            variance += d * (m / n) * ((n - m) / n) * max(n - d, 0) / (n - 1)
    return (observed - expected) ** 2 / variance if variance > 1e-12 else -math.inf


def naive_splits(frame: pd.DataFrame, rows: list[int], least: int, most_tried: int):
    """(feature, what is asked, positions in the first branch, statistic) of every split, in the order of the scans."""
    for name in [c for c in frame.columns if c not in ("days", "failed", "w")]:
        column = frame[name]
        known = [i for i in rows if not pd.isna(column[i])]
        here = [(i, frame.days[i], frame.failed[i], frame.w[i]) for i in known]
        values = sorted({column[i] for i in known})
        if column.dtype.kind == "f":
            asked = [([v for v in values if v <= cut], (cut + above) / 2) for cut, above in pairwise(values)]
        else:
            assert len(values) <= most_tried
            bits = range(1, 1 << (len(values) - 1)) if values else ()
            groups = [[v for k, v in enumerate(values) if group >> k & 1] for group in bits]
            asked = [(group, frozenset(group)) for group in groups]
        for inside, question in asked:
            first = {i for i in known if column[i] in inside}
            if min(len(first), len(known) - len(first)) >= least:
                yield name, question, first, naive_statistic(here, first)


def naive_tree(frame: pd.DataFrame, rows: list[int], least: int, depth: int, most_tried: int = 10):
    """Nested (feature, question, statistic, first branch, second branch), or how many rows a leaf has."""
    best, found = -math.inf, []
    if depth and len(rows) >= 2 * least:
        found = list(naive_splits(frame, rows, least, most_tried))
        best = max((s for *_, s in found), default=-math.inf)
    if not best > 1e-9:
        return len(rows)
    per_feature = {}
    for name, *_, s in found:
        per_feature[name] = max(per_feature.get(name, -math.inf), s)
    winner = next(name for name, s in per_feature.items() if s >= best - TOLERANCE * best)
    name, question, first, s = next(f for f in found if f[0] == winner and f[3] >= best - TOLERANCE * best)
    known = [i for i in rows if not pd.isna(frame[name][i])]
    sides = [[i for i in known if i in first], [i for i in known if i not in first]]
    weight = [sum(frame.w[i] for i in side) for side in sides]
    larger = int(weight[1] > weight[0] or (weight[1] == weight[0] and is_nominal(question) and lower(frame, *sides)))
    sides[larger] = sorted(sides[larger] + [i for i in rows if pd.isna(frame[name][i])])
    return name, question, s, *(naive_tree(frame, side, least, depth - 1, most_tried) for side in sides)


def is_nominal(question) -> bool:
    return isinstance(question, frozenset)


def lower(frame: pd.DataFrame, first: list[int], second: list[int]) -> bool:
    """Has the second branch the lower hazard ratio? Then it comes first, and is the larger of two of equal weight."""
    exposure = tc.target.exponential_exposure(frame.days.to_numpy(float), frame.failed.to_numpy())
    ratios = [(frame.w * frame.failed)[side].sum() / (frame.w * exposure)[side].sum() for side in (first, second)]
    return ratios[1] < ratios[0]


def nested(tree, node: int = 0):
    """The tree in the twin's terms; of levels the first branch has the ones without the last level in order."""
    view = tree.node(node)
    if tree.is_leaf[node]:
        return int(tree.n_rows[node])
    children = list(tree.children(node))
    threshold = float(tree.splits.threshold[node])
    if not math.isnan(threshold):
        return view.feature, threshold, float(tree.score[node]), *(nested(tree, c) for c in children)
    feature = next(f for f in tree.schema.features if f.name == view.feature)
    branch = tree.splits.level_branch[tree.splits.level_start[node] : tree.splits.level_start[node + 1]]
    groups = [frozenset(level for level, b in zip(feature.levels, branch, strict=False) if b == k) for k in range(2)]
    return view.feature, groups, float(tree.score[node]), *(nested(tree, c) for c in children)


def assert_same(ours, twin) -> None:
    if isinstance(twin, int):
        assert ours == twin
        return
    assert ours[0] == twin[0]
    assert ours[2] == pytest.approx(twin[2], rel=1e-9)
    order = (3, 4)
    if is_nominal(twin[1]):
        assert twin[1] in ours[1]
        order = (3, 4) if ours[1][0] == twin[1] else (4, 3)
    else:
        assert ours[1] == pytest.approx(twin[1], rel=1e-12)
    for mine, theirs in zip(order, (3, 4), strict=True):
        assert_same(ours[mine], twin[theirs])


def random_table(seed: int) -> pd.DataFrame:
    """Ties of times, censoring, values that are equal or missing, levels, and weights on every other table."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 70))
    x, z, g = rng.integers(0, 9, n).astype(float), rng.normal(size=n).round(1), rng.choice(list("pqrs"), n)
    days = np.ceil(rng.exponential(9 / np.exp(0.2 * x - 0.8 * (g == "q")))) + rng.integers(0, 2, n)
    frame = pd.DataFrame({"x": x, "z": z, "g": pd.Series(g, dtype=object), "days": days})
    frame["failed"] = (rng.random(n) < rng.uniform(0.3, 1.0)) * 1
    frame.loc[0, "failed"] = 1
    frame["w"] = rng.integers(1, 4, n) if seed % 2 else 1
    frame.loc[rng.random(n) < 0.15 * (seed % 3), "x"] = np.nan
    frame.loc[rng.random(n) < 0.1 * (seed % 3), "g"] = None
    return frame


def table_of(frame: pd.DataFrame):
    weights = "w" if (frame.w != 1).any() else None
    columns = frame if weights else frame.drop(columns="w")
    kinds = {"x": "numeric", "z": "numeric", "g": "nominal"}
    kinds = {name: kind for name, kind in kinds.items() if name in frame}
    return tc.read_table(columns, target=tc.Survival("days", "failed"), kinds=kinds, weights=weights)


@pytest.mark.parametrize("seed", range(30))
def test_twin(seed):
    """Features, cuts, groupings and statistics are those of the sums written out, node by node."""
    frame, least = random_table(seed), 1 + seed % 4
    tree = tc.grow(
        table_of(frame),
        "cart",
        score="log_rank",
        max_depth=3,
        min_rows_leaf=least,
        missing="majority",
        max_surrogates=0,
    )
    assert_same(nested(tree), naive_tree(frame, list(range(len(frame))), least, 3))


@pytest.mark.parametrize("seed", range(8))
def test_candidates_are_the_twin_s(seed):
    """Every split that was possible at the root, with its statistic."""
    frame, least = random_table(seed), 2
    table = table_of(frame)
    tree = tc.grow(table, "cart", score="log_rank", max_depth=1, min_rows_leaf=least)
    found = tc.candidates(tree, 0, table, limit=1000)
    twin = [s for *_, s in naive_splits(frame, list(range(len(frame))), least, 10) if s > -math.inf]
    assert len(twin) > 3
    assert sorted(c.score for c in found.ranked) == pytest.approx(sorted(twin), rel=1e-8, abs=1e-9)
    assert found.ranked[0].chosen
    assert found.ranked[0].score == pytest.approx(tree.score[0], rel=1e-9)


def many_levels(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    g = rng.integers(0, 14, n)
    days, failed = np.ceil(rng.exponential(20 / (1 + g % 5))), (rng.random(n) < 0.7) * 1
    return pd.DataFrame(
        {"g": pd.Series([f"level {v:02}" for v in g], dtype=object), "days": days, "failed": failed, "w": 1}
    )


def test_many_levels_are_cut_in_the_order_of_their_hazards():
    """Beyond max_exhaustive: the best cut of the levels by events per exposure."""
    frame = many_levels().assign(x=0.0)
    table = table_of(frame)
    tree = tc.grow(table, "cart", score="log_rank", max_depth=1, min_rows_leaf=5)
    exposure = pd.Series(tc.target.exponential_exposure(frame.days.to_numpy(float), frame.failed.to_numpy()))
    ratio = frame.failed.groupby(frame.g).sum() / exposure.groupby(frame.g).sum()
    order = ratio.sort_values(ascending=False).index.tolist()
    tests = {
        k: log_rank_test(frame.days.to_numpy(), frame.failed.to_numpy(), frame.g.isin(order[:k]).to_numpy()).statistic
        for k in range(1, len(order))
    }
    best = max(tests, key=tests.get)
    assert tree.score[0] == pytest.approx(tests[best], rel=1e-9)
    assert frozenset(order[:best]) in nested(tree)[1]
    found = tc.candidates(tree, 0, table)
    assert found.heuristic == ("g",)
    assert sorted(c.score for c in found.ranked) == pytest.approx(sorted(tests.values()), rel=1e-9)


def test_all_groupings_of_few_levels_are_tried():
    """Max. levels above the number of levels: no grouping is better than the one taken."""
    frame = many_levels(150)
    frame = frame[frame.g < "level 07"].reset_index(drop=True)
    tree = tc.grow(table_of(frame), "cart", score="log_rank", max_depth=1, min_rows_leaf=1)
    levels = sorted(frame.g.unique())
    groups = [c for k in range(1, len(levels)) for c in combinations(levels, k)]
    time, event = frame.days.to_numpy(), frame.failed.to_numpy()
    best = max(log_rank_test(time, event, frame.g.isin(group).to_numpy()).statistic for group in groups)
    assert tree.score[0] == pytest.approx(best, rel=1e-9)


def test_large_numbers_of_rows_lose_no_digits():
    """A cut that leaves a few of 20,000 rows on one side has the statistic of the sums written out."""
    rng = np.random.default_rng(0)
    n = 20_000
    x, days, failed = np.sort(rng.normal(size=n)), rng.exponential(5, n), (rng.random(n) < 0.6) * 1
    days[-3:], failed[-3:] = 0.001, 1  # the last three fail at once: a cut next to the end
    frame = pd.DataFrame({"x": x, "days": days, "failed": failed, "w": 1})
    tree = tc.grow(table_of(frame), "cart", score="log_rank", max_depth=1, min_rows_leaf=1)
    assert x[-4] < tree.splits.threshold[0] < x[-3]
    test = log_rank_test(days, failed, x >= x[-3])
    assert tree.score[0] == pytest.approx(test.statistic, rel=1e-10)


def test_the_statistic_is_that_of_r():
    """survival::survdiff (survival 3.5.3, R 4.2.2) on a table with ties and censoring, asked on 2026-11-27."""
    frame = random_table(4).dropna()
    assert len(frame) == 44
    test = log_rank_test(frame.days.to_numpy(), frame.failed.to_numpy(), frame.g.to_numpy() != "q")
    assert (test.observed, test.expected) == pytest.approx((19.0, 15.102693797430637), rel=1e-12)
    assert (test.variance, test.statistic) == pytest.approx((4.2714014222916573, 3.555974757445425), rel=1e-10)


OF_SCIKIT_SURVIVAL = [
    [("a", 0.7568410038948059), ("a", -0.5434023141860962), None, None, ("c", 0.21389777958393097), None, None],
    [("a", 1.2883720397949219), ("a", -0.2672254890203476), None, None, None],
    [("a", 0.9342729449272156), ("a", -0.32712335884571075), None, None, None],
    [("a", 1.1288759112358093), ("a", -0.3034486621618271), None, None, None],
    [("a", 1.3416438102722168), ("a", 0.14282159879803658), None, None, None],
]
"""Of each seed the nodes of sksurv.tree.SurvivalTree(max_depth=2, min_samples_leaf=10, min_samples_split=20), each
before those below it, the low side first; None for a leaf. scikit-survival 0.28.0, asked on 2026-11-27."""


@pytest.mark.parametrize("seed", range(5))
def test_scikit_survival_takes_the_same_splits(seed):
    """On tables without equal times, where both test all cuts of numbers."""
    rng = np.random.default_rng(seed)
    n = 120
    x = rng.normal(size=(n, 3)).astype(np.float32).astype(float)
    days, failed = rng.exponential(np.exp(-x[:, 0])) + 0.01, rng.random(n) < 0.7
    frame = pd.DataFrame(x, columns=list("abc")).assign(days=days, failed=failed * 1)
    table = tc.read_table(frame, target=tc.Survival("days", "failed"))
    tree = tc.grow(table, "sklearn", score="log_rank", max_depth=2, min_rows_leaf=10, min_rows_split=20)
    waiting = [0]
    for split in OF_SCIKIT_SURVIVAL[seed]:
        node = waiting.pop()
        assert bool(tree.is_leaf[node]) == (split is None)
        if split is not None:
            assert tree.node(node).feature == split[0]
            assert tree.splits.threshold[node] == pytest.approx(split[1], rel=1e-6)
            waiting += reversed(tree.children(node))
    assert waiting == []


def grown():
    frame = random_table(7)
    table = table_of(frame)
    return frame, table, tc.grow(table, "rpart", score="log_rank", max_depth=2, min_rows_leaf=5)


def test_arithmetic_shows_observed_expected_and_variance():
    frame, table, tree = grown()
    found = tc.candidates(tree, 0, table)
    said = " ".join(map(str, split_arithmetic(tree, 0, found, table)))
    ends = tree.apply(table)
    first = (ends == tree.children(0)[0]) | tree.descendants(tree.children(0)[0])[ends]
    known = ~pd.isna(frame[tree.node(0).feature]).to_numpy()
    weight = frame.w.to_numpy(float)[known]
    test = log_rank_test(frame.days.to_numpy()[known], frame.failed.to_numpy()[known], first[known], weight)
    assert tree.score[0] == pytest.approx(test.statistic, rel=1e-9)
    for figure in (test.observed, test.expected, test.variance, test.statistic):
        assert tex(figure) in said


def test_the_terms_of_the_sums_are_listed_by_the_times_of_the_table():
    """The first times with all their figures, and the rest together."""
    _, table, tree = grown()
    lines = split_arithmetic(tree, 0, tc.candidates(tree, 0, table), table)
    listed = next(line for line in lines if isinstance(line, Grid) and line.columns[0] == "time")
    ends = tree.apply(table)
    first = (ends == tree.children(0)[0]) | tree.descendants(tree.children(0)[0])[ends]
    known = table.column(tree.node(0).feature).codes < table.column(tree.node(0).feature).n_distinct
    days, failed = (table.column(name).values()[known] for name in ("days", "failed"))
    weight, first = table.weights[known], first[known]
    times = np.unique(days[failed == 1])
    assert [row[0] for row in listed.rows[:-1]] == [f"{t:g}" for t in times[:6]]
    assert listed.rows[-1][0] == f"{len(times) - 6} later"
    now = times[2]
    watched, events = days >= now, (days == now) & (failed == 1)
    d, n, m = weight[events].sum(), weight[watched].sum(), weight[watched & first].sum()
    assert [float(cell) for cell in listed.rows[2]] == pytest.approx(
        [now, d, n, m, d * m / n, d * m / n * (1 - m / n) * (n - d) / (n - 1)], rel=1e-3
    )


def test_the_landscape_can_be_drawn_by_either():
    _, table, tree = grown()
    by_test, by_deviance = landscape(tree, 0, table), landscape(tree, 0, table, "poisson")
    assert by_test.measure == "log_rank"
    assert by_test.best == pytest.approx(tree.score[0], rel=1e-9)
    assert by_deviance.best != pytest.approx(by_test.best)


def test_a_split_by_hand_has_its_statistic():
    _, table, tree = grown()
    split = tc.candidates(tree, 0, table).of("z")[2]
    from treecore.growing.forced_splits import ForcedSplit
    from treecore.growing.grower import grow_tree
    from treecore.growing.settings.grow_settings import GrowSettings

    growth = GrowSettings.from_dict(dict(tree.growth))
    forced = grow_tree(table, growth, imposed=(ForcedSplit((), "z", split.threshold),))
    assert forced.score[0] == pytest.approx(split.score, rel=1e-9)
    assert forced.gain[0] == pytest.approx(split.gain, rel=1e-9)


def test_it_is_saved_and_pruned_as_other_trees():
    _, table, tree = grown()
    again = type(tree).from_dict(tree.to_dict())
    assert again.score[0] == tree.score[0]
    cuts = tc.prune(tree, "cost_complexity", train=table, alpha=1e9)
    assert tree.cut(cuts).n_leaves == 1


def test_what_has_no_meaning_is_refused():
    frame = random_table(0)
    counts = tc.read_table(frame.drop(columns="w"), target=tc.Counts("failed", exposure="days"))
    with pytest.raises(TreecoreError, match="log_rank"):
        tc.grow(counts, "cart", score="log_rank")
    with pytest.raises(TreecoreError, match="missing value"):
        tc.grow(table_of(random_table(2)), "cart", score="log_rank", missing="own_value")
    classes = tc.read_table(frame.drop(columns=["w", "days"]), target="failed", kinds={"failed": "nominal"})
    with pytest.raises(TreecoreError, match="Log-rank"):
        tc.grow(classes, "cart", score="log_rank")


def test_no_split_where_the_groups_do_not_differ():
    frame = pd.DataFrame({"x": [1.0, 2.0] * 10, "days": np.repeat(np.arange(1, 11), 2), "failed": 1, "w": 1})
    tree = tc.grow(table_of(frame), "cart", score="log_rank")
    assert tree.n_nodes == 1
