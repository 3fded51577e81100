"""A recipe holds a target of counts: what it reads, fits and writes as a script counts events in their exposure."""

import json
import subprocess
import sys

import numpy as np
import pytest

import treecore as tc
from treecore.export.code import to_script
from treecore.recipe import Data, Grow, Read, Recipe, Split

DATA = Data(target="claims", exposure="years", shrink=0.5)
STEPS = (Split(1.0, 0.0, 0.0), Grow("cart", (("criterion", "poisson"), ("min_rows_leaf", 20))))


@pytest.fixture
def path(tmp_path):
    rng = np.random.RandomState(0)
    age, years = rng.randint(18, 80, 300), rng.uniform(0.1, 2, 300).round(2)
    claims = rng.poisson(years * np.where(age < 30, 1.5, 0.4))
    lines = [f"{a},{y},{c}" for a, y, c in zip(age, years, claims, strict=True)]
    (tmp_path / "claims.csv").write_text("\n".join(["age,years,claims", *lines]) + "\n")
    return tmp_path / "claims.csv"


def recipe_of(path) -> Recipe:
    return Recipe((Read(path.name), DATA, *STEPS))


def test_the_table_that_it_reads_counts(path):
    again = Recipe.from_json(recipe_of(path).to_json())
    table = again.read(path)
    assert again == recipe_of(path)
    assert table.counts == tc.Counts("claims", "years", 0.5).kind
    assert table.features == ("age",)
    counted = tc.read_table(path, target=tc.Counts("claims", "years", 0.5))
    own = tc.grow(counted, "cart", criterion="poisson", min_rows_leaf=20)
    assert own.n_leaves > 2
    assert tc.fit(table, again).grown.to_dict() == own.to_dict()
    assert "predict claims per years from" in again.text()


def test_a_table_of_numbers_becomes_one_of_counts_and_counts_stay(path):
    plain, counted = tc.read_table(path), tc.read_table(path, target=tc.Counts("claims", "years", 0.5))
    wanted = tc.fit(counted, Recipe((DATA, *STEPS))).grown.to_dict()
    assert tc.fit(plain, Recipe((DATA, *STEPS))).grown.to_dict() == wanted
    assert tc.fit(counted, Recipe(STEPS)).grown.to_dict() == wanted
    assert tc.fit(counted, Recipe((Data(target="claims"), *STEPS))).grown.to_dict() == wanted


def test_the_script_prints_the_rules_of_rates(path):
    (path.parent / "script.py").write_text(to_script(recipe_of(path)), "utf-8")
    made = subprocess.run([sys.executable, "script.py"], cwd=path.parent, capture_output=True, text=True, check=True)
    assert made.stdout.strip() == tc.export(tc.fit(recipe_of(path).read(path), recipe_of(path)).tree, "rules").strip()


def test_what_is_no_exposure_is_refused():
    told = json.loads(Recipe((DATA,)).to_json())
    for wrong in ({"exposure": 3}, {"shrink": -1}, {"shrink": "much"}):
        told["steps"][0] |= {"exposure": "years", "shrink": 1.0} | wrong
        with pytest.raises(tc.TreecoreError):
            Recipe.from_json(json.dumps(told))


def test_the_digest_of_a_recipe_is_that_of_what_is_set():
    """A later version has more to be set; what does not set it is told by the same digits."""
    plain = Recipe((Data(target="y"), Grow("cart")))
    assert plain.digest() == "4c0515d514c2840b"
    assert plain.digest() != Recipe((DATA, Grow("cart"))).digest()
