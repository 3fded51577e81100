"""Tools for an assistant over the Model Context Protocol, on standard input and output, and the workbench that they
work with.
"""

import base64
import json
import warnings
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from threading import Lock

import numpy as np

import treecore as tc
from treecore.brief import visible
from treecore.command_line.files import read_rows
from treecore.data.read import build_table
from treecore.data.readers import read_raw
from treecore.data.target_guess import why_target
from treecore.errors import TreecoreError
from treecore.explaining.why_node import why_node
from treecore.export.cards import PALETTE
from treecore.export.formats import FORMATS
from treecore.export.pictures import palette_png
from treecore.figures import brief
from treecore.fit import edit_of, take_of
from treecore.predicting.batch import rows_of
from treecore.recipe import Grow, Prune, Recipe, Split, Take, own_pruning
from treecore.study.metrics import score
from treecore.study.plane import default_fixed, plot_ranges
from treecore.study.regions import NO_ANSWER, SHADES, raster, regions
from treecore.tree.node import headline, tree_text

# What an assistant works with: tables it was given, one open, one tree of it, and every step as a line of a recipe.

Setting = int | float | str | bool
MOST_LETTERS = 12_000
MOST_ROWS, MOST_FILES, MOST_COLUMNS = 200, 500, 60
WIDE, HIGH = 480, 360


