"""Step by step: the order of the splits."""

import numpy as np
import pytest

from tests.unit.test_evaluation_metrics import grown
from treecore.tree.tree import split_order


@pytest.mark.parametrize("settings", [{}, {"max_leaves": 9}])
def test_after_k_splits_the_tree_holds_the_first_k(settings):
    tree, _ = grown("titanic", **settings)
    order = split_order(tree)
    assert len(order) == np.count_nonzero(~tree.is_leaf)
    for k in range(0, len(order), 3):
        part = tree.after(k)
        assert sorted(np.flatnonzero(~part.is_leaf)) == sorted(order[:k])
