"""Split information, gain ratio, J48's price of a threshold and the average gain."""

import numpy as np

from treecore.data.table import Table
from treecore.explaining.lines import Grid, Line, Words, equation
from treecore.explaining.parted import Parted
from treecore.figures import brief, fraction, summed, tex, weight
from treecore.growing.inspect.candidates import Candidates
from treecore.growing.inspect.judging import split_informations
from treecore.growing.inspect.node_values import counting_in_average
from treecore.growing.settings.parts import SELECTORS


def split_information(parts: Parted) -> float:
    """Entropy of the branches' sizes in bits; rows without a value are one more branch."""
    return float(split_informations(parts.weights[None], parts.total)[0])


def ratio_lines(parts: Parted, n_cuts: int, paid: bool) -> list[Line]:
    """From the gain to the ratio. n_cuts : admissible cuts of an ordered feature, else 0. paid : a cut costs
    log2(n_cuts) / n, as in J48."""
    gain, info = parts.gain(), split_information(parts)
    groups = [w for w in parts.weights if w > 0]
    lines: list[Line] = []
    if paid and n_cuts > 0:
        price = np.log2(n_cuts) / parts.total
        lines += [
            Words(
                f"One of {n_cuts} possible thresholds has to be named: log2({n_cuts}) bits, spread over all rows here."
            ),
            equation(
                r"\text{gain}'",
                rf"{tex(gain)} - \tfrac{{\log_2 {n_cuts}}}{{{weight(parts.total)}}}",
                f"{tex(gain)} - {tex(price)}",
                tex(gain - price),
            ),
        ]
        gain -= price
    if parts.is_partly_missing:
        groups.append(parts.total - parts.known)
        lines.append(Words("The rows without a value are one more group of the split information, the last one."))
    shares = [fraction(w, parts.total) for w in groups]
    terms = summed((rf"{s} \log_2 {s}" for s in shares), "-")
    lines.append(equation(r"\text{split information}", terms, tex(info)))
    if info > 0:
        lines.append(equation(r"\text{gain ratio}", rf"\tfrac{{{tex(gain)}}}{{{tex(info)}}}", tex(gain / info)))
    return lines


def average_lines(parts: Parted, found: Candidates, train: Table) -> list[Line]:
    """The average gain of the features' best splits, and which features reach it; [] where it plays no part."""
    if found.average_gain is None or not np.isfinite(found.average_gain):
        return []
    counted = counting_in_average(parts.here, train)
    best = found.per_feature()
    averaged = [c for c in best if c.feature in counted and c.drawn]
    first, *more = summed(tex(c.gain) for c in averaged)
    over = rf"\tfrac{{1}}{{{len(averaged)}}} ("
    mean = [f"{over}{first}", *more[:-1], f"{more[-1]})"] if more else [f"{over}{first})"]
    slack = SELECTORS[parts.here.growth.selector].slack
    allowed = f", or up to {slack:g} less," if slack > 1e-9 else ""
    rows = tuple((c.feature, brief(c.gain), brief(c.score), _verdict(c, counted)) for c in best)
    return [
        Words(f"Only features whose best split gains at least the average{allowed} compete by their ratio:"),
        equation(r"\overline{\text{gain}}", mean, tex(found.average_gain)),
        Grid(("feature", "gain", "ratio", "gain reaches the average"), rows),
    ]


def _verdict(candidate, counted: set[str]) -> str:
    verdict = "yes" if candidate.eligible else "no"
    return verdict if candidate.feature in counted else f"{verdict} (not in the average: many levels)"
