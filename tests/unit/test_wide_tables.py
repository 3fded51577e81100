"""Features of very many levels: nodes keep the levels that they tell apart, not one entry for every level there is."""

import json
from dataclasses import fields

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.engine import compiling
from treecore.growing import loop
from treecore.growing.loop import LevelTable
from treecore.kernels.codes import LEVELS
from treecore.tree.binary_chain import answered_alike, binary_chain
from treecore.tree.predict import route
from treecore.tree.splits import LISTED

N_LEVELS = 300


def table_of(n_rows: int, n_levels: int, seed: int = 0, numbers: bool = False) -> tc.Table:
    """A feature of many levels with gaps, a few levels, a number, and a target that all of them tell something of."""
    rng = np.random.default_rng(seed)
    wide = rng.integers(-1, n_levels, n_rows)
    few, x = rng.integers(0, 4, n_rows), rng.normal(size=n_rows).round(1)
    x[rng.random(n_rows) < 0.1] = np.nan
    noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.3)
    y = (wide * 7 % 5 // 2 + few // 2 + (np.nan_to_num(x) > 1) + noise) % 3
    target = numeric_column("y", y + noise / 4) if numbers else level_column("y", "nominal", y, ("a", "b", "c"))
    columns = (
        level_column("wide", "nominal", wide, tuple(f"w{i}" for i in range(n_levels))),
        level_column("few", "nominal", few, ("p", "q", "r", "s")), numeric_column("x", x), target,
    )  # fmt: skip
    return tc.Table(columns, target="y", features=("wide", "few", "x"))


def as_plain(tree: tc.Tree) -> dict:
    """Everything that a tree holds, its tables of levels in full."""
    data = tree.to_dict()
    for name in ("splits", "surrogates"):
        tests = getattr(tree, name)
        data[name] = {k: v for k, v in data[name].items() if k not in (*LISTED, "level_start", "level_branch")}
        data[name]["tables"] = [tests.levels(i).tolist() for i in range(len(tests)) if tests.kind[i] == LEVELS]
    return data


GROWTHS = {
    "sklearn": {}, "cart": {}, "rpart": {}, "c4.5": {}, "id3": {}, "chaid": {}, "ctree": {}, "j48": {},
    "cart-one": {"nominal": "one_level"}, "cart-best": {"max_leaves": 30}, "cart-stay": {"missing": "stay"},
}  # fmt: skip
PRESET = {name: tc.PRESETS[name.split("-")[0]] for name in GROWTHS}
TARGETS = [(name, numbers) for name in GROWTHS for numbers in (False, True)
           if not (numbers and PRESET[name].task == "classification")]  # fmt: skip


@pytest.mark.parametrize(("name", "numbers"), TARGETS)
def test_the_tree_is_the_same_however_its_tables_are_kept(name, numbers, monkeypatch):
    """300 levels are listed; the twin keeps them in full."""
    preset, table = PRESET[name].name, table_of(2400, N_LEVELS, numbers=numbers)
    listed = tc.grow(table, preset, **GROWTHS[name])
    monkeypatch.setattr(loop, "MOST_LEVELS", N_LEVELS)
    full = tc.grow(table, preset, **GROWTHS[name])
    assert listed.n_nodes > 1
    assert as_plain(listed) == as_plain(full)
    assert not full.splits.are_listed
    by_level = (listed.splits.kind == LEVELS).any()
    assert listed.splits.are_listed
    assert not by_level or len(listed.splits.level_branch) < len(full.splits.level_branch)


@pytest.mark.parametrize("preset", ["sklearn", "cart", "c4.5"])
def test_rows_take_the_same_ways_with_and_without_kernels(preset, monkeypatch):
    table, other = table_of(1500, N_LEVELS), table_of(800, N_LEVELS, seed=1)
    listed = tc.grow(table, preset)
    monkeypatch.setattr(loop, "MOST_LEVELS", N_LEVELS)
    full = tc.grow(table, preset)
    found = []
    for forced in (True, False):
        monkeypatch.setattr(compiling, "is_forced", lambda forced=forced: forced)
        monkeypatch.setattr("treecore.tree.routing.numpy_routing_is_faster", lambda *_, forced=forced: not forced)
        found += [route(tree, other) for tree in (listed, full)]
    for routes in found[1:]:
        assert np.array_equal(routes.row, found[0].row)
        assert np.array_equal(routes.node, found[0].node)
        assert np.allclose(routes.share, found[0].share)


def test_a_saved_tree_lists_its_levels_and_says_what_is_wrong_with_them():
    tree = tc.grow(table_of(1500, N_LEVELS), "sklearn")
    data = json.loads(json.dumps(tree.to_dict()))
    again = tc.Tree.from_dict(data)
    assert as_plain(again) == as_plain(tree)
    taken = tree.splits.take(np.arange(tree.n_nodes)[::-1])
    for i in range(tree.n_nodes):
        assert np.array_equal(taken.levels(tree.n_nodes - 1 - i), tree.splits.levels(i))
    for name, change in {"level_id": -1, "usual_branch": 7, "n_levels": 3}.items():
        bad = json.loads(json.dumps(data))
        at = int(np.flatnonzero(tree.splits.kind == LEVELS)[0]) if name != "level_id" else 0
        bad["splits"][name][at] = change
        with pytest.raises(tc.TreecoreError):
            tc.Tree.from_dict(bad)
    bad = json.loads(json.dumps(data))
    bad["splits"]["level_id"].pop()
    with pytest.raises(tc.TreecoreError, match="entries, not"):
        tc.Tree.from_dict(bad)


def test_a_tree_of_many_branches_becomes_a_chain_of_two(monkeypatch):
    table = table_of(1500, N_LEVELS)
    chains = []
    for most in (N_LEVELS - 1, N_LEVELS):
        monkeypatch.setattr(loop, "MOST_LEVELS", most)
        tree = tc.grow(table, "id3", max_depth=2)
        chains.append(binary_chain(tree))
        assert answered_alike(tree, chains[-1], table).all()
    assert as_plain(chains[0].tree) == as_plain(chains[1].tree)


def test_a_saved_tree_of_few_levels_has_no_lists():
    tree = tc.grow(table_of(300, 20), "cart")
    assert not set(tree.to_dict()["splits"]) & set(LISTED)
    assert {f.name for f in fields(tree.splits)} > set(LISTED)


def test_a_table_lists_what_goes_another_way_than_most():
    for table in ([1, 1, 0, 1, -1], [-1, -1, 2, 3], [0, 0, 0]):
        listed, again = LevelTable.of(np.array(table)), np.empty(len(table), np.int64)
        listed.write(again)
        assert again.tolist() == table
    assert LevelTable.of(np.array([1, 1, 0, 1, -1])).levels.tolist() == [2, 4]


@pytest.mark.parametrize("preset", ["sklearn", "cart"])
def test_a_tree_takes_memory_for_the_levels_at_its_nodes(preset):
    """Every level is at few nodes: with a table of all of them at each node it would be the square of the levels."""
    n = 4000
    rng = np.random.default_rng(0)
    columns = (
        level_column("wide", "nominal", np.arange(4 * n) % n, tuple(f"w{i}" for i in range(n))),
        numeric_column("x", rng.normal(size=4 * n)),
        level_column("y", "nominal", rng.integers(0, 3, 4 * n), ("a", "b", "c")),
    )
    table = tc.Table(columns, target="y", features=("wide", "x"))
    tree = tc.grow(table, preset)
    n_tables = (tree.splits.kind == LEVELS).sum()
    assert n_tables > 200
    assert len(tree.splits.level_branch) < 0.2 * n * n_tables
