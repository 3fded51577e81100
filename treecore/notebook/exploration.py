"""What is explored: a tree, the rows behind it, and the recipe that says what was done by hand."""

import warnings
from dataclasses import dataclass, field

import numpy as np

from treecore.cross_validation import cross_validated, make_folds
from treecore.data.roles import too_few_to_hold_back
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.first_recipe import FOLDED, first_recipe
from treecore.fit import Fit, edited, fit, grow_with, honest, node_at, prune, without_regrown
from treecore.growing.inspect.candidates import Candidates, candidates
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.presets import PRESETS
from treecore.pruning import CrossValidated, Cuts, Sequence, sequence
from treecore.recipe import Data, Edit, Grow, Import, Prepare, Prune, Recipe, Split, Take
from treecore.seal import Seal
from treecore.study.curves import SizeCurve, size_curve
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.tree.node_statistics import node_statistics
from treecore.tree.tree import Tree

METHOD = "cost_complexity"
OF_ROWS = (Data, Split, Seal, Prepare)
"""Steps that decide which rows there are."""


@dataclass
class Exploration:
    """A tree with its rows, and a recipe whose last steps are made by hand.

    rows : role -> Table; {} where none were given. recipe : all steps; of a tree that cannot be grown again only those
    by hand. fixed : that tree, else None; why_fixed : the reason. table : of which the rows are, where it is known.
    names : what texts call the classes, where no step of the recipe says it. version : another number for
    every grown tree.
    """

    rows: dict[str, Table]
    recipe: Recipe
    fixed: Tree | None = None
    why_fixed: str = ""
    table: Table | None = None
    names: dict[str, str] = field(default_factory=dict)
    past: list[Recipe] = field(default_factory=list)
    version: int = 0
    _grown: dict = field(default_factory=dict)
    _facts: dict = field(default_factory=dict)

    def __post_init__(self):
        self.grown, self.cuts = self._made(self.recipe)
        self.tree = self._pruned(self.grown, self.cuts)

    # ------------------------------------------------------------ from the recipe to the tree

    def follow(self, recipe: Recipe, remember: bool = True) -> None:
        """Make the tree of another recipe; the former one holds where that raises a TreecoreError."""
        rows = self._rows_of(recipe)
        before, self.rows = self.rows, rows
        if rows is not before:
            kept, self._grown = self._grown, {}
        try:
            grown, cuts = self._made(recipe)
            tree = self._pruned(grown, cuts)
        except TreecoreError:
            if rows is not before:
                self.rows, self._grown = before, kept
            raise
        if remember:
            self.past.append(self.recipe)
        if grown is not self.grown:
            self._facts.clear()
            self.version += 1
        self.recipe, self.grown, self.cuts, self.tree = recipe, grown, cuts, tree

    def do(self, *steps: Edit | Take) -> None:
        """Steps by hand."""
        self.follow(Recipe((*self.recipe.steps, *steps)))

    def undo(self) -> None:
        """Take the last step back; a test set that was opened stays opened."""
        if self.past:
            before, seal = self.past.pop(), self.recipe.last(Seal)
            steps = tuple(seal if isinstance(step, Seal) and seal is not None else step for step in before.steps)
            self.follow(Recipe(steps), remember=False)

    def prune_to(self, step: int) -> None:
        """Prune to a step of the nested sequence; what was cut by hand goes with the former cuts."""
        result = self.sequence()
        if result is None or not 0 <= step < len(result):
            return
        kept = [s for s in self.recipe.steps if not isinstance(s, Edit | Prune)]
        alpha = (("alpha", float(result.alpha[step])), *self._of_curve().items())
        self.follow(Recipe((*kept, Prune(METHOD, alpha)) if step else tuple(kept)))

    def _rows_of(self, recipe: Recipe) -> dict[str, Table]:
        asked, now = (tuple(s for s in r.steps if isinstance(s, OF_ROWS)) for r in (recipe, self.recipe))
        if asked == now or self.fixed is not None:
            return self.rows
        if self.table is None:
            remedy = "Give the table itself to tc.explore, with this recipe"
            raise TreecoreError("Only the rows of the former recipe are known", where="recipe", remedy=remedy)
        return _roles(fit(self.table, recipe))

    def _made(self, recipe: Recipe) -> tuple[Tree, Cuts]:
        takes = tuple(step for step in recipe.steps if isinstance(step, Take))
        if self.fixed is not None:
            if takes or recipe.last(Grow) is not None:
                raise TreecoreError(self.why_fixed, where="recipe", remedy="Only cut and restore nodes of it")
            grown = self.fixed
        else:
            grown = self._grown_by(recipe)
        cuts = Cuts.none(grown)
        for step in without_regrown(recipe.steps):
            if isinstance(step, Prune):
                apart = {role: self.rows.get(role) for role in ("train", "validation", "pruning")}
                cuts = prune(grown, step.method, **apart, **dict(step.parameters))
            elif isinstance(step, Edit):
                cuts = edited(grown, cuts, step)
        return grown, cuts

    def _grown_by(self, recipe: Recipe) -> Tree:
        """The full tree with the splits taken; each step by hand must find its node when it is made."""
        growth, takes = recipe.growth(), ()
        tree = self._with_takes(growth, takes)
        for step in recipe.steps:
            if isinstance(step, Edit | Take):
                node_at(tree, step)
            if isinstance(step, Take):
                takes = (*takes, step)
                tree = self._with_takes(growth, takes)
        data = recipe.last(Data)
        said = self.names if data is None else dict(data.class_names)
        called = {k: name for k, name in said.items() if k in tree.classes and name != k}
        if not called:
            return tree
        key = (growth, takes, tuple(called.items()))
        if key not in self._grown:
            self._grown[key] = tree.with_class_names(called)
        return self._grown[key]

    def _with_takes(self, growth: GrowSettings, takes: tuple[Take, ...]) -> Tree:
        if (growth, takes) not in self._grown:
            validation = self.rows.get("validation")
            self._grown[growth, takes] = grow_with(self.rows["train"], growth, takes, validation=validation)
        return self._grown[growth, takes]

    def _pruned(self, grown: Tree, cuts: Cuts) -> Tree:
        tree = grown.cut(cuts)
        return honest(tree, self.rows["estimation"]) if "estimation" in self.rows else tree

    # ------------------------------------------------------------ what is asked of the tree

    @property
    def regrows(self) -> bool:
        """Can splits be taken?"""
        return self.fixed is None

    @property
    def train(self) -> Table | None:
        return self.rows.get("train")

    def judges(self) -> dict[str, Table]:
        """Role -> rows that the curve is drawn of."""
        return {role: rows for role, rows in self.rows.items() if rows.n_rows and role != "estimation"}

    def beside(self) -> dict[str, Table]:
        """Role -> the rows of the bars: training and validation."""
        return {role: self.rows[role] for role in ("train", "validation") if role in self.judges()}

    def statistics(self, tree: Tree) -> dict[str, np.ndarray]:
        """Role -> statistics of its rows in the nodes of the grown or the pruned tree; the training rows first."""
        if self.train is None:
            return {"train": tree.stats}
        if tree is self.grown:
            return self.fact("statistics", lambda: self._statistics(tree))
        return self._statistics(tree)

    def _statistics(self, tree: Tree) -> dict[str, np.ndarray]:
        return {role: node_statistics(tree, rows) for role, rows in self.beside().items()}

    def targets(self) -> dict[str, NodeTargets]:
        """Role -> the targets of its rows at the nodes of the grown tree, where it answers with quantiles or so."""
        if self.train is None:
            return {}
        return self.fact("targets", lambda: targets_by_role(self.grown, self.beside()))

    def ends(self) -> np.ndarray:
        """int (n_rows,): the node of the grown tree in which each training row ends."""
        return self.fact("ends", lambda: self.grown.apply(self.train))

    def candidates(self, node: int) -> Candidates | None:
        """Every split of the training rows that was possible at a node; None without rows."""
        if self.train is None:
            return None
        return self.fact(("candidates", node), lambda: candidates(self.grown, node, self.train))

    def sequence(self) -> Sequence | None:
        """The nested sequence; None of a lone root, and of a tree that has none."""

        def made() -> Sequence | None:
            try:
                result = sequence(self.grown, **{k: v for k, v in self._of_curve().items() if k == "risk"})
            except TreecoreError:
                return None
            return result if len(result) > 1 else None

        return self.fact(("sequence", self._of_curve().get("risk")), made)

    def curve(self) -> tuple[SizeCurve, CrossValidated | None] | None:
        """The size curve along it, and the folds that judge where no rows are held back; None without rows."""
        result = self.sequence()
        if result is None or self.train is None:
            return None
        return self.fact(("curve", *self._of_curve().items()), lambda: self._curve(result))

    def _curve(self, found: Sequence) -> tuple[SizeCurve, CrossValidated | None]:
        by = {k: v for k, v in self._of_curve().items() if k == "measure"}
        folds, rows = None, self.judges()
        small = self.train.n_rows * len(self.train.features) <= FOLDED
        if "validation" not in rows and self.regrows and small:
            try:
                deal = make_folds(self.train, min(10, self.train.n_rows))
                folds = cross_validated(self.grown, self.train, found, deal, **by)
            except TreecoreError:
                folds = None  # too few rows of a class
        return size_curve(found, rows, folds, *by.values()), folds

    def _of_curve(self) -> dict[str, str]:
        """Risk and measure of the pruning in force, where it is one along the sequence."""
        step = self.recipe.last(Prune)
        given = dict(step.parameters) if step is not None and step.method == METHOD else {}
        return {name: given[name] for name in ("risk", "measure") if name in given}

    def chosen_step(self) -> int | None:
        """The step of the sequence in force; None where something else made the cuts."""
        result = self.sequence()
        if result is None or any(isinstance(s, Edit) for s in self.recipe.steps):
            return None
        step = self.recipe.last(Prune)
        if step is not None and step.method not in (METHOD, "none"):
            return None
        same = np.flatnonzero(result.n_leaves == self.tree.n_leaves)
        return int(same[0]) if len(same) else None

    def fact(self, name, make):
        """A result of the grown tree, made once."""
        if name not in self._facts:
            self._facts[name] = make()
        return self._facts[name]


