"""Models made elsewhere, read as trees of ours: fitted objects in the process, and files that say what they are."""

from treecore.importing.read import read_model
from treecore.importing.readers import READERS, Reader

__all__ = ["READERS", "Reader", "read_model"]
