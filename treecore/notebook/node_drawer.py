"""Beside the canvas: why the selected node is as it is, the splits that lost there, its rows."""

import math
from typing import Any

import numpy as np

from treecore.errors import TreecoreError
from treecore.explaining.node_arithmetic import own_candidate
from treecore.explaining.why_node import why_node
from treecore.export.cards import PALETTE
from treecore.export.portable import Portable
from treecore.figures import counted
from treecore.fit import edit_of
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.landscape import Landscape, landscape
from treecore.judging.interest import interest_of
from treecore.notebook.exploration import Exploration
from treecore.predicting.decision_path import asked_features, row_values, story
from treecore.recipe import Take
from treecore.tree.schema import FeatureSchema
from treecore.tree.short_text import apart, shorten
from treecore.view import rivals
from treecore.view.labels import competes_by
from treecore.view.rivals import cut_picture

TABS = (
    ("why", "Why", "What the rows of the node are, and why it is split so"),
    ("rivals", "Rivals", "The splits that were possible here: take another one"),
    ("rows", "Rows", "The rows of the node"),
    ("what_if", "What if", "A row of the node, with other values: what the tree answers then"),
)
MOST_BARS, MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 60, 100, 60, 60
LAST = 2
"""Steps of the recipe that are always in sight."""
MOST_FIELDS, MOST_LEVELS, MOST_ENDS = 40, 200, 4
WORDS = {
    "open": "Why, rivals and rows of the selected node", "close": "Close", "row": "Row", "reset": "Reset row",
    "unknown": "not known",
}  # fmt: skip


