"""The tests by which conditional inference trees and CHAID choose a feature, as a table."""

import math

from treecore.data.table import Table
from treecore.explaining.formulas import Formula, Grid, Line, Words
from treecore.figures import brief, exact
from treecore.growing.rebuild_node import tested_again
from treecore.growing.search.chaid import Merged
from treecore.growing.search.conditional import ADJUSTMENTS, STATISTICS
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.tree.oblique import as_asked
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree

MOST_GROUPS = 6


def feature_test_lines(tree: Tree, node: int, train: Table) -> list[Line]:
    """Statistic, degrees of freedom and p of every feature at a node, most significant first; [] if no test chose."""
    tests = tested_again(tree, node, train)
    if not tests:
        return []
    growth = GrowSettings.from_dict(dict(tree.growth))
    tests = sorted(tests, key=lambda test: (_adjusted_log_p(test), test.feature))
    if isinstance(tests[0], Merged):
        return _chaid(tree, growth, tests, train)
    return _conditional(tree, growth, tests)


def _adjusted_log_p(test) -> float:
    return test.adjusted_log_p if isinstance(test, Merged) else test.log_p


def _conditional(tree: Tree, growth: GrowSettings, tests: list) -> list[Line]:
    maximum = STATISTICS[growth.test_statistic].maximum
    rows = tuple(
        (
            *_names_and_ps(tree, t, p_text(_log(t.adjusted)), t.log_p),
            brief(t.statistic), *(() if maximum else (f"{t.df}",)),
        )
        for t in tests
    )  # fmt: skip
    d, varying = len(tests), sum(t.df > 0 for t in tests)
    m = ADJUSTMENTS[growth.adjustment].n_tests(varying, d)
    return [
        Words(
            "A permutation test of every feature chose: the smallest p wins, if adjusted for the number of tests it is "
            f"at most {growth.alpha:g}."
        ),
        Grid(("feature", "adjusted p", "p", *(("largest z",) if maximum else ("statistic", "df"))), rows),
        Formula(rf"p_{{\text{{adjusted}}}} = 1 - (1 - p)^m, \quad m = {m}"),
    ]


def _names_and_ps(tree: Tree, test, adjusted: str, log_p: float) -> tuple[str, str, str]:
    return tree.schema.features[test.feature].name, adjusted, p_text(log_p)


def _log(p: float) -> float:
    return math.log(p) if p > 0 else -math.inf


def _chaid(tree: Tree, growth: GrowSettings, tests: list, train: Table) -> list[Line]:
    train = as_asked(tree.schema, train)
    rows = tuple(
        (
            *_names_and_ps(tree, t, p_text(t.adjusted_log_p), t.test.log_p), brief(t.multiplier),
            brief(t.statistic), _df_text(t.df), f"{t.n_categories} → {len(t.groups)}",
            groups_text(tree.schema.features[t.feature], t, growth, train),
        )
        for t in tests
    )  # fmt: skip
    what = "chi-square" if tree.classes else "F"
    return [
        Words(
            f"Categories that do not differ significantly (p above {growth.merge_alpha:g}) are merged; then the "
            f"feature with the smallest adjusted p wins, if it is at most {growth.alpha:g}."
        ),
        Grid(("feature", "adjusted p", "p", "multiplier", what, "df", "categories", "merged groups"), rows),
        Formula(r"p_{\text{adjusted}} = \min(1,\ \text{multiplier} \cdot p)"),
        Words("The multiplier counts the ways to merge so many categories into so many groups (Kass's Bonferroni)."),
    ]


def _df_text(df) -> str:
    return ", ".join(brief(d) for d in df) if isinstance(df, tuple) else brief(df)


def p_text(log_p: float) -> str:
    """A p-value from its natural logarithm, also where a float cannot hold it."""
    if log_p > -600:
        return brief(math.exp(log_p))
    if not math.isfinite(log_p):
        return "0"
    power = math.floor(log_p / math.log(10))
    return f"{10 ** (log_p / math.log(10) - power):.3f}e{power}"


def groups_text(feature: FeatureSchema, test: Merged, growth: GrowSettings, train: Table) -> str:
    """The groups of a merged feature: levels, or the first and the last value of each."""
    column = train.column(feature.name)
    numbers = column.distinct if feature.numeric else None
    if feature.numeric and THRESHOLD_RULES[growth.threshold].precision == "float32":
        import numpy as np

        numbers = np.unique(numbers.astype(np.float32))
    n_codes = len(numbers) if feature.numeric else column.n_distinct
    texts = [_group(feature, group, n_codes, numbers) for group in test.groups]
    return " | ".join(texts[:MOST_GROUPS] + [f"+{len(texts) - MOST_GROUPS} more"] * (len(texts) > MOST_GROUPS))


def _group(feature: FeatureSchema, group, n_codes: int, numbers) -> str:
    known = [int(code) for code in group if code < n_codes]
    missing = ["missing"] if len(known) < len(group) else []
    if feature.kind in ("numeric", "ordinal") and known:
        name = (lambda code: exact(numbers[code])) if feature.numeric else feature.levels.__getitem__
        first, last = name(known[0]), name(known[-1])
        return " + ".join([first if first == last else f"{first} … {last}", *missing])
    return ", ".join([*(feature.levels[code] for code in known), *missing])
