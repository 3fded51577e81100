"""From what another package says of a tree, its nodes, names and counts, to a tree of ours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.gaps import FLOAT32, NO_GAPS
from treecore.data.level_index import label_of, level_index
from treecore.data.table import Table
from treecore.ensembles.imported import with_numbers
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import unsaid
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.pruning.recount import impurities_of
from treecore.tree.columns import LARGEST_MEAN
from treecore.tree.node_statistics import add_up_statistics, node_statistics, true_numbers
from treecore.tree.predict import route
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits
from treecore.tree.threshold_gaps import with_gaps_of
from treecore.tree.tree import Tree
from treecore.tree.validate import validate
from treecore.tree.values import value_matrix

MOST_PLACES = 100_000_000
"""Places of levels that the splits of all trees have together: each has one for every level of its feature."""


@dataclass(frozen=True, eq=False, repr=False)
class BinaryNodes(Brief):
    """Nodes in any order, the root first; those that no branch leads to are left out.

    left, right : int64 (n,), the children, -1 at a leaf. feature : int64, into the schema's. threshold : float64.
    closed : is x <= threshold on the left, or x < threshold? Of all, or bool (n,). missing_left, bool, where a missing
    value goes; None where it stays at the node. outputs : float64 (n, K) or (n, 1), NaN where the model says nothing of
    a node. cover : float64 (n,), training weight; n_rows : int64 (n,); None where the model does not say. listed : node
    -> levels, of a split by levels, that go left where listed_left says so, else right; all others the other way.
    unseen_left : bool (n,), where levels go that are not in the schema; None: with the others.
    """

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    closed: bool | np.ndarray
    missing_left: np.ndarray | None
    outputs: np.ndarray
    cover: np.ndarray | None = None
    n_rows: np.ndarray | None = None
    listed: Mapping[int, np.ndarray] = field(default_factory=dict)
    listed_left: bool = True
    unseen_left: np.ndarray | None = None


def tree_of(nodes: BinaryNodes, schema: Schema, growth: GrowSettings, criterion: str, where: str = "tree") -> Tree:
    """The tree that answers as these nodes do, without any rows counted.

    growth : the settings that come nearest to how it was grown. criterion : an impurity's name. where : what messages
    call it. TreecoreError for nodes that are no tree, and for numbers that a tree cannot have.
    """
    order = breadth_first(nodes.left, nodes.right, where)
    inner = nodes.left[order] >= 0
    outputs = nodes.outputs[order]
    if not schema.classes and (np.abs(outputs) >= LARGEST_MEAN).any():
        raise unsaid(where, f"A leaf answers with {LARGEST_MEAN:g} or more", "Scale the target down and train again")
    n, new_id = len(order), np.full(len(nodes.left), -1, np.int64)
    new_id[order] = np.arange(n)
    first_child = np.where(inner, new_id[nodes.left[order]], -1)
    parent = np.full(n, -1, np.int64)
    parent[first_child[inner]] = parent[first_child[inner] + 1] = np.flatnonzero(inner)
    depth = np.zeros(n, np.int64)
    for i in range(1, n):
        depth[i] = depth[parent[i]] + 1
    cover = None if nodes.cover is None else nodes.cover[order]
    unknown = np.zeros(n)
    tree = Tree(
        schema=schema, parent=parent, first_child=first_child, n_children=np.where(inner, 2, 0), node_depth=depth,
        splits=_splits(nodes, schema, order, inner), stats=np.zeros((n, len(schema.classes) or 3)),
        n_rows=unknown if nodes.n_rows is None else nodes.n_rows[order], impurity=unknown,
        gain=np.where(inner, 0.0, np.nan), score=np.where(inner, 0.0, np.nan),
        answer=np.where(np.isnan(outputs).any(axis=1), -1, np.arange(n)), criterion=criterion,
        growth=growth.to_dict(), outputs=outputs, cover=cover,
    )  # fmt: skip
    return checked(tree, where)


def check_places(schema: Schema, asked: Iterable[int]) -> None:
    """TreecoreError where splits by levels of these features, one for each split, take too much memory."""
    if sum(len(schema.features[f].levels) for f in asked) > MOST_PLACES:
        what = f"Their splits ask for more than {MOST_PLACES:,} categories together"
        raise unsaid("trees", what, "Train fewer trees, or on features with fewer categories")


def shares_that_answer(shares: np.ndarray, k: int, name: str) -> np.ndarray:
    """Shares of a node's classes by which it answers with class k, as its model says. name : of the class.

    TreecoreError where other classes are likelier: the model answers by costs, which its file does not have.
    """
    if shares[k] < shares.max() - 1e-9:
        what = f"A node answers {name}, and has other classes that are likelier"
        raise unsaid("nodes", what, "Save the tree without costs of errors: they are not in the file")
    if shares.argmax() != k:  # equally likely: it is the one that is named
        shares = shares.copy()
        shares[k] = np.nextafter(shares.max(), 2)
    return shares


def checked(tree: Tree, where: str) -> Tree:
    """The tree, which knows that numbers of 32 bits have neighbours; TreecoreError saying where it is no tree of ours.

    where : what messages call it.
    """
    if tree.schema.precision == "float32":
        features = tuple(f.with_gaps(FLOAT32) if f.numeric and f.gaps is NO_GAPS else f for f in tree.schema.features)
        tree = replace(tree, schema=replace(tree.schema, features=features))
    try:
        validate(tree)
    except TreecoreError as fault:
        told = f"{fault.where.removeprefix('Saved tree, ')}: {fault.what}"
        raise unsaid(where, told, "Save the model again where it was made") from None
    return tree


def breadth_first(left: np.ndarray, right: np.ndarray, where: str) -> np.ndarray:
    """int64: the nodes level by level, siblings side by side. TreecoreError where they are no tree."""
    broken = unsaid(where, "Its nodes are no tree", "Save the model again where it was made")
    n = len(left)
    if not n or len(right) != n or ((left < 0) != (right < 0)).any():
        raise broken
    level, seen, order = np.zeros(1, np.int64), np.zeros(n, bool), []
    while len(level):
        if (level >= n).any() or seen[level].any() or len(np.unique(level)) < len(level):
            raise broken
        seen[level] = True
        order.append(level)
        inner = level[left[level] >= 0]
        level = np.stack([left[inner], right[inner]], axis=1).ravel()
    return np.concatenate(order)


def _splits(nodes: BinaryNodes, schema: Schema, order: np.ndarray, inner: np.ndarray) -> Splits:
    n, missing = len(order), np.full(len(order), STAYS)
    closed = np.broadcast_to(nodes.closed, len(nodes.left))[order]
    unseen = int(nodes.listed_left) if nodes.unseen_left is None else np.where(nodes.unseen_left[order], 0, 1)
    feature = np.where(inner, nodes.feature[order], -1)
    if nodes.missing_left is not None:
        missing = np.where(inner, np.where(nodes.missing_left[order], 0, 1), STAYS)
    by_levels = inner & np.isin(order, np.fromiter(nodes.listed, np.int64, len(nodes.listed)))
    check_places(schema, feature[by_levels].tolist())
    tables, size = [np.zeros(0, np.int32)], np.zeros(n, np.int64)
    for i in np.flatnonzero(by_levels):
        levels, there = nodes.listed[int(order[i])], schema.features[feature[i]].levels
        table = np.full(len(there), int(nodes.listed_left), np.int32)
        table[levels[(levels >= 0) & (levels < len(there))]] = 1 - nodes.listed_left
        tables.append(table)
        size[i] = len(table)
    return Splits(
        kind=np.where(inner, np.where(by_levels, LEVELS, THRESHOLD), LEAF), feature=feature,
        threshold=np.where(inner & ~by_levels, nodes.threshold[order], np.nan), closed=closed,
        low_branch=np.zeros(n), level_start=np.concatenate([[0], np.cumsum(size)]), level_branch=np.concatenate(tables),
        missing_branch=missing, unseen_branch=np.where(by_levels, unseen, STAYS),
    )  # fmt: skip


# What a model's features and classes are called: as the model says, or as the table that it is read beside.

CLASSES = "classes"
"""Where a fault lies that names of classes mend."""
MOST_NUMBERED = 2**18
"""Features, categories or classes that a file only counts, and are numbered here: as many as Spark hashes words into.
A few bytes of a file could else ask for any amount of memory."""
TARGET = "y"
"""What the target is called where neither model nor table says."""


def feature_names(n: int, names: Sequence[object] | None, table: Table | None, are_numbered: bool = False) -> tuple:
    """Names of n features.

    names : as the model has them, None where it has none. are_numbered : did its package make them up itself? Then they
    are the table's, unless it has columns of these names. TreecoreError for a table of other columns.
    """
    if names is not None:
        told = tuple(str(name) for name in names)
        if len(told) != n or len(set(told)) < n:
            raise unsaid("features", f"The model has {n} features, and not as many different names", "Name its columns")
        if table is None or not are_numbered or set(told) <= set(table.features):
            return told
    if table is None:
        _check_count("features", n)
        return tuple(f"x{j}" for j in range(n))
    if len(table.features) != n:
        raise TreecoreError(
            f"The model has {n} features without names, the table {len(table.features)}",
            where="features",
            remedy="Give a table with the same features in the same order, or train on columns with names",
        )
    return table.features


def coded_levels(name: str, n: int, table: Table | None) -> tuple[str, ...]:
    """Levels of a feature whose categories are known by their numbers alone, from 0 on.

    TreecoreError where the table has other levels: which is which is not guessed.
    """
    _check_count(f"feature {name!r}", n)
    return known_levels(name, tuple(str(k) for k in range(n)), table)


def coded_features(names: Sequence[str], counts: Mapping[int, int], table: Table | None) -> dict[int, tuple[str, ...]]:
    """Feature -> its levels, of those whose categories are known by their numbers alone. counts : feature -> how many.

    TreecoreError as of coded_levels, and where they are too many together.
    """
    _check_count("categories", sum(counts.values()))
    return {f: coded_levels(names[f], n, table) for f, n in counts.items()}


def known_levels(name: str, levels: tuple[str, ...], table: Table | None) -> tuple[str, ...]:
    """These numbers of a feature's categories. TreecoreError where the table has words for them."""
    if table is not None and name in table.features and table.column(name).kind != "numeric":
        column = table.column(name)
        if column.levels and max(level_index(levels).place(level) for level in column.levels) < 0:
            raise unsaid(
                f"feature {name!r}",
                f"The model knows its categories by numbers, the table as {', '.join(column.levels[:3])}, …",
                "Give the table these numbers, or save the model with names of categories",
            )
    return levels


