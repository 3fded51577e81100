"""Cards: what a node shows, and its texts fitted into two lines. Also the sample trees of the other tests."""

import random
from dataclasses import replace

import pytest

from treecore.export.cards import Bar, NodeCard, cards_as_grown, majority, outline
from treecore.figures import percent
from treecore.tree.short_text import clean, fit_lines, shorten, width

CLASSES = ("setosa", "versicolor", "virginica")
NAMES = ("petal length", "petal width", "sepal length", "sepal width", "Patrons", "model year")


def sample_cards(n_nodes: int, *, seed: int = 0, regression: bool = False) -> tuple[NodeCard, ...]:
    """A binary tree of about the shape growing gives: heavy nodes split first, purer towards the leaves."""
    rng = random.Random(seed)
    nodes = [[0, None, "", (1 / 3, 1 / 3, 1 / 3), 600.0, False]]
    frontier = [0]
    while len(nodes) + 2 <= n_nodes:
        frontier.sort(key=lambda i: -nodes[i][4] * (1.01 - max(nodes[i][3])))
        node = frontier.pop(0)
        nodes[node][5] = True
        for child in _split(nodes[node], rng):
            frontier.append(len(nodes))
            nodes.append([len(nodes), *child])
    return tuple(_card(*row, rng=rng, regression=regression) for row in nodes)


def _split(parent: list, rng: random.Random) -> list[tuple]:
    """Two children whose class mixtures lean apart."""
    node, _, _, mix, rows, _ = parent
    left, cut = round(rows * rng.uniform(0.25, 0.75)), f"{rng.uniform(0, 9):.2f}"
    tilt = [rng.uniform(0, 1) ** 2 for _ in mix]
    near = _normal([m * t for m, t in zip(mix, tilt, strict=True)])
    far = _normal([m * (1.1 - t) for m, t in zip(mix, tilt, strict=True)])
    return [(node, f"< {cut}", near, left, False), (node, f"≥ {cut}", far, rows - left, False)]


