"""One HTML file for readers of a tree, without a network: zoom, folding, search, keyboard, what-if, its sizes with
ghosts of what is cut, rules, segments, regions of two features, its growth to be presented; rows of the table and
steps of a worked example where they are asked for.
"""

import base64
import json
import math
from collections.abc import Mapping
from html import escape
from uuid import uuid4

import numpy as np

from treecore.brief import visible
from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.canvas_words import WORDS
from treecore.export.cards import Bar, deviation_text, missing_marks, node_bar, only_missing, spread_bar
from treecore.export.code import TEMPLATES, in_script, tables
from treecore.export.format import ExportRequest
from treecore.export.modules import WORKBENCH, as_constant, styles
from treecore.export.pictures import top_picture
from treecore.export.portable import Portable
from treecore.export.row_sample import row_sample
from treecore.export.worked_example import WorkedExample, worked_example_of
from treecore.figures import brief, count, in_unit, percent
from treecore.judging.interest import (
    Interest,
    altered_words,
    around_zero,
    interest_of,
    observed_shares,
    tint,
    weighted_words,
)
from treecore.judging.losses import OWN
from treecore.kernels.codes import SHARED, STAYS
from treecore.pruning.sequence import sequence
from treecore.study.node_targets import targets_by_role
from treecore.study.survival_curves import has_curves, rows_of_nodes, small_curves
from treecore.tree.node import NodeView, headline
from treecore.tree.short_text import Places, apart
from treecore.tree.tree import Tree

MOST_NODES, MOST_SIZED = 20_000, 2_000
"""Nodes of a page, and leaves of a tree whose size can be dragged on it."""
SCRIPTS = ("figures.js", "walk.js", "reader.js", "rows.js", "cards.js", "screen.js", "present.js", "page.js")
AS_DATA = ("TREE", "SAID")
"""The long constants: read as JSON, which takes half the time of reading them as a script."""
NOTHING = {"ROWS": "null", "EXAMPLE": "null"}
"""Constants of a page without rows and without an example."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
{css}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{figures}<button id="few">Fold</button><button id="all">Open all</button>
</header>
<main><div id="canvas"></div></main>
<aside>
<div role="tablist" aria-label="Beside the tree">
<button role="tab" id="tab-if" aria-controls="pane-if" aria-selected="true">Ask</button>
<button role="tab" id="tab-rules" aria-controls="pane-rules" aria-selected="false" tabindex="-1">Rules</button>
<button role="tab" id="tab-segments" aria-controls="pane-segments" aria-selected="false" tabindex="-1">Segments</button>
<button role="tab" id="tab-regions" aria-controls="pane-regions" aria-selected="false" tabindex="-1">Regions</button>
<button role="tab" id="tab-rows" aria-controls="pane-rows" aria-selected="false" tabindex="-1" hidden>Rows</button>
<button role="tab" id="tab-steps" aria-controls="pane-steps" aria-selected="false" tabindex="-1" hidden>Steps</button>
</div>
<div role="tabpanel" id="pane-if" aria-labelledby="tab-if">
<h2>What if</h2>
<div class="said" id="answer" role="status"></div>
<div id="sure"></div>
<ul id="parts"></ul>
<form id="form"></form>
<h2>The node</h2>
<div id="node"></div>
</div>
<div role="tabpanel" id="pane-rules" aria-labelledby="tab-rules" hidden>
<input id="rulefind" type="search" placeholder="Find a rule" aria-label="Find a rule">
<p id="rulemore" role="status"></p>
<ul id="rulelist"></ul>
</div>
<div role="tabpanel" id="pane-segments" aria-labelledby="tab-segments" hidden>
<label id="segmentof">Class <select id="segmentclass"></select></label>
<svg id="skyline" viewBox="0 0 300 120" role="img"
 aria-label="Segments, the highest first, as wide as they have rows"></svg>
<p id="segmentbase"></p><table id="segmentlist"></table>
</div>
<div role="tabpanel" id="pane-regions" aria-labelledby="tab-regions" hidden>
<label>Across <select id="axisx"></select></label><label>Up <select id="axisy"></select></label>
<canvas id="plane" width="260" height="260" role="img"></canvas>
<p id="planesaid" role="status"></p><p id="planekey"></p>
<p>The other features stand as they do under Ask; what is empty there is not known.</p>
</div>
<div role="tabpanel" id="pane-rows" aria-labelledby="tab-rows" hidden>
<p id="rowsof"></p>
<input id="rowfind" type="search" placeholder="Find a row" aria-label="Find a row">
<p id="rowmore" role="status"></p>
<div id="rowscroll" tabindex="0" role="region" aria-label="Rows of the node"><table id="rowlist"></table></div>
</div>
<div role="tabpanel" id="pane-steps" aria-labelledby="tab-steps" hidden></div>
</aside>
<dialog id="stage" aria-labelledby="stagetitle" tabindex="-1">
<div id="caption" tabindex="0" role="group" aria-label="About this step"><h2 id="stagetitle"></h2>
<div id="stagetext" role="status"></div></div>
<div id="scene"><div id="grown"></div></div>
<div id="walk" role="group" aria-label="Steps">
<button id="first">First</button><button id="back">Back</button><span id="stageat"></span>
<button id="forwards" autofocus>Forwards</button><button id="last">Last</button>
<select id="which" aria-label="What is presented" hidden>
<option value="example">Worked example</option><option value="growth">Split by split</option>
</select><button id="end">End</button>
</div>
</dialog>
<script type="application/json" id="tree">{data}</script>
<script>
"use strict";
{script}
</script>
</body>
</html>
"""


