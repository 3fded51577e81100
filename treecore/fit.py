"""The front door: grow, prune, or do all that a recipe says."""

import itertools
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import cross_validated, make_folds
from treecore.data.table import Table
from treecore.data.table_like import lone_value
from treecore.errors import DataNote, TreecoreError
from treecore.growing.counted_growth import grow_counted
from treecore.growing.counted_table import is_counted
from treecore.growing.early_stopping import Scorer
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.growing.inspect.candidates import MISSING, Candidate
from treecore.growing.settings.costs import added_rows
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import training_rows
from treecore.judging.interest import FlagRule
from treecore.judging.losses import OWN
from treecore.parallel import parallel
from treecore.pruning import PRUNERS, CrossValidated, Cuts, PruningContext, Reason, Sequence
from treecore.pruning.recount import check_of_training, honest_tree
from treecore.pruning.validation import errors_while_growing
from treecore.recipe import Data, Edit, Grow, Import, Prepare, Prune, Recipe, Split, Take, own_pruning
from treecore.tree.tree import Tree


def grow(
    table: Table,
    recipe: str | Recipe | GrowSettings = "cart",
    *,
    progress: Callable | None = None,
    validation: Table | None = None,
    n_jobs: int | None = None,
    **settings: Any,
) -> Tree:
    """Grow the full tree on the rows of a table.

    recipe : a preset's name, a Recipe or Growth settings. settings : override single settings of Growth.
    progress : called with growing.grower.Progress every fraction of a second; raising ends the fit.
    validation : rows that the setting `patience` watches.
    n_jobs : threads that grow a large tree, one where nobody says how many; see treecore.parallel.
    """
    growth = _settings(recipe, tuple(settings.items()))
    if hasattr(table, "counter") and "missing" not in settings and not _says_missing(recipe):
        growth = _counted_missing(table, growth)
    _warn(table, growth)
    with parallel(n_jobs):
        return _tree(table, growth, progress, validation)


def _tree(table: Table, growth: GrowSettings, progress: Callable | None, validation: Table | None) -> Tree:
    if not isinstance(table, Table) and hasattr(table, "counter"):
        return grow_counted(table, growth, progress)
    return grow_tree(table, growth, progress, validation=_scorer(validation, table.target))


def _warn(table: Table, growth: GrowSettings) -> None:
    """Say which rows grow nothing, and that a target has nothing to tell apart."""
    rows = training_rows(table, growth) if isinstance(table, Table) and table.target is not None else table
    for note in (*rows.notes[len(table.notes) :], lone_value(rows)):
        if note:
            warnings.warn(note, DataNote, stacklevel=3)


def _says_missing(recipe: str | Recipe | GrowSettings) -> bool:
    """Was it chosen what becomes of missing values, rather than left to the preset?"""
    if isinstance(recipe, Recipe):
        return "missing" in dict((recipe.last(Grow) or Grow()).settings)
    return isinstance(recipe, GrowSettings)


def _counted_missing(table: Any, growth: GrowSettings) -> GrowSettings:
    """The settings with a way for missing values that can be counted, where a preset has another and none is missing.

    The tree is the same; rows to come may lack a value, and a warning says what becomes of them.
    """
    if is_counted(growth) or any(column.n_missing for column in table.feature_columns):
        return growth
    warnings.warn(
        f"The table has no missing value, so that its tree is grown with missing='majority': '{growth.missing}' needs "
        "the rows, which stay where they are. A row to come without a value follows the larger branch",
        DataNote,
        stacklevel=3,
    )
    return replace(growth, missing="majority")


def _settings(recipe: str | Recipe | GrowSettings, changed: tuple[tuple[str, object], ...]) -> GrowSettings:
    try:
        return _checked_settings(recipe, changed)
    except TypeError:  # a list cannot be looked up among the settings seen before
        return _checked_settings.__wrapped__(recipe, changed)


@lru_cache(maxsize=256)
def _checked_settings(recipe: str | Recipe | GrowSettings, changed: tuple[tuple[str, object], ...]) -> GrowSettings:
    if isinstance(recipe, str):
        growth = Grow(recipe).growth()
    else:
        growth = recipe.growth() if isinstance(recipe, Recipe) else recipe
    return GrowSettings.from_dict(growth.to_dict() | dict(changed))


