"""How good the tree is in one line: against always giving the commonest answer, and what it finds of the rare one."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import interest, nested, work
from pages.shared.widgets import explained
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.data.roles import too_few_to_hold_back
from treecore.data.table_like import lone_value
from treecore.explaining.measure_arithmetic import measure_lines
from treecore.export.cards import shorten
from treecore.figures import brief, count, in_unit, percent, points
from treecore.judging.answers import Answers, answers_of
from treecore.judging.confusion import Confusion, confusion
from treecore.judging.interest import observed_shares
from treecore.judging.losses import OWN
from treecore.judging.measures import (
    MEASURES,
    TENTH,
    Measure,
    measured,
    measures_for,
    own_measure,
    registered_name,
    short_name,
)
from treecore.judging.measures import NAMES as NAMES_OF
from treecore.judging.ranking import RARE, Ranking, ranking_by
from treecore.pruning import PRUNERS
from treecore.recipe import Split, lowered
from treecore.study.metrics import Score

SELDOM = 0.4
"""Of a class of interest with less than this share of the rows it is said how many of its rows are caught."""
WIDE_GAP = 0.05
"""From this difference of accuracy on, with more than chance behind it, the rows it was grown from are named."""
NO_HELP_BY_FOLDS = (
    "In cross-validation no split helps: always predicting the most frequent class, or the mean, does as well. All "
    "of so "
    "few rows are used for training, so the whole tree is shown anyway."
)
SHARES = ("log_loss", "brier", "auc", "average_precision", "captured")
JUDGES = ("validation", "train")
NAMES = {"validation": "validation", "train": "training"}


def line() -> None:
    """Leaves, quality on the rows held back, that of the majority, and the rare class."""
    st.markdown(text(), help=more())


def text() -> str:
    """The line as Markdown."""
    tree = work.pruned()
    role, result = judged()
    said = [f"**{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}**"]
    if result.accuracy is None and not result.baseline > 0:
        return " · ".join([*said, f"{NAMES[role]} rows **all of one value**"])
    if result.accuracy is None:
        head = result.headline
        error = f"{NAMES[role]} **{head.short} {plain(head.told(head.value))}**"
        return " · ".join([*said, error, *_by_folds(), f"{head.root}: {plain(head.told(head.baseline))}"])
    rare = _rare(role, result)
    if rare is not None:
        return " · ".join([*said, *rare, *_by_folds()])
    if result.cost is not None:
        return " · ".join([*said, *_worth(role, result), *_by_folds(), *_caught(role)])
    always = f"always “{plain(shorten(tree.class_names[tree.summary[0]], 16))}” {percent(1 - result.baseline)}"
    return " · ".join([*said, f"{NAMES[role]} **{percent(result.accuracy)}**", *_by_folds(), always, *_caught(role)])


def _in_unit(value: float) -> str:
    """A number of the target's unit, as Markdown."""
    return plain(in_unit(brief(value), work.grown().schema.target_unit))


def _worth(role: str, found: Score) -> list[str]:
    """What the answers cost or earn, and the root's alone: "validation mean profit 0.66", "root alone 0"."""
    rows = f"{NAMES[role]} " if role else ""
    return [f"{rows}**{found.measure} {brief(found.cost)}**", f"baseline {brief(found.cost_baseline)}"]


def _by_folds() -> list[str]:
    """What cross-validation says of the size in force, where it is shown and no rows are held back."""
    step = None if work.judge() in work.parts() or not nested.is_on() else nested.chosen_step()
    folds = nested.cross_validation()[0] if step is not None else None
    if folds is None:
        return []
    value = float(folds.mean[step])
    if folds.measure != OWN:
        quality = f"{NAMES_OF[folds.measure]} {brief(value)}"
    elif nested.curve().measure == "error rate":
        quality = percent(1 - value)
    else:
        quality = plain(" ".join(work.grown().target_kind.loss_shown(work.grown(), value)))
    return [f"{folds.n_folds} folds **{quality}**"]


