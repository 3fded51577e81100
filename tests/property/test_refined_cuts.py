"""A cut between bins is moved to the best place among the values of the two bins: against a search of every value."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_database_trees import assert_same, in_engine

import treecore as tc
from treecore.database import counter, engine_columns
from treecore.database import counter as beside

SETTINGS = (
    {"missing": "majority"},
    {"missing": "own_value"},
    {"missing": "stay", "min_rows_leaf": 7},
    {"missing": "majority", "max_leaves": 6},
    {"missing": "majority", "score": "gain_ratio", "criterion": "entropy", "selector": "average_gain"},
    {"missing": "majority", "priors": (0.3, 0.7)},
)


def frame_of(seed: int, task: str, lacking: float, n: int = 250) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=n).round(2), "b": rng.exponential(size=n), "w": rng.choice([*"xyz"], n)})
    score = frame.a * frame.b + (frame.w == "x") + rng.normal(size=n) * 0.3
    frame["y"] = score.round(3) if task == "regression" else np.where(score > 0.2, "p", "q")
    frame.loc[rng.random(n) < lacking, "a"] = None
    return frame


def impurity_of(y: np.ndarray) -> float:
    """Sum over the rows, of Gini's index or of squared errors."""
    if y.dtype.kind == "f":
        return float(((y - y.mean()) ** 2).sum())
    return float(len(y) - (np.unique(y, return_counts=True)[1] ** 2).sum() / len(y))


def gains(x: np.ndarray, y: np.ndarray) -> dict[tuple[float, float], float]:
    """(value below, value above) -> how much less impurity a cut leaves, of every cut."""
    values, whole = np.unique(x), impurity_of(y)
    return {
        (a, b): whole - impurity_of(y[x <= a]) - impurity_of(y[x > a]) for a, b in itertools.pairwise(values.tolist())
    }


def rows_at(tree: tc.Tree, frame: pd.DataFrame) -> list[np.ndarray]:
    """Which rows pass through each node."""
    end = np.asarray(tree.apply(frame))
    at = [end == node for node in range(tree.n_nodes)]
    for node in range(tree.n_nodes - 1, 0, -1):
        at[tree.parent[node]] |= at[node]
    return at


@given(seed=st.integers(0, 10_000), n_codes=st.integers(2, 12), task=st.sampled_from(("classification", "regression")))
@settings(max_examples=10)
def test_every_cut_is_the_best_of_its_two_bins(seed, n_codes, task):
    frame = frame_of(seed, task, 0.0)
    there = in_engine(frame, features=["a", "b"], n_codes=n_codes, refine=True)
    tree = tc.grow(there, "cart", missing="majority", max_depth=3)
    edges = {name: there.column(name).distinct for name in "ab"}
    for node, at in enumerate(rows_at(tree, frame)):
        assert at.sum() == tree.n_rows[node]
        if tree.is_leaf[node]:
            continue
        name = "ab"[tree.splits.feature[node]]
        x, y = frame[name][at].to_numpy(), frame.y[at].to_numpy()
        found, threshold = gains(x, y), tree.splits.threshold[node]
        (mine,) = (pair for pair in found if pair[0] < threshold < pair[1])
        assert threshold == pytest.approx(sum(mine) / 2)
        assert found[mine] / len(frame) == pytest.approx(tree.gain[node] * at.sum() / len(frame), rel=1e-9, abs=1e-12)
        bins = {pair: np.searchsorted(edges[name], pair) for pair in found}
        rivals = [found[pair] for pair in found if set(bins[pair]) <= set(bins[mine])]
        assert found[mine] >= max(rivals) - 1e-9


@given(seed=st.integers(0, 10_000), n_codes=st.integers(3, 12))
@settings(max_examples=10)
def test_the_root_is_cut_as_in_memory_where_that_is_within_the_bins(seed, n_codes):
    frame = frame_of(seed, "classification", 0.0)[["a", "y"]]
    here = tc.grow(tc.read_table(frame, target="y"), "cart", missing="majority", max_depth=1)
    coarse = tc.grow(in_engine(frame, n_codes=n_codes, refine=False), "cart", missing="majority", max_depth=1)
    there = in_engine(frame, n_codes=n_codes, refine=True)
    mine, ends = tc.grow(there, "cart", missing="majority", max_depth=1), there.column("a").distinct
    if here.n_leaves > 1:
        k = np.searchsorted(ends, coarse.splits.threshold[0])
        within = (ends[k - 2] if k > 1 else -np.inf) < here.splits.threshold[0] <= ends[k]
        assert mine.gain[0] >= coarse.gain[0] - 1e-12
        assert not within or mine.splits.threshold[0] == here.splits.threshold[0]


@given(seed=st.integers(0, 10_000), which=st.sampled_from(range(len(SETTINGS))), kept=st.booleans())
@settings(max_examples=8)
def test_two_bins_that_hold_all_values_give_the_tree_in_memory(seed, which, kept):
    """Every cut is between the two, whatever becomes of missing values and of limits, and wherever codes are."""
    frame = frame_of(seed, "classification", 0.2).drop(columns="b")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1 if kept else 10**9)
        patch.setattr(counter, "MOST_ASKED", 3)
        there = in_engine(frame, features=["a"], n_codes=2, refine=True)
        mine = tc.grow(there, "cart", **{"max_depth": 1} | SETTINGS[which])
    here = tc.read_table(frame, target="y").with_features(["a"])
    assert_same(mine, tc.grow(here, "cart", **{"max_depth": 1} | SETTINGS[which]))


@given(seed=st.integers(0, 10_000), task=st.sampled_from(("classification", "regression")))
@example(seed=119, task="classification")  # whose best cut between bins lies within a part of both
@settings(max_examples=5)
def test_very_many_values_are_counted_in_parts(seed, task):
    frame = frame_of(seed, task, 0.1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beside, "MOST_VALUES", 20)
        patch.setattr(beside, "PARTS", 16)
        there = in_engine(frame, n_codes=4, refine=True)
        mine = tc.grow(there, "cart", missing="majority", max_depth=3)
    coarse = tc.grow(in_engine(frame, n_codes=4, refine=False), "cart", missing="majority", max_depth=3)
    assert mine.gain[0] >= coarse.gain[0] - 1e-9 * abs(coarse.impurity[0]), "no worse than between bins"
    counted = np.bincount(mine.apply(frame), minlength=mine.n_nodes)
    assert np.array_equal(counted[mine.is_leaf], mine.n_rows[mine.is_leaf])
