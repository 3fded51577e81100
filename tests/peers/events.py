"""Events in an exposure, as records of rpart's methods "poisson" and "exp" tell them.

R has them as cbind(exposure, events) or Surv(time, status). A record may name the columns beside the target, or in the
place of it: in a list, by their parts, or as R writes them.
"""

import re

import numpy as np

from treecore.target.survival import exponential_exposure

EXPOSURE = "exposure of rows"
"""The column that our table gets; a feature may have the name of the recorded one."""
METHODS = ("poisson", "exp")
ROOTS = ("sqrt", 2, 2.0)
"""The method of `parms` that judges held-out rows by the roots of counts, as R names and numbers it."""
OF_EXPOSURE = ("exposure", "exposures", "time", "times", "observation_time", "offset")
OF_EVENTS = ("events", "event", "status", "counts", "count", "response")
NO_EVENT = ("0", "no", "none", "false", "censored", "alive", "FALSE", "")


def is_counted(data: dict) -> bool:
    """Was the recorded fit made on events in an exposure?"""
    return _method(data) in METHODS


def _method(data: dict) -> str:
    told = (data.get("settings") or {}).get("method")
    return told or {"poisson": "poisson", "counts": "poisson", "survival": "exp"}.get(data.get("task"), "")


def parms_of(data: dict) -> dict:
    """rpart's parms by name; R keeps those of counts as the two numbers (shrink, method)."""
    parms = (data.get("settings") or {}).get("parms") or {}
    return dict(zip(("shrink", "method"), parms, strict=False)) if isinstance(parms, list) else parms


def shrink_of(data: dict) -> float:
    """As R takes it where nothing is said: none where errors are judged by roots, else 1."""
    told = parms_of(data)
    given = told.get("shrink")
    return float(given) if given is not None else 0.0 if told.get("method") in ROOTS else 1.0


def events_in_exposure(
    data: dict, schema: dict, rows: list[dict], whole: list[dict]
) -> tuple[str, np.ndarray, np.ndarray]:
    """(name of the events, events and exposure float64 (n,)) of rows, which may be others than those of the table.

    whole : the rows of the table. The exposure is 1 where a record says nothing of it, and for other rows after
    exponential scaling, as predictions are rates.
    """
    events, exposure = _named(data, schema, whole)
    name = events if isinstance(events, str) else "events"
    counts, given = _column(events, rows, _method(data)), _column(exposure, rows)
    counts = np.zeros(len(rows)) if counts is None else counts
    if _method(data) != "exp":
        given = np.ones(len(rows)) if given is None else given
        is_log = exposure is not None and exposure in (data.get("offset"), (data.get("settings") or {}).get("offset"))
        return name, counts, np.exp(given) if is_log else given
    scaled = np.ones(len(rows))
    if rows is whole and given is not None:
        used = data.get("rows_used") or "all"
        used = np.arange(len(rows)) if used == "all" else np.array(used)
        used = used[~np.isnan(given[used]) & ~np.isnan(counts[used])]
        scaled[used] = exponential_exposure(given[used], counts[used])
    return name, counts, scaled


def _named(data: dict, schema: dict, rows: list[dict]) -> tuple:
    """(what is said of the events, of the exposure or time; None for nothing)."""
    target = data["target"]
    if isinstance(target, str) and (inside := re.search(r"\((.*)\)", target)) and target not in rows[0]:
        target = [part.strip() for part in inside.group(1).split(",")]
    if isinstance(target, list):
        return target[-1], target[0] if len(target) > 1 else _exposure(data, schema, rows, target[-1])
    told = target if isinstance(target, dict) else {}
    places = (told, data, data.get("settings") or {}, schema)
    events = next((p[k] for p in places for k in OF_EVENTS if isinstance(p.get(k), str) and p[k] in rows[0]), None)
    events = events or _by_role(schema, OF_EVENTS) or target
    exposure = next((p[k] for p in places for k in OF_EXPOSURE if p.get(k) is not None and p[k] != events), None)
    exposure = exposure or _by_role(schema, OF_EXPOSURE)
    if exposure is None and isinstance(target, str) and events != target:
        exposure = target
    return events, exposure or _exposure(data, schema, rows, events)


def _by_role(schema: dict, roles: tuple[str, ...]) -> str | None:
    return next((c["name"] for c in schema["columns"] if c.get("role") in roles), None)


def _exposure(data: dict, schema: dict, rows: list[dict], events: str) -> str | None:
    """A column that is neither feature nor events, where the record names none: the only one of survival times; of
    counts one by which the recorded rate of the root comes out, which one each does not give."""
    left = [c["name"] for c in schema["columns"] if c["kind"] == "numeric"]
    left = [name for name in left if name not in (*data["features"], events)]
    if _method(data) == "exp":
        return left[0] if len(left) == 1 else None
    root = data.get("tree") or {}
    rate = next((root[name] for name in ("mean", "rate", "value") if root.get(name) is not None), None)
    used = data.get("rows_used") or "all"
    used = np.arange(len(rows)) if used == "all" else np.array(used)
    weight = np.array(data.get("weights") or np.ones(len(rows)), float)[: len(rows)][used]
    total = float(weight @ _column(events, rows)[used])
    if rate is None or np.isclose(total / weight.sum(), rate, rtol=1e-6):
        return None
    return next((n for n in left if np.isclose(total / (weight @ _column(n, rows)[used]), rate, rtol=1e-6)), None)


def _column(given, rows: list[dict], method: str = "") -> np.ndarray | None:
    """float64: the column of this name, or the numbers themselves; None for none, or a column that these rows lack.

    method : "exp" reads words, and the numbers 1 and 2, as whether there was an event, as R does.
    """
    if given is None:
        return None
    if not isinstance(given, str):
        return np.array(given, float) if len(given) == len(rows) else None
    if rows and given not in rows[0]:
        return None
    texts = [row[given] for row in rows]
    try:
        found = np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array([float(text not in NO_EVENT) if text else np.nan for text in texts])
    twos = method == "exp" and np.nanmax(found, initial=0.0) == 2
    return found - 1.0 if twos else found
