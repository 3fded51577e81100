"""How the surrogates of a node were chosen, and their agreement with its split, in the counts of the training rows."""

import math

import numpy as np

from treecore.data.table import Table
from treecore.explaining.feature_tests import p_text
from treecore.explaining.formulas import Grid, Line, Words, equation
from treecore.figures import brief, count, tex
from treecore.figures import weight as weight_tex
from treecore.growing.rebuild_node import SurrogatesAgain, SurrogateTable, surrogates_again
from treecore.growing.search.conditional import STATISTICS
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.missing import branch_name, surrogates_of
from treecore.tree.tree import Tree


def surrogate_lines(tree: Tree, node: int, train: Table) -> list[Line]:
    """By which rule the surrogates were chosen, where tests chose their numbers, and of each one the rows that both it
    and the split send, with what follows: the statistic of its sides, agreement and adjusted agreement; [] for a node
    without surrogates.

    train : the rows that the tree was grown on.
    """
    found = surrogates_again(tree, node, train)
    if found is None:
        return []
    growth = GrowSettings.from_dict(dict(tree.growth))
    maximum = STATISTICS[growth.test_statistic].maximum
    lines = _by_tests(tree, node, found, maximum, growth.max_surrogates) if found.tests else _by_agreement()
    names = [branch_name(tree, node, b) for b in range(2)]
    for i, (surrogate, table) in enumerate(zip(surrogates_of(tree, node), found.tables, strict=True), 1):
        what = f"where it (rows) and the split (columns) send the {tree.rows_named} with both values"
        lines.append(Words(f"{i}. {surrogate.condition}: {what}"))
        lines.append(_rows_sent(names, table))
        if found.tests:
            lines += _statistic(table, STATISTICS[growth.split_statistic].maximum)
        lines += _agreement(found, table, growth.surrogate_style == "known")
    return lines


def _by_agreement() -> list[Line]:
    return [
        Words(
            "Of every other feature the split that sends most rows as the node's own split does is a surrogate, if it "
            "is better than sending all down the larger branch. They are asked in the order of their agreement."
        )
    ]


def _by_tests(tree: Tree, node: int, found: SurrogatesAgain, maximum: bool, most: int) -> list[Line]:
    feature, places = tree.node(node).feature, {s.feature: i for i, s in enumerate(surrogates_of(tree, node), 1)}
    rows = tuple(
        (
            tree.schema.features[test.feature].name, p_text(test.log_p), brief(test.statistic),
            *(() if maximum else (f"{test.df}",)),
            str(places.get(tree.schema.features[test.feature].name, "–")),
        )
        for test in found.tests
    )  # fmt: skip
    return [
        Words(
            f"The two branches are taken for classes of the {tree.rows_named} with a value of {feature}, and a "
            "permutation test of every other feature says how surely it depends on them. In the order of p each one "
            f"gives its best split, up to {most}, which points the way that most {tree.rows_named} of its first side "
            "go."
        ),
        Grid(("feature", "p", *(("largest z",) if maximum else ("statistic", "df")), "surrogate"), rows),
    ]


def _rows_sent(names: list[str], table: SurrogateTable) -> Grid:
    """Case weights; where they are not the numbers of rows, these beside them."""

    def cell(i: int, j: int) -> str:
        weight, n = count(table.weight[i, j], ","), f"{table.rows[i, j]:,}"
        return n if weight == n else f"{n} (weight {weight})"

    rows = tuple((names[i], *(cell(i, j) for j in range(2))) for i in range(2))
    return Grid(("surrogate | split", *names), rows)


def _statistic(table: SurrogateTable, maximum: bool) -> list[Line]:
    """Of the two sides against the two branches: all that vary are two classes, so that it is told by four counts."""
    statistic = two_sample_statistic(table.weight)
    if statistic is None:
        return []
    (a, b), (c, d) = ([weight_tex(w) for w in side] for side in table.weight.tolist())
    n, sides, branches = table.weight.sum(), table.weight.sum(axis=1), table.weight.sum(axis=0)
    bottom = r" \cdot ".join(weight_tex(float(total)) for total in (*sides, *branches))
    top = rf"{weight_tex(float(n - 1))} \cdot ({a} \cdot {d} - {b} \cdot {c})^2"
    line = equation("c", [top, rf" \,/\, ({bottom})"], tex(statistic))  # which may take two lines, as no fraction may
    return [line, *([equation(r"\lvert z \rvert", r"\sqrt{c}", tex(math.sqrt(statistic)))] if maximum else [])]


def two_sample_statistic(weight: np.ndarray) -> float | None:
    """(n - 1)(ad - bc)^2 over the product of the four sums: the permutation statistic of two groups and two classes.

    weight : float64 (2, 2). None where one side or one class has none of it.
    Source: Hothorn, Hornik, van de Wiel & Zeileis (2006), The American Statistician 60.
    """
    sums = float(np.prod(weight.sum(axis=0)) * np.prod(weight.sum(axis=1)))
    if sums <= 0:
        return None
    return float((weight.sum() - 1) * (weight[0, 0] * weight[1, 1] - weight[0, 1] * weight[1, 0]) ** 2 / sums)


def _agreement(found: SurrogatesAgain, table: SurrogateTable, by_known: bool) -> list[Line]:
    """by_known : of the rows that have both values, not of all that the split sends."""
    alike = float(np.trace(table.weight))
    of = table.weight.sum(axis=0) if by_known else found.known
    whole, most = float(of.sum()), float(of.max())
    if whole <= 0:
        return []
    same = " + ".join(weight_tex(w) for w in np.diag(table.weight).tolist())
    lines: list[Line] = [equation(r"\text{agreement}", rf"\frac{{{same}}}{{{weight_tex(whole)}}}", tex(alike / whole))]
    if whole > most:
        bottom = f"{weight_tex(whole)} - {weight_tex(most)}"
        step = rf"\frac{{{weight_tex(alike)} - {weight_tex(most)}}}{{{bottom}}}"
        lines.append(equation(r"\text{adjusted}", step, tex((alike - most) / (whole - most))))
    return lines
