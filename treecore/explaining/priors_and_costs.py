"""What priors and costs do to the weights of the classes, to scores, and to the label of a leaf."""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.criterion import missed
from treecore.explaining.branch_statistics import BranchStatistics
from treecore.explaining.formulas import Formula, Grid, Line, Words
from treecore.figures import brief, count, tex
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree


def factor_lines(parts: BranchStatistics) -> list[Line]:
    """The factor of every class with its parts, and the altered counts of the node's rows; [] if nothing is altered."""
    if not parts.altered:
        return []
    tree, counted = parts.tree, parts.counted.sum(axis=0)
    priors, costs = _priors(tree), _cost_sums(tree)
    acts = costs is not None and not CRITERIA[tree.criterion].needs_loss
    summed = ["sum of missed profits" if tree.earns else "sum of its costs"] if acts else []
    heads = ["class", "share", "prior", *summed, "factor", "counted", "altered"]
    shares = tree.stats[0] / tree.stats[0].sum()
    rows = tuple(
        (
            name, brief(shares[k]), brief(priors[k]), *([brief(costs[k])] if acts else []),
            brief(tree.class_factor[k]), count(counted[k]), count(counted[k] * tree.class_factor[k]),
        )
        for k, name in enumerate(tree.classes)
    )  # fmt: skip
    weight = r"\pi_k \sum_j L_{kj}" if acts else r"\pi_k"
    whole = r"\sum_i \pi_i \sum_j L_{ij}" if acts else r"\sum_i \pi_i"
    costly = "profits" if tree.earns else "costs"
    what = f"Priors and {costly}" if acts and tree.priors is not None else costly.capitalize() if acts else "Priors"
    return [
        Words(
            f"{what} change how much a row of each class counts when splits are chosen. The counts below are weighted."
        ),
        Formula(rf"f_k = \frac{{{weight}}}{{{whole}}} \Big/ \text{{share}}_k"),
        Grid(tuple(heads), rows),
    ]


def _priors(tree: Tree) -> np.ndarray:
    return tree.stats[0] / tree.stats[0].sum() if tree.priors is None else tree.priors


def _cost_sums(tree: Tree) -> np.ndarray | None:
    """float64 (K,): what all errors about a class cost together."""
    return None if tree.loss is None else missed(tree.loss).sum(axis=1)


def worth_lines(growth: GrowSettings, feature: str, score: float) -> list[Line]:
    """What a score counts, as it costs something to ask for the feature; [] where costs play no part."""
    cost = dict(growth.costs).get(feature, 1.0)
    if not growth.costs:
        return []
    intro = Words(f"{feature} costs {cost:g}; what is compared with the other features is:")
    if growth.cost_form == "divide":
        return [intro, Formula(rf"\tfrac{{\text{{score}}}}{{\text{{cost}}}} = \tfrac{{{tex(score)}}}{{{cost:g}}}"
                              rf" = {tex(score / cost)}")]  # fmt: skip
    if growth.cost_form == "square":
        return [intro, Formula(rf"\tfrac{{\text{{score}}^2}}{{\text{{cost}}}} = \tfrac{{{tex(score)}^2}}{{{cost:g}}}"
                              rf" = {tex(score * abs(score) / cost)}")]  # fmt: skip
    value = (2.0**score - 1.0) / (cost + 1.0) ** growth.cost_power
    return [intro, Formula(
        rf"\tfrac{{2^{{\text{{score}}}} - 1}}{{(\text{{cost}} + 1)^w}} = "
        rf"\tfrac{{2^{{{tex(score)}}} - 1}}{{({cost:g} + 1)^{{{growth.cost_power:g}}}}} = {tex(value)}"
    )]  # fmt: skip


def label_lines(tree: Tree, node: int) -> list[Line]:
    """Why a leaf answers with its class: the expected cost or profit of every label; [] without costs and priors, and
    where the label is that of each row's line."""
    if (
        not tree.classes
        or (tree.loss is None and tree.priors is None)
        or tree.answer[node] < 0
        or tree.lines is not None
    ):
        return []
    stats = tree.stats[tree.answer[node]] * tree.prior_factor
    cost, n = tree.expected_cost[node], max(float(stats.sum()), 1e-300)
    loss = 1.0 - np.eye(len(tree.classes)) if tree.loss is None else tree.loss
    word, letter, best = ("profit", "G", "highest") if tree.earns else ("cost", "L", "least")
    if tree.earns:
        cost, loss = 0.0 - cost, 0.0 - loss
    lines: list[Line] = [Words(f"The label is the one of {best} expected {word}.")]
    if tree.priors is not None:
        lines.append(Words("Priors alter the counts: " + ", ".join(
            f"{name} {count(before)} → {count(after)}"
            for name, before, after in zip(tree.classes, tree.stats[tree.answer[node]], stats, strict=True)
        ) + "."))  # fmt: skip
    lines.append(Formula(rf"\text{{{word}}}(j) = \sum_i {letter}_{{ij}}\, p_i"))
    rows = tuple(
        (name, _sum_of_costs(loss[:, j], stats, n), brief(cost[j] / n) + (" ✓" if j == tree.value[node] else ""))
        for j, name in enumerate(tree.classes)
    )
    return [
        *lines,
        Grid(("label", f"{word}s times shares of the classes", f"expected {word}"), rows),
        _matrix(tree, loss),
    ]


def _sum_of_costs(costs: np.ndarray, stats: np.ndarray, n: float) -> str:
    terms = [f"{c:g} · {count(s)}/{count(n)}" for c, s in zip(costs, stats, strict=True) if c and s]
    return " + ".join(terms[:8] + ["…"] * (len(terms) > 8)) or "0"


def _matrix(tree: Tree, loss: np.ndarray) -> Grid:
    """The costs or profits themselves: true class by label."""
    heads = ("true class", *(f"called {name}" for name in tree.classes))
    rows = tuple((name, *(f"{v:g}" for v in row)) for name, row in zip(tree.classes, loss, strict=True))
    return Grid(heads, rows)
