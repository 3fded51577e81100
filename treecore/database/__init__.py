"""Tables that stay where they are: an engine counts, nothing of ours moves rows.

Ibis and DuckDB are imported only when a table is opened; they come with `treecore[database]`.
"""

from treecore.database.database_table import DatabaseTable
from treecore.database.open import open_table

__all__ = ["DatabaseTable", "open_table"]
