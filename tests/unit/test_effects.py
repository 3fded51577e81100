"""A target of effects: what a treatment changes of an outcome, grown, pruned, judged and said by its own measures."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import treecore as tc
from treecore.command_line.main import main
from treecore.covering.learn import LEARNERS, learn_rules
from treecore.criteria.effect import effect_gains
from treecore.data import read_raw
from treecore.data.samples import read_sample
from treecore.detectors.arms import standardised_differences, unlike_arms
from treecore.ensembles import KINDS
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.judging.answers import answers_of
from treecore.judging.interest import around_zero
from treecore.judging.losses import leaf_errors
from treecore.judging.measures import MEASURES, measured, measures_for
from treecore.judging.uplift import effect_at_the_top, qini_curve
from treecore.optimal.fewest_errors import checked_questions
from treecore.plots.charts import charts_of
from treecore.plots.decision_regions import region_colors, region_map
from treecore.plots.plane_drawing import point_drawing, scale_drawing
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.pruning.risk import loss_moments
from treecore.recipe import Data, Grow, Recipe, Split
from treecore.study.column_counts import target_histogram
from treecore.study.metrics import score
from treecore.study.other_table import other_table
from treecore.study.plane import default_fixed, plot_ranges
from treecore.study.points import plane_points
from treecore.study.questions import QUESTIONS
from treecore.study.questions.question import Setup, plain_lines
from treecore.study.regions import Regions, occupied, regions
from treecore.target import Effect, EffectTarget
from treecore.target.effects import arms_p_value, effects_of, newcombe_interval, welch_interval, wilson_interval
from treecore.tree.node_statistics import node_statistics, true_target


def trial(seed: int = 0, n: int = 1200, binary: bool = True, gaps: float = 0.0) -> pd.DataFrame:
    """A drug that helps women above 50, and does others no good."""
    rng = np.random.default_rng(seed)
    age, sex, site = rng.integers(20, 80, n).astype(float), rng.choice(["f", "m"], n), rng.choice(list("ABC"), n)
    arm = rng.choice(["drug", "placebo"], n)
    chance = 0.3 + 0.1 * (site == "B") + (arm == "drug") * np.where((age > 50) & (sex == "f"), 0.45, -0.05)
    outcome = (rng.random(n) < chance).astype(float) if binary else (10 * chance + rng.normal(size=n)).round(2)
    age[rng.random(n) < gaps] = np.nan
    return pd.DataFrame({"age": age, "sex": sex, "site": site, "arm": arm, "better": outcome})


def table(*args, **more) -> tc.Table:
    return tc.read_table(trial(*args, **more), target=Effect("better", "arm"))


# reading


def test_a_table_knows_arms_and_leaves_the_treatment_out_of_the_features():
    read = table()
    assert read.task == "effects"
    assert read.features == ("age", "sex", "site")
    assert read.counts == EffectTarget("arm", "placebo", "drug", shares=True)
    assert not table(binary=False).counts.shares
    again = tc.read_table(trial()).with_target(Effect("better", "arm", control="drug"))
    assert (again.counts.control, again.counts.treated) == ("drug", "placebo")
    assert "arm" not in again.features


@pytest.mark.parametrize("arms", [("1", "0"), ("yes", "no"), ("Treated", "Control"), (True, False), ("new", "old")])
def test_the_control_is_known_by_its_name(arms):
    frame = trial()
    frame["arm"] = np.where(frame["arm"] == "drug", *arms)
    read = tc.read_table(frame, target=Effect("better", "arm"))
    assert read.counts.treated != read.counts.control
    root, expected = (tc.grow(one, "cart", max_depth=0).value[0] for one in (read, table()))
    assert root == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["a", "b", "c"], "3 values"),
        (["a"], "only 'a'|only “a”|only a"),
        (["a", "b"], "control is not said"),
        (["control", "placebo"], "control is not said"),
    ],
)
def test_a_treatment_of_other_values_is_refused(values, said):
    frame = trial(n=90)
    frame["arm"] = np.resize(values, 90)
    with pytest.raises(tc.TreecoreError, match=said):
        tc.read_table(frame, target=Effect("better", "arm"))
    with pytest.raises(tc.TreecoreError, match="is no value"):
        tc.read_table(trial(), target=Effect("better", "arm", control="nobody"))


def test_outcomes_may_be_words_and_are_no_others():
    frame = trial()
    frame["better"] = np.where(frame["better"] == 1, "yes", "no")
    read = tc.read_table(frame, target=Effect("better", "arm"))
    assert tc.grow(read, "cart", max_depth=0).value == pytest.approx(tc.grow(table(), "cart", max_depth=0).value)
    frame["better"] = np.resize(["good", "bad"], len(frame))
    with pytest.raises(tc.TreecoreError, match="better"):
        tc.read_table(frame, target=Effect("better", "arm"))
    with pytest.raises(tc.TreecoreError, match="nowhere"):
        tc.read_table(frame, target=Effect("better", "nowhere"))


@pytest.mark.parametrize("arm", ["drug", "placebo"])
def test_rows_of_one_arm_grow_nothing(arm):
    read = table()
    one = read.take(np.flatnonzero(trial()["arm"] == arm))
    with pytest.raises(tc.TreecoreError, match="rows of both arms"):
        tc.grow(one, "cart")


def test_rows_without_outcome_or_treatment_are_left_out_with_a_note():
    frame = trial()
    frame.loc[3, "arm"], frame.loc[5, "better"] = None, np.nan
    with pytest.warns(tc.errors.DataNote, match="or treatment 'arm' is missing"):
        tree = tc.grow(tc.read_table(frame, target=Effect("better", "arm")), "cart", max_depth=1)
    assert tree.n_rows[0] == len(frame) - 2


def test_an_arm_whose_rows_weigh_nothing_is_refused():
    read = table()
    weights = (trial()["arm"] == "drug").to_numpy(float)
    with pytest.raises(tc.TreecoreError, match="a weight above 0 has the value 'placebo'"):
        tc.grow(read.with_weights(weights), "cart")


def test_a_file_is_read_with_a_column_of_weights():
    frame = trial().assign(times=np.arange(1200) % 3)
    read = tc.read_table(frame, target=Effect("better", "arm"), weights="times")
    tree = tc.grow(read, "cart", max_depth=2)
    drug, placebo = (frame[frame["arm"] == arm] for arm in ("drug", "placebo"))
    means = [np.average(part["better"], weights=part["times"]) for part in (drug, placebo)]
    assert tree.value[0] == pytest.approx(means[0] - means[1])
    assert tree.n_rows[0] == 1200
    assert tree.weight[0] == frame["times"].sum()
    assert tc.prune(tree, "cost_complexity", train=read, choose="cross-validation").verdict.shape == (tree.n_nodes,)


@pytest.mark.parametrize(
    "given", [{"outcome": ""}, {"treatment": "y"}, {"min_rows": 0}, {"min_rows": 1.5}, {"control": 1}]
)
def test_a_specification_that_is_none_is_refused(given):
    with pytest.raises(tc.TreecoreError):
        Effect(**({"outcome": "y", "treatment": "w"} | given))


# growing


def test_each_leaf_has_rows_of_both_arms():
    for least in (1, 25):
        read = tc.read_table(trial(gaps=0.1), target=Effect("better", "arm", min_rows=least))
        tree = tc.grow(read, "rpart", min_rows_split=2, min_rows_leaf=1)
        w, treated = tree.stats[:, 0], tree.stats[:, 1]
        assert tree.n_leaves > 3
        assert min(treated.min(), (w - treated).min()) >= least


def test_the_split_is_where_the_drug_helps():
    tree = tc.grow(table(n=4000), "cart", max_depth=2)
    assert {tree.node(0).feature, tree.node(tree.children(0)[1]).feature} <= {"age", "sex"}
    assert tree.value.max() > 0.35
    assert tree.value.min() < 0.1


def test_honest_growing_splits_less():
    adaptive = tc.grow(table(), "cart")
    wary = tc.grow(table(), "cart", criterion="honest_effect")
    assert 1 < wary.n_leaves < adaptive.n_leaves


@pytest.mark.parametrize(
    "asked",
    [
        {"missing": "fractional"}, {"missing": "both_ways"}, {"monotonic": {"age": 1}}, {"oblique": "ridge"},
        {"nominal": "multiway"}, {"min_weight_leaf": 2.0}, {"test": "permutation"}, {"patience": 3},
        {"size_penalty": 0.1}, {"cuts": "random"}, {"criterion": "squared_error"}, {"criterion": "poisson"},
        {"score": "twoing"}, {"selector": "chaid"}, {"max_features": "sqrt"}, {"costs": {"age": 2.0}},
    ],
    ids=str,
)  # fmt: skip
def test_settings_without_a_meaning_for_effects_are_refused(asked):
    with pytest.raises(tc.TreecoreError):
        tc.grow(table(n=200), "cart", **asked)


def test_every_preset_grows_effects_or_says_why_not():
    read = table(n=300)
    for name, preset in PRESETS.items():
        if preset.serves(read.target_kind):
            assert tc.grow(read, name).task == "effects"
        else:
            with pytest.raises(tc.TreecoreError, match="effects"):
                tc.grow(read, name)


@pytest.mark.parametrize(
    "wanted",
    [ForcedSplit((), "age", threshold=50.5), ForcedSplit((), "site", branches=(("A", "C"), ("B",)))],
    ids=str,
)
@pytest.mark.parametrize("criterion", ["squared_effect", "honest_effect"])
def test_a_split_that_is_asked_for_gains_what_the_formula_says(wanted, criterion):
    tree = grow_tree(table(), tc.GrowSettings(max_depth=1, criterion=criterion), imposed=(wanted,))
    whole, *parts = tree.stats
    worth = [s[0] * effects_of(s) ** 2 for s in (whole, *parts)]
    if criterion == "honest_effect":
        spread = [i for i in tree.impurity]
        worth = [a - 2 * b for a, b in zip(worth, spread, strict=True)]
    assert tree.gain[0] == pytest.approx((sum(worth[1:]) - worth[0]) / whole[0], rel=1e-9)


def test_a_split_by_hand_that_parts_the_arms_leaves_the_answer_above():
    frame = trial(n=300)
    frame["copy"] = np.where(frame["arm"] == "drug", 1.0, 0.0) + (np.arange(300) % 7 == 0) * 0.5
    read = tc.read_table(frame, target=Effect("better", "arm"), kinds={"copy": "numeric"})
    wanted = ForcedSplit((), "copy", threshold=0.75), ForcedSplit((1,), "age", threshold=50.5)
    tree = grow_tree(read, tc.GrowSettings(max_depth=2), imposed=wanted)
    assert tree.n_nodes == 5
    assert np.array_equal(tree.value, np.full(5, tree.value[0]))
    assert (tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict()))).value == tree.value).all()
    assert np.isfinite(tc.sequence(tree).risk).all()
    assert "no rows" in str(tree)


# answers


def test_intervals_of_shares_are_newcombes():
    """Newcombe (1998), table II, method 10, of 56/70 - 48/80: 0.0524 to 0.3339; of 9/10 - 3/10: 0.1705 to 0.8090."""
    for (hits, n, other, m), expected in (
        ((56, 70, 48, 80), (0.0524, 0.3339)), ((9, 10, 3, 10), (0.1705, 0.8090)), ((10, 10, 0, 10), (0.6075, 1.0)),
    ):  # fmt: skip
        stats = np.array([n + m, n, other, hits, other, hits], float)
        assert newcombe_interval(stats) == pytest.approx(expected, abs=6e-5)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=5e-5)


def test_intervals_of_means_are_welchs():
    from scipy import stats as tests

    rng = np.random.default_rng(1)
    a, b = rng.normal(3, 1, 14), rng.normal(1, 4, 9)
    sums = np.array([23, 14, b.sum(), a.sum(), (b**2).sum(), (a**2).sum()])
    expected = tests.ttest_ind(a, b, equal_var=False).confidence_interval()
    assert welch_interval(sums) == pytest.approx((expected.low, expected.high), rel=1e-9)
    assert np.isnan(welch_interval(np.array([3.0, 1.0, 2.0, 1.0, 2.0, 1.0]))).all()


def test_words_tell_both_arms_and_the_interval():
    text = str(tc.grow(table(), "cart", max_depth=1))
    assert "drug" in text
    assert "placebo" in text
    assert "points" in text
    assert "95 %:" in text
    assert "points" not in str(tc.grow(table(binary=False), "cart", max_depth=1))


def test_a_saved_tree_comes_back_and_an_impossible_one_does_not():
    tree = tc.grow(table(gaps=0.1, binary=False), "rpart")
    told = json.loads(json.dumps(tree.to_dict()))
    again = tc.Tree.from_dict(told)
    assert again.schema.counts == tree.schema.counts
    assert (again.value == tree.value).all()
    for change in ({"share": 1.0}, {"treated": "placebo"}, {"min_rows": 0}, {"mean": "x"}):
        bad = told | {"schema": told["schema"] | {"counts": told["schema"]["counts"] | change}}
        with pytest.raises(tc.TreecoreError, match="no treatment"):
            tc.Tree.from_dict(bad)
    for at, value in ((1, 1e6), (4, -5.0), (5, 0.0)):
        bad = json.loads(json.dumps(told))
        bad["stats"][2][at] = value
        with pytest.raises(tc.TreecoreError, match="stats"):
            tc.Tree.from_dict(bad)


def test_a_recipe_holds_the_treatment():
    step = Data.of(Effect("better", "arm", "drug", 7))
    assert Recipe.from_json(Recipe((step,)).to_json()).last(Data).predicted() == Effect("better", "arm", "drug", 7)
    assert "effect of arm on better" in step.text()


# pruning and judging


@pytest.mark.parametrize("binary", [True, False])
def test_losses_follow_from_the_statistics(binary):
    read, other = table(binary=binary), table(9, binary=binary)
    tree = tc.grow(read, "cart", max_depth=4)
    through, _, _ = loss_moments(tree, other)
    assert np.allclose(node_statistics(tree, read), tree.stats, rtol=1e-9, atol=1e-6)
    assert leaf_errors(tree, node_statistics(tree, other)) == pytest.approx(through[:, 0], rel=1e-9)
    assert measured(tree, other, "transformed") == pytest.approx(tc.sequence(tree).curve(other)[0], rel=1e-9)


def test_the_transformed_outcome_has_the_mean_of_the_effect():
    read = table()
    tree = tc.grow(read, "cart", max_depth=0)
    outcome, arm = true_target(tree, read).T
    share = arm.mean()
    star = tree.target_kind.transformed(np.stack([outcome, arm], axis=1))
    assert star.mean() == pytest.approx(tree.value[0], rel=1e-12)
    plain = outcome * (arm - share) / (share * (1 - share))
    assert star.var() < plain.var()
    assert np.cov(star - plain, arm)[0, 1] != 0


@pytest.mark.parametrize("choose", ["validation", "cross-validation"])
def test_a_size_is_chosen_by_its_own_loss(choose):
    read, other = table(n=3000), table(5, n=3000)
    tree = tc.grow(read, "cart")
    cuts = tc.prune(tree, "cost_complexity", train=read, validation=other, choose=choose, folds=5)
    assert 1 < tree.cut(cuts).n_leaves < tree.n_leaves / 2
    assert "transformed outcome" in tc.sequence(tree).unit
    with pytest.raises(tc.TreecoreError, match="by its own loss"):
        tc.sequence(tree, "impurity")


def test_every_pruner_serves_effects_or_says_why_not():
    read, other = table(), table(3)
    tree = tc.grow(read, "cart")
    served = {name for name, pruner in PRUNERS.items() if pruner.serves(tree.target_kind)}
    assert served == {"none", "cost_complexity", "reduced_error", "validation_peak", "rpart_cp"}
    for name in PRUNERS:
        if name in served:
            tc.prune(tree, name, train=read, validation=other)
        else:
            with pytest.raises(tc.TreecoreError, match="effects"):
                tc.prune(tree, name, train=read, validation=other)


def test_an_honest_tree_has_the_figures_of_other_rows():
    read, other = table(gaps=0.1), table(4, n=500, gaps=0.1)
    tree = tc.grow(read, "cart", criterion="honest_effect")
    honest = tc.honest(tree, other)
    assert np.array_equal(honest.splits.threshold, tree.splits.threshold, equal_nan=True)
    assert np.allclose(honest.stats, node_statistics(tree, other))
    assert honest.n_rows[0] == 500
    own = (honest.stats[:, 1] > 0) & (honest.stats[:, 0] > honest.stats[:, 1])
    assert np.allclose(honest.value[own], effects_of(honest.stats)[own])
    assert not np.isnan(honest.value).any()
    again = tc.Tree.from_dict(json.loads(json.dumps(honest.to_dict())))
    assert (again.value == honest.value).all()


def test_a_leaf_without_an_arm_among_estimation_rows_answers_as_the_node_above():
    read = table()
    tree = tc.grow(read, "cart", max_depth=1)
    frame = trial(4, n=300)
    leaf = tree.apply(frame)
    few = frame[(leaf == 1) | (frame["arm"] == "drug")]
    honest = tc.honest(tree, tc.read_table(few, target=Effect("better", "arm")))
    assert honest.value[2] == honest.value[0]


def test_the_qini_curve_ends_at_the_effect_and_is_flat_for_one_answer():
    read, other = table(n=3000), table(8, n=3000)
    tree = tc.grow(read, "cart", max_depth=2)
    answers = answers_of(tree, other)
    curve = qini_curve(answers)
    treated = answers.exposure == 1
    assert curve.gain[-1] == pytest.approx(answers.truth[treated].mean() - answers.truth[~treated].mean())
    assert curve.coefficient > 0.02
    assert curve.coefficient == pytest.approx(measured(tree, other, "qini"))
    assert measured(tc.grow(read, "cart", max_depth=0), other, "qini") == pytest.approx(0.0, abs=1e-12)
    assert score(tree, other).headline.value == curve.coefficient


def test_a_qini_curve_by_hand():
    """Four rows in two groups: the first holds a treated 1 and a control 0, the second a treated 0 and a control 1."""
    read = tc.read_table(
        pd.DataFrame({"x": [1, 1, 2, 2], "w": [1, 0, 1, 0], "y": [1, 0, 0, 1]}),
        target=Effect("y", "w", min_rows=1), kinds={"x": "numeric"},
    )  # fmt: skip
    tree = tc.grow(read, "cart")
    assert sorted(tree.value[1:]) == [-1.0, 1.0]
    curve = qini_curve(answers_of(tree, read))
    assert curve.share.tolist() == [0.0, 0.5, 1.0]
    assert curve.gain.tolist() == [0.0, 0.5, 0.0]
    assert curve.coefficient == 0.25
    assert effect_at_the_top(answers_of(tree, read), 0.5) == 1.0
    assert effect_at_the_top(answers_of(tree, read), 0.75) == pytest.approx((1 / 1.5) - (0.5 / 1.5))


def test_measures_of_effects_are_no_others():
    tree = tc.grow(table(), "cart", max_depth=1)
    names = {m.name for m in measures_for(tree.target_kind)}
    assert names == {"qini", "top_effect", "transformed"}
    for name in set(MEASURES) - names:
        with pytest.raises(tc.TreecoreError, match="is for a target of"):
            measured(tree, table(1), name)


# others


def test_another_file_is_judged_though_its_rows_are_of_one_arm(tmp_path):
    tree = tc.grow(table(), "cart", max_depth=2)
    frame = trial(2, n=100)
    for name, rows in (("both", frame), ("one", frame[frame["arm"] == "drug"])):
        path = tmp_path / f"{name}.csv"
        rows.to_csv(path, index=False)
        read = other_table(tree, read_raw(path))
        assert read.counts == tree.schema.counts
        assert tree.predict(read).tolist() == tree.predict(rows).tolist()
    frame["arm"] = frame["arm"].replace("drug", "pill")
    frame.to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(tc.TreecoreError, match="neither"):
        answers_of(tree, other_table(tree, read_raw(tmp_path / "other.csv")))


def test_segments_are_ranked_by_the_effect():
    read, other = table(n=3000), table(7, n=1000)
    tree = tc.grow(read, "cart", max_depth=2)
    found = tc.segments(tree, {"train": read, "test": other})
    assert (np.diff(found.told) <= 0).all()
    held = found.held["test"]
    assert held.rate == pytest.approx(effects_of(node_statistics(tree, other)[found.node]))
    assert held.base == pytest.approx(effects_of(node_statistics(tree, other)[0]))
    assert not any("captured" in name or "lift" in name for name in found.columns())
    assert "total" not in found.first(100, "test").text


def test_what_knows_no_effects_says_so():
    read = table()
    tree = tc.grow(read, "cart", max_depth=2)
    for ask in (
        *(lambda kind=kind: kind.grown(read, tc.GrowSettings(max_depth=2), 2, 0, None) for kind in KINDS.values()),
        lambda: checked_questions(read, 4),
        lambda: target_histogram(tree, 0, read),
    ):
        with pytest.raises(tc.TreecoreError, match="effects"):
            ask()


def test_a_file_is_grown_pruned_and_answered_in_a_terminal(tmp_path, capsys):
    path, tree, answers = tmp_path / "trial.csv", tmp_path / "tree.json", tmp_path / "answers.csv"
    trial().to_csv(path, index=False)
    grown = ["grow", str(path), "--target", "better", "--treatment", "arm", "--control", "placebo", "--test", "0.3"]
    assert main([*grown, "--out", str(tree)]) == 0
    assert "Qini" in capsys.readouterr().err
    assert main(["predict", str(tree), str(path), "--out", str(answers)]) == 0
    assert -1.0 < float(answers.read_text().splitlines()[1].split(",")[-2]) < 1.0
    assert main(["rules", str(tree)]) == 0
    assert main(["segments", str(tree), str(path)]) == 0
    assert main(["check", str(tree), str(path), "--train", str(path), "--target", "better"]) == 0
    assert "Qini coefficient" in capsys.readouterr().out
    assert main(["grow", str(path), "--target", "better", "--treatment", "arm", "--exposure", "age"]) == 2


# as an estimator


def test_the_regressor_answers_with_effects():
    from sklearn.base import clone

    from treecore.estimators import TreeRegressor

    frame, new = trial(n=3000), trial(6, n=2000)
    X, y, arm = frame[["age", "sex", "site"]], frame["better"], frame["arm"]
    model = TreeRegressor(criterion="squared_effect", min_samples_leaf=100, max_depth=3)
    model.fit(X, y, treatment=arm)
    read = tc.read_table(frame, target=Effect("better", "arm", min_rows=100), kinds={"age": "numeric"})
    ours = tc.grow(read, "sklearn", missing="majority", max_depth=3, min_rows_leaf=100)
    assert np.allclose(model.tree_.value, ours.value)
    assert np.array_equal(model.predict(X), model.tree_.value[model.apply(X)])
    ones = clone(model).fit(X, y, treatment=(arm == "drug").astype(int))
    assert np.array_equal(ones.tree_.value, model.tree_.value)
    scored = model.score(new[["age", "sex", "site"]], new["better"], treatment=new["arm"])
    assert scored == pytest.approx(measured(ours, tc.read_table(new, target=Effect("better", "arm")), "qini"), rel=1e-9)
    honest = clone(model).set_params(honest_fraction=0.5, random_state=0).fit(X, y, treatment=arm)
    assert honest.tree_.figures_of == "estimation"


def test_an_estimator_without_its_treatment_says_so():
    from treecore.estimators import TreeRegressor

    frame = trial(n=200)
    X, y, arm = frame[["age"]], frame["better"], frame["arm"]
    effects, numbers = TreeRegressor(criterion="squared_effect"), TreeRegressor()
    for ask in (
        lambda: effects.fit(X, y),
        lambda: numbers.fit(X, y, treatment=arm),
        lambda: effects.fit(X, y, treatment=frame["site"]),
        lambda: effects.fit(X, y, treatment=arm).score(X, y),
        lambda: effects.cost_complexity_pruning_path(X, y),
        lambda: TreeRegressor(criterion="squared_effect", ccp_alpha=0.1).fit(X, y, treatment=arm),
    ):
        with pytest.raises((tc.TreecoreError, ValueError)):
            ask()
    with pytest.raises(ValueError, match="treatment has 100 rows"):
        effects.fit(X, y, treatment=arm[:100])


def test_an_estimator_takes_weights_of_rows():
    from treecore.estimators import TreeRegressor

    frame = trial(n=600)
    X, y, arm, times = frame[["age"]], frame["better"], frame["arm"], np.arange(600) % 3
    each = np.repeat(np.arange(600), times)
    made = TreeRegressor(criterion="squared_effect", min_samples_leaf=10, max_leaf_nodes=4)
    weighted = clone(made).fit(X, y, sample_weight=times, treatment=arm)
    repeated = clone(made).fit(X.iloc[each], y.iloc[each], treatment=arm.iloc[each])
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))
    assert len(np.unique(weighted.predict(X))) > 1
    score = weighted.score(X.iloc[each], y.iloc[each], treatment=arm.iloc[each])
    assert weighted.score(X, y, times, treatment=arm) == pytest.approx(score)


@pytest.mark.parametrize("odd", [None, 1, float("nan"), pd.NA], ids=repr)
def test_an_estimator_refuses_a_treatment_that_lacks_or_is_of_mixed_values(odd):
    from treecore.estimators import TreeRegressor

    frame = trial(n=200)
    arm = frame["arm"].astype(object)
    arm[3] = odd
    with pytest.raises(tc.TreecoreError, match="treatment: "):
        TreeRegressor(criterion="squared_effect").fit(frame[["age"]], frame["better"], treatment=arm)
    only = [None if name == "placebo" else name for name in frame["arm"]]
    with pytest.raises(tc.TreecoreError, match="has no value"):
        TreeRegressor(criterion="squared_effect").fit(frame[["age"]], frame["better"], treatment=only)


def test_an_estimator_judges_rows_outcomes_and_arms_of_one_length():
    from treecore.estimators import TreeRegressor

    frame = trial(n=200)
    X, y, arm = frame[["age"]], frame["better"], frame["arm"]
    model = TreeRegressor(criterion="squared_effect").fit(X, y, treatment=arm)
    for rows, outcomes, arms in ((X[:50], y, arm), (X, y[:50], arm), (X, y, arm[:50]), (X[:50], y[:50], arm)):
        with pytest.raises(ValueError, match=r"rows|numbers of samples"):
            model.score(rows, outcomes, treatment=arms)
    with pytest.raises(ValueError, match="NaN"):
        model.score(X, y.where(y.index > 3), treatment=arm)


@pytest.mark.filterwarnings("ignore::treecore.errors.DataNote")
@pytest.mark.parametrize("criterion", ["squared_effect", "honest_effect"])
def test_rows_that_are_left_out_do_not_change_what_splits_gain(criterion):
    frame = trial(n=200)[["age", "arm", "better"]]
    frame.loc[(frame.arm == "drug") & (frame.index % 4 == 0), "age"] = np.nan
    grown = [
        tc.grow(tc.read_table(rows, target=Effect("better", "arm")), "rpart", criterion=criterion, max_depth=3)
        for rows in (frame, frame.dropna())
    ]
    assert grown[0].n_nodes == grown[1].n_nodes > 1
    assert np.array_equal(grown[0].gain, grown[1].gain, equal_nan=True)
    children = grown[0].stats[[grown[0].first_child[0], grown[0].first_child[0] + 1]]
    assert grown[0].gain[0] == pytest.approx(effect_gains(children, criterion == "honest_effect"))


# balance


def test_the_share_of_treated_rows_is_tested_at_each_node():
    """chi2_contingency of scipy, without Yates's correction."""
    from scipy.stats import chi2_contingency

    tree = tc.grow(table(), "cart", max_depth=2)
    for node in range(1, tree.n_nodes):
        n, n1 = tree.stats[node][:2]
        whole, all1 = tree.stats[0][:2]
        expected = chi2_contingency([[n1, n - n1], [all1 - n1, whole - n - (all1 - n1)]], correction=False).pvalue
        assert arms_p_value(tree.stats[node], tree.stats[0]) == pytest.approx(expected, rel=1e-9)
    assert np.isnan(arms_p_value(tree.stats[0], tree.stats[0]))
    assert "no sign of imbalance" in dict(tree.target_kind.details(tree, 1))["treated"]


