"""The arithmetic of pruners' verdicts: what is opened adds up to the number that decided."""

import re

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.explaining.formulas import Formula, Grid, Words
from treecore.explaining.pruning_arithmetic import Verdict, link_lines, verdict_lines
from treecore.figures import tex
from treecore.pruning import PRUNERS
from treecore.pruning.sequence import links_at
from treecore.tree.node_statistics import node_statistics

TRAIN, VALIDATION, _ = read_sample("titanic").split(tc.Roles())
TREE = tc.grow(TRAIN, max_depth=5)
SEEN = node_statistics(TREE, VALIDATION)


def verdict(method: str, node: int, tree=TREE, **parameters) -> Verdict:
    cuts = tc.prune(tree, method, train=TRAIN, validation=VALIDATION, **parameters)
    return Verdict(tree, cuts, node, PRUNERS[method], parameters, SEEN)


def formulas(lines) -> list[str]:
    return [line.tex for line in lines if isinstance(line, Formula)]


def last_number(tex: str) -> float:
    return float(re.findall(r"-?\d+(?:\.\d+)?", tex.removesuffix(r"\end{aligned}"))[-1])


@pytest.mark.parametrize("method", [m for m in PRUNERS if m != "none"])
def test_every_method_explains_every_node_that_it_judged(method):
    tree, train, validation = TREE, TRAIN, VALIDATION
    if not PRUNERS[method].serves(TREE.target_kind):
        train, validation, _ = read_sample("mpg").split(tc.Roles())
        tree = tc.grow(train, max_depth=5)
    cuts, seen = tc.prune(tree, method, train=train, validation=validation), node_statistics(tree, validation)
    assert cuts.reasons
    for node in range(tree.n_nodes):
        lines = verdict_lines(Verdict(tree, cuts, node, PRUNERS[method], {}, seen))
        reason = cuts.reasons.get(node)
        if reason is None:
            assert lines == []
            continue
        assert isinstance(lines[0], Words)
        assert reason.text in lines[0].text
        if not np.isnan(reason.number):
            assert "branches go when the first is" in lines[-1].tex


def test_reduced_error_counts_the_rows_that_are_wrong():
    for node in np.flatnonzero(~TREE.is_leaf).tolist():
        found = verdict("reduced_error", node)
        as_leaf, branches, _ = formulas(verdict_lines(found))
        assert last_number(as_leaf) == pytest.approx(found.reason.number)
        assert last_number(branches) == pytest.approx(found.reason.threshold)
        assert as_leaf.startswith(f"e(t) = {SEEN[node].sum():g} - ") or "aligned" in as_leaf


@pytest.mark.parametrize(
    ("growth", "parameters"),
    [({}, {"measure": "log_loss"}), ({}, {"measure": "brier", "epsilon": 0.01}), ({"loss": [[0, 1], [4, 0]]}, {}),
     ({"profit": [[0, -5], [0, 9]]}, {}), ({"priors": [0.5, 0.5]}, {})],
)  # fmt: skip
def test_reduced_error_by_any_measure_opens_to_rows_times_losses(growth, parameters):
    tree = tc.grow(TRAIN, max_depth=4, **growth)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        cuts = tc.prune(tree, "reduced_error", validation=VALIDATION, **parameters)
        stats = node_statistics(tree, VALIDATION)
        found = Verdict(tree, cuts, node, PRUNERS["reduced_error"], parameters, stats)
        as_leaf, *leaves, branches, _ = formulas(verdict_lines(found))
        if "epsilon" in parameters:
            *leaves, branches = leaves
        assert last_number(as_leaf) == pytest.approx(found.reason.number, rel=1e-3)
        allowed = parameters.get("epsilon", 0) * VALIDATION.n_rows
        assert last_number(branches) == pytest.approx(found.reason.threshold - allowed, rel=1e-3, abs=1e-9)
        assert sum(map(last_number, leaves)) == pytest.approx(last_number(branches), rel=1e-2, abs=1e-9)


