"""Code that needs nothing else: the tree as a table of its nodes and the functions that walk it, and a recipe as a
script or notebook.
"""

import json
import math
import re
from pathlib import Path
from pprint import pformat
from typing import Any

from treecore.brief import visible
from treecore.data.level_index import LevelIndex, as_seen, level_index
from treecore.export.format import ExportRequest, flag_rule
from treecore.export.portable import UNKNOWN, Portable, PortableNode, PortableQuestion
from treecore.export.rule_texts import in_comment
from treecore.judging.interest import segment_numbers
from treecore.kernels.codes import SHARED, STAYS
from treecore.recipe import Grow, Import, Read, Recipe
from treecore.tree.leaf_lines import LeafLine
from treecore.tree.tree import Tree

TEMPLATES = Path(__file__).with_name("templates")


def tables(tree: Tree) -> dict:
    """The tree as plain lists, dicts, text and numbers, for the functions of the templates to walk."""
    portable = Portable(tree)
    return {
        "target": tree.schema.target,
        "classes": list(tree.classes) or None,
        "costs": None if tree.loss is None else tree.loss.tolist(),
        "features": [_feature(portable, f) for f in range(len(tree.schema.features))],
        "nodes": [_node(tree, t, node, portable.line(t)) for t, node in enumerate(portable.nodes)],
    }


def _flagging(given: ExportRequest) -> dict:
    """The tables; with a flag rule each node has its rate and the number of its segment, too."""
    made, rule = tables(given.tree), flag_rule(given)
    if rule is not None:
        rates = rule.rates(given.tree)
        numbers = segment_numbers(given.tree, rates)
        for node, rate, number in zip(made["nodes"], rates.tolist(), numbers.tolist(), strict=True):
            node |= {"rate": None if math.isnan(rate) else rate, "segment": number or None}
    return made


def to_python(given: ExportRequest) -> str:
    """A module of its own: predict(row) and shares(row); with a flag rule also flag(row) and segment(row)."""
    made, tree, rule = _flagging(given), given.tree, flag_rule(given)
    flagged = "" if rule is None else rule.text(tree.name_of_class, tree)
    nodes = [f"    # {_comment(tree, t)}\n    {node!r},\n" for t, node in enumerate(made["nodes"])]
    parts = [
        f'"""{_title(given).replace(chr(92), "").replace(chr(34), chr(39))}\n\n'
        'predict(row) answers for a dict of values by column, shares(row) gives the share of each class.\n"""\n',
        "import math\nimport re\nimport unicodedata\n",
        *(f"{name.upper()} = {made[name]!r}" for name in ("target", "classes", "costs")),
        "FEATURES = [\n" + "".join(f"    {feature!r},\n" for feature in made["features"]) + "]",
        *([] if rule is None else [f"THRESHOLD = {rule.threshold!r}  # {visible(flagged)}"]),
        f"STAYS, SHARED = {STAYS}, {SHARED}",
        "NODES = [\n" + "".join(nodes) + "]\n",
    ]
    walks = ["walk.py"] if rule is None else ["walk.py", "flag.py"]
    return "\n".join(parts) + "\n\n" + "\n\n".join((TEMPLATES / walk).read_text("utf-8") for walk in walks)


def to_javascript(given: ExportRequest) -> str:
    """A script that defines predict(row) and shares(row), with a flag rule also flag(row) and segment(row), and exports
    them where there are modules."""
    made, tree, rule = _flagging(given), given.tree, flag_rule(given)
    walks, names, threshold = ["walk.js"], "predict, shares", ""
    if rule is not None:
        walks, names = ["walk.js", "flag.js"], f"{names}, flag, segment"
        said = in_comment(visible(rule.text(tree.name_of_class, tree)))
        threshold = f"const THRESHOLD = {in_script(rule.threshold)}; // {said}\n"
    head = ",\n".join(f"  {name}: {in_script(made[name])}" for name in ("target", "classes", "costs", "features"))
    told = (in_comment(_comment(tree, t)) for t in range(tree.n_nodes))
    nodes = "".join(f"    // {said}\n    {in_script(n)},\n" for said, n in zip(told, made["nodes"], strict=True))
    return (
        f"// {in_comment(_title(given))}\n"
        "// predict(row) answers for an object of values by column, shares(row) gives the share of each class.\n"
        '"use strict";\n'
        f"const STAYS = {STAYS}, SHARED = {SHARED};\n"
        f"{threshold}const TREE = {{\n{head},\n  nodes: [\n{nodes}  ],\n}};\n\n"
        + "\n".join((TEMPLATES / walk).read_text("utf-8") for walk in walks)
        + f'\nif (typeof module !== "undefined") module.exports = {{ {names} }};\n'
    )


