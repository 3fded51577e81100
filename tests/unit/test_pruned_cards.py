"""Cards of a pruned tree: ghosts over the grown layout, the tree that is left, and branches that rise."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.cards import cards_as_grown, outline, pruned_cards, recounted, spoken, tree_cards
from treecore.export.dot import tree_dot
from treecore.pruning import CUT, RAISED, Cuts, Reason
from treecore.tree.node import top_nodes
from treecore.tree.node_statistics import node_statistics
from treecore.view import canvas_nodes

TRAIN, VALIDATION, _ = read_sample("titanic").split(tc.Roles())
TREE = tc.grow(TRAIN, max_depth=5)
STATS = {"train": TREE.stats, "validation": node_statistics(TREE, VALIDATION)}
EVERY = np.arange(TREE.n_nodes)


def cut_cuts():
    return tc.prune(TREE, "reduced_error", validation=VALIDATION)


def raised_cuts():
    """A child of the root gives its place to its larger inner child, below which one node is cut."""
    place = next(t for t in TREE.children(0) if not TREE.is_leaf[t])
    rises = max((t for t in TREE.children(place) if not TREE.is_leaf[t]), key=lambda t: TREE.weight[t])
    below = next(t for t in TREE.children(rises) if not TREE.is_leaf[t])
    verdict, by = np.zeros(TREE.n_nodes, int), np.full(TREE.n_nodes, -1)
    verdict[place], by[place], verdict[below] = RAISED, rises, CUT
    reasons = {place: Reason("error-based", "why", 4.125, 4.5), below: Reason("error-based", "why", 1, 2)}
    return Cuts(verdict, by, reasons, train=TRAIN), place, rises, below


def laid_out(cuts, stats=None):
    pruned = TREE.cut(cuts)
    stats = stats or {"train": pruned.stats, "validation": node_statistics(pruned, VALIDATION)}
    return pruned, pruned_cards(TREE, cuts, pruned, np.arange(pruned.n_nodes), stats)


def test_cut_nodes_say_method_and_number_and_all_below_are_ghosts():
    cuts = cut_cuts()
    cards = {card.id: card for card in tree_cards(TREE, EVERY, STATS, cuts)}
    hidden = cuts.hidden(TREE)
    assert {t for t, card in cards.items() if card.ghost} == set(np.flatnonzero(hidden).tolist())
    stubs = {t for t, card in cards.items() if card.cut}
    assert stubs == {t for t in cuts.cut_nodes.tolist() if not hidden[t]}
    for t in stubs:
        reason = cuts.reasons[t]
        assert cards[t].stub == ("reduced error", f"{reason.number:g} ≤ {reason.threshold:g}")
        assert not cards[t].is_leaf, "the layout is that of the grown tree"
    rows = {row["id"]: row for row in outline(tuple(cards.values()))}
    assert all(rows[t]["stub"][0] == "reduced error" for t in stubs)


def test_what_is_left_has_the_ids_of_the_grown_tree():
    cuts = cut_cuts()
    _, cards = laid_out(cuts)
    assert [card.id for card in cards] == cuts.standing(TREE).tolist()
    for card in cards:
        view = TREE.node(card.id)
        assert card.rows == view.weight
        assert card.parent == (None if card.id == 0 else int(TREE.parent[card.id]))
        assert card.is_leaf == bool(TREE.is_leaf[card.id] or cuts.verdict[card.id] == CUT)
        assert card.title == (view.predicted if card.is_leaf else view.feature)
        assert not card.ghost
        assert not card.cut


def test_a_raised_branch_stands_in_its_place_with_the_rows_of_the_place():
    cuts, place, rises, below = raised_cuts()
    _, cards = laid_out(cuts)
    found = {card.id: card for card in cards}
    risen = found[rises]
    assert risen.parent == 0
    assert risen.branch == TREE.node(place).branch.removeprefix("= ")
    assert risen.rows == pytest.approx(TREE.weight[place]), "all rows of the place go down it"
    assert risen.rows > TREE.weight[rises]
    assert place not in found
    assert found[below].is_leaf
    children = [card for card in cards if card.parent == rises]
    assert [card.id for card in children] == list(TREE.children(rises))
    assert sum(card.rows for card in children) == pytest.approx(risen.rows)
    assert [bar.n for bar in risen.bars][1] == pytest.approx(STATS["validation"][place].sum())


def test_ghosts_around_a_raised_branch():
    cuts, place, rises, below = raised_cuts()
    _, kept = laid_out(cuts)
    cards = {card.id: card for card in recounted(tree_cards(TREE, EVERY, STATS, cuts), kept)}
    assert cards[place].raised == rises
    assert cards[place].ghost
    assert cards[place].stub == ("error-based", "4.125 ≤ 4.5")
    assert f"node {rises} takes this place, error-based, 4.125 ≤ 4.5" in spoken(cards[place])
    assert cards[rises].place == place
    assert not cards[rises].ghost
    assert cards[rises].parent == place, "it is drawn where it grew"
    assert cards[rises].rows == pytest.approx(TREE.weight[place])
    assert cards[below].cut
    for t, card in cards.items():
        standing = t in cuts.standing(TREE)
        assert card.ghost != standing
        if not standing:
            assert card.rows == TREE.weight[t], "ghosts keep the counts they grew with"
    dot = tree_dot(tuple(cards.values()), classes=TREE.classes)
    assert f"raised: node {rises} here" in dot
    plain = cards_as_grown(cards.values())
    assert not any(card.ghost or card.cut or card.stub or card.raised is not None for card in plain)
    rows = {row["id"]: row for row in outline(tuple(cards.values()))}
    assert rows[place]["raised"] == rises
    assert rows[rises]["place"] == place
    assert "raised" not in rows[0]


def test_the_largest_nodes_of_what_is_left_are_drawn():
    cuts, _, rises, _ = raised_cuts()
    pruned = TREE.cut(cuts)
    nodes = top_nodes(pruned, 5)
    cards = pruned_cards(TREE, cuts, pruned, nodes, {"train": pruned.stats})
    assert len(cards) <= 6
    assert rises in [card.id for card in cards]
    assert {card.parent for card in cards} - {None} <= {card.id for card in cards}


def test_bars_of_numbers_keep_the_scale_of_the_grown_tree():
    cars = read_sample("mpg")
    tree = tc.grow(cars, max_depth=4)
    cuts = Cuts.at(tree, [tree.children(0)[0]])
    pruned = tree.cut(cuts)
    cards = pruned_cards(tree, cuts, pruned, np.arange(pruned.n_nodes), {"train": pruned.stats})
    grown = {card.id: card for card in tree_cards(tree, np.arange(tree.n_nodes), {"train": tree.stats})}
    assert all(card.bars[0].value == pytest.approx(grown[card.id].bars[0].value) for card in cards)


def test_large_predictions_are_told_with_thousands_on_cards_and_in_the_legend():
    prices = [120_000.0, 130_000.0, 750_000.0, 770_000.5] * 5
    table = tc.read_table(pd.DataFrame({"area": [50, 60, 200, 210] * 5, "price": prices}), target="price")
    tree = tc.grow(table, "cart", min_rows_leaf=2)
    [root, *_] = tree_cards(tree, np.arange(tree.n_nodes), {"train": tree.stats})
    assert root.predicted == "442,500"
    assert canvas_nodes.numbers(tree) == {"name": "price", "low": "120,000", "high": "770,000"}
    assert canvas_nodes.numbers(tree.after(0)) is None
    assert canvas_nodes.numbers(tc.grow(read_sample("iris"))) is None
