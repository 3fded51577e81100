"""How the surrogates of a node were chosen, with the numbers that the tree itself has."""

import re

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.explaining.formulas import Formula, Grid, Words
from treecore.explaining.surrogate_choice import surrogate_lines, two_sample_statistic
from treecore.growing.rebuild_node import surrogates_again
from treecore.growing.search.conditional import association


def table(weighted: bool, seed: int = 0) -> tc.Table:
    rng = np.random.default_rng(seed)
    n = 160
    x = rng.normal(size=n)
    near, far = x + rng.normal(size=n) * 0.6, x + rng.normal(size=n) * 2
    town = np.where(x > 0, "east", "west").astype(object)
    town[rng.random(n) < 0.2] = "north"
    y = np.where((x > 0) ^ (rng.random(n) < 0.1), "p", "q")
    for column in (x, near, far):
        column[rng.random(n) < 0.12] = np.nan
    columns = (
        numeric_column("x", x), numeric_column("near", near), numeric_column("far", far),
        level_column("town", "nominal", [None if rng.random() < 0.1 else t for t in town], ("east", "north", "west")),
        level_column("y", "nominal", y.tolist(), ("p", "q")),
    )  # fmt: skip
    made = tc.Table(columns, target="y", features=("x", "near", "far", "town"))
    return made.with_weights(rng.integers(0, 4, n).astype(float)) if weighted else made


GROWN = {
    "ctree": {"missing": "tested_surrogates", "max_surrogates": 2},
    "ctree, maximum": {
        "missing": "tested_surrogates", "max_surrogates": 3, "test_statistic": "maximum", "split_statistic": "maximum",
    },
    "cart": {},
    "rpart": {"surrogate_style": "known"},
}  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", GROWN)
def test_the_counts_give_the_agreements_and_statistics_of_the_tree(name, weighted):
    rows = table(weighted)
    tree = tc.grow(rows, name.split(",")[0], **GROWN[name])
    seen = 0
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        found = surrogates_again(tree, node, rows)
        start = int(tree.surrogate_start[node])
        if found is None:
            assert surrogate_lines(tree, node, rows) == []
            continue
        for i, counted in enumerate(found.tables):
            seen += 1
            of = counted.weight.sum(axis=0) if name == "rpart" else found.known
            alike, whole, most = np.trace(counted.weight), of.sum(), of.max()
            assert alike / whole == pytest.approx(tree.surrogate_agree[start + i])
            assert (alike - most) / (whole - most) == pytest.approx(tree.surrogate_adjusted[start + i])
            if found.tests:
                ours = tree.schema.features[tree.surrogates.feature[start + i]].name
                assert ours == tree.schema.features[found.tests[i].feature].name
        assert bool(found.tests) == name.startswith("ctree")
    assert seen >= 2


def test_four_counts_give_the_permutation_statistic():
    weight = np.array([[9.0, 2.0], [3.0, 7.0]])
    side = np.repeat([0.0, 0.0, 1.0, 1.0], weight.ravel().astype(int))
    branch = np.repeat([0, 1, 0, 1], weight.ravel().astype(int))
    expected = association(np.eye(2)[branch], side, np.ones(len(side)), False)[0]
    assert two_sample_statistic(weight) == pytest.approx(expected)
    assert two_sample_statistic(np.array([[3.0, 4.0], [0.0, 0.0]])) is None


def test_the_lines_name_the_tests_and_open_every_number():
    rows = table(False)
    tree = tc.grow(rows, "ctree", missing="tested_surrogates", max_surrogates=2)
    lines = surrogate_lines(tree, 0, rows)
    first, tests = lines[:2]
    assert isinstance(first, Words)
    assert "permutation test of every other feature" in first.text
    assert "up to 2" in first.text
    assert tests.columns == ("feature", "p", "statistic", "df", "surrogate")
    assert [row[-1] for row in tests.rows] == ["1", "2", "–"]
    formulas = [line.tex for line in lines if isinstance(line, Formula)]
    assert len(formulas) == 6  # statistic, agreement and adjusted agreement of two
    counted = surrogates_again(tree, 0, rows).tables[0].rows
    grid = [line for line in lines if isinstance(line, Grid)][1]
    assert [[int(cell) for cell in row[1:]] for row in grid.rows] == counted.tolist()
    told = float(re.search(r"=\s*([\d.]+)$", formulas[1].replace(r"\end{aligned}", ""))[1])
    assert told == pytest.approx(tree.surrogate_agree[tree.surrogate_start[0]], abs=1e-4)