def _scorer(validation: Table | None, target: str | None) -> Scorer | None:
    """What a tree loses on these rows while it grows; None without rows. TreecoreError for rows with another target."""
    if validation is None or not validation.n_rows:
        return None
    _check_target(validation, target)

    def errors(tree: Tree) -> np.ndarray:
        try:
            return errors_while_growing(tree, validation, tree.growth["patience_measure"])
        except TreecoreError as fault:  # by the name of the setting that asked for it
            where = "patience_measure" if fault.where == "measure" else fault.where
            raise TreecoreError(fault.what, where=where, remedy=fault.remedy) from None

    return errors


def _check_target(rows: Table, target: str | None) -> None:
    if rows.target != target:
        raise TreecoreError(
            f"The tree predicts {target!r}, the rows given have the target {rows.target!r}",
            where="Target",
            remedy="Give the rows of the same table",
        )


def prune(
    tree: Tree,
    method: str,
    *,
    train: Table | None = None,
    validation: Table | None = None,
    pruning: Table | None = None,
    progress: Callable | None = None,
    n_jobs: int | None = None,
    **parameters: Any,
) -> Cuts:
    """The cuts that a strategy makes; `tree` itself never changes.

    train, validation : rows the strategy may look at. pruning : rows for this alone, which then judge in the place of
        the validation rows. parameters : see pruning.PRUNERS[method].
    progress : called with cross_validation.FoldProgress where folds are grown, else with pruning.PruneProgress; raising
        ends the pruning.
    n_jobs : how many folds grow at once, see treecore.parallel; the cuts do not depend on it.
    """
    check_of_training(tree, "pruning")
    step = Prune(method, tuple(parameters.items()))
    pruner = PRUNERS[step.method]
    kind = tree.target_kind
    if not pruner.serves(kind):
        raise TreecoreError(
            f"{pruner.label} has no meaning for a target of {kind.held}: {pruner.why_not(kind)}",
            where="Pruning",
            remedy="Choose another pruning strategy, such as cost complexity or reduced error",
        )
    for rows in (train, validation, pruning):
        if rows is not None:
            _check_target(rows, tree.schema.target)
    judging = (validation, "validation") if pruning is None else (pruning, "pruning")
    if isinstance(train, Table):
        train = training_rows(train, GrowSettings.from_dict(dict(tree.growth)))
    given = PruningContext(train, judging[0], _folds_of(tree, train, progress), judging[1], progress)
    with parallel(n_jobs):
        return pruner.cuts(tree, given, **dict(step.parameters))


def honest(tree: Tree, estimation: Table) -> Tree:
    """The tree with the same splits, whose figures are of these rows alone, as if it had never seen its training rows.

    Counts, shares, answers, impurities and gains are theirs, and so is all that is made from a tree: predictions,
    segments, rules, exports. What growing and pruning looked at is too good to be true where they looked; rows that
    neither of them saw have no such bias. A node that none of them reaches answers as the nearest one above that some
    reach.
    tree : grown and pruned. estimation : rows that neither growing nor pruning has seen. TreecoreError where none of
        them has a target that the tree knows.
    """
    _check_target(estimation, tree.schema.target)
    made = honest_tree(tree, estimation)
    if tree.added is None:
        return made
    growth = GrowSettings.from_dict(dict(tree.growth))
    added = added_rows(growth, made.stats[0], tree.priors)
    return made if added is None else replace(made, added=added)


def _folds_of(tree: Tree, train: Table | None, progress: Callable | None) -> Callable | None:
    """What Given asks for: cross-validation of a sequence on these rows, by a number of folds,
    a seed and a measure."""
    if train is None:
        return None

    def found(sequence: Sequence, n_folds: int, seed: int, measure: str = OWN) -> CrossValidated:
        return cross_validated(tree, train, sequence, make_folds(train, n_folds, seed), progress, measure=measure)

    return found


@dataclass(frozen=True, eq=False, repr=False)
class Fit(Brief):
    """All that a recipe gives: the three roles, the grown tree, the cuts over it.

    train : as the recipe prepares it. validation, test : with the same bins; their missing values stay; test is None
        while the recipe has it sealed. pruning : so, too; None where the validation rows are for pruning as well.
    estimation : rows that give the leaves of `tree` their figures; None: the training rows do. Those of `grown` are
        always of the training rows.
    """

    recipe: Recipe
    train: Table
    validation: Table
    test: Table | None
    grown: Tree
    cuts: Cuts
    pruning: Table | None = None
    estimation: Table | None = None

    def __str__(self) -> str:
        """The recipe, how many rows each role has, and the pruned tree."""
        roles = {"training": self.train, "pruning": self.pruning, "validation": self.validation, "test": self.test}
        roles["estimation"] = self.estimation
        rows = ", ".join(f"{table.n_rows:,} {role}" for role, table in roles.items() if table is not None)
        return f"{self.recipe.text(self.grown)}\nrows: {rows}\n\n{self.tree}"

    @cached_property
    def tree(self) -> Tree:
        """The pruned tree, honest where there are estimation rows."""
        pruned = self.grown.cut(self.cuts)
        return pruned if self.estimation is None else honest(pruned, self.estimation)

    @property
    def flag(self) -> FlagRule | None:
        """Which rows are flagged; None where the recipe says nothing of it."""
        return self.recipe.last(FlagRule)


