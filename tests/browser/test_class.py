"""A class played through: a teacher makes link and quiz, two learners work, one makes mistakes, the codes are read."""

import re
import xml.etree.ElementTree as ET

import pytest

from tests.browser.app_steps import Session
from tests.browser.conftest import WINDOW
from treecore.teach.classwork import Classwork

pytestmark = pytest.mark.browser


def test_a_class_from_the_link_to_where_it_went_wrong(app, chromium):
    path, codes = link_and_quiz(app), []
    for number, guesses in ((7, ["Outlook", "Humidity"]), (8, ["Temperature", "Wind"])):
        context = chromium.new_context(viewport=WINDOW)
        codes.append(at_work(context.new_page(), app.address, path, number, guesses))
        context.close()
    told = result(app, codes)
    assert "1 Outlook, 1 Temperature" in told
    assert "1 Humidity, 1 Wind" in told
    assert app.faults() == []


def link_and_quiz(teacher) -> str:
    """What the teacher does first: the tree, three choices, a quiz of it; the way in the link."""
    teacher.sample("PlayTennis")
    teacher.tree()
    teacher.go("Exercises")
    with teacher.page.expect_download() as taken:
        teacher.button("Quiz: Moodle XML").click()
    assert ET.parse(taken.value.path()).getroot().findall("question")
    teacher.page.get_by_text("A link for your class").click()
    splits = teacher.page.get_by_label("Splits to guess before they open")
    splits.fill("2")
    splits.press("Enter")
    teacher.page.get_by_text("Each learner has a number").click()
    shown = teacher.page.get_by_text(re.compile(r"\?class=")).first
    teacher.page.wait_for_function("() => document.body.innerText.includes('?class=')")
    for _ in range(100):  # until the last of the choices is in the address
        given = Classwork.from_text(shown.inner_text().strip().split("?class=")[1])
        if given.numbered and given.guesses == 2:
            return f"?class={given.to_text()}"
        teacher.page.wait_for_timeout(100)
    raise AssertionError(given)


def at_work(page, address: str, path: str, number: int, guesses: list[str]) -> str:
    """A learner's way: the number, the guesses, then the page that opens, and the code."""
    page.set_default_timeout(60_000)
    learner = Session(page, address, path)
    learner.heading("Guess").wait_for()
    learner.settled()
    assert page.get_by_text("Explore", exact=True).count() == 0
    page.get_by_role("button", name=re.compile("^Class:")).click()
    field = page.get_by_label("Your number, as your teacher gave it", exact=True)
    field.fill(str(number))
    field.press("Enter")
    learner.settled()
    page.keyboard.press("Escape")
    for place, feature in enumerate(guesses):
        if place:
            page.locator(".st-key-guess_next button").click()
            learner.text(f"{place + 1} of ").wait_for()
        page.get_by_text(feature, exact=True).last.click()
        learner.settled()
        page.get_by_role("button", name=re.compile("^Check")).click()
        page.locator(".st-key-guess_next button:not([disabled])").wait_for()
    learner.settled()
    page.get_by_role("button", name=re.compile("^Class: your code")).click()
    code = page.locator("[data-testid=stPopoverBody] code").inner_text().strip()
    learner.open_page("Explore")
    learner.heading("Explore").wait_for()
    return code


def result(teacher, codes: list[str]) -> str:
    """What the teacher sees of the codes, beside the bars on the tree."""
    teacher.page.get_by_text("Read hand-in codes").click()
    field = teacher.page.get_by_label("Codes of your class", exact=True)
    field.fill("\n".join(f"learner {i}: {code}" for i, code in enumerate(codes)))
    field.press("Control+Enter")
    teacher.text("Where the class went wrong").wait_for()
    teacher.settled()
    teacher.page.locator(".js-plotly-plot").get_by_text("50.0 %").first.wait_for()
    return teacher.page.get_by_test_id("stMain").inner_text()
