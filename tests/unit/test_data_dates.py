"""Dates: recognised, left out, and offered as year, month, weekday and so on."""

import pytest

from treecore.data import infer_kinds, read_raw, read_table
from treecore.errors import TreecoreError


def csv(*dates):
    return ("day,y\n" + "".join(f'"{date}",{"ab"[i % 2]}\n' for i, date in enumerate(dates))).encode()


@pytest.mark.parametrize(
    ("dates", "labels"),
    [
        (("2024-02-29", "2023-12-31"), [("2024", "February", "Thursday"), ("2023", "December", "Sunday")]),
        (
            ("2024-02-29T10:30:00Z", "2023-12-31 23:59"),
            [("2024", "February", "Thursday"), ("2023", "December", "Sunday")],
        ),
        (("29/2/2024", "1/3/2024"), [("2024", "February", "Thursday"), ("2024", "March", "Friday")]),
        (("2/29/2024", "3/1/2024"), [("2024", "February", "Thursday"), ("2024", "March", "Friday")]),
        (("29.02.2024", "01.03.2024"), [("2024", "February", "Thursday"), ("2024", "March", "Friday")]),
        (("29 Feb 2024", "1 March 2024"), [("2024", "February", "Thursday"), ("2024", "March", "Friday")]),
        (("Feb 29, 2024", "Mar 1, 2024"), [("2024", "February", "Thursday"), ("2024", "March", "Friday")]),
        (("31/12/99", "1/2/68"), [("1999", "December", "Friday"), ("2068", "February", "Wednesday")]),
    ],
)
def test_dates_are_left_out_and_their_parts_derived(dates, labels):
    guess = infer_kinds(read_raw(csv(*dates)))[0]
    assert guess.use == "left out"
    assert "dates" in guess.reason
    assert guess.derived[:3] == ("year", "month", "weekday")
    table = read_table(csv(*dates), target="y", derive={"day": ("year", "month", "weekday")})
    assert table.features == ("day: year", "day: month", "day: weekday")
    assert list(zip(*(column.labels() for column in table.feature_columns), strict=True)) == labels
    assert table.column("day: weekday").levels[0] == "Monday"


def test_kinds_apply_to_derived_columns_too():
    table = read_table(csv("2024-05-17", "2023-01-01"), derive={"day": "year"}, kinds={"day: year": "nominal"})
    assert table.column("day: year").levels == ("2023", "2024")


def test_day_quarter_and_hour():
    table = read_table(csv("2024-05-17 08:15", "", "2024-12-01 23:00"), derive={"day": ("day", "quarter", "hour")})
    parts = [table.column(f"day: {part}").labels().tolist() for part in ("day", "quarter", "hour")]
    assert parts == [["17", "", "1"], ["Q2", "", "Q4"], ["8", "", "23"]]


def test_day_and_month_that_could_change_places():
    guess = infer_kinds(read_raw(csv("3/4/2024", "5/6/2023")))[0]
    assert guess.derived == ("year",)
    assert "change places" in guess.reason
    with pytest.raises(TreecoreError, match=r"Column 'day': The month is uncertain.*dayfirst"):
        read_table(csv("3/4/2024", "5/6/2023"), derive={"day": "month"})
    told = read_table(csv("3/4/2024", "5/6/2023"), derive={"day": "month"}, dayfirst=False)
    assert told.column("day: month").labels().tolist() == ["March", "May"]


@pytest.mark.parametrize(
    "dates",
    [
        ("2024-02-30", "2024-01-01"),
        ("13/13/2024", "1/1/2024"),
        ("2024-01-01", "1/1/2024"),
        ("1.2.10", "1.2.11"),
        ("1 Foo 2024", "2 Bar 2024"),
        ("0/1/2024", "13/1/2024"),
    ],
)
def test_what_is_no_date(dates):
    assert infer_kinds(read_raw(csv(*dates)))[0].derived == ()


def test_parts_of_what_is_no_date_and_unknown_parts():
    with pytest.raises(TreecoreError, match=r"Column 'y': It does not hold dates"):
        read_table(csv("2024-01-01", "2024-01-02"), derive={"y": ("year",)})
    with pytest.raises(TreecoreError, match=r"no part of a date called 'century'.*year, month"):
        read_table(csv("2024-01-01", "2024-01-02"), derive={"day": ("century",)})
