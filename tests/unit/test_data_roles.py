"""Roles: disjoint, complete, of the right size, stratified, and the same for the same seed."""

import numpy as np
import pytest

from treecore.data import Roles, Table, assign_roles, level_column, numeric_column, read_table
from treecore.errors import TreecoreError


def labelled(counts, seed=0):
    """A table with these many rows of each class, in random order."""
    codes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    levels = [f"c{i}" for i in range(len(counts))]
    columns = (numeric_column("x", np.arange(len(codes)) * 1.0), level_column("y", "nominal", codes, levels))
    return Table(columns, target="y", features=("x",))


def test_parts_are_disjoint_complete_and_share_the_encoding():
    table = labelled([50, 30, 20])
    parts = table.split(Roles())
    rows = np.concatenate([part.row_numbers for part in parts])
    assert sorted(rows.tolist()) == list(range(100))
    assert [part.n_rows for part in parts] == [60, 20, 20]
    assert all(part.column("x").distinct is table.column("x").distinct for part in parts)


def test_classes_keep_their_shares():
    for part, n in zip(labelled([500, 300, 200]).split(Roles()), (600, 200, 200), strict=True):
        np.testing.assert_allclose(part.target_column.present(), np.array([0.5, 0.3, 0.2]) * n, atol=1.01)


def test_without_stratification_the_shares_are_left_to_chance():
    counts = [
        p.target_column.present()[0]
        for s in range(20)
        for p in labelled([50, 50]).split(Roles(stratify=False, seed=s))[:1]
    ]
    assert len(set(counts)) > 3


def test_a_numeric_target_is_spread_over_its_range():
    y = np.random.default_rng(1).normal(size=1000)
    table = Table((numeric_column("x", y[::-1].copy()), numeric_column("y", y)), target="y", features=("x",))
    spread = [np.quantile(part.target_column.values(), 0.1) for part in table.split(Roles())]
    assert max(spread) - min(spread) < 0.15


def test_every_class_reaches_train_when_there_are_rows_to_swap():
    for seed in range(30):
        train, validation, test = labelled([40, 1, 1, 2], seed).split(Roles(seed=seed))
        assert (train.target_column.present() > 0).all()
        assert abs(train.n_rows - 0.6 * 44) <= 1
        assert train.n_rows + validation.n_rows + test.n_rows == 44


def test_the_seed_decides_and_the_order_of_the_rows_does_not():
    table = labelled([30, 30])
    role = assign_roles(table, Roles(seed=5))
    assert role.tolist() == assign_roles(table, Roles(seed=5)).tolist()
    assert role.tolist() != assign_roles(table, Roles(seed=6)).tolist()
    order = np.random.default_rng(3).permutation(60)
    assert assign_roles(table.take(order), Roles(seed=5)).tolist() == role[order].tolist()


def test_changing_the_kind_of_a_feature_moves_no_row():
    table = labelled([30, 30])
    assert assign_roles(table.with_kinds({"x": "nominal"}), Roles()).tolist() == assign_roles(table, Roles()).tolist()


def test_rows_without_a_target_are_spread_too():
    table = read_table(b"x,y\n" + b"1,a\n2,\n3,b\n" * 20, target="y")
    assert [part.target_column.n_missing for part in table.split(Roles())] == [12, 4, 4]


def test_roles_from_a_column():
    csv = b"x,part,y\n1,Train,a\n2,test,b\n3,dev,a\n4,training,b\n"
    table = read_table(csv, target="y")
    train, validation, test = table.split(Roles(column="part"))
    assert [p.row_numbers.tolist() for p in (train, validation, test)] == [[0, 3], [2], [1]]
    assert "part" not in train.features


def test_a_column_that_names_no_role_says_where():
    table = read_table(b"x,part,y\n1,train,a\n2,later,b\n3,train,a\n", target="y")
    with pytest.raises(TreecoreError, match=r"Column 'part': 'later' is not a role \(first at row 2\).*validation"):
        table.split(Roles(column="part"))


@pytest.mark.parametrize(
    ("fractions", "words"),
    [((0.5, 0.2, 0.2), "= 0.9, not 1"), ((1.2, -0.2, 0.0), "not a usable fraction"), ((0.0, 0.5, 0.5), "train")],
)
def test_fractions_must_make_sense(fractions, words):
    with pytest.raises(TreecoreError, match=words):
        Roles(*fractions)


def test_all_rows_may_train_and_a_table_may_be_empty():
    table = labelled([3, 3])
    assert [part.n_rows for part in table.split(Roles(1, 0, 0))] == [6, 0, 0]
    assert [part.n_rows for part in table.take([]).split(Roles())] == [0, 0, 0]
