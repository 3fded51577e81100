"""A target of survival times: grown by scaled time as rpart's method exp, told by Kaplan-Meier curves, judged by
concordance and Brier scores; with the figures of R's survival 3.5-3, rpart 4.1 and scikit-survival 0.28."""

import csv
import json
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from pages.shared.session import saved_session
from tests.unit.exported_page import data_of
from treecore.command_line.main import main
from treecore.data import why_target
from treecore.data.target_guess import may_be_survival, why_survival
from treecore.explaining.measure_arithmetic import measure_lines
from treecore.explaining.node_arithmetic import leaf_lines
from treecore.export.report import to_report
from treecore.judging.answers import answers_of
from treecore.plots.step_lines import survival_curve
from treecore.recipe import Data, Grow, Prune, Recipe, Split
from treecore.study import survival_curves as survival
from treecore.study.metrics import score
from treecore.study.other_table import other_table
from treecore.study.survival_curves import (
    censoring,
    concordance,
    integrated_brier,
    kaplan_meier,
    log_rank,
    node_curve,
    survival_curves,
    survival_score,
    survival_shares,
    survival_text,
)
from treecore.study.twins import arithmetic, judged, legend, node_tests, sentence
from treecore.target import Survival, SurvivalTarget, exponential_exposure
from treecore.tree.node_statistics import node_statistics
from treecore.view.canvas import CURVE, CanvasRequest, size
from treecore.view.split_histogram import into

TIME = np.array([5, 8, 8, 12, 12, 12, 16, 20, 20, 23, 27, 30, 33, 43, 45, 45, 48, 50, 61, 70], float)
EVENT = np.array([1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0], float)
GROUP = np.array([0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1], bool)
RISK = np.array([3, 2, 3, 3, 1, 1, 2, 3, 2, 2, 1, 3, 1, 2, 1, 1, 2, 1, 1, 1], float)


def patients(seed: int = 1, n: int = 500, gaps: float = 0.0) -> pd.DataFrame:
    """The hazard is 2.5 times as high above 60 years, and lower with the second arm."""
    draw = np.random.default_rng(seed)
    age, arm = draw.integers(30, 90, n).astype(float), draw.choice(["first", "second"], n)
    hazard = 0.02 * np.where(age > 60, 2.5, 1.0) * np.where(arm == "second", 0.5, 1.0)
    until, watched = draw.exponential(1 / hazard).round(1) + 0.1, draw.uniform(5, 80, n).round(1)
    age[draw.random(n) < gaps] = np.nan
    died = (until <= watched).astype(int)
    return pd.DataFrame({"age": age, "arm": arm, "months": np.minimum(until, watched), "died": died})


def read(frame: pd.DataFrame, **more) -> tc.Table:
    return tc.read_table(frame, target=tc.Survival("months", "died", **more))


def test_the_curve_is_r_s():
    """survfit(Surv(time, event) ~ 1, conf.type = "log-log")."""
    curve = kaplan_meier(TIME, EVENT)
    assert curve.time.tolist() == [5, 8, 12, 20, 23, 30, 33, 43, 45, 50]
    assert curve.share[[0, 3, 9]] == pytest.approx([0.95, 0.671945701357466, 0.226244343891403])
    assert curve.low[[0, 3, 9]] == pytest.approx([0.694743193256570, 0.407012782354248, 0.048269792107963])
    assert curve.high[[0, 3, 9]] == pytest.approx([0.992802228593397, 0.838748807711771, 0.482542499660970])
    assert (curve.median, *curve.median_interval) == (33, 20, 50)
    assert curve.at([4.9, 5.0, 100.0]) == pytest.approx([1.0, 0.95, curve.share[-1]])


def test_a_median_that_is_not_reached_is_infinite():
    assert kaplan_meier(np.arange(1.0, 6.0), np.array([1.0, 0, 0, 0, 0])).median == np.inf
    assert kaplan_meier(np.arange(1.0, 6.0), np.zeros(5)).at(3.0) == 1.0


def test_weights_count_rows():
    weight = np.where(GROUP, 3.0, 1.0)
    whole = kaplan_meier(np.repeat(TIME, weight.astype(int)), np.repeat(EVENT, weight.astype(int)))
    assert kaplan_meier(TIME, EVENT, weight).share == pytest.approx(whole.share)


def test_the_log_rank_test_is_r_s():
    """survdiff(Surv(time, event) ~ group)$chisq."""
    assert log_rank(TIME, EVENT, GROUP) == pytest.approx(4.16331018900165)
    assert log_rank(TIME, EVENT, ~GROUP) == pytest.approx(4.16331018900165)
    assert np.isnan(log_rank(TIME, np.zeros(20), GROUP))


