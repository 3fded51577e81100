"""Step by step in a real browser: numbers of a split's cards fly to their places in its arithmetic."""

import re

import pytest

pytestmark = pytest.mark.browser
FLOWN = """() => {
    window.flown = [];
    const note = (part) => {
        const [{ effect }] = part.getAnimations(), { node, number } = part.dataset;
        const [x, y] = effect.getKeyframes()[1].transform.match(/-?[\\d.]+/g).map(Number);
        const end = [x + part.offsetWidth / 2, y + part.offsetHeight / 2];
        const near = (start, length, middle) => Math.abs(start + length / 2 - middle) < 3;
        const places = [...document.querySelectorAll(".st-key-drawer .katex-html .mord")].filter((place) => {
            const { left, top, width, height } = place.getBoundingClientRect();
            return !place.childElementCount && near(left, width, end[0]) && near(top, height, end[1]);
        });
        const line = places[0]?.closest(".katex-display").querySelector("annotation").textContent;
        const there = places.map((place) => place.textContent), catches = getComputedStyle(part).pointerEvents;
        window.flown.push({
            node, number, line, there, catches, shown: part.textContent, endTime: effect.getComputedTiming().endTime,
        });
    };
    const added = (all) => all.flatMap(({ addedNodes }) => [...addedNodes]);
    new MutationObserver((all) => added(all).filter((part) => part.className === "flight").forEach(note))
        .observe(document.body, { childList: true });
}"""
"""Notes of every number that flies: from which node, which, and what stands in the formula where it lands."""
ALOFT = "() => document.querySelectorAll('.flight').length"


def flown(app) -> list[dict]:
    app.page.locator(".st-key-drawer .katex-display").last.scroll_into_view_if_needed()
    app.page.wait_for_timeout(400)  # they take off with the frame in which the lines are seen
    app.page.wait_for_function(f"() => !({ALOFT})()")
    return app.page.evaluate("window.flown.splice(0)")


def test_numbers_of_a_split_fly_from_its_cards_into_its_arithmetic(app, faults):
    app.sample("Titanic")
    app.go("Step by step")
    app.settled()
    app.drawn()
    app.page.evaluate(FLOWN)
    app.page.keyboard.press("PageDown")
    app.settled()
    made = int(app.page.get_by_label("Splits made").last.input_value())
    found = flown(app)
    node = int(re.search(r"node (\d+)", app.page.get_by_role("heading", name=f"Split {made}").inner_text())[1])
    on_cards = {
        card.get_attribute("data-node"): card.locator(".card .fact").all_text_contents()
        for card in app.page.locator(".bench .node").all()
    }
    assert len(found) > 6
    assert {one["node"] for one in found} > {str(node)}, "of the node and of its branches"
    for one in found:
        plain = one["number"].replace(",", "")
        assert one["number"] in on_cards[one["node"]]
        assert one["shown"].replace(",", "") == plain
        assert plain in [text.replace(",", "") for text in one["there"]], one
        assert one["endTime"] <= 700
        assert one["catches"] == "none"
        if one["line"].startswith("i(t)"):
            assert one["node"] == str(node)

    app.page.keyboard.press("PageDown")  # what flies waits for nobody, and nobody for it
    app.page.wait_for_function(f"() => ({ALOFT})() > 0")
    app.page.locator(".bench .world").click(position={"x": 2, "y": 2}, force=True)
    assert app.page.evaluate(ALOFT) == 0
    hidden = "() => document.querySelector('.st-key-drawer').getAnimations({ subtree: true }).length"
    assert app.page.evaluate(hidden) == 0, "every number of the formulas is seen"

    app.page.emulate_media(reduced_motion="reduce")
    app.page.evaluate("window.flown = []")
    app.page.keyboard.press("PageDown")
    app.settled()
    assert flown(app) == []
    app.page.emulate_media(reduced_motion="no-preference")
    assert [*app.faults(), *faults] == []


WITHIN = """() => {
    const host = [...document.querySelectorAll("*")].find((part) => part.shadowRoot?.querySelector(".bench"));
    const root = host?.shadowRoot ?? document, stage = root.querySelector(".stage").getBoundingClientRect();
    return [...root.querySelectorAll(".node:not(.unborn) .card-face")].every((card) => {
        const { left, right, top, bottom, width } = card.getBoundingClientRect();
        return width && left >= stage.left && right <= stage.right && top >= stage.top && bottom <= stage.bottom;
    });
}"""
"""Is every card that has grown so far in view, as a card?"""


def test_every_step_that_is_presented_is_in_view(laptop):
    """The fourth split's branches need more width than letters of 16 pixels leave; half of them were out of sight."""
    laptop.sample("Titanic")
    laptop.go("Step by step")
    laptop.settled()
    laptop.drawn()
    laptop.page.keyboard.press("Alt+p")
    laptop.settled()
    laptop.page.locator(".bench.presenting").wait_for()
    laptop.fitted()
    for _ in range(5):
        laptop.page.keyboard.press("PageDown")
        laptop.settled()
        laptop.page.wait_for_function(WITHIN)