def test_arms_that_are_unlike_in_a_feature_are_found():
    frame = trial(n=4000)
    assert unlike_arms(tc.read_table(frame, target=Effect("better", "arm"))) == []
    chosen = (frame["age"] > 55) | (np.arange(4000) % 3 == 0)
    frame["arm"] = np.where(chosen, "drug", "placebo")
    read = tc.read_table(frame, target=Effect("better", "arm"))
    found = unlike_arms(read)
    assert [finding.column for finding in found] == ["age"]
    age, arm = frame["age"], frame["arm"] == "drug"
    apart = (age[arm].mean() - age[~arm].mean()) / np.sqrt((age[arm].var(ddof=0) + age[~arm].var(ddof=0)) / 2)
    assert standardised_differences(read)["age"] == pytest.approx(apart)


def test_two_sides_of_a_node_are_compared_by_their_effects():
    """A contrast of four means with variances of their own, whose errors are those of Welch's intervals."""
    from treecore.study.homogeneity import squared_errors, welch_of_effects

    read, other = table(binary=False), table(3, binary=False)
    tree = tc.grow(read, "cart", max_depth=1)
    stats = np.stack([node_statistics(tree, read), node_statistics(tree, other)], axis=1)
    t, df, p = welch_of_effects(stats)
    effects, errors = effects_of(stats), squared_errors(stats).sum(axis=-1)
    assert t == pytest.approx((effects[:, 1] - effects[:, 0]) / np.sqrt(errors.sum(axis=1)))
    lower, upper = welch_interval(stats[0, 0])
    assert ((upper - lower) / 2 / np.sqrt(errors[0, 0])) == pytest.approx(1.962, abs=0.01)
    assert (df > 100).all()
    assert ((p > 0) & (p <= 1)).all()


