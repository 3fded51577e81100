"""What a class is given by a link, and what its codes say."""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.recipe import Grow, Recipe
from treecore.teach import guess
from treecore.teach.classwork import Classwork

WORK = Classwork(Recipe((Grow("id3"),)), ("guess", "grow"), 4, True, 0, ("gains", "rows"), "gini")


@pytest.fixture(scope="module")
def tennis():
    table = read_sample("play_tennis")
    return tc.grow(table, "id3"), table


def test_a_link_brings_back_the_work():
    assert Classwork.from_text(WORK.to_text()) == WORK


@pytest.mark.parametrize(
    ("name", "value"),
    [("guesses", -1), ("guesses", 99), ("guesses", "4"), ("pages", []), ("pages", 3), ("kinds", ["fly"]),
     ("variant", 1 << 16), ("variant", True), ("measure", "x"), ("recipe", 3), ("recipe", {}), ("numbered", 1)],
)  # fmt: skip
def test_a_damaged_link_is_refused(name, value):
    told = json.loads(zlib.decompress(urlsafe_b64decode(WORK.to_text() + "==")))
    text = urlsafe_b64encode(zlib.compress(json.dumps(told | {name: value}).encode())).decode()
    with pytest.raises(tc.TreecoreError) as caught:
        Classwork.from_text(text)
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["", "a", "=", "x" * 999, WORK.to_text()[:-9]])
def test_what_is_no_link_is_refused(text):
    with pytest.raises(tc.TreecoreError):
        Classwork.from_text(text)


def test_codes_tell_what_was_guessed_and_nothing_else(tennis):
    tree, _ = tennis
    names = [feature.name for feature in tree.schema.features]
    said = (names[0], guess.SHOWN, names[-1])
    written = guess.guess_code(tree, 17, said)
    assert guess.is_guess_code(written)
    assert guess.read_guess_code(written.lower().replace("-", " "), tree) == guess.Guesses(17, said)
    letters = written.replace("-", "")
    for i, letter in enumerate(letters):
        wrong = letters[:i] + ("0" if letter != "0" else "7") + letters[i + 1 :]
        with pytest.raises(tc.TreecoreError):
            guess.read_guess_code(wrong, tree)


def test_a_code_of_another_tree_is_told_apart(tennis):
    tree, table = tennis
    written = guess.guess_code(tree, 0, ("x",))
    other = tc.grow(table, "cart")
    with pytest.raises(tc.TreecoreError, match="another tree"):
        guess.read_guess_code(written, other)


def test_a_class_is_counted_at_every_node(tennis):
    tree, table = tennis
    right = tuple(tree.node(int(t)).feature for t in guess.guessed_nodes(tree, 3))
    wrong = next(f.name for f in tree.schema.features if f.name not in right)
    found = [
        guess.Guesses(1, right),
        guess.Guesses(2, (wrong, right[1], "")),
        guess.Guesses(3, ("",)),
    ]
    nodes = guess.guesses_by_node(tree, table, found)
    assert [(n.right, n.n) for n in nodes] == [(1, 3), (2, 2), (1, 2)]
    assert "1 shown" in nodes[0].text
    assert [guess.n_best(nodes, of) for of in found] == [3, 1, 0]


def test_equal_gains_are_all_best():
    rows = {"a": ["p", "q"] * 6, "b": ["p", "q"] * 6, "y": ["yes", "no"] * 6}
    table = tc.read_table(_csv(rows), target="y")
    tree = tc.grow(table, "id3")
    [node] = guess.guesses_by_node(tree, table, [guess.Guesses(1, ("b",))])
    assert node.best == ("a", "b")
    assert node.right == 1


def _csv(rows: dict) -> bytes:
    lines = [",".join(rows), *(",".join(row) for row in zip(*rows.values(), strict=True))]
    return "\n".join(lines).encode()
