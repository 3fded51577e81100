"""Every page of the app, in light and dark: drawn, read, used by everybody, and within what the headers allow.

All names of the table are hostile: they stay text, and a very long one does not fill a page.
"""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser import names
from tests.browser.app_steps import DRAWN, GROUPS, TITLES
from tests.browser.shifts import FORGET_SHIFTS, SHIFTS, stands_still, stood_still

pytestmark = pytest.mark.browser

CONTRASTS = """() => {
    const channels = color => {
        const n = (color.match(/[\\d.]+/g) || []).map(Number);
        const unit = color.startsWith("color(") ? 255 : 1;
        return [...n.slice(0, 3).map(x => x * unit), n[3] ?? 1];
    };
    const over = (top, below, seen) => [0, 1, 2].map(i => below[i] + (top[i] - below[i]) * top[3] * seen);
    const light = rgb => {
        const [r, g, b] = rgb.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const all = root => [...root.querySelectorAll("*")].flatMap(e => e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]);
    const outer = e => e.assignedSlot ?? e.parentElement ?? e.getRootNode().host ?? null;
    const papers = new Map([[null, [[255, 255, 255], 1]]]);
    const paper = e => {
        if (!papers.has(e)) {
            const style = getComputedStyle(e), [below, opacity] = paper(outer(e)), seen = opacity * style.opacity;
            const own = e.closest(".stSlider") ? "transparent" : style.backgroundColor; // numbers stand above the knob
            papers.set(e, [over(channels(own), below, seen), seen]);
        }
        return papers.get(e);
    };
    const written = e => e.matches("input, textarea") ? e.value || e.placeholder
        : [...e.childNodes].map(n => n.nodeType === 3 ? n.textContent : "").join("");
    const idle = "script, style, [type=range], [disabled], :disabled, [aria-disabled=true], label:has(:disabled)";
    const found = [];
    for (const e of all(document.body)) {
        const text = written(e).trim();
        if (!text || e.closest(idle) || !e.getBoundingClientRect().width) continue;
        if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const style = getComputedStyle(e), [back, seen] = paper(e), size = parseFloat(style.fontSize);
        const drawn = e instanceof SVGElement, color = channels(drawn ? style.fill : style.color);
        if (!color[3]) continue; // it only keeps a place free
        const [hi, lo] = [light(over(color, back, seen)), light(back)].sort((a, b) => b - a);
        const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
        const least = large || drawn || e.dataset.testid === "stIconMaterial" ? 3 : 4.5;
        found.push([(hi + 0.05) / (lo + 0.05), least, text.slice(0, 40)]);
    }
    return found;
}"""
"""Of each text on the page, on the canvas and in a field: the contrast with what is behind it, the least that WCAG 2.2,
1.4.3 and 1.4.11, ask for, and its beginning. Behind it is what it stands in."""


BARRIERS = """() => axe.run(document, {
    resultTypes: ["violations"], preload: false, rules: { region: { enabled: false } }
}).then(found => found.violations)"""
"""By every rule that needs no file fetched anew and may be serious; what is right about each element is not written
down."""
PAPER = """() => getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor
    .match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0)"""
"""How light the paper is: 0 to 765."""


def barriers(page) -> list[tuple[str, str, str]]:
    """What keeps people out, by axe-core, where it is serious: the rule, where, and what is wrong there."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [
        (found["id"], node["html"][:200], node["failureSummary"])
        for found in page.evaluate(BARRIERS)
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
    assert len(found) > 30
    return [(round(contrast, 2), text) for contrast, least, text in found if contrast < least]


def comes_back(app, where: str) -> None:
    """A reload brings the page back, each part in its place."""
    app.page.reload()
    app.drawn() if where != "Data" else app.button("Show the tree").wait_for()
    stood_still(app, f"{where} comes back")


def found_at_last(page, look) -> list:
    """What has just come may still be fading in: it is looked at again."""
    for _ in range(5):
        if not (found := look(page)):
            break
        page.wait_for_timeout(400)
    return found


def can_be_read(app, name: str, scheme: str) -> None:
    turned(app.page, scheme)
    app.settled()
    assert found_at_last(app.page, weak) == [], (name, scheme)
    if scheme == "light":
        assert found_at_last(app.page, barriers) == [], name


def test_every_page_can_be_read_and_used_by_everybody(said, page, app):
    """The tree is looked at last, with its settings beside it. Each page comes in the colours in which the last one
    went, and goes in the other ones."""
    page.evaluate(SHIFTS)
    page.wait_for_function(f"() => ({CONTRASTS})().length > 30", polling=300)  # a new server takes some seconds
    app.settled()
    can_be_read(app, "the start", "light")
    stands_still(page, "the start")
    app.upload(names.FILE, names.hostile_table())
    app.named(names.FILE)
    app.drawn()
    app.settled()
    page.evaluate(FORGET_SHIFTS)
    texts, schemes = [], ["light", "dark"]
    for name in sorted(TITLES, key="Explore".__eq__):
        app.go(name)
        if GROUPS[name] in ("Tree", "Use"):
            page.locator(f"[data-testid=stPlotlyChart] .main-svg, {DRAWN}").first.wait_for()
        if name == "Regions":
            page.locator("[data-testid=stPlotlyChart]").first.hover(position={"x": 150, "y": 150})
        can_be_read(app, name, schemes[0])
        stands_still(page, name)
        texts += names.words(app, name)
        schemes.reverse()
        can_be_read(app, name, schemes[0])
        assert app.faults() == []
        if name in ("Data", "Compare"):
            comes_back(app, name)
        page.evaluate(FORGET_SHIFTS)
    names.are_read(texts)
    app.open_sidebar()
    can_be_read(app, "the settings", "light")
    assert [text for text in said if "preload" not in text] == []