def to_page(given: ExportRequest) -> str:
    """The whole file; it asks for nothing outside of itself."""
    tree, rows = given.tree, row_sample(given)
    leaves = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    title = visible(f"{tree.schema.target} of {given.name}: a decision tree of {leaves}")
    figures = f"<small>{escape(tree.figures_told.strip())}</small>\n" if tree.figures_told else ""
    constants = {
        "TREE": _asked_tables(tree),
        "SAID": _nodes(tree, given.looked_for, given.rows),
        "DIFFER": [[text, list(at)] for text, at in _places(tree).items()],
        "NOUN": tree.target_kind.noun,
        "SCALE": _scale(tree),
        "NAMES": [visible(name) for name in tree.class_names],
        "LOOKED_FOR": -1 if given.looked_for is None else given.looked_for.k,
        "WEIGHTED": weighted_words(tree),
        "SIZES": _sizes(tree),
        "ROWS": rows,
        "EXAMPLE": _example(worked_example_of(given)),
    }
    return filled_page(escape(title), figures, {name: in_script(value) for name, value in constants.items()})


def _scale(tree: Tree) -> dict:
    """How answers are printed, as Target.figure_text does it, for those that the page reckons itself.

    unit : what stands before and behind one. signed : of effects, what stands behind a number with its sign, else null.
    """
    kind = tree.target_kind
    return {
        "units": kind.units_shown(tree), "name": visible(kind.scale_name(tree)), "digits": kind.answer_digits(tree),
        "signed": kind.signed_unit, "unit": visible(in_unit("1", tree.schema.target_unit)).split("1"),
    }  # fmt: skip


def filled_page(title: str, figures: str, constants: Mapping[str, str]) -> str:
    """The file around a tree. title, figures : HTML. constants : what its scripts know of the tree, name -> literal."""
    constants = NOTHING | dict(constants)
    data = ", ".join(f'"{name}": {constants[name]}' for name in AS_DATA)
    script = "\n".join(
        [
            f"const {{ {', '.join(AS_DATA)} }} = JSON.parse(document.getElementById('tree').textContent);",
            f"const STAYS = {STAYS}, SHARED = {SHARED};",
            *(f"const {name} = {value};" for name, value in constants.items() if name not in AS_DATA),
            f"const WORDS = {in_script(WORDS)};",
            canvas_script(),
            *((TEMPLATES / name).read_text("utf-8") for name in SCRIPTS),
        ]
    )
    css = (TEMPLATES / "page.css").read_text("utf-8")
    return _PAGE.format(title=title, figures=figures, css=css, data=f"{{{data}}}", script=script)


