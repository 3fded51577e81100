"""Feeding as an experiment: which rows come when, what is judged, told and drawn."""

import itertools

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.incremental import Bound, Step
from treecore.plots.error_curves import accuracy_by_rows, leaves_by_rows
from treecore.study import describe_feeding, feed, step_sentence
from treecore.study.metrics import score
from treecore.study.overlay import overlay

IRIS = read_sample("iris")
GROWTH = tc.GrowSettings(missing="surrogates", max_depth=3)


def test_after_every_batch_there_is_the_tree_of_the_rows_so_far():
    judged = IRIS.take(np.arange(0, 150, 5))
    found = feed(IRIS, GROWTH, 100, 20, {"test": judged}, Bound(grace=10), seed=3)
    assert found.n_rows.tolist() == [100, 120, 140, 150]
    assert sorted(found.order) == list(range(150))
    assert found.batch(3).tolist() == found.order[140:].tolist()
    for name, way in found.ways.items():
        assert [step.n_new for step in way.steps] == [20, 20, 10]
        assert way.accuracy["test"].tolist() == [score(tree, judged).accuracy for tree in way.trees]
        assert way.n_leaves.tolist() == [tree.n_leaves for tree in way.trees]
        assert not any(step.whole for step in way.steps), name
    grown = [tc.grow(IRIS.take(found.order[:n]), GROWTH, max_surrogates=0) for n in found.n_rows]
    assert [t.to_dict()["splits"] for t in found.ways["exact"].trees] == [t.to_dict()["splits"] for t in grown]


def test_a_step_counts_as_a_change_where_the_trees_differ_though_all_is_grown_anew():
    titanic = read_sample("titanic")
    found = feed(titanic, GROWTH, 700, 10)
    exact = found.ways["exact"]
    assert all(step.whole for step in exact.steps)
    for way in found.ways.values():
        pairs = itertools.pairwise(way.trees)
        assert way.changed.tolist() == [set(overlay(*pair).relation) != {"same"} for pair in pairs]
    assert 0 < np.count_nonzero(exact.changed) < len(exact.steps)
    (_, grid) = describe_feeding(feed(titanic, GROWTH, 700, 10, {"train": titanic}), "train")
    assert grid.rows[0][:2] == (exact.label, str(np.count_nonzero(exact.changed)))


def test_progress_counts_the_trees_of_all_ways_and_can_end_it():
    waiting = []
    feed(IRIS, GROWTH, 120, 10, progress=lambda now: waiting.append((now.n_waiting, now.n_folds)))
    assert waiting == [(7, 8), (6, 8), (5, 8), (3, 8), (2, 8), (1, 8)]
    with pytest.raises(ZeroDivisionError):
        feed(IRIS, GROWTH, 120, 10, progress=lambda now: 1 // 0)


@pytest.mark.parametrize(("first", "batch"), [(0, 1), (151, 1), (10, 0)])
def test_rows_that_there_are_not(first, batch):
    with pytest.raises(TreecoreError):
        feed(IRIS, GROWTH, first, batch)


def test_what_a_step_did_is_told():
    assert step_sentence(Step(5, 1, updated=3)) == "3 nodes counted it; every split stayed."
    assert step_sentence(Step(5, 2, updated=1, shifted=1)) == (
        "1 node counted them; 1 test moved between the same rows."
    )  # fmt: skip
    told = step_sentence(Step(5, 1, updated=2, replaced=4, regrown=1))
    assert told == "2 nodes counted it; 1 subtree grown anew, in place of 4 splits."
    assert step_sentence(Step(5, 1, updated=1, whole="priors are set")) == (
        "The tree was grown anew from all rows, as priors are set."
    )
    assert step_sentence(Step(5, 1, updated=2, regrown=2), grows_whole=False) == "2 nodes counted it, 2 leaves split."


def test_lines_are_the_numbers_and_the_step_is_marked():
    found = feed(IRIS, GROWTH, 100, 25, {"train": IRIS})
    drawn = accuracy_by_rows(found, "train", 1)
    assert [list(t.y) for t in drawn.data] == [list(way.accuracy["train"]) for way in found.ways.values()]
    assert drawn.layout.shapes[0].x0 == 125
    assert [list(t.y) for t in leaves_by_rows(found, 2).data] == [list(way.n_leaves) for way in found.ways.values()]
