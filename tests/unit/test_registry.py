"""Ordered, read-only, and helpful about unknown names; and what every entry of every registry has."""

from dataclasses import dataclass

import pytest

import treecore as tc
from treecore.criteria import CRITERIA, criteria_for
from treecore.growing.settings import parts
from treecore.registry import Registry

REGISTRIES = {
    "criteria": CRITERIA,
    "presets": tc.PRESETS,
    "pruners": tc.PRUNERS,
    **{k.lower(): v for k, v in vars(parts).items() if isinstance(v, Registry)},
}
ENTRIES = [(r, e) for r in REGISTRIES.values() for e in r.values()]


@dataclass(frozen=True)
class Entry:
    name: str
    label: str = ""


def test_order_is_that_of_the_arguments():
    registry = Registry("thing", Entry("b"), Entry("a"))
    assert list(registry) == ["b", "a"]
    assert len(registry) == 2
    assert "a" in registry
    assert "c" not in registry


@pytest.mark.parametrize("name", ["c", None, 3, ["a"]])
def test_an_unknown_name_is_told_the_known_ones(name):
    with pytest.raises(tc.TreecoreError) as caught:
        Registry("thing", Entry("b"), Entry("a"))[name]
    assert caught.value.where == "thing"
    assert "b, a" in caught.value.remedy


def test_a_name_given_twice_is_a_mistake_of_the_programmer():
    with pytest.raises(ValueError, match="same name"):
        Registry("thing", Entry("a"), Entry("a"))


def test_nobody_can_add_an_entry_later():
    with pytest.raises(TypeError):
        CRITERIA["mine"] = CRITERIA["gini"]


@pytest.mark.parametrize("name", REGISTRIES)
def test_entries_are_filed_under_their_own_name(name):
    assert all(key == entry.name for key, entry in REGISTRIES[name].items())


@pytest.mark.parametrize(("registry", "entry"), ENTRIES, ids=lambda x: x.noun if isinstance(x, Registry) else x.name)
def test_every_entry_can_be_shown(registry, entry):
    assert entry.label.strip()


def test_criteria_have_codes_of_their_own_formulas_and_sources():
    assert len({(c.code, c.scale, c.max_classes, c.row_loss) for c in CRITERIA.values()}) == len(CRITERIA)
    tasks = "classification", "regression", "counts", "effects"
    assert all(c.formula and c.source and c.task in tasks for c in CRITERIA.values())
    assert {c.name for c in criteria_for("regression")} == {"squared_error", "absolute_error", "quantile", "huber"}
    assert {c.task for c in criteria_for("classification")} == {"classification"}
