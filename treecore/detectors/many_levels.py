"""Features of many levels that win by chance: shuffled copies of them would gain as much."""

from functools import partial

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.detectors.finding import LEAVE_OUT, ONE_LEVEL, Finding
from treecore.detectors.lone_columns import NEARLY_ALL, levels_per_row
from treecore.figures import number, percent

LEAST_ROWS, LEAST_PART, MOST_ROWS, MOST_COLUMNS = 40, 100, 20_000, 60
LEAST_LEVELS = 8
SHUFFLES, SOME, BEATEN = 99, 20, 1
"""Of so many copies so few may gain as much for a gain that is more than chance; none of the first ones."""
LEVEL = 0.01
"""Chance that any level of a feature that says nothing is taken for one that says something."""


def chance_winners(table: Table) -> list[Finding]:
    """Nominal features of many levels that gain no more than with the target shuffled, and yet more than any other
    feature: among all rows, or among an eighth of them, as below three splits, than others do among all.

    Gains are those of a branch per level and of the best threshold, of entropy or of the variance.
    """
    many = [c for c in table.feature_columns[:MOST_COLUMNS] if _has_many(c)] if table.target is not None else []
    rows = np.flatnonzero(~table.target_column.missing) if many else np.zeros(0, int)
    if len(rows) < LEAST_ROWS:
        return []
    rng = np.random.default_rng(0)
    rows = rng.permutation(rows)[:MOST_ROWS]
    y, is_class = table.target_column.values()[rows], table.task == "classification"
    y = y.astype(np.int64) if is_class else y - y.mean()
    gain = partial(_gain_of_classes, n_classes=len(table.classes)) if is_class else _gain_of_numbers
    names = {column.name for column in many}
    others = [c for c in table.feature_columns[:MOST_COLUMNS] if c.name not in names]
    best = max((gain(c.codes[rows], c.n_distinct, y, is_ordered=c.kind in ("numeric", "ordinal")) for c in others),
               default=0.0)  # fmt: skip
    shuffled = [rng.permutation(y) for _ in range(SHUFFLES)]
    part, result = len(rows) // 8, []
    for column in many:
        codes = column.codes[rows].astype(np.int64)
        own = gain(codes, column.n_distinct, y)
        copies = shuffled[:SOME] if part >= LEAST_PART else [np.zeros_like(y)]
        below = float(np.mean([gain(codes[:part], column.n_distinct, other[:part]) for other in copies]))
        if own <= best and below <= best:
            continue
        by_chance = np.array([gain(codes, column.n_distinct, other) for other in shuffled[:SOME]])
        if not by_chance.min() <= own <= by_chance.max():  # less than chance is a plan: as many rows of each
            continue
        by_chance = np.append(by_chance, [gain(codes, column.n_distinct, other) for other in shuffled[SOME:]])
        if (by_chance >= own).sum() > BEATEN:
            has_level = _has_telling_level(codes, column.n_distinct, y, is_class)
            where = "" if own > best else f"among {part:,} rows {_gains(is_class, below)}, "
            result.append(_finding(table, column, own, by_chance, has_level, where))
    return result


def _has_many(column: Column) -> bool:
    return (
        column.kind == "nominal"
        and np.count_nonzero(column.present()) >= LEAST_LEVELS
        and levels_per_row(column) < NEARLY_ALL
    )


def _gain_of_classes(codes, n_codes: int, y: np.ndarray, is_ordered: bool = False, *, n_classes: int) -> float:
    """Bits that the rows with a value gain, times their share.

    codes : int (n_rows,), n_codes where missing. y : int64 (n_rows,), classes. is_ordered : by the best threshold, else
    by a branch for each code.
    """
    counts = np.bincount(codes * n_classes + y, minlength=(n_codes + 1) * n_classes)
    return _gain(counts.reshape(-1, n_classes)[:n_codes].astype(float), len(y), _bits, is_ordered)


def _gain_of_numbers(codes, n_codes: int, y: np.ndarray, is_ordered: bool = False) -> float:
    """The same as a share of the variance of y, float64 (n_rows,)."""
    sums = [np.bincount(codes, weights, n_codes + 1)[:n_codes] for weights in (None, y, y * y)]
    total = float(((y - y.mean()) ** 2).sum())
    return _gain(np.stack(sums, axis=1).astype(float), total, _squares, is_ordered) if total else 0.0


def _gain(stats: np.ndarray, total: float, impurity, is_ordered: bool) -> float:
    """Of the statistics of each code, float64 (n_codes, ...): what parting them takes from their impurity, over the
    total."""
    whole = impurity(stats.sum(axis=0, keepdims=True))[0]
    if not is_ordered:
        return float(whole - impurity(stats).sum()) / total
    low = stats.cumsum(axis=0)
    return float(whole - (impurity(low) + impurity(low[-1] - low)).min()) / total if len(stats) else 0.0


def _bits(counts: np.ndarray) -> np.ndarray:
    """Entropy in bits times rows, of each row of counts."""
    n = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, n, out=np.ones_like(counts), where=counts > 0)
    return -(counts * np.log2(share)).sum(axis=1)


def _squares(stats: np.ndarray) -> np.ndarray:
    """Squared deviations from the mean, of each (w, wy, wyy)."""
    w, wy, wyy = stats.T
    return wyy - np.divide(wy * wy, w, out=np.zeros_like(w), where=w > 0)


def _has_telling_level(codes: np.ndarray, n_codes: int, y: np.ndarray, is_class: bool) -> bool:
    """Does one level stand out from all others, tested for all of them together?"""
    from treecore.criteria.significance import chi_square, f_test

    present = np.bincount(codes, minlength=n_codes + 1)[:n_codes]
    for code in np.flatnonzero(present >= 5):
        inside = codes == code
        if is_class:
            table = np.zeros((2, int(y.max()) + 1))
            np.add.at(table, (inside.astype(int), y.astype(int)), 1.0)
            expected = table.sum(axis=0) * table.sum(axis=1).min() / table.sum()
            p = chi_square(table).p_value if expected[expected > 0].min() >= 1 else 1.0
        else:
            p = f_test(
                np.array([(part.size, part.sum(), (part * part).sum()) for part in (y[inside], y[~inside])])
            ).p_value
        if p * np.count_nonzero(present) <= LEVEL:
            return True
    return False


def _gains(is_class: bool, gain: float) -> str:
    return f"{number(round(gain, 3))} bit" if is_class else f"{percent(gain)} of the variance"


def _finding(table: Table, column: Column, own: float, by_chance: np.ndarray, has_level: bool, where: str) -> Finding:
    is_class, mean = table.task == "classification", float(by_chance.mean())
    most, n_levels = float(by_chance.max()), np.count_nonzero(column.present())
    text = f"Its {n_levels} levels gain {_gains(is_class, own)}, {where}more than any other feature; with the answers "
    text += f"shuffled they gain {_gains(is_class, mean)} on average and {_gains(is_class, most)} at most: chance."
    if has_level:
        text += " One level alone says something."
    growth = (("nominal", "one_level"),) if has_level else ()
    return Finding("chance_winner", column.name, own / mean if mean else 1.0, text,
                   ONE_LEVEL if has_level else LEAVE_OUT, growth=growth)  # fmt: skip
