"""A recipe along a scale: with more rows, with more noise, with ever fewer rows of one class."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import in_threads, make_folds
from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.experiments.within import described, of_one_class, roles_of, tree_of, varies, without_backups
from treecore.judging.answers import Answers, answers_of
from treecore.recipe import Prepare, Recipe

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
    found = _along(table, recipe, measure, SHARES, _part, n_repeats, seed, progress)
    n = table.n_rows - int(table.target_column.missing.sum())
    return replace(found, at=np.maximum(np.round(found.at * (n - -(-n // JUDGED))), 2.0))


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

    found = np.array(in_threads(len(places), one, progress), float).reshape(n_repeats, len(at), 3)
    score, train, leaves = np.moveaxis(found, 2, 0).transpose(0, 2, 1)
    return Along(np.array(at, float), score, train, leaves.astype(np.int64))
