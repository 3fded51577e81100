"""A class in one line: the same cells, nothing shorter by enumeration, and the words of its conditions."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.rules import describe as boxes
from treecore.rules.describe import cells_of, describe, fewest, n_conditions, primes


@st.composite
def grids(draw):
    sizes = tuple(draw(st.lists(st.integers(2, 3), min_size=1, max_size=3)))
    cells = draw(st.lists(st.booleans(), min_size=int(np.prod(sizes)), max_size=int(np.prod(sizes))))
    return np.array(cells).reshape(sizes)


def all_boxes(wanted):
    """Every box of wanted cells."""
    for box in itertools.product(*(range(1, 1 << size) for size in wanted.shape)):
        if wanted[cells_of(box, wanted.shape)].all():
            yield box


@given(grids())
@settings(max_examples=60)
def test_every_box_that_cannot_be_larger_is_found(wanted):
    within = lambda a, b: all(x & ~y == 0 for x, y in zip(a, b, strict=True))  # noqa: E731
    boxes = list(all_boxes(wanted))
    largest = [a for a in boxes if not any(a != b and within(a, b) for b in boxes)]
    found, is_all = primes(wanted)
    assert is_all
    assert found == sorted(largest)


@given(grids())
@settings(max_examples=40)
def test_the_same_cells_and_nothing_shorter(wanted):
    if not wanted.any():
        return
    taken, is_least = fewest(primes(wanted)[0], wanted)
    assert is_least
    assert (np.any([cells_of(box, wanted.shape) for box in taken], axis=0) == wanted).all()
    length = lambda boxes: (len(boxes), sum(n_conditions(box, wanted.shape) for box in boxes))  # noqa: E731
    others = itertools.chain.from_iterable(
        itertools.combinations(primes(wanted)[0], n) for n in range(1, len(taken) + 1)
    )
    covering = [c for c in others if (np.any([cells_of(box, wanted.shape) for box in c], axis=0) == wanted).all()]
    assert length(taken) == min(map(length, covering))


def fruits(answer) -> tc.Table:
    rows = [(c, s, answer(c, s)) for c in ("green", "yellow", "red") for s in ("big", "medium", "small")]
    return tc.read_table(pd.DataFrame(rows, columns=["color", "size", "fruit"]), target="fruit")


def test_apples_are_medium_and_not_yellow():
    """[003]: the paths say (green AND medium) OR (red AND medium)."""
    tree = tc.grow(fruits(lambda c, s: "apple" if s == "medium" and c != "yellow" else "other"), "id3")
    apple = next(found for found in describe(tree) if found.said == "apple")
    assert apple.text == "NOT color = yellow AND size = medium"
    assert (apple.exact, apple.n_paths) == (True, 2)


@pytest.mark.parametrize(
    ("sample", "preset"), [("titanic", "cart"), ("iris", "cart"), ("willwait", "id3"), ("penguins", "j48")]
)
def test_it_is_never_longer_than_the_paths(sample, preset):
    tree = tc.grow(read_sample(sample), preset, max_depth=4)
    for found in describe(tree):
        assert len(found.terms) <= max(found.n_paths, 1)


def test_numbers_are_told_as_intervals():
    tree = tc.grow(read_sample("iris"), "cart", max_depth=2)
    assert [found.text for found in describe(tree)] == [
        "petallength < 2.45",
        "petallength ≥ 2.45 AND petalwidth < 1.75",
        "petallength ≥ 2.45 AND petalwidth ≥ 1.75",
    ]


@pytest.mark.parametrize(("other", "exact"), [("b", False), ("c", True)])
def test_a_weighted_sum_is_a_feature_of_its_own(other, exact):
    """Nothing is called shortest where a condition on one of its features may follow from that on the sum."""
    frame = pd.DataFrame(np.random.default_rng(2).normal(size=(400, 3)), columns=list("abc"))
    inside = (frame.a + frame.b > 0) & (frame[other] > 0.5)
    table = tc.read_table(frame.assign(y=np.where(inside, "in", "out")), target="y")
    tree = tc.grow(table, "cart", oblique="ridge", max_depth=2)
    found = {one.said: one for one in describe(tree)}["in"]
    assert [[text.split()[0] for text in term] for term in found.terms] == [[other, "a"]]
    assert found.terms[0][1].startswith(next(f.name for f in tree.schema.features if f.terms))
    assert (found.exact, found.n_paths) == (exact, 1)


def test_a_lone_root_a_class_that_never_comes_and_what_is_refused():
    lone = describe(tc.grow(read_sample("iris"), "cart", max_depth=0))
    assert [found.text for found in lone] == ["always", "never", "never"]
    with pytest.raises(TreecoreError, match="Only classes"):
        describe(tc.grow(read_sample("mpg"), "cart", max_depth=1))
    with pytest.raises(TreecoreError, match="combinations"):
        describe(tc.grow(read_sample("customers"), "cart", max_depth=12))


def test_noise_is_described_with_what_was_found_in_bounded_work(monkeypatch):
    """Ninety leaves of three noisy numbers have more boxes than can be compared; what is said holds all the same."""
    rng, looked = np.random.default_rng(0), []
    frame = pd.DataFrame({c: rng.normal(size=400).round(1) for c in "abc"})
    frame["y"] = np.where(rng.random(400) < 0.5, "n", "p")
    table = tc.read_table(frame, target="y")
    monkeypatch.setattr(boxes, "MOST_COMPARED", 20_000)
    monkeypatch.setattr(boxes, "_within", lambda a, b, _within=boxes._within: looked.append(1) or _within(a, b))
    found = describe(tc.grow(table, "cart", max_leaves=90))
    assert not any(description.exact for description in found)
    assert len(looked) < 3 * 2 * 20_000, "of two classes, with what is thrown out"