class Workbench:
    """Files that may be read, and what was made of one of them. Nothing is written; TreecoreError says what is wrong.

    files : paths of tables, or folders whose files are tables; no other file is opened.
    """

    def __init__(self, files: Sequence[str]):
        self.files: dict[str, Path] = {}
        for given in map(Path, files):
            if not given.exists():
                raise TreecoreError("There is no such file", where=str(given), remedy="Check the name of the file")
            inside = sorted(path for path in given.iterdir() if path.is_file()) if given.is_dir() else [given]
            for path in inside[:MOST_FILES]:
                self.files.setdefault(path.name, path)
        self.table: tc.Table | None = None
        self.steps: tuple = ()
        self._fit: tc.Fit | None = None

    def tables(self) -> str:
        """The files that can be opened, by name."""
        lines = [f"{name}  {path.stat().st_size:,} bytes" for name, path in self.files.items()]
        return "\n".join(lines) or "No file was given: start `treecore mcp` with files or folders of tables."

    def open(
        self, name: str, target: str | None = None, part: str | None = None, kinds: dict[str, str] | None = None
    ) -> str:
        """Open a file as a table. target: the column to predict, else a likely one. part: a sheet of a workbook, or a
        file in an archive. kinds: column -> numeric, nominal, ordinal or boolean, else found out."""
        if name not in self.files:
            listed = ", ".join(list(self.files)[:20]) or "none"
            raise TreecoreError("This file was not given", where=name, remedy=f"Open one of: {listed}")
        raw = read_rows(str(self.files[name]), part)
        why = ""
        if target is None:
            guess = why_target(raw.guesses)
            target, why = guess.name, f"\ntarget chosen: {guess.name}. {guess.reason_alone}" if guess.name else ""
        table = build_table(raw, target=target, kinds=kinds)
        self.table = table.without_missing_target() if target else table
        self.steps, self._fit = (), None
        return self.describe() + why

    def describe(self) -> str:
        """The open table: rows, columns with their kinds and values, missing ones, and notes of reading."""
        table = self._table()
        return "\n".join([str(table), "", *(f"note: {note}" for note in table.notes[:20])])

    def grow(
        self,
        preset: str = "cart",
        settings: dict[str, Setting] | None = None,
        validation: float = 0.2,
        test: float = 0.2,
        seed: int = 0,
    ) -> str:
        """Grow a tree of the open table, with the preset's own pruning. preset: cart, c4.5, id3, chaid, ctree, rpart,
        j48 and others. settings: such as {"max_depth": 4, "min_rows_leaf": 20}. validation, test: shares of the rows
        that do not train."""
        self._table()
        grower = Grow(preset, tuple(sorted((settings or {}).items())))
        train = round(1.0 - validation - test, 12)
        return self._do((Split(train=train, validation=validation, test=test, seed=seed), grower, own_pruning(preset)))

    def prune(self, method: str = "cost_complexity", parameters: dict[str, Setting] | None = None) -> str:
        """Prune the tree otherwise. method: cost_complexity, reduced_error, pessimistic, error_based and others."""
        self._fitted()
        return self._do((*self._unpruned(), Prune(method, tuple(sorted((parameters or {}).items())))))

    def take(self, node: int, rank: int) -> str:
        """Split a node by another of its rivals, by its rank in their list; what is below it grows anew."""
        fit = self._fitted()
        ranked = tc.candidates(fit.grown, self._node(node), fit.train).ranked
        if not 1 <= rank <= len(ranked):
            what = f"Node {node} has {len(ranked)} possible splits"
            raise TreecoreError(what, where="rank", remedy="Give a place in the list of `rivals`, from 1 on")
        pruning = [step for step in self.steps if isinstance(step, Prune)]
        return self._do((*self._unpruned(), take_of(fit.grown, node, ranked[rank - 1]), *pruning))

    def undo(self) -> str:
        """Take the last split by hand back."""
        takes = [place for place, step in enumerate(self.steps) if isinstance(step, Take)]
        if not takes:
            raise TreecoreError("No split was taken by hand", where="undo", remedy="Grow or prune anew instead")
        return self._do(self.steps[: takes[-1]] + self.steps[takes[-1] + 1 :])

    def show(self, depth: int | None = None) -> str:
        """The tree as an indented outline; [7] is the number of a node that other tools take. depth: levels to show."""
        fit = self._fitted()
        ids = fit.cuts.standing(fit.grown)
        lines = None if depth is not None else 60
        return _short(f"{headline(fit.tree)}\n{tree_text(fit.tree, depth, lines, ids)}", "give a smaller depth")

    def picture(self) -> bytes:
        """The tree as a picture (PNG)."""
        return tc.export(self._fitted().tree, "png", scale=1)

    def figures(self) -> str:
        """How well the tree answers the rows of each role."""
        fit, lines = self._fitted(), []
        for role, rows in (("training", fit.train), ("validation", fit.validation), ("test", fit.test)):
            if rows is not None and rows.n_rows:
                result = score(fit.tree, rows)
                lines.append(f"{role}: {_answered(result)} on {result.n_rows:,} rows")
        return "\n".join(lines)

    def why(self, node: int) -> str:
        """What the rows of a node are, why it is split as it is, and why it stands or was pruned."""
        fit = self._fitted()
        tree, view = fit.grown, fit.grown.node(self._node(node))
        taken = {step.path for step in self.steps if isinstance(step, Take)}
        by_hand = edit_of(tree, node, "cut").path in taken
        lines = [f"node {node}: {view.rule}", f"{view.n_rows:,} training rows"]
        lines += why_node(tree, node, fit.cuts, tc.candidates(tree, node, fit.train), by_hand, fit.train)
        return _short("\n".join(map(visible, lines)), "")

    def rivals(self, node: int, limit: int = 10) -> str:
        """The splits that are possible at a node, the best first, with gain and rows."""
        fit = self._fitted()
        lines = str(tc.candidates(fit.grown, self._node(node), fit.train)).split("\n")
        head = next((place for place, line in enumerate(lines) if line.strip().startswith("1 ")), 0)
        return _short("\n".join(lines[: head + max(limit, 1)]), "give a smaller limit")

    def curve(self) -> str:
        """The nested subtrees of cost-complexity pruning: leaves, alpha, error on training and validation rows."""
        fit = self._fitted()
        result = tc.sequence(fit.grown)
        validation = result.curve(fit.validation) if fit.validation.n_rows else None
        lines = ["leaves  alpha  training  validation"]
        for step, n_leaves in enumerate(result.n_leaves.tolist()):
            judged = "-" if validation is None else brief(float(validation[step]))
            lines.append(f"{n_leaves}  {brief(float(result.alpha[step]))}  {brief(float(result.risk[step]))}  {judged}")
        return _short("\n".join(lines), "prune with max_depth first")

    def segments(self, class_of_interest: str | None = None) -> str:
        """The leaves, riskiest first: rule, rows, rate, lift."""
        fit = self._fitted()
        rows = fit.validation if fit.validation.n_rows else None
        frame = tc.segments(fit.tree, rows, class_of_interest).to_frame()
        frame["leaf"] = self._shown(frame["leaf"])
        return _short(frame.to_csv(index=False, float_format="%.4g"), "prune the tree")

    def rules(self) -> str:
        """A rule for every leaf."""
        return _short(str(tc.rules(self._fitted().tree)), "prune the tree")

    def export(self, format: str, options: dict[str, Setting] | None = None) -> str:
        """The tree as sql, python, javascript, json, dot, pmml, rules_markdown and others."""
        made = tc.export(self._fitted().tree, format, **(options or {}))
        if isinstance(made, bytes):
            try:
                made = made.decode()
            except UnicodeDecodeError:
                texts = ", ".join(name for name in FORMATS if name not in ("png", "pdf", "onnx"))
                remedy = f"Use picture for a PNG, the command `treecore export`, or one of: {texts}"
                raise TreecoreError(f"{FORMATS[format].label} is no text", where="format", remedy=remedy) from None
        if len(made) > 8 * MOST_LETTERS:
            what = f"It has {len(made):,} letters, more than {8 * MOST_LETTERS:,}"
            raise TreecoreError(what, where="export", remedy="Prune the tree, or use the command `treecore export`")
        return made

    def predict(self, rows: list[dict[str, Setting | None]]) -> str:
        """Answers for rows, each {column: value}: answer, shares of the classes, leaf, rule. What is not named is
        missing."""
        tree = self._fitted().tree
        if not 0 < len(rows) <= MOST_ROWS:
            remedy = f"Give 1 to {MOST_ROWS}; the command `treecore predict` answers files"
            raise TreecoreError(f"There are {len(rows):,} rows", where="rows", remedy=remedy)
        names = [tree.schema.features[place].name for place in tree.schema.own]
        unknown = next((name for row in rows for name in row if name not in (*names, tree.schema.target)), None)
        if unknown is not None:
            raise TreecoreError(
                f"The tree knows no column {unknown!r}", where="rows", remedy=f"Columns are: {', '.join(names[:50])}"
            )
        whole = [{name: row.get(name) for name in names} for row in rows]
        table = rows_of(tree, read_raw(json.dumps(whole).encode(), name="rows"))
        answers = tc.answers(tree, table, rule=True)
        answers["leaf"] = self._shown(answers["leaf"])
        return _short(answers.to_csv(index=False), "give fewer rows")

    def regions(self, x: str, y: str) -> tuple[str, bytes]:
        """What the tree answers over two features, the others at typical values: a picture (PNG), and what its colours
        and edges mean."""
        fit = self._fitted()
        result = regions(fit.tree, x, y, default_fixed(fit.tree, fit.train), plot_ranges((x, y), fit.train))
        index = raster(result, WIDE, HIGH)
        rgba = np.full((256, 4), 255, np.uint8)
        rgba[NO_ANSWER, 3] = 0
        if result.classes:
            colors = [PALETTE[k % len(PALETTE)] for k in range(min(len(result.classes), SHADES))]
            for k, color in enumerate(colors):
                rgba[k, :3] = tuple(bytes.fromhex(color.removeprefix("#")))
            named = ", ".join(f"{name} {color}" for name, color in zip(result.classes, colors, strict=False))
        else:
            rgba[:SHADES, 0] = rgba[:SHADES, 1] = np.linspace(230, 20, SHADES)
            named = f"light {brief(result.limits[0])} to dark {brief(result.limits[1])}"
        axes = "; ".join(
            f"{way}: {axis.name} from {brief(axis.low)} to {brief(axis.high)}"
            for way, axis in (("left to right", result.x), ("bottom to top", result.y))
        )
        png = base64.b64decode(palette_png(index, rgba).partition(",")[2])
        return visible(f"{len(result)} regions. Colours: {named}. {axes}. Other features: at typical values."), png

    def recipe(self) -> str:
        """All steps so far as JSON: the app and tc.fit make the same tree of it."""
        self._fitted()
        return Recipe(self.steps).to_json()

    def _table(self) -> tc.Table:
        if self.table is None:
            raise TreecoreError("No table is open", where="table", remedy="Open one of `tables` first")
        return self.table

    def _fitted(self) -> tc.Fit:
        self._table()
        if self._fit is None:
            raise TreecoreError("There is no tree", where="tree", remedy="Grow one first")
        return self._fit

    def _node(self, node: int) -> int:
        n = self._fitted().grown.n_nodes
        if not 0 <= node < n:
            remedy = "Give a number that `show` has in brackets"
            raise TreecoreError(f"The tree has no node {node}", where="node", remedy=remedy)
        return node

    def _shown(self, leaves) -> np.ndarray:
        """The numbers that `show` has for nodes of the pruned tree: those of the grown one."""
        fit = self._fitted()
        return fit.cuts.standing(fit.grown)[np.asarray(leaves, np.int64)]

    def _unpruned(self) -> tuple:
        return tuple(step for step in self.steps if not isinstance(step, Prune))

    def _do(self, steps: tuple) -> str:
        """Follow these steps; the former ones hold where they cannot be followed."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._fit = tc.fit(self._table(), Recipe(steps))
        self.steps = steps
        return f"{self.figures()}\n\n{self.show()}"


def _answered(found) -> str:
    head = found.headline
    return f"{head.name} {head.told(head.value)} ({head.root}: {head.told(head.baseline)})"


def _short(text: str, remedy: str) -> str:
    """The text, cut at a line where it is long, which is said."""
    if len(text) <= MOST_LETTERS:
        return text
    end = text.rfind("\n", 0, MOST_LETTERS)
    more = f": {remedy}" if remedy else ""
    return f"{text[: end if end > 0 else MOST_LETTERS]}\n… {len(text) - end:,} more letters{more}."


INSTRUCTIONS = """Grow decision trees from the user's tables and explain them. Call tables, open one (with the target,
if it is known), then grow. Nodes have numbers, in brackets in the outline. Figures of validation and test rows say how
well a tree answers; those of training rows do not. Nothing is written: recipe gives all steps as JSON to keep."""
TOOLS = (
    *("tables", "open", "describe", "grow", "show", "picture", "figures", "why", "rivals", "take", "undo", "prune"),
    *("curve", "segments", "regions", "rules", "export", "predict", "recipe"),
)
"""Methods of Workbench: their signatures and docstrings are what an assistant is told."""


def mcp(given: Namespace) -> None:
    """Serve until the input ends."""
    server(Workbench(given.files)).run("stdio")


def server(bench: Workbench):
    """The server with its tools; TreecoreError where the package mcp is not installed."""
    try:
        from mcp.server.mcpserver import Image, MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError:
        remedy = "Install it: pip install 'treecore[mcp]'"
        raise TreecoreError("The package mcp is not installed", where="treecore mcp", remedy=remedy) from None
    made, lock = MCPServer("treecore", instructions=INSTRUCTIONS, log_level="ERROR"), Lock()

    def shown(result):
        if isinstance(result, tuple):
            return [shown(part) for part in result]
        return Image(data=result, format="png") if isinstance(result, bytes) else result

    def tool(method: Callable) -> Callable:
        """One call at a time, with faults said as the library does."""

        @wraps(method)
        def called(*given, **named):
            try:
                with lock:
                    return shown(method(*given, **named))
            except TreecoreError as fault:
                raise ToolError(str(fault)) from None

        return called

    for name in TOOLS:
        reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        made.tool(annotations=reads, structured_output=False)(tool(getattr(bench, name)))
    return made
