"""The arithmetic of a node that answers with a line: the equations that give it, and by how much it errs less than one
answer for all of its rows."""

import numpy as np

from treecore.data.table import Table
from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, number, tex
from treecore.figures import weight as weight_tex
from treecore.target.lines import logistic
from treecore.tree.leaf_lines import LeafLine
from treecore.tree.line_fit import LEAST_RIDGE, adjusted_error
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import route
from treecore.tree.tree import Tree
from treecore.tree.values import plain_numbers


def line_lines(tree: Tree, node: int, rows: Table) -> list[Line]:
    """Of any node of a tree with lines, fitted to these rows; [] for other trees, and for a node without rows."""
    at = int(tree.answer[node])
    if tree.lines is None or at < 0:
        return []
    return _OF_LINK[tree.target_kind.link](tree, node, tree.lines.line(at), *_rows_at(tree, at, rows))


def _squares_line(tree: Tree, node: int, line: LeafLine, x, y, w, unit: float) -> list[Line]:
    """Of a line of numbers."""
    at = int(tree.answer[node])
    before, after, n = _squares(y - np.average(y, weights=w), w), float(tree.lines.error[at]), float(w.sum())
    if not line.terms:
        return [Words("No feature lowers the adjusted error of the mean here: the line is a constant.")]
    return [
        Words(f"{tree.schema.target} = {tree.target_kind.line_text(tree, node)}"),
        _terms(tree, line),
        *_solved(tree, line, x, y, w),
        equation(r"\textstyle\sum (y - \bar y)^2", tex(before)),
        equation(r"\textstyle\sum (y - \hat y)^2", tex(after)),
        *(
            [equation("R^2", rf"1 - \tfrac{{{tex(after)}}}{{{tex(before)}}}", tex(1 - after / before))]
            if before
            else []
        ),
        *_adjusted(before, after, n, len(line.terms)),
    ]


def _log_odds_line(tree: Tree, node: int, line: LeafLine, x, y, w, unit: float) -> list[Line]:
    """Of a line of log-odds: what they come to at the mean of the rows, the equations of the likeliest coefficients,
    and the log loss that pays for every number."""
    name, kind = tree.class_names[1], tree.target_kind
    n, n_second = float(w.sum()), float(w @ y)
    if not line.terms:
        told = "" if 0 < n_second < n else ", as if there were half a row more of either class"
        return [
            Words(f"The share of “{name}” is the same for all rows of the node{told}."),
            equation(r"\ln \tfrac{p}{1-p}", tex(line.intercept)),
            equation("p", rf"\frac{{1}}{{1 + e^{{{tex(-line.intercept)}}}}}", tex(float(logistic(line.intercept)))),
        ]
    means = np.average(x, axis=1, weights=w)
    b = np.array([term.coefficient for term in line.terms])
    odds, p = line.intercept + b @ means, logistic(line.intercept + b @ x)
    products = "".join(
        f" {'-' if c < 0 else '+'} {tex(abs(c))} \\cdot {_braced(m)}" for c, m in zip(b, means, strict=True)
    )
    made: list[Line] = [
        Words(f"{kind.line_name(tree)} = {kind.line_text(tree, node)}"),
        _terms(tree, line),
        Words(f"At the mean of each feature this is, and the share of “{name}” that it gives:"),
        equation("s", f"{tex(line.intercept)}{products}", tex(float(odds))),
        equation(
            "p",
            rf"\frac{{1}}{{1 + e^{{-s}}}} = \frac{{1}}{{1 + e^{{{tex(-float(odds))}}}}}",
            tex(float(logistic(odds))),
        ),
    ]
    smoothing = float(tree.growth["line_smoothing"])
    if smoothing:
        mixed = f"The node's own line is mixed with those of the nodes above it: smoothing, k = {brief(smoothing)}."
        return [*made, Words(mixed)]
    ridge = max(float(tree.growth["line_ridge"]), LEAST_RIDGE)
    made.append(Words(
        f"The likeliest line: the shares add up to the rows of “{name}”, and with each feature less its mean rows and "
        f"shares differ by λ n σ² b, the pull of the shrinkage λ = {brief(ridge)} alone."
    ))  # fmt: skip
    made.append(equation(r"\textstyle\sum p", tex(float(w @ p))))
    for i, (column, mean, c) in enumerate(zip(x, means, b, strict=True), 1):
        spread = float(w @ (column - mean) ** 2) / n
        found = tex(float((w * (y - p)) @ (column - mean)))
        right = rf"{tex(ridge)} \cdot {weight_tex(n)} \cdot {tex(spread)} \cdot {_braced(float(c))}"
        made.append(equation(rf"\textstyle\sum (y - p)(x_{{{i}}} - \bar x_{{{i}}})", right, found))
    made.append(
        Words("Twice the log loss of the rows, and 2 more for every number that was fitted (Akaike's criterion):")
    )
    one = np.full(len(y), n_second / n)
    for label, share, v in (("share", one, 1), ("line", p, 1 + len(b))):
        loss = float(-(w * np.log(np.where(y > 0, share, 1.0 - share))).sum()) * unit
        made.append(equation(rf"\text{{{label}}}", rf"2 \cdot {tex(loss)} + 2 \cdot {v}", tex(2 * loss + 2 * v)))
    return made


