"""What is handed in and out, as a type checker sees it; nothing of it is there when a program runs."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

import numpy as np

from treecore.data.table import Table

if TYPE_CHECKING:
    import pandas as pd

    Frame: TypeAlias = pd.DataFrame
    RowsLike: TypeAlias = Table | Frame | np.ndarray
    """Rows to answer: a table, a frame with the features' columns, or a matrix."""
    SourceLike: TypeAlias = str | Path | bytes | IO[bytes] | Frame
    """What a table is read from."""
