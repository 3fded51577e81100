"""The error of many trees of one recipe, taken apart: what all get wrong, what varies, and what nobody knows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import in_threads
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Formula, Grid, Line, Words
from treecore.figures import brief, percent
from treecore.fit import grow
from treecore.pruning.sequence import Sequence, sequence
from treecore.recipe import Prepare, Recipe
from treecore.study.nested_selection import described, without_backups
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Told, Work
from treecore.study.worlds import THIS_TABLE, WORLDS, World
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import predictions_at
from treecore.tree.tree import Tree

SQUARED, DOMINGOS, KOHAVI = DEFINITIONS = ("squared loss", "Domingos (2000)", "Kohavi and Wolpert (1996)")


@dataclass(frozen=True)
class Parts:
    """error = bias + variance + noise, on average over the rows judged.

    bias : squared for a target of numbers. variance : of Domingos' the net one, which biased rows lower.
    noise : 0 where what is true is taken for certain; then the bias of numbers has the noise in it.
    """

    error: float
    bias: float
    variance: float
    noise: float


def squared(said: np.ndarray, truth: np.ndarray, noise: np.ndarray | None = None) -> Parts:
    """Numbers: (mean answer - truth)^2 + variance of the answers + noise.

    said : float64 (n_trees, n_rows). truth : float64 (n_rows,), the mean of the target given the row where it is known,
    else the target itself. noise : float64 (n_rows,), its variance around that mean, or None.
    Source: Geman, Bienenstock and Doursat (1992), Neural Computation 4.
    """
    said, truth = _checked(said, truth)
    bias, variance = (said.mean(axis=0) - truth) ** 2, said.var(axis=0)
    parts = [float(p.mean()) for p in (bias, variance, np.zeros(len(truth)) if noise is None else noise)]
    return Parts(sum(parts), *parts)


def domingos(said: np.ndarray, chances: np.ndarray) -> Parts:
    """Classes: does the main answer (the most frequent, ties to the first class) err; how often is another one given.

    Where the main answer is wrong, an answer that differs from it may be right, and variance lowers the error there.
    bias B = [main != best], variance c2 V with V = P(said != main), noise c1 N with N = 1 - chance of the best class,
    c1 = 2 P(said = best) - 1; for certain truth of any number of classes c2 V = -P(said = best) where B = 1.
    said : int (n_trees, n_rows), -1 for no answer. chances : float64 (n_rows, n_classes), of the true class; rows of 0
    and 1 where it is taken for certain. TreecoreError for chances between them of more than two classes.
    Source: Domingos (2000), A unified bias-variance decomposition, ICML and AAAI.
    """
    shares, chances = _shares(said, chances)
    certain = bool((chances.max(axis=1) == 1).all())
    if not certain and chances.shape[1] > 2:
        remedy = "Take two classes, or Kohavi and Wolpert's definition"
        raise TreecoreError("Noise with more than two classes has no such decomposition", where="noise", remedy=remedy)
    best, main, at = chances.argmax(axis=1), shares.argmax(axis=1), np.arange(len(chances))
    hits, bias = shares[at, best], (best != main).astype(float)
    noise = (2 * hits - 1) * (1 - chances[at, best])
    variance = np.where(bias > 0, -hits, 1 - hits)
    error = (hits * (1 - chances[at, best]) + _misses(shares, chances, best)).mean()
    return Parts(float(error), float(bias.mean()), float(variance.mean()), float(noise.mean()))


def kohavi(said: np.ndarray, chances: np.ndarray) -> Parts:
    """Classes: bias 1/2 sum (P(true) - P(said))^2, variance 1/2 (1 - sum P(said)^2), noise 1/2 (1 - sum P(true)^2).

    said, chances : as for domingos. Source: Kohavi and Wolpert (1996), ICML.
    """
    shares, chances = _shares(said, chances)
    none = 1 - shares.sum(axis=1)  # no answer is an answer that is never true
    bias = ((chances - shares) ** 2).sum(axis=1) / 2 + none**2 / 2
    variance = (1 - (shares**2).sum(axis=1) - none**2) / 2
    noise = (1 - (chances**2).sum(axis=1)) / 2
    error = 1 - (shares * chances).sum(axis=1)
    return Parts(*(float(p.mean()) for p in (error, bias, variance, noise)))


def _misses(shares: np.ndarray, chances: np.ndarray, best: np.ndarray) -> np.ndarray:
    """float64 (n_rows,): chance that an answer other than the best class is given and is wrong."""
    at = np.arange(len(best))
    right = (shares * chances).sum(axis=1) - shares[at, best] * chances[at, best]
    return (1 - shares[at, best]) - right


def _shares(said: np.ndarray, chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(float64 (n_rows, n_classes), how often each class is said; the chances)."""
    said, chances = np.asarray(said), np.asarray(chances, float)
    if said.ndim != 2 or chances.ndim != 2 or said.shape[1] != len(chances) or not said.size:
        remedy = "Give a row of answers per tree, and chances per row judged"
        raise TreecoreError("These answers cannot be taken apart", where="answers", remedy=remedy)
    return np.stack([(said == k).mean(axis=0) for k in range(chances.shape[1])], axis=1), chances


