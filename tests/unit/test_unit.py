"""Units of columns: read from the file, written beside predicted numbers, kept by saved trees."""

import io

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.number_reading import unit_in
from treecore.explaining.why_node import plain_words
from treecore.export.cards import describe_prediction, tree_cards
from treecore.export.dot import tree_dot
from treecore.export.portable import Portable
from treecore.figures import brief, in_unit
from treecore.plots import feature_effects as plots
from treecore.predicting.decision_path import story
from treecore.rules.from_tree import path_rules
from treecore.study import partial_dependence
from treecore.study.curves import size_curve
from treecore.study.questions.partial_dependence import partial_sentence
from treecore.tree.node_statistics import node_statistics
from treecore.view.canvas import Look, drawing
from treecore.view.size_picker import CurveDrawing
from treecore.view.subject import Subject


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("price (€)", "€"), ("Preis in €", "€"), ("Preis [EUR]", "EUR"), ("price €", "€"), ("rent, €/m²", "€/m²"),
        ("area (m²)", "m²"), ("Tenure (months)", "months"), ("speed (in km/h)", "km/h"), ("share (%)", "%"),
        ("Complaints (12m)", ""), ("price (net)", ""), ("kg", ""), ("x (kg", ""), ("Main in", ""), ("", ""),
        ("a" * 5000 + " (€)", ""),
    ],
)  # fmt: skip
def test_a_unit_stands_at_the_end_of_a_name(name, unit):
    assert unit_in(name) == unit


def test_a_number_has_its_unit_where_it_is_usual():
    assert in_unit("195,196", "€") == "195,196\u00a0€"
    assert in_unit("195,196", "$") == "$195,196"
    assert in_unit("-3.5", "US$") == "-US$3.5"
    assert in_unit("–", "€") == "–"
    assert in_unit("7", "") == "7"


def houses(sign: str = "€ {}", name: str = "price") -> str:
    rng = np.random.default_rng(1)
    area = rng.integers(40, 200, 300)
    price = (area * 2000 + rng.normal(0, 9000, 300)).round().astype(int)
    frame = pd.DataFrame({"area": area, name: [sign.format(f"{p:,}") for p in price]})
    return frame.to_csv(index=False)


@pytest.mark.parametrize(
    ("sign", "name", "unit"), [("€ {}", "price", "€"), ("{}", "price (CHF)", "CHF"), ("{}", "price", "")]
)
def test_predicted_numbers_have_the_unit_of_the_file(sign, name, unit):
    table = tc.read_table(io.StringIO(houses(sign, name)), target=name)
    tree = tc.grow(table, "cart", max_depth=2)
    assert tree.schema.target_unit == unit
    again = tc.Tree.from_dict(tree.to_dict())
    assert again.schema.target_unit == unit
    mean = describe_prediction(tree.node(0))
    assert mean.endswith(f"\u00a0{unit}") if unit else mean[-1].isdigit()
    assert (f"\u00a0{unit} where" in plain_words(tree, 0)) == bool(unit)


def test_a_unit_is_no_part_of_what_was_learned():
    signed, plain = (tc.read_table(io.StringIO(houses(sign)), target="price") for sign in ("€ {}", "{}"))
    a, b = (tc.grow(table, "cart", max_depth=2) for table in (signed, plain))
    assert a.schema == b.schema
    assert np.array_equal(a.value, b.value)


def test_classes_and_parts_of_a_table_know_their_unit():
    table = tc.read_table(io.StringIO(houses()), target="price")
    train, *_ = table.split(tc.Roles())
    assert train.target_column.unit == "€"
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "size (kg)": ["a", "b", "a", "b"]})
    assert tc.grow(tc.read_table(frame, target="size (kg)"), "cart").schema.target_unit == ""


def test_a_saved_unit_that_is_none_is_refused():
    table = tc.read_table(io.StringIO(houses()), target="price")
    data = tc.grow(table, "cart", max_depth=1).to_dict()
    for bad in (7, "x" * 500):
        with pytest.raises(tc.TreecoreError):
            tc.Tree.from_dict(data | {"schema": data["schema"] | {"unit": bad}})


