"""Hostile names through every page: nothing that Streamlit reads as Markdown holds one as it is."""

import csv
import io
import re

import pytest

from pages import PAGES
from pages.shared.widgets.messages import plain
from tests.hostile import NAMES, UNSEEN

UNSEEN_SIGNS = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u00ad\ufeff\u061c]")
MARKDOWN = {"button_group.options.content", "radio.options", "slider.options", "spinner.text"}
"""Fields of elements that are read as Markdown, besides the label and the help of every widget."""


def names(k: int, n: int) -> list[str]:
    """Every k-th of n groups of the names; a file with control characters is not taken for text."""
    return [name for name in (*NAMES, *UNSEEN) if "\x00" not in name][k::n]


def table(features: list[str], target: str, levels: list[str]) -> bytes:
    """A nominal feature of all levels, numbers, and a target of some of the levels that follows from both."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow([*features, target])
    for i in range(240):
        numbers = [f"{(i * (7 + j)) % 23}.5" for j in range(len(features) - 1)]
        rows.writerow([levels[i % len(levels)], *numbers, levels[(i * 7 % 23 > 11) + 2 * (i % len(levels) > 3)]])
    return out.getvalue().encode()


def strings(message, path: str = ""):
    """(path, text) of every text in a protobuf message."""
    for field, value in message.ListFields():
        here = f"{path}.{field.name}" if path else field.name
        values = (
            value if isinstance(value, (list, tuple)) or hasattr(value, "add") or hasattr(value, "append") else [value]
        )
        for each in values:
            if isinstance(each, str):
                yield here, each
            elif hasattr(each, "ListFields"):
                yield from strings(each, here)


def shown(app):
    """(element and field, text) of everything on the page."""
    for node in app.at._tree:
        kind = getattr(node, "type", "")
        if hasattr(getattr(node, "proto", None), "ListFields"):
            yield from strings(node.proto, kind)


def is_markdown(path: str) -> bool:
    return path in MARKDOWN or (
        path.endswith((".label", ".help", ".body")) and path not in ("divider.body", "html.body")
    )


@pytest.mark.parametrize("k", range(2))
def test_hostile_names_stay_text_on_every_page(app, k):
    group = names(k, 2)
    features, target, levels = group[:10], group[10], group[11:]
    hostile = [name for name in group if plain(name) != name]
    app.upload(table(features, target, levels), f"{group[0]}.csv".replace("/", "")).go("grow").set(
        "pruner", "reduced_error"
    )
    for page in PAGES:
        app.go(page)
        for node in (0, 1) if page in ("grow", "rules", "court", "size_and_pruning") else (0,):
            app.change(selected=node)
            seen = list(shown(app))
            assert len(seen) > 10
            for path, text in seen:
                assert not UNSEEN_SIGNS.search(text) or path.endswith((".id", ".key")), (page, path, text)
                if is_markdown(path):
                    left = re.sub(r"\\.", "", text)
                    assert not [name for name in hostile if name in left], (page, path, text)
            assert app.errors() == []
