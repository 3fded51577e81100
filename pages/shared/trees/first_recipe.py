"""How the tree of a new table is grown and pruned until the user says otherwise."""

from dataclasses import replace

from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.trees.plan import Plan
from treecore.data.roles import too_few_to_hold_back
from treecore.errors import TreecoreError
from treecore.first_recipe import (
    FOLDED,
    MOST_IN_LEAF,
    first_growth,
    first_pruning,
    first_prunings,
    first_way,
    growth_choices,
)
from treecore.first_recipe import why_not_cart as of_growth
from treecore.recipe import Grow, Prune, Split

PENDING = "first recipe"
PREFERRED = "first growth preferred"
"""How the app has grown the tree unasked, in words, where it is another way than plain CART; else ''."""
EVERY_ROW = Split(train=1.0, validation=0.0, test=0.0)
IN_AN_ENGINE = Grow("cart", (("max_depth", 6), ("min_rows_leaf", MOST_IN_LEAF), ("missing", "majority")))
"""Every level asks the engine once more, and surrogates cannot be found by counting."""
NEVER_FOLDED = FOLDED + 1


def settle() -> None:
    """Choose once for a table that was just read; what cannot be trained yet is asked again later."""
    if not state.choice(PENDING):
        return
    try:
        result = _chosen()
    except TreecoreError:
        return  # the page says what is missing
    state.change(choices={**state.record().choices, PENDING: False}, **result)
    state.forget_steps()


def train_all_of_few() -> None:
    """No row of a new table is held back where there are few, unless the user has said how they are dealt."""
    if not state.choice(PENDING) or external_table.is_on() or state.record().split != Split():
        return
    if too_few_to_hold_back(work.table().n_rows, Split()):
        state.change(split=EVERY_ROW, choices={**state.record().choices, state.ALL_TRAIN: True})
        state.forget_steps()


def why_not_cart() -> str:
    """Why the tree, unless its growth was changed since, is no plain CART, in a sentence; else ''."""
    growth = state.record().grow
    return of_growth(growth) if state.choice(PREFERRED) == repr(growth) else ""


def use_cart() -> None:
    """Plain CART with leaves as large, pruned as before."""
    growth = state.record().grow
    n_rows = work.roles()["train"].n_rows
    state.choose(PREFERRED, "")
    state.change(grow=first_growth(n_rows) if growth.preset == "ctree" else _without_criterion(growth))


def _without_criterion(growth: Grow) -> Grow:
    return replace(growth, settings=tuple(pair for pair in growth.settings if pair[0] != "criterion"))


def _in_folds(rule: Prune, folds: int) -> Prune:
    """The same by so many folds, where it is judged by folds."""
    return replace(rule, parameters=(*rule.parameters, ("folds", folds))) if rule.parameters else rule


def _loss(grow: Grow, prune: Prune) -> float:
    """The loss, on the rows that judge, of the tree that they leave; TreecoreError where it cannot be judged."""
    result = work.strategy(Plan(state.record().prepare, grow, prune))
    if isinstance(result, TreecoreError):
        raise result
    return result.loss


def _chosen() -> dict:
    """grow and prune: by the loss in ten folds, or on the validation rows of a large table.

    Of a small table all rows train, and folds of them judge.
    """
    work.check_rows()
    target, held_back = work.table().target_kind, work.judge() in work.parts()
    if external_table.is_on():
        rules = first_prunings(target, NEVER_FOLDED, bool(state.record().split.validation))
        return {"grow": IN_AN_ENGINE, "prune": rules[1]}
    train_all_of_few()
    held_back = held_back and state.record().split != EVERY_ROW
    work.check_trainable(work.roles()["train"])
    train = work.roles()["train"]
    n_cells = work.table().n_rows * len(train.features)
    ways = growth_choices(train.n_rows, target, n_cells, held_back)
    state.change(choices={**state.record().choices, PENDING: False})  # what is asked below is asked of this table
    if n_cells > FOLDED:  # growing it may take long enough to be stopped: that is the page's business
        return {"grow": ways[0].growth, "prune": ways[0].prunings[1]}
    if not held_back:
        folds = min(nested.FOLDS, train.n_rows)
        if folds < nested.FOLDS:
            ways = tuple(replace(w, prunings=tuple(_in_folds(rule, folds) for rule in w.prunings)) for w in ways)
        state.change(choices={**state.record().choices, "cross_validate": True, "folds": folds})
    way = first_way(ways, _loss)
    grow, rules = way.growth, way.prunings
    state.choose(PREFERRED, repr(grow) if way != ways[0] else "")
    plan = Plan(state.record().prepare, grow)
    if work.grown(plan).n_leaves == 1:
        return {"grow": grow, "prune": Prune()}
    result = first_pruning(rules, lambda rule: work.pruned(replace(plan, prune=rule)).n_leaves, train.n_rows)
    if held_back or result == Prune() or work.pruned(replace(plan, prune=result)).n_leaves > 1:
        return {"grow": grow, "prune": result}
    # the root alone is what other rows say; of rows that all train the whole tree is shown, and what folds say of it
    same = {name: value for name, value in result.parameters if name in ("risk", "measure")}
    for name, choice in (("risk", "risk"), ("measure", "judged_by")):
        if name in same:
            state.choose(choice, same[name])
    return {"grow": grow, "prune": Prune()}
