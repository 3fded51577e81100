"""What scikit-learn's users give as X, as the columns of a table and as the matrix that a tree reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

import narwhals.stable.v2 as nw
import numpy as np

from treecore.data.column import Column, level_column, numeric_column
from treecore.data.level_index import MISSING, NO_LEVEL, is_missing, label_of, level_index
from treecore.errors import TreecoreError

FROM_DTYPE = "from_dtype"


@dataclass(frozen=True)
class CategoryLevels:
    """The levels of one categorical column, in order. kind : "nominal" or "ordinal"."""

    names: tuple[str, ...]
    kind: str = "nominal"

    def codes(self, cells: np.ndarray) -> np.ndarray:
        """float64 (n_rows,): the index of each cell's level; NaN for None, one beyond the last for a level unknown."""
        index = level_index(self.names)
        other = {MISSING: np.nan, NO_LEVEL: float(len(self.names))}
        distinct = {(type(cell), str(cell)): cell for cell in cells.tolist()}
        place = {key: other.get(at := index.place(cell), float(at)) for key, cell in distinct.items()}
        return np.array([place[type(cell), str(cell)] for cell in cells.tolist()], np.float64)


def as_frame(X) -> nw.DataFrame | None:
    """A frame of pandas, polars, pyarrow or another library that narwhals knows; None for anything else."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def check_readable(X) -> None:
    """TreecoreError for a lazy frame, and for one that holds dates, times or spans of time, which are no numbers."""
    native = nw.from_native(X, pass_through=True)
    if isinstance(native, nw.LazyFrame):
        raise TreecoreError("It is a query that has not run yet", where="X", remedy="Give what it collects")
    for name, dtype in native.schema.items() if isinstance(native, nw.DataFrame) else ():
        if dtype.is_temporal():
            raise TreecoreError(
                f"It holds {dtype}, which is neither a number nor a word",
                where=f"Column {name!r}",
                remedy="Make numbers of it, such as year and month or days since a day, or leave it out",
            )


def is_categorical(X, wanted) -> bool:
    """Has X a column of levels? wanted : the parameter `categorical_features`."""
    frame = as_frame(X)
    if isinstance(wanted, str) and wanted == FROM_DTYPE:
        return frame is not None and any(_has_levels(frame[:, j]) for j in range(frame.shape[1]))
    return wanted is not None and len(np.atleast_1d(np.asarray(wanted, object))) > 0


def learned_levels(X, wanted) -> dict[int, CategoryLevels]:
    """column number -> its levels, those of the dtype or, where it declares none, those seen in X, sorted.

    wanted : "from_dtype" (text, categories and, in their order, ordered categories and enumerations), or names,
    numbers or a mask of the columns. TreecoreError for a column that is not there.
    """
    frame = as_frame(X)
    return {j: _levels_of(X, frame, j) for j in _wanted(X, frame, wanted)}


def as_matrix(X, levels: dict[int, CategoryLevels]) -> np.ndarray:
    """(n_rows, n_features) float64, or object where a cell may be no number: levels as their indices."""
    frame = as_frame(X)
    n_rows, d = frame.shape if frame is not None else np.shape(X)
    result = np.empty((n_rows, d), object)
    for j in range(d):
        cells = _cells(X, frame, j)
        result[:, j] = levels[j].codes(cells) if j in levels else _absent_as_nan(cells)
    return result


def columns_of(matrix: np.ndarray, names: tuple[str, ...], levels: dict[int, CategoryLevels]) -> list[Column]:
    """The encoded columns of a matrix (n_rows, n_features) that as_matrix made."""
    result = []
    for j, name in enumerate(names):
        if j in levels:
            codes = np.nan_to_num(matrix[:, j], nan=-1).astype(np.int32)
            result.append(level_column(name, levels[j].kind, codes, levels[j].names))
        else:
            result.append(numeric_column(name, matrix[:, j]))
    return result


def target_column(name: str, y: np.ndarray, classes: tuple[str, ...] | None) -> Column:
    """The encoded target: of indices of classes, or of numbers where there are none."""
    if classes is None:
        return numeric_column(name, y)
    return level_column(name, "nominal", y.astype(np.int32), classes)


def as_texts(cells: np.ndarray) -> np.ndarray:
    """object (n_rows,): every cell as the name of a level, 1.0 as "1"; None where it is missing."""
    return np.array([_text(cell) for cell in cells.tolist()], object)


def _text(cell) -> str | None:
    return None if is_missing(cell) else label_of(cell) or None


def _absent_as_nan(cells: np.ndarray) -> np.ndarray:
    if cells.dtype.kind != "O":
        return cells
    return np.array([np.nan if is_missing(cell) else cell for cell in cells.tolist()], object)


def _cells(X, frame: nw.DataFrame | None, j: int) -> np.ndarray:
    return np.asarray(X)[:, j] if frame is None else frame[:, j].to_numpy()


def _has_levels(column: nw.Series) -> bool:
    """Words, categories, or objects of which some are words."""
    if isinstance(column.dtype, nw.Object):
        return any(isinstance(cell, str) for cell in column.to_list())
    return isinstance(column.dtype, nw.Categorical | nw.Enum | nw.String)


def _levels_of(X, frame: nw.DataFrame | None, j: int) -> CategoryLevels:
    if frame is not None and isinstance(frame[:, j].dtype, nw.Categorical | nw.Enum):
        kind = "ordinal" if isinstance(frame[:, j].dtype, nw.Enum) else "nominal"
        declared = as_texts(frame[:, j].cat.get_categories().to_numpy()).tolist()
        return CategoryLevels(tuple(declared), kind)
    cells = _cells(X, frame, j)
    there = [cell for cell in {(type(cell), str(cell)): cell for cell in cells.tolist()}.values() if _text(cell)]
    numbers = all(isinstance(cell, float | Integral) and not isinstance(cell, bool) for cell in there)
    return CategoryLevels(tuple(sorted({label_of(cell) for cell in there}, key=float if numbers else None)))


def _wanted(X, frame: nw.DataFrame | None, wanted) -> list[int]:
    """Numbers of the columns that `categorical_features` names."""
    if wanted is None:
        return []
    if isinstance(wanted, str) and wanted == FROM_DTYPE:
        return [] if frame is None else [j for j in range(frame.shape[1]) if _has_levels(frame[:, j])]
    names = list(frame.columns) if frame is not None else []
    d = len(names) if frame is not None else np.shape(X)[1]
    chosen = np.atleast_1d(np.asarray(wanted, object)).tolist()
    if chosen and all(isinstance(c, bool | np.bool_) for c in chosen):
        chosen = _of_mask(chosen, d)
    return sorted({_number_of(c, names, d) for c in chosen})


def _of_mask(mask: Iterable[bool], d: int) -> list[int]:
    mask = list(mask)
    if len(mask) != d:
        raise _no_column(f"A mask of {len(mask)} values does not belong to {d} columns")
    return [j for j, chosen in enumerate(mask) if chosen]


def _number_of(column, names: list[str], d: int) -> int:
    if column in names:
        return names.index(column)
    if isinstance(column, Integral) and 0 <= column < d:
        return int(column)
    raise _no_column(f"There is no column {column!r}")


def _no_column(what: str) -> TreecoreError:
    remedy = "Name columns of the frame, or give their numbers from 0, or a mask with one value per column"
    return TreecoreError(what, where="categorical_features", remedy=remedy)
