"""How the tree of a new table is grown and pruned until somebody says otherwise."""

from collections.abc import Callable

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import grow, prune
from treecore.recipe import Grow, Prune

SHARE, MOST_IN_LEAF = 0.01, 50
"""Rows of a leaf at least: one in a hundred of the training rows, as fewer say little about rows to come; of large
tables not more than fifty, so that rare classes keep leaves of their own (rpart and CHAID ask for 7 and 50)."""
FOLDED = 200_000
"""Cells of a table up to which ten folds are grown to choose a size (Breiman et al. 1984, 3.4) without being
waited for; the validation rows of larger ones are many enough to judge by."""


def first_growth(n_rows: int) -> Grow:
    """CART with leaves that are not too small. n_rows : of the training rows."""
    at_least = int(min(MOST_IN_LEAF, n_rows * SHARE))
    return Grow("cart", (("min_rows_leaf", at_least),) if at_least > 1 else ())


READABLE = 30
"""Leaves that are still read. Among sizes that are as good within a standard error the smallest is taken beyond."""


def first_prunings(classes: bool, n_cells: int, held_back: bool) -> tuple[Prune, Prune]:
    """(of least loss, the smallest within one standard error of it): the 0-SE and the 1-SE rule.

    Classes are judged by the log loss of their shares, along the sequence that gives up the least impurity: by the
    error rate a class that no leaf answers with would be pruned away, however well the leaves tell its rows apart.
    Numbers are judged by their squared error.
    classes : is the target one of classes? n_cells : rows times features; larger tables are judged by rows that are
    held back; without any their trees stay as they are grown.
    """
    if n_cells > FOLDED and not held_back:
        return Prune(), Prune()
    by = (("risk", "impurity"), ("measure", "log_loss")) if classes else ()
    rows = () if n_cells > FOLDED else (("choose", "cross-validation"),)
    return Prune("cost_complexity", by + rows), Prune("cost_complexity", (*by, *rows, ("standard_errors", 1.0)))


def first_pruning(prunings: tuple[Prune, Prune], leaves_of: Callable[[Prune], int]) -> Prune:
    """That of least loss where its tree can be read, or the 1-SE rule where that has a split.

    On the tables with a rare class of benchmarks/first_tree.py the 1-SE rule costs 6 % more log loss, and folds find no
    split in tables of chance either way. A lone root is what is left where no size predicts better; rows that cannot
    be dealt into folds leave the tree as it is grown. leaves_of : leaves of the tree that a pruning leaves.
    """
    least, one = prunings
    try:
        if leaves_of(least) <= READABLE:
            return least
        return one if leaves_of(one) > 1 else least
    except TreecoreError:
        return Prune()


def first_recipe(train: Table, held_back: Table | None = None) -> tuple[Grow, Prune]:
    """What a new table is grown and pruned by, chosen on its training rows and those that are held back."""
    growth = first_growth(train.n_rows)
    tree = grow(train, growth.preset, **dict(growth.settings))

    def leaves(pruning: Prune) -> int:
        given = dict(pruning.parameters)
        return tree.cut(prune(tree, pruning.method, train=train, validation=held_back, **given)).n_leaves

    n_cells = train.n_rows * len(train.features)
    return growth, first_pruning(first_prunings(bool(train.classes), n_cells, held_back is not None), leaves)