def target_name(table: Table | None, taken: Iterable[str]) -> str:
    """The table's target, or a name that is no feature's."""
    name = TARGET if table is None or table.target is None else table.target
    while name in taken:
        name += "_"
    return name


def class_labels(classes: Iterable[object], table: Table | None) -> tuple[str, ...]:
    """The classes as text: as the table spells those that it has. TreecoreError where two become one."""
    classes = tuple(classes)
    known = level_index(table.classes) if table is not None and table.target is not None else level_index(())
    places = [known.place(value) for value in classes]
    labels = tuple(
        known.labels[place] if place >= 0 else value if type(value) is str else label_of(value)
        for place, value in zip(places, classes, strict=True)
    )
    if len(set(labels)) < len(labels):
        raise unsaid(
            CLASSES, f"Two of the classes {', '.join(labels)} have one name", "Give classes names of their own"
        )
    return labels


def numbered_classes(n: int, classes: tuple[str, ...] | None, table: Table | None) -> tuple[str, ...]:
    """Names of classes that a file numbers from 0 on. classes : as the caller names them.

    TreecoreError where the table's classes are no such numbers: which is which is not guessed.
    """
    if classes is not None:
        if len(classes) != n:
            raise unsaid(CLASSES, f"The model has {n} classes, {len(classes)} are named", f"Name {n}, in their order")
        return class_labels(classes, table)
    if table is not None and table.classes and any(level_index(table.classes).place(k) < 0 for k in range(n)):
        told = ", ".join(table.classes[:n])
        raise unsaid(
            CLASSES,
            f"The file numbers its classes 0 to {n - 1}, the table has {told}",
            "Name them in the order of these numbers: read_model(…, classes=[…]), or --classes in a terminal",
        )
    _check_count(CLASSES, n)
    return class_labels(range(n), table)


