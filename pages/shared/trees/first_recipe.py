"""How the tree of a new table is grown and pruned until the user says otherwise."""

from dataclasses import replace

from pages.shared.database import counted
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan
from treecore.data.roles import too_few_to_hold_back
from treecore.errors import TreecoreError
from treecore.recipe import Grow, Prune, Split

PENDING = "first recipe"
SHARE, MOST_IN_LEAF = 0.01, 50
"""Rows of a leaf at least: one in a hundred of the training rows, as fewer say little about rows to come; of large
tables not more than fifty, so that rare classes keep leaves of their own (rpart and CHAID ask for 7 and 50)."""
FOLDED = 200_000
"""Cells of a table up to which ten folds are grown for the 1-SE rule (Breiman et al. 1984, 3.4.3) without being
waited for; the validation rows of larger ones are many enough to judge by."""
RULE = ("standard_errors", 1.0)
BY_FOLDS = Prune("cost_complexity", (("choose", "cross-validation"), RULE))
BY_VALIDATION = Prune("cost_complexity", (RULE,))
BEST = Prune("cost_complexity")
EVERY_ROW = Split(train=1.0, validation=0.0, test=0.0)
IN_AN_ENGINE = Grow("cart", (("max_depth", 6), ("min_rows_leaf", MOST_IN_LEAF), ("missing", "majority")))
"""Every level asks the engine once more, and surrogates cannot be found by counting."""


def settle() -> None:
    """Choose once for a table that was just read; what cannot be trained yet is asked again later."""
    if not state.choice(PENDING):
        return
    try:
        found = _chosen()
    except TreecoreError:
        return  # the page says what is missing
    state.change(choices={**state.record().choices, PENDING: False}, **found)
    state.forget_steps()


def _chosen() -> dict:
    """grow and prune: the 1-SE rule, and the best size on the validation rows where that leaves the root alone.

    Of a small table all rows train, and folds of them judge.
    """
    work.check_rows()
    if counted.is_on():
        return {"grow": IN_AN_ENGINE, "prune": BY_VALIDATION if state.record().split.validation else Prune()}
    if too_few_to_hold_back(work.table().n_rows, Split()) and state.record().split == Split():
        state.change(split=EVERY_ROW, choices={**state.record().choices, "cross_validate": True})
    work.check_trainable(work.roles()["train"])
    train = work.roles()["train"]
    at_least = int(min(MOST_IN_LEAF, train.n_rows * SHARE))
    grow = Grow("cart", (("min_rows_leaf", at_least),) if at_least > 1 else ())
    small = work.table().n_rows * len(train.features) <= FOLDED
    state.change(choices={**state.record().choices, PENDING: False})  # what is asked below is asked of this table
    held_back = work.judge() in work.parts()
    if not small:  # growing it may take long enough to be stopped: that is the page's business
        return {"grow": grow, "prune": BY_VALIDATION if held_back else Prune()}
    rules = [BY_FOLDS, BEST] if held_back else [BY_FOLDS]
    plan = Plan(state.record().prepare, grow)
    for rule in rules:
        try:
            if work.pruned(replace(plan, prune=rule)).n_leaves > 1:
                return {"grow": grow, "prune": rule}
        except TreecoreError:
            continue
    # the root alone is what other rows say; of rows that all train the whole tree is shown, and what folds say of it
    return {"grow": grow, "prune": rules[-1] if held_back and work.grown(plan).n_leaves > 1 else Prune()}
