"""The nested sequence of the tree in force: its steps, their curve, and which of them is in force."""

import numpy as np

from pages.shared.database import external_table
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from treecore.cross_validation import cross_validated as cross_validate
from treecore.cross_validation import make_folds
from treecore.errors import TreecoreError
from treecore.judging.losses import OWN
from treecore.judging.measures import MEASURED, registered_name, serves
from treecore.pruning import CrossValidated, Sequence
from treecore.pruning.sequence import RISKS
from treecore.recipe import Prune
from treecore.study.curves import SizeCurve, size_curve

METHOD = "cost_complexity"
FOLDS = 10


def parameters() -> dict:
    """Those of cost-complexity pruning that are in force; {} under another strategy."""
    prune = state.record().prune
    return dict(prune.parameters) if prune.method == METHOD else {}


def risk() -> str:
    """What the sequence minimises: as the strategy in force has it, or as it was chosen on the page."""
    chosen = parameters().get("risk", OWN) if state.record().prune.method == METHOD else state.choice("risk")
    return chosen if chosen in risks() else OWN


def risks() -> list[str]:
    """Those with a meaning for the target."""
    known = [name for name, _ in RISKS if name == "impurity" or work.table().target_kind.has_loss(name)]
    return [name for name in known if name != "profit"]


def risk_label(name: str) -> str:
    """What it is called here: the training error is a cost, or a profit that is missed, where answers have one."""
    if name != OWN or work.grown().loss is None:
        return dict(RISKS)[name]
    return "missed profit" if work.grown().earns else "cost of training errors"


def measures() -> list[str]:
    """Those with a meaning for the target; the profit, where there is one, is what the tree itself is judged by."""
    return [name for name, _ in MEASURED if serves(name, work.table().target_kind) and name != "profit"]


def measure_label(name: str) -> str:
    """What it is called here."""
    if name != OWN:
        return dict(MEASURED)[name]
    own = registered_name(OWN, work.grown())
    return {"accuracy": "error rate", "mse": "squared error", "cost": "cost of errors"}.get(own, own)


def measure() -> str:
    """By what a size is chosen, and sizes are judged: as the strategy in force has it, or as it was chosen before."""
    chosen = parameters().get("measure", OWN) if state.record().prune.method == METHOD else state.choice("judged_by")
    return chosen if chosen in measures() else OWN


def choose_measure(name: str) -> None:
    """Another measure; a rule that is in force chooses by it from now on."""
    state.choose("judged_by", name)
    given = parameters()
    if state.record().prune.method == METHOD:
        given.pop("measure", None)
        given |= {"measure": name} if name != OWN else {}
        state.change(prune=Prune(METHOD, tuple(given.items())))


def choose_risk(name: str) -> None:
    """Another risk; a size in force stays about what it was."""
    n_leaves, step = work.pruned().n_leaves, chosen_step()
    state.choose("risk", name)
    if state.record().prune.method == METHOD:
        take(work.sequence(risk=name).with_leaves(n_leaves) if step else 0, name)


def steps() -> Sequence:
    return work.sequence(risk=risk())


def take(step: int, by: str | None = None) -> None:
    """Prune to this step of the sequence; what was cut by hand goes with the former cuts."""
    by = by or risk()
    judged_by = measure()
    _keep_folds()
    state.choose("risk", by)
    state.choose("judged_by", judged_by)
    alpha = float(work.sequence(risk=by).alpha[step])
    given = (("alpha", alpha),) + ((("risk", by),) if by != OWN else ())
    given += (("measure", judged_by),) if judged_by != OWN else ()
    state.change(prune=Prune(METHOD, given) if step else Prune("none"), edits=work.takes())


def _keep_folds() -> None:
    """The cross-validation by which the size was chosen stays on the curve when it is no longer what chooses."""
    if parameters().get("choose") == "cross-validation":
        folds, seed = folds_and_seed()
        for name, value in (("cross_validate", True), ("folds", folds), ("folds_seed", seed)):
            state.choose(name, value)


def chosen_step() -> int | None:
    """The step of the sequence in force; None when another strategy or a hand edit made the cuts."""
    prune = state.record().prune
    if work.cut_by_hand():
        return None
    if prune.method == "none" or work.refusal() is not None:  # a strategy that cannot serve leaves the grown tree
        return 0
    if prune.method != METHOD:
        return None
    result = np.flatnonzero(steps().n_leaves == work.pruned().n_leaves)
    return int(result[0]) if len(result) else None


def curve() -> SizeCurve:
    """Sizes and errors along the sequence, with the cross-validation where it is on."""
    result, _ = cross_validation()
    all_steps, by, about = steps(), measure(), (risk(), measure(), folds_and_seed() if result is not None else None)
    make = lambda rows: size_curve(all_steps, rows, result, by)  # noqa: E731
    return work.of_all_rows("curve", "Counting errors by size", make, None, *about)


def is_on() -> bool:
    """Is the cross-validation shown? It is where the size in force was chosen by one."""
    return state.choice("cross_validate") or parameters().get("choose") == "cross-validation"


def folds_and_seed() -> tuple[int, int]:
    """Those of the strategy where it chooses by cross-validation, else those chosen on the page."""
    given = parameters()
    if given.get("choose") == "cross-validation":
        return int(given.get("folds", FOLDS)), int(given.get("seed", 0))
    return state.choice("folds"), state.choice("folds_seed")


def cross_validation() -> tuple[CrossValidated | None, TreecoreError | None]:
    """The risk of each step by trees grown on parts of the training rows, or why that cannot be; None while off."""
    if not is_on():
        return None, None
    tree, here, result, (folds, seed), by = work.grown(), work.roles(), steps(), folds_and_seed(), measure()
    key = ("cross-validation", work.tree_key(), result.by, folds, seed, by)
    said, remedy = long_work.describe_folds(work.size_of_training()), "switch it off or take fewer folds"

    def made(roles: dict, report) -> CrossValidated:
        rows = roles["train"]
        return cross_validate(tree, rows, result, make_folds(rows, folds, seed), report, measure=by)

    try:
        if external_table.is_on():
            return external_table.with_progress(key, "Cross-validation", made, said), None
        make = lambda report: made(here, report)  # noqa: E731
        return long_work.cached(key, make, said, "Cross-validation", remedy, "Cross-validate"), None
    except TreecoreError as fault:
        return None, fault


def by_rule(standard_errors: float) -> None:
    """Choose the size by cross-validation from now on: at most so many standard errors above the least error."""
    folds, seed = folds_and_seed()
    given = {"choose": "cross-validation", "standard_errors": standard_errors, "folds": folds, "seed": seed}
    defaults = {"standard_errors": 0.0, "folds": FOLDS, "seed": 0}
    given |= {"risk": risk()} if risk() != OWN else {}
    given |= {"measure": measure()} if measure() != OWN else {}
    kept = tuple((name, value) for name, value in given.items() if defaults.get(name) != value)
    state.change(prune=Prune(METHOD, kept), edits=work.takes())
