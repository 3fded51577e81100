"""The tree on its canvas in a real browser, of a file that is no sample: standing still, the dock, keys, the search."""

import random
import re
from pathlib import Path

import pytest

from tests.app.test_page_missing import holes
from tests.browser.bench import BENCH, CARDS, UNDER_ACTS, grown, grown_whole, place
from treecore.figures import percent
from treecore.judging.interest import rate
from treecore.tree.short_text import apart, cut

pytestmark = pytest.mark.browser
SHORTENED = (Path(__file__).parents[2] / "assets/workbench/text.js").read_text("utf-8").replace("export ", "")
IN_VIEW = f"""() => {{
    const stage = {BENCH}.querySelector(".stage").getBoundingClientRect();
    const cards = [...{BENCH}.querySelectorAll(".node:not(.unborn) .card-face")].map(c => c.getBoundingClientRect());
    return [cards.length, cards.every(card => card.left >= stage.left && card.right <= stage.right
        && card.top >= stage.top && card.bottom <= stage.bottom)];
}}"""
"""Cards that are there so far, and whether all of them are in sight."""
GLIDES_HOME = f"""() => new Promise(told => {{
    const {{ drawing, views, camera }} = {BENCH}.pane;
    drawing.glide([], new Set(), [], {{ x: -300, y: -300, k: 1 }});
    views.home();
    setTimeout(() => told([camera.at, views.homeAt(), drawing.end]), 1500);
}})"""
ZOOMS_ON_THE_WAY = f"""() => new Promise(told => {{
    const {{ views, camera }} = {BENCH}.pane;
    views.follow();
    views.zoom(1.25);
    const zoomed = camera.at;
    setTimeout(() => told([camera.at, zoomed, views.homeAt()]), 600);
}})"""

ASKED_BY_KEY = f"""() => new Promise(told => {{
    const {{ pane }} = {BENCH}, {{ dock, drawing }} = pane;
    dock.slide.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Home" }}));
    const asked = dock.data.steps[dock.place].k;
    dock.update({{ ...dock.data, news: true }});
    pane.report = (kind, {{ step }}) => {{
        delete pane.report;
        drawing.fadeTo(dock.data.chosen, true);
        told([kind, step, asked, dock.data.chosen]);
    }};
}})"""
"""What a key of the dock tells the server where something else has come from there meanwhile."""

ROUTES = f"""() => {{
    const light = color => color.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const paper = getComputedStyle({BENCH}).backgroundColor;
    return [...{BENCH}.pane.nodes.values()].filter(({{ row }}) => row.came).map(({{ edge, route, row }}) => {{
        const style = getComputedStyle(route), at = line => line.getPointAtLength(line.getTotalLength() / 2);
        const [x, y] = [at(route).x - at(edge).x, at(route).y - at(edge).y];
        const half = (parseFloat(getComputedStyle(edge).strokeWidth) + parseFloat(style.strokeWidth)) / 2;
        return {{ free: Math.hypot(x, y) - half, wide: parseFloat(style.strokeWidth), dashed: style.strokeDasharray,
            apart: Math.abs(light(style.stroke) - light(paper)), text: row.came }};
    }});
}}"""
"""Of each route of missing values: how many pixels lie between it and the edge in their middles, how it is drawn."""


def test_a_tree_stands_still_and_does_what_dock_keys_and_search_ask(sent, laptop):
    grown(laptop)
    rules_leave_the_tree_its_room(laptop)
    a_page_left_at_once_is_found_as_it_was(laptop)
    a_room_that_changes_on_the_way_is_the_one_it_is_fitted_to(laptop)
    a_hand_that_zooms_on_the_way_has_the_last_word(laptop)
    a_key_of_the_dock_is_told_whatever_comes_meanwhile(laptop)
    grown_whole(laptop)
    arrows_walk_a_tree_for_screen_readers_either_way(laptop)
    opening_and_selecting_leave_the_node_where_it_is(laptop)
    actions_cover_nothing(laptop)
    a_leaf_grows_what_a_limit_stopped(laptop)
    the_keyboard_alone_prunes_and_takes_back(laptop)
    the_dock_prunes_on_release(sent, laptop)
    grown_whole(laptop)
    a_search_brings_what_is_hidden_into_the_picture(laptop)
    other_pages_keep_view_choice_and_search(laptop)
    learn_shows_what_splits_part_and_look_stays_calm(laptop)
    surfaces_of_the_icicle_stand_off_the_page(laptop)
    the_camera_follows_a_tree_that_grows(laptop)


