"""How records tell events and exposure, of which the format leaves the names open."""

import numpy as np
import pytest

from tests.peers.events import events_in_exposure, is_counted, shrink_of

SCHEMA = {"columns": [{"name": n, "kind": "numeric"} for n in ("x", "years", "claims", "other")]}
ROWS = [{"x": "1", "years": y, "claims": c, "other": "3"} for y, c in (("2", "1"), ("0.5", "0"), ("4", "3"))]


def record(**changed) -> dict:
    return {"target": "claims", "features": ["x"], "settings": {"method": "poisson"}, "task": "regression"} | changed


@pytest.mark.parametrize(
    "data",
    [
        record(exposure="years"),
        record(target=["years", "claims"]),
        record(target="cbind(years, claims)"),
        record(target={"events": "claims", "exposure": "years"}),
        record(settings={"method": "poisson", "exposure": "years"}),
        record(exposure=[2, 0.5, 4]),
        record(tree={"mean": 4 / 6.5}),
    ],
    ids=str,
)
def test_the_exposure_is_found_however_it_is_named(data):
    name, events, exposure = events_in_exposure(data, SCHEMA, ROWS, ROWS)
    assert name == "claims"
    assert events.tolist() == [1, 0, 3]
    assert exposure.tolist() == [2, 0.5, 4]


def test_counts_alone_have_an_exposure_of_1():
    for data in (record(), record(tree={"mean": 4 / 3})):
        assert events_in_exposure(data, SCHEMA, ROWS, ROWS)[2].tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "data",
    [
        record(target="Surv(years, claims)"),
        record(time="years"),
        record(target="years", event="claims"),
        record(target=["years", "claims"]),
    ],
    ids=str,
)
def test_times_are_scaled_to_one_rate(data):
    data |= {"settings": {"method": "exp"}}
    rows = [row | {"claims": c} for row, c in zip(ROWS, ("1", "0", "1"), strict=True)]
    name, events, exposure = events_in_exposure(data, SCHEMA, rows, rows)
    assert (name, events.tolist()) == ("claims", [1, 0, 1])
    assert exposure.sum() == pytest.approx(2.0)
    assert (np.argsort(exposure) == [1, 0, 2]).all()
    words = [row | {"claims": "progressed" if row["claims"] == "1" else "none"} for row in rows]
    assert events_in_exposure(data, SCHEMA, words, words)[1].tolist() == [1, 0, 1]
    twos = [row | {"claims": "2" if row["claims"] == "1" else "1"} for row in rows]
    assert events_in_exposure(data, SCHEMA, twos, twos)[1].tolist() == [1, 0, 1]


def test_shrinkage_is_rparts_where_nothing_is_said():
    assert shrink_of(record()) == 1.0
    assert shrink_of(record(settings={"method": "poisson", "parms": {"method": "sqrt"}})) == 0.0
    assert shrink_of(record(settings={"method": "poisson", "parms": {"shrink": 0.5}})) == 0.5
    assert shrink_of(record(settings={"method": "poisson", "parms": [2, 1]})) == 2.0
    assert not is_counted(record(settings={"method": "anova"}))
