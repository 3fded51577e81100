"""What a view of an exploration shows, and what its reader does there: plain data out, plain data in."""

from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import numpy as np

from treecore.errors import TreecoreError
from treecore.export.canvas_words import WORDS
from treecore.export.cards import (
    NodeCard,
    pruned_cards,
    recounted,
    tree_cards,
    with_cut,
    with_quantile_bars,
)
from treecore.fit import edit_of
from treecore.growing.inspect.candidates import Candidate, beyond_limits
from treecore.judging.interest import interest_of
from treecore.notebook.exploration import Exploration
from treecore.notebook.node_drawer import NodeDrawer
from treecore.pruning import Cuts
from treecore.recipe import Take
from treecore.study.outline import outline
from treecore.study.twins import Twins, judged, node_tests, rows_judged
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree
from treecore.view.canvas import Look, drawing
from treecore.view.canvas_nodes import DETAILS, falls, marked_as_cut, whole
from treecore.view.labels import best_of, deeds_of, question
from treecore.view.rivals import taken
from treecore.view.size_picker import CurveDrawing
from treecore.view.split_histogram import into
from treecore.view.subject import MOST_LETTERS, Subject, hits, searched_texts

SHAPES, ORIENTATIONS = tuple(WORDS["shapes"]), tuple(WORDS["turns"])
NEVER = "no split of its rows gains anything"


