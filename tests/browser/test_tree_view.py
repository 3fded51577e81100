"""The tree diagram in a real browser: select, walk, zoom, fold, ghosts, dark mode, hostile names."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
APP = "tests/browser/tree_view_app.py"


@pytest.fixture
def open_tree(page, serve):
    """Open the sample app: open_tree(n=7, cut=1) -> the page, once the drawing is there."""

    def open_it(**query):
        page.goto(f"{serve(APP)}/?" + "&".join(f"{key}={value}" for key, value in query.items()))
        page.locator(".tree-view .camera[transform]").wait_for()
        page.get_by_text("selected=").wait_for()
        return page

    return open_it


def told(page, text: str) -> None:
    """Wait until the script has printed this."""
    page.get_by_text(re.compile(re.escape(text))).wait_for()


def card(page, node: int):
    return page.locator(f".tree-view #n{node}")


def click_card(page, node: int) -> None:
    card(page, node).locator(".test").first.click()


def classes(page, selector: str) -> set[str]:
    return set(page.locator(f".tree-view {selector}").get_attribute("class").split())


def camera(page) -> str:
    page.wait_for_timeout(80)
    return page.locator(".tree-view .camera").get_attribute("transform")


def scale(page) -> float:
    return float(re.search(r"scale\(([\d.]+)", camera(page))[1])


def active(page) -> str:
    return page.locator(".tree-view .stage").get_attribute("aria-activedescendant")


def press(page, *keys: str) -> None:
    page.locator(".tree-view .stage").focus()
    for key in keys:
        page.keyboard.press(key)


def test_a_click_selects_and_lights_the_path(open_tree):
    page = open_tree(n=7)
    click_card(page, 5)
    told(page, "selected=5 ")
    assert {"selected", "path"} <= classes(page, "#n5")
    assert "path" in classes(page, "#n2")
    assert "path" in classes(page, "#e5")
    assert "path" not in classes(page, "#n1")
    assert card(page, 5).get_attribute("aria-selected") == "true"
    widths = [
        card(page, node).locator(".card").evaluate("e => parseFloat(getComputedStyle(e).strokeWidth)")
        for node in (5, 1)
    ]
    assert widths[0] >= 3 * widths[1]


def test_python_may_select_and_the_newest_change_wins(open_tree):
    page = open_tree(n=7)
    click_card(page, 1)
    told(page, "selected=1 ")
    page.get_by_text("Python selects").click()
    told(page, "selected=6 ")
    page.locator(".tree-view #n6.selected").wait_for()
    page.get_by_role("button", name="Rerun").click()
    told(page, "runs=4")
    told(page, "selected=6 ")
    assert "selected" in classes(page, "#n6")
    click_card(page, 1)
    told(page, "selected=1 ")
    assert "selected" in classes(page, "#n1")


def test_a_click_costs_one_run(open_tree):
    page = open_tree(n=7)
    for run, node in enumerate((3, 4, 0), 2):
        click_card(page, node)
        told(page, f"selected={node} ")
        page.wait_for_timeout(150)
        told(page, f"runs={run}")


def test_the_keyboard_walks_the_tree(open_tree):
    page = open_tree(n=7)
    press(page, "ArrowDown")
    assert active(page) == "n1"
    press(page, "ArrowRight")
    assert active(page) == "n2"
    press(page, "ArrowDown", "ArrowLeft", "ArrowLeft")
    assert active(page) == "n3"
    press(page, "Home")
    assert active(page) == "n0"
    press(page, "End")
    assert active(page) == "n3"
    press(page, "ArrowUp", "Enter")
    told(page, "selected=1 ")
    press(page, "ArrowRight", " ")
    told(page, "selected=2 ")


def test_a_tree_on_its_side_has_its_arrows_turned(open_tree):
    page = open_tree(n=7, lr=1)
    press(page, "ArrowRight", "ArrowDown")
    assert active(page) == "n2"
    press(page, "ArrowLeft")
    assert active(page) == "n0"


def test_a_screen_reader_finds_a_tree(open_tree):
    page = open_tree(n=7)
    stage = page.locator(".tree-view .stage")
    assert stage.get_attribute("role") == "tree"
    assert stage.get_attribute("tabindex") == "0"
    assert page.locator(".tree-view [role=treeitem]").count() == 7
    root = card(page, 0)
    assert root.get_attribute("aria-level") == "1"
    assert root.get_attribute("aria-expanded") == "true"
    assert "600 rows" in root.get_attribute("aria-label")
    assert card(page, 3).get_attribute("aria-expanded") is None
    assert card(page, 4).get_attribute("aria-posinset") == "2"


def test_zoom_by_keys_buttons_and_wheel_but_never_against_the_page(open_tree):
    page = open_tree(n=7)
    first = scale(page)
    press(page, "+")
    assert scale(page) == pytest.approx(1.25 * first, rel=1e-3)
    page.get_by_role("button", name="Zoom out").click()
    assert scale(page) == pytest.approx(first, rel=1e-3)
    page.locator(".tree-view .stage").hover()
    page.mouse.wheel(0, -200)
    assert scale(page) == pytest.approx(first, rel=1e-3), "an unfocused diagram leaves the wheel to the page"
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    assert scale(page) > 1.1 * first
    press(page, "0")
    assert scale(page) == pytest.approx(first, rel=1e-3)


def test_dragging_moves_and_does_not_select(open_tree):
    page = open_tree(n=7)
    before = camera(page)
    box = card(page, 3).bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 110, box["y"] - 40, steps=4)
    page.mouse.up()
    assert camera(page) != before
    page.wait_for_timeout(200)
    told(page, "selected=0 ")
    told(page, "runs=1")
    page.locator(".tree-view .stage").dblclick(position={"x": 5, "y": 5})
    assert camera(page) == before


def test_a_rerun_keeps_the_view(open_tree):
    page = open_tree(n=31)
    press(page, "+", "+")
    before = camera(page)
    page.get_by_role("button", name="Rerun").click()
    told(page, "runs=2")
    assert camera(page) == before
    page.locator(".tree-view svg:not(.map)").evaluate("e => { e.dataset.same = 'yes' }")
    press(page, "Home", "ArrowDown", "Enter")
    told(page, "selected=1 ")
    assert page.locator(".tree-view svg[data-same=yes]").count() == 1, "the drawing was parsed again"


def test_selecting_from_python_brings_the_node_into_view(open_tree):
    page = open_tree(n=31)
    press(page, *"+++++++")
    page.get_by_text("Python selects").click()
    told(page, "selected=30 ")
    page.wait_for_timeout(200)
    box, stage = card(page, 30).bounding_box(), page.locator(".tree-view .stage").bounding_box()
    assert stage["x"] <= box["x"] + box["width"] / 2 <= stage["x"] + stage["width"]
    assert stage["y"] <= box["y"] + box["height"] / 2 <= stage["y"] + stage["height"]


def test_a_lost_drawing_is_asked_for_again(open_tree):
    page = open_tree(n=7)
    click_card(page, 1)
    told(page, "selected=1 ")
    page.locator(".tree-view").evaluate(
        """root => {
            root.treeView.constructor.drawings.clear();
            delete root.treeView;
            root.replaceChildren();
        }"""
    )
    page.get_by_role("button", name="Python selects").click()
    page.locator(".tree-view #n6.selected").wait_for()
    assert card(page, 0).is_visible()


def test_a_large_tree_opens_at_its_root_with_a_map_of_the_whole(open_tree):
    page = open_tree(n=301)
    whole = page.locator(".tree-view .map")
    assert whole.is_visible()
    assert whole.locator(".block").count() == 301
    before = camera(page)
    whole.click(position={"x": 20, "y": 60})
    assert camera(page) != before
    told(page, "runs=1")
    page.get_by_role("button", name="Fit").click()
    camera(page)
    assert not whole.is_visible()
    assert "far" in classes(page, ".stage")
    assert not card(page, 0).locator(".test").is_visible(), "text too small to read is left out"


def test_folding_hides_what_is_below_and_moves_nothing(open_tree):
    page = open_tree(n=7)
    before = camera(page), card(page, 2).bounding_box()
    card(page, 1).locator(".toggle").click()
    told(page, "folded=[1]")
    assert "gone" in classes(page, "#n3")
    assert "gone" in classes(page, "#e4")
    assert card(page, 1).get_attribute("aria-expanded") == "false"
    assert card(page, 1).locator(".hidden-count").text_content() == "2"
    assert (camera(page), card(page, 2).bounding_box()) == before
    press(page, "Home", "ArrowDown", "ArrowDown")
    assert active(page) == "n1", "hidden nodes are not walked to"
    press(page, "f")
    told(page, "folded=[]")
    assert "gone" not in classes(page, "#n3")


def test_ghosts_stay_in_place_and_can_be_hidden(open_tree):
    page = open_tree(n=7, cut=1)
    assert "ghost" in classes(page, "#n3")
    assert "cut" in classes(page, "#n1")
    assert page.locator(".tree-view #n1 .cut-mark text").text_content()
    assert float(card(page, 3).evaluate("e => getComputedStyle(e).opacity")) < 0.6
    assert card(page, 3).locator(".card").evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    before = card(page, 2).bounding_box()
    page.get_by_role("button", name="Ghosts").click()
    assert "gone" in classes(page, "#n3")
    assert card(page, 2).bounding_box() == before


def test_cut_and_restore_are_asked_of_python(open_tree):
    page = open_tree(n=7)
    page.locator(".tree-view svg:not(.map)").evaluate("e => { e.dataset.same = 'yes' }")
    click_card(page, 2)
    told(page, "selected=2 ")
    page.get_by_role("button", name="Cut here").click()
    told(page, "cuts=[2]")
    page.locator(".tree-view #n5.ghost").wait_for()
    assert page.locator(".tree-view svg[data-same=yes]").count() == 1, "pruning only changes classes"
    press(page, "x")
    told(page, "cuts=[]")
    assert "ghost" not in classes(page, "#n5")
    click_card(page, 3)
    told(page, "selected=3 ")
    assert page.get_by_role("button", name="Cut here").is_disabled(), "a leaf cannot be cut"


def luminance(color: str) -> float:
    """Relative luminance of 'rgb(…)' or 'color(srgb …)'."""
    numbers = [float(x) for x in re.findall(r"[\d.]+", color.removeprefix("color(srgb "))][:3]
    if "srgb" not in color:
        numbers = [x / 255 for x in numbers]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in numbers)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize(("part", "least"), [(".test", 7), (".fact", 4.5), (".role", 4.5)])
def test_text_is_readable_in_light_and_dark(open_tree, part, least):
    page = open_tree(n=7)
    for node in (0, 3):
        ink, paper = (
            luminance(card(page, node).locator(where).first.evaluate("e => getComputedStyle(e).fill"))
            for where in (part, ".card")
        )
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= least


def test_hostile_names_stay_text(open_tree, page, outside_requests, dialogs, faults):
    open_tree(evil=1, n=12)
    page.wait_for_timeout(300)
    assert dialogs == []
    assert outside_requests == []
    assert faults == []
    assert page.locator(".tree-view :is(img, script, foreignObject, a, style)").count() == 0
    assert page.locator(".tree-view .legend li").first.text_content() == "<img src=x onerror=alert(1)>"
    click_card(page, 2)
    told(page, "selected=2 ")
    assert dialogs == []


def test_nothing_is_asked_of_the_outside(open_tree, page, outside_requests, faults):
    open_tree(n=31)
    click_card(page, 0)
    assert outside_requests == []
    assert faults == []


NASTY = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="boom()">
<script>boom()</script><style>* { fill: url(http://evil.example/a) }</style>
<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"><img src="http://evil.example/b"/></p></foreignObject>
<image href="http://evil.example/c"/><use xlink:href="http://evil.example/d#x"/>
<g id="n1" class="node" onclick="boom()" style="background:url(http://evil.example/e)">
<a xlink:href="javascript:boom()"><text fill="url(http://evil.example/f)">kept</text></a>
<animate attributeName="href" values="javascript:boom()"/></g></svg>"""


