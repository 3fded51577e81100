"""The tree on its canvas in a real browser, of a file that is no sample: room, legibility, standing still, the dock."""

import re

import pytest

from tests.browser.app_steps import APP, Session, loans

pytestmark = pytest.mark.browser
SIZES = (1366, 768), (1920, 1080), (911, 512)
"""Windows: of a laptop, of a large screen, and of the laptop at one and a half times the size of everything."""
TREE_PAGES = ("Size & pruning", "Regions", "Pruning court", "Compare", "Rules")
TEXTS = """() => {
    const found = [];
    for (const host of document.querySelectorAll("*"))
        for (const text of host.shadowRoot?.querySelectorAll(".bench text") ?? []) {
            const box = text.getBoundingClientRect();
            if (!box.width || getComputedStyle(text).display === "none") continue;
            const scale = text.getScreenCTM().a;
            found.push([text.textContent, parseFloat(getComputedStyle(text).fontSize) * scale]);
        }
    return found;
}"""


@pytest.fixture
def opened(page, serve, outside_requests, dialogs, faults):
    page.set_viewport_size({"width": 1366, "height": 768})
    app = Session(page, serve(APP))
    app.upload("my loans.csv", loans())
    app.page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    yield app
    page.set_viewport_size({"width": 1280, "height": 860})
    assert outside_requests == []
    assert dialogs == []
    assert faults == []


ROOT_IN_VIEW = """() => {
    const bench = [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).find(Boolean);
    const box = part => bench.querySelector(part).getBoundingClientRect();
    const root = box("#n0 .card-face"), stage = box(".stage");
    return stage.height < 400 && root.top >= stage.top && root.bottom <= stage.bottom && root.left >= stage.left;
}"""


COVERED = """() => {
    const side = document.querySelector(".st-key-drawer").getBoundingClientRect().left, found = [];
    const bench = [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).find(Boolean);
    for (const part of bench.querySelectorAll(".card-face, .dock text, .dock .knob, .legend li, .tools button"))
        if (part.getBoundingClientRect().right > side + 1) found.push(part.textContent || part.className.baseVal);
    for (const part of document.querySelectorAll(".st-key-strip > *"))
        if (part.getBoundingClientRect().right > innerWidth) found.push(part.className);
    return found;
}"""
"""What lies under the drawer, and what of the strip is out of the window."""


NAMES_OF_MARKS = """() => [...document.querySelectorAll("*")].flatMap(host => [...host.shadowRoot?.querySelectorAll(
    ".dock .mark text") ?? []]).map(text => text.getBoundingClientRect()).map(({ left, right, top, bottom }) =>
    [left, right, top, bottom])"""
IN_VIEW = """() => {
    const bench = [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).find(Boolean);
    const stage = bench.querySelector(".stage").getBoundingClientRect();
    const cards = [...bench.querySelectorAll(".node:not(.unborn) .card-face")].map(c => c.getBoundingClientRect());
    return [cards.length, cards.every(card => card.left >= stage.left && card.right <= stage.right
        && card.top >= stage.top && card.bottom <= stage.bottom)];
}"""
"""Cards that are there so far, and whether all of them are in sight."""


def grown_whole(app) -> None:
    """The unpruned tree, by the right end of the dock."""
    app.page.get_by_test_id("dock").get_by_role("slider").focus()
    app.page.keyboard.press("End")
    app.page.get_by_test_id("verdict").get_by_text(re.compile(r"\d\d+ leaves")).wait_for()
    app.settled()
    app.drawn()


def wait_until_nothing_is_covered(app) -> None:
    """The page lays a tree out anew once its canvas has told its room, which takes two round trips."""
    app.page.wait_for_function(f"() => ({COVERED})().length === 0", timeout=10_000)


def seen(app) -> float:
    """Square pixels of the tree that the drawer does not lie over."""
    tree, drawer = (app.page.get_by_test_id(name).bounding_box() for name in ("tree", "drawer"))
    return (min(tree["x"] + tree["width"], drawer["x"]) - tree["x"]) * tree["height"]


def least(size: tuple[int, int]) -> float:
    """Square pixels of such a window that the tree must have."""
    return (0.55 if size[0] > 1000 else 0.45) * size[0] * size[1]


