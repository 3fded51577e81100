"""Columns that say what another one says already, and rows that are equal to others."""

from itertools import combinations

import numpy as np

from treecore.data.column import Column, row_hashes
from treecore.data.table import Table
from treecore.data.table_like import cached_with_table
from treecore.detectors.finding import KEEP_ONCE, USE, Finding
from treecore.detectors.lone_columns import levels_per_row
from treecore.figures import percent

MOST_COMPARED, ROWS_COMPARED, LEAST_COMMON_ROWS = 60, 20_000, 20
ROWS_PER_VALUE = 3
"""Rows for each value of the column that tells another one: with fewer, everything follows from anything."""


def duplicates(table: Table) -> list[Finding]:
    """Features that are another one under other names of its values, or on another scale."""
    return [
        Finding("duplicate", b, 1.0, f"It repeats {a}: each value of one goes with one value of the other.")
        for a, b, both in _dependent_pairs(table)
        if both
    ]


def functions(table: Table) -> list[Finding]:
    """Features that follow from another one, which tells more."""
    return [
        Finding("function", b, 1.0, f"It follows from {a}: each value of {a} goes with one value of it.")
        for a, b, both in _dependent_pairs(table)
        if not both
    ]


@cached_with_table
def _dependent_pairs(table: Table) -> list[tuple[str, str, bool]]:
    """(a, b, does a follow from b as well?) of features that b follows from a; each b once."""
    if table.n_rows < LEAST_COMMON_ROWS:
        return []
    columns = [c for c in table.feature_columns if (c.present() > 0).sum() > 1][:MOST_COMPARED]
    rows = np.linspace(0, table.n_rows - 1, min(table.n_rows, ROWS_COMPARED)).astype(int)
    result: dict[str, tuple[str, str, bool]] = {}
    for a, b in combinations(columns, 2):
        one, other, both = _relation(a, b, rows)
        if one is not None and other.name not in result and one.name not in result:
            result[other.name] = (one.name, other.name, both)
    return list(result.values())


def _ranks(codes: np.ndarray) -> np.ndarray:
    """int64 (n,): codes of some rows counted anew, without those that no row has."""
    there = np.bincount(codes) > 0
    return (np.cumsum(there) - 1)[codes]


def _relation(a: Column, b: Column, rows: np.ndarray) -> tuple[Column | None, Column | None, bool]:
    """(the one that tells, the one that is told, do both tell each other?); (None, None, False) for neither."""
    known = rows[~a.missing[rows] & ~b.missing[rows]]
    if len(known) < LEAST_COMMON_ROWS:
        return None, None, False
    x, y = (_ranks(c.codes[known]) for c in (a, b))
    n_x, n_y = x.max() + 1, y.max() + 1
    if n_x != n_y and max(n_x, n_y) * ROWS_PER_VALUE > len(known):
        return None, None, False  # the one that tells has more values
    n_pairs = len(np.unique(x.astype(np.int64) * n_y + y))
    if n_x == n_y == n_pairs and n_x > 1:
        scaled = a.kind == b.kind == "numeric" and (np.array_equal(x, y) or np.array_equal(x, n_y - 1 - y))
        return (a, b, True) if scaled or n_x * ROWS_PER_VALUE <= len(known) else (None, None, False)
    if n_pairs == n_x and 1 < n_y < n_x and n_x * ROWS_PER_VALUE <= len(known):
        return a, b, False
    if n_pairs == n_y and 1 < n_x < n_y and n_y * ROWS_PER_VALUE <= len(known):
        return b, a, False
    return None, None, False


# Rows that stand in a table more than once, and rows that are equal but for the answer.

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
        equal > TIMES_EXPECTED * near[place] * _largest_odds(some, place)
        for place in np.argsort(-near) if near[place]
    )  # fmt: skip


def _pairs(rows: np.ndarray) -> float:
    """Pairs of equal ones. rows : uint64 (n_rows,)."""
    sizes = np.unique(rows, return_counts=True)[1].astype(float)
    return float((sizes * (sizes - 1)).sum() / 2)


def _largest_odds(hashes: np.ndarray, place: int) -> float:
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
    text = f"{n_rows:,} rows equal another row in all features, but have a different target: {most}. "
    text += f"{able} tells" if able else "Another column would be needed to tell"
    text += " them apart." if able else " them apart, or the target has errors."
    return [Finding("equal_but_for_target", table.target, best, text, USE.format(able) if able else "",
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
    result = [(_with(table, group, c), c.name) for c in others if levels_per_row(c) <= MOST_ALIKE]
    share, name = max(result, default=(0.0, ""), key=lambda one: one[0])
    return name if share - best >= APART * (1 - best) else ""


def _with(table: Table, group: np.ndarray, column: Column) -> float:
    both = np.unique(group * (column.n_distinct + 1) + column.codes, return_inverse=True)[1]
    return _at_best(table, both)[0]
