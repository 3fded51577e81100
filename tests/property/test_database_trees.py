"""A tree grown from an engine's sums is the tree grown in memory on the same codes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.database import counter, engine_columns
from treecore.judging.confusion import confusion
from treecore.study.metrics import score as tree_score
from treecore.tree import node_statistics

ibis = pytest.importorskip("ibis")

SETTINGS = (
    {},
    {"missing": "own_value"},
    {"missing": "stay", "criterion": "entropy"},
    {"missing": "both_ways", "zero_gain": "split"},
    {"min_rows_leaf": 5, "max_depth": 4},
    {"min_rows_split": 20, "min_gain": 0.01},
    {"max_leaves": 6},
    {"nominal": "multiway", "score": "gain_ratio", "criterion": "entropy"},
    {"selector": "average_gain", "criterion": "entropy"},
    {"priors": (0.2, 0.3, 0.5)},
)
CONNECTION = None


def in_engine(frame: pd.DataFrame, **options):
    """The frame's rows as a table of DuckDB."""
    global CONNECTION
    CONNECTION = CONNECTION or ibis.duckdb.connect()
    CONNECTION.con.register("given", frame)
    CONNECTION.raw_sql("create or replace table rows as from given")
    return tc.open_table(CONNECTION.table("rows"), "y", **options)


def frame_of(seed: int, n: int, task: str) -> pd.DataFrame:
    """Numbers of few values and words, some of them missing, and a target that follows from them now and then."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "a": rng.integers(0, rng.integers(1, 20), n) / 3,
        "b": rng.choice(list("vwxyz")[: rng.integers(1, 6)], n),
        "c": rng.integers(0, 4, n).astype(float),
    })  # fmt: skip
    score = frame.a + (frame.b == "x") * 2 + rng.normal(size=n)
    frame["y"] = score.round(2) if task == "regression" else np.array(list("pqr"))[np.arange(n) % 3]
    if task != "regression":
        frame.loc[score > 2, "y"] = "p"
    for name in rng.choice(list("abc"), rng.integers(0, 3), replace=False):
        frame.loc[rng.random(n) < 0.2, name] = None
    return frame


def assert_same(mine: tc.Tree, other: tc.Tree, thresholds: bool = True) -> None:
    """Both trees, but for the last digits of their sums."""
    for name in ("parent", "first_child", "n_children", "n_rows", "missing_rows"):
        assert np.array_equal(getattr(mine, name), getattr(other, name)), name
    for name in ("kind", "feature", "missing_branch", "low_branch", "level_branch"):
        assert np.array_equal(getattr(mine.splits, name), getattr(other.splits, name)), name
    scale = max(float(other.impurity[0]), 1.0) * other.n_rows[0]
    for name in ("impurity", "gain", "score"):
        assert np.allclose(getattr(mine, name), getattr(other, name), rtol=1e-7, atol=1e-9 * scale, equal_nan=True), (
            name
        )
    if thresholds:
        assert np.array_equal(mine.splits.threshold, other.splits.threshold, equal_nan=True)


@given(seed=st.integers(0, 10_000), which=st.sampled_from(range(len(SETTINGS))), n=st.integers(30, 200))
@settings(max_examples=6)
def test_classes(seed, which, n):
    frame = frame_of(seed, n, "classification")
    chosen = {"missing": "majority"} | SETTINGS[which]
    here = tc.read_table(frame, target="y")
    there = in_engine(frame, features=here.features)
    assert_same(tc.grow(there, "cart", **chosen), tc.grow(here, "cart", **chosen))


@given(seed=st.integers(0, 10_000), missing=st.sampled_from(("majority", "own_value", "stay")))
@settings(max_examples=5)
def test_numbers(seed, missing):
    frame = frame_of(seed, 150, "regression")
    here = tc.read_table(frame, target="y")
    there = in_engine(frame, features=here.features)
    chosen = {"missing": missing, "max_depth": 4, "min_rows_leaf": 5}
    assert_same(tc.grow(there, "cart", **chosen), tc.grow(here, "cart", **chosen))


@given(
    seed=st.integers(0, 10_000), which=st.sampled_from(range(len(SETTINGS))), most_asked=st.sampled_from((6, 1000)),
    most_kept=st.sampled_from((0, 10**6)),
)  # fmt: skip
@settings(max_examples=6)
def test_codes_written_down(seed, which, most_asked, most_kept):
    """It is the same tree where codes and nodes are written down on the way, and the largest children not counted."""
    frame = frame_of(seed, 200, "classification")
    chosen = {"missing": "majority", "max_depth": 6} | SETTINGS[which]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)
        patch.setattr(counter, "MOST_ASKED", most_asked)
        patch.setattr(counter, "MOST_KEPT", most_kept)
        here = tc.read_table(frame, target="y")
        mine = tc.grow(in_engine(frame, features=here.features), "cart", **chosen)
    assert_same(mine, tc.grow(here, "cart", **chosen))


def test_the_largest_child_is_not_counted(monkeypatch):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)
    asked, ask = [], counter.EngineCounter._asked
    monkeypatch.setattr(counter.EngineCounter, "_asked", lambda self, nodes: asked.extend(nodes) or ask(self, nodes))
    tree = tc.grow(in_engine(frame_of(1, 200, "classification").dropna()), "cart", missing="majority", max_depth=3)
    inner = [t for t in range(1, tree.n_nodes) if tree.node_depth[t] < 3]
    n_rows = tree.n_rows[asked].sum() - tree.n_rows[0]
    assert 0 < n_rows <= tree.n_rows[inner].sum() / 2


@given(seed=st.integers(0, 10_000), n_codes=st.integers(2, 40))
@settings(max_examples=4)
def test_bins(seed, n_codes):
    """A numeric feature of many values is that of the largest values of its bins; its thresholds stand between."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=150), "b": rng.normal(size=150)})
    frame["y"] = np.where(frame.a * frame.b > 0.1, "p", "q")
    there, codes = in_engine(frame, n_codes=n_codes, refine=False), frame.copy()
    for name in "ab":
        column = there.column(name)
        assert column.in_bins
        assert column.n_distinct <= n_codes
        codes[name] = column.distinct[np.searchsorted(column.distinct, frame[name])]
    mine = tc.grow(there, "cart", missing="majority")
    assert_same(mine, tc.grow(tc.read_table(codes, target="y"), "cart", missing="majority"), thresholds=False)
    counted = np.bincount(mine.apply(frame), minlength=mine.n_nodes)
    assert np.array_equal(counted[mine.is_leaf], mine.n_rows[mine.is_leaf])


