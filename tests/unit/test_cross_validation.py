"""Cross-validation of the nested sequence: worked by hand, against refits one by one, and what it refuses."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.cross_validation import AS_GROWN, cross_validated, geometric_means, make_folds, over_folds
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import prediction_only
from treecore.pruning import CrossValidated, PruningContext
from treecore.pruning.validation import smallest_within

X = np.array([1.0, 2, 3, 10, 11, 12])
FOLDS = np.array([0, 1, 2, 0, 1, 2])


def table_of(y, x=X, classes="ab", weights=None) -> Table:
    target = level_column("y", "nominal", list(y), classes) if isinstance(y, str) else numeric_column("y", np.array(y))
    return Table((numeric_column("x", np.asarray(x, float)), target), target="y", features=("x",), weights=weights)


NUMBERS = table_of([0.0, 1, 2, 10, 11, 12])


def test_classes_by_hand():
    """Every fold's tree cuts between 3 and 10 and errs nowhere; alone, its root says "a", wrong for 3 of 6 rows."""
    table = table_of("aaabbb")
    tree = tc.grow(table)
    found = cross_validated(tree, table, tc.sequence(tree), FOLDS)
    np.testing.assert_allclose(found.mean, [0, 3 / 6])
    np.testing.assert_allclose(found.error, [0, np.sqrt(3 - 9 / 6) / 6])
    np.testing.assert_allclose(found.per_fold, [[0, 0.5]] * 3)
    assert found.n_folds == 3
    assert found.alpha.tolist() == [0, np.inf]


def test_numbers_by_hand():
    """Fold 0 leaves out 0 and 10: the others' means are 1.5 and 11.5, 1.5 off each; fold 1 is 0 off, fold 2 1.5."""
    tree = tc.grow(NUMBERS, max_depth=1)
    steps = tc.sequence(tree)
    np.testing.assert_allclose(steps.alpha, [0, 25])
    found = cross_validated(tree, NUMBERS, steps, FOLDS)
    np.testing.assert_allclose(found.mean, [9 / 6, (42.25 + 12.25 + 25 + 25 + 12.25 + 42.25) / 6])
    np.testing.assert_allclose(found.error[0], np.sqrt(4 * 2.25**2 - 9**2 / 6) / 6)
    np.testing.assert_allclose(found.per_fold, [[2.25, 27.25], [0, 25], [2.25, 27.25]])


def test_case_weights_by_hand():
    """The same with the first row counting twice: fold 0's loss is 2 * 2.25 + 2.25, fold 2's tree is 0.5 - 1/6 off."""
    table = NUMBERS.with_weights(np.array([2.0, 1, 1, 1, 1, 1]))
    tree = tc.grow(table, max_depth=1)
    found = cross_validated(tree, table, tc.sequence(tree), FOLDS)
    fold_1, fold_2 = (1 - 2 / 3) ** 2, (2 - 1 / 3) ** 2 + 1.5**2
    assert found.mean[0] == pytest.approx((3 * 2.25 + fold_1 + fold_2) / 7)
    assert found.per_fold[0, 0] == pytest.approx(2.25)
    squares = 3 * 2.25**2 + fold_1**2 + (2 - 1 / 3) ** 4 + 1.5**4
    assert found.error[0] == pytest.approx(np.sqrt(squares - (7 * found.mean[0]) ** 2 / 7) / 7)


def test_geometric_means_stand_between_the_alphas():
    tree = tc.grow(table_of("aababbabb", range(9)))
    steps = tc.sequence(tree)
    means = geometric_means(steps)
    for k in range(len(steps) - 1):
        if steps.alpha[k] > 0:
            assert means[k] == pytest.approx(np.sqrt(steps.alpha[k] * steps.alpha[k + 1]))
    assert np.isinf(means[-1])


