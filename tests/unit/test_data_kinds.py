"""Guessing what a column is, and saying why."""

import pytest

from treecore.data import (
    Nominal,
    Ordinal,
    ReadOptions,
    guess_target,
    infer_kinds,
    read_raw,
    read_table,
    target_kind,
    why_target,
)


def guesses(text, **options):
    raw = read_raw(text.encode(), options=ReadOptions(**options))
    return {guess.name: guess for guess in infer_kinds(raw)}


def column(*cells, name="x"):
    """The guess for one column with these cells, beside a column of classes."""
    rows = "".join(f'"{cell}",{"ab"[i % 2]}\n' for i, cell in enumerate(cells))
    return guesses(f"{name},klass\n{rows}")[name]


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (("yes", "no", "yes"), ("no", "yes")),
        (("True", "False", "NA"), ("False", "True")),
        (("T", "F", "T"), ("F", "T")),
        (("0", "1", "1"), ("0", "1")),
        (("0.0", "1.0", ""), ("0", "1")),
        (("ja", "nein", "ja"), ("nein", "ja")),
    ],
)
def test_pairs_are_boolean(cells, levels):
    guess = column(*cells)
    assert (guess.kind, guess.levels, guess.use) == ("boolean", levels, "feature")


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (("high", "low", "medium", "low"), ("low", "medium", "high")),
        (("L", "S", "M", "XL"), ("S", "M", "L", "XL")),
        (("Often", "Never", "Always", "Never"), ("Never", "Often", "Always")),
        (("Mar", "Jan", "Feb"), ("Jan", "Feb", "Mar")),
        (("Sunday", "Monday", "Monday"), ("Monday", "Sunday")),
    ],
)
def test_well_known_orders_are_ordinal(cells, levels):
    guess = column(*cells, *cells)
    assert (guess.kind, guess.levels) == ("ordinal", levels)
    assert " < ".join(levels) in guess.reason


@pytest.mark.parametrize(
    "cells", [("red", "blue", "red"), ("S", "M", "S"), ("low", "Low", "high"), ("yes", "Yes", "no")]
)
def test_other_words_are_nominal(cells):
    guess = column(*cells, *cells)
    assert (guess.kind, guess.use) == ("nominal", "feature")


def test_levels_do_not_depend_on_the_order_of_the_rows():
    assert column("b", "a", "c", "b", "a", "c").levels == column("c", "b", "a", "c", "b", "a").levels
    raw = read_table(b"x,y\n10,a\n9,b\n100,a\n9,b\n", kinds={"x": "nominal"})
    assert raw.column("x").levels == ("9", "10", "100")


@pytest.mark.parametrize(
    ("cells", "values", "words"),
    [
        (("1,5", "2,25", "3"), [1.5, 2.25, 3], "decimal comma"),
        (("1,234", "12,345.5", "7"), [1234, 12345.5, 7], "commas between thousands"),
        (("1,234,567", "1"), [1234567, 1], "commas between thousands"),
        (("1.234.567", "1.000", "5"), [1234567, 1000, 5], "points between thousands"),
        (("1.234,5", "7"), [1234.5, 7], "points between thousands"),
        (("1 234 567", "10 000"), [1234567, 10000], "spaces between thousands"),
        (("7.5", "1'034.50"), [7.5, 1034.5], "with apostrophes between thousands ('1'034.50'"),
        (("0,123", "0,456"), [0.123, 0.456], "decimal comma"),
        (("1e3", "+2", "-.5", "5."), [1000, 2, -0.5, 5], "numbers"),
        ((" 1 ", "2.5"), [1, 2.5], "numbers"),
    ],
)
def test_numbers_in_every_writing(cells, values, words):
    assert words in column(*cells).reason
    rows = "".join(f'"{cell}"\t{"ab"[i % 2]}\n' for i, cell in enumerate(cells))
    table = read_table(f"x\ty\n{rows}".encode())
    assert table.column("x").kind == "numeric"
    assert table.column("x").values().tolist() == values


