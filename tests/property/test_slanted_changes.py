"""Nearest changes behind weighted sums, against trying rows: every whole number, and points around every corner."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_predicting import price
from treecore.data.prepare import prepare
from treecore.export.portable import Portable
from treecore.predicting import counterfactual
from treecore.predicting.counterfactual import Limits, changes
from treecore.tree.oblique import with_sums

WEIGHT = st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0, 3.0])
GRID = range(-25, 36)
LEVELS = ["red", "green"]


@st.composite
def wishes(draw, whole: bool):
    """(tree with sums of x and z, row, wanted class, limits). whole : x and z come to whole numbers alone,
    though the row itself may have halves."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(6, 30))
    frame = pd.DataFrame(
        {"x": rng.integers(0, 10, n), "z": rng.integers(0, 10, n), "colour": rng.choice(LEVELS, n),
         "y": rng.choice(["in", "out"], n)}
    )  # fmt: skip
    frame.loc[0, "y"], frame.loc[1, "y"] = "in", "out"
    sums = [(("x", draw(WEIGHT)), ("z", draw(WEIGHT))) for _ in range(draw(st.integers(1, 2)))]
    table = tc.read_table(frame, target="y", kinds={"x": "numeric", "z": "numeric", "colour": tc.Nominal(LEVELS)})
    tree = tc.grow(with_sums(table, sums), "cart", max_depth=draw(st.integers(1, 4)), min_rows_leaf=1)
    assume(any(Portable(tree).terms(q.feature) for node in Portable(tree).nodes for q in node.questions[:1]))
    number = st.integers(0, 18).map(lambda x: x / 2) if whole else st.floats(0, 9).map(lambda x: round(x, 1))
    names = ["x", "z", "colour"]
    limits = Limits(
        locked=frozenset(draw(st.sets(st.sampled_from(names), max_size=1))),
        one_way={name: draw(st.sampled_from(["up", "down"])) for name in draw(st.sets(st.sampled_from(names[:2])))},
        ranges={name: (1.0, 8.0) for name in draw(st.sets(st.sampled_from(names[:2]), max_size=1))},
        costs={name: 2.5 for name in draw(st.sets(st.sampled_from(names), max_size=2))},
        scale={name: 2.0 for name in draw(st.sets(st.sampled_from(names[:2]), max_size=1))},
        whole=frozenset(names[:2] if whole else []),
    )
    row = {"x": draw(number), "z": draw(number), "colour": draw(st.sampled_from(LEVELS))}
    return tree, row, draw(st.sampled_from(["in", "out"])), limits


def tried(tree, row, wanted, limits, points) -> float:
    """The least price of any of these points (x, z), in either colour, that is answered as wanted."""
    rows = [{"x": x, "z": z, "colour": colour} for (x, z), colour in itertools.product(points, LEVELS)]
    answers = tree.predict(pd.DataFrame(rows))
    prices = (price(tree, row, r, limits) for r, answer in zip(rows, answers, strict=True) if answer == wanted)
    return min(prices, default=math.inf)


def corners(tree, row, limits) -> list[tuple[float, float]]:
    """Where two limits of any kind cross, and points on all sides of each that stay where a number stays."""
    lines = [((1.0, 0.0), row["x"]), ((0.0, 1.0), row["z"])]
    for name, ends in limits.ranges.items():
        lines += [((float(name == "x"), float(name == "z")), end) for end in ends]
    for node in Portable(tree).nodes:
        for question in node.questions[:1]:
            feature = tree.schema.features[question.feature]
            weights = dict(feature.terms or ((feature.name, 1.0),))
            lines += [((weights.get("x", 0.0), weights.get("z", 0.0)), limit) for limit, _ in question.limits]
    found = {(row["x"], row["z"])}
    for (a, b), (c, d) in itertools.combinations(lines, 2):
        if abs(np.linalg.det([a[:2], c[:2]])) > 1e-9:
            found.add(tuple(np.linalg.solve([a, c], [b, d]).tolist()))
    turns = [(r * math.cos(t), r * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 48, False) for r in (1e-4, 0.3)]
    beside = [(x + dx, z + dz) for x, z in found for dx, dz in [(0, 0), *turns]]
    along = [(row["x"], z) for _, z in beside] + [(x, row["z"]) for x, _ in beside]
    ends = {name: limits.ranges.get(name, (-math.inf, math.inf)) for name in ("x", "z")}
    clipped = [(min(max(x, ends["x"][0]), ends["x"][1]), min(max(z, ends["z"][0]), ends["z"][1])) for x, z in beside]
    return beside + along + clipped