def _check_count(where: str, n: int) -> None:
    if n > MOST_NUMBERED:
        what = f"The file says that there are {n:,}; without names, at most {MOST_NUMBERED:,} are read"
        raise unsaid(where, what, "Check the file, or save the model with names")


# What a model's nodes count: the rows of a table, or what the model itself carries.


def counted(tree: Tree, table: Table | None, impurity: np.ndarray | None = None) -> Tree:
    """The tree with the statistics of the table's rows; of a table without the target, or without any, those that the
    model carries. Answers are the model's.

    impurity : float64 (n_nodes,), of a numeric target as the model carries it.
    """
    if table is None or table.target is None:
        return _carried(tree, impurity)
    rows = table.without_missing_target()
    if not tree.classes:
        known = true_numbers(tree, rows)
        tree = replace(tree, center=np.full(tree.n_nodes, np.average(known, weights=_weights(rows))))
    return _with_statistics(tree, node_statistics(tree, rows), rows)


def counted_outputs(tree: Tree, table: Table | None) -> Tree:
    """The tree of one summand with the statistics of what it adds itself, over the table's rows, or over the weight
    that the model carries: an inner node answers with the mean of what is below it."""
    ends = np.where(tree.is_leaf, tree.outputs[:, 0], np.nan)
    if table is not None:
        rows = with_numbers(table, tree.predict(table), tree.schema.target)
        center = float(np.average(rows.target_column.values(), weights=_weights(rows)))
        tree = replace(tree, center=np.full(tree.n_nodes, center))
        tree = _with_statistics(tree, node_statistics(tree, rows), rows)
    elif tree.cover is not None:
        mass = tree.cover * tree.is_leaf
        stats = np.stack([mass, mass * 0, mass * 0], axis=1)
        tree = replace(tree, center=np.nan_to_num(ends))
        tree = _judged(replace(tree, stats=add_up_statistics(tree, stats)))
    some = (tree.weight > 0) & ~tree.is_leaf
    tree = replace(tree, outputs=np.where(some, np.nan, np.where(tree.is_leaf, tree.outputs[:, 0], np.nan))[:, None])
    return replace(tree, answer=np.where(some | tree.is_leaf, np.arange(tree.n_nodes), -1))


