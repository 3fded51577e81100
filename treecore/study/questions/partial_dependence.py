"""What a tree answers as one feature changes and all others stay: exactly, as a tree is a step function.

Where it asks for weighted sums of the feature, every row has steps of its own; then it is asked at places along the
range.
"""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief, visible
from treecore.data import numeric_column
from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Words
from treecore.figures import brief, in_unit, number, percent
from treecore.kernels.codes import CUTS, THRESHOLD
from treecore.study.disagreement import tested_features
from treecore.study.questions.importances import with_column
from treecore.study.questions.question import POSITIVE, ROLE, Picture, Setting, Setup, StudyQuestion, Told, Work
from treecore.tree.predict import probabilities
from treecore.tree.tree import Tree

MOST_ROWS = 200
N_PLACES = 100
"""Along the range of a feature of which weighted sums are asked."""
AT_ONCE = 100_000
"""Answers that are asked for together: one by one they take a hundred times as long."""


@dataclass(frozen=True, eq=False, repr=False)
class PartialDependence(Brief):
    """Answers by pieces of one feature, at each of which no test of the tree changes.

    levels : of the pieces, or () for numbers: then piece i goes from edges[i] to edges[i + 1], float64 (m + 1,); the
    first and the last edge are the least and the greatest value of the rows. mean : float64 (m,), of all rows.
    each : float64 (m, n_rows), of every row (individual conditional expectation). row : int64 (n_rows,), which.
    own : float64 (n_rows,), value of the feature (or place of the level) of each of them. exact : do answers change
    between pieces only? Otherwise they are those at the middle of each piece. unit, of_feature : of the answers, and
    of the feature's numbers.
    """

    name: str
    levels: tuple[str, ...]
    edges: np.ndarray
    mean: np.ndarray
    each: np.ndarray
    row: np.ndarray
    own: np.ndarray
    exact: bool
    unit: str = ""
    of_feature: str = ""


