"""Where rows without a value went: as data, in the diagram, in sentences."""

import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data import numeric_column
from treecore.data.samples import read_sample
from treecore.explaining.formulas import Grid, Words
from treecore.explaining.missing_routes import missing_lines
from treecore.export.cards import missing_marks, only_missing, outline, tree_cards
from treecore.export.dot import tree_dot
from treecore.export.layout import layout_svg
from treecore.tree.missing import missing_route
from treecore.tree.node_statistics import missing_weights, node_statistics

NAN = np.nan
# x0 decides, x1 agrees on 9 of the 10 rows that have both; three rows have no x0, one of them no x1 either
ROWS = [
    [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, NAN, NAN, NAN],
    [0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 0, NAN],
]
LABELS = [0] * 6 + [1] * 4 + [1, 0, 0]
TABLE = Sample(["numeric", "numeric"], ROWS, [0, 0], LABELS, 2).table()
WEIGHTED = TABLE.with_weights(np.array([1.0] * 10 + [0.5] * 3))


def grown(missing, table=TABLE, **settings):
    tree = tc.grow(table, missing=missing, max_depth=1, **settings)
    assert tree.node(0).feature == "x0"
    return tree


def dot_of(tree, table=TABLE, **settings):
    cards = tree_cards(tree, np.arange(tree.n_nodes), {"train": node_statistics(tree, table)})
    return cards, tree_dot(cards, classes=tree.classes, **settings)


def sentences(tree, node=0):
    return [line.text for line in missing_lines(tree, node) if isinstance(line, Words)]


def test_the_larger_branch_takes_them():
    route = missing_route(grown("majority"), 0)
    assert (route.rows, route.weight, route.branch, route.shares) == (3, 3.0, 0, ())
    assert sentences(grown("majority"))[0] == (
        "3 training rows here have no value of x0. They followed the branch with more training weight, “< 8.5”."
    )


def test_they_are_shared_as_the_known_rows_are():
    tree = grown("fractional")
    assert missing_route(tree, 0).shares == pytest.approx((0.6, 0.4))
    assert sentences(tree) == [
        "3 training rows here have no value of x0. They are shared among the branches in proportion to the rows with "
        "a value: 60.0\u00a0% to “< 8.5”, 40.0\u00a0% to “≥ 8.5”.",
        "In a prediction without a value the row goes down every branch with its share (60.0\u00a0% / 40.0\u00a0%), "
        "and the predictions are averaged.",
    ]


def test_surrogates_send_two_and_the_larger_branch_takes_one():
    tree = grown("surrogates")
    route = missing_route(tree, 0)
    assert (route.rows, route.by_surrogates, route.others, route.branch) == (3, 2, 1, 0)
    assert sentences(tree)[0].endswith(
        "Surrogate splits sent 2: 2 by x1. For the other row no surrogate had a value: it followed the larger branch, "
        "“< 8.5”."
    )
    grid = next(line for line in missing_lines(tree, 0) if isinstance(line, Grid))
    assert grid.rows == (("x1", "x1 < 4.5", "90.0\u00a0%", "75.0\u00a0%", "2"),)


def test_surrogates_that_are_only_listed():
    tree = grown("rpart_stay")
    route = missing_route(tree, 0)
    assert (route.by_surrogates, route.others, route.branch) == (0, 2, None), "rpart grows without rows of no value"
    assert "Surrogate splits (listed, not used):" in sentences(tree)
    assert next(line for line in missing_lines(tree, 0) if isinstance(line, Grid)).rows[0][-1] == "not used"
    assert sentences(tree)[-1] == "In a prediction without a value the row stays here, and the node predicts."


def test_rows_that_no_surrogate_sends_stay_where_nothing_else_is_allowed():
    tree = grown("surrogates_only")
    assert missing_route(tree, 0).branch is None
    assert "it stayed here" in sentences(tree)[0]


def test_a_value_of_its_own():
    tree = grown("own_value", TABLE.with_features(["x0"]))
    assert missing_route(tree, 0).own
    assert "Missing is a value of its own; the split is best with it in “< 8.5 or missing”." in sentences(tree)[0]


def test_the_usual_value_of_the_node():
    """The mean of x0 is 7.1."""
    assert "its mean goes to “< 8.5”" in sentences(grown("node_value"))[0]


