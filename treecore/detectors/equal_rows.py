"""Rows that stand in a table more than once, and rows that are equal but for the answer."""

import numpy as np

from treecore.data.column import Column, row_hashes
from treecore.data.table import Table
from treecore.detectors.finding import KEEP_ONCE, USE, Finding
from treecore.detectors.lone_columns import levels_per_row
from treecore.figures import percent

LEAST_ROWS, LEAST_DISTINCT, LEAST_EQUAL, LEAST_SHARE = 40, 30, 5, 0.002
TIMES_EXPECTED = 4
"""Equal rows are no chance where there are so many times as many pairs as chance would make."""
MOST_ROWS, LEAST_PAIRS, TIMES_EQUAL = 4000, 20, 5
"""Rows from which it is learned how often a column agrees where another one does; pairs that this takes, also for each
pair of equal rows."""
MOST_COLUMNS, MOST_ALIKE, APART = 200, 0.5, 0.5
"""Values per row of a column that could tell equal rows apart without being a name of each row; how much of what is
unanswerable it must answer."""


def repeated_rows(table: Table) -> list[Finding]:
    """Rows that are equal to an earlier one in every column, where that is no chance.

    A table of a few columns of a few levels has many such rows, and as many that differ in one column alone.
    """
    if table.n_rows < LEAST_ROWS or not 2 <= len(table.columns) <= MOST_COLUMNS:
        return []
    hashes = row_hashes(table.columns)
    n = _n_repeated(hashes)
    if not n or not _is_no_chance(hashes):
        return []
    text = f"{n:,} of {table.n_rows:,} rows are equal to an earlier one in every column, far more than by chance. " \
           "One may train a tree and its twin judge it."  # fmt: skip
    return [Finding("repeated_rows", "", float(n), text, KEEP_ONCE, reading=(("distinct_rows", True),))]


def _n_repeated(hashes: np.ndarray) -> int:
    """Rows that are equal to an earlier one; 0 where they are few, or so many that the different ones are."""
    sizes = np.unique(hashes.sum(axis=0), return_counts=True)[1]
    n_rows = hashes.shape[1]
    n = n_rows - len(sizes)
    is_few = n < max(LEAST_EQUAL, LEAST_SHARE * n_rows) or len(sizes) < LEAST_DISTINCT
    is_most = n > n_rows / 2 and sizes.min() < sizes.max()  # a file that stands there three times has each row thrice
    return 0 if is_few or is_most else n


def _is_no_chance(hashes: np.ndarray) -> bool:
    """Are there far more pairs of equal rows than pairs that are equal but for any one column would let expect?

    Of pairs that agree in all other columns a share q agrees in this one, too: for each pair that does not there are
    q / (1 - q) that do. q is taken to be the share among all pairs, or among those that agree in one other column, the
    largest of these. hashes : uint64 (n_columns, n_rows).
    """
    total = hashes.sum(axis=0)
    equal = _pairs(total)
    near = np.array([_pairs(total - one) - equal for one in hashes])
    some = hashes[:, np.random.default_rng(0).permutation(len(total))[:MOST_ROWS]]
    return all(
        equal > TIMES_EXPECTED * near[place] * _odds_beside(some, place)
        for place in np.argsort(-near) if near[place]
    )  # fmt: skip


def _pairs(rows: np.ndarray) -> float:
    """Pairs of equal ones. rows : uint64 (n_rows,)."""
    sizes = np.unique(rows, return_counts=True)[1].astype(float)
    return float((sizes * (sizes - 1)).sum() / 2)


def _odds_beside(hashes: np.ndarray, place: int) -> float:
    """The largest odds that pairs agree in the column at `place`, given that they do in another one, or by itself.

    Of another one only where hardly any of the pairs that agree in it are equal rows, and without these: they are what
    is asked about. With them where the other columns say little, as pairs that agree in both are equal rows then.
    """
    total = hashes.sum(axis=0)
    equal, most = _pairs(total), hashes.shape[1] * (hashes.shape[1] - 1) / 2
    shares = [_pairs(hashes[place]) / most]
    for other in range(len(hashes)):
        there = _pairs(hashes[other]) if other != place else 0
        if there >= max(LEAST_PAIRS, TIMES_EQUAL * equal):
            both = hashes[place] + hashes[other]
            less = equal if _pairs(total - both) <= most / 2 else 0.0
            shares.append((_pairs(both) - less) / (there - less))
    share = max(shares)
    return share / (1 - share) if share < 1 else np.inf


def equal_but_for_target(table: Table) -> list[Finding]:
    """Rows that are equal in all features and have different answers, where equal rows are no chance: how much a tree
    can answer at best."""
    if table.target is None or not table.features or len(table.features) > MOST_COLUMNS:
        return []
    known = np.flatnonzero(~table.target_column.missing)
    if len(known) < LEAST_ROWS:
        return []
    part = table if len(known) == table.n_rows else table.take(known)
    hashes = row_hashes(part.feature_columns)
    if not 0 < _n_repeated(hashes) <= len(known) / 2 or not _is_no_chance(hashes):
        return []
    group = np.unique(hashes.sum(axis=0), return_inverse=True)[1]
    best, n_rows = _at_best(part, group)
    if n_rows < LEAST_EQUAL or 1 - best < LEAST_SHARE:
        return []
    able = _able(part, group, best)
    most = f"no tree can {'predict' if part.task == 'classification' else 'explain'} more than {percent(best)} of "
    most += "these rows correctly" if part.task == "classification" else "their variance"
    told = f"{n_rows:,} rows equal another row in all features, but have a different target: {most}. "
    told += f"{able} tells" if able else "Another column would be needed to tell"
    told += " them apart." if able else " them apart, or the target has errors."
    return [Finding("equal_but_for_target", table.target, best, told, USE.format(able) if able else "",
                    use=(able,) if able else ())]  # fmt: skip


def _at_best(table: Table, group: np.ndarray) -> tuple[float, int]:
    """(share of rows, or of the variance, that the best answer to each group has right; rows in groups of several
    answers). group : int64 (n_rows,)."""
    y = table.target_column.values()
    answers, answer = np.unique(y, return_inverse=True)
    cells, n_cell = np.unique(group * len(answers) + answer, return_counts=True)
    most, n_answers = np.zeros((2, int(group.max()) + 1), np.int64)
    np.maximum.at(most, cells // len(answers), n_cell)
    np.add.at(n_answers, cells // len(answers), 1)
    n_rows = int(np.count_nonzero(n_answers[group] > 1))
    if table.task == "classification":
        return float(most.sum() / len(y)), n_rows
    y = y - y.mean()
    size = np.bincount(group)
    within = float((y * y).sum() - (np.bincount(group, y) ** 2 / size).sum())
    total = float((y * y).sum())
    return (1 - within / total if total else 1.0), n_rows


def _able(table: Table, group: np.ndarray, best: float) -> str:
    """The column left out that answers most of what the features cannot, without being a name of each row; "" if none
    does."""
    others = [c for c in table.columns if c.name != table.target and c.name not in table.features]
    found = [(_with(table, group, c), c.name) for c in others if levels_per_row(c) <= MOST_ALIKE]
    share, name = max(found, default=(0.0, ""), key=lambda one: one[0])
    return name if share - best >= APART * (1 - best) else ""


def _with(table: Table, group: np.ndarray, column: Column) -> float:
    both = np.unique(group * (column.n_distinct + 1) + column.codes, return_inverse=True)[1]
    return _at_best(table, both)[0]
