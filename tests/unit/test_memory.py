"""Free memory goes back to the system; large work at a node needs little of it."""

import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore.data.matrix_table import from_arrays
from treecore.engine import memory
from treecore.engine.memory import buffers_of, give_back


@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from /proc")
def test_what_is_free_goes_back_to_the_system():
    def held() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

    arrays = [np.ones(1000) for _ in range(10_000)]  # too small for the C library to give them back one by one
    kept = arrays[::1000]
    full = held()
    del arrays
    give_back()
    assert held() < full - 40, f"80 MB were freed but for {len(kept)} arrays"


def test_the_candidates_of_a_large_node_take_a_small_multiple_of_its_values():
    """Per row that is looked at: what is kept of one feature only, not of all, nor both branches of every cut."""
    n, d = 50_000, 6
    rng = np.random.default_rng(0)
    table = from_arrays(rng.normal(size=(n, d)), rng.integers(0, 2, n), classes=("a", "b"))
    tree = tc.grow(table, tc.GrowSettings(max_depth=1))
    tc.candidates(tree, 0, table)
    tracemalloc.start()
    tc.candidates(tree, 0, table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 230 * n, f"{peak / n:.0f} bytes per row"


def test_very_many_objects_are_reckoned_by_some_of_them(monkeypatch):
    """As the rules of a large tree: neighbours share what they have in common."""
    rows = [(f"rule {i}", {"share": i / 7, "of": f"branch {i // 8}" * 3}) for i in range(50_000)]
    reckoned = buffers_of({"rules": rows})
    monkeypatch.setattr(memory, "MANY", 10**9)
    counted = buffers_of({"rules": rows})
    assert len(reckoned) < 10 < 50_000 < len(counted)
    assert sum(reckoned.values()) == pytest.approx(sum(counted.values()), rel=0.25)


def test_each_of_very_many_arrays_counts_once():
    """Other results may hold the same ones."""
    columns = [(np.ones(2), f"x{i}") for i in range(memory.MANY)]
    assert {id(column) for column, _ in columns} <= buffers_of(columns).keys()
