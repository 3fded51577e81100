"""Data: what a column is, how a file becomes a table, and which rows play which role.

pandas and pyarrow are imported only when a file is read.
"""

from treecore.data.column import KINDS, Column, Nominal, Ordinal, level_column, numeric_column
from treecore.data.dates import DATE_PARTS
from treecore.data.discretize import BINNINGS, binned, cut_points, discretized
from treecore.data.kinds import ColumnGuess
from treecore.data.options import ReadOptions
from treecore.data.prepare import FILLS, MissingCount, filled, missing_report, prepare
from treecore.data.raw import Dialect, RaggedLines, RawColumn, Reject
from treecore.data.raw_table import RawTable, infer_kinds
from treecore.data.read import build_table, read_table
from treecore.data.readers import READERS, read_raw
from treecore.data.readers.dialect import ENCODINGS
from treecore.data.roles import Roles, assign_roles
from treecore.data.table import Table
from treecore.data.target_guess import TargetGuess, guess_target, target_kind, why_target

__all__ = [
    "BINNINGS",
    "DATE_PARTS",
    "ENCODINGS",
    "FILLS",
    "KINDS",
    "READERS",
    "Column",
    "ColumnGuess",
    "Dialect",
    "MissingCount",
    "Nominal",
    "Ordinal",
    "RaggedLines",
    "RawColumn",
    "RawTable",
    "ReadOptions",
    "Reject",
    "Roles",
    "Table",
    "TargetGuess",
    "assign_roles",
    "binned",
    "build_table",
    "cut_points",
    "discretized",
    "filled",
    "guess_target",
    "infer_kinds",
    "level_column",
    "missing_report",
    "numeric_column",
    "prepare",
    "read_raw",
    "read_table",
    "target_kind",
    "why_target",
]
