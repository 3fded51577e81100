"""Exercises on a tree: their keys against all subtrees of the printed tree, tried one by one in fractions."""

import itertools
import re
from fractions import Fraction

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.teach.exercises import ON_A_TREE, ON_ROWS, TreeAndRows, full_sheet
from treecore.teach.tree_tasks import alpha_task, counted_tree, prune_task, small_tree

CASES = [("play_tennis", "id3"), ("iris", "cart"), ("titanic", "cart"), ("willwait", "c4.5"), ("fruit", "id3")]


def grown(name: str, preset: str) -> TreeAndRows:
    table = read_sample(name)
    if table.n_rows < 60:
        return TreeAndRows(tc.grow(table, preset), table)
    train, validation, _ = table.split(tc.Roles(train=0.6, validation=0.4, test=0.0, seed=1))
    return TreeAndRows(tc.grow(train, preset), train, validation)


class Printed:
    """The tree as the sheet prints it, read again: node -> test, counts, answer, branches."""

    def __init__(self, grid):
        self.classes, self.nodes, above = grid.columns[3:], {}, {}
        for name, rows, asks, *counts in grid.rows:
            depth = rows.count("· ")
            parent = above.get(depth - 1) if depth else None
            n = list(map(int, counts))
            answer = n.index(max(n)) if any(n) else self.nodes[parent]["answer"]
            self.nodes[name] = {"test": rows.replace("· ", ""), "n": n, "answer": answer, "below": [], "asks": asks}
            if parent:
                self.nodes[parent]["below"].append(name)
            above[depth] = name

    def subtrees(self, t: str = "t0"):
        """Every set of leaves that pruning can leave below a node."""
        yield (t,)
        below = self.nodes[t]["below"]
        if below:
            for parts in itertools.product(*(list(self.subtrees(c)) for c in below)):
                yield tuple(itertools.chain(*parts))

    def wrong(self, t: str, n=None) -> int:
        n = self.nodes[t]["n"] if n is None else n[t]
        return sum(n) - n[self.nodes[t]["answer"]]

    def way(self, row: dict) -> list[str]:
        """The nodes that a row comes by, from its cells and the printed tests."""
        found = ["t0"]
        while self.nodes[found[-1]]["below"]:
            found.append(next(c for c in self.nodes[found[-1]]["below"] if holds(self.nodes[c]["test"], row)))
        return found


def holds(test: str, row: dict) -> bool:
    feature, sign, value = re.match(r"(.+?) (=|<|≥|≤|>|∈) (.+)", test).groups()
    if sign in "=∈":
        return row[feature] in [v.strip() for v in value.strip("{}").split(",")]
    x, y = float(row[feature]), float(value)
    return {"<": x < y, "≥": x >= y, "≤": x <= y, ">": x > y}[sign]


@pytest.mark.parametrize("variant", [0, 1, 9])
@pytest.mark.parametrize(("name", "preset"), CASES)
def test_the_alphas_are_those_at_which_the_best_subtree_changes(name, preset, variant):
    given = grown(name, preset)
    task = alpha_task(given.tree, given.train, variant)
    tree = Printed(task.given[0])
    n = sum(tree.nodes["t0"]["n"])
    sizes = {(len(leaves), sum(map(tree.wrong, leaves))) for leaves in tree.subtrees()}
    told = [
        re.match(r"Step \d+: least g, α = (\S+)( = \S+)?: .* cut; (\d+) (?:leaf|leaves), R = (\d+)/", k)
        for k in task.key
    ]
    steps = [(Fraction(m[1]), int(m[3]), int(m[4])) for m in told if m]
    assert steps[-1][1] == 1
    for (alpha, leaves, wrong), after in zip(steps, [*steps[1:], None], strict=True):
        cost = lambda size, a: Fraction(size[1], n) + a * size[0]  # noqa: E731
        assert min(sizes, key=lambda s, a=alpha: (cost(s, a), s[0])) == (leaves, wrong), "the smallest best one"
        assert after is None or after[0] > alpha
    library = tc.sequence(small_tree(given.tree)) if variant == 0 else None
    if library is not None and (
        counted_tree(small_tree(given.tree), given.train).train[0] == tuple(given.tree.stats[0])
    ):
        alphas = dict(zip(library.n_leaves.tolist(), library.alpha.tolist(), strict=True))
        assert {leaves: float(a) for a, leaves, _ in steps} == pytest.approx(
            {k: v for k, v in alphas.items() if k in {s[1] for s in steps}}
        )


@pytest.mark.parametrize("variant", [0, 1, 9])
@pytest.mark.parametrize(("name", "preset"), CASES)
def test_the_pruned_tree_is_the_smallest_of_least_error_on_the_printed_rows(name, preset, variant):
    given = grown(name, preset)
    task = prune_task(given.tree, given.train, given.validation, variant)
    drawn, grid = task.given
    tree, n = Printed(drawn), {}
    n = {t: [0] * len(tree.classes) for t in tree.nodes}
    for cells in grid.rows:
        row = dict(zip(grid.columns, cells, strict=True))
        for t in tree.way(row):
            n[t][tree.classes.index(cells[-1])] += 1
    wrong, leaves = min((sum(tree.wrong(t, n) for t in s), len(s)) for s in tree.subtrees())
    before = sum(tree.wrong(t, n) for t, node in tree.nodes.items() if not node["below"])
    left = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"
    told = f"What is left has {left} and {wrong} of {len(grid.rows)} rows wrong; before it was {before} of"
    assert task.key[-1].startswith(told)
    assert ("made up" in task.text) == (given.validation is None)


def test_variants_keep_the_tree_and_change_the_counts():
    given = grown("titanic", "cart")
    first, second = (alpha_task(given.tree, given.train, v).given[0] for v in (1, 2))
    assert [row[:2] for row in first.rows] == [row[:2] for row in second.rows]
    assert [row[3:] for row in first.rows] != [row[3:] for row in second.rows]
    assert alpha_task(given.tree, given.train, 1) == alpha_task(given.tree, given.train, 1)


def test_a_large_tree_gives_one_that_is_worth_an_exercise():
    train = read_sample("titanic")
    few = small_tree(tc.grow(train, "cart"))
    assert 4 <= few.n_leaves <= 8
    spurious = tc.grow(train.with_target("sex"), "cart", min_rows_leaf=5)
    assert 4 <= small_tree(spurious).n_leaves <= 8


def test_a_sheet_of_all_five_and_of_numbers_alone():
    tennis, iris = grown("play_tennis", "id3"), grown("iris", "cart")
    made = full_sheet((*ON_ROWS, *ON_A_TREE), tennis.train, tennis)
    assert len(made.tasks) == 1 + 4 + 1 + 1 + 1 + 1 + 1
    assert len(full_sheet(("prune", "alphas"), iris.train, iris).tasks) == 2
    alone = full_sheet(("rows",), tennis.train, tennis).tasks
    assert [len(task.given) for task in alone] == [1], "the rows are there without the first questions"
    with pytest.raises(TreecoreError, match="two to six levels"):
        full_sheet(("gains",), iris.train, iris)
    root = TreeAndRows(tc.grow(iris.train, "cart", max_depth=0), iris.train)
    with pytest.raises(TreecoreError, match="lone root"):
        full_sheet(("alphas",), iris.train, root)