_OF_LINK = {"identity": _squares_line, "logit": _log_odds_line}
"""Link of a target -> the arithmetic of a line: (tree, node, line, values, targets, weights, rows per weight) -> what
is told."""


def _rows_at(tree: Tree, node: int, rows: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """(values, targets, weights, unit) of the rows of a node.

    values : float64 (terms, m), the mean in the place of a missing one. targets, weights : float64 (m,); of classes the
    target is 1 for the second one, else 0, and weights are those by priors. unit : rows per weight of one in the tree.
    """
    routes, below = route(tree, rows), tree.descendants(node)
    below[node] = True
    y, w = true_target(tree, rows)[routes.row], routes.share * rows.case_weights[routes.row]
    known = (w > 0) & tree.target_kind.is_known(y)
    here = below[routes.node] & known
    if tree.classes:
        w, y = w * tree.prior_factor[y], y.astype(float)
    terms = tree.lines.line(node).terms
    x = plain_numbers(tree.schema, np.array([term.feature for term in terms], np.int64), rows)[:, routes.row[here]]
    fill = np.array([term.fill for term in terms])[:, None]
    unit = len(np.unique(routes.row[known])) / float(w[known].sum())
    return np.where(np.isnan(x), fill, x), y[here], w[here], unit


def _squares(off: np.ndarray, w: np.ndarray) -> float:
    return float(w @ off**2)


def _terms(tree: Tree, line: LeafLine) -> Grid:
    rows = []
    for i, term in enumerate(line.terms, 1):
        feature = tree.schema.features[term.feature]
        ends = (feature.in_unit(number(end)) for end in (term.fill, term.low, term.high))
        rows.append((f"x{i}", feature.name, number(term.coefficient), *ends))
    return Grid(("", "feature", "coefficient", "mean", "from", "to"), tuple(rows))


def _solved(tree: Tree, line: LeafLine, x: np.ndarray, y: np.ndarray, w: np.ndarray) -> list[Line]:
    """The normal equations of what is less its mean, with the coefficients that solve them, and the intercept."""
    smoothing, ridge = float(tree.growth["line_smoothing"]), float(tree.growth["line_ridge"])
    if smoothing:
        told = f"The node's own line is mixed with those of the nodes above it: smoothing, k = {brief(smoothing)}."
        return [Words(told)]
    means = np.average(x, axis=1, weights=w)
    centred, off = x - means[:, None], y - np.average(y, weights=w)
    moments = (centred * w) @ centred.T
    moments = moments + ridge * np.diag(np.diag(moments))
    right = (centred * w) @ off
    coefficients = [term.coefficient for term in line.terms]
    ridged = f", those of its diagonal times 1 + λ = {brief(1 + ridge)}" if ridge else ""
    terms = "".join(
        f" {'-' if b >= 0 else '+'} {tex(abs(b))} \\cdot {_braced(m)}" for b, m in zip(coefficients, means, strict=True)
    )
    of = "its square" if len(right) == 1 else "products of the features"
    return [
        Words(
            f"Normal equations: sums over the {count(float(w.sum()), ',')} rows of {of}, each less its mean{ridged}."
        ),
        Formula(f"{_matrix(moments)} \\cdot {_matrix(np.array(coefficients)[:, None])} = {_matrix(right[:, None])}"),
        equation("b_0", rf"{tex(float(np.average(y, weights=w)))}{terms}", tex(line.intercept)),
    ]


def _braced(value: float) -> str:
    return f"({tex(value)})" if value < 0 else tex(value)


def _matrix(numbers: np.ndarray) -> str:
    if numbers.size == 1:
        return tex(float(numbers[0, 0]))
    rows = r" \\ ".join(" & ".join(tex(float(value)) for value in row) for row in numbers)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def _adjusted(before: float, after: float, n: float, n_terms: int) -> list[Line]:
    """M5's adjusted error of the mean and of the line."""
    made = [Words("The error that pays for every number that was fitted, (n + v) / (n − v) times the RMSE:")]
    for name, error, v in (("mean", before, 1), ("line", after, 1 + n_terms)):
        if n > v:
            factor = rf"\tfrac{{{weight_tex(n)} + {v}}}{{{weight_tex(n)} - {v}}}"
            value = float(adjusted_error(np.array(error), np.array(n), np.array(v)))
            made.append(equation(rf"\text{{{name}}}", rf"{factor} \cdot {tex((error / n) ** 0.5)}", tex(value)))
    return made