def fit(
    table: Table,
    recipe: Recipe | str = "cart",
    *,
    progress: Callable | None = None,
    model: Callable[[Table], Tree] | None = None,
    n_jobs: int | None = None,
) -> Fit:
    """Do every step of a recipe in order. Without a split step all rows train.

    recipe : a preset's name stands for growing by it and for its own pruning, if that needs no
        validation rows.
    model : of a recipe whose tree is read from a model, gives this tree with the training rows counted, as
        lambda rows: treecore.read_model("model.json", rows).
    n_jobs : threads that grow a large tree, and folds, see treecore.parallel; what grows does not depend on it.
    """
    if isinstance(recipe, str):
        own = own_pruning(recipe)
        recipe = Recipe((Grow(recipe),) if PRUNERS[own.method].needs_validation else (Grow(recipe), own))
    data = recipe.last(Data)
    if data is not None:
        table = described_by(table, data)
    growing = recipe.last(Grow)
    if not isinstance(growing, Import):
        _warn(table, recipe.growth())
    if isinstance(table, Table) and table.target is not None:
        table = table.without_missing_target()
    split = recipe.last(Split) or Split(train=1.0, validation=0.0, test=0.0)
    given = table.by_role(split.roles())
    prepared = (recipe.last(Prepare) or Prepare()).tables(*given.values())
    parts: dict[str, Any] = {"pruning": None, "estimation": None} | dict(zip(given, prepared, strict=True))
    if recipe.is_sealed:
        parts["test"] = None
    train, validation, pruning = parts["train"], parts["validation"], parts["pruning"]
    if isinstance(growing, Import):
        grown = _imported(train, recipe, growing, model)
    else:
        with parallel(n_jobs):
            grown = _grown(train, recipe, progress, validation)
    if data is not None:
        grown = grown.with_class_names({k: called for k, called in data.class_names if k in grown.classes})
    cuts = Cuts.none(grown)
    for step in without_regrown(recipe.steps):
        if isinstance(step, Prune):
            rows = {"train": train, "validation": validation, "pruning": pruning}
            cuts = prune(grown, step.method, **rows, progress=progress, n_jobs=n_jobs, **dict(step.parameters))
        elif isinstance(step, Edit):
            cuts = edited(grown, cuts, step)
        elif isinstance(step, FlagRule):
            step.rates(grown)  # of a class that the tree does not know it would flag nothing
    return Fit(recipe, grown=grown, cuts=cuts, **parts)


def _grown(train: Table, recipe: Recipe, progress: Callable | None, validation: Table) -> Tree:
    """The full tree with the splits that the recipe takes; every step by hand must find its node when it is made."""
    growth = recipe.growth()
    takes: tuple[Take, ...] = ()
    if hasattr(train, "counter") and not _says_missing(recipe):
        growth = _counted_missing(train, growth)
    tree = _tree(train, growth, progress, validation)
    for step in recipe.steps:
        if isinstance(step, Edit | Take):
            node_at(tree, step)
        if isinstance(step, Take):
            takes = (*takes, step)
            tree = grow_with(train, growth, takes, progress, validation)
    return tree


def _imported(train: Table, recipe: Recipe, step: Import, model: Callable[[Table], Tree] | None) -> Tree:
    """The tree of a model, in which nothing is grown: a recipe that takes a split in it is refused."""
    if model is None or recipe.last(Take) is not None:
        raise step.not_grown()
    tree = model(train)
    if not isinstance(tree, Tree):
        remedy = "Give one tree, such as one of its trees, or the single one nearest to them"
        raise TreecoreError(f"{step.file or 'The model'} has several trees", where="model", remedy=remedy)
    return tree


