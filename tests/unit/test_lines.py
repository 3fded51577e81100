"""Lines in the leaves: fitted as by brute force, saved, pruned, answered, refused where they make no sense."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.test_onnx_export import run
from tests.property.twin_settings import many_rows
from treecore.data.samples import SAMPLES, read_sample
from treecore.explaining.line_arithmetic import line_lines
from treecore.export.portable import Portable
from treecore.figures import tex
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.predicting.decision_path import row_values, story
from treecore.study.curves import size_curve
from treecore.study.disagreement import disagreement
from treecore.study.drift import check
from treecore.study.metrics import score
from treecore.study.plane import default_fixed, plot_ranges
from treecore.study.points import plane_points
from treecore.study.regions import regions, step_function
from treecore.study.shapley import shapley
from treecore.tree.line_fit import adjusted_error, fitted_lines
from treecore.tree.predict import route
from treecore.tree.values import plain_numbers


def random_table(seed: int, n: int = 70) -> tc.Table:
    """Rows with gaps, ties, case weights and nominal features; a target that some features bend."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "a": rng.integers(0, 12, n).astype(float), "b": rng.normal(50, 9, n), "same": np.ones(n),
        "twice": np.zeros(n), "town": rng.choice(["x", "y", "z"], n), "w": rng.integers(0, 4, n).astype(float),
    })  # fmt: skip
    frame["twice"] = 2 * frame["a"] + 5
    frame["y"] = np.where(frame["a"] < 6, 3 * frame["a"], 40 - frame["b"] / 2) + rng.normal(0, 1, n)
    for name in ("a", "b", "town"):
        frame.loc[rng.random(n) < 0.1, name] = None
    return tc.read_table(frame, target="y", weights="w")


def by_brute_force(x: np.ndarray, y: np.ndarray, w: np.ndarray, n: float, most: int):
    """(intercept, {feature: coefficient}): np.linalg.lstsq of every feature tried, one after the other."""
    known = ~np.isnan(x)
    means = [np.average(c[k], weights=w[k]) if w[k].sum() > 0 else np.nan for c, k in zip(x, known, strict=True)]
    x = np.where(known, x, np.array(means)[:, None])

    def fit(chosen):
        A = np.stack([np.ones(len(y)), *(x[f] for f in chosen)], axis=1) * np.sqrt(w)[:, None]
        solved = np.linalg.lstsq(A, y * np.sqrt(w), rcond=None)[0]
        return solved, float((w * (y - solved @ np.stack([np.ones(len(y)), *(x[f] for f in chosen)])) ** 2).sum())

    chosen, (solved, error) = [], fit([])
    while len(chosen) < most:
        tried = []
        for f in range(len(x)):
            others = np.stack([np.ones(len(y)), *(x[g] for g in chosen)], axis=1) * np.sqrt(w)[:, None]
            column = x[f] * np.sqrt(w)
            if np.isnan(column).any():
                continue
            left = column - others @ np.linalg.lstsq(others, column, rcond=None)[0]
            spread = (w * (x[f] - np.average(x[f], weights=w)) ** 2).sum()
            if f not in chosen and spread > 1e-12 and (left**2).sum() > 1e-6 * spread:
                tried.append((fit([*chosen, f])[1], f))
        if not tried:
            break
        least = min(tried)[0]
        best = next(f for e, f in tried if e <= least + 1e-9 * error)
        after = fit([*chosen, best])[1]
        v = len(chosen) + 1
        now, then = (
            float(adjusted_error(np.array(e), np.array(n), np.array(k))) for e, k in ((error, v), (after, v + 1))
        )
        if not (then < now and n > v + 1 and error > 1e-18 * (w * y**2).sum()):
            break
        chosen, (solved, error) = [*chosen, best], fit([*chosen, best])
    return solved[0], dict(zip(chosen, solved[1:], strict=True))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", ["majority", "fractional"])
def test_every_line_is_the_one_of_brute_force(seed, missing):
    table = random_table(seed)
    tree = tc.grow(table, "cart", leaf_model="linear", line_features=3, max_depth=3, missing=missing)
    features = [f for f, s in enumerate(tree.schema.features) if s.numeric]
    x, y = plain_numbers(tree.schema, np.array(features), table), table.target_column.values()
    routes = route(tree, table)
    unit = np.count_nonzero(table.case_weights > 0) / table.case_weights.sum()
    for node in range(tree.n_nodes):
        below = tree.descendants(node)
        below[node] = True
        here = below[routes.node] & (routes.share * table.case_weights[routes.row] > 0)
        row, weight = routes.row[here], (routes.share * table.case_weights[routes.row])[here]
        intercept, coefficients = by_brute_force(x[:, row], y[row], weight, weight.sum() * unit, 3)
        line = tree.lines.line(node)
        assert {term.feature for term in line.terms} == {features[f] for f in coefficients}
        assert line.intercept == pytest.approx(intercept, rel=1e-6, abs=1e-6)
        for term in line.terms:
            assert term.coefficient == pytest.approx(coefficients[features.index(term.feature)], rel=1e-6)
            known = x[features.index(term.feature), row]
            assert (term.low, term.high) == (np.nanmin(known), np.nanmax(known))


