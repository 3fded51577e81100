"""Numbers as people read them, and that nobody writes them in another way."""

import re
from pathlib import Path

import pytest

from treecore.figures import brief, grouped, lift_text, number, p_value, per_cent, percent, points, short_counts

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("pages", "treecore/plots", "treecore/explaining", "treecore/study", "treecore/predicting")
SHARE = re.compile(r"100 \* [^{}]*:\.\d+[fg%]\}\S* ?%|:\.\d%\}")
DIGITS = re.compile(r"(?<![%{])\{[^{}]*:\.\d+g\}")


@pytest.mark.parametrize(
    ("share", "told"), [(0, "0.0"), (0.05, "5.0"), (1 / 3, "33.3"), (1, "100.0"), (0.0002, "<0.1"), (-1e-17, "0.0")]
)
def test_shares_have_one_decimal(share, told):
    assert percent(share) == f"{told}\u00a0%"


@pytest.mark.parametrize("share", [61 / 80, 23 / 80, 1 / 3, 0.0, 1.0])
def test_tables_that_write_their_numbers_write_the_same(share):
    assert percent(share) == f"{per_cent(share)}\u00a0%"
    assert per_cent(None) is None


@pytest.mark.parametrize("n", [7, 16, 80, 400, 2000, 6000])
def test_a_share_and_the_rest_of_it_add_up_in_print(n):
    """As accuracy and error do; 369 of 2,000 were 18.4 %, the others 81.5 %."""
    for k in range(n + 1):
        pair = per_cent(k / n), per_cent(1 - k / n)
        assert round(sum(pair), 9) == 100
        assert abs(pair[0] - 100 * k / n) < 0.0501


def test_other_numbers():
    assert [short_counts(v) for v in (999, 1239, 12413, 2000, 1.25e6)] == [
        [], ["1.2k", "1k"], ["12.4k", "12k"], ["2k"], ["1.2M", "1M"],
    ]  # fmt: skip
    assert points(0.1984) == "19.8 points"
    assert [p_value(p) for p in (0.0431, 0.0009, 1.0)] == ["0.043", "< 0.001", "1"]
    assert [brief(v) for v in (0.123456, 12345.6, float("nan"))] == ["0.1235", "12,346", "–"]
    assert [brief(v) for v in (9999.4, 1e15, -57398.6)] == ["9999", "1e+15", "-57,399"]
    assert [brief(v) for v in (0.0, 0.2428, 113742.6, 3e-5)] == ["0", "0.2428", "113,743", "3e-05"]
    assert [lift_text(v) for v in (1.005, 0.5, float("nan"))] == ["1.00", "0.50", "–"]
    assert [number(v) for v in (1 / 3, 123456.7, 1234567.5, 2e15)] == ["0.333333", "123457", "1234568", "2e+15"]


@pytest.mark.parametrize("pattern", [SHARE, DIGITS], ids=["shares", "digits"])
def test_numbers_on_the_screen_come_from_one_module(pattern):
    files = [path for place in PLACES for path in (ROOT / place).rglob("*.py")]
    assert len(files) > 60
    found = [f"{path.name}: {hit}" for path in files for hit in pattern.findall(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("text", "told"),
    [("353310", "353,310"), ("-12345.6", "-12,345.6"), ("9999", "9999"), ("1.5e+20", "1.5e+20"), ("none", "none")],
)  # fmt: skip
def test_thousands_are_separated_where_a_text_is_a_large_number(text, told):
    assert grouped(text) == told