def test_pessimistic_errors_by_hand():
    """Node 0: 206 training errors as a leaf, and in the leaves below what their labels get wrong."""
    found = verdict("pessimistic", 0)
    wrong = TREE.stats.sum(axis=1) - TREE.stats.max(axis=1)
    below, leaves = wrong[TREE.is_leaf].sum(), TREE.n_leaves
    corrected = below + leaves / 2
    spread = np.sqrt(corrected * (535 - corrected) / 535)
    told = formulas(verdict_lines(found))
    assert told[0] == rf"e'(t) = {wrong[0]:g} + \tfrac12 = {wrong[0] + 0.5:g}"
    assert last_number(told[1]) == pytest.approx(corrected)
    assert last_number(told[2]) == pytest.approx(spread, rel=1e-4)
    assert last_number(told[3]) == pytest.approx(found.reason.threshold, rel=1e-4)


def test_description_lengths_add_up():
    found = verdict("mdl", 0)
    as_leaf, branches, _ = formulas(verdict_lines(found))
    assert last_number(as_leaf) == pytest.approx(found.reason.number, rel=1e-4)
    assert last_number(branches) == pytest.approx(found.reason.threshold, rel=1e-4)


@pytest.mark.parametrize("estimate", ["weka", "c45", "binomial"])
def test_estimated_errors_are_those_of_the_leaves_below(estimate):
    n_opened = 0
    for node in np.flatnonzero(~TREE.is_leaf).tolist():
        found = verdict("error_based", node, raising=False, collapse=False, estimate=estimate, cf=0.1)
        grid = next(line for line in verdict_lines(found) if isinstance(line, Grid))
        if grid.columns[0] != "":
            continue
        n_opened += 1
        assert float(grid.rows[0][3]) == pytest.approx(found.reason.number, rel=1e-5)
        assert sum(float(row[3]) for row in grid.rows[1:]) == pytest.approx(
            dict(found.reason.details)["with its branches"], rel=1e-4
        )
        assert sum(float(row[1]) for row in grid.rows[1:]) == pytest.approx(float(grid.rows[0][1]))
        assert found.reason.text.endswith("with its branches (0.1 more accepted)")
        added = rf"+ 0.1 = {tex(found.reason.threshold, 6)}"
        assert any(told.endswith(added) for told in formulas(verdict_lines(found)))
    assert n_opened > 3


def test_chi_square_from_its_table():
    """Of a node above two leaves: (o - e)^2 / e over the cells, with e from the margins."""
    node = next(t for t in np.flatnonzero(~TREE.is_leaf).tolist() if all(TREE.is_leaf[c] for c in TREE.children(t)))
    found = verdict("critical_value", node)
    seen = TREE.stats[list(TREE.children(node))]
    due = np.outer(seen.sum(1), seen.sum(0)) / seen.sum()
    told = formulas(verdict_lines(found))[0]
    assert last_number(told) == pytest.approx(((seen - due) ** 2 / due)[due > 0].sum(), rel=1e-3)


def test_merged_leaves_from_their_impurities():
    node = next(t for t in np.flatnonzero(~TREE.is_leaf).tolist() if all(TREE.is_leaf[c] for c in TREE.children(t)))
    found = verdict("merge_siblings", node)
    told = formulas(verdict_lines(found))[0]
    assert last_number(told) == pytest.approx(found.reason.number, rel=1e-4)


def test_the_weakest_link_is_opened():
    steps = tc.sequence(TREE)
    here = links_at(steps)
    weakest = int(here.node[0])
    lines = link_lines(here, weakest)
    assert last_number(lines[3].tex) == pytest.approx(steps.alpha[1], abs=1e-9)
    assert "the weakest link" in lines[4].text
    assert "not the weakest link yet" in link_lines(here, 0)[4].text
    leaf = int(np.flatnonzero(TREE.is_leaf)[0])
    assert "no branches" in link_lines(here, leaf)[0].text
    gone = links_at(steps, len(steps) - 1)
    assert "Node 0 fell at step" in link_lines(gone, 0)[0].text


@pytest.mark.parametrize("m", [None, 3.0])
def test_expected_errors_add_up(m):
    found = verdict("minimum_error", 0, m=m)
    told = formulas(verdict_lines(found))
    assert last_number(told[0]) == pytest.approx(found.reason.number, rel=1e-4)
    assert last_number(told[-2]) == pytest.approx(found.reason.threshold, rel=1e-3)
