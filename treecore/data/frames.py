"""Frames of other libraries than pandas, which hand their columns over as Arrow does; those that come out are alike.

A kind : "pandas", "polars", or "pyarrow" for an Arrow table, which also stands for any library that is none of these.
"""

from typing import Any, TypeAlias

from treecore.errors import TreecoreError

KINDS = ("pandas", "polars", "pyarrow")
AnyFrame: TypeAlias = Any
"""A frame of one of these kinds."""


def as_pandas(given):
    """A pandas DataFrame of a frame of polars, pyarrow or any library whose frames offer Arrow's stream of columns
    (`__arrow_c_stream__`); anything else, a pandas DataFrame too, as it is."""
    if hasattr(given, "iloc") or not hasattr(given, "__arrow_c_stream__"):
        return given
    import pyarrow as pa

    return pa.table(given).to_pandas()


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
