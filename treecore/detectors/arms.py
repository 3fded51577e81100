"""Arms of a treatment that are unlike in a feature: what then looks like an effect may be that of the feature."""

import math

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.data.table_like import target_counts
from treecore.detectors.finding import Finding

UNLIKE = 0.1
"""Standardised difference from which arms are called unlike. Source: Austin (2009), Balance diagnostics."""
BY_CHANCE = 3.0
"""Standard errors that a difference of randomly drawn arms hardly ever exceeds."""


def standardised_differences(table: Table) -> dict[str, float]:
    """Feature -> how far its mean lies apart in the two arms, treated less control, in standard deviations within them.

    Of levels, and of values that are missing, the share that lies farthest apart. Rows without an arm are left out.
    TreecoreError for a table whose target is no effect of a treatment, or has rows of one arm alone.
    Source: Austin (2009), Balance diagnostics for comparing the distribution of baseline covariates.
    """
    arm = target_counts(table)[:, 1]
    known, weight = ~np.isnan(arm), table.case_weights
    assert table.counts is not None
    table.counts.learned(np.zeros(int(known.sum())), arm[known], weight[known])
    return {column.name: _difference(column, arm, weight) for column in table.feature_columns}


def _difference(column: Column, arm: np.ndarray, weight: np.ndarray) -> float:
    measured = [column.missing.astype(float)]
    if column.kind == "numeric":
        measured.append(np.where(column.missing, np.nan, column.values()))
    else:
        measured += [np.where(column.missing, np.nan, column.codes == code) for code in range(column.n_distinct)]
    return max((_apart(values, arm, weight) for values in measured), key=abs, default=0.0)


def _apart(values: np.ndarray, arm: np.ndarray, weight: np.ndarray) -> float:
    means, variances = [], []
    for w in (0, 1):
        of_arm = (arm == w) & ~np.isnan(values) & (weight > 0)
        if not of_arm.any():
            return 0.0
        y, counted = values[of_arm], weight[of_arm]
        means.append(float(np.average(y, weights=counted)))
        variances.append(float(np.average((y - means[-1]) ** 2, weights=counted)))
    spread, gap = math.sqrt(sum(variances) / 2), means[1] - means[0]
    return gap / spread if spread > 0 else 0.0 if gap == 0 else math.copysign(math.inf, gap)


def unlike_arms(table: Table) -> list[Finding]:
    """Features in which treated and control differ by more than chance would have it."""
    if table.target is None or table.counts is None or table.task != "effects":
        return []
    arm = target_counts(table)[:, 1]
    n = [int((arm == w).sum()) for w in (0, 1)]
    if not all(n):
        return []
    least = max(UNLIKE, BY_CHANCE * math.sqrt(1 / n[0] + 1 / n[1]))
    result = standardised_differences(table)
    return [_finding(table, name, apart) for name, apart in result.items() if abs(apart) > least]


def _finding(table: Table, name: str, apart: float) -> Finding:
    kind = table.counts
    far = f"{abs(apart):.2f} standard deviations" if math.isfinite(apart) else "all rows"
    text = (
        f"'{kind.treated}' and '{kind.control}' differ in it by {far}: who was treated was not drawn by chance. "
        "Effects of the whole table mix that of the treatment with that of this column; within leaves that ask for it "
        "they do so less."
    )
    return Finding("unlike_arms", name, abs(apart), text, remedy="")
