"""How good the tree is in one line: against always giving the commonest answer, and what it finds of the rare one."""

import numpy as np
import streamlit as st

from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.widgets.messages import plain
from treecore.data.roles import too_few_to_hold_back
from treecore.data.trainable import lone_value
from treecore.evaluation.confusion import Confusion, confusion
from treecore.evaluation.metrics import Score
from treecore.figures import count, percent, points
from treecore.recipe import Split

RARE = 0.4
"""Of two classes, one with less than this share of the rows is rare enough for accuracy alone to mislead."""
WIDE_GAP = 0.05
"""From this difference of accuracy on, with more than chance behind it, the rows it was grown from are named."""
NO_HELP = (
    "No split helps on rows the tree has not seen: the root alone answers them as well. The curve below has all sizes."
)
NO_HELP_BY_FOLDS = (
    "By folds no split helps on rows the tree has not seen: always the commonest answer, or the mean, does as well. "
    "The whole tree is shown all the same, as of so few rows all train."
)
JUDGES = ("validation", "train")
NAMES = {"validation": "validation", "train": "training"}


def line() -> None:
    """Leaves, quality on the rows held back, that of the majority, and the rare class."""
    st.markdown(text(), help=more())


def text() -> str:
    """The line as Markdown."""
    tree = work.pruned()
    role, found = judged()
    leaves = f"**{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}**"
    if found.accuracy is None and not found.baseline > 0:
        return f"{leaves} · {NAMES[role]} rows **all of one value**"
    if found.accuracy is None:
        r_squared = f"{NAMES[role]} **R² {_signed(1 - found.error / found.baseline)}**"
        return " · ".join([leaves, r_squared, *_by_folds(found.baseline), "the mean alone 0"])
    said = [
        leaves,
        f"{NAMES[role]} **{percent(found.accuracy)}**",
        *_by_folds(),
        f"majority {percent(1 - found.baseline)}",
    ]
    return " · ".join([*said, *_rare(role)])


def _by_folds(baseline: float | None = None) -> list[str]:
    """What cross-validation says of the size in force, where it is shown and no rows are held back.

    baseline : of a numeric target, the error of the mean alone.
    """
    step = None if work.judge() in work.parts() or not nested.is_on() else nested.chosen_step()
    folds = nested.cross_validation()[0] if step is not None and nested.risk() == "error" else None
    if folds is None:
        return []
    error = float(folds.mean[step])
    quality = percent(1 - error) if baseline is None else f"R² {_signed(1 - error / baseline)}"
    return [f"{folds.n_folds} folds **{quality}**"]


def _folds_choose_root() -> bool:
    """Is the whole tree shown of a small table, though folds would have chosen the root alone?"""
    if work.judge() in work.parts() or not nested.is_on() or state.record().prune.method != "none":
        return False
    folds = nested.cross_validation()[0]
    small = too_few_to_hold_back(work.table().n_rows, Split())
    return small and folds is not None and nested.steps().n_leaves[folds.best(1.0)] == 1


def sentence() -> None:
    """The same as a sentence of its own, where there is something to be warned of."""
    told = more()
    if told:
        st.warning(told)


def judged() -> tuple[str, Score]:
    """The role that judges, and the score on its rows."""
    scores = work.scores()
    role = next(role for role in JUDGES if role in scores)
    return role, scores[role]


def more() -> str | None:
    """What the line means where it would mislead: no better than the majority, or much better on its own rows."""
    _, found = judged()
    told = [f"{plain(note)} Choose another target on the page Data."] if (note := lone()) else []
    if work.pruned().n_leaves == 1 and work.grown().n_leaves > 1:
        told.append(NO_HELP)
    if found.accuracy is not None and work.pruned().n_leaves > 1 and found.error >= found.baseline:
        told.append("No better than always giving the commonest answer.")
    if work.grown().n_leaves > 1 and _folds_choose_root():
        told.append(NO_HELP_BY_FOLDS)
    gap = over_fitted()
    if gap:
        told.append(gap)
    return " ".join(told) or None


def lone() -> str:
    """What is to be said of training rows that are all of one class, or have one value; else ''."""
    tree = work.grown()
    return lone_value(work.roles()["train"]) if tree.n_nodes == 1 and not tree.impurity[0] > 0 else ""


def over_fitted() -> str:
    """ "19.8 points better on the rows it was grown from: over-fitted", where it is so beyond chance; else ''."""
    scores = work.scores()
    if "validation" not in scores or scores["train"].accuracy is None:
        return ""
    train, held = scores["train"], scores["validation"]
    gap = train.accuracy - held.accuracy
    spread = np.sqrt(sum(max(s.accuracy * (1 - s.accuracy), 1e-4) / max(s.n_rows, 1) for s in (train, held)))
    if gap < WIDE_GAP or gap < 2 * spread:
        return ""
    return f"{points(gap)} better on the rows it was grown from: over-fitted."


def _rare(role: str) -> list[str]:
    """ "finds 8 of 82 “yes”" for the rarer of two unequal classes."""
    tree = work.pruned()
    if len(tree.classes) != 2:
        return []
    found = confusions()[role]
    true = np.asarray(found.counts).sum(axis=1)
    if not true.sum() or true.min() / true.sum() >= RARE:
        return []
    rare = int(true.argmin())
    hits = float(np.asarray(found.counts)[rare, rare])
    return [f"finds {count(hits, ',')} of {count(true[rare], ',')} “{plain(tree.classes[rare])}”"]


def confusions() -> dict[str, Confusion]:
    """Role -> which class is taken for which on all of its rows; of a tree of classes."""
    tree = work.pruned()
    make = lambda rows: {role: confusion(tree, part) for role, part in rows.items()}  # noqa: E731
    return work.of_all_rows("rare", "Judging the tree", make, None, work.cut_key("rare"))


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
