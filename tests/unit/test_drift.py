"""Does a tree still hold: numbers by hand, no alarm where nothing has changed, and what has changed by name."""

import json
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data.read import months
from treecore.data.readers import read_raw
from treecore.judging.measures import measured
from treecore.study import drift
from treecore.study.metrics import score
from treecore.study.other_table import other_table


def rows(n: int, seed: int, later: float = 0.0, plans: str = "abc", answers: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    calls, plan = rng.poisson(1.5, n), rng.choice(list(plans), n)
    tenure = np.where(rng.random(n) < 0.05, np.nan, rng.gamma(2, 12 + later, n).round(1))
    risk = -2.5 + answers + 0.7 * calls + (plan == "c") - 0.03 * np.nan_to_num(tenure)
    left = np.where(rng.random(n) < 1 / (1 + np.exp(-risk)), "yes", "no")
    return pd.DataFrame({"calls": calls, "plan": plan, "tenure": tenure, "left": left})


@pytest.fixture(scope="module")
def training() -> tc.Table:
    return tc.read_table(rows(4000, 1), target="left")


@pytest.fixture(scope="module")
def tree(training) -> tc.Tree:
    return tc.grow(training, "cart", max_leaves=8)


def later(tree: tc.Tree, frame: pd.DataFrame, needs_target: bool = False) -> tc.Table:
    raw = read_raw(frame.to_csv(index=False).encode(), name="later.csv")
    return other_table(tree, raw, needs_target=needs_target)


def test_the_index_of_two_leaves_by_hand():
    frame = pd.DataFrame({"x": [0.0] * 60 + [1.0] * 40, "y": ["a"] * 60 + ["b"] * 40})
    tree = tc.grow(tc.read_table(frame, target="y"), "cart")
    new = pd.DataFrame({"x": [0.0] * 5 + [1.0] * 45})
    found = tc.check(tree, later(tree, new))
    p, q = np.array([60.5, 40.5]) / 101, np.array([5.5, 45.5]) / 51
    assert found.index == pytest.approx(sum((b - a) * log(b / a) for a, b in zip(p, q, strict=True)))
    assert found.chance == pytest.approx(6.634897 * (1 / 100 + 1 / 50), rel=1e-6)
    assert (found.then, found.now, found.tests) == (100, 50, None)
    assert not found.holds
    assert "index 1.23" in found.sentence
    assert tc.check(tree, later(tree, new), fail_above=2).holds


def test_an_empty_bin_keeps_the_index_finite(tree):
    found = tc.check(tree, later(tree, rows(50, 2, plans="c")), tc.read_table(rows(40, 3, plans="ab"), target="left"))
    assert all(np.isfinite(f.index) for f in found.features)
    assert found.features[0].name == "plan"


@pytest.mark.parametrize("with_training", [False, True])
def test_rows_of_the_same_kind_raise_no_alarm(tree, training, with_training):
    alarms = [
        tc.check(tree, later(tree, rows(1000, 10 + seed)), training if with_training else None).reasons
        for seed in range(20)
    ]
    assert alarms.count(()) >= 19


def test_the_training_rows_themselves_have_changed_nothing(tree, training):
    found = tc.check(tree, training, training)
    assert found.index == 0
    assert {f.index for f in found.features} == {0.0}
    assert found.quality_then == found.quality_now
    assert found.expected == pytest.approx(found.observed)
    assert found.expected == pytest.approx((training.target_column.labels() == "yes").mean())
    assert [leaf.then for leaf in found.leaves] == [leaf.now for leaf in found.leaves]


def test_few_rows_are_no_alarm_where_chance_explains_them(tree, training):
    found = [tc.check(tree, later(tree, rows(12, 50 + seed)), training) for seed in range(20)]
    assert max(one.index for one in found) > 0.25
    assert sum(one.holds for one in found) >= 18


def test_a_feature_that_moved_is_named_with_its_bins(tree, training):
    found = tc.check(tree, later(tree, rows(1500, 4, later=15)), training)
    first = found.features[0]
    assert first.name == "tenure"
    assert first.index > 0.25 > found.features[1].index
    assert sum(b.then for b in first.bins) == 4000
    assert sum(b.now for b in first.bins) == 1500
    assert first.missing_then == pytest.approx(np.isnan(rows(4000, 1).tenure).mean())
    assert "tenure" in found.sentence


def test_rates_that_moved_are_told_leaf_by_leaf(tree, training):
    frame = rows(3000, 5, answers=1.2)
    found = tc.check(tree, later(tree, frame), training)
    assert found.index < 0.05
    assert any(leaf.changed for leaf in found.leaves)
    assert "rates" in found.sentence
    assert found.observed == pytest.approx((frame.left == "yes").mean())
    ends = tree.apply(frame)
    for leaf in found.leaves:
        mine = frame.left[ends == leaf.node] == "yes"
        assert leaf.now == len(mine)
        assert leaf.rate_now == pytest.approx(mine.mean())
        assert leaf.low <= leaf.rate_now <= leaf.high


def test_new_levels_are_named_and_counted(tree, training):
    frame = rows(1000, 6, plans="abcd")
    found = tc.check(tree, later(tree, frame))
    plan = next(f for f in found.features if f.name == "plan")
    assert (plan.new_levels, plan.n_new) == (("d",), (frame.plan == "d").sum())
    assert any("levels of plan" in reason for reason in found.reasons)
    shown = next(f for f in tc.check(tree, later(tree, frame), training).features if f.name == "plan")
    assert shown.bins[-1] == drift.Bin("new levels", 0.0, plan.n_new)


def test_numbers_have_means_and_their_error():
    rng = np.random.default_rng(7)
    made = lambda n, shift: pd.DataFrame({"x": (x := rng.normal(size=n)), "y": np.where(x > 0, 3, 1) + shift  # noqa: E731
                                          + rng.normal(size=n)})  # fmt: skip
    train = tc.read_table(made(800, 0), target="y")
    tree = tc.grow(train, "cart", max_depth=1)
    frame = made(500, 1.0)
    found = tc.check(tree, later(tree, frame), train)
    assert found.quality == "RMSE"
    assert found.quality_now == pytest.approx(float(np.sqrt(((tree.predict(frame) - frame.y) ** 2).mean())))
    assert found.observed == pytest.approx(frame.y.mean())
    assert found.expected == pytest.approx(tree.predict(frame).mean())
    assert [leaf.changed for leaf in found.leaves] == [True, True]
    assert tc.check(tree, later(tree, made(500, 0.0)), train).holds


def test_several_classes_are_judged_by_right_answers():
    rng = np.random.default_rng(8)
    x = rng.normal(size=600)
    frame = pd.DataFrame({"x": x, "y": np.array(["a", "b", "c"])[np.digitize(x, [-0.5, 0.5])]})
    table = tc.read_table(frame, target="y")
    found = tc.check(tc.grow(table, "cart"), table)
    assert (found.about_class, found.quality, found.observed) == ("right answers", "", 1.0)
    assert tc.check(tc.grow(table, "cart"), table, class_of_interest="b").about_class == "b"


def test_weights_and_shared_rows_are_counted_as_they_count(training):
    tree = tc.grow(training, "c4.5", max_leaves=30)
    frame = rows(300, 9)
    table = later(tree, frame).with_weights(np.full(300, 2.0))
    found = tc.check(tree, table, training)
    assert found.now == pytest.approx(600)
    assert sum(f.missing_now for f in found.features if f.name == "tenure") == pytest.approx(frame.tenure.isna().mean())


def test_month_by_month(tree, training):
    frame = rows(600, 11)
    frame["day"] = np.where(np.arange(600) < 200, "2026-03-05", np.where(np.arange(600) < 590, "2026-04-30", ""))
    raw = read_raw(frame.to_csv(index=False).encode(), name="later.csv")
    table = other_table(tree, raw, needs_target=False)
    found = tc.check(tree, table, months=months(raw))
    assert [(m.name, m.n_rows) for m in found.months] == [("2026-03", 200), ("2026-04", 390)]
    alone = tc.check(tree, table.take(np.arange(200)))
    march = found.months[0]
    assert (march.index, march.expected, march.observed) == (alone.index, alone.expected, alone.observed)


def test_it_is_written_for_people_and_for_machines(tree, training):
    found = tc.check(tree, later(tree, rows(500, 12).drop(columns="left")))
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["holds"] is True
    assert data["observed"] is None
    assert len(data["leaves"]) == tree.n_leaves
    assert found.text().startswith(found.sentence)


@pytest.mark.parametrize(
    ("settings_", "where"),
    [({"fail_above": 0}, "fail_above"), ({"fail_above": float("nan")}, "fail_above"), ({"months": ["a"]}, "months")],
)
def test_what_cannot_be_compared_is_refused(tree, training, settings_, where):
    with pytest.raises(tc.TreecoreError, match=where):
        tc.check(tree, training, **settings_)
    with pytest.raises(tc.TreecoreError, match="no row"):
        tc.check(tree, training.take(np.zeros(training.n_rows, bool)))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=6))
