"""Exercises on a small tree with counted rows: prune it by validation rows, its alphas, what its rules cover."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.sequence import sequence
from treecore.rules.from_tree import leaves_in_order
from treecore.teach.sheet import Blank, SheetTable, Task
from treecore.teach.split_tasks import ROUNDED, counts, need_classes
from treecore.tree.tree import Tree, split_order

MOST_LEAVES, FEWEST_LEAVES, MOST_LISTED = 8, 4, 12
NOISE = 0.25
"""Share of the rows made up for an exercise that get another answer, so that pruning has something to do."""


@dataclass(frozen=True, eq=False, repr=False)
class CountedTree(Brief):
    """The tree of an exercise. children, tests, train, answers : one entry per node, parents before children.

    children : places of the branches, () of a leaf. tests : what leads to the node, the feature asked at the parent
    among it; "" of the root. asks : feature of an inner node, "" of a leaf. train : rows of every class. answers : the
    place of the commonest class, the first of equals; without rows that of the node above.
    """

    classes: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    tests: tuple[str, ...]
    asks: tuple[str, ...]
    train: tuple[tuple[int, ...], ...]

    @property
    def answers(self) -> tuple[int, ...]:
        classes = [max(range(len(n)), key=n.__getitem__) for n in self.train]
        for t, below in enumerate(self.children):
            for c in below:
                classes[c] = classes[c] if any(self.train[c]) else classes[t]
        return tuple(classes)

    @property
    def inner(self) -> tuple[int, ...]:
        return tuple(t for t, below in enumerate(self.children) if below)

    def drawn(self) -> SheetTable:
        """A line per node, branches below their node."""
        rows, waiting = [], [(0, 0)]
        while waiting:
            t, depth = waiting.pop(0)
            counts = tuple(str(n) for n in self.train[t])
            ask = self.asks[t] or f"answer {self.classes[self.answers[t]]}"
            rows.append((f"t{t}", "· " * depth + (self.tests[t] or "all rows"), ask, *counts))
            waiting = [(c, depth + 1) for c in self.children[t]] + waiting
        return SheetTable(("node", "rows with", "asks", *self.classes), tuple(rows))

    def wrong(self, counts) -> list[int]:
        """Errors of every node as a leaf. counts : rows of every class per node."""
        return [sum(n) - n[answer] for n, answer in zip(counts, self.answers, strict=True)]


def rows_below(tree: Tree, node: int, table: Table, ends: np.ndarray | None = None) -> Table:
    """The rows of a table that end in a node or below it. ends : where each of them ends, if that is known."""
    inside = tree.descendants(node)
    inside[node] = True
    return table.take(np.flatnonzero(inside[tree.apply(table) if ends is None else ends]))


def small_tree(tree: Tree) -> Tree:
    """The tree, or the largest one of its nested sequence with few enough leaves for a sheet; where that is hardly a
    tree, as it was after its first splits."""
    need_classes(tree)
    if tree.n_nodes == 1:
        raise TreecoreError("The tree is a lone root", where="Tree", remedy="Loosen the stopping limits")
    if tree.n_leaves <= MOST_LEAVES:
        return tree
    steps = sequence(tree)
    fitting = steps.with_leaves(MOST_LEAVES)
    if steps.n_leaves[fitting] >= FEWEST_LEAVES:
        return tree.cut(steps.cuts(fitting))
    leaves = 1 + np.cumsum(tree.n_children[split_order(tree)] - 1)
    return tree.after(max(int(np.sum(leaves <= MOST_LEAVES)), 1))


def counted_tree(tree: Tree, train: Table, variant: int = 0) -> CountedTree:
    """The small tree with the training rows in it; a variant draws as many rows again.

    Rows that do not end in a leaf, as they have a level that was not there, are left out.
    """
    rng = np.random.default_rng(variant)
    ends = tree.apply(train)
    known = np.flatnonzero(tree.is_leaf[ends])
    counts = own = node_counts(tree, ends[known], train.target_column.codes[known])
    for _ in range(50 if variant else 0):
        rows = rng.choice(known, len(known))
        counts = node_counts(tree, ends[rows], train.target_column.codes[rows])
        if all(any(n) for n, before in zip(counts, own, strict=True) if any(before)):
            break
    shown = [tree.node(t) for t in range(tree.n_nodes)]
    return CountedTree(
        tree.classes, tuple(tuple(map(int, tree.children(t))) for t in range(tree.n_nodes)),
        tuple(view.condition if t else "" for t, view in enumerate(shown)),
        tuple("" if view.is_leaf else view.feature or "" for view in shown), counts,
    )  # fmt: skip


def node_counts(tree: Tree, ends: np.ndarray, labels: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Rows of every class in every node. ends : the leaf of each row; labels : its class."""
    n = np.zeros((tree.n_nodes, len(tree.classes)), np.int64)
    np.add.at(n, (ends, labels), 1)
    return tuple(tuple(row) for row in np.rint(tree.add_up(n.astype(float))).astype(int).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class PruningRows(Brief):
    """Rows to prune by. cells : what the tree asks of each row, and its class; counts : of every class per node."""

    grid: SheetTable
    counts: tuple[tuple[int, ...], ...]
    made_up: bool


def pruning_rows(tree: Tree, train: Table, validation: Table | None, variant: int = 0) -> PruningRows:
    """At most twelve validation rows that have all values asked for; where no row validates, rows drawn from those
    that train, some with another answer."""
    rng = np.random.default_rng(1000 + variant)
    made_up = validation is None or not validation.n_rows
    table = train if made_up else validation
    assert table is not None
    ends, labels = tree.apply(table), table.target_column.codes
    names = list(dict.fromkeys(tree.node(t).feature for t in range(tree.n_nodes) if not tree.is_leaf[t]))
    whole = np.logical_and.reduce([~table.column(name).missing for name in names])
    known = np.flatnonzero(tree.is_leaf[ends] & (labels < len(tree.classes)) & whole)
    picked = np.sort(rng.choice(known, min(MOST_LISTED, len(known)), replace=False))
    codes = labels[picked].astype(np.int64)
    if made_up:
        other = (codes + rng.integers(1, max(len(tree.classes), 2), len(codes))) % len(tree.classes)
        codes = np.where(rng.random(len(codes)) < NOISE, other, codes)
    rows = table.take(picked)
    cells = [[str(v) for v in rows.column(name).labels().tolist()] for name in names]
    lines = tuple((str(i + 1), *(column[i] for column in cells), tree.classes[codes[i]]) for i in range(len(picked)))
    grid = SheetTable(("row", *names, str(table.target)), lines)
    return PruningRows(grid, node_counts(tree, ends[picked], codes), made_up)


# Exercises on a tree: prune it by validation rows, and fill in its sequence of alphas; all errors are counted.


def prune_task(tree: Tree, train: Table, validation: Table | None, variant: int = 0) -> Task:
    """Reduced error, from the lowest nodes up."""
    few = small_tree(tree)
    small, rows = counted_tree(few, train, variant), pruning_rows(few, train, validation, variant)
    text = (
        "Prune this tree by reduced error: start at the lowest nodes, and turn a node into a leaf if that makes no "
        "more errors on these validation rows than its branches do. A leaf predicts the most frequent class of its "
        "training rows (the first one if several are equally frequent)."
    )
    text += " These rows were made up from the table for this exercise." if rows.made_up else ""
    blank = SheetTable(
        ("node", "rows here", "wrong as a leaf", "wrong with branches", "keep or cut"),
        tuple((f"t{t}", "", "", "", "") for t in reversed(small.inner)),
    )
    links, ends, wrong = cut_candidates(small, rows)
    blanks = [
        Blank(f"t{link.node}: {head}", value, place=(i, k), options=options, right=right)
        for i, link in enumerate(links)
        for k, (head, value, options, right) in enumerate(
            (
                ("rows here", link.here, (), ()), ("wrong as a leaf", link.leaf, (), ()),
                ("wrong with branches", link.branches, (), ()), ("keep or cut", 0, VERDICTS, (int(link.cut),)),
            ), 1,
        )
    ]  # fmt: skip
    blanks += [Blank("leaves left", ends), Blank("rows that the pruned tree gets wrong", wrong)]
    key = tuple(pruning_key(small, rows))
    hint = "Send each row down to its leaf. For the nodes above, a node that was cut counts as a leaf."
    return Task(text, (small.drawn(), rows.grid), blank, 3, key, blanks=tuple(blanks), hint=hint)


VERDICTS = ("keep", "cut")
AGAIN = "After each cut compute g again for the nodes above: they have fewer leaves below them now."
READ = 0.0006
"""How far a fraction may be from what is read: three digits are enough."""


@dataclass(frozen=True)
class CutCandidate:
    """An inner node that may be cut. here : rows that come to it. leaf : how many of them it gets wrong as a leaf.
    parts : how many each of its branches does, as it is then pruned."""

    node: int
    here: int
    leaf: int
    parts: tuple[int, ...]

    @property
    def branches(self) -> int:
        return sum(self.parts)

    @property
    def cut(self) -> bool:
        return self.leaf <= self.branches


def cut_candidates(tree: CountedTree, rows: PruningRows) -> tuple[list[CutCandidate], int, int]:
    """Every inner node, the lowest first; then the leaves that are left, and how many rows they get wrong."""
    wrong, links = tree.wrong(rows.counts), []
    below, leaves = list(wrong), [1] * len(wrong)
    for t in reversed(tree.inner):
        link = CutCandidate(t, sum(rows.counts[t]), wrong[t], tuple(below[c] for c in tree.children[t]))
        links.append(link)
        below[t] = link.leaf if link.cut else link.branches
        leaves[t] = 1 if link.cut else sum(leaves[c] for c in tree.children[t])
    return links, leaves[0], below[0]


def pruning_key(tree: CountedTree, rows: PruningRows) -> list[str]:
    """Every inner node, the lowest first, with its errors; then what is left."""
    (links, ends, left), key = cut_candidates(tree, rows), []
    for link in links:
        t, sign = link.node, "≤" if link.cut else ">"
        key.append(
            f"t{t} ({tree.asks[t]}): as a leaf it answers {tree.classes[tree.answers[t]]}: "
            f"{link.here} − {link.here - link.leaf} = {link.leaf} wrong; its branches "
            f"{' + '.join(map(str, link.parts))} = {link.branches}; "
            f"{link.leaf} {sign} {link.branches}: {VERDICTS[link.cut]}."
        )
    wrong, n = tree.wrong(rows.counts), sum(rows.counts[0])
    grown = sum(wrong[t] for t, branches in enumerate(tree.children) if not branches)
    key.append(f"What is left has {_leaves_text(ends)} and {left} of {n} rows wrong; before it was {grown} of {n}.")
    return key


@dataclass(frozen=True)
class AlphaStep:
    """One step of the sequence. alpha : the least g. cut : nodes that become leaves. leaves, wrong : afterwards.
    told : the arithmetic of every link that stood before."""

    alpha: Fraction
    cut: tuple[int, ...]
    leaves: int
    wrong: int
    told: tuple[str, ...]


def alpha_task(tree: Tree, train: Table, variant: int = 0) -> Task:
    """The nested sequence of cost complexity, by training errors."""
    small = counted_tree(small_tree(tree), train, variant)
    steps, n = alpha_steps(small), sum(small.train[0])
    text = (
        f"Fill in the sequence of cost-complexity pruning. R(t) is the share of the {n} training rows that node t gets "
        "wrong as a leaf, R(Tt) that of the leaves below it; g(t) = (R(t) − R(Tt)) / (number of these leaves − 1). "
        "Every step cuts the nodes of the least g, which is its α."
    )
    wrong = small.wrong(small.train)
    begun = sum(wrong[t] for t, below in enumerate(small.children) if not below)
    leaves = sum(not below for below in small.children)
    first = ("0", "0", "–", str(leaves), f"{begun}/{n}")
    blank = SheetTable(
        ("step", "α", "nodes cut", "leaves", "R of the tree"),
        (first, *((str(k), "", "", "", "") for k in range(1, len(steps) + 1))),
    )
    key = [f"Step 0: {leaves} leaves, R = {begun}/{n}."]
    for k, step in enumerate(steps, 1):
        key += [f"Step {k}: {line}" for line in step.told]
        key.append(
            f"Step {k}: least g, α = {_number(step.alpha)}: {_nodes(step.cut)} cut; {_leaves_text(step.leaves)}, "
            f"R = {step.wrong}/{n}."
        )
    return Task(text, (small.drawn(),), blank, 4, tuple(key), blanks=tuple(_step_blanks(small, steps, n)), hint=AGAIN)


def _step_blanks(small: CountedTree, steps: Sequence[AlphaStep], n: int) -> Iterator[Blank]:
    """A row of the table for each step; which nodes are cut is chosen among what any step cuts, and single nodes."""
    cut = [_nodes(step.cut) for step in steps]
    choices = sorted({*cut, *(_nodes((t,)) for t in range(len(small.children)))})
    for k, step in enumerate(steps, 1):
        right = (choices.index(cut[k - 1]),)
        yield Blank(f"step {k}: α", float(step.alpha), READ, place=(k, 1))
        yield Blank(f"step {k}: nodes cut", options=tuple(choices), right=right, place=(k, 2))
        yield Blank(f"step {k}: leaves", step.leaves, place=(k, 3))
        yield Blank(f"step {k}: R of the tree", step.wrong / n, READ, place=(k, 4))


def _nodes(nodes: Sequence[int]) -> str:
    return ", ".join(f"t{t}" for t in nodes)


def alpha_steps(tree: CountedTree) -> list[AlphaStep]:
    """All steps until the root is left, in fractions; equal alphas are one step."""
    wrong, n = tree.wrong(tree.train), sum(tree.train[0])
    steps: list[AlphaStep] = []
    standing = set(tree.inner)
    while 0 in standing:
        links = {t: _link(tree, standing, wrong, n, t) for t in sorted(standing) if _is_there(tree, standing, t)}
        alpha = min(g for g, _ in links.values())
        cut = tuple(t for t, (g, _) in links.items() if g == alpha)
        arithmetic = tuple(text for _, text in links.values())
        standing -= set(cut)
        ends = _leaves(tree, standing, 0)
        made = AlphaStep(alpha, cut, len(ends), sum(wrong[t] for t in ends), arithmetic)
        if steps and steps[-1].alpha == alpha:  # a link above is as weak once those below it are gone
            made = AlphaStep(alpha, steps[-1].cut + cut, made.leaves, made.wrong, steps.pop().told + arithmetic)
        steps.append(made)
    return steps


def _is_there(tree: CountedTree, standing: set[int], t: int) -> bool:
    """Are all nodes above it inner nodes still?"""
    parent = {c: p for p, below in enumerate(tree.children) for c in below}
    while t:
        t = parent[t]
        if t not in standing:
            return False
    return True


def _leaves(tree: CountedTree, standing: set[int], t: int) -> list[int]:
    if t not in standing:
        return [t]
    return [leaf for c in tree.children[t] for leaf in _leaves(tree, standing, c)]


def _link(tree: CountedTree, standing: set[int], wrong: list[int], n: int, t: int) -> tuple[Fraction, str]:
    """g of a node, and its arithmetic."""
    ends = _leaves(tree, standing, t)
    below = sum(wrong[leaf] for leaf in ends)
    g = Fraction(wrong[t] - below, n * (len(ends) - 1))
    arithmetic = f"g(t{t}) = ({wrong[t]}/{n} − {below}/{n}) / ({len(ends)} − 1) = {_number(g)}"
    return g, arithmetic


def _number(value: Fraction) -> str:
    return "0" if not value else f"{value.numerator}/{value.denominator} = {float(value):.4f}"


def _leaves_text(n: int) -> str:
    return f"{n} {'leaf' if n == 1 else 'leaves'}"


# An exercise on rules: the ways of a tree as rules, what each covers, how often it is right, and its lift.


def coverage_task(table: Table, tree: Tree) -> Task:
    """tree : of these rows. TreecoreError for a lone root."""
    if tree.is_leaf[0]:
        raise TreecoreError("The tree is a lone root", where="Rows", remedy="Choose other rows")
    ends, whole, rows, blanks, key = tree.apply(table), counts(table), [], [], []
    for leaf in leaves_in_order(tree):
        here = rows_below(tree, leaf, table, ends)
        if not here.n_rows:
            continue
        view, place = tree.node(leaf), len(rows)
        k = int(tree.value[leaf])
        right = counts(here)[k]
        share, base = Fraction(right, here.n_rows), Fraction(whole[k], table.n_rows)
        rule = f"IF {view.rule}"
        rows.append((rule, "", "", "", "", ""))
        blanks += [
            Blank(f"{rule}: {head}", float(value), within, place=(place, i))
            for i, (head, value, within) in enumerate(
                (
                    ("rows", here.n_rows, 0.0), ("right", right, 0.0), ("confidence", share, ROUNDED),
                    ("lift", share / base, 0.01),
                ), 2,
            )
        ]  # fmt: skip
        blanks.append(Blank(f"{rule}: answer", options=tree.classes, right=(k,), place=(place, 1)))
        key.append(
            f"{rule} THEN {tree.classes[k]}: covers {here.n_rows} of {table.n_rows} rows, {right} right; confidence "
            f"{share} = {float(share):.4f}; lift {share} / ({base}) = {float(share / base):.4f}"
        )
    text = (
        "These are the rules of the tree that asks for the largest gain first. What does each answer (the first of "
        "equal classes)? How many rows does it cover, how many of them are right, what is its confidence, and its "
        "lift over the class's share of all rows?"
    )
    hint = "Confidence = rows right ÷ rows covered. Lift = confidence ÷ the share of the class among all rows."
    blank = SheetTable(("rule", "answer", "rows", "right", "confidence", "lift"), tuple(rows))
    return Task(text, (), blank, 2, tuple(key), blanks=tuple(blanks), hint=hint)
