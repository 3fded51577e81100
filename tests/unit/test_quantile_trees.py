"""Trees of quantiles, medians and Huber means from their settings to words: grown, pruned, judged, saved."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_pinball_loss

import treecore as tc
from tests.unit.exported_page import data_of
from treecore.criteria.row_losses import AbsoluteLoss, HuberLoss, PinballLoss, usual_delta
from treecore.estimators import TreeRegressor
from treecore.explaining.measure_arithmetic import measure_lines
from treecore.explaining.node_arithmetic import leaf_lines
from treecore.export.cards import tree_cards, with_quantile_bars
from treecore.export.dot import ANSWER_WIDTH, INK
from treecore.export.report import to_report
from treecore.figures import tex
from treecore.judging.answers import answers_of
from treecore.judging.measures import MEASURES, measured, measures_for
from treecore.pruning.validation import losses_on
from treecore.recipe import Grow, Recipe
from treecore.study.curves import size_curve
from treecore.study.metrics import score
from treecore.study.node_targets import targets_by_role
from treecore.study.recipe_trials import repeated_folds, tree_of_fold, trials
from treecore.tree.node_statistics import node_statistics

LOSSES = [
    {"criterion": "quantile", "quantile": 0.9}, {"criterion": "huber"}, {"criterion": "huber", "delta": 3.0},
    {"criterion": "absolute_error"},
]  # fmt: skip


def prices(n: int = 300, seed: int = 4) -> tc.Table:
    """A target with a long tail and a column with gaps."""
    draw = np.random.default_rng(seed)
    area, town = draw.gamma(6, 18, n).round(), draw.choice(["north", "south", "harbour"], n)
    price = area * np.exp(0.4 * (town == "harbour") + 0.3 * draw.standard_t(3, n))
    area[draw.integers(0, n, n // 12)] = np.nan
    return tc.read_table(pd.DataFrame({"area": area, "town": town, "price": price.round(1)}), target="price")


@pytest.fixture(params=LOSSES, ids=["quantile", "huber", "huber of 3", "absolute error"])
def grown(request):
    table = prices()
    train, validation, _ = table.split(tc.Roles(train=0.6, validation=0.2, test=0.2, seed=1))
    return tc.grow(train, "cart", max_depth=4, min_rows_leaf=6, **request.param), train, validation


def loss_by_hand(tree, truth, answer) -> float:
    loss = tree.schema.row_loss
    if isinstance(loss, PinballLoss):
        return mean_pinball_loss(truth, np.broadcast_to(answer, truth.shape), alpha=loss.quantile)
    off = np.abs(truth - answer)
    if isinstance(loss, AbsoluteLoss):
        return float(off.mean())
    return float(np.where(off <= loss.delta, off**2 / 2, loss.delta * (off - loss.delta / 2)).mean())


def test_impurity_sequence_curve_and_score_are_the_mean_of_the_trees_own_loss(grown):
    tree, train, validation = grown
    steps = tc.sequence(tree)
    y = train.target_column.values()
    assert tree.impurity[0] == pytest.approx(loss_by_hand(tree, y, tree.value[0]))
    assert (
        steps.unit
        == tree.target_kind.loss_name(tree)
        == MEASURES[tree.target_kind.own_measure(tree)].label.replace("Mean", "mean")
    )
    for k in (0, len(steps) // 2, len(steps) - 1):
        small = tree.cut(steps.cuts(k))
        for table, at in ((train, steps.risk[k]), (validation, steps.curve(validation)[k])):
            by_hand = loss_by_hand(tree, table.target_column.values(), small.predict(table))
            assert at == pytest.approx(by_hand)
            assert score(small, table).error == pytest.approx(by_hand)
            assert measured(small, table, tree.target_kind.own_measure(tree)) == pytest.approx(by_hand)
    curve = size_curve(steps, {"validation": validation})
    np.testing.assert_allclose(curve.error["validation"], steps.curve(validation))
    assert curve.measure == steps.unit


def test_pruners_judge_by_it_and_those_of_means_refuse(grown):
    tree, train, validation = grown
    cuts = tc.prune(tree, "reduced_error", train=train, validation=validation)
    own = losses_on(tree, validation)
    pruned = loss_by_hand(tree, validation.target_column.values(), tree.cut(cuts).predict(validation))
    assert pruned <= own.through[0] / own.weight + 1e-9
    assert pruned <= loss_by_hand(tree, validation.target_column.values(), tree.predict(validation)) + 1e-9
    folds = tc.prune(tree, "cost_complexity", train=train, choose="cross-validation", standard_errors=1.0)
    assert tree.cut(folds).n_leaves < tree.n_leaves
    for name in ("critical_value", "reptree", "m5", "pessimistic"):
        with pytest.raises(tc.TreecoreError, match="has no meaning"):
            tc.prune(tree, name, train=train, validation=validation)


def test_a_saved_tree_has_its_loss_and_one_with_another_loss_is_refused(grown):
    tree = grown[0]
    data = json.loads(json.dumps(tree.to_dict()))
    again = tc.Tree.from_dict(data)
    assert again.schema.row_loss == tree.schema.row_loss
    np.testing.assert_array_equal(again.value, tree.value)
    for row_loss in ({"name": "quantile", "quantile": 1.5}, {"name": "huber", "delta": 0}, {"name": "gini"}, "huber"):
        with pytest.raises(tc.TreecoreError):
            tc.Tree.from_dict(data | {"schema": data["schema"] | {"row_loss": row_loss}})
    without = {name: value for name, value in data["schema"].items() if name != "row_loss"}
    if tree.criterion == "absolute_error":  # has no parameter that could be forgotten
        assert tc.Tree.from_dict(data | {"schema": without}).schema.row_loss == AbsoluteLoss()
        return
    with pytest.raises(tc.TreecoreError, match="loss"):
        tc.Tree.from_dict(data | {"schema": without})


def test_the_delta_of_the_data_is_written_down_and_the_folds_have_it():
    table = prices()
    tree = tc.grow(table, "cart", max_depth=2, criterion="huber")
    y = table.target_column.values()
    spread = np.median(np.abs(y - np.median(y)))
    assert tree.schema.row_loss.delta == tree.growth["delta"] == pytest.approx(1.345 * 1.4826 * spread)
    assert usual_delta(np.array([1.0, 1.0, 1.0, 5.0]), np.ones(4)) == pytest.approx(1.345 * 1.4826)
    assert usual_delta(np.ones(3), np.ones(3)) == 1.0


def test_the_candidates_gain_what_the_split_has(grown):
    tree, train, _ = grown
    found = tc.candidates(tree, 0, train)
    assert found.ranked[0].gain == pytest.approx(tree.gain[0])
    assert found.ranked[0].feature == tree.node(0).feature


def test_the_arithmetic_of_a_leaf_ends_at_its_answer(grown):
    tree, train, _ = grown
    for node in np.flatnonzero(tree.is_leaf)[:3].tolist():
        last = str(leaf_lines(tree, node, train)[-1])
        end = re.findall(r"[\d.]+", last.replace(",", ""))[-1]
        assert float(end) == pytest.approx(tree.value[node], rel=1e-4)


def test_measures_of_a_loss_are_for_its_own_trees(grown):
    tree, _, validation = grown
    names = {m.name for m in measures_for(tree.target_kind)}
    own = tree.schema.row_loss.measure
    other = "pinball" if own == "huber" else "huber"
    assert own in names
    assert other not in names
    with pytest.raises(tc.TreecoreError, match="a tree that was grown by"):
        MEASURES[other](answers_of(tree, validation))
    plain = tc.grow(validation, "cart", max_depth=2)
    assert not {"pinball", "huber"} & {m.name for m in measures_for(plain.target_kind)}


def test_cards_and_words_say_which_quantile():
    tree = tc.grow(prices(), "cart", max_depth=2, criterion="quantile", quantile=0.975)
    kind = tree.target_kind
    assert kind.noun == "97.5\u00a0% quantile"
    assert kind.card_text(tree, 1).startswith("97.5\u00a0%: ")
    assert kind.quantity(tree) == "97.5\u00a0% quantile of price"


def test_absolute_error_is_twice_the_pinball_loss_of_one_half_wherever_a_tree_is_judged():
    train, validation, test = prices().split(tc.Roles(train=0.6, validation=0.2, test=0.2, seed=1))
    absolute = tc.grow(train, "cart", min_rows_leaf=4, criterion="absolute_error")
    half = tc.grow(train, "cart", min_rows_leaf=4, criterion="quantile", quantile=0.5)
    a, h = tc.sequence(absolute), tc.sequence(half)
    np.testing.assert_array_equal(a.step, h.step)
    np.testing.assert_allclose(a.alpha, 2 * h.alpha, atol=1e-12)
    np.testing.assert_allclose(a.curve(validation), 2 * h.curve(validation))
    assert len(a) > 10
    folds = {"choose": "cross-validation", "standard_errors": 1.0, "train": train}
    ways = ("cost_complexity", folds), ("cost_complexity", {"validation": validation}), ("rpart_cp", {})
    for name, given in (*ways, *((name, {"validation": validation}) for name in ("reduced_error", "validation_peak"))):
        cuts = tc.prune(absolute, name, **given)
        np.testing.assert_array_equal(cuts.verdict, tc.prune(half, name, **given).verdict)
        assert 1 < absolute.cut(cuts).n_leaves < absolute.n_leaves
    assert score(absolute, test).error == score(absolute, test).mae == pytest.approx(2 * score(half, test).error)
    assert score(absolute, test).below == score(half, test).below > 0.3
    for said in (lambda t: t.target_kind.noun, lambda t: t.target_kind.card_text(t, 1), lambda t: str(t)):
        assert said(absolute) == said(half)
    assert half.target_kind.noun == "median"


def test_estimators_take_quantile_and_delta():
    table = prices()
    X, y = np.nan_to_num(table.column("area").values())[:, None], table.target_column.values()
    upper = TreeRegressor(criterion="quantile", quantile=0.9, max_depth=3, min_samples_leaf=10).fit(X, y)
    assert (y <= upper.predict(X)).mean() >= 0.88
    half = TreeRegressor(criterion="quantile", max_depth=4).fit(X, y).predict(X)
    np.testing.assert_array_equal(half, TreeRegressor(criterion="absolute_error", max_depth=4).fit(X, y).predict(X))
    wide = TreeRegressor(criterion="huber", delta=1e9, max_depth=3).fit(X, y).predict(X)
    np.testing.assert_allclose(wide, TreeRegressor(max_depth=3).fit(X, y).predict(X))
    for wrong in ({"quantile": 1.0}, {"quantile": 0.0}, {"delta": -1.0}):
        with pytest.raises(tc.TreecoreError):
            TreeRegressor(criterion="quantile", **wrong).fit(X, y)


@pytest.mark.parametrize("settings", [{"selector": "conditional"}, {"size_penalty": 0.1}, {"monotonic": {"area": 1}}])
@pytest.mark.parametrize("loss", LOSSES[:2])
def test_what_needs_means_is_refused_with_the_reason(loss, settings):
    table = prices().take(np.arange(40))
    with pytest.raises(tc.TreecoreError, match=r"means|sums|Means"):
        tc.grow(table, "cart", **loss, **settings)


def test_losses_by_hand():
    distance = np.array([-2.0, 0.0, 1.0, 5.0])
    np.testing.assert_allclose(PinballLoss(0.9).of(distance), [0.2, 0.0, 0.9, 4.5])
    np.testing.assert_allclose(HuberLoss(1.5).of(distance), [1.875, 0.0, 0.5, 6.375])
    assert HuberLoss(1.0).best(np.array([0.0, 10.0]), np.ones(2)) == 5.0


def test_bars_show_the_rows_of_each_role_on_the_scale_of_the_tree():
    table = prices()
    train, validation, _ = table.split(tc.Roles(train=0.6, validation=0.2, test=0.2, seed=1))
    tree = tc.grow(train, "cart", max_depth=2, criterion="quantile", quantile=0.8)
    rows = {"train": train, "validation": validation}
    nodes, stats = np.arange(tree.n_nodes), {role: node_statistics(tree, part) for role, part in rows.items()}
    cards = with_quantile_bars(tree_cards(tree, nodes, stats), tree, targets_by_role(tree, rows))
    low, high = tree.value.min(), tree.value.max()
    for card in cards:
        assert card.bars[0].value == pytest.approx((tree.value[card.id] - low) / (high - low))
    y = validation.target_column.values()
    first, at, last = (np.quantile(y, share, method="averaged_inverted_cdf") for share in (0.1, 0.8, 0.9))
    assert cards[0].bars[1].value == pytest.approx((at - low) / (high - low))
    assert cards[0].bars[1].band == pytest.approx(np.clip([(y - low) / (high - low) for y in (first, last)], 0, 1))
    assert targets_by_role(tc.grow(train, "cart", max_depth=2), rows) == {}


@pytest.mark.parametrize("growth", [{"criterion": "quantile", "quantile": 0.8}, {"criterion": "huber"}])
def test_files_show_where_the_training_rows_lie(growth):
    """The picture and the page have the bars of the screen, where the training rows are given with them."""
    table = prices()
    tree = tc.grow(table, "cart", max_depth=1, **growth)
    y = table.target_column.values()[tree.apply(table) == 1]
    low, high = tree.value.min(), tree.value.max()
    ends = [np.quantile(y, share, method="averaged_inverted_cdf") for share in (0.1, 0.9)]
    begin, at, end = np.clip((np.array([ends[0], tree.value[1], ends[1]]) - low) / (high - low), 0, 1)
    said = data_of(tc.export(tree, "html", rows=table))["SAID"]
    assert said[1]["spread"] == pytest.approx([begin, at, end], abs=1e-4)
    assert dict(map(tuple, said[1]["figures"]))["bar"].endswith(f"10 % to 90 %: {ends[0]:.6g} to {ends[1]:.6g}")
    bars = "10 % to 90 % of the rows"
    assert bars in tc.export(tree, "svg", rows=table).decode()
    assert bars not in tc.export(tree, "svg").decode()
    drawn = tc.export(tree, "dot", rows=table).partition("n1 [")[2]
    cells = re.findall(r'WIDTH="(\d+)" HEIGHT="8" BGCOLOR="(#\w+)"', drawn)
    mark = [color for _, color in cells].index(INK)
    assert sum(int(wide) for wide, _ in cells[:mark]) == min(round(at * 80), 80 - ANSWER_WIDTH)
    without = tc.export(tree, "html", rows=table.take(np.arange(50)))
    assert '"spread"' not in without, "other rows than those of the figures"


def test_every_measure_of_its_answers_is_opened_down_to_rows(grown):
    tree, _, validation = grown
    answers = answers_of(tree, validation)
    for measure in measures_for(tree.target_kind):
        assert f"= {tex(measure(answers))}" in " ".join(map(str, measure_lines(answers, measure.name, tree)))


@pytest.mark.parametrize(("settings", "name"), [(LOSSES[0], "pinball"), (LOSSES[1], "huber")])
def test_other_recipes_are_judged_by_the_loss_of_the_first(settings, name):
    """A tree of means beside one of a quantile: both by the pinball loss of this quantile, fold by fold."""
    table = prices()
    grows = {"A": Grow("cart", (*settings.items(), ("max_depth", 2))), "B": Grow("cart", (("max_depth", 2),))}
    recipes, folds = {letter: Recipe((grow,)) for letter, grow in grows.items()}, repeated_folds(table, 3)
    found = trials(table, recipes, folds)
    scores = found.scores(MEASURES[name])
    for i, recipe in enumerate(recipes.values()):
        for fold in range(3):
            of, first = (tree_of_fold(table, r, folds[0] == fold) for r in (recipe, recipes["A"]))
            distance = of.judged.target_column.values() - of.tree.predict(of.judged)
            assert scores[i, fold] == pytest.approx(first.tree.schema.row_loss.of(distance).mean())
    assert not np.allclose(*scores)
    assert found.scores(MEASURES["rmse"]).shape == (2, 3)
    alone = trials(table, {"B": recipes["B"]}, folds)
    with pytest.raises(tc.TreecoreError, match="grown by"):
        alone.scores(MEASURES[name])


def test_what_was_left_to_the_data_is_said_in_the_recipe(grown):
    """The recipe keeps 0, so that other rows have a δ of their own; its line says which one this tree has."""
    tree, *_ = grown
    given = {name: value for name, value in tree.growth.items() if name in ("criterion", "quantile", "delta")}
    delta = tree.schema.row_loss.setting_text
    unset, chosen = (Recipe((Grow("cart", {**given, "delta": value}),)) for value in (0.0, 3.0))
    says = f"{unset.text()} · {delta} by the training rows" if delta else unset.text()
    assert unset.text(tree) == says
    assert chosen.text(tree) == chosen.text()
    table = prices()
    fit = tc.fit(table, Recipe((Grow("cart", {"criterion": "huber", "max_depth": 1}),)))
    said = f"{fit.tree.schema.row_loss.setting_text} by the training rows"
    assert said in str(fit)
    assert said in to_report(fit, "prices")
