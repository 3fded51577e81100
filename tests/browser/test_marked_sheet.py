"""The sheet that marks itself, opened from the disk without a network: fields, hints, points and the hand-in code."""

import pytest

from tests.browser.test_app_dark import barriers
from tests.unit.test_quiz import of_numbers, sheets
from treecore.exercises.handin import HELPED, RIGHT, UNTOUCHED, WRONG, read
from treecore.exercises.marked import marked

pytestmark = pytest.mark.browser


@pytest.fixture
def offline(chromium, tmp_path):
    """open(sheet) -> the page; it asks for nothing and does not fail."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, offline=True)
    asked, faults = [], []

    def opened(sheet):
        path = tmp_path / f"sheet{sheet.variant}.html"
        path.write_text(marked(sheet), "utf-8")
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    assert all(url.startswith("file://") for url in asked)
    assert faults == []


def fill(page, i: int, blank, right: bool) -> bool:
    """Is it right then? Of a choice in which all is right nothing is wrong."""
    field = page.locator(f'[data-field="{i}"]')
    if not blank.options:
        field.fill(f"{blank.value + (0 if right else 7):.4f}".replace(".", ","))
        return right
    wrong = [k for k in range(len(blank.options)) if k not in blank.right]
    field.select_option(str(blank.right[-1] if right or not wrong else wrong[0]))
    return right or not wrong


def test_answers_are_marked_and_the_code_says_what_was_right(offline):
    (sheet,) = sheets("willwait", 1)
    page, i, expected = offline(sheet), 0, []
    for t, task in enumerate(sheet.markable):
        section = page.locator(f"#q{t}")
        if t == 2:  # who has read the arithmetic has been helped
            for _ in range(3):
                section.get_by_role("button", name="Hint").or_(section.get_by_role("button", name="Show the")).click()
            assert task.key[-1] in section.locator(".hint").inner_text()
        for k, blank in enumerate(task.blanks):
            untouched, right = t == 3, (i + k) % 3 > 0
            if not untouched:
                right = fill(page, i + k, blank, right)
            expected.append(UNTOUCHED if untouched else WRONG if not right else HELPED if t == 2 else RIGHT)
        i += len(task.blanks)
        section.get_by_role("button", name="Check").click()
        told = section.locator(".told").inner_text()
        assert told.startswith(
            f"{sum(s >= RIGHT for s in expected[i - len(task.blanks) :])} of {len(task.blanks)} right"
        )
    found = read(page.locator("#code").inner_text(), lambda variant: sheet)
    assert (found.variant, list(found.states)) == (0, expected)
    assert page.locator("#points").inner_text().startswith(f"{expected.count(RIGHT)} of {i} right")
    page.reload()
    assert read(page.locator("#code").inner_text(), lambda variant: sheet) == found, "a reload loses nothing"
    assert barriers(page) == []


def test_numbers_are_read_as_people_write_them(offline):
    sheet = of_numbers()[1]
    page, blank = offline(sheet), sheet.tasks[0].blanks[0]
    value = blank.value
    for text, right in (
        (f"{value}", True), (f"{value:.3f}".replace(".", ","), True), (f"{value * 7}/7", True), (f" {value} ", True),
        (f"{value + 1}", False), ("", False), ("x", False), ("1/0", False), (f"{value} {value}", False),
    ):  # fmt: skip
        page.locator('[data-field="0"]').fill(text)
        page.locator("#q0 .check").click()
        mark = page.locator('.f:has([data-field="0"])').get_attribute("data-mark")
        assert mark == ("✓" if right else "" if not text else "✗"), text