def test_nothing_missing_and_a_leaf():
    tree = tc.grow(TABLE.with_features(["x1"]), missing="majority", max_depth=1)
    assert missing_lines(tree, 1) == []
    complete = Sample(["numeric"], [[1, 2, 3, 4]], [0], [0, 0, 1, 1], 2).table()
    assert sentences(tc.grow(complete))[0] == "Every training row here has a value of x0."


def test_an_unseen_level_and_a_filled_column_are_told():
    tree = tc.grow(read_sample("titanic"), missing="stay", max_depth=1)
    assert tree.node(0).feature == "sex"
    assert sentences(tree)[-1] == "With a level not seen here the row stays here, and the node predicts."


# ---- the diagram


def test_a_branch_that_took_all_has_a_dashed_line_beside_it():
    pygraphviz = pytest.importorskip("pygraphviz")
    cards, dot = dot_of(grown("majority"))
    assert (cards[0].missing_rows, cards[0].missing_to, cards[0].missing_goes) == (3, 1, "< 8.5")
    graph = pygraphviz.AGraph(string=dot)
    assert sorted(graph.nodes()) == ["n0", "n1", "n2"]
    edges = [graph.get_edge(*ends) for ends in graph.edges(keys=True)]
    beside = next(e for e in edges if e.attr["id"] == "m0")
    assert (beside[0], beside[1], beside.attr["style"], beside.attr["class"]) == ("n0", "n1", "dashed", "missing")
    assert "3 missing" in beside.attr["label"]
    ids = re.findall(r'<g id="(\w+)"', layout_svg(dot).decode())
    assert ids.index("m0") == ids.index("e1") + 1, "it stands beside the branch, and is no target of its own"


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("fractional", ["3 missing", "shared 60.0 % / 40.0 %"]),
        ("stay", ["3 missing", "stay here"]),
        ("surrogates", ["3 missing", "2 by surrogate x1", "1 to the larger branch"]),
        ("surrogates_only", ["3 missing", "2 by surrogate x1", "1 stays here"]),
    ],
)
def test_else_a_stub_says_what_became_of_them(missing, words):
    pygraphviz = pytest.importorskip("pygraphviz")
    _, dot = dot_of(grown(missing))
    graph = pygraphviz.AGraph(string=dot)
    stub = graph.get_node("m0")
    told = [t.replace("\u00a0", " ") for t in re.findall(r"<FONT[^>]*>([^<]*)</FONT>", stub.attr["label"])]
    assert told == words
    assert stub.attr["class"] == "missing"
    assert "dashed" in stub.attr["style"]
    assert graph.get_edge("n0", "m0").attr["id"] == "r0"
    assert b'id="m0"' in layout_svg(dot)


def test_weights_are_told_where_they_differ():
    cards, dot = dot_of(grown("fractional", WEIGHTED), WEIGHTED)
    assert (cards[0].missing_rows, cards[0].missing_weight) == (3, 1.5)
    assert "weight 1.5" in dot


def test_the_routes_can_be_left_out_and_are_not_in_small_drawings():
    tree = grown("fractional")
    for settings in ({"missing": False}, {"compact": True}):
        assert "missing" not in dot_of(tree, **settings)[1].replace("; 3 missing: shared", "")


def test_a_node_without_missing_values_or_drawn_branches_has_no_route():
    tree = tc.grow(read_sample("titanic"), missing="fractional", max_depth=4)
    cards = tree_cards(tree, np.arange(3), {"train": tree.stats})
    assert tree.missing_rows[1] > 0
    assert [card.missing_rows for card in cards] == [0, 0, 0], "node 1 is drawn without its branches"


def test_readers_of_the_outline_are_told_too():
    cards, _ = dot_of(grown("surrogates"))
    row = outline(cards)[0]
    assert row["missing"] == "3 missing: 2 by surrogate x1, 1 to the larger branch"
    assert row["missing"] in row["label"]
    assert "missing" not in outline(cards)[1]


def test_many_branches_are_counted():
    levels = [v % 6 for v in range(60)]
    sample = Sample(["nominal"], [[*levels, -1, -1]], [6], [v % 2 for v in levels] + [0, 1], 2)
    tree = tc.grow(sample.table(), nominal="multiway", missing="fractional", max_depth=1)
    cards, _ = dot_of(tree, sample.table())
    assert cards[0].missing_goes == "shared among 6 branches"


# ---- beside the branches