def test_concordance_is_r_s_and_counts_pairs():
    """concordance(Surv(time, event) ~ risk, reverse = TRUE)."""
    assert concordance(TIME, EVENT, RISK) == pytest.approx(0.728346456692913)
    draw = np.random.default_rng(4)
    time, event = draw.integers(1, 12, 40).astype(float), draw.integers(0, 2, 40).astype(float)
    risk = draw.integers(0, 4, 40).astype(float)
    pairs = won = 0.0
    for i, j in combinations(range(40), 2):
        first, other = (i, j) if (time[i], -event[i]) < (time[j], -event[j]) else (j, i)
        if event[first] and (time[first] < time[other] or (time[first] == time[other] and not event[other])):
            pairs += 1
            won += (risk[first] > risk[other]) + (risk[first] == risk[other]) / 2
    assert concordance(time, event, risk) == pytest.approx(won / pairs)


def test_the_tree_is_rpart_s():
    """rpart(Surv(time, event) ~ risk + group, control = rpart.control(minsplit = 6, minbucket = 3, cp = 0))."""
    frame = pd.DataFrame({"risk": RISK, "group": GROUP.astype(float), "time": TIME, "event": EVENT})
    table = tc.read_table(frame, target=tc.Survival("time", "event"), kinds={"risk": "numeric", "group": "numeric"})
    tree = tc.grow(table, "rpart", min_rows_split=6, min_rows_leaf=3)
    order = [0, *(t for child in tree.children(0) for t in (child, *tree.children(child)))]
    assert tree.n_rows[order].tolist() == [20, 9, 11, 6, 5]
    rates = [1.0, 0.582827332867799, 1.660170522508982, 1.214777710620062, 2.169055781234853]
    assert tree.value[order] == pytest.approx(rates)
    errors = [24.21842305656626, 8.73657371851584, 11.20404293566011, 6.48878622362915, 3.62783147858344]
    assert tree.target_kind.leaf_errors(tree, tree.stats)[order] == pytest.approx(errors)


def test_time_is_scaled_by_the_training_rows_alone():
    frame = patients()
    table = read(frame)
    train, other = table.take(np.arange(300)), table.take(np.arange(300, 500))
    tree = tc.grow(train, "rpart", min_rows_leaf=30)
    kind = tree.schema.counts
    assert isinstance(kind, SurvivalTarget)
    months, died = (train.column(name).values() for name in ("months", "died"))
    assert kind.scaled(died, months) == pytest.approx(exponential_exposure(months, died))
    assert tree.stats[0, 1] == pytest.approx(died.sum()), "all rows together have the hazard 1"
    assert tc.grow(table.take(np.arange(300)), "rpart", min_rows_leaf=30).to_dict() == tree.to_dict()
    theirs = kind.scaled(other.column("died").values(), other.column("months").values())
    assert theirs == pytest.approx(np.interp(other.column("months").values(), kind.times, kind.hazard))


def test_a_tree_is_pruned_saved_and_judged():
    train, test = (read(patients(seed, 800)) for seed in (2, 3))
    tree = tc.grow(train, "rpart", min_rows_leaf=40)
    cuts = tc.prune(tree, "cost_complexity", train=train, choose="cross-validation", standard_errors=1)
    small = tree.cut(cuts)
    assert 1 < small.n_leaves < tree.n_leaves
    again = tc.Tree.from_dict(json.loads(json.dumps(small.to_dict())))
    assert again.to_dict() == small.to_dict()
    assert (again.predict(test) == small.predict(test)).all()
    found = survival_score(small, train, test)
    assert 0.55 < found.concordance < 0.8
    assert 0 < found.brier < found.baseline
    assert "hazard × " in str(small)
    assert "log-rank p" in survival_text(small, train)


def test_curves_are_those_of_the_rows_that_come_to_a_node():
    frame = patients(5, 400, gaps=0.1)
    table = read(frame)
    tree = tc.grow(table, "rpart", min_rows_leaf=40)
    curves = survival_curves(tree, table)
    assert set(curves) == set(range(tree.n_nodes))
    ends = tree.apply(table)
    months, died = frame["months"].to_numpy(), frame["died"].to_numpy(float)
    for node in (0, int(tree.first_child[0]), int(ends[0])):
        here = np.array([node in tree.path(int(end)) for end in ends])
        assert curves[node].share == pytest.approx(kaplan_meier(months[here], died[here]).share)
    shares = survival_shares(tree, curves, ends, np.array([0.0, 10.0, 20.0]))
    assert shares.shape == (400, 3)
    assert (shares[:, 0] == 1).all()
    assert (np.diff(shares, axis=1) <= 0).all()


