"""The tree as one HTML file, opened from the disk without a network."""

import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.browser.test_app_dark import barriers
from tests.hostile import NAMES
from treecore.data.samples import read_sample
from treecore.export.row_sample import sampled_rows
from treecore.export.worked_example import ExampleStep, WorkedExample
from treecore.figures import brief, percent
from treecore.judging.interest import interest_of
from treecore.recipe import Grow
from treecore.teach.index import worked_example
from treecore.tree.tree import split_order

pytestmark = pytest.mark.browser
MIDDLES = """() => [...document.getElementById("canvas").shadowRoot.querySelectorAll(".route.on")].map((route) => {
    const middle = (line) => line.getPointAtLength(line.getTotalLength() / 2);
    const here = middle(route);
    const others = [...document.getElementById("canvas").shadowRoot.querySelectorAll(".edge")].map(middle);
    return Math.min(...others.map((at) => Math.hypot(at.x - here.x, at.y - here.y)));
})"""
"""Of each route of missing values, how far its middle is from that of the nearest edge."""

CLASHES = """(host) => {
    const all = [...document.getElementById(host).shadowRoot.querySelectorAll(".world text")];
    const boxes = all.map((text) => [text.textContent, text.getBoundingClientRect(), text])
        .filter(([text, box]) => text.trim() && box.width);
    const both = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2.5 * Math.max(1, all[0].getScreenCTM().d);
    const found = [];
    boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
        if (both(a, b)) found.push([one, other]);
    }));
    for (const [text, box, element] of boxes) {
        const plates = [...(element.closest(".condition")?.querySelectorAll(".plate") ?? [])];
        const covered = plates.some((plate) => both(plate.getBoundingClientRect(), box));
        if (element.closest(".condition") && !covered) found.push([text, "no plate between it and its branch"]);
    }
    return [boxes.length, found.slice(0, 5)];
}"""
"""How many texts the tree of a host has, and those that lie over each other, or over the line of a branch."""
MISSING = """() => {
    const root = document.getElementById("canvas").shadowRoot, box = (part) => part.getBoundingClientRect();
    const rests = [...root.querySelectorAll(".rest text")], pills = [...root.querySelectorAll(".pill rect")];
    const both = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const came = [...root.querySelectorAll(".condition text")]
        .filter((text) => /missing|\\?$/u.test(text.textContent));
    return [
        [...came, ...rests].map((text) => text.textContent),
        rests.filter((text) => pills.some((pill) => both(box(text), box(pill)))).map((text) => text.textContent),
    ];
}"""
"""What is told of missing values, and what of that meets the pill of a folded branch."""
TAG = "img, b, :not(.scale) > i"
"""Tags that a name could have brought; the legend has one of its own."""
FOCUS = "() => document.getElementById('canvas').shadowRoot.activeElement.getAttribute('aria-activedescendant')"


