"""The sheet that marks itself, opened from the disk without a network: fields, hints, points and the hand-in code."""

import re
from dataclasses import replace

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


def node(section, where: str):
    """A node of the tree that is drawn, by the way to it."""
    return section.get_by_role("treeitem", name=re.compile(f"^{re.escape(where)}:"))


def pick(section, where: str) -> None:
    """A node, whose field then stands below the canvas."""
    node(section, where).click()
    section.locator(".choice select").and_(section.get_by_label(where, exact=True)).wait_for()


def is_there(section, i: int, blank) -> bool:
    """Is there a field to fill in? That of a node is there once the tree was drawn down to it."""
    if blank.path is None:
        return True
    if node(section, blank.asks).count() == 0:
        return False
    pick(section, blank.asks)
    return section.locator(f'[data-field="{i}"]').is_visible()


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
            untouched, right = t == 3 or not is_there(section, i + k, blank), (i + k) % 3 > 0
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
    nodes, field = drawing.get_by_role("treeitem"), drawing.locator(".choice select")

    def choose(where, option):
        if field.get_attribute("aria-label") != where:
            pick(drawing, where)
        field.select_option(label=option)

    assert nodes.count() == 1
    root = task.blanks[0]
    wrong = next(o for i, o in enumerate(root.options) if o.startswith("asks ") and i not in root.right)
    choose("All rows", wrong)
    question = wrong.removeprefix("asks ")
    assert nodes.count() == 3
    assert field.get_attribute("aria-label") == f"{question} = yes", "on to the first branch"
    choose(f"{question} = yes", root.options[-1])
    assert field.get_attribute("aria-label") == f"{question} = no", "on to the one that waits"
    page.locator("#q0 .check").click()
    assert told.inner_text() == f"0 of {len(task.blanks)} right, {len(task.blanks) - 1} empty"
    assert "not right yet" in node(drawing, "All rows").get_attribute("aria-label")
    for blank in task.blanks:
        choose(blank.asks, blank.options[blank.right[0]])
    assert "right" not in node(drawing, "All rows").get_attribute("aria-label"), "another answer is not marked yet"
    page.locator("#q0 .check").click()
    assert told.inner_text() == f"{len(task.blanks)} of {len(task.blanks)} right"
    assert all(", right;" in name for name in nodes.evaluate_all("all => all.map(one => one.ariaLabel)"))
    found = read_sheet_code(page.locator("#code").inner_text(), lambda variant: sheet)
    assert set(found.states) == {RIGHT}
    page.reload()
    assert nodes.count() == len(task.blanks), "a reload draws the tree again"
    assert barriers(page) == []


def test_a_tree_is_drawn_by_keys_alone(offline):
    made = exercises.sheet(read_sample("play_tennis"), kinds=("tree",))
    page = offline(made)
    field, stage = page.locator(".choice select"), page.locator(".drawing .stage")
    field.focus()
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-label") == "Outlook = Sunny"
    stage.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert field.get_attribute("aria-label") == "All rows"
    assert field.input_value() == "0"


def test_an_attribute_that_gains_as_much_is_right_and_the_sheet_says_how_it_goes_on(offline):
    rows = {"a": list("xxyy") * 3, "b": list("uuvv") * 3, "y": ["no", "no", "yes", "yes"] * 3}
    made = exercises.sheet(tc.read_table(pd.DataFrame(rows), target="y"), kinds=("tree",))
    page, root = offline(made), made.tasks[0].blanks[0]
    assert {root.options[i] for i in root.right} == {"asks a", "asks b"}
    page.locator(".choice select").select_option(label="asks b")
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
    drawing.locator(".choice select").select_option(label="asks Humidity")
    empty = node(drawing, "Humidity = Low")
    assert empty.get_attribute("aria-label") == "Humidity = Low: no row comes here; 0 rows"
    empty.click()
    assert (
        drawing.locator(".choice").inner_text()
        == "Humidity = Low: no row comes here, so that there is nothing to choose"
    )
    assert drawing.locator(".choice select").count() == 0


def test_two_trees_are_drawn_beside_each_other(offline):
    """Each on a canvas of its own, on a sheet of several questions."""
    made = exercises.sheet(read_sample("play_tennis"), kinds=("tree",))
    page = offline(replace(made, tasks=made.tasks * 2))
    for section in (page.locator("#q0"), page.locator("#q1")):
        section.locator(".choice select").select_option(label="asks Wind")
    assert [page.locator(f"#q{t}").get_by_role("treeitem").count() for t in (0, 1)] == [3, 3]
    page.locator("#q1 .choice select").select_option(label="asks Outlook")
    assert [page.locator(f"#q{t}").get_by_role("treeitem").count() for t in (0, 1)] == [3, 6]