def _card(node, parent, branch, mix, rows, inner, *, rng, regression) -> NodeCard:
    gini = 1 - sum(p * p for p in mix)
    noisy = _normal([max(0.0, p + rng.uniform(-0.08, 0.08)) for p in mix])
    best = CLASSES[max(range(3), key=mix.__getitem__)]
    bars = (Bar("train", mix, None, rows), Bar("validation", noisy, None, rows // 3))
    if regression:
        bars = (Bar("train", None, mix[0], rows), Bar("validation", None, noisy[0], rows // 3))
        best = f"{20 * mix[0]:.2f}"
    title = rng.choice(NAMES) if inner else best
    return NodeCard(node, parent, branch, title, not inner, rows, rows / 600, gini, "gini", bars, best)


def _normal(values: list[float]) -> tuple[float, ...]:
    total = sum(values) or 1.0
    return tuple(value / total for value in values)


HOSTILE = (
    '"];evil',
    "<img src=x onerror=alert(1)>",
    "two\nlines\r\n\\n \\N \\G",
    "nul\x00bell\x07esc\x1b\udc80",
    "x" * 10_000,
    "🌳🍁 👩‍🔬 " * 30,
    "\u202eright to left\u2066 שלום עולם",
    "}} -> n0 [label=<b>]</TABLE>",
    "&amp; &#60;script&#62; ]]> <!-- -->",
    "",
    "   ",
)


def hostile_cards() -> tuple[NodeCard, ...]:
    """A root with one leaf per hostile text, which is used in every place that takes a text."""
    bars = (Bar("train", (0.5, 0.3, 0.2), None, 10),)
    root = NodeCard(0, None, "", HOSTILE[1], False, 10, 1.0, 0.5, HOSTILE[1], bars, HOSTILE[1])
    leaf = replace(root, parent=0, is_leaf=True, rows=1, share=0.1, missing_rows=1)
    leaves = [
        replace(
            leaf,
            id=i,
            branch=text,
            title=text,
            impurity_name=text,
            predicted=text,
            missing_goes=text,
            cut=text,
            bars=(replace(bars[0], role=text),),
        )
        for i, text in enumerate(HOSTILE, 1)
    ]
    return (root, *leaves)


def test_long_texts_take_two_lines_and_say_what_is_missing():
    assert fit_lines("petal length", 18) == ["petal length"]
    assert fit_lines("{Some, Full}", 18) == ["{Some, Full}"]
    assert _listed(["Mon", "Tue", "Wed", "Thu", "Fri"], 18) == ["{Mon, Tue, Wed,", "Thu, Fri}"]
    assert _listed(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], 20) == [
        "{Monday, Tuesday,",
        "Wednesday, +2 more}",
    ]
    assert fit_lines("petal length in cm ≥ 24.5", 20) == ["petal length in cm", "≥ 24.5"]
    assert fit_lines("age, in years, of the owner", 18) == ["age, in years, of", "the owner"]
    assert fit_lines("2.5 length + 1.5 width in centimetres and more", 18) == [
        "2.5 length + 1.5",
        "width in ce…d more",
    ]
    assert fit_lines("x" * 10_000, 18) == ["x" * 11 + "…" + "x" * 6]


def _listed(levels: list[str], limit: int, end: str = "}") -> list[str]:
    return fit_lines("{" + ", ".join(levels) + end, limit, levels)


@pytest.mark.parametrize("levels", [[], [f"level {i}" for i in range(500)], HOSTILE])
@pytest.mark.parametrize("limit", [12, 18, 20])
def test_no_line_is_wider_than_asked(levels, limit):
    for lines in (_listed(levels, limit), *(fit_lines(text, limit) for text in HOSTILE)):
        assert len(lines) <= 2
        assert all(width(line) <= limit for line in lines)


@pytest.mark.parametrize("levels", [[f"level {i}" for i in range(50_000)], [f"level, no {i}" for i in range(9)]])
@pytest.mark.parametrize("end", ["}", "} or missing"])
def test_hidden_levels_are_counted(levels, end):
    first, second = _listed(levels, 24, end)
    shown = first.count("level") + second.count("level")
    assert second.endswith(f"+{len(levels) - shown} more}}")


@pytest.mark.parametrize("text", HOSTILE)
def test_cleaned_text_is_one_printable_line(text):
    found = clean(text)
    assert "\n" not in found
    assert "\x00" not in found
    assert "\u202e" not in found
    found.encode("utf-8")


def test_shorten_counts_wide_characters_twice():
    assert shorten("樹樹樹樹", 8) == "樹樹樹樹"
    assert shorten("樹樹樹樹樹", 8) == "樹樹…樹"


def test_shares_are_never_rounded_to_nothing():
    assert percent(1 / 3) == "33.3\u00a0%"
    assert percent(0.0) == "0.0\u00a0%"
    assert percent(1e-9) == "<0.1\u00a0%"


def test_outline_names_levels_ghosts_and_the_commonest_class():
    cards = list(sample_cards(7))
    cards[1] = replace(cards[1], cut="pessimistic 0.25")
    cards[3] = replace(cards[3], ghost=True)
    rows = outline(cards)
    assert [row["level"] for row in rows] == [1, 2, 2, 3, 3, 3, 3]
    assert rows[1]["cut"] == "pessimistic 0.25"
    assert rows[3]["ghost"]
    assert rows[2]["tint"] == majority(cards[2].bars)
    assert "600 rows, 100" in rows[0]["label"]
    assert "ghost" not in rows[0]


def test_as_grown_forgets_pruning_only():
    cards = sample_cards(7)
    pruned = [replace(card, ghost=card.id > 2, cut="x" if card.id == 1 else "") for card in cards]
    assert cards_as_grown(pruned) == cards
