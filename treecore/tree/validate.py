"""Whether a tree from outside is one that could have been grown: compiled code follows its columns unchecked."""

import math
import sys
from typing import Any

import numpy as np

from treecore.criteria import CRITERIA
from treecore.errors import TreecoreError
from treecore.kernels.codes import CUTS, LEAF, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.tree.columns import LARGEST_MEAN, TreeColumns
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.splits import LISTED, Splits, names_of, ranges, saved_tree_error

KINDS = ("numeric", "ordinal", "nominal", "boolean")


def check_schema(schema: Schema) -> None:
    """TreecoreError saying what is wrong with the schema of a saved tree."""
    names_of("target", [schema.target])
    if schema.precision not in ("float64", "float32"):
        raise saved_tree_error("precision", f"{schema.precision!r} is none")
    if schema.class_names:
        check_class_names(schema.classes, schema.class_names)
    if schema.counts is not None and schema.classes:
        raise saved_tree_error("counts", "A target of classes is no target of counts")
    names_of("features", [feature.name for feature in schema.features])
    numbers = {feature.name for feature in schema.features if feature.numeric and not feature.terms}
    for feature in schema.features:
        _check_feature(feature)
        if feature.terms:
            _check_terms(feature, numbers)


def check_class_names(classes: tuple[str, ...], names: tuple[str, ...]) -> None:
    """TreecoreError for names that could be taken for another class."""
    if len(names) != len(classes):
        raise saved_tree_error("class_names", f"There are {len(classes)} classes")
    for k, name in enumerate(names):
        if not name.strip() or name in (*names[:k], *names[k + 1 :], *classes[:k], *classes[k + 1 :]):
            raise TreecoreError(
                f"{name!r} cannot be the name of {classes[k]!r}",
                where="class names",
                remedy="Give every class a name of its own, which is no other class's value",
            )


def _check_feature(feature: FeatureSchema) -> None:
    where = f"feature {feature.name!r}"
    if feature.kind not in KINDS:
        raise saved_tree_error(where, f"There is no kind {feature.kind!r}")
    if feature.numeric and feature.levels:
        raise saved_tree_error(where, "A numeric feature has no levels")
    if feature.cuts is not None:
        _check_bins(where, feature)
    if feature.fill is not None:
        _check_fill(where, feature)


def _check_terms(feature: FeatureSchema, numbers: set[str]) -> None:
    """A weighted sum is of numeric features that are no sums, each once. numbers : the names of those."""
    where = f"feature {feature.name!r}"
    if not feature.numeric or feature.cuts is not None or feature.fill is not None:
        raise saved_tree_error(where, "A weighted sum is a number without bins and stand-ins")
    names = [name for name, _ in feature.terms]
    if not all(isinstance(name, str) and name in numbers for name in names) or len(set(names)) < len(names):
        raise saved_tree_error(where, "It is no sum of numeric features, each once")
    if not all(type(w) in (int, float) and 0 < abs(w) <= sys.float_info.max for _, w in feature.terms):
        raise saved_tree_error(where, "A weight in it is 0 or no number")


def _check_bins(where: str, feature: FeatureSchema) -> None:
    if feature.kind not in ("numeric", "ordinal"):
        raise saved_tree_error(where, f"A {feature.kind} feature has no bins")
    cuts = np.array(feature.cuts)
    if not (np.isfinite(cuts).all() and (np.diff(cuts) > 0).all()):
        raise saved_tree_error(where, "The cuts between bins do not ascend")
    if not feature.numeric and len(cuts) + 1 != len(feature.levels):
        raise saved_tree_error(where, f"{len(cuts)} cuts do not make {len(feature.levels)} bins")


def _check_fill(where: str, feature: FeatureSchema) -> None:
    fill: Any = feature.fill  # whatever a file has there
    is_number = type(fill) in (int, float) and abs(fill) <= sys.float_info.max
    if not is_number or not (feature.numeric or (fill == int(fill) and 0 <= fill < len(feature.levels))):
        raise saved_tree_error(where, f"{fill!r} cannot stand in for a missing value")


