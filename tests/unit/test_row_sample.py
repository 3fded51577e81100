"""Rows in the HTML page: only where they are asked for, and none of what stays out."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.command_line.main import main
from treecore.data.samples import read_sample
from treecore.export.row_sample import sampled_rows

N = 240


def persons() -> tc.Table:
    """Rows whose names, notes and wages are in no other text."""
    rng = np.random.default_rng(4)
    age = rng.integers(18, 80, N)
    frame = pd.DataFrame({
        "full_name": [f"Person-{7919 * (i + 3)}" for i in range(N)],
        "wage": 10_000 + np.arange(N) * 7.0131,
        "age": age,
        "town": rng.choice(["Aix", "Bonn"], N),
        "note": [f"</script>note\u202e{i}" for i in range(N)],
        "bought": np.where(age > 40, "yes", "no"),
    })  # fmt: skip
    return tc.read_table(frame, target="bought").with_features(["full_name", "age", "town"])


def rows_of(page: str) -> dict | None:
    return json.loads(re.search(r"^const ROWS = (.*);$", page, re.MULTILINE)[1])


@pytest.fixture(scope="module")
def table() -> tc.Table:
    return persons()


@pytest.fixture(scope="module")
def tree(table) -> tc.Tree:
    return tc.grow(table.with_features(["age", "town", "full_name"]), "cart", missing="majority", max_depth=2)


def cells(table: tc.Table, name: str) -> list[str]:
    return [str(label) for label in table.column(name).labels()]


def test_without_being_asked_no_row_is_in_the_page(table, tree):
    page = tc.export(tree, "html", rows=table)
    assert rows_of(page) is None
    assert not [cell for name in ("full_name", "wage", "note") for cell in cells(table, name) if cell in page]
    assert tree.schema.features[2].name == "full_name"
    assert "Person" not in page, "nor the levels of a feature that the tree does not ask for"


def test_rows_have_the_values_of_the_table_and_end_as_the_tree_says(table, tree):
    made = rows_of(tc.export(tree, "html", rows=table, sample_rows=50, sampling="random", seed=3))
    assert made["told"] == "50 of 240 rows, drawn at random (seed 3)"
    assert [column["name"] for column in made["columns"]] == list(table.column_names)
    drawn = table.take(sampled_rows(tree.apply(table), 50, "random", 3))
    by_name = {column["name"]: column for column in made["columns"]}
    assert by_name["age"]["cells"] == drawn.column("age").values().tolist()
    assert by_name["wage"]["cells"] == drawn.column("wage").values().tolist()
    assert by_name["full_name"]["cells"] == drawn.column("full_name").labels().tolist()
    assert by_name["note"]["seen"][drawn.column("note").labels()[0]].startswith("</script>note[U+202E]")
    assert [ends[0][0] for ends in made["ends"]] == tree.apply(drawn).tolist()
    assert by_name["age"]["feature"] == 0
    assert by_name["wage"]["feature"] == -1


@pytest.mark.parametrize(
    "out", [("full_name",), ("full_name", "wage", "note"), ("age", "full_name", "note", "wage", "bought")]
)
def test_nothing_of_a_column_that_stays_out_is_in_the_page(table, tree, out):
    page = tc.export(tree, "html", rows=table, sample_rows=N, without=out)
    for name in set(out) & {"full_name", "wage", "note"}:
        assert not [cell for cell in cells(table, name) if cell in page]
        assert f'"{name}"' not in page
    made = rows_of(page)
    assert [column["name"] for column in made["columns"]] == [n for n in table.column_names if n not in out]
    assert [ends[0][0] for ends in made["ends"]] == tree.apply(table).tolist(), "told by its leaf, which was computed"


def test_rows_are_drawn_evenly_over_the_leaves_or_with_one_chance_each():
    leaf = np.repeat([1, 2, 3], [3, 40, 200])
    drawn = sampled_rows(leaf, 43, "leaves", 0)
    assert np.bincount(leaf[drawn]).tolist() == [0, 3, 20, 20]
    assert (np.diff(drawn) > 0).all()
    assert sampled_rows(leaf, 43, "leaves", 0).tolist() == drawn.tolist()
    assert sampled_rows(leaf, 43, "leaves", 1).tolist() != drawn.tolist()
    assert sampled_rows(leaf, 999, "leaves", 0).tolist() == list(range(243))
    chances = sum(np.bincount(sampled_rows(leaf, 81, "random", seed), minlength=243) for seed in range(300)) / 300
    assert abs(chances[:3].mean() - 1 / 3) < 0.08


def test_a_shared_row_has_all_its_ends_the_largest_share_first():
    table = read_sample("play_tennis_day8")
    tree = tc.grow(table, "c4.5")
    made = rows_of(tc.export(tree, "html", rows=table, sample_rows=99))
    assert max(len(ends) for ends in made["ends"]) > 1
    for ends, leaf in zip(made["ends"], tree.apply(table), strict=True):
        assert ends[0][0] == leaf
        assert sum(share for _, share in ends) == pytest.approx(1)


def test_a_page_says_which_columns_that_stay_out_its_tree_asks_for(table, tree):
    told = rows_of(tc.export(tree, "html", rows=table, sample_rows=9, without=("age", "wage")))["told"]
    assert told.endswith("; 2 columns are left out, but the tree itself asks for age")
    told = rows_of(tc.export(tree, "html", rows=table, sample_rows=9, without="wage"))["told"]
    assert told.endswith("; 1 column is left out")


@pytest.mark.parametrize(("options", "said"), [
    ({"sample_rows": -1}, "is no number of rows"), ({"sample_rows": "many"}, "is no number of rows"),
    ({"sample_rows": True}, "is no number of rows"), ({"sample_rows": 10**6}, "Give 0 to 5,000"),
    ({"sample_rows": 5, "sampling": "first"}, "Choose one of leaves, random"),
    ({"sample_rows": 5, "seed": -2}, "is no seed"), ({"sample_rows": 5, "without": ["nme"]}, "nme"),
    ({"without": ["full_name"]}, "sample_rows=200"),
])  # fmt: skip
def test_what_cannot_be_met_is_said(table, tree, options, said):
    with pytest.raises(tc.TreecoreError, match=re.escape(said)):
        tc.export(tree, "html", rows=table, **options)


def test_rows_are_asked_for_with_their_table(tree):
    with pytest.raises(tc.TreecoreError, match="rows=table"):
        tc.export(tree, "html", sample_rows=5)


def test_the_command_line_puts_rows_in_where_it_is_asked(tmp_path, table, tree, capsys):
    file, saved = tmp_path / "persons.csv", tmp_path / "tree.json"
    table.to_frame().to_csv(file, index=False)
    saved.write_text(tc.export(tree, "json"), "utf-8")
    base = ["export", str(saved), "--format", "html", "--out", str(tmp_path / "tree.html")]

    def made(*more: str) -> dict | None:
        assert main([*base, *more]) == 0
        return rows_of((tmp_path / "tree.html").read_text("utf-8"))

    assert made() is None
    found = made("--rows", str(file), "--sample", "30", "--without", "age", "full_name")
    assert len(found["ends"]) == 30
    assert [column["name"] for column in found["columns"]] == ["wage", "town", "note", "bought"]
    assert len(made("--rows", str(file))["ends"]) == 200
    for more, said in (
        (("--sample", "3"), "--rows FILE"),
        (("--rows", str(file), "--without", "nme"), "no column 'nme'"),
    ):
        assert main([*base, *more]) == 2
        assert said in capsys.readouterr().err
