"""How many tests an answer takes, beside the fewest that any tree with these leaves could take, and how long."""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from time import perf_counter

import numpy as np

from treecore.data.table import Table
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.study.questions.question import Setup, StudyQuestion, Work
from treecore.tree.tree import Tree

N_RUNS = 3


@dataclass(frozen=True)
class Effort:
    """Of the rows of one table.

    mean : tests per answer. most : of any row. depth : of the tree. balanced : log of the leaves to the base of the
    branches, what a tree with all leaves at one depth takes. fewest : mean of the best tree that tells the same leaves
    apart, were every test possible. bound : entropy of the leaves, which no tree goes below.
    """

    n_rows: int
    mean: float
    most: int
    depth: int
    balanced: float
    fewest: float
    bound: float


def effort(tree: Tree, table: Table) -> Effort:
    """Tests that the tree asks of a table's rows; a row shared among branches counts with its largest part.

    fewest : Huffman's tree over the leaves by their rows, of at most as many branches as this one's nodes have.
    Source: Huffman (1952); Shannon (1948) for the bound.
    """
    end = tree.apply(table)
    depth, k = tree.node_depth[end], max(2, int(tree.n_children.max()))
    weight = np.bincount(end, table.case_weights, tree.n_nodes)
    share = weight[weight > 0] / weight.sum() if weight.sum() > 0 else np.ones(1)
    mean = float(np.average(depth, weights=table.case_weights)) if weight.sum() > 0 else np.nan
    bound = float(-(share @ np.log(share)) / np.log(k)) + 0.0
    balanced = float(np.log(tree.n_leaves) / np.log(k))
    return Effort(table.n_rows, mean, int(depth.max(initial=0)), tree.depth, balanced, fewest_tests(share, k), bound)


def fewest_tests(share: np.ndarray, k: int = 2) -> float:
    """Mean depth of the best tree of nodes with up to k branches over leaves of these shares, float64 (n,)."""
    waiting = [float(s) for s in share]
    waiting += [0.0] * (-(len(waiting) - 1) % (k - 1))  # so that every node above the lowest has k branches
    heapify(waiting)
    total = 0.0
    while len(waiting) > 1:
        joined = sum(heappop(waiting) for _ in range(k))
        total += joined
        heappush(waiting, joined)
    return total


def seconds_per_row(tree: Tree, table: Table) -> float:
    """Of answering all rows of a table at once, the shortest of a few runs; NaN without rows."""
    times = []
    for _ in range(N_RUNS):
        start = perf_counter()
        tree.predict(table)
        times.append(perf_counter() - start)
    return min(times) / table.n_rows if table.n_rows else np.nan


# How many tests an answer takes, in a sentence and a table.

MEANING = (
    "Fewest: the mean of Huffman's tree over the same leaves by their rows, were every test possible. Bound: the "
    "entropy of the leaves, which no tree goes below. Time: of one answer where all rows are asked at once."
)


def describe_effort(found: list[tuple[str, Effort, float]]) -> list[Line]:
    """(role, tests of its rows, seconds of one answer) -> what it comes to, and each role's numbers."""
    told = (
        ("tests, mean", lambda e, _: brief(e.mean)),
        ("most", lambda e, _: str(e.most)),
        ("fewest", lambda e, _: brief(e.fewest)),
        ("bound", lambda e, _: brief(e.bound)),
        ("time", lambda _, seconds: _time(seconds)),
    )
    rows = tuple((name, *(of(effort, seconds) for _, effort, seconds in found)) for name, of in told)
    return [Words(_sentence(*_judged(found))), Grid(("", *(role for role, _, _ in found)), rows), Words(MEANING)]


def _judged(found: list[tuple[str, Effort, float]]) -> tuple[str, Effort, float]:
    """Of rows held back if there are some."""
    of = {role: (role, effort, seconds) for role, effort, seconds in found}
    return next(of[role] for role in ("validation", "test", *of) if role in of)


def _sentence(role: str, of: Effort, seconds: float) -> str:
    if of.depth == 0:
        return "Your tree asks nothing: its one leaf answers every row."
    mean = f"{brief(of.mean)} test{'' if of.mean == 1 else 's'}"
    more = f", {percent(of.mean / of.fewest - 1)} more than" if of.mean > of.fewest > 0 else ", as many as"
    return (
        f"An answer takes {mean} on average ({role} rows){more} the {brief(of.fewest)} of the best "
        f"tree with the same leaves. The longest way, the depth, has {of.depth:,}; with all leaves at one depth it "
        f"would be {brief(of.balanced)}. Time: {_time(seconds)}."
    )


def _time(seconds: float) -> str:
    return format(1e6 * seconds, ".3g") + " µs"


def _work(setup: Setup) -> Work:
    tree, parts = setup.tree, setup.parts
    return lambda _: [(role, effort(tree, rows), seconds_per_row(tree, rows)) for role, rows in parts.items()]


EFFORT = StudyQuestion(
    "effort", "How many tests does a prediction take?", "Tests per answer", _work,
    lambda answer, setup: describe_effort(answer), of_tree=True, report_place=12,
)  # fmt: skip