PARTED = f"""() => [...{BENCH}.pane.nodes.values()].map(({{ group, row }}) => {{
    const picture = group.querySelector(".parted"), box = part => part.getBoundingClientRect();
    if (!picture) return {{ leaf: row.leaf, picture: false }};
    const face = box(group.querySelector(".card-face")), sheet = box(picture.querySelector(".sheet"));
    const ground = box(picture.querySelector(".ground")), lines = [...picture.querySelectorAll(".threshold")];
    const facts = [...group.querySelectorAll(".card .fact")].map(text => box(text).bottom);
    return {{
        leaf: row.leaf, picture: true, wanted: row.histogram.thresholds ?? [],
        at: lines.map(line => (box(line).left - ground.left) / ground.width),
        inside: sheet.left >= face.left && sheet.right <= face.right && box(picture).bottom <= face.bottom,
        branches: picture.querySelectorAll(".branch").length, lowest: Math.max(...facts) - sheet.top,
    }};
}})"""
"""Of every node: whether its card has a picture, whether that lies in the card and under its texts, and its wedges."""
SURFACES = f"""() => {{
    const brush = new OffscreenCanvas(1, 1).getContext("2d");
    const linear = c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = color => {{
        brush.fillStyle = color;
        brush.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map(c => linear(c / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }};
    const paper = light(getComputedStyle({BENCH}).backgroundColor);
    return [...{BENCH}.querySelectorAll(".part")].map(part => {{
        const style = getComputedStyle(part.querySelector("rect")), seen = Number(style.fillOpacity);
        const [low, high] = [paper, light(style.fill) * seen + paper * (1 - seen)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    }});
}}"""
"""Of every surface of the icicle: its contrast with the page."""


def learn_shows_what_splits_part_and_look_stays_calm(app) -> None:
    tools = app.page.locator(".bench .tools")
    assert not any(node["picture"] for node in app.page.evaluate(PARTED))
    tools.get_by_text("Learn", exact=True).click()
    app.page.locator(".bench .parted").first.wait_for()
    app.settled()
    app.fitted()
    nodes = app.page.evaluate(PARTED)
    assert [node["picture"] for node in nodes] == [not node["leaf"] for node in nodes]
    for node in nodes:
        if node["picture"]:
            assert node["inside"]
            assert node["lowest"] <= 1, "a text lies over the picture"
            assert node["at"] == pytest.approx(node["wanted"], abs=0.02)
            assert bool(node["at"]) != (node["branches"] > 1), "a wedge, or a line under each branch"
    tools.get_by_text("Look", exact=True).click()
    app.page.locator(".bench .parted").first.wait_for(state="detached")


def surfaces_of_the_icicle_stand_off_the_page(app) -> None:
    tools = app.page.locator(".bench .tools")
    tools.get_by_text("Icicle", exact=True).click()
    app.page.locator(".bench .part").first.wait_for()
    for scheme in ("dark", "light"):
        app.page.emulate_media(color_scheme=scheme)
        app.settled()
        app.page.wait_for_timeout(300)
        contrasts = app.page.evaluate(SURFACES)
        assert min(contrasts) > 1.05, scheme
    tools.get_by_text("Tree", exact=True).click()
    app.drawn()


def rules_leave_the_tree_its_room(app) -> None:
    """As much as Explore does: the list, which has half the window at first, is made narrow."""
    app.go("Rules")
    app.drawn()
    app.page.locator(".st-key-toggle_wider button").first.click()
    app.fitted()
    app.go("Explore")
    app.fitted()


def a_page_left_at_once_is_found_as_it_was(app) -> None:
    """What stands beside the tree goes first, and the tree must not spread into its room."""
    camera = app.camera()
    for name in ("Rules", "Explore", "Explore"):
        app.go(name)
        app.drawn()
        app.page.wait_for_timeout(600)
        assert app.camera() == camera, name


def a_room_that_changes_on_the_way_is_the_one_it_is_fitted_to(app) -> None:
    at, home, end = app.page.evaluate(GLIDES_HOME)
    assert at == home
    assert end is None


def a_hand_that_zooms_on_the_way_has_the_last_word(app) -> None:
    at, zoomed, home = app.page.evaluate(ZOOMS_ON_THE_WAY)
    assert at == zoomed != home


