"""Rows come one after the other, or in batches: what each makes of the tree, by several ways to learn."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import percent
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.incremental import LEARNERS, Bound, Step
from treecore.study.metrics import score
from treecore.study.overlay import differ
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Told, Work
from treecore.tree.tree import Tree

MOST_STEPS = 300


@dataclass(frozen=True)
class FeedProgress:
    """How many trees there are, and how many are to come."""

    n_folds: int
    n_waiting: int


@dataclass(frozen=True, eq=False, repr=False)
class LearnerRun(Brief):
    """One way to learn. label : what it is called. trees : after the first rows and after every batch. steps : what
    each batch did, one fewer. changed : bool (n_steps,), does a split or an answer of the tree differ from before?
    accuracy : role -> float64 (n_trees,), of its rows."""

    label: str
    trees: tuple[Tree, ...]
    steps: tuple[Step, ...]
    changed: np.ndarray
    accuracy: Mapping[str, np.ndarray]

    @property
    def n_leaves(self) -> np.ndarray:
        """int64 (n_trees,)."""
        return np.array([tree.n_leaves for tree in self.trees])


@dataclass(frozen=True, eq=False, repr=False)
class Feeding(Brief):
    """order : int64 (n_rows,), positions of the rows in the order in which they come. n_rows : int64 (n_trees,), seen
    by each tree. ways : name -> LearnerRun."""

    order: np.ndarray
    n_rows: np.ndarray
    ways: Mapping[str, LearnerRun]

    def batch(self, step: int) -> np.ndarray:
        """Positions of the rows of a step, the first being 1."""
        return self.order[self.n_rows[step - 1] : self.n_rows[step]]


def feed(
    rows: Table,
    growth: GrowSettings,
    n_first: int,
    n_batch: int = 1,
    judged: Mapping[str, Table] | None = None,
    bound: Bound | None = None,
    seed: int | None = None,
    ways: Iterable[str] = tuple(LEARNERS),
    progress: Callable[[FeedProgress], None] | None = None,
) -> Feeding:
    """Trees of the first rows, and after every batch.

    judged : role -> rows that every tree is judged on. seed : of the order in which rows come; None for that of the
    table. ways : names in LEARNERS. progress : called after every tree; raising ends it. TreecoreError for a target of
    numbers, fewer rows than are asked for, or more than 300 steps.
    """
    if not any(column.n_missing for column in rows.feature_columns):  # surrogates would answer nothing
        growth = replace(growth, max_surrogates=0)
    order = np.arange(rows.n_rows) if seed is None else np.random.default_rng(seed).permutation(rows.n_rows)
    stops = _stops(rows.n_rows, n_first, n_batch)
    ways, bound, result = tuple(ways), bound or Bound(), {}
    for done, name in enumerate(ways):
        report = _report(progress, done * len(stops), len(ways) * len(stops))
        result[name] = _fed(name, rows.take(order), growth, stops, judged or {}, bound, report)
    return Feeding(order, stops, result)


def _stops(n: int, n_first: int, n_batch: int) -> np.ndarray:
    if not 1 <= n_first <= n:
        raise TreecoreError(f"There are {n:,} rows to begin with {n_first:,}", where="n_first",
                            remedy="Begin with fewer")  # fmt: skip
    if n_batch < 1 or (n - n_first) / n_batch > MOST_STEPS:
        what = f"{n - n_first:,} rows by {n_batch:,} are more than {MOST_STEPS} steps"
        raise TreecoreError(what, where="n_batch", remedy="Let more rows come at a time, or begin with more")
    return np.append(np.arange(n_first, n, n_batch), n)


def _fed(
    name: str, rows: Table, growth: GrowSettings, stops: np.ndarray, judged: Mapping[str, Table], bound: Bound,
    report: Callable[[int], None],
) -> LearnerRun:  # fmt: skip
    learner = LEARNERS[name]
    learned = learner.begun(rows.take(np.arange(stops[0])), growth, bound)
    trees, steps = [learned.tree], []
    for first, stop in itertools.pairwise(stops):
        report(len(trees))
        steps.append(learned.add(rows.take(np.arange(first, stop))))
        trees.append(learned.tree)
    accuracy = {role: np.array([score(tree, part).accuracy for tree in trees]) for role, part in judged.items()}
    changed = np.array([differ(*pair) for pair in itertools.pairwise(trees)], bool)
    return LearnerRun(learner.label, tuple(trees), tuple(steps), changed, accuracy)


def _report(progress: Callable | None, done: int, n: int) -> Callable[[int], None]:
    def report(trees: int) -> None:
        if progress is not None:
            progress(FeedProgress(n, n - done - trees))

    return report


# What a batch of rows did to a tree, and how good the trees were meanwhile, in words.


def step_sentence(step: Step, grows_whole: bool = True) -> str:
    """One sentence. grows_whole : by a way that can grow subtrees anew; else it splits leaves alone."""
    told = [f"{_counted(step.updated, 'node')} counted {'it' if step.n_new == 1 else 'them'}"]
    if step.whole:
        return f"The tree was grown anew from all rows, as {step.whole}."
    if not grows_whole:
        told += [f"{_counted(step.regrown, 'leaf', 'leaves')} split"] if step.regrown else ["no leaf was split"]
        return f"{', '.join(told)}."
    if step.shifted:
        told.append(f"{_counted(step.shifted, 'test')} moved between the same rows")
    if step.regrown:
        gone = f", in place of {_counted(step.replaced, 'split')}" if step.replaced else ""
        told.append(f"{_counted(step.regrown, 'subtree')} grown anew{gone}")
    if not step.shifted and not step.regrown:
        told.append("every split stayed")
    return f"{'; '.join(told)}."


def describe_feeding(found: Feeding, role: str) -> list[Line]:
    """Of every way: how often the tree changed, leaves and accuracy on the rows of a role, first and last."""
    rows = tuple(
        (
            way.label,
            f"{np.count_nonzero(way.changed):,}",
            " → ".join(f"{n:,}" for n in np.asarray(way.n_leaves)[[0, -1]].tolist()),
            " → ".join(percent(share) for share in np.asarray(way.accuracy[role])[[0, -1]].tolist()),
        )
        for way in found.ways.values()
    )
    first, last = found.n_rows[[0, -1]].tolist()
    return [
        Words(f"From {first:,} rows to {last:,}, in {len(found.n_rows) - 1:,} steps."),
        Grid(("way", "steps that changed the tree", "leaves", f"accuracy, {role} rows"), rows),
    ]


def _counted(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


STEPS = 40
"""So many there are about, where nobody says how many rows come at a time."""
DELTAS, TIES = (1e-7, 1e-4, 0.01, 0.05), (0.05, 0.0, 0.01, 0.1)
FIRST = Setting("fed first", "Rows at first", least=1)
BATCH = Setting("fed batch", "Rows at a time", least=1)
MIXED = Setting("fed mixed", "Mixed", False, help="The rows come in an order drawn at random, not as they stand in the "
                "table")  # fmt: skip
GRACE = Setting("fed grace", "Rows between checks", 200, least=1, most=100_000, step=10, width=170)
DELTA = Setting("fed delta", "Error probability δ", DELTAS[0], DELTAS, width=150)
TIE = Setting("fed tie", "Tie threshold", TIES[0], TIES, width=150)


def rows_at_first(setup: Setup) -> int:
    """A fifth of them, where nothing is chosen."""
    n = setup.roles["train"].n_rows
    return min(setup[FIRST] or max(n // 5, 1), n)


def rows_at_a_time(setup: Setup) -> int:
    """So many that there are about STEPS steps, where nothing is chosen."""
    n = setup.roles["train"].n_rows
    return min(setup[BATCH] or max(-(-(n - rows_at_first(setup)) // STEPS), 1), n)


def bound_of(setup: Setup) -> Bound:
    """When the streaming method splits."""
    return Bound(setup[GRACE], setup[DELTA], setup[TIE])


def _work(setup: Setup) -> Work:
    rows, growth, bound = setup.roles["train"], setup.growth.growth(), bound_of(setup)
    judged = {role: part for role, part in setup.parts.items() if role in ("validation", "test")}
    judged = judged or {"train": setup.parts["train"]}
    seed, first, batch = 0 if setup[MIXED] else None, rows_at_first(setup), rows_at_a_time(setup)
    return lambda report: feed(rows, growth, first, batch, judged, bound, seed, progress=report)


def _pictures(found: Feeding, setup: Setup) -> list[Picture]:
    """Accuracy on the rows held back, and leaves, against the rows seen."""
    last, role = len(found.n_rows) - 1, setup.held_back
    looks = ", ".join(f"{run.label} {look}" for run, look in zip(found.ways.values(), LINES, strict=False))
    return [
        Picture("error_curves.accuracy_by_rows", (found, role, last), f"Accuracy on the {role} rows. {looks}."),
        Picture("error_curves.leaves_by_rows", (found, last), f"Leaves. {looks}."),
    ]


LINES = ("whole line", "dashed")
"""How plots.error_curves draws the first and the second way to learn."""


def _about(setup: Setup) -> Told:
    bound = bound_of(setup)
    rows = ("rows at first", rows_at_first(setup)), ("at a time", rows_at_a_time(setup))
    order = ("order", "mixed, seed 0" if setup[MIXED] else "of the table")
    return (*rows, ("grace", bound.grace), ("δ", bound.delta), ("tie", bound.tie), order)


ONLINE_LEARNING = StudyQuestion(
    "fed", "What does each new row change?", "Rows one after the other", _work,
    lambda answer, setup: describe_feeding(answer, setup.held_back), _pictures,
    (FIRST, BATCH, MIXED, GRACE, DELTA, TIE), _about,
    start=Start(
        "fed on", "Feed it",
        "Your tree is grown from the first rows alone; then the others come. The exact way grows anew what a row makes "
        "worse; the streaming way waits until a split is certain, and keeps it.",
        "Feeding", remedy="let more rows come at a time",
    ),
    pruned=False, report_place=15,
)  # fmt: skip