def canvas_script() -> str:
    """The canvas for a page of one file: Canvas, its parts, and STYLES, its style sheet in the colours of the page."""
    css = styles(WORKBENCH / "bench.css", WORKBENCH / "dock.css", TEMPLATES / "canvas.css")
    return f"const STYLES = {in_script(css)};\n{as_constant('Canvas', WORKBENCH / 'reader.js')}"


def _places(tree: Tree) -> Places:
    """Where names of the tree differ that begin alike: of features asked for, of classes, of levels beside branches."""
    views = [tree.node(t) for t in range(tree.n_nodes)]
    levels = (level for view in views for level in view.branch_levels)
    return apart((view.feature or "" for view in views), tree.class_names, levels)


def _nodes(tree: Tree, interest: Interest | None, rows: Table | None = None) -> list[dict]:
    """What the page says of every node, in full: where there is little room the canvas cuts it. rows : the training
    rows, of which surrogates sent some here or there."""
    below = (tree.add_up(np.ones(tree.n_nodes, np.int64)) - 1).tolist()
    trained_on = ExportRequest(tree, rows=rows).trained_on
    came, rest = missing_marks(tree, trained_on)
    routes = [{"came": came.get(t), "alone": only_missing(tree, t), "rest": rest.get(t)} for t in range(tree.n_nodes)]
    views = [tree.node(t) for t in range(tree.n_nodes)]
    rates = _Rates(tree, interest)
    told = [_describe_node(view, below[view.id]) | routes[view.id] | rates.of(view.id) for view in views]
    for node, curve in _curves(tree, rows).items():
        told[node]["curve"] = curve
    for node, bar in _spreads(tree, trained_on).items():
        told[node]["spread"] = [round(place, 4) for place in (bar.band[0], bar.value, bar.band[1])]
        told[node]["figures"] += [["bar", visible(bar.told)]] if bar.told else []
    return told


def _curves(tree: Tree, rows: Table | None) -> dict[int, dict]:
    """Node -> the curve of its training rows, of survival times; the root has the ends of both axes in words."""
    if rows is None or tree.n_nodes > MOST_SIZED or not has_curves(tree):
        return {}
    of_nodes, none = rows_of_nodes(tree, rows), np.empty(0, np.int64)
    found = small_curves(tree, rows, lambda node: of_nodes.get(node, none), of_nodes)
    result = {node: {"shares": shares} for node, shares in found.shares.items()}
    words = {"last": brief(found.last), "time": visible(found.time), "event": visible(found.event)}
    return result | ({0: result[0] | words} if 0 in result else {})


def _spreads(tree: Tree, rows: Table | None) -> dict[int, Bar]:
    """Node -> the bar of its training rows, where more than an answer is drawn: its band lies to either side of it."""
    if tree.lines is not None:  # statistics of a node say nothing of what its line answers
        return {}
    targets = {} if rows is None else targets_by_role(tree, {"train": rows})
    low, high = float(tree.value.min()), float(tree.value.max())
    bars = {t: node_bar(tree, t, tree.figures_of, tree.stats[t], low, high) for t in range(tree.n_nodes)}
    if targets:  # of quantiles and Huber means
        bars = {t: spread_bar(bar, tree, targets["train"], t, tree.value) for t, bar in bars.items()}
    return {t: bar for t, bar in bars.items() if bar.band is not None}


def _example(example: WorkedExample | None) -> dict | None:
    """The steps as the page walks them; a tree that several of them show is there once."""
    if example is None:
        return None
    trees: dict[str, tuple[int, dict]] = {}
    steps = []
    for step in example.steps:
        tree = step.tree
        key = json.dumps(tree.to_dict(gaps=True))
        if key not in trees:
            children = [[] if tree.is_leaf[t] else list(map(int, tree.children(t))) for t in range(tree.n_nodes)]
            interest = interest_of(tree, None)
            trees[key] = len(trees), {
                "said": _nodes(tree, interest), "children": children,
                "interest": -1 if interest is None else interest.k, "answers": [] if tree.classes else _answers(tree),
            }  # fmt: skip
        steps.append(step.in_words() | {"tree": trees[key][0], "made": step.made, "node": step.node})
    return {"label": visible(example.label), "trees": [tree for _, tree in trees.values()], "steps": steps}


