"""Frames of other libraries than pandas, which hand their columns over as Arrow does."""


def as_pandas(given):
    """A pandas DataFrame of a frame of polars, pyarrow or any library whose frames offer Arrow's stream of columns
    (`__arrow_c_stream__`); anything else, a pandas DataFrame too, as it is."""
    if hasattr(given, "iloc") or not hasattr(given, "__arrow_c_stream__"):
        return given
    import pyarrow as pa

    return pa.table(given).to_pandas()
