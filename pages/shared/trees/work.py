"""From the record to trees and cuts: each result is made once per recipe and then kept.

A tree is made by a plan; where none is given it is the tree in force, the one that the record describes. Where rows are
set aside for estimation, every tree that a page gets has its figures of them (`grown`, `pruned`); what grows, prunes or
looks for splits takes the tree of the training rows (`trained`).
"""

import numpy as np

import treecore as tc
from pages.shared.database import external_table
from pages.shared.database.external_table import REFINE
from pages.shared.server import cache, engine, long_work
from pages.shared.session import state
from pages.shared.trees import tables
from pages.shared.trees.plan import Plan, in_force
from pages.shared.trees.tables import (
    ROLES,
    check_rows,
    check_trainable,
    features,
    is_sealed,
    predicted,
    prepared,
    roles_key,
    sight_key,
    table,
    table_in_sight,
    table_key,
    target,
    target_columns,
    unprepared_roles,
)
from treecore.engine.memory import give_back
from treecore.errors import TreecoreError
from treecore.fit import edit_of, edited, grow_with, node_at, without_regrown
from treecore.growing.inspect.candidates import Candidates
from treecore.judging.interest import FlagRule
from treecore.pruning import Sequence
from treecore.recipe import Data, Edit, Import, Prepare, Read, Recipe, Take
from treecore.study.metrics import Score, score
from treecore.tree.node_statistics import node_statistics
from treecore.warm import parts_for

MANY_CELLS = 1 << 22
"""Cells of the training rows from which on the memory that growing needed is worth giving back."""


def roles(plan: Plan | None = None) -> dict[str, tc.Table]:
    """The rows of each role as trees see them; as given where the preparation fails, which growing then says."""
    return prepared((plan or in_force()).prepare)[0]


def parts(plan: Plan | None = None) -> dict[str, tc.Table]:
    """The same without the roles that have no rows, and without estimation rows, which judge nothing."""
    return {name: part for name, part in roles(plan).items() if part.n_rows and name != "estimation"}


def estimation(plan: Plan | None = None) -> dict[str, tc.Table]:
    """ "estimation" -> the rows that the figures of the nodes are of; {} where these are of the training rows."""
    rows = roles(plan).get("estimation")
    return {} if rows is None or not rows.case_weights.any() else {"estimation": rows}


def own_rows(plan: Plan | None = None) -> tc.Table:
    """The rows that the figures of the nodes are of: estimation, else training."""
    return (estimation(plan) or roles(plan))[grown(plan).figures_of]


def judge() -> str:
    """The role by whose rows pruning judges: its own where there are such rows, else validation."""
    return "pruning" if "pruning" in roles() else "validation"


def preparation_notes() -> tuple[str, ...]:
    """What the preparation filled, left out or put in bins, a sentence each."""
    return roles()["train"].notes[len(unprepared_roles()["train"].notes) :]


def tree_key(plan: Plan | None = None) -> tuple:
    """What the grown tree depends on, the splits taken by hand included, and what it may be judged by."""
    plan, names = plan or in_force(), class_names()
    key = _tree_key(plan, _by_hand(plan)[0])
    return cache.Key(("named", key, names, is_sealed())) if names or is_sealed() else key


def class_names() -> tuple[tuple[str, str], ...]:
    """What classes of the target are called in texts, as (class, name)."""
    return tuple((name, called) for name, called in state.record().class_names if name in table().classes)


def name_of_class() -> dict[str, str]:
    """Class of the target -> what texts call it."""
    return {name: name for name in table().classes} | dict(class_names())


def called(name: str) -> str:
    """What texts call a class of the target."""
    return name_of_class().get(name, name)


def _tree_key(plan: Plan, takes: tuple[Take, ...]) -> tuple:
    make = lambda: cache.Key(("tree", roles_key(plan.prepare), plan.grow, takes))  # noqa: E731
    return state.derived(("tree", takes), make) if plan is in_force() else make()


def _cut_key(plan: Plan) -> tuple:
    """What the cuts depend on besides the grown tree."""
    return (plan.prune, plan.edits)


def grown(plan: Plan | None = None) -> tc.Tree:
    """The full tree, with the splits taken by hand; its figures are of the estimation rows, where there are any."""
    return _honest(trained(plan), "honest", tree_key(plan), plan)


