"""CHAID's merging beside the package CHAID, which knows neither Kass's multiplier nor splits of merged groups."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.growing.search.chaid import ChaidSearch
from treecore.growing.settings.problem import problem_of

RECORDS = json.loads((Path(__file__).parent / "chaid" / "merged.json").read_text("utf-8"))


@pytest.mark.parametrize("place", range(len(RECORDS)))
def test_groups_and_their_test(place):
    record = RECORDS[place]
    make = {"nominal": tc.Nominal, "ordinal": tc.Ordinal}[record["kind"]]
    frame = pd.DataFrame({"x": list(record["x"]), "y": list(record["y"])})
    kinds = {"x": make(sorted(set(record["x"]))), "y": tc.Nominal(sorted(set(record["y"])))}
    table = tc.read_table(frame, target="y", kinds=kinds)
    search = ChaidSearch(problem_of(table, tc.PRESETS["chaid"].growth), alpha_split=1.0, alpha_merge=0.05)
    (merged,) = search.tested(np.arange(table.n_rows), np.ones(table.n_rows))
    groups = [sorted(map(int, group)) for group in merged.groups]
    if record["groups"] is None:
        assert len(groups) <= 1
        return
    assert sorted(groups) == sorted(record["groups"])
    assert merged.df == record["df"]
    assert (merged.statistic, merged.p_value) == pytest.approx((record["statistic"], record["p"]), rel=1e-10)


def test_the_records_say_something():
    """Some features fall into one group, most into several, some of more than one level."""
    groups = [record["groups"] for record in RECORDS]
    assert 1 < sum(g is None for g in groups) < 12
    assert sum(len(part) > 1 for g in groups if g is not None for part in g) > 12
