"""The compiled grower against its slow twin, node for node, on small tables full of ties."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample, check_growth
from treecore.criteria import CRITERIA
from treecore.tree.node_statistics import children_statistics

CLASSIFICATION = tuple(
    c.name for c in CRITERIA.values() if c.task == "classification" and c.max_classes is None and not c.needs_loss
)
WEIGHTS = (1.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0)


def many(values, n: int):
    """A list of n of these values, the first being the simplest: a draw for each would take longer than most checks."""
    return st.binary(min_size=n, max_size=n).map(lambda drawn: [values[byte % len(values)] for byte in drawn])


@st.composite
def samples(draw, n_classes=None, kinds=("numeric", "ordinal", "nominal", "boolean"), missing=True, max_rows=30):
    """A trainable sample of few values, so that ties are frequent."""
    n_classes = draw(st.sampled_from([0, 2, 3])) if n_classes is None else n_classes
    n = draw(st.integers(3, max_rows))
    wanted = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    levels = [{"numeric": 0, "boolean": 2}.get(k, draw(st.integers(2, 5))) for k in wanted]
    columns = [draw(_cells(k, v, n, missing and draw(st.booleans()))) for k, v in zip(wanted, levels, strict=True)]
    target = draw(many(range(n_classes) if n_classes else [v / 2 for v in range(-4, 5)], n))
    assume(1 < len(set(target)) < n)
    weights = draw(st.none() | many(WEIGHTS, n))
    assume(weights is None or any(weights))
    return Sample(wanted, columns, levels, target, n_classes, weights)


def _cells(kind, n_levels, n, missing):
    cells = [v / 2 for v in range(6)] if kind == "numeric" else list(range(n_levels))
    return many([None] * (missing * len(cells)) + cells, n)


@st.composite
def growths(draw, sample, **fixed):
    """Settings that fit the sample. A minimum per branch only where the search of groupings stays exact."""
    criterion = draw(st.sampled_from(CLASSIFICATION)) if sample.n_classes else "squared_error"
    nominal = draw(st.sampled_from(["subset", "multiway"]))
    sorted_cuts = nominal == "subset" and sample.n_classes <= 2 and {"nominal", "boolean"} & set(sample.kinds)
    found = {
        "criterion": criterion,
        "nominal": nominal,
        "threshold": draw(st.sampled_from(["midpoint", "midpoint", "float32"])),
        "zero_gain": draw(st.sampled_from(["stop", "split"])),
        "max_depth": draw(st.none() | st.integers(0, 4)),
        "min_rows_split": draw(st.sampled_from([2, 2, 5])),
        "min_rows_leaf": 1 if sorted_cuts else draw(st.integers(1, 3)),
        "min_share_split": draw(st.sampled_from([0.0, 0.0, 0.25])),
        "min_share_leaf": 0.0 if sorted_cuts else draw(st.sampled_from([0.0, 0.0, 0.125])),
        "min_gain": draw(st.sampled_from([0.0, 0.0, 0.0437])),
        "min_weighted_gain": draw(st.sampled_from([0.0, 0.0, 0.0237])),
    }
    return tc.GrowSettings(**found | fixed)


@given(st.data())
@settings(max_examples=100)
def test_every_node_is_what_the_formulas_say(data):
    sample = data.draw(samples())
    growth = data.draw(growths(sample))
    check_growth(sample, growth, tc.grow(sample.table(), growth))


@given(st.data())
@settings(max_examples=100)
def test_best_first_takes_the_largest_total_gain_and_stops_at_max_leaves(data):
    sample = data.draw(samples())
    growth = data.draw(growths(sample, max_leaves=data.draw(st.integers(1, 6))))
    tree = tc.grow(sample.table(), growth)
    assert tree.n_leaves <= growth.max_leaves
    check_growth(sample, growth, tree)


@pytest.mark.parametrize("criterion", CLASSIFICATION)
@given(st.data())
@settings(max_examples=25)
def test_groupings_of_three_classes_are_the_best_of_all(criterion, data):
    sample = data.draw(samples(n_classes=3, kinds=("nominal",)))
    growth = data.draw(growths(sample, criterion=criterion, nominal="subset"))
    check_growth(sample, growth, tc.grow(sample.table(), growth))


@given(st.data())
@settings(max_examples=50)
def test_smaller_mean_comes_first_in_groupings_and_on_request_at_thresholds(data):
    sample = data.draw(samples())
    growth = data.draw(growths(sample, branch_order="mean", nominal="subset", max_leaves=None))
    tree = tc.grow(sample.table(), growth)
    for t in range(tree.n_nodes):
        # rows without a value are sent after the branches were put in order
        if not tree.is_leaf[t] and not tree.missing_rows[t]:
            stats = children_statistics(tree, t)
            mean = (
                stats @ range(sample.n_classes) / tree.weight[list(tree.children(t))]
                if sample.n_classes
                else (stats[:, 1] / stats[:, 0])
            )
            assert mean[0] <= mean[1] + 1e-12


@pytest.mark.parametrize("max_leaves", [None, 2, 3, 4, 6])
@pytest.mark.parametrize("criterion", [*CLASSIFICATION, "squared_error"])
def test_trees_of_many_nodes(criterion, max_leaves):
    """Hypothesis prefers small trees; these 12 have many nodes that compete to be split next."""
    rng = np.random.default_rng(7)
    n_classes = 0 if criterion == "squared_error" else 3
    for _ in range(12):
        n = 28
        columns = [rng.integers(0, k, n).tolist() for k in (7, 5, 3)]
        target = rng.integers(0, n_classes or 9, n).tolist()
        sample = Sample(["numeric", "ordinal", "nominal"], columns, [0, 5, 3], target, n_classes)
        growth = tc.GrowSettings(criterion=criterion, max_leaves=max_leaves)
        check_growth(sample, growth, tc.grow(sample.table(), growth))
