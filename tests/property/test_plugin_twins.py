"""Criteria of other packages that judge numbers: one that is the squared error grows its trees; of one that is not,
every split is the best of all."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property import naive
from tests.property.test_core_twins import growths, samples
from tests.property.test_uncompiled_twins import alike, covered_growths
from tests.property.twin_settings import many_rows
from treecore.criteria import CRITERIA, N_COMPILED
from treecore.criteria.criterion import Criterion, uncompiled
from treecore.data import level_column, numeric_column
from treecore.growing.numpy.grow import is_covered
from treecore.growing.search.searchers import as_searched
from treecore.growing.settings.problem import problem_of


def _variance(stats, total, loss):
    w, wy, wyy = stats
    return np.maximum(wyy / w - (wy / w) ** 2, 0.0)


def _criterion(name, many):
    return Criterion(name, name, "regression", "s", "here", many=many, written=lambda stats, loss, center: ["s"])


SPREAD = _criterion("spread", _variance)
DEVIATION = _criterion("deviation", lambda stats, total, loss: np.sqrt(_variance(stats, total, loss)))
PLACED = _criterion("placed", lambda stats, total, loss: stats[1] / total)
BROKEN = _criterion("broken", lambda stats, total, loss: stats[3])


@pytest.fixture(autouse=True, scope="module")
def installed():
    """As if an installed package had brought them."""
    with pytest.MonkeyPatch.context() as patch:
        found = {c.name: c for c in uncompiled(N_COMPILED, [SPREAD, DEVIATION])}
        patch.setattr(CRITERIA, "_entries", {name: CRITERIA[name] for name in CRITERIA} | found)
        yield


def told(tree):
    """What the tree says but for the name of its criterion; gains to nine digits, as they are made otherwise."""
    found = tree.to_dict()
    found["growth"] = found["growth"] | {"criterion": ""}
    return {name: value for name, value in found.items() if name not in ("criterion", "gain", "score")}


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_the_squared_error_by_another_name(data):
    """Every grouping of levels is tried instead of those in the order of the means: none is better."""
    if data.draw(st.booleans()):
        sample = data.draw(samples(max_rows=40).filter(lambda sample: not sample.n_classes))
    else:
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
        sample = many_rows(rng, 0, data.draw(st.sampled_from([0.0, 0.1])), 60)
    growth, table = data.draw(covered_growths(sample)), sample.table()
    renamed = replace(growth, criterion="spread")
    assume(is_covered(as_searched(problem_of(table, renamed), renamed), renamed))
    assert alike(told(tc.grow(table, renamed)), told(tc.grow(table, growth)))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_every_node_is_what_the_formula_says(data):
    """The reduction of the standard deviation (Quinlan, 1992), for which the best groups of levels need not lie side
    by side in the order of their means."""
    sample = data.draw(samples(n_classes=0))
    growth = data.draw(growths(sample, criterion="deviation"))
    with pytest.MonkeyPatch.context() as patch:
        variance = naive.impurity
        patch.setattr(
            naive, "impurity", lambda sample, criterion, rows: math.sqrt(variance(sample, "squared_error", rows))
        )
        naive.check_growth(sample, growth, tc.grow(sample.table(), growth))


def test_the_best_groups_need_not_lie_side_by_side():
    """Levels a and b spread widely around 0 and 0.5, c lies at 0.25: between them in the order of the means."""
    y = np.array([-10.0, 10.0, -9.5, 10.5, 0.25, 0.25])
    columns = (level_column("level", "nominal", np.array([0, 0, 1, 1, 2, 2]), ("a", "b", "c")), numeric_column("y", y))
    table = tc.Table(columns, target="y", features=("level",))
    tree = tc.grow(table, criterion="deviation", max_depth=1)
    groups = {frozenset(group) for group in tc.candidates(tree, 0, table).ranked[0].branches}
    assert groups == {frozenset("ab"), frozenset("c")}
    assert tree.apply(table)[0] == tree.apply(table)[2] != tree.apply(table)[4]
    assert tree.gain[0] == pytest.approx(y.std() - y[:4].std() * 4 / 6)
    assert tc.candidates(tree, 0, table).ranked[0].gain == pytest.approx(tree.gain[0])


@pytest.mark.parametrize(("criterion", "why"), [(PLACED, "less their mean"), (BROKEN, "fails at three numbers")])
def test_what_cannot_judge_numbers_is_left_out_with_the_reason(criterion, why):
    with pytest.warns(UserWarning, match=why):
        assert uncompiled(N_COMPILED, [criterion]) == []
