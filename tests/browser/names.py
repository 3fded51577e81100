"""A table of hostile names, and what becomes of them on a page of the app."""

FILE = "<b>x</b> $a$ www.outside.example -- who@outside.example ![i](http:y.png).csv"
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


MADE = "a[href*=outside], a[href^=mailto], [role=img][aria-label$=icon], img:not([src^=data]), [onerror]"
"""What none of them may become."""


def words(app, name: str) -> list[str]:
    """All texts of the page that is shown: no name has become a link, an icon or a sign, and none fills it."""
    page = app.page.get_by_test_id("stMain")
    assert page.locator(MADE).count() == 0, name
    assert page.evaluate("e => e.scrollHeight") < 3600, name
    assert page.evaluate("e => e.scrollWidth <= e.clientWidth"), name
    found = app.page.locator(WITHIN).all_text_contents()
    assert not set("←↔—≈\u202e😄") & set("".join(found)), name
    return found


def are_read(texts: list[str]) -> None:
    """Each name is read somewhere, as it is."""
    for name in ("turned[U+202E]round", *COLUMNS[:2], *LEVELS):
        assert name in " ".join(texts), name
