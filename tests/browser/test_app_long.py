"""Many classes and long sums in a real browser: the page stays a page."""

import pytest

pytestmark = pytest.mark.browser
OVERFLOW = """() => [...document.querySelectorAll('.katex-display')].map(
    e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).overflowX])"""


INKS = """() => [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).filter(Boolean).map(
    bench => ({
        signs: [...bench.querySelectorAll(".picture pattern")].map(
            p => p.getAttribute("patternTransform") + p.innerHTML),
        shown: getComputedStyle(bench.querySelector(".picture")).display !== "none",
        fills: [...bench.querySelectorAll(".whole .part :is(rect, path)")].map(shape => shape.style.fill),
    }))[0]"""


def test_very_many_classes_have_signs_a_legend_that_opens_and_sums_that_scroll(app):
    rows = [f"{i * 37 % 101 / 100},{i * 53 % 97 / 100},class {i % 120}" for i in range(1800)]
    app.upload("many.csv", "\n".join(["a,b,y", *rows]).encode())
    app.named("many.csv")
    app.tree()
    legend = app.page.locator(".bench .legend").first
    shown = legend.locator("li:not(:has(button)):visible")
    few = shown.count()
    assert 4 < few < 30, "as many as fit into one line"
    assert legend.bounding_box()["height"] <= 24
    more = legend.get_by_role("button")
    assert more.inner_text() == f"+{120 - few}"
    more.click()
    assert shown.count() == 120
    assert more.get_attribute("aria-expanded") == "true"
    more.click()
    assert shown.count() == few
    app.button("Icicle").click()
    app.page.locator(".whole .part").first.wait_for()
    inks = app.page.evaluate(INKS)
    assert len(set(inks["signs"])) == 110
    assert inks["shown"], "what holds the patterns must be in the page"
    assert any(fill.startswith("url") for fill in inks["fills"])
    app.go("Step by step")
    app.page.locator(".katex-display").first.wait_for()
    app.settled()
    sums = app.page.evaluate(OVERFLOW)
    assert sums
    assert all(how == "auto" for too_long, how in sums if too_long)
