"""Saved trees that somebody changed: each is refused with a reason, or does no harm."""

import copy
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.saved_trees import MAKES, saved, tried
from tests.property.test_code_exports import asked
from tests.property.twin_settings import many_rows
from treecore.data import numeric_column

PATIENCE = 60
"""Seconds after which a tree hangs."""
VALUES = [
    -(2**63), -(10**6), -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 9, 100, 127, 128, 10**6, 2**31, 2**32, 2**63, 10**400,
    -0.5, 0.5, 1.5, 1e-300, 1e300, -1e300, float("nan"), float("inf"), float("-inf"),
    None, True, False, "", "0", "nan", "inf", "-inf", "numeric", "nominal", "ordinal", "\ud800", "\0", [], [0], {},
]  # fmt: skip


class Elsewhere:
    """Trees are tried in a process of their own, which is started anew where one took it down."""

    def __init__(self, act=tried):
        self._act, self._pool = act, None

    def tried(self, text: str, n_classes: int) -> str:
        self._pool = self._pool or ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        try:
            return self._pool.submit(self._act, text, n_classes).result(PATIENCE)
        except (BrokenProcessPool, TimeoutError) as end:
            self.close()
            raise AssertionError("crashed" if isinstance(end, BrokenProcessPool) else "hangs") from end

    def close(self):
        for process in list(self._pool._processes.values()) if self._pool else []:
            process.kill()
        self._pool = None


@pytest.fixture(scope="module")
def elsewhere():
    here = Elsewhere()
    yield here
    here.close()


