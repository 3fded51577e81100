"""Words that stand for a missing value in columns of words: which they are, what is said, and how it is changed."""

import io

import pandas as pd
import pytest

import treecore as tc
from treecore.data import ReadOptions, infer_kinds, read_raw
from treecore.data.read import build_table
from treecore.recipe import Grow, Recipe
from treecore.recipe_data import Read
from treecore.study.other_table import other_table


def csv(words, *, target=lambda i: "ab"[i % 2], number=lambda i: str(i * 13 % 71)):
    rows = (f"{word},{number(i)},{target(i)}" for i, word in enumerate(words))
    return ("\n".join(["w,b,y", *rows])).encode()


def guess(data, **options):
    return infer_kinds(read_raw(data, name="f.csv", options=ReadOptions(**options)))[0]


@pytest.mark.parametrize(
    "mark", ["\\N", "(null)", "NULL", "<NA>", "#N/A", "#NV", "#WERT!", "[null]", "NaT", "N/A", "?"]
)
def test_marks_of_databases_and_spreadsheets_are_missing_and_that_can_be_undone(mark):
    data = csv([mark if i % 5 == 0 else ["red", "blue", "green"][i % 3] for i in range(60)])
    found = guess(data)
    assert found.n_missing == 12
    assert f"Missing values are '{mark}' (12)." in found.reason
    [doubt] = found.doubts
    table = tc.read_table(data, target="y", **dict(doubt.remedies[0][1]))
    assert mark in table.column("w").levels
    [back] = guess(data, **dict(doubt.remedies[0][1])).doubts
    assert tc.read_table(data, target="y", **dict(back.remedies[0][1])).column("w").n_missing == 12


@pytest.mark.parametrize("mark", ["-", ".", "None", "missing"])
def test_words_that_may_be_values_stay_levels(mark):
    assert guess(csv([mark if i % 5 == 0 else ["red", "blue", "green"][i % 3] for i in range(60)])).n_missing == 0


@pytest.mark.parametrize("mark", ["\\N", "(null)", "#NV", "–"])
def test_they_are_missing_among_numbers(mark):
    found = guess(csv([mark if i % 5 == 0 else str(i % 17) for i in range(60)]))
    assert (found.kind, found.n_missing) == ("numeric", 12)


def test_na_among_codes_of_two_letters_is_a_code_unless_the_user_says_otherwise():
    data = csv([["NA", "ZA", "BW", "ZM"][i % 4] for i in range(80)])
    assert guess(data).levels == ("BW", "NA", "ZA", "ZM")
    table = tc.read_table(data, target="y", kinds={"w": "nominal"})
    assert table.column("w").n_missing == 0
    [doubt] = guess(data).doubts
    undone = guess(data, **dict(doubt.remedies[0][1]))
    assert (undone.n_missing, undone.levels) == (20, ("BW", "ZA", "ZM"))
    again = guess(data, **dict(undone.doubts[0].remedies[0][1]))
    assert again.levels == guess(data).levels


@pytest.mark.parametrize(
    "words", [["red", "blue"], ["YES", "NO"], ["N", "Y"], ["XS", "XL"], ["A", "B"], ["EMEA", "APAC"], ["ok", "no"]]
)
def test_na_among_other_words_is_missing_and_that_is_said(words):
    found = guess(csv([["NA", *words][i % 3] for i in range(60)]))
    assert found.n_missing == 20
    assert "Missing values are 'NA' (20)" in found.reason


def test_na_among_codes_is_missing_where_the_file_writes_missing_values_so():
    data = csv(
        [["NA", "ZA", "BW", "ZM"][i % 4] for i in range(80)], number=lambda i: "NA" if i % 9 == 0 else str(i * 13 % 71)
    )
    found = guess(data)
    assert found.n_missing == 20
    assert found.doubts


