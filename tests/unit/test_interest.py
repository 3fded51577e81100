"""The class of interest: its rate in every node, against that of all rows."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from pages.shared.bench import rows
from pages.shared.bench.subject import Subject
from treecore.data.samples import read_sample
from treecore.explaining.plain_words import plain_words
from treecore.export.from_tree import tree_cards
from treecore.judging.interest import Interest, interest_of


def rare(n=400):
    """One yes in ten; one in four where x is 1."""
    x = np.repeat([0, 1], [n * 3 // 4, n // 4])
    yes = np.zeros(n, bool)
    yes[: n * 3 // 80] = yes[-n // 16 :] = True
    return tc.read_table(pd.DataFrame({"calls": x, "churn": np.where(yes, "yes", "no")}), target="churn")


def drawn(tree, interest):
    subject = Subject("k", "n", tree, np.arange(tree.n_nodes), tree, tree.classes, lambda nodes: (), interest=interest)
    cards = tree_cards(tree, np.arange(tree.n_nodes), {"train": tree.stats})
    return [rows.row(card, 1, (0.0, 0.0), subject, "look") for card in cards]


def test_the_rarer_of_two_is_looked_for_unless_another_is_named():
    titanic = tc.grow(read_sample("titanic"), "cart", max_depth=1)
    assert interest_of(titanic).name == "1"
    assert interest_of(titanic, "0") == Interest(0, "0", pytest.approx(549 / 891))
    iris = tc.grow(read_sample("iris"), "cart", max_depth=1)
    assert interest_of(iris) is None
    assert interest_of(iris, "Iris-setosa").base == pytest.approx(1 / 3)
    assert interest_of(tc.grow(read_sample("mpg"), "cart", max_depth=1)) is None


def test_a_lift_is_told_in_octaves_within_two():
    found = Interest(0, "yes", 0.1)
    assert [found.octaves(share) for share in (0.1, 0.2, 0.05, 0.9, 0.0)] == pytest.approx([0, 1, -1, 2, -2])
    assert Interest(0, "yes", 0.0).octaves(0.3) == 2
    assert Interest(0, "yes", 0.0).octaves(0.0) == 0


def test_nodes_show_its_share_and_are_coloured_by_it_from_the_root_on():
    tree = tc.grow(rare(), "cart", max_depth=1, min_gain=0.0)
    interest = interest_of(tree)
    root, low, high = drawn(tree, interest)
    yes, no = tree.classes.index("yes"), tree.classes.index("no")
    assert root["part"] == "10.0\u00a0% yes"
    assert (root["tint"], root["lift"]) == (yes, 0.0)
    assert (low["part"], low["tint"], low["lift"]) == ("5.0\u00a0% yes", no, 0.5)
    assert (high["part"], high["tint"]) == ("25.0\u00a0% yes", yes)
    assert high["lift"] == pytest.approx(np.log2(2.5) / 2, abs=1e-3)
    assert high["answer"] == "no"


def test_a_class_that_is_a_number_stands_before_its_share():
    tree = tc.grow(read_sample("titanic"), "cart", max_depth=1)
    assert drawn(tree, interest_of(tree))[0]["part"] == "1: 38.4\u00a0%"
    assert drawn(tree, None)[0]["part"] == "0: 61.6\u00a0%"


@pytest.mark.parametrize("more", [{"priors": (0.5, 0.5)}, {"loss": ((0.0, 1.0), (9.0, 0.0))}])
def test_with_weights_the_share_is_that_of_the_rows_and_the_colour_that_of_the_answer(more):
    """A leaf that answers "yes" to a quarter of yes said 75 % in the colour of no."""
    tree = tc.grow(rare(), "cart", max_depth=1, **more)
    high = int(np.argmax(tree.stats[:, tree.classes.index("yes")] / tree.stats.sum(axis=1)))
    assert tree.node(high).predicted == "yes"
    row = drawn(tree, None)[high]
    assert (row["part"], row["tint"]) == ("25.0\u00a0%", tree.classes.index("yes"))
    assert drawn(tree, interest_of(tree))[high]["part"] == "25.0\u00a0% yes"


def test_the_words_of_a_node_tell_its_rate_there_and_in_the_branches():
    tree = tc.grow(rare(), "cart", max_depth=1, min_gain=0.0)
    said = [plain_words(tree, node, interest_of(tree)).replace("\u00a0", " ") for node in range(3)]
    feature = tree.node(0).feature
    assert said[0].startswith(f"Of the 400 rows here, 10.0 % have {tree.schema.target} = yes. {feature} splits them: ")
    assert "5.0 % where" in said[0]
    assert "25.0 % where" in said[0]
    high = max(said[1:], key=lambda text: "25.0 %" in text)
    assert "25.0 % have" in high
    assert "2.5 times the rate of all rows (10.0 %). The tree answers no." in high