# What Weka 3.6.14's M5P prints of these rows (-M 4 -U, and the last line with its smoothing):
# java -cp weka.jar weka.classifiers.trees.M5P -t rows.arff -M 4 -U
M5P_SPLITS = {(): 6.9, (0,): 1.2, (0, 1): 5.15, (0, 1, 0): 2.8, (0, 1, 0, 1): 4.7}
M5P_LINES = {
    (0, 0): (2.8144, 2.1695),
    (0, 1, 0, 0): (2.9184, 2.192),
    (0, 1, 1): (-3.9573, 29.605),
    (1,): (0.4709, 2.1405),
}
M5P_SMOOTHED = {(1,): (0.2273, 5.0113)}


def hinges() -> tc.Table:
    """The rows that M5P was asked about."""
    rng = np.random.default_rng(5)
    x = np.unique(np.round(rng.uniform(0, 10, 60), 1))
    y = np.where(x < 4, 2 + 3 * x, np.where(x < 7, 30 - 4 * x, 2 + 0.5 * x))
    return tc.read_table(
        pd.DataFrame({"x": x, "y": np.round(y + np.round(rng.normal(0, 0.3, len(x)), 2), 2)}), target="y"
    )


@pytest.mark.parametrize(("smoothing", "record"), [(0.0, M5P_LINES), (15.0, M5P_SMOOTHED)])
def test_where_both_fit_a_line_it_is_that_of_wekas_m5p(smoothing, record):
    growth = GrowSettings(leaf_model="linear", min_gain=1e9, threshold="data_value", line_smoothing=smoothing)
    splits = tuple(ForcedSplit(path, "x", cut, (), None, ()) for path, cut in M5P_SPLITS.items())
    tree = grow_tree(hinges(), growth, imposed=splits)
    for path, (coefficient, intercept) in record.items():
        node = 0
        for branch in path:
            node = int(tree.first_child[node]) + branch
        line = tree.lines.line(node)
        assert (round(line.terms[0].coefficient, 4), round(line.intercept, 4)) == (coefficient, intercept)


def mpg(**settings) -> tc.Tree:
    return tc.grow(read_sample("mpg"), "cart", **{"leaf_model": "linear", "max_depth": 3} | settings)


def test_smoothing_mixes_the_lines_of_the_way_as_m5_does():
    table = read_sample("mpg")
    plain, smooth = mpg(), mpg(line_smoothing=15.0)
    node = plain.apply(table)
    values = plain_numbers(plain.schema, plain.lines.used, table)
    row = np.arange(table.n_rows)
    result, at = plain.lines.answers(values, row, node), node.copy()
    while (at > 0).any():
        n, above = plain.n_rows[at], np.where(at > 0, plain.parent[at], 0)
        mixed = (n * result + 15.0 * plain.lines.answers(values, row, above)) / (n + 15.0)
        result, at = np.where(at > 0, mixed, result), above
    known = ~np.isnan(values).any(axis=0)  # a gap is filled by the leaf's own mean
    np.testing.assert_allclose(smooth.predict(table)[known], result[known], rtol=1e-9)


def test_ridge_shrinks_a_lone_coefficient_by_one_plus_lambda():
    plain, shrunk = mpg(max_depth=0, line_features=1), mpg(max_depth=0, line_features=1, line_ridge=0.25)
    first, second = plain.lines.line(0), shrunk.lines.line(0)
    assert second.terms[0].coefficient == pytest.approx(first.terms[0].coefficient / 1.25)
    table = read_sample("mpg")
    assert np.mean(shrunk.predict(table)) == pytest.approx(np.mean(plain.predict(table)))


