"""A border of the plane is dragged in a browser: the tree grows anew below it, and keeps it when it is let go."""

import re

import pytest

pytestmark = pytest.mark.browser
ROWS = "width,height,class\n" + "".join(
    f"{i / 10},{(i * 37) % 100 / 10},{'a' if i < 40 or (i * 37) % 100 < 30 else 'b'}\n" for i in range(100)
)


@pytest.fixture
def plane(app):
    app.upload("plane.csv", ROWS.encode())
    app.drawn()
    app.go("Regions")
    app.page.get_by_text("Drag the borders").click()
    app.settled()
    app.page.locator(".plane .border").first.wait_for(state="attached")
    return app


def border(app, node: int):
    return app.page.locator(f".plane .border[data-node='{node}']")


def dragged(app, by: float):
    """The pointer on the border of the root, pressed, and moved by so many pixels."""
    box = border(app, 0).locator(".reach").bounding_box()
    upright = box["height"] > box["width"]
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    app.page.mouse.move(x, y)
    app.page.mouse.down()
    app.page.mouse.move(x + by * upright, y - by * (not upright), steps=4)


def test_the_tree_grows_anew_while_a_border_is_dragged_and_keeps_it_when_it_is_let_go(plane):
    at = float(border(plane, 0).get_attribute("aria-valuenow"))
    dragged(plane, 70)
    moving = plane.page.locator(".plane .said", has_text=re.compile(r" at \d.*Accuracy"))
    moving.wait_for()
    assert plane.page.locator(".plane .before").inner_text().startswith("Before: ")
    plane.page.mouse.up()
    plane.page.get_by_text("what is below grew anew").wait_for()
    plane.settled()
    assert float(border(plane, 0).get_attribute("aria-valuenow")) != at
    assert "take" in plane.page.get_by_test_id("stMainBlockContainer").inner_text()
    plane.button("Undo").first.click()
    plane.settled()
    plane.page.locator(f".plane .border[data-node='0'][aria-valuenow='{at:g}']").wait_for(state="attached")


def test_keys_move_a_border_and_escape_puts_it_back(plane):
    at = border(plane, 0).get_attribute("aria-valuenow")
    border(plane, 0).focus()
    plane.page.keyboard.press("ArrowRight")
    plane.page.keyboard.press("Escape")
    plane.settled()
    assert border(plane, 0).get_attribute("aria-valuenow") == at
    border(plane, 0).focus()
    plane.page.keyboard.press("Shift+ArrowRight")
    plane.page.get_by_text("what is below grew anew").wait_for()
    plane.settled()
    assert border(plane, 0).get_attribute("aria-valuenow") != at


def test_a_click_on_a_border_selects_its_node(plane):
    plane.page.locator(".plane .border .reach").first.click(force=True)
    plane.settled()
    node = plane.page.locator(".plane .border").first.get_attribute("data-node")
    plane.page.locator(f".plane .border.selected[data-node='{node}']").wait_for(state="attached")
