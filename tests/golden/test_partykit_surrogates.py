"""ctree with surrogates beside partykit, on random tables with gaps (folder partykit): splits, surrogates in their
order, where other rows go, and the node of every row.

Not compared is what partykit's rounding decides: cuts whose statistics are equal, and surrogates of a cut above the
largest value, whose statistic is 0 / 0. A feature that it lists twice, or that the split itself asks for, sends no row.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.data.table import Table
from treecore.growing.search.conditional import association
from treecore.kernels.codes import THRESHOLD

FILE = Path(__file__).parent / "partykit" / "surrogates.jsonl"
RECORDS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


class RoundingDecides(Exception):
    pass


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["seed"])
def test_tree(record):
    n_surrogates(record)


def test_most_records_are_compared_to_the_end():
    compared = [n for n in map(n_surrogates, RECORDS) if n is not None]
    assert len(compared) >= 30
    assert sum(compared) >= 100


def n_surrogates(record: dict) -> int | None:
    """Surrogates of the tree, which is the recorded one; None where rounding decided."""
    walk = Walk(record)
    try:
        walk.compare(record["tree"], 0)
    except RoundingDecides:
        return None
    assert [walk.ids[node] for node in walk.tree.apply(walk.table)] == record["nodes"]
    return len(walk.tree.surrogates)


class Walk:
    def __init__(self, record: dict):
        self.record, settings = record, record["settings"]
        self.table = table_of(record)
        self.weights = np.ones(self.table.n_rows) if self.table.weights is None else self.table.weights
        self.tree = tc.grow(
            self.table, "ctree", alpha=settings["alpha"], min_rows_split=settings["minsplit"],
            min_rows_leaf=settings["minbucket"], max_depth=settings["maxdepth"],
            max_surrogates=settings["maxsurrogate"], missing="tested_surrogates",
        )  # fmt: skip
        self.ids: dict[int, int] = {}

    def compare(self, peer: dict, node: int) -> None:
        tree = self.tree
        self.ids[node] = peer["id"]
        assert tree.is_leaf[node] == ("split" not in peer), f"node {peer['id']}"
        if "split" not in peer:
            return
        rows, split = self.rows_of(node), peer["split"]
        self.compare_splits([split], [self.ours(tree.splits, node)], rows, None)
        entries = range(tree.surrogate_start[node], tree.surrogate_start[node + 1])
        known = self.sides(split)[rows] >= 0
        recorded = [s for i, s in enumerate(peer["surrogates"]) if s not in peer["surrogates"][:i]]
        recorded = [s for s in recorded if s["variable"] != split["variable"]]
        ours = [self.ours(tree.surrogates, entry) for entry in entries]
        self.compare_splits(recorded, ours, rows[known], self.sides(split))
        assert tree.splits.missing_branch[node] == np.argmax(peer["prob"])
        for child, record in zip(tree.children(node), peer["children"], strict=True):
            self.compare(record, child)

    def compare_splits(self, recorded: list[dict], ours: list[dict], rows: np.ndarray, target) -> None:
        """target : int (n,), the branch that surrogates tell; None for the target of the table."""
        for peer, own in zip(recorded, ours, strict=False):
            if self.as_tuple(peer) == self.as_tuple(own):
                continue
            values = [self.statistic(s, rows, target) for s in (peer, own)]
            if values[0] == 0 or values[0] == pytest.approx(values[1], rel=1e-9):
                raise RoundingDecides
            raise AssertionError(f"{peer}, ours {own}")
        if len(recorded) != len(ours) and any(self.statistic(s, rows, target) == 0 for s in recorded + ours):
            raise RoundingDecides
        assert len(recorded) == len(ours)

    def statistic(self, split: dict, rows: np.ndarray, target) -> float:
        side = self.sides(split)[rows]
        counts = (side >= 0) & (self.weights[rows] > 0)
        rows, side = rows[counts], side[counts].astype(float)
        y = self.table.target_column if target is None else target
        if target is None:
            y = y.values() if self.record["task"] == "r" else np.eye(len(self.table.classes))[y.codes]
        return association(y[rows], side, self.weights[rows])[0]

    def sides(self, split: dict) -> np.ndarray:
        """int (n,): the branch of every row, -1 where it is not known."""
        index = np.array([0 if i is None else i for i in split["index"]]) - 1
        cells = self.record["columns"][split["variable"]]
        if split["breaks"] is None:
            return np.array([-1 if v is None else index[int(v) - 1] for v in cells])
        return np.array([-1 if v is None else index[int(v > split["breaks"][0])] for v in cells])

    def as_tuple(self, split: dict):
        numbers = split["breaks"] or split["index"]
        return split["variable"], tuple(numbers), tuple(split["index"])

    def ours(self, splits, i: int) -> dict:
        """A split of the tree as partykit writes it; levels count from 1."""
        feature = self.tree.schema.features[splits.feature[i]]
        if splits.kind[i] != THRESHOLD:
            index = [None if b < 0 else int(b) + 1 for b in splits.levels(i)]
            return {"variable": feature.name, "breaks": None, "index": index}
        level = not feature.numeric
        cut = float(np.floor(splits.threshold[i]) + 1) if level else float(splits.threshold[i])
        low = int(splits.low_branch[i])
        return {"variable": feature.name, "breaks": [cut], "index": [low + 1, 2 - low]}

    def rows_of(self, node: int) -> np.ndarray:
        inside = self.tree.descendants(node)
        inside[node] = True
        return np.flatnonzero(inside[self.tree.apply(self.table)])


def table_of(record: dict) -> Table:
    kinds = dict(zip((name for name in record["columns"] if name != "y"), record["kinds"], strict=True))
    columns = []
    for name, cells in record["columns"].items():
        levels = record["levels"][name]
        if levels is None:
            columns.append(numeric_column(name, np.array([np.nan if v is None else v for v in cells], float)))
            continue
        values = [None if v is None else levels[v - 1] for v in cells]
        columns.append(level_column(name, kinds.get(name, "nominal"), values, tuple(levels)))
    table = Table(tuple(columns), target="y", features=tuple(kinds))
    return table if record["weights"] is None else table.with_weights(np.array(record["weights"], float))
