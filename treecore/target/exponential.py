"""Survival times as counts: the exposure by which an exponential model of scaled time has one rate for all rows."""

import numpy as np

from treecore.errors import TreecoreError

MOST_TIMES = 1000
"""Of events that bound the pieces of the hazard; of more, so many quantiles."""


def exponential_exposure(time: np.ndarray, event: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """float64 (n,): the cumulative hazard of all rows at each row's time; events in it are counts with rate 1.

    time : float64 (n,), above 0. event : did the row end in one there? start : since when it was watched, for rows
    that came later; None for all from 0 on. The hazard is constant between the times of events. TreecoreError without
    any event, and for times that are not above 0. Case weights have no part in it, as in rpart, so that weighted rows
    may have another hazard than 1 together. Source: rpart 4.1, rpart.exp (Therneau and Atkinson); LeBlanc and
    Crowley (1992), Relative risk trees for censored survival data.
    """
    time, event = np.asarray(time, float), np.asarray(event, float)
    edges, hazard = cumulative_hazard(time, event, start)
    scaled = np.interp(time, edges, hazard)
    return scaled if start is None else scaled - np.interp(start, edges, hazard)


def cumulative_hazard(
    time: np.ndarray, event: np.ndarray, start: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(times where the slope changes, 0 first; cumulative hazard of all rows there), float64 (m,) each; as for
    exponential_exposure."""
    time, event = np.asarray(time, float), np.asarray(event, float)
    _check(time, event)
    edges = _edges(time, event)
    width, at = np.diff(edges), np.clip(np.searchsorted(edges, time, side="left") - 1, 0, len(edges) - 2)
    watched = _watched(edges, time, at)
    if start is not None:
        watched = watched - _watched(edges, start, np.clip(np.searchsorted(edges, start) - 1, 0, len(edges) - 2))
    deaths = np.bincount(at, event, len(width))
    rate = np.where(watched > 0, deaths / np.where(watched > 0, watched, 1.0), 0.0)
    return edges, np.cumsum(np.append(0.0, rate * width))


def _check(time: np.ndarray, event: np.ndarray) -> None:
    """TreecoreError for what are no times and no events."""
    if not (time > 0).all():
        bad = int(np.flatnonzero(~(time > 0))[0])
        remedy = "Times of observation are above 0: correct these rows or leave them out"
        raise TreecoreError(f"The time of row {bad + 1} is {time[bad]:g}", where="Time", remedy=remedy)
    if not (event > 0).any():
        remedy = "Choose the column that says which rows ended in an event"
        raise TreecoreError("No row has an event", where="Event", remedy=remedy)
    if not np.isin(event, (0.0, 1.0)).all():
        bad = int(np.flatnonzero(~np.isin(event, (0.0, 1.0)))[0])
        remedy = "Write 1 where a row ended in an event and 0 where it was only watched so long"
        raise TreecoreError(f"The event of row {bad + 1} is {event[bad]:g}", where="Event", remedy=remedy)


def _edges(time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """Where the hazard changes: at times of events, which are equal where only rounding parts them."""
    times = np.unique(time[event == 1])
    kept, slack = [times[0]], np.finfo(float).eps * (times[-1] - times[0])
    for t in times[1:].tolist():
        if t - kept[-1] > slack:
            kept.append(t)
    times = np.array(kept)
    if len(times) > MOST_TIMES:
        times = np.quantile(times, np.arange(MOST_TIMES + 1) / MOST_TIMES)
    return np.concatenate([[0.0], times[:-1], [time.max()]])


def _watched(edges: np.ndarray, time: np.ndarray, at: np.ndarray) -> np.ndarray:
    """float64 (n_edges - 1,): how long rows were watched in each piece, until their times. at : the pieces of these."""
    n, width = len(edges) - 1, np.diff(edges)
    longer = np.append(np.cumsum(np.bincount(at, minlength=n)[::-1])[::-1][1:], 0)
    return width * longer + np.bincount(at, time - edges[at], n)