def place(app, node: int) -> tuple[float, float]:
    box = app.page.locator(f".bench #n{node} .card-face").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def sized(app, width: int, height: int) -> None:
    """A window of this size, once the tree has the room that is left to it."""
    app.page.set_viewport_size({"width": width, "height": height})
    app.page.wait_for_timeout(900)  # until it has asked for what fits
    app.settled()
    app.drawn()


def test_the_tree_has_the_window_and_its_text_can_be_read(opened):
    grown_whole(opened)
    for size in SIZES:
        sized(opened, *size)
        box = opened.page.get_by_test_id("tree").bounding_box()
        assert box["width"] * box["height"] >= least(size), size
        texts = opened.page.evaluate(TEXTS)
        assert len(texts) > 20, size
        assert [found for found in texts if found[1] < 11] == [], size
        opened.button("Present").click()
        opened.page.wait_for_function(f"() => ({TEXTS})().every(found => found[1] >= 16)")
        assert len(opened.page.evaluate(TEXTS)) > 10, size
        opened.page.keyboard.press("Escape")
        opened.page.evaluate("() => document.fullscreenElement && document.exitFullscreen()")


def test_names_of_marks_stand_apart(opened):
    boxes = opened.page.evaluate(NAMES_OF_MARKS)
    assert len(boxes) >= 2
    for i, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[:i]:
            assert right <= other[0] or left >= other[1] or bottom <= other[2] + 4 or top >= other[3] - 4


def test_the_camera_follows_a_tree_that_grows(opened):
    opened.go("Step by step")
    opened.drawn()
    opened.page.get_by_role("slider").first.wait_for()
    opened.page.wait_for_function(f"() => String(({IN_VIEW})()) === '3,true'")
    assert opened.scale() > 1.2
    opened.press("PageDown", "PageDown")
    opened.page.wait_for_function(f"() => String(({IN_VIEW})()) === '7,true'")
    opened.press("+")
    camera = opened.camera()
    opened.press("PageDown")
    opened.page.wait_for_function(f"() => ({IN_VIEW})()[0] === 9")
    opened.drawn()
    assert opened.camera() == camera, "somebody has moved it"


def test_no_page_of_the_tree_is_higher_than_the_window(opened):
    """Measured: a page that only hides what overflows would cut it off. Explore is looked at in windows of all sizes,
    any other page in two, and left in the last one, so that the next one is met in another size each time."""
    for turn, name in enumerate(("Explore", *TREE_PAGES)):
        opened.go(name)
        opened.drawn()
        sizes = (*SIZES[turn % 3 :], *SIZES[: turn % 3])
        for size in sizes if name == "Explore" else sizes[:2]:
            sized(opened, *size)
            if name != "Compare":  # which has two trees
                assert seen(opened) >= least(size), (name, size)
            main = opened.page.get_by_test_id("stMain")
            beyond = main.evaluate("e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]")
            assert beyond == [0, 0], (name, size)
            wait_until_nothing_is_covered(opened)
    opened.go("Explore")
    sized(opened, *SIZES[0])
    opened.open_sidebar()
    opened.page.wait_for_timeout(900)  # until it has asked for what fits beside the settings
    wait_until_nothing_is_covered(opened)
    opened.drawn()
    opened.page.set_viewport_size({"width": 911, "height": 460})  # a tree that nobody has moved is fitted again
    opened.page.wait_for_function(ROOT_IN_VIEW)


def test_going_to_other_pages_and_back_moves_nothing(opened):
    grown_whole(opened)
    opened.page.locator(".bench .node.inner .card-face").nth(3).click()
    opened.settled()
    chosen = opened.page.locator(".bench .node.selected").get_attribute("id")
    opened.press("+")
    before, camera = place(opened, 0), opened.camera()
    for name in TREE_PAGES:
        opened.go(name)
        opened.drawn()
        opened.page.wait_for_timeout(600)
        if name != "Compare":  # where the tree has half the room
            assert opened.camera() == camera, name
            assert place(opened, 0) == pytest.approx(before, abs=0.5), name
        assert opened.page.locator(".bench .node.selected").first.get_attribute("id") == chosen, name
    opened.go("Explore")
    opened.drawn()
    assert place(opened, 0) == pytest.approx(before, abs=0.5)


def test_a_page_that_is_left_at_once_is_found_as_it_was(opened):
    """What stands beside the tree goes first, and the tree must not spread into its room."""
    camera = opened.camera()
    for name in ("Rules", "Explore", "Explore"):
        opened.go(name)
        opened.drawn()
        opened.page.wait_for_timeout(600)
        assert opened.camera() == camera, name


