"""Growing with oblique splits: sums of features found at the nodes are offered beside the features themselves."""

from collections.abc import Callable

import numpy as np

from treecore.data.combine import with_sums
from treecore.data.described import Terms
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import grow
from treecore.oblique.cases import Cases
from treecore.oblique.directions import DIRECTIONS, Direction
from treecore.oblique.terms import as_terms, without_small
from treecore.recipe import Recipe
from treecore.tree.oblique import oblique_nodes
from treecore.tree.tree import Tree

MOST_SUMS = 64
"""Sums that are offered at most: each is one feature more to be searched."""
FEWEST_ROWS = 4


def grow_oblique(
    table: Table,
    recipe: str | Recipe = "cart",
    directions: str = "discriminant",
    price: float = 1.0,
    seed: int = 0,
    progress: Callable | None = None,
    **settings,
) -> Tree:
    """The tree that a recipe grows where splits may also ask for a weighted sum of numeric features, w · x + w0 > 0.

    Level by level, each node looks for directions among its rows. A direction is offered if it tells the target in so
    many bits fewer than the best single feature that its further coefficients are paid for: each costs half the
    logarithm of the node's weight and that of the number of features, times `price` (0: any that is better pays). It
    is then a feature as others are, to all nodes, and the recipe's own criterion and limits decide. Features are
    standardised for the search; the sums are in the table's units. Rows without one of the values have no sum: the
    recipe's way with missing values sends them on.
    directions : a name in DIRECTIONS. seed : of random starts. recipe, settings, progress : see treecore.grow.
    Raises TreecoreError for a target or a table that the directions have no meaning for.
    """
    way = DIRECTIONS[directions]
    _check(table, way, price)
    random, sums = np.random.default_rng(seed), {}
    tree, level = grow(table, recipe, progress=progress, **settings), 0
    while len(sums) < MOST_SUMS:
        found = [s for rows in _to_be_split(tree, table, level) for s in _sums(table.take(rows), way, price, random)]
        new = [s for s in dict.fromkeys(found) if s not in sums][: MOST_SUMS - len(sums)]
        if new:
            sums |= dict.fromkeys(new)
            tree = grow(with_sums(table, tuple(sums)), recipe, progress=progress, **settings)
        level += 1
        if level > tree.depth:
            break
    return _of_used_sums(tree, table, recipe, progress, settings)


def _check(table: Table, way: Direction, price: float) -> None:
    if not isinstance(table, Table):
        raise TreecoreError("A table in an engine has no rows to look at", where="Table", remedy="Read it into memory")
    table.check_trainable()
    if table.task == "regression" and not way.for_numbers:
        fitting = ", ".join(w.name for w in DIRECTIONS.values() if w.for_numbers)
        raise TreecoreError(
            f"{way.label} needs a target of classes", where="directions", remedy=f"Choose one of: {fitting}"
        )
    if sum(c.kind == "numeric" for c in table.feature_columns) < 2:
        raise TreecoreError(
            "There are fewer than two numeric features to add up",
            where="Features",
            remedy="Grow without oblique splits",
        )
    if not (isinstance(price, int | float) and 0 <= price < np.inf):
        raise TreecoreError(f"{price!r} is no price", where="price", remedy="Give a number of at least 0")


def _to_be_split(tree: Tree, table: Table, level: int) -> list[np.ndarray]:
    """Rows (int64) of each node of a level that has more than one answer and may be split."""
    most = tree.growth["max_depth"]
    if most is not None and level >= most:
        return []
    above = tree.pruned_at(tree.node_depth >= level)
    ends = above.apply(table)
    nodes = np.flatnonzero((above.node_depth == level) & (above.impurity > 0))
    nodes = nodes[above.n_rows[nodes] >= max(FEWEST_ROWS, tree.growth["min_rows_split"])]
    order = np.argsort(ends, kind="stable")
    begin, stop = (np.searchsorted(ends[order], nodes, side) for side in ("left", "right"))
    return [order[b:s] for b, s in zip(begin, stop, strict=True)]


def _sums(here: Table, way: Direction, price: float, random: np.random.Generator) -> list[Terms]:
    """The best sum of the features at a node, as a list; [] where none is worth its length."""
    columns = [c for c in here.feature_columns if c.kind == "numeric"]
    values = np.array([c.values() for c in columns])
    weight = here.case_weights
    known = ~np.isnan(values).any(axis=0) & ~here.target_column.missing & (weight > 0)
    values = values[:, known]
    if values.shape[1] < FEWEST_ROWS:
        return []
    scale = values.std(axis=1)
    varies = scale > 1e-12 * np.abs(values).max(axis=1)
    values, scale = values[varies], scale[varies]
    names = [c.name for c, there in zip(columns, varies, strict=True) if there]
    target = here.target_column.codes if here.classes else here.target_column.values()
    x = ((values - values.mean(axis=1, keepdims=True)) / scale[:, None]).T
    cases = Cases(x, target[known], weight[known], len(here.classes))
    if len(names) < 2 or len(np.unique(cases.target)) < 2:
        return []
    single = float(cases.cuts_bits(cases.x).min())
    if cases.n_classes and single <= price * cases.coefficient_bits:
        return []  # so few bits cannot pay for a second coefficient; those of numbers have no least
    chosen = _worth_it(cases, single, way.find(cases, random), price)
    return [] if chosen is None else [as_terms(names, chosen[0] / scale, values, cases, chosen[1])]


def _worth_it(cases: Cases, single: float, found: np.ndarray, price: float) -> tuple[np.ndarray, float] | None:
    """(weights, bits) of the direction that saves most, unless one feature, which leaves `single` bits, does as well.

    Coefficients are only dropped of a direction that could pay for two of them as it is.
    """
    each, best, chosen = price * cases.coefficient_bits, 0.0, None
    for w, whole in zip(found, cases.cuts_bits(cases.x @ found.T), strict=True):
        if single - whole <= each:
            continue
        w, bits = without_small(cases, w, price)
        saved = single - bits - each * (np.count_nonzero(w) - 1)
        if np.count_nonzero(w) > 1 and saved > best + 1e-9:
            best, chosen = saved, (w, bits)
    return chosen


def _of_used_sums(tree: Tree, table: Table, recipe, progress: Callable | None, settings: dict) -> Tree:
    """The same tree, knowing only of the sums that it asks for."""
    used = {tree.schema.features[f].terms for f in tree.splits.feature[oblique_nodes(tree)]}
    sums = [feature.terms for feature in tree.schema.features if feature.terms in used]
    if len(sums) == sum(bool(feature.terms) for feature in tree.schema.features):
        return tree
    return grow(with_sums(table, sums), recipe, progress=progress, **settings)
