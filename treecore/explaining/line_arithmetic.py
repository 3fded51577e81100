"""The arithmetic of a node that answers with a line: the normal equations, and by how much it errs less than a mean."""

import numpy as np

from treecore.data.table import Table
from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, number, tex
from treecore.figures import weight as weight_tex
from treecore.tree.leaf_lines import LeafLine
from treecore.tree.line_fit import adjusted_error
from treecore.tree.node_statistics import true_numbers
from treecore.tree.predict import route
from treecore.tree.tree import Tree
from treecore.tree.values import plain_numbers


def line_lines(tree: Tree, node: int, rows: Table) -> list[Line]:
    """Of any node of a tree with lines, fitted to these rows; [] for other trees, and for a node without rows."""
    at = int(tree.answer[node])
    if tree.lines is None or at < 0:
        return []
    line, (x, y, w) = tree.lines.line(at), _rows_at(tree, at, rows)
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


def _rows_at(tree: Tree, node: int, rows: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(values float64 (terms, m), a missing one in the place of which the mean stands; targets; weights) of a node."""
    routes, below = route(tree, rows), tree.descendants(node)
    below[node] = True
    y, w = true_numbers(tree, rows)[routes.row], routes.share * rows.case_weights[routes.row]
    here = below[routes.node] & (w > 0) & ~np.isnan(y)
    terms = tree.lines.line(node).terms
    x = plain_numbers(tree.schema, np.array([term.feature for term in terms], np.int64), rows)[:, routes.row[here]]
    fill = np.array([term.fill for term in terms])[:, None]
    return np.where(np.isnan(x), fill, x), y[here], w[here]


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