def test_words_read_as_missing_that_tell_of_the_target_are_asked_about():
    telling = csv([["N/A", "red", "blue"][i % 3] for i in range(90)], target=lambda i: "yes" if i % 3 == 0 else "no")
    raw = read_raw(telling, name="f.csv")
    table = tc.read_table(telling, target="y")
    [(name, doubt)] = raw.telling_doubts(table.target_column)
    assert name == "w"
    assert doubt.is_open
    assert "differ in 'y' (p = " in doubt.text
    assert any("may be a word of its own" in note for note in table.notes)
    kept = tc.read_table(telling, target="y", **dict(doubt.remedies[0][1]))
    assert kept.column("w").n_missing == 0
    as_it_is = read_raw(telling, options=ReadOptions(**dict(doubt.remedies[1][1])))
    assert as_it_is.telling_doubts(table.target_column) == []
    silent = csv([["N/A", "red", "blue"][i % 3] for i in range(90)], target=lambda i: "ab"[i // 3 % 2])
    assert read_raw(silent).telling_doubts(tc.read_table(silent, target="y").target_column) == []


def test_rows_to_answer_know_the_same_words():
    data = csv([["NA", "ZA", "BW", "ZM"][i % 4] for i in range(80)], target=lambda i: "yes" if i % 4 == 0 else "no")
    table = tc.read_table(data, target="y")
    tree = tc.grow(table, "cart")
    assert (tree.predict(table) == table.target_column.labels()).all()
    frame = table.to_frame()
    assert (tree.predict(frame) == table.target_column.labels()).all()


AGES = b"age,code,size\n" + b"\n".join(b"%d,%d,%d" % (9999 if i < 3 else 20 + i, 9990 + i, i % 3) for i in range(30))


def test_a_word_is_missing_in_one_column_alone():
    """A number in whatever way it is written; the same number is a value of other columns."""
    table = tc.read_table(AGES, missing_in={"age": "9999"})
    assert (table.column("age").n_missing, table.column("code").n_missing) == (3, 0)
    assert table.column("age").distinct.max() == 49
    assert any("'9999' in 3 rows read as missing" in note for note in table.notes)
    written = tc.read_table(AGES.replace(b"9999,9990", b"9999.0,9990"), missing_in={"age": ("9999",)})
    assert written.column("age").n_missing == 3


def test_the_same_of_a_frame_of_levels_and_of_words():
    frame = pd.read_csv(io.BytesIO(AGES))
    assert tc.read_table(frame, missing_in={"age": "9999"}).column("age").n_missing == 3
    nominal = tc.read_table(AGES, missing_in={"size": "2"}, kinds={"size": "nominal"})
    assert nominal.column("size").n_missing == 10
    assert nominal.column("size").levels == ("0", "1")
    words = tc.read_table(b"a,b\nx,unknown\nunknown,y\nz,y\n", missing_in={"b": "unknown"})
    assert (words.column("a").n_missing, words.column("b").n_missing) == (0, 1)


def test_more_of_what_is_said_by_column():
    options = ReadOptions(missing_in={"age": "9999"})
    more = options.with_more((("missing_in", (("age", ("-1",)), ("size", ("9",)))),))
    assert more.missing_in == (("age", ("9999", "-1")), ("size", ("9",)))
    assert more.with_more(more.changed()) == more


def test_a_recipe_keeps_what_is_missing_in_a_column():
    read = Read.of("ages.csv", False, ReadOptions(missing_in={"age": ("9999",)}))
    again = Recipe.from_json(Recipe((read, Grow())).to_json()).steps[0]
    assert again == read
    assert again.read_options().missing_in == (("age", ("9999",)),)


def planned(*words: str) -> bytes:
    return ("plan,y\n" + "\n".join(f"{word},{i % 7}" for i, word in enumerate(words * 10))).encode()


@pytest.mark.parametrize("make", ["file", "frame", "categories", "nominal"])
def test_spellings_that_are_one_level(make):
    """Of whatever source; what is said can be taken back, and one that leads to another is followed."""
    source = planned("basic", "Basic", "BASIC ", "plus", "pro")
    if make in ("frame", "categories"):
        source = pd.read_csv(io.BytesIO(source), skipinitialspace=True)
        source["plan"] = source["plan"].str.strip()
    if make == "categories":
        source["plan"] = source["plan"].astype("category")
    same = {"plan": {"BASIC": "Basic", "Basic": "basic"}}
    kinds = {"plan": "nominal"} if make == "nominal" else {}
    table = tc.read_table(source, kinds=kinds, same_levels=same)
    assert table.column("plan").levels == ("basic", "plus", "pro")
    assert table.column("plan").present().tolist() == [30, 10, 10]
    told = [note for note in table.notes if "read as one level" in note]
    assert kinds or len(told) == 1
    raw = read_raw(source, options=ReadOptions(same_levels=same))
    [changes] = [dict(doubt.remedies[0][1]) for _, doubt in raw.column_doubts if "one level" in doubt.text]
    assert changes == {"same_levels": ()}


def test_two_spellings_of_yes_leave_a_yes_and_a_no():
    table = tc.read_table(planned("yes", "no", "YES"), same_levels={"plan": {"YES": "yes"}})
    assert table.column("plan").kind == "boolean"


def test_a_recipe_keeps_spellings_that_are_one():
    read = Read.of("plans.csv", False, ReadOptions(same_levels={"plan": {"BASIC": "basic"}}))
    again = Recipe.from_json(Recipe((read, Grow())).to_json()).steps[0]
    assert again.read_options().same_levels == (("plan", (("BASIC", "basic"),)),)
    table = tc.read_table(planned("basic", "BASIC"), **dict(again.options))
    assert table.column("plan").levels == ("basic",)


def test_rows_to_come_that_are_read_alike_have_the_same_levels():
    """As Predict reads a file: by the options of the first table."""
    options = ReadOptions(same_levels={"plan": {"BASIC": "basic"}})
    rng = range(80)
    first = "plan,y\n" + "\n".join(f"{('basic', 'BASIC', 'plus')[i % 3]},{'no' if i % 3 == 2 else 'yes'}" for i in rng)
    tree = tc.grow(build_table(read_raw(first.encode(), options=options), target="y"), "cart")
    rows = other_table(tree, read_raw(b"plan\nBASIC\nbasic\nplus\n", options=options), needs_target=False)
    assert tree.predict(rows).tolist() == ["yes", "yes", "no"]
    assert not any("does not know" in note for note in rows.notes)
