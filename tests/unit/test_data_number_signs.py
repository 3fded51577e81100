"""Numbers with signs of money, units, and a minus in other places; separators that could be either sign."""

import pytest

import treecore as tc
from treecore.data import ReadOptions, infer_kinds, read_raw
from treecore.data.number_reading import is_number

NB, NARROW, THIN = "\u00a0", "\u202f", "\u2009"


def lines(cells, beside=None, *, delimiter="\t"):
    """A file with these cells in a column v."""
    beside = beside or [str(i * 13 % 71) for i in range(len(cells))]
    fields = zip(cells, beside, ["a", "b"] * len(cells), strict=False)
    quoted = ([f'"{cell}"' if delimiter in cell else cell for cell in row] for row in fields)
    return "\n".join([delimiter.join("vby"), *map(delimiter.join, quoted)]).encode()


def guess(cells, beside=None, *, delimiter="\t", **options):
    raw = read_raw(lines(cells, beside, delimiter=delimiter), name="f.csv", options=ReadOptions(**options))
    return infer_kinds(raw)[0]


def values(cells, beside=None, *, delimiter="\t", **options):
    table = tc.read_table(lines(cells, beside, delimiter=delimiter), target="y", **options)
    return table.column("v").values()[: len(set(cells))].tolist()


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([f"1.234,50{NB}€", f"-3,00{NB}€"], [1234.5, -3]),
        ([f"1{NARROW}234,50{NB}€", f"3,00{NB}€"], [1234.5, 3]),
        ([f"12,5{NARROW}%", f"3,0{THIN}%"], [12.5, 3]),
        (["R$ 1.234,56", "-R$ 2,00", "R$ -3,00"], [1234.56, -2, -3]),
        (["CHF 1'234.50", "CHF 12.00"], [1234.5, 12]),
        (["CHF 1’234.50", "CHF 12.00"], [1234.5, 12]),
        (["EUR 12,50", "EUR 7,25"], [12.5, 7.25]),
        (["12.50 USD", "7.25 USD"], [12.5, 7.25]),
        (["1 200 kr", "350 kr"], [1200, 350]),
        (["12,50 zł", "7,25 zł"], [12.5, 7.25]),
        (["₹1,23,456.00", "₹12,000.50"], [123456, 12000.5]),
        (["1,629円", "-661円"], [1629, -661]),
        (["1,23,456.50", "12,34,567.00", "5,000.00"], [123456.5, 1234567, 5000]),
        (["£1,200.50", "-£3.00", "£-4.00"], [1200.5, -3, -4]),
        (["¥1,234,567", "¥500"], [1234567, 500]),
        (["Fr. 12.50", "Fr. 7.00"], [12.5, 7]),
        (["100,00-", "12,50"], [-100, 12.5]),
        (["(12.50)", "7.25"], [-12.5, 7.25]),
        (["$(1,250.00)", "$3.00", "($4.00)"], [-1250, 3, -4]),
        (["(12,50 €)", "3,00 €"], [-12.5, 3]),
        (["\u22125.5", "7.25"], [-5.5, 7.25]),
        (["\u20135.5", "7.25"], [-5.5, 7.25]),
        (["- 5.5", "+ 7.25"], [-5.5, 7.25]),
        (["12 kg", "7.5 kg"], [12, 7.5]),
        (["8GB", "16GB"], [8, 16]),
        (["-3 °C", "20 °C"], [-3, 20]),
        (["3 Zimmer", "5 Zimmer"], [3, 5]),
    ],
)
def test_numbers_with_what_stands_around_them(cells, numbers):
    assert values(cells * 9) == numbers


@pytest.mark.parametrize(
    "cells",
    [
        ["1-", "2", "2-", "3"],
        ["(5)", "(12)", "(3)"],
        ["Room 5", "Room 7", "Room 9"],
        ["PEN12", "PEN14", "PEN17"],
        ["18-24", "25-30", "31–40"],
        ["5G", "4G", "3G"],
        ["12 kg", "500 g", "7 kg"],
        ["5 AM", "12 PM", "3 AM"],
        ["A1", "A2", "B1"],
        ["1st floor", "2nd floor", "3rd floor"],
    ],
)
def test_names_that_hold_digits_stay_names(cells):
    assert guess(cells * 9).kind == "nominal"


def test_sign_unit_and_minus_are_said():
    assert "numbers in CHF" in guess(["CHF 12.50", "CHF 7"] * 9).reason
    assert "those below zero as '(12.50)'" in guess(["(12.50)", "7.25", "8"] * 9).reason


