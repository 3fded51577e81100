"""The tree as data: frozen columns, routing, a view of one node."""

from treecore.tree.node import NodeView
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree

__all__ = ["FeatureSchema", "NodeView", "Schema", "Splits", "Tree"]
