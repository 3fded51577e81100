"""Exercises from any table of classes: gains of attributes, the tree, and rows to classify; variants by a seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import grow
from treecore.rules.from_tree import leaves_in_order
from treecore.teach.binary_tasks import cart_task, chain_task, pairs_task, twoing_task
from treecore.teach.sheet import Blank, Sheet, SheetTable, Task
from treecore.teach.split_tasks import (
    as_questions,
    best_attributes,
    chi_tasks,
    commonest,
    gain_task,
    gain_tasks,
    impurity_task,
    levels,
    need_classes,
    ratio_tasks,
    rows_table,
    squares_task,
    threshold_task,
)
from treecore.teach.tree_tasks import alpha_task, coverage_task, prune_task, rows_below
from treecore.teach.unknown_tasks import fractions_task, surrogate_task, unknown_rows_task
from treecore.tree.tree import Tree

MOST_FEATURES, MOST_LEVELS, MOST_ROWS, MOST_CLASSIFIED = 5, 6, 30, 5
NO_ANSWERS: Mapping[int, str] = MappingProxyType({})
KINDS = {
    "gains": "Compute the gain of each attribute", "tree": "Draw the tree", "rows": "Classify these rows",
    "ratios": "Compute gain ratios", "chi": "Compute χ²", "mistake": "Find the mistake",
    "pairs": "The Gini index over pairs of classes", "chain": "A k-way split as binary ones",
    "twoing": "Gini and twoing of binary splits", "cart": "Which tree would CART grow?",
    "fractions": "Gain with unknown values", "surrogates": "Choose a surrogate split",
    "unknown": "Classify rows with an unknown value", "coverage": "Rules and what they cover",
    "threshold": "Find the threshold of a number",
    "thresholds": "Draw the tree with thresholds", "squares": "Split numbers by squared errors",
    "prune": "Prune with these validation rows", "alphas": "Fill in the α sequence",
}  # fmt: skip
"""What can be asked."""
ON_ROWS = ("gains", "tree", "rows")
"""What is asked unless something else is."""
ON_NUMBERS = ("squares",)
"""The same where the target is a number."""
OF_WORDS = (
    *ON_ROWS, "ratios", "chi", "mistake", "pairs", "chain", "twoing", "cart", "fractions", "surrogates", "unknown",
    "coverage",
)  # fmt: skip
"""What needs classes and columns of words."""
ON_A_TREE = ("prune", "alphas")
"""What is about a tree that is given."""


def sheet(
    table: Table, variant: int = 0, measure: str = "entropy", kinds: tuple[str, ...] = ON_ROWS, where: str = ""
) -> Sheet:
    """The sheet of a table's nominal features. measure : "entropy" (ID3's gain, in bits) or "gini".

    variant : 0 for the table's own rows; any other number draws as many rows again with this seed, so that columns
    and levels stay and the counts differ. kinds : of OF_WORDS. where : which rows these are, for the title.
    TreecoreError for a table that has no classes or no feature of words.
    """
    rows = _variant(_fitting(table), variant)
    tasks: list[Task] = []
    if "gains" in kinds:
        tasks += [impurity_task(rows, measure), *gain_tasks(rows, measure)]
    tasks += _tree(rows, measure, kinds)
    if "ratios" in kinds:
        tasks += ratio_tasks(rows, measure)
    if "chi" in kinds:
        tasks += chi_tasks(rows)
    if "mistake" in kinds:
        tasks.append(_mistake(rows, measure, variant))
    tasks += [make(rows, measure, variant) for kind, make in _SINGLE.items() if kind in kinds]
    if "gains" not in kinds and tasks:
        tasks[0] = replace(tasks[0], given=(rows_table(rows), *tasks[0].given))
    return Sheet(title_of_sheet(table, where), variant, tuple(tasks))


_SINGLE: dict[str, Callable[[Table, str, int], Task]] = {
    "pairs": lambda rows, measure, variant: pairs_task(rows),
    "chain": lambda rows, measure, variant: chain_task(rows),
    "twoing": lambda rows, measure, variant: twoing_task(rows),
    "cart": lambda rows, measure, variant: cart_task(rows, variant),
    "fractions": fractions_task,
    "surrogates": lambda rows, measure, variant: surrogate_task(rows),
    "unknown": lambda rows, measure, variant: unknown_rows_task(rows, grow(rows, "id3", criterion=measure)),
    "coverage": lambda rows, measure, variant: coverage_task(rows, grow(rows, "id3", criterion=measure)),
}
"""Kinds of one question each -> it, of the rows, the measure and the variant."""


def title_of_sheet(table: Table, where: str = "") -> str:
    """The title of a sheet."""
    return f"Decision trees: {table.target}" + (f" ({where})" if where else "")


@dataclass(frozen=True, eq=False, repr=False)
class TreeAndRows(Brief):
    """A tree with the rows that it was grown on, and those that may prune it."""

    tree: Tree
    train: Table
    validation: Table | None = None


def full_sheet(
    kinds: tuple[str, ...], rows: Table, grown: TreeAndRows, variant: int = 0, measure: str = "entropy", where: str = ""
) -> Sheet:
    """A sheet of any kinds, in their own order. rows : of the table, or of one node. where : which rows these are.

    TreecoreError where one of the kinds cannot be asked.
    """
    of_words = tuple(kind for kind in kinds if kind in OF_WORDS)
    tasks = list(sheet(rows, variant, measure, of_words).tasks) if of_words else []
    if "threshold" in kinds:
        tasks.append(threshold_task(rows, measure, variant))
    if "thresholds" in kinds:
        tasks.append(_threshold_tree(rows, measure, variant))
    if "squares" in kinds:
        tasks.append(squares_task(rows, variant))
    if "prune" in kinds:
        tasks.append(prune_task(grown.tree, grown.train, grown.validation, variant))
    if "alphas" in kinds:
        tasks.append(alpha_task(grown.tree, grown.train, variant))
    return Sheet(title_of_sheet(grown.train, where), variant, tuple(tasks))


def _fitting(table: Table) -> Table:
    """The table with the features that can be counted by hand."""
    need_classes(table)
    names = [
        c.name for c in table.feature_columns
        if c.kind in ("nominal", "boolean", "ordinal") and 2 <= len(levels(c)) <= MOST_LEVELS
    ]  # fmt: skip
    if not names:
        remedy = "Make a column nominal on Data, or put numbers in bins"
        raise TreecoreError("No feature has two to six levels", where="Features", remedy=remedy)
    narrow = table.with_features(tuple(names[:MOST_FEATURES]))
    known = np.logical_and.reduce([~c.missing for c in narrow.feature_columns])
    return _by_level(narrow.take(np.flatnonzero(known)))


def _by_level(table: Table) -> Table:
    """With a branch for each level of an order, too: so the gains are counted, and so is the tree then grown."""
    columns = (
        replace(c, kind="nominal", cuts=None) if c.name in table.features and c.kind == "ordinal" else c
        for c in table.columns
    )
    return replace(table, columns=tuple(columns))


def _variant(table: Table, variant: int) -> Table:
    """At most 30 of the rows, or as many drawn with replacement until every class is there."""
    n, rng = min(table.n_rows, MOST_ROWS), np.random.default_rng(variant)
    if variant == 0:
        return table.take(np.linspace(0, table.n_rows - 1, n).astype(int))
    for _ in range(50):
        rows = table.take(np.sort(rng.choice(table.n_rows, n)))
        if (rows.target_column.present() > 0).sum() > 1:
            return rows
    raise TreecoreError("The rows are of one class", where="Target", remedy="Choose another target")


def _tree(table: Table, measure: str, kinds: tuple[str, ...]) -> list[Task]:
    """Draw it, and answer rows by it."""
    tree = grow(table, "id3", criterion=measure)
    leaves = [tree.node(t) for t in range(tree.n_nodes) if tree.is_leaf[t]]
    key = (*_choices(tree, table, measure), *(f"IF {leaf.rule} THEN {leaf.predicted}" for leaf in leaves))
    draw = Task(
        "Draw the tree that splits on the attribute with the largest gain, until no attribute gains anything.",
        lines=12, key=key,
        drawn=(_drawing(tree),), blanks=tuple(_node_blanks(tree, table, measure)),
        hint="At every node count only the rows that reach it. If they all have one class, the node is a leaf that "
             "predicts it.",
        draws=tuple((name, table.column(name).level_names) for name in table.features),
        draws_rows=tuple(zip(*(table.column(name).codes.tolist() for name in table.features), strict=True)),
    )  # fmt: skip
    text = "by your tree" if "tree" in kinds else "with the tree of these rows that always splits on the largest gain"
    return [task for kind, task in (("tree", draw), ("rows", _classify(table, tree, text))) if kind in kinds]


def _threshold_tree(table: Table, measure: str, variant: int) -> Task:
    """Draw the tree of a few numbers: at each node one of these thresholds is asked."""
    rows, questions = as_questions(table, variant)
    (draw,) = _tree(questions, measure, ("tree",))
    text = (
        f"Draw the tree of these rows. At each node ask one of these questions: {', '.join(questions.features)}; the "
        "one of the largest gain, until no gain is left."
    )
    return replace(draw, text=text, given=(rows_table(rows),))


def _mistake(table: Table, measure: str, variant: int) -> Task:
    """The tree of these rows with one leaf that answers what fewer of its rows are."""
    tree = grow(table, "id3", criterion=measure)
    leaves, ends = leaves_in_order(tree), tree.apply(table)
    right = {leaf: commonest(rows_below(tree, leaf, table, ends)) for leaf in leaves if (ends == leaf).any()}
    planted = [leaf for leaf, classes in right.items() if len(classes) < len(table.classes)]
    if tree.n_nodes == 1 or not planted:
        raise TreecoreError("This tree has no leaf that could be made wrong", where="Rows", remedy="Choose other rows")
    rng = np.random.default_rng(variant)
    wrong = planted[int(rng.integers(len(planted)))]
    others = [label for label in table.classes if label not in right[wrong]]
    false = others[int(rng.integers(len(others)))]
    rules = tuple(tree.node(leaf).rule for leaf in leaves)
    grid = _drawing(tree, {wrong: false})
    blanks = (
        Blank("the leaf that answers wrongly", options=rules, right=(leaves.index(wrong),)),
        Blank(
            "what it should answer", options=table.classes,
            right=tuple(k for k, label in enumerate(table.classes) if label in right[wrong]),
        ),
    )  # fmt: skip
    text = (
        "One leaf of this tree predicts a class that is not the most frequent one among its rows. Which leaf is it,"
        " and what should it predict?"
    )
    key = (f"IF {tree.node(wrong).rule} THEN {' or '.join(right[wrong])}, not {false}: {_answered(tree, wrong)}.",)
    hint = "For each leaf count the classes of the rows that reach it."
    return Task(text, (grid,), None, 3, key, blanks=blanks, hint=hint)


def _drawing(tree: Tree, answers: Mapping[int, str] = NO_ANSWERS) -> SheetTable:
    """The tree from the left to the right: a row for each leaf, what is above several of them before the first.

    answers : leaf -> what it answers instead; then no leaf says how many rows it has.
    """
    rows = []
    before: list[int] = []
    for leaf in leaves_in_order(tree):
        path = tree.path(leaf)
        steps = [(above, tree.node(above).feature, tree.node(below).branch) for above, below in pairwise(path)]
        # a branch is drawn once, before the first of the leaves behind it, and so is what the node above it asks
        new = [i for i, below in enumerate(path[1:]) if i >= len(before) or before[i] != below]
        first = new[0] if new else len(steps)
        cells = []
        for i, (_, asks, branch) in enumerate(steps):
            opens = i > first or (i == first and branch == tree.node(int(tree.first_child[path[i]])).branch)
            cells += [asks if opens else "", branch.removeprefix("= ") if i >= first else ""]
        answer = answers.get(leaf, tree.node(leaf).predicted) if answers else _answered(tree, leaf)
        rows.append((*cells, *[""] * (2 * (tree.depth - len(steps))), answer))
        before = path[1:]
    heads = [f"{level}. {head}" for level in range(1, tree.depth + 1) for head in ("asks", "branch")]
    return SheetTable((*heads, "answer"), tuple(rows))


def _answered(tree: Tree, leaf: int) -> str:
    counts = (f"{n:g} {label}" for n, label in zip(tree.stats[leaf], tree.classes, strict=True) if n)
    return f"{tree.node(leaf).predicted} ({', '.join(counts) or 'no row'})"


def _choices(tree: Tree, table: Table, measure: str) -> list[str]:
    """At every inner node, the gain of every attribute that is left, with its arithmetic."""
    lines, ends = [], tree.apply(table)
    for t in np.flatnonzero(~tree.is_leaf):
        rows, node = rows_below(tree, int(t), table, ends), tree.node(int(t))
        asked = {tree.node(int(above)).feature for above in tree.path(int(t))[:-1]}
        where = node.rule if t else "All rows"
        gains = {name: gain_task(rows, name, measure) for name in table.features if name not in asked}
        lines += [f"{where}: {task.key[-1]}" for task, _ in gains.values()]
        lines.append(f"{where}: asks {node.feature}{_as_good(gains, node.feature)}.")
    return lines


def _node_blanks(tree: Tree, table: Table, measure: str) -> list[Blank]:
    """Of every node that has rows, in the order of the drawing: the attribute it asks for, or its answer."""
    options = (*(f"asks {name}" for name in table.features), *(f"answers {label}" for label in table.classes))
    blanks, ends = [], tree.apply(table)
    for t in sorted(range(tree.n_nodes), key=tree.path):
        rows, node = rows_below(tree, t, table, ends), tree.node(t)
        if not rows.n_rows:
            continue
        if node.is_leaf:
            right = {f"answers {label}" for label in commonest(rows)}
        else:
            gains = {name: gain_task(rows, name, measure) for name in table.features}
            right = {f"asks {name}" for name in best_attributes(gains)}
        places = tuple(i for i, option in enumerate(options) if option in right)
        blanks.append(Blank(node.rule if t else "All rows", options=options, right=places, path=_steps(tree, t)))
    return blanks


def _steps(tree: Tree, t: int) -> tuple[tuple[str, str], ...]:
    """(attribute, branch) on the way to a node."""
    pairs = pairwise(map(int, tree.path(t)))
    return tuple((tree.node(a).feature, tree.node(b).branch.removeprefix("= ")) for a, b in pairs)


def _as_good(gains: dict[str, tuple[Task, float]], asked: str) -> str:
    """What is to be said of attributes whose gain is as large; '' where there are none."""
    others = [name for name in best_attributes(gains) if name != asked]
    return f"; {' and '.join(others)} gain{'s' * (len(others) == 1)} as much and may be asked instead" if others else ""


def _classify(table: Table, tree: Tree, how: str) -> Task:
    picked = np.linspace(0, table.n_rows - 1, min(MOST_CLASSIFIED, table.n_rows)).astype(int)
    rows = table.take(picked)
    cells = list(zip(*(rows.column(c).labels().tolist() for c in table.features), strict=True))
    blank = SheetTable((*table.features, "answer"), tuple((*row, "") for row in cells))
    leaves = tree.apply(rows)
    key = [f"{', '.join(row)} → {tree.node(int(t)).predicted} ({tree.node(int(t)).rule})"
           for row, t in zip(cells, leaves, strict=True)]  # fmt: skip
    answers = [commonest(rows_below(tree, int(t), table)) for t in leaves]
    blanks = tuple(
        Blank(
            ", ".join(row), options=table.classes, place=(i, len(row)),
            right=tuple(k for k, label in enumerate(table.classes) if label in answers[i]),
        ) for i, row in enumerate(cells)
    )  # fmt: skip
    hint = "Start at the root and follow the branch of the row's value until you reach a leaf."
    return Task(f"Classify these rows {how}.", (), blank, 1, tuple(key), blanks=blanks, hint=hint)
