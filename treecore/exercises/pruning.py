"""Exercises on a tree: prune it by validation rows, and fill in its sequence of alphas; all errors are counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from treecore.data.table import Table
from treecore.exercises.counted import CountedTree, Listed, counted, listed, small
from treecore.exercises.sheet import Blank, Grid, Task
from treecore.tree.tree import Tree


def prune_task(tree: Tree, train: Table, validation: Table | None, variant: int = 0) -> Task:
    """Reduced error, from the lowest nodes up."""
    few = small(tree)
    drawn, rows = counted(few, train, variant), listed(few, train, validation, variant)
    text = (
        "Prune this tree by reduced error: start at the lowest nodes, and turn a node into a leaf if that makes no "
        "more errors on these validation rows than its branches do. A leaf predicts the most frequent class of its "
        "training rows (the first one if several are equally frequent)."
    )
    text += " These rows were made up from the table for this exercise." if rows.made_up else ""
    blank = Grid(
        ("node", "rows here", "wrong as a leaf", "wrong with branches", "keep or cut"),
        tuple((f"t{t}", "", "", "", "") for t in reversed(drawn.inner)),
    )
    links, ends, wrong = reduced(drawn, rows)
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
    key = tuple(pruning_key(drawn, rows))
    hint = "Send each row down to its leaf. For the nodes above, a node that was cut counts as a leaf."
    return Task(text, (drawn.drawn(), rows.grid), blank, 3, key, blanks=tuple(blanks), hint=hint)


VERDICTS = ("keep", "cut")
AGAIN = "After each cut compute g again for the nodes above: they have fewer leaves below them now."
READ = 0.0006
"""How far a fraction may be from what is read: three digits are enough."""


@dataclass(frozen=True)
class Link:
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


def reduced(tree: CountedTree, rows: Listed) -> tuple[list[Link], int, int]:
    """Every inner node, the lowest first; then the leaves that are left, and how many rows they get wrong."""
    wrong, links = tree.wrong(rows.counts), []
    below, leaves = list(wrong), [1] * len(wrong)
    for t in reversed(tree.inner):
        link = Link(t, sum(rows.counts[t]), wrong[t], tuple(below[c] for c in tree.children[t]))
        links.append(link)
        below[t] = link.leaf if link.cut else link.branches
        leaves[t] = 1 if link.cut else sum(leaves[c] for c in tree.children[t])
    return links, leaves[0], below[0]


def pruning_key(tree: CountedTree, rows: Listed) -> list[str]:
    """Every inner node, the lowest first, with its errors; then what is left."""
    (links, ends, left), key = reduced(tree, rows), []
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
    key.append(f"What is left has {_leaves_told(ends)} and {left} of {n} rows wrong; before it was {grown} of {n}.")
    return key


@dataclass(frozen=True)
class Step:
    """One step of the sequence. alpha : the least g. cut : nodes that become leaves. leaves, wrong : afterwards.
    told : the arithmetic of every link that stood before."""

    alpha: Fraction
    cut: tuple[int, ...]
    leaves: int
    wrong: int
    told: tuple[str, ...]


def alpha_task(tree: Tree, train: Table, variant: int = 0) -> Task:
    """The nested sequence of cost complexity, by training errors."""
    drawn = counted(small(tree), train, variant)
    steps, n = alpha_steps(drawn), sum(drawn.train[0])
    text = (
        f"Fill in the sequence of cost-complexity pruning. R(t) is the share of the {n} training rows that node t gets "
        "wrong as a leaf, R(Tt) that of the leaves below it; g(t) = (R(t) − R(Tt)) / (number of these leaves − 1). "
        "Every step cuts the nodes of the least g, which is its α."
    )
    wrong = drawn.wrong(drawn.train)
    begun = sum(wrong[t] for t, below in enumerate(drawn.children) if not below)
    leaves = sum(not below for below in drawn.children)
    first = ("0", "0", "–", str(leaves), f"{begun}/{n}")
    blank = Grid(
        ("step", "α", "nodes cut", "leaves", "R of the tree"),
        (first, *((str(k), "", "", "", "") for k in range(1, len(steps) + 1))),
    )
    key = [f"Step 0: {leaves} leaves, R = {begun}/{n}."]
    for k, step in enumerate(steps, 1):
        key += [f"Step {k}: {line}" for line in step.told]
        key.append(
            f"Step {k}: least g, α = {_number(step.alpha)}: {_nodes(step.cut)} cut; {_leaves_told(step.leaves)}, "
            f"R = {step.wrong}/{n}."
        )
    return Task(text, (drawn.drawn(),), blank, 4, tuple(key), blanks=tuple(_step_blanks(drawn, steps, n)), hint=AGAIN)


def _step_blanks(drawn: CountedTree, steps: Sequence[Step], n: int) -> Iterator[Blank]:
    """A row of the table for each step; which nodes are cut is chosen among what any step cuts, and single nodes."""
    cut = [_nodes(step.cut) for step in steps]
    choices = sorted({*cut, *(_nodes((t,)) for t in range(len(drawn.children)))})
    for k, step in enumerate(steps, 1):
        right = (choices.index(cut[k - 1]),)
        yield Blank(f"step {k}: α", float(step.alpha), READ, place=(k, 1))
        yield Blank(f"step {k}: nodes cut", options=tuple(choices), right=right, place=(k, 2))
        yield Blank(f"step {k}: leaves", step.leaves, place=(k, 3))
        yield Blank(f"step {k}: R of the tree", step.wrong / n, READ, place=(k, 4))


def _nodes(nodes: Sequence[int]) -> str:
    return ", ".join(f"t{t}" for t in nodes)


def alpha_steps(tree: CountedTree) -> list[Step]:
    """All steps until the root is left, in fractions; equal alphas are one step."""
    wrong, n, steps = tree.wrong(tree.train), sum(tree.train[0]), []
    standing = set(tree.inner)
    while 0 in standing:
        links = {t: _link(tree, standing, wrong, n, t) for t in sorted(standing) if _is_there(tree, standing, t)}
        alpha = min(g for g, _ in links.values())
        cut = tuple(t for t, (g, _) in links.items() if g == alpha)
        told = tuple(text for _, text in links.values())
        standing -= set(cut)
        ends = _leaves(tree, standing, 0)
        made = Step(alpha, cut, len(ends), sum(wrong[t] for t in ends), told)
        if steps and steps[-1].alpha == alpha:  # a link above is as weak once those below it are gone
            made = Step(alpha, steps[-1].cut + cut, made.leaves, made.wrong, steps.pop().told + told)
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
    told = f"g(t{t}) = ({wrong[t]}/{n} − {below}/{n}) / ({len(ends)} − 1) = {_number(g)}"
    return g, told


def _number(value: Fraction) -> str:
    return "0" if not value else f"{value.numerator}/{value.denominator} = {float(value):.4f}"


def _leaves_told(n: int) -> str:
    return f"{n} {'leaf' if n == 1 else 'leaves'}"
