"""Rules read from a tree: their words, their numbers by hand, and that they cover what their paths cover."""

import math

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.rules import Condition, Interval, LabelledRows, LevelSet, Linear
from treecore.study.metrics import score
from treecore.tree import FeatureSchema

X = FeatureSchema("x", "numeric")
SIZE = FeatureSchema("size", "ordinal", ("S", "M", "L", "XL"))
COLOR = FeatureSchema("color", "nominal", ("red", "blue", "green"))
BINS = FeatureSchema("age", "ordinal", ("below 2", "2 to 4", "4 and more"), cuts=(2.0, 4.0))


@pytest.fixture(scope="module")
def tennis():
    """ID3's tree of all fourteen days: days 1, 2, 8 | 9, 11 | 3, 7, 12, 13 | 4, 5, 10 | 6, 14, and no Low day."""
    return tc.rules(tc.grow(read_sample("play_tennis"), "id3"))


def test_the_rules_of_playtennis(tennis):
    assert [rule.text for rule in tennis] == [
        "IF Outlook = Sunny AND Humidity = High THEN PlayTennis = No",
        "IF Outlook = Sunny AND Humidity = Normal THEN PlayTennis = Yes",
        "IF Outlook = Sunny AND Humidity = Low THEN PlayTennis = No",
        "IF Outlook = Overcast THEN PlayTennis = Yes",
        "IF Outlook = Rain AND Wind = Weak THEN PlayTennis = Yes",
        "IF Outlook = Rain AND Wind = Strong THEN PlayTennis = No",
    ]
    assert [rows.tolist() for rows in tennis.covered(read_sample("play_tennis"))] == [
        [0, 1, 7], [8, 10], [], [2, 6, 11, 12], [3, 4, 9], [5, 13],
    ]  # fmt: skip


def test_support_confidence_and_lift_by_hand(tennis):
    """Nine of fourteen days are Yes: a sure Yes lifts by 14/9, a sure No by 14/5."""
    for rule, n, lift in zip(tennis, (3, 2, 0, 4, 3, 2), (2.8, 14 / 9, None, 14 / 9, 14 / 9, 2.8), strict=True):
        found = rule.train
        assert (found.n_rows, found.weight) == (n, n)
        assert found.support == pytest.approx(n / 14)
        assert found.confidence == pytest.approx(1.0) if n else math.isnan(found.confidence)
        assert found.lift == pytest.approx(lift) if n else math.isnan(found.lift)


def test_a_rule_that_is_not_sure():
    """The root of PlayTennis split once: Sunny has 3 No of 5, lift (3/5) / (5/14) = 1.68."""
    rules = tc.rules(tc.grow(read_sample("play_tennis"), "id3", max_depth=1))
    sunny = rules[0].train
    assert (sunny.confidence, sunny.error) == (pytest.approx(0.6), pytest.approx(0.4))
    assert sunny.lift == pytest.approx(1.68)
    assert rules.figures(read_sample("play_tennis"))[0] == pytest.approx(sunny)


def test_numbers_from_the_tree_are_those_counted_from_its_rows():
    for name, preset in (("titanic", "id3"), ("mpg", "cart"), ("iris", "sklearn")):
        table = read_sample(name)
        rules = tc.rules(tc.grow(table, preset, max_depth=4))
        for rule, counted in zip(rules, rules.figures(table), strict=True):
            read = rule.train
            assert (read.n_rows, read.weight) == (counted.n_rows, pytest.approx(counted.weight))
            assert read.error == pytest.approx(counted.error, abs=1e-9)
            assert read.support == pytest.approx(counted.support)
            assert read.lift == (None if rule.train.lift is None else pytest.approx(counted.lift))


