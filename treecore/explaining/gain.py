"""The gain of a split: impurities of node and branches, and their difference."""

from treecore.criteria import CRITERIA
from treecore.criteria.absolute_error import written_of_rows
from treecore.explaining.lines import Line, equation
from treecore.explaining.parted import Parted, absolute_error
from treecore.figures import fraction, tex


def gain_lines(parts: Parted) -> list[Line]:
    """With missing values: over the rows whose value is known, and then times their share."""
    impurities, weights, known = parts.impurities(), parts.weights, parts.known
    names = ["t", *(f"t_{{{b}}}" for b in range(1, len(weights) + 1))]
    branches = [None, *range(len(weights))]
    lines: list[Line] = [
        equation(f"i({name})", _right_hand_side(parts, branch), tex(value))
        for name, branch, value in zip(names, branches, impurities, strict=True)
        if branch is None or weights[branch] > 0
    ]
    terms = [rf" - {fraction(w, known)} \cdot {tex(i)}" for w, i in zip(weights, impurities[1:], strict=True) if w > 0]
    gain = parts.gain()
    share = fraction(known, parts.total)
    decrease = gain * parts.total / known
    lines.append(equation(r"\Delta i", [tex(impurities[0]), *terms], tex(decrease)))
    if parts.is_partly_missing:
        lines.append(equation(r"\text{gain}", rf"{share} \cdot {tex(decrease)}", tex(gain)))
    return lines


def _right_hand_side(parts: Parted, branch: int | None) -> list[str]:
    stats, center = parts.of(branch)
    if not stats.any():
        return ["0"]
    if parts.here.absolute:
        return written_of_rows(*absolute_error(parts, branch), stats[0])
    return CRITERIA[parts.tree.criterion].written(stats, parts.here.judge.loss, center)
