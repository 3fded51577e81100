"""Objects as text: a repr stays short whatever is in it, a str is for people, and a notebook shows the tree."""

import importlib
import pkgutil
import re
import sys
from dataclasses import is_dataclass

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.brief import MOST_LINES, Brief, text_table
from treecore.export import page

MOST = 4000
"""Letters of any repr."""


def classes() -> list[type]:
    found = set()
    for module in pkgutil.walk_packages(tc.__path__, "treecore."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name and is_dataclass(value):
                found.add(value)
    return sorted(found, key=lambda c: (c.__module__, c.__name__))


def test_whatever_holds_arrays_has_a_short_repr():
    holders = [c for c in classes() if not c.__dataclass_params__.eq]
    assert len(holders) > 100
    assert [c for c in holders if not issubclass(c, Brief) or c.__dataclass_params__.repr] == []


@pytest.fixture(scope="module")
def world():
    """A wide table of long and hostile names, and a tree of many nodes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(3000, 60)), columns=[f"x{i}" + "n" * 500 for i in range(60)])
    frame["\u202e<script>"] = rng.choice(["a\nb", "</script>", "c" * 400], 3000)
    frame["y"] = np.where(rng.random(3000) < 0.4, "yes" * 100, "no\u202e")
    return tc.read_table(frame, target="y")


@pytest.fixture(scope="module")
def objects(world):
    train, validation, _ = world.split(tc.Roles(0.6, 0.2, 0.2))
    tree = tc.grow(train, "cart")
    cuts = tc.prune(tree, "cost_complexity", validation=validation)
    shallow = tc.grow(train, "cart", max_depth=3)
    return [
        world, world.columns[0], tree, tree.node(5), tree.schema, tree.splits, cuts, tree.cut(cuts), tc.sequence(tree),
        tc.candidates(tree, 0, train), tc.candidates(tree, 0, train).ranked[0], tc.rules(tree),
        tc.rules(shallow).listed(validation), tc.segments(shallow, train, world.classes[0]), tc.fit(world, "cart"),
        tc.fit(world, "cart").recipe, tc.check(shallow, train, validation), tc.groups(shallow, train, "y"),
        tc.GrowSettings(),
    ]  # fmt: skip


def test_reprs_are_short_and_of_one_line(objects):
    for thing in objects:
        assert len(repr(thing)) <= MOST, type(thing)
        assert "\n" not in repr(thing)
        assert type(thing).__name__ in repr(thing)


def test_texts_for_people_end_and_show_no_control_characters(objects):
    for thing in objects:
        lines = str(thing).split("\n")
        assert len(lines) <= MOST_LINES + 12, type(thing)
        assert max(map(len, lines)) <= 3000
        assert "\u202e" not in str(thing), type(thing)


@pytest.fixture(scope="module")
def small():
    frame = pd.DataFrame({"age": [20, 30, 40, 50, 60, 70] * 10, "town": ["A", "B", "A", "A", "B", "B"] * 10})
    frame["y"] = np.where((frame.age > 35) & (frame.town == "A"), "yes", "no")
    return tc.read_table(frame, target="y")


def test_a_tree_prints_as_an_outline(small):
    tree = tc.grow(small, "cart")
    assert repr(tree) == "Tree(y: 3 leaves, depth 2, 60 training rows)"
    assert str(tree) == (
        "y: 3 leaves, depth 2, 60 training rows\n"
        "all rows: no  (60 rows, 66.7 % right)\n"
        "├─ town = B: no  (30 rows, 100.0 % right)\n"
        "└─ town = A: yes  (30 rows, 66.7 % right)\n"
        "   ├─ age < 30: no  (10 rows, 100.0 % right)\n"
        "   └─ age ≥ 30: yes  (20 rows, 100.0 % right)"
    )
    assert repr(tree.show(depth=1)) == str(tree.show(depth=1))
    assert tree.show(depth=1).endswith("└─ town = A: yes  (30 rows, 66.7 % right)  … 2 nodes below")


def test_an_outline_of_many_nodes_counts_what_it_leaves_out(objects):
    tree = objects[2]
    for lines in (1, 7, 40, 200, tree.n_nodes):
        shown = tree.show(lines=lines).split("\n")[1:]
        below = sum(int(n.replace(",", "")) for line in shown for n in re.findall(r"… ([\d,]+) nodes below", line))
        assert len(shown) + below == tree.n_nodes
        assert len(shown) <= lines + 1
    assert len(str(tree).split("\n")) <= MOST_LINES + 2


def test_a_table_of_text_aligns_and_counts_the_rest():
    asked = []

    def rows():
        for i in range(10**9):
            asked.append(i)
            yield ("name", i, "< 0.001")

    lines = text_table(("", "n", "p"), rows(), 10**9).split("\n")
    assert len(lines) <= MOST_LINES
    assert len(asked) <= MOST_LINES
    assert lines[0] == "       n        p"
    assert lines[1] == "name   0  < 0.001"
    assert lines[-1] == f"… {10**9 - len(lines) + 2:,} more"


def test_sequence_candidates_and_table_say_their_figures(small):
    tree = tc.grow(small, "cart")
    assert str(tc.sequence(tree)).split("\n")[-1].split()[1:] == ["0.166667", "1", "0.333333"]
    best = tc.candidates(tree, 0, small).ranked[0]
    assert best.condition in str(tc.candidates(tree, 0, small)).split("\n")[3]
    assert re.search(r"age +numeric +20 to 70", str(small))
    assert re.search(r"y +boolean +target +no, yes", str(small))
    assert "10 rows" in str(tree.node(3))
    assert "town = A AND age < 30" in str(tree.node(3))


def test_a_notebook_shows_outline_picture_and_page(small):
    bundle = tc.grow(small, "cart")._repr_mimebundle_()
    assert bundle["text/plain"].startswith("y: 3 leaves")
    assert set(bundle) == {"text/plain", "image/svg+xml", "text/html"}
    assert bundle["image/svg+xml"].count('<g class="node') == 5
    assert "sandbox" in bundle["text/html"]
    assert "allow-same-origin" not in bundle["text/html"]


def test_without_a_layout_engine_a_notebook_shows_the_same(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    frame = pd.DataFrame({"<b>x": [1.0, 2, 3, 4] * 5, "y": ["</pre><img>", "b", "b", "b"] * 5})
    bundle = tc.grow(tc.read_table(frame, target="y"), "cart")._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml", "text/html"}
    assert "<img" not in bundle["image/svg+xml"]
    assert "&lt;b&gt;x" in bundle["image/svg+xml"]
    assert bundle["text/html"].count("<img") == 1, "the picture alone"


def test_a_large_tree_is_a_picture_of_its_top_alone(objects, monkeypatch):
    monkeypatch.setattr(page, "MOST_ON_PAGE", 100)
    bundle = objects[2]._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["image/svg+xml"].count('<g class="node') <= page.MOST_DRAWN + 1


def test_names_cannot_leave_the_html_of_a_notebook():
    names = "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>'
    frame = pd.DataFrame({names[0]: [1.0, 2, 3, 4] * 5, "y": [names[1], "b", "b", names[1]] * 5})
    html = tc.grow(tc.read_table(frame, target="y"), "cart")._repr_mimebundle_()["text/html"]
    assert html.count("</script") == 1
    assert html.count("<script") == 1
    assert html.count("<img") == 1