def test_the_index_is_the_same_both_ways_and_never_negative(counts):
    one, other = (np.array(side, float) for side in zip(*counts, strict=True))
    there, back = drift._index(one, other)[0], drift._index(other, one)[0]
    assert there == pytest.approx(back)
    assert there >= 0


def claims(seed: int, young: float = 3.0, n: int = 4000) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    age, years = draw.integers(18, 80, n), draw.uniform(0.2, 3.0, n).round(2)
    rate = 0.1 * np.where(age < 30, young, 1.0)
    return pd.DataFrame({"age": age, "years": years, "claims": draw.poisson(rate * years)})


def test_rates_of_counts_are_compared_by_their_exposure():
    training = tc.read_table(claims(0), target=tc.Counts("claims", exposure="years"))
    tree = tc.grow(training, "cart", max_depth=1)
    same, other = later(tree, claims(1), True), claims(2, young=9.0)
    assert tc.check(tree, same, training).holds
    found = tc.check(tree, later(tree, other, True), training)
    assert [leaf.changed for leaf in found.leaves] == [True, False]
    assert found.observed == pytest.approx(other.claims.sum() / other.years.sum())
    young = other[other.age < tree.splits.threshold[0]]
    assert found.leaves[0].rate_now == pytest.approx(young.claims.sum() / young.years.sum())
    assert found.leaves[0].low < found.leaves[0].rate_now < found.leaves[0].high
    promised = np.where(other.age < tree.splits.threshold[0], *(leaf.rate_then for leaf in found.leaves))
    assert found.expected == pytest.approx((promised * other.years).sum() / other.years.sum())
    assert found.quality == "mean deviance"
    assert found.quality_now > found.quality_then == pytest.approx(score(tree, training).error, rel=1e-3)
    assert "claims per 10 years: expected" in found.text()
    assert "1 leaf of 2 has other rates than then" in found.sentence
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert tc.check(tree, later(tree, other.drop(columns="claims"))).tests is None


