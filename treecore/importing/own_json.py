"""A tree of ours, as JSON."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.importing.model_source import ModelSource
from treecore.importing.model_tree import counted
from treecore.tree.node_statistics import refuse_counts
from treecore.tree.predict import route
from treecore.tree.tree import Tree


def is_mine(source: ModelSource) -> bool:
    return isinstance(source.given, Tree) or (
        source.json is not None and {"schema_version", "schema"} <= set(source.json)
    )


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    """With its own counts, or with those of a table that has the target; what it answers stays."""
    if isinstance(source.given, Tree):
        tree = source.given
    else:
        try:
            tree = Tree.from_dict(source.json)
            refuse_counts(tree, "a model whose nodes are counted on other rows")
        except TreecoreError as fault:
            raise TreecoreError(fault.what, where=f"{source.name}, {fault.where}", remedy=fault.remedy) from None
    return tree if table is None or table.target is None else _recounted(tree, table)


def _recounted(tree: Tree, table: Table) -> Tree:
    """The tree as it was saved where its answers follow from its own counts alone: by costs, of a median, or of rows
    that are shared among branches; or by lines."""
    own = tree.loss is not None or tree.median is not None or tree.lines is not None
    if own or (tree.answer < 0).any() or not route(tree, table).whole:
        return tree
    outputs = tree.outputs if tree.outputs is not None else tree.proba if tree.classes else tree.value[:, None]
    answering = replace(
        tree, outputs=outputs, cover=tree.weight if tree.cover is None else tree.cover, priors=None, added=None,
        answer=np.arange(tree.n_nodes), training_missing=None, training_route=None,
        share_weight=tree.weight if tree.share_weight is None else tree.share_weight,
    )  # fmt: skip
    if not np.array_equal(answering.value, tree.value):  # classes whose shares differ in their last digits alone
        return tree
    return counted(answering, table)