def a_key_of_the_dock_is_told_whatever_comes_meanwhile(app) -> None:
    kind, step, asked, chosen = app.page.evaluate(ASKED_BY_KEY)
    assert (kind, step) == ("step", asked)
    assert asked != chosen


def arrows_walk_a_tree_for_screen_readers_either_way(app) -> None:
    stage, node = app.page.locator(".bench .stage"), lambda n: app.page.locator(f".bench #n{n}")
    assert (stage.get_attribute("role"), stage.get_attribute("tabindex")) == ("tree", "0")
    shown = app.page.locator(".bench .node")
    assert app.page.locator(".bench [role=treeitem]").count() == shown.count()
    assert (node(0).get_attribute("aria-level"), node(0).get_attribute("aria-expanded")) == ("1", "true")
    assert node(2).get_attribute("aria-posinset") == "2"
    assert "1,800 rows" in node(0).get_attribute("aria-label")
    assert app.page.locator(".bench .node.leaf").first.get_attribute("aria-expanded") is None
    for turn, down, along in (
        ("Root on top", "ArrowDown", "ArrowRight"),
        ("Root on the left", "ArrowRight", "ArrowDown"),
    ):
        app.page.get_by_role("button", name=turn).click()
        app.page.get_by_role("button", name=turn, pressed=True).wait_for()
        app.settled()
        app.drawn()
        app.press("Home", down, along)
        assert stage.get_attribute("aria-activedescendant") == "n2", turn
    app.page.keyboard.press("Enter")
    app.node_is(2)


def opening_and_selecting_leave_the_node_where_it_is(app) -> None:
    pill = app.page.locator(".bench .node:has(.pill)").first
    node = int(pill.get_attribute("data-node"))
    before, shown = place(app, node), app.page.locator(".bench .node").count()
    pill.locator(".pill rect").click()
    app.page.locator(f".bench #n{node}[aria-expanded=true]").wait_for()
    app.drawn()
    assert app.page.locator(".bench .node").count() > shown
    assert place(app, node) == pytest.approx(before, abs=2)
    app.page.locator(f".bench #n{node} .card-face").click()
    app.node_is(node)
    app.settled()
    assert place(app, node) == pytest.approx(before, abs=2)


def actions_cover_nothing(app) -> None:
    bench = app.page.locator(".bench")
    for k in range(0, 20, 4):
        bench.locator(".node .card-face").nth(k).click()
        app.settled()
        bench.locator(".acts button").first.wait_for()
        assert app.page.evaluate(UNDER_ACTS, CARDS) == 0, k


def a_leaf_grows_what_a_limit_stopped(app) -> None:
    """By its own action, which its notice takes back."""
    bench = app.page.locator(".bench")
    leaf = bench.locator(".node.leaf:not(:has(.badge))").first
    node = leaf.get_attribute("data-node")
    leaf.locator(".card-face").click()
    before = app.page.get_by_test_id("verdict").inner_text()
    bench.locator(".acts [data-act=grow]").click()
    bench.locator(f"#n{node}.inner").wait_for()
    bench.locator(".notice").get_by_text(f"Node {node} grew by ").wait_for()
    bench.locator(".notice").get_by_role("button", name="Undo").click()
    bench.locator(f"#n{node}.leaf").wait_for()
    app.settled()
    assert app.page.get_by_test_id("verdict").inner_text() == before


def the_keyboard_alone_prunes_and_takes_back(app) -> None:
    whole = app.page.get_by_test_id("verdict").inner_text()
    app.press("Home", "ArrowRight")
    active = app.page.locator(".bench .stage").get_attribute("aria-activedescendant")
    assert active != "n0"
    app.page.keyboard.press("x")
    app.page.locator(f".bench #{active}.leaf").wait_for()
    assert app.page.get_by_test_id("verdict").inner_text() != whole
    app.page.get_by_text(re.compile("Cut node")).wait_for()
    app.page.keyboard.press("Control+Z")
    app.page.locator(f".bench #{active}.inner").wait_for()
    app.settled()
    assert app.page.get_by_test_id("verdict").inner_text() == whole
    app.press("/")
    app.page.keyboard.type("score")
    app.page.locator(".bench .node.hit").first.wait_for()
    assert "score" in app.page.locator(".bench .node.hit").first.get_attribute("aria-label")
    app.page.keyboard.press("Escape")


