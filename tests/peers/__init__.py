"""Adapters between recorded outputs of other systems and treecore."""
