"""Reading a recorded case and its table."""

import csv
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

import treecore as tc
from tests.peers.events import EXPOSURE, events_in_exposure, is_counted, shrink_of
from tests.peers.settings import settings_of
from treecore.data import Column, level_column, numeric_column


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
    if is_counted(case.data):
        return _counted_table(case, rows, schema, kinds)
    for name in (*case["features"], case["target"]):
        text = [row[name] for row in rows]
        number = as_numbers and name != case["target"]
        columns.append(_column(name, text, kinds[name], case, number))
    return tc.Table(tuple(columns), target=case["target"], features=tuple(case["features"]))


def _counted_table(case: Case, rows: list[dict], schema: dict, kinds: dict) -> tc.Table:
    """Of events in an exposure, which is a column of the table, too."""
    whole, _ = _cells(case.folder, case["dataset"], "")  # the same list, where these are its rows
    name, events, exposure = events_in_exposure(case.data, schema, rows, whole)
    columns = [_column(f, [row[f] for row in rows], kinds[f], case, False) for f in case["features"]]
    columns += [numeric_column(name, events), numeric_column(EXPOSURE, exposure)]
    table = tc.Table(tuple(columns), features=tuple(case["features"]))
    return table.with_target(tc.Counts(name, EXPOSURE, shrink_of(case.data)))


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