@pytest.mark.parametrize(
    ("missing", "came", "rest"),
    [
        ("majority", {1: "3 missing"}, {}),
        ("fractional", {1: "1.8 missing", 2: "1.2 missing"}, {}),
        ("stay", {}, {0: "3 missing stay here"}),
        ("surrogates", {1: "2 missing", 2: "1 missing"}, {}),
        ("surrogates_only", {1: "1 missing", 2: "1 missing"}, {0: "1 missing stay here"}),
    ],
)
def test_each_branch_says_how_many_it_took(missing, came, rest):
    assert missing_marks(grown(missing), TABLE) == (came, rest)


def test_what_surrogates_sent_is_not_known_without_the_rows():
    assert missing_marks(grown("surrogates")) == ({}, {0: "3 missing, by surrogates"})
    assert missing_marks(grown("surrogates", WEIGHTED), WEIGHTED) == ({1: "1 missing", 2: "0.5 missing"}, {})


def test_no_weight_is_lost_on_the_way_down():
    """Of a tree of several levels: as many as each node says, but where they stay."""
    table = read_sample("titanic")
    for missing in ("majority", "fractional", "surrogates"):
        tree = tc.grow(table, missing=missing, max_depth=4)
        weights = missing_weights(tree, table)
        inner = np.flatnonzero(~tree.is_leaf)
        below = [sum(weights[child] for child in tree.children(node)) for node in inner]
        assert tree.missing_weight[inner].sum() > 100
        assert below == pytest.approx(tree.missing_weight[inner])


def test_a_branch_of_their_own_is_the_route():
    pygraphviz = pytest.importorskip("pygraphviz")
    values = [1.0, 2, 3, 4, 5, 6, 7, 8] * 4 + [NAN] * 8
    labels = ([0] * 4 + [1] * 4) * 4 + [0, 1] * 4
    table = Sample(["numeric"], [values], [0], labels, 2).table()
    tree = tc.grow(table, "chaid", max_depth=1, min_rows_leaf=1)
    alone = [node for node in range(tree.n_nodes) if only_missing(tree, node)]
    assert [tree.node(node).branch for node in alone] == ["missing"]
    graph = pygraphviz.AGraph(string=dot_of(tree, table)[1])
    assert len(graph.edges()) == tree.n_nodes - 1, "no second line beside it"
    edge = graph.get_edge("n0", f"n{alone[0]}")
    assert (edge.attr["style"], edge.attr["class"]) == ("dashed", "missing")
    assert "8 missing" in edge.attr["label"]


def test_the_line_is_two_pixels_wide_and_beside_the_branch():
    drawn = layout_svg(dot_of(grown("majority"))[1]).decode()
    route, branch = (re.search(rf'<g id="{name}".*?<path [^>]*>', drawn, re.DOTALL)[0] for name in ("m0", "e1"))
    points = float(re.search(r'stroke-width="([\d.]+)"', route)[1])
    assert points * 96 / 72 >= 2
    middles = [
        np.array(re.findall(r"-?[\d.]+", re.search(r' d="([^"]*)"', line)[1]), float) for line in (route, branch)
    ]
    apart = [np.median(places.reshape(-1, 2)[:, 0]) for places in middles]
    assert abs(apart[0] - apart[1]) > 6


def test_rows_to_come_stay_in_rpart_where_as_many_rows_went_either_way():
    """rpart 4.1.19, maxsurrogate = 0: 3 rows either way, of weight 6 and 3; without the value the root answers."""
    columns = numeric_column("x", np.arange(6.0)), numeric_column("y", np.array([1.0, 1, 1, 4, 4, 4]))
    table = tc.Table(columns, target="y", features=("x",)).with_weights(np.array([2.0, 2, 2, 1, 1, 1]))
    tree = tc.grow(table, "rpart", min_rows_split=2, min_rows_leaf=1, max_surrogates=0)
    assert tree.predict(pd.DataFrame({"x": [np.nan, 0.0, 5.0]})).tolist() == [2.0, 1.0, 4.0]


@pytest.mark.parametrize("score", ["g_test", "chi_square"])
def test_a_statistic_of_0_still_sends_missing_values_to_their_own_side(score):
    """Only known against missing is allowed here; where it says nothing, any such cut will do, but it must cut."""
    x = numeric_column("x", [1.0, 2.0, np.nan, np.nan])
    y = tc.read_table(pd.DataFrame({"z": [1, 2, 3, 4], "y": list("abab")}), target="y").column("y")
    table = tc.Table((x, y), target="y", features=("x",))
    tree = tc.grow(table, score=score, missing="own_value", zero_gain="split", min_rows_leaf=2, max_depth=3)
    assert tree.n_rows.tolist() == [4, 2, 2]
