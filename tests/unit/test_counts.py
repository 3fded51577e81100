"""A target of counts: grown by the Poisson deviance, answered by rates, judged and pruned by its own deviance."""

import json

import numpy as np
import pytest

import treecore as tc
from treecore.command_line.main import main
from treecore.criteria import CRITERIA, CriterionArgs
from treecore.criteria.impurity import impurities
from treecore.data import why_target
from treecore.data.target_guess import why_counts
from treecore.ensembles import KINDS
from treecore.figures import count
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.judging.losses import leaf_errors
from treecore.judging.measures import measured
from treecore.optimal.fewest_errors import checked_questions
from treecore.pruning.risk import loss_moments
from treecore.study.column_counts import target_histogram
from treecore.study.metrics import compare_predictions
from treecore.target import Counts, CountTarget
from treecore.target.counts import counts_deviance, rate_interval
from treecore.target.survival import exponential_exposure
from treecore.tree.node_statistics import node_statistics

NO_LOSS = np.zeros((0, 0))


def claims(seed: int = 0, n: int = 300, gaps: float = 0.0, weighted: bool = False) -> tc.Table:
    rng = np.random.default_rng(seed)
    age, town = rng.integers(18, 80, n).astype(float), rng.choice(["a", "b", "c", "d"], n)
    years = rng.uniform(0.2, 4.0, n).round(2)
    events = rng.poisson(years * np.exp(-1.0 + 0.02 * (age - 40) + 0.7 * (town == "c")))
    age[rng.random(n) < gaps] = np.nan
    rows = [(a if a == a else None, t, y, float(e)) for a, t, y, e in zip(age, town, years, events, strict=True)]
    columns = (
        tc.data.numeric_column("age", np.array([np.nan if a is None else a for a, *_ in rows])),
        tc.data.level_column("town", "nominal", [t for _, t, *_ in rows], ("a", "b", "c", "d")),
        tc.data.numeric_column("years", years),
        tc.data.numeric_column("claims", events.astype(float)),
    )
    weights = rng.choice([1.0, 2.0, 0.5], n) if weighted else None
    table = tc.Table(columns, features=("age", "town"), weights=weights)
    return table.with_target(Counts("claims", "years"))