def test_the_brier_score_is_that_of_the_formula():
    time, event = TIME[::2], EVENT[::2]
    censored = censoring(TIME, EVENT)
    at, share = np.array([8.0, 20.0, 40.0]), np.tile([0.9, 0.6, 0.4], (10, 1))
    scores = []
    for t, s in zip(at, (0.9, 0.6, 0.4), strict=True):
        terms = []
        for y, d in zip(time, event, strict=True):
            if y <= t and d:
                terms.append(s**2 / float(censored.at(np.nextafter(y, 0))))
            elif y > t:
                terms.append((1 - s) ** 2 / float(censored.at(t)))
            else:
                terms.append(0.0)
        scores.append(np.mean(terms))
    wanted = ((scores[0] + scores[1]) / 2 * 12 + (scores[1] + scores[2]) / 2 * 20) / 32
    assert integrated_brier(time, event, share, at, censored) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("months", 0.0, "time of row 4 is 0|not above 0"),
        ("months", -2.0, "time of row 4 is -2|not above 0"),
        ("died", 2.0, "event of row 4 is 2"),
        ("died", 0.5, "event of row 4 is 0.5|decimals"),
    ],
)
def test_what_is_no_time_and_no_event_is_named(column, value, said):
    frame = patients(n=60).astype({"died": float})
    frame.loc[3, column] = value
    with pytest.raises(tc.TreecoreError, match=said):
        tc.grow(tc.read_table(frame, target=tc.Survival("months", "died"), kinds={"died": "numeric"}), "rpart")


def test_no_event_and_one_column_for_both_are_refused():
    with pytest.raises(tc.TreecoreError, match="No row has an event"):
        tc.grow(tc.read_table(patients(n=60).assign(died=[0.0] * 60), target=tc.Survival("months", "died")), "rpart")
    with pytest.raises(tc.TreecoreError, match="two columns"):
        tc.Survival("months", "months")
    with pytest.raises(tc.TreecoreError, match="no survival times"):
        survival_curves(tc.grow(tc.read_table(patients(n=60), target="arm")), read(patients(n=60)))


def test_a_recipe_holds_times_and_events(tmp_path):
    patients().to_csv(tmp_path / "patients.csv", index=False)
    steps = (Split(1.0, 0.0, 0.0), Grow("rpart", (("min_rows_leaf", 40),)), Prune())
    recipe = Recipe((Data.of(Survival("months", "died", 0.5), features=("age", "arm")), *steps))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert again.last(Data).predicted() == Survival("months", "died", 0.5)
    table = again.read(tmp_path / "patients.csv")
    assert table.counts == SurvivalTarget("months", 0.5)
    assert (
        tc.fit(table, again).tree.to_dict()
        == tc.grow(read(patients(), shrink=0.5), "rpart", min_rows_leaf=40).to_dict()
    )
    record = saved_session._record(again, tc.data.read_raw(tmp_path / "patients.csv"))
    assert record["target"] == Survival("months", "died", 0.5)


def test_a_saved_hazard_that_falls_is_refused():
    told = tc.grow(read(patients(n=80)), "rpart").to_dict()
    told["schema"]["counts"]["hazard"][1] = -1.0
    with pytest.raises(tc.TreecoreError, match="hazard"):
        tc.Tree.from_dict(told)


def test_a_file_is_grown_and_told_in_a_terminal(tmp_path, capsys):
    path, tree = tmp_path / "patients.csv", tmp_path / "tree.json"
    patients().to_csv(path, index=False)
    grown = ["grow", str(path), "--time", "months", "--event", "died", "--preset", "rpart", "--test", "0.3"]
    assert main([*grown, "--out", str(tree)]) == 0
    capsys.readouterr()
    assert main(["survival", str(tree), str(path)]) == 0
    told = capsys.readouterr().out
    assert "median time (95 %)" in told
    assert "hazard × 1" in told
    assert main(["grow", str(path), "--time", "months"]) == 2