class NodeDrawer:
    """What stands there. tab : of TABS, "" while it is closed. interest : the class that is looked for.

    row, typed : of What if, the row's place in the node, from 1, and what was typed over its values, by feature.
    """

    def __init__(self, explored: Exploration, interest: str | None = None):
        self.explored, self.interest, self.tab = explored, interest, "why"
        self.row = 1
        self.typed: dict[str, Any] = {}
        self._offered: tuple[int, Take] | None = None
        self._asked: Portable | None = None

    def turn(self, tab) -> None:
        if isinstance(tab, str) and tab in ("", *(name for name, *_ in TABS)):
            self.tab = tab

    def offered(self, node: int) -> Take | None:
        """The split that was last pointed at, if it was one of this node, as it still is."""
        if self._offered is None or self._offered[0] != node:
            return None
        take = self._offered[1]
        grown = self.explored.grown
        return take if take.expect == (grown.node(node).feature or "") else None

    def pick(self, node: int, told: dict) -> None:
        """A bar, or a place of the handle along one feature's cuts."""
        split = self._picked(node, told)
        take = None if split is None or split.chosen else self._taken(node, split)
        self._offered = None if take is None else (node, take)

    def ask(self, told: dict) -> None:
        """Another row of the node, with its own values; or another value of it."""
        number, at = told.get("row"), told.get("at")
        if type(number) is int:
            self.row, self.typed = max(1, min(number, 2**31)), {}
            return
        names = asked_features(self._portable())[:MOST_FIELDS]
        if type(at) is not int or not 0 <= at < len(names):
            return
        feature = {part.name: part for part in self.explored.tree.schema.features}[names[at]]
        value = told.get("value")
        if feature.by_number:
            is_number = type(value) in (int, float) and math.isfinite(value)
            self.typed[names[at]] = float(value) if is_number else None
        else:
            self.typed[names[at]] = value if value in feature.levels else None

    def _picked(self, node: int, told: dict) -> Candidate | None:
        result, at = self.explored.candidates(node), told.get("at")
        if result is None:
            return None
        if told.get("kind") == "rival":
            shown = self._bars(result)
            return shown[at] if type(at) is int and 0 <= at < len(shown) else None
        feature, number, place = (told.get(name) for name in ("feature", "threshold", "place"))
        if told.get("kind") != "cut" or not isinstance(feature, str):
            return None
        is_number = isinstance(number, int | float) and math.isfinite(number)
        try:
            scape = self._landscape(node)
            return scape.candidate(feature, float(number) if is_number else None, place if type(place) is int else -1)
        except TreecoreError:
            return None

    def _taken(self, node: int, split: Candidate) -> Take | None:
        return rivals.taken(self.explored.grown, node, split) if self.explored.regrows else None

    def _bars(self, found: Candidates) -> tuple[Candidate, ...]:
        tree, train = self.explored.grown, self.explored.train
        return rivals.best_of_each(tree, found, lambda: own_candidate(tree, found.node, found, train))[:MOST_BARS]

    def _landscape(self, node: int) -> Landscape:
        tree, train = self.explored.grown, self.explored.train
        return self.explored.fact(("landscape", node), lambda: landscape(tree, node, train))

    # ------------------------------------------------------------ as plain data

    def content(self, node: int) -> dict:
        """What the browser shows; texts are text there, never markup."""
        lines = self.explored.recipe.lines(self.explored.grown)
        made = {"node": node, "tab": self.tab, "title": f"Node {node}", "words": WORDS}
        last = " → ".join(lines[-LAST:])
        made |= {"recipe": f"… → {last}" if len(lines) > LAST else last, "all": " → ".join(lines)}
        made["tabs"] = [list(tab) for tab in TABS if tab[0] == "why" or self.explored.train is not None]
        if self.tab == "why":
            made["lines"] = self._why(node)
        elif self.tab == "rivals":
            made |= self._rivals(node)
        elif self.tab == "rows":
            made["rows"] = self._rows(node)
        elif self.tab == "what_if":
            made |= self._what_if(node)
        return made

    def _why(self, node: int) -> list[str]:
        explored, tree = self.explored, self.explored.grown
        result = explored.candidates(node) if explored.regrows else None
        paths = {step.path for step in explored.recipe.steps if isinstance(step, Take)}
        by_hand = edit_of(tree, node, "cut").path in paths
        lines = why_node(
            tree, node, explored.cuts, result, by_hand, explored.train, interest_of(tree, self.interest)
        )  # fmt: skip
        rule = tree.node(node).rule
        return [shorten(text, 600) for text in ([rule] if node else []) + lines]

    def _rivals(self, node: int) -> dict:
        explored, tree = self.explored, self.explored.grown
        result = explored.candidates(node)
        if result is None or not result.ranked:
            return {"remark": "No split is possible here: its rows are equal in every feature, or too few."}
        shown, offered = self._bars(result), self.offered(node)
        takes = [self._taken(node, split) for split in shown]
        own = next((i for i, split in enumerate(shown) if split.chosen), None)
        chosen = takes.index(offered) if offered is not None and offered in takes else own if offered is None else None
        feature = offered.feature if offered is not None else shown[chosen or 0].feature
        places = apart(part.name for part in tree.schema.features)
        interest = interest_of(tree, self.interest)
        bars = [
            rivals.row(tree, result, split, None, take is not None, places, interest)
            for split, take in zip(shown, takes, strict=True)
        ]
        words = {
            "name": f"Splits of the training rows that were possible at node {node}, best first",
            "gain": f"Possible splits, by {competes_by(tree, result)}", "held": "", "held_title": "",
            "own": "" if tree.is_leaf[node] else "yours",
        }  # fmt: skip
        return {
            "rivals": {
                "node": node, "classes": len(tree.classes), "colors": list(PALETTE), "words": words, "rivals": bars,
                "chosen": chosen, "cuts": cut_picture(tree, self._landscape(node), feature, offered),
            },
            "take": {"text": f"Take this split{'' if tree.is_leaf[node] else ' instead'}", "on": offered is not None},
            "remark": "" if explored.regrows else f"{explored.why_fixed}: no split of it can be taken.",
        }  # fmt: skip

    def _rows(self, node: int) -> dict:
        tree, table = self.explored.grown, self.explored.train
        here = self._here(node)
        rows = table.take(here[:MOST_ROWS])
        frame = rows.to_frame()
        names = [table.target, *(name for name in frame.columns if name != table.target)][:MOST_COLUMNS]
        answers = [_cell(value) for value in self.explored.tree.predict(rows)]
        columns = [answers, *([_cell(value) for value in frame[name]] for name in names)]
        told = f"{counted(len(here), 'row')} of the {table.n_rows:,} training rows"
        told += f"; the first {MOST_ROWS} are shown" * (len(here) > MOST_ROWS)
        right = [not tree.classes, *(table.column(name).kind == "numeric" for name in names)]
        head = ["answer", *(shorten(name, MOST_LETTERS) for name in names)]
        return {"head": head, "rows": [list(row) for row in zip(*columns, strict=True)], "right": right, "told": told}

    def _here(self, node: int) -> np.ndarray:
        """Places of the training rows of the node."""
        below = self.explored.grown.descendants(node)
        below[node] = True
        return np.flatnonzero(below[self.explored.ends()])

    def _portable(self) -> Portable:
        """The tree as it is pruned."""
        tree = self.explored.tree
        if self._asked is None or self._asked.tree is not tree:
            self._asked = Portable(tree)
        return self._asked

    def _what_if(self, node: int) -> dict:
        explored, tree, here = self.explored, self.explored.tree, self._here(node)
        if not len(here):
            return {"remark": "No training row reaches this node."}
        portable, number = self._portable(), min(self.row, len(here))
        own = row_values(explored.train, int(here[number - 1]), tree.schema.own_names)
        row = own | {name: value for name, value in self.typed.items() if name in own}
        result, before = story(portable, row), story(portable, own)
        features = {part.name: part for part in tree.schema.features}
        fields = [_field(features[name], row[name], row[name] != own[name]) for name in asked_features(portable)]
        standing, target = explored.cuts.standing(explored.grown), tree.target_kind.answer_name(tree)
        ends = sorted(result.ends, key=lambda end: -end.share)[:MOST_ENDS]
        same = " too" if before.said == result.said else ""
        return {
            "what_if": {
                "row": number, "rows": len(here), "typed": row != own, "fields": fields[:MOST_FIELDS],
                "answer": f"{shorten(target, MOST_LETTERS)} = {shorten(result.said, MOST_LETTERS)}",
                "before": f"With its own values the tree predicts {before.said}{same}." if row != own else "",
                "way": [shorten(step.text, 300) for step in result.steps] or ["The tree has no splits."],
                "ends": [int(standing[end.node]) for end in ends],
            }
        }  # fmt: skip


def _field(feature: FeatureSchema, value: float | str | None, changed: bool) -> dict:
    """A field of What if; a level that the tree does not know is shown as one more."""
    made = {"name": shorten(feature.name, MOST_LETTERS), "value": value, "changed": changed}
    if feature.by_number:
        return made | {"value": value if isinstance(value, float) else None}
    levels = list(feature.levels[:MOST_LEVELS])
    return made | {"levels": levels + [value] * (value is not None and value not in levels)}


def _cell(value) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.6g}" if isinstance(value, float | np.floating) else shorten(str(value), MOST_LETTERS)
