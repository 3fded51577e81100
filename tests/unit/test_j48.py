"""J48 by hand: its collapse, its presets, and the tree of a table with a missing value."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import treecore as tc
from treecore.data.column import numeric_column
from treecore.growing.settings.problem import problem_of
from treecore.growing.settings.thresholds import data_values, values_on_data
from treecore.pruning.j48 import largest_class, training_errors

MULTIWAY = tc.GrowSettings(criterion="entropy", nominal="multiway")


def table(rows: str, names: str, **kinds) -> tc.Table:
    """One word per row, one letter per column, the last one the target; ? is missing."""
    frame = pd.DataFrame([list(row) for row in rows.split()], columns=list(names)).replace("?", None)
    return tc.read_table(frame, target=names[-1], kinds={n: tc.Nominal(list(v)) for n, v in kinds.items()})


def numbers(labels: str) -> tc.Table:
    """x = 1, 2, 3 ... with these classes."""
    return tc.read_table(pd.DataFrame({"x": np.arange(1.0, len(labels) + 1), "y": list(labels)}), target="y")


# collapse


def test_collapse_takes_back_what_saves_no_error():
    # x = a: 5 yes, 1 no, whose further split by z saves nothing; x = b: 4 no
    grown = tc.grow(table("apy apy apy aqy aqy aqn bpn bpn bqn bqn", "xzy"), MULTIWAY)
    assert (grown.n_nodes, grown.node(1).feature) == (5, "z")
    cuts = tc.prune(grown, "j48_collapse")
    assert cuts.cut_nodes.tolist() == [1]
    assert (cuts.reasons[0].number, cuts.reasons[0].threshold) == (5, 1.001)
    assert (cuts.reasons[1].number, cuts.reasons[1].threshold) == (1, 1.001)
    assert "1 as a leaf, 1 with its branches" in cuts.reasons[1].text
    assert grown.cut(cuts).n_nodes == 3


def test_nothing_is_judged_below_a_collapsed_node():
    # 7 yes and 3 no; neither x nor z below it moves an error
    grown = tc.grow(table("apy apy apy aqy aqn bpy bpn bqy bqy bqn", "xzy"), MULTIWAY)
    assert grown.n_nodes > 3
    cuts = tc.prune(grown, "j48_collapse")
    assert cuts.cut_nodes.tolist() == [0]
    assert list(cuts.reasons) == [0]


def test_a_parent_is_judged_by_branches_that_are_collapsed_afterwards():
    # only z below x = a and x = b saves errors: x stays because z is still there when the root is judged
    grown = tc.grow(table("apy apy apy aqn bpn bpn bqy bqy", "xzy"), MULTIWAY)
    cuts = tc.prune(grown, "j48_collapse")
    assert (grown.node(0).feature, grown.node(1).feature) == ("x", "z")
    assert cuts.cut_nodes.tolist() == []
    assert cuts.reasons[0].threshold == 0.001


@pytest.mark.parametrize(("slack", "leaves"), [(0.0, 2), (1e-3, 1), (4e-4, 2)])
def test_branches_must_save_more_than_the_slack(slack, leaves):
    # leaf 1.0005 errors, branches 1
    rows = table("ay by bn", "xy").with_weights(np.array([1.0, 1.0, 1.0005]))
    grown = tc.grow(rows, MULTIWAY)
    assert grown.cut(tc.prune(grown, "j48_collapse", slack=slack)).n_leaves == leaves


def test_of_classes_equal_up_to_a_millionth_the_first_is_the_largest():
    stats = np.array([[1.0, 1.0 + 5e-7], [1.0, 1.000002], [0.0, 0.0], [2e-6, 0.0]])
    assert largest_class(stats).tolist() == [0, 1, 0, 0]
    np.testing.assert_allclose(training_errors(stats), [1.0000005, 1, 0, 0], rtol=0, atol=1e-12)


def test_collapse_is_for_classes():
    frame = pd.DataFrame({"x": [1.0, 2, 3], "y": [1.5, 2.5, 4.5]})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"y": "numeric"}), tc.GrowSettings())
    with pytest.raises(tc.TreecoreError, match="classification errors"):
        tc.prune(tree, "j48_collapse")


# PlayTennis with day 8's humidity missing

DAYS = "SHHW- SHHS- OHHW+ RMHW+ RCNW+ RCNS- OCNS+ SM?W- SCNW+ RMNW+ SMNS+ OMHS+ OHNW+ RMHS-"


def tennis() -> tc.Table:
    """Columns Outlook, Temperature, Humidity and Wind; no day has the declared humidity L."""
    return table(DAYS, "OTHWP", O="SOR", T="HMC", H="HNL", W="WS", P="-+")


def test_j48_shares_the_day_of_unknown_humidity():
    tree = tc.grow(tennis(), "j48")
    assert [tree.node(i).feature for i in range(9)] == ["O", "H", None, "W"] + [None] * 5
    expected = [[5, 9], [3, 2], [0, 4], [2, 3], [2.5, 0], [0.5, 2], [0, 0], [0, 3], [2, 0]]
    np.testing.assert_allclose(tree.stats, expected, rtol=0, atol=1e-12)
    assert tree.gain[1] == pytest.approx(0.8, abs=1e-12)  # 4/5 of a gain of 1
    split_information = 2 * 0.4 * math.log2(2.5) + 0.2 * math.log2(5)  # the missing day is a group of its own
    assert tree.score[1] == pytest.approx(0.8 / split_information, rel=1e-12)
    assert tree.score[0] == pytest.approx(0.1564275624, abs=1e-10)


def test_a_day_of_unknown_humidity_is_answered_in_shares():
    tree = tc.grow(tennis(), "j48")
    sunny = pd.DataFrame({"O": ["S"], "T": ["M"], "H": [None], "W": ["W"]})
    np.testing.assert_allclose(tree.predict_proba(sunny), [[0.5 * 1 + 0.5 * 0.2, 0.5 * 0.8]], rtol=1e-12)
    assert tree.predict(sunny).tolist() == ["-"]


def test_c45_without_its_minimum_goes_on_where_j48_has_too_little_weight():
    tree = tc.grow(tennis(), "c4.5", min_weight_split=0, min_weight_leaf=0)
    assert tree.gain[1] == pytest.approx(0.8, abs=1e-12)
    assert (tree.weight[5], tree.node(5).feature) == (2.5, "T")


# presets


def test_a_threshold_pays_for_the_number_of_its_cuts():
    # 2|4, 3|3 and 4|2 are possible: log2(3) / 6 bits off the gain of the last one, which is all the entropy
    entropy = -(4 / 6) * math.log2(4 / 6) - (2 / 6) * math.log2(2 / 6)
    tree = tc.grow(numbers("AAAABB"), "j48")
    assert tree.splits.threshold[0] == 4.0
    assert tree.gain[0] == pytest.approx(entropy, rel=1e-12)
    assert tree.score[0] == pytest.approx((entropy - math.log2(3) / 6) / entropy, rel=1e-12)


def test_a_threshold_that_cannot_pay_is_not_made():
    assert tc.grow(numbers("ABABABAB"), "j48").n_nodes == 1
    assert tc.grow(numbers("ABABABAB"), "c4.5").n_nodes > 1


def test_a_cut_leaves_a_tenth_of_an_even_share_on_either_side_but_a_level_need_not():
    # 60 rows, 2 classes: 0.1 * 60 / 2 = 3 on either side of a cut, so 2|58 is not possible; for a level 2 is enough
    cut = tc.grow(numbers("A" * 2 + "B" * 58), "j48")
    assert cut.splits.threshold[0] == 3.0
    assert cut.stats[1].tolist() == [2, 1]
    rows = " ".join(["aA", "aA"] + ["bB"] * 58)
    assert tc.grow(table(rows, "xy"), "j48").n_nodes == 3


@pytest.mark.parametrize(("more", "best", "j48"), [(5e-7, "z", "x"), (1e-4, "z", "z")])
def test_a_feature_must_be_clearly_better_than_one_before_it(more, best, j48):
    # x parts the first row from the others, z the second one, which weighs a little more
    rows = table("pnA npA nnB", "xzy").with_weights(np.array([2.0, 2.0 + more, 4.0]))
    as_usual = replace(tc.PRESETS["j48"].growth, selector="best")
    assert tc.grow(rows, as_usual).node(0).feature == best
    assert tc.grow(rows, "j48").node(0).feature == j48


def test_a_level_that_parts_nothing_is_no_split():
    growth = replace(tc.PRESETS["j48"].growth, nominal="one_level", zero_gain="split")
    even = table("ay an by bn cy cn", "xy")  # every level half and half
    assert tc.grow(even, growth).n_nodes == 1


def test_features_with_many_levels_do_not_count_in_the_average():
    # 0.3 * 10 rows: 3 levels are many, 2 are few
    for levels, counted in (("abc", [0, 1]), ("ab", [1, 1])):
        rows = [f"{levels[i % len(levels)]}{'pq'[i % 2]}{'yn'[i % 3 > 0]}" for i in range(10)]
        found = problem_of(table(" ".join(rows), "xzy"), tc.PRESETS["j48"].growth)
        assert found.features["averaged"].tolist() == counted


def test_weka_id3_gives_no_answer_where_no_row_was():
    rows = table("ay ay bn bn", "xy", x="abc")
    tree = tc.grow(rows, "weka-id3")
    assert tree.n_children[0] == 3
    assert tree.predict(pd.DataFrame({"x": ["a", "b", "c"]})).tolist() == ["y", "n", None]


# thresholds on a value of the data


def on_data(values, placed: float, slack: float) -> float:
    labels = ["A", "B"] * len(values)
    frame = pd.DataFrame({"x": values, "y": labels[: len(values)]})
    problem = problem_of(tc.read_table(frame, target="y", kinds={"x": "numeric"}), tc.PRESETS["j48"].growth)
    return float(data_values(problem, np.array([0]), np.array([placed]), slack)[0])


def test_a_value_just_above_the_middle_is_the_threshold():
    middle = (0.56 + 0.562) / 2
    assert on_data([0.56, 0.561, 0.562], middle, 1e-6) == 0.561
    assert on_data([0.56, middle + 2e-6, 0.562], middle, 1e-6) == 0.56
    assert on_data([0.56, middle + 5e-7, 0.562], middle, 0.0) == 0.56


def test_of_values_that_count_as_one_all_are_below_the_threshold():
    """Weka's own is that of the first row; it sends rows less than 1e-6 above it the same way."""
    low, high, far = 2.0, 2.0 + 5e-7, 2.0 + 1.2e-6
    assert on_data([1.0, low, high, 3.0], 2.5, 1e-6) == high
    assert on_data([1.0, high, low, 3.0], 2.5, 1e-6) == high
    assert on_data([1.0, low, high, 3.0], 2.5, 0.0) == high
    assert on_data([1.0, low, far, 3.0], low + 1e-7, 1e-6) == low


