"""Rule post-pruning and ordered lists, by hand."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.data.samples import SAMPLES, read_sample
from treecore.errors import TreecoreError
from treecore.rules import Condition, LevelSet, Rule, RuleSet

TENNIS = ["Outlook", "Temperature", "Humidity", "Wind", "PlayTennis"]


def days(*rows):
    """A table of days; each is "Outlook Humidity Wind Play"."""
    cells = [r.split() for r in rows]
    frame = pd.DataFrame([[o, "Mild", h, w, p] for o, h, w, p in cells], columns=TENNIS)
    kinds = dict(SAMPLES["play_tennis"].kinds) | {"PlayTennis": tc.Nominal(["No", "Yes"])}
    return tc.read_table(frame, target="PlayTennis", kinds=kinds)


@pytest.fixture(scope="module")
def rules():
    return tc.rules(tc.grow(read_sample("play_tennis"), "id3"))


VALIDATION = ("Sunny High Weak No", "Rain High Strong No", "Sunny Normal Weak Yes", "Rain Normal Strong Yes")


def test_a_precondition_goes_when_the_error_stays(rules):
    """Sunny AND High -> No is right on its one day. Without Outlook: two High days, both No: 0, so Outlook goes.
    Without Humidity there would be 1 wrong of 2. Then High alone: without it 2 of 4 are wrong: it stays."""
    found = rules.simplified(days(*VALIDATION))[0]
    assert found.text == "IF Humidity = High THEN PlayTennis = No"
    [drop] = found.dropped
    assert (drop.condition.text, drop.before, drop.after) == ("Outlook = Sunny", 0.0, 0.0)
    assert (drop.rows_before, drop.rows_after) == (1, 2)
    assert (found.halted.condition.text, found.halted.before, found.halted.after) == ("Humidity = High", 0.0, 0.5)


def test_the_least_error_goes_first_and_of_equals_the_last_asked(rules):
    """Rain AND Strong -> No: one of its two days is wrong (.5). Without Wind the same days (.5), without Outlook too
    (.5): of equals Wind, asked last, goes first; then Outlook: 2 of 4 wrong is .5 again, and goes as well."""
    found = rules.simplified(days(*VALIDATION))[5]
    assert [(d.condition.text, d.before, d.after) for d in found.dropped] == [
        ("Wind = Strong", 0.5, 0.5),
        ("Outlook = Rain", 0.5, 0.5),
    ]
    assert found.text == "IF every row THEN PlayTennis = No"
    assert found.halted is None


def test_a_rule_without_validation_rows_is_kept_and_comes_last(rules):
    """Overcast and both of Low and Rain AND Weak have no day here."""
    validation = days(*VALIDATION)
    short = rules.simplified(validation)
    assert [r.text for r in short][2:5] == [r.text for r in rules][2:5]
    assert not short[3].dropped
    ordered = short.listed(validation)
    assert ordered.unjudged == 3
    assert [r.leaf for r in ordered.rules][3:] == [r.leaf for r in short][2:5]
    assert [f.n_rows for f in ordered.validation] == [2, 2, 4, 0, 0, 0]


def test_post_pruning_says_before_each_rule_how_far_it_is_and_ends_where_it_is_told_to(rules):
    told, train = [], read_sample("play_tennis")
    rules.simplified(days(*VALIDATION), train, told.append)
    assert [(p.n_done, p.n_rules) for p in told] == [(done, len(rules)) for done in range(len(rules))]

    def stop(progress):
        if progress.n_done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        rules.simplified(days(*VALIDATION), train, stop)


def test_the_order_of_the_list(rules):
    """Errors 0 (High -> No), 0 (Normal -> Yes), .5 (every row -> No): ties by rows covered, then as in the tree."""
    validation = days(*VALIDATION)
    ordered = rules.simplified(validation).listed(validation)
    assert [r.premise for r in ordered.rules][:3] == ["Humidity = High", "Humidity = Normal", "every row"]
    more = days(*VALIDATION, "Overcast Normal Weak Yes")
    found = rules.simplified(more).listed(more).rules
    assert [r.premise for r in found][:2] == ["Humidity = Normal", "Humidity = High"]


def test_the_first_rule_that_covers_a_row_answers(rules):
    validation = days(*VALIDATION)
    ordered = rules.simplified(validation).listed(validation)
    rows = days("Overcast High Weak Yes", "Overcast Normal Weak Yes", "Overcast Low Weak Yes")
    assert ordered.fired(rows).tolist() == [0, 1, 2]
    assert ordered.predict(rows).tolist() == ["No", "Yes", "No"]
    assert ordered.error(rows) == pytest.approx(2 / 3)


def test_how_many_rows_each_rule_answers_for(rules):
    """Both list orders cover day for day; the last number is the default's."""
    table = read_sample("play_tennis")
    assert rules.listed().answered(table).tolist() == [3, 2, 0, 4, 3, 2, 0]
    assert RuleSet(rules.tree, rules.rules[:-1]).listed().answered(table).tolist() == [3, 2, 0, 4, 3, 2]
    anything = rules.simplified(days("Sunny High Weak No"))
    assert anything.listed().answered(table).tolist() == [14, 0, 0, 0, 0, 0, 0], "the first rule covers every row"


