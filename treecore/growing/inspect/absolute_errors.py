"""Gains by absolute error of many splits of a node at once."""

import numpy as np

from treecore.growing.inspect.groupings import Groupings
from treecore.growing.inspect.node_values import NodeRows, Values
from treecore.growing.search.medians import absolute_error
from treecore.kernels.medians import prefix_errors, room_for


def cut_errors(here: NodeRows, values: Values, low: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """float64 (n,): drop of the mean absolute error by each cut. low, missing : as in enumerate_splits.Splits."""
    order = np.argsort(values.code_of_row, kind="stable")
    order = order[values.code_of_row[order] < len(values.codes)]
    sizes = np.bincount(values.code_of_row[order], minlength=len(values.codes))
    ends = np.cumsum(sizes)
    total = sizes.sum()
    n_missing = sizes[-1] if values.has_missing else 0
    known, unknown = order[: total - n_missing], order[total - n_missing :]
    gain = np.empty(len(low))
    whole, weight = _running(here, order)[-1], here.weight[order].sum()
    for side in (-1, 1, 0):
        chosen = missing == side
        if not chosen.any():
            continue
        line = np.concatenate([unknown, known]) if side == 0 else np.concatenate([known, unknown])
        at = ends[low[chosen]] + (n_missing if side == 0 else 0)
        gain[chosen] = (whole - _on_both_sides(here, line, at)) / weight
    return gain


def group_errors(here: NodeRows, values: Values, first) -> np.ndarray:
    """float64 (n,): drop of the mean absolute error by each grouping (see Splits.first)."""
    inside = np.flatnonzero(values.code_of_row < len(values.codes))
    code = values.code_of_row[inside]
    whole, weight = _error(here, inside), here.weight[inside].sum()
    if first is None:
        parts = sum(_error(here, inside[code == v]) for v in range(len(values.codes)))
        return np.array([(whole - parts) / weight])
    if isinstance(first, Groupings) and not first.alone:
        parts = _up_to_each(here, inside, code, first)
    else:
        parts = np.array([_error(here, inside[has[code]]) + _error(here, inside[~has[code]]) for has in first])
    return (whole - parts) / weight


def _up_to_each(here: NodeRows, rows: np.ndarray, code: np.ndarray, first: Groupings) -> np.ndarray:
    """float64 (n,): absolute error after each grouping, of rows with these codes: one walk along each order."""
    found = np.empty(len(first))
    for k, place in enumerate(first.place):
        chosen, at = first.order == k, place[code]
        ends = np.cumsum(np.bincount(at, minlength=len(place)))
        found[chosen] = _on_both_sides(here, rows[np.argsort(at, kind="stable")], ends[first.last[chosen]])
    return found


def _on_both_sides(here: NodeRows, line: np.ndarray, at: np.ndarray) -> np.ndarray:
    """float64 (n,): absolute error of the first `at` of these rows and of the others, together."""
    low, high = (np.append(0.0, _running(here, part)) for part in (line, line[::-1]))
    return low[at] + high[len(line) - at]


def _running(here: NodeRows, line: np.ndarray) -> np.ndarray:
    """float64: absolute error of the first 1, 2, ... of these rows (positions among the node's)."""
    y, w = here.target[line], here.weight[line]
    distinct, rank = np.unique(y, return_inverse=True)
    ranked = room_for(max(len(line), 2), 2, rank.astype(np.int32))
    center = np.median(y)
    ranked.values[: len(distinct)] = distinct - center
    ranked.line["value"][: len(line)], ranked.line["weight"][: len(line)] = y - center, w
    ranked.line["index"][: len(line)] = rank
    ranked.set["n_targets"], ranked.set["size"] = len(distinct), 1 << max(len(distinct) - 1, 0).bit_length()
    return prefix_errors(ranked, len(line))


def _error(here: NodeRows, rows: np.ndarray) -> float:
    """Absolute error around the weighted median."""
    return absolute_error(here.target[rows], here.weight[rows])
