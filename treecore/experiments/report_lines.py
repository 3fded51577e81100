"""What experiments have found as text for a report: sentences, and tables of plain cells."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from treecore.experiments.along_told import along_told
from treecore.experiments.curves import Along
from treecore.experiments.importance_told import importance_told
from treecore.experiments.importances import Importances
from treecore.experiments.paired_t import resampled_t
from treecore.experiments.residuals import Residuals, by_node
from treecore.experiments.samples import Across
from treecore.experiments.threshold import answered_at
from treecore.experiments.trials import Trials
from treecore.experiments.verdicts import (
    at_threshold_told,
    belief,
    by_class_told,
    handed_over,
    measured,
    ranks_told,
    scored,
    verdict,
)  # fmt: skip
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import brief, count, percent
from treecore.judging.answers import Answers
from treecore.judging.measures import Measure

MOST_LEAVES = 40
"""So many are listed."""


def plain_lines(lines: list[Line]) -> list[str | tuple]:
    """Paragraphs, and (heads, rows) of tables; formulas are left to the screen."""
    found = []
    for line in lines:
        if isinstance(line, Words):
            found.append(line.text)
        elif isinstance(line, Grid):
            found.append((line.columns, line.rows))
    return found


def recipes_lines(tried: Trials, measure: Measure) -> list[Line]:
    """Scores of all recipes, and the first two compared."""
    told = _told(measure)
    rows = tuple(
        (name, told(s.mean), told(s.sd), told(s.standard_error), f"{leaves:.1f}")
        for name, s, leaves in scored(tried, measure)
    )
    repeats = tried.folds.shape[0]
    head = f"{measure.label}, {tried.n_folds} folds" + (f", drawn {repeats} times." if repeats > 1 else ".")
    lines: list[Line] = [Words(head)]
    scores = tried.scores(measure)
    if len(scores) > 1 and np.isfinite(scores).all():
        names = tried.names[:2]
        lines.append(Words(handed_over(tried, measure)))
        lines.append(Words(verdict(resampled_t(*scores[:2], tried.overlap), names, measure)))
        lines.append(Words(belief(scores[:2], tried.overlap, names[1], measure)))
    return [*lines, Grid(("recipe", "mean", "sd", "standard error", "leaves"), rows)]


def across_lines(found: Across, measure: Measure) -> list[Line]:
    """Scores by table, and the ranks of three and more."""
    told = _told(measure)
    rows = tuple((t, *map(told, scores)) for t, scores in zip(found.tables, found.scores.tolist(), strict=True))
    lines: list[Line] = [Words(f"{measure.label}, mean of the folds."), Grid(("table", *found.names), rows)]
    if len(found.names) >= 3 and len(found.tables) >= 2:
        lines += ranks_told(found.scores.T, found.names, measure, "tables")
    return lines


def along_lines(found: Along, measure: Measure, scale: str) -> list[Line]:
    """What it comes to; score of rows held back, that of training rows and leaves at every place of the scale."""
    told = _told(measure)
    at = [f"{x:,.0f}" if x > 1 else percent(x) for x in found.at.tolist()]
    parts = (found.score.mean(axis=1), found.score.std(axis=1), found.train.mean(axis=1), found.n_leaves.mean(axis=1))
    rows = tuple((x, told(s), told(d), told(t), f"{n:.1f}") for x, s, d, t, n in zip(at, *parts, strict=True))
    heads = (scale, f"{measure.label}, held back", "sd", "training rows", "leaves")
    return [Words(along_told(found, measure, scale)), Grid(heads, rows)]


def importance_lines(found: Importances, measure: Measure) -> list[Line]:
    """What each way comes to; every feature in three ways, the most needed first."""
    told = _told(measure)
    order = np.argsort(-found.mixed, kind="stable")
    parts = (found.gain, found.mixed, found.mixed_sd, found.without)
    rows = tuple(
        (found.names[i], percent(g), told(m), told(d), told(w))
        for i, (g, m, d, w) in ((i, [float(p[i]) for p in parts]) for i in order)
    )
    heads = ("feature", "share of gains", "worse if mixed up", "sd", "worse without")
    said = [Words(importance_told(found, kind, measure)) for kind in ("mixed", "without", "gain", "chance")]
    return [Words(f"{measure.label} of the tree: {told(found.score)}."), *said, Grid(heads, rows)]


def class_lines(
    found: Mapping[str, Answers], role: str, positive: str, threshold: float | None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> list[Line]:  # fmt: skip
    """Every measure in every role; of one role the classes and, of two classes, what a threshold comes to.

    found : role -> answers. positive : called so from a share of `threshold` on; None for three classes and more.
    names : what texts call classes, where it is not their value.
    """
    of = found[role]
    lines = [_measures(found), Words(f"By class, {role} rows:"), *by_class_told(of, names)]
    if threshold is None:
        return lines
    told = Words(f"Called {names.get(positive, positive)} from a share of {percent(threshold)} on, {role} rows:")
    return [*lines, told, *at_threshold_told(answered_at(of, positive, threshold), positive, names)]


def number_lines(found: Mapping[str, Answers], off: Residuals, role: str) -> list[Line]:
    """Every measure in every role; of one role how far the answer of each leaf is off, those of most rows first.

    found : role -> answers. off : residuals of the role.
    """
    leaves = sorted(by_node(off, MOST_LEAVES), key=lambda leaf: -leaf.n_rows)
    rows = tuple((str(of.node), brief(of.said), count(of.n_rows, ","), brief(of.mean), brief(of.rmse)) for of in leaves)
    heads = ("leaf", "its answer", "rows", "mean residual", "RMSE")
    return [_measures(found), Words(f"By leaf, {role} rows:"), Grid(heads, rows)]


def _measures(found: Mapping[str, Answers]) -> Grid:
    rows = tuple((label, *values.values()) for label, values in measured(found))
    return Grid(("measure", *found), rows)


def _told(measure: Measure):
    return percent if measure.percent else brief