def test_scores_are_scikit_survival_s():
    """integrated_brier_score and concordance_index_censored of scikit-survival 0.28.0, on the same rows."""
    draw = np.random.default_rng(11)
    x = draw.integers(0, 3, 60)
    until = np.round(draw.exponential(10 * (1 + x)), 1) + 0.1
    watched = np.round(draw.uniform(3, 60, 60), 1)
    time, event = np.minimum(until, watched), (until <= watched).astype(float)
    at, rate = np.array([2.0, 5.0, 8.0, 12.0, 15.0]), 1 / (10 * (1 + x[40:]))
    censored = censoring(time[:40], event[:40])
    found = integrated_brier(time[40:], event[40:], np.exp(-rate[:, None] * at), at, censored)
    assert found == pytest.approx(0.2629889293273911, rel=1e-9)
    assert concordance(time[40:], event[40:], rate) == pytest.approx(0.484472049689441)


@pytest.mark.parametrize(
    ("time", "event", "is_guessed"),
    [
        ("months", "died", True), ("FollowUp", "DEATH_EVENT", True), ("time", "status", True), ("futime", "cens", True),
        ("days to event / Tage", "died (1=yes)", True), ("Months until relapse", "status", True),
        ("tenure", "churn", False), ("age in years", "died", False), ("height", "failed", False),
        ("time", "failed", False), ("tenure", "status", False), ("call duration", "failure", False),
        ("lifetime", "failed", True), ("tenure", "died", True),
    ],
)  # fmt: skip
def test_survival_is_guessed_by_both_names(time, event, is_guessed):
    frame = patients(n=60).rename(columns={"months": time, "died": event})
    guess = why_target(tc.data.read_raw(frame).guesses)
    assert guess.predicted == (Survival(time, event) if is_guessed else guess.name)
    assert guess.name == event


def test_survival_is_offered_where_a_time_stands_beside_the_class():
    frame = patients(n=60).rename(columns={"months": "tenure_months", "died": "churn"})
    guesses = tc.data.read_raw(frame).guesses
    assert why_target(guesses).predicted == "churn"
    assert may_be_survival(guesses, "churn").predicted == Survival("tenure_months", "churn")
    assert may_be_survival(tc.data.read_raw(frame.drop(columns="tenure_months")).guesses, "churn") is None
    assert may_be_survival(guesses, "tenure_months") is None


def test_what_is_no_event_or_no_time_is_not_guessed():
    frame = patients(n=60)
    assert not why_target(tc.data.read_raw(frame.assign(died=frame["died"] + 1)).guesses).survival, "1 and 2"
    assert not why_target(tc.data.read_raw(frame.assign(months=-frame["months"])).guesses).survival, "below 0"
    assert why_target(tc.data.read_raw(frame.assign(target=frame["died"])).guesses).predicted == "target"


def test_rows_that_are_no_events_are_named_as_in_the_file_whatever_their_role():
    frame = patients(n=200)
    frame.loc[150, "died"] = 2
    table = read(frame)
    tree = tc.grow(table.take(np.arange(100)), "rpart")
    with pytest.raises(tc.TreecoreError, match=r"neither 0 nor 1 \(first at row 151"):
        node_statistics(tree, table.take(np.arange(100, 200)))


def test_the_curve_of_a_node_is_that_of_its_rows_beside_that_of_all():
    frame = patients(gaps=0.1)
    frame.loc[7, "months"] = np.nan
    table = read(frame)
    tree = tc.grow(table, "rpart", min_rows_leaf=60)
    for node in range(tree.n_nodes):
        found, wanted = node_curve(tree, table, node), survival_curves(tree, table)[node]
        assert (found.time, found.event) == ("months", "died")
        assert np.array_equal(found.here.time, wanted.time)
        assert found.here.share == pytest.approx(wanted.share)
        assert found.here.rows == wanted.rows
        assert found.whole.rows == len(frame) - 1
        assert found.whole.until == np.nanmax(frame["months"])
    assert node_curve(tree, table.take(np.flatnonzero(tree.apply(table) != 1)), 1) is None or not tree.is_leaf[1]
    assert node_curve(tc.grow(tc.read_table(frame, target="arm")), table, 0) is None, "another target"


@pytest.mark.parametrize(
    ("times", "events", "said"),
    [
        ([1, 2, 3, 4], [1, 1, 1, 1], "Median months until died: 2 (95 %: 1 or more)"),
        ([1, 2, 3, 4], [1, 0, 0, 0], "Median months until died: not reached (95 %: from 1 on)"),
        (range(1, 101), [1] * 100, "Median months until died: 50 (95 %: 40 to 60)"),
        (range(1, 101), [1] + [0] * 99, "Median months until died: not reached"),
    ],
)
def test_a_median_that_is_not_reached_says_so(times, events, said):
    frame = pd.DataFrame({"x": np.arange(len(events)) % 3, "months": [float(t) for t in times], "died": events})
    table = read(frame)
    assert node_curve(tc.grow(table, "rpart"), table, 0).text == said


