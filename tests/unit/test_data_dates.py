"""Dates: recognised, left out, and offered as year, month, weekday and so on."""

import numpy as np
import pandas as pd
import pytest

from treecore.data import ReadOptions, infer_kinds, read_raw, read_table
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
        *(
            ((leap, eve), [("2024", "February", "Thursday"), ("2023", "December", "Sunday")])
            for leap, eve in [
                ("29.02.24", "31.12.23"),
                ("29.2.24", "31.12.23"),
                ("2/29/2024 2:05:00 PM", "12/31/2023 12:05:00 AM"),
                ("2/29/2024 2:05\u202fPM", "12/31/2023 12:05\u202fAM"),
                ("20240229", "20231231"),
                ("29FEB2024", "31DEC2023"),
                ("29FEB2024:14:05:00", "31DEC2023:00:00:00"),
                ("29-FEB-24", "31-DEC-23"),
                ("29. Februar 2024", "31. Dezember 2023"),
                ("Donnerstag, 29. Februar 2024", "Sonntag, 31. Dezember 2023"),
                ("29 févr. 2024", "31 décembre 2023"),
                ("29 de febrero de 2024", "31 de diciembre de 2023"),
                ("29 febbraio 2024", "31 dicembre 2023"),
                ("29 feb. 2024", "31 dec. 2023"),
                ("29 de fevereiro de 2024", "31 de dezembro de 2023"),
                ("2024年2月29日", "2023年12月31日"),
                ("2024년 2월 29일", "2023년 12월 31일"),
                ("2024. 2. 29.", "2023. 12. 31."),
                ("2024-Feb-29", "2023-Dec-31"),
                ("Thu, 29 Feb 2024 10:00:00 GMT", "Sun, 31 Dec 2023 10:00:00 GMT"),
                ("29.02.2024, 14:05", "31.12.2023, 00:05"),
                ("29.02.2024, 14:05 Uhr", "31.12.2023, 00:05 Uhr"),
                ("February 29th, 2024", "December 31st, 2023"),
            ]
        ),
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


def test_months_of_every_language_that_is_known():
    months = {
        "German": "1. Januar 2024|1. Februar 2024|1. März 2024|1. Mai 2024|1. Juni 2024|1. Oktober 2024",
        "French": "1er janvier 2024|1er février 2024|1er mars 2024|1er mai 2024|1er juin 2024|1er octobre 2024",
        "Spanish": "1 enero 2024|1 febrero 2024|1 marzo 2024|1 mayo 2024|1 junio 2024|1 octubre 2024",
        "Italian": "1 gennaio 2024|1 febbraio 2024|1 marzo 2024|1 maggio 2024|1 giugno 2024|1 ottobre 2024",
        "Dutch": "1 januari 2024|1 februari 2024|1 maart 2024|1 mei 2024|1 juni 2024|1 oktober 2024",
        "Portuguese": "1 janeiro 2024|1 fevereiro 2024|1 março 2024|1 maio 2024|1 junho 2024|1 outubro 2024",
    }
    for language, texts in months.items():
        table = read_table(csv(*texts.split("|")), derive={"day": "month"})
        labels = ["January", "February", "March", "May", "June", "October"]
        assert table.column("day: month").labels().tolist() == labels, language


def test_noon_and_midnight():
    table = read_table(csv("1/31/2024 12:05 AM", "1/31/2024 12:05 PM", "1/31/2024 2:05 pm"), derive={"day": "hour"})
    assert table.column("day: hour").values().tolist() == [0, 12, 14]


DAYS = [f"{2020 + i % 5}{i % 12 + 1:02}{i % 28 + 1:02}" for i in range(60)]


def of_numbers(name, days, **options):
    text = f"{name},x,y\n" + "".join(f"{day},{i * 13 % 7},{'ab'[i % 2]}\n" for i, day in enumerate(days))
    return infer_kinds(read_raw(text.encode(), options=ReadOptions(**options)))[0]


def test_numbers_that_are_all_in_the_calendar_are_dates_and_that_can_be_undone():
    guess = of_numbers("when", DAYS)
    assert guess.derived
    [doubt] = guess.doubts
    assert "read as the date 2020-01-01" in doubt.text
    undone = of_numbers("when", DAYS, **dict(doubt.remedies[0][1]))
    assert (undone.kind, undone.use) == ("numeric", "feature")
    again = of_numbers("when", DAYS, **dict(undone.doubts[0].remedies[0][1]))
    assert again.derived
    frame = pd.DataFrame({"when": [int(day) for day in DAYS], "x": np.arange(60) % 7, "y": ["a", "b"] * 30})
    table = read_table(frame, target="y", derive={"when": ("year", "month")})
    assert table.features == ("x", "when: year", "when: month")
    assert read_table(frame, target="y", kinds={"when": "numeric"}).features == ("when", "x")


@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("when", [*DAYS, "20249999"]),
        ("population", DAYS),
        ("order_id", DAYS),
        ("reading", [str(20240101 + i) for i in range(30)]),
        ("when", [str(18000101 + i) for i in range(30)]),
    ],
)
def test_numbers_that_are_no_dates_by_their_name_their_spread_or_the_calendar(name, days):
    assert of_numbers(name, days).derived == ()


def test_which_of_day_and_month_comes_first_can_be_said_by_a_click():
    [doubt] = infer_kinds(read_raw(csv("3/4/2024", "5/6/2023")))[0].doubts
    months = [
        read_table(csv("3/4/2024", "5/6/2023"), derive={"day": "month"}, **dict(changes)).column("day: month").labels()
        for _, changes in doubt.remedies
    ]
    assert [labels.tolist() for labels in months] == [["April", "June"], ["March", "May"]]


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