@given(seed=st.integers(0, 10_000), task=st.sampled_from(("classification", "regression")))
@settings(max_examples=4)
def test_judged_by_rows_in_the_engine(seed, task):
    """Pruners and the size curve count an engine's rows as those in memory, levels and gaps unseen in training too."""
    frame, other = frame_of(seed, 120, task), frame_of(seed + 1, 150, task)
    here = tc.read_table(frame, target="y")
    rows = tc.read_table(other, target="y", kinds={c.name: c.kind for c in here.columns if c.kind == "numeric"})
    tree = tc.grow(here, "cart", missing="majority")
    there = in_engine(other)
    assert np.allclose(node_statistics.end_statistics(tree, there), node_statistics.end_statistics(tree, rows))
    cuts = tc.prune(tree, "reduced_error", validation=there)
    assert np.array_equal(cuts.verdict, tc.prune(tree, "reduced_error", validation=rows).verdict)
    assert np.allclose(tc.sequence(tree).curve(there), tc.sequence(tree).curve(rows))
    for method in (tree_score, confusion) if task == "classification" else (tree_score,):
        assert_same_numbers(method(tree, there), method(tree, rows))
    steps = tc.sequence(tree)
    mine, other = steps.losses(there), steps.losses(rows)
    assert np.allclose(mine[0], other[0])
    assert mine[1] == other[1]


@given(seed=st.integers(0, 10_000))
@settings(max_examples=4)
def test_rows_of_which_parts_go_several_ways(seed):
    """A tree that sends parts is judged where no row lacks a value that it asks for, and refuses where one does."""
    frame, other = frame_of(seed, 120, "classification"), frame_of(seed + 1, 150, "classification")
    tree = tc.grow(tc.read_table(frame.dropna(), target="y"), "c4.5")
    kinds = {"a": "numeric", "c": "numeric"}
    whole = other.dropna()
    counted = node_statistics.end_statistics(tree, in_engine(whole[whole.b.isin(frame.b)]))
    rows = tc.read_table(whole[whole.b.isin(frame.b)], target="y", kinds=kinds)
    assert np.allclose(counted, node_statistics.end_statistics(tree, rows))
    gaps = whole.copy()
    gaps.loc[gaps.index[:5], ["a", "b", "c"]] = None
    if tree.n_leaves > 1:
        with pytest.raises(tc.TreecoreError, match="sends parts"):
            node_statistics.end_statistics(tree, in_engine(gaps, kinds=kinds | {"b": "nominal"}))


def assert_same_numbers(mine, other) -> None:
    """Two scores or confusion matrices, but for the last digits; an engine knows no mean absolute error."""
    for name, value in vars(other).items():
        if name not in ("mae", "classes", "answers") and isinstance(value, float | int | np.ndarray):
            assert np.allclose(getattr(mine, name), value, equal_nan=True), name