def in_script(value) -> str:
    """A literal that is the same in JSON and JavaScript, also inside a page."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def _title(given: ExportRequest) -> str:
    tree = given.tree
    return visible(
        f"A decision tree for {tree.schema.target} of {given.name}, {tree.n_leaves} leaves.{tree.figures_told}"
    )


def _comment(tree: Tree, node: int) -> str:
    view = tree.node(node)
    says = f"then {view.predicted}" if view.is_leaf else f"asks for {view.feature}"
    return visible(f"{node}: {view.condition or 'every row'}, {says}")


def _feature(portable: Portable, feature: int) -> dict:
    schema = portable.tree.schema.features[feature]
    kind = "bins" if schema.cuts is not None else {"ordinal": "ordered", "nominal": "level"}.get(schema.kind)
    made = {"name": schema.name, "kind": "number" if schema.numeric else kind, "levels": list(schema.levels)}
    terms = [[term.feature, term.weight, term.fill] for term in portable.terms(feature)]
    return made | {"sum": terms} if terms else made | _spelled(level_index(schema.levels))


def _spelled(index: LevelIndex) -> dict:
    """What else than its own text a level is known by; see data.level_index, whose rules the templates follow."""
    result = {"texts": {as_seen(label): place for place, label in enumerate(index.labels) if as_seen(label) != label}}
    result = {"texts": {text: place for text, place in result["texts"].items() if index.place(text) == place}}
    result |= {"words": index.words, "numbers": index.numbers, "moments": index.moments}
    made = {key: [[said, index.labels[at]] for said, at in known.items()] for key, known in result.items() if known}
    return made | ({"by_value": True} if index.all_numbers or index.is_boolean else {})


def _node(tree: Tree, node: int, portable: PortableNode, line_of_node: LeafLine | None) -> dict:
    made: dict[str, Any] = {}
    if portable.questions:
        made["ask"] = [_question(question) for question in portable.questions]
        made |= {"missing": portable.missing, "unseen": portable.unseen, "children": list(portable.children)}
    if SHARED in (portable.missing, portable.unseen):
        made["shares"] = list(portable.shares)
    none = tree.answer[node] < 0
    if tree.lines is not None:
        return made | {"line": None if none or line_of_node is None else _line(line_of_node)}
    value = tree.value[node]
    if not tree.classes:
        return made | {"answer": None if none else float(value)}
    return made | {
        "answer": None if none else tree.classes[value],
        "class_shares": None if none else tree.proba[node].tolist(),
    }


def _line(line: LeafLine) -> list:
    """[intercept, [[feature, coefficient, what stands in for a missing value, least and largest that counts], ...]]."""
    return [line.intercept, [[t.feature, t.coefficient, t.fill, t.low, t.high] for t in line.terms]]


def _question(question: PortableQuestion) -> dict:
    made: dict = {"feature": question.feature}
    if question.by_number:
        made |= {
            "limits": [list(limit) for limit in question.limits],
            "to": [None if b == UNKNOWN else b for b in question.branches],
        }
    if question.levels or not question.by_number:
        made["levels"] = [list(pair) for pair in question.levels]
    return made if question.missing == UNKNOWN else made | {"missing": question.missing}


# A recipe as a Python script or a notebook that makes the very same tree with treecore alone.

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
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, **more, "source": source.splitlines(True)}