def test_an_ambiguous_separator_is_settled_by_the_file_or_not_at_all():
    same = {'"1,234"': "1,234", '"5,678"': "5,678"}
    by_comma_file = guesses("x,y\n" + "".join(f"{cell},a\n" for cell in same))["x"]
    assert by_comma_file.kind == "numeric"
    assert "commas between the fields" in by_comma_file.reason
    by_other_column = guesses("x\tz\n1,234\t0,5\n5,678\t1,5\n")["x"]
    assert "decimal comma" in by_other_column.reason
    assert "other columns" in by_other_column.reason
    open_question = guesses("x\ty\n1,234\ta\n5,678\tb\n")["x"]
    assert open_question.kind == "nominal"
    assert "decimal or a thousands separator" in open_question.reason
    told = read_table(b"x\ty\n1,234\ta\n5,678\tb\n", decimal=".")
    assert told.column("x").values().tolist() == [1234, 5678]


def test_a_point_before_three_digits_is_a_decimal_point_unless_the_file_writes_commas():
    assert read_table(b"x;y\n1.234;a\n5.678;b\n").column("x").values().tolist() == [1.234, 5.678]
    german = read_table(b"x;z\n1.234;0,5\n5.678;1,5\n")
    assert german.column("x").values().tolist() == [1234, 5678]


def test_mixed_writings_are_no_numbers():
    guess = column("1.5", "1,5", "2.5", "3.5")
    assert guess.kind == "nominal"
    assert "'1,5'" in guess.reason


def test_a_few_bad_cells_are_named_not_swallowed():
    cells = [f"{i}.5" for i in range(10)] * 4
    cells[6] = "unknown"
    guess = column(*cells)
    assert guess.kind == "nominal"
    assert "'unknown' (first at row 7)" in guess.reason
    assert "treat them as missing" in guess.reason


@pytest.mark.parametrize("token", ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?"])
def test_missing_tokens_count_everywhere(token):
    assert column("1.5", token, "2.5").n_missing == 1
    assert column("red", token, "blue").n_missing == 1


@pytest.mark.parametrize("token", ["None", "-", "."])
def test_some_tokens_are_missing_only_among_numbers(token):
    number = column("1.5", token, "2.5")
    assert (number.kind, number.n_missing) == ("numeric", 1)
    word = column("red", token, "blue", "red", token, "blue")
    assert (word.n_missing, word.n_distinct) == (0, 3)


def test_a_column_of_such_tokens_alone_is_words():
    assert column("-", "None", "-", "None").n_distinct == 2


@pytest.mark.parametrize("token", ["-", "None", "missing"])
def test_zeros_and_ones_have_gaps_as_other_numbers_have(token):
    table = read_table(f"a,y\n0,u\n1,v\n{token},u\n1.0,v\n".encode(), target="y")
    assert table.column("a").kind == "boolean"
    assert table.column("a").codes.tolist() == [0, 1, 2, 1]


def test_a_declared_level_is_never_missing():
    table = read_table(b"x,y\nNA,a\nEU,b\nNA,a\n", kinds={"x": Nominal(["EU", "NA"])})
    assert table.column("x").n_missing == 0


def test_labels_made_of_digits_are_no_numbers():
    zip_code = column("01234", "10115", "01234", "10115")
    assert zip_code.kind == "nominal"
    assert "'01234' start with zeros" in zip_code.reason
    assert "more digits" in column(*["12345678901234567", "12345678901234568"] * 3).reason


def rows(*columns):
    return "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True)) + "\n"


def test_identifiers_and_the_like_are_left_out_with_the_reason():
    n = 60
    text = "no,customer_id,code,ticket,remark,same,empty,measured,whole,y\n" + rows(
        range(1, n + 1),
        [7 * i * i + 1000 for i in range(n)],
        [f"k{i}" for i in range(n)],
        [f"t{i % 40}" for i in range(n)],
        [f"this customer wrote us a long letter number {i % 45}" for i in range(n)],
        ["x"] * n,
        [""] * n,
        [i * 0.37 for i in range(n)],
        [(37 * i) % 61 * 3 + 5 for i in range(n)],
        ["ab"[i % 2] for i in range(n)],
    )
    found = guesses(text)
    left_out = {name: guess.reason for name, guess in found.items() if guess.use == "left out"}
    assert list(left_out) == ["no", "customer_id", "code", "ticket", "remark", "same", "empty"]
    assert "identifier" in left_out["no"]
    assert "identifier" in left_out["customer_id"]
    assert "every row has a text of its own" in left_out["code"]
    assert "40 different texts in 60 rows" in left_out["ticket"]
    assert "free text" in left_out["remark"]
    assert "'x'" in left_out["same"]
    assert "every value is missing" in left_out["empty"]
    table = read_table(text.encode(), target="y")
    assert table.features == ("measured", "whole")
    assert any("'customer_id' is left out" in note for note in table.notes)
    same_kinds = {name: guess.kind for name, guess in found.items()}
    assert read_table(text.encode(), target="y", kinds=same_kinds).features == table.features
    ordered = {"ticket": Ordinal([f"t{i}" for i in range(40)])}
    assert "ticket" in read_table(text.encode(), target="y", kinds=ordered).features


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "index", "anything"])
@pytest.mark.parametrize("start", [0, 1])
def test_a_first_column_that_counts_the_rows_is_left_out(name, start):
    text = f"{name},z,y\n" + rows(range(start, start + 20), [i * 1.5 for i in range(20)], ["a", "b"] * 10)
    first = next(iter(guesses(text).values()))
    assert first.use == "left out"


