"""What curves, importances and tests per answer come to, in sentences: each verdict on numbers that call for it."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.judging.measures import recall_of
from treecore.recipe import Grow, Recipe
from treecore.study import (
    MEASURES,
    Along,
    Horizon,
    answers_of,
    horizon,
    importances,
    noise_curve,
    outlook,
    partial_dependence,
    stopped,
)
from treecore.study.questions.effort import Effort, describe_effort
from treecore.study.questions.horizon import describe_horizon
from treecore.study.questions.importances import Importances, importance_sentence
from treecore.study.questions.learning_curve import curve_sentence, harms_from, outlook_of
from treecore.study.questions.partial_dependence import partial_sentence

ACCURACY, MSE = MEASURES["accuracy"], MEASURES["mse"]
N = np.array([20.0, 40, 80, 160, 320])
JUST = np.array([0.0, 0.01, -0.01, 0.005])


def rising(end: float, spread: float = 1.0) -> Along:
    """Scores that nears `end` by a power law, with repetitions around it."""
    score = (end - N**-0.5)[:, None] + spread * JUST
    return Along(N, score, score, np.full((5, 4), 3))


def test_more_rows_help_or_hardly_do():
    assert curve_sentence(rising(0.9), ACCURACY, "rows").startswith(
        "More rows like these should help. Accuracy of rows"
    )
    flat = Along(N, np.full((5, 4), 0.8), np.full((5, 4), 0.8), np.full((5, 4), 3))
    assert curve_sentence(flat, ACCURACY, "rows").startswith("More rows like these would hardly help.")
    few = Along(N / 10, flat.score, flat.score, flat.n_leaves)
    assert curve_sentence(few, ACCURACY, "rows").startswith("So few rows say little")
    noise = Along(N, 0.8 + np.random.RandomState(1).normal(0, 0.02, (5, 4)), flat.train, flat.n_leaves)
    assert "should help" not in curve_sentence(noise, ACCURACY, "rows")
    falling = Along(N, 100 + 900 * N[:, None] ** -0.5 + JUST, flat.train, flat.n_leaves)
    assert curve_sentence(falling, MSE, "rows").startswith("More rows like these should help.")


def test_no_curve_goes_beyond_what_is_possible():
    steep = np.array([0.5, 0.6, 0.71, 0.83, 0.97])[:, None] + 0 * JUST
    assert outlook(N, steep).score[-1] > 1, "the plain power law"
    of = Along(N, steep, steep, np.full((5, 4), 3))
    assert outlook_of(of, ACCURACY).score.max() <= 1
    assert outlook_of(of, ACCURACY).limit <= 1
    down = Along(N, 1 - steep, steep, of.n_leaves)
    assert outlook(N, 1 - steep).score[-1] < 0
    assert outlook_of(down, MSE).score.min() >= 0


def test_the_bounded_power_law_is_the_one_of_least_squares():
    """Against a search over limits: none within the bound fits better."""
    y = np.array([0.5, 0.6, 0.71, 0.83, 0.97])
    found = outlook(N, np.stack([y, y], axis=1), best=1.0)
    ours = ((found.limit + found.factor * N**-found.power - y) ** 2).sum()
    for limit in np.linspace(-3, 1, 200):
        for power in np.linspace(0.1, 2.0, 39):
            x = N**-power
            factor = x @ (y - limit) / (x @ x)
            assert ((limit + factor * x - y) ** 2).sum() >= ours - 1e-12


def test_from_where_on_noise_harms():
    at = np.array([0.0, 0.1, 0.2, 0.5])
    score = np.array([0.8, 0.79, 0.7, 0.5])[:, None] + np.array([[0, 0.0], [0, 0.02], [0, 0], [0, 0]])
    found = Along(at, score, score, np.full((4, 2), 5))
    assert harms_from(found, ACCURACY) == 2
    assert harms_from(found, MSE) is None
    said = curve_sentence(found, ACCURACY, "rows with x")
    assert "80.0\u00a0% at 0.0\u00a0%, 70.0\u00a0% at 20.0\u00a0%, 50.0\u00a0% at 50.0\u00a0% (rows with x)" in said
    assert "With 20.0\u00a0% or more at least nine repetitions of ten are worse than with 0.0\u00a0%." in said
    assert "Nowhere" in curve_sentence(found, MSE, "rows with x")
    lone = Along(at, score, score, np.ones((4, 2), int))
    assert "lone leaf" in curve_sentence(lone, ACCURACY, "x")


def test_noise_everywhere_harms_more_than_in_one_column():
    table, recipe = read_sample("iris"), Recipe((Grow("cart", (("max_depth", 3),)),))
    one = noise_curve(table, recipe, ACCURACY, "petalwidth", 3)
    every = noise_curve(table, recipe, ACCURACY, table.features, 3)
    assert every.score[0].tolist() == one.score[0].tolist()
    assert every.score[-1].mean() < one.score[-1].mean()


def test_recall_of_one_class():
    table = read_sample("titanic").without_missing_target()
    tree = tc.grow(table, max_depth=2)
    found = answers_of(tree, table)
    for k, name in enumerate(table.classes):
        by_hand = float((found.said[found.truth == k] == k).mean())
        assert recall_of(table.classes, name)(found) == pytest.approx(by_hand)


def test_the_ring_and_the_sentence_are_of_the_same_tree():
    """Of equal errors the fewest leaves."""
    found = Horizon(np.zeros(3), np.array([34, 9, 1]), np.full(3, 0.04), np.array([34, 1]), np.full(2, 0.04))
    assert found.best == (2, 1)
    said = [line.text for line in describe_horizon(found)]
    assert "4.0\u00a0% with one leaf; best of those pruned: 4.0\u00a0% with one leaf" in said[1]
    assert "both do as well" in said[0]
    better = np.zeros(2), np.array([9, 1]), np.array([0.2, 0.3]), np.array([9, 1]), np.array([0.1, 0.3])
    assert "bites, by 10.0 points" in describe_horizon(Horizon(*better, 0.01))[0].text
    assert "may be chance on these rows (p = 0.25)" in describe_horizon(Horizon(*better, 0.25))[0].text
    worse = better[0], better[1], better[4], better[3], better[2]
    assert "stopping does better, by 10.0 points" in describe_horizon(Horizon(*worse, 0.01))[0].text
    numbers = np.zeros(2), np.array([9, 1]), np.array([100.0, 200]), np.array([9, 1]), np.array([99.0, 200])
    assert "both do as well" in describe_horizon(Horizon(*numbers, 0.001, "mean squared error"))[0].text


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_chance_is_that_of_the_two_best_trees(sample):
    from scipy import stats

    table = read_sample(sample).without_missing_target()
    train, judged = table.take(np.arange(0, table.n_rows, 2)), table.take(np.arange(1, table.n_rows, 2))
    tree = tc.grow(train, "cart")
    found = horizon(tree, judged)
    one = stopped(tree, found.stop_at[found.best[0]])
    other = tree.cut(tc.sequence(tree).cuts(found.best[1]))
    a, b = (answers_of(t, judged) for t in (one, other))
    if tree.classes:
        wins = int((a.right & ~b.right).sum()), int((~a.right & b.right).sum())
        assert found.p == pytest.approx(stats.binomtest(wins[0], sum(wins)).pvalue)
    else:
        off = [(of.said - of.truth) ** 2 for of in (a, b)]
        assert found.p == pytest.approx(stats.ttest_rel(*off).pvalue)


def test_tests_per_answer_are_judged_by_rows_held_back():
    train, valid = Effort(10, 3.0, 5, 5, 3.3, 2.5, 2.4), Effort(5, 2.4, 4, 5, 3.3, 2.0, 1.9)
    words, grid, _ = describe_effort([("train", train, 1e-6), ("validation", valid, 2e-6)])
    assert "2.4 tests on average (validation rows), 20.0\u00a0% more than the 2" in words.text
    assert "depth, has 5" in words.text
    one = Effort(10, 1.0, 1, 1, 1.0, 1.0, 1.0)
    assert "takes 1 test on average (train rows), as many as the 1" in describe_effort([("train", one, 1e-6)])[0].text
    assert grid.columns == ("", "train", "validation")
    assert grid.rows[-1] == ("time", "1 µs", "2 µs")


CHANCE = {"a": 0.6, "b": 0.1, "c": 0, "a random number": 0.05, "a random word of 30": 0.25}


def made(**more) -> Importances:
    names = ("a", "b", "c")
    arrays = {"gain": np.array([0.7, 0.3, 0]), "mixed": np.array([0.2, 0.01, 0.0]), "mixed_sd": np.full(3, 0.02),
              "without": np.array([0.0, 0.05, -0.1]), "score": 0.8,
              "with_random": CHANCE} | more  # fmt: skip
    return Importances(names, arrays["gain"], arrays["mixed"], arrays["mixed_sd"], arrays["without"],
                       arrays["with_random"], arrays["score"])  # fmt: skip


def test_importance_is_told_in_each_way():
    told = {kind: importance_sentence(made(), kind, ACCURACY) for kind in ("mixed", "without", "gain", "chance")}
    assert told["mixed"].startswith("a counts most: with its values mixed up, Accuracy is 20.0 points worse. 2 of 3")
    assert "2 of 3 features (b, c) count no more" in told["mixed"]
    assert "2 of 3 features (a, c) are not missed." in told["without"]
    assert told["without"].startswith("b is missed most: grown without it, Accuracy is 5.0 points worse.")
    assert told["gain"] == "a makes 70.0\u00a0% of the gains of the tree's splits."
    assert "a random word of 30 makes 25.0\u00a0%" in told["chance"]
    assert "2 of 3 features (b, c) count no more than the larger of them." in told["chance"]
    nothing = made(mixed=np.zeros(3), without=np.zeros(3), gain=np.zeros(3), with_random={}, score=np.nan)
    assert importance_sentence(nothing, "mixed", ACCURACY) == "Accuracy has no value on these rows."
    assert "asks for nothing" in importance_sentence(nothing, "gain", ACCURACY)
    assert "cannot take" in importance_sentence(nothing, "chance", ACCURACY)
    assert "No feature is missed" in importance_sentence(made(without=-np.ones(3)), "without", ACCURACY)


@pytest.mark.parametrize("sample", ["mpg", "titanic"])
def test_the_ends_of_partial_dependence(sample):
    table = read_sample(sample).without_missing_target()
    tree = tc.grow(table, max_depth=3)
    name = tree.node(0).feature
    found = partial_dependence(tree, table, name)
    said = partial_sentence(found, "y", bool(tree.classes))
    if sample == "titanic":
        assert "where sex is male to" in said
    else:
        low, high = np.flatnonzero(np.diff(found.mean))[[0, -1]] + 1  # where the mean changes first and last
        assert f"above {found.edges[high]:.6g}" in said or f"below {found.edges[low]:.6g}" in said
        assert ("It never" in said) == bool((np.diff(found.mean) >= 0).all() or (np.diff(found.mean) <= 0).all())
    unused = next(n for n in table.features if n not in {tree.node(i).feature for i in range(tree.n_nodes)})
    assert "changes no mean answer" in partial_sentence(
        partial_dependence(tree, table, unused), "y", bool(tree.classes)
    )


def test_importances_of_a_real_tree_are_told():
    table = read_sample("titanic").without_missing_target()
    recipe = Recipe((Grow("cart", (("max_depth", 3),)),))
    found = importances(tc.grow(table, recipe), recipe, table, table, table, ACCURACY)
    assert importance_sentence(found, "mixed", ACCURACY).startswith("sex counts most")