# Tests from outside: of a feature that there is, by what it has, down branches that there are.


def check_splits(schema: Schema, splits: Splits, n_children: np.ndarray) -> None:
    """TreecoreError saying what is wrong with the tests of the nodes, by how many branches each of them has."""
    _check_split_lengths("splits", splits)
    leaf = n_children == 0
    refuse("splits.kind", (splits.kind == LEAF) != leaf, "is a leaf's where there are branches, or the other way round")
    refuse("splits.feature", leaf & (splits.feature != -1), "is the feature of a leaf")
    _check_tests("splits", schema, splits, np.flatnonzero(~leaf), n_children, (THRESHOLD, LEVELS, CUTS))
    # rows have the numbers themselves, whose bins a table of levels does not know
    table = np.flatnonzero(splits.kind == LEVELS)
    numeric = np.array([feature.numeric for feature in schema.features], bool)
    _refuse_at("splits.kind", table, numeric[splits.feature[table]], "puts numbers into levels")
    for name in ("missing_branch", "unseen_branch"):
        route = getattr(splits, name)
        refuse(f"splits.{name}", (route < SHARED) | (route >= np.maximum(n_children, 0)), "is no branch")
        refuse(f"splits.{name}", leaf & (route != STAYS), "leads on from a leaf")


def check_surrogates(schema: Schema, tests: Splits, start: np.ndarray, n_children: np.ndarray) -> None:
    """The same of the backup tests; those of node t are entries start[t]:start[t + 1]."""
    _check_split_lengths("surrogates", tests)
    _check_starts("surrogate_start", start, len(n_children), len(tests))
    owner = np.repeat(np.arange(len(n_children)), np.diff(start))
    n_branches = n_children[owner]
    refuse("surrogate_start", n_branches == 0, "is the surrogate of a leaf")
    _check_tests("surrogates", schema, tests, np.arange(len(tests)), n_branches, (THRESHOLD, LEVELS))
    by_bins = np.array([feature.branches_by_bins for feature in schema.features], bool)
    numeric = np.array([feature.numeric for feature in schema.features], bool)
    # a number is looked up by its bin, where it has one
    kind, f = tests.kind, tests.feature
    refuse("surrogates.kind", (kind == LEVELS) & numeric[f] & ~by_bins[f], "puts numbers into levels")
    refuse("surrogates.kind", (kind == THRESHOLD) & by_bins[f], "cuts what branches by bins")
    for name in ("missing_branch", "unseen_branch"):
        refuse(f"surrogates.{name}", getattr(tests, name) != STAYS, "leads on from a surrogate")


def _check_split_lengths(where: str, tests: Splits) -> None:
    n = len(tests)
    for name in ("feature", "threshold", "closed", "low_branch", "missing_branch", "unseen_branch"):
        if len(getattr(tests, name)) != n:
            raise saved_tree_error(f"{where}.{name}", f"It has {len(getattr(tests, name))} entries, not {n}")
    _check_starts(f"{where}.level_start", tests.level_start, n, len(tests.level_branch))
    _check_starts(f"{where}.cut_start", tests.cut_start, n, len(tests.cuts))
    listed = {"level_id": len(tests.level_branch), "n_levels": n, "usual_branch": n} if tests.are_listed else {}
    for name in LISTED:
        if len(getattr(tests, name)) != listed.get(name, 0):
            raise saved_tree_error(
                f"{where}.{name}", f"It has {len(getattr(tests, name))} entries, not {listed.get(name, 0)}"
            )


def _check_tests(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray, kinds) -> None:
    """The tests at these entries. n_branches : of every entry."""
    refuse(f"{where}.low_branch", (tests.low_branch < 0) | (tests.low_branch > 1), "is neither branch")
    f = tests.feature[at]
    _refuse_at(f"{where}.feature", at, (f < 0) | (f >= len(schema.features)), "is no feature")
    _refuse_at(f"{where}.kind", at, ~np.isin(tests.kind[at], kinds), "is no kind of test here")
    kind = tests.kind[at]
    _check_thresholds(where, schema, tests, at[kind == THRESHOLD], n_branches)
    _check_levels(where, schema, tests, at[kind == LEVELS], n_branches)
    _check_cuts(where, schema, tests, at[kind == CUTS], n_branches)