def parts(table: tc.Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return table.column("claims").values(), table.column("years").values(), table.case_weights


def deviance(events, exposure, weight) -> float:
    """Of rows around their own rate, by the formula."""
    rate = (weight @ events) / (weight @ exposure)
    return float(weight @ counts_deviance(events, rate * exposure)) if rate > 0 else 0.0


def best_decrease(table: tc.Table) -> float:
    """The largest drop of the deviance over all cuts of age and all groupings of towns, tried one by one."""
    events, exposure, weight = parts(table)
    age, town = table.column("age").values(), table.column("town").codes
    sides = [age < cut for cut in np.unique(age)[1:]]
    sides += [np.isin(town, [k for k in range(4) if mask >> k & 1]) for mask in range(1, 15)]
    whole = deviance(events, exposure, weight)
    found = [
        whole - sum(deviance(events[s], exposure[s], weight[s]) for s in (side, ~side))
        for side in sides
        if side.any() and not side.all()
    ]
    return max(found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_root_is_split_where_the_deviance_falls_most(seed, weighted):
    table = claims(seed, weighted=weighted)
    tree = tc.grow(table, "cart", max_depth=1)
    assert tree.gain[0] * tree.weight[0] == pytest.approx(best_decrease(table), rel=1e-10)
    assert tree.impurity[0] * tree.weight[0] == pytest.approx(deviance(*parts(table)), rel=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_statistics_are_those_of_the_rows_that_reach_a_node(gaps):
    table = claims(3, gaps=gaps, weighted=True)
    tree = tc.grow(table, "rpart")
    stats = node_statistics(tree, table)
    assert tree.n_leaves > 3
    assert np.allclose(stats, tree.stats, rtol=1e-12, atol=1e-9)


def test_missing_weight_counts_cases_not_exposures():
    table = claims(5, gaps=0.3, weighted=True).with_features(["age"])
    tree = tc.grow(table, "cart", max_depth=1)
    lacking = table.column("age").missing
    assert tree.missing_weight[0] == pytest.approx(table.case_weights[lacking].sum())


def test_candidates_tell_the_same_gain_as_growth():
    table = claims(1, weighted=True)
    tree = tc.grow(table, "rpart")
    for node in np.flatnonzero(~tree.is_leaf):
        chosen = next(c for c in tc.candidates(tree, int(node), table, limit=10**4).ranked if c.chosen)
        assert chosen.gain == pytest.approx(tree.gain[node], rel=1e-9)


def test_answers_are_rates_drawn_to_that_of_all_rows():
    table = claims(2)
    tree = tc.grow(table, "rpart")
    _, exposure, events, _ = tree.stats.T
    root = events[0] / exposure[0]
    assert tree.value == pytest.approx((events + 1.0) / (exposure + 1.0 / root))
    plain = tc.grow(table.with_target(Counts("claims", "years", shrink=0.0)), "rpart")
    assert plain.value == pytest.approx(plain.stats[:, 2] / plain.stats[:, 1])


def test_deviance_follows_from_the_statistics():
    table, other = claims(0), claims(9, weighted=True)
    tree = tc.grow(table, "rpart")
    through, _, weight = loss_moments(tree, other)
    assert leaf_errors(tree, node_statistics(tree, other)) == pytest.approx(through[:, 0], rel=1e-9)
    assert measured(tree, other, "deviance") == pytest.approx(tc.sequence(tree).curve(other)[0], rel=1e-9)
    assert weight == pytest.approx(other.case_weights.sum())
    pruned = tree.cut(tc.prune(tree, "cost_complexity", train=table, choose="cross-validation", standard_errors=1.0))
    assert measured(pruned, other, "explained") > 0.0


def test_the_nested_sequence_is_that_of_the_deviance():
    tree = tc.grow(claims(4), "rpart")
    steps = tc.sequence(tree)
    root = leaf_errors(tree, tree.stats)[0] / tree.weight[0]
    assert steps.unit == "mean deviance"
    assert steps.risk[-1] == pytest.approx(root)
    assert (np.diff(steps.alpha) >= 0).all()
    assert (np.diff(steps.n_leaves) < 0).all()


def test_a_saved_tree_comes_back():
    table = claims(6, gaps=0.1)
    tree = tc.grow(table, "rpart")
    again = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.schema.counts == CountTarget("years", 1.0)
    assert again.to_dict() == tree.to_dict()
    assert (again.predict(table) == tree.predict(table)).all()


@pytest.mark.parametrize(
    ("column", "at", "change", "said"),
    [
        ("stats", 3, -5.0, "is of no counts|negative"),
        ("stats", 1, -1.0, "negative|exposure"),
        ("stats", 1, 0.0, "exposure"),
    ],
)
def test_a_saved_tree_of_impossible_counts_is_refused(column, at, change, said):
    data = tc.grow(claims(6), "rpart").to_dict()
    row = data[column][2]
    row[at] = change if at != 3 else row[at] - 1e4
    with pytest.raises(tc.TreecoreError, match=said):
        tc.Tree.from_dict(data)


def test_the_outline_tells_rate_events_exposure_and_interval():
    text = str(tc.grow(claims(), "rpart", max_depth=1))
    assert "per 10 years" in text
    assert "claims in" in text
    assert "95 %:" in text
    bare = claims().with_target(Counts("claims"))
    assert " per " not in str(tc.grow(bare, "rpart", max_depth=1))


def test_intervals_of_rates_are_garwoods():
    """Of no events in 10: ln 40 / 10 above; of 5: the table of the Poisson limits (1.623, 11.668)."""
    low, high = rate_interval(np.array([0.0, 5.0]), np.array([10.0, 1.0]))
    assert low == pytest.approx([0.0, 1.6235], abs=1e-4)
    assert high == pytest.approx([0.36889, 11.6683], abs=1e-4)


def test_rows_of_equal_rates_are_a_leaf():
    exposure = np.array([0.1, 0.3, 0.7, 1.1, 2.3, 4.0] * 4)
    columns = (
        tc.data.numeric_column("x", np.arange(24.0)),
        tc.data.numeric_column("e", exposure),
        tc.data.numeric_column("y", np.append(exposure[:12] * 10, exposure[12:] * 20)),
    )
    table = tc.Table(columns, features=("x",)).with_target(Counts("y", "e"))

    tree = grow_tree(table, tc.GrowSettings(zero_gain="split"), any_target=True)
    assert tree.n_leaves == 2
    assert tree.impurity[1:].max() == 0.0


def bad(column: str, row: int, value: float) -> tc.Table:
    table = claims(0, 40)
    changed = table.column(column).values().copy()
    changed[row] = value
    columns = tuple(tc.data.numeric_column(column, changed) if c.name == column else c for c in table.columns)
    return tc.Table(columns, target="claims", features=table.features, counts=table.counts)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("claims", -1.0, "below 0 .*row 4"),
        ("claims", 1.5, "decimals .*row 4"),
        ("years", 0.0, "not above 0 .*row 4"),
        ("years", -2.0, "not above 0 .*row 4"),
        ("claims", np.inf, "infinite"),
    ],
)
def test_what_is_no_count_and_no_exposure_is_named(column, value, said):
    with pytest.raises(tc.TreecoreError, match=said):
        tc.grow(bad(column, 3, value), "cart")


def test_rows_without_an_exposure_are_left_out_with_a_note():
    with pytest.warns(tc.errors.DataNote, match="or exposure 'years' is missing"):
        tree = tc.grow(bad("years", 3, np.nan), "cart", max_depth=1)
    assert tree.n_rows[0] == 39


@pytest.mark.parametrize(
    "settings",
    [
        {"missing": "fractional"}, {"monotonic": {"age": 1}}, {"oblique": "ridge"}, {"nominal": "multiway"},
        {"min_weight_leaf": 2.0}, {"test": "permutation"}, {"patience": 3}, {"size_penalty": 0.1}, {"cuts": "random"},
        {"criterion": "squared_error"}, {"criterion": "gini"}, {"score": "twoing"}, {"selector": "chaid"},
    ],
    ids=str,
)  # fmt: skip
def test_settings_without_a_meaning_for_counts_are_refused(settings):
    with pytest.raises(tc.TreecoreError):
        tc.grow(claims(0, 60), "cart", **settings)


@pytest.mark.parametrize("method", ["critical_value", "reptree", "pessimistic", "mdl"])
def test_pruners_without_a_meaning_for_counts_are_refused(method):
    table = claims(0)
    tree = tc.grow(table, "rpart")
    with pytest.raises(tc.TreecoreError, match="counts"):
        tc.prune(tree, method, train=table, validation=claims(1))


def test_other_targets_are_as_before():
    table = claims().with_target("claims")
    assert table.task == "regression"
    assert table.counts is None
    assert tc.grow(table, "rpart").criterion == "squared_error"


def test_an_exposure_is_no_feature():
    with pytest.raises(tc.TreecoreError, match="exposure is also a feature"):
        tc.Table(claims().columns, target="claims", features=("age", "years"), counts=CountTarget("years"))
    assert claims().with_target("town").with_features(["age", "years"]).with_target(
        Counts("claims", "years")
    ).features == ("age",)


def test_a_file_is_grown_pruned_and_answered_in_a_terminal(tmp_path, capsys):
    path, tree, answers = tmp_path / "claims.csv", tmp_path / "tree.json", tmp_path / "answers.csv"
    claims().to_frame().to_csv(path, index=False)
    grown = ["grow", str(path), "--target", "claims", "--exposure", "years", "--preset", "rpart", "--test", "0.3"]
    assert main([*grown, "--out", str(tree)]) == 0
    assert "mean deviance" in capsys.readouterr().err
    assert main(["predict", str(tree), str(path), "--out", str(answers)]) == 0
    told = answers.read_text().splitlines()
    assert told[0].endswith("answer,leaf")
    assert 0.0 < float(told[1].split(",")[-2]) < 10.0
    assert main(["rules", str(tree)]) == 0
    assert "mean deviance" in capsys.readouterr().out
    assert main(["segments", str(tree), str(path)]) == 0
    assert main(["check", str(tree), str(path), "--target", "claims"]) == 0
    assert "claims per 10 years: expected" in capsys.readouterr().out


def test_kernel_and_formula_agree_on_what_a_split_gains():
    """The part of the deviance that kernels know, in units of the largest rate, falls as much as all of it."""
    poisson, scale = CRITERIA["poisson"], 2.0**-600
    judge = CriterionArgs(poisson.code, 1.0, NO_LOSS)
    exposure, events = np.array([3.0, 5.0]), np.array([2.0, 9.0])
    full = [np.append(x, x.sum()) for x in (exposure, exposure, events, np.array([10.0, 20.0]))]
    by_formula = impurities(judge, full, full[0])
    largest = 4.0
    by_kernel = [
        largest * poisson.node(np.array([t, d / largest * scale, 0.0]), t, NO_LOSS)
        for t, d in zip(full[1], full[2], strict=True)
    ]
    drop = [i[2] - (3 * i[0] + 5 * i[1]) / 8 for i in (by_formula, by_kernel)]
    assert drop[0] == pytest.approx(drop[1], rel=1e-12)
    assert drop[0] > 0


def test_scaled_times_give_all_rows_one_rate():
    """In R 4.2.2: rpart:::rpart.exp(Surv(c(1, 2, 2, 3, 5), c(1, 0, 1, 1, 0)), NULL)$y[, 1]."""
    time, event = np.array([1.0, 2.0, 2.0, 3.0, 5.0]), np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    scaled = exponential_exposure(time, event)
    assert scaled.sum() == pytest.approx(event.sum())
    assert scaled == pytest.approx([0.2, 0.45, 0.45, 0.7, 1.2])
    with pytest.raises(tc.TreecoreError, match="No row has an event"):
        exponential_exposure(time, np.zeros(5))
    with pytest.raises(tc.TreecoreError, match="row 2 is -1"):
        exponential_exposure(np.array([1.0, -1.0]), np.ones(2))


@pytest.mark.parametrize("choose", ["validation", "cross-validation"])
def test_a_size_is_chosen_by_the_distance_of_roots(choose):
    table, other = claims(0), claims(8)
    tree = tc.grow(table, "rpart")
    cuts = tc.prune(tree, "cost_complexity", train=table, validation=other, measure="roots", choose=choose, folds=4)
    assert 1 < tree.cut(cuts).n_leaves <= tree.n_leaves
    with pytest.raises(tc.TreecoreError, match="no meaning for a target of counts"):
        tc.prune(tree, "cost_complexity", train=table, validation=other, measure="mae")


def test_what_knows_no_counts_yet_says_so():
    table = claims(0)
    tree = tc.grow(table, "rpart")
    for ask in (
        lambda: tc.honest(tree, claims(1)),
        lambda: tc.read_model(tree.to_dict()),
        *(lambda kind=kind: kind.grown(table, tc.GrowSettings(max_depth=2), 2, 0, None) for kind in KINDS.values()),
        lambda: checked_questions(table, 4),
        lambda: target_histogram(tree, 0, table),
    ):
        with pytest.raises(tc.TreecoreError, match="counts"):
            ask()


@pytest.mark.parametrize(
    "wanted",
    [
        ForcedSplit((), "age", threshold=50.5),
        ForcedSplit((), "town", branches=(("a", "c"), ("b", "d"))),
        ForcedSplit((0,), "age", threshold=25.5),
    ],
    ids=str,
)
def test_a_split_that_is_asked_for_gains_what_the_deviance_falls_by(wanted):
    table = claims(2, weighted=True)
    tree = grow_tree(table, tc.GrowSettings(max_depth=2), imposed=(wanted,))
    node = int(tree.first_child[0]) if wanted.path else 0
    sides = tree.stats[[node, *tree.children(node)]]
    whole, *parts = tree.target_kind.deviance_of(sides, tree.target_kind.mean_of(sides))
    assert tree.node(node).feature == wanted.feature
    assert tree.gain[node] * tree.weight[node] == pytest.approx(whole - sum(parts), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_missing_values_are_tried_on_both_sides(seed):
    table = claims(seed, gaps=0.3).with_features(["age"])
    tree = tc.grow(table, "cart", missing="both_ways", max_depth=1)
    events, exposure, weight = parts(table)
    age = table.column("age").values()
    sides = [(age < cut) | lacking for cut in np.unique(age[age == age])[1:] for lacking in (False, np.isnan(age))]
    sides.append(np.isnan(age))
    whole = deviance(events, exposure, weight)
    found = [whole - sum(deviance(events[s], exposure[s], weight[s]) for s in (side, ~side)) for side in sides]
    assert tree.gain[0] * tree.weight[0] == pytest.approx(max(found), rel=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_scikit_learns_poisson_trees_are_the_same(seed, weighted):
    """Its impurity is half of the deviance. It makes no branch without events, of which there is none here."""
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(400, 4)).round(2)
    y = rng.poisson(np.exp(1.5 + 0.8 * (x[:, 0] > 0.3) - 0.5 * (x[:, 1] > 0) + 0.3 * x[:, 2])).astype(float)
    weights = rng.choice([1.0, 2.0, 3.0], 400) if weighted else None
    columns = [tc.data.numeric_column(f"x{k}", x[:, k]) for k in range(4)] + [tc.data.numeric_column("y", y)]
    table = tc.Table(tuple(columns), features=("x0", "x1", "x2", "x3"), weights=weights)
    ours = tc.grow(table.with_target(Counts("y", shrink=0.0)), "sklearn", max_depth=4, min_rows_leaf=20)
    fitted = DecisionTreeRegressor(criterion="poisson", max_depth=4, min_samples_leaf=20, random_state=0)
    theirs = fitted.fit(x, y, sample_weight=weights)
    assert ours.predict(table) == pytest.approx(theirs.predict(x), rel=1e-12)
    assert np.sort(ours.impurity) == pytest.approx(np.sort(theirs.tree_.impurity * 2), rel=1e-9)
    inner = theirs.tree_.feature >= 0
    asked = sorted(zip(theirs.tree_.feature[inner], theirs.tree_.threshold[inner], strict=True))
    assert asked == sorted(zip(ours.splits.feature[~ours.is_leaf], ours.splits.threshold[~ours.is_leaf], strict=True))


def test_two_trees_are_compared_by_the_deviance():
    table, other = claims(0), claims(7)
    small, large = tc.grow(table, "rpart", max_depth=1), tc.grow(table, "rpart")
    found = compare_predictions(small, large, other)
    events, exposure, _ = parts(other)
    losses = [counts_deviance(events, tree.predict(other) * exposure) for tree in (small, large)]
    assert len(found.gained) == int((losses[1] < losses[0]).sum())
    numbers = tc.grow(table.with_target("claims"), "rpart")
    with pytest.raises(tc.TreecoreError, match="Compare trees"):
        compare_predictions(small, numbers, other)


def test_a_tree_of_numbers_before_changes_nothing():
    """Both are tables of numbers alone, grown by the same settings."""
    table = claims(0).with_features(["age"])
    assert tc.grow(table.with_target("claims"), "cart").criterion == "squared_error"
    assert tc.grow(table, "cart").criterion == "poisson"
    assert tc.grow(table.with_target("claims"), "cart").criterion == "squared_error"


def test_columns_named_as_figures_keep_their_own():
    table = claims()
    for events, exposure in (("rate", "from"), ("n", "to"), ("rows of", "rate"), ("rate", "rate (column)")):
        renamed = {"claims": events, "years": exposure}
        frame = table.to_frame().rename(columns=renamed)
        found = tc.grow(tc.read_table(frame, target=Counts(events, exposure)), "rpart", max_depth=1)
        kind, stats = found.target_kind, found.stats[0]
        told = kind.figures(found, 0, stats)
        rate = kind.units_shown(found) * stats[2] / stats[1]
        assert list(told.values())[:3] == [count(stats[2], ","), count(stats[1], ","), f"{rate:.4g}"]
        assert len(told) == 5
        assert not {"n", "rows of"} & set(told), "these stand beside it in the drawer"


@pytest.mark.parametrize("shrink", [1e-200, 1e-101, 1e100, -1.0, np.nan, np.inf])
def test_a_shrinkage_whose_square_is_no_number_is_refused(shrink):
    with pytest.raises(tc.TreecoreError, match="shrink"):
        Counts("claims", "years", shrink)
    told = tc.grow(claims(), "rpart", max_depth=1).to_dict()
    told["schema"]["counts"]["shrink"] = shrink
    with pytest.raises(tc.TreecoreError, match="describes no counts"):
        tc.Tree.from_dict(told)


def test_the_least_shrinkage_can_be_reckoned_with():
    assert np.isfinite(tc.grow(claims().with_target(Counts("claims", "years", 1e-100)), "rpart").value).all()


def test_an_exposure_of_zero_is_not_guessed():
    frame = claims().to_frame().rename(columns={"years": "exposure"})[["age", "town", "exposure", "claims"]]
    assert why_target(tc.data.read_raw(frame).guesses).predicted == Counts("claims", "exposure")
    frame.loc[3, "exposure"] = 0.0
    guesses = tc.data.read_raw(frame).guesses
    assert why_target(guesses).predicted == "claims"
    assert why_counts(guesses, "claims") is None
