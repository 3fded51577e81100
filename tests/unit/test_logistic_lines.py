"""Lines of log-odds in the leaves of trees of two classes: fitted, answered, judged, pruned, refused."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import treecore as tc
from treecore.data.samples import read_sample
from treecore.estimators import TreeClassifier
from treecore.explaining.line_arithmetic import line_lines
from treecore.export.portable import Portable
from treecore.figures import percent, tex
from treecore.judging.answers import answers_of
from treecore.judging.measures import MEASURES
from treecore.judging.ranking import ranking_by, ranking_of
from treecore.predicting.decision_path import row_values, story
from treecore.pruning import PRUNERS
from treecore.pruning.validation import judgement, losses_on
from treecore.study.curves import size_curve
from treecore.study.drift import check
from treecore.study.metrics import score
from treecore.study.plane import default_fixed, plot_ranges
from treecore.study.regions import regions
from treecore.study.shapley import shapley
from treecore.tree.binary_chain import binary_chain
from treecore.tree.line_fit import LEAST_RIDGE, fitted_lines
from treecore.tree.predict import route
from treecore.tree.values import plain_numbers


def random_table(seed: int, n: int = 160) -> tc.Table:
    """Rows with gaps, ties, case weights and a nominal feature; two classes that lines tell apart, in part wholly."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "a": rng.integers(0, 12, n).astype(float), "b": rng.normal(50, 9, n), "same": np.ones(n),
        "town": rng.choice(["x", "y", "z"], n), "w": rng.integers(0, 4, n).astype(float),
    })  # fmt: skip
    line = np.where(frame["a"] < 6, frame["a"] - 3, (50 - frame["b"]) / 2) + rng.logistic(0, 0.7, n)
    frame["y"] = np.where((line > 0) | ((frame["town"] == "z") & (frame["b"] > 50)), "yes", "no")
    for name in ("a", "b", "town", "y"):
        frame.loc[rng.random(n) < 0.06, name] = None
    return tc.read_table(frame, target="y", weights="w")


def titanic(**settings) -> tc.Tree:
    return tc.grow(read_sample("titanic"), "cart", **{"leaf_model": "linear", "max_depth": 3} | settings)


def rows_of_node(tree: tc.Tree, table: tc.Table, node: int):
    """(values float64 (features, m), a missing one NaN; class indices; weights) of the rows that reach a node."""
    routes, below = route(tree, table), tree.descendants(node)
    below[node] = True
    target = table.target_column
    truth = np.append([tree.classes.index(c) for c in target.level_names], -1)[target.codes][routes.row]
    weight = routes.share * table.case_weights[routes.row]
    here = below[routes.node] & (truth >= 0) & (weight > 0)
    features = np.arange(len(tree.schema.features))[[f.numeric for f in tree.schema.features]]
    values = plain_numbers(tree.schema, features, table)[:, routes.row[here]]
    return dict(zip(features.tolist(), values, strict=True)), truth[here], weight[here]


