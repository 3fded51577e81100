"""Niblett and Bratko's pruning by hand, an example of a textbook, and a twin in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_pruners_pessimistic import four_leaves
from treecore.data.samples import read_sample
from treecore.pruning import CUT, KEEP
from treecore.pruning.minimum_error import expected_errors


def test_the_example_of_a_textbook_is_pruned():
    """Bratko, Prolog Programming for Artificial Intelligence, chapter 18: [4, 2] errs in 0.375 of its rows as a leaf,
    in 0.413 with the branches [3, 2] (0.429) and [1, 0] (0.333)."""
    cuts = tc.prune(four_leaves([(3, 2), (1, 0)]), "minimum_error")
    reason = cuts.reasons[0]
    assert reason.number / 6 == pytest.approx(3 / 8)
    assert reason.threshold / 6 == pytest.approx(5 / 6 * 3 / 7 + 1 / 6 * 1 / 3)
    assert cuts.verdict[0] == CUT


def test_branches_that_part_the_classes_stay():
    """[8, 0] and [1, 7]: 16 (7 + 1) / 18 = 7.1 as a leaf, 8 / 10 + 8 * 2 / 10 = 2.4 with the branches."""
    cuts = tc.prune(four_leaves([(8, 0), (1, 7)]), "minimum_error")
    assert cuts.reasons[0].number == pytest.approx(16 * 8 / 18)
    assert cuts.reasons[0].threshold == pytest.approx(0.8 + 1.6)
    assert cuts.verdict[0] == KEEP


def test_rows_added_by_the_shares_of_the_root():
    """[9, 3] and [1, 3] with m = 4: the classes' shares at the root are 10 / 16 and 6 / 16."""
    tree = four_leaves([(9, 3), (1, 3)])
    found = expected_errors(tree, 4.0)
    assert found == pytest.approx([16 * (6 + 1.5) / 20, 12 * (3 + 1.5) / 16, 4 * (1 + 2.5) / 8])
    assert expected_errors(tree, 0.0) == pytest.approx([6, 3, 1]), "nothing added: the errors themselves"


def twin(tree, t: int, m) -> tuple[Fraction, set[int]]:
    """(expected errors of what is left below a node, nodes cut there), by fractions of whole rows."""
    counts = [Fraction(round(n)) for n in tree.stats[t]]
    root, n, label = [Fraction(round(n)) for n in tree.stats[0]], sum(counts), int(tree.value[t])
    p = Fraction(1, len(counts)) if m is None else root[label] / sum(root)
    added = Fraction(len(counts) if m is None else m)
    as_leaf = n * (n - counts[label] + (1 - p) * added) / (n + added)
    if tree.is_leaf[t]:
        return as_leaf, set()
    parts = [twin(tree, c, m) for c in tree.children(t)]
    below = sum(part for part, _ in parts)
    return (as_leaf, {t}) if as_leaf <= below else (below, set().union(*(cut for _, cut in parts)))


@pytest.mark.parametrize("m", [None, 1, 12])
@pytest.mark.parametrize("name", ["iris", "customers", "play_tennis", "fruit"])
def test_the_verdicts_are_those_of_fractions(name, m):
    tree = tc.grow(read_sample(name), "cart", missing="majority", min_rows_leaf=2)
    least, cut = twin(tree, 0, m)
    cuts = tc.prune(tree, "minimum_error", m=m)
    outermost = {t for t in np.flatnonzero(cuts.verdict == CUT).tolist() if not _is_below_cut(tree, cuts, t)}
    assert outermost == cut
    assert float(least) == pytest.approx(min(cuts.reasons[0].number, cuts.reasons[0].threshold))


def _is_below_cut(tree, cuts, t: int) -> bool:
    while t > 0:
        t = int(tree.parent[t])
        if cuts.verdict[t] == CUT:
            return True
    return False
