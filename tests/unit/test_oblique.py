"""Oblique splits: kept, told, routed, grown; refused where a single feature is taken for granted."""

import itertools
import json
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import formulas
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_onnx_export import run
from tests.property.test_pmml_export import ended, tag
from treecore.data.prepare import prepare
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.export.format import ExportRequest, Format
from treecore.export.pmml import SPACE
from treecore.export.portable import Portable
from treecore.fit import take_of
from treecore.growing.directions import DIRECTIONS, Cases, all_best, discriminants, n_hyperplanes, without_small
from treecore.plots.disagreement_map import disagreement_map
from treecore.predicting.decision_path import next_question, story
from treecore.recipe import Grow, Take
from treecore.study.disagreement import disagreement
from treecore.study.polygons import area
from treecore.study.regions import node_box, plane_change, regions
from treecore.tree.oblique import oblique_nodes, terms_text, weighted_sum, with_sums

SUM = (("x", 1.0), ("z", -2.5))


def frame_of(n=200, seed=0, noise=0.0):
    rng = np.random.default_rng(seed)
    x, z, other = rng.uniform(0, 100, n), rng.uniform(0, 40, n), rng.uniform(0, 1, n)
    y = (x - 2.5 * z > 0) != (rng.uniform(size=n) < noise)
    return pd.DataFrame({"x": x, "z": z, "other": other, "y": np.where(y, "in", "out")})


def nodes_of(tree):
    """What the tree is, without how it was grown."""
    return {name: value for name, value in tree.to_dict().items() if name != "growth"}


def line_tree(frame, **settings):
    return tc.grow(with_sums(tc.read_table(frame, target="y"), [SUM]), "cart", **settings)


def test_a_sum_is_written_in_the_users_units():
    assert terms_text((("a", -1.0), ("b", 0.5), ("c", 1.0))) == "−a + 0.5·b + c"
    assert with_sums(tc.read_table(frame_of(9), target="y"), [SUM, SUM]).features[-1] == "x − 2.5·z"


def test_rows_without_the_sum_are_sent_the_same_way():
    frame = frame_of()
    tree, matrix = line_tree(frame), frame[["x", "z", "other"]].to_numpy()
    assert (tree.n_leaves, tree.node(0).feature) == (2, "x − 2.5·z")
    for rows in (frame, matrix, tc.read_table(frame, target="y")):
        assert (tree.predict(rows) == frame["y"]).all()


def test_a_missing_term_leaves_no_sum_and_the_way_with_missing_values_decides():
    frame = frame_of()
    assert np.isnan(weighted_sum(np.array([[1.0], [np.nan]]), [1.0, 2.0])).all()
    incomplete = pd.DataFrame({"x": [None, 95.0, None], "z": [39.0, None, 1.0], "other": [0.0, 0.0, 0.0]})
    tree = line_tree(frame, missing="majority")
    larger = tree.children(0)[int(tree.weight[2] > tree.weight[1])]
    assert tree.apply(incomplete).tolist() == [larger] * 3
    assert line_tree(frame, missing="surrogates").predict(incomplete).tolist() == ["out", "in", "in"]


def test_json_keeps_the_weights_and_refuses_wrong_ones():
    frame = frame_of()
    tree = line_tree(frame)
    data = json.loads(tc.export(tree, "json"))
    assert tc.Tree.from_dict(data).schema == tree.schema
    assert (tc.Tree.from_dict(data).predict(frame) == frame["y"]).all()
    for terms in ([["x", 0.0], ["z", 1.0]], [["nobody", 1.0]], [["x", 1.0], ["x", 2.0]], [["x", True]], [[["x"], 1.0]]):
        data["schema"]["features"][-1]["terms"] = terms
        with pytest.raises(TreecoreError, match="x − "):
            tc.Tree.from_dict(data)


def test_candidates_landscape_and_rules_know_the_sum():
    frame = frame_of()
    tree, table = line_tree(frame), tc.read_table(frame, target="y")
    best = tc.candidates(tree, 0, table).ranked[0]
    assert (best.feature, best.gain) == ("x − 2.5·z", pytest.approx(tree.gain[0]))
    assert all("x − 2.5·z" in rule.text for rule in tc.rules(tree))
    assert "x − 2.5·z" in tc.export(tree, "dot")


def test_a_format_that_cannot_say_it_refuses_and_names_the_node():
    other = Format("other", "Other", "model", ".txt", "text/plain", lambda given: "written")
    with pytest.raises(TreecoreError, match="Node 0"):
        other.written(ExportRequest(line_tree(frame_of())))