def test_a_poisoned_drawing_is_made_harmless(open_tree, page, outside_requests):
    open_tree(n=7)
    source = (Path(__file__).parents[2] / "assets/tree_view.js").read_text()
    found = page.evaluate(
        """async ([source, svg]) => {
            const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const made = (await import(url)).harmlessDrawing(svg);
            document.body.append(made);
            return made.outerHTML;
        }""",
        [source, NASTY],
    )
    assert "kept" in found
    for word in ("script", "evil", "boom", "foreign", "href", "style", "animate", "onclick", "<a"):
        assert word not in found
    assert outside_requests == []


def test_no_data_ever_becomes_markup():
    source = (Path(__file__).parents[2] / "assets/tree_view.js").read_text()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source)


def test_routes_of_missing_values_are_parts_of_the_picture_not_of_the_tree(open_tree):
    page = open_tree(n=7, holes=1)
    routes = page.locator(".tree-view g.missing")
    assert [routes.nth(i).get_attribute("id") for i in range(routes.count())].count("m1") == 1
    assert page.locator(".tree-view [role=treeitem]").count() == 7
    assert routes.first.get_attribute("aria-hidden") == "true"
    assert "5 missing: shared 60 % / 40 %" in card(page, 0).get_attribute("aria-label").replace("\u00a0", " ")
    assert page.locator(".tree-view #m0 .stub").evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    click_card(page, 5)
    told(page, "selected=5 ")
    page.locator(".tree-view #m0 .fact").first.click()
    told(page, "selected=0 ")
    press(page, "ArrowDown", "ArrowRight", "ArrowRight")
    assert active(page) == "n2", "the keyboard does not walk onto a stub"


def test_routes_follow_folds_and_ghosts(open_tree):
    page = open_tree(n=7, holes=1, cut=1)
    page.locator(".tree-view #m1.ghost").wait_for(state="attached")
    assert "ghost" not in classes(page, "#m0")
    press(page, "Home", "f")
    page.locator(".tree-view #m0.gone").wait_for(state="attached")
    assert "gone" in classes(page, "#m1")
    press(page, "f")
    page.locator(".tree-view #m0:not(.gone)").wait_for(state="attached")