def _asked_tables(tree: Tree) -> dict:
    """The tree's tables; of features that it does not ask for neither name nor levels, which may name persons."""
    portable, made = Portable(tree), tables(tree)
    asked = {question.feature for node in portable.nodes for question in node.questions} | set(portable.used)
    asked |= set() if tree.lines is None else set(tree.lines.used.tolist())
    nothing = {"name": "", "kind": "number", "levels": []}
    made["features"] = [feature if f in asked else nothing for f, feature in enumerate(made["features"])]
    if tree.lines is not None:  # what sums a leaf up, by which segments and colours are put in order
        answers = [tree.classes[k] if k >= 0 else None for k in tree.summary] if tree.classes else _answers(tree)
        for node, answer in zip(made["nodes"], answers, strict=True):
            node["answer"] = answer
    return made


def _answers(tree: Tree) -> list[float | None]:
    """The number that sums up each node."""
    return [None if math.isnan(value) else value for value in tree.summary.tolist()]


def _sizes(tree: Tree) -> dict | None:
    """The nested subtrees of cost-complexity pruning; None where there are none, or more than one drags through.

    leaves, risk, told : of every step, the risk in print as well. name : what it is. step, until : of every node, as of
    a Sequence. at : the step it opens at.
    """
    if tree.n_nodes == 1 or tree.n_leaves > MOST_SIZED:
        return None
    # of a rare class no split may change the answers, while the impurity falls
    by = "impurity" if tree.classes and tree.loss is None else OWN
    try:
        result = sequence(tree, risk=by)
    except TreecoreError:  # of a tree whose figures are not those of its training rows
        return None
    risk, named = result.risk.tolist(), CRITERIA[tree.criterion].label
    if by == OWN and result.unit == "error rate":
        named, told = "error rate", [percent(value) for value in risk]
    elif by == OWN:
        named = tree.target_kind.loss_shown(tree, 0.0)[0]
        told = [tree.target_kind.loss_shown(tree, value)[1] for value in risk]
        risk = [tree.target_kind.loss_figure(value) for value in risk]
    else:
        told = [brief(value) for value in risk]
    return {
        "leaves": result.n_leaves.tolist(), "risk": [float(f"{value:.6g}") for value in risk],
        "name": visible(named), "told": list(map(visible, told)),
        "step": result.step.tolist(), "until": result.until.tolist(), "at": 0,
    }  # fmt: skip


class _Rates:
    """What every node tells of its classes: their shares among its training rows as they are, and its colour."""

    def __init__(self, tree: Tree, interest: Interest | None):
        self.tree, self.interest = tree, interest
        self.shares = observed_shares(tree) if tree.classes else None

    def of(self, node: int) -> dict:
        """counted : shares, None for no answer. tint : class and depth."""
        if self.shares is None:
            own = around_zero(self.tree, float(self.tree.summary[node]))
            return {} if own is None else {"tint": [own.k, round(own.depth, 3)]}
        about = self.shares[node].tolist(), int(self.tree.summary[node])
        tinted = tint(*about, self.interest)
        depth = tinted.depth * (1.0 if tinted.diverging or self.tree.is_leaf[node] else 0.5)
        return {
            "counted": None if np.isnan(about[0]).any() else about[0],
            "tint": [tinted.k, round(depth, 3)],
        }


def why_not_page(given: ExportRequest) -> str:
    """A browser draws some thousands of nodes."""
    n = given.tree.n_nodes
    return f"{n} nodes are too many for one page (at most {MOST_NODES}): prune the tree" if n > MOST_NODES else ""