def test_a_filtered_row_number_is_left_out_and_a_measurement_stays():
    kept = [i for i in range(100) if i % 3]
    assert (
        next(iter(guesses("r,z,y\n" + rows(kept, [i % 5 for i in kept], ["a", "b"] * 33)).values())).use == "left out"
    )
    weights = [3504, 3693, 3436, 3433, 3449, 4341, 4354, 4312]
    assert column(*weights).use == "feature"
    assert column(*range(1950, 1990), name="year").use == "feature"


def test_counting_rows_is_a_feature_where_there_is_no_other():
    found = guesses("t,y\n" + rows(range(1, 31), [(i * i) % 7 + 0.5 for i in range(30)]))
    assert found["t"].use == "feature"
    assert guesses("id,y\n" + rows(range(1, 31), [(i * i) % 7 + 0.5 for i in range(30)]))["id"].use == "left out"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("class,a,b\nx,1.5,2\ny,2.5,3\n", "class"),
        ("a,Target,b\n1,x,2.5\n2,y,3.5\n", "Target"),
        ("a,b,colour\n1,2.5,x\n2,3.5,y\n", "colour"),
        ("a,b,c\n1,2.5,\n2,3.5,\n", "b"),
    ],
)
def test_the_target_is_guessed_by_name_or_place(text, name):
    assert guess_target(tuple(guesses(text).values())) == name


@pytest.mark.parametrize(
    ("names", "name", "why"),
    [
        ("survived,age,note", "survived", "what targets are often called"),
        ("age,loan_status,amount", "loan_status", "what targets are often called"),
        ("status,loan_status,amount", "status", "what targets are often called"),
        ("age,marital_status,amount,kind", "kind", "stands last and has 2 different values"),
        ("age,marital_status,amount,loan_status", "loan_status", "what targets are often called"),
        ("age,churn_flag,amount,loan_status", "churn_flag", "what targets are often called"),
        ("price_eur,size,energy_class,noise", "price_eur", "what targets are often called"),
        ("kind,age,amount", "kind", "stands first and has 2 different values"),
        ("age,amount,kind", "kind", "stands last and has 2 different values"),
        ("kind,age,note", "kind", "stands first and has 2 different values"),
        ("class,age,survived", "survived", "what targets are often called"),
        ("age,status,amount,kind", "kind", "stands last and has 2 different values"),
        ("age,price,amount,kind", "price", "what targets are often called"),
        ("age,size,weight_kg", "weight_kg", "'weight_kg' stands last; no column has a name that targets often have"),
        ("age,size,sample_weight", "size", "'size' stands last but for remarks and weights"),
        ("age,size,amount", "amount", "'amount' stands last"),
        ("unit price,kind,age,amount", "amount", "'amount' stands last"),
    ],
)
def test_why_this_target_is_said(names, name, why):
    few = {"class", "survived", "status", "loan_status", "marital_status", "churn_flag", "energy_class", "kind", "note"}
    cell = lambda column, i: "ab"[i % 2] if column in few else f"{i * 7 % 60 + len(column)}.25"  # noqa: E731
    lines = [",".join(cell(column, i) for column in names.split(",")) for i in range(60)]
    found = why_target(infer_kinds(read_raw("\n".join([names, *lines]).encode())))
    assert found.name == name
    assert why in found.reason


