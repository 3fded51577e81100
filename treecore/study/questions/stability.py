"""Which splits of two trees are the same but for a little: same feature, and nearly all rows parted in the same way."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.ensembles.forest import grown_on as grown_by_weights
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.kernels.codes import CUTS, LEVELS, THRESHOLD
from treecore.recipe import Prepare, Prune, Recipe
from treecore.study.nested_selection import (
    described,
    draws_folds,
    of_one_class,
    pruned_by,
    roles_of,
    tree_of,
    varies,
    watches_validation,
    without_backups,
)
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Work
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Places(Brief):
    """Splits of many trees, one entry per split; entry i of each array is one of them.

    tree, node, depth, feature : int64. place : float64, the share of a table's rows that lie below the threshold, NaN
    for splits that are more than one threshold.
    """

    tree: np.ndarray
    node: np.ndarray
    depth: np.ndarray
    feature: np.ndarray
    place: np.ndarray


class Ruler:
    """Says where in a table's rows splits cut. table : the rows. The trees have its features, in its order."""

    def __init__(self, table: Table):
        self.columns = {c.name: c for c in table.feature_columns}
        self.sorted: dict[str, np.ndarray] = {}
        self.shares: dict[str, np.ndarray] = {}

    def share_below(self, name: str, threshold: np.ndarray) -> np.ndarray:
        """float64: share of the rows with a value whose value is below; of an ordinal feature, whose level's index."""
        if name not in self.sorted:
            column = self.columns[name]
            values = column.values() if column.kind == "numeric" else column.codes.astype(float)
            self.sorted[name] = np.sort(values[~column.missing])
        values = self.sorted[name]
        return np.searchsorted(values, threshold) / max(len(values), 1)

    def places(self, trees: list[Tree]) -> Places:
        """Every split of these trees."""
        result = []
        for t, tree in enumerate(trees):
            inner = np.flatnonzero(~tree.is_leaf)
            feature, place = tree.splits.feature[inner], np.full(len(inner), np.nan)
            simple = tree.splits.kind[inner] == THRESHOLD
            for f in np.unique(feature[simple]):
                here = simple & (feature == f)
                cut = tree.splits.threshold[inner[here]]
                place[here] = self.share_below(tree.schema.features[f].name, cut)
            result.append((np.full(len(inner), t), inner, tree.node_depth[inner], feature, place))
        parts = [np.concatenate(part) for part in zip(*result, strict=True)]
        return Places(*(p.astype(np.int64) for p in parts[:4]), parts[4])

    def apart(self, one: Tree, a: int, other: Tree, b: int) -> float:
        """Share of the rows that two splits of one feature send different ways; 1 for splits of different makes."""
        s, t = one.splits, other.splits
        if s.feature[a] != t.feature[b] or s.kind[a] != t.kind[b]:
            return 1.0
        name = one.schema.features[s.feature[a]].name
        if s.kind[a] == THRESHOLD:
            low, high = self.share_below(name, np.array([s.threshold[a], t.threshold[b]]))
            return abs(float(high - low))
        if s.kind[a] == CUTS:
            cuts = [x.cuts[x.cut_start[i] : x.cut_start[i + 1]] for x, i in ((s, a), (t, b))]
            if len(cuts[0]) != len(cuts[1]):
                return 1.0
            return float(np.abs(np.diff([self.share_below(name, c) for c in cuts], axis=0)).sum())
        return self._levels_apart(name, s.levels(a), t.levels(b)) if s.kind[a] == LEVELS else 1.0

    def _levels_apart(self, name: str, first: np.ndarray, second: np.ndarray) -> float:
        """Of two groupings of levels; two groups have no order. Levels unseen in a sample are nobody's fault."""
        if len(first) != len(second):
            return 1.0
        if name not in self.shares:
            counts = self.columns[name].present()[: len(first)].astype(float)
            self.shares[name] = counts / max(counts.sum(), 1)
        known = (first >= 0) & (second >= 0)
        share = np.where(known, self.shares[name], 0.0)
        straight = float(share[first != second].sum())
        two = max(first.max(initial=0), second.max(initial=0)) <= 1
        return min(straight, float(share[first == second].sum())) if two else straight