def _check_starts(where: str, start: np.ndarray, n: int, stop: int) -> None:
    if len(start) != n + 1 or start[0] != 0 or start[-1] != stop or (np.diff(start) < 0).any():
        raise saved_tree_error(where, f"It does not ascend from 0 to {stop} in {n + 1} entries")


def _check_thresholds(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    if where == "splits":
        _refuse_at(f"{where}.kind", at, n_branches[at] != 2, "has other than two branches at a threshold")
    _refuse_at(f"{where}.threshold", at, np.isnan(tests.threshold[at]), "is no number")
    _check_places(f"{where}.threshold", schema, tests.feature[at], tests.threshold[at], at)


def _check_levels(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    size = np.diff(tests.level_start)[at]
    wanted = np.array([len(feature.level_names) for feature in schema.features], np.int64)
    n_levels = tests.n_levels[at] if tests.are_listed else size
    _refuse_at(f"{where}.level_start", at, n_levels != wanted[tests.feature[at]], "has not a branch for each level")
    place = ranges(tests.level_start[at], size)
    if tests.are_listed:
        _check_lists(where, tests, at, n_branches, np.repeat(at, size), place)
    branch = tests.level_branch[place]
    most = np.repeat(n_branches[at], size)
    _refuse_at(f"{where}.level_branch", np.repeat(at, size), (branch < -1) | (branch >= most), "names no branch")


def _check_lists(where: str, tests: Splits, at, n_branches: np.ndarray, owner: np.ndarray, place: np.ndarray) -> None:
    """The levels that the tests at these entries list. owner, place : of each, its entry and where it stands."""
    level, usual = tests.level_id[place], tests.usual_branch[at]
    _refuse_at(f"{where}.level_id", owner, (level < 0) | (level >= tests.n_levels[owner]), "lists no level")
    descends = np.append((level[1:] <= level[:-1]) & (owner[1:] == owner[:-1]), np.zeros(min(len(level), 1), bool))
    _refuse_at(f"{where}.level_id", owner, descends, "lists levels that do not ascend")
    _refuse_at(f"{where}.usual_branch", at, (usual < -1) | (usual >= n_branches[at]), "names no branch")


def _check_cuts(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    size = np.diff(tests.cut_start)[at]
    _refuse_at(f"{where}.cut_start", at, size != n_branches[at] - 1, "has not a branch between any two cuts")
    place = ranges(tests.cut_start[at], size)
    cuts, owner = tests.cuts[place], np.repeat(at, size)
    _refuse_at(f"{where}.cuts", owner, np.isnan(cuts), "is cut at no number")
    descends = np.append(cuts[1:] <= cuts[:-1], False) & np.append(owner[1:] == owner[:-1], False)
    _refuse_at(f"{where}.cuts", owner, descends[: len(owner)], "has cuts that do not ascend")
    _check_places(f"{where}.cuts", schema, tests.feature[owner], cuts, owner)


def _check_places(where: str, schema: Schema, feature: np.ndarray, places: np.ndarray, entry: np.ndarray) -> None:
    """Cuts are of features in an order, and those of levels between two of them."""
    ordered = np.array([f.kind in ("numeric", "ordinal") for f in schema.features], bool)
    _refuse_at(where, entry, ~ordered[feature], "cuts levels that have no order")
    last = np.array([np.inf if f.numeric else len(f.levels) - 1 for f in schema.features])
    between = (places >= 0) & (places < last[feature]) | (places == np.inf)
    _refuse_at(where, entry, np.isfinite(last)[feature] & ~between, "lies between no two levels")


def refuse(where: str, bad: Any, what: str) -> None:
    """Raise for the first entry of a column that is bad. bad : bool, one per entry. what : said of this entry."""
    _refuse_at(where, np.arange(len(bad)), bad, what)


def _refuse_at(where: str, entry: np.ndarray, bad: np.ndarray, what: str) -> None:
    """Raise for the first bad one. entry : int64, what each stands for."""
    if bad.any():
        raise saved_tree_error(where, f"Entry {int(entry[np.argmax(bad)])} {what}")


# Is a tree from outside one that could have been grown? Compiled code follows its columns without looking again.
#
# Every check says which column is wrong, and at which node. All of them are array operations.

SLACK = 1e-6
"""Share of the root's amount by which sums may be off by rounding."""
LARGEST, LARGEST_SUM = 1e100, 1e150
"""No weight and no cost is larger, and no sum: products of two of them are still numbers."""
PER_NODE = (
    "parent", "first_child", "n_children", "node_depth", "stats", "n_rows", "impurity", "gain", "answer",
    "missing_rows", "missing_weight", "center", "score",
)  # fmt: skip
OPTIONAL = ("median", "share_weight", "training_route", "training_missing", "outputs", "cover")


def validate(tree: TreeColumns) -> None:
    """TreecoreError saying what is wrong with a tree whose columns have the right types."""
    check_schema(tree.schema)
    _check_lengths(tree)
    _check_settings(tree)
    _check_structure(tree)
    check_splits(tree.schema, tree.splits, tree.n_children)
    check_surrogates(tree.schema, tree.surrogates, tree.surrogate_start, tree.n_children)
    _check_statistics(tree)
    _check_numbers(tree)
    _check_by_class(tree)
    _check_lines(tree)


def _check_lines(tree: TreeColumns) -> None:
    if tree.lines is None:
        return
    plain = tree.outputs is None and tree.median is None and tree.added is None
    if not plain or not tree.schema.target_kind.allows("leaf_model", "linear"):
        raise saved_tree_error("lines", "Only means of numbers and log-odds of two classes can be lines")
    tree.lines.check(tree.schema, tree.answer)


def _check_lengths(tree: TreeColumns) -> None:
    n, m = tree.n_nodes, len(tree.surrogates)
    lengths = dict.fromkeys(PER_NODE, n) | {"splits": n, "surrogate_start": n + 1}
    lengths |= dict.fromkeys(("surrogate_agree", "surrogate_adjusted", "surrogate_rows"), m)
    lengths |= {name: n for name in OPTIONAL if getattr(tree, name) is not None}
    for name, length in lengths.items():
        if len(getattr(tree, name)) != length:
            raise saved_tree_error(name, f"It has {len(getattr(tree, name))} entries, not {length}")
    if n == 0:
        raise saved_tree_error("parent", "There is no node")
    width = tree.target_kind.width
    if tree.stats.shape != (n, width):
        raise saved_tree_error("stats", f"It has {tree.stats.shape[1]} numbers per node, not {width}")
    if tree.outputs is not None and tree.outputs.shape != (n, len(tree.classes) or 1):
        raise saved_tree_error(
            "outputs", f"It has {tree.outputs.shape[1]} numbers per node, not {len(tree.classes) or 1}"
        )


def _check_settings(tree: TreeColumns) -> None:
    criterion = CRITERIA.get(tree.criterion) if isinstance(tree.criterion, str) else None
    if criterion is None or criterion.task != tree.task:
        raise saved_tree_error("criterion", f"There is no criterion {tree.criterion!r} for {tree.task}")
    if criterion.max_classes is not None and len(tree.classes) > criterion.max_classes:
        raise saved_tree_error("criterion", f"{tree.criterion} is not defined for {len(tree.classes)} classes")
    learned = tree.schema.row_loss
    if (learned.name if learned is not None else "") != (criterion.name if criterion.row_loss is not None else ""):
        raise saved_tree_error(
            "criterion", f"{tree.criterion} is not the criterion of the loss that the tree was grown by"
        )
    if criterion.needs_loss and tree.loss is None:
        raise saved_tree_error("criterion", f"{tree.criterion} needs a loss matrix")
    refuse("center", ~(np.abs(tree.center) < LARGEST_MEAN), "is no mean")
    if not tree.target_kind.around_center and (tree.center.any() or tree.median is not None):
        raise saved_tree_error("center", f"A tree of {tree.target_kind.held} has no mean and no medians")
    if type(tree.surrogates_asked) is not bool:
        raise saved_tree_error("surrogates_asked", f"{tree.surrogates_asked!r} is neither true nor false")
    for name, value in tree.growth.items():
        if not isinstance(name, str) or not _is_plain(value, DEEPEST if name in OF_PAIRS else 0):
            raise saved_tree_error("growth", f"{value!r} is no setting")


OF_PAIRS = "priors", "loss", "profit", "costs", "edges", "monotonic"
DEEPEST = 3
"""Settings of growth that hold more than one number, and how many lists may be within each other: name and edges."""


def _is_plain(value, depth: int) -> bool:
    """A text, a finite number, yes, no or nothing; or a list of them, so many within each other."""
    if depth and isinstance(value, list | tuple):
        return all(_is_plain(one, depth - 1) for one in value)
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _check_structure(tree: TreeColumns) -> None:
    """Children stand behind their parents, siblings side by side, and every node but the root is somebody's child.

    Whoever follows such columns comes to an end, and never leaves the table.
    """
    inner, n = np.flatnonzero(tree.n_children), tree.n_nodes
    refuse("n_children", (tree.n_children < 0) | (tree.n_children == 1) | (tree.n_children >= n + 1), "is impossible")
    refuse("first_child", (tree.n_children == 0) & (tree.first_child != -1), "names a child of a leaf")
    by_child = inner[np.argsort(tree.first_child[inner], kind="stable")]
    each = tree.n_children[by_child].astype(np.int64)
    expected = 1 + np.cumsum(each) - each
    if 1 + each.sum() != n or (tree.first_child[by_child] != expected).any():
        raise saved_tree_error("first_child", "Not every node but the root is the child of one other")
    refuse("first_child", (tree.n_children > 0) & (tree.first_child <= np.arange(n)), "names a child before the node")
    refuse("parent", tree.parent != np.concatenate([[-1], np.repeat(by_child, each)]), "is not the node's parent")
    depth = tree.node_depth
    refuse("node_depth", depth != np.concatenate([[0], depth[tree.parent[1:]] + 1]), "is not one below its parent")
    refuse("answer", (tree.answer < -1) | (tree.answer >= n), "is no node")


def _check_statistics(tree: TreeColumns) -> None:
    """Counts and sums: finite, of no negative weight, and children have no more than their parents."""
    refuse("stats", ~(np.abs(tree.stats) < LARGEST_SUM).all(axis=1), "is not finite")
    weight = tree.weight
    slack = SLACK * np.abs(tree.stats).max(axis=0)
    every = list(range(tree.stats.shape[1]))
    signed = {"classification": every, "counts": every[:3], "effects": [0, 1, 4, 5]}.get(tree.task, [0, 2])
    refuse("stats", (tree.stats[:, signed] < -slack[signed]).any(axis=1), "is negative")
    if tree.task == "counts":
        events = tree.stats[:, 2]
        refuse("stats", (tree.stats[:, 1] > 0) != (weight > 0), "has rows without exposure, or exposure without rows")
        refuse("stats", tree.target_kind.deviance_excess(tree.stats) > SLACK * (1 + events), "is of no counts")
    if tree.task == "effects":
        w, treated, y0, y1, yy0, yy1 = tree.stats.T
        refuse("stats", treated > w + slack[0], "has more treated rows than rows")
        for n, y, yy in ((w - treated, y0, yy0), (treated, y1, yy1)):
            refuse("stats", y * y > (n + slack[0]) * (yy + slack[4:].max()) * (1 + SLACK), "is of no outcomes")
    if tree.task == "regression":
        w, wy, wyy = tree.stats.T
        refuse(
            "stats", wy * wy > (w + slack[0]) * (wyy + slack[2]) * (1 + SLACK), "is of no numbers: Σwy² is too small"
        )
        refuse("stats", (w > 0) & (np.abs(wy) >= LARGEST_MEAN * w), "is of no numbers: their mean is too large")
    silent = (tree.answer >= 0) & ~tree.target_kind.answers(tree.stats[tree.answer])
    if tree.outputs is not None:
        silent &= np.isnan(tree.outputs[tree.answer]).any(axis=1)
    refuse("answer", silent, "is a node without rows, which have no mean and no shares")
    below = np.bincount(tree.parent[1:], weight[1:], tree.n_nodes)
    inner = tree.n_children > 0
    refuse("stats", inner & (below > weight * (1 + SLACK) + SLACK * abs(weight[0])), "weighs less than its branches")
    refuse("n_rows", tree.n_rows < 0, "is negative")
    refuse("missing_rows", (tree.missing_rows < 0) | (tree.missing_rows > tree.n_rows), "is no part of the node's rows")
    if tree.training_missing is not None:
        refuse("training_missing", tree.training_missing < 0, "is negative")
    share = weight if tree.share_weight is None else tree.share_weight
    refuse("share_weight", ~((share >= -slack[0]) & (share < LARGEST)), "is no weight")


def _check_numbers(tree: TreeColumns) -> None:
    largest = np.nanmax(np.abs(tree.impurity), initial=0.0)
    refuse("impurity", np.isinf(tree.impurity) | (tree.impurity < -SLACK * largest), "is no impurity")
    refuse("gain", np.isinf(tree.gain) | ((tree.n_children == 0) & ~np.isnan(tree.gain)), "is no gain")
    refuse("score", (tree.n_children == 0) & ~np.isnan(tree.score), "is the score of a leaf")
    refuse("missing_weight", ~((tree.missing_weight >= 0) & (tree.missing_weight < LARGEST)), "is no weight")
    refuse("surrogate_agree", ~np.isfinite(tree.surrogate_agree), "is no share")
    refuse("surrogate_adjusted", ~np.isfinite(tree.surrogate_adjusted), "is no share")
    refuse("surrogate_rows", tree.surrogate_rows < 0, "is negative")
    if tree.training_route is not None:
        is_branch = (tree.training_route >= 0) & (tree.training_route < tree.n_children)
        inner = tree.n_children > 0
        refuse("training_route", inner & ~is_branch & (tree.training_route != STAYS), "is no branch")
    if tree.outputs is not None:
        _check_outputs(tree)
    if tree.cover is not None:
        refuse("cover", ~(np.isnan(tree.cover) | ((tree.cover >= 0) & (tree.cover < LARGEST_SUM))), "is no weight")
    if tree.median is not None:
        refuse("median", ~(np.isnan(tree.median) | (np.abs(tree.median) < LARGEST_MEAN)), "is no number")


def _check_outputs(tree: TreeColumns) -> None:
    """Shares of classes that add up to 1, or a number; or NaN throughout."""
    outputs = tree.outputs
    assert outputs is not None
    none = np.isnan(outputs)
    refuse("outputs", none.any(axis=1) & ~none.all(axis=1), "is a number only in part")
    if not tree.classes:
        refuse("outputs", (~none & ~(np.abs(outputs) < LARGEST_MEAN)).any(axis=1), "is no number")
        return
    odd = (outputs < 0) | (np.abs(outputs.sum(axis=1, keepdims=True) - 1) > SLACK)
    refuse("outputs", (~none & odd).any(axis=1), "is no share of classes")


def _check_by_class(tree: TreeColumns) -> None:
    k = len(tree.classes)
    for name, shape in (("priors", (k,)), ("loss", (k, k)), ("added", (k,))):
        numbers = getattr(tree, name)
        if numbers is None:
            continue
        if numbers.shape != shape or not k:
            raise saved_tree_error(name, f"It is of {numbers.shape}, not of {k} classes")
        least = -LARGEST if name == "loss" else 0  # profits are costs below 0
        if not ((numbers >= least) & (numbers < LARGEST)).all():
            raise saved_tree_error(name, "There is a number below 0, or none")
    if tree.priors is not None and not math.isclose(tree.priors.sum(), 1, rel_tol=SLACK):
        raise saved_tree_error("priors", "The shares do not sum to 1")