def gappy(frame, seed=1):
    """The rows, a fifth of the numbers missing."""
    rng = np.random.default_rng(seed)
    features = frame.drop(columns="y")
    return features.mask(rng.uniform(size=features.shape) < 0.2)


def trees_of_sums():
    """One with gaps that stay gaps, and one whose stand-ins are in the sum."""
    frame = frame_of()
    table = tc.read_table(gappy(frame).assign(y=frame["y"]), target="y")
    trees = (
        tc.grow(tc.read_table(frame, target="y"), oblique="climb"),
        tc.grow(prepare(table, missing="mean")[0], oblique="ridge"),
    )
    assert all(len(oblique_nodes(tree)) for tree in trees)
    rows = gappy(frame_of(60, seed=3))
    return [(tree, rows, tree.predict(rows).tolist()) for tree in trees]


def test_code_adds_up_and_fills_as_the_tree_does():
    for tree, rows, answers in trees_of_sums():
        made, asked = {}, [row.to_dict() for _, row in rows.iterrows()]
        exec(tc.export(tree, "python"), made)
        assert [made["predict"](row) for row in asked] == answers
        assert [story(Portable(tree), row).answer for row in asked] == answers
        with sqlite3.connect(":memory:") as database:
            rows.to_sql("data", database, index=False)
            assert [row[-1] for row in database.execute(tc.export(tree, "sql"))] == answers


def test_a_graph_adds_up_and_fills_as_the_tree_does():
    for tree, rows, answers in trees_of_sums():
        assert run(tc.export(tree, "onnx"), rows)["label"].tolist() == answers


def test_a_formula_adds_up_and_fills_as_the_tree_does():
    for tree, rows, answers in trees_of_sums():
        header, line = tc.export(tree, "excel").split("\n")[:2]
        assert header.split("\t") == ["x", "z", "other", "y"]
        formula = formulas.Parser().ast(line.strip("\t"))[1].compile()
        cells = [[["" if v != v else v]] for row in rows.to_numpy() for v in row]
        told = [formula(*(cells[i * 3 + "ABC".index(name[0])] for name in formula.inputs)) for i in range(len(rows))]
        assert [str(np.ravel(answer)[0]) for answer in told] == answers


def computed(part, row):
    """What an expression of PMML comes to; None where a value is missing."""
    if tag(part) == "Constant":
        return float(part.text)
    if tag(part) == "FieldRef":
        stand_in = part.get("mapMissingTo")
        value = row[part.get("field")]
        return value if value is not None else stand_in and float(stand_in)
    a, b = (computed(inner, row) for inner in part)
    return None if a is None or b is None else a + b if part.get("function") == "+" else a * b


def test_a_derived_field_adds_up_and_fills_as_the_tree_does():
    for tree, rows, answers in trees_of_sums():
        model = ElementTree.fromstring(tc.export(tree, "pmml").encode()).find(f"{{{SPACE}}}TreeModel")
        derived = model.find(f"{{{SPACE}}}LocalTransformations")
        top = next(part for part in model if tag(part) == "Node")
        told = []
        for row in rows.astype(object).where(rows.notna(), None).to_dict("records"):
            row |= {field.get("name"): computed(field[0], row) for field in derived}
            told.append(ended(top, row).get("score"))
        assert told == answers


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_adds_up_and_fills_as_the_tree_does(tmp_path):
    for tree, rows, answers in trees_of_sums():
        asked = rows.astype(object).where(rows.notna(), None).to_dict("records")
        code = f"{tc.export(tree, 'javascript')}\nconsole.log(JSON.stringify({json.dumps(asked)}.map(predict)))"
        (tmp_path / "tree.js").write_text(code, "utf-8")
        told = subprocess.run(["node", "tree.js"], cwd=tmp_path, capture_output=True, check=True, text=True).stdout
        assert json.loads(told) == answers


def test_questions_ask_for_the_terms_and_the_story_adds_them_up():
    tree, answers = line_tree(frame_of()), {}
    portable, asked = Portable(tree), []
    while (f := next_question(portable, answers)) is not None:
        asked.append(tree.schema.features[f].name)
        answers[asked[-1]] = 8.0
    assert asked == ["x", "z"]
    assert story(portable, answers).steps[0].text.startswith("x − 2.5·z is 8 − 2.5·8 = -12: ")