def test_the_largest_rules_keep_their_order(rules):
    """Support 3, 2, 0, 4, 3, 2: of equals the first."""
    assert rules.listed().largest(3) == [0, 3, 4]
    assert rules.listed().largest(4) == [0, 1, 3, 4]
    assert rules.listed().largest(99) == [0, 1, 2, 3, 4, 5]


def test_the_default_is_the_majority_of_the_training_rows_that_no_rule_covers(rules):
    """Without its last rule the list leaves Rain AND Strong to the default: both days are No, the root says Yes."""
    table = read_sample("play_tennis")
    short = RuleSet(rules.tree, rules.rules[:-1])
    ordered = short.listed(train=table)
    assert (ordered.default_text, ordered.default_rows) == ("No", 2)
    assert ordered.predict(table).tolist() == rules.tree.predict(table).tolist()
    assert ordered.predict_proba(table)[5].tolist() == [1.0, 0.0]
    assert ordered.fired(table)[[5, 13]].tolist() == [-1, -1]
    whole = rules.listed(train=table)
    assert (whole.default_text, whole.default_rows) == ("Yes", None)
    assert short.listed().default_text == "Yes"


def test_the_restaurant_rule():
    """IF Patrons = Full AND WaitEstimate = 0-10 THEN Yes covers none of the twelve evenings. With one evening more,
    on which it is wrong: without Patrons 3 of 7 short waits are wrong, without WaitEstimate 5 of 7 full houses, so
    Patrons goes; the wait stays, since without it 7 of 13 would be wrong."""
    table = read_sample("willwait")
    tree = tc.grow(table, "id3", max_depth=0)
    index = {f.name: i for i, f in enumerate(tree.schema.features)}
    level = lambda name, cell: Condition.of(  # noqa: E731
        tree.schema.features[index[name]],
        index[name],
        LevelSet(frozenset({tree.schema.features[index[name]].levels.index(cell)}), frozenset(range(4))),
    )
    premise = level("Patrons", "Full"), level("WaitEstimate", "0-10")
    rule = Rule(premise, tree.classes.index("Yes"), "Yes", "WillWait", 0)
    rules = RuleSet(tree, (rule,))
    assert rule.text == "IF Patrons = Full AND WaitEstimate = 0-10 THEN WillWait = Yes"
    assert rules.figures(table)[0].n_rows == 0
    assert rules.simplified(table)[0].conditions == rule.conditions
    frame = table.to_frame()
    frame = pd.concat([frame, frame.iloc[[1]].assign(WaitEstimate="0-10")])
    kinds = dict(SAMPLES["willwait"].kinds)
    more = tc.read_table(frame.astype(str).reset_index(drop=True), target="WillWait", kinds=kinds)
    found = rules.simplified(more)[0]
    assert found.text == "IF WaitEstimate = 0-10 THEN WillWait = Yes"
    assert (found.dropped[0].before, found.dropped[0].after) == (1.0, pytest.approx(3 / 7))
    assert found.halted.after == pytest.approx(7 / 13)


