"""Every page of the app, in light and dark: drawn, read, used by everybody, and within what the headers allow.

All names of the table are hostile: they stay text, and a very long one does not fill a page.
"""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser import names
from tests.browser.app_steps import DRAWN, GROUPS, TITLES

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
    const papers = new Map([[null, [255, 255, 255]]]);
    const paper = e => {
        if (!papers.has(e))
            papers.set(e, over(channels(getComputedStyle(e).backgroundColor), paper(e.parentElement)));
        return papers.get(e);
    };
    const found = [];
    const texts = "h1, h2, h3, p, label, li, button, .xtick text, .ytick text, .legendtext";
    for (const e of document.querySelectorAll(texts)) {
        const box = e.getBoundingClientRect();
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!own || !box.width || e.closest("[disabled], label:has(:disabled), [role=slider], .stSlider")) continue;
        const style = getComputedStyle(e), back = paper(e);
        const ink = over(channels(e instanceof SVGElement ? style.fill : style.color), back);
        const [hi, lo] = [light(ink), light(back)].sort((a, b) => b - a);
        found.push([(hi + 0.05) / (lo + 0.05), e.textContent.trim().slice(0, 40)]);
    }
    return found;
}"""


SHIFTS = """() => {
    window.shifts = [];
    const where = source => `${(source.node?.textContent || source.node?.className || "").slice(0, 60)}:`
        + ` ${source.previousRect.top | 0} -> ${source.currentRect.top | 0}`;
    new PerformanceObserver(list => list.getEntries().filter(entry => !entry.hadRecentInput).forEach(
        entry => window.shifts.push([entry.value, entry.sources.map(where)])
    )).observe({ type: "layout-shift", buffered: true });
}"""
"""What moves by itself, as a share of the window, and what that is: all since the page was loaded, then what is new."""
FORGET_SHIFTS = "() => { window.shifts = []; }"


WRONG = {"resultTypes": ["violations"], "preload": False}
"""Every rule that needs no file fetched anew; what is right about each element is not written down."""
IN_COLOUR = {**WRONG, "runOnly": ["color-contrast"]}
"""All that another colour of the paper can change."""
PAPER = """() => getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor
    .match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0)"""
"""How light the paper is: 0 to 765."""


def barriers(page, options: dict) -> list[tuple[str, str, str]]:
    """What keeps people out, by axe-core, where it is serious: the rule, where, and what is wrong there."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [
        (found["id"], node["html"][:200], node["failureSummary"])
        for found in page.evaluate("options => axe.run(document, options).then(found => found.violations)", options)
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


def stands_still(page, where: str) -> None:
    """Nothing to speak of has moved by itself."""
    moved = page.evaluate("() => window.shifts.splice(0)")
    told = "\n".join(f"{value:.4f} {what}" for value, what in moved)
    assert sum(value for value, _ in moved) <= 0.05, f"{where}\n{told}"


def comes_back(app, where: str) -> None:
    """A reload brings the page back, each part in its place."""
    app.page.reload()
    app.page.evaluate(SHIFTS)
    app.drawn() if where != "Data" else app.button("Show the tree").wait_for()
    app.settled()
    app.page.wait_for_timeout(300)  # what comes last
    stands_still(app.page, f"{where} comes back")


def found_at_last(page, look, *args) -> list:
    """What has just come may still be fading in: it is looked at again."""
    for _ in range(5):
        if not (found := look(page, *args)):
            break
        page.wait_for_timeout(400)
    return found


def looked_at(app, name: str, scheme: str, options: dict = WRONG) -> None:
    app.settled()
    assert found_at_last(app.page, weak) == [], (name, scheme)
    assert found_at_last(app.page, barriers, options) == [], (name, scheme)


def test_every_page_can_be_read_and_used_by_everybody(said, page, app):
    """The tree is looked at last, with its settings beside it."""
    page.evaluate(SHIFTS)
    looked_at(app, "the start", "light")
    stands_still(page, "the start")
    app.upload(names.FILE, names.hostile_table())
    app.named(names.FILE)
    app.drawn()
    app.settled()
    page.evaluate(FORGET_SHIFTS)
    texts = []
    for name in sorted(TITLES, key="Explore".__eq__):
        app.go(name)
        if GROUPS[name] in ("Tree", "Use"):
            page.locator(f"[data-testid=stPlotlyChart] .main-svg, {DRAWN}").first.wait_for()
        if name == "Regions":
            page.locator("[data-testid=stPlotlyChart]").first.hover(position={"x": 150, "y": 150})
        looked_at(app, name, "light")
        stands_still(page, name)
        texts += names.words(app, name)
        turned(page, "dark")
        looked_at(app, name, "dark", IN_COLOUR)
        turned(page, "light")
        assert app.faults() == []
        if name in ("Data", "Compare"):
            comes_back(app, name)
        page.evaluate(FORGET_SHIFTS)
    names.are_read(texts)
    app.open_sidebar()
    looked_at(app, "the settings", "light")
    comes_back(app, "the tree beside the settings")
    assert [text for text in said if "preload" not in text] == []