def columns_of(line, values: dict) -> np.ndarray:
    """float64 (m, terms): the values of a line's features, a missing one the mean of the rows."""
    columns = [np.where(np.isnan(values[t.feature]), t.fill, values[t.feature]) for t in line.terms]
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("missing", "ridge"), [("majority", 0.0), ("fractional", 0.3)])
def test_every_line_is_the_one_of_scikit_learn_and_its_gradient_is_zero(seed, missing, ridge):
    table = random_table(seed)
    tree = tc.grow(table, "cart", leaf_model="linear", max_depth=3, missing=missing, line_ridge=ridge, line_features=3)
    strength, n_lines = max(ridge, LEAST_RIDGE), 0
    for node in range(tree.n_nodes):
        line, (values, y, w) = tree.lines.line(node), rows_of_node(tree, table, node)
        if not line.terms:
            continue
        n_lines += 1
        x = columns_of(line, values)
        mean = np.average(x, axis=0, weights=w)
        sd = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=w))
        z, b = (x - mean) / sd, np.array([t.coefficient for t in line.terms])
        p = 1 / (1 + np.exp(-(line.intercept + x @ b)))
        gradient = np.append((w * (p - y)).sum(), (w * (p - y)) @ z + strength * w.sum() * b * sd)
        np.testing.assert_allclose(gradient / w.sum(), 0.0, atol=1e-9)
        twin = LogisticRegression(C=1 / (strength * w.sum()), tol=1e-12, max_iter=10_000).fit(z, y, w)
        np.testing.assert_allclose(twin.coef_[0] / sd, b, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(
            twin.intercept_[0] - twin.coef_[0] @ (mean / sd), line.intercept, rtol=1e-6, atol=1e-6
        )
    assert n_lines > 2


@pytest.mark.parametrize("seed", range(3))
def test_features_are_those_that_the_score_statistic_and_akaikes_criterion_choose(seed):
    """A naive twin: every feature's score statistic by matrices, then a whole fit by scikit-learn."""
    table = random_table(seed)
    tree = tc.grow(table, "cart", leaf_model="linear", max_depth=2)
    known = table.case_weights[table.target_column.codes < 2]
    unit = np.count_nonzero(known) / known.sum()

    def fit(chosen, values, y, w):
        """(probabilities, log loss) of the line of these features."""
        if not chosen:
            p = np.full(len(y), np.average(y, weights=w))
        else:
            x = np.stack([values[f] for f in chosen], axis=1)
            z = (x - np.average(x, axis=0, weights=w)) / np.sqrt(
                np.average((x - np.average(x, axis=0, weights=w)) ** 2, axis=0, weights=w)
            )
            model = LogisticRegression(C=1 / (LEAST_RIDGE * w.sum()), tol=1e-12, max_iter=10_000).fit(z, y, w)
            p = model.predict_proba(z)[:, 1]
        return p, float(-(w * np.log(np.where(y == 1, p, 1 - p))).sum())

    for node in range(tree.n_nodes):
        values, y, w = rows_of_node(tree, table, node)
        if len(np.unique(y)) < 2:
            assert not tree.lines.line(node).terms
            continue
        for f, x in values.items():
            seen = ~np.isnan(x)
            values[f] = np.where(seen, x, np.average(x[seen], weights=w[seen]))
        chosen: list[int] = []
        while len(chosen) < 2:
            p, loss = fit(chosen, values, y, w)
            curve, scores = w * p * (1 - p), {}
            for f, x in values.items():
                if f in chosen or np.ptp(x) == 0:
                    continue
                others = np.stack([np.ones(len(y)), *(values[g] for g in chosen)], axis=1)
                inner = others.T * curve @ others
                apart = x - others @ np.linalg.solve(inner, others.T * curve @ x)
                scores[f] = (w * (y - p) @ apart) ** 2 / (curve @ apart**2)
            best = max(scores, key=scores.get) if scores else None
            if best is None or not fit([*chosen, best], values, y, w)[1] * unit + 1 < loss * unit:
                break
            chosen.append(best)
        assert [t.feature for t in tree.lines.line(node).terms] == chosen


def test_a_node_of_one_class_answers_with_a_constant_that_is_not_certain():
    frame = pd.DataFrame({"x": np.arange(40.0), "y": ["a"] * 20 + ["b"] * 20})
    tree = tc.grow(tc.read_table(frame, target="y"), "cart", leaf_model="linear")
    leaves = np.flatnonzero(tree.is_leaf)
    assert not tree.lines.n_terms[leaves].any()
    np.testing.assert_allclose(sorted(tree.predict_proba(frame)[:, 1])[::39], [0.5 / 21, 20.5 / 21])
    root = tree.lines.line(0)  # a line parts the classes wholly: the ridge alone holds it
    assert np.isfinite(root.intercept)
    assert 0 < root.terms[0].coefficient < 10


def test_every_answer_of_a_row_is_by_its_line():
    table = read_sample("titanic")
    tree = titanic()
    leaf, values = tree.apply(table), plain_numbers(tree.schema, tree.lines.used, table)
    odds = tree.lines.answers(values, np.arange(table.n_rows), tree.answer[leaf].astype(int))
    p = 1 / (1 + np.exp(-odds))
    np.testing.assert_allclose(tree.predict_proba(table), np.stack([1 - p, p], axis=1), atol=1e-15)
    said = np.where(p > 0.5, tree.classes[1], tree.classes[0])
    np.testing.assert_array_equal(tree.predict(table).astype(str), said)
    truth = table.target_column.codes
    y = np.array([tree.classes.index(c) for c in table.target_column.level_names])[truth]
    answers = answers_of(tree, table)
    assert score(tree, table).accuracy == pytest.approx(np.mean((p > 0.5) == y))
    assert MEASURES["brier"](answers) == pytest.approx(np.mean(2 * (p - y) ** 2))
    assert MEASURES["log_loss"](answers) == pytest.approx(-np.mean(np.log(np.where(y == 1, p, 1 - p))))
    area = np.mean((p[y == 1][:, None] > p[y == 0]) + 0.5 * (p[y == 1][:, None] == p[y == 0]))
    assert ranking_of(answers, tree.classes[1]).area == pytest.approx(area)
    assert ranking_by(tree, table, 1).area == pytest.approx(area)
    counts = tree.stats[leaf, 1] / tree.weight[leaf]
    assert np.abs(counts - p).max() > 0.1  # a share of the leaf would be another answer


def test_costs_and_priors_decide_about_the_shares_of_lines():
    table = read_sample("titanic")
    plain, dear = titanic(), titanic(loss=((0.0, 1.0), (4.0, 0.0)))
    p = dear.predict_proba(table)[:, 1]
    np.testing.assert_array_equal(dear.predict(table).astype(str) == dear.classes[1], 4 * p > 1 - p)
    np.testing.assert_allclose(plain.lines.line(0).intercept, dear.lines.line(0).intercept)  # shares know no costs
    even = titanic(priors=(0.5, 0.5))
    assert np.average(even.predict_proba(table)[:, 1]) > np.average(plain.predict_proba(table)[:, 1]) + 0.05
    root = tc.grow(table, "cart", leaf_model="linear", max_depth=0, priors=(0.5, 0.5))
    y = table.target_column.codes == root.classes.index(table.target_column.level_names[1])
    weight = np.where(y, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    fitted = root.predict_proba(table)[:, 1]
    assert np.average(fitted, weights=weight) == pytest.approx(0.5)
    assert dear.lines.error[0] == pytest.approx(score(dear.after(0), table).cost * table.n_rows)


def test_a_saved_tree_answers_as_before():
    tree, table = titanic(), read_sample("titanic")
    back = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    np.testing.assert_array_equal(back.predict_proba(table), tree.predict_proba(table))
    np.testing.assert_array_equal(back.predict(table), tree.predict(table))
    assert tc.read_model(tc.export(tree, "onnx")).to_dict() == tree.to_dict()
    with pytest.raises(tc.TreecoreError, match=r"modelChain.*as JSON or ONNX"):
        tc.read_model(tc.export(tree, "pmml").encode())


def test_a_saved_tree_of_three_classes_cannot_have_lines():
    data = titanic().to_dict()
    three = tc.grow(read_sample("iris"), "cart", max_depth=1).to_dict()
    with pytest.raises(tc.TreecoreError, match="two classes"):
        tc.Tree.from_dict(three | {"lines": data["lines"]})


def test_every_subtree_is_judged_by_lines_of_its_own_rows():
    rows = read_sample("titanic").split(tc.Roles(train=0.6, validation=0.4, test=0.0, seed=1))
    tree = tc.grow(rows[0], "cart", leaf_model="linear", min_rows_leaf=4)
    steps = tc.sequence(tree)
    curve, ranked = steps.curve(rows[1]), judgement(steps, rows[1], "auc")
    losses = {measure: judgement(steps, rows[1], measure).mean for measure in ("brier", "log_loss")}
    for k in range(0, len(steps), 5):
        small = tree.cut(steps.cuts(k))
        again = fitted_lines(small, rows[0], 2)
        np.testing.assert_allclose(again.intercept, small.lines.intercept, rtol=1e-6)
        answers = answers_of(small, rows[1])
        assert curve[k] == pytest.approx(score(small, rows[1]).error)
        assert steps.risk[k] == pytest.approx(score(small, rows[0]).error)
        assert ranked.mean[k] == pytest.approx(ranking_of(answers, "1").area)
        for measure, found in losses.items():
            assert found[k] == pytest.approx(MEASURES[measure](answers))
    grown = size_curve(steps, {"validation": rows[1]})
    assert grown.baseline["validation"] == pytest.approx(score(tree, rows[1]).baseline)
    by_loss = size_curve(steps, {"validation": rows[1]}, measure="log_loss")
    assert by_loss.baseline["validation"] == pytest.approx(MEASURES["log_loss"](answers_of(tree.baseline(), rows[1])))
    np.testing.assert_allclose(grown.accuracy["validation"], 1 - curve)


@pytest.mark.parametrize("measure", ["log_loss", "brier"])
def test_sequences_by_losses_of_shares_have_those_of_their_lines(measure):
    rows = read_sample("titanic")
    tree = tc.grow(rows, "cart", leaf_model="linear", min_rows_leaf=6, missing="stay")
    steps = tc.sequence(tree, measure)
    back = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    np.testing.assert_array_equal(tc.sequence(back, measure).risk, steps.risk)
    for k in range(0, len(steps), 5):
        small = tree.cut(steps.cuts(k))
        assert steps.risk[k] == pytest.approx(MEASURES[measure](answers_of(small, rows)))
        np.testing.assert_allclose(getattr(small.lines, measure)[0], getattr(tree.lines, measure)[0])
    data = tree.to_dict()
    del data["lines"][measure]
    with pytest.raises(tc.TreecoreError, match="not this loss"):
        tc.sequence(tc.Tree.from_dict(data), measure)
    with pytest.raises(tc.TreecoreError, match=measure):
        tc.Tree.from_dict(tree.to_dict() | {"lines": tree.to_dict()["lines"] | {measure: [[-1.0, 0.0]]}})


@pytest.mark.parametrize("settings", [{"priors": (0.5, 0.5)}, {"loss": ((0.0, 1.0), (3.0, 0.0))},
                                      {"profit": ((1.0, -1.0), (-2.0, 4.0))}])  # fmt: skip
def test_subtrees_with_costs_priors_and_profits_are_judged_by_lines(settings):
    rows = read_sample("titanic").split(tc.Roles(train=0.6, validation=0.4, test=0.0, seed=2))
    tree = tc.grow(rows[0], "cart", leaf_model="linear", min_rows_leaf=8, **settings)
    steps = tc.sequence(tree)
    grown = size_curve(steps, {"validation": rows[1]})
    for k in range(0, len(steps), 4):
        found = score(tree.cut(steps.cuts(k)), rows[1])
        assert grown.error["validation"][k] == pytest.approx(-found.cost if found.higher else found.cost)
        assert grown.accuracy["validation"][k] == pytest.approx(found.accuracy)
        if not found.higher:  # of profits it is what is missed
            assert steps.risk[k] == pytest.approx(score(tree.cut(steps.cuts(k)), rows[0]).cost)
    assert grown.baseline_shown["validation"] == pytest.approx(score(tree, rows[1]).cost_baseline)


def test_pruners_serve_lines_or_say_why_not():
    rows = read_sample("titanic").split(tc.Roles(train=0.6, validation=0.4, test=0.0, seed=1))
    tree = tc.grow(rows[0], "cart", leaf_model="linear", min_rows_leaf=4)
    whole = float(losses_on(tree, rows[1]).ends.sum())
    for name in ("cost_complexity", "reduced_error", "validation_peak", "critical_value"):
        small = tree.cut(tc.prune(tree, name, train=rows[0], validation=rows[1]))
        assert small.n_leaves < tree.n_leaves
        if name == "reduced_error":
            assert float(losses_on(small, rows[1]).ends.sum()) <= whole
    for name in ("pessimistic", "minimum_error", "mdl", "error_based", "j48_collapse", "j48_reduced_error"):
        assert not PRUNERS[name].serves(tree.target_kind)
        with pytest.raises(tc.TreecoreError, match="answer all of their rows alike"):
            tc.prune(tree, name, train=rows[0], validation=rows[1])
    with pytest.raises(tc.TreecoreError, match="root mean squared errors"):
        tc.prune(tree, "m5")
    chosen = tree.cut(tc.prune(tree, "cost_complexity", train=rows[0], choose="cross-validation"))
    assert score(chosen, rows[1]).accuracy > score(chosen, rows[1]).baseline - 1


def test_honest_figures_and_steps_of_growth_have_lines_of_their_rows():
    rows = read_sample("titanic").split(tc.Roles(train=0.5, validation=0.5, test=0.0, seed=1))
    tree = tc.grow(rows[0], "cart", leaf_model="linear", max_depth=3)
    honest = tc.honest(tree, rows[1])
    np.testing.assert_allclose(honest.lines.intercept[0], fitted_lines(honest, rows[1], 2).intercept[0])
    assert honest.lines.error[honest.is_leaf].sum() == pytest.approx(
        score(honest, rows[1]).error * score(honest, rows[1]).weight
    )


def test_rules_answer_by_the_lines_of_their_leaves():
    table, tree = read_sample("titanic"), titanic()
    listed = tc.rules(tree).listed()
    np.testing.assert_array_equal(listed.predict(table), tree.predict(table))
    np.testing.assert_allclose(listed.predict_proba(table), tree.predict_proba(table))
    assert listed.error(table) == pytest.approx(score(tree, table).error)
    assert any("log-odds of “1” = " in rule.text and "×" in rule.text for rule in tc.rules(tree))
    weight = sum(rule.train.error * rule.train.weight for rule in tc.rules(tree))
    assert weight == pytest.approx(score(tree, table).error * table.n_rows)


def test_regions_are_shaded_by_the_share_in_the_middle_of_each_tile():
    table, tree = read_sample("titanic"), titanic(min_rows_leaf=20)
    fixed = default_fixed(tree, table) | {"sex": "female", "pclass": "3"}
    plane = regions(tree, "age", "fare", fixed, plot_ranges(["age", "fare"], table))
    middles = pd.DataFrame([fixed] * len(plane.tiles)).assign(
        age=(plane.tiles.x0 + plane.tiles.x1) / 2, fare=(plane.tiles.y0 + plane.tiles.y1) / 2
    )
    shares = tree.predict_proba(middles)
    np.testing.assert_allclose(plane.tiles.rate, shares[np.arange(len(shares)), plane.tiles.told])
    labels = np.array(tree.classes)[plane.tiles.value]
    np.testing.assert_array_equal(labels, tree.predict(middles).astype(str))
    assert (plane.spans[:, 0] <= plane.spans[:, 1]).all()
    assert np.ptp(plane.spans, axis=1).max() > 0.05


def test_later_rows_are_ranked_by_lines():
    train, later = read_sample("titanic").split(tc.Roles(train=0.6, validation=0.0, test=0.4, seed=2))[::2]
    tree = tc.grow(train, "cart", leaf_model="linear", max_depth=2)
    found = check(tree, later, train)
    assert found.quality == "AUC"
    assert found.quality_now == pytest.approx(ranking_of(answers_of(tree, later), "1").area)
    assert found.expected == pytest.approx(float(tree.predict_proba(later)[:, 1].mean()))


def test_the_estimator_answers_as_the_tree():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    y = np.where(x[:, 0] + x[:, 1] + rng.logistic(0, 0.5, 200) > 0, "up", "down")
    model = TreeClassifier(leaf_model="linear", max_depth=1).fit(x, y)
    assert (model.predict(x) == np.where(model.predict_proba(x)[:, 1] > 0.5, "up", "down")).all()
    assert model.score(x, y) > TreeClassifier(max_depth=1).fit(x, y).score(x, y)


@pytest.mark.parametrize(
    ("sample", "settings", "told"),
    [
        ("iris", {}, "3 classes.*log-odds of one of two classes"),
        ("titanic", {"leaf_shares": "laplace"}, "leaf_shares"),
        ("titanic", {"patience": 3, "validation": True}, "Early stopping"),
    ],
)
def test_settings_that_lines_contradict_are_refused(sample, settings, told):
    table = read_sample(sample)
    given = {"validation": table} if settings.pop("validation", None) else {}
    with pytest.raises(tc.TreecoreError, match=told):
        tc.grow(table, "cart", leaf_model="linear", **given, **settings)


def test_what_needs_one_answer_per_leaf_is_refused_in_a_sentence():
    tree = titanic()
    table = read_sample("titanic")
    for ask in (
        lambda: tree.value,
        lambda: tree.proba,
        lambda: shapley(tree, table),
        lambda: binary_chain(tree),
    ):
        with pytest.raises(tc.TreecoreError, match=r"[Ll]ines"):
            ask()


@pytest.mark.parametrize("settings", [{}, {"loss": ((0.0, 1.0), (4.0, 0.0))}, {"missing": "fractional"}])
def test_the_way_of_a_row_ends_in_the_sum_of_its_line(settings):
    table = random_table(1, 300)
    tree = tc.grow(table, "cart", leaf_model="linear", max_depth=2, **settings)
    shares, answers = tree.predict_proba(table), tree.predict(table)
    names, n_sums = tree.schema.own_names, 0
    for place in range(0, table.n_rows, 7):
        told = story(Portable(tree), row_values(table, place, names))
        np.testing.assert_allclose(told.shares, shares[place], rtol=1e-12)
        assert told.answer == answers[place]
        for end in (end for end in told.ends if end.sums):
            n_sums += 1
            assert end.sums[0].startswith("log-odds of “yes” = ")
            assert end.sums[1].startswith("share of “yes” = 1 / (1 + e^")
            assert end.sums[1].endswith(percent(float(end.shares[1])))
    assert n_sums > 5


def test_the_arithmetic_of_a_line_comes_to_its_numbers():
    table = random_table(2, 300)
    tree = tc.grow(table, "cart", leaf_model="linear", max_depth=1)
    node = int(np.flatnonzero(tree.lines.n_terms == 2)[0])
    told = " ".join(getattr(part, "tex", getattr(part, "text", "")) for part in line_lines(tree, node, table))
    line, (values, y, w) = tree.lines.line(node), rows_of_node(tree, table, node)
    x = columns_of(line, values)
    b, mean = np.array([t.coefficient for t in line.terms]), np.average(x, axis=0, weights=w)
    odds = float(line.intercept + b @ mean)
    p = 1 / (1 + np.exp(-(line.intercept + x @ b)))
    known = table.case_weights[table.target_column.codes < 2]
    unit = np.count_nonzero(known) / known.sum()
    loss = float(-(w * np.log(np.where(y == 1, p, 1 - p))).sum()) * unit
    pull = [float((w * (y - p)) @ (x[:, i] - mean[i])) for i in range(2)]
    for number in (odds, 1 / (1 + np.exp(-odds)), float((w * y).sum()), 2 * loss + 6, *pull):
        assert tex(number) in told
    spread = np.average((x - mean) ** 2, axis=0, weights=w)
    np.testing.assert_allclose(pull, LEAST_RIDGE * w.sum() * spread * b, rtol=1e-5)
    table, tree = read_sample("titanic"), titanic()
    leaf = int(np.flatnonzero(tree.is_leaf & (tree.lines.n_terms == 0))[0])
    share = float(tree.predict_proba(table)[tree.apply(table) == leaf][0, 1])
    assert tex(share) in line_lines(tree, leaf, table)[-1].tex
