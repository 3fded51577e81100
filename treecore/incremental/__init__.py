"""Trees that are fed with rows, one at a time or in batches."""

from treecore.incremental.exact import ExactTree
from treecore.incremental.step import Step

__all__ = ["ExactTree", "Step"]
