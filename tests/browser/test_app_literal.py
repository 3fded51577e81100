"""Names from data in a real browser: the text on the page is exactly the name, and nothing becomes of it.

On the pages of the app: test_app_dark.
"""

import pytest

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