def test_values_beyond_the_range_count_as_its_end_and_gaps_as_the_mean():
    tree = mpg()
    node = int(np.flatnonzero(tree.is_leaf & (tree.lines.n_terms > 0))[0])
    line, values = tree.lines.line(node), np.empty((len(tree.lines.used), 4))
    term = line.terms[0]
    slot = int(np.searchsorted(tree.lines.used, term.feature))
    for other in line.terms:
        values[np.searchsorted(tree.lines.used, other.feature)] = other.fill
    values[slot] = [term.high, term.high + 1e6, np.inf, np.nan]
    at_end, beyond, far, gap = tree.lines.answers(values, np.arange(4), np.full(4, node))
    assert at_end == beyond == far
    values[slot, 0] = term.fill
    assert gap == tree.lines.answers(values, np.zeros(1, int), np.array([node]))[0]


def test_a_saved_tree_answers_as_before_and_an_older_one_opens():
    tree, table = mpg(), read_sample("mpg")
    back = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    np.testing.assert_array_equal(back.predict(table), tree.predict(table))
    older = tc.grow(table, "cart", max_depth=2).to_dict()
    older["growth"] = {name: v for name, v in older["growth"].items() if not name.startswith(("leaf_model", "line_"))}
    assert "lines" not in older
    assert tc.Tree.from_dict(older).lines is None


@pytest.mark.parametrize(
    ("name", "bad"), [("feature", 0), ("coefficient", "inf"), ("start", 99), ("low", 1e9), ("error", -1.0)]
)
def test_damaged_lines_are_refused(name, bad):
    data = mpg().to_dict()
    column = data["lines"][name]
    column[1 if name == "start" else 0] = bad
    with pytest.raises(tc.TreecoreError, match="lines"):
        tc.Tree.from_dict(data)


def test_every_subtree_answers_with_lines_of_its_own_rows():
    table = read_sample("mpg")
    tree = mpg(max_depth=None, min_rows_leaf=4)
    steps = tc.sequence(tree)
    y, curve = table.target_column.values(), steps.curve(table)
    for k in range(0, len(steps), 7):
        small = tree.cut(steps.cuts(k))
        again = fitted_lines(small, table, 2)
        np.testing.assert_allclose(again.intercept, small.lines.intercept)
        error = float(np.mean((small.predict(table) - y) ** 2))
        assert curve[k] == pytest.approx(error)
        assert steps.risk[k] == pytest.approx(error)
        assert score(small, table).error == pytest.approx(error)


def test_the_steps_of_growth_and_honest_figures_have_lines_of_their_rows():
    table = read_sample("mpg")
    rows = table.split(tc.Roles(train=0.5, validation=0.5, test=0.0, seed=1))
    tree = tc.grow(rows[0], "cart", leaf_model="linear", max_depth=3)
    assert tree.after(1).lines.n_terms.shape == (3,)
    honest = tc.honest(tree, rows[1])
    np.testing.assert_allclose(honest.lines.intercept[0], fitted_lines(honest, rows[1], 2).intercept[0])
    assert honest.lines.error[honest.is_leaf].sum() == pytest.approx(
        float(((honest.predict(rows[1]) - rows[1].target_column.values()) ** 2).sum())
    )


def test_m5_prunes_by_the_adjusted_error_children_first():
    table = read_sample("mpg")
    tree = mpg(max_depth=None, min_rows_leaf=4)
    cuts = tc.prune(tree, "m5")
    n, own = tree.n_rows.astype(float), 1.0 + tree.lines.n_terms
    error, fitted, cut = tree.lines.error.copy(), own.copy(), np.zeros(tree.n_nodes, bool)
    for t in range(tree.n_nodes - 1, -1, -1):
        if tree.is_leaf[t]:
            continue
        c = list(tree.children(t))
        alone = (n[t] + own[t]) / (n[t] - own[t]) * np.sqrt(tree.lines.error[t] / n[t])
        v, below = fitted[c].sum() + 1, error[c].sum()
        factor = (n[t] + v) / (n[t] - v) if n[t] > v else 10.0
        cut[t] = alone <= factor * np.sqrt(below / n[t])
        if not cut[t]:
            error[t], fitted[t] = below, v
    np.testing.assert_array_equal(cuts.verdict == 1, cut)
    small = tree.cut(cuts)
    assert 1 < small.n_leaves < tree.n_leaves
    assert score(small, table).error > score(tree, table).error


def test_lines_choose_a_size_by_folds_and_beat_means_on_new_rows():
    train, _, test = read_sample("mpg").split(tc.Roles(train=0.7, validation=0.0, test=0.3, seed=3))
    scores = []
    for model in ("constant", "linear"):
        tree = tc.grow(train, "cart", leaf_model=model, min_rows_leaf=5)
        cuts = tc.prune(tree, "cost_complexity", train=train, choose="cross-validation")
        scores.append(score(tree.cut(cuts), test).rmse)
    assert scores[1] < scores[0]