def the_dock_prunes_on_release(sent: list, app) -> None:
    """It fades branches without asking; a mark of it prunes, too."""
    verdict = app.page.get_by_test_id("verdict")
    app.page.wait_for_timeout(700)
    assert sent
    sent.clear()
    box = app.page.get_by_test_id("dock").bounding_box()
    right, y = box["x"] + box["width"] - 175, box["y"] + box["height"] / 2
    app.page.mouse.move(right, y)
    app.page.mouse.down()
    for k in range(30):
        app.page.mouse.move(right - 18 * k, y)
    app.page.wait_for_timeout(300)
    assert sent == [], "nothing is asked while the handle is dragged"
    assert app.ghosts().count() > 0
    size = app.page.locator(".bench .dock .size").text_content()
    app.page.mouse.up()
    leaves = re.match(r"[\d,]+ lea(f|ves)", size)[0]
    verdict.get_by_text(leaves, exact=True).wait_for()
    assert sent
    app.page.get_by_test_id("undo").click()
    verdict.get_by_text(leaves, exact=True).wait_for(state="detached")
    mark = app.page.get_by_test_id("dock").get_by_role("button", name=re.compile("^Best on validation rows: "))
    leaves = re.search(r": ([\d,]+ leaves)", mark.get_attribute("aria-label"))[1]
    mark.press("Enter")
    verdict.get_by_text(leaves, exact=True).wait_for()


def a_search_brings_what_is_hidden_into_the_picture(app) -> None:
    box, found = app.page.locator(".bench .find"), app.page.locator(".bench .found")
    box.fill("income")
    hidden = app.page.locator(".bench .node.holds")
    hidden.first.wait_for()
    first, many = (int(part) for part in found.inner_text().split(" of "))  # the first that is drawn
    assert many > app.page.locator(".bench .node.hit").count(), "some of them are not drawn"
    for turn in (*range(first + 1, many + 1), *range(1, first)):
        box.press("Enter")
        app.page.wait_for_function(
            f"turn => {BENCH}.querySelector('.found').textContent.startsWith(`${{turn}} of`)", arg=turn
        )
    app.page.locator(".bench .node.selected.hit").wait_for()
    assert box.input_value() == "income"


def other_pages_keep_view_choice_and_search(app) -> None:
    app.page.wait_for_timeout(300)  # until what was found last is chosen and the view on its way to it
    app.settled()
    app.drawn()
    before, camera = place(app, 0), app.camera()
    chosen = app.page.locator(".bench .node.selected").get_attribute("id")
    box = app.page.locator(".bench .find").first
    for name in ("Compare", "Rules", "Explore"):
        app.go(name)
        app.drawn()
        app.page.wait_for_timeout(300)  # a view that moves would have begun
        if name != "Compare":  # where the tree has half the room
            assert app.camera() == camera, name
            assert place(app, 0) == pytest.approx(before, abs=0.5), name
            app.page.locator(".bench .node.hit").first.wait_for()
            assert box.input_value() == "income", name
        assert app.page.locator(".bench .node.selected").first.get_attribute("id") == chosen, name
    box.press("Escape")
    app.page.wait_for_function(f"() => !{BENCH}.querySelector('.node.miss')")
    assert app.page.locator(".bench .found").inner_text() == ""


def the_camera_follows_a_tree_that_grows(app) -> None:
    app.go("Step by step")
    app.drawn()
    app.page.get_by_role("slider").first.wait_for()
    app.page.wait_for_function(f"() => String(({IN_VIEW})()) === '3,true'")
    assert app.scale() > 1.2
    app.press("PageDown", "PageDown")
    app.page.wait_for_function(f"() => String(({IN_VIEW})()) === '7,true'")
    app.settled()
    app.drawn()
    app.press("-")  # not nearer: a node that was chosen is brought into view, whoever has moved it
    camera = app.camera()
    app.press("PageDown")
    app.page.wait_for_function(f"() => ({IN_VIEW})()[0] === 9")
    app.settled()
    app.drawn()
    assert app.camera() == camera, "somebody has moved it"


