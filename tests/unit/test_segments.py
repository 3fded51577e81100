"""Segments of a tree by hand-made numbers: what each holds, what the first ones are worth, and the rule that flags."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.judging.interest import FlagRule
from treecore.study.segments import Profit

HELD = {"x": (10, 8), "y": (20, 6), "z": (70, 7)}
"""Level -> rows, and those of them that are "yes"."""
GAIN = Profit(hit=100, miss=-10, false_alarm=-20, correct_rejection=1)


def rows_of(held: dict) -> pd.DataFrame:
    rows = [(a, "yes" if i < hits else "no") for a, (n, hits) in held.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["a", "y"])


@pytest.fixture(scope="module")
def tree():
    return tc.grow(tc.read_table(rows_of(HELD), target="y"), "id3")


@pytest.fixture(scope="module")
def found(tree):
    other = tc.read_table(rows_of({"z": (30, 2), "x": (5, 3), "y": (15, 5)}), target="y")
    return tc.segments(tree, {"validation": other}, profit=GAIN)


def test_the_riskiest_comes_first_with_what_it_holds(found):
    train = found.held["train"]
    assert found.name == "yes"
    assert found.rules == ("a = x", "a = y", "a = z")
    assert found.number.tolist() == [1, 2, 3]
    assert train.rows.tolist() == [10, 20, 70]
    assert train.hits.tolist() == [8, 6, 7]
    assert train.rate == pytest.approx([0.8, 0.3, 0.1])
    assert train.share == pytest.approx([0.1, 0.2, 0.7])
    assert train.base == pytest.approx(0.21)
    assert train.lift == pytest.approx([0.8 / 0.21, 0.3 / 0.21, 0.1 / 0.21])
    assert train.captured == pytest.approx([8 / 21, 14 / 21, 1])
    assert train.false_alarms.tolist() == [2, 16, 79]
    # Wilson (1927) for 8 of 10, as R's prop.test(8, 10, correct = FALSE) prints it
    assert (train.low[0], train.high[0]) == pytest.approx((0.4901625, 0.9433178), abs=1e-7)


def test_other_rows_are_counted_in_the_order_of_the_training_rows(found):
    held = found.held["validation"]
    assert held.rows.tolist() == [5, 15, 30]
    assert held.hits.tolist() == [3, 5, 2]
    assert held.rate == pytest.approx([3 / 5, 5 / 15, 2 / 30])


def test_the_profit_so_far(found):
    # of 21 "yes" and 79 "no": 8 hits, 13 missed, 2 false alarms, 77 left alone
    assert found.held["train"].profit(GAIN)[0] == 8 * 100 - 13 * 10 - 2 * 20 + 77
    assert found.held["train"].profit(GAIN)[-1] == 21 * 100 - 79 * 20


def test_a_line_within_a_segment_takes_its_part(found):
    said = found.first(20, "train")
    assert (said.rows, said.hits, said.false_alarms) == pytest.approx((20, 8 + 3, 9))
    assert said.profit == pytest.approx(11 * 100 - 10 * 10 - 9 * 20 + 70)
    assert said.text == "Contact 20 of 100: 11 of 21 “yes”, 9 for nothing, profit 890."
    assert said.n_segments == 1
    assert said.rule == FlagRule(0.6, "yes")


@pytest.mark.parametrize(("rows", "whole"), [(-5, 0), (0, 0), (9.99, 0), (10, 1), (29, 1), (30, 2), (100, 3), (999, 3)])
def test_only_whole_segments_are_a_rule(found, rows, whole):
    said = found.first(rows, "train")
    assert said.n_segments == whole
    assert 0 <= said.rows <= 100
    assert (said.rule is None) == (whole == 0)
    flagged = np.zeros(3, bool) if said.rule is None else said.rule.flags(found.told)
    assert flagged.sum() == whole


def test_by_a_budget_a_rate_and_the_profit(found):
    assert found.within(20_000, 1000, "train").rows == 20
    above = found.above(0.3, "train")
    assert (above.n_segments, above.rows, above.rule) == (2, 30, FlagRule(0.3, "yes"))
    assert found.above(0.95, "train").rows == 0
    # of y: 6 of 20, each hit is worth 110 more than a miss, each false alarm costs 21: 660 - 294
    assert found.most_profitable("train").n_segments == 2
    assert found.most_profitable().role == "validation"
    with pytest.raises(TreecoreError, match="costs nothing"):
        found.within(100, 0)


def test_nothing_is_most_profitable_where_a_call_costs_more_than_it_brings(tree):
    found = tc.segments(tree, profit=Profit(hit=1, false_alarm=-50))
    assert found.most_profitable().rows == 0
    assert found.most_profitable().rule is None
    with pytest.raises(TreecoreError, match="profit"):
        tc.segments(tree).most_profitable()


def test_a_segment_without_rows_of_the_role_is_in_no_rule_at_the_end(tree):
    other = tc.read_table(rows_of({"x": (4, 2), "z": (6, 1)}), target="y")
    found = tc.segments(tree, other)
    assert found.held["rows"].rows.tolist() == [4, 0, 6]
    assert np.isnan(found.held["rows"].rate[1])
    assert found.first(4, "rows").n_segments == 1


def test_equal_rates_cannot_be_told_apart():
    tree = tc.grow(tc.read_table(rows_of({"x": (10, 5), "y": (20, 10), "z": (70, 7)}), target="y"), "id3")
    found = tc.segments(tree)
    assert found.told.tolist() == [0.5, 0.5, 0.1]
    assert found.rules[0] == "a = y"  # of equals that of more rows
    assert found.first(20).n_segments == 0
    assert found.first(30).n_segments == 2


def test_sorted_by_any_column_as_numbers(found):
    frame = found.to_frame()
    assert frame["segment"].tolist() == [1, 2, 3]
    assert found.to_frame(by="rows_train")["rows_train"].tolist() == [70, 20, 10]
    assert found.to_frame(by="rate_validation", ascending=True)["leaf"].tolist() == frame["leaf"].tolist()[::-1]
    assert found.to_frame("polars").columns == list(frame.columns)
    with pytest.raises(TreecoreError, match="no column 'size'"):
        found.to_frame(by="size")


def test_weights_count_and_priors_do_not_change_what_was_counted():
    rows = rows_of(HELD).assign(w=2.5)
    tree = tc.grow(tc.read_table(rows, target="y", weights="w"), "id3")
    assert tc.segments(tree).held["train"].rows.tolist() == [25, 50, 175]
    weighed = tc.grow(tc.read_table(rows_of(HELD), target="y"), "cart", priors=(0.5, 0.5))
    found = tc.segments(weighed)
    k = weighed.classes.index("yes")
    assert found.told == pytest.approx(weighed.stats[found.node, k] / weighed.weight[found.node])
    assert np.abs(found.told - weighed.proba[found.node, k]).max() > 0.1


def test_three_classes_have_the_rarest_until_another_is_named():
    rows = pd.DataFrame({"a": list("xxxxxyyyyyzzzzz"), "y": list("AAAABBBBBABCCBB")})
    tree = tc.grow(tc.read_table(rows, target="y"), "id3")
    assert tc.segments(tree).name == "C"
    found = tc.segments(tree, class_of_interest="A")
    assert found.rules[0] == "a = x"
    assert found.held["train"].hits.tolist() == [4, 1, 0]
    with pytest.raises(TreecoreError, match="'D' is no class"):
        tc.segments(tree, class_of_interest="D")


def test_numbers_have_mean_median_spread_and_their_part_of_the_total():
    rows = pd.DataFrame({"a": list("xxxyyyy"), "y": [10.0, 20.0, 60.0, 1.0, 2.0, 3.0, 4.0]})
    table = tc.read_table(rows, target="y", kinds={"y": "numeric", "a": "nominal"})
    tree = tc.grow(table, "cart")
    tree = tree.pruned_at(np.arange(tree.n_nodes) > 0)  # one split
    found = tc.segments(tree, {"train": table, "validation": table})
    assert found.name is None
    for role in ("train", "validation"):
        held = found.held[role]
        assert held.rows.sum() == 7
        assert held.hits.sum() == pytest.approx(100)
        for i, node in enumerate(found.node):
            y = rows["y"].to_numpy()[tree.apply(table) == node]
            assert held.rate[i] == pytest.approx(y.mean())
            assert held.median[i] == pytest.approx(np.median(y))
            assert held.spread[i] == pytest.approx(y.std())
            assert held.high[i] - held.rate[i] == pytest.approx(1.959964 * y.std() / len(y) ** 0.5, rel=1e-6)
    assert found.first(2).text.startswith("The 2 highest of 7: mean y ")
    assert found.rule(1).class_of_interest is None
    with pytest.raises(TreecoreError, match="has no classes"):
        tc.segments(tree, class_of_interest="yes")


def test_a_lone_root_is_one_segment():
    tree = tc.grow(tc.read_table(rows_of(HELD), target="y"), "id3", max_depth=0)
    found = tc.segments(tree)
    assert (len(found), found.rules, found.told.tolist()) == (1, ("every row",), [0.21])
    assert found.first(50).text == "Contact 50 of 100: 11 of 21 “yes”, 39 for nothing."
    assert found.first(100).rule.flags(found.told).all()


def test_a_row_is_told_whether_it_is_flagged(tree):
    rule, (x, z) = FlagRule(0.3, "yes"), tree.apply(pd.DataFrame({"a": ["x", "z"]}))
    assert rule.verdict(tree, [x], [1.0]) == "Flagged: 80.0\u00a0% yes, at least 30.0\u00a0%; segment 1 of 3."
    assert rule.verdict(tree, [z], [1.0]) == "Not flagged: 10.0\u00a0% yes, less than 30.0\u00a0%; segment 3 of 3."
    assert rule.verdict(tree, [x, z], [0.25, 0.75]) == (
        "Not flagged: 27.5\u00a0% yes, less than 30.0\u00a0%; segment 3 of 3."
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [((float("nan"), "a"), "no threshold"), (("0.5", "a"), "no threshold"), ((1.2, "a"), "no share"),
     ((0.5, 3), "no class"),
     ((True, None), "no threshold"), ((float("inf"), None), "no threshold")],
)  # fmt: skip
def test_a_rule_that_cannot_be_is_refused(given, said):
    with pytest.raises(TreecoreError, match=said):
        FlagRule(*given)
