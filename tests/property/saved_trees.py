"""Saved trees of every make, and everything that is done with a tree. A process of its own does it: a tree that is
none may take the process down."""

import contextlib
import json
import warnings
from functools import cache

import numpy as np

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_pruners import few
from tests.property.twin_settings import many_rows
from treecore.explaining.missing_routes import missing_lines
from treecore.export.cards import tree_cards
from treecore.export.dot import tree_dot
from treecore.study import default_fixed, plot_ranges, regions, size_curve
from treecore.tree.binary_chain import binary_chain
from treecore.tree.node import top_nodes
from treecore.tree.node_statistics import node_statistics

PRUNE, HONEST = "pruned by", "honest"
MAKES = (
    ("cart", 3, {"missing": "surrogates"}),
    ("c4.5", 2, {}),
    ("j48", 2, {"missing": "fractional"}),
    ("rpart", 2, {"loss": ((0.0, 1.0), (4.0, 0.0)), "priors": (0.25, 0.75)}),
    ("sklearn", 3, {}),
    ("chaid", 2, {}),
    ("ctree", 0, {}),
    ("reptree", 0, {}),
    ("cart", 2, {"numeric": "equal_width", "missing": "surrogates", "nominal": "multiway"}),
    ("cart", 0, {"numeric": "equal_frequency", "missing": "own_value", "bins": 3}),
    ("cart", 0, {"criterion": "absolute_error"}),
    ("id3", 3, {"empty_leaf": "none"}),
    ("cart", 2, {"max_depth": 0}),
    ("cart", 2, {"max_leaves": 6, "missing": "both_ways"}),
    ("cart", 3, {"missing": "surrogates_only"}),
    ("rpart", 2, {"missing": "rpart_stay", "loss": ((0.0, 1.0), (4.0, 0.0))}),
    ("cart", 0, {"missing": "stay"}),
    ("cart", 3, {"missing": "node_value"}),
    ("c4.5", 3, {"loss": ((0.0, 1.0, 5.0), (2.0, 0.0, 1.0), (1.0, 3.0, 0.0))}),
    ("chaid", 3, {"alpha": 0.9, "merge_alpha": 0.9, "min_rows_leaf": 2, "min_rows_split": 4}),
    ("c4.5", 3, {"profit": ((2.0, -1.0, -5.0), (-2.0, 0.0, -1.0), (0.0, -3.0, 9.0))}),
    ("cart", 2, {"missing": "surrogates", "profit": ((0.0, -2.0), (-1.0, 5.0)), "priors": (0.6, 0.4)}),
    ("c4.5", 3, {"max_depth": None, PRUNE: ("error_based", {"cf": 0.4})}),
    ("c4.5", 3, {HONEST: True}),
    ("cart", 2, {HONEST: True, "missing": "surrogates", "profit": ((0.0, -2.0), (-1.0, 5.0)), "priors": (0.6, 0.4)}),
    ("cart", 0, {HONEST: True, "criterion": "absolute_error", "missing": "fractional"}),
    ("cart", 0, {"leaf_model": "linear", "missing": "fractional"}),
    ("sklearn", 0, {"leaf_model": "linear", "line_smoothing": 15.0, "line_features": 3}),
    ("cart", 0, {HONEST: True, "leaf_model": "linear", "line_ridge": 0.1, "missing": "stay"}),
    ("cart", 2, {"leaf_model": "linear", "missing": "fractional"}),
    ("rpart", 2, {"leaf_model": "linear", "line_features": 3, "loss": ((0.0, 1.0), (4.0, 0.0))}),
    ("cart", 2, {HONEST: True, "leaf_model": "linear", "missing": "stay", "priors": (0.6, 0.4)}),
)
"""(preset, number of classes or 0 for numbers, settings); PRUNE: the strategy that prunes it, too, and raises
branches. HONEST: its figures are of the other rows."""


