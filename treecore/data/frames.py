"""Frames of other libraries than pandas, which hand their columns over as Arrow does; those that come out are alike.

A kind : "pandas", "polars", or "pyarrow" for an Arrow table, which also stands for any library that is none of these.
"""

from typing import Any, TypeAlias

from treecore.errors import TreecoreError

EXACT = 2**53
"""Beyond it a float64 no longer tells whole numbers apart."""
KINDS = ("pandas", "polars", "pyarrow")
AnyFrame: TypeAlias = Any
"""A frame of one of these kinds."""


def as_pandas(given):
    """A pandas DataFrame of a frame of polars, pyarrow or any library whose frames offer Arrow's stream of columns
    (`__arrow_c_stream__`); anything else, a pandas DataFrame too, as it is."""
    if hasattr(given, "iloc") or not hasattr(given, "__arrow_c_stream__"):
        return given
    import pyarrow as pa

    table = pa.table(given)
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            chunks = [without_null_level(chunk) for chunk in table.column(place).chunks]
            table = table.set_column(place, field, pa.chunked_array(chunks, field.type))
        elif pa.types.is_integer(field.type) and table.column(place).null_count and is_beyond(table.column(place)):
            table = table.set_column(place, field.name, table.column(place).cast(pa.string()))  # a float drops digits
    try:
        return table.to_pandas()
    except (TypeError, ValueError):  # it was a frame of pandas, with a type whose name pandas itself does not read
        return table.replace_schema_metadata(None).to_pandas()


def is_beyond(array) -> bool:
    """Has a pyarrow array of whole numbers some that float64 does not tell from their neighbours?"""
    from pyarrow import compute

    bounds = compute.min_max(array).as_py()
    return bounds["max"] is not None and max(bounds["max"], -bounds["min"]) > EXACT


def without_null_level(array):
    """The same pyarrow DictionaryArray with no null among its levels: rows that have that one have no value."""
    if not array.dictionary.null_count:
        return array
    import pyarrow as pa
    from pyarrow import compute

    known = array.dictionary.is_valid()
    places = compute.subtract(compute.cumulative_sum(known.cast(array.type.index_type)), 1)
    places = compute.if_else(known, places, pa.scalar(None, places.type)).cast(array.type.index_type)
    return pa.DictionaryArray.from_arrays(
        places.take(array.indices), array.dictionary.drop_null(), ordered=array.type.ordered
    )


def kind_of(given: object) -> str:
    """The kind of a frame; "pandas" for anything that is none."""
    if hasattr(given, "iloc") or not hasattr(given, "__arrow_c_stream__"):
        return "pandas"
    return "polars" if type(given).__module__.startswith("polars.") else "pyarrow"


def as_kind(frame, kind: str) -> AnyFrame:
    """A pandas DataFrame as a frame of this kind, which has no index; TreecoreError for another kind.

    Ordered categories become an Enum in polars, whose other categories have no order.
    """
    if kind not in KINDS:
        raise TreecoreError(
            f"There is no frame of {kind!r}", where="frame", remedy="Choose one of: " + ", ".join(KINDS)
        )
    if kind == "pandas":
        return frame
    import pyarrow as pa

    made = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    if kind == "pyarrow":
        return made
    import polars as pl

    ordered = {name: t.categories for name, t in frame.dtypes.items() if getattr(t, "ordered", False)}
    columns = [pl.col(name).cast(pl.Enum(list(levels))) for name, levels in ordered.items()]
    return pl.DataFrame(made).with_columns(columns)