def test_regions_are_polygons_that_answer_as_the_tree_does():
    frame = frame_of(400, noise=0.1)
    frame["group"] = np.where(frame["other"] > 0.5, "a", "b")
    tree = tc.grow(tc.read_table(frame, target="y"), oblique="climb", min_rows_leaf=5)
    rng, fixed = np.random.default_rng(0), {"x": 20.0, "z": 30.0, "other": 0.4, "group": "b"}
    ranges = {"x": (0.0, 100.0), "z": (0.0, 40.0), "other": (0.0, 1.0)}
    for x, y in (("x", "z"), ("z", "other"), ("x", "group")):
        plane = regions(tree, x, y, fixed, ranges)
        assert sum(map(area, plane.corners)) == pytest.approx(
            (plane.x.high - plane.x.low) * (plane.y.high - plane.y.low)
        )
        at = rng.uniform(0, [plane.x.high, plane.y.high if y != "group" else 1.0], (500, 2))
        rows = pd.DataFrame([fixed] * 500)
        rows[x], rows[y] = at[:, 0], at[:, 1] if y != "group" else np.where(at[:, 1] < 0.5, "a", "b")
        under = plane.index_at(at[:, 0], at[:, 1] if y != "group" else (at[:, 1] >= 0.5) * 1.0)
        assert (under >= 0).all()
        assert (plane.node[under] == tree.apply(rows)).all()
    leaf = int(plane.node[0])
    whole = node_box(tree, 0, "x", "z", ranges, fixed)
    assert area(whole[0]) == pytest.approx(4000)
    assert area(node_box(tree, leaf, "x", "z", ranges, fixed)[0]) < 4000
    with pytest.raises(TreecoreError, match="neither an axis nor fixed"):
        regions(tree, "x", "other", {}, ranges)


def test_where_a_staircase_and_a_slanted_line_answer_differently():
    table = tc.read_table(frame_of(300), target="y")
    stairs, line = tc.grow(table, max_depth=3), line_tree(frame_of(300))
    ranges = {"x": (0.0, 100.0), "z": (0.0, 40.0)}
    found = disagreement(stairs, line, ("x", "z"), {"other": 0.5}, ranges)
    at = np.random.default_rng(0).uniform(0, [100, 40], (4000, 2))
    rows = pd.DataFrame({"x": at[:, 0], "z": at[:, 1], "other": 0.5})
    differ = stairs.predict(rows) != line.predict(rows)
    assert (found.covers(at[:, 0], at[:, 1]) == differ).all()
    assert found.share == pytest.approx(differ.mean(), abs=0.03)
    changed = plane_change(*(regions(tree, "x", "z", {"other": 0.5}, ranges) for tree in (stairs, line)))
    assert changed.share == pytest.approx(found.share)
    assert len(disagreement_map(found).data) > 1
    assert found.covers(*found.middles.T).all()
    assert len(disagreement(line, line, ("x", "z"), {"other": 0.5}, ranges)) == 0


@pytest.mark.parametrize("directions", [name for name in DIRECTIONS if name not in ("none", "exhaustive")])
def test_a_slanted_line_takes_fewer_leaves_and_errs_less(directions):
    train, test = (tc.read_table(frame_of(600, seed, 0.03), target="y") for seed in (1, 2))
    straight = tc.grow(train, "cart", min_rows_leaf=10)
    tree = tc.grow(train, "cart", oblique=directions, min_rows_leaf=10)
    assert tree.node(0).feature.startswith("x − 2.")
    assert tree.n_leaves < straight.n_leaves
    right = [np.mean(t.predict(test) == test.target_column.labels()) for t in (straight, tree)]
    assert right[1] > right[0] + 0.01


def test_the_sample_with_a_slanted_line_needs_one():
    table = read_sample("oblique")
    tree = tc.grow(table, "cart", oblique="climb")
    assert tree.n_leaves <= 3 < tc.grow(table, "cart").n_leaves
    assert [f.name for f in tree.schema.features if not f.terms] == list(table.features)
    assert len(oblique_nodes(tree)) == sum(bool(f.terms) for f in tree.schema.features) == 1


def test_single_features_are_preferred_where_they_do():
    frame = frame_of(300)
    frame["y"] = np.where(frame["x"] > 40, "a", "b")
    table = tc.read_table(frame, target="y")
    assert len(oblique_nodes(tc.grow(table, "cart", oblique="climb"))) == 0


def test_a_price_out_of_reach_leaves_the_tree_as_it_is():
    table = tc.read_table(frame_of(150, noise=0.05), target="y")
    assert nodes_of(tc.grow(table, oblique="discriminant", coefficient_price=1e6)) == nodes_of(tc.grow(table))


