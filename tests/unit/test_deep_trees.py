"""Trees as deep as their rows are many: what is asked of them costs no more for being deep."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.engine import compiling
from treecore.growing import engine_choice
from treecore.growing.fast import fast_growth as fast
from treecore.growing.numpy.numpy_growth import LOOK_AFTER
from treecore.growing.settings.problem import problem_of
from treecore.pruning import rerouting
from treecore.tree import routing
from treecore.tree.node import top_nodes, tree_text


def chain(n: int) -> tc.Table:
    """Classes alternate along one feature: every split parts one row from the rest."""
    y = level_column("y", "nominal", np.arange(n) % 2, ("a", "b"))
    return tc.Table((numeric_column("x", np.arange(float(n))), y), target="y", features=("x",))


@pytest.fixture(scope="module")
def tree() -> tc.Tree:
    return tc.grow(chain(3000), tc.GrowSettings())


def test_rules_share_the_steps_of_their_paths(tree):
    """With a copy of all steps above in every rule these were 36 MB of pointers, and the time to hash them."""
    assert tree.node_depth.max() == 2999
    assert most_of(lambda: tc.rules(tree)) < 20e6
    rules = tc.rules(tree)
    assert len({rule.text for rule in rules}) == 3000
    deepest = max(rules, key=lambda rule: len(rule.conditions[0].steps))
    assert len(deepest.conditions[0].steps) == 2999
    assert deepest.covered(np.arange(3000.0)[None]).size == 1
    assert rules.without_implied().n_conditions == rules.n_conditions


def most_of(act) -> float:
    """Bytes that it has in use at a time; of NumPy and Python, not of compiled code."""
    tracemalloc.start()
    act()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_text_of_a_chain_is_not_the_square_of_its_nodes(tree):
    """With every level indented these were 27 million characters."""
    assert most_of(lambda: tree_text(tree)) < 10e6
    lines = tree_text(tree).splitlines()
    assert len(lines) == tree.n_nodes
    assert sum("… 2,999: " in line for line in lines) == 2
    assert max(map(len, lines)) < 200


def test_rows_of_a_chain_are_not_held_once_for_every_level(monkeypatch):
    """These were 12 MB, and 20 GB for 50 000 rows."""
    short = chain(1200)
    tree = tc.grow(short, tc.GrowSettings())
    monkeypatch.setattr(rerouting, "numpy_descends_faster", lambda: True)  # whose memory is seen
    monkeypatch.setattr(compiling, "start", lambda _: None)
    assert most_of(lambda: tc.prune(tree, "error_based", train=short)) < 5e6


def test_growing_without_kernels_gives_up_on_a_tree_that_would_take_longer_than_they_do(monkeypatch):
    """They take over; what was grown so far is thrown away."""
    growth, seen, started = tc.GrowSettings(), [], []
    problem = problem_of(chain(3000), growth)
    monkeypatch.setattr(engine_choice, "should_grow_in_numpy", lambda *_: True)
    monkeypatch.setattr(engine_choice, "seconds_to_ready", lambda _: 0.05)
    monkeypatch.setattr(engine_choice.compiling, "start", started.append)
    assert engine_choice.grown_in_numpy(problem, growth, ("fast",), seen.append) is None
    assert started == [("fast",)]
    assert max(p.n_nodes for p in seen) < 4 * LOOK_AFTER
    usual = problem_of(read_sample("titanic"), growth)
    assert engine_choice.grown_in_numpy(usual, growth, ("fast",), None) is not None


def test_rows_are_not_sent_level_by_level_down_a_tree_that_has_thousands_of_levels(tree, monkeypatch):
    monkeypatch.setattr(routing.compiling, "is_forced", lambda: False)
    monkeypatch.setattr(routing.compiling, "is_loaded", lambda _: False)
    monkeypatch.setattr(routing.compiling, "is_cached", lambda _: False)
    monkeypatch.setattr(routing, "_rows_so_far", [0])
    assert routing.numpy_routing_is_faster(("route",), routing.routing_work(tree.after(10), 3000))
    assert not routing.numpy_routing_is_faster(("route",), routing.routing_work(tree, 40_000))


def test_chains_are_left_for_blocks_and_progress_is_told_all_along(monkeypatch):
    """To part one row from many takes several times as long from buckets; the tree is the same."""
    table, growth = chain(25_000), tc.GrowSettings(max_depth=400)
    depths, told, grow_large = [], [], fast.grow_large

    def noting(rows, nodes, *rest):
        large = rest[-3]
        depths.append(nodes.of["depth"][large["node"][: nodes.counts[fast.N_LARGE]]].max())
        grow_large(rows, nodes, *rest)

    monkeypatch.setattr(fast, "BUDGET", 250_000)
    monkeypatch.setattr(fast, "grow_large", noting)
    found = fast.grow_fast(table, growth, told.append)
    assert 0 < max(depths) < fast.DEEP + 20
    assert len(told) > 400 * 20_000 / 250_000
    assert all(a.n_nodes <= b.n_nodes for a, b in pairwise(told))
    other = fast.grow_fast(table, growth, may_bucket=lambda: False)
    assert found.to_dict() == other.to_dict()


def test_losses_of_numbers_take_no_longer_for_nodes_that_rows_do_not_come_to(monkeypatch):
    """Rows are judged at every node on their way up; few are left far up, and nothing then counts all the nodes."""
    y = numeric_column("y", np.arange(3000.0) % 2)
    table = tc.Table((numeric_column("x", np.arange(3000.0)), y), target="y", features=("x",))
    steps = tc.sequence(tc.grow(table, tc.GrowSettings()))
    assert steps.tree.depth > 1000
    cells, bincount = [0], np.bincount

    def counting(values, weights=None, minlength=0):
        cells[0] += max(len(values), minlength)
        return bincount(values, weights, minlength)

    monkeypatch.setattr(np, "bincount", counting)
    moments, weight = steps.losses(table)
    assert cells[0] < 40 * steps.tree.n_nodes
    errors = (table.column("y").values() - steps.tree.predict(table)) ** 2
    assert moments[0] == pytest.approx([errors.sum(), (errors**2).sum()])
    assert moments[-1] == pytest.approx([750.0, 187.5])
    assert weight == 3000


def test_a_node_far_down_is_kept_in_the_diagram_without_looking_up_again_from_every_node_above(tree, monkeypatch):
    looked, path = [0], tc.Tree.path

    def noting(self, node):
        looked[0] += self.node_depth[node]
        return path(self, node)

    monkeypatch.setattr(tc.Tree, "path", noting)
    deepest = int(np.argmax(tree.node_depth))
    assert len(top_nodes(tree, 60, keep=(deepest,))) == 2 * 2999 + 1
    some = path(tree, deepest)[1000]
    below = top_nodes(tree, 60, within=some, keep=(deepest,))
    assert below[0] == some
    assert len(below) == 2 * 1999 + 1
    assert top_nodes(tree, 5, within=deepest, keep=(some,)).tolist() == [deepest]
    assert looked[0] <= 3 * 2999
