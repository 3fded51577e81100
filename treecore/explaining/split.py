"""All the arithmetic of one split: from the counts to what it was selected by."""

import math

import numpy as np

from treecore.criteria.split_scores import CHI_SQUARE, GAIN_RATIO, MDL_GAIN_RATIO, TWOING
from treecore.data.table import Table
from treecore.explaining.altered import factor_lines, worth_lines
from treecore.explaining.gain import gain_lines
from treecore.explaining.independence import test_lines, test_of, twoing_lines
from treecore.explaining.lines import Line, Words
from treecore.explaining.parted import Parted, parted
from treecore.explaining.ratio import average_lines, ratio_lines, split_information
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.enumerate_splits import worth
from treecore.growing.inspect.judging import twoing
from treecore.growing.search.searchers import is_tested
from treecore.tree.missing import branch_name
from treecore.tree.tree import Tree

TESTED = "A test chose the feature; this is the decrease of the impurity that the split achieves."


def split_arithmetic(tree: Tree, node: int, found: Candidates, train: Table) -> list[Line]:
    """Lines that compute what a node's split was selected by, and its gain.

    found : the candidates of the node on the training rows `train`.
    """
    parts = parted(tree, node, train)
    if not parts.known > 0:
        return [Words("No training row here has a value that this split asks for.")]
    growth, score = parts.here.growth, parts.here.score.code
    feature = tree.node(node).feature
    lines = [Words(TESTED)] if is_tested(growth) else []
    lines += factor_lines(parts)
    if score in (GAIN_RATIO, MDL_GAIN_RATIO):
        lines += [*gain_lines(parts), *ratio_lines(parts, _n_cuts(found, feature), score == MDL_GAIN_RATIO)]
    elif score >= TWOING and _comparable(parts, score):
        lines += twoing_lines(parts) if score == TWOING else test_lines(parts, score)
        lines += [Words("The decrease of the impurity by the same split:"), *gain_lines(parts)]
    else:
        lines += gain_lines(parts)
    if not is_tested(growth):
        lines += worth_lines(growth, feature, score_of(parts, found))
    return lines + average_lines(parts, found, train)


def _n_cuts(found: Candidates, feature: str) -> int:
    return next((c.n_cuts for c in found.of(feature)), 0)


def _comparable(parts: Parted, score: int) -> bool:
    """Are there branches to be compared, two of them for twoing?"""
    return score != TWOING or (len(parts.weights) == 2 and bool((parts.weights > 0).all()))


def score_of(parts: Parted, found: Candidates) -> float:
    """What the split of the node scores, before costs of features."""
    score, gain = parts.here.score.code, parts.gain()
    if score == TWOING and _comparable(parts, score):
        return float(twoing(parts.stats[None])[0]) * parts.known / parts.total
    if score >= CHI_SQUARE:
        return -test_of(parts, score).log_p / math.log(10)
    if score not in (GAIN_RATIO, MDL_GAIN_RATIO):
        return gain
    n_cuts = _n_cuts(found, parts.tree.node(parts.node).feature)
    if score == MDL_GAIN_RATIO and n_cuts:
        gain -= math.log2(n_cuts) / parts.total
    info = split_information(parts)
    return gain / info if info > 0 else math.nan


def own_candidate(tree: Tree, node: int, found: Candidates, train: Table) -> Candidate:
    """The node's own split among the candidates, where it is none of them: with several cuts, or by hand."""
    parts, feature = parted(tree, node, train), tree.node(node).feature
    cost = dict(parts.here.growth.costs).get(feature, 1.0)
    score = parts.gain() if is_tested(parts.here.growth) else score_of(parts, found)
    names = tuple((branch_name(tree, node, b),) for b in range(len(parts.stats)))
    return Candidate(
        feature, None, names, parts.gain(), parts.counted, parts.n_rows, chosen=True,
        score=float(worth(parts.here, np.float64(score), cost)),
    )  # fmt: skip
