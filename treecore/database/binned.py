"""In which bin a number is, as an engine finds it."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from treecore.database.describe import as_number
from treecore.kernels.encode.below import n_below, part_of

FEW_EDGES = 15
"""Of a numeric feature, so that any engine finds a code soon enough."""
PARTS = 4096
"""Of a column's range, each of which knows the edges within it: their table fits the processor's nearest cache."""


def coded(cell, edges: Sequence[float], engine: str):
    """Integers: how many edges are below each number; one more than all edges where it is missing.

    cell : an Ibis column of numbers. engine : its name. A CASE of many edges, which any engine knows, takes DuckDB far
    longer than a kernel on its own blocks of rows, and PostgreSQL longer still.
    """
    return coded_together({"code": (cell, edges)}, engine)["code"]


def coded_together(cells: Mapping[str, tuple], engine: str) -> dict[str, object]:
    """The same for several (cell, edges) by name. DuckDB calls one function for all of them, as it is the calls that
    take long: one for 2048 rows."""
    many = {name: (cell, np.asarray(edges)) for name, (cell, edges) in cells.items() if len(edges) > FEW_EDGES}
    found = SEARCHES[engine](many) if engine in SEARCHES and many else {}
    return {
        name: found[name] if name in found else _halved(as_number(cell), edges) for name, (cell, edges) in cells.items()
    }


def _by_kernel(cells: Mapping[str, tuple]) -> dict[str, object]:
    """By one function that the engine calls in this process. It is given missing numbers, too, as NaN."""
    import pyarrow as pa

    ibis, names = _module(), list(cells)
    tables = [guide(edges) for _, edges in cells.values()]
    types = ["uint8" if len(edges) < np.iinfo(np.uint8).max else "int32" for _, edges in cells.values()]

    def search(rows):
        rows = rows.combine_chunks() if isinstance(rows, pa.ChunkedArray) else rows
        found = [np.empty(len(rows), kind) for kind in types]
        for i, table in enumerate(tables):
            n_below(rows.field(i).to_numpy(zero_copy_only=False), *table, found[i])
        return pa.StructArray.from_arrays([pa.array(codes) for codes in found], names)

    told = _name(*(edges for _, edges in cells.values()))
    signature = ((_record(dict.fromkeys(names, "float64")),), _record(dict(zip(names, types, strict=True))))
    call = ibis.udf.scalar.pyarrow(search, name=told, signature=signature, null_handling="special")
    codes = call(ibis.struct({name: cell.cast("float64") for name, (cell, _) in cells.items()}))
    return {name: codes[name] for name in names}


def _record(fields: Mapping[str, str]) -> str:
    """The type of a record, as Ibis writes it."""
    return f"struct<{', '.join(f'{name}: {kind}' for name, kind in fields.items())}>"


def _name(*edges: np.ndarray) -> str:
    """That of a function which finds numbers among these edges."""
    digest = hashlib.sha256()
    for some in edges:
        digest.update(len(some).to_bytes(8, "little") + some.tobytes())
    return f"edges_below_{digest.hexdigest()[:24]}"


def guide(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
    """(edges, first, low, scale) as kernels.encode.below takes them."""
    edges = np.asarray(edges, np.float64)
    width = float(edges[-1]) - float(edges[0])
    low, scale = float(edges[0]), PARTS / width if np.isfinite(width) and width > 0 else 0.0
    parts = np.array([part_of(edge, low, scale, PARTS) for edge in edges])
    return edges, np.searchsorted(parts, np.arange(PARTS + 2)).astype(np.int32), low, scale


def _by_buckets(cell, edges: np.ndarray):
    """By a function of PostgreSQL, which counts the edges that are not above a number: turned round."""
    ibis = _module()

    @ibis.udf.scalar.builtin(signature=(("float64", "array<float64>"), "int32"))
    def width_bucket(value, lowest): ...

    return len(edges) - width_bucket(-cell, ibis.literal((-edges[::-1]).tolist()))


def _by_workers(cell, edges: np.ndarray):
    """By a function that Spark hands to its workers, which need NumPy, pandas and Ibis, not treecore."""

    def search(numbers):
        return np.searchsorted(edges, numbers, side="left").astype(np.int32)

    return _module().udf.scalar.pandas(search, name=_name(edges), signature=(("float64",), "int32"))(cell)


def _each(search):
    """The searches of a function that knows nothing of missing numbers, for one column at a time."""

    def found(cell, edges: np.ndarray):
        cell = as_number(cell)
        lacking = _module().literal(len(edges) + 1, "int32")
        return _module().ifelse(cell.isnull(), lacking, search(cell, edges))

    return lambda cells: {name: found(*given) for name, given in cells.items()}


SEARCHES = {"duckdb": _by_kernel, "postgres": _each(_by_buckets), "pyspark": _each(_by_workers)}
"""How an engine of this name finds numbers among many edges."""


def _halved(cell, edges: Sequence[float]):
    """By a CASE that halves the edges."""
    ibis = _module()

    def between(low: int, high: int):
        if low == high:
            return ibis.literal(low, "int32")
        middle = (low + high) // 2
        return ibis.ifelse(cell <= exact(edges[middle]), between(low, middle), between(middle + 1, high))

    return ibis.ifelse(cell.isnull(), ibis.literal(len(edges) + 1, "int32"), between(0, len(edges)))


def exact(number: float):
    """float64, a literal: 0.1 as it is would be a decimal number to DuckDB."""
    return _module().literal(repr(float(number))).cast("float64")


def _module():
    import ibis

    return ibis