@pytest.fixture
def offline(chromium, tmp_path):
    """open(tree) -> the page; it may ask for nothing and must not fail."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768}, offline=True, reduced_motion="reduce")
    asked, faults = [], []

    def opened(tree: tc.Tree, name: str = "table", **options):
        path = tmp_path / "tree.html"
        path.write_text(tc.export(tree, "html", name=name, **options), "utf-8")
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.goto(path.as_uri())
        page.locator(".bench:not([data-unfitted]) .node").first.wait_for()  # laid out for its room
        return page

    yield opened
    context.close()
    assert all(url.startswith("file://") for url in asked)
    assert faults == []


def sized(page, key: str, times: int = 1) -> None:
    """Move the handle of the sizes, and wait until the tree has followed."""
    page.locator(".slide").focus()
    for _ in range(times):
        page.keyboard.press(key)
    step = page.locator(".slide").get_attribute("aria-valuenow")
    page.wait_for_function("(leaves) => SIZES.leaves[size] === Number(leaves)", arg=step)


def fill(page, tree: tc.Tree, row) -> None:
    for f, feature in enumerate(tree.schema.features):
        field, value = page.locator(f'[data-feature="{f}"]'), row[feature.name]
        if not field.count():
            continue
        if feature.numeric:
            field.fill("" if pd.isna(value) else repr(float(value)))
        else:
            field.select_option("" if pd.isna(value) else str(feature.levels.index(str(value))))
    page.locator("#form input, #form select").last.press("Enter")


@pytest.mark.parametrize(("sample", "preset"), [("titanic", "c4.5"), ("titanic", "cart"), ("mpg", "cart")])
def test_the_form_answers_as_the_tree_does(offline, sample, preset):
    table = read_sample(sample)
    tree = tc.grow(table, preset, min_rows_leaf=5)
    page = offline(tree)
    rows = table.take(np.array([0, 5, 17, 19])).to_frame()
    for place, expected in enumerate(tree.predict(rows)):
        fill(page, tree, rows.iloc[place])
        said = page.locator("#answer").inner_text()
        assert said == f"{tree.schema.target} = {expected if tree.classes else f'{expected:.4g}'}"
        assert page.locator(".node.way").count() >= 2
    assert len(tc.export(tree, "html")) < 400_000


def test_nodes_fold_and_are_found_and_walked_by_keyboard(offline):
    tree = tc.grow(read_sample("titanic"), min_rows_leaf=5)
    page = offline(tree)
    shown = page.locator(".node").count()
    assert 9 <= shown <= 60
    page.locator(".stage").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUS) == "n1"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUS) == "n2"
    page.keyboard.press(" ")
    assert "Node 2: sex" in page.locator("#node").inner_text()
    bars = page.locator('.node[data-node="2"] .card rect:not(.face)')
    assert [bar.get_attribute("fill") for bar in bars.all()] == ["#0072b2", "#e69f00"]
    keys = page.locator("#node .swatch rect").evaluate_all("all => all.map((key) => key.getAttribute('fill'))")
    assert keys == ["#0072b2", "#e69f00"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("f")
    assert page.locator(".node").count() == 1
    page.get_by_role("button", name="Open all").click()
    assert page.locator(".node").count() == tree.n_nodes
    page.get_by_role("button", name="Fold", exact=True).first.click()
    assert page.locator(".node").count() == shown
    page.keyboard.press("/")
    page.keyboard.type("embarked")
    page.wait_for_function("() => canvas.searched === 'embarked'")
    asks = [t for t in range(tree.n_nodes) if tree.node(t).feature == "embarked"]
    assert page.locator(".found").inner_text() == f"1 of {len(asks)}"
    assert page.locator(".node.hit").count() >= 1
    page.keyboard.press("Enter")
    page.wait_for_function("(at) => picked === at || canvas.pane.active === at", arg=asks[1])
    before = page.locator(".world").get_attribute("transform")
    page.mouse.move(400, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        "before => document.getElementById('canvas').shadowRoot.querySelector('.world').getAttribute('transform')"
        " !== before",
        arg=before,
    )


def test_hostile_names_stay_text_in_light_and_dark(offline, chromium):
    n = 60
    frame = pd.DataFrame(
        {"</script><b>x": np.arange(n), NAMES[7]: ["<i>", "__proto__"] * (n // 2), "y": ["a&b", "'\""] * (n // 2)}
    )
    tree = tc.grow(tc.read_table(frame, target="y"), Grow("cart").growth())
    page = offline(tree, "<img src=x>")
    assert page.locator("h1").inner_text().startswith("y of <img src=x>")
    assert page.locator(TAG).count() == 0
    page.keyboard.press("Alt+p")
    page.keyboard.press("PageDown")
    assert page.locator("#stagetitle").inner_text() == f"Split 1 of 1: {NAMES[7]}"
    assert page.locator(TAG).count() == 0
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light


def test_missing_values_go_beside_the_branches(offline):
    table = read_sample("titanic").with_features(["age", "sex"])
    for missing, n_beside in (("majority", 1), ("fractional", 2)):
        page = offline(tc.grow(table, missing=missing, max_depth=3))
        routes = page.locator(".route.on")
        assert routes.count() >= n_beside
        assert page.locator(".condition text", has_text=re.compile(r"^[\d.]+ (missing|\?)$")).count() == routes.count()
        apart = page.evaluate(MIDDLES)
        assert all(distance > 4 for distance in apart), "no route lies on its edge"
    page = offline(tc.grow(table, missing="stay", max_depth=3))
    assert page.locator(".rest text", has_text="missing stay here").count() == page.locator(".rest .route").count() > 0


def test_classes_of_one_colour_have_signs(offline):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 23, 600)
    frame = pd.DataFrame({"a": y + rng.normal(0, 0.1, 600), "y": [f"kind {k:02d}" for k in y]})
    page = offline(tc.grow(tc.read_table(frame, target="y")))
    bars = page.locator('.node[data-node="0"] .card rect:not(.face)').all()
    fills = [bar.get_attribute("fill") for bar in bars]
    assert len(set(fills)) == 23
    drawn = [re.match(r"url\(#(.*)\)", fill)[1] for fill in fills if fill.startswith("url")]
    assert [page.locator(f"#{name} .lines").count() >= 1 for name in drawn] == [True] * 13


def test_a_row_that_is_shared_says_its_parts_and_their_sum(offline):
    page = offline(tc.grow(read_sample("play_tennis"), "c4.5", max_depth=1))
    page.locator("#form button, #form select").last.press("Enter")
    page.evaluate("() => document.getElementById('form').requestSubmit()")
    assert page.locator("#sure").inner_text() == "shared among 3 leaves; 35.7 % No, 64.3 % Yes"
    lines = page.locator("#parts li").all_inner_texts()
    assert sorted(line[:4] for line in lines[:3]) == ["28.6", "35.7", "35.7"]
    assert "28.6 % of the row ends where Outlook = Overcast: 0.0 % No" in lines
    assert lines[3].endswith("= 0.3571 (35.7 %)")
    assert "0.2857 · 0" in lines[3]
    page.locator("#form select").first.select_option("0")
    assert page.locator("#parts li").count() == 0


def test_a_size_is_dragged_and_all_that_stands_beside_the_tree_is_of_that_size(offline):
    table = read_sample("titanic")
    tree = tc.grow(table, min_rows_leaf=8)
    steps = tc.sequence(tree, risk="impurity")
    page = offline(tree)
    sized(page, "ArrowLeft", len(steps) - 3)
    k = len(steps) - 3
    small = tree.cut(steps.cuts(k))
    assert page.locator(".slide").get_attribute("aria-valuetext").startswith(f"{small.n_leaves} leaves")
    assert page.locator(".node.fallen").count() > 0
    row = table.take([4]).to_frame().iloc[0]
    fill(page, tree, row)
    assert page.locator("#answer").inner_text() == f"survived = {small.predict(table.take([4]))[0]}"
    page.locator("#tab-if").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#rulelist li").count() == small.n_leaves
    page.locator("#rulefind").fill("female")
    assert 0 < page.locator("#rulelist li").count() < small.n_leaves
    page.locator("#tab-segments").click()
    rates = [float(text.split()[0]) for text in page.locator("#segmentlist td:nth-child(2)").all_inner_texts()]
    assert rates == sorted(rates, reverse=True)
    assert len(rates) == small.n_leaves
    page.get_by_role("button", name="Ghosts").click()
    assert page.locator(".node.fallen").count() == 0
    for shape in ("Icicle", "Rings"):
        page.get_by_role("button", name=shape).click()
        assert page.locator(".node.part").count() == small.n_nodes


def test_a_place_of_the_regions_answers_as_the_tree_does(offline):
    table = read_sample("iris")
    tree = tc.grow(table, max_depth=3)
    page = offline(tree)
    page.locator("#tab-regions").click()
    for x, y in ((30, 30), (200, 60), (130, 220)):
        page.locator("#plane").click(position={"x": x, "y": y})
        said = page.locator("#planesaid").inner_text()
        values = page.evaluate("() => asked()")
        row = {feature.name: values.get(feature.name) for feature in tree.schema.features}
        answer = tree.predict(pd.DataFrame([row]))[0]
        assert said == f"{table.target} = {answer}"
        drawn = page.evaluate(
            "([x, y]) => [...document.getElementById('plane').getContext('2d').getImageData(x, y, 1, 1).data]", [x, y]
        )
        k = tree.classes.index(answer)
        wanted = page.evaluate("(k) => COLORS[k].match(/\\w\\w/g).map((part) => parseInt(part, 16))", k)
        assert drawn[:3] == pytest.approx(wanted, abs=2)


@pytest.mark.parametrize("width", [390, 1366])
def test_a_page_of_three_hundred_leaves_is_small_and_without_barriers(offline, width):
    tree = tc.grow(read_sample("customers"), max_leaves=300)
    assert len(tc.export(tree, "html").encode()) < 700_000
    page = offline(tree)
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("rules", "segments", "regions"):
        page.locator(f"#tab-{name}").click()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert barriers(page) == []


INSIDE = """() => {
    const scene = document.getElementById("scene").getBoundingClientRect();
    return [...document.getElementById("grown").shadowRoot.querySelectorAll(".card-face")].every((card) => {
        const box = card.getBoundingClientRect();
        return box.width && box.left >= scene.left - 1 && box.right <= scene.right + 1
            && box.top >= scene.top - 1 && box.bottom <= scene.bottom + 1;
    });
}"""
"""Does every node of the presentation lie in the window?"""
LETTERS = """() => Math.min(...[...document.getElementById("grown").shadowRoot.querySelectorAll(".title, .strong")].map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))"""
"""Pixels of the smallest name of a node."""


def walked(page) -> list[int]:
    """The node of every step, in order, from the first to the last."""
    nodes = []
    while True:
        nodes.append(int(page.locator("#grown .node.selected").get_attribute("data-node")))
        if page.locator("#forwards").is_disabled():
            return nodes
        page.keyboard.press("PageDown")


@pytest.mark.parametrize("growth", [{"max_leaves": 7}, {"max_depth": 3}])
def test_a_tree_is_presented_in_the_order_of_its_growth(offline, growth):
    tree = tc.grow(read_sample("titanic"), **growth)
    page = offline(tree)
    page.keyboard.press("Alt+p")
    assert page.locator("#stagetitle").inner_text() == "Before the first split"
    assert page.locator("#grown .node").count() == 1
    order = split_order(tree).tolist()
    for k, node in enumerate(order, 1):
        page.keyboard.press("PageDown")
        view = tree.node(node)
        title, told = page.locator("#stagetitle").inner_text(), page.locator("#stagetext").inner_text()
        assert title == f"Split {k} of {len(order)}: {view.feature}"
        assert f"Node {node} (" in told
        assert f"{view.weight:.0f} rows, is split on {view.feature}. Gain {brief(view.gain)}." in told
        for child in tree.children(node):
            assert f"{tree.node(child).condition}: {tree.node(child).weight:.0f} rows" in told
        assert page.locator("#grown .node").count() == tree.after(k).n_nodes
        page.wait_for_function(INSIDE)  # a caption of more lines is seen with the next frame
    assert page.locator("#forwards").is_disabled()
    page.keyboard.press("Home")
    assert page.locator("#grown .node").count() == 1
    page.locator("#last").click()
    assert page.locator("#stageat").inner_text() == f"{len(order)} of {len(order)}"
    page.keyboard.press("PageUp")
    assert page.locator("#stageat").inner_text() == f"{len(order) - 1} of {len(order)}"
    page.locator("#end").click()
    assert not page.locator("#stage").is_visible()
    page.wait_for_function("() => document.activeElement.id === 'canvas'")  # where keys go on


def test_a_tree_that_is_cut_is_presented_as_it_is_cut(offline):
    tree = tc.grow(read_sample("titanic"), min_rows_leaf=8)
    steps = tc.sequence(tree, risk="impurity")
    page = offline(tree)
    sized(page, "ArrowLeft", len(steps) - 4)
    small = tree.cut(steps.cuts(len(steps) - 4))
    page.get_by_role("button", name="Present").click()
    assert len(walked(page)) == small.n_nodes - small.n_leaves + 1
    assert page.locator("#grown .node").count() == small.n_nodes
    page.keyboard.press("Escape")
    assert not page.locator("#stage").is_visible()


@pytest.mark.parametrize(("width", "height", "least"), [(1366, 768, 14), (390, 844, 10)])
def test_every_step_of_a_large_tree_fits_the_window_and_is_legible(offline, width, height, least):
    page = offline(tc.grow(read_sample("customers"), max_leaves=300))
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Present").click()
    for k in (0, 1, 7, 60, 150, 299):
        page.evaluate("(k) => go(k)", k)
        page.wait_for_function(INSIDE)  # a caption of more lines is seen with the next frame
        assert page.evaluate(LETTERS) >= least
        assert page.evaluate(CLASHES, "grown")[1] == []
        assert page.locator("#grown .node.selected").count() == 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert barriers(page) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []


def test_a_node_of_the_presentation_is_pressed_and_keys_walk_from_there(offline):
    tree = tc.grow(read_sample("titanic"), max_leaves=7)
    page, order = offline(tree), split_order(tree).tolist()
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("End")
    for step in (4, 2):
        page.locator(f'#grown .node[data-node="{order[step - 1]}"] .card-face').click()
        assert page.locator("#stageat").inner_text() == f"{step} of {len(order)}"
    page.keyboard.press("ArrowRight")
    assert page.locator("#stageat").inner_text() == f"3 of {len(order)}"
    assert page.evaluate("picked") == 0  # the page below hears none of it


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_cards_of_the_presentation_are_those_of_the_canvas(offline, sample):
    tree = tc.grow(read_sample(sample), max_leaves=6)
    page = offline(tree)
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("End")
    told = """(host) => Object.fromEntries([...document.getElementById(host).shadowRoot.querySelectorAll(".node")].map(
        (node) => [node.dataset.node, [
            node.getAttribute("aria-label"), node.querySelector(".card-face").style.fill,
            [...node.querySelectorAll(".card rect")].length, [...node.querySelectorAll(".card text")].map((text) =>
                text.textContent)]]))"""
    assert page.evaluate(told, "grown") == page.evaluate(told, "canvas")
    assert len(page.evaluate(told, "grown")) == tree.n_nodes


def test_a_presentation_moves_only_where_motion_is_wanted_and_is_swiped(offline):
    page = offline(tc.grow(read_sample("iris"), max_depth=3))
    moving = "() => 'moving' in scene.pane.root.dataset"
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("PageDown")
    assert page.evaluate(moving)
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("PageDown")
    page.wait_for_function(f"() => !({moving})()")
    page.keyboard.press("PageUp")
    assert not page.evaluate(moving)
    page.keyboard.press("PageDown")
    swipe = """([from, to]) => {
        const scene = document.getElementById("scene");
        const at = (x) => [new Touch({ identifier: 1, target: scene, clientX: x, clientY: 300 })];
        scene.dispatchEvent(new TouchEvent("touchstart", { touches: at(from), changedTouches: at(from) }));
        scene.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: at(to) }));
    }"""
    for way, at in (([300, 100], "3"), ([100, 300], "2"), ([100, 130], "2")):
        page.evaluate(swipe, way)
        assert page.locator("#stageat").inner_text().startswith(at)


def test_a_printed_presentation_is_its_step_alone(offline):
    page = offline(tc.grow(read_sample("iris"), max_depth=3))
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("End")
    page.emulate_media(media="print")
    assert page.locator("#grown .node").first.is_visible()
    assert page.locator("#stagetitle").is_visible()
    assert not page.locator("header").is_visible()
    assert not page.locator("#walk").is_visible()
    page.emulate_media(media="screen")
    page.locator("#end").click()
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()


def test_a_presented_name_turns_no_text_around(offline):
    turned = "turned\u202eround </script><i>"
    frame = pd.DataFrame({turned: np.arange(60), "y": ["\u202eno", "yes"] * 10 + ["yes", "yes"] * 20})
    page = offline(tc.grow(tc.read_table(frame, target="y"), max_depth=2))
    page.keyboard.press("Alt+p")
    for _ in range(2):
        assert "\u202e" not in page.locator("#stage").inner_text() + page.locator("#grown .world").text_content()
        assert page.locator("#stage :not(.scale) > i").count() == 0
        page.keyboard.press("PageDown")
    assert page.locator("#stagetitle").inner_text().endswith("turned[U+202E]round </script><i>")


def test_a_presented_title_stands_clear_of_the_rows_beside_it(offline):
    rng = np.random.default_rng(0)
    names = ["tenure_months", "support_calls_last_quarter", "m" * 40]
    frame = pd.DataFrame({name: rng.integers(0, 9, 12_345) for name in names})
    frame["y"] = np.where(frame.sum(axis=1) + rng.normal(0, 2, len(frame)) > 12, "yes", "no")
    page = offline(tc.grow(tc.read_table(frame, target="y"), max_depth=3))
    page.keyboard.press("Alt+p")
    page.keyboard.press("End")
    n_texts, clashes = page.evaluate(CLASHES, "grown")
    assert n_texts > 20
    assert clashes == []


def lit_ends(page) -> set[int]:
    """The leaves that the way in the tree leads to."""
    nodes = page.locator(".node.way").evaluate_all("all => all.map((node) => Number(node.dataset.node))")
    return {at for at in nodes if not page.evaluate("(at) => (TREE.nodes[at].children || []).length", at)}


@pytest.mark.parametrize(("sample", "without"), [("titanic", ()), ("titanic", ("age", "sex")), ("mpg", ("weight",))])
def test_rows_of_a_node_are_listed_searched_sorted_and_sent_down(offline, sample, without):
    table = read_sample(sample)
    tree = tc.grow(table, "c4.5" if sample == "titanic" else "cart", min_rows_leaf=20)
    page = offline(tree, rows=table, sample_rows=120, without=without)
    page.locator("#tab-rows").click()
    assert "120 of" in page.locator("#rowsof").inner_text()
    assert not set(without) & set(page.locator("#rowlist th").all_inner_texts())
    listed = page.locator("#rowlist tr[data-row]")
    assert listed.count() == 120
    ends = page.evaluate("() => ROWS.ends.map((ends) => ends[0][0])")
    child = tree.children(0)[0]
    page.locator(f'.node[data-node="{child}"]').click()
    below = np.append(np.flatnonzero(tree.descendants(child)), child)
    assert listed.count() == np.isin(ends, below).sum() > 0
    page.locator('.node[data-node="0"]').click()
    name = "fare" if sample == "titanic" else "horsepower"
    numbers = """(wanted) => [...document.querySelectorAll("#rowlist tr[data-row]")].map((row) =>
        ROWS.columns.find(({ name }) => name === wanted).cells[row.dataset.row])"""
    for way in (1, -1):
        page.locator("#rowlist th button", has_text=name).click()
        shown = [way * value for value in page.evaluate(numbers, name) if value is not None]
        assert shown == sorted(shown)
    drawn = table.take(sampled_rows(tree.apply(table), 120, "leaves", 0))
    answers = tree.predict(drawn)
    for row in (0, 17, 60, 119):
        page.locator(f'#rowlist tr[data-row="{row}"] button').click()
        answer = f"{answers[row]}" if tree.classes else f"{answers[row]:.4g}"
        assert f"{tree.schema.target} = {answer} " in page.locator("#rowmore").inner_text()
        assert lit_ends(page) == {end for end, _ in page.evaluate("(row) => ROWS.ends[row]", row)}
        if not without:
            assert page.evaluate("() => walk(asked()).map(([at]) => at).sort()") == page.evaluate(
                "(row) => ROWS.ends[row].map(([at]) => at).sort()", row
            )
    sized(page, "Home")
    assert lit_ends(page) == {0}
    page.locator("#rowfind").fill("no such row")
    assert listed.count() == 0
    assert "0 found" in page.locator("#rowmore").inner_text()


def test_rows_are_text_and_without_barriers(offline):
    frame = pd.DataFrame(
        {"a": np.arange(80), "who": [f"</script><i>\u202e{i}" for i in range(80)], "y": ["no"] * 40 + ["yes"] * 40}
    )
    table = tc.read_table(frame, target="y").with_features(["a"])
    for width in (1366, 390):
        page = offline(tc.grow(table), rows=table, sample_rows=60)
        page.set_viewport_size({"width": width, "height": 844})
        page.locator("#tab-rows").click()
        page.locator("#rowlist td button").first.click()
        assert page.locator(TAG).count() == 0
        assert "</script><i>[U+202E]" in page.locator("#rowlist").inner_text()
        assert "\u202e" not in page.locator("#rowlist").inner_text()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == []


def test_a_worked_example_is_walked_by_the_same_controls(offline):
    example = worked_example("play_tennis")
    page = offline(example.steps[-1].tree, example=example)
    assert page.locator("#pane-steps h3").all_inner_texts() == [
        f"{k}: {step.title}" for k, step in enumerate(example.steps, 1)
    ]
    page.keyboard.press("Alt+p")
    for k, step in enumerate(example.steps, 1):
        assert page.locator("#stageat").inner_text() == f"{k} of {len(example.steps)}"
        assert page.locator("#stagetitle").inner_text() == step.title
        told = page.locator("#stagetext").inner_text()
        assert all(part in told for part in (step.text, step.place, *step.remarks))
        cells = page.locator("#stagetext td").all_inner_texts()
        assert cells == [cell for figure in step.figures for cell in figure]
        assert page.locator("#grown .node.selected").get_attribute("data-node") == str(step.node)
        assert page.locator("#grown .node").count() == step.tree.after(step.made).n_nodes
        page.wait_for_function(INSIDE)  # a caption of more lines is seen with the next frame
        page.keyboard.press("PageDown")
    page.locator("#which").select_option("growth")
    assert page.locator("#stagetitle").inner_text() == "Before the first split"
    page.keyboard.press("Escape")
    page.locator("#pane-steps h3 button").nth(4).click()
    assert page.locator("#stagetitle").inner_text() == example.steps[4].title


@pytest.mark.parametrize("width", [390, 1366])
def test_hostile_steps_are_text_and_without_barriers(offline, width):
    table = read_sample("iris")
    tree = tc.grow(table, max_depth=3)
    text = "</script><img src=x onerror=alert(1)> \u202e" + NAMES[7] + " " + "long" * 80
    steps = (ExampleStep(text, text, tree, 2, 1, text, ((text, "1", "2"),), (text,)), ExampleStep("two", "", tree))
    page = offline(tree, example=WorkedExample(text, steps), rows=table, sample_rows=20)
    page.set_viewport_size({"width": width, "height": 800})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert barriers(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Present").click()
        assert page.locator("#stage img, #pane-steps img").count() == 0
        assert "\u202e" not in page.locator("#stage").inner_text()
        page.wait_for_function(INSIDE)  # a caption of more lines is seen with the next frame
        assert page.evaluate("(box) => box.scrollWidth <= box.clientWidth", page.locator("#stage").element_handle())
        assert barriers(page) == []
        page.locator("#end").click()
    page.emulate_media(media="print")
    assert page.locator("#pane-steps").is_visible()


def houses(n: int = 3000) -> pd.DataFrame:
    """Long names of features and levels, and a feature with gaps."""
    draw, towns = np.random.default_rng(2), [*(f"A very long name of a town, number {k}" for k in (1, 2)), "Hills"]
    frame = pd.DataFrame({"Wohnfläche in Quadratmetern (gesamt)": draw.normal(100, 30, n).round(1)})
    frame["age of the building"], frame["town"] = draw.integers(0, 90, n), draw.choice(towns, n)
    frame["x"] = draw.normal(size=n)
    price = frame.iloc[:, 0] * draw.normal(1, 0.4, n) + frame["age of the building"] * (frame["town"] == "Hills")
    frame["class"] = np.where(price + 20 * frame["x"] > 110, "quite expensive", "cheap")
    frame.loc[draw.random(n) < 0.1, "age of the building"] = np.nan
    return frame


@pytest.mark.parametrize(("preset", "options"), [("c4.5", {}), ("cart", {"max_surrogates": 2})])
def test_counts_of_missing_values_are_whole_and_lie_under_no_pill(offline, preset, options):
    frame = gaps() if options else gaps()[["a", "b", "c", "y"]]
    page = offline(tc.grow(tc.read_table(frame, target="y"), preset, max_depth=6, **options))
    for turned in ("as it opens", "from the left"):
        told, clashes = page.evaluate(MISSING)
        assert told
        assert not any("…" in text or "NA" in text for text in told), told
        assert clashes == []
        if turned == "as it opens":
            assert any(text.endswith(" ?") for text in told) == bool(options), told
            page.locator(".tools button", has_text="→").click()
            page.locator(".bench.lr").wait_for()
    entry = page.locator(".legend li.missing")
    assert entry.inner_text() == "? missing value"
    assert "“?”" in entry.get_attribute("title")
    titles = page.locator(".condition title").all_text_contents()
    shown = [
        row["came"] for row in page.evaluate("[...canvas.pane.nodes.values()].map(({ row }) => row)") if row.get("came")
    ]
    assert sorted(title.split(":")[0] for title in titles) == sorted(shown)  # in full, whatever there was room for


@pytest.mark.parametrize("turned", ["LR", "TB"])
def test_what_surrogates_took_is_told_clear_of_other_texts_and_within_the_canvas(offline, turned):
    page = offline(tc.grow(tc.read_table(gaps(), target="y"), "cart", max_depth=6, max_surrogates=2))
    page.evaluate(
        "(turned) => canvas.hear({ seq: canvas.sequence, kind: 'choose', name: 'orientation', value: turned })", turned
    )
    page.get_by_role("button", name="Open all").click()
    assert page.locator(".bench.lr").count() == (turned == "LR")
    assert len(page.locator(".rest text").all_text_contents()) > 5
    assert page.evaluate(CLASHES, "canvas")[1] == []
    under = """() => {
        const root = document.getElementById("canvas").shadowRoot, cards = [...root.querySelectorAll(".card-face")];
        const boxes = cards.map((card) => card.getBoundingClientRect()), { width } = canvas.pane.data;
        return [...root.querySelectorAll(".rest text")].filter((text) => {
            const box = text.getBoundingClientRect(), end = text.getBBox().x + text.getBBox().width;
            const high = (card) => Math.min(card.bottom, box.bottom) - Math.max(card.top, box.top);
            return Number(text.closest(".node").transform.baseVal[0].matrix.e) + end > width + 11
                || boxes.some((card) => card.left < box.right && box.left < card.right && high(card) > 4);
        }).map((text) => text.textContent);
    }"""
    assert page.evaluate(under) == []


def gaps() -> pd.DataFrame:
    """Each feature has gaps, and a neighbour that knows what it does."""
    rng, n = np.random.default_rng(4), 1500
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    frame["y"] = np.where(frame.a * frame.b + frame.c + rng.normal(size=n) / 2 > 0, "yes", "no")
    for name in "abc":
        frame[f"{name} again"] = frame[name] + rng.normal(size=n)
        frame.loc[rng.random(n) < 0.15, name] = np.nan
    return frame


def test_a_long_name_leaves_the_colours_of_the_legend_their_room(offline):
    name = "what a household of this town spends on heating its rooms in one winter"
    page = offline(tc.grow(tc.read_table(houses(600).rename(columns={"x": name}), target=name), max_depth=2))
    entry = page.locator(".legend .scale")
    assert entry.locator("i").bounding_box()["width"] == 96
    assert entry.evaluate("(entry) => entry.scrollWidth <= entry.clientWidth")
    assert page.evaluate("canvas.numbers.high") in entry.text_content()


def test_a_long_name_of_a_figure_gives_way_to_the_figure(offline):
    page = offline(tc.grow(tc.read_table(houses(600), target="x"), max_depth=2))
    page.evaluate("""() => {
        canvas.lines = () => [["mean of what households spend with treatment", "12,345.6 €"]];
        canvas.detail = "lab";
        canvas.show();
    }""")
    figures = page.locator(".node .card text", has_text="12,345.6 €")
    figures.first.wait_for(state="attached")
    assert figures.count() == page.locator(".node").count()
    for figure in figures.all():
        free = figure.evaluate("(text) => text.getBBox().x - text.previousSibling.getBBox().x")
        name = figure.evaluate("(text) => text.previousSibling.getBBox().width")
        assert 0 < name < free


def test_names_that_begin_alike_are_told_apart_on_cards(offline):
    rng = np.random.default_rng(0)
    ask, answer = "average balance of the household account, {} quarter", "customer of the branch office in the {}"
    frame = pd.DataFrame({ask.format(name): rng.normal(size=400) for name in ("first", "second", "third")})
    low, left, right = (frame.iloc[:, k] > 0 for k in range(3))
    parts = [low & left, low & ~left, ~low & right]
    frame["y"] = np.select(parts, [answer.format(name) for name in ("north", "south", "east")], answer.format("west"))
    page = offline(tc.grow(tc.read_table(frame, target="y"), max_depth=2))
    titles = page.locator(".node .title, .node .strong").all_text_contents()
    for asked in ("first", "second", "third"):
        assert any(asked[:5] in title and "…" in title for title in titles), titles
    for end in ("north", "south", "east", "west"):
        assert any(title.endswith(end) for title in titles), titles


@pytest.mark.parametrize(
    "names",
    [
        ["will leave the bank within one year", "stays with the bank for longer"],
        ["2 years or longer with the bank", "1 year with the bank"],
        [f"customer of the branch office in the {end}" for end in ("north", "south", "east", "west")],
    ],
)
@pytest.mark.parametrize("turned", ["↓", "→"])
def test_a_long_name_of_a_class_is_cut_once_and_its_share_is_whole(offline, names, turned):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"balance": rng.normal(size=600), "income of the household": rng.normal(size=600)})
    place = (frame.iloc[:, 0] + rng.normal(0, 0.3, 600) > 0) + 2 * (frame.iloc[:, 1] > 0)
    frame["y"] = np.array(names)[place % len(names)]
    tree = tc.grow(tc.read_table(frame, target="y"), max_depth=4)
    page = offline(tree)
    page.locator(".tools button", has_text=turned).click()
    facts = """() => [...canvas.pane.nodes.values()].map(({ id, group }) =>
        [id, [...group.querySelectorAll(".card .fact")].map((text) => text.textContent)])"""
    interest = interest_of(tree)
    for node, texts in page.evaluate(facts):
        shares = tree.stats[node] / tree.stats[node].sum()
        k = interest.k if interest else int(tree.value[node])
        share = percent(shares[k]).replace("\u00a0", " ")
        (told,) = [text for text in texts if share in text]
        pieces = told.replace(share, "").strip(" :").split("…")
        assert all(pieces[1:-1]), told
        place = -1
        for piece in filter(None, map(str.strip, pieces)):
            place = tree.class_names[k].find(piece, place + 1)
            assert place >= 0, told
        assert sum(map(len, pieces)) >= 7 or pieces == [""], "of a name nothing is left rather than a few letters"
    assert page.locator("#node").inner_text().count(tree.class_names[k]) >= 1  # in full, where there is room


def test_cards_of_numbers_show_how_far_rows_lie_from_their_mean(offline):
    tree = tc.grow(tc.read_table(houses(600), target="x"), max_depth=2)
    page = offline(tree)
    low, high = tree.value.min(), tree.value.max()
    deviation = np.sqrt(tree.impurity)
    expected = [np.clip((tree.value + k * deviation - low) / (high - low), 0, 1) for k in (-1, 0, 1)]
    told = page.evaluate("SAID.map(({ spread }) => spread)")
    assert np.allclose(told, np.transpose(expected), atol=1e-4)
    assert page.locator(".node .deviation").count() == page.locator(".node").count() > 3


@pytest.mark.parametrize("leaves", [5, 30, 150])
def test_no_text_lies_over_another_or_over_a_branch(offline, leaves):
    tree = tc.grow(tc.read_table(houses(), "class"), "cart", max_leaves=leaves, missing="majority")
    page = offline(tree)
    for step in ("as it opens", "all of it"):
        if step == "all of it":
            page.get_by_role("button", name="Open all").click()
        n_texts, clashes = page.evaluate(CLASHES, "canvas")
        assert clashes == [], step
        assert n_texts >= 3 * leaves if step == "all of it" else n_texts > 20


def test_lines_of_log_odds_give_each_row_its_share(offline):
    table = read_sample("titanic")
    tree = tc.grow(table, "cart", leaf_model="linear", min_rows_leaf=8, max_depth=3)
    page = offline(tree, rows=table, sample_rows=80)
    rows = table.take(sampled_rows(tree.apply(table), 80, "leaves", 0))
    ask = "[...ROWS.ends.keys()].map((row) => [predict(rowAt(row)), shares(rowAt(row))[1][1]])"
    for kept, at in ((tree, None), (tree.cut(tc.sequence(tree, "impurity").cuts(2)), 2)):
        if at is not None:
            page.evaluate("canvas.hear({ seq: canvas.sequence, kind: 'step', step: 2 })")
        told = page.evaluate(ask)
        assert [label for label, _ in told] == kept.predict(rows).tolist()
        np.testing.assert_allclose([share for _, share in told], kept.predict_proba(rows)[:, 1], rtol=1e-12)
    line = next(i for i, leaf in enumerate(tree.apply(rows)) if tree.lines.n_terms[leaf])
    page.evaluate("canvas.hear({ seq: canvas.sequence, kind: 'step', step: 0 })")
    page.evaluate(f"send({line})")
    assert "log-odds of “1” = " in page.locator("#sure").inner_text()
    assert set(page.locator(".node.leaf .title").all_text_contents()) <= {"0", "1"}


def test_leaves_with_lines_answer_rows_and_write_the_sum_out(offline):
    table = read_sample("mpg")
    tree = tc.grow(table, "cart", leaf_model="linear", min_rows_leaf=8, max_depth=4)
    page = offline(tree, rows=table, sample_rows=80)
    rows = table.take(sampled_rows(tree.apply(table), 80, "leaves", 0))
    told = page.evaluate("[...ROWS.ends.keys()].map((row) => predict(rowAt(row)))")
    np.testing.assert_allclose(told, tree.predict(rows), rtol=1e-12)
    page.evaluate("send(5)")
    assert float(page.locator("#answer").inner_text().split("=")[1]) == pytest.approx(tree.predict(rows)[5], rel=5e-4)
    assert "×" in page.locator("#sure").inner_text() or not tree.lines.n_terms[tree.apply(rows)[5]]
    cut = tree.cut(tc.sequence(tree).cuts(2))
    page.evaluate("canvas.hear({ seq: canvas.sequence, kind: 'step', step: 2 })")
    told = page.evaluate("[...ROWS.ends.keys()].map((row) => predict(rowAt(row)))")
    np.testing.assert_allclose(told, cut.predict(rows), rtol=1e-12)
