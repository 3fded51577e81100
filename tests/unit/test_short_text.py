"""Texts cut to their room: never wider, and names that are alike for long stay apart."""

import random
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.tree.short_text import LONGEST, apart, fit_lines, shorten, width

PRICE, SPEED = (f"How satisfied were you with this aspect of our service: the {what}" for what in ("price", "speed"))
TOWNS = [f"municipality of Saint-{letter}-sur-Loire" for letter in "ABCDEF"]
BOTH = [f"a long beginning, {a}, a long middle part, {b}" for a in ("one", "two") for b in ("here", "there")]


@pytest.mark.parametrize("limit", [12, 16, 20, 26, 40])
@pytest.mark.parametrize("names", [[PRICE, SPEED], TOWNS, BOTH], ids=["ends", "middles", "both"])
def test_names_stay_apart(names, limit):
    shown = [shorten(name, limit, apart(names)) for name in names]
    assert len(set(shown)) == len(names), shown
    assert all(width(text) <= limit for text in shown)


def test_what_differs_is_what_is_seen():
    assert shorten(TOWNS[0], 18, apart(TOWNS)) == "municipa…A-sur-Lo…"
    assert shorten(SPEED, 20, apart([PRICE, SPEED])) == "How satisfied…speed"
    assert shorten(f"≥ {TOWNS[1]}", 18, apart(TOWNS)) == "≥ munici…B-sur-Lo…"


def test_without_others_both_ends_are_seen():
    assert shorten(PRICE, 20) == "How satisfie…e price"
    assert shorten("short", 20) == "short"
    assert apart(["short", "shirt", "another"]) == {}


def test_the_second_line_goes_on_telling_them_apart():
    lines = [fit_lines(name, 20, (), apart([PRICE, SPEED])) for name in (PRICE, SPEED)]
    assert [line[1][-5:] for line in lines] == ["price", "speed"]
    listed = [fit_lines("{" + ", ".join(part) + "}", 18, part, apart(TOWNS)) for part in (TOWNS[:3], TOWNS[3:])]
    assert [line[0][9:11] for line in listed] == ["A-", "D-"]


def test_no_text_is_wider_than_its_room():
    rng = random.Random(4)
    signs = "ab- é樹👩‍🔬\u0301"
    names = ["".join(rng.choice(signs) for _ in range(rng.randint(0, 60))) for _ in range(60)]
    names += [name[: len(name) // 2] + rng.choice(signs) + name[len(name) // 2 :] for name in names]
    places = apart(names)
    for name in names:
        for limit in (4, 9, 17, 30):
            assert width(shorten(name, limit, places)) <= limit


def test_very_long_names_are_looked_at_from_both_ends():
    names = ["x" * 3 * LONGEST + end for end in "ab"]
    assert [shorten(name, 10, apart(names))[-1] for name in names] == ["a", "b"]


def shown(tree) -> dict[str, set[str]]:
    """ "node" and "edge" -> what is written there in the picture: of a node the first line."""
    found = {"node": set(), "edge": set()}
    space = "{http://www.w3.org/2000/svg}"
    for group in ET.fromstring(tc.export(tree, "svg")).iter(space + "g"):
        kind = (group.get("class") or "").split(" ")[0]
        if kind in found:
            lines = [(line.text or "").strip("\u00a0 ") for line in group.iter(space + "text")]
            found[kind].add(lines[0] if kind == "node" else " ".join(lines))
    return {kind: texts - {""} for kind, texts in found.items()}


def test_a_picture_tells_features_answers_and_branches_apart():
    pytest.importorskip("pygraphviz")
    rng = np.random.default_rng(0)
    data = pd.DataFrame({PRICE: rng.integers(1, 8, 400), SPEED: rng.integers(1, 8, 400)})
    data["y"] = np.where((data[PRICE] > 4) & (data[SPEED] > 3), BOTH[0], BOTH[1])
    found = shown(tc.grow(tc.read_table(data, target="y"), max_depth=2))["node"]
    assert len(found) == 4, "two features and two answers"
    towns = pd.DataFrame({"where": rng.choice(TOWNS, 400)})
    towns["y"] = np.where(towns["where"].isin(TOWNS[:3]), "u", "v")
    assert len(shown(tc.grow(tc.read_table(towns, target="y"), max_depth=1))["edge"]) == 2
