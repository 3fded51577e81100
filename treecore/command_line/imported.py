"""A model made elsewhere, read into a tree that every other command takes."""

from argparse import Namespace
from dataclasses import replace

import treecore as tc
from treecore.command_line.files import read_rows, say, write
from treecore.command_line.tables import table_of, tell_notes
from treecore.data.table import Table
from treecore.ensembles import Ensemble, distilled
from treecore.errors import TreecoreError
from treecore.figures import percent
from treecore.importing import read_model
from treecore.presets import PRESETS
from treecore.tree.tree import Tree


def read(given: Namespace) -> None:
    """The tree, one of the trees, or the single tree nearest to all of them."""
    table, why = (None, "") if given.file is None else table_of(read_rows(given.file), given)
    classes = given.classes.split(",") if given.classes else None
    model = read_model(given.model, table, classes=classes)
    tree = model if isinstance(model, Tree) else _one_of(model, table, given)
    if table is not None:
        tell_notes(table.notes, why)
    say(f"{tree.n_leaves:,} leaves, depth {tree.depth}, predicts {tree.schema.target}")
    write(given.out, tc.export(tree, "json"))


def _one_of(model: Ensemble, table: Table | None, given: Namespace) -> Tree:
    n = len(model.trees)
    say(f"{n:,} trees: {model.made_by}")
    if given.nearest is not None:
        if table is None:
            raise TreecoreError("The nearest tree is grown on rows", where="--nearest", remedy="Name them with --table")
        found = distilled(model, replace(PRESETS["cart"].growth, max_depth=given.nearest))
        share = found.agreement(table)
        told = (
            f"answers as they do for {percent(share)}"
            if model.classes
            else f"explains of their answers (R²) {share:.4g}"
        )
        say(f"the nearest tree of depth {given.nearest} {told}")
        return found.tree
    if given.tree is None or not 1 <= given.tree <= n:
        remedy = f"Choose one of them, --tree 1 to --tree {n}, or the single tree nearest to all, --nearest DEPTH"
        raise TreecoreError(f"The model has {n:,} trees", where=given.model, remedy=remedy)
    return model.trees[given.tree - 1]
