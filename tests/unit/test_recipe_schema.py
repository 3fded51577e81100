"""docs/recipe.schema.json says what recipes are: those we write are valid, others are not."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.property.test_saved_recipes import BASES
from tests.unit.test_recipe import WRITTEN_BEFORE
from treecore.recipe import STEPS

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "recipe.schema.json").read_text("utf-8"))


def is_valid(recipe) -> bool:
    return Draft202012Validator(SCHEMA).is_valid(recipe)


def test_it_is_a_schema_and_knows_every_step_and_field():
    Draft202012Validator.check_schema(SCHEMA)
    for name, kind in STEPS.items():
        assert set(SCHEMA["$defs"][name]["properties"]) == {"step", *(field.name for field in fields(kind))}


@pytest.mark.parametrize("text", [*BASES, WRITTEN_BEFORE])
def test_what_we_write_is_valid(text):
    assert is_valid(json.loads(text))


@pytest.mark.parametrize(
    "steps",
    [
        [{"step": "fly"}], [{"step": "edit", "action": "explode"}], [{"step": "split", "train": "most"}],
        [{"step": "data", "kinds": {"a": "round"}}], [{"step": "read", "sample": "yes"}], [{"preset": "cart"}], {},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_not_valid(steps):
    assert not is_valid({"schema_version": 2, "steps": steps})