# The same recipe on other samples of the same rows: bootstrap samples, or all rows but one.

BOOTSTRAP, ONE_OUT = WAYS = ("bootstrap", "leave one out")
MOST_TIMES = 255


@dataclass(frozen=True, eq=False, repr=False)
class Regrown(Brief):
    """Trees of samples of one table. table : its rows with a known target.

    times : uint8 (n_trees, n_rows), how often each row was drawn.
    """

    table: Table
    trees: tuple[Tree, ...]
    times: np.ndarray


def regrown(
    table: Table,
    recipe: Recipe,
    n_trees: int = 100,
    way: str = BOOTSTRAP,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Regrown:
    """Trees of this recipe on samples of the table, all on its one encoding.

    way : "bootstrap" draws as many rows as there are, with replacement; "leave one out" leaves out another row each
    time, n_trees of them, drawn evenly. All that the recipe chooses is chosen within the sample, see trials; a row that
    is drawn twice stays in one role. Steps by hand are not repeated. Surrogate splits are left out where no value is
    missing: there they answer nothing.
    progress : called with how many trees are done; an exception that it raises ends the work.
    n_jobs : how many trees grow at once, see treecore.parallel; the trees do not depend on it.
    Source: Efron (1979); Breiman (1996), Heuristics of instability and stabilization in model selection.
    """
    whole = described(table, recipe).without_missing_target()
    whole.check_trainable()
    times = _times(whole.n_rows, n_trees, way, seed)
    lean = without_backups(recipe, whole)

    def one(i: int, look: Callable) -> tuple[Tree, int]:
        return grown_on(whole, lean, times[i], look), 0

    return Regrown(whole, tuple(in_threads(len(times), one, progress, n_jobs)), times)


def grown_on(whole: Table, recipe: Recipe, times: np.ndarray, look: Callable = lambda *_: None) -> Tree:
    """The recipe's pruned tree on some rows of a table, each as often as it was drawn. times : uint8 (n_rows,)."""
    if _may_weigh(whole, recipe, times):
        grown = grown_by_weights(whole, times, recipe.growth(), look)
        return pruned_by(recipe, grown, None if _keeps_all(recipe) else _repeated_rows(whole, times), None, look)
    parts = _parts(whole, recipe, times)
    train, validation = (recipe.last(Prepare) or Prepare()).tables(*parts)
    look()
    return tree_of(recipe, train, validation, look) if varies(train) else of_one_class(whole, recipe, train)


def _may_weigh(whole: Table, recipe: Recipe, times: np.ndarray) -> bool:
    """Is the tree the same to the last bit if a row that was drawn k times has a weight of k? Counts of classes add up
    exactly, sums of numbers do not; a role, a fold or a bin would not be drawn alike."""
    if whole.task != "classification" or whole.weights is not None or (recipe.last(Prepare) or Prepare()) != Prepare():
        return False
    if draws_folds(recipe) or watches_validation(recipe):
        return False
    return bool((np.bincount(whole.target_column.codes[times > 0]) > 0).sum() > 1)


def _keeps_all(recipe: Recipe) -> bool:
    return (recipe.last(Prune) or Prune()).method == "none"


def _repeated_rows(whole: Table, times: np.ndarray) -> Table:
    return whole.take(np.repeat(np.arange(whole.n_rows), times))


def _parts(whole: Table, recipe: Recipe, times: np.ndarray) -> tuple[Table, Table]:
    """Training and validation rows of a sample: the row itself as often as it was drawn; weights where folds choose the
    size, so that a row is not in two of them, and where rows have some."""
    if whole.weights is None and not draws_folds(recipe):
        if not watches_validation(recipe):
            return _repeated_rows(whole, times), whole.take(np.empty(0, np.int64))
        rows = whole.with_weights(times).take(np.flatnonzero(times))
        return tuple(_repeated(part) for part in roles_of(rows, recipe))
    drawn = whole.take(np.flatnonzero(times))
    often = times[np.flatnonzero(times)]
    return roles_of(drawn.with_weights(often * drawn.case_weights) if (often > 1).any() else drawn, recipe)


def _repeated(part: Table) -> Table:
    """Rows as often as they weigh."""
    return part.with_weights(None).take(np.repeat(np.arange(part.n_rows), part.weights.astype(np.int64)))


def _times(n_rows: int, n_trees: int, way: str, seed: int) -> np.ndarray:
    """uint8 (n_trees, n_rows)."""
    if way not in WAYS:
        raise TreecoreError(f"There is no way {way!r} to draw samples", where="way", remedy="Choose " + ", ".join(WAYS))
    if n_trees < 2:
        raise TreecoreError(f"{n_trees} trees vary by nothing", where="trees", remedy="Choose two or more")
    rng = np.random.RandomState(seed)
    if way == BOOTSTRAP:
        draws = (np.bincount(rng.randint(0, n_rows, n_rows), minlength=n_rows) for _ in range(n_trees))
        return np.array([np.minimum(d, MOST_TIMES) for d in draws], np.uint8)
    left_out = rng.permutation(n_rows)[: min(n_trees, n_rows)]
    times = np.ones((len(left_out), n_rows), np.uint8)
    times[np.arange(len(left_out)), left_out] = 0
    return times


# How brittle a tree is: which of its splits and answers return when the same recipe sees other samples.

BAND = 0.05
"""Two thresholds are the same if at most this share of the rows lies between them."""
MOST_ROWS = 5000
"""So many rows, evenly chosen, are asked for their answers."""
MATTERS = 0.1
"""An answer in numbers is another one if it is off by more than this many standard deviations of the target."""


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Brief):
    """What returns of a tree in n regrown ones.

    returns : float64 (n_nodes,), share of the trees that have the node's split, wherever; NaN at a leaf.
    same_depth : float64 (n_nodes,), at the same depth. usual_depth : float64 (n_nodes,), median of the depths at which
    it returns first; NaN where it never does.
    holds : float64 (n_nodes,), mean share of the trees that give the rows of the node the tree's own answer.
    used, at_root : float64 (n_features,), share of the trees that split on each feature anywhere, at the root.
    changed : float64 (n_trees,), share of the rows that each tree answers otherwise.
    row_changed : float64 (n_asked,), share of the trees that answer each row otherwise. rows : int64 (n_asked,).
    apart : float64 (n_trees, n_trees), share of rows that two regrown trees answer otherwise; of numbers the root mean
    squared difference. representative : the regrown tree nearest to all others.
    n_leaves : int64 (n_trees,). places : of all splits of the regrown trees.
    """

    returns: np.ndarray
    same_depth: np.ndarray
    usual_depth: np.ndarray
    holds: np.ndarray
    used: np.ndarray
    at_root: np.ndarray
    changed: np.ndarray
    row_changed: np.ndarray
    rows: np.ndarray
    apart: np.ndarray
    n_leaves: np.ndarray
    places: Places
    band: float

    @property
    def representative(self) -> int:
        """Source: Shannon and Banks (1999), Combining classification trees using MLE: the central tree."""
        return int(self.apart.sum(axis=1).argmin())