@dataclass
class Screen:
    """How one tree is looked at.

    selected, within, opened, closed : ids of the grown tree. view : name of the view that spoke last; the others take
    everything as news. seen : number of its last word. count : of all words. searched : what is looked for.
    """

    explored: Exploration
    interest: str | None = None
    height: int = 560
    look: Look = field(default_factory=Look)
    selected: int = 0
    within: int = 0
    shape: str = "tree"
    ghosts: bool = True
    searched: str = ""
    window: str | None = None
    notice: dict | None = None
    view: str = ""
    seen: int = 0
    count: int = 0

    def __post_init__(self):
        self.key = uuid4().hex
        self.drawer = NodeDrawer(self.explored, self.interest)
        self._texts: tuple[Any, dict[int, str]] | None = None

    def explore(self, explored: Exploration) -> None:
        """Show another tree in place of this one."""
        self.explored, self.drawer.explored, self.view = explored, explored, ""
        self.selected, self.within, self.look = 0, 0, replace(self.look, opened=(), closed=())

    # ------------------------------------------------------------ what the reader does

    def hear(self, event: dict) -> None:
        """Take what was done in a view; what it does not know changes nothing."""
        kind, node = event.get("kind"), event.get("node")
        self.count += 1
        self.view = event["view"] if isinstance(event.get("view"), str) else ""
        self.seen = event["seq"] if isinstance(event.get("seq"), int) else self.seen
        try:
            self._hear(kind, node if self._is_node(node) else None, event)
        except TreecoreError as fault:
            self._tell(" ".join(part for part in (f"{fault.what}.", fault.remedy) if part), undo=False)

    def _hear(self, kind: str | None, node: int | None, event: dict) -> None:
        if kind in ("select", "open", "close", "act"):
            if node is None:
                return
            if kind == "select":
                self.selected = node
            elif kind == "act":
                self.act(event.get("type"), node)
            else:
                self._turn(node, kind == "open")
        elif kind == "choose":
            self._choose(event.get("name"), event.get("value"))
        elif kind == "room":
            self._take_room(event.get("room"), event.get("window"))
        elif kind == "find" and isinstance(event.get("text"), str):
            self.searched = event["text"][:MOST_LETTERS]
        elif kind == "step" and type(event.get("step")) is int:
            self._followed(lambda: self.explored.prune_to(event["step"]))
            n = self.explored.tree.n_leaves
            self._tell(f"Pruned to {n:,} {'leaf' if n == 1 else 'leaves'}")
        elif kind == "undo":
            self._followed(self.explored.undo)
        elif kind == "tab":
            self.drawer.turn(event.get("tab"))
        elif kind == "pick" and isinstance(event.get("pick"), dict):
            self.drawer.pick(self.selected, event["pick"])
        elif kind == "ask" and isinstance(event.get("ask"), dict):
            self.drawer.ask(event["ask"])
        elif kind == "take":
            self.take(self.drawer.offered(self.selected))

    def act(self, kind: str | None, node: int) -> None:
        """A button at a node."""
        grown = self.explored.grown
        if kind in ("cut", "restore") and not grown.is_leaf[node]:
            self._followed(lambda: self.explored.do(edit_of(grown, node, kind)))
            self._tell(f"{'Cut' if kind == 'cut' else 'Brought back the branches of'} node {node}")
        elif kind in ("grow", "regrow"):
            self._grow(node)
        elif kind in ("only", "widen"):
            self.within = node if kind == "only" else 0
        elif kind == "split":
            self.drawer.turn("rivals")
        self.selected = node

    def take(self, take: Take | None) -> None:
        """Split the selected node so; what is below it grows anew."""
        if take is None:
            return
        node, grown = self.selected, self.explored.grown
        self._followed(lambda: self.explored.do(take))
        self._tell(f"Node {node} is split by {shorten(question(grown, take), 60)}; what is below grew anew")

    def _grow(self, node: int) -> None:
        """Split a node by the best that is possible, though a limit has stopped it there, or somebody has split it
        otherwise; pruning leaves it."""
        grown, train = self.explored.grown, self.explored.train
        if not self.explored.regrows:
            raise TreecoreError(self.explored.why_fixed, where="tree")
        best = None if train is None else self._best(node)
        take = None if best is None or best.chosen else taken(grown, node, best)
        if take is None:
            why = NEVER if best is None else "it has the best split already"
            self._tell(f"Nothing grows at node {node}: {why}", undo=False)
            return
        self._followed(lambda: self.explored.do(take))
        now = self.explored.grown
        if self.explored.cuts.verdict[node] and not now.is_leaf[node]:
            self.explored.follow(self.explored.recipe.then(edit_of(now, node, "restore")), remember=False)
        self._tell(f"Node {node} grew by {shorten(question(now, take), 60)}")

    def _best(self, node: int) -> Candidate | None:
        """The best split of a node; of a leaf, though a limit has stopped it there."""
        grown = self.explored.grown
        if grown.is_leaf[node]:
            return best_of(beyond_limits(grown, node, self.explored.train))
        return best_of(self.explored.candidates(node))

    def _is_taken(self, node: int) -> bool:
        """Was its split taken by hand, and is another one the best?"""
        paths = {step.path for step in self.explored.recipe.steps if isinstance(step, Take)}
        if not paths or edit_of(self.explored.grown, node, "cut").path not in paths:
            return False
        best = self._best(node)
        return best is not None and not best.chosen

    def _followed(self, change) -> None:
        """Change the tree; what is looked at stays where its nodes are still there."""
        before = self.explored.grown
        change()
        if self.explored.grown is not before:
            self.keep_in_sight()

    def keep_in_sight(self) -> None:
        """Forget nodes that another tree does not have."""
        n = self.explored.grown.n_nodes
        self.selected = self.selected if self.selected < n else 0
        self.within = self.within if self.within < n and not self.explored.grown.is_leaf[self.within] else 0
        marked = ({node for node in nodes if node < n} for nodes in (self.look.opened, self.look.closed))
        self.look = replace(self.look, **dict(zip(("opened", "closed"), map(frozenset, marked), strict=True)))

    def _is_node(self, node) -> bool:
        return type(node) is int and 0 <= node < self.explored.grown.n_nodes

    def _turn(self, node: int, is_open: bool) -> None:
        opened, closed = set(self.look.opened), set(self.look.closed)
        (opened if is_open else closed).add(node)
        (closed if is_open else opened).discard(node)
        self.look = replace(self.look, opened=frozenset(opened), closed=frozenset(closed))

    def _choose(self, name, value) -> None:
        if not isinstance(value, str | bool):
            return
        if name == "detail" and value in DETAILS:
            self.look = replace(self.look, detail=value)
        elif name == "orientation" and value in ORIENTATIONS:
            self.look = replace(self.look, orientation=value)
        elif name == "shape" and value in SHAPES:
            self.shape = value
        elif name == "ghosts" and isinstance(value, bool):
            self.ghosts = value

    def _take_room(self, room, window) -> None:
        if isinstance(room, list) and len(room) == 2 and all(type(v) is int and 0 < v < 20_000 for v in room):
            self.look = replace(self.look, room=tuple(room))
            self.window = window if isinstance(window, str) else None

    def _tell(self, text: str, undo: bool = True) -> None:
        number = self.notice["id"] + 1 if self.notice else 1
        self.notice = {"id": number, "text": text, "undo": undo, "fresh": True}

    # ------------------------------------------------------------ what is shown

    def drawing(self) -> dict:
        """What is drawn, under one stamp; its nodes are most of what goes to the browser."""
        subject = self.subject()
        drawn, _ = drawing(subject, self.look)
        self.look = replace(self.look, before=drawn["orientation"])
        if self.shape == "tree":
            return drawn | {"whole": None}
        hidden = self.explored.cuts.hidden(self.explored.grown)
        return drawn | {"whole": self._whole(hidden), "stamp": f"{drawn['stamp']} {hash(hidden.tobytes()):x}"}

    def state(self, drawn: dict) -> dict:
        """The rest, which changes with every step. drawn : what `drawing` has made."""
        subject = self.subject()
        return {
            "key": self.key, "stamp": drawn["stamp"], "words": WORDS, "session": self.key, "seen": self.seen,
            "view": self.view, "count": self.count, "height": self.height, "selected": subject.selected,
            "detail": self.look.detail, "turned": drawn["orientation"], "ghosts": self.ghosts,
            "cuts": self._is_pruned(), "acts": True, "window": self.window, "shape": self.shape,
            "room": list(self.look.room), "presenting": False, "found": self._found(subject, drawn),
            "dock": self._dock(), "follows": None,
            "group": "", "tag": "", "notice": self.notice, "command": None, "switches": {}, "shapes": True,
            "shows": None, "ways": [], "least": None,
            "drawer": self.drawer.content(self.selected),
        }  # fmt: skip

    def subject(self) -> Subject:
        """What the canvas is of: the grown tree with its ghosts, or the pruned one alone."""
        explored, grown = self.explored, self.explored.grown
        shows_grown = self.ghosts or not self._is_pruned()
        tree = grown if shows_grown else explored.tree
        ids = np.arange(grown.n_nodes) if shows_grown else explored.cuts.standing(grown)
        selected = self.selected if shows_grown else explored.cuts.visible_ancestor(grown, self.selected)
        within = self.within if self.within in set(ids.tolist()) else 0
        return Subject(
            self.key, (self.key, explored.version), tree, ids, grown, grown.class_names,
            self._grown_cards if shows_grown else self._pruned_cards, self._dress,
            "grown" if shows_grown else f"{hash(explored.cuts.verdict.tobytes()):x}", selected, within,
            bars=self.look.bars(explored.statistics(grown)), lines=self.look.lines,
            interest=interest_of(grown, self.interest), pictures=True,
        )  # fmt: skip

    def _is_pruned(self) -> bool:
        return self.explored.tree.n_nodes < self.explored.grown.n_nodes

    def _grown_cards(self, nodes: np.ndarray) -> tuple[NodeCard, ...]:
        explored, grown, cuts = self.explored, self.explored.grown, self.explored.cuts
        cards = tree_cards(grown, nodes, explored.statistics(grown), cuts)
        cards = with_quantile_bars(cards, grown, explored.targets())
        if _is_raised(cuts, grown):
            standing = np.flatnonzero(np.isin(cuts.standing(grown), nodes))
            pruned = explored.tree
            cards = recounted(cards, pruned_cards(grown, cuts, pruned, standing, explored.statistics(pruned)))
        return self._marked(cards)

    def _marked(self, cards: tuple[NodeCard, ...]) -> tuple[NodeCard, ...]:
        """With the marks of nodes in which training and validation rows differ."""
        explored, grown = self.explored, self.explored.grown
        if len(explored.beside()) < 2:
            return cards
        pruned = self._twins(explored.tree) if self._is_pruned() else self._grown_twins()
        return marked_as_cut(cards, explored.cuts.standing(grown), pruned, self._grown_twins)

    def _grown_twins(self) -> Twins:
        return self.explored.fact("twins", lambda: self._twins(self.explored.grown))

    def _twins(self, tree: Tree) -> Twins:
        sizes = (rows_judged(tree, part) for part in self.explored.beside().values())
        return judged(node_tests(tree, *self.explored.statistics(tree).values(), *sizes))

    def _pruned_cards(self, nodes: np.ndarray) -> tuple[NodeCard, ...]:
        explored, grown, tree = self.explored, self.explored.grown, self.explored.tree
        cards = pruned_cards(grown, explored.cuts, tree, nodes, explored.statistics(tree))
        return self._marked(tuple(with_cut(card, grown, explored.cuts) for card in cards))

    def _dress(self, cards: tuple[NodeCard, ...], made: list[dict]) -> None:
        explored, grown = self.explored, self.explored.grown
        for card, row in zip(cards, made, strict=True):
            row["deeds"] = deeds_of(
                card, grown, self.within, grows=explored.regrows and explored.train is not None, taken=self._is_taken,
                splits=explored.train is not None,
            )  # fmt: skip
        if explored.train is not None:
            self._histograms(made)
        steps = explored.sequence()
        if steps is not None and not _is_raised(explored.cuts, grown):
            falls(made, steps.until, steps.step)

    def _histograms(self, made: list[dict]) -> None:
        """Into the rows, each made once per tree: what their splits part, and curves of survival times."""
        explored, known = self.explored, self.explored.fact("histograms", dict)
        fresh = [row for row in made if row["id"] not in known]
        into(fresh, explored.grown, explored.train, explored.ends)
        for row in fresh:
            known[row["id"]] = {name: row[name] for name in ("histogram", "curve") if name in row}
        for row in made:
            row |= known[row["id"]]

    def _found(self, subject: Subject, drawn: dict) -> dict | None:
        if not self.searched.strip():
            return None
        about = (subject.name, subject.cut)
        if self._texts is None or self._texts[0] != about:
            self._texts = (about, searched_texts(subject))
        result = hits(subject, self.searched, self._texts[1], [row["id"] for row in drawn["nodes"]])
        return None if result is None else result | {"under": {str(k): n for k, n in result["under"].items()}}

    def _whole(self, hidden: np.ndarray) -> list[dict]:
        grown = self.explored.grown
        result = self.explored.fact("outline", lambda: outline(grown))
        return whole(grown, result, hidden, interest_of(grown, self.interest))

    def _dock(self) -> dict | None:
        result = self.explored.curve()
        if result is None:
            return None
        curve, folds = result
        return CurveDrawing(curve, folds=folds, unit=self.explored.grown.schema.target_unit).small(
            self.explored.chosen_step()
        )


def _is_raised(cuts: Cuts, grown: Tree) -> bool:
    return bool(len(cuts.raised_nodes)) and cuts.stand(grown).any_raised
