"""Models made elsewhere, read as trees of ours: fitted objects in the process, and files that say what they are."""

from treecore.importing.model_tree import CLASSES
from treecore.importing.readers import READERS, ModelReader, is_model, read_model

__all__ = ["CLASSES", "READERS", "ModelReader", "is_model", "read_model"]
