"""A recipe along a scale: with more rows, with more noise, with ever fewer rows of one class."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import in_threads, make_folds
from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.judging.answers import Answers, answers_of
from treecore.judging.measures import Measure, measures_for, recall_of
from treecore.recipe import Prepare, Recipe
from treecore.study.nested_selection import (
    described,
    grown_from,
    of_one_class,
    prepared,
    roles_of,
    tree_of,
    varies,
    without_backups,
)
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Work, score_format
from treecore.tree.tree import Tree

SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
"""Of the rows that may train, for a learning curve."""
NOISES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
"""Parts of the training rows that are disturbed."""
KEPT = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01)
"""Parts of the rows of a class that are left, for a rare class."""
JUDGED = 3
"""One part in so many judges in each repetition."""
LABELS = ""
"""In place of a feature's name: the target."""


@dataclass(frozen=True, eq=False, repr=False)
class Along(Brief):
    """A recipe tried at m places of a scale, r times at each.

    at : float64 (m,), rows that train, or parts of them. score, train : float64 (m, r), of rows held back and of those
    that trained; NaN where the measure has no meaning. n_leaves : int64 (m, r).
    """

    at: np.ndarray
    score: np.ndarray
    train: np.ndarray
    n_leaves: np.ndarray

    @property
    def of_rows(self) -> bool:
        """Is the scale one of numbers of rows? Otherwise it is one of parts."""
        return bool(self.at.max() > 1)


Change = Callable[[Table, float, np.random.RandomState], Table]


