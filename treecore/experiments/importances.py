"""Which features a tree needs: by its own gains, by rows whose values are mixed up, and by doing without them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import in_threads
from treecore.data import level_column, numeric_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.importance import own_importance
from treecore.experiments.within import of_one_class, tree_of, varies
from treecore.fit import grow
from treecore.judging.answers import answers_of
from treecore.judging.measures import Measure
from treecore.recipe import Recipe
from treecore.tree.tree import Tree

RANDOM_NUMBER, RANDOM_WORD = "a random number", "a random word of 30"
N_WORDS = 30


@dataclass(frozen=True, eq=False, repr=False)
class Importances(Brief):
    """Of d features; entry i of each array is the i-th of `names`.

    gain : float64 (d,), share of the summed gains, those of weighted sums shared among their terms. mixed, mixed_sd :
    float64 (d,), by how much the score gets worse where the feature's values are dealt anew among the rows that judge,
    mean and spread of the draws.
    without : float64 (d,), by how much where the recipe grows anew without the feature.
    with_random : name -> share of the gains in a tree as it grows where two columns of chance stand among the features.
    score : of the tree itself.
    """

    names: tuple[str, ...]
    gain: np.ndarray
    mixed: np.ndarray
    mixed_sd: np.ndarray
    without: np.ndarray
    with_random: dict[str, float]
    score: float


def importances(
    tree: Tree, recipe: Recipe, train: Table, validation: Table, judged: Table, measure: Measure, n_draws: int = 10,
    seed: int = 0, progress: Callable | None = None,
) -> Importances:  # fmt: skip
    """Three answers to the same question, which differ where features stand for each other or have many values.

    tree : pruned. recipe : that made it of these rows, which are prepared already. judged : rows for the scores, best
    those that the tree has not seen. progress : called with cross_validation.FoldProgress.
    Source: Breiman (2001), Random Forests; Strobl et al. (2007), BMC Bioinformatics 8, for the column of chance.
    """
    if not judged.n_rows:
        raise TreecoreError(
            "There are no rows to judge by", where="importance", remedy="Set rows apart, or take others"
        )
    names, sign = tree.schema.own_names, 1 if measure.higher else -1
    before = measure(answers_of(tree, judged))

    def one(i: int, look: Callable) -> tuple[np.ndarray | float | dict, int]:
        if i == 2 * len(names):
            return _with_random(recipe, train, seed, look), 0
        if i < len(names):
            return sign * (before - _mixed(tree, judged, names[i], measure, n_draws, seed, look)), 0
        left = [name for name in train.features if name != names[i - len(names)]]
        other = _without(recipe, train, validation, left, look)
        return sign * (before - measure(answers_of(other, judged))), 0

    found = in_threads(2 * len(names) + 1, one, progress)
    drops, without = np.array(found[: len(names)]), np.array(found[len(names) : -1], float)
    spread = drops.std(axis=1, ddof=1) if n_draws > 1 else np.zeros(len(names))
    return Importances(
        names,
        _shares(own_importance(tree, train)),
        drops.mean(axis=1),
        spread,
        without,
        found[-1],
        before,
    )


def with_chance(train: Table, seed: int = 0) -> Table:
    """The table with two more features that have nothing to do with anything: a number and a word of 30."""
    rng = np.random.RandomState(seed)
    words = [f"word {k}" for k in rng.randint(0, N_WORDS, train.n_rows)]
    more = (
        numeric_column(RANDOM_NUMBER, rng.random_sample(train.n_rows)),
        level_column(RANDOM_WORD, "nominal", words, tuple(f"word {k}" for k in range(N_WORDS))),
    )
    features = (*train.features, RANDOM_NUMBER, RANDOM_WORD)
    return replace(train, columns=(*train.columns, *more), features=features)


def _with_random(recipe: Recipe, train: Table, seed: int, look: Callable) -> dict[str, float]:
    """Shares of the gains in the unpruned tree; {} where the algorithm refuses the columns."""
    if {RANDOM_NUMBER, RANDOM_WORD} & set(train.column_names):
        return {}
    try:
        wide = with_chance(train, seed)
        tree = grow(wide, recipe, progress=look)
    except TreecoreError:
        return {}
    return dict(zip(tree.schema.own_names, _shares(own_importance(tree, wide)).tolist(), strict=True))


def _mixed(
    tree: Tree, judged: Table, name: str, measure: Measure, n_draws: int, seed: int, look: Callable
) -> np.ndarray:
    """float64 (n_draws,): scores with the feature's values dealt anew. look : called before each."""
    rng = np.random.RandomState(seed)
    scores = np.empty(n_draws)
    for k in range(n_draws):
        look()
        dealt = judged.column(name).take(rng.permutation(judged.n_rows))
        scores[k] = measure(answers_of(tree, with_column(judged, dealt)))
    return scores


def with_column(table: Table, column) -> Table:
    """The table with this column in place of that of its name."""
    return replace(table, columns=tuple(column if c.name == column.name else c for c in table.columns))


def _without(recipe: Recipe, train: Table, validation: Table, names: list[str], look: Callable) -> Tree:
    parts = [part.with_features(names) for part in (train, validation)]
    if not names or not varies(parts[0]):
        return of_one_class(train, recipe, parts[0]) if names else grow(train, recipe, max_depth=0)
    return tree_of(recipe, *parts, look)


def _shares(gain: np.ndarray) -> np.ndarray:
    total = gain.sum()
    return gain / total if total > 0 else np.zeros(len(gain))
