"""What is added to the rows of a leaf before its class shares are taken."""

import numpy as np

from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import LEAF_SHARES


def added_rows(growth: GrowSettings, root: np.ndarray, priors: np.ndarray | None) -> np.ndarray | None:
    """float64 (K,), rows of each class that are added to those of every leaf; None where none are.

    root : float64 (K,), training weight of each class; for numbers (S,), to which nothing is ever added.
    priors : float64 (K,), the classes' shares to reckon with; None for those of the training rows.
    """
    added = LEAF_SHARES[growth.leaf_shares].added
    if added is None:
        return None
    return added(root / root.sum() if priors is None else priors, growth.leaf_rows)