def test_the_picture_of_a_curve_has_its_band_all_rows_and_the_median():
    table = read(patients())
    tree = tc.grow(table, "rpart", min_rows_leaf=60)
    leaf = int(np.flatnonzero(tree.is_leaf)[-1])
    found = node_curve(tree, table, leaf)
    drawn = survival_curve(found)
    low, high, whole, own = drawn.data
    assert (whole.name, own.name) == ("all rows", f"node {leaf}")
    assert own.x[0] == 0
    assert own.y[0] == 1
    assert own.y[1:-1] == pytest.approx(found.here.share)
    assert own.x[-1] == found.here.until
    assert own.line.shape == whole.line.shape == low.line.shape == "hv"
    inside = (low.y <= own.y[: len(low.y)] + 1e-12) & (own.y[: len(low.y)] <= high.y + 1e-12)
    assert inside.all()
    assert [shape.x1 for shape in drawn.layout.shapes] == [found.here.median] * 2
    assert len(survival_curve(node_curve(tree, table, 0)).data) == 3


def test_the_picture_of_many_times_is_thinned_and_keeps_both_ends():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"x": draw.random(5000), "months": draw.exponential(9, 5000) + 0.01, "died": 1})
    table = read(frame)
    found = node_curve(tc.grow(table, "rpart", max_depth=0), table, 0)
    own = survival_curve(found).data[-1]
    assert len(own.x) <= 1002
    assert own.x[-2] == found.here.time[-1]
    assert own.y[-1] == pytest.approx(0.0)


def test_scores_of_many_times_are_those_of_a_part_of_them(monkeypatch):
    train, table = read(patients(2, 400)), read(patients(3, 400))
    tree = tc.grow(train, "rpart", min_rows_leaf=60)
    whole = survival_score(tree, train, table)
    monkeypatch.setattr(survival, "MOST_TIMES", 40)
    part = survival_score(tree, train, table)
    assert (part.brier, part.baseline) == pytest.approx((whole.brier, whole.baseline), abs=2e-3)
    assert (part.until, part.concordance) == (whole.until, whole.concordance)
    assert part.brier != whole.brier, "they are of fewer times"


def test_scores_say_what_can_be_said():
    train = read(patients(2, 400))
    tree = tc.grow(train, "rpart", min_rows_leaf=60)
    frame = patients(3, 50)
    said = survival_score(tree, train, read(frame)).text
    assert re.fullmatch(r"concordance 0\.\d{3}, Brier score 0\.\d{4} \(of one curve for all 0\.\d{4}\)", said)
    assert survival_score(tree, train, read(frame).take([0])).text == ""
    assert survival_score(tree, train, read(frame).take([])).text == ""


def test_rows_that_reach_few_nodes_have_the_curves_above_them():
    table, other = read(patients(2, 800)), read(patients(3, 300))
    tree = tc.grow(table, "rpart", min_rows_leaf=40)
    few = table.take(np.arange(5))
    curves, ends = survival_curves(tree, few), tree.apply(other)
    bare = next(int(end) for end in ends if int(end) not in curves)
    above = next(int(node) for node in reversed(tree.path(bare)) if int(node) in curves)
    at = np.array([5.0, 10.0])
    assert survival_shares(tree, curves, np.array([bare]), at)[0] == pytest.approx(curves[above].at(at))
    assert survival_score(tree, few, other).n_rows == 300
    with pytest.raises(tc.TreecoreError, match="No row has a time"):
        survival_score(tree, table.take(np.arange(0)), other)


def test_nothing_to_judge_has_no_score():
    table = read(patients(2, 200))
    tree = tc.grow(table, "rpart", min_rows_leaf=40)
    without = read(patients(3, 20).assign(months=[1.5] * 19 + [np.nan])).take(np.array([19]))
    for other in (table.take(np.arange(0)), without):
        found = survival_score(tree, table, other)
        assert found.n_rows == 0
        assert np.isnan([found.concordance, found.brier, found.baseline, found.until]).all()