def cut_by(cuts: tc.Cuts) -> tc.Tree:
    """What other cuts leave of the tree in force; not kept."""
    rows, result = estimation(), trained().cut(cuts)
    return tc.honest(result, rows["estimation"]) if rows else result


def _honest(tree: tc.Tree, name: str, key: tuple, plan: Plan | None) -> tc.Tree:
    """The tree with the figures of the estimation rows; itself without such rows. Kept under a name and key."""
    rows = estimation(plan)
    return cache.get((name, key), lambda: tc.honest(tree, rows["estimation"])) if rows else tree


def trained(plan: Plan | None = None) -> tc.Tree:
    """The full tree with the figures of the training rows, for what looks for splits or sizes; shows progress while it
    grows."""
    plan = plan or in_force()
    tree, names = _grown(plan, _by_hand(plan)[0]), class_names()
    return cache.get(tree_key(plan), lambda: tree.with_class_names(dict(names))) if names else tree


def _by_hand(plan: Plan) -> tuple[tuple[Take, ...], int, TreecoreError | None]:
    """The takes that are in force, how many steps by hand find their node in turn, and what stopped the next one."""

    def make() -> tuple[tuple[Take, ...], int, TreecoreError | None]:
        takes, tree = (), _grown(plan, ())
        for done, step in enumerate(plan.edits):
            try:
                node_at(tree, step)
                if isinstance(step, Take):
                    tree = _grown(plan, (*takes, step))
                    takes = (*takes, step)
            except TreecoreError as fault:
                return takes, done, fault
        return takes, len(plan.edits), None

    return cache.get(("by hand", _tree_key(plan, ()), plan.edits), make) if plan.edits else ((), 0, None)


def _grown(plan: Plan, takes: tuple[Take, ...]) -> tc.Tree:
    """The tree with these takes; shows progress with a way to stop while it grows."""
    rows, fault = prepared(plan.prepare)
    if fault is not None:
        raise fault
    key = _tree_key(plan, takes)
    result = cache.find(key)
    if result is not None:
        return result
    train, growth = rows["train"], plan.grow.growth()
    if isinstance(plan.grow, Import):
        return _imported(plan.grow, takes, train, key)
    if external_table.is_on():
        return external_table.grown(plan, key, by_hand=bool(takes))
    check_trainable(train)
    long_work.halt_if_stopped(key, "Growing", "change a limit", "Grow this tree")
    engine.wait(parts_for(train, growth, imposed=bool(takes)))
    is_large = train.n_rows * len(train.features) > MANY_CELLS
    if is_large:  # what reading the file has left
        give_back()
    with long_work.watched(key, long_work.describe_growing(train.n_rows)) as report:
        tree = cache.get(key, lambda: grow_with(train, growth, takes, report, rows["validation"]))
    if is_large:
        give_back()
    return tree


def _imported(step: Import, takes: tuple[Take, ...], train: tc.Table, key: tuple) -> tc.Tree:
    """The tree of a model made elsewhere, with the training rows counted."""
    if takes:
        raise step.not_grown()
    tree = tables.tree(step, train, key)
    return cache.get(key, lambda: tree)


def is_grown() -> bool:
    """Is the tree of the plan in force there, so that nobody would wait for it?"""
    plan = in_force()
    return cache.find(_tree_key(plan, ())) is not None and cache.find(_tree_key(plan, _by_hand(plan)[0])) is not None


def selected() -> int:
    """The selected node, the root when the last one is not in this tree."""
    node = state.record().selected
    return node if node < grown().n_nodes else 0


def path(node: int, plan: Plan | None = None) -> tuple[int, ...]:
    """Branch numbers from the root to this node of the grown tree."""
    return edit_of(grown(plan), node, "cut").path


def candidates(node: int, plan: Plan | None = None) -> Candidates:
    """Every split of the training rows that was possible at this node of the grown tree."""
    tree, rows = trained(plan), roles(plan)
    return cached("candidates", node, make=lambda: tc.candidates(tree, node, rows["train"]), plan=plan)


def sequence(plan: Plan | None = None, risk: str = "error") -> Sequence:
    """The nested sequence of cost-complexity pruning over the grown tree, by this risk."""
    tree = trained(plan)
    engine.wait(("prune",))
    return cached("sequence", risk, make=lambda: tc.sequence(tree, risk), plan=plan)