def _checked(said: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    said, truth = np.asarray(said, float), np.asarray(truth, float)
    if said.ndim != 2 or truth.shape != said.shape[1:] or not said.size:
        remedy = "Give a row of answers per tree, and one truth per row judged"
        raise TreecoreError("These answers cannot be taken apart", where="answers", remedy=remedy)
    return said, truth


# Bias and variance against size: trees of many samples, each cut back to so many leaves, judged by the same rows.

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
    draws = [_sample_rows(pool, samples, rng) for _ in range(n_trees)]
    result = _grown(lambda i: whole.take(np.sort(draws[i])), judged, without_backups(recipe, whole), n_trees, progress)
    truth = _truth(grow(whole, recipe, max_depth=0), judged)
    return ManyTrees(whole.task, *result, truth, None, False)


def _sample_rows(pool: np.ndarray, samples: str, rng: np.random.RandomState) -> np.ndarray:
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
    result = _grown(tables.__getitem__, judged, without_backups(recipe, judged), n_trees, progress)
    if world.task == "regression":
        return ManyTrees(world.task, *result, truth, np.full(len(truth), world.noise**2), True)
    return ManyTrees(world.task, *result, np.stack([1 - truth, truth], axis=1), None, True)


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

    result = in_threads(n, one, progress)
    largest = max(leaves for *_, leaves in result)
    m = min(int(np.searchsorted(SIZES, largest)) + 1, len(SIZES))
    said, train = np.stack([s for s, *_ in result], axis=1), np.stack([t for _, t, _ in result], axis=1)
    return np.array(SIZES[:m]), said[:m], train[:m]


def cut_answers(steps: Sequence, rows: Table, at: list[int]) -> np.ndarray:
    """(len(at), n_rows): what the subtrees of these steps answer; labels (-1: none) or numbers.

    A row that is shared among branches goes with the largest share.
    """
    tree, ends = steps.tree, steps.tree.apply(rows)
    answers, every = _node_answers(tree, rows), np.arange(len(ends))
    parent = np.maximum(tree.parent, 0)
    result = []
    for k in at:
        stands = np.arange(tree.n_nodes)
        for nodes in tree.levels[1:]:  # from the root down: below a leaf of the subtree its answer holds
            hidden = steps.until[nodes] <= k
            stands[nodes[hidden]] = stands[parent[nodes[hidden]]]
        result.append(answers(every, stands[ends]))
    return np.array(result)


def _node_answers(tree: Tree, rows: Table) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """(row, node) -> label (-1: none) or number."""
    said = predictions_at(tree, rows)
    return (lambda row, node: said(row, node).astype(np.int32)) if tree.classes else said


def _truth(tree: Tree, rows: Table) -> np.ndarray:
    truth = true_target(tree, rows)
    return np.eye(len(tree.classes))[truth] if tree.classes else truth


# What the curves of bias and variance say, in a sentence, a table and the formula behind them.

FORMULAS = {
    SQUARED: r"E(y-\hat y)^2=(\bar y-f)^2+E(\hat y-\bar y)^2+\sigma^2",
    DOMINGOS: r"E[\hat y\neq y]=B+c_2V+c_1N",
    KOHAVI: r"E[\hat y\neq y]=\tfrac12\textstyle\sum(p-\hat p)^2+\tfrac12(1-\sum\hat p^2)+\tfrac12(1-\sum p^2)",
}
MEANINGS = {
    SQUARED: "f is the mean of the target, ȳ the mean answer of the trees, σ² the noise.",
    DOMINGOS: "B: is the trees' most frequent answer wrong? V: how often another is given; where B is 1 that may be "
    "right, so c₂ is negative there.",
    KOHAVI: "p: chance of each class, p̂: share of the trees that say it.",
}


def describe_bias_variance(found: ManyTrees, definition: str) -> list[Line]:
    """The size of least error, what it is made of beside a smaller and the largest one, and the formula."""
    parts, sizes = found.parts(definition), found.sizes.tolist()
    told = percent if found.task == "classification" else brief
    best = min(range(len(parts)), key=lambda i: parts[i].error)
    least, last = parts[best], parts[-1]
    said = f"Least error of new rows with {_leaves(sizes[best])}: {told(least.error)}"
    rest = (
        f", of which {told(least.variance)} is variance. With up to {_leaves(sizes[-1])}: {told(last.error)}, of which "
        f"{told(last.variance)} is variance."
    )
    unknown = "" if found.is_known else " The target is taken for the truth, so noise is counted as bias."
    rows = tuple(
        (str(n), told(p.error), told(p.bias), told(p.variance), told(p.noise))
        for n, p in zip(sizes, parts, strict=True)
    )
    grid = Grid(("leaves", "error", "bias", "variance", "noise"), rows)
    return [
        Words(overfitting_sentence(found)),
        Words(said + rest + unknown),
        grid,
        Formula(FORMULAS[definition]),
        Words(MEANINGS[definition]),
    ]


def overfitting_sentence(found: ManyTrees) -> str:
    """From which size on the trees fit their rows ever better and new rows ever worse."""
    told = percent if found.task == "classification" else brief
    train, new, sizes = found.train.mean(axis=1), found.errors.mean(axis=1), found.sizes.tolist()
    best = int(new.argmin())
    if best == len(sizes) - 1:
        return f"Up to {_leaves(sizes[-1])} there is no over-fitting: new rows gain from every leaf."
    first = "At once" if best == 0 else f"Beyond {_leaves(sizes[best])}"
    own = f"error on their own rows {_from_to(train[best], train[-1], told)}"
    return f"{first} the trees over-fit: {own}, of new rows {_from_to(new[best], new[-1], told)}."


def _from_to(first: float, last: float, told: Callable[[float], str]) -> str:
    return f"from {told(float(first))} to {told(float(last))}"


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{n:,} leaves"


SAMPLES_IN_WORDS = {BOOTSTRAP: "with replacement", HALVES: "halves, each row once"}
WORLD = Setting(
    "bias world", "Rows of", width=220,
    options=lambda setup: {THIS_TABLE: THIS_TABLE} | {name: world.label for name, world in WORLDS.items()},
)  # fmt: skip
TREES = Setting("bias trees", "Trees", 50, least=2, most=500, step=10, width=110)
ROWS = Setting("bias rows", "Rows of each", 200, least=20, most=5000, step=50, width=110)
DRAWN = Setting(
    "bias samples", "Samples", BOOTSTRAP, SAMPLES, options=lambda setup: SAMPLES_IN_WORDS, width=190,
    help="With replacement: as many rows as there are, some of them twice, as Domingos drew them. Halves: as "
    "Kohavi and Wolpert did; no row is there twice, and trees of half the rows are smaller.",
)  # fmt: skip
DEFINITION = Setting("bias definition", "Definition", width=220)


def _work(setup: Setup) -> Work:
    n, world, growth = setup[TREES], setup[WORLD], setup.growth
    if world != THIS_TABLE:
        n_rows = setup[ROWS]
        return lambda report: in_world(WORLDS[world], Recipe((growth,)), n_rows, n, progress=report)
    recipe, rows, drawn = Recipe((setup.prepare, growth)), setup.judged_rows, setup[DRAWN]
    return lambda report: in_table(rows, recipe, n, progress=report, samples=drawn)


def bias_name(found: ManyTrees) -> str:
    """What the bias of these trees is called: of numbers it is squared, and of a table it has the noise in it."""
    if found.task == "classification":
        return "bias"
    return "bias²" if found.is_known else "bias² and noise"


def _pictures(found: ManyTrees, setup: Setup) -> list[Picture]:
    """The over-fitting picture, and below it bias and variance against leaves."""
    share, parts = found.task == "classification", found.parts(found.definitions[0])
    best = min(range(len(parts)), key=lambda i: parts[i].error)
    least = (percent if share else brief)(parts[best].error)
    caption = f"{found.said.shape[1]:,} trees: error of new rows and its parts against leaves. Least: {least} "
    caption += f"with at most {found.sizes[best]:,}."
    both = "Error on the trees' own rows and on new ones, ± sd of the trees; dotted: the least of new rows."
    return [
        Picture("error_curves.overfitting", (found.sizes, found.train, found.errors, share), both, 260),
        Picture("error_curves.bias_variance", (found.sizes, parts, bias_name(found), share), caption),
    ]


def _about(setup: Setup) -> Told:
    invented = setup[WORLD] != THIS_TABLE
    rows = ("rows of", setup[WORLD]) if invented else ("samples", SAMPLES_IN_WORDS[setup[DRAWN]])
    return ("trees", setup[TREES]), rows, ("seed", 0)


BIAS_VARIANCE = StudyQuestion(
    "bias", "Bias or variance?", "Bias and variance", _work,
    lambda answer, setup: describe_bias_variance(answer, answer.definitions[0]), _pictures,
    (WORLD, TREES, ROWS, DRAWN, DEFINITION), _about,
    start=Start(
        "bias on", "Grow them",
        "Trees of many samples, each cut back to so many leaves. Bias: what they get wrong together. Variance: how "
        "they differ. Of this table nobody knows the noise; in an invented world it is known.",
        "Growing",
    ),
    pruned=False, of_table=lambda setup: setup[WORLD] == THIS_TABLE, report_place=7,
)  # fmt: skip