def test_splits_that_save_nothing_are_judged_as_grown():
    """aaaa | aaab is purer than aaaaaaab but errs as often: no alpha gives it, so the folds' trees stay uncut too."""
    table = table_of("aaaaaaab", [0] * 4 + [1] * 4)
    tree = tc.grow(table)
    steps = tc.sequence(tree)
    assert (steps.alpha.tolist(), steps.n_leaves.tolist()) == ([0, 0], [2, 1])
    found = cross_validated(tree, table, steps, np.arange(8) % 2)
    assert found.alpha.tolist() == [AS_GROWN, np.inf]
    np.testing.assert_allclose(found.mean, [1 / 8, 1 / 8])


def by_refits(growth, train, steps, folds, priors=None):
    """(mean, error, per fold), one refit and one prediction per fold and step."""
    alphas, codes = geometric_means(steps), train.target_column.codes
    weights = np.ones(train.n_rows) if train.weights is None else train.weights
    shares = np.bincount(codes, weights, len(train.classes)) / weights.sum() if train.classes else None
    factor = np.ones(len(train.classes)) if priors is None else np.array(priors) / shares
    loss = np.zeros((train.n_rows, len(steps)))
    for fold in np.unique(folds):
        rest, out = train.take(folds != fold), np.flatnonzero(folds == fold)
        if priors is not None:
            inside = np.bincount(rest.target_column.codes, rest.weights, len(factor)) * factor
            growth = tc.GrowSettings.from_dict(growth.to_dict() | {"priors": tuple(inside / inside.sum())})
        tree = tc.grow(rest, growth)
        scale = 1 if priors is None else inside.sum() / (rest.n_rows if rest.weights is None else rest.weights.sum())
        own = tc.sequence(tree)
        for k, alpha in enumerate(alphas):
            answers = tree.cut(own.cuts(0 if alpha < 0 else own.at_alpha(alpha / scale))).predict(train.take(out))
            loss[out, k] = _losses(train.take(out), answers, growth.loss, factor)
    sums = [(weights[:, None] * loss**p).sum(axis=0) for p in (1, 2)]
    alone = [np.average(loss[folds == f], axis=0, weights=weights[folds == f]) for f in np.unique(folds)]
    total = weights.sum()
    return sums[0] / total, np.sqrt(sums[1] - sums[0] ** 2 / total) / total, np.array(alone)


def _losses(rows, answers, loss, factor):
    if not rows.classes:
        return (rows.target_column.values() - answers) ** 2
    truth, said = rows.target_column.codes, np.array([rows.classes.index(a) for a in answers])
    cost = 1 - np.eye(len(rows.classes)) if loss is None else np.array(loss)
    return cost[truth, said] * factor[truth]


SETTINGS = {
    "titanic": [{}, {"missing": "surrogates"}, {"loss": ((0, 4), (1, 0))}, {"priors": (0.3, 0.7)},
                {"priors": (0.8, 0.2), "loss": ((0, 1), (3, 0))}],
    "iris": [{}, {"max_depth": 2}],
    "mpg": [{}, {"missing": "both_ways"}],
}  # fmt: skip
FITS = [(name, more) for name, found in SETTINGS.items() for more in found]


@pytest.mark.parametrize(("name", "more"), FITS, ids=lambda v: str(v))
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_refitting_and_predicting_fold_by_fold(name, more, weighted):
    train = read_sample(name).split(tc.Roles(0.5, 0.5, 0.0))[0]
    if weighted:
        train = train.with_weights(np.random.default_rng(1).choice([0.5, 1, 2], train.n_rows))
    tree = tc.grow(train, min_rows_leaf=4, **more)
    steps, folds = tc.sequence(tree), make_folds(train, 4, seed=3)
    found = cross_validated(tree, train, steps, folds)
    growth = tc.GrowSettings.from_dict(dict(tree.growth))
    mean, error, alone = by_refits(growth, train, steps, folds, more.get("priors"))
    np.testing.assert_allclose(found.mean, mean, rtol=1e-9)
    np.testing.assert_allclose(found.error, error, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.per_fold, alone, rtol=1e-9, atol=1e-12)