@pytest.mark.parametrize(
    ("name", "preset"),
    [("willwait", "id3"), ("iris", "sklearn"), ("mpg", "cart"), ("titanic", "cart"), ("titanic", "rpart"),
     ("customers", "hunt"), ("penguins", "chaid"), ("cars", "chaid"), ("curve", "cart")],
)  # fmt: skip
def test_the_rules_part_the_rows_and_answer_as_the_tree(name, preset):
    """Also where values are missing: a condition knows the backup questions and the larger branch."""
    train, validation, test = read_sample(name).split(tc.Roles())
    tree = tc.grow(train, preset)
    for merged in (True, False):
        rules = tc.rules(tree, merged=merged)
        for part in (train, validation, test):
            covered = rules.covered(part)
            assert np.bincount(np.concatenate(covered), minlength=part.n_rows).tolist() == [1] * part.n_rows
            ends = np.full(part.n_rows, -1)
            for rule, rows in zip(rules, covered, strict=True):
                ends[rows] = rule.leaf
            assert ends.tolist() == tree.apply(part).tolist()
            assert rules.listed().predict(part).tolist() == tree.predict(part).tolist()
            assert rules.listed().error(part) == pytest.approx(score(tree, part).error)


def test_a_leaf_may_have_no_answer():
    """Weka's Id3 has none for a branch that no training row takes: the rule says so, and it counts as wrong."""
    table = read_sample("play_tennis")
    tree = tc.grow(table, "weka-id3")
    rules = tc.rules(tree)
    assert rules[2].text == "IF Outlook = Sunny AND Humidity = Low THEN PlayTennis = no answer"
    low = table.to_frame().iloc[[0]].assign(Humidity="Low")
    assert rules.listed().predict(low).tolist() == tree.predict(low).tolist() == [None]


def test_class_shares_are_those_of_the_leaves():
    tree = tc.grow(read_sample("iris"), "cart", max_depth=2)
    found = tc.rules(tree).listed().predict_proba(read_sample("iris"))
    assert found.tolist() == tree.predict_proba(read_sample("iris")).tolist()


def test_shared_rows_are_left_out_and_this_is_said():
    table = read_sample("titanic")
    rules = tc.rules(tc.grow(table, "c4.5"))
    times = np.bincount(np.concatenate(rules.covered(table)), minlength=table.n_rows)
    assert set(times.tolist()) == {0, 1}
    assert table.column("age").missing[times == 0].any()
    said = {c.missing_text for rule in rules for c in rule.conditions if c.feature.name == "age"}
    assert said == {"the tree shares it among the branches, the rule does not cover it"}


def test_of_a_feature_asked_twice_it_is_said_once_what_becomes_of_rows_without_it():
    tree = tc.grow(read_sample("titanic"), "cart", missing="surrogates", max_depth=6)
    as_read, merged = tc.rules(tree, merged=False), tc.rules(tree)
    assert any(len({c.feature.name for c in rule.conditions}) < len(rule.conditions) for rule in as_read)
    for rule, short in zip(as_read, merged, strict=True):
        told = [(c.feature.name, c.missing_text) for c in short.conditions if c.met_missing]
        assert list(rule.without_value()) == told
    said = [rule.without_value() for rule in as_read]
    assert any(
        len({text for c in rule.conditions if c.feature.name == name for text in [c.missing_text]}) > 1
        for rule, told in zip(as_read, said, strict=True)
        for name, _ in told
    ), "steps alone contradict each other"


def test_missing_as_a_value_of_its_own_is_in_the_text():
    table = tc.read_table(pd.DataFrame({"x": [1.0, 2, None, None, 5, 6], "y": list("aabbcc")}), target="y")
    rules = tc.rules(tc.grow(table, missing="own_value"))
    texts = [rule.text for rule in rules]
    assert texts == ["IF x < 3.5 THEN y = a", "IF x ≥ 3.5 THEN y = c", "IF x is missing THEN y = b"]
    assert [len(rows) for rows in rules.covered(table)] == [2] * 3


def test_several_cuts_at_one_node():
    """A branch between two cuts is an interval; an interval asked again further down is the smaller one."""
    x = np.arange(40.0)
    table = tc.read_table(pd.DataFrame({"x": x, "y": np.where(x < 10, "a", np.where(x < 20, "b", "c"))}), target="y",
                          features=["x"])  # fmt: skip
    tree = tc.grow(table, numeric="equal_width", bins=4)
    assert tree.n_children[0] == 4
    rules = tc.rules(tree)
    assert [r.conditions[0].text for r in rules][:2] == ["x < 9.75", "9.75 ≤ x < 19.5"]
    covered = rules.covered(table)
    assert np.bincount(np.concatenate(covered), minlength=40).tolist() == [1] * 40
    assert rules.listed().predict(table).tolist() == tree.predict(table).tolist()


