"""Models made elsewhere, read as trees of ours: fitted objects in the process, and files that say what they are."""

from treecore.importing.names import CLASSES
from treecore.importing.read import is_model, read_model
from treecore.importing.readers import READERS, Reader

__all__ = ["CLASSES", "READERS", "Reader", "is_model", "read_model"]
