"""A number reads the same wherever it stands: on cards, in sentences, tables, files and pictures."""

import html
import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.cards import tree_cards
from treecore.figures import brief
from treecore.rules.from_tree import path_rules
from treecore.study.segments import segments
from treecore.tree.node_statistics import node_statistics
from treecore.view.canvas import Look, drawing
from treecore.view.subject import Subject

SAMPLES = {"numbers": "mpg", "counts": "claims", "times": "pumps", "effects": "backs"}


@pytest.fixture(scope="module", params=SAMPLES)
def grown(request) -> tuple[tc.Table, tc.Tree]:
    table = read_sample(SAMPLES[request.param])
    return table, tc.grow(table, max_depth=3, min_rows_leaf=20)


def figure(tree: tc.Tree, node: int) -> str:
    """What every text of a node's answer has: "23.51", "+12.3"."""
    text = tree.target_kind.figure_text(tree, float(tree.value[node]))
    return text.removesuffix(f" {tree.target_kind.figure_unit}")


def file_text(made: str | bytes) -> str:
    """In which a minus may be an escape of a script."""
    return html.unescape(made if isinstance(made, str) else made.decode()).replace(r"\u2212", "−")


def canvas(tree: tc.Tree, table: tc.Table) -> dict[int, dict]:
    statistics = {"train": node_statistics(tree, table)}
    places = np.arange(tree.n_nodes)
    subject = Subject(
        "tree", (), tree, places, tree, tree.class_names, lambda nodes: tree_cards(tree, nodes, statistics),
        lambda cards, rows: None, bars=1, lines=4,
    )  # fmt: skip
    return {
        row["id"]: row for row in drawing(subject, Look(opened=frozenset(places.tolist()), detail="lab"))[0]["nodes"]
    }


def test_every_renderer_writes_an_answer_alike(grown):
    table, tree = grown
    leaves = np.flatnonzero(tree.is_leaf).tolist()
    outline, dot, rules = str(tree), tc.export(tree, "dot"), {rule.leaf: rule.said for rule in path_rules(tree)}
    page, svg = (file_text(tc.export(tree, kind)) for kind in ("html", "svg"))
    cards = canvas(tree, table)
    for leaf in leaves:
        told = figure(tree, leaf)
        alone = re.compile(rf"(?<![\d.,]){re.escape(told)}(?![\d,]|\.\d)")
        for name, text in {"outline": outline, "dot": file_text(dot), "page": page, "svg": svg}.items():
            assert alone.search(text), (name, told)
        assert alone.search(rules[leaf]), told
        assert alone.search(cards[leaf]["answer"]), told
        assert alone.search(tree.target_kind.short_text(tree, leaf)), told


def test_segments_tell_the_answers_of_cards():
    table = read_sample("mpg")
    tree = tc.grow(table, max_depth=2)
    found = segments(tree, table)
    for node, rate in zip(found.node.tolist(), found.told.tolist(), strict=True):
        assert found.rate_text(rate) == figure(tree, node)


@pytest.mark.parametrize(
    ("center", "spread", "expected"),
    [
        (3.7, 1.8, r"3\.\d{3}"), (1998.0, 7.0, r"199\d\.\d"), (1000.0, 0.25, r"\d{3,4}\.\d\d"),
        (195_196.4, 6e4, r"19\d,\d{3}"), (15_000.0, 2.0, r"1\d,\d{3}\.\d"), (0.0, 1.0, r"-?0\.\d{4,}"),
    ],
)  # fmt: skip
def test_answers_have_four_digits_and_as_many_more_as_tell_rows_apart(center, spread, expected):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": np.arange(400.0), "y": rng.normal(center, spread, 400)})
    tree = tc.grow(tc.read_table(frame, target="y"), max_depth=0)
    assert re.fullmatch(expected, tree.node(0).predicted), tree.node(0).predicted


def test_a_pruned_tree_has_the_digits_of_the_grown_one():
    frame = pd.DataFrame({"x": np.arange(300.0), "y": 2000.0 + np.arange(300) / 29})
    grown = tc.grow(tc.read_table(frame, target="y"))
    pruned = grown.cut(tc.prune(grown, "cost_complexity", alpha=0.2))
    assert 1 < pruned.n_nodes < grown.n_nodes
    assert pruned.node(0).predicted == grown.node(0).predicted == "2005.2"


def test_briefly_is_what_brief_writes():
    assert [brief(v, 6) for v in (15_000.26, 1998.345, 0.0, -15_000.0)] == ["15,000.3", "1998.35", "0", "-15,000"]


def test_rules_tell_how_far_rows_are_from_their_answer_by_the_measure_of_the_tree():
    table = read_sample("mpg")
    tree = tc.grow(table, max_depth=1)
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    told = brief(float(np.sqrt(tree.impurity[leaf])))
    text = tc.export(tree, "rules")
    assert f"RMSE {told}" in text
    assert "squared error" not in text