def test_rows_near_a_threshold_go_as_their_node_counts_them():
    """Weka 3.6.14, J48 -U -M 2: x <= 1.000002: a (2), x > 1.000002: b (2); 1.000003 is predicted a."""
    frame = pd.DataFrame({"x": [1.000002, 1.000003, 1.001, 1.002], "y": list("aabb")})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"x": "numeric"}), "j48")
    assert tree.stats[1:].tolist() == [[2, 0], [0, 2]]
    assert tree.predict(frame).tolist() == list("aabb")


def naive_on_data(values, placed: float, slack: float) -> float:
    """Weka's walk over all rows from the first to the last."""
    best = -np.inf
    for value in values:
        if value - best > slack and value - placed < slack:
            best = value
    return max(value for value in values if value - best < slack)


@given(
    steps=st.lists(st.sampled_from([0.0, 2.0**-21, 2.0**-20, 0.5]), min_size=2, max_size=9),
    order=st.randoms(use_true_random=False),
    at=st.floats(0.0, 1.0),
    slack=st.sampled_from([2.0**-20, 2.0**-21]),
)
def test_values_near_a_threshold_are_taken_as_a_walk_over_all_rows_takes_them(steps, order, at, slack):
    values = [*np.cumsum(steps).tolist(), 9.0]
    placed = values[0] + at * (values[-2] - values[0])
    order.shuffle(values)
    assume(len(set(values)) > 1)
    column = numeric_column("x", np.array(values))
    assert values_on_data(column, np.array([placed]), slack)[0] == naive_on_data(values, placed, slack)


def test_values_of_other_roles_are_no_thresholds():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": list("ABB")})
    train = tc.read_table(frame, target="y", kinds={"x": "numeric"}).take(np.array([0, 2]))
    problem = problem_of(train, tc.PRESETS["c4.5"].growth)
    assert data_values(problem, np.array([0]), np.array([2.5]), 0.0).tolist() == [1.0]
