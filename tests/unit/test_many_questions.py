"""Which of many trees asks for what: counted by hand on three small trees."""

import numpy as np

import treecore as tc
from treecore.ensembles import Ensemble
from treecore.ensembles.ensemble_summary import questions_of

ROWS = {"a": [1, 2, 3, 4] * 5, "b": [1, 1, 2, 2] * 5, "y": [0, 1, 0, 1] * 5}


def forest():
    import pandas as pd

    table = tc.read_table(pd.DataFrame(ROWS), target="y", kinds={"y": "nominal", "a": "numeric", "b": "numeric"})
    of_a = tc.grow(table, "cart", min_rows_leaf=1)
    stump = tc.grow(table, "cart", max_depth=1)
    root = tc.grow(table, "cart", max_depth=0)
    return Ensemble(table, (root, stump, of_a), np.ones(3)), of_a


def test_each_tree_tells_how_often_it_asks_for_what():
    many, of_a = forest()
    found = questions_of(many)
    asked = [of_a.schema.features[f].name for f in of_a.splits.feature[~of_a.is_leaf]]
    assert found.of_tree(0) == []
    assert sum(n for _, n in found.of_tree(1)) == 1
    assert dict(found.of_tree(2)) == {name: asked.count(name) for name in asked}
    assert found.first[0] == -1
    assert found.features[found.first[2]] == of_a.schema.features[of_a.splits.feature[0]].name
    assert list(found.n_leaves) == [1, 2, of_a.n_leaves]
    assert list(found.n_trees) == [sum(name in dict(found.of_tree(i)) for i in range(3)) for name in found.features]


def test_trees_that_ask_for_a_feature_come_most_often_first():
    many, _ = forest()
    found = questions_of(many)
    name = found.features[0]
    times = [dict(found.of_tree(i)).get(name, 0) for i in found.asking(name)]
    assert times == sorted(times, reverse=True)
    assert 0 not in times
    assert list(found.asking(None)) == [0, 1, 2]