def test_cards_and_curves_of_numbers_tell_deviations_in_the_unit():
    table = tc.read_table(io.StringIO(houses()), target="price")
    train, validation, _ = table.split(tc.Roles(train=0.6, validation=0.4, test=0.0))
    tree = tc.grow(train, "cart", max_depth=3)
    stats = {"train": node_statistics(tree, train)}
    subject = Subject(
        "k", "k", tree, np.arange(tree.n_nodes), tree, (), lambda nodes: tree_cards(tree, nodes, stats), lines=2,
    )  # fmt: skip
    drawn, _ = drawing(subject, Look(detail="learn"))
    y, ends = train.target_column.values(), tree.apply(train)
    low, high = tree.value.min(), tree.value.max()
    for row in drawn["nodes"]:
        mine = y[np.isin(ends, [row["id"], *np.flatnonzero(tree.descendants(row["id"]))])]
        assert row["lines"][0] == ["spread", f"± {in_unit(brief(mine.std()), '€')}"]
        band = [np.clip((mine.mean() + side * mine.std() - low) / (high - low), 0, 1) for side in (-1, 1)]
        assert row["bars"][0]["band"] == pytest.approx(band, abs=1e-3)
        if not row["leaf"]:
            within = sum(tree.impurity[c] * tree.weight[c] for c in tree.children(row["id"])) / tree.weight[row["id"]]
            assert row["lines"][1] == ["after split", f"± {in_unit(brief(within**0.5), '€')}"]
    steps = tc.sequence(tree)
    curve = size_curve(steps, {"train": train, "validation": validation})
    line = CurveDrawing(curve, "error", unit="€").large(0, "leaves")["lines"][0]
    assert line["told"][0] == f"training {in_unit(brief(float(np.sqrt(curve.error['train'][0]))), '€')}"


def with_units() -> tc.Table:
    """Houses in € whose area has its unit in every cell."""
    frame = pd.read_csv(io.StringIO(houses()))
    frame["area"] = [f"{a} m²" for a in frame["area"]]
    return tc.read_table(io.StringIO(frame.to_csv(index=False)), target="price")


def test_thresholds_have_the_unit_of_their_column_also_when_saved():
    tree = tc.grow(with_units(), "cart", max_depth=2)
    for known in (tree, tc.Tree.from_dict(tree.to_dict())):
        inner = next(t for t in range(1, known.n_nodes) if not known.is_leaf[t])
        assert known.node(1).condition.endswith("\u00a0m²")
        assert known.node(1).branch.endswith("\u00a0m²")
        assert known.node(known.children(inner)[1]).rule.count("\u00a0m²") == 2
    leaf = tree.children(int(np.flatnonzero(~tree.is_leaf)[1]))[1]
    assert path_rules(tree)[0].text.count("\u00a0m²") >= 1
    assert tree.node(leaf).predicted.endswith("\u00a0€")


def test_a_rows_way_its_answer_and_its_spread_have_units():
    tree = tc.grow(with_units(), "cart", max_depth=2)
    found = story(Portable(tree), {"area": 120.0})
    assert found.steps[0].text.startswith("area is 120\u00a0m²: area ")
    assert found.said.endswith("\u00a0€")
    assert found.ends[0].answer == found.said
    kind = tree.target_kind
    assert kind.spread_text(tree, 0).endswith("\u00a0€")
    mean = in_unit(f"{tree.value[0]:,.0f}", "€")
    assert kind.figures(tree, 0, tree.stats[0]) == {"mean of price": mean}
    dot = tree_dot(tree_cards(tree, np.arange(tree.n_nodes), {"train": tree.stats}), classes=())
    assert f"± {brief(float(tree.impurity[0]) ** 0.5)} €" in dot


def test_partial_dependence_has_the_units_of_the_feature_and_of_the_answers():
    table = with_units()
    found = partial_dependence(tc.grow(table, "cart", max_depth=2), table, "area")
    told = partial_sentence(found, "price", False)
    assert told.count("\u00a0€") == 2
    assert told.count("\u00a0m²") == 2
    drawn = plots.partial(found, "price", False)
    assert (drawn.layout.xaxis.ticksuffix, drawn.layout.yaxis.ticksuffix) == ("\u00a0m²", "\u00a0€")


def test_tables_that_programs_read_have_numbers_without_units():
    tree = tc.grow(with_units(), "cart", max_depth=2)
    assert [float(text) for text in tree.to_frame()["predicted"]] == pytest.approx(tree.value, rel=1e-5)