def test_a_lone_root_is_one_rule_for_every_row():
    rules = tc.rules(tc.grow(read_sample("play_tennis"), "id3", max_depth=0))
    assert [r.text for r in rules] == ["IF every row THEN PlayTennis = Yes"]
    assert rules[0].train.lift == pytest.approx(1.0)


# conditions


def test_intervals_are_merged_and_told_once():
    table = tc.read_table(pd.DataFrame({"x": np.repeat(np.arange(8.0), 2), "y": list("aabbccddeeffgghh")}), target="y")
    tree = tc.grow(table, "cart")
    apart, together = tc.rules(tree, merged=False), tc.rules(tree)
    inner = next(r for r in together if r.said == "d")
    assert [c.text for c in inner.conditions] == ["2.5 ≤ x < 3.5"]
    path = next(r for r in apart if r.said == "d")
    assert len(path.conditions) == tree.node_depth[path.leaf] > 2
    closed = tc.grow(table, "j48", min_rows_leaf=1, min_weight_leaf=1.0, min_weight_split=2.0)
    assert "2 < x ≤ 3" in [c.text for r in tc.rules(closed) for c in r.conditions]


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(Interval(high=5.0, high_closed=False), Interval(high=3.0, high_closed=False), "x < 3"),
     (Interval(high=5.0, high_closed=False), Interval(high=5.0), "x < 5"),
     (Interval(low=2.0), Interval(low=2.0, low_closed=False), "x > 2"),
     (Interval(low=2.0), Interval(high=3.0), "2 ≤ x ≤ 3"),
     (Interval(low=4.0), Interval(high=3.0), "x is no value at all"),
     (Interval(low=3.0), Interval(high=3.0, high_closed=False), "x is no value at all"),
     (Interval(high=math.inf, high_closed=False), Interval(), "x is known"),
     (Interval(), Interval(), "x is anything")],
)  # fmt: skip
def test_meeting_of_intervals(low, high, text):
    for a, b in ((low, high), (high, low)):
        assert a.meet(b).text(X) == text
    values = np.array([1.0, 2.0, 2.5, 3.0, 4.0, 5.0, np.nan])
    assert low.meet(high).admits(values).tolist() == (low.admits(values) & high.admits(values)).tolist()


def test_words_for_ordered_levels_and_bins():
    below = Interval(high=1.5, high_closed=False)
    assert below.text(SIZE) == "size ≤ M"
    assert Interval(low=1.5).text(SIZE) == "size ≥ L"
    assert Interval(0.5, 2.5).text(SIZE) == "size from M to L"
    assert Interval(0.5, 1.5).text(SIZE) == "size = M"
    assert Interval(0.5, 1.5).text(BINS) == "2 ≤ age < 4"
    assert Interval(low=1.5).text(BINS) == "age ≥ 4"
    assert LevelSet(frozenset({1}), frozenset({0, 1, 2})).text(BINS) == "age 2 to 4"


def test_level_sets_meet():
    """A level that a node has not seen is for its route to decide, not for the others to refuse."""
    warm = LevelSet(frozenset({0, 2}), frozenset({0, 1, 2}))
    red = LevelSet(frozenset({0}), frozenset({0, 1}))
    assert warm.meet(red).admitted == {0, 2}
    assert red.meet(LevelSet(frozenset({1}), frozenset({0, 1}))).admitted == set()
    assert warm.text(COLOR) == "color ∈ {red, green}"
    assert red.text(COLOR) == "color = red"


def test_a_linear_inequality_holds_and_is_told():
    line = Linear((X, FeatureSchema("z", "numeric")), (0, 1), (0.5, -2.0), 1.0)
    assert line.text == "0.5·x − 2·z < 1"
    values = np.array([[2.0, 4.0, 6.0, np.nan], [0.0, 0.75, 0.0, 0.0]])
    assert line.holds(values).tolist() == [False, True, False, False]
    assert Linear(line.features, (0, 1), (0.5, -2.0), 1.0, closed=True).holds(values)[0]
    assert Linear(line.features, (0, 1), (-1.0, 1.0), 0.0).text == "−1·x + 1·z < 0"


