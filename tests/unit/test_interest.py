"""The class of interest: its rate in every node, against that of all rows."""

import csv
import html
import io

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.unit.exported_page import data_of
from treecore.data.samples import read_sample
from treecore.explaining.why_node import plain_words
from treecore.export.cards import fill, tree_cards
from treecore.export.dot import MUTED
from treecore.figures import percent, times
from treecore.judging.interest import Interest, Tint, altered_words, interest_of, observed_shares, tint
from treecore.plots.decision_regions import region_map
from treecore.predicting.answer_frame import answers
from treecore.study.regions import regions
from treecore.view import canvas_nodes
from treecore.view.subject import Subject


def rare(n=400):
    """One yes in ten; one in four where x is 1."""
    x = np.repeat([0, 1], [n * 3 // 4, n // 4])
    yes = np.zeros(n, bool)
    yes[: n * 3 // 80] = yes[-n // 16 :] = True
    return tc.read_table(pd.DataFrame({"calls": x, "churn": np.where(yes, "yes", "no")}), target="churn")


def drawn(tree, interest):
    subject = Subject("k", "n", tree, np.arange(tree.n_nodes), tree, tree.classes, lambda nodes: (), interest=interest)
    cards = tree_cards(tree, np.arange(tree.n_nodes), {"train": tree.stats})
    return [canvas_nodes.row(card, 1, (0.0, 0.0), subject, "look") for card in cards]


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
    assert "2.5 times the rate of all rows (10.0 %). The tree predicts no." in high


WEIGHTED = [{"priors": (0.5, 0.5)}, {"loss": ((0.0, 1.0), (9.0, 0.0))}]


def plainly(text):
    return text.replace("\u00a0", " ")


def counted(tree, name):
    """Node -> the share of a class among its rows, as people read it."""
    k = tree.classes.index(name)
    return [plainly(percent(s[k] / s.sum())) for s in tree.stats]


@pytest.mark.parametrize("more", WEIGHTED)
@pytest.mark.parametrize("name", ["rules", "rules_markdown", "rules_latex"])
def test_rules_tell_the_share_of_the_class_of_interest(more, name):
    tree = tc.grow(rare(), "cart", max_depth=1, **more)
    text = plainly(tc.export(tree, name)).replace("\\%", "%").replace("\\,", " ").replace("~", " ")
    assert "5.0 % yes" in text
    assert "25.0 % yes" in text
    assert "right" not in text
    assert "95.0 % no" in plainly(tc.export(tree, name, interest="no")).replace("\\%", "%").replace("~", " ")


@pytest.mark.parametrize("more", WEIGHTED)
def test_tables_and_pictures_tell_it_too(more):
    tree = tc.grow(rare(), "cart", max_depth=1, **more)
    rows = list(csv.DictReader(io.StringIO(tc.export(tree, "rules_csv"))))
    assert sorted(float(row["rate of yes"]) for row in rows) == [0.05, 0.25]
    for name in ("dot", "svg"):  # of the page: the next test but one, and in a browser
        text = tc.export(tree, name)
        text = html.unescape(plainly(text.decode() if isinstance(text, bytes) else text).replace("\\u00a0", " "))
        assert all(f"{share} yes" in text for share in counted(tree, "yes")), name


def test_a_class_of_interest_that_the_tree_does_not_have_is_refused():
    tree = tc.grow(rare(), "cart", max_depth=1)
    with pytest.raises(tc.TreecoreError, match="no class"):
        tc.export(tree, "rules", interest="maybe")
    assert "95.0 % no" in plainly(tc.export(tree, "rules", interest="every class"))


def test_the_html_page_counts_the_rows_of_its_nodes_under_priors():
    """Its bars and its What if had the shares under priors, beside the counts of the rows."""
    tree = tc.grow(rare(), "cart", max_depth=1, priors=(0.5, 0.5))
    text = tc.export(tree, "html")
    said = data_of(text)["SAID"]
    for node, about in enumerate(said):
        assert about["counted"] == pytest.approx((tree.stats[node] / tree.stats[node].sum()).tolist())
    assert 'const WEIGHTED = "with the class weights"' in text


@pytest.mark.parametrize("more", [WEIGHTED[0], {"leaf_shares": "laplace"}])
def test_a_scored_table_has_the_share_of_the_rows_and_the_weighted_one_by_name(more):
    """share_yes was 75 % in a segment of which a quarter are yes."""
    tree = tc.grow(rare(), "cart", max_depth=1, **more)
    found = answers(tree, pd.DataFrame({"calls": [0, 1]}))
    assert found["share_yes"].tolist() == [0.05, 0.25]
    other = "weighted_share_yes" if "priors" in more else "estimated_share_yes"
    proba = tree.predict_proba(pd.DataFrame({"calls": [0, 1]}))
    assert found[other].tolist() == proba[:, tree.classes.index("yes")].tolist()
    assert list(found.columns).index("share_yes") < list(found.columns).index(other)
    plain = answers(tc.grow(rare(), "cart", max_depth=1), pd.DataFrame({"calls": [0]}))
    assert [name for name in plain if "share" in name] == ["share_no", "share_yes"]


@pytest.mark.parametrize("more", WEIGHTED)
def test_regions_tell_it_and_are_coloured_by_it(more):
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 900))
    target = np.where((x > 0.7) & (y > 0.6) & (rng.random(900) < 0.4) | (rng.random(900) < 0.02), "yes", "no")
    tree = tc.grow(tc.read_table(pd.DataFrame({"x": x, "y": y, "t": target}), target="t"), max_depth=3, **more)
    found = regions(tree, "x", "y", {}, interest=interest_of(tree))
    yes = tree.classes.index("yes")
    for i, node in enumerate(found.node.tolist()):
        share = tree.stats[node, yes] / tree.stats[node].sum()
        assert found.rate[i] == pytest.approx(share)
        assert found.tints[i].k == (yes if share >= interest_of(tree).base else 1 - yes)
    (layer,) = [trace for trace in region_map(found).data if trace.type == "heatmap"]
    told = {plainly(html.unescape(text)) for line in layer.text for text in line if text}
    assert all(f"{counted(tree, 'yes')[node]} yes" in "".join(told) for node in found.node)


def test_without_a_class_of_interest_the_colour_is_that_of_the_answer_by_its_purity():
    iris = tc.grow(read_sample("iris"), "cart", max_depth=2)
    shares = observed_shares(iris)
    found = [tint(row, int(answer), None) for row, answer in zip(shares.tolist(), iris.value, strict=True)]
    assert [t.k for t in found] == iris.value.tolist()
    assert found[0].depth == pytest.approx(0)
    assert max(t.depth for t in found) == pytest.approx(1)
    assert not any(t.diverging for t in found)
    assert tint((0.3, 0.3, 0.4), 0, Interest(2, "c", 0.8)).k == -1


def lightness(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


@pytest.mark.parametrize("k", range(-1, 10))
def test_grey_text_is_read_on_the_deepest_ground_of_a_picture(k):
    """WCAG asks for 4.5 : 1."""
    assert (lightness(fill(Tint(k, 1.0, True))) + 0.05) / (lightness(MUTED) + 0.05) >= 4.5


def test_what_alters_the_weights_of_an_impurity_is_named():
    frame = pd.DataFrame({"x": range(60), "y": ["yes" if i % 4 == 0 else "no" for i in range(60)]})
    table = tc.read_table(frame, target="y")
    grown = lambda **more: tc.grow(table, "cart", max_depth=2, **more)  # noqa: E731
    assert altered_words(grown()) == ""
    assert altered_words(grown(priors=(0.5, 0.5))) == "class weights"
    assert altered_words(grown(loss=((0, 1), (4, 0)))) == "costs"
    assert altered_words(grown(profit=((0, -1), (-2, 9)))) == "profits"
    assert altered_words(grown(priors=(0.5, 0.5), profit=((0, -1), (-2, 9)))) == "class weights and profits"
    assert altered_words(grown(criterion="cost_gini", loss=((0, 1), (4, 0)))) == "", (
        "the costs are in the impurity itself"
    )
    weighed = tc.export(grown(profit=((0, -1), (-2, 9))), "html")
    assert "rows weighed anew by profits" in weighed
    assert "weighed anew" not in tc.export(grown(), "html")


def test_a_rate_is_so_many_times_another_in_two_digits():
    assert [times(ratio) for ratio in (0.4743, 2.5, 1.0, 0.0, 117.6)] == [
        "0.47 times", "2.5 times", "1 times", "0 times", "120 times",
    ]  # fmt: skip
