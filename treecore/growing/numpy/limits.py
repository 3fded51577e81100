"""Purity and the limits: the twin of kernels.constraints."""

import numpy as np


def may_split(rules: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """bool (q,): do purity and the limits allow a search at these NODE records?"""
    return (
        (nodes["impurity"] > 0.0)
        & (nodes["impurity"] >= rules["min_impurity"])
        & (nodes["depth"] < rules["max_depth"])
        & (nodes["stop"] - nodes["start"] >= rules["min_rows_split"])
        & (nodes["n_rows"] >= 2 * rules["min_rows_leaf"])
        & (nodes["weight"] >= rules["min_weight_split"])
    )


def good_enough(rules: np.ndarray, nodes: np.ndarray, root_weight: float, gain: np.ndarray) -> np.ndarray:
    """bool (q,): does the gain of the best split allow a split at all?"""
    rounding = rules["tolerance"] * nodes["impurity"]
    enough = (gain > -np.inf) & (gain >= rules["min_gain"] - rounding)
    if not rules["split_at_zero"]:
        enough &= gain > rounding
    weighted = gain * nodes["weight"] / root_weight + 2.3e-16
    return enough & ((weighted >= rules["min_weighted_gain"]) | (rules["min_weighted_gain"] <= 0.0))