def test_scores_count_a_row_as_often_as_it_weighs():
    train, other = read(patients(2, 300)), read(patients(3, 300))
    tree, weight = tc.grow(train, "rpart", min_rows_leaf=40), np.random.default_rng(5).integers(0, 4, 300)
    weighed = [t.with_weights(weight * 1.0) for t in (train, other)]
    repeated = [t.take(np.repeat(np.arange(300), weight)) for t in (train, other)]
    found, wanted, plain = (survival_score(tree, *pair) for pair in (weighed, repeated, (train, other)))
    names = ("concordance", "brier", "baseline", "until")
    assert [getattr(found, n) for n in names] == pytest.approx([getattr(wanted, n) for n in names])
    assert found.concordance != pytest.approx(plain.concordance, abs=1e-4)
    small = survival_score(tree, *(t.with_weights(weight / 1e3) for t in (train, other)))
    assert [getattr(small, n) for n in names] == pytest.approx([getattr(wanted, n) for n in names])
    assert np.isnan(concordance(np.ones(3), np.ones(3), np.arange(3.0), np.array([0.1, 0.2, 0.3])))


@pytest.mark.parametrize("words", [(False, True), ("False", "True"), ("no", "yes"), ("N", "Y")])
def test_events_may_be_true_and_false_or_yes_and_no(words):
    frame = patients(n=200)
    said = frame.assign(died=frame["died"].map(dict(enumerate(words))))
    tree = tc.grow(read(frame), "rpart", min_rows_leaf=30)
    assert tc.grow(read(said), "rpart", min_rows_leaf=30).to_dict() == tree.to_dict()
    later = tc.read_table(said).with_target(tc.Survival("months", "died"))
    assert tc.grow(later, "rpart", min_rows_leaf=30).to_dict() == tree.to_dict()
    assert tc.grow(read(said, shrink=1.0), "rpart", min_rows_leaf=30).value == pytest.approx(tree.value)
    judged = other_table(tree, tc.data.read_raw(said))
    assert survival_text(tree, judged) == survival_text(tree, read(frame))
    assert not why_target(tc.data.read_raw(said).guesses).survival, "unasked words are classes"
    assert why_survival(tc.data.read_raw(said).guesses, "died").predicted == Survival("months", "died")


def test_events_in_other_words_are_refused_with_what_helps():
    frame = patients(n=60)
    said = frame.assign(died=frame["died"].map({0: "alive", 1: "dead"}))
    for make in (lambda: read(said), lambda: tc.read_table(said).with_target(tc.Survival("months", "died"))):
        with pytest.raises(tc.TreecoreError, match=r"whether an event happened \(first at row.* write 1 where"):
            make()


def test_an_event_of_two_is_refused_where_rows_are_told_or_judged():
    frame = patients(n=200).astype({"died": float})
    frame.loc[150, "died"] = 2
    table = read(frame)
    train, other = table.take(np.arange(100)), table.take(np.arange(100, 200))
    tree = tc.grow(train, "rpart")
    for use in (lambda: survival_score(tree, train, other), lambda: survival_curves(tree, other)):
        with pytest.raises(tc.TreecoreError, match="neither 0 nor 1"):
            use()


def test_times_of_zero_are_not_guessed():
    frame = patients(n=60)
    frame.loc[3, "months"] = 0.0
    assert not why_target(tc.data.read_raw(frame).guesses).survival


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--time", "months", "--event", "died", "--counts"], "not both"),
        (["--time", "months", "--event", "died", "--exposure", "age"], "not both"),
        (["--time", "months"], "--event: Survival needs both"),
        (["--event", "died"], "--time: Survival needs both"),
        (["--time", "months", "--event", "died", "--target", "arm"], "Two columns are to be predicted"),
    ],
)
def test_flags_that_do_not_go_together_are_named(tmp_path, capsys, given, said):
    patients(n=60).to_csv(tmp_path / "patients.csv", index=False)
    assert main(["grow", str(tmp_path / "patients.csv"), *given]) == 2
    assert said in capsys.readouterr().err


def test_the_target_of_a_time_is_its_event(tmp_path):
    patients(n=60).to_csv(tmp_path / "patients.csv", index=False)
    trees = [tmp_path / f"{flag}.json" for flag in ("target", "event")]
    for flag, out in zip(("--target", "--event"), trees, strict=True):
        assert main(["grow", str(tmp_path / "patients.csv"), "--time", "months", flag, "died", "--out", str(out)]) == 0
    one, other = (tc.Tree.from_dict(json.loads(path.read_text())) for path in trees)
    assert isinstance(one.schema.counts, SurvivalTarget)
    assert (one.value == other.value).all()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({}, "'months' may be the time until it; here the column is predicted by itself. Another: --time months"),
        ({"months": "exposure", "died": "claims"}, "'exposure' may be what it is counted in; here the column is"),
    ],
)  # fmt: skip
def test_a_terminal_says_what_it_predicts_and_how_to_count_it(names, said, tmp_path, capsys):
    path = tmp_path / "rows.csv"
    frame = patients(n=80).rename(columns=names)
    if names:
        frame["claims"] += np.arange(80) % 3
    frame.to_csv(path, index=False)
    assert main(["grow", str(path), "--out", str(tmp_path / "tree.json")]) == 0
    assert said in "".join(capsys.readouterr())


