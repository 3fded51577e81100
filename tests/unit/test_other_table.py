"""Another table beside a tree: what is needed of it, and what is said of classes and levels the tree does not know."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import ReadOptions, prepare, read_raw
from treecore.study.other_table import other_table
from treecore.study.twins import rows_judged
from treecore.tree.node_statistics import node_statistics

TRAIN = "x,size,shade,spare,y\n" + "".join(
    f"{i},{'SML'[i % 3]},{('red', 'blue')[i // 6 % 2]},{i}.5,{('no', 'yes')[i // 6 % 2]}\n" for i in range(60)
)
KINDS = {"size": tc.Ordinal(["S", "M", "L"])}


def raw_of(text: str, **options):
    return read_raw(text.encode(), name="other.csv", options=ReadOptions(**options))


def grown(target="y", features=("shade", "size"), **settings) -> tc.Tree:
    return tc.grow(tc.read_table(TRAIN.encode(), target=target, kinds=KINDS, features=features), **settings)


def test_only_the_target_and_the_tested_features_are_needed():
    found = other_table(grown(), raw_of("y,shade\nyes,blue\nno,red\nno,blue\n"))
    assert (found.features, found.target, found.n_rows) == (("shade",), "y", 3)
    assert found.notes == ()
    stats = node_statistics(grown(), found)
    np.testing.assert_array_equal(stats[0], [2, 1])


def test_it_routes_as_the_tree_does_whatever_the_order_of_levels_and_columns():
    tree = grown()
    rows = "shade,extra,y\nred,1,no\nblue,2,yes\nblue,3,yes\nred,4,yes\n"
    by_frame = tree.predict(tc.read_table(rows.encode(), target="y", features=("shade",)))
    assert tree.predict(other_table(tree, raw_of(rows))).tolist() == by_frame.tolist() == ["no", "yes", "yes", "no"]


@pytest.mark.parametrize(
    ("text", "column", "use"),
    [("y\nyes\nno\n", "shade", "is tested by the tree"), ("shade\nred\nblue\n", "y", "is what the tree predicts")],
)
def test_an_absent_column_is_named(text, column, use):
    with pytest.raises(tc.TreecoreError, match=f"Column '{column}': It {use}, and the table other.csv has no such"):
        other_table(grown(), raw_of(text))


def test_all_absent_columns_are_named_at_once():
    rows = "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{'no' if i % 4 else 'yes'}\n" for i in range(40))
    tree = tc.grow(tc.read_table(rows.encode(), target="y"), "cart")
    with pytest.raises(tc.TreecoreError) as fault:
        other_table(tree, raw_of("y\nyes\nno\n"))
    assert fault.value.where == "Columns 'a', 'b'"
    assert "has none of them" in fault.value.what


def test_cells_that_are_no_numbers_are_named_with_their_rows_and_a_remedy_that_helps():
    tree = grown(features=("x",))
    with pytest.raises(tc.TreecoreError) as fault:
        other_table(tree, raw_of("x,y\n1,no\nmany,yes\nfew,no\n2,no\nmany,no\n"))
    assert fault.value.where == "Column 'x'"
    assert "3 rows hold none: 'many' (rows 2 and 5), 'few' (row 3)" in fault.value.what
    assert "empty" in fault.value.remedy
    assert "nominal" not in fault.value.remedy
    assert other_table(tree, raw_of("x,y\n1,no\n,yes\n,no\n2,no\n")).column("x").missing.sum() == 2
    with pytest.raises(tc.TreecoreError, match=r"Column 'spare': .* 1 row holds none: 'many' \(row 2\)"):
        other_table(grown(target="spare", features=("shade",)), raw_of("shade,spare\nred,1.5\nblue,many\n"))


def test_unknown_classes_are_counted_and_said():
    found = other_table(grown(), raw_of("shade,y\nred,no\nred,maybe\nblue,perhaps\nblue,maybe\n"))
    assert found.notes == ("3 rows of classes the tree does not know (maybe, perhaps) are in no bar and in no test.",)
    assert found.n_rows == 4
    assert rows_judged(grown(), found) == 1


def test_unknown_levels_are_counted_and_said():
    tree = grown(features=("shade",))
    found = other_table(tree, raw_of("shade,y\nred,no\ngreen,no\n"))
    assert found.notes == (
        "1 row with levels of 'shade' the tree does not know (green) takes the branch for unseen levels.",
    )
    y = "".join(f"{'SML'[i % 3]},{('no', 'yes')[i % 3 == 2]}\n" for i in range(30))
    by_size = tc.grow(tc.read_table(("size,y\n" + y).encode(), target="y", kinds=KINDS))
    found = other_table(by_size, raw_of("size,y\nS,no\nXL,no\nXXL,yes\n"))
    assert "2 rows with levels of 'size' the tree does not know (XL, XXL) count as missing" in found.notes[0]


def test_rows_without_a_target_are_said():
    found = other_table(grown(), raw_of("shade,y\nred,no\nblue,\nblue,yes\n"))
    assert found.n_rows == 2
    assert found.notes == ("1 of 3 rows were left out: their target 'y' is missing.",)
    with pytest.raises(tc.TreecoreError, match="No row has a value"):
        other_table(grown(), raw_of("shade,y\nred,\nblue,\n"))


def test_a_level_that_reads_like_a_missing_value_stays_a_level():
    text = "side,y\n" + "NA,a\nEU,b\n" * 10
    known = tc.read_table(text.encode(), target="y", kinds={"side": tc.Nominal(["EU", "NA"])})
    found = other_table(tc.grow(known), raw_of("side,y\nNA,a\nEU,b\nNA,b\n"))
    assert found.column("side").n_missing == 0


def test_weights_are_used_or_missed_aloud():
    found = other_table(grown(), raw_of("shade,y,w\nred,no,2\nblue,yes,3\n"), weights="w")
    assert found.weights.tolist() == [2, 3]
    found = other_table(grown(), raw_of("shade,y\nred,no\nblue,yes\n"), weights="w")
    assert found.notes == ("There is no column 'w' of weights: every row counts 1.",)


def test_parts_of_dates_are_derived_where_the_tree_needs_them():
    lines = "".join(f"20{10 + i % 10}-0{i % 9 + 1}-11,{('old', 'new')[i % 10 > 4]}\n" for i in range(50))
    table = tc.read_table(("sold,y\n" + lines).encode(), target="y", derive={"sold": ("year", "month")})
    tree = tc.grow(table)
    assert tree.node(0).feature == "sold: year"
    found = other_table(tree, raw_of("sold,y\n2011-05-03,old\n2019-05-03,old\n"), {"sold": ("year", "month")})
    assert found.features[0] == "sold: year"
    assert tree.predict(found).tolist() == ["old", "new"]
    with pytest.raises(tc.TreecoreError, match="Column 'sold': It is tested by the tree"):
        other_table(tree, raw_of("y\nold\nnew\n"), {"sold": ("year", "month")})


def test_a_feature_that_only_surrogates_read_may_be_absent():
    lines = "".join(f"{'SML'[i % 3]},{i % 3 * 7 + i % 2},{('no', 'yes')[i % 3 == 0]}\n" for i in range(60))
    tree = tc.grow(tc.read_table(("size,cm,y\n" + lines).encode(), target="y", kinds=KINDS), "cart", max_depth=1)
    assert tree.node(0).feature == "size"
    assert [tree.schema.features[f].name for f in tree.surrogates.feature] == ["cm"]
    found = other_table(tree, raw_of("size,y\nS,yes\nM,yes\n"))
    assert found.notes == ("There is no column 'cm', which only surrogates ask for: it counts as missing.",)
    assert tree.predict(found).tolist() == ["yes", "no"]
    with pytest.raises(tc.TreecoreError, match="Column 'size'"):
        other_table(tree, raw_of("cm,y\n1,yes\n8,no\n"))


def test_numbers_are_put_in_the_trees_bins():
    table = tc.read_table(TRAIN.encode(), target="y", features=("x",))
    train = prepare(table, bins="equal_width")[0]
    tree = tc.grow(train)
    found = other_table(tree, raw_of("x,y\n1,no\n55,yes\n,no\n"))
    assert found.column("x").kind == "numeric"
    assert tree.predict(found)[:2].tolist() == tree.predict(table.take([1, 55])).tolist()
