"""The arithmetic of a leaf: its impurity, and the share or the mean that it answers with."""

from treecore.criteria import CRITERIA
from treecore.criteria.absolute_error import written_of_rows
from treecore.data.table import Table
from treecore.explaining.lines import Line, Words, equation
from treecore.explaining.parted import Parted, absolute_error, unparted
from treecore.figures import brief, fraction, tex, weight
from treecore.target.counts import rate_interval
from treecore.tree.tree import Tree


def leaf_lines(tree: Tree, node: int, train: Table) -> list[Line]:
    """Of any node as a leaf. train : the rows that the tree was grown on."""
    parts = unparted(tree, node, train)
    if not parts.total > 0:
        return [Words(f"No {tree.rows_named.removesuffix('s')} came here: it predicts as the node above it.")]
    stats, center = parts.of(None)
    value = float(parts.impurities()[0])
    if parts.here.absolute:
        return [equation("i(t)", written_of_rows(*absolute_error(parts, None), stats[0]), tex(value))]
    lines: list[Line] = [
        equation("i(t)", CRITERIA[tree.criterion].written(stats, parts.here.judge.loss, center), tex(value))
    ]
    return lines + _ANSWERS[tree.task](tree, node, parts)


def _share(tree: Tree, node: int, parts: Parted) -> list[Line]:
    """Of the answer among the training rows, as they are counted, and what is wrong."""
    stats = tree.stats[node]
    n, right = float(stats.sum()), float(stats[int(tree.value[node])])
    return [
        equation(r"p(\text{answer})", fraction(right, n), tex(right / n)),
        equation(r"\text{error}", rf"1 - {fraction(right, n)}", fraction(n - right, n), tex((n - right) / n)),
    ]


def _mean(tree: Tree, node: int, parts: Parted) -> list[Line]:
    y, w = parts.here.numbers, parts.here.weight
    total, n = float(w @ y), float(w.sum())
    return [equation(r"\bar g", rf"\tfrac{{{tex(total)}}}{{{weight(n)}}}", tex(total / n))]


def _rate(tree: Tree, node: int, parts: Parted) -> list[Line]:
    """Events over exposure, and what the estimate adds to both; the exact interval of the rate."""
    _, exposure, events, _ = tree.stats[node].tolist()
    _, of_all, all_events, _ = tree.stats[0].tolist()
    kind, lines = tree.target_kind, []
    lines.append(equation(r"\bar r", rf"\tfrac{{{tex(events)}}}{{{tex(exposure)}}}", tex(events / exposure)))
    if kind.shrink and all_events:
        root, prior = all_events / of_all, kind.shrink**-2.0
        told = rf"\frac{{{tex(events)} + {tex(prior)}}}{{{tex(exposure)} + {tex(prior)} / {tex(root)}}}"
        lines.append(
            Words(f"The estimate adds 1/k² = {brief(prior)} events at the rate of all rows, k = {brief(kind.shrink)}:")
        )
        lines.append(equation("r", told, tex(float(kind.rates(tree.stats[node], tree.stats[0])))))
    low, high = rate_interval(events, exposure)
    return [
        *lines,
        Words(
            f"95 % interval (Garwood 1936): from half the χ² quantile of 2.5 % with {brief(2 * events)} degrees of "
            f"freedom to that of 97.5 % with {brief(2 * events + 2)}, over the exposure."
        ),
        equation(r"\text{from}", tex(float(low))), equation(r"\text{to}", tex(float(high))),
    ]  # fmt: skip


_ANSWERS = {"classification": _share, "regression": _mean, "counts": _rate}