def learning_curve(
    table: Table, recipe: Recipe, measure: Callable[[Answers], float], n_repeats: int = 10, seed: int = 0,
    progress: Callable | None = None,
) -> Along:  # fmt: skip
    """Scores against the rows that train: in every repetition a third judges, and ever more of the others train.

    The smaller samples are parts of the larger ones, with the classes dealt evenly.
    measure : of MEASURES, or any other of Answers. progress : as for trials. Source: Cortes et al. (1993), NIPS 6.
    """
    result = _along(table, recipe, measure, SHARES, _part, n_repeats, seed, progress)
    n = table.n_rows - int(table.target_column.missing.sum())
    return replace(result, at=np.maximum(np.round(result.at * (n - -(-n // JUDGED))), 2.0))


def noise_curve(
    table: Table, recipe: Recipe, measure: Callable[[Answers], float], feature: str | tuple[str, ...] = LABELS,
    n_repeats: int = 10, seed: int = 0, progress: Callable | None = None,
) -> Along:  # fmt: skip
    """Scores of clean rows against the part of the training rows that is disturbed.

    feature : whose values are dealt anew among so many rows, of several each for itself; "" the target,
    whose classes become any other class (numbers are dealt anew).
    Source: Quinlan (1986), The effect of noise on concept learning.
    """
    change = lambda rows, part, rng: all_disturbed(rows, feature, part, rng)  # noqa: E731
    return _along(table, recipe, measure, NOISES, change, n_repeats, seed, progress)


def rare_curve(
    table: Table, recipe: Recipe, measure: Callable[[Answers], float], rare: str, n_repeats: int = 10, seed: int = 0,
    progress: Callable | None = None,
) -> Along:  # fmt: skip
    """Scores against the part of the training rows of one class that is left; those that judge stay as they are.

    rare : the class. Source: Weiss (2004), Mining with rarity.
    """
    if rare not in table.classes:
        remedy = "Name one of: " + ", ".join(table.classes) if table.classes else "Take a target of classes"
        raise TreecoreError(f"{rare!r} is no class", where="rare class", remedy=remedy)
    change = lambda t, part, rng: _thinned(t, rare, part, rng)  # noqa: E731
    return _along(table, recipe, measure, KEPT, change, n_repeats, seed, progress)


def all_disturbed(
    table: Table, feature: str | tuple[str, ...], part: float, rng: np.random.RandomState
) -> Table:  # fmt: skip
    """The table with this part of the rows wrong in a feature, in each of several, or ("") in the target."""
    for name in (feature or table.target,) if isinstance(feature, str) else feature:
        table = disturbed(table, name, part, rng)
    return table


def disturbed(table: Table, name: str, part: float, rng: np.random.RandomState) -> Table:
    """Values of a column are wrong in this part of the rows: other classes of the target, else dealt anew."""
    column = table.column(name)
    known = np.flatnonzero(~column.missing)
    hit = np.sort(rng.choice(known, round(part * len(known)), replace=False))
    codes = column.codes.copy()
    k = column.n_distinct
    if name == table.target and column.kind != "numeric" and k > 1:
        codes[hit] = (codes[hit] + rng.randint(1, k, len(hit))) % k
    else:
        codes[hit] = codes[rng.permutation(hit)]
    other = replace(column, codes=frozen(codes))
    return replace(table, columns=tuple(other if c.name == name else c for c in table.columns))


def _part(table: Table, part: float, rng: np.random.RandomState) -> Table:
    """So many of the rows, the smaller part within the larger one, classes alike."""
    n, key = max(2, round(part * table.n_rows)), rng.permutation(table.n_rows)
    codes = np.zeros(table.n_rows, np.int64) if table.task == "regression" else table.target_column.codes
    order = np.lexsort((key, codes))
    sizes = np.bincount(codes)
    rank = np.arange(table.n_rows) - np.repeat(sizes.cumsum() - sizes, sizes)
    place = np.empty(table.n_rows)
    place[order] = (rank + 0.5) / np.repeat(sizes, sizes)  # of every class the first ones first
    return table.take(np.sort(np.lexsort((key, place))[:n]))


def _thinned(table: Table, rare: str, part: float, rng: np.random.RandomState) -> Table:
    """Without most rows of a class; one stays."""
    of_class = table.target_column.codes == table.classes.index(rare)
    rows = rng.permutation(np.flatnonzero(of_class))
    kept = rows[: max(1, round(part * len(rows)))]
    return table.take(np.sort(np.concatenate([np.flatnonzero(~of_class), kept])))


def _along(
    table: Table, recipe: Recipe, measure: Callable[[Answers], float], at: tuple[float, ...], change: Change,
    n_repeats: int, seed: int, progress: Callable | None,
) -> Along:  # fmt: skip
    if n_repeats < 1:
        raise TreecoreError(
            f"{n_repeats} repetitions leave nothing to judge", where="repeats", remedy="Choose one or more"
        )
    whole = described(table, recipe).without_missing_target()
    whole.check_trainable()
    lean = without_backups(recipe, whole)
    folds = [make_folds(whole, JUDGED, seed + r) for r in range(n_repeats)]
    places = [(i, r) for r in range(n_repeats) for i in range(len(at))]

    def one(n: int, look: Callable) -> tuple[tuple[float, float, int], int]:
        i, r = places[n]
        rest, judged = whole.take(folds[r] != 0), whole.take(folds[r] == 0)
        rest = change(rest, at[i], np.random.RandomState(seed + r))
        train, validation, held_out = (lean.last(Prepare) or Prepare()).tables(*roles_of(rest, lean), judged)
        look()
        tree = tree_of(lean, train, validation, look) if varies(train) else of_one_class(whole, lean, train)
        return (measure(answers_of(tree, held_out)), measure(answers_of(tree, train)), tree.n_leaves), 0

    result = np.array(in_threads(len(places), one, progress), float).reshape(n_repeats, len(at), 3)
    score, train, leaves = np.moveaxis(result, 2, 0).transpose(0, 2, 1)
    return Along(np.array(at, float), score, train, leaves.astype(np.int64))


# What would more rows do? A power law through a learning curve, and how sure it is.

POWERS = np.linspace(0.1, 2.0, 39)
N_DRAWS = 200
LEAST_PLACES = 4


@dataclass(frozen=True, eq=False, repr=False)
class Outlook(Brief):
    """score = limit + factor * n^-power, beyond the rows there are.

    at : float64 (m,), numbers of rows. score, low, high : float64 (m,), the curve and 90 % of those through repetitions
    drawn anew. limit, factor, power : of the curve.
    """

    at: np.ndarray
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    limit: float
    factor: float
    power: float


def outlook(
    n_rows: np.ndarray, score: np.ndarray, until: float = 4.0, seed: int = 0, best: float | None = None
) -> Outlook:
    """The power law of least squares through mean scores, on to `until` times the most rows.

    n_rows : float64 (m,), m >= 4. score : float64 (m, r), finite. TreecoreError for less. best : what a score is where
    every answer is right, 1 or 0 (see Measure.best): the limit lies on this side of it.
    Source: Cortes et al. (1993); Figueroa et al. (2012).
    """
    n_rows, score = np.asarray(n_rows, float), np.asarray(score, float)
    if len(np.unique(n_rows)) < LEAST_PLACES or n_rows.min() < 1 or not np.isfinite(score).all():
        remedy = "Take more rows, or a measure that has a value everywhere"
        raise TreecoreError("This curve cannot be carried on", where="learning curve", remedy=remedy)
    at = np.geomspace(n_rows[-1], until * n_rows[-1], 12)
    curve, law = _fitted(n_rows, score.mean(axis=1), at, best)
    rng = np.random.RandomState(seed)
    r = score.shape[1]
    drawn = [_fitted(n_rows, score[:, rng.randint(0, r, r)].mean(axis=1), at, best)[0] for _ in range(N_DRAWS)]
    low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
    return Outlook(at, curve, low, high, *law)


def _fitted(
    n: np.ndarray, y: np.ndarray, at: np.ndarray, best: float | None
) -> tuple[np.ndarray, tuple[float, float, float]]:
    """(values at the places, (limit, factor, power)): for every power the other two are a straight line's, through the
    best score where it would go beyond that."""
    x = n ** -POWERS[:, None]
    off, mean = x - x.mean(axis=1, keepdims=True), y - y.mean()
    factor = (off @ mean) / (off**2).sum(axis=1)
    limit = y.mean() - factor * x.mean(axis=1)
    if best is not None:
        beyond = limit > best if best > 0 else limit < best
        limit = np.where(beyond, best, limit)
        factor = np.where(beyond, (x @ (y - best)) / (x**2).sum(axis=1), factor)
    i = int(((y - limit[:, None] - factor[:, None] * x) ** 2).sum(axis=1).argmin())
    law = float(limit[i]), float(factor[i]), float(POWERS[i])
    return law[0] + law[1] * at ** -law[2], law


# What a recipe along a scale comes to, in a sentence or two with their numbers.

MOST_ALIKE = 0.9
"""A part of the repetitions, or of the trees, of which "nearly all" is said."""
HARDLY = 0.005, 0.02
"""Gains that are none: of shares in points, of other scores as a part of the score."""
FEW = 50
"""Rows that train, below which nothing is promised of more of them."""
SO_FEW = "So few rows say little of what more would do."
LONE = (
    "Nearly every tree here is a lone leaf and gives one answer to all rows, so there is little to see: prune less, "
    "say by a least number of rows in a leaf."
)


def outlook_of(found: Along, measure: Measure) -> Outlook | None:
    """A learning curve carried on; None of another scale, where a score is missing, and of a profit without an end."""
    try:
        return outlook(found.at, found.score, best=measure.best) if found.of_rows and measure.best < inf else None
    except TreecoreError:
        return None


def curve_sentence(found: Along, measure: Measure, scale: str) -> str:
    """What more rows, or ever more that is wrong, would do. scale : what the places are."""
    said = _more_rows_sentence(found, measure) if found.of_rows else _harm_sentence(found, measure, scale)
    return said + f" {LONE}" * bool((found.n_leaves == 1).mean() >= MOST_ALIKE)


def _more_rows_sentence(found: Along, measure: Measure) -> str:
    told, mean, ahead = _score_words(measure), found.score.mean(axis=1), outlook_of(found, measure)
    half = int(abs(found.at - found.at[-1] / 2).argmin())
    said = f"{measure.label} of rows held back: {told(mean[-1])} with all {found.at[-1]:,.0f} rows, {told(mean[half])} "
    said += f"with {found.at[half]:,.0f}."
    if ahead is None:
        return said
    score, low, high = (told(float(v[-1])) for v in (ahead.score, ahead.low, ahead.high))
    then = f" Carried on as a power law to {ahead.at[-1]:,.0f} rows: {score} ({low} to {high})."
    return f"{_promise(ahead, measure) if found.at[-1] >= FEW else SO_FEW} {said}{then}"


def _promise(ahead: Outlook, measure: Measure) -> str:
    """Would more rows help?"""
    sign = 1 if measure.higher else -1
    gain = sign * float(ahead.score[-1] - ahead.score[0])
    least = HARDLY[0] if measure.percent else HARDLY[1] * abs(float(ahead.score[0]))
    if gain <= least:
        return "More rows like these would hardly help."
    sure = min(sign * float(end[-1] - ahead.score[0]) for end in (ahead.low, ahead.high)) > 0
    return "More rows like these should help." if sure else "More rows like these may help; it is not sure."


def _harm_sentence(found: Along, measure: Measure, scale: str) -> str:
    """The score at first, in the middle and at last; from where on it is worse."""
    told, mean, middle = _score_words(measure), found.score.mean(axis=1), len(found.at) // 2
    places = [f"{told(mean[i])} at {percent(found.at[i])}" for i in (0, middle, -1)]
    said = f"{measure.label} of rows held back: {', '.join(places)} ({scale})."
    i = harms_from(found, measure)
    if i is None:
        return f"{said} Nowhere are nine repetitions of ten worse than with {percent(found.at[0])}."
    more = f"{percent(found.at[i])} or {'more' if found.at[-1] > found.at[0] else 'less'}"
    return f"{said} With {more} at least nine repetitions of ten are worse than with {percent(found.at[0])}."


def harms_from(found: Along, measure: Measure) -> int | None:
    """The first place from which on nearly all repetitions score worse than they do at the first place."""
    off = found.score - found.score[0]
    worse = ((off < 0 if measure.higher else off > 0).mean(axis=1)) >= MOST_ALIKE
    last_good = np.flatnonzero(~worse)[-1]  # the first place is never worse than itself
    return None if last_good == len(worse) - 1 else int(last_good) + 1


def _score_words(measure: Measure):
    return percent if measure.percent else brief


def describe_curve(found: Along, measure: Measure, scale: str) -> list[Line]:
    """What it comes to; score of rows held back, that of training rows and leaves at every place of the scale."""
    told = score_format(measure)
    at = [f"{x:,.0f}" if x > 1 else percent(x) for x in found.at.tolist()]
    parts = (found.score.mean(axis=1), found.score.std(axis=1), found.train.mean(axis=1), found.n_leaves.mean(axis=1))
    rows = tuple((x, told(s), told(d), told(t), f"{n:.1f}") for x, s, d, t, n in zip(at, *parts, strict=True))
    heads = (scale, f"{measure.label}, held back", "sd", "training rows", "leaves")
    return [Words(curve_sentence(found, measure, scale)), Grid(heads, rows)]


# The tree that a recipe grows where a part of the training rows is wrong.


def grown_in_noise(
    recipe: Recipe, feature: str | tuple[str, ...], part: float, train: Table, validation: Table | None = None,
    pruning: Table | None = None, seed: int = 0,
) -> tuple[Tree, Table]:  # fmt: skip
    """(The recipe's pruned tree, the rows that it was grown on): the rows of the other roles stay as they are.

    feature, part : as of all_disturbed. train, validation, pruning : before the recipe prepares them.
    """
    wrong = all_disturbed(train, feature, part, np.random.RandomState(seed))
    roles = prepared(recipe, wrong, validation, pruning)
    return grown_from(recipe, roles), roles["train"]


MORE_ROWS, WRONG_TARGETS, RARE = "more rows", "wrong targets", "a rare class"
EVERYWHERE, VALUES = "wrong values everywhere", "wrong values of "
SCALES = {
    MORE_ROWS: "size of the training set", WRONG_TARGETS: "training rows with a wrong target",
    RARE: "remaining rows of the class", EVERYWHERE: "training rows with a wrong value, in each column",
}  # fmt: skip


def _changes(setup: Setup) -> dict[str, str]:
    rare, values = [RARE] * bool(setup.table.classes), [VALUES + name for name in setup.grown.schema.own_names]
    return {what: what for what in (MORE_ROWS, WRONG_TARGETS, *rare, EVERYWHERE, *values)}


CHANGE = Setting("along what", "With", options=_changes, width=180)
RARE_CLASS = Setting(
    "along class", "Class", options=lambda setup: setup.class_names, width=100,
    usual=lambda setup: next(reversed(setup.table.classes), None),
)  # fmt: skip
REPEATS = Setting("along repeats", "Times", 10, least=2, most=100, step=5, width=110)


def measures_along(setup: Setup) -> dict[str, Measure]:
    """Those that serve; of a class that becomes rare, first how many of its rows are found."""
    target, rare = setup.table.target_kind, setup[RARE_CLASS]
    of_class = [recall_of(target.classes, rare, setup.called(rare))] if setup[CHANGE] == RARE else []
    return {m.name: m for m in (*of_class, *measures_for(target))}


RARE_MEASURE = Setting(
    "along rare measure",
    "Measure",
    options=lambda s: {name: m.label for name, m in measures_along(s).items()},
    width=170,
)


def measure_along(setup: Setup) -> Measure:
    """What is told along the scale."""
    return measures_along(setup)[setup[RARE_MEASURE]] if setup[CHANGE] == RARE else setup.measure


def scale_of(setup: Setup) -> str:
    """What the axis is."""
    return SCALES.get(setup[CHANGE], f"training rows with {setup[CHANGE]}")


def wrong_in(setup: Setup) -> str | tuple[str, ...] | None:
    """What is wrong, as of noise_curve; None where nothing is."""
    what = setup[CHANGE]
    if what in (MORE_ROWS, RARE):
        return None
    return "" if what == WRONG_TARGETS else setup.grown.schema.own_names if what == EVERYWHERE else (
        what.removeprefix(VALUES))  # fmt: skip


def _work(setup: Setup) -> Work:
    rows, recipe, measure, n = setup.judged_rows, setup.recipe, measure_along(setup), setup[REPEATS]
    what, rare, wrong = setup[CHANGE], setup[RARE_CLASS], wrong_in(setup)
    if what == MORE_ROWS:
        return lambda report: learning_curve(rows, recipe, measure, n, progress=report)
    if what == RARE:
        return lambda report: rare_curve(rows, recipe, measure, rare, n, progress=report)
    return lambda report: noise_curve(rows, recipe, measure, wrong, n, progress=report)


def _pictures(found: Along, setup: Setup) -> list[Picture]:
    """Scores and leaves along the scale, each with its band; of more rows the curve carried on."""
    measure, scale = measure_along(setup), scale_of(setup)
    share, ahead = not found.of_rows, outlook_of(found, measure)
    caption = f"{curve_sentence(found, measure, scale)} Bands: ± sd of the repetitions"
    caption += "; dashed: carried on as a power law, with 90 % of it drawn anew." if ahead else "."
    leaves = "Leaves of the trees, ± sd of the repetitions."
    return [
        Picture("error_curves.score_curve", (found, measure, scale, share, ahead), caption),
        Picture("error_curves.leaves_along", (found, scale, share), leaves, 200),
    ]


LEARNING_CURVE = StudyQuestion(
    "along", "What would more rows do, or noise?", lambda setup: f"Against {scale_of(setup)}", _work,
    lambda answer, setup: describe_curve(answer, measure_along(setup), scale_of(setup)), _pictures,
    (CHANGE, RARE_CLASS, RARE_MEASURE, REPEATS),
    lambda setup: (("measure", measure_along(setup).label), ("times", setup[REPEATS]), ("seed", 0)),
    start=Start(
        "along on", "Try it",
        "In every repetition a third of the rows judges and stays as it is; the recipe is tried on ever more, or ever "
        "worse, of the others.",
        remedy="choose fewer repetitions",
    ), report_place=8,
)  # fmt: skip
