"""The recorded trees of other systems: no mismatch, and what matched once keeps matching."""

import pytest

from tests.conformance import DEFAULT, verdicts_on
from tests.peers.case import case_files

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
    assert len(compared) == 79
    assert [v for v in compared if v.verdict != "match"] == []


def test_every_recorded_pruning_is_ours(verdicts):
    """rpart's cptable and prune, scikit-learn's path and refits, J48's logs, with -R too, and REPTree."""
    pruned = of(verdicts, "prune", ("rpart", "sklearn", "weka_j48", "weka_reptree"))
    assert len(pruned) == 68
    assert [v for v in pruned if v.verdict != "match"] == []


def test_cross_validation_is_compared_wherever_its_ties_are_ours(verdicts):
    assert sum("xerror and xstd by" in v.detail for v in of(verdicts, "prune", ("rpart",))) == 12


def test_what_is_not_compared_says_why(verdicts):
    assert all(v.detail for v in verdicts if v.verdict == "unsupported")