def grow_with(
    table: Table,
    growth: GrowSettings,
    takes: tuple[Take, ...],
    progress: Callable | None = None,
    validation: Table | None = None,
) -> Tree:
    """The full tree with these splits taken, in order; a later one replaces those at and below its node.

    Only what is below the last one differs from the tree without it, except where the number of leaves is
    limited, or growth ends by the error on validation rows: these limits are for the whole tree.
    TreecoreError when the last split parts no rows there.
    """
    wanted: dict[tuple[int, ...], ForcedSplit] = {}
    for take in takes:
        wanted = {path: split for path, split in wanted.items() if path[: len(take.path)] != take.path}
        wanted[take.path] = ForcedSplit(
            take.path, take.feature, take.threshold, take.branches, take.missing, take.terms
        )
    tree = grow_tree(table, growth, progress, tuple(wanted.values()), _scorer(validation, table.target))
    if takes:
        _check_edit_separates(tree, takes[-1])
    return tree


def _check_edit_separates(tree: Tree, take: Take) -> None:
    node = _node_at(tree, take)
    if sum(tree.weight[child] > 0 for child in tree.children(node)) < 2:
        raise _mismatch(take, f"that does not part the rows of node {node}")


def without_regrown(steps: tuple) -> tuple:
    """The steps without the edits of nodes that a later step grows anew."""
    kept: list = []
    regrown: list[tuple[int, ...]] = []
    for step in reversed(steps):
        inside = isinstance(step, Edit) and any(step.path[: len(path)] == path for path in regrown)
        kept += [] if inside else [step]
        regrown += [step.path] if isinstance(step, Take) else []
    return tuple(reversed(kept))


def described_by(table: Table, data: Data) -> Table:
    """The table with the kinds, target and features of a recipe; TreecoreError where the recipe is for other data."""
    if data.fingerprint and data.fingerprint != table.fingerprint:
        raise TreecoreError(
            "The recipe was written for other data",
            where="Data",
            remedy="Load the table it names, or clear its fingerprint to replay it on this one",
        )
    table, predicted = table.with_kinds(data.column_kinds()), data.predicted()
    if predicted not in (None, table.target):  # counts stay counts where the recipe names their column
        table = table.with_target(predicted)
    return table.with_features(data.features) if data.features else table


def edited(tree: Tree, cuts: Cuts, edit: Edit) -> Cuts:
    """The cuts after one edit by hand; TreecoreError where the tree is not what the edit expects."""
    node = node_at(tree, edit)
    reason = Reason("by hand", f"{edit.action} by hand")
    return cuts.cut(tree, node, reason) if edit.action == "cut" else cuts.restore(node, reason)


def node_at(tree: Tree, step: Edit | Take) -> int:
    """The node that a step by hand names; TreecoreError where the tree is not what the step expects."""
    node = _node_at(tree, step)
    result = tree.node(node).feature
    if step.expect and result != step.expect:
        raise _mismatch(step, f"node {node} tests {result!r} in it" if result else f"node {node} is a leaf in it")
    return node


def _node_at(tree: Tree, step: Edit | Take) -> int:
    node = 0
    for branch in step.path:
        if branch not in range(int(tree.n_children[node])):
            leaf = "" if tree.n_children[node] else " is a leaf in it and"
            raise _mismatch(step, f"node {node}{leaf} has no branch {branch}")
        node = int(tree.first_child[node]) + branch
    return node


def _mismatch(step: Edit | Take, why: str) -> TreecoreError:
    remedy = "Leave this step out, or grow with the settings with which it was made"
    return TreecoreError(f"This tree has no place to {step.text()}: {why}", where="steps by hand", remedy=remedy)


def edit_of(tree: Tree, node: int, action: str) -> Edit:
    """The recipe step that cuts or restores this node."""
    return Edit(action, _path(tree, node), tree.node(node).feature or "")


def take_of(tree: Tree, node: int, candidate: Candidate) -> Take:
    """The recipe step that splits this node by that candidate."""
    expect = tree.node(node).feature or ""
    branches = candidate.branches
    if candidate.missing is not None:  # it stands among the levels where it is a value of its own
        known = tuple(tuple(level for level in branch if level != MISSING) for branch in branches)
        branches = known if all(known) else branches
    terms = next((f.terms for f in tree.schema.features if f.name == candidate.feature), ())
    place = _path(tree, node)
    return Take(place, expect, candidate.feature, candidate.threshold, branches, candidate.missing, terms)


def _path(tree: Tree, node: int) -> tuple[int, ...]:
    """Branch numbers from the root to the node."""
    return tuple(int(b - tree.first_child[a]) for a, b in itertools.pairwise(tree.path(node)))


__all__ = [
    "Fit", "described_by", "edit_of", "edited", "fit", "grow", "grow_with", "honest", "node_at", "prune",
    "take_of", "without_regrown",
]  # fmt: skip