def test_hazards_of_later_rows_are_those_of_the_training_rows_times():
    def pumps(seed: int, sand: float) -> pd.DataFrame:
        draw = np.random.default_rng(seed)
        moves = draw.choice(["water", "sand"], 3000)
        fails, seen = draw.exponential(10 / np.where(moves == "sand", sand, 1.0)), draw.uniform(2, 12, 3000)
        return pd.DataFrame({"moves": moves, "t": np.minimum(fails, seen) + 0.01, "failed": (fails <= seen) * 1})

    training = tc.read_table(pumps(0, 2.0), target=tc.Survival("t", "failed"))
    tree = tc.grow(training, "cart", max_depth=1)
    assert tc.check(tree, later(tree, pumps(1, 2.0), True), training).holds
    found = tc.check(tree, later(tree, pumps(2, 5.0), True))
    changed = [leaf for leaf in found.leaves if leaf.changed]
    assert ["sand" in leaf.rule for leaf in changed] == [True]
    assert changed[0].rate_now / changed[0].rate_then == pytest.approx(2.5, rel=0.15)
    assert found.about_class == "hazard ratio of failed"


def test_effects_are_compared_with_those_that_the_leaves_had():
    def trial(seed: int, old: float) -> pd.DataFrame:
        draw = np.random.default_rng(seed)
        age, arm = draw.integers(20, 80, 6000), draw.integers(0, 2, 6000)
        y = draw.normal(0, 1, 6000) + arm * np.where(age >= 50, old, 1.0)
        return pd.DataFrame({"age": age, "arm": np.where(arm == 1, "drug", "placebo"), "y": y})

    training = tc.read_table(trial(0, 0.0), target=tc.Effect("y", "arm"))
    tree = tc.grow(training, "cart", max_depth=1)
    assert tc.check(tree, later(tree, trial(1, 0.0), True), training).holds
    now = trial(2, -1.0)
    found = tc.check(tree, later(tree, now, True), training)
    assert [leaf.changed for leaf in found.leaves] == [False, True]
    old = now[now.age >= tree.splits.threshold[0]].groupby("arm").y.mean()
    assert found.leaves[1].rate_now == pytest.approx(old["drug"] - old["placebo"])
    assert found.leaves[1].low < found.leaves[1].rate_now < found.leaves[1].high
    assert found.observed == pytest.approx(now.groupby("arm").y.mean()["drug"] - now.groupby("arm").y.mean()["placebo"])
    assert found.quality == "Qini coefficient"
    assert found.quality_now == pytest.approx(measured(tree, later(tree, now, True), "qini"))
    assert "has other effects than then" in found.sentence
    # rows of one arm have no effect that could change
    treated = tc.check(tree, later(tree, now[now.arm == "drug"], True), training)
    assert treated.holds
    assert "has changed" not in treated.sentence
    assert "nan" not in treated.text()