# ---------------------------------------------------------------- what it may be made of


def exploration_of(
    what: Tree | Table | Fit, table: Table | None = None, validation: Table | None = None,
    recipe: Recipe | str | None = None,
) -> Exploration:  # fmt: skip
    """Of a tree with its rows, of a fit, or of a table; see notebook.explore."""
    if not isinstance(what, Tree | Fit | Table):
        remedy = "Give a Tree, a Fit or a Table: tc.read_table(frame, target=...) makes a table of a data frame"
        remedy = "Give one of its trees, or the single one nearest to them" if hasattr(what, "trees") else remedy
        raise TreecoreError(f"{type(what).__name__} is nothing to be explored", where="explore", remedy=remedy)
    if isinstance(what, Table):
        return _of_table(what, recipe)
    if isinstance(what, Fit):
        growing = what.recipe.last(Grow)
        if isinstance(growing, Import):
            by_hand = Recipe(tuple(s for s in what.recipe.steps if isinstance(s, Prune | Edit)))
            return Exploration(_roles(what), by_hand, what.grown, growing.not_grown().what)
        return Exploration(_roles(what), what.recipe)
    return _of_tree(what, {"train": table, "validation": validation})


def _of_table(table: Table, recipe: Recipe | str | None) -> Exploration:
    if table.target is None:
        remedy = "Name the column to predict: tc.read_table(..., target=...)"
        raise TreecoreError("The table has no target", where="explore", remedy=remedy)
    if recipe is None:
        recipe = first_steps(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # growing again says it each time
        made = fit(table, recipe)
    return Exploration(_roles(made), made.recipe, table=table)


def first_steps(table: Table) -> Recipe:
    """What a new table's tree is made by: of few rows all train, and folds of them choose the size."""
    table, split = table.without_missing_target(), Split()
    few = too_few_to_hold_back(table.n_rows, split)
    train, validation = (table, None) if few else table.split(split.roles())[:2]
    growing, pruning = first_recipe(train, validation)
    steps = (growing, pruning) if few else (split, growing, pruning)
    made = fit(table, Recipe(steps))
    lone = few and made.tree.n_leaves == 1  # what folds say of it then stands on its curve
    return Recipe(steps[:-1]) if lone or pruning == Prune() else Recipe(steps)


def _roles(made: Fit) -> dict[str, Table]:
    parts = {
        "train": made.train, "validation": made.validation, "test": made.test, "pruning": made.pruning,
        "estimation": made.estimation,
    }  # fmt: skip
    return {role: rows for role, rows in parts.items() if rows is not None and rows.n_rows}


def _of_tree(tree: Tree, given: dict[str, Table | None]) -> Exploration:
    """A tree that its settings grow again on its rows can be changed; any other one can be looked at and cut."""
    rows = {role: part for role, part in given.items() if part is not None and part.n_rows}
    if "train" not in rows:
        return Exploration(rows, Recipe(()), tree, "Without its table a tree cannot be grown again")
    recipe = _recipe_of(tree, rows["train"])
    named = dict(zip(tree.classes, tree.class_names, strict=True))
    result = None if recipe is None else Exploration(rows, recipe, names=named)
    if result is None or not _is_same(result.tree, tree):
        return Exploration(rows, Recipe(()), tree, "These rows and the settings of the tree grow another one")
    return result


def _is_same(a: Tree, b: Tree) -> bool:
    """Do both ask the same and answer alike, to the last bit?"""
    a, b = (tree.to_dict() for tree in (a, b))
    return a == b


def _recipe_of(tree: Tree, train: Table) -> Recipe | None:
    """The growth of a tree, and the cuts that make it of what grows now; None where these rows grow another one."""
    try:
        growth = GrowSettings.from_dict(dict(tree.growth))
        grown = grow_with(train, growth, ())
    except TreecoreError:
        return None
    cut = _cut_paths(grown, tree)
    if cut is None:
        return None
    return Recipe((_step_of(growth), *(Edit("cut", path, expect) for path, expect in cut)))


def _cut_paths(grown: Tree, tree: Tree) -> list[tuple[tuple[int, ...], str]] | None:
    """Path and feature of the nodes of a grown tree that are leaves of a pruned one; None where they differ
    otherwise."""
    names, ours = ([feature.name for feature in each.schema.features] for each in (grown, tree))
    if grown.classes != tree.classes or names != ours:
        return None
    result, waiting = [], [(0, 0, ())]
    while waiting:
        a, b, path = waiting.pop()
        if grown.n_rows[a] != tree.n_rows[b] or not np.allclose(grown.stats[a], tree.stats[b]):
            return None
        if tree.is_leaf[b]:
            if not grown.is_leaf[a]:
                result.append((path, grown.node(a).feature or ""))
            continue
        if grown.is_leaf[a] or grown.n_children[a] != tree.n_children[b]:
            return None
        pairs = zip(grown.children(a), tree.children(b), strict=True)
        if grown.splits.feature[a] != tree.splits.feature[b]:
            return None
        waiting += [(x, y, (*path, i)) for i, (x, y) in enumerate(pairs)]
    return result


def _step_of(growth: GrowSettings) -> Grow:
    """The step that grows by these settings: the preset that differs least, and what differs."""
    settings = growth.to_dict()

    def changes(preset: str) -> dict:
        usual = PRESETS[preset].growth.to_dict()
        return {name: value for name, value in settings.items() if usual[name] != value}

    nearest = min(PRESETS, key=lambda preset: len(changes(preset)))
    return Grow(nearest, tuple(changes(nearest).items()))
