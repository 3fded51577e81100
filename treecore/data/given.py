"""What is handed in and out, as a type checker sees it; nothing of it is there when a program runs."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from treecore.data.table import Table

if TYPE_CHECKING:
    import pandas as pd

    Frame: TypeAlias = pd.DataFrame

    class Columnar(Protocol):
        """A frame of another library, see data.frames."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    RowsLike: TypeAlias = Table | Frame | Columnar | np.ndarray
    """Rows to answer: a table, a frame with the features' columns, or a matrix."""
    SourceLike: TypeAlias = str | Path | bytes | IO[bytes] | Frame | Columnar
    """What a table is read from."""