RECORD = """() => {
    const animate = Element.prototype.animate;
    window.grew = [];
    Element.prototype.animate = function (frames, options) {
        const what = Object.keys(frames[0]).join();
        if (options?.id === "grows") window.grew.push([options.delay + options.duration, what]);
        return animate.call(this, frames, options);
    };
}"""
"""Notes what grows in: milliseconds until it is there, and what changes meanwhile."""
STREAM = f"""() => {{
    const {{ pane }} = {BENCH}, at = () => pane.root.querySelectorAll("canvas.stream").length;
    pane.stream.run();
    const dots = Number(pane.root.dataset.streaming ?? 0), many = at(), start = performance.now();
    return new Promise(told => {{
        const look = () => (at() && performance.now() - start < 6000
            ? requestAnimationFrame(look) : told([dots, many, performance.now() - start, at()]));
        look();
    }});
}}"""
"""Dots that run down, the pictures that show them at first and at last, and the milliseconds between."""


def test_a_tree_grows_in_and_its_rows_run_down_once_unless_little_motion_is_wanted(laptop):
    page = laptop.page
    page.evaluate(RECORD)
    grown(laptop)
    came = page.evaluate("() => window.grew")
    assert came
    assert {what for _, what in came} == {"opacity"}, "nothing is anywhere else than it seems"
    assert max(until for until, _ in came) <= 700
    assert page.evaluate(f"() => {BENCH}.pane.stream.known() === {BENCH}.pane.data.table")
    dots, shown, lasts, left = page.evaluate(STREAM)
    assert 0 < dots <= 2000
    assert (shown, left) == (1, 0)
    assert lasts < 3000
    try:
        page.emulate_media(reduced_motion="reduce")
        page.evaluate("() => { window.grew = []; }")
        grown_whole(laptop)
        laptop.go("Data")
        laptop.upload("other.csv", survey())
        laptop.named("other.csv")
        laptop.drawn()
        assert page.evaluate("() => window.grew") == []
        assert page.evaluate(STREAM)[:2] == [0, 0]
        assert page.locator(".bench [data-act=stream]").count() == 0
    finally:
        page.emulate_media(reduced_motion="no-preference")


def test_missing_values_go_beside_the_branches(laptop):
    """Switched on and off the pictures differ, light and dark; each route keeps clear of its edge."""
    laptop.upload("holes.csv", holes())
    laptop.page.get_by_test_id("tree").wait_for()
    laptop.drawn()
    laptop.fitted()
    stage = laptop.page.locator(".bench .stage")
    pictures = [stage.screenshot()]
    laptop.button("Missing").click()
    laptop.page.locator(".bench .route.on").first.wait_for(state="attached")
    laptop.settled()
    pictures.append(stage.screenshot())
    assert pictures[0] != pictures[1]
    for scheme in ("light", "dark"):
        laptop.page.emulate_media(color_scheme=scheme)
        laptop.settled()
        routes = laptop.page.evaluate(ROUTES)
        assert routes
        for route in routes:
            assert route["free"] > 0.5, route
            assert route["wide"] >= 2
            assert route["dashed"] != "none"
            assert route["apart"] > 150, "of 255 between paper and line"
            assert re.fullmatch(r"[\d.,]+ (missing|NA)", route["text"])


def test_the_canvas_shortens_names_as_the_library_does(page):
    """Also where their letters are more than one unit of the browser's text."""
    draw = random.Random(1)
    halves = ["".join(draw.choice("abc de-fg🌳é") for _ in range(20)).strip() for _ in range(40)]
    names = [f"{half}{draw.choice('xyz')}{half[: draw.randint(0, 20)]}{draw.choice('pq 1')}" for half in halves * 3]
    names = sorted({" ".join(name.split()) for name in names})
    places = apart(names)
    cases = [(name, limit, places.get(name, ())) for name in names for limit in (2, 5, 8, 13, 21) if len(name) > limit]
    found = page.evaluate(
        f"cases => {{ {SHORTENED} return cases.map(([text, n, at]) => cut([...text], n, at)); }}", cases
    )
    plain = [(case, text) for case, text in zip(cases, found, strict=True) if "🌳" not in case[0]]
    assert len(plain) > 50
    assert [text for _, text in plain] == [cut(*case) for case, _ in plain]
    assert all(len(text) <= limit for (_, limit, _), text in zip(cases, found, strict=True))


