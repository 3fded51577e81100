"""What the columns that reach a model of scikit-learn were before its pipeline encoded them.

Splits of encoded columns are read back: of an indicator as one level against the others, of a code as the levels up to
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treecore.data.level_index import label_of
from treecore.importing.nodes import BinaryNodes
from treecore.importing.source import unsaid
from treecore.tree.schema import FeatureSchema

NUMBER, CODE, IS = "number", "code", "is"


@dataclass(frozen=True)
class Origin:
    """One column of what reaches the model. column : of the table. kind : NUMBER, as it is; CODE, the index of its
    level; IS, 1 for one of its levels and 0 for all others. levels : as text, in the order of the codes. place : of the
    level that IS tells, -1 for a missing value. missing, unseen : the codes of such values, NaN for none. fill : what
    stands in for a missing value, None for nothing."""

    column: int
    kind: str = NUMBER
    levels: tuple[str, ...] = ()
    place: int = 0
    missing: float = np.nan
    unseen: float = np.nan
    fill: object = None


def plain_columns(n: int) -> list[Origin]:
    """Columns that nothing has changed."""
    return [Origin(f) for f in range(n)]


def encoded(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    """The columns behind a fitted step, whose input are these. TreecoreError for a step that changes them otherwise."""
    name = type(step).__name__
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return list(columns)
    if isinstance(step, str) and step == "drop":
        return []
    if name == "FunctionTransformer" and step.func is None:
        return list(columns)
    if name == "Pipeline":
        for _, part in step.steps:
            columns = encoded(part, columns)
        return list(columns)
    if name not in STEPS or not type(step).__module__.startswith("sklearn."):
        remedy = f"Known are {', '.join(STEPS)}; trees need no scaling"
        raise unsaid(name, "It changes columns in a way that a tree here cannot say", remedy)
    return STEPS[name](step, columns)


def _side_by_side(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    found = []
    for name, part, _ in step.transformers_:
        at = step._transformer_to_input_indices[name]
        found += encoded(part, [columns[int(i)] for i in at])
    return found


def _plain(columns: Sequence[Origin], name: str) -> None:
    if any(origin.kind != NUMBER for origin in columns):
        raise unsaid(name, "It encodes columns that are encoded already", "Encode every column once")


def _levels(categories: np.ndarray) -> tuple[tuple[str, ...], int | None]:
    """(the levels as text, the place of a missing one; None where it is none of them)."""
    lost = [k for k, value in enumerate(categories.tolist()) if value is None or value != value]
    return tuple("" if k in lost else label_of(value) for k, value in enumerate(categories.tolist())), (
        lost[0] if lost else None
    )


def _indicators(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "OneHotEncoder")
    if any(found is not None for found in getattr(step, "infrequent_categories_", ())):
        raise unsaid("OneHotEncoder", "It puts infrequent categories together", "Fit it without min_frequency")
    found = []
    dropped = getattr(step, "drop_idx_", None)
    for j, (origin, categories) in enumerate(zip(columns, step.categories_, strict=True)):
        texts, lost = _levels(categories)
        known = tuple(text for k, text in enumerate(texts) if k != lost)
        for k, text in enumerate(texts):
            if dropped is None or dropped[j] is None or dropped[j] != k:
                place = -1 if k == lost else known.index(text)
                found.append(replace(origin, kind=IS, levels=known, place=place))
    return found


def _codes(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "OrdinalEncoder")
    if any(found is not None for found in getattr(step, "infrequent_categories_", ())):
        raise unsaid("OrdinalEncoder", "It puts infrequent categories together", "Fit it without min_frequency")
    found = []
    for origin, categories in zip(columns, step.categories_, strict=True):
        texts, lost = _levels(categories)
        known = tuple(text for k, text in enumerate(texts) if k != lost)
        unseen = np.nan if step.unknown_value is None else float(step.unknown_value)
        # a missing value that no row of the fit had is to it a level that it does not know
        missing = unseen if lost is None else float(getattr(step, "encoded_missing_value", np.nan))
        found.append(replace(origin, kind=CODE, levels=known, missing=missing, unseen=unseen))
    return found


def _filled(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "SimpleImputer")
    if step.add_indicator or not _is_missing(step.missing_values):
        raise unsaid(
            "SimpleImputer", "It tells where values are missing, or takes others for missing", "Fit it plainly"
        )
    values = list(step.statistics_)
    if len(values) != len(columns) or any(_is_missing(value) for value in values):
        raise unsaid("SimpleImputer", "It leaves out columns without values", "Leave them out before")
    return [replace(origin, fill=value) for origin, value in zip(columns, values, strict=True)]


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ == "NAType"


STEPS = {
    "ColumnTransformer": _side_by_side, "OneHotEncoder": _indicators, "OrdinalEncoder": _codes,
    "SimpleImputer": _filled,
}  # fmt: skip


def features_of(names: Sequence[str], columns: Sequence[Origin]) -> tuple[FeatureSchema, ...]:
    """The features of the table, as the model's columns came from them."""
    made = [FeatureSchema(name, "numeric") for name in names]
    for origin in columns:
        name = names[origin.column]
        is_number = origin.kind == NUMBER
        fill = origin.fill
        if fill is not None:
            fill = float(fill) if is_number else float(_place(origin.levels, fill, name))
        feature = FeatureSchema(name, "numeric" if is_number else "nominal", () if is_number else origin.levels, fill)
        before = made[origin.column]
        if before not in (feature, FeatureSchema(name, "numeric")):
            raise unsaid(f"feature {name!r}", "It is encoded in two ways", "Encode every column once")
        made[origin.column] = feature
    return tuple(made)


def _place(levels: tuple[str, ...], fill: object, name: str) -> int:
    text = label_of(fill)
    if text not in levels:
        raise unsaid(f"feature {name!r}", f"Missing values become {text}, which is no level", "Fill with one that is")
    return levels.index(text)


def read_back(nodes: BinaryNodes, columns: Sequence[Origin], where: str) -> BinaryNodes:
    """The nodes as they ask for columns of the table. nodes : x <= threshold goes left, or lists of codes do."""
    if list(columns) == plain_columns(len(columns)):
        return nodes
    feature, listed = nodes.feature.copy(), dict(nodes.listed)
    inner = nodes.left >= 0
    column = np.array([origin.column for origin in columns], np.int64)
    feature[inner] = column[nodes.feature[inner]]
    missing = np.zeros(len(feature), bool) if nodes.missing_left is None else nodes.missing_left.copy()
    unseen = missing.copy()
    kinds = np.array([origin.kind != NUMBER for origin in columns], bool)
    at = np.flatnonzero(inner)
    for i in at[kinds[nodes.feature[at]]].tolist():
        origin, limit = columns[nodes.feature[i]], float(nodes.threshold[i])
        if i in listed:
            continue
        if origin.kind == CODE:
            codes = np.arange(len(origin.levels))
            listed[i] = codes[codes <= limit]
            lost = bool(missing[i])
            missing[i] = lost if np.isnan(origin.missing) else origin.missing <= limit
            unseen[i] = lost if np.isnan(origin.unseen) else origin.unseen <= limit
            continue
        if not 0 <= limit < 1:
            raise unsaid(where, "It parts an indicator where it has no values", "Fit it again")
        codes = np.arange(len(origin.levels))
        listed[i] = codes[codes != origin.place]
        missing[i], unseen[i] = origin.place != -1, True
    return replace(nodes, feature=feature, listed=listed, missing_left=missing, unseen_left=unseen)
