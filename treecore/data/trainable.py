"""What must hold before a tree can be grown on a table."""

import numpy as np

from treecore.data.column import Column, quoted, row_list
from treecore.data.counts import counts_of
from treecore.data.table_like import TableLike
from treecore.errors import TreecoreError
from treecore.figures import number


def check_trainable(table: TableLike, any_target: bool = False) -> None:
    """TreecoreError naming the first thing that is missing for growing a tree, and the remedy.

    any_target : a target of a class for every row will do, too. One of a single value is answered by a leaf: see
    lone_value.
    """
    if table.n_rows == 0:
        raise TreecoreError(
            "The table has no rows",
            where="Rows",
            remedy="Load a file with rows, or give this role a larger share of them.",
        )
    if len(table.column_names) == 1:
        raise TreecoreError(
            f"The table has one column, '{table.column_names[0]}'",
            where="Columns",
            remedy="A tree needs a target and at least one feature. If the file has more columns, "
            "choose the delimiter that separates them.",
        )
    target = table.target_column
    if not table.features:
        raise TreecoreError(
            "No feature is chosen", where="Features", remedy="Choose at least one column besides the target."
        )
    _check_known(target)
    if table.counts is not None:
        _check_counts(table, whole=not any_target)
    elif not any_target:
        _check_worth_learning(target)
    if table.weights is not None and not table.weights.any():
        raise TreecoreError("All case weights are 0", where="Weights", remedy="Give some rows a weight above 0.")


def _check_known(target: Column, what: str = "Target") -> None:
    where = f"{what} '{target.name}'"
    if target.n_missing == target.n_rows:
        raise TreecoreError("All its values are missing", where=where, remedy="Choose another target.")
    if target.n_missing:
        raise TreecoreError(
            f"{target.n_missing} of {target.n_rows} values are missing (first at "
            f"{row_list(np.flatnonzero(target.missing))})",
            where=where,
            remedy="Leave out the rows whose target is missing, or choose another target.",
        )


def _check_counts(table: TableLike, whole: bool) -> None:
    """TreecoreError for what is no count or no exposure; whole : also for decimals."""
    found = counts_of(table, table.target, table.counts, whole)
    if table.counts.exposure:
        _check_known(table.column(table.counts.exposure), "Exposure")
    if not np.isfinite(found).all():
        raise TreecoreError("A number is infinite", where=f"Target '{table.target}'", remedy="Leave out these rows.")


def _check_worth_learning(target: Column) -> None:
    n_values = 0 if target.kind == "numeric" else int(np.count_nonzero(target.present()))
    if n_values == target.n_rows > 2:
        raise TreecoreError(
            f"It has {n_values} classes for {target.n_rows} rows: every row is a class of its own",
            where=f"Target '{target.name}'",
            remedy="Choose another target, or make this one numeric if it holds numbers.",
        )


def lone_value(table: TableLike) -> str:
    """A note where the target has one class, or one value: nothing tells its rows apart, and a leaf answers all of
    them; '' where there are several, or none."""
    if table.target is None:
        return ""
    target = table.target_column
    known = target.n_rows - target.n_missing
    if target.kind == "numeric":
        values = target.values()[~target.missing] if target.n_missing else target.values()
        found = {float(values[0])} if len(values) and values.min() == values.max() else ()
        told = [number(value) for value in found]
    else:
        told = [level for level, is_there in zip(target.levels, target.present(), strict=True) if is_there]
    if len(told) != 1:
        return ""
    noun = "value" if target.kind == "numeric" else "class"
    return (
        f"Target '{target.name}' has only one {noun}, {quoted(told[0])}, in all {known} rows: a leaf answers them all."
    )