def places(data, path=()):
    """The paths to all entries of nested lists and objects."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(data[key], (*path, key))


def _at(data, path):
    for part in path:
        data = data[part]
    return data


@st.composite
def changed(draw):
    """(JSON of a tree with one to three changes, its number of classes)."""
    make = draw(st.integers(0, len(MAKES) - 1))
    data = json.loads(saved(make))
    for _ in range(draw(st.integers(1, 3))):
        # a column first: those of many entries would be chosen nearly always
        column = draw(st.sampled_from(sorted(data) + ["schema", "splits", "surrogates"] * 5))
        inside = (column,)
        if draw(st.integers(0, 4)) and isinstance(data.get(column), dict) and data[column]:
            inside = (column, draw(st.sampled_from(sorted(data[column]))))
        if column not in data:
            continue
        deep = [(*inside, *path) for path in places(_at(data, inside))]
        change(draw, data, draw(st.sampled_from(deep)) if deep and draw(st.booleans()) else inside)
    return json.dumps(data), MAKES[make][1]


def _value(draw):
    return copy.deepcopy(draw(st.sampled_from(VALUES)))


def change(draw, data, path):
    """Change the entry at a path in one of several ways."""
    *above, key = path
    data = _at(data, above)
    old = data[key]
    how = draw(st.sampled_from(["value", "value", "step", "swap", "drop", "twice", "entry"]))
    number = isinstance(old, int | float) and not isinstance(old, bool) and abs(old) < 1e300
    if how == "step" and number:
        data[key] = old + draw(st.sampled_from([-2, -1, 1, 2, 0.5, -0.5, 1e-9]))
    elif how == "swap" and isinstance(data, list):
        other = draw(st.integers(0, len(data) - 1))
        data[key], data[other] = data[other], old
    elif how == "entry" and isinstance(old, list) and old:
        old[draw(st.integers(0, len(old) - 1))] = _value(draw)
    elif how == "twice" and isinstance(data, list):
        data.insert(key, old)
    elif how == "drop":
        del data[key]
    else:
        data[key] = _value(draw)


@given(case=changed())
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_a_changed_tree_is_refused_or_does_no_harm(elsewhere, case):
    assert elsewhere.tried(*case)


@given(asked())
@settings(max_examples=60)
def test_a_tree_that_is_read_again_answers_bit_for_bit(made):
    tree, rows = made
    found = tc.read_model(tc.export(tree, "json").encode())
    np.testing.assert_array_equal(found.predict(rows), tree.predict(rows))
    if tree.classes:
        np.testing.assert_array_equal(found.predict_proba(rows), tree.predict_proba(rows))


@pytest.mark.parametrize("make", range(len(MAKES)), ids=lambda make: "-".join(map(str, MAKES[make][:2])) + f"-{make}")
def test_a_tree_as_it_was_saved_is_sound(elsewhere, make):
    assert elsewhere.tried(saved(make), MAKES[make][1]) == "sound"


@pytest.mark.parametrize(
    ("column", "entry", "value", "told"),
    [
        ("first_child", 1, 10**6, "first_child"), ("first_child", 1, 1, "first_child"), ("parent", 2, 1, "parent"),
        ("n_children", 0, -1, "n_children"), ("node_depth", 1, 5, "node_depth"), ("answer", 0, 99, "answer"),
        ("splits.kind", 0, 9, "splits.kind"), ("splits.kind", 0, 2, "splits"), ("splits.feature", 0, 77, "feature"),
        ("splits.level_start", 1, -5, "level_start"), ("splits.cut_start", 1, 7, "cut_start"),
        ("splits.threshold", 0, None, "threshold"), ("splits.low_branch", 0, 3, "low_branch"),
        ("splits.missing_branch", 0, 2, "missing_branch"), ("splits.missing_branch", 0, -3, "missing_branch"),
        ("surrogate_start", 1, 10**6, "surrogate_start"), ("surrogates.kind", 0, 3, "surrogates.kind"),
        ("surrogates.feature", 0, -1, "surrogates.feature"), ("stats", 0, [float("nan")] * 3, "stats"),
        ("stats", 1, [-5.0, 1.0, 1.0], "stats"), ("stats", 1, [1.0], "stats"), ("n_rows", 1, -1, "n_rows"),
        ("n_rows", 1, 1.5, "n_rows"), ("parent", 1, "0", "parent"), ("parent", 1, 2**40, "parent"),
        ("gain", 0, "inf", "gain"), ("growth", "merge_alpha", float("nan"), "growth"),
        ("growth", "max_depth", float("inf"), "growth"), ("growth", "priors", [0.5, float("nan")], "growth"),
        ("growth", "edges", [["x", [[[1.0]]]]], "growth"), ("growth", "costs", {"x": 2.0}, "growth"),
    ],
)  # fmt: skip
def test_the_column_that_is_wrong_is_named(column, entry, value, told):
    data = json.loads(saved(0))
    *above, name = column.split(".")
    columns = data[above[0]] if above else data
    columns[name][entry] = value
    with pytest.raises(tc.TreecoreError) as caught:
        tc.Tree.from_dict(data)
    assert told in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize(("column", "value"), [("center", 9e99), ("stats", [1e-3, 2.7e63, 1e140])])
def test_no_mean_is_so_large_that_squares_of_its_squares_are_no_numbers(column, value):
    """Their deviation was none, and no subtree was within it of the best."""
    data = tc.grow(many_rows(np.random.default_rng(1), 0, 0.15, n=60).table(), max_depth=3).to_dict()
    data[column][-1] = value
    with pytest.raises(tc.TreecoreError, match=column):
        tc.Tree.from_dict(data)


@pytest.mark.parametrize("n_classes", [0, 2])
def test_no_node_without_rows_answers(n_classes):
    """Its mean was no number, which JavaScript and web pages have no literal for."""
    data = tc.grow(many_rows(np.random.default_rng(1), n_classes, 0.15, n=60).table(), max_depth=3).to_dict()
    data["stats"][-1] = [0.0] * len(data["stats"][-1])
    with pytest.raises(tc.TreecoreError, match="answer"):
        tc.Tree.from_dict(data)


@pytest.mark.parametrize("size", [1e-64, 1e-40, 1.0, 1e40, 1e64])
def test_trees_of_large_and_small_numbers_are_pruned_and_come_back(size):
    """From 1e51 on they were saved and then refused, from 1e78 on they could not be pruned by one standard error."""
    numbers = np.sin(np.arange(60.0)) * size
    table = tc.Table((numeric_column("x", np.arange(60.0)), numeric_column("y", numbers)), target="y", features=("x",))
    tree = tc.grow(table, max_depth=3)
    for errors in (0, 1):
        cuts = tc.prune(tree, "cost_complexity", validation=table, standard_errors=errors)
        assert tree.cut(cuts).n_leaves > 1
    assert tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict()))).n_nodes == tree.n_nodes


def test_numbers_whose_squares_cannot_be_squared_are_refused():
    table = tc.Table((numeric_column("x", np.arange(4.0)), numeric_column("y", np.arange(4) * 1e80)), "y", ("x",))
    with pytest.raises(tc.TreecoreError, match="cannot be squared and summed"):
        tc.grow(table)