def _folds_choose_root() -> bool:
    """Is the whole tree shown of a small table, though folds would have chosen the root alone?"""
    if work.judge() in work.parts() or not nested.is_on() or state.record().prune.method != "none":
        return False
    folds = nested.cross_validation()[0]
    small = too_few_to_hold_back(work.table().n_rows, Split())
    return small and folds is not None and nested.steps().n_leaves[folds.best()] == 1


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
    _, result = judged()
    told = [f"{plain(note)} Choose another target on the page Data."] if (note := lone()) else []
    if work.pruned().n_leaves == 1 and work.grown().n_leaves > 1:
        told.append(_root_alone())
    elif work.pruned().n_leaves > 1:
        told += _against_root(result)
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
    """ "19.8 points better on its training rows: the tree is over-fitted", where it is so beyond chance; else ''."""
    scores = work.scores()
    if "validation" not in scores or scores["train"].accuracy is None:
        return ""
    train, held = scores["train"], scores["validation"]
    gap = train.accuracy - held.accuracy
    spread = np.sqrt(sum(max(s.accuracy * (1 - s.accuracy), 1e-4) / max(s.n_rows, 1) for s in (train, held)))
    if gap < WIDE_GAP or gap < 2 * spread:
        return ""
    return f"{points(gap)} better on its training rows: the tree is over-fitted."


def _root_alone() -> str:
    """Why pruning has left no split, in its own terms, and what can be done."""
    tree, prune = work.grown(), state.record().prune
    given, target, k = dict(prune.parameters), plain(tree.schema.target), _looked_for(tree)
    measure = given.get("measure", OWN)
    if not tree.classes:
        what = f"No split predicts {target} better than {tree.target_kind.one_for_all}"
    elif k is not None and measure in SHARES:
        rate = percent(float(observed_shares(tree)[0, k]))
        what = f"No split predicts “{plain(tree.class_names[k])}” better than its overall rate of {rate}"
    else:
        what = f"No split predicts {target} better than always “{plain(tree.class_names[tree.summary[0]])}”"
    if prune.method != "cost_complexity":
        by = lowered(PRUNERS[prune.method].label)
    else:
        folded = given.get("choose") == "cross-validation"
        rows = f"in {given.get('folds', 10)} folds" if folded else f"on the {work.judge()} rows"
        by = f"the {NAMES_OF[own_measure(measure, tree)]} {rows}"
    return f"{what}, judged by {by}. The curve below shows every size, up to the unpruned tree."


def _against_root(found: Score) -> list[str]:
    """What is to be said where the answers are no better than the root's alone in what the tree is judged by, or right
    no more often though they are better in that."""
    if found.cost is None:
        if found.error < found.baseline:
            return []
        root = found.headline.root.replace("always", "always predicting")
        return [_not_more_right() if found.accuracy is not None else f"No better than {root}."]
    numbers = f"{found.measure.capitalize()} {brief(found.cost)}, baseline {brief(found.cost_baseline)}."
    if not found.beats_root:
        return [f"No better than one prediction for all rows. {numbers}"]
    return [f"Accuracy is lower by design: {_weighed_more()}. {numbers}"] if found.error >= found.baseline else []


def _weighed_more() -> str:
    """ "you weigh “yes” more", by costs, profits or class weights."""
    tree = work.pruned()
    factor = tree.class_factor
    if not np.ptp(factor) > 1e-9 * factor.max():
        return "some errors cost more than others"
    return f"you weigh “{plain(tree.class_names[int(np.argmax(factor))])}” more"