def check(tree, row, wanted, limits, found, best):
    for change in found:
        changed = {**row, **change.values}
        assert tree.predict(pd.DataFrame([changed]))[0] == wanted
        paid = price(tree, row, changed, limits)
        assert change.cost - 1e-6 <= paid <= change.cost * 1.05 + 0.05, "the numbers lie near to the limit"
        assert set(change.before) == set(change.values)
    for cheaper, other in itertools.combinations(found, 2):
        assert cheaper.cost <= other.cost + 1e-9
        assert not set(cheaper.values) <= set(other.values)
    assert (found[0].cost if found else math.inf) <= best + 1e-5, "nothing is cheaper"


@given(wishes(whole=True))
@settings(max_examples=40)
def test_of_whole_numbers_the_cheapest_is_found(wish):
    tree, row, wanted, limits = wish
    points = itertools.product((*GRID, row["x"]), (*GRID, row["z"]))
    best = tried(tree, row, wanted, limits, points)
    found = changes(Portable(tree), row, wanted, limits)
    check(tree, row, wanted, limits, found, best)
    assert all(v.is_integer() for change in found for n, v in change.values.items() if n != "colour")
    if found and found[0].cost < 10:  # else it may lie beyond the grid
        assert found[0].cost == pytest.approx(best, abs=1e-5)


@given(wishes(whole=False))
@settings(max_examples=40)
def test_of_all_numbers_none_that_was_tried_is_cheaper(wish):
    tree, row, wanted, limits = wish
    found = changes(Portable(tree), row, wanted, limits)
    check(tree, row, wanted, limits, found, tried(tree, row, wanted, limits, corners(tree, row, limits)))


def line(missing=None):
    """The lecture's 2·x + 1.5·z < 0.5. missing : how gaps are filled, of which there are some then."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.uniform(-1, 1, (60, 2)).round(2), columns=["x", "z"])
    frame["y"] = np.where(2 * frame["x"] + 1.5 * frame["z"] < 0.5, "low", "high")
    if missing:
        frame.loc[::9, "z"] = None
        return tc.grow(prepare(tc.read_table(frame, target="y"), missing=missing)[0], oblique="ridge", max_depth=1)
    return tc.grow(with_sums(tc.read_table(frame, target="y"), [(("x", 2.0), ("z", 1.5))]), "cart", max_depth=1)


def test_either_term_alone_will_do_and_the_one_that_weighs_more_is_cheaper():
    found = changes(Portable(line()), {"x": 0.0, "z": 0.0}, "high")
    assert [list(change.values) for change in found] == [["x"], ["z"]]
    limit = float(line().splits.threshold[0])
    assert [change.cost for change in found] == pytest.approx([limit / 2, limit / 1.5])
    assert all(float(f"{value:.5f}") == value for change in found for value in change.values.values()), "of few digits"


def test_an_unknown_term_may_be_set():
    [found] = changes(Portable(line()), {"x": 0.0, "z": None}, "high", Limits(locked=frozenset({"x"})))
    assert (list(found.values), found.cost, found.before) == (["z"], 1.0, {"z": None})
    assert found.text.startswith("have z at ")


def test_what_stands_in_for_an_unknown_term_counts():
    tree = line("mean")
    (x, z), fill = dict(tree.schema.features[-1].terms).values(), tree.schema.features[1].fill
    [first, *_] = changes(Portable(tree), {"x": -1.0, "z": None}, "high", Limits(locked=frozenset({"z"})))
    assert first.cost == pytest.approx((float(tree.splits.threshold[0]) - z * fill) / x + 1.0)


def test_too_many_leaves_are_refused(monkeypatch):
    monkeypatch.setattr(counterfactual, "MOST_SLANTED", 0)
    with pytest.raises(tc.TreecoreError, match="behind weighted sums"):
        changes(Portable(line()), {"x": 0.0, "z": 0.0}, "high")