def test_the_story_rules_and_points_say_what_the_tree_answers():
    table = read_sample("mpg")
    tree = mpg()
    answers = tree.predict(table)
    names = tree.schema.own_names
    for place in range(0, table.n_rows, 40):
        row = row_values(table, place, names)
        assert story(Portable(tree), row).answer == answers[place]
    listed = tc.rules(tree).listed()
    np.testing.assert_allclose(listed.predict(table), answers)
    assert "×" in tc.rules(tree)[0].text
    assert listed.error(table) == pytest.approx(score(tree, table).error)


def test_regions_shade_and_the_step_function_bends():
    table, tree = read_sample("mpg"), mpg(min_rows_leaf=8)
    fixed = default_fixed(tree, table)
    plane = regions(tree, "weight", "model_year", fixed, plot_ranges(["weight", "model_year"], table))
    middles = pd.DataFrame([fixed] * len(plane.tiles)).assign(
        weight=(plane.tiles.x0 + plane.tiles.x1) / 2, model_year=(plane.tiles.y0 + plane.tiles.y1) / 2
    )
    np.testing.assert_allclose(plane.tiles.value, tree.predict(middles))
    np.testing.assert_array_equal(plane.tiles.node, tree.apply(middles))
    points = plane_points(tree, plane, {"train": table}, None, 1000)
    np.testing.assert_allclose(points.answer, tree.predict(table)[points.row])
    steps = step_function(tree, table, "weight", fixed)
    for share in (0.01, 0.5, 0.99):
        at = steps.edges[:-1] + share * np.diff(steps.edges)
        rows = pd.DataFrame([fixed] * len(at)).assign(weight=at)
        np.testing.assert_allclose(steps.value + share * (steps.until - steps.value), tree.predict(rows))


@pytest.mark.parametrize("settings", [{}, {"line_smoothing": 15.0}, {"max_depth": 0}, {"min_rows_leaf": 150}])
def test_a_graph_answers_by_the_lines(settings):
    """Gaps, values beyond the rows, a lone root, leaves that are constants: bit by bit as the tree."""
    frame = pd.read_csv(SAMPLES["mpg"].path)
    tree = mpg(**settings)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({f.name: frame[f.name] for f in tree.schema.features})
    rows = rows.mask(rng.random(rows.shape) < 0.1)
    rows.loc[:9, "weight"] = 1e12
    found = run(tc.export(tree, "onnx"), rows)["value"]
    np.testing.assert_array_equal(found, tree.predict(rows))


def test_what_needs_one_answer_per_leaf_is_refused_in_a_sentence():
    tree, table = mpg(), read_sample("mpg")
    for ask in (
        lambda: tree.value,
        lambda: shapley(tree, table),
        lambda: tree.to_sklearn(),
    ):
        with pytest.raises(tc.TreecoreError, match="lines"):
            ask()


def test_lines_come_back_from_onnx_and_pmml_says_why_they_do_not():
    tree = mpg(max_depth=2)
    assert tc.read_model(tc.export(tree, "onnx")).to_dict() == tree.to_dict()
    with pytest.raises(tc.TreecoreError, match=r"modelChain: A model in it goes by 'node'.*as JSON or ONNX"):
        tc.read_model(tc.export(tree, "pmml").encode())


@pytest.mark.parametrize(
    ("sample", "settings"),
    [("mpg", {"patience": 3, "validation": True}), ("mpg", {"criterion": "absolute_error"}), ("iris", {})],
)
def test_settings_that_lines_contradict_are_refused(sample, settings):
    table = read_sample(sample)
    given = {"validation": table} if settings.pop("validation", None) else {}
    with pytest.raises(tc.TreecoreError):
        tc.grow(table, "cart", leaf_model="linear", **given, **settings)


def test_without_numeric_features_lines_are_means():
    frame = pd.DataFrame({"town": list("aabbcc") * 5, "y": np.arange(30.0)})
    table = tc.read_table(frame, target="y")
    constant, linear = (tc.grow(table, "cart", leaf_model=model) for model in ("constant", "linear"))
    np.testing.assert_allclose(linear.predict(table), constant.predict(table))
    assert not linear.lines.n_terms.any()


def test_names_and_numbers_of_a_line_are_read_in_its_text():
    tree = mpg(max_depth=0)
    line = tree.lines.line(0)
    told = tree.node(0).predicted
    for term in line.terms:
        assert f"× {tree.schema.features[term.feature].name}" in told
    assert "NaN" not in told
    assert len({term.feature for term in line.terms}) == len(line.terms) == 2
    assert replace(tree, lines=None).node(0).predicted == "23.51"


