"""How the tree of a new table is grown and pruned until somebody says otherwise."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import grow, prune
from treecore.presets import PRESETS
from treecore.pruning import Cuts
from treecore.recipe import Grow, Prune
from treecore.target import Target

SHARE, MOST_IN_LEAF = 0.01, 50
"""Rows of a leaf at least: one in a hundred of the training rows, as fewer say little about rows to come; of large
tables not more than fifty, so that rare classes keep leaves of their own (rpart and CHAID ask for 7 and 50)."""
FOLDED = 200_000
"""Cells of a table up to which ten folds are grown to choose a size (Breiman et al. 1984, 3.4) without being
waited for; the validation rows of larger ones are many enough to judge by."""


def first_growth(n_rows: int, by: float = 1.0) -> Grow:
    """CART with leaves that are not too small. n_rows : of the training rows. by : see target.Target.rows_needed."""
    at_least = int(by * min(MOST_IN_LEAF, n_rows * SHARE))
    return Grow("cart", (("min_rows_leaf", at_least),) if at_least > 1 else ())


@dataclass(frozen=True)
class GrowthChoice:
    """How a tree is grown, and the prunings that it may be given, see first_prunings."""

    growth: Grow
    prunings: tuple[Prune, Prune]


TESTED = 300
"""Training rows from which on classes may be told apart by tests: of fewer, folds compare log losses by a few rows."""
READABLE = 30
"""Leaves that are still read. Among sizes that are as good within a standard error the smallest is taken beyond."""
ROWS_OF_LEAF = 5
"""Training rows for each leaf, likewise: leaves of one or two rows of a small table are learned by heart."""


def first_prunings(target: Target, n_cells: int, held_back: bool, risk: str = "impurity") -> tuple[Prune, Prune]:
    """(of least loss, the smallest within one standard error of it): the 0-SE and the 1-SE rule.

    Classes are judged by the log loss of their shares, along the sequence that gives up the least impurity: by the
    error rate a class that no leaf answers with would be pruned away, however well the leaves tell its rows apart.
    Numbers are judged by their squared error. risk : what the sequence of classes gives up least of.
    target : the kind of it. n_cells : rows times features; larger tables are judged by rows that are
    held back; without any their trees stay as they are grown.
    """
    if n_cells > FOLDED and not held_back:
        return Prune(), Prune()
    by = (("risk", risk), ("measure", "log_loss")) if target.classes else ()
    rows = () if n_cells > FOLDED else (("choose", "cross-validation"),)
    return Prune("cost_complexity", by + rows), Prune("cost_complexity", (*by, *rows, ("standard_errors", 1.0)))


def growth_choices(n_rows: int, target: Target, n_cells: int, held_back: bool) -> tuple[GrowthChoice, ...]:
    """How the tree may be grown, and pruned. n_rows : of the training rows; the rest as for first_prunings.

    CART first; classes also by the entropy and the sequence of the log loss; and a conditional inference tree, whose
    tests are not drawn to a column of chance for its many levels. Large tables, which are grown once, by CART only.
    """
    growth = first_growth(n_rows, target.rows_needed)
    ways = [GrowthChoice(growth, first_prunings(target, n_cells, held_back))]
    if n_cells > FOLDED:
        return tuple(ways)
    if target.classes:
        settings = (*growth.settings, ("criterion", "entropy"))
        ways.append(GrowthChoice(Grow(growth.preset, settings), first_prunings(target, n_cells, held_back, "log_loss")))
    tested = (GrowthChoice(Grow("ctree"), ways[0].prunings),) if n_rows >= TESTED or not target.classes else ()
    return (*ways, *(way for way in tested if PRESETS[way.growth.preset].serves(target)))


def first_way(ways: tuple[GrowthChoice, ...], loss_of: Callable[[Grow, Prune], float]) -> GrowthChoice:
    """The way whose best size loses least; of equals, and where nothing can be judged, the first.

    In benchmarks/first_tree.py the choice lowers the log loss both of rare classes and of others.
    loss_of : the loss, on folds or rows that are held back, of the tree that a growth and a pruning leave.
    """
    if len(ways) == 1:
        return ways[0]
    try:
        losses = [loss_of(way.growth, way.prunings[0]) for way in ways]
    except TreecoreError:
        return ways[0]
    return ways[min(range(len(ways)), key=lambda i: losses[i] if losses[i] == losses[i] else inf)]


def why_not_cart(growth: Grow) -> str:
    """Of a way that first_way has preferred to plain CART, what it is and why, in a sentence; "" of CART itself."""
    better = "it predicted new rows better in cross-validation than CART with the Gini index"
    if growth.preset == "ctree":
        return f"Grown as a conditional inference tree, which splits by significance tests: {better.split(' with')[0]}."
    criterion = dict(growth.settings).get("criterion")
    return f"Grown by CART with the {criterion} as impurity: {better}." if criterion else ""


def first_pruning(prunings: tuple[Prune, Prune], leaves_of: Callable[[Prune], int], n_rows: int) -> Prune:
    """That of least loss where its tree can be read and its leaves have rows, or the 1-SE rule where that has a split.

    On the tables with a rare class of benchmarks/first_tree.py the 1-SE rule costs 6 % more log loss, and folds find no
    split in tables of chance either way. A lone root is what is left where no size predicts better; rows that cannot
    be dealt into folds leave the tree as it is grown. leaves_of : leaves of the tree that a pruning leaves. n_rows : of
    the training rows.
    """
    least, one = prunings
    try:
        if leaves_of(least) <= min(READABLE, n_rows / ROWS_OF_LEAF):
            return least
        return one if leaves_of(one) > 1 else least
    except TreecoreError:
        return Prune()


def first_recipe(train: Table, held_back: Table | None = None) -> tuple[Grow, Prune]:
    """What a new table is grown and pruned by, chosen on its training rows and those that are held back."""
    trees = lru_cache(lambda growth: grow(train, growth.preset, **dict(growth.settings)))

    @lru_cache
    def cuts(growth: Grow, pruning: Prune) -> Cuts:
        given = dict(pruning.parameters)
        return prune(trees(growth), pruning.method, train=train, validation=held_back, **given)

    n_cells = train.n_rows * len(train.features)
    ways = growth_choices(train.n_rows, train.target_kind, n_cells, held_back is not None)
    way = first_way(ways, lambda growth, pruning: cuts(growth, pruning).loss)
    leaves_of = lambda pruning: trees(way.growth).cut(cuts(way.growth, pruning)).n_leaves  # noqa: E731
    return way.growth, first_pruning(way.prunings, leaves_of, train.n_rows)
