"""The door: any model that a reader knows."""

from collections.abc import Iterable
from typing import Any

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.importing.readers import READERS
from treecore.importing.source import Source, check_no_pickle, source_of
from treecore.tree.tree import Tree


def read_model(source: Any, table: Table | None = None, *, classes: Iterable[str] | None = None) -> Tree | Ensemble:
    """A model made elsewhere: a Tree, or an Ensemble of trees, that answers as the model does.

    source : a fitted object of scikit-learn, XGBoost, LightGBM, CatBoost, YDF, river, imodels or interpret; or a file,
        as its path, its bytes or open, that one of READERS knows. A pickle is refused, whatever its name.
    table : the rows to count in its nodes, best those it was trained on; without it nodes have what the model carries.
        Features of a model without names are the table's, in their order.
    classes : what the model's classes 0, 1, ... are, where a file does not say.
    TreecoreError for what no reader knows, for a broken file, and for what a model says and we cannot.
    """
    found = source_of(source)
    named = None if classes is None else tuple(str(name) for name in classes)
    for reader in READERS.values():
        if reader.is_mine(found):
            return reader.read(found, table, named)
    known = "; ".join(f"{reader.label}: {reader.note}" for reader in READERS.values())
    raise TreecoreError("This is no model that can be read", where=found.name, remedy=f"Give one of these. {known}")


def is_model(data: bytes, name: str = "") -> bool:
    """Are these the bytes of a file that `read_model` takes? TreecoreError for a pickle, whatever its name.

    Of a broken file whose kind cannot be known the answer is no.
    """
    check_no_pickle(name, data)
    found = Source(data=data, name=name)
    try:
        return any(reader.is_mine(found) for reader in READERS.values() if reader.extensions)
    except TreecoreError:
        return False