def test_numbers_are_learned_too():
    frame = frame_of(300)
    frame["y"] = np.where(frame["y"] == "in", 10.0, 2.0)
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"y": "numeric"}), oblique="ridge", max_depth=1)
    assert tree.node(0).feature.startswith("x − 2.")


def test_what_cannot_be_is_said():
    words = pd.DataFrame({"a": list("xyxyxy"), "b": range(6), "y": list("ppqqpq")})
    assert tc.grow(tc.read_table(words, target="y"), oblique="climb").n_nodes > 1  # there is nothing to add up
    table = tc.read_table(frame_of(80, noise=0.1), target="y")
    with pytest.raises(TreecoreError, match="hyperplanes"):
        tc.grow(tc.read_table(frame_of(400), target="y"), oblique="exhaustive")
    with pytest.raises(TreecoreError, match="climb"):
        tc.grow(tc.read_table(frame_of(80), target="x"), oblique="logistic")
    with pytest.raises(TreecoreError, match="price"):
        tc.grow(table, coefficient_price=-1)


def test_a_split_by_a_sum_is_taken_and_kept_by_the_recipe():
    table = tc.read_table(frame_of(300, noise=0.05), target="y")
    recipe = tc.Recipe((Grow("cart", {"oblique": "discriminant", "max_depth": 2}),))
    tree = tc.fit(table, recipe).grown
    ranked = tc.candidates(tree, 0, table).ranked
    other = next(c for c in ranked if c.feature == "x" and c.best)
    recipe = recipe.then(take_of(tree, 0, other))
    assert tc.fit(table, recipe).grown.node(0).feature == "x"
    sum_again = take_of(tree, 0, next(c for c in ranked if c.feature == tree.node(0).feature and c.best))
    back = recipe.then(replace(sum_again, expect="x"))
    again = tc.Recipe.from_json(back.to_json())
    assert tc.fit(table, again).grown.node(0).feature == tree.node(0).feature
    plain = tc.Recipe((Grow("cart"), replace(sum_again, expect="")))
    with pytest.raises(TreecoreError, match="oblique splits"):
        tc.fit(table, plain)


def test_a_sum_of_nothing_is_no_split_to_take():
    for terms in ((("x", 0.0),), ((1, 1.0),), (("x", "1"),)):
        with pytest.raises(TreecoreError, match="weighted sum"):
            Take((), "", "x", 1.0, terms=terms)


def naive_least_bits(cases):
    """Over every way of drawing a line between the rows: each pair's line, turned a little either way, and moved."""
    n, best = len(cases.x), np.inf
    for a, b in itertools.combinations(range(n), 2):
        across = cases.x[b] - cases.x[a]
        normal = np.array([-across[1], across[0]])
        for turn in (-1e-5, 1e-5):
            w = normal + turn * across
            place = cases.x @ w
            for t in np.unique(place):
                low = place <= t
                if 0 < low.sum() < n:
                    bits = sum(
                        -sum(np.log2(c / side.sum()) * c for c in np.bincount(cases.target[side]) if c)
                        for side in (low, ~low)
                    )
                    best = min(best, bits)
    return best


@given(st.integers(0, 10_000), st.integers(3, 9), st.integers(2, 3))
@settings(max_examples=25)
def test_every_hyperplane_is_tried(seed, n, k):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, k, n)
    assume(len(set(target)) > 1)  # no direction is looked for among rows of one class
    cases = Cases(rng.standard_normal((n, 2)), target, np.ones(n), k)
    found = all_best(cases)
    assert cases.cut_bits(cases.x @ found[0]) == pytest.approx(naive_least_bits(cases), abs=1e-6)
    for way in ("climb", "ridge", "discriminant", "logistic"):
        others = DIRECTIONS[way].find(cases, rng)
        assert (
            min((cases.cut_bits(cases.x @ w) for w in others), default=np.inf)
            >= cases.cut_bits(cases.x @ found[0]) - 1e-6
        )


def test_the_count_of_hyperplanes():
    assert n_hyperplanes(10, 2) == 4 * 45


def test_small_coefficients_go_and_others_stay():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((400, 4))
    cases = Cases(x, (x[:, 0] + x[:, 2] > 0).astype(int), np.ones(400), 2)
    w, bits = without_small(cases, discriminants(cases)[0])
    assert np.flatnonzero(w).tolist() == [0, 2]
    assert bits <= cases.cut_bits(x @ discriminants(cases)[0]) + 2 * cases.coefficient_bits