def test_opening_and_selecting_leave_the_node_where_it_is(opened):
    grown_whole(opened)
    pill = opened.page.locator(".bench .node:has(.pill)").first
    node = int(pill.get_attribute("data-node"))
    before, shown = place(opened, node), opened.page.locator(".bench .node").count()
    pill.locator(".pill rect").click()
    opened.page.locator(f".bench #n{node}[aria-expanded=true]").wait_for()
    opened.drawn()
    assert opened.page.locator(".bench .node").count() > shown
    assert place(opened, node) == pytest.approx(before, abs=2)
    opened.page.locator(f".bench #n{node} .card-face").click()
    opened.node_is(node)
    opened.settled()
    assert place(opened, node) == pytest.approx(before, abs=2)


def test_the_dock_fades_branches_without_asking_and_prunes_on_release(sent, opened):
    grown_whole(opened)
    opened.page.wait_for_timeout(700)
    assert sent
    sent.clear()
    box = opened.page.get_by_test_id("dock").bounding_box()
    right, y = box["x"] + box["width"] - 175, box["y"] + box["height"] / 2
    opened.page.mouse.move(right, y)
    opened.page.mouse.down()
    for k in range(30):
        opened.page.mouse.move(right - 18 * k, y)
    opened.page.wait_for_timeout(300)
    assert sent == [], "nothing is asked while the handle is dragged"
    assert opened.ghosts().count() > 0
    size = opened.page.locator(".bench .dock .size").text_content()
    opened.page.mouse.up()
    leaves = re.match(r"[\d,]+ lea(f|ves)", size)[0]
    opened.page.get_by_test_id("verdict").get_by_text(leaves, exact=True).wait_for()
    assert sent
    opened.page.get_by_test_id("undo").click()
    opened.page.get_by_test_id("verdict").get_by_text(leaves, exact=True).wait_for(state="detached")
    mark = opened.page.get_by_test_id("dock").get_by_role("button", name=re.compile("^Best on validation rows: "))
    leaves = re.search(r": ([\d,]+ leaves)", mark.get_attribute("aria-label"))[1]
    mark.press("Enter")
    opened.page.get_by_test_id("verdict").get_by_text(leaves, exact=True).wait_for()


def test_the_keyboard_alone_prunes_and_takes_back(opened):
    grown_whole(opened)
    whole = opened.page.get_by_test_id("verdict").inner_text()
    opened.press("Home", "ArrowRight")
    active = opened.page.locator(".bench .stage").get_attribute("aria-activedescendant")
    assert active != "n0"
    opened.page.keyboard.press("x")
    opened.page.locator(f".bench #{active}.leaf").wait_for()
    assert opened.page.get_by_test_id("verdict").inner_text() != whole
    opened.page.get_by_text(re.compile("Cut node")).wait_for()
    opened.page.keyboard.press("Control+Z")
    opened.page.locator(f".bench #{active}.inner").wait_for()
    opened.settled()
    assert opened.page.get_by_test_id("verdict").inner_text() == whole
    opened.press("/")
    opened.page.keyboard.type("score")
    opened.page.locator(".bench .node.hit").first.wait_for()
    assert "score" in opened.page.locator(".bench .node.hit").first.get_attribute("aria-label")


UNDER_ACTS = """parts => {
    const roots = [...document.querySelectorAll("*")].map(host => host.shadowRoot).filter(Boolean);
    const bench = roots.map(root => root.querySelector(".bench")).find(Boolean);
    const acts = bench.querySelector(".acts").getBoundingClientRect();
    return [...bench.querySelectorAll(parts)].filter(part => {
        const box = part.getBoundingClientRect();
        const beside = box.left >= acts.right || box.right <= acts.left;
        return box.width && !beside && box.top < acts.bottom && box.bottom > acts.top;
    }).length;
}"""
"""How many of these parts lie under the actions of the selected node."""
TOOLS, CARDS = ".tools button", ".card-face, .condition text"


def test_actions_stack_where_settings_and_drawer_leave_little_room(opened):
    sized(opened, 911, 512)
    opened.open_sidebar()
    opened.drawn()
    acts = opened.page.locator(".bench .acts")
    acts.get_by_role("button").first.wait_for()
    opened.page.wait_for_function(f"parts => ({UNDER_ACTS})(parts) === 0", arg=TOOLS)
    assert opened.page.evaluate(UNDER_ACTS, CARDS) == 0
    boxes = [button.bounding_box() for button in acts.get_by_role("button").all()]
    assert len({box["x"] for box in boxes}) == 1, "one over the other"


