"""Every page of the app, in light and dark: drawn, read, used by everybody, and within what the headers allow."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.app_steps import DRAWN, GROUPS, TITLES, loans

pytestmark = pytest.mark.browser

CONTRASTS = """() => {
    const channels = color => {
        const n = (color.match(/[\\d.]+/g) || []).map(Number);
        const unit = color.startsWith("color(") ? 255 : 1;
        return [...n.slice(0, 3).map(x => x * unit), n[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
    const light = rgb => {
        const [r, g, b] = rgb.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = element => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) layers.push(channels(getComputedStyle(e).backgroundColor));
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const found = [];
    const texts = "h1, h2, h3, p, label, li, button, .xtick text, .ytick text, .legendtext";
    for (const e of document.querySelectorAll(texts)) {
        const box = e.getBoundingClientRect();
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!own || !box.width || e.closest("[disabled], [role=slider], .stSlider")) continue;
        const style = getComputedStyle(e), back = paper(e);
        const ink = over(channels(e instanceof SVGElement ? style.fill : style.color), back);
        const [hi, lo] = [light(ink), light(back)].sort((a, b) => b - a);
        found.push([(hi + 0.05) / (lo + 0.05), e.textContent.trim().slice(0, 40)]);
    }
    return found;
}"""


LISTEN = """() => {
    window.shifts = [];
    const own = entries => entries.filter(entry => !entry.hadRecentInput).map(entry => entry.value);
    new PerformanceObserver(list => window.shifts.push(...own(list.getEntries()))).observe({ type: "layout-shift" });
}"""
"""What moves by itself, as a share of the window, since it was last looked at."""
LOADED = """() => new Promise(told => {
    let sum = 0;
    const add = list => list.getEntries().forEach(entry => sum += entry.hadRecentInput ? 0 : entry.value);
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => told(sum), 300);
})"""
"""All that has moved by itself since the page was loaded."""


WRONG = {"resultTypes": ["violations"], "preload": False}
"""Every rule that needs no file fetched anew; what is right about each element is not written down."""
IN_COLOUR = {**WRONG, "runOnly": ["color-contrast"]}
"""All that another colour of the paper can change."""
PAPER = """() => getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor
    .match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0)"""
"""How light the paper is: 0 to 765."""


def barriers(page, options: dict = WRONG) -> list[tuple[str, str, str]]:
    """What keeps people out, by axe-core, where it is serious: the rule, where, and what is wrong there.

    What has just come may still be fading in: it is looked at again.
    """
    for _ in range(5):
        if not (found := _barriers(page, options)):
            break
        page.wait_for_timeout(400)
    return found


def _barriers(page, options: dict) -> list[tuple[str, str, str]]:
    return [
        (found["id"], node["html"][:200], node["failureSummary"])
        for found in Axe().run(page, options=options).response["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


@pytest.fixture
def said(listen):
    """Errors and warnings of the page, from its first one on."""
    found: list[str] = []
    listen("console", lambda line: found.append(line.text) if line.type in ("error", "warning") else None)
    listen("pageerror", lambda error: found.append(str(error)))
    return found


def turned(page, color_scheme: str) -> None:
    """The page that is shown, in light or dark."""
    page.emulate_media(color_scheme=color_scheme)
    page.wait_for_function(f"dark => ({PAPER})() < 200 === dark", arg=color_scheme == "dark")


def weak(page) -> list[tuple[float, str]]:
    """Words that can hardly be read on what is behind them."""
    found = page.evaluate(CONTRASTS)
    assert len(found) > 8
    return [(round(contrast, 2), text) for contrast, text in found if contrast < 3]


def test_every_page_can_be_read_and_used_by_everybody(said, page, app):
    app.heading("Data").wait_for()
    app.settled()
    assert page.evaluate(LOADED) <= 0.05, "the start"
    assert barriers(page) == [], "the start"
    app.upload("my loans.csv", loans(600))
    page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    page.evaluate(LISTEN)
    for name in TITLES:
        app.go(name)
        if GROUPS[name] in ("Tree", "Use"):
            page.locator(f"[data-testid=stPlotlyChart] .main-svg, {DRAWN}").first.wait_for()
        app.settled()
        assert weak(page) == [], name
        assert barriers(page) == [], name
        assert sum(page.evaluate("() => window.shifts.splice(0)")) <= 0.05, name
        turned(page, "dark")
        app.settled()
        assert weak(page) == [], (name, "dark")
        assert barriers(page, IN_COLOUR) == [], (name, "dark")
        turned(page, "light")
        page.evaluate("() => window.shifts.splice(0)")
        assert app.faults() == []
    assert [text for text in said if "preload" not in text] == []
    app.go("Compare")
    page.reload()
    app.counts("[data-testid=stDataFrame]", 2)
    app.settled()
    assert page.evaluate(LOADED) <= 0.05, "Compare comes back"
    app.tree()
    app.open_sidebar()
    app.settled()
    assert barriers(page) == [], "the settings"
    page.reload()
    page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    assert page.evaluate(LOADED) <= 0.05, "the tree comes back beside the settings"
    app.go("Data")
    page.reload()
    app.button("Show the tree").wait_for()
    app.settled()
    assert page.evaluate(LOADED) <= 0.05, "Data comes back"