def stability(tree: Tree, found: Regrown, band: float = BAND) -> Stability:
    """Compare a tree with those regrown on samples of its rows.

    tree : of the same recipe on all rows. band : splits of one feature are the same where at most this share of the
    rows that have a value goes another way. TreecoreError for a band outside 0 to 1, or a tree of other features.
    Source: Turney (1995), Bias and the quantification of stability; Philipp et al. (2018), stablelearner.
    """
    if not 0 <= band <= 1:
        raise TreecoreError(f"{band!r} is no share", where="band", remedy="Give a number from 0 to 1, such as 0.05")
    names = tuple(f.name for f in tree.schema.features)
    if any(tuple(f.name for f in t.schema.features) != names for t in found.trees):
        remedy = "Regrow with the features of the tree"
        raise TreecoreError("The regrown trees have other features", where="stability", remedy=remedy)
    ruler = Ruler(found.table)
    places = ruler.places(list(found.trees))
    returns, same, usual = _returns(tree, found.trees, places, ruler, band)
    rows = np.unique(np.linspace(0, found.table.n_rows - 1, min(found.table.n_rows, MOST_ROWS)).astype(np.int64))
    asked = found.table.take(rows)
    mine, theirs = _answers(tree, asked), np.array([_answers(t, asked) for t in found.trees])
    other = _others(mine, theirs, asked)
    n = len(found.trees)
    root = places.feature[places.depth == 0]
    used = np.unique(np.stack([places.tree, places.feature]), axis=1)[1]
    return Stability(
        returns, same, usual, _holds(tree, asked, other), np.bincount(used, minlength=len(names)) / n,
        np.bincount(root, minlength=len(names)) / n, other.mean(axis=1), other.mean(axis=0), rows,
        _trees_apart(theirs, bool(tree.classes)), np.array([t.n_leaves for t in found.trees]), places, band,
    )  # fmt: skip


