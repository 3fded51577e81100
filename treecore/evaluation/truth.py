"""How frequent the classes of a table are."""

import numpy as np

from treecore.data.table import Table


def class_shares(table: Table) -> np.ndarray:
    """float64 (n_classes,): each class's share of the table's weight, in the order of its classes; NaN without rows."""
    target = table.target_column
    weight = np.bincount(target.codes, table.case_weights, target.n_distinct + 1)[: len(table.classes)]
    return weight / weight.sum() if weight.sum() > 0 else np.full(len(weight), np.nan)
