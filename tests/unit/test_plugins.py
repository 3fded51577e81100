"""Pruners and formats of another installed package, built here, are in the registries; broken ones are left out."""

import os
import subprocess
import sys

PACKAGE = """
from treecore.export.format import Format
from treecore.pruning.cuts import Cuts
from treecore.pruning.pruner import Pruner

KEEPS = Pruner("keeps_all", "Keeps all", "T", "here", lambda tree, given: Cuts.none(tree))
TAKEN = Pruner("mdl", "Taken", "T", "here", lambda tree, given: Cuts.none(tree))
COUNT = Format("count", "Count", "table", ".txt", "text/plain", lambda given: str(given.tree.n_nodes))
"""
POINTS = """[treecore.pruners]
a = their_trees:KEEPS
b = their_trees:TAKEN
c = no_such_module:X
d = their_trees:COUNT
[treecore.exports]
e = their_trees:COUNT
"""
USE = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import treecore as tc
print(len([w for w in told if "treecore.pruners" in str(w.message)]), tc.PRUNERS["mdl"].label != "Taken")
table = tc.from_arrays([[0.0], [1.0], [2.0]], [0, 1, 1], classes=["n", "y"])
tree = tc.grow(table)
print(tree.cut(tc.prune(tree, "keeps_all")).n_leaves, tc.export(tree, "count"))
"""


def test_entries_of_an_installed_package(tmp_path):
    (tmp_path / "their_trees.py").write_text(PACKAGE)
    (tmp_path / "their_trees-1.0.dist-info").mkdir()
    (tmp_path / "their_trees-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: their_trees\nVersion: 1.0\n"
    )
    (tmp_path / "their_trees-1.0.dist-info" / "entry_points.txt").write_text(POINTS)
    there = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, env=there, check=False)
    assert done.stdout.split() == ["3", "True", "2", "3"], done.stderr