def _not_more_right() -> str:
    """The answers are right no more often than one answer for all; what the leaves say may be worth much all the same:
    by the measure in force, or in the order of the leaves' shares."""
    tree = work.pruned()
    k, measure = _looked_for(tree), nested.measure()
    ranking = None if k is None else rankings()[judged()[0]]
    if ranking is not None and ranking.area > 0.5:
        name = plain(tree.class_names[k])
        return (
            f"In almost no leaf is “{name}” the majority, so the predicted class is nearly always the same. The risk "
            f"still differs between leaves: look at the rate of “{name}”."
        )
    if measure in SHARES and not external_table.is_on():
        ours, root = _measured(measure)
        better = ours > root if MEASURES[measure].higher else ours < root
        named = short_name(MEASURES[measure])
        if better:
            return (
                "The predicted class is right no more often than one prediction for all rows, but the leaves’ rates "
                f"tell rows apart: {named} {brief(ours)}, baseline {brief(root)}."
            )
    return "No better than always predicting the most frequent class."


def _measured(name: str) -> tuple[float, float]:
    """(of your tree, of its root alone) on the rows that judge."""
    tree, k = work.pruned(), _looked_for(work.pruned())
    of, part = None if k is None else tree.class_names[k], work.parts()[judged()[0]]
    make = lambda: tuple(measured(one, part, name, of) for one in (tree, tree.baseline()))  # noqa: E731
    return work.cached_cut("measured", name, of, make=make)


def _looked_for(tree) -> int | None:
    """The place of the class of interest; None where there is none."""
    result = interest.of(tree)
    return None if result is None else result.k


def _rare(role: str, found: Score) -> list[str] | None:
    """How well a rare class of interest is told apart: "AUC 0.74", "riskiest 10 % hold 31 % of 87 “yes”", and what is
    caught; None where there is none."""
    tree, ranking = work.pruned(), rankings()[role] if _looked_for(work.pruned()) is not None else None
    if ranking is None or not ranking.is_of_rare_class:
        return None
    said = [f"{NAMES[role]} **AUC {ranking.area:.2f}**"]
    if tree.n_leaves == 1:
        return [
            *said,
            f"always “{plain(shorten(tree.class_names[tree.summary[0]], 16))}” {percent(judged()[1].accuracy)}",
        ]
    if found.cost is not None:
        return [*said, *_worth("", found), *_caught(role)]
    name = plain(shorten(tree.class_names[_looked_for(tree)], 16))
    part = percent(ranking.captured(TENTH))
    said.append(f"riskiest 10 % hold {part} of {count(ranking.positives, ',')} “{name}”")
    return [*said, *_caught(role)]


def _caught(role: str) -> list[str]:
    """ "catches 52, 214 false alarms": rows of a class of interest that is not the commonest, and others taken for it;
    [] where no row is answered with it."""
    tree, k = work.pruned(), _looked_for(work.pruned())
    if k is None:
        return []
    counts = np.asarray(confusions()[role].counts)
    hits, alarms, true = float(counts[k, k]), float(counts[:, k].sum() - counts[k, k]), float(counts[k].sum())
    if not hits + alarms or true >= SELDOM * counts.sum():
        return []
    of = f" of {count(true, ',')} “{plain(shorten(tree.class_names[k], 16))}”" if true >= RARE * counts.sum() else ""
    return [f"catches {count(hits, ',')}{of}, {count(alarms, ',')} false alarm{'' if alarms == 1 else 's'}"]


def rankings() -> dict[str, Ranking | None]:
    """Role -> its rows by the share of the class of interest; of a tree of two classes."""
    tree = work.pruned()
    make = lambda rows: {role: ranking_by(tree, part, _looked_for(tree)) for role, part in rows.items()}  # noqa: E731
    return work.of_all_rows("rankings", "Judging the tree", make, None, work.cut_key("rankings"), _looked_for(tree))


def confusions() -> dict[str, Confusion]:
    """Role -> which class is taken for which on all of its rows; of a tree of classes."""
    tree = work.pruned()
    make = lambda rows: {role: confusion(tree, part) for role, part in rows.items()}  # noqa: E731
    return work.of_all_rows("rare", "Judging the tree", make, None, work.cut_key("rare"))


