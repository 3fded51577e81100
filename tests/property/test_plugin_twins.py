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
from tests.property.test_fast_twins import SIZES, differing, grown_by_both, tables, trainable
from tests.property.test_fast_twins import growths as fast_growths
from tests.property.test_uncompiled_twins import alike, covered_growths
from tests.property.twin_settings import many_rows
from treecore.criteria import CRITERIA, N_COMPILED
from treecore.criteria.criterion import Criterion, of_packages
from treecore.data import level_column, numeric_column
from treecore.growing.numpy.numpy_growth import is_covered
from treecore.growing.searchers import as_searched
from treecore.growing.settings.engine_plan import is_fast
from treecore.growing.settings.problem import problem_of


def _variance(stats, total, loss):
    w, wy, wyy = stats
    return np.maximum(wyy / w - (wy / w) ** 2, 0.0)


def _criterion(name, many):
    return Criterion(name, name, "regression", "s", "here", many=many, written=lambda stats, loss, center: ["s"])


SPREAD = _criterion("spread", _variance)
DEVIATION = _criterion("deviation", lambda stats, total, loss: np.sqrt(_variance(stats, total, loss)))
PLACED = _criterion("placed", lambda stats, total, loss: stats[1] / total)


def _tsallis(stats, total, loss):
    """Of order 1.5."""
    result = 1.0
    for part in stats:
        result -= (part / total) ** 1.5
    return 2.0 * max(result, 0.0)


def _tsallis_of_many(stats, total, loss):
    return 2.0 * np.maximum(1.0 - sum((part / total) ** 1.5 for part in stats), 0.0)


def _of_classes(name, node):
    return Criterion(
        name, name, "classification", "t", "here", node, _tsallis_of_many, lambda stats, loss, center: ["t"]
    )


TSALLIS, IN_NUMPY = _of_classes("tsallis", _tsallis), _of_classes("tsallis_in_numpy", None)
NOT_COMPILED = _of_classes("not_compiled", lambda stats, total, loss: vars(np)["float64"](_tsallis(stats, total, loss)))
BROKEN = _criterion("broken", lambda stats, total, loss: stats[3])


@pytest.fixture(autouse=True, scope="module")
def installed():
    """As if an installed package had brought them."""
    with pytest.MonkeyPatch.context() as patch:
        found = {c.name: c for c in of_packages(N_COMPILED, [SPREAD, DEVIATION, TSALLIS, IN_NUMPY, NOT_COMPILED])}
        patch.setattr(CRITERIA, "_entries", {name: CRITERIA[name] for name in CRITERIA} | found)
        yield


def told(tree):
    """What the tree says but for the name of its criterion; gains to nine digits, as they are made otherwise."""
    found = tree.to_dict()
    found["growth"] = found["growth"] | {"criterion": ""}
    return {name: value for name, value in found.items() if name not in ("criterion", "gain", "score")}


@given(st.data())
@settings(max_examples=80)
def test_the_squared_error_by_another_name(data):
    """Every grouping of levels is tried instead of those in the order of the means: none is better.

    Which of two equally good ones comes first is not asked: no two rows have one target.
    """
    if data.draw(st.booleans()):
        sample = data.draw(samples(max_rows=40).filter(lambda sample: not sample.n_classes))
    else:
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
        sample = many_rows(rng, 0, data.draw(st.sampled_from([0.0, 0.1])), 60)
    sample = replace(sample, target=[y + math.sin(7.0 * i) / 10 for i, y in enumerate(sample.target)])
    growth, table = data.draw(covered_growths(sample)), sample.table()
    renamed = replace(growth, criterion="spread")
    assume(is_covered(as_searched(problem_of(table, renamed), renamed), renamed))
    assert alike(told(tc.grow(table, renamed)), told(tc.grow(table, growth)))


@given(st.data())
@settings(max_examples=100)
def test_a_node_of_another_package_grows_one_tree_by_every_engine(data):
    table = data.draw(tables(gaps=(0.0, 0.05, 0.3)).filter(lambda table: table.classes and trainable(table)))
    missing = data.draw(st.sampled_from(["majority", "surrogates", "stay"]))
    growth = replace(data.draw(fast_growths(len(table.classes))), criterion="tsallis", missing=missing, tolerance=1e-10)
    assert is_fast(table, growth)
    fast, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(fast, general) == {}
    in_numpy = replace(growth, criterion="tsallis_in_numpy")
    if is_covered(as_searched(problem_of(table, in_numpy), in_numpy), in_numpy):
        assert alike(told(tc.grow(table, in_numpy)), told(fast))


def test_its_other_settings_are_those_of_the_kernels():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    table = tc.from_arrays(x, (x[:, 0] + rng.normal(size=200) > 0).astype(int), classes="ab")
    growth = tc.GrowSettings(criterion="tsallis", max_depth=3)
    for settled in ({"test": "chi_square"}, {"score": "twoing"}):
        assert tc.grow(table, replace(growth, **settled)).n_nodes > 1
        with pytest.raises(tc.TreecoreError, match="comes from another package"):
            tc.grow(table, replace(growth, criterion="tsallis_in_numpy", **settled))


def test_a_node_that_cannot_be_compiled_is_refused_with_the_remedy():
    table = tc.from_arrays(np.arange(6.0).reshape(3, 2), np.array([0, 1, 1]), classes="ab")
    with pytest.raises(tc.TreecoreError, match="from `many`"):
        tc.grow(table, criterion="not_compiled")


def test_a_node_that_says_otherwise_than_many_is_left_out():
    with pytest.warns(UserWarning, match="does not say what `many` says"):
        (entry,) = of_packages(N_COMPILED, [replace(TSALLIS, node=lambda stats, total, loss: 0.0)])
    assert entry.node is None
    assert not entry.by_address


@given(st.data())
@settings(max_examples=60)
def test_every_node_is_what_the_formula_says(data):
    """The reduction of the standard deviation (Quinlan, 1992), for which the best groups of levels need not lie side
    by side in the order of their means."""
    sample = data.draw(samples(n_classes=0))
    growth = data.draw(growths(sample, criterion="deviation"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(naive, "CLOSE", 1e-6)  # of what rounding leaves of a variance of 0 the root is 1e-8
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
        assert of_packages(N_COMPILED, [criterion]) == []
