"""Free memory goes back to the system; large work at a node needs little of it."""

import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore.data.arrays import from_arrays
from treecore.engine.memory import give_back


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