def test_negative_numbers_are_never_offered_as_missing_values():
    cells = [f"{i}.5" for i in range(40)]
    for odd in ("(12.50)", "7-", "–3 kg"):
        mixed = [*cells[:20], odd, "(3.0", *cells[20:]]
        assert odd not in guess(mixed).odd
    assert guess([*cells, "unknown"]).odd == ("unknown",)
    assert "another sign or unit" in guess([*(f"{i} kg" for i in range(40)), "500 g"]).reason


def test_a_line_below_the_names_whose_numbers_have_signs_is_no_line_of_words():
    cells = ["(12.50)", *(f"{i}.25" for i in range(40))]
    raw = read_raw(lines(cells), name="f.csv")
    assert raw.doubts == ()
    assert is_number("R$ -5,30")
    assert not is_number("kg")


POINTS_BELOW = ["700", "950", "1.033", "1.070"]
DATES = [f"{i % 28 + 1:02d}.03.2024" for i in range(80)]


@pytest.mark.parametrize(
    ("cells", "beside", "delimiter", "first", "is_open"),
    [
        (POINTS_BELOW, None, ";", 700, False),
        (POINTS_BELOW, None, ",", 700, False),
        (["1.033", "700", "812"], None, ",", 1033, False),
        (["1.033", "2.171"], DATES, ";", 1033, False),
        (["1.033", "3"], None, ";", 1033, False),
        (["1.033", "3"], None, ",", 1.033, True),
        (["1.033", "2.171"], None, ";", 1.033, True),
        (["1.033", "2.171"], None, ",", 1.033, False),
        (["1.033", "2070"], DATES, ";", 1033, False),
        (["1.070", "812"], [f"{i}.5" for i in range(80)], ";", 1.07, True),
        (["1,033", "700", "2,070"], None, ",", 1033, False),
        (["1,033", "700", "2,070"], None, ";", 1033, False),
        (["1,033", "3"], None, ";", 1.033, True),
        (["1,033", "2,171"], None, ";", 1.033, False),
    ],
)
def test_a_separator_before_three_digits_is_decided_and_said(cells, beside, delimiter, first, is_open):
    found = guess(cells * 20, beside, delimiter=delimiter)
    assert found.kind == "numeric"
    [doubt] = found.doubts
    assert doubt.is_open == is_open
    assert values(cells * 20, beside, delimiter=delimiter)[0] == first
    (_, changes), *confirmed = doubt.remedies
    other = values(cells * 20, beside, delimiter=delimiter, **dict(changes))[0]
    assert other != first or first == 700
    [back] = guess(cells * 20, beside, delimiter=delimiter, **dict(changes)).doubts
    again = values(cells * 20, beside, delimiter=delimiter, **dict(back.remedies[0][1]))
    assert again == values(cells * 20, beside, delimiter=delimiter)
    assert len(confirmed) == is_open
    for _, as_it_is in confirmed:
        assert values(cells * 20, beside, delimiter=delimiter, **dict(as_it_is))[0] == first
        assert not any(d.is_open for d in guess(cells * 20, beside, delimiter=delimiter, **dict(as_it_is)).doubts)
    table = tc.read_table(lines(cells * 20, beside, delimiter=delimiter), target="y")
    assert any(doubt.text in note for note in table.notes)


@pytest.mark.parametrize("cells", [["0.123", "1.456"], ["1.5", "1.033"], ["1.033", "12.5"], ["7", "8"]])
def test_a_decimal_point_beyond_doubt_is_not_spoken_of(cells):
    assert guess(cells * 20, delimiter=";").doubts == ()


def test_a_separator_that_nothing_decides_is_asked_for_both_ways():
    found = guess(["1,033", "2,171"] * 20)
    assert found.kind == "nominal"
    [doubt] = found.doubts
    assert [values(["1,033", "2,171"] * 20, **dict(changes))[0] for _, changes in doubt.remedies] == [1.033, 1033]


def test_a_decimal_sign_is_one_of_two():
    with pytest.raises(tc.TreecoreError, match="no decimal sign"):
        tc.read_table(lines(["1.5"] * 4), decimals={"v": ";"})


def test_very_long_cells_are_no_numbers_and_take_no_time():
    long = "-" + " " * 5000 + "1" + " " * 5000 + "x"
    assert not is_number(long)
    assert guess(["12 €", "13 €", long] * 9).kind == "nominal"
    assert values(["12 €", "13 €", "14 €"] * 9) == [12, 13, 14]
    assert guess(["1" + " " * 5000 + "3 2024", "2 3 2024"] * 9).derived == ()