def partial_dependence(
    tree: Tree, table: Table, name: str, positive: str | None = None, most: int = MOST_ROWS
) -> PartialDependence:
    """PartialDependence dependence on one feature, and the curve of every row behind it.

    positive : the class whose share is followed; the last one if None; of a target of numbers the mean is.
    most : rows asked, evenly chosen. Source: Friedman (2001); Goldstein et al. (2015) for single rows.
    """
    places = {tree.schema.features[f].name: f for f in tree.schema.own}
    if name not in places or not table.n_rows:
        remedy = "Name one of: " + ", ".join(places)
        raise TreecoreError(f"{name!r} is no feature of the tree", where="feature", remedy=remedy)
    row = np.unique(np.linspace(0, table.n_rows - 1, min(most, table.n_rows)).astype(np.int64))
    rows, column, exact = table.take(row), table.column(name), not (_is_summed(tree, name) or _bends(tree, name))
    if column.kind == "numeric":
        edges, codes, levels = _pieces(tree, places[name], column, exact)
    else:
        edges, codes, levels = (
            np.arange(len(column.level_names) + 1) - 0.5,
            np.arange(len(column.level_names)),
            column.level_names,
        )
    parts = np.array_split(codes, 1 + len(codes) * len(row) // AT_ONCE)
    each = np.concatenate([_answers(tree, rows, name, pieces, positive) for pieces in parts])
    units = tree.schema.target_unit, tree.schema.features[places[name]].unit
    each = each * (1.0 if tree.classes else tree.target_kind.units_shown(tree))
    return PartialDependence(name, levels, edges, each.mean(axis=1), each, row, column.values()[row], exact, *units)


def _is_summed(tree: Tree, name: str) -> bool:
    """Does a split, or a surrogate, ask for a weighted sum that the feature is a term of?"""
    asked = {*tree.splits.feature[~tree.is_leaf].tolist(), *tree.surrogates.feature.tolist()}
    return any(name == term for f in asked for term, _ in tree.schema.features[f].terms)


def _bends(tree: Tree, name: str) -> bool:
    """Does the line of some leaf read the feature, so that answers change between the cuts, too?"""
    read = [] if tree.lines is None else tree.lines.used.tolist()
    return name in {tree.schema.features[f].name for f in read}


def _pieces(tree: Tree, feature: int, column, exact: bool) -> tuple[np.ndarray, np.ndarray, tuple]:
    """(edges, a number within each piece, ()): cut wherever the tree, or a surrogate, cuts this feature; unless that is
    exact, at evenly spread places, too."""
    cuts = []
    for splits in (tree.splits, tree.surrogates):
        here = splits.feature == feature
        cuts.append(splits.threshold[here & (splits.kind == THRESHOLD)])
        for i in np.flatnonzero(here & (splits.kind == CUTS)):
            cuts.append(splits.cuts[splits.cut_start[i] : splits.cut_start[i + 1]])
    values = column.values()
    low, high = (float(f(values)) for f in (np.nanmin, np.nanmax)) if not np.isnan(values).all() else (0.0, 0.0)
    cuts += [] if exact else [np.linspace(low, high, N_PLACES + 1)]
    inside = np.unique(np.concatenate(cuts))
    inside = inside[(inside > low) & (inside < high)]
    edges = np.concatenate([[low], inside, [high]])
    return edges, (edges[:-1] + edges[1:]) / 2, ()


def _answers(tree: Tree, rows: Table, name: str, pieces: np.ndarray, positive: str | None) -> np.ndarray:
    """float64 (n_pieces, n_rows): the tree's answers with each of these values, or levels, in every row."""
    column, values = rows.column(name), np.repeat(pieces, rows.n_rows)
    if column.kind == "numeric":
        changed = numeric_column(name, values.astype(np.float64))
    else:
        changed = replace(column, codes=frozen(values.astype(np.int32)))
    other = with_column(rows.take(np.tile(np.arange(rows.n_rows), len(pieces))), changed)
    if tree.classes:
        k = tree.classes.index(positive) if positive is not None else len(tree.classes) - 1
        result = np.nan_to_num(probabilities(tree, other)[:, k])
    else:
        result = tree.predict(other)
    return result.reshape(len(pieces), rows.n_rows)


def partial_sentence(found: PartialDependence, target: str, share: bool) -> str:
    """The least and the greatest mean answer, and where they are.

    target : what is answered. share : is it the share of a class?
    """
    told, name = percent if share else lambda value: in_unit(brief(value), found.unit), visible(found.name)
    low, high = int(found.mean.argmin()), int(found.mean.argmax())
    if not found.mean[high] - found.mean[low] > 1e-9 * max(1.0, abs(found.mean[high])):
        return f"{name} changes no mean answer: {visible(target)} is {told(float(found.mean[low]))} everywhere."
    ends = [f"{told(float(found.mean[i]))} where {name} {_place(found, i)}" for i in (low, high)]
    said = f"The mean answer ({visible(target)}) goes from {ends[0]} to {ends[1]}."
    steps = np.diff(found.mean)
    if found.levels or len(steps) < 2:
        return said
    way = "rises" if (steps >= 0).all() else "falls" if (steps <= 0).all() else ""
    return said + (f" It never {'falls' if way == 'rises' else 'rises'} as {name} grows." if way else "")


def _place(found: PartialDependence, i: int) -> str:
    if found.levels:
        return f"is {visible(found.levels[i])}"
    others = np.flatnonzero(found.mean != found.mean[i])  # pieces beside it may answer the same
    first, last = int(others[others < i].max(initial=-1)) + 1, int(others[others > i].min(initial=len(found.mean)))
    low, high = (in_unit(number(float(found.edges[i])), found.of_feature) for i in (first, last))
    if first == 0:
        return f"is below {high}"
    return f"is above {low}" if last == len(found.mean) else f"is from {low} to {high}"


def _features(setup: Setup) -> dict[str, str]:
    """Those that the tree tests come first."""
    used = tested_features(setup.tree)
    return {name: name for name in (*used, *setup.tree.schema.own_names)}


def _first_feature(setup: Setup) -> str:
    """What the root asks for: it matters most."""
    root = setup.tree.node(0).feature
    return root if root in setup.tree.schema.own_names else tested_features(setup.tree)[0]


FEATURE = Setting(
    "importance of", "Answers as this feature changes", options=_features, usual=_first_feature, width=220
)
CLASS, ROWS = replace(POSITIVE, key="partial_positive"), replace(ROLE, key="partial_role")
EXACT = "exact, as a tree is a step function of each feature."
SUMMED = "computed at points along the range, as splits on weighted sums give each row steps of its own."


def _work(setup: Setup) -> Work:
    tree, rows, name, positive = setup.tree, setup.parts[setup[ROWS]], setup[FEATURE], setup[CLASS]
    return lambda _: partial_dependence(tree, rows, name, positive)


def _target(setup: Setup) -> tuple[str, bool]:
    """What is answered, and whether that is a share of a class."""
    positive = setup[CLASS]
    if positive is not None:
        return f"share of {setup.called(positive)}", True
    return setup.tree.target_kind.scale_name(setup.tree), False


def _pictures(found: PartialDependence, setup: Setup) -> list[Picture]:
    caption = f"{partial_sentence(found, *_target(setup))} Thick: the mean of all rows; thin: single rows."
    how = EXACT if found.exact else SUMMED
    note = f"Partial dependence (thick) and single rows (ICE), {setup[ROWS]} rows: {how}"
    return [Picture("feature_effects.partial", (found, *_target(setup)), caption, note=note, height_on_page=340)]


def _about(setup: Setup) -> Told:
    if not tested_features(setup.tree):
        return ()
    of_class = (("class", setup.called(setup[CLASS])),) if setup.table.classes else ()
    return ("feature", setup[FEATURE]), *of_class, ("rows", setup[ROWS])


PARTIAL_DEPENDENCE = StudyQuestion(
    "partial", "What does one feature do?", "One feature alone", _work,
    lambda answer, setup: [Words(partial_sentence(answer, *_target(setup)))], _pictures, (FEATURE, CLASS, ROWS), _about,
    obstacle=lambda setup: "" if tested_features(setup.tree) else "Your tree uses no feature.", of_tree=True,
    report_place=10,
)  # fmt: skip
