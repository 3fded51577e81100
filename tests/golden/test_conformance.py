"""The recorded trees of other systems: no mismatch, and what matched once keeps matching."""

import pytest

from tests.conformance import DEFAULT, stats_verdicts, verdicts_on
from tests.peers.case import Case, case_files
from tests.peers.stats import compare_stats, read_stats, stats_files

SYSTEMS = ("rpart", "sklearn", "weka_id3", "weka_j48", "weka_reptree", "ctree")
"""Those whose every recorded tree we grow, prune and answer like."""


@pytest.fixture(scope="module")
def verdicts():
    return [v for path in case_files(DEFAULT) for v in verdicts_on(path)]


def test_nothing_differs(verdicts):
    assert [v for v in verdicts if v.verdict == "mismatch"] == []


def of(verdicts, part, systems=SYSTEMS):
    return [v for v in verdicts if v.part == part and v.case.startswith(systems)]


@pytest.mark.parametrize("part", ["grow", "predict"])
def test_every_tree_is_grown_and_answers_node_for_node(verdicts, part):
    """Also for rows with blanks."""
    compared = of(verdicts, part)
    assert len(compared) == 89
    assert [v for v in compared if v.verdict != "match"] == []


def test_every_recorded_pruning_is_ours(verdicts):
    """rpart's cptable and prune, scikit-learn's path and refits, J48's logs, with -R too, and REPTree."""
    pruned = of(verdicts, "prune", ("rpart", "sklearn", "weka_j48", "weka_reptree"))
    assert len(pruned) == 78
    assert [v for v in pruned if v.verdict != "match"] == []


def test_cross_validation_is_compared_wherever_its_ties_are_ours(verdicts):
    assert sum("xerror and xstd by" in v.detail for v in of(verdicts, "prune", ("rpart",))) == 19


def test_what_is_not_compared_says_why(verdicts):
    assert all(v.detail for v in verdicts if v.verdict == "unsupported")


def test_every_recorded_score_and_paired_test_is_ours():
    """Fold scores from the recorded answers, means, deviations, t, corrected t, Wilcoxon's and McNemar's tests."""
    found = stats_verdicts(DEFAULT)
    assert [(v.verdict, v.detail) for v in found if v.verdict != "match"] == []
    assert sum(int(v.detail.split(", ")[1].split()[0]) for v in found) == 36


def test_a_paired_test_that_is_recorded_otherwise_is_a_mismatch():
    case = read_stats(stats_files(DEFAULT)[0])
    wrong = dict(case["tests"][0], corrected_p=0.05)
    assert "corrected_p 0.05, ours 0.0612" in compare_stats(Case(case.folder, {**case.data, "tests": [wrong]})).detail
