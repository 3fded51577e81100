"""Rules that Weka 3.6.14 learned, on tables for which no record is kept (weka.classifiers.rules.JRip, its defaults;
PART with -R)."""

import numpy as np
import pytest

import treecore as tc
from treecore.covering import learn_rules
from treecore.data import level_column, numeric_column
from treecore.errors import TreecoreError

A = "9631735623978130962883614507875934346436503300228884664"
B = "4948328559072384157907732410246220403206013596397447000"
CLASS = "1101111100101000110010000001111110001000110000010111110"


def test_an_old_rule_that_covers_nothing_more_leaves_the_rows_as_they_were_drawn():
    """(a >= 5) and (b <= 6) => y=k1 (21.0/2.0); => y=k0 (34.0/8.0)."""
    numbers = [numeric_column(name, np.array([*text], float)) for name, text in (("a", A), ("b", B))]
    columns = (*numbers, level_column("y", "nominal", [f"k{digit}" for digit in CLASS], ("k0", "k1")))
    found = learn_rules(tc.Table(columns, target="y", features=("a", "b")), "ripper").listed
    assert [rule.text for rule in found.rules] == ["IF a ≥ 5 AND b ≤ 6 THEN y = k1"]
    assert [rule.train.n_rows for rule in found.rules] == [21]
    assert (found.default_text, found.default_rows) == ("k0", 34)


DRAWN = (
    "cdbdcadebdaedbccaacebcbedebcccdcacbab",
    "adcaaddcdbbdaadbbbdadbacdbccddacadaad",
    "aaadacdabdbbbcbdcbbdbdabaaaacbdbcaabc",
    "daebdccbdcaacdabddbcdedcabbdaaabbebbd",
    "nrqqrpnrnnqqqnrrpnppnnpprprprrqqqnqpn",
)
"""Four features, a letter for each row, and the class."""


def test_without_a_round_rules_for_the_next_class_see_the_rows_as_they_were_drawn():
    """JRip -F 4 -N 2 -O 0 -S 2."""
    levels = ("abcde", "abcd", "abcde", "abcde", "npqr")
    columns = [
        level_column(name, "nominal", [*text], tuple(known))
        for name, text, known in zip(("f0", "f1", "f2", "f3", "y"), DRAWN, levels, strict=True)
    ]
    table = tc.Table(tuple(columns), target="y", features=("f0", "f1", "f2", "f3"))
    found = learn_rules(table, "ripper", folds=4, least=2.0, rounds=0, seed=2).listed
    assert [(rule.text, rule.train.n_rows) for rule in found.rules] == [
        ("IF f0 = e AND f3 = c THEN y = p", 2),
        ("IF f3 = a THEN y = r", 8),
        ("IF f3 = b AND f1 = c THEN y = r", 3),
        ("IF f0 = d AND f1 = a THEN y = q", 2),
    ]
    assert (found.default_text, found.default_rows) == ("n", 22)


PRUNED_BY_ROWS = (
    ({}, ["b = 0 AND a > 5: k1 (4/0)", "b = 3: k0 (6/2)", "b = 7: k0 (4/1)", "b = 9: k0 (4/1)", "b = 1: k1 (3/1)",
          "b = 4 AND a <= 6: k0 (3/0)", ": k1 (13/5)"]),
    ({"folds": 5, "seed": 7}, ["b = 0 AND a > 4: k1 (6/0)", "b = 2: k1 (6/1)", "b = 7: k0 (6/1)", "b = 3: k0 (4/1)",
                               "b = 4 AND a <= 6: k0 (4/0)", "b = 9: k0 (4/2)", "b = 0: k0 (3/0)", ": k1 (11/4)"]),
    ({"folds": 2, "seed": 0, "least": 3, "binary": True}, ["a <= 4: k0 (15/3)", ": k1 (13/2)"]),
    ({"seed": -3, "least": 1, "binary": True}, [
        "a <= 4 AND b != 1 AND b != 8 AND b != 2: k0 (11/0)",
        "b != 7 AND b != 0 AND b != 1 AND b != 3 AND b != 5 AND b != 6 AND b != 9 AND a > 6: k1 (5/0)",
        "b != 7 AND b != 4 AND b = 0: k1 (4/0)", "b = 7: k0 (2/0)", "b != 4 AND b = 1: k1 (2/0)",
        "b != 4 AND b != 3 AND b != 5 AND b = 2 AND a > 3: k0 (2/0)", ": k1 (11/4)",
    ]),
)  # fmt: skip
"""Settings beside reduced_error -> PART's rules with the weight that each covers, and errs on."""


@pytest.mark.parametrize(("settings", "recorded"), PRUNED_BY_ROWS)
def test_part_prunes_by_rows_that_are_put_aside(settings, recorded):
    labels = [f"k{digit}" for digit in CLASS]
    columns = (
        numeric_column("a", np.array([*A], float)), level_column("b", "nominal", [*B], tuple("0123456789")),
        level_column("y", "nominal", labels, ("k0", "k1")),
    )  # fmt: skip
    table = tc.Table(columns, target="y", features=("a", "b"))
    found = learn_rules(table, "part", reduced_error=True, **settings).answers.rules
    said = []
    for rule in found:
        tests = " AND ".join(f"{'ab'[test.feature]} {test.sign} {test.value:g}" for test in rule.tests)
        covered = sum(rule.totals)
        said.append(f"{tests}: k{rule.answer} ({covered:g}/{covered - rule.totals[rule.answer]:g})")
    assert said == recorded


def test_part_that_does_not_prune_puts_no_rows_aside():
    table = tc.read_table(b"x,y\n1,a\n2,b\n3,a\n4,b\n")
    with pytest.raises(TreecoreError, match="need no rows to prune by"):
        learn_rules(table, "part", reduced_error=True, prune=False)