# every entry of the registries that read a tree


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_or_refused_in_a_sentence(name):
    few = {
        "bias trees": 3, "along repeats": 2, "regrown trees": 3, "many trees": 3, "optimal depth": 1, "optimal cuts": 2,
        "experiment folds": 3, "experiment samples": ["this table"], "moved to": 70.0, "moved column": "age",
    }  # fmt: skip
    setup = Setup(table(n=600), Recipe((Split(0.6, 0.2, 0.2), Grow("cart", (("max_depth", 2),)))), few)
    refused = {"bias", "many", "optimal", "fed"}
    if name in refused:
        with pytest.raises(tc.TreecoreError, match=r"effects|classes"):
            QUESTIONS[name].answer(setup)
        return
    answer = QUESTIONS[name].answer(setup)
    assert plain_lines(QUESTIONS[name].describe(answer, setup))
    charts_of(QUESTIONS[name].pictures(answer, setup))


@pytest.mark.parametrize("learner", LEARNERS)
def test_rules_straight_from_rows_are_refused(learner):
    with pytest.raises(tc.TreecoreError):
        learn_rules(table(n=300), learner)


@pytest.mark.parametrize("name", tc.FORMATS)
def test_every_export_is_written(name):
    tree = tc.grow(table(), "cart", max_depth=2)
    written = tc.export(tree, name)
    assert len(written) > 50
    if isinstance(written, str):
        assert "Squared effect" not in written, "no node is told by a number that says nothing to people"


