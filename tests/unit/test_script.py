"""A script and a notebook make the very tree of a recipe, whatever its steps are."""

import ast
import json
import random

import pytest

import treecore as tc
from treecore.export.code import to_notebook, to_script
from treecore.recipe import Data, Edit, Grow, Prepare, Prune, Read, Recipe, Split, Take

NAMES = ("a <b>", "=size", "\"q\", 'r'")
LOSS = ((0.0, 5.0, 1.0), (1.0, 0.0, 1.0), (2.0, 1.0, 0.0))


def rows() -> str:
    draw, lines = random.Random(1), ['a <b>,=size,"""q"", \'r\'",w,y']
    for i in range(240):
        number, size, level = draw.random() * 1e-7, draw.choice("SML"), draw.choice(["=1", "b", "__missing__"])
        y = ("no", "=yes", "it's")[(number > 4e-8) + (size == "L")] if draw.random() > 0.1 else "no"
        lines.append(",".join([f"{number:.4e}" if i % 6 else "", size, level, str(1 + i % 3), y]))
    return "\n".join(lines) + "\n"


def recipe(*steps, weights=None, kinds=()) -> Recipe:
    return Recipe((Read("my rows.csv", weights=weights), Data(target="y", features=NAMES, kinds=kinds), *steps))


RECIPES = {
    "costs": recipe(
        Split(),
        Grow("cart", (("costs", {"=size": 2.0}), ("loss", LOSS), ("max_depth", 4), ("priors", (0.2, 0.3, 0.5)))),
        Prune("cost_complexity", (("alpha", 0.01),)),
        kinds=(("=size", ("ordinal", ("S", "M", "L"))),),
    ),
    "fills": recipe(
        Split(),
        Prepare("class_mean", 0.5, (("a <b>", "equal_width", 4),)),
        Grow("c4.5", (("max_depth", 4),)),
        Prune("error_based"),
    ),
    "by hand": recipe(
        Split(seed=3), Grow("cart", (("max_depth", 5),)), Prune("reduced_error"),
        Take((), "", "a <b>", 3e-8), Edit("cut", (1,)), weights="w",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RECIPES)
def test_a_script_and_a_notebook_make_the_very_tree(name, tmp_path, monkeypatch, capsys):
    asked = RECIPES[name]
    assert Recipe.from_json(asked.to_json()) == asked
    (tmp_path / "my rows.csv").write_text(rows(), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["script.py"])
    expected = tc.fit(asked.read("my rows.csv"), asked).tree
    assert expected.n_nodes > 1
    cells = [cell for cell in json.loads(to_notebook(asked))["cells"] if cell["cell_type"] == "code"]
    for code in (to_script(asked), "\n".join("".join(cell["source"]) for cell in cells)):
        made: dict = {}
        exec(compile(code, "script", "exec"), made)
        assert made["tree"].to_dict() == expected.to_dict()


def test_what_is_filled_in_is_not_filled_in_again():
    """A column called as a blank of the script, and a file whose name would end a literal."""
    file = "x'+print('run')+'.csv"
    made = to_script(Recipe((Read(file), Data(target="{file}", features=("{recipe}", "{given}")), Grow())))
    tree = ast.parse(made)
    literal = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "RECIPE")
    assert ast.literal_eval(literal)["steps"][1]["target"] == "{file}"
