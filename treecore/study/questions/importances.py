"""Which features a tree needs: by its own gains, by rows whose values are mixed up, and by doing without them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief, visible
from treecore.cross_validation import in_threads
from treecore.data import level_column, numeric_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent, points
from treecore.fit import grow
from treecore.judging.answers import answers_of
from treecore.judging.measures import Measure
from treecore.recipe import Recipe
from treecore.study.nested_selection import of_one_class, tree_of, varies
from treecore.study.questions.question import ROLE, Picture, Setting, Setup, Start, StudyQuestion, Work, score_format
from treecore.study.shapley import own_importance
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

    result = in_threads(2 * len(names) + 1, one, progress)
    drops, without = np.array(result[: len(names)]), np.array(result[len(names) : -1], float)
    spread = drops.std(axis=1, ddof=1) if n_draws > 1 else np.zeros(len(names))
    return Importances(
        names,
        _shares(own_importance(tree, train)),
        drops.mean(axis=1),
        spread,
        without,
        result[-1],
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


# Which features matter, and what one of them does, in a sentence with its numbers.

MOST_NAMED = 5


def importance_sentence(found: Importances, kind: str, measure: Measure) -> str:
    """What the bars of this kind come to. kind : "mixed", "without", "gain" or "chance", as of the picture."""
    if kind in ("mixed", "without") and not np.isfinite(found.score):
        return f"{measure.label} has no value on these rows."
    return {"mixed": _of_mixed, "without": _of_without, "gain": _gain, "chance": _chance}[kind](found, measure)


def _of_mixed(found: Importances, measure: Measure) -> str:
    top = int(found.mixed.argmax())
    if not found.mixed[top] > 0:
        return "No feature counts on these rows: with any one's values mixed up the answers are as good."
    nothing = [n for n, m, sd in zip(found.names, found.mixed, found.mixed_sd, strict=True) if m <= sd]
    said = f"{visible(found.names[top])} counts most: with its values mixed up, {_worse(found.mixed[top], measure)}."
    return said + (f" {_of(nothing, found.names)} no more than the draws vary." if nothing else "")


def _of_without(found: Importances, measure: Measure) -> str:
    top = int(found.without.argmax())
    if not found.without[top] > 0:
        return "No feature is missed: grown without any one, the tree does as well or better."
    idle = [n for n, w in zip(found.names, found.without, strict=True) if w <= 0]
    said = f"{visible(found.names[top])} is missed most: grown without it, {_worse(found.without[top], measure)}."
    return said + (f" {_of(idle, found.names, 'is', 'are')} not missed." if idle else "")


def _gain(found: Importances, _: Measure) -> str:
    top = int(found.gain.argmax())
    if not found.gain[top] > 0:
        return "Your tree asks for nothing."
    return f"{visible(found.names[top])} makes {percent(float(found.gain[top]))} of the gains of the tree's splits."


def _chance(found: Importances, _: Measure) -> str:
    if not found.with_random:
        return "This algorithm cannot take the two columns of chance."
    word, of_number = (found.with_random.get(name, 0.0) for name in (RANDOM_WORD, RANDOM_NUMBER))
    said = f"Though they mean nothing, {RANDOM_WORD} makes {percent(word)} of the gains and {RANDOM_NUMBER} "
    said += f"{percent(of_number)}."
    below = [n for n in found.names if found.with_random.get(n, 0.0) <= max(word, of_number)]
    return said + (f" {_of(below, found.names)} no more than the larger of them." if below else "")


def _worse(by: float, measure: Measure) -> str:
    return f"{measure.label} is {points(by) if measure.percent else brief(by)} worse"


def _of(names: list[str], among: tuple[str, ...], does: str = "counts", do: str = "count") -> str:
    """ "3 of 8 features (a, b, c) count". does, do : the verb of one and of several."""
    shown = ", ".join(map(visible, names[:MOST_NAMED])) + (", …" if len(names) > MOST_NAMED else "")
    if len(among) == 1:
        return f"The only feature ({shown}) {does}"
    return f"{len(names):,} of {len(among):,} features ({shown}) {do if len(names) > 1 else does}"


def describe_importances(found: Importances, measure: Measure) -> list[Line]:
    """What each way comes to; every feature in three ways, the most needed first."""
    told = score_format(measure)
    order = np.argsort(-found.mixed, kind="stable")
    parts = (found.gain, found.mixed, found.mixed_sd, found.without)
    rows = tuple(
        (found.names[i], percent(g), told(m), told(d), told(w))
        for i, (g, m, d, w) in ((i, [float(p[i]) for p in parts]) for i in order)
    )
    heads = ("feature", "share of gains", "worse if mixed up", "sd", "worse without")
    said = [Words(importance_sentence(found, kind, measure)) for kind in ("mixed", "without", "gain", "chance")]
    return [Words(f"{measure.label} of the tree: {told(found.score)}."), *said, Grid(heads, rows)]


KINDS = {
    "mixed": "Permutation (values shuffled)", "without": "Drop-column (regrown without it)",
    "gain": "Total gain of its splits", "chance": "Gain beside random columns",
}  # fmt: skip
KIND = Setting(
    "importance kind", "Importance", "mixed", ("mixed", "gain", "without", "chance"), options=lambda setup: KINDS,
    width=290,
)  # fmt: skip
ROW = 26
"""Pixels of a feature."""
MOST_BARS = 20


def _work(setup: Setup) -> Work:
    recipe, roles, measure = Recipe((setup.split, setup.growth, setup.pruning)), setup.roles, setup.measure
    tree, rows = setup.tree, (roles["train"], roles["validation"], roles[setup[ROLE]])
    return lambda report: importances(tree, recipe, *rows, measure, progress=report)


def _pictures(found: Importances, setup: Setup) -> list[Picture]:
    """What mixed-up values cost, what doing without a feature costs, and gains beside columns of chance."""
    measure, high = setup.measure, 80 + ROW * min(len(found.names), MOST_BARS)
    kinds = {
        "mixed": f"By how much {measure.label} gets worse with a feature's values mixed up, ± sd of the draws.",
        "without": f"By how much {measure.label} gets worse where the tree grows without the feature.",
    }
    plot = "feature_effects.importances"
    shown = [Picture(plot, (found, kind, measure.percent), caption, high) for kind, caption in kinds.items()]
    if found.with_random:
        caption = "Gains of the unpruned tree, grown with two columns that mean nothing."
        shown.append(Picture(plot, (found, "chance", True), caption, high + 2 * ROW))
    return shown


IMPORTANCE = StudyQuestion(
    "importance", "Which features matter?", "Importance", _work,
    lambda answer, setup: describe_importances(answer, setup.measure), _pictures, (KIND, ROLE),
    lambda setup: (("measure", setup.measure.label), ("rows", setup[ROLE]), ("seed", 0)),
    start=Start(
        "importance on", "Try it",
        "How much each feature matters: by its gains, by shuffling its values, or by growing without it.",
        things="features and trees", remedy="choose another measure",
    ), report_place=9,
)  # fmt: skip