# In which measure trees are judged on a page, and a figure of it opened to its arithmetic.

CHOICE, ROWS = "judged in", "opened rows"
ROOTS = {"mse": "rmse"}
TITLE = "How a figure is computed"


def known(tree: tc.Tree) -> list[str]:
    """Names in the registry with a meaning for the tree, that in force first; of profits and costs what it has."""
    without = {"profit"} if not tree.earns else {"cost"}
    without |= {"cost"} if tree.loss is None else set()
    names = [m.name for m in measures_for(tree.target_kind) if m.name not in without]
    first = in_force(tree)
    return sorted(names, key=lambda name: name != first)


def in_force(tree: tc.Tree) -> str:
    """What sizes are judged by, by its name in the registry; squares by their root, which has the target's unit, as the
    strip and the curve tell them."""
    name = registered_name(nested.measure(), tree)
    return ROOTS.get(name, name)


def chosen(tree: tc.Tree) -> Measure:
    """That of the reader; the one in force where none is chosen, or it has no meaning here."""
    name = state.choice(CHOICE)
    return MEASURES[name if name in known(tree) else in_force(tree)]


def choose(tree: tc.Tree, key: str, width: int = 230) -> Measure:
    """The control of it."""
    now = chosen(tree)
    state.controlled(
        st.selectbox, "Judged by", now.name, lambda v: state.choose(CHOICE, v), key, options=known(tree),
        format_func=lambda name: MEASURES[name].label, width=width,
    )  # fmt: skip
    return now


def looked_for(tree: tc.Tree) -> str | None:
    """The reader's class of interest; None where a measure takes the rarer of two."""
    result = interest.of(tree)
    return None if result is None else result.name


def answers(tree: tc.Tree, rows: tc.Table) -> Answers:
    """What a tree says of rows, with the reader's class of interest."""
    result, name = answers_of(tree, rows), looked_for(tree)
    return result if name is None else replace(result, interest=name)


Judged = Mapping[str, tuple[tc.Tree, Mapping[str, tc.Table | Answers]]]
"""Label -> (tree, role -> its rows, or what trees of folds said of theirs)."""


def arithmetic(name: str, made: Callable[[], Judged]) -> None:
    """A fold with a figure opened: of a tree (if there are several), in a measure, on the rows of a role.

    name : of the fold. made : asked for only where the fold is open. Rows that stay in an engine are counted there, and
    not opened.
    """
    if not external_table.is_on():
        fold(TITLE, f"figure of {name}", lambda: _opened(name, made()))


def _opened(name: str, trees: Judged) -> None:
    labels = list(trees)
    if not labels:
        return
    with st.container(horizontal=True):
        label = labels[0]
        if len(labels) > 1:
            label = state.choice("opened tree")
            label = label if label in labels else labels[0]
            state.controlled(
                st.selectbox, "Tree", label, lambda v: state.choose("opened tree", v), f"opened_tree_{name}",
                options=labels, width=180,
            )  # fmt: skip
        tree, parts = trees[label]
        measure = choose(tree, f"opened_{name}", 165)
        role = state.choice(ROWS)
        role = role if role in parts else next((r for r in ("validation", "test") if r in parts), next(iter(parts)))
        state.controlled(
            st.selectbox, "Rows", role, lambda v: state.choose(ROWS, v), f"opened_rows_{name}", options=list(parts),
            width=110,
        )  # fmt: skip
    rows = parts[role]
    of_folds = isinstance(rows, Answers)
    result, grown = (rows, None) if of_folds else (answers(tree, rows), tree)
    lines = measure_lines(result, measure.name, grown)
    if lines:
        explained.show(lines)
    else:
        st.caption(f"{measure.label} has no value on these rows.")


def of_yours() -> Judged:
    """Your tree and its rows by role."""
    return {"your tree": (work.pruned(), work.parts())}