def test_small_curves_are_those_of_the_rows_on_one_grid():
    """On cards of the canvas, in the HTML page and in the report: of each node, before that of all rows."""
    table = read(patients())
    tree = tc.grow(table, "rpart", max_depth=2, min_rows_leaf=60)
    time, event = table.column("months").values(), table.column("died").values()
    grid = np.linspace(0.0, np.quantile(time, 0.98), 33)
    ends = tree.apply(table)
    rows = [{"id": node, "leaf": bool(tree.is_leaf[node])} for node in range(tree.n_nodes)]
    into(rows, tree, table, lambda: ends)
    page = tc.export(tree, "html", rows=table)
    said = data_of(page)["SAID"]
    for node, row in enumerate(rows):
        here = (ends == node) | tree.descendants(node)[ends]
        curve = kaplan_meier(time[here], event[here])
        seen = grid[grid <= time[here].max()]
        expected = [1000 * curve.at(t) for t in seen]
        assert row["curve"]["here"] == pytest.approx(expected, abs=0.51)
        assert row["curve"]["whole"] == rows[0]["curve"]["here"]
        assert said[node]["curve"]["shares"] == row["curve"]["here"]
    assert (said[0]["curve"]["time"], said[0]["curve"]["event"]) == ("months", "died")
    assert len(rows[0]["curve"]["here"]) == 33


def test_cards_of_survival_times_have_room_for_a_curve():
    plain, curved = (size(CanvasRequest((900, 500), curve=curve), "LR", False) for curve in (0, CURVE))
    assert curved == (plain[0], plain[1] + CURVE)


def test_the_report_draws_the_leaves():
    frame = patients().rename(columns={"died": "<b>died</b>"})
    predicted = tc.Survival("months", "<b>died</b>")
    recipe = Recipe((Data.of(predicted), Grow("rpart", (("max_depth", 2),))))
    fit = tc.fit(tc.read_table(frame, target=predicted), recipe)
    report = to_report(fit)
    part = report[report.index("Curves of the leaves") : report.index("Size against error")]
    assert part.count("<svg") == fit.tree.n_leaves > 1
    assert "&lt;b&gt;died&lt;/b&gt; over months" in part
    assert "<b>" not in part


def test_segments_are_ranked_by_the_risk_until_a_horizon():
    """1 - KM(horizon) of the rows of each leaf with its interval; crossing curves change the order."""
    draw = np.random.default_rng(2)
    early, watched = np.arange(400) % 2 == 0, draw.uniform(5, 60, 400)
    until = np.where(early, draw.choice([2.0, 100.0], 400), draw.uniform(10, 50, 400))
    frame = pd.DataFrame({"arm": np.where(early, "early", "late")})
    frame = frame.assign(months=np.minimum(until, watched).round(2), died=(until <= watched) * 1)
    train, test = read(frame.iloc[:300]), read(frame.iloc[300:].reset_index(drop=True))
    tree = tc.grow(train, "rpart", max_depth=1, score="log_rank")
    assert tree.node(0).feature == "arm"
    leaf = dict(zip(("early", "late"), tree.apply(pd.DataFrame({"arm": ["early", "late"]})), strict=True))
    for horizon, first in ((5.0, "early"), (48.0, "late")):
        found = tc.segments(tree, {"train": train, "test": test}, horizon=horizon)
        assert found.node[0] == leaf[first]
        for role, rows in (("train", frame.iloc[:300]), ("test", frame.iloc[300:])):
            for place, node in enumerate(found.node):
                arm = rows[rows.arm == {node: arm for arm, node in leaf.items()}[node]]
                curve = kaplan_meier(arm.months.to_numpy(), arm.died.to_numpy())
                held = found.held[role]
                assert held.rows[place] == len(arm)
                assert held.rate[place] == pytest.approx(1 - curve.at(horizon))
                at = np.searchsorted(curve.time, horizon, side="right") - 1
                if 0 < curve.share[at] < 1:
                    assert (held.low[place], held.high[place]) == pytest.approx((1 - curve.high[at], 1 - curve.low[at]))
            pooled = kaplan_meier(rows.months.to_numpy(), rows.died.to_numpy())
            assert found.held[role].base == pytest.approx(1 - pooled.at(horizon))
    assert found.quantity == "risk of died within 48 (months)"
    assert found.rate_text(0.25) == "25.0\u00a0%"
    assert "risk_train" in found.columns()