def test_of_few_values_at_both_ends_the_last_column_is_the_target():
    names = ["apple", "pear", "lemon", "grape"]
    fruit = [f"{'rgb'[i % 3]},{'sml'[i % 2]},{i % 4 + 1},{names[i % 4]}" for i in range(12)]
    found = why_target(tuple(guesses("\n".join(["colour,size,price,fruit", *fruit])).values()))
    assert found.name == "fruit"
    assert found.reason == (
        "'fruit' stands last and has 4 different values; no column has a name that targets often have."
    )


def test_a_target_of_few_whole_numbers_is_classes_and_that_is_said():
    text = "x,y\n" + rows([i * 0.5 for i in range(60)], [i % 3 for i in range(60)])
    table = read_table(text.encode(), target="y")
    assert table.task == "classification"
    assert table.classes == ("0", "1", "2")
    assert any("taken as classes" in note for note in table.notes)
    assert read_table(text.encode(), target="y", kinds={"y": "numeric"}).task == "regression"
    assert read_table(text.encode()).column("y").kind == "numeric"
    short = guesses("x,y\n1.5,1\n2.5,3\n3.5,4\n4.5,3\n")["y"]
    assert target_kind(short) == "numeric"


@pytest.mark.parametrize(("header", "passed"), [("a,b,year", "year"), ("class,a,b", "class"), ("a,year,b", "")])
def test_a_column_of_one_value_that_one_would_expect_to_be_the_target_is_spoken_of(header, passed):
    values = {
        "a": lambda i: i * 7 % 23 + 0.5,
        "b": lambda i: "yn"[i % 2],
        "year": lambda _: 2024,
        "class": lambda _: "x",
    }
    names = header.split(",")
    text = "\n".join([header, *(",".join(str(values[name](i)) for name in names) for i in range(60))])
    found = why_target(infer_kinds(read_raw(text.encode(), name="t.csv")))
    assert found.name == "b"
    assert ("has one value alone" in found.reason) == bool(passed)
    assert found.passed == (f"'{passed}' has one value alone, so it cannot be predicted." if passed else "")
    assert found.reason.endswith(found.passed)


def test_a_column_without_a_value_that_one_would_expect_to_be_the_target_is_spoken_of():
    text = "a,y\n" + "".join(f"{i * 7 % 23 + 0.5},\n" for i in range(60))
    assert why_target(infer_kinds(read_raw(text.encode(), name="t.csv"))).passed == (
        "Every value of 'y' is missing, so it cannot be predicted."
    )


@pytest.mark.parametrize(("cell", "may"), [("{}", True), ("{} €", False), ("{} kg", False), ("{} %", False)])
def test_an_amount_with_a_unit_is_no_count(cell, may):
    rows = "\n".join(f"{'ab'[i % 2]},{cell.format(i % 9 + 2)}" for i in range(60))
    (guess,) = [g for g in infer_kinds(read_raw(f"x,y\n{rows}\n".encode())) if g.name == "y"]
    assert (guess.kind, guess.may_count) == ("numeric", may)