@pytest.mark.parametrize("seed", range(3))
def test_tables_of_every_kind_grow_lines(seed):
    table = many_rows(np.random.default_rng(seed), 0, 0.3, n=80).table()
    tree = tc.grow(table, "cart", leaf_model="linear", missing="fractional")
    answers = tree.predict(table)
    assert np.isfinite(answers).all()


def test_where_lines_and_means_differ_is_told_tile_by_tile():
    table = read_sample("mpg")
    lines, means = mpg(), mpg(leaf_model="constant")
    fixed = default_fixed(lines, table)
    found = disagreement(lines, means, ("weight", "model_year"), fixed, plot_ranges(["weight", "model_year"], table))
    middles = pd.DataFrame([fixed] * len(found)).assign(
        weight=(found.x0 + found.x1) / 2, model_year=(found.y0 + found.y1) / 2
    )
    np.testing.assert_allclose(found.value_a, lines.predict(middles))
    np.testing.assert_allclose(found.value_b, means.predict(middles))
    same = disagreement(lines, lines, ("weight", "model_year"), fixed, plot_ranges(["weight", "model_year"], table))
    assert not len(same)


def test_the_baseline_is_the_mean_not_the_line_of_the_root():
    table, tree = read_sample("mpg"), mpg(max_depth=None, min_rows_leaf=5)
    y = table.target_column.values()
    curve = size_curve(tc.sequence(tree), {"train": table})
    assert curve.baseline["train"] == pytest.approx(np.var(y)) == score(tree, table).baseline
    assert curve.error["train"][-1] < curve.baseline["train"]
    np.testing.assert_allclose(tree.baseline().predict(table), np.mean(y))


def test_the_arithmetic_of_a_line_comes_to_its_numbers():
    table, tree = read_sample("mpg"), mpg()
    node = int(np.flatnonzero(tree.lines.n_terms == 2)[-1])
    told = " ".join(getattr(part, "tex", getattr(part, "text", "")) for part in line_lines(tree, node, table))
    line, error, n = tree.lines.line(node), float(tree.lines.error[node]), float(tree.n_rows[node])
    spread = float(tree.impurity[node] * tree.weight[node])
    for number in (line.intercept, *(t.coefficient for t in line.terms), error, 1 - error / spread):
        assert tex(number) in told
    assert tex(float(adjusted_error(np.array(error), np.array(n), np.array(3.0)))) in told
    assert not line_lines(tc.grow(table, "cart", max_depth=1), 0, table)


def test_a_page_answers_as_the_tree_and_keeps_what_lines_read():
    table, tree = read_sample("mpg"), mpg()
    page = tc.export(tree, "html", rows=table, sample_rows=20)
    assert '"line"' in page
    read = tree.schema.features[int(tree.lines.used[0])].name
    with pytest.raises(tc.TreecoreError, match="lines read"):
        tc.export(tree, "html", rows=table, sample_rows=20, without=(read,))


def test_later_rows_are_checked_by_what_the_lines_say_of_them():
    train, later = read_sample("mpg").split(tc.Roles(train=0.6, validation=0.0, test=0.4, seed=2))[::2]
    tree = tc.grow(train, "cart", leaf_model="linear", max_depth=2)
    found = check(tree, later, train)
    assert found.expected == pytest.approx(float(np.mean(tree.predict(later))))
    assert found.quality_now == pytest.approx(score(tree, later).rmse)
    assert found.quality_then == pytest.approx(score(tree, train).rmse)
    assert check(tree, later).quality_then == pytest.approx(score(tree, train).rmse)


def test_a_saved_tree_with_lines_is_read_beside_a_table(tmp_path):
    table, tree = read_sample("mpg"), mpg()
    path = tmp_path / "tree.json"
    path.write_text(tc.export(tree, "json"), "utf-8")
    np.testing.assert_array_equal(tc.read_model(path, table).predict(table), tree.predict(table))


def test_a_feature_that_lines_alone_read_is_compared_in_fifths():
    table, tree = read_sample("mpg"), mpg(max_depth=1)
    read = {tree.schema.features[f].name for f in tree.asked.tolist()} - {tree.node(0).feature}
    moved = table.to_frame()
    name = sorted(read)[0]
    moved[name] = moved[name] * 2
    found = {shift.name: shift for shift in check(tree, tc.read_table(moved, target="mpg"), table).features}
    assert read <= set(found)
    assert found[name].index > 0.25
