"""Entries of another installed package, built here, are in the registries; broken ones are left out."""

import os
import subprocess
import sys

import pytest

PACKAGE = """
import numpy as np
from treecore.criteria.criterion import Criterion
from treecore.export.format import Format
from treecore.pruning.cuts import Cuts
from treecore.pruning.pruner import Pruner

KEEPS = Pruner("keeps_all", "Keeps all", "T", "here", lambda tree, given: Cuts.none(tree))
TAKEN = Pruner("mdl", "Taken", "T", "here", lambda tree, given: Cuts.none(tree))
ROOTS = Criterion("roots", "Roots", "classification", "r", "here", written=lambda stats, loss, center: ["r"],
    many=lambda stats, total, loss: sum(np.sqrt(np.maximum(p * (total - p), 0.0)) for p in stats) / total)
SAME = Criterion("same", "Same", "classification", "g", "here", written=lambda stats, loss, center: ["g"],
    many=lambda stats, total, loss: 1.0 - sum(p * p for p in stats) / (total * total))
DEVIATION = Criterion("deviation", "Deviation", "regression", "s", "here", written=lambda stats, loss, center: ["s"],
    many=lambda stats, total, loss: np.sqrt(stats[2] / total))
COUNT = Format("count", "Count", "table", ".txt", "text/plain", lambda given: str(given.tree.n_nodes))
"""
POINTS = """[treecore.pruners]
a = their_trees:KEEPS
b = their_trees:TAKEN
c = no_such_module:X
d = their_trees:COUNT
[treecore.criteria]
f = their_trees:ROOTS
g = their_trees:SAME
h = their_trees:DEVIATION
i = their_trees:KEEPS
[treecore.exports]
e = their_trees:COUNT
"""
USE = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import treecore as tc
    list(tc.PRUNERS)
print(len([w for w in told if "treecore.pruners" in str(w.message)]), tc.PRUNERS["mdl"].label != "Taken")
table = tc.from_arrays([[0.0], [1.0], [2.0]], [0, 1, 1], classes=["n", "y"])
tree = tc.grow(table)
print(tree.cut(tc.prune(tree, "keeps_all")).n_leaves, tc.export(tree, "count"))
"""
CRITERIA = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, treecore as tc
from treecore.criteria import CRITERIA, criteria_for
from treecore.data.samples import read_sample
from treecore.estimators import TreeRegressor
from treecore.growing.inspect.landscape import landscape, measures_of
from treecore.explaining.node_arithmetic import split_arithmetic
from treecore.tree.binary_chain import binary_chain
assert "keeps_all" not in CRITERIA and [c.name for c in criteria_for("classification")][-2:] == ["roots", "same"]
assert [c.name for c in criteria_for("regression")][-1] == "deviation"
iris, titanic, cars = map(read_sample, ("iris", "titanic", "mpg"))
for table in (iris, titanic):
    for settings in ({"missing": "surrogates"}, {"missing": "fractional", "max_leaves": 9}, {"nominal": "multiway"}):
        ours, tree = (tc.grow(table, criterion=name, **settings) for name in ("gini", "same"))
        assert ours.n_nodes == tree.n_nodes and (ours.splits.feature == tree.splits.feature).all()
        assert np.allclose(ours.impurity, tree.impurity) and (ours.predict(table) == tree.predict(table)).all()
tree = tc.grow(titanic, "c4.5", criterion="roots")
chain = binary_chain(tree)
raised = tree.cut(tc.prune(tree, "error_based", train=titanic))
assert 1 < raised.n_leaves < tree.n_leaves and tc.Tree.from_dict(tree.to_dict()).criterion == "roots"
assert split_arithmetic(tree, 0, tc.candidates(tree, 0, titanic), titanic) and tc.export(raised, "svg")
numbers = tc.grow(cars, criterion="deviation", max_depth=4)
y = cars.column("mpg").values()
assert abs(numbers.impurity[0] - y.std()) < 1e-9
best = tc.candidates(numbers, 0, cars).ranked[0]
low = cars.column(best.feature).values() <= best.threshold
assert best.chosen and abs(y.std() - low.mean() * y[low].std() - (~low).mean() * y[~low].std() - numbers.gain[0]) < 1e-9
assert landscape(numbers, 0, cars).best == best.gain and "deviation" in measures_of(tc.grow(cars))
for small in (numbers.cut(tc.prune(numbers, "cost_complexity", alpha=0.05)), tc.Tree.from_dict(numbers.to_dict())):
    assert small.criterion == "deviation" and tc.export(small, "svg")
assert split_arithmetic(numbers, 0, tc.candidates(numbers, 0, cars), cars) and binary_chain(numbers)
x = cars.to_frame()[["weight", "displacement"]]
assert TreeRegressor(criterion="deviation").fit(x, y).tree_.criterion == "deviation"
try:
    tc.grow(titanic, criterion="deviation")
except tc.TreecoreError as why:
    assert "are classes" in str(why)
for refused in ({"test": "chi_square"}, {"score": "twoing", "nominal": "subset"}, {"patience": 3}):
    try:
        tc.grow(titanic, criterion="roots", **refused)
    except tc.TreecoreError as why:
        assert why.where == "criterion" and "Roots" in str(why)
    else:
        raise AssertionError(refused)
"""


@pytest.fixture
def told(tmp_path):
    """What a program prints, and what it complains of, where the package is installed."""
    (tmp_path / "their_trees.py").write_text(PACKAGE)
    (tmp_path / "their_trees-1.0.dist-info").mkdir()
    (tmp_path / "their_trees-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: their_trees\nVersion: 1.0\n"
    )
    (tmp_path / "their_trees-1.0.dist-info" / "entry_points.txt").write_text(POINTS)
    there = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}

    def run(program: str) -> tuple[list[str], str]:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=there, check=False)
        return done.stdout.split(), done.stderr if done.returncode else ""

    return run


def test_entries_of_an_installed_package(told):
    printed, errors = told(USE)
    assert printed == ["3", "True", "2", "3"], errors


def test_criteria_of_an_installed_package(told):
    """One that is the Gini index under another name grows its trees; all that shows trees
    takes them; what only kernels know is refused."""
    assert told(CRITERIA) == ([], "")
