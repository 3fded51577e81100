"""Bias and variance against size: trees of many samples, each cut back to so many leaves, judged by the same rows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import in_threads
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.errors import TreecoreError
from treecore.experiments.decompose import DOMINGOS, KOHAVI, SQUARED, Parts, domingos, kohavi, squared
from treecore.experiments.within import described, without_backups
from treecore.experiments.worlds import World
from treecore.fit import grow
from treecore.pruning.sequence import Sequence, sequence
from treecore.recipe import Prepare, Recipe
from treecore.tree.target import true_target
from treecore.tree.tree import Tree

SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
JUDGED_SHARE, MOST_JUDGED = 1 / 3, 2000
BOOTSTRAP, HALVES = SAMPLES = ("bootstrap", "halves")
"""How the rows of a tree are drawn: as many as there are, with replacement, as Domingos (2000) did; or half of them,
each once, as Kohavi and Wolpert (1996) did."""


@dataclass(frozen=True, eq=False, repr=False)
class ManyTrees(Brief):
    """Answers of trees of many samples, by size.

    sizes : int64 (m,), most leaves of a subtree. said : (m, n_trees, n_judged), labels or numbers. train : float64
    (m, n_trees), error of each on its own training rows. truth : (n_judged,), mean of the target or its value;
    (n_judged, n_classes), chances of the classes. noise : float64 (n_judged,) variance around the mean, None where
    nobody knows it; is_known : is the truth that of a world, or the target as it was drawn?
    """

    task: str
    sizes: np.ndarray
    said: np.ndarray
    train: np.ndarray
    truth: np.ndarray
    noise: np.ndarray | None
    is_known: bool

    @property
    def definitions(self) -> tuple[str, ...]:
        """Those that serve the target."""
        return (SQUARED,) if self.task == "regression" else (DOMINGOS, KOHAVI)

    @property
    def errors(self) -> np.ndarray:
        """float64 (m, n_trees), of each tree on the rows judged: chance of a wrong answer, or mean squared error."""
        if self.task == "regression":
            return ((self.said - self.truth) ** 2).mean(axis=2) + (0.0 if self.noise is None else self.noise.mean())
        chances = np.append(self.truth, np.zeros((len(self.truth), 1)), axis=1)  # no answer, -1, is never right
        return 1 - chances[np.arange(len(chances)), self.said].mean(axis=2)

    def parts(self, definition: str) -> list[Parts]:
        """One entry per size. TreecoreError for a definition of the other task."""
        if definition not in self.definitions:
            remedy = "Choose " + " or ".join(self.definitions)
            raise TreecoreError(f"{definition} does not serve this target", where="definition", remedy=remedy)
        if definition == SQUARED:
            return [squared(said, self.truth, self.noise) for said in self.said]
        return [(domingos if definition == DOMINGOS else kohavi)(said, self.truth) for said in self.said]


def in_table(
    table: Table,
    recipe: Recipe,
    n_trees: int = 50,
    seed: int = 0,
    progress: Callable | None = None,
    samples: str = BOOTSTRAP,
) -> ManyTrees:
    """Trees of samples of two thirds of the rows, judged by the others, whose target is taken for the truth.

    Of the recipe only preparing and growing count: sizes are those of the nested sequence.
    samples : of SAMPLES. A bootstrap sample has as many rows as the table, of which about 63 % differ: its trees are
    those of a smaller table whose rows weigh more, and follow them further. Halves share half of their rows.
    progress : called with cross_validation.FoldProgress; an exception that it raises ends the work.
    """
    whole = described(table, recipe).without_missing_target()
    whole.check_trainable()
    refuse_counts_in(whole, "bias and variance")
    rng = np.random.RandomState(seed)
    order = rng.permutation(whole.n_rows)
    n = max(1, min(int(whole.n_rows * JUDGED_SHARE), MOST_JUDGED))
    judged, pool = whole.take(np.sort(order[:n])), order[n:]
    draws = [_drawn(pool, samples, rng) for _ in range(n_trees)]
    found = _grown(lambda i: whole.take(np.sort(draws[i])), judged, without_backups(recipe, whole), n_trees, progress)
    truth = _truth(grow(whole, recipe, max_depth=0), judged)
    return ManyTrees(whole.task, *found, truth, None, False)


def _drawn(pool: np.ndarray, samples: str, rng: np.random.RandomState) -> np.ndarray:
    """Rows of one tree."""
    if samples not in SAMPLES:
        raise TreecoreError(f"{samples!r} draws no samples", where="samples", remedy="Choose " + " or ".join(SAMPLES))
    if samples == HALVES:
        return rng.permutation(pool)[: max(1, len(pool) // 2)]
    return pool[rng.randint(0, len(pool), len(pool))]


def in_world(
    world: World, recipe: Recipe, n_rows: int = 200, n_trees: int = 50, seed: int = 0, progress: Callable | None = None
) -> ManyTrees:
    """Trees of tables drawn anew from a world, judged by rows whose truth is known. n_rows : of each table."""
    rng = np.random.default_rng(seed)
    judged, truth = world.draw(rng, MOST_JUDGED)
    tables = [world.draw(rng, n_rows)[0] for _ in range(n_trees)]
    found = _grown(tables.__getitem__, judged, without_backups(recipe, judged), n_trees, progress)
    if world.task == "regression":
        return ManyTrees(world.task, *found, truth, np.full(len(truth), world.noise**2), True)
    return ManyTrees(world.task, *found, np.stack([1 - truth, truth], axis=1), None, True)


def _grown(
    sample: Callable[[int], Table],
    judged: Table,
    recipe: Recipe,
    n: int,
    progress: Callable | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(sizes, said, train), see ManyTrees."""
    if n < 2:
        raise TreecoreError(f"{n} trees vary by nothing", where="trees", remedy="Choose two or more")

    def one(i: int, look: Callable) -> tuple[tuple, int]:
        train, rows = (recipe.last(Prepare) or Prepare()).tables(sample(i), judged)
        steps = sequence(grow(train, recipe, progress=look))
        at = [steps.with_leaves(size) for size in SIZES]
        return (cut_answers(steps, rows, at), steps.curve(train)[at], int(steps.n_leaves[0])), 0

    found = in_threads(n, one, progress)
    largest = max(leaves for *_, leaves in found)
    m = min(int(np.searchsorted(SIZES, largest)) + 1, len(SIZES))
    said, train = np.stack([s for s, *_ in found], axis=1), np.stack([t for _, t, _ in found], axis=1)
    return np.array(SIZES[:m]), said[:m], train[:m]


def cut_answers(steps: Sequence, rows: Table, at: list[int]) -> np.ndarray:
    """(len(at), n_rows): what the subtrees of these steps answer; labels (-1: none) or numbers.

    A row that is shared among branches goes with the largest share.
    """
    tree, ends = steps.tree, steps.tree.apply(rows)
    value = np.asarray(tree.value, np.int32) if tree.classes else tree.value
    parent = np.maximum(tree.parent, 0)
    found = []
    for k in at:
        stands = np.arange(tree.n_nodes)
        for nodes in tree.levels[1:]:  # from the root down: below a leaf of the subtree its answer holds
            hidden = steps.until[nodes] <= k
            stands[nodes[hidden]] = stands[parent[nodes[hidden]]]
        found.append(value[stands[ends]])
    return np.array(found)


def _truth(tree: Tree, rows: Table) -> np.ndarray:
    truth = true_target(tree, rows)
    return np.eye(len(tree.classes))[truth] if tree.classes else truth
