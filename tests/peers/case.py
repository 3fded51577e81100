"""Reading a recorded case and its table."""

import csv
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

import treecore as tc
from tests.peers.settings import settings_of
from treecore.data import Column, level_column, numeric_column
from treecore.target.exponential import exponential_exposure


@dataclass(frozen=True, eq=False)
class Case:
    """One recorded fit: `data` is the file, `folder` the set it belongs to. Equal to itself alone."""

    folder: Path
    data: dict

    def __getitem__(self, key: str):
        return self.data[key]

    def get(self, key: str, default=None):
        return self.data.get(key, default)

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def system(self) -> str:
        scheme = self.data.get("scheme")
        return f"{self.data['system']}_{scheme.lower()}" if scheme else self.data["system"]

    @property
    def settings(self) -> dict:
        """The recorded ones, and the system's defaults where nothing is recorded."""
        return settings_of(self.system, self["task"], self.get("settings") or {})


def case_files(folder: Path) -> list[Path]:
    """The files of a set's cases, by name."""
    return sorted((folder / "cases").glob("*.json"))


def read_case(path: Path) -> Case:
    """A case of the set that the file's folder belongs to; one that does not say its name has that of its file."""
    return Case(path.parents[1], {"id": path.stem} | json.loads(path.read_text("utf-8")))


def read_cases(folder: Path) -> list[Case]:
    """All cases of a set, by name."""
    return [read_case(path) for path in case_files(folder)]


@lru_cache(maxsize=16)
def _cells(folder: Path, dataset: str, part: str = "") -> tuple[list[dict], dict]:
    schema = json.loads((folder / "data" / f"{dataset}.schema.json").read_text("utf-8"))
    with (folder / "data" / f"{dataset}{part}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file)), schema


def probe_table(case: Case, as_numbers: bool = False) -> tc.Table:
    """The rows with blanked features; the target is left out of what they hold."""
    return _table(case, ".probe", as_numbers)


def table_of(case: Case, as_numbers: bool = False, weights=None) -> tc.Table:
    """The case's table: features in the recorded order, levels in the declared one.

    as_numbers : nominal and ordinal features become the 0-based index of their level.
    """
    table = _table(case, "", as_numbers)
    weights = weights if weights is not None else case.get("weights")
    return table if weights is None else table.with_weights(np.array(weights, float))


def _table(case: Case, part: str, as_numbers: bool) -> tc.Table:
    rows, schema = _cells(case.folder, case["dataset"], part)
    kinds = {c["name"]: c for c in schema["columns"]}
    columns = []
    if is_counted(case):
        return counted_table(case, rows, schema, kinds)
    for name in (*case["features"], case["target"]):
        text = [row[name] for row in rows]
        number = as_numbers and name != case["target"]
        columns.append(_column(name, text, kinds[name], case, number))
    return tc.Table(tuple(columns), target=case["target"], features=tuple(case["features"]))


def is_counted(case: Case) -> bool:
    """Was it fitted to events in an exposure: rpart's methods "poisson" and "exp"?"""
    return (case.get("settings") or {}).get("method") in ("poisson", "exp")


EXPOSURES = ("exposure", "time", "offset", "observation_time", "exposures", "times")
EVENTS = ("events", "event", "count", "counts", "status", "response")


def counted_table(case: Case, rows: list[dict], schema: dict, kinds: dict) -> tc.Table:
    """Events and exposure, which a record names beside the target or in one list with it, as R's cbind has them: the
    exposure first. Where the fit is exponential, the exposure is the scaled time of rows."""
    target, exposure = _named_counts(case, schema)
    columns = [_column(name, [row[name] for row in rows], kinds[name], case, False) for name in case["features"]]
    held = [_given_or_read(rows, given) for given in (target, exposure)]
    name = target if isinstance(target, str) else "events"
    events, given = held[0], np.ones(len(rows)) if held[1] is None else held[1]
    if case["settings"]["method"] == "exp":
        given = exponential_exposure(given, events) if len(rows) == n_rows_of(case) else np.ones(len(rows))
    elif exposure is not None and exposure == (case.get("offset") or case["settings"].get("offset")):
        given = np.exp(given)
    columns += [numeric_column(name, events), numeric_column("exposure of rows", given)]
    parms = case["settings"].get("parms") or {}
    # R's default is no shrinkage where errors are judged by roots
    shrink = parms.get("shrink", 0.0 if parms.get("method") in ("sqrt", 2) else 1.0)
    table = tc.Table(tuple(columns), features=tuple(case["features"]))
    return table.with_target(tc.Counts(name, "exposure of rows", float(shrink)))


def _named_counts(case: Case, schema: dict) -> tuple:
    """(what the record says of the events, of the exposure or time; None where it says nothing of it)."""
    target = case["target"]
    if isinstance(target, list):
        return target[-1], target[0] if len(target) > 1 else None
    told = target if isinstance(target, dict) else {}
    places = (told, case.data, case["settings"], schema)
    exposure = next((place[key] for place in places for key in EXPOSURES if place.get(key) is not None), None)
    if exposure is None:
        roles = (c["name"] for c in schema["columns"] if c.get("role") in EXPOSURES)
        exposure = next(roles, None)
    if told:
        return next(told[key] for key in EVENTS if key in told), exposure
    events = next((p[k] for p in (case.data, case["settings"]) for k in EVENTS[:1] + EVENTS[4:5] if k in p), target)
    return events, exposure


def _given_or_read(rows: list[dict], given) -> np.ndarray | None:
    """The column of this name, or the numbers themselves; None for none, or a column that these rows lack."""
    if given is None:
        return None
    if not isinstance(given, str):
        return np.array(given, float)
    if rows and given not in rows[0]:
        return None
    return np.array([float(row[given]) if row[given] else np.nan for row in rows])


def _column(name: str, text: list[str], declared: dict, case: Case, as_number: bool) -> Column:
    levels = declared.get("levels")
    if name == case["target"] and case["task"] == "classification":
        return level_column(name, "nominal", [t or None for t in text], tuple(case.get("classes") or levels))
    if declared["kind"] == "numeric":
        return numeric_column(name, np.array([float(t) if t else np.nan for t in text]))
    if as_number:
        return numeric_column(name, np.array([levels.index(t) if t else np.nan for t in text], float))
    return level_column(name, declared["kind"], [t or None for t in text], tuple(levels))


def n_rows_of(case: Case) -> int:
    """Rows of the case's table."""
    return len(_cells(case.folder, case["dataset"])[0])


def class_weights(case: Case, table: tc.Table) -> np.ndarray | None:
    """Case weights times the class weights a scikit-learn case was fitted with."""
    wanted = case.settings.get("class_weight")
    own = np.array(case.get("weights") or np.ones(table.n_rows), float)
    if wanted is None:
        return None if case.get("weights") is None else own
    labels = table.target_column.labels()
    if wanted == "balanced":
        names, counts = np.unique(labels, return_counts=True)
        wanted = {n: table.n_rows / (len(names) * c) for n, c in zip(names, counts, strict=True)}
    return own * np.array([wanted[label] for label in labels], float)