def test_actions_stand_at_the_node_cover_nothing_and_grow_what_a_limit_stopped(opened):
    grown_whole(opened)
    bench = opened.page.locator(".bench")
    for k in range(0, 20, 4):
        bench.locator(".node .card-face").nth(k).click()
        opened.settled()
        bench.locator(".acts button").first.wait_for()
        assert opened.page.evaluate(UNDER_ACTS, CARDS) == 0, k
    leaf = bench.locator(".node.leaf:not(:has(.badge))").first
    node = leaf.get_attribute("data-node")
    leaf.locator(".card-face").click()
    before = opened.page.get_by_test_id("verdict").inner_text()
    bench.locator(".acts [data-act=grow]").click()
    bench.locator(f"#n{node}.inner").wait_for()
    bench.locator(".notice").get_by_text(f"Node {node} grew by ").wait_for()
    bench.locator(".notice").get_by_role("button", name="Undo").click()
    bench.locator(f"#n{node}.leaf").wait_for()
    opened.settled()
    assert opened.page.get_by_test_id("verdict").inner_text() == before


def test_a_screen_reader_finds_a_tree_and_arrows_walk_it_either_way(opened):
    grown_whole(opened)
    stage, node = opened.page.locator(".bench .stage"), lambda n: opened.page.locator(f".bench #n{n}")
    assert (stage.get_attribute("role"), stage.get_attribute("tabindex")) == ("tree", "0")
    shown = opened.page.locator(".bench .node")
    assert opened.page.locator(".bench [role=treeitem]").count() == shown.count()
    assert (node(0).get_attribute("aria-level"), node(0).get_attribute("aria-expanded")) == ("1", "true")
    assert node(2).get_attribute("aria-posinset") == "2"
    assert "1800 rows" in node(0).get_attribute("aria-label")
    assert opened.page.locator(".bench .node.leaf").first.get_attribute("aria-expanded") is None
    for turn, down, along in (
        ("Root on top", "ArrowDown", "ArrowRight"),
        ("Root on the left", "ArrowRight", "ArrowDown"),
    ):
        opened.page.get_by_role("button", name=turn).click()
        opened.page.get_by_role("button", name=turn, pressed=True).wait_for()
        opened.settled()
        opened.drawn()
        opened.press("Home", down, along)
        assert stage.get_attribute("aria-activedescendant") == "n2", turn
    opened.page.keyboard.press("Enter")
    opened.node_is(2)


def test_a_search_finds_what_is_hidden_and_brings_it_into_the_picture(opened):
    grown_whole(opened)
    box, found = opened.page.locator(".bench .find"), opened.page.locator(".bench .found")
    box.fill("income")
    hidden = opened.page.locator(".bench .node.holds")
    hidden.first.wait_for()
    assert found.inner_text().startswith("1 of ")
    many = int(found.inner_text().split()[-1])
    assert many > opened.page.locator(".bench .node.hit").count(), "some of them are not drawn"
    for place in range(2, many + 1):
        box.press("Enter")
        opened.page.wait_for_function(
            "place => [...document.querySelectorAll('*')].some(e => e.shadowRoot?.querySelector('.found')?.textContent"
            ".startsWith(`${place} of`))", arg=place,
        )  # fmt: skip
    opened.page.locator(".bench .node.selected.hit").wait_for()
    assert box.input_value() == "income"
    opened.go("Rules")
    opened.page.locator(".bench .node.hit").first.wait_for()
    assert box.input_value() == "income", "the search stays on another page"
    box.press("Escape")
    opened.page.wait_for_function(
        "() => ![...document.querySelectorAll('*')].some(e => e.shadowRoot?.querySelector('.node.miss'))"
    )
    assert found.inner_text() == ""


GLIDES_HOME = """() => new Promise(told => {
    const bench = [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).find(Boolean);
    const { drawing, views, camera } = bench.pane;
    drawing.glide([], new Set(), [], { x: -300, y: -300, k: 1 });
    views.home();
    setTimeout(() => told([camera.at, views.homeAt(), drawing.end]), 1500);
})"""


def test_a_room_that_changes_while_the_tree_glides_is_the_one_it_is_fitted_to(opened):
    at, home, end = opened.page.evaluate(GLIDES_HOME)
    assert at == home
    assert end is None