def _describe_node(view: NodeView, below: int) -> dict:
    """What the page says of a node, as text that can be seen. answer : on a card, where it says it in other words.
    branch : what leads here, where that is not the condition less what the parent asks for."""
    kind, condition = view.tree.target_kind, visible(view.condition)
    rows = f"{count(view.weight, ',')} rows"
    does = f"leaf, {view.predicted}" if view.is_leaf else f"asks for {view.feature}; here {view.predicted}"
    impurity, altered = CRITERIA[view.tree.criterion].label, altered_words(view.tree)
    impurity += f" (rows weighed anew by {altered})" if altered else ""
    figures = [("rows", count(view.weight, ","))]
    figures += [(impurity, brief(view.impurity))] if kind.tells_impurity else []
    if view.tree.criterion == "squared_error":
        figures.insert(1, ("standard deviation", deviation_text(view.tree, view.impurity)))
    if not view.is_leaf:
        figures.append(("gain", brief(view.gain)))
    for name, weight in zip(view.tree.class_names, view.counts.values(), strict=True):
        share = percent(weight / view.weight) if view.weight > 0 else "–"
        figures.append((visible(name), f"{count(weight, ',')} ({share})"))
    figures += kind.details(view.tree, view.id)
    per, answer = float(kind.per_of(view.tree.stats[view.id])), visible(kind.card_text(view.tree, view.id))
    split = {"asks": visible(view.feature or ""), "gain": brief(view.gain)} if not view.is_leaf else {}
    split |= {"answer": answer} if answer != visible(view.predicted) else {}
    parent = int(view.tree.parent[view.id])
    if parent >= 0 and not condition.startswith(f"{visible(view.tree.node(parent).feature or '')} "):
        split["branch"] = visible(view.branch)
    return (
        ({} if per == view.weight else {"per": per})
        | split
        | {
            "condition": condition,
            "spoken": visible(f"Node {view.id}: {view.condition or 'all rows'}; {does}; {rows}"),
            "predicted": visible(view.predicted),
            **_line(view),
            "rows": count(view.weight, ","),
            "weight": view.weight,
            "below": below,
            "figures": [[visible(name), value] for name, value in figures],
        }
    )


def _line(view: NodeView) -> dict:
    """brief : what sums a node up that answers with a line. line : how the answer of a leaf changes."""
    tree, kind = view.tree, view.tree.target_kind
    if tree.lines is None:
        return {}
    changes = kind.card_line(tree, view.id)
    return {"brief": kind.card_text(tree, view.id)} | ({"line": visible(changes)} if changes else {})


# A tree in a notebook: a picture of its top, and where scripts run the page on which it can be opened and searched.

MOST_DRAWN = 40
"""Nodes of the picture."""
MOST_ON_PAGE = 2_000
"""Nodes of a page within a notebook, which keeps it as part of its file: about a megabyte."""
_HTML = """<div id="{id}" aria-label="{alt}">{instead}</div>
<script>
(() => {{
  const here = document.getElementById("{id}"), page = document.createElement("iframe");
  page.setAttribute("sandbox", "allow-scripts");
  page.style.cssText = "width: 100%; height: 560px; border: 0";
  page.title = here.getAttribute("aria-label");
  page.srcdoc = {page};
  here.replaceChildren(page);
}})();
</script>
"""


def picture(tree: Tree) -> str:
    """SVG of the nodes of the top."""
    return top_picture(tree, MOST_DRAWN)


def interactive(tree: Tree) -> str | None:
    """HTML: the picture, in whose place a script puts the page. None of a large tree."""
    if tree.n_nodes > MOST_ON_PAGE:
        return None
    alt = escape(visible(f"Decision tree, {headline(tree)}"), quote=True)
    data = base64.b64encode(picture(tree).encode("utf-8")).decode("ascii")
    instead = f'<img alt="{alt}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'
    return _HTML.format(
        id=f"treecore-{uuid4().hex}", alt=alt, instead=instead, page=in_script(to_page(ExportRequest(tree)))
    )
