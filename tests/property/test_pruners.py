"""What holds for every pruner of the registry, with every choice of its menus, on every kind of tree."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_core_pruning import other_rows
from tests.property.test_core_twins import samples
from tests.property.twin_settings import many_rows, twin_growths
from treecore.pruning import CUT, KEEP, PRUNERS
from treecore.tree.predict import route

TOLERANCE = 1e-8


def variants():
    """(pruner, parameters): the defaults, every choice of a menu, every switch the other way."""
    for pruner in PRUNERS.values():
        yield pruner.name, {}
        for p in pruner.parameters:
            other = [not p.default] if p.switch else [name for name, _ in p.choices if name != p.default]
            yield from ((pruner.name, {p.name: value}) for value in other)


EVERY = list(variants())
VARIANTS = [pytest.param(name, more, id="-".join([name, *map(str, more.values())])) for name, more in EVERY]
FEW = {"n_permutations": 39, "folds": 3}
"""Enough for a test: the numbers of what is drawn or grown again."""
RELAXED = settings(max_examples=12)


def few(name, more):
    known = {p.name for p in PRUNERS[name].parameters}
    return {key: value for key, value in FEW.items() if key in known} | more


@st.composite
def others(draw, sample):
    """Rows that the tree was not grown on."""
    return other_rows(draw(st.data()), sample)


@st.composite
def cases(draw, **fixed):
    """(sample, tree, training rows, validation rows) of any kind: missing values, weights, costs, several branches."""
    sample = draw(samples())
    growth = draw(twin_growths(sample, **fixed))
    train = sample.table()
    try:
        tree = tc.grow(train, growth)
    except tc.TreecoreError:
        assume(False)
    return sample, tree, train, draw(st.just(train) | others(sample))


def pruned(tree, name, train, validation, **more):
    """The cuts, or None where the pruner refuses as it should."""
    try:
        return tc.prune(tree, name, train=train, validation=validation, **few(name, more))
    except tc.TreecoreError as refused:
        return None if refused.what and refused.remedy else pytest.fail(f"{name} refuses without saying why")


def as_told(reason) -> bool | None:
    """Does the node lose its branches, going by the numbers? None where they say nothing or are as good as equal."""
    a, b = reason.number, reason.threshold
    if math.isnan(a) or math.isnan(b) or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9):
        return None
    return a > b if reason.more else a <= b


def assert_same_cuts(first, second):
    """Of the same input."""
    if first is None:
        assert second is None
        return
    assert first.verdict.tolist() == second.verdict.tolist()
    assert first.replaced_by.tolist() == second.replaced_by.tolist()
    assert repr(first.reasons) == repr(second.reasons)
    assert first.judged_by == second.judged_by


@pytest.mark.parametrize(("name", "more"), VARIANTS)
@given(case=cases())
@RELAXED
def test_work_alike_twice_or_refuse_say_why_and_leave_the_tree_alone(name, more, case):
    _, tree, train, validation = case
    before = tree.to_dict()
    cuts, again = (pruned(tree, name, train, validation, **more) for _ in range(2))
    assert tree.to_dict() == before
    assert_same_cuts(cuts, again)
    if cuts is None:
        return
    assert len(cuts.verdict) == tree.n_nodes
    assert (cuts.verdict[tree.is_leaf] == KEEP).all()
    assert not any(tree.is_leaf[t] for t in cuts.reasons)
    assert cuts.judged_by
    for t in np.flatnonzero(cuts.verdict != KEEP):
        assert int(t) in cuts.reasons or name == "validation_peak"
    for t, reason in cuts.reasons.items():
        assert reason.method
        assert reason.text
        told = as_told(reason)
        if told is not None and cuts.verdict[t] in (KEEP, CUT):
            assert told == (cuts.verdict[t] == CUT), (t, reason)
    small = tree.cut(cuts)
    assert small.n_leaves <= tree.n_leaves
    assert len(small.predict(validation)) == validation.n_rows


@pytest.mark.parametrize(("name", "more"), VARIANTS)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_nothing_is_refused_that_has_a_meaning(name, more, n_classes):
    """Whole rows, two branches, a squared error or Gini: every pruner of the task does its work and cuts noise."""
    rng = np.random.default_rng(4)
    rows = [many_rows(rng, n_classes, 0.0, n=80) for _ in range(2)]
    train, validation = (Sample(s.kinds, s.columns, s.levels, s.target, n_classes).table() for s in rows)
    tree = tc.grow(train)
    task = PRUNERS[name].task
    of_classes = {"log_loss", "brier", "auc", "average_precision"} | ({"captured"} if n_classes == 2 else set())
    known = {"error", "impurity"} | (of_classes if n_classes else {"mae"})
    if (task and task != tree.task) or not {more.get("risk", "error"), more.get("measure", "error")} <= known:
        with pytest.raises(tc.TreecoreError, match=r"no meaning for a target of|knows no profit"):
            tc.prune(tree, name, train=train, validation=validation, **few(name, more))
        return
    more = few(name, more) | ({"alpha": 0.1} if "permutation" in more.values() else {})
    cuts = tc.prune(tree, name, train=train, validation=validation, **more)
    assert cuts.reasons or name == "none"
    assert tree.cut(cuts).n_leaves <= tree.n_leaves


@given(case=cases(max_depth=0))
@settings(RELAXED, max_examples=8)
def test_a_lone_root_stays_what_it_is(case):
    _, tree, train, validation = case
    for name, more in EVERY:
        note(f"{name} {more}")
        cuts = pruned(tree, name, train, validation, **more)
        if cuts is not None:
            assert not cuts.changes
            assert tree.cut(cuts).n_nodes == 1


LARGER_CUTS_MORE = [
    ("cost_complexity", "alpha", {}), ("j48_collapse", "slack", {}),
    ("reduced_error", "epsilon", {}), ("reduced_error", "epsilon", {"order": "leaves"}),
    ("reduced_error", "epsilon", {"order": "top-down"}), ("merge_siblings", "accepted", {}),
    ("merge_siblings", "accepted", {"unit": "node"}), ("merge_siblings", "accepted", {"unit": "root"}),
    ("validation_peak", "patience", {}), ("critical_value", "alpha", {}),
    ("critical_value", "alpha", {"test": "permutation", "n_permutations": 99}),
]  # fmt: skip
GRID = (0.02, 0.05, 0.1, 0.3, 0.9)


@pytest.mark.parametrize(("name", "parameter", "more"), LARGER_CUTS_MORE)
@given(case=cases())
@RELAXED
def test_cuts_are_deeper_with_a_larger_parameter(name, parameter, more, case):
    """Patience and the level of a test the other way round: a larger one keeps more."""
    _, tree, train, validation = case
    if PRUNERS[name].task not in ("", tree.task):
        return
    values = (1, 2, 5, 50) if parameter == "patience" else GRID
    reverse = name in ("validation_peak", "critical_value")
    hidden = []
    for value in values[::-1] if reverse else values:
        cuts = pruned(tree, name, train, validation, **({parameter: value} | more))
        if cuts is None:
            return
        hidden.append(cuts.hidden(tree))
    for less, deeper in itertools.pairwise(hidden):
        assert (less <= deeper).all()


@given(case=cases())
@RELAXED
def test_one_standard_error_cuts_no_less(case):
    _, tree, train, validation = case
    if tree.classes:
        without, with_it = (pruned(tree, "pessimistic", train, validation, standard_error=s) for s in (False, True))
        assert (without.hidden(tree) <= with_it.hidden(tree)).all()


def error_row_by_row(tree, cuts, table) -> float:
    """What the pruned tree gets wrong: every part of a row at the node that has it now."""
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    truth, total = table.target_column.values(), 0.0
    routes = route(tree, table)
    for row, end, share in zip(routes.row, routes.node, routes.share, strict=True):
        answer = tree.value[cuts.visible_ancestor(tree, int(end))]
        if not tree.classes:
            loss = (answer - truth[row]) ** 2
        elif tree.loss is not None:
            loss = tree.loss[int(truth[row]), answer] * tree.prior_factor[int(truth[row])]
        else:
            loss = (answer != truth[row]) * tree.prior_factor[int(truth[row])]
        total += weights[row] * share * loss
    return total


@pytest.mark.parametrize("order", [name for name, _ in PRUNERS["reduced_error"].parameters[1].choices])
@given(case=cases())
@settings(RELAXED, max_examples=60)
def test_reduced_error_never_raises_the_error_on_the_pruning_set(order, case):
    _, tree, train, validation = case
    cuts = pruned(tree, "reduced_error", train, validation, order=order)
    if cuts is None:
        return
    whole = error_row_by_row(tree, tc.prune(tree, "none"), validation)
    left = error_row_by_row(tree, cuts, validation)
    assert left <= whole * (1 + TOLERANCE) + TOLERANCE
    best = pruned(tree, "reduced_error", train, validation)
    assert error_row_by_row(tree, best, validation) <= left * (1 + TOLERANCE) + TOLERANCE
    for t, reason in cuts.reasons.items():
        if order == "bottom-up" and cuts.verdict[t] == CUT:
            assert reason.number <= reason.threshold


@given(case=cases())
@settings(RELAXED, max_examples=60)
def test_the_peak_is_the_best_prefix_of_the_growth(case):
    _, tree, train, validation = case
    cuts = pruned(tree, "validation_peak", train, validation)
    if cuts is None:
        return
    inner = np.flatnonzero(~tree.is_leaf)
    order = inner[np.argsort(tree.first_child[inner])]
    errors = [
        error_row_by_row(tree, tc.Cuts.at(tree, order[k:]) if k < len(order) else tc.prune(tree, "none"), validation)
        for k in range(len(order) + 1)
    ]
    left = error_row_by_row(tree, cuts, validation)
    assert left <= min(errors) * (1 + TOLERANCE) + TOLERANCE
    n_splits = int((~tree.cut(cuts).is_leaf).sum())
    assert all(e > left * (1 - 1e-6) - TOLERANCE for e in errors[:n_splits])


def impossible(p):
    """Values that a parameter does not allow."""
    if p.switch or p.choices:
        return [1, "no such thing", 0.5]
    values = [p.least - 1, float("nan"), "much", True]
    values += [p.least] if p.above else []
    values += [p.least + 0.5, math.inf] if p.whole else []
    return values + ([p.most * 2 + 1] if p.most < math.inf else [])


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [(pruner.name, p.name, value) for pruner in PRUNERS.values() for p in pruner.parameters for value in impossible(p)],
)
def test_a_parameter_out_of_its_range_is_refused_by_name(name, parameter, value):
    n_classes = 0 if PRUNERS[name].task == "regression" else 2
    sample = Sample(["numeric"], [[0, 1, 2, 3]], [0], [0, 1, 1, 0], n_classes)
    tree = tc.grow(sample.table())
    with pytest.raises(tc.TreecoreError) as caught:
        tc.prune(tree, name, train=sample.table(), validation=sample.table(), **{parameter: value})
    assert caught.value.where == parameter
    assert caught.value.remedy


@pytest.mark.parametrize("name", [p.name for p in PRUNERS.values() if p.needs_validation])
def test_no_validation_rows_are_refused(name):
    sample = Sample(["numeric"], [[0, 1, 2, 3]], [0], [0, 1, 1, 0], 2)
    tree = tc.grow(sample.table())
    for rows in (None, sample.table([])):
        with pytest.raises(tc.TreecoreError, match="no validation rows to judge by") as caught:
            tc.prune(tree, name, train=sample.table(), validation=rows)
        assert caught.value.where == "Roles"