def cuts(plan: Plan | None = None) -> tc.Cuts:
    """The cuts of the chosen strategy, and then those by hand.

    Where the strategy in force cannot serve, nothing is cut by it, and `refusal` says why; for any other plan its
    TreecoreError is raised.
    """
    fault = refusal(plan)
    if fault is not None and plan not in (None, in_force()):
        raise fault
    return _replay(plan or in_force())[0]


def strategy(plan: Plan | None = None) -> tc.Cuts | TreecoreError:
    """The cuts of the strategy alone, without those by hand, or why it cannot serve."""
    plan = plan or in_force()
    tree, rows = trained(plan), roles(plan)

    key = ("strategy", tree_key(plan), plan.prune)

    def found(rows: dict, report) -> tc.Cuts | TreecoreError:
        method, given = plan.prune.method, dict(plan.prune.parameters)
        try:
            apart = {role: rows.get(role) for role in ("train", "validation", "pruning")}
            return tc.prune(tree, method, **apart, progress=report, **given)
        except TreecoreError as fault:
            return fault

    if external_table.is_on():
        return external_table.cached_query(key, "Pruning", lambda all_rows: found(all_rows, None))
    make = lambda report: found(rows, report)  # noqa: E731
    said = long_work.describe_pruning(rows["train"].n_rows)
    by_folds = dict(plan.prune.parameters).get("choose") == "cross-validation"
    what, again = ("Cross-validation", "Cross-validate") if by_folds else ("Pruning", "Prune")
    return long_work.cached(key, make, said, what, "choose another way of pruning", again)


def refusal(plan: Plan | None = None) -> TreecoreError | None:
    """Why the strategy cannot serve this tree with these rows; None where it can."""
    result = strategy(plan)
    return result if isinstance(result, TreecoreError) else None


def lost_edit(plan: Plan | None = None) -> TreecoreError | None:
    """Why the replay of the steps by hand stopped, as after a change of settings; None if it did not."""
    return _replay(plan or in_force())[2]


def edits(plan: Plan | None = None) -> tuple[Edit | Take, ...]:
    """The steps by hand that are in force."""
    plan = plan or in_force()
    return plan.edits[: _replay(plan)[1]]


def _replay(plan: Plan) -> tuple[tc.Cuts, int, TreecoreError | None]:
    """The cuts, how many steps by hand could be replayed, and what stopped the next one."""
    tree, result = trained(plan), strategy(plan)
    _, n_found, lost = _by_hand(plan)

    def make() -> tuple[tc.Cuts, int, TreecoreError | None]:
        made = tc.Cuts.none(tree) if isinstance(result, TreecoreError) else result
        steps = plan.edits[:n_found]
        standing = {id(step) for step in without_regrown(steps)}
        for done, step in enumerate(steps):
            try:
                made = edited(tree, made, step) if isinstance(step, Edit) and id(step) in standing else made
            except TreecoreError as fault:
                return made, done, fault
        return made, n_found, lost

    return cached("cuts", *_cut_key(plan), make=make, plan=plan)


def pruned(plan: Plan | None = None) -> tc.Tree:
    """The tree that the cuts leave, with ids of its own; its figures are of the same rows as those of `grown`."""
    tree, made = trained(plan), cuts(plan)
    result = cached_cut("pruned", make=lambda: tree.cut(made), plan=plan)
    return _honest(result, "honest pruned", cut_key("", plan=plan), plan)


