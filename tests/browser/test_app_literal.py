"""Names from data in a real browser: the text on the page is exactly the name, and nothing becomes of it.

Very long ones do not fill a page.
"""

import pytest

from tests.browser.app_steps import DRAWN, GROUPS, TITLES
from tests.hostile import NAMES, UNSEEN

pytestmark = pytest.mark.browser
MADE = ["a", "img", "code", "em", "strong", "del", ".katex", "table", "hr", "li", "blockquote", "[role=img]"]
"""What Markdown could make of a name."""
FOUND = """made => [...document.querySelectorAll("[class*=st-key-case]")].map(box => ({
    texts: [...box.querySelectorAll("h3, [data-testid=stMarkdownContainer], [data-testid=stCaptionContainer]")]
        .map(e => e.textContent.trim()),
    made: made.filter(name => box.querySelector(`[data-testid=stMarkdownContainer] ${name}, h3 ${name}`)),
    strong: box.querySelector("strong")?.textContent,
}))"""


@pytest.fixture
def literal(page, serve, outside_requests, dialogs):
    page.goto(serve("tests/browser/literal_app.py"))
    page.get_by_text("end", exact=True).wait_for()
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    yield page
    assert outside_requests == []
    assert dialogs == []


def test_every_name_is_the_text_of_the_page(literal):
    names = {**dict(zip(NAMES, NAMES, strict=True)), **UNSEEN}
    found = literal.evaluate(FOUND, MADE)
    assert len(found) == 2 * len(names)
    for (name, seen), alone, within in zip(names.items(), found[::2], found[1::2], strict=True):
        assert [text for text in alone["texts"] if text != "options"] == [seen.strip()] * 9, name
        assert alone["made"] == [], name
        assert within["texts"] == [f"{seen}: a {seen} b".strip(), seen.strip(), f"{seen} c".strip()], name
        assert within["made"] == ["strong", "del", "li"], name
        assert within["strong"] == seen, name


WITHIN = (
    "[data-testid=stMain] :is([data-testid=stMarkdownContainer], [data-testid=stCaptionContainer], svg, .bench .stage)"
)
COLUMNS = (
    '<img src=x onerror=alert(1)> <a href="http://outside.example/">anchor</a> "];evil',
    "www.outside.example $x$ **b** ![i](http://outside.example/y.png)",
    ":material/home:",
    "a -- b -> c <= d",
    "turned\u202eround",
)
LEVELS = ("who@outside.example", ":smile: https://outside.example", "<=", "--")
LONG, LONG_LEVEL = "n" * 5000, "lev" * 1700


def hostile_table() -> bytes:
    """A nominal feature, four of numbers and a target that follows from three of them, all with hostile names; the
    last number has a very long name and says where the class has one."""
    quoted = lambda name: '"' + name.replace('"', '""') + '"'  # noqa: E731
    lines = [",".join(map(quoted, (*COLUMNS[:-1], LONG, COLUMNS[-1])))]
    for i in range(240):
        truth = LONG_LEVEL if i % 20 > 9 else LEVELS[(i * 7 % 23 > 11) + 2 * (i % 4 > 2)]
        lines.append(f"{quoted(LEVELS[i % 4])},{i * 7 % 23}.5,{i % 11}.5,{i % 13}.5,{i % 20}.5,{quoted(truth)}")
    return "\n".join(lines).encode() + b"\n"


def test_on_no_page_a_name_becomes_a_link_an_icon_or_a_sign(app):
    """And each is read on some page as it is, and no page is filled by a long one."""
    name = "<b>x</b> $a$ www.outside.example -- who@outside.example ![i](http:y.png).csv"
    app.upload(name, hostile_table())
    app.named(name)
    said = []
    for name in TITLES:
        app.go(name)
        if GROUPS[name] in ("Tree", "Use"):
            app.page.locator(f"{DRAWN}, .js-plotly-plot .main-svg").first.wait_for()
        app.settled()
        if name == "Regions":
            app.page.locator("[data-testid=stPlotlyChart]").first.hover(position={"x": 150, "y": 150})
        page = app.page.get_by_test_id("stMain")
        assert app.faults() == []
        assert (
            page.locator(
                "a[href*=outside], a[href^=mailto], [role=img][aria-label$=icon], img:not([src^=data]), [onerror]"
            ).count()
            == 0
        )
        assert page.evaluate("e => e.scrollHeight") < 3600, name
        assert page.evaluate("e => e.scrollWidth <= e.clientWidth"), name
        said += app.page.locator(WITHIN).all_text_contents()
        assert not set("←↔—≈\u202e😄") & set("".join(said)), name
    for name in ("turned[U+202E]round", *COLUMNS[:2], *LEVELS):
        assert name in " ".join(said), name