def test_the_risk_of_a_node_in_words_and_in_its_picture():
    table = read(patients())
    tree = tc.grow(table, "rpart", max_depth=1, min_rows_leaf=60)
    found = node_curve(tree, table, 2)
    risk, low, high = found.here.risk(12.0)
    shown = [f"{100 * share:.1f}\u00a0%" for share in (risk, low, high, 1 - found.whole.at(12.0))]
    said = "Risk of died within 12 (months): {} (95 %: {} to {}), {} of all rows"
    assert found.risk_text(12.0) == said.format(*shown)
    below, above = survival_curve(found, 12.0).layout.shapes
    assert (below.x0, below.y1, above.y0, above.y1) == pytest.approx((12.0, 1 - risk, 1 - risk, 1.0))


def test_rules_of_risks_flag_by_what_the_tree_answers():
    """The first segments by risk can be flagged where they have the highest hazards too, and by these."""
    train = read(patients())
    tree = tc.grow(train, "rpart", max_depth=2, min_rows_leaf=40)
    found = tc.segments(tree, {"train": train}, horizon=12.0)
    for n in range(1, len(found)):
        rule, rest = found.rule(n), found.answers[n:].max()
        assert (rule is None) == (found.answers[:n].min() <= rest)
        if rule is not None:
            assert found.answers[:n].min() >= rule.threshold > rest
            assert found.flagged(rule).n_segments == n


def test_a_risk_has_an_interval_before_the_first_event_and_after_the_last():
    curve = kaplan_meier(np.array([3.0, 5.0, 5.0, 9.0]), np.array([1, 0, 1, 1]))
    assert curve.risk(1.0)[0] == 0.0
    assert 0.0 < curve.risk(1.0)[2] < 1.0
    assert curve.risk(4.0)[0] == pytest.approx(0.25)
    assert curve.risk(20.0)[0] == 1.0
    assert 0.0 < curve.risk(20.0)[1] < 1.0


def test_a_horizon_is_refused_where_it_means_nothing():
    train = read(patients())
    tree = tc.grow(train, "rpart", max_depth=1)
    for odd in (0.0, -1, float("nan"), "12", True, [12.0]):
        with pytest.raises(tc.TreecoreError, match="no number above 0"):
            tc.segments(tree, {"train": train}, horizon=odd)
    with pytest.raises(tc.TreecoreError, match="need rows"):
        tc.segments(tree, horizon=12.0)
    classes = tc.read_table(patients().astype({"died": str}), target="died")
    with pytest.raises(tc.TreecoreError, match="survival times"):
        tc.segments(tc.grow(classes, "cart"), {"train": classes}, horizon=12.0)


def test_texts_of_survival_speak_of_hazards_where_counts_have_rates():
    """The strip, the test of training against validation rows, and the arithmetic of measures and of answers."""
    train, held = read(patients()), read(patients(seed=2))
    tree = tc.grow(train, "rpart", max_depth=1)
    parts = judged(node_tests(tree, node_statistics(tree, train), node_statistics(tree, held), 500, 500))
    said = [
        score(tree, held).headline.root, legend(parts), sentence(parts, 0),
        *map(str, arithmetic(parts, 0)), *map(str, leaf_lines(tree, 0, train)),
        *map(str, measure_lines(answers_of(tree, held), "explained", tree)),
    ]  # fmt: skip
    assert said[0] == "one hazard for all"
    assert "Ratio of the hazards" in said[2]
    for text in said:
        assert not re.search(r"\brates?\b", text), text


def test_segments_by_risk_in_a_terminal(tmp_path, capsys):
    table, tree, data = read(patients()), tmp_path / "tree.json", tmp_path / "patients.csv"
    patients().to_csv(data, index=False)
    grown = tc.grow(table, "rpart", max_depth=1, min_rows_leaf=60)
    tree.write_text(json.dumps(grown.to_dict()), "utf-8")
    assert main(["segments", str(tree), str(data), "--horizon", "12"]) in (0, None)
    lines = capsys.readouterr().out.splitlines()
    head, first = lines[0].split(","), next(csv.reader(lines[1:2]))
    risks = tc.segments(grown, table, horizon=12.0)
    assert float(first[head.index("risk_rows")]) == pytest.approx(risks.told[0], rel=1e-6)
    assert main(["segments", str(tree), "--horizon", "12"]) not in (0, None)
    assert "need rows with their times" in capsys.readouterr().err