def statistics(plan: Plan | None = None) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in every node of the grown tree, the estimation rows' too; roles without rows are
    left out."""
    tree = grown(plan)
    make = lambda rows: {name: node_statistics(tree, part) for name, part in rows.items()}  # noqa: E731
    if external_table.is_on():
        return of_all_rows("statistics", "Counting rows in the nodes", make, plan)
    return cached("statistics", make=lambda: make(estimation(plan) | parts(plan)), plan=plan)


def of_all_rows(name: str, what: str, make, plan: Plan | None = None, *more):
    """make(role -> all of its rows), kept under a name and the grown tree; an engine counts rows that are not here.

    what : it is doing, in words. more : what else it depends on.
    """
    key = (name, tree_key(plan), *more)
    if external_table.is_on():
        return external_table.cached_query(key, what, make)
    rows = parts(plan)
    return cache.get(key, lambda: make(rows))


def ends(role: str = "train", plan: Plan | None = None) -> np.ndarray:
    """int (n_rows,): the node of the grown tree in which each row of a role ends."""
    tree, rows = grown(plan), roles(plan)[role]
    return cached("ends", role, make=lambda: tree.apply(rows), plan=plan)


def scores(plan: Plan | None = None) -> dict[str, Score]:
    """Role -> how good the pruned tree is on its rows; roles without rows are left out."""
    tree, cut = pruned(plan), _cut_key(plan or in_force())
    make = lambda rows: {name: score(tree, part) for name, part in rows.items()}  # noqa: E731
    return of_all_rows("score by role", "Judging the tree", make, plan, *cut)


def size_of(role: str) -> int:
    """Rows of a role, wherever they are."""
    return scores()[role].n_rows if external_table.is_on() else parts()[role].n_rows


def size_of_training(plan: Plan | None = None) -> int:
    """Rows that the grown tree was grown on."""
    return int(trained(plan).n_rows[0])


def cut_by_hand() -> bool:
    """Did the user cut or restore a node?"""
    return any(isinstance(step, Edit) for step in state.record().edits)


def takes() -> tuple[Take, ...]:
    """The splits that the user took, in force or not."""
    return tuple(step for step in state.record().edits if isinstance(step, Take))


def cached(name: str, *more, make, plan: Plan | None = None):
    """Any other result of the grown tree, kept under its name and what it depends on besides the tree."""
    return cache.get((name, tree_key(plan), *more), make)


def cached_cut(name: str, *more, make, plan: Plan | None = None):
    """The same for results that depend on the cuts too."""
    return cache.get(cut_key(name, *more, plan=plan), make)


def cut_key(name: str, *more, plan: Plan | None = None) -> tuple:
    """What a result that depends on the cuts is kept under."""
    plan = plan or in_force()
    return (name, tree_key(plan), *_cut_key(plan), *more)


def flag_rule() -> FlagRule | None:
    """Which rows are flagged; None for none, and where the rule is of a class that the tree does not know."""
    rule = state.record().flag
    return rule if rule is not None and rule.fits(grown()) else None


def recipe(plan: Plan | None = None) -> Recipe:
    """All steps from the file to the pruned tree."""
    plan = plan or in_force()
    return state.derived("recipe", lambda: _recipe(plan)) if plan is in_force() else _recipe(plan)


def _recipe(plan: Plan) -> Recipe:
    r, whole = state.record(), table()
    sample = state.choice("sample")
    read = Read.of(
        sample or state.raw().source, bool(sample), r.options, derive=r.derive, weights=r.weights, infinite=r.infinite,
        refine=REFINE[r.refine],
    )  # fmt: skip
    data = Data.of(
        predicted(), whole.fingerprint, features=whole.features, kinds=r.kinds, class_names=class_names(),
        descriptions=r.descriptions,
    )  # fmt: skip
    prepare = () if plan.prepare == Prepare() else (plan.prepare,)
    flag = () if flag_rule() is None else (flag_rule(),)
    seal = () if r.seal is None else (r.seal,)
    return Recipe((read, data, r.split, *seal, *prepare, plan.grow, plan.prune, *edits(plan), *flag))


def pruned_away(plan: Plan | None = None) -> bool:
    """Do the cuts in force change the tree at all?"""
    return cuts(plan).changes


__all__ = [
    "ROLES",
    "cached",
    "cached_cut",
    "called",
    "candidates",
    "check_rows",
    "check_trainable",
    "class_names",
    "cut_by",
    "cut_by_hand",
    "cuts",
    "edits",
    "ends",
    "estimation",
    "features",
    "flag_rule",
    "grown",
    "is_sealed",
    "judge",
    "lost_edit",
    "name_of_class",
    "own_rows",
    "parts",
    "path",
    "predicted",
    "preparation_notes",
    "pruned",
    "pruned_away",
    "recipe",
    "refusal",
    "roles",
    "scores",
    "selected",
    "sequence",
    "sight_key",
    "statistics",
    "strategy",
    "table",
    "table_in_sight",
    "table_key",
    "takes",
    "target",
    "target_columns",
    "trained",
    "tree_key",
    "unprepared_roles",
]  # fmt: skip
