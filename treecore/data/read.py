"""The front door: a file, bytes or data frame becomes a table."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treecore.data.build import build_table
from treecore.data.frames import kind_of
from treecore.data.options import read_options
from treecore.data.readers import read_raw
from treecore.data.table import Table
from treecore.target import Counted

if TYPE_CHECKING:
    from treecore.data.given import SourceLike


def read_table(
    source: "SourceLike",
    target: str | Counted | None = None,
    kinds: Mapping | None = None,
    features: Iterable[str] | None = None,
    weights: str | np.ndarray | None = None,
    *,
    name: str | None = None,
    derive: Mapping | None = None,
    infinite: str = "error",
    **options,
) -> Table:
    """Read and encode a table; see build_table for the arguments and ReadOptions for the options.

    source : a path, bytes, an open file or a frame of pandas, polars or pyarrow; what the table gives as a frame is of
        the same kind. Files are recognised by content, not by their names: CSV, TSV, Parquet, Feather, JSON records,
        ARFF; with `pip install 'treecore[files]'` Excel and ODS, SPSS, Stata, SAS and R; .gz, .bz2, .xz, .zst and .zip
        of these are unpacked.
    target : None leaves it open; Table.with_target chooses one later. Counts("claims", exposure="years") is a target of
        counts, Survival("months", "died") one of times until an event.
    """
    raw = read_raw(source, name=name, options=read_options(options))
    table = build_table(
        raw, target=target, kinds=kinds, features=features, weights=weights, derive=derive, infinite=infinite
    )
    return replace(table, frame=kind_of(source))
