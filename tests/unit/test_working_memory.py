"""What a thread keeps between trees: never in use twice, never of another size."""

from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from treecore.engine import compiling
from treecore.growing.fast import working_memory
from treecore.growing.fast.fast_growth import grow_fast


def table(n: int, n_classes: int = 2, seed: int = 0) -> tc.Table:
    rng = np.random.default_rng(seed)
    X, classes = rng.normal(size=(n, 3)).astype(np.float32), [f"c{k}" for k in range(n_classes)]
    return tc.from_arrays(X, rng.integers(0, n_classes, n) if n_classes else X.sum(axis=1), classes=classes or None)


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch):
    """Tests start without any, and leave it as it was."""
    for memory in ("_idle_block", "_idle_large"):
        monkeypatch.setattr(working_memory, memory, working_memory.threading.local())
    with compiling.forced():
        yield


def test_the_next_tree_of_the_same_size_takes_it():
    first = grow_fast(table(300), tc.GrowSettings())
    kept = working_memory._idle_block.memory[1]
    again = grow_fast(table(300), tc.GrowSettings())
    assert working_memory._idle_block.memory[1][0] is kept[0]
    assert again.to_dict() == first.to_dict()


def test_a_tree_grown_while_another_one_grows_has_memory_of_its_own(monkeypatch):
    monkeypatch.setattr("treecore.growing.fast.fast_growth.BUDGET", 500)
    alone = [grow_fast(table(300, seed=seed), tc.GrowSettings()).to_dict() for seed in (1, 2)]
    within = []
    whole = grow_fast(
        table(300, seed=1),
        tc.GrowSettings(),
        progress=lambda _: within.append(grow_fast(table(300, seed=2), tc.GrowSettings())),
    )
    assert len(within) > 3
    assert whole.to_dict() == alone[0]
    assert all(tree.to_dict() == alone[1] for tree in within)


def test_a_fit_that_is_stopped_leaves_nothing_behind(monkeypatch):
    expected = grow_fast(table(300), tc.GrowSettings()).to_dict()
    monkeypatch.setattr("treecore.growing.fast.fast_growth.BUDGET", 500)

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow_fast(table(300), tc.GrowSettings(), progress=stop)
    assert grow_fast(table(300), tc.GrowSettings()).to_dict() == expected


@pytest.mark.parametrize("missing", ["majority", "surrogates"])
def test_other_targets_criteria_and_sizes_do_not_share_it(missing):
    """Each tree is grown after each other one, and by itself."""
    growth = tc.GrowSettings(missing=missing)
    fits = [(table(200), growth), (table(200, 40), growth), (table(200, 0), growth), (table(250), growth)]
    fits.append((table(200), replace(growth, criterion="entropy")))
    alone = []
    for fit in fits:
        working_memory._idle_block.memory = None
        alone.append(grow_fast(*fit).to_dict())
    for i in range(len(fits)):
        for j in range(len(fits)):
            grow_fast(*fits[i])
            assert grow_fast(*fits[j]).to_dict() == alone[j], (i, j)


def test_what_is_large_is_not_kept(monkeypatch):
    monkeypatch.setattr(working_memory, "MOST_IDLE", 1000)
    grow_fast(table(300), tc.GrowSettings())
    assert working_memory._idle_block.memory is None


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_memory_for_buckets_is_taken_again_by_tables_of_the_same_buckets_only(n_classes):
    def coarse(seed: int, n_values: int = 7) -> tc.Table:
        rng = np.random.default_rng(seed)
        X = rng.integers(0, n_values, (900, 3)).astype(np.float32)
        y = rng.integers(0, n_classes, 900) if n_classes else X.sum(axis=1) + rng.normal(size=900)
        return tc.from_arrays(X, y, classes=[f"c{k}" for k in range(n_classes)] or None)

    growth = tc.GrowSettings(criterion="gini" if n_classes else "squared_error", missing="majority")
    trees = [grow_fast(coarse(seed), growth).to_dict() for seed in (1, 2)]
    kept = working_memory._idle_large.memory[1]
    other = grow_fast(coarse(3, 9), growth).to_dict()
    assert working_memory._idle_large.memory[1] is not kept
    assert [grow_fast(coarse(seed), growth).to_dict() for seed in (1, 2)] == trees
    kept = working_memory._idle_large.memory[1]
    grow_fast(coarse(1), growth)
    assert working_memory._idle_large.memory[1] is kept
    assert grow_fast(coarse(3, 9), growth).to_dict() == other
