"""The public face as a type checker sees it: a program that uses it rightly passes, mistakes are found."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import numpy as np
import treecore as tc
from treecore.ensembles import Ensemble, bagging
from treecore.estimators import TreeClassifier
from treecore.optimal import Optimal, optimal_tree

table: tc.Table = tc.read_table("file.csv", target="y")
train, validation, *_ = table.split(tc.Roles(train=0.6, validation=0.2, test=0.2, seed=0))
tree: tc.Tree = tc.grow(train, "c4.5", max_depth=6)
cuts: tc.Cuts = tc.prune(tree, "reduced_error", validation=validation)
small: tc.Tree = tree.cut(cuts)
answers: np.ndarray = small.predict(validation)
n_leaves: int = small.n_leaves
text: str | bytes = tc.export(small, "sql")
fitted: tc.Fit = tc.fit(table, tc.Recipe(()))
rules: tc.RuleSet = tc.rules(small)
best: Optimal = optimal_tree(train, depth=2)
many: Ensemble = bagging(train, tc.GrowSettings(), n_trees=10)
model = TreeClassifier(max_depth=3)
"""
MISTAKES = """
import treecore as tc
from treecore.optimal import optimal_tree

tree = tc.grow("file.csv", "cart")
tree.n_leavez
cuts: int = tc.prune(tree, "reduced_error")
optimal_tree(tc.read_table("file.csv", target="y"), depth="three")
"""
SETTINGS = """
[mypy]
follow_imports = silent
[mypy-pandas.*,scipy.*,sklearn.*,pyarrow.*,ibis.*,duckdb.*,onnx.*,numba.*,narwhals.*,plotly.*]
follow_imports = skip
"""
"""Packages of which the program uses no type are not read: that took longer than all of treecore."""


def test_a_typed_program_passes_and_mistakes_are_found(tmp_path):
    (tmp_path / "right.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(MISTAKES)
    (tmp_path / "mypy.ini").write_text(SETTINGS)
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache")]
    told = subprocess.run([*command, "right.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\w+)\.py:(\d+): error", told.stdout, re.MULTILINE)
    assert found == [("wrong", str(line)) for line in (5, 6, 7, 8)], told.stdout + told.stderr


def overrides(setting: str) -> list[str]:
    """The modules for which pyproject.toml gives mypy this setting."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    return [module for each in settings if setting in each for module in each["module"]]


def test_modules_whose_types_are_not_checked_yet_exist():
    left_out = overrides("ignore_errors")
    gone = [name for name in left_out if not (ROOT / (name.replace(".", "/") + ".py")).is_file()]
    assert not gone, f"Take these off the list in pyproject.toml: {gone}"
    assert left_out == sorted(set(left_out))


def test_the_public_face_is_checked_strictly():
    strict = overrides("disallow_untyped_defs")
    exported = re.findall(r"^from (treecore[\w.]*) import", (ROOT / "treecore/__init__.py").read_text(), re.MULTILINE)
    assert len(exported) > 20
    assert not set(exported) - set(strict)
    assert not set(strict) & set(overrides("ignore_errors"))