def test_numbers_are_judged_by_squared_error_and_keep_the_mean_of_the_leaf():
    """y = 0 below x = 1.5, 10 from there on. x < 1.5 -> 0 is off by 1 on its row; without the condition the error is
    (1 + 100) / 2: it stays. x >= 1.5 -> 10 is off by 1 and 2 on its rows, 2.5; on all three (1 + 1 + 4) / 3 = 2."""
    rows = pd.DataFrame({"x": [0.0, 1, 2, 3], "y": [0.0, 0, 10, 10]})
    train = tc.read_table(rows, target="y", kinds={"y": "numeric"})
    rules = tc.rules(tc.grow(train))
    assert [r.text for r in rules] == ["IF x < 1.5 THEN y = 0", "IF x ≥ 1.5 THEN y = 10"]
    assert [r.train.error for r in rules] == [0.0, 0.0]
    rows = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 10.0]})
    kept = rules.simplified(tc.read_table(rows, target="y", kinds={"y": "numeric"}), train)
    assert (kept[0].halted.before, kept[0].halted.after) == (1.0, 50.5)
    even = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [9.0, 9.0, 8.0]})
    short = rules.simplified(tc.read_table(even, target="y", kinds={"y": "numeric"}), train)
    assert short[1].text == "IF every row THEN y = 10"
    assert (short[1].dropped[0].before, short[1].dropped[0].after) == (2.5, pytest.approx(2.0))
    assert short[1].train.error == pytest.approx(50.0), "on training rows the shorter rule says 10 for 0 too"
    assert short[1].answer == 10.0


def test_weights_count():
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3], "y": list("aabb"), "w": [1.0, 1, 1, 1]})
    rules = tc.rules(tc.grow(tc.read_table(frame, target="y", weights="w")))
    rows = pd.DataFrame({"x": [0.0, 3, 3], "y": ["b", "b", "a"], "w": [1.0, 3.0, 1.0]})
    validation = tc.read_table(rows, target="y", weights="w")
    found = rules.simplified(validation)
    assert rules.figures(validation)[1].error == pytest.approx(1 / 4)
    assert found[1].premise == "every row", "the weight of wrong rows falls from 1/4 to 1/5"
    assert found[1].dropped[0].after == pytest.approx(1 / 5)
    assert found[0].premise == "every row", "always wrong: 1 before, 4/5 after"


def test_figures_of_shorter_rules_need_the_training_rows(rules):
    validation = days(*VALIDATION)
    table = read_sample("play_tennis")
    assert rules.simplified(validation)[0].train is None
    counted = rules.simplified(validation, table)[0]
    assert counted.train.n_rows == 7, "seven days are humid"
    assert counted.train.confidence == pytest.approx(4 / 7)
    assert counted.train.lift == pytest.approx((4 / 7) / (5 / 14))
    assert counted.shares == pytest.approx((4 / 7, 3 / 7))


def test_no_validation_rows_is_refused_with_a_remedy(rules):
    for none in (None, days("Sunny High Weak No").take(np.zeros(1, bool))):
        with pytest.raises(TreecoreError, match="no validation rows") as fault:
            rules.simplified(none)
        assert "validation rows a share" in fault.value.remedy


def test_a_class_that_training_lacks_is_not_counted(rules):
    kinds = dict(SAMPLES["play_tennis"].kinds) | {"PlayTennis": tc.Nominal(["No", "Yes", "Maybe"])}
    frame = pd.DataFrame([["Overcast", "Mild", "High", "Weak", p] for p in ("Maybe", "Yes")], columns=TENNIS)
    found = rules.figures(tc.read_table(frame, target="PlayTennis", kinds=kinds))[3]
    assert (found.n_rows, found.error) == (1, 0.0)


def test_a_rule_without_an_answer_is_kept_and_sorts_last():
    """f = c never trains, so its leaf says no number; one validation row ends there."""

    def table(f, h, y):
        levels = ("a", "b", "c")
        columns = level_column("f", "nominal", list(f), levels), level_column("h", "nominal", list(h), ("p", "q"))
        return tc.Table((*columns, numeric_column("y", np.array(y, float))), target="y", features=("f", "h"))

    train = table("aabbab", "ppppqq", [1, 1.2, 5, 5.5, 20, 21])
    validation = table("aabcc", "ppppq", [1, 1, 5, 3, 20])
    tree = tc.grow(train, tc.GrowSettings(nominal="multiway", empty_leaf="none"))
    listed = tc.rules(tree).simplified(validation, train).listed(validation, train).rules
    silent = [np.isnan(rule.answer) for rule in listed]
    assert any(silent)
    assert silent == sorted(silent), "those without an answer come last"
    assert all(rule.conditions and not rule.dropped for rule in listed if np.isnan(rule.answer))
