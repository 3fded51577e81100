"""The widget: the canvas in a cell, with the tree, the recipe and the selected node as traits both ways."""

from contextlib import contextmanager
from functools import cache
from typing import Any

import anywidget
import traitlets

from treecore.errors import TreecoreError
from treecore.export.modules import WORKBENCH, joined, styles
from treecore.export.page import picture
from treecore.notebook.exploration import Exploration, exploration_of
from treecore.notebook.screen import Screen
from treecore.recipe import Recipe
from treecore.tree.node import NodeView
from treecore.tree.tree import Tree

SHEETS = ("bench.css", "dock.css", "rivals.css", "notebook.css")


@cache
def script() -> str:
    """The canvas as one module with its styles; nothing is asked of any other place."""
    return joined(WORKBENCH / "notebook.js", styles(*(WORKBENCH / name for name in SHEETS)))


class TreeView(anywidget.AnyWidget):
    """A tree to be explored by hand; `explore` makes it.

    selected : id of the selected node, as the canvas has it: of `grown`, the tree before it was pruned; `node` is what
    is known of it. tree : the tree as it was made, pruned and changed by hand. recipe : every step to it; str(recipe)
    is one line. Each may be set, and each can be watched: view.observe(print, "tree").
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _drawing = traitlets.Dict().tag(sync=True)
    _state = traitlets.Dict().tag(sync=True)
    _heard = traitlets.Int(0).tag(sync=True)
    selected = traitlets.Int(0).tag(sync=True)
    tree = traitlets.Instance(Tree)
    recipe = traitlets.Instance(Recipe)

    def __init__(self, explored: Exploration, interest: str | None = None, height: int = 560):
        self._screen, self._own = Screen(explored, interest, height), True
        made = self._shown()
        super().__init__(
            _esm=script(), tree=explored.tree, recipe=explored.recipe, **made,
        )  # fmt: skip
        self._own = False
        self.on_msg(lambda _, content, buffers: self._hear(content))

    @property
    def grown(self) -> Tree:
        """The tree before it was pruned; its ids are those of the canvas."""
        return self._screen.explored.grown

    @property
    def node(self) -> NodeView:
        """The selected node."""
        return self.grown.node(self.selected)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict] | None:
        """The widget; its outline and picture where nobody can show one."""
        made = super()._repr_mimebundle_(**kwargs)
        if made is None:
            return None
        plain = {"text/plain": str(self.tree), "image/svg+xml": picture(self.tree)}
        return made[0] | plain, made[1]

    def _hear(self, content: Any) -> None:
        if isinstance(content, dict):
            self._screen.hear(content)
            self._tell()

    def _shown(self) -> dict[str, dict]:
        drawn = self._screen.drawing()
        return {"_drawing": drawn, "_state": self._screen.state(drawn)}

    def _tell(self) -> None:
        """Everything to the browser and to the traits."""
        explored, made = self._screen.explored, self._shown()
        if made["_drawing"]["stamp"] == self._drawing.get("stamp"):
            del made["_drawing"]
        with self._ours(), self.hold_sync():
            for name, value in made.items():
                setattr(self, name, value)
            self.selected, self.tree, self.recipe = self._screen.selected, explored.tree, explored.recipe

    @contextmanager
    def _ours(self):
        """While traits are set from here, nobody has asked for anything."""
        before, self._own = self._own, True
        try:
            yield
        finally:
            self._own = before

    # ------------------------------------------------------------ set in Python

    @traitlets.validate("selected")
    def _known_node(self, proposal) -> int:
        return self.grown.node(proposal["value"]).id  # TreecoreError where there is none

    @traitlets.observe("selected")
    def _selected_changed(self, change) -> None:
        if not self._own:
            self._screen.selected, self._screen.view = change["new"], ""
            self._tell()

    @traitlets.observe("recipe")
    def _recipe_changed(self, change) -> None:
        if self._own:
            return
        try:
            self._screen.explored.follow(change["new"])
        except TreecoreError:
            with self._ours():
                self.recipe = change["old"]
            raise
        self._screen.keep_in_sight()
        self._screen.view = ""
        self._tell()

    @traitlets.observe("tree")
    def _tree_changed(self, change) -> None:
        if self._own:
            return
        rows = self._screen.explored.rows
        try:
            explored = exploration_of(change["new"], rows.get("train"), rows.get("validation"))
        except TreecoreError:
            with self._ours():
                self.tree = change["old"]
            raise
        self._screen.explore(explored)
        self._tell()
