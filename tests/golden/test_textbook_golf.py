"""Golf, 14 days with numbers (Quinlan, C4.5: Programs for Machine Learning, 1993), whole and with one outlook unknown.

By hand: the best cut of humidity among the 5 sunny days lies between 70 (2 Play) and 85 (3 Don't): mid-point 77.5, and
the largest value of all days below it is 75. With the unknown outlook of an overcast day: chapter 3.
"""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.golden.tables import gains, node_where

DAYS = """\
sunny 85 85 false Don't
sunny 80 90 true Don't
overcast 83 78 false Play
rain 70 96 false Play
rain 68 80 false Play
rain 65 70 true Don't
overcast 64 65 true Play
sunny 72 95 false Don't
sunny 69 70 false Play
rain 75 80 false Play
sunny 75 70 true Play
overcast 72 90 true Play
overcast 81 75 false Play
rain 71 80 true Don't"""
NAMES = ["outlook", "temperature", "humidity", "windy", "class"]
KINDS = {
    "outlook": tc.Nominal(["sunny", "overcast", "rain"]),
    "windy": tc.Nominal(["true", "false"]),
    "class": tc.Nominal(["Play", "Don't"]),
}


def golf(unknown: int | None = None) -> tc.Table:
    frame = pd.DataFrame([line.split() for line in DAYS.splitlines()], columns=NAMES)
    if unknown is not None:
        frame.loc[unknown, "outlook"] = None
    frame[["temperature", "humidity"]] = frame[["temperature", "humidity"]].astype(float)
    return tc.read_table(frame, target="class", kinds=KINDS)


def test_the_tree_of_the_book():
    table = golf()
    tree = tc.grow(table, "c4.5")
    leaves = {tree.node(t).rule: tree.node(t).counts for t in np.flatnonzero(tree.is_leaf).tolist()}
    assert leaves == {
        "outlook = sunny AND humidity ≤ 75": {"Play": 2, "Don't": 0},
        "outlook = sunny AND humidity > 75": {"Play": 0, "Don't": 3},
        "outlook = overcast": {"Play": 4, "Don't": 0},
        "outlook = rain AND windy = true": {"Play": 0, "Don't": 2},
        "outlook = rain AND windy = false": {"Play": 3, "Don't": 0},
    }
    assert tree.score[0] == pytest.approx(0.156427562421175, abs=1e-12)


def test_gains_of_every_cut_of_humidity():
    table = golf()
    tree = tc.grow(table, "c4.5", min_weight_leaf=1, min_weight_split=2)
    found = {c.threshold: c.gain for c in tc.candidates(tree, 0, table).of("humidity")}
    assert found == pytest.approx(
        {65: 0.047709111427961, 70: 0.014956069928973, 75: 0.045334172029145, 78: 0.090276349392765,
         80: 0.102243563609851, 85: 0.025078173505851, 90: 0.010318100909640, 95: 0.047709111427961}, abs=1e-12,
    )  # fmt: skip
    assert gains(tree, 0, table)["temperature"] == pytest.approx(0.113400864181103, abs=1e-12)


def test_two_branches_need_two_rows():
    """Quinlan's program leaves at least 2 rows in each of two branches: 65 and 95 would leave one alone."""
    table = golf()
    tree = tc.grow(table, "c4.5")
    assert {c.threshold for c in tc.candidates(tree, 0, table).of("humidity")} == {70, 75, 78, 80, 85, 90}


def test_an_unknown_outlook():
    """13/14 (.961 - .747) = .199; split information of 5, 3, 5 and 1 unknown 1.809; ratio .110."""
    table = golf(unknown=11)
    tree = tc.grow(table, "c4.5", selector="best", min_weight_leaf=1, min_weight_split=2)
    outlook = tc.candidates(tree, 0, table).of("outlook")[0]
    assert outlook.gain == pytest.approx(0.199040708346479, abs=1e-12)
    assert outlook.gain / outlook.score == pytest.approx(1.809200032697812, abs=1e-12)
    assert outlook.score == pytest.approx(0.110015865990051, abs=1e-12)


def test_the_unknown_day_goes_down_every_branch_in_shares():
    """5/13, 3/13 and 5/13 of it: the book's leaves hold 2.0, 3.4, 3.2, 2.4 and 3.0."""
    tree = tc.grow(golf(unknown=11), "c4.5")
    weight = {tree.node(t).rule: tree.weight[t] for t in np.flatnonzero(tree.is_leaf).tolist()}
    assert weight == pytest.approx(
        {
            "outlook = sunny AND humidity ≤ 75": 2,
            "outlook = sunny AND humidity > 75": 44 / 13,
            "outlook = overcast": 42 / 13,
            "outlook = rain AND windy = true": 31 / 13,
            "outlook = rain AND windy = false": 3,
        },
        abs=1e-12,
    )
    above = node_where(tree, "outlook = sunny", "humidity > 75")
    assert tree.stats[above].tolist() == pytest.approx([5 / 13, 3], abs=1e-12)


def test_a_sunny_day_of_unknown_humidity():
    """The book's P(Play) = 2/5.4 + 3.4/5.4 * .4/3.4 = .44; exactly 31/70."""
    tree = tc.grow(golf(unknown=11), "c4.5")
    day = pd.DataFrame([{"outlook": "sunny", "temperature": 70.0, "humidity": np.nan, "windy": "false"}])
    assert tree.predict_proba(day)[0] == pytest.approx([31 / 70, 39 / 70], abs=1e-12)
    assert tree.predict(day).tolist() == ["Don't"]
