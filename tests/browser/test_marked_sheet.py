"""The sheet that marks itself, opened from the disk without a network: fields, hints, points and the hand-in code."""

import pandas as pd
import pytest

import treecore as tc
from tests.browser.test_app_dark import barriers
from tests.unit.test_quiz import of_numbers, sheets
from treecore.data.samples import read_sample
from treecore.teach import exercises
from treecore.teach.hand_in import HELPED, RIGHT, UNTOUCHED, WRONG, marked_page, read_sheet_code

pytestmark = pytest.mark.browser


@pytest.fixture
def offline(chromium, tmp_path):
    """open(sheet) -> the page; it asks for nothing and does not fail."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, offline=True)
    asked, faults = [], []

    def opened(sheet):
        path = tmp_path / f"sheet{sheet.variant}.html"
        path.write_text(marked_page(sheet), "utf-8")
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
            below_another = not page.locator(f'[data-field="{i + k}"]').is_visible()  # in a tree drawn otherwise
            untouched, right = t == 3 or below_another, (i + k) % 3 > 0
            if not untouched:
                right = fill(page, i + k, blank, right)
            expected.append(UNTOUCHED if untouched else WRONG if not right else HELPED if t == 2 else RIGHT)
        i += len(task.blanks)
        section.get_by_role("button", name="Check").click()
        told = section.locator(".told").inner_text()
        assert told.startswith(
            f"{sum(s >= RIGHT for s in expected[i - len(task.blanks) :])} of {len(task.blanks)} right"
        )
    found = read_sheet_code(page.locator("#code").inner_text(), lambda variant: sheet)
    assert (found.variant, list(found.states)) == (0, expected)
    assert page.locator("#points").inner_text().startswith(f"{expected.count(RIGHT)} of {i} right")
    page.reload()
    assert read_sheet_code(page.locator("#code").inner_text(), lambda variant: sheet) == found, "a reload loses nothing"
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


def test_a_tree_is_drawn_node_by_node(offline):
    """Questions of thresholds: what is asked opens its branches, a wrong question gives nothing away, ties go on."""
    (sheet,) = [one for one in of_numbers() if one.tasks[0].draws]
    page, task = offline(sheet), sheet.tasks[0]
    drawing, told = page.locator(".drawing"), page.locator("#q0 .told")
    choose = lambda node, option: drawing.get_by_label(node, exact=True).select_option(label=option)  # noqa: E731
    assert drawing.locator("select").count() == 1
    root = task.blanks[0]
    wrong = next(o for i, o in enumerate(root.options) if o.startswith("asks ") and i not in root.right)
    choose("All rows", wrong)
    question = wrong.removeprefix("asks ")
    assert drawing.locator("select").count() == 3
    choose(f"{question} = yes", root.options[-1])
    page.locator("#q0 .check").click()
    assert told.inner_text() == f"0 of {len(task.blanks)} right, {len(task.blanks) - 1} empty"
    for blank in task.blanks:
        choose(blank.asks, blank.options[blank.right[0]])
    page.locator("#q0 .check").click()
    assert told.inner_text() == f"{len(task.blanks)} of {len(task.blanks)} right"
    found = read_sheet_code(page.locator("#code").inner_text(), lambda variant: sheet)
    assert set(found.states) == {RIGHT}
    page.reload()
    assert drawing.locator("select").count() == len(task.blanks), "a reload draws the tree again"
    assert barriers(page) == []


def test_an_attribute_that_gains_as_much_is_right_and_the_sheet_says_how_it_goes_on(offline):
    rows = {"a": list("xxyy") * 3, "b": list("uuvv") * 3, "y": ["no", "no", "yes", "yes"] * 3}
    made = exercises.sheet(tc.read_table(pd.DataFrame(rows), target="y"), kinds=("tree",))
    page, root = offline(made), made.tasks[0].blanks[0]
    assert {root.options[i] for i in root.right} == {"asks a", "asks b"}
    page.locator(".drawing").get_by_label("All rows", exact=True).select_option(label="asks b")
    page.locator("#q0 .check").click()
    assert (
        page.locator("#q0 .told").inner_text()
        == "1 of 3 right, 2 empty. a gains as much as b: choose it to draw the rest."
    )


def test_a_branch_that_no_row_goes_into_has_no_field(offline):
    """Humidity is declared with a level Low, which no day has."""
    made = exercises.sheet(read_sample("play_tennis"), kinds=("tree",))
    page = offline(made)
    drawing = page.locator(".drawing")
    drawing.get_by_label("All rows", exact=True).select_option(label="asks Humidity")
    assert drawing.locator("li:has(> .branch:text-is('Low'))").inner_text().split() == ["Low", "no", "row"]
    assert drawing.locator("select").count() == 3
