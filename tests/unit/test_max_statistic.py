"""Conditional inference trees by the maximum statistic: partykit's trees and figures, and the tail by simulation."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.criteria.max_tail import log_max_tail
from treecore.growing import rebuild_node
from treecore.growing.search import conditional
from treecore.growing.search.conditional import STATISTICS, association

# What partykit 1.2-16 grows on `made` with teststat = "maximum", minsplit = 10, minbucket = 4, alpha = 0.2: the leaves'
# rows, and statistic and adjusted p of every feature at the root. Where several z are compared, partykit's p has an
# error of up to 0.001.
RECORDED = {
    ("k", "quadratic"): [39, 15, 13, 9, 6, 38],
    ("k", "maximum"): [39, 15, 13, 9, 6, 38],
    ("c", "quadratic"): [24, 6, 6, 17, 9, 11, 6, 6, 10, 25],
    ("c", "maximum"): [14, 6, 7, 16, 17, 9, 5, 6, 6, 4, 10, 20],
    ("y", "quadratic"): [5, 14, 15, 8, 9, 11, 7, 10, 34, 7],
    ("y", "maximum"): [5, 14, 15, 8, 9, 11, 7, 10, 34, 7],
}
AT_ROOT = {
    "k": ((7.43421699682, 3.15567512489e-13), (0.261519280930, 0.991218925041), (3.0538196633627, 0.0262796840503)),
    "c": ((6.95561362577, 2.08086881058e-11), (0.594628115561, 0.994438777682), (3.87865389587110, 0.00353602361558)),
    "y": ((7.69697377562, 4.17979430625e-14), (0.476496885832, 0.950859666085), (4.18893765233, 0.000340881534816)),
}


def made(target: str) -> tc.Table:
    rows = []
    for i in range(120):
        x, z, f = (i * 37) % 101, (i * i * 7) % 53, (i * 13 + i // 7) % 4
        s = x + 20 * f + (i * 29) % 41
        answers = {"k": ("no", "yes")[s > 95], "c": ("low", "mid", "high")[(s > 70) + (s > 110)]}
        answers["y"] = round(s / 4 + (i * 11) % 17, 2)
        rows.append({"x": x, "z": z, "f": "abcd"[f], target: answers[target]})
    return tc.read_table(pd.DataFrame(rows), target=target)


def grown(target: str, split: str) -> tuple[tc.Table, tc.Tree]:
    table = made(target)
    growth = replace(
        tc.PRESETS["ctree"].growth, test_statistic="maximum", split_statistic=split, min_rows_split=10,
        min_rows_leaf=4, alpha=0.2,
    )  # fmt: skip
    return table, tc.grow(table, growth)


@pytest.mark.parametrize(("target", "split"), RECORDED)
def test_trees_and_tests_of_partykit(target, split):
    table, tree = grown(target, split)
    assert sorted(tree.n_rows[tree.is_leaf].tolist()) == sorted(RECORDED[target, split])
    tests = rebuild_node.tested_again(tree, 0, table)
    for ours, (statistic, p) in zip(tests, AT_ROOT[target], strict=True):
        assert ours.statistic == pytest.approx(statistic, rel=1e-10)
        assert ours.adjusted == pytest.approx(p, rel=1e-4, abs=0.003 * (ours.feature == 2 or target == "c"))


def test_the_statistic_is_the_largest_standardised_entry():
    rng = np.random.default_rng(4)
    h, g, weight = np.eye(3)[rng.integers(0, 3, 30)], np.eye(4)[rng.integers(0, 4, 30)], np.ones(30)
    shuffled = np.array([g.T @ h[rng.permutation(30)] for _ in range(20000)])
    z = np.abs(g.T @ h - shuffled.mean(0)) / shuffled.std(0)
    statistic, df = association(h, g, weight, maximum=True)
    assert (statistic, df) == (pytest.approx(z.max(), rel=0.03), 6)


@pytest.mark.parametrize("groups", [(1,), (0.5, 0.5), (0.2, 0.3, 0.5), (0.05, 0.05, 0.4, 0.5)])
@pytest.mark.parametrize("classes", [(1,), (0.9, 0.1), (0.2, 0.3, 0.5), (0.001, 0.5, 0.499)])
def test_the_tail_by_simulation(groups, classes):
    groups, classes = np.array(groups), np.array(classes)
    rng = np.random.default_rng(7)
    y = rng.standard_normal((200_000, len(groups), len(classes))) * np.sqrt(np.outer(groups, classes))
    # counts with fixed margins: what rows and columns have too much is taken back by their shares
    if len(groups) > 1:
        y -= groups[:, None] * y.sum(1, keepdims=True)
    if len(classes) > 1:
        y -= classes * y.sum(2, keepdims=True)
    spread = np.outer(*(p * (1 - p) if len(p) > 1 else p for p in (groups, classes)))
    largest = np.abs(y / np.sqrt(spread)).max(axis=(1, 2))
    for limit in (0.7, 1.5, 2.3, 3.2):
        p = np.exp(log_max_tail(limit, groups, classes))
        seen = (largest > limit).mean()
        assert abs(p - seen) < 5 * np.sqrt(seen / 200_000) + 1e-3 * (min(len(groups), len(classes)) > 2)


def test_a_lower_bound_is_one_and_does_where_p_is_larger_than_asked():
    """It is given only where it is above what is asked for; else p itself."""
    rng = np.random.default_rng(2)
    bounds = 0
    for _ in range(60):
        groups, classes = rng.dirichlet(np.ones(rng.integers(3, 6))), rng.dirichlet(np.ones(rng.integers(1, 5)))
        limit = float(rng.uniform(0.3, 4.0))
        p = np.exp(log_max_tail(limit, groups, classes))
        at_least = np.exp(log_max_tail(limit, groups, classes, enough=0.05))
        assert at_least <= p + 2e-3
        assert at_least == p or at_least > 0.05
        bounds += at_least != p
    assert bounds > 10


def test_growing_by_bounds_leaves_the_tree_as_it_is(monkeypatch):
    tree = tc.export(grown("c", "quadratic")[1], "json")
    exact = conditional.log_max_tail
    monkeypatch.setattr(conditional, "log_max_tail", lambda *sides: exact(*sides[:3]))
    assert tc.export(grown("c", "quadratic")[1], "json") == tree


def test_small_tails_never_end():
    logs = [log_max_tail(limit, np.full(3, 1 / 3), np.full(4, 0.25)) for limit in (3.0, 5.0, 10.0, 50.0, 500.0)]
    assert np.isfinite(logs).all()
    assert (np.diff(logs) < 0).all()


def test_an_unknown_statistic_is_refused():
    with pytest.raises(tc.TreecoreError, match="test statistic"):
        tc.grow(made("k"), "ctree", test_statistic="median")
    assert list(STATISTICS) == ["quadratic", "maximum"]
