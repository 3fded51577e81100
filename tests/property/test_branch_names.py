"""A branch is called alike wherever it is named: on cards and edges, in rules and words, among the splits of a node."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.explaining.why_node import plain_words
from treecore.export.cards import tree_cards
from treecore.presets import PRESETS
from treecore.tree.condition_text import MISSING
from treecore.tree.missing import branch_name
from treecore.view.labels import branch_words, question

N = 400
BEAKS = ["short", "medium", "long", "very long"]


def rows(gaps: bool, n_levels: int) -> pd.DataFrame:
    chance = np.random.default_rng(n_levels)
    beak, legs = chance.integers(0, n_levels, N), chance.normal(3, 2, N).round(2)
    colour = chance.choice(["red", "green", "blue"], N)
    noise = chance.random(N) < 0.1
    kind = np.where((beak > 0) ^ (legs > 3) ^ noise, "bird", np.where(colour == "red", "dog", "fish"))
    frame = pd.DataFrame({"beak": np.array(BEAKS, object)[beak], "legs": legs, "colour": colour, "kind": kind})
    if gaps:
        frame.loc[chance.random(N) < 0.15, "beak"] = None
        frame.loc[chance.random(N) < 0.15, "legs"] = None
    return frame


def grown(preset: str, gaps: bool, n_levels: int):
    kinds = {"beak": tc.Ordinal(BEAKS[:n_levels])}
    table = tc.read_table(rows(gaps, n_levels), target="kind", kinds=kinds)
    try:
        return tc.grow(table, preset, max_depth=4), table
    except TreecoreError as fault:
        pytest.skip(f"{preset} grows no such tree: {fault.what}")


def bare(branch: str) -> str:
    """As it stands on an edge."""
    return branch.removeprefix("∈ ").removeprefix("= ")


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("n_levels", [2, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_branch_has_one_name(preset, n_levels, gaps):
    tree, table = grown(preset, gaps, n_levels)
    cards = {card.id: card for card in tree_cards(tree, np.arange(tree.n_nodes), {})}
    rules = {int(rule.leaf): rule.text for rule in tc.rules(tree)} if hasattr(tc.rules(tree)[0], "leaf") else {}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        told = plain_words(tree, node).replace("\u00a0", " ")
        children = [tree.node(child) for child in tree.children(node)]
        for i, child in enumerate(children):
            assert branch_name(tree, node, i) == child.branch
            assert cards[child.id].branch == bare(child.branch)
            if "∈" not in child.branch and " to " not in child.branch and ", " not in child.branch:
                assert child.condition.replace(" is ", " ") == f"{child.tree.node(node).feature} {child.branch}"
            if child.weight and len(child.condition) < 40 and len(children) < 4:
                assert child.condition in told, told
            if node == 0 and child.is_leaf and child.id in rules:
                assert child.condition in rules[child.id]
        own = next((c for c in tc.candidates(tree, node, table).ranked if c.chosen), None)
        if own is None or own.threshold is None:
            continue
        names = [bare(child.branch) for child in children]  # rpart has them in the order of their answers
        assert sorted(branch_words(tree, own)) == sorted(names)
        assert question(tree, own).removeprefix(own.feature).replace(" is ", " ").strip() in names


def test_where_missing_values_go_is_part_of_the_name_of_that_branch():
    """On either side: of the two candidates that differ by it alone, each says so where it is."""
    tree, table = grown("cart", True, 4)
    tree = tc.grow(table, "cart", max_depth=3, missing="own_value")
    found = [c for c in tc.candidates(tree, 0, table).ranked if c.threshold is not None and np.isfinite(c.threshold)]
    assert {c.missing for c in found} >= {0, 1}
    for candidate in found:
        words = branch_words(tree, candidate)
        assert [word.endswith(MISSING) for word in words] == [candidate.missing == 0, candidate.missing == 1]