def test_a_rate_stays_whole_beside_a_name_that_is_cut(page):
    """Of a name of which nothing is left to read none is shown."""
    names, rooms = [rate(0.611, "Login & access"), rate(0.611, "2 years or longer with us")], (500, 115, 40)
    found = page.evaluate(
        f'cases => {{ {SHORTENED} return cases.map(([text, room]) => fitted(text, room, "400 12px sans-serif")); }}',
        [[name, room] for name in names for room in rooms],
    )
    share = percent(0.611)
    for name, (whole, less, alone) in zip(names, (found[:3], found[3:]), strict=True):
        assert (whole, alone) == (name, share)
        assert less.count("…") == 1
        assert name.startswith(less.split("…")[0])
        assert name.endswith(less.split("…")[1])
        assert share in less


def test_a_condition_breaks_before_its_sign(page):
    """A sign stays with what it compares with, and a number with its unit."""
    cases = [["monthly charges ≤ 62.5 €", room] for room in (150, 120, 104)]
    found = page.evaluate(
        f'cases => {{ {SHORTENED} return cases.map(([text, room]) => twoLines(text, room, "400 12px sans-serif")); }}',
        cases,
    )
    assert any(len(lines) == 2 for lines in found)
    assert all(not lines[0].endswith(("≤", "62.5")) for lines in found)


def test_names_alike_at_the_start_are_drawn_apart(laptop):
    laptop.upload("survey.csv", survey())
    laptop.page.get_by_test_id("tree").wait_for()
    laptop.drawn()
    laptop.fitted()
    shown = set(laptop.page.locator(".bench .card :is(.title, .strong:not(.instead))").all_text_contents())
    legend = laptop.page.locator(".bench .legend li:not(.more, .scale)").all_text_contents()
    assert len({text for text in shown if text.startswith("How")}) == 2, shown
    assert len({text for text in shown if text.startswith("stays")}) == 2, shown
    assert len(set(legend)) == 2


def survey(n: int = 600) -> bytes:
    """Two questions and two answers that differ in their last words."""
    draw, asks = random.Random(2), "How satisfied were you with the following aspect of our service: the {}"
    lines = [f"{asks.format('price')},{asks.format('speed')},outcome"]
    for _ in range(n):
        price, speed = draw.randint(1, 7), draw.randint(1, 7)
        stays = (price > 4 and speed > 3) != (draw.random() < 0.05)
        lines.append(f"{price},{speed},stays with us for one more year by all we know: {'yes' if stays else 'no'}")
    return "\n".join(lines).encode()


WALK = ("Home", "ArrowRight", "ArrowDown", "+", "ArrowUp", "-", "ArrowRight", "x", "Control+z", "Enter")
ELEMENTS = """() => {
    const count = root => [...root.querySelectorAll("*")].filter(e => !e.closest(".world")).reduce(
        (sum, e) => sum + 1 + (e.shadowRoot ? count(e.shadowRoot) : 0), 0);
    return count(document);
}"""
"""All but the nodes, of which a walk opens more and more."""


def test_a_short_name_stays_whole_beside_a_long_count(laptop):
    draw = random.Random(5)
    rows = (f"{draw.random():.3f},{draw.choice('ab')}" for _ in range(40000))
    lines = (f"{row},{'churned' if draw.random() < 0.1 + 0.3 * float(row[:5]) else 'stayed'}" for row in rows)
    laptop.upload("churn.csv", "\n".join(["x,kind,outcome", *lines]).encode())
    laptop.page.get_by_test_id("tree").wait_for()
    laptop.drawn()
    laptop.page.locator(".tools button", has_text="↓").first.click()
    laptop.page.locator(".bench:not(.lr)").wait_for()
    laptop.settled()
    cards = laptop.page.locator(".bench .card").evaluate_all(
        "all => all.map(card => [...card.querySelectorAll('text')].map(text => text.textContent))"
    )
    assert any(re.fullmatch(r"[\d,]{6,}", text) for card in cards for text in card), "a count of five digits"
    for card in cards:
        assert sum(text.endswith("% churned") for text in card) == 1, card


def test_after_three_hundred_actions_the_page_holds_no_more_than_after_one_hundred(laptop):
    grown(laptop)
    grown_whole(laptop)
    held = []
    for _ in range(3):
        laptop.page.locator(".bench #n0 .card-face").click()
        laptop.press(*(WALK * 10))
        laptop.settled()
        laptop.press("Home", "Enter")
        laptop.node_is(0)
        laptop.text(re.compile("^Drawn: ")).wait_for()
        laptop.settled()
        held.append(laptop.page.evaluate(ELEMENTS))
    assert held[2] < 1.2 * held[0], held