def test_the_rules_of_0_and_1_standard_errors():
    found = CrossValidated(np.array([0.21, 0.20, 0.20, 0.22, 0.25, 0.4]), np.full(6, 0.021), n_folds=10)
    assert [found.best(n) for n in (0, 0.5, 1, 2, 3)] == [2, 2, 3, 3, 4]
    assert smallest_within(np.array([np.nan, 0.2, 0.3]), np.array([np.nan, 0.1, 0.1]), 1) == 2


def test_pruning_takes_the_step_that_cross_validation_says():
    train = read_sample("titanic")
    tree = tc.grow(train)
    steps = tc.sequence(tree)
    found = cross_validated(tree, train, steps, make_folds(train, 5, 7))
    for n in (0, 1):
        cuts = tc.prune(
            tree, "cost_complexity", train=train, choose="cross-validation", folds=5, seed=7, standard_errors=n
        )
        assert tree.cut(cuts).n_leaves == steps.n_leaves[found.best(n)]
        assert cuts.judged_by == "training rows, 5 folds"
        assert f"5-fold cross-validation, {n}-SE rule" in cuts.reasons[0].text
        assert cuts.reasons[0].threshold == steps.alpha[found.best(n)]


def test_one_standard_error_of_the_validation_rows():
    """sqrt(p (1 - p) / n) of the error p of the best subtree."""
    train, validation, _ = read_sample("titanic").split(tc.Roles())
    tree = tc.grow(train)
    steps = tc.sequence(tree)
    errors = steps.curve(validation)
    limit = errors.min() + np.sqrt(errors.min() * (1 - errors.min()) / validation.n_rows)
    cuts = tc.prune(tree, "cost_complexity", validation=validation, standard_errors=1)
    assert tree.cut(cuts).n_leaves == min(steps.n_leaves[errors <= limit + 1e-12])
    assert "validation rows, 1-SE rule" in cuts.reasons[0].text


def test_a_recipe_that_cross_validates_is_replayed():
    table = read_sample("iris")
    recipe = tc.Recipe.from_json(
        '{"schema_version": 1, "steps": [{"step": "split"}, {"step": "grow"}, {"step": "prune", "method": '
        '"cost_complexity", "parameters": {"choose": "cross-validation", "folds": 4, "standard_errors": 1}}]}'
    )
    assert tc.Recipe.from_json(recipe.to_json()) == recipe
    seen = []
    fit = tc.fit(table, recipe, progress=seen.append)
    again = tc.fit(table, tc.Recipe.from_json(recipe.to_json()))
    assert fit.tree.to_dict() == again.tree.to_dict()
    assert fit.cuts.judged_by == "training rows, 4 folds"
    assert 1 < fit.tree.n_leaves < fit.grown.n_leaves
    assert (seen[-1].n_waiting, seen[-1].n_folds) == (0, 4)
    assert seen[-1].n_nodes > 4


# folds