def _returns(
    tree: Tree, trees: tuple[Tree, ...], places: Places, ruler: Ruler, band: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(returns, same_depth, usual_depth), see Stability."""
    mine = ruler.places([tree])
    result = [np.full(tree.n_nodes, np.nan) for _ in range(3)]
    for i, node in enumerate(mine.node.tolist()):
        alike = np.flatnonzero(places.feature == mine.feature[i])
        if np.isfinite(mine.place[i]):
            near = np.abs(places.place[alike] - mine.place[i]) <= band + 1e-12
        else:
            entries = zip(places.tree[alike].tolist(), places.node[alike].tolist(), strict=True)
            near = np.array([ruler.apart(tree, node, trees[t], b) <= band + 1e-12 for t, b in entries], bool)
        alike = alike[near]
        # trees stand one behind the other, nodes by rising depth: the first entry of each is the highest
        which, first = np.unique(places.tree[alike], return_index=True)
        level = places.depth[alike] == mine.depth[i]
        result[0][node] = len(which) / len(trees)
        result[1][node] = len(np.unique(places.tree[alike][level])) / len(trees)
        result[2][node] = np.median(_first_depths(places, alike, first)) if len(which) else np.nan
    return tuple(result)


def _first_depths(places: Places, alike: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The least depth in each tree. first : where each tree begins among those alike."""
    return np.minimum.reduceat(places.depth[alike], first)


def _answers(tree: Tree, rows) -> np.ndarray:
    return predicted_labels(tree, rows).astype(np.int32) if tree.classes else tree.predict(rows)


def _others(mine: np.ndarray, theirs: np.ndarray, asked) -> np.ndarray:
    """bool (n_trees, n_asked): which answers are others."""
    if theirs.dtype == np.int32:
        return theirs != mine
    spread = float(np.nanstd(asked.target_column.values()))
    return np.abs(theirs - mine) > MATTERS * spread


def _holds(tree: Tree, asked, other: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,), see Stability; NaN where no row was asked."""
    end = tree.apply(asked)
    n, kept = (np.bincount(end, w, tree.n_nodes) for w in (None, 1 - other.mean(axis=0)))
    n, kept = tree.add_up(n.astype(float)), tree.add_up(kept)
    return np.divide(kept, n, out=np.full(tree.n_nodes, np.nan), where=n > 0)


def _trees_apart(theirs: np.ndarray, classes: bool) -> np.ndarray:
    """float64 (n_trees, n_trees), see Stability."""
    if classes:
        return np.array([(theirs != one).mean(axis=1) for one in theirs])
    return np.array([np.sqrt(((theirs - one) ** 2).mean(axis=1)) for one in theirs])


# How brittle a tree is, in sentences, a table and a badge for every node.

MOST_SPLITS = 60


def describe_stability(tree: Tree, of: Stability, found: Regrown) -> list[Line]:
    """What changes in all, then every split with how often it returns, those of most rows first."""
    n, changed = len(found.trees), of.changed
    head = f"{percent(float(changed.mean()))} of the rows get another answer from a regrown tree on average"
    spread = f" (of {n:,} trees: {percent(float(changed.min()))} to {percent(float(changed.max()))})."
    size = f" They have {of.n_leaves.min():,} to {of.n_leaves.max():,} leaves, yours {tree.n_leaves:,}."
    lines: list[Line] = [Words(head + spread + size)]
    never = int((of.row_changed == 0).sum())
    share = percent(never / len(of.row_changed))
    lines.append(Words(f"{share} of the rows get your tree's answer from every one of them."))
    inner = np.flatnonzero(~tree.is_leaf)
    inner = inner[np.argsort(-tree.weight[inner], kind="stable")][:MOST_SPLITS]
    if not len(inner):
        return [*lines, Words("Your tree has no split that could return.")]
    lines.append(Words(f"The root's split returns in {percent(of.returns[0])} of the trees."))
    rows = tuple(
        (str(i), _test(tree, i), percent(of.returns[i]), percent(of.same_depth[i]), brief(of.usual_depth[i]))
        for i in inner.tolist()
    )
    return [*lines, Grid(("node", "split", "returns", "same depth", "usual depth"), rows)]


def badges(tree: Tree, of: Stability) -> dict[int, tuple[str, str]]:
    """Node -> at most three digits for its card, and the sentence behind them: of a split how often it returns, of a
    leaf how often its answers hold."""
    result = {}
    for node in range(tree.n_nodes):
        split = not tree.is_leaf[node]
        share = float((of.returns if split else of.holds)[node])
        if np.isfinite(share):
            what = "of the regrown trees have this split" if split else "of the regrown trees give its rows this answer"
            result[node] = (f"{100 * share:.0f}", f"{percent(share)} {what}")
    return result


def _test(tree: Tree, node: int) -> str:
    """The test of the node's first branch."""
    return tree.node(tree.children(node)[0]).condition


BANDS = (0.05, 0.01, 0.02, 0.1, 0.2)
WAY = Setting("regrow by", "Samples", BOOTSTRAP, WAYS, options=lambda setup: {w: w[:1].upper() + w[1:] for w in WAYS})
TREES = Setting("regrown trees", "Trees", 100, least=2, most=1000, step=10, width=110)
SAME = Setting(
    "regrow band", "Same split within", BAND, BANDS,
    options=lambda setup: {band: f"{percent(band)} of rows" for band in sorted(BANDS)},
)  # fmt: skip
MOST_FEATURES = 15
"""So many are drawn."""
SEED = Setting("regrow seed", "Seed", 0, least=0, most=2**31, width=110)


def _work(setup: Setup) -> Work:
    rows, recipe, n, way, seed = setup.rows_as_read["train"], setup.recipe, setup[TREES], setup[WAY], setup[SEED]
    return lambda report: regrown(rows, recipe, n, way, seed, report)


def stability_of(setup: Setup, found: Regrown) -> Stability:
    """Of the tree as it is."""
    band = setup[SAME]
    return setup.cached("stability", band, make=lambda: stability(setup.tree, found, band))


def _pictures(found: Regrown, setup: Setup) -> list[Picture]:
    """Features that the regrown trees split on, and where they cut the most used number."""
    tree, of = setup.tree, stability_of(setup, found)
    names = [f.name for f in tree.schema.features]
    caption = f"Share of {len(found.trees):,} regrown trees that split on a feature anywhere, and at the root (thin)."
    pictures = [
        Picture("feature_effects.features_used", (of, names), caption, 90 + 26 * min(len(names), MOST_FEATURES))
    ]
    numeric = [i for i, f in enumerate(tree.schema.features) if f.numeric and of.used[i] > 0]
    if numeric:
        most = max(numeric, key=lambda i: of.used[i])
        caption = f"Thresholds of {names[most]} in the regrown trees by depth; dotted: those of the tree itself."
        pictures.append(Picture("feature_effects.cut_points", (of, found.trees, tree, most), caption))
    return pictures


def same_split_within(setup: Setup) -> tuple[str, str]:
    """The band as it is told with an answer."""
    return "same split within", f"{percent(setup[SAME])} of the rows"


STABILITY = StudyQuestion(
    "stability", "Is it stable?", "Stability", _work,
    lambda answer, setup: describe_stability(setup.tree, stability_of(setup, answer), answer), _pictures,
    (WAY, TREES, SAME, SEED),
    lambda setup: (
        ("samples", setup[WAY]), ("trees", setup[TREES]), ("seed", setup[SEED]), same_split_within(setup),
    ),
    start=Start(
        "regrow on", "Regrow",
        "Your recipe grows a tree on each of many samples of the training rows: what returns is no accident of "
        "these rows. Steps by hand are not repeated.",
        "Regrowing",
    ), report_place=6,
)  # fmt: skip