def _carried(tree: Tree, impurity: np.ndarray | None) -> Tree:
    if tree.cover is None or np.isnan(tree.outputs).any():
        return tree
    if tree.classes:
        return _judged(replace(tree, stats=tree.outputs * tree.cover[:, None]))
    squares = np.zeros(tree.n_nodes) if impurity is None else impurity * tree.cover
    stats = np.stack([tree.cover, np.zeros(tree.n_nodes), squares], axis=1)
    return _judged(replace(tree, center=tree.outputs[:, 0], stats=stats))


def _weights(rows: Table) -> np.ndarray | None:
    return rows.case_weights if rows.case_weights.any() else None


def _with_statistics(tree: Tree, stats: np.ndarray, rows: Table) -> Tree:
    ends = route(tree, rows)
    n_rows = np.bincount(ends.node, minlength=tree.n_nodes)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(n_rows, tree.parent[nodes], n_rows[nodes])
    missing_rows, missing_weight = _missing(tree, rows, ends)
    tree = replace(tree, schema=with_gaps_of(tree.schema, rows, (tree.splits, tree.surrogates)))
    return _judged(replace(tree, stats=stats, n_rows=n_rows, missing_rows=missing_rows, missing_weight=missing_weight))


def _missing(tree: Tree, rows: Table, ends) -> tuple[np.ndarray, np.ndarray]:
    """(int64, float64), each (n_nodes,): rows, and their weight, that reach a node without the value it asks for."""
    count, weight = np.zeros(tree.n_nodes, np.int64), np.zeros(tree.n_nodes)
    asked = np.unique(tree.splits.feature[~tree.is_leaf])
    lacks = np.isnan(value_matrix(tree.schema, asked, rows))
    slot = np.full(len(tree.schema.features) + 1, -1)
    slot[asked] = np.arange(len(asked))
    some = np.flatnonzero(lacks.any(axis=0)[ends.row])
    row, node = ends.row[some], ends.node[some]
    while len(node):  # one level up at a time
        inner = ~tree.is_leaf[node]
        without = np.zeros(len(node), bool)
        without[inner] = lacks[slot[tree.splits.feature[node[inner]]], row[inner]]
        count += np.bincount(node[without], minlength=tree.n_nodes)
        weight += np.bincount(node[without], rows.case_weights[row[without]], tree.n_nodes)
        above = tree.parent[node]
        row, node = row[above >= 0], above[above >= 0]
    return count, weight


def _judged(tree: Tree) -> Tree:
    """The tree with the impurities and gains that follow from its statistics."""
    impurity = np.where(tree.weight > 0, impurities_of(tree, tree.stats), 0.0)
    gain = np.full(tree.n_nodes, np.nan)
    children = np.arange(1, tree.n_nodes)
    below = np.zeros(tree.n_nodes)
    np.add.at(below, tree.parent[children], (impurity * tree.weight)[children])
    inner = ~tree.is_leaf
    gain[inner] = (
        impurity[inner] - np.divide(below, tree.weight, out=np.zeros(tree.n_nodes), where=tree.weight > 0)[inner]
    )
    return replace(tree, impurity=impurity, gain=gain, score=gain)