def test_exported_code_answers_with_the_effect():
    tree, frame = tc.grow(table(gaps=0.1), "cart", max_depth=3), trial(9, n=50)
    names: dict = {}
    exec(tc.export(tree, "python"), names)  # code that treecore itself has written
    told = [names["predict"](row) for row in frame[["age", "sex", "site"]].to_dict("records")]
    assert told == pytest.approx(tree.predict(frame).tolist())


def test_the_arithmetic_ends_with_the_numbers_of_the_tree():
    from treecore.explaining.node_arithmetic import leaf_lines, split_arithmetic

    for criterion in ("squared_effect", "honest_effect"):
        read = table(gaps=0.1, binary=False)
        tree = tc.grow(read, "cart", max_depth=2, criterion=criterion)
        found = tc.candidates(tree, 0, read)
        lines = split_arithmetic(tree, 0, found, read)
        formulas = [line.tex for line in lines if hasattr(line, "tex")]
        assert any(f"{tree.gain[0]:.5g}" in tex for tex in formulas)
        text = " ".join(line.text for line in leaf_lines(tree, 1, read) if hasattr(line, "text"))
        assert "Welch" in text
        assert "Treated: " in text


def test_every_measure_is_opened_to_its_arithmetic():
    from treecore.explaining.measure_arithmetic import measure_lines

    answers = answers_of(tc.grow(table(), "cart", max_depth=2), table(5))
    for measure in measures_for(answers.target):
        assert len(measure_lines(answers, measure.name)) > 3


