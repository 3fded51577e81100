"""A recipe as a Python script or a notebook that makes the very same tree with treecore alone."""

import json
import re
from pprint import pformat

from treecore.brief import visible
from treecore.recipe import Grow, Import, Read, Recipe

_STEPS = (
    (
        "The recipe: which file, how it is read, and every step to the tree.",
        "import json\nimport sys\n\nimport treecore as tc\n\nRECIPE = {recipe}\nFILE = {file}",
    ),
    (
        "Read the table, grow the tree and prune it.",
        "recipe = tc.Recipe.from_json(json.dumps(RECIPE))\ntable = recipe.read({given})\n"
        "fit = tc.fit(table, recipe{model})\ntree = fit.tree",
    ),
    ("The tree as rules; tree.predict(rows) answers for a table or a data frame.", 'print(tc.export(tree, "rules"))'),
)


def to_script(recipe: Recipe) -> str:
    """A script; another file can be named as its first argument."""
    parts = [f"# {said}\n{code}" for said, code in _filled(recipe, "sys.argv[1] if len(sys.argv) > 1 else FILE")]
    return f"# {visible(recipe.text())}\n# Needs treecore: pip install treecore\n" + "\n\n".join(parts) + "\n"


def to_notebook(recipe: Recipe) -> str:
    """The same as the JSON of a Jupyter notebook (nbformat 4.5)."""
    cells = [_cell("markdown", 0, f"# A decision tree\n\n`{visible(recipe.text()).replace('`', chr(39))}`")]
    for i, (said, code) in enumerate(_filled(recipe, "FILE")):
        cells += [_cell("markdown", 2 * i + 1, said), _cell("code", 2 * i + 2, code.replace("import sys\n", ""))]
    about = {"language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _filled(recipe: Recipe, given: str) -> list[tuple[str, str]]:
    read = recipe.last(Read) or Read()
    steps = pformat(json.loads(recipe.to_json()), width=110, sort_dicts=False)
    file = repr(None if read.sample else read.file)
    values = {"recipe": steps, "file": file, "given": given, "model": _model(recipe)}
    # all at once: what is filled in may hold such a name itself
    return [(said, re.sub(r"\{(\w+)\}", lambda found: values[found[1]], code)) for said, code in _STEPS]


def _model(recipe: Recipe) -> str:
    """The argument that reads the tree of a recipe which grows none; its file is to lie beside the script."""
    step = recipe.last(Grow)
    if not isinstance(step, Import):
        return ""
    classes = f", classes={list(step.classes)!r}" if step.classes else ""
    return f", model=lambda rows: tc.read_model({step.file!r}, rows{classes})"


def _cell(kind: str, number: int, source: str) -> dict:
    more = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, **more, "source": source.splitlines(True)}