@cache
def tables(n_classes: int) -> tuple[tc.Table, tc.Table]:
    """Training and validation rows with gaps and weights."""
    return tuple(many_rows(np.random.default_rng(seed), n_classes, 0.15, n=60).table() for seed in (1, 2))


@cache
def saved(make: int) -> str:
    """The JSON of the tree of this make."""
    preset, n_classes, settings = MAKES[make]
    pruner, is_honest = settings.get(PRUNE), settings.get(HONEST, False)
    settings = {name: value for name, value in settings.items() if name not in (PRUNE, HONEST)}
    train, validation = tables(n_classes)
    try:
        tree = tc.grow(train, preset, validation=validation, **{"max_depth": 4} | settings)
    except tc.TreecoreError:  # an algorithm for tables without gaps
        sample = many_rows(np.random.default_rng(1), n_classes, 0.0, n=60)
        whole = Sample(sample.kinds, sample.columns, sample.levels, sample.target, n_classes, sample.weights)
        tree = tc.grow(whole.table(), preset, **{"max_depth": 4} | settings)
    if pruner is not None:
        cuts = tc.prune(tree, pruner[0], train=train, **pruner[1])
        assert len(cuts.raised_nodes)
        tree = tree.cut(cuts)
    return json.dumps((tc.honest(tree, validation) if is_honest else tree).to_dict())


def tried(text: str, n_classes: int) -> str:
    """What is wrong with the tree of this JSON, or "sound": whatever is done with it works, or says why it cannot."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            tree = tc.Tree.from_dict(json.loads(text))
        except tc.TreecoreError as refused:
            return str(refused)
        _use(tree, *tables(n_classes))
        return "sound"


def _use(tree: tc.Tree, train: tc.Table, validation: tc.Table) -> None:
    """Ask it, walk it, print it, cut it, draw it; each may be refused."""
    features = tree.schema.features
    codes = np.array([[0.0, 1.0, np.nan, 2.0, -1.0][i % 5] for i in range(3 * len(features))]).reshape(3, -1)
    for rows in (train, codes, codes.astype(np.float32)):
        for ask in (tree.predict, tree.predict_proba, tree.apply):
            _allowed(ask, rows)
    views = [tree.node(node) for node in range(tree.n_nodes)]
    [(v.rule, v.predicted, v.counts, v.mean, v.deviation, missing_lines(tree, v.id)) for v in views]
    tree.to_frame()
    assert tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict()))).n_nodes == tree.n_nodes
    _allowed(lambda: tc.export(tree, "json"))
    _allowed(lambda: tree.after(1).predict(train))
    _allowed(lambda: binary_chain(tree).tree.predict(train))
    _allowed(lambda: [rule.text for rule in tc.rules(tree)])
    _allowed(lambda: tc.rules(tree).listed(validation, train).predict(validation))
    _allowed(lambda: (tc.sequence(tree).curve(validation), size_curve(tc.sequence(tree), {"validation": validation})))
    for name in tc.PRUNERS:
        _allowed(lambda name=name: tree.cut(tc.prune(tree, name, train=train, validation=validation, **few(name, {}))))
    _allowed(lambda: tc.candidates(tree, 0, train).per_feature())
    _allowed(_draw, tree, validation)
    if len(features) > 1:
        _allowed(_regions, tree, train)


def _draw(tree: tc.Tree, rows: tc.Table) -> None:
    cards = tree_cards(tree, top_nodes(tree, 20), {"train": tree.stats, "validation": node_statistics(tree, rows)})
    tree_dot(cards, classes=tree.classes)


def _regions(tree: tc.Tree, train: tc.Table) -> None:
    a, b = (feature.name for feature in tree.schema.features[:2])
    regions(tree, a, b, default_fixed(tree, train), plot_ranges(train.features, train))


def _allowed(act, *given) -> None:
    with contextlib.suppress(tc.TreecoreError):
        act(*given)