def plane_of(tree: tc.Tree, read: tc.Table) -> Regions:
    names = read.features[:2]
    return regions(tree, *names, default_fixed(tree, read), plot_ranges(names, read))


def test_regions_are_coloured_around_zero_and_rows_show_arm_and_outcome():
    """As cards are: an effect of 0 has the ground, one below it another hue; no row has an effect of its own."""
    read = table()
    tree = tc.grow(read, "cart", max_depth=3)
    plane = plane_of(tree, read)
    largest = np.abs(tree.value).max()
    assert plane.limits == (-largest, largest)
    assert plane.tints == tuple(around_zero(tree, value) for value in plane.value.tolist())
    alpha = region_colors(plane)[:, 3] / 255
    assert np.argmax(alpha) == np.argmax(np.abs(plane.value))
    colors = region_colors(plane)[:, :3].tolist()
    assert len({(value > 0, *color) for value, color in zip(plane.value, colors, strict=True)}) == 2
    points = plane_points(tree, plane, {"train": read})
    outcome, arm = true_target(tree, read).T
    assert points.truth.tolist() == outcome[points.row].tolist()
    assert points.arm.tolist() == arm[points.row].tolist()
    assert not points.wrong.any()
    drawn = region_map(plane, points)
    assert (drawn.layout.coloraxis.cmin, drawn.layout.coloraxis.cmax) == tuple(plane.units * v for v in plane.limits)
    shown = {trace.name: trace.marker.symbol for trace in drawn.data if trace.type == "scatter"}
    assert {shown[name] for name in points.arms} == {"circle", "triangle-up"}
    said = " ".join(text for trace in drawn.data if trace.customdata is not None for text in trace.hovertext)
    assert points.arms[1] in said
    assert "predicted effect" in said
    by_hand = point_drawing(points, plane)
    assert by_hand["roles"] == points.arm.tolist()
    assert len({*by_hand["colors"]}) == len({*outcome.tolist()})
    assert scale_drawing(plane)["stops"][1].endswith(",0)")


def test_colours_of_outcomes_reach_from_the_least_to_the_largest():
    """Also where the largest is 0, and where all are alike."""
    frame = trial()
    for outcome, ends in ((frame.better - 1.0, (-1.0, 0.0)), (frame.better * 0.0 + 5.0, (5.0, 6.0))):
        read = tc.read_table(frame.assign(better=outcome), target=Effect("better", "arm"))
        tree = tc.grow(table(binary=False), "cart", max_depth=3)
        plane = plane_of(tree, read)
        drawn = region_map(plane, plane_points(tree, plane, {"train": read}))
        rows = [trace.marker for trace in drawn.data if trace.customdata is not None and trace.marker.cmin is not None]
        assert {(marker.cmin, marker.cmax) for marker in rows} == {ends}


def test_where_rows_lie_is_drawn_of_numbers_and_effects():
    """Cells may be more than the rectangles of the plane that they are made from."""
    for read in (table(), read_sample("mpg")):
        tree = tc.grow(read, "cart", max_depth=3)
        plane = plane_of(tree, read)
        cells = occupied(tree, plane, read)
        assert len(cells.tints) == (len(cells) if tree.target_kind.diverging else 0)
        assert region_map(cells).data
