"""Hand-in codes: what was right comes back, typing errors and other sheets do not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.test_quiz import hostile, of_numbers, sheets
from treecore.errors import TreecoreError
from treecore.teach.hand_in import (
    HELPED,
    LETTERS,
    RIGHT,
    WRONG,
    by_task,
    marked_page,
    read_sheet_code,
    read_sheet_codes,
    sheet_code,
)

MADE = {one.variant: one for one in sheets("play_tennis", 3)}
N = {variant: sum(len(task.blanks) for task in one.markable) for variant, one in MADE.items()}


@given(data=st.data(), variant=st.sampled_from(sorted(MADE)))
def test_a_code_says_what_was_right(data, variant):
    states = data.draw(st.lists(st.integers(0, 3), min_size=N[variant], max_size=N[variant]))
    text = sheet_code(MADE[variant], states)
    found = read_sheet_code(text, MADE.__getitem__)
    assert (found.variant, list(found.states)) == (variant, states)
    assert found.n_right == states.count(RIGHT)
    assert (
        read_sheet_code(f" {text.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')}\n", MADE.__getitem__)
        == found
    )


@given(data=st.data())
def test_a_wrong_letter_is_noticed(data):
    text = sheet_code(MADE[0], [2] * N[0])
    place = data.draw(st.sampled_from([i for i, letter in enumerate(text[:-1]) if letter != "-"]))
    other = data.draw(st.sampled_from([letter for letter in LETTERS if letter != text[place]]))
    with pytest.raises(TreecoreError, match=r"no hand-in code|another version"):
        read_sheet_code(text[:place] + other + text[place + 1 :], MADE.__getitem__)


@pytest.mark.parametrize("text", ["", "hello", "-", "0000-0000-0000", "ÄÖ", "Z" * 5000, "12"])
def test_what_is_no_code_is_said_to_be_none(text):
    with pytest.raises(TreecoreError, match="This is no hand-in code") as fault:
        read_sheet_code(text, MADE.__getitem__)
    assert fault.value.remedy


def test_the_code_of_another_sheet_is_refused():
    other = sheets("willwait", 1)[0]
    n = sum(len(task.blanks) for task in other.markable)
    with pytest.raises(TreecoreError, match="another sheet"):
        read_sheet_code(sheet_code(other, [0] * n), MADE.__getitem__)


def test_a_page_holds_no_answer_in_words_and_no_name_as_markup():
    for one in (*MADE.values(), *of_numbers(), hostile()):
        page = marked_page(one)
        assert all(line not in page for task in one.markable for line in task.key)
        assert "<script>" not in page.split("<footer>")[0]
        assert set(re.findall(r"https?://[^\"'\s]+", page)) <= {"http://www.w3.org/2000/svg"}, "a name, not an address"


def test_a_list_of_a_class_is_read_line_by_line():
    best, mixed = [RIGHT] * N[0], [RIGHT, WRONG, HELPED] * N[1]
    codes = sheet_code(MADE[0], best), sheet_code(MADE[1], mixed[: N[1]])
    lines = read_sheet_codes(
        f"\nAda Lovelace: {codes[0]}\n  {codes[1]}\nEve\tABCD-EFGH\n<b>x</b> {codes[0][:-2]}\n", MADE.__getitem__
    )
    assert [(line.name, line.found is None) for line in lines] == [
        ("Ada Lovelace", False), ("", False), ("Eve", True), ("<b>x</b>", True),
    ]  # fmt: skip
    assert [line.found.n_right for line in lines[:2]] == [N[0], mixed[: N[1]].count(RIGHT)]
    assert all("no hand-in code" in line.fault for line in lines[2:])
    assert by_task(MADE[0], lines[0].found) == [(len(t.blanks), len(t.blanks)) for t in MADE[0].markable]
    assert sum(right for right, _ in by_task(MADE[1], lines[1].found)) == lines[1].found.n_right
