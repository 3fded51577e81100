"""Cells of a plane hold the rows that lie in them, with the answer most of them get."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from tests.unit.test_evaluation_metrics import grown
from treecore import plots
from treecore.study import default_fixed, regions
from treecore.study.plane import shown_axes
from treecore.study.regions import MOST, occupied
from treecore.tree.values import value_matrix

PLANES = [
    ("titanic", "age", "fare"),
    ("titanic", "age", "sex"),
    ("titanic", "pclass", "embarked"),
    ("mpg", "weight", "origin"),
]


def cells_of(sample, x, y):
    tree, tables = grown(sample)
    train = tables["train"]
    plane = regions(tree, *shown_axes([tree], (x, y), train), default_fixed(tree, train))
    return tree, train, plane, occupied(tree, plane, train)


@pytest.mark.parametrize("about", PLANES, ids=lambda about: "-".join(about))
def test_every_row_with_a_place_lies_in_one_cell_with_what_it_is_answered(about):
    tree, train, plane, found = cells_of(*about)
    names = [f.name for f in tree.schema.features]
    values = value_matrix(tree.schema, np.array([names.index(a.name) for a in (plane.x, plane.y)]), train)
    at = [axis.places(v) for axis, v in zip((plane.x, plane.y), values, strict=True)]
    known = ~np.isnan(at[0]) & ~np.isnan(at[1])
    answers = defaultdict(list)
    for place, answer in zip(found.index_at(*at)[known].tolist(), tree.value[tree.apply(train)][known], strict=True):
        assert place >= 0
        answers[place].append(answer)
    assert {i: len(rows) for i, rows in answers.items()} == dict(enumerate(found.n_rows.tolist()))
    for place, rows in answers.items():
        if not tree.classes:
            assert found.value[place] == pytest.approx(np.mean(rows))
            continue
        most = Counter(rows).most_common(1)[0][1]
        assert Counter(rows)[found.value[place]] == most
        assert found.share[place] == pytest.approx(most / len(rows))
    assert found.depth.max() == 1
    assert found.depth == pytest.approx(np.sqrt(found.n_rows / found.n_rows.max()))


def test_the_picture_says_how_many_rows_lie_where_and_paints_more_where_there_are_more():
    _, _, _, found = cells_of("titanic", "age", "fare")
    assert len(found) <= MOST * MOST
    figure = plots.region_map(found)
    opaque = [float(shape.fillcolor.rsplit(",", 1)[1].rstrip(")")) for shape in figure.layout.shapes]
    order = np.argsort(found.n_rows, kind="stable")
    assert (np.diff(np.array(opaque)[order]) >= 0).all()
    told = {text for line in figure.data[0].text for text in line if text}
    assert any(f"the {found.n_rows.max()} rows here" in text for text in told)
