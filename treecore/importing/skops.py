"""Models of scikit-learn as the package skops writes them: a zip of arrays and a schema, which holds no code.

Only types are made again that scikit-learn's trees consist of; a file that asks for any other one is refused.
"""

import io
import zipfile
from typing import Any

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.importing import scikit_learn
from treecore.importing.model_source import LARGEST_FILE, ModelSource, fault_texts, unreadable, unsaid
from treecore.tree.tree import Tree

SCHEMA = "schema.json"
ZIP = b"PK\x03\x04"
TYPES = {"sklearn.tree._tree.Tree", "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"}
"""Besides those that skops itself trusts: what trees keep their nodes in."""


def is_mine(source: ModelSource) -> bool:
    return source.head.startswith(ZIP) and SCHEMA in _names(source)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    model = ModelSource(given=_model(source), name=source.name)
    if not scikit_learn.is_mine(model):
        raise unsaid(source.name, f"It holds a {type(model.given).__name__}", "Save a fitted tree of scikit-learn")
    with fault_texts(source):
        return scikit_learn.read(model, table, classes)


def _names(source: ModelSource) -> list[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(source.content)) as packed:
            return packed.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return []


def _model(source: ModelSource) -> Any:
    try:
        from skops import io as skops
    except ImportError:
        remedy = "Install it: pip install 'treecore[skops]'"
        raise TreecoreError("Files of skops are read by the package skops", where=source.name, remedy=remedy) from None
    with zipfile.ZipFile(io.BytesIO(source.content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > LARGEST_FILE:
            raise unsaid(
                source.name, f"Unpacked it has more than {LARGEST_FILE >> 20} MB", "Save a model of fewer trees"
            )
    try:
        others = set(skops.get_untrusted_types(data=source.data)) - TYPES
    except Exception:  # whatever is not where skops has it
        raise unreadable(source, "It is no whole file of skops") from None
    if others:
        what = f"It asks for types that no tree consists of: {', '.join(sorted(map(str, others))[:3])}"
        raise unsaid(source.name, what, "Save the fitted model of scikit-learn alone")
    try:
        return skops.loads(source.data, trusted=sorted(TYPES))
    except Exception:
        raise unreadable(source, "It is no whole file of skops") from None
