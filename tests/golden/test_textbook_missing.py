"""PlayTennis with the humidity of day 8 missing, and days to predict with something unknown.

At Sunny (days 1, 2, 8, 9, 11: 3 No, 2 Yes, H = .9710) High has days 1 and 2 (No), Normal days 9 and 11 (Yes), and
day 8 (No) has neither. In the whole table Normal leads 7 : 6, among the days without tennis High does, 3 : 1.
"""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.golden.tables import gains, node_where, nominal_table
from treecore.data.prepare import filled
from treecore.data.samples import read_sample

LEVELS = [["High", "Normal", "Low"], ["No", "Yes"]]
KNOWN = [("High", "No"), ("High", "No"), ("Normal", "Yes"), ("Normal", "Yes")]


@pytest.fixture(scope="module")
def table():
    return read_sample("play_tennis_day8")


def at_sunny(tree, table):
    return gains(tree, node_where(tree, "Outlook = Sunny"), table)


def test_only_the_humidity_of_day_8_is_missing(table):
    whole = read_sample("play_tennis")
    for name in whole.column_names:
        now, before = table.column(name).labels(), whole.column(name).labels()
        assert np.flatnonzero(now != before).tolist() == ([7] if name == "Humidity" else [])
    assert table.column("Humidity").missing.tolist() == [day == 7 for day in range(14)]


@pytest.mark.parametrize(
    ("method", "level", "gain"),
    [
        ("mean", "Normal", 0.419973094021975),  # the mode of all: Normal is (1 No, 2 Yes): .9710 - 3/5 .9183
        ("class_mean", "High", 0.970950594454669),  # the mode of class No: High (3 No), Normal (2 Yes)
    ],
)
def test_filled_before_growing(table, method, level, gain):
    full = filled(table, method)
    assert full.column("Humidity").labels()[7] == level
    assert at_sunny(tc.grow(full, "id3"), full)["Humidity"] == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize(
    ("high", "normal", "gain"),
    [(1 / 2, 1 / 2, 0.609986547010987), (6 / 13, 7 / 13, 0.592456920412248)],
)
def test_counted_in_fractions(high, normal, gain):
    """Day 8 as two rows with its shares of High and Normal: those of the node's known days, or of the table's.

    .9710 - 2.5/5 H(.5, 2) = .610. No strategy here judges a split so: C4.5 counts the known rows alone.
    """
    rows = [*KNOWN, ("High", "No"), ("Normal", "No")]
    table = nominal_table(rows, ["Humidity", "PlayTennis"], LEVELS).with_weights(np.array([1, 1, 1, 1, high, normal]))
    tree = tc.grow(table, "id3", max_depth=1)
    assert tree.weight[0] == pytest.approx(5)
    assert tree.impurity[0] == pytest.approx(0.970950594454669, abs=1e-12)
    assert gains(tree, 0, table)["Humidity"] == pytest.approx(gain, abs=1e-12)


# (No, Yes) at High and Normal below Sunny: where day 8 is counted after the split
WHERE_DAY_8_GOES = [
    ("fractional", [2.5, 0], [0.5, 2]),
    ("majority", [3, 0], [0, 2]),  # 2 : 2, the first branch
    ("node_value", [3, 0], [0, 2]),  # 2 : 2, the first level
    ("stay", [2, 0], [0, 2]),
]


@pytest.mark.parametrize(("missing", "high", "normal"), WHERE_DAY_8_GOES)
@pytest.mark.parametrize("preset", ["id3", "c4.5"])
def test_the_gain_is_that_of_the_known_days_times_their_share(table, preset, missing, high, normal):
    """4/5 of 1 bit = .8, whatever becomes of day 8."""
    tree = tc.grow(table, preset, missing=missing, max_depth=2, min_weight_split=0, min_weight_leaf=0)
    assert at_sunny(tree, table)["Humidity"] == pytest.approx(0.8, abs=1e-12)
    sunny = node_where(tree, "Outlook = Sunny")
    assert tree.gain[sunny] == pytest.approx(0.8, abs=1e-12)
    assert tree.missing_weight[sunny] == 1
    below = [node_where(tree, "Outlook = Sunny", f"Humidity = {level}") for level in ("High", "Normal", "Low")]
    assert tree.stats[below].tolist() == [high, normal, [0, 0]]


def test_a_value_of_its_own_is_one_more_branch(table):
    """High (2 No), Normal (2 Yes) and missing (1 No) are pure: all of the .9710."""
    tree = tc.grow(table, "id3", missing="own_value")
    assert at_sunny(tree, table)["Humidity"] == pytest.approx(0.970950594454669, abs=1e-12)
    assert tree.n_children[node_where(tree, "Outlook = Sunny")] == 4


def test_gain_ratios_with_and_without_a_gap(table):
    """Split information counts missing as a branch: Humidity at the root parts 14 days 6, 7 and 1 (1.2958 bits)."""
    whole = read_sample("play_tennis")
    found = tc.candidates(tc.grow(whole, "c4.5"), 0, whole)
    outlook = found.ranked[0]
    assert outlook.feature == "Outlook"
    assert outlook.gain / outlook.score == pytest.approx(1.577406282852345, abs=1e-12)
    assert outlook.score == pytest.approx(0.156427562421175, abs=1e-12)
    assert found.average_gain == pytest.approx(0.1190, abs=5e-5)
    assert found.average_gain == pytest.approx(
        (0.246749819774439 + 0.151835501362342 + 0.048127030408269 + 0.029222565658955) / 4, abs=1e-12
    )
    assert [c.feature for c in found.per_feature() if c.eligible] == ["Outlook", "Humidity"]
    holed = {c.feature: c for c in tc.candidates(tc.grow(table, "c4.5"), 0, table).per_feature()}
    humidity = holed["Humidity"]
    assert humidity.gain == pytest.approx(0.102477276626935, abs=1e-12)
    assert humidity.gain / humidity.score == pytest.approx(1.295836389291164, abs=1e-12)
    assert humidity.score == pytest.approx(0.079081956235996, abs=1e-12)


# days to predict


def day(**known):
    names = ["Outlook", "Temperature", "Humidity", "Wind"]
    return pd.DataFrame([{name: known.get(name) for name in names}], dtype=object)


def test_days_with_an_unknown_value_are_answered_in_shares():
    """Of the fourteen days' tree. Sunny, humidity unknown: 3 of 5 days were High, No. Outlook unknown, Normal, Strong:
    Sunny 5/14 (Normal, Yes), Overcast 4/14 (Yes), Rain 5/14 (Strong, No): Yes 9/14."""
    tree = tc.grow(read_sample("play_tennis"), "id3", missing="fractional")
    sunny = day(Outlook="Sunny", Temperature="Hot", Wind="Strong")
    assert tree.predict_proba(sunny)[0].tolist() == pytest.approx([3 / 5, 2 / 5], abs=1e-15)
    assert tree.predict(sunny).tolist() == ["No"]
    unknown = day(Temperature="Hot", Humidity="Normal", Wind="Strong")
    assert tree.predict_proba(unknown)[0].tolist() == pytest.approx([5 / 14, 9 / 14], abs=1e-15)
    assert tree.predict(unknown).tolist() == ["Yes"]


@pytest.mark.parametrize(("missing", "answer"), [("majority", "No"), ("stay", "No"), ("fractional", "No")])
def test_a_sunny_day_of_unknown_humidity_by_other_strategies(missing, answer):
    tree = tc.grow(read_sample("play_tennis"), "id3", missing=missing)
    assert tree.predict(day(Outlook="Sunny", Temperature="Hot", Wind="Strong")).tolist() == [answer]
