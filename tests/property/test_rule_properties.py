"""Rules of random trees: what they cover, what simplification may do to them, and the list as a plain loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_binary_chain import probe_rows
from tests.property.test_core_twins import samples
from tests.property.twin_settings import twin_growths
from treecore.rules import Linear, Rule
from treecore.rules.cover import Cover
from treecore.rules.simplify import without_implied
from treecore.tree import FeatureSchema
from treecore.tree.predict import route

FEW = settings(max_examples=80)
KINDS = ("numeric", "numeric", "nominal", "ordinal")


@st.composite
def plans(draw):
    """(sample, settings of growth)."""
    sample = draw(samples(kinds=KINDS))
    return sample, draw(twin_growths(sample))


def grown(plan):
    """(sample, table, tree); outside of the strategy, since compiling counts as slow drawing."""
    sample, growth = plan
    table = sample.table()
    return sample, table, tc.grow(table, growth)


def own_error(rule, tree, table) -> tuple[float, float]:
    """(weight covered, error) row by row, by the definition."""
    values = table.column(tree.schema.target)
    labels, numbers = values.labels(), values.values()
    case = np.ones(table.n_rows) if table.weights is None else table.weights
    total = wrong = 0.0
    for row in tc.RuleSet(tree, (rule,)).covered(table)[0]:
        off = float(labels[row] != rule.said) if tree.classes else (numbers[row] - rule.answer) ** 2
        total, wrong = total + case[row], wrong + case[row] * off
    return total, wrong / total if total > 0 else np.nan


@given(plans())
@FEW
def test_a_rule_covers_the_rows_that_go_down_its_path_alone(plan):
    sample, table, tree = grown(plan)
    rules = tc.rules(tree)
    for rows in (table, probe_rows(sample)):
        covered, routes = rules.covered(rows), route(tree, rows)
        n = int(routes.row[-1]) + 1
        whole = {int(r): int(e) for r, e, s in zip(routes.row, routes.node, routes.share, strict=True) if s == 1.0}
        leaf_of = {int(r): rule.leaf for rule, found in zip(rules, covered, strict=True) for r in found}
        assert len(leaf_of) == sum(len(found) for found in covered), "no row is covered twice"
        for row, leaf in leaf_of.items():
            assert whole[row] == leaf
        if tree.growth["missing"] != "fractional":
            assert all(not tree.is_leaf[whole[row]] for row in set(range(n)) - set(leaf_of))


@given(plans())
@FEW
def test_merging_and_dropping_what_is_implied_change_no_coverage(plan):
    sample, table, tree = grown(plan)
    apart, probe = tc.rules(tree, merged=False), probe_rows(sample)
    for rows in (table, probe):
        before = [c.tolist() for c in apart.covered(rows)]
        assert [c.tolist() for c in apart.without_implied().covered(rows)] == before
        assert [c.tolist() for c in tc.rules(tree).covered(rows)] == before
        assert [c.tolist() for c in tc.rules(tree).without_implied().covered(rows)] == before


@given(plans())
@FEW
def test_what_the_tree_and_bits_say_of_coverage_is_what_the_conditions_say(plan):
    sample, table, tree = grown(plan)
    paths = tc.rules(tree)
    for rules in (paths, paths.without_implied(), paths.simplified(table)):
        for rows in (table, probe_rows(sample)):
            cover, slow = Cover(tree, rows), rules.covered(rows)
            assert [cover.rows(rule).tolist() for rule in rules] == [found.tolist() for found in slow]
            assert [cover.places(cover.bits(rule)).tolist() for rule in rules] == [found.tolist() for found in slow]
            first = np.full(cover.n_rows, -1)
            for place, found in reversed(list(enumerate(slow))):
                first[found] = place
            assert cover.fired(rules.rules).tolist() == first.tolist()


@given(plans(), st.data())
@FEW
def test_simplification_never_raises_the_validation_error(plan, data):
    _, table, tree = grown(plan)
    rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=2 * table.n_rows))
    validation = table.take(np.array(rows))
    before = tc.rules(tree)
    after = before.simplified(validation)
    for long, short in zip(before, after, strict=True):
        (covered, error), (more, less) = own_error(long, tree, validation), own_error(short, tree, validation)
        assert more >= covered - 1e-9
        assert short.answer == long.answer or np.isnan(short.answer)
        if not covered > 0:
            assert short.conditions == long.conditions
            continue
        assert less <= error + 1e-9 * max(1.0, error)
        assert {*short.conditions, *(d.condition for d in short.dropped)} == set(long.conditions)
        chain = [error, *(d.after for d in short.dropped)]
        assert chain == pytest.approx([*(d.before for d in short.dropped), less])
        for place, condition in enumerate(short.conditions):
            rest = tuple(c for c in short.conditions if c is not condition)
            without = own_error(Rule(rest, short.answer, short.said, "y", 0), tree, validation)[1]
            assert without > less - 1e-9, f"condition {place} could still go"
            assert without >= short.halted.after - 1e-9


@given(plans(), st.data())
@FEW
def test_a_list_is_the_plain_loop(plan, data):
    _, table, tree = grown(plan)
    rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=table.n_rows))
    validation = table.take(np.array(rows))
    ordered = tc.rules(tree).simplified(validation, table).listed(validation, table)
    merit = [own_error(rule, tree, validation) for rule in ordered.rules]
    errors = [error for weight, error in merit if weight > 0]
    assert errors == sorted(errors) or np.diff(errors).min() > -1e-9
    assert all(not weight > 0 for weight, _ in merit[len(errors) :])
    covered = [set(found.tolist()) for found in tc.RuleSet(tree, ordered.rules).covered(table)]
    answers = []
    for row in range(table.n_rows):
        first = next((rule for rule, found in zip(ordered.rules, covered, strict=True) if row in found), None)
        if first is None:
            answers.append(ordered.default)
        else:
            answers.append(first.answer)
    if tree.classes:
        assert ordered.predict(table).tolist() == [tree.classes[a] if a >= 0 else None for a in answers]
    else:
        np.testing.assert_array_equal(ordered.predict(table), answers)


SMALL = st.integers(-3, 3).map(float)
PLANE = (FeatureSchema("x", "numeric"), FeatureSchema("y", "numeric"))


@given(st.lists(st.tuples(SMALL, SMALL, SMALL, st.booleans()), min_size=1, max_size=6))
@settings(max_examples=150)
def test_dropping_implied_inequalities_changes_no_coverage(drawn):
    """On a grid that has the corners of small whole-numbered inequalities, or points close to them.

    It is twelve times as large as these say, so that no sum is rounded: rounded ones differ on a border itself.
    """
    lines = tuple(Linear(PLANE, (0, 1), (a, b), 12 * c, closed) for a, b, c, closed in drawn)
    rule = Rule(lines, 0, "in", "side", 0)
    steps = np.arange(-48.0, 49.0)
    values = np.array([axis.ravel() for axis in np.meshgrid(steps, steps)])
    assert without_implied(rule).covered(values).tolist() == rule.covered(values).tolist()
