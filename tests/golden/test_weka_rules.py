"""Rules that Weka 3.6.14 learned, on tables for which no record is kept (weka.classifiers.rules.JRip, its defaults)."""

import numpy as np

import treecore as tc
from treecore.covering import learn_rules
from treecore.data import level_column, numeric_column

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