@given(st.integers(2, 30), st.data(), st.integers(0, 3))
@settings(max_examples=60)
def test_folds_are_even_and_so_are_the_classes_in_them(n_rows, data, seed):
    n_folds = data.draw(st.integers(2, n_rows))
    y = "".join(data.draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows)))
    for table in (table_of(y, range(n_rows), "abc"), table_of([float(ord(c)) for c in y], range(n_rows))):
        folds = make_folds(table, n_folds, seed)
        sizes = np.bincount(folds, minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1
        for values in set(table.target_column.codes.tolist()) if table.classes else ():
            dealt = np.bincount(folds[table.target_column.codes == values], minlength=n_folds)
            assert dealt.max() - dealt.min() <= 1
        order = np.random.default_rng(seed).permutation(n_rows)
        assert make_folds(table.take(order), n_folds, seed).tolist() == folds[order].tolist()


def test_folds_of_a_numeric_target_spread_its_ranks_and_depend_on_the_seed():
    table = table_of(np.arange(30.0)[::-1], range(30))
    folds = make_folds(table, 5)
    for begin in range(0, 30, 5):
        assert sorted(folds[begin : begin + 5]) == [0, 1, 2, 3, 4]
    assert folds.tolist() != make_folds(table, 5, seed=1).tolist()
    assert np.bincount(make_folds(table, 7, stratify=False)).tolist() == [5, 5, 4, 4, 4, 4, 4]


@pytest.mark.parametrize("n_folds", [1, 0, -3, 7])
def test_impossible_numbers_of_folds(n_folds):
    with pytest.raises(tc.TreecoreError, match=r"folds: .* cannot be made of 6 rows. Choose 2 to 6 folds"):
        make_folds(NUMBERS, n_folds)


@pytest.mark.parametrize(
    ("folds", "told"),
    [([0, 0, 2, 2, 3, 3], "Fold 1 has no rows"), ([0, 1, 0, 1], "no folds of 6 rows"), ([0] * 6, "cannot be folds"),
     ([1] * 6, "cannot be folds"), ([0, 1, 2, 3, 4, 9], "cannot be folds"), ([-1, 0, 1, 0, 1, 0], "cannot be folds"),
     ([0.5, 1, 0, 1, 0, 1], "no folds"), (["a"] * 6, "no folds")],
)  # fmt: skip
def test_folds_that_are_none(folds, told):
    tree = tc.grow(NUMBERS)
    with pytest.raises(tc.TreecoreError, match=told):
        cross_validated(tree, NUMBERS, tc.sequence(tree), np.array(folds))


def test_folds_may_count_from_one():
    tree = tc.grow(NUMBERS, max_depth=1)
    found = [cross_validated(tree, NUMBERS, tc.sequence(tree), FOLDS + shift).mean.tolist() for shift in (0, 1)]
    assert found[0] == found[1]


def test_other_rows_than_those_of_the_tree_are_refused():
    tree = tc.grow(NUMBERS)
    with pytest.raises(tc.TreecoreError, match="grown on rows of weight 6, those given weigh 5"):
        cross_validated(tree, NUMBERS.take(np.arange(5)), tc.sequence(tree), FOLDS[:5])


def test_a_class_that_a_fold_takes_away():
    """The two c are fold 0: its tree has never seen one, and errs on both. Priors count them all the same."""
    x, y, folds = [1, 2, 3, 4, 11, 12, 13, 14, 21, 22], "aaaabbbbcc", np.array([1, 2, 1, 2, 1, 2, 1, 2, 0, 0])
    table = table_of(y, x, "abc")
    for priors, factor in ((None, 1.0), ((0.2, 0.2, 0.6), 3.0)):
        tree = tc.grow(table, priors=priors)
        found = cross_validated(tree, table, tc.sequence(tree), folds)
        assert found.per_fold[0, 0] == pytest.approx(factor)


def test_rows_of_one_class_only_are_a_lone_root():
    table = table_of("aaaab", range(5))
    tree = tc.grow(table)
    folds = np.array([0, 0, 0, 0, 1])
    trees = over_folds(tree, table, folds, lambda tree, held_out: tree)
    assert trees[1].n_nodes == 1
    assert trees[1].predict(table).tolist() == ["a"] * 5
    found = cross_validated(tree, table, tc.sequence(tree), folds)
    assert found.per_fold[1].tolist() == [1.0] * len(found.mean)


def test_a_constant_rest_of_a_numeric_target_is_a_lone_root():
    table = table_of([2.0, 2, 2, 2, 2, 8])
    tree = tc.grow(table)
    found = cross_validated(tree, table, tc.sequence(tree), np.array([0, 0, 0, 0, 0, 1]))
    assert found.per_fold[1].tolist() == [36.0] * len(found.mean)


def test_a_fold_with_all_the_weight():
    table = NUMBERS.with_weights(np.array([1.0, 0, 0, 1, 0, 0]))
    tree = tc.grow(table)
    with pytest.raises(tc.TreecoreError, match="outside fold 0 weigh nothing"):
        cross_validated(tree, table, tc.sequence(tree), FOLDS)


def test_growth_that_watches_validation_rows_goes_on_without():
    train, validation, _ = read_sample("iris").split(tc.Roles())
    tree = tc.grow(train, validation=validation, patience=3, max_leaves=10)
    assert len(cross_validated(tree, train, tc.sequence(tree), make_folds(train, 3)).mean) == len(tc.sequence(tree))


# stopping and refusing


def test_progress_may_stop_it_and_leaves_no_thread_behind():
    train = read_sample("titanic")
    tree = tc.grow(train)

    class EnoughError(BaseException):
        pass

    def stop(progress):
        raise EnoughError

    before = threading.active_count()
    with pytest.raises(EnoughError):
        tc.prune(tree, "cost_complexity", train=train, choose="cross-validation", progress=stop)
    assert threading.active_count() <= before


@pytest.mark.parametrize(
    ("parameters", "told"),
    [({"alpha": -1}, "alpha: .*at least 0"), ({"folds": 1}, "folds: .*at least 2"), ({"folds": 2.5}, "whole number"),
     ({"risk": "bits"}, "risk: .*error, impurity"), ({"choose": "test"}, "choose: .*validation, cross-validation"),
     ({"standard_errors": -1}, "standard_errors: .*at least 0"), ({"seed": -1}, "seed: "),
     ({"folds": 200, "choose": "cross-validation"}, "folds: 200 folds cannot be made of 150 rows"),
     ({}, "no validation rows to judge by.*by cross-validation, or give alpha")],
)  # fmt: skip
def test_bad_parameters_name_the_setting_and_the_way_out(parameters, told):
    train = read_sample("iris")
    with pytest.raises(tc.TreecoreError, match=told):
        tc.prune(tc.grow(train), "cost_complexity", train=train, **parameters)


def test_cross_validation_needs_the_training_rows():
    train = read_sample("iris")
    tree = tc.grow(train)
    with pytest.raises(tc.TreecoreError, match="train: Cross-validation looks at the training rows"):
        tc.prune(tree, "cost_complexity", choose="cross-validation")
    with pytest.raises(tc.TreecoreError, match="choose: Nothing is given"):
        tc.PRUNERS["cost_complexity"].cuts(tree, PruningContext(train), choose="cross-validation")


def of_letters(seed: int, n: int = 120) -> Table:
    """Two columns of letters of which one tells of the other, a number, and classes; nothing is missing."""
    rng = np.random.default_rng(seed)
    c = rng.integers(0, 12, n)
    d, y = (c // 2 + rng.integers(0, 2, n)) % 6, (c % 3 == 0) ^ (rng.random(n) < 0.2)
    letters = lambda codes, names: ("nominal", [names[i] for i in codes], tuple(names))  # noqa: E731
    columns = (
        level_column("c", *letters(c, "abcdefghijkl")), level_column("d", *letters(d, "uvwxyz")),
        numeric_column("x", c + rng.normal(size=n)), level_column("y", *letters(y.astype(int), "nj")),
    )  # fmt: skip
    return Table(columns, target="y", features=("c", "d", "x"))


def test_rows_end_where_they_would_end_in_a_tree_with_all_its_surrogates():
    """A level that is new to a node asks them, though no value is missing."""
    asked = 0
    for seed in range(10):
        table = of_letters(seed)
        folds = make_folds(table, 2, seed)
        found = over_folds(tc.grow(table, "cart"), table, folds, lambda tree, rows: tree.apply(rows))
        for fold, ends in enumerate(found):
            rest, rows = table.take(folds != fold), table.take(folds == fold)
            assert ends.tolist() == tc.grow(rest, "cart").apply(rows).tolist()
            asked += (ends != tc.grow(rest, "cart", max_surrogates=0).apply(rows)).sum()
    assert asked, "none of the tables tells the two apart"


def test_no_surrogate_is_grown_that_no_row_asks():
    growth = GrowSettings.from_dict(dict(tc.grow(NUMBERS, "cart").growth))
    assert prediction_only(growth, NUMBERS).max_surrogates == 0 < growth.max_surrogates
    gap = table_of([0.0, 1, 2, 10, 11, 12], [1, np.nan, 3, 10, 11, 12])
    letters = of_letters(0)
    assert prediction_only(growth, gap) == growth
    assert prediction_only(growth, letters) == growth
    assert prediction_only(growth, letters.with_features(("x",))) != growth