def test_parts_of_a_condition_are_features_by_place():
    condition = Condition.of(X, 3, Interval(high=1.0))
    assert condition.indices == {3}
    assert condition.kind == "interval"
    assert Condition.of(COLOR, 0, LevelSet(frozenset({0}), frozenset({0, 1, 2}))).kind == "levels"


# refusals


def test_a_table_that_does_not_fit_is_refused():
    rules = tc.rules(tc.grow(read_sample("iris"), max_depth=2))
    numbers = pd.DataFrame({"class": [1.5, 2.5, 3.5], "petallength": [1.0, 2, 3]})
    with pytest.raises(TreecoreError, match="The rules answer with classes, this table has it as numeric"):
        rules.figures(tc.read_table(numbers, target="class", kinds={"class": "numeric"}))
    with pytest.raises(TreecoreError, match=r"There is no column '[a-z]*length'"):
        rules.figures(tc.read_table(pd.DataFrame({"class": ["Iris-setosa", "Iris-virginica"]}), target="class"))


def test_rules_of_numbers_have_no_shares():
    rules = tc.rules(tc.grow(read_sample("curve"), max_depth=2))
    with pytest.raises(TreecoreError, match="no class shares"):
        rules.listed().predict_proba(read_sample("curve"))


def test_the_default_answer_reckons_with_costs():
    """Rules leave out the rows without x: 3 n and 1 p, where n costs 4 and p 3 once a missed p costs 4."""
    frame = pd.DataFrame({"x": [*"aaaaabbbbb", *[None] * 4], "y": [*"nnnnpnpppp", *"nnnp"]})
    table = tc.read_table(frame, target="y", kinds={"x": tc.Nominal(["a", "b"]), "y": tc.Nominal(["n", "p"])})
    for loss, answer in ((None, "n"), ([[0, 1], [4, 0]], "p")):
        tree = tc.grow(table, "c4.5", min_weight_leaf=1.0, loss=loss)
        listed = tc.rules(tree).listed(train=table)
        assert (listed.default_text, listed.default_rows) == (answer, 4)
        assert listed.default_shares == pytest.approx((0.75, 0.25))


def test_a_leaf_of_equal_numbers_has_no_error():
    """What sums around the mean of all rows leave of it is rounding."""
    rng = np.random.default_rng(0)
    x = rng.random((300, 3))
    tree = tc.grow(tc.from_arrays(x, 700 + 100 * rng.random(300)), "cart")
    rules = tc.rules(tree)
    assert max(tree.n_rows[rule.leaf] for rule in rules) == 1
    assert {rule.train.error for rule in rules} == {0.0}
    y = 700 + 100 * rng.random(300)
    (root,) = tc.rules(tc.grow(tc.from_arrays(x, y), "cart", max_depth=0))
    assert root.train.error == pytest.approx(y.var())


def test_the_rows_of_whole_paths_are_not_walked_condition_by_condition(monkeypatch):
    """The tree has sent every row to its leaf at once; no condition is asked twice about all rows."""
    table = read_sample("titanic")
    found = tc.rules(tc.grow(table, "cart", max_depth=6))
    judged, asked = LabelledRows.of(found.tree, table), []
    holds = Condition.holds
    monkeypatch.setattr(Condition, "holds", lambda *args: asked.append(args) or holds(*args))
    short = found.without_implied()
    asked.clear()
    found.figures(judged), short.figures(judged)
    found.listed(train=judged).error(judged)
    assert asked == []
    short = found.simplified(judged, judged)
    short.listed(judged, judged).answered(judged)
    short.figures(judged)
    whole = [args for args in asked if args[1] is judged.cover.values]
    assert len(whole) == len({id(condition) for condition, _ in whole})
    n_asked = len(asked)
    found.simplified(judged, judged).listed(judged, judged).answered(judged)
    assert [args for args in asked[n_asked:] if args[1] is judged.cover.values] == []
