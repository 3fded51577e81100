"""One row step by step, twenty questions and nearest changes, on trees of every make against the tree itself."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import treecore as tc
from tests.property.saved_trees import MAKES, saved
from tests.property.test_code_exports import agree, asked, records
from treecore.export.portable import Portable
from treecore.judging.interest import wilson
from treecore.predicting.counterfactual import Limits, changes
from treecore.predicting.decision_path import next_question, story


@given(asked())
@settings(max_examples=60)
def test_the_story_of_a_row_ends_where_the_tree_sends_it(made):
    tree, rows = made
    portable = Portable(tree)
    told = [story(portable, row) for row in records(rows)]
    agree(tree, rows, [one.answer for one in told])
    routes = tree.apply(rows)
    for one, end in zip(told, routes, strict=True):
        assert sum(ending.share for ending in one.ends) == pytest.approx(1.0)
        assert max(one.ends, key=lambda ending: ending.share).share == pytest.approx(
            next(ending.share for ending in one.ends if ending.node == end)
        )
        assert all(step.text for step in one.steps)
    if tree.classes:
        shares = np.array([one.shares for one in told])
        np.testing.assert_allclose(shares, tree.predict_proba(rows), atol=1e-12)


@given(asked())
@settings(max_examples=40)
def test_twenty_questions_come_to_the_answer_of_the_whole_row(made):
    tree, rows = made
    portable, names = Portable(tree), [feature.name for feature in tree.schema.features]
    answers, needed = [], []
    for row in records(rows):
        known: dict = {}
        while (feature := next_question(portable, known)) is not None:
            assert names[feature] not in known
            known[names[feature]] = row[names[feature]]
        answers.append(story(portable, known).answer)
        needed.append(len(known))
    agree(tree, rows, answers)
    assert max(needed) <= len(names)


@pytest.mark.parametrize(("part", "whole"), [(0, 10), (3, 10), (10, 10), (1, 1), (40, 1000), (0, 1)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilsons_interval_is_the_one_of_scipy(part, whole, level):
    expected = binomtest(part, whole).proportion_ci(level, method="wilson")
    assert [float(x) for x in wilson(part, whole, level)] == pytest.approx([expected.low, expected.high], abs=1e-12)


def test_wilsons_interval_of_nothing_is_everything():
    low, high = wilson(np.array([0, 2]), np.array([0, 4]))
    assert (low[0], high[0]) == (0, 1)
    assert low[1] < 0.5 < high[1]


# nearest changes, against trying every combination of values around the thresholds


@st.composite
def wishes(draw):
    """(tree, row without gaps, wanted class, limits)."""
    one_answer = [i for i, (_, n_classes, growth) in enumerate(MAKES) if n_classes and "leaf_model" not in growth]
    make = draw(st.sampled_from(one_answer))  # of leaves with lines no changes are looked for
    tree = tc.Tree.from_dict(json.loads(saved(make)))
    row = {f.name: draw(st.sampled_from(tried(tree, i))) for i, f in enumerate(tree.schema.features)}
    names = list(row)
    numeric = [f.name for f in tree.schema.features if f.numeric]
    limits = Limits(
        locked=frozenset(draw(st.sets(st.sampled_from(names), max_size=2))),
        one_way={name: draw(st.sampled_from(["up", "down"])) for name in draw(st.sets(st.sampled_from(numeric)))},
        ranges={name: (0.5, 4.0) for name in draw(st.sets(st.sampled_from(numeric), max_size=1))},
        costs={name: 2.5 for name in draw(st.sets(st.sampled_from(names), max_size=2))},
        scale={name: 0.5 for name in draw(st.sets(st.sampled_from(numeric), max_size=1))},
    )
    return tree, row, draw(st.sampled_from(tree.classes)), limits


def tried(tree: tc.Tree, index: int) -> list:
    """Values on both sides of every limit of a feature, or its levels."""
    feature = tree.schema.features[index]
    if not feature.numeric:
        return list(feature.levels)
    portable = Portable(tree)
    limits = {
        limit for node in portable.nodes for q in node.questions[:1] if q.feature == index for limit, _ in q.limits
    }
    ends = [v for limit in limits for v in (np.nextafter(limit, -np.inf), limit, np.nextafter(limit, np.inf))]
    return sorted({0.5, 4.0, 1.7, *map(float, ends)})


def price(tree: tc.Tree, row: dict, other: dict, limits: Limits) -> float:
    """What the changes from one row to another cost; infinite where they are not allowed."""
    total = 0.0
    for feature in (feature for feature in tree.schema.features if not feature.terms):
        name, before, after = feature.name, row[feature.name], other[feature.name]
        if before == after:
            continue
        if name in limits.locked:
            return math.inf
        if feature.numeric:
            low, high = limits.ranges.get(name, (-math.inf, math.inf))
            way = limits.one_way.get(name)
            if not low <= after <= high or (way == "up" and after < before) or (way == "down" and after > before):
                return math.inf
            cost = abs(after - before) / limits.scale.get(name, 1.0)
        elif feature.kind == "ordinal":
            cost = abs(feature.levels.index(after) - feature.levels.index(before)) / (len(feature.levels) - 1)
        else:
            cost = 1.0
        total += cost * limits.costs.get(name, 1.0)
    return total


@given(wishes())
@settings(max_examples=60)
def test_no_change_is_cheaper_than_the_nearest(wish):
    tree, row, wanted, limits = wish
    used = {q.feature for node in Portable(tree).nodes for q in node.questions[:1]}
    choices = [
        sorted({*tried(tree, i), row[f.name]}, key=str) if i in used else [row[f.name]]
        for i, f in enumerate(tree.schema.features)
    ]
    if math.prod(map(len, choices)) > 20_000:
        return
    names = [f.name for f in tree.schema.features]
    rows = [dict(zip(names, values, strict=True)) for values in itertools.product(*choices)]
    answers = tree.predict(pd.DataFrame(rows))
    prices = [price(tree, row, r, limits) for r, answer in zip(rows, answers, strict=True) if answer == wanted]
    best, found = min(prices, default=math.inf), changes(Portable(tree), row, wanted, limits)
    assert bool(found) == math.isfinite(best)
    if found:
        assert found[0].cost == pytest.approx(best, abs=1e-9)
        assert [change.cost for change in found] == sorted(change.cost for change in found)
        for cheaper, other in itertools.combinations(found, 2):
            assert not set(cheaper.values) <= set(other.values)
    for change in found:
        changed = {**row, **change.values}
        assert tree.predict(pd.DataFrame([changed]))[0] == wanted
        assert math.isfinite(price(tree, row, changed, limits))
        assert change.text or not change.values
