"""The arithmetic behind a pruner's verdict on a node: its deciding number, in the node's own counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.criteria.significance import chi_square
from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, summed, tex, weight
from treecore.judging.losses import OWN, compared_losses, error_name, misclassified, reckons
from treecore.pruning.cuts import CUT, KEEP, RAISED, Cuts, Reason, comparison_text, short
from treecore.pruning.error_based import estimated_errors
from treecore.pruning.minimum_error import expected_errors
from treecore.pruning.pruner import Pruner
from treecore.pruning.sequence import Links
from treecore.tree.missing import branch_name
from treecore.tree.node_statistics import children_statistics
from treecore.tree.tree import Tree

VERDICTS = {
    KEEP: "it keeps its branches", CUT: "it becomes a leaf", RAISED: "a branch of it takes its place",
}  # fmt: skip
MOST_LEAVES = 12


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Brief):
    """What an explanation may look at: a tree, a strategy's cuts over it and the node they are asked about.

    parameters : those of the strategy. validation : float64 (n_nodes, S), statistics of the validation rows, or None.
    """

    tree: Tree
    cuts: Cuts
    node: int
    pruner: Pruner
    parameters: Mapping = field(default_factory=dict)
    validation: np.ndarray | None = None

    @property
    def reason(self) -> Reason | None:
        return self.cuts.reasons.get(self.node)

    def setting(self, name: str):
        """The parameter given, or its default."""
        default = next((p.default for p in self.pruner.parameters if p.name == name), None)
        return self.parameters.get(name, default)

    def leaves_below(self) -> list[int]:
        """Leaves of the branches when the node was judged from the bottom up: grown ones, and those cut before."""
        leaves, waiting = [], list(self.tree.children(self.node))
        while waiting:
            t = waiting.pop(0)
            if self.tree.is_leaf[t] or self.cuts.verdict[t] == CUT:
                leaves.append(t)
            else:
                waiting = [*self.tree.children(t), *waiting]
        return leaves


def verdict_lines(verdict: Verdict) -> list[Line]:
    """In words, then opened as far as it can be, and at last the number against its threshold; [] where the method
    never looked at the node."""
    reason = verdict.reason
    if reason is None:
        return []
    text = f"{reason.method}: {reason.text}. So {VERDICTS[int(verdict.cuts.verdict[verdict.node])]}."
    lines: list[Line] = [Words(text)]
    if np.isnan(reason.number):
        return lines
    opened = _OPENED.get(reason.method, _nothing)(verdict)
    lines += opened or _details(reason)
    return [*lines, _against(reason)]


def _against(reason: Reason) -> Formula:
    """The comparison that decided, and which way it goes."""
    sign, limit = (r"\le" if "≤" in comparison_text(reason) else ">"), (">" if reason.more else r"\le")
    comparison = f"{tex(reason.number, 6)} {sign} {tex(reason.threshold, 6)}"
    return Formula(rf"{comparison} \qquad \text{{(branches go when the first is }}{limit}\text{{ the second)}}")


def _details(reason: Reason) -> list[Line]:
    if not reason.details:
        return []
    return [Grid(("number", "value"), tuple((name, short(value, 6)) for name, value in reason.details))]


def _nothing(verdict: Verdict) -> list[Line]:
    return []


def link_lines(links: Links, node: int) -> list[Line]:
    """g(t) of an inner node in one subtree of the nested sequence, from R(t), R(T_t) and |T_t|."""
    i = links.place(node)
    if i is None:
        return [Words("A leaf of the grown tree has no branches to prune.")]
    risk, alpha = links.risk[i], links.alpha[i]
    if not links.stands[i]:
        return [
            Words(f"Node {node} fell at step {links.step[i]}, when a leaf cost α = {short(alpha)} or more."),
            equation("R(t)", tex(risk)),
        ]
    n, branch = int(links.n_leaves[i]), links.branch_risk[i]
    lines: list[Line] = [
        equation("R(t)", tex(risk)), equation("R(T_t)", tex(branch)), equation("|T_t|", str(n)),
        equation(
            "g(t)", r"\frac{R(t) - R(T_t)}{|T_t| - 1}", rf"\frac{{{tex(risk)} - {tex(branch)}}}{{{n} - 1}}",
            tex(links.g[i]),
        ),
    ]  # fmt: skip
    weakest = np.isclose(links.g[i], links.g[0], rtol=1e-9, atol=1e-15)
    verdict = "the weakest link: the next step takes these branches away" if weakest else "not the weakest link yet"
    return [*lines, Words(f"Each leaf of its branches beyond the first saves {short(links.g[i])}: {verdict}.")]


def _reduced_error(verdict: Verdict) -> list[Line]:
    """Validation rows that the node as a leaf, and the leaves of its branches, get wrong."""
    tree, stats, measure = verdict.tree, verdict.validation, verdict.setting("measure") or OWN
    if stats is None or not tree.classes or tree.lines is not None:
        return []
    if measure != OWN or reckons(tree):
        return _losses_of_rows(verdict, measure)
    wrong, here = misclassified(tree, stats), float(stats[verdict.node].sum())
    node, leaves = verdict.node, verdict.leaves_below()
    accepted = float(verdict.setting("epsilon") or 0.0) * float(stats[0].sum())
    if not np.isclose(wrong[leaves].sum() + accepted, verdict.reason.threshold):
        return []  # tested in another order, with other branches
    right = here - wrong[node]
    lines: list[Line] = [
        equation("e(t)", rf"{weight(here)} - {weight(right)}", weight(wrong[node])),
        equation("e(T_t)", summed(map(weight, wrong[leaves])), weight(wrong[leaves].sum())),
    ]
    if accepted:
        lines.append(equation(r"e(T_t) + \varepsilon n", rf"{weight(wrong[leaves].sum())} + {tex(accepted)}"))
    return lines


def _losses_of_rows(verdict: Verdict, measure: str) -> list[Line]:
    """What the validation rows of each class lose at the node as a leaf, and at the leaves of its branches."""
    tree, stats, leaves = verdict.tree, verdict.validation, verdict.leaves_below()
    losses = compared_losses(tree, measure)
    lost = (stats * losses).sum(axis=1)
    accepted = float(verdict.setting("epsilon") or 0.0) * float(stats[0].sum())
    if not np.isclose(lost[leaves].sum() + accepted, verdict.reason.threshold):
        return []  # tested in another order, with other branches, or rows stay in inner nodes

    def lost_at(name: str, t: int) -> Formula:
        rows = [(n, loss) for n, loss in zip(stats[t], losses[t], strict=True) if n > 0 and loss]
        terms = summed(rf"{weight(n)} \cdot {tex(loss, 4)}" for n, loss in rows)
        return equation(name, *([terms] if rows else []), tex(lost[t]))

    lines: list[Line] = [
        Words(f"Rows of each class times what one of them counts, {error_name(tree, measure)}:"),
        lost_at("e(t)", verdict.node),
    ]
    if len(leaves) <= MOST_LEAVES:
        lines += [lost_at(f"e({t})", t) for t in leaves]
    lines.append(equation("e(T_t)", summed(tex(lost[t]) for t in leaves), tex(lost[leaves].sum())))
    if accepted:
        lines.append(equation(r"e(T_t) + \varepsilon n", rf"{tex(lost[leaves].sum())} + {tex(accepted)}"))
    return lines


def _pessimistic(verdict: Verdict) -> list[Line]:
    known, n = dict(verdict.reason.details), float(verdict.tree.weight[verdict.node])
    as_leaf, below, leaves = (known[name] for name in ("errors as a leaf", "errors with branches", "leaves"))
    corrected, spread = below + leaves / 2, known["standard error"]
    lines: list[Line] = [
        equation(r"e'(t)", rf"{weight(as_leaf)} + \tfrac12", tex(as_leaf + 0.5)),
        equation(r"e'(T_t)", rf"{weight(below)} + \tfrac12 \cdot {leaves:.0f}", tex(corrected)),
    ]
    if spread and np.isclose(spread**2 * n, corrected * (n - corrected)):
        root = rf"\sqrt{{\frac{{{tex(corrected)} \, ({weight(n)} - {tex(corrected)})}}{{{weight(n)}}}}}"
        lines.append(equation(r"\text{SE}", root, tex(spread)))
    if spread:
        lines.append(equation(r"e'(T_t) + \text{SE}", tex(corrected + spread)))
    return lines


def _minimum_error(verdict: Verdict) -> list[Line]:
    """The expected errors of the node as a leaf, and of the leaves of its branches."""
    tree, node, m = verdict.tree, verdict.node, verdict.setting("m")
    leaves = verdict.leaves_below()
    expected = expected_errors(tree, m)[[node, *leaves]]
    if tree.priors is not None or not np.isclose(expected[1:].sum(), verdict.reason.threshold):
        return _details(verdict.reason)  # rows that stay in inner nodes count, too
    n, wrong, label = float(tree.weight[node]), float(misclassified(tree, tree.stats)[node]), int(tree.value[node])
    added = len(tree.classes) if m is None else m
    other = 1 - 1 / added if m is None else 1 - tree.stats[0][label] / tree.weight[0]
    rate = rf"\frac{{{weight(wrong)} + {tex(other, 4)} \cdot {weight(added)}}}{{{weight(n)} + {weight(added)}}}"
    terms = [summed(tex(e, 4) for e in expected[1:])] if len(leaves) <= MOST_LEAVES else []
    return [
        equation("E(t)", rf"{weight(n)} \cdot {rate}", tex(expected[0])),
        equation(r"E(T_t)", *terms, tex(expected[1:].sum())),
    ]


def _description_length(verdict: Verdict) -> list[Line]:
    known = dict(verdict.reason.details)
    tree, wrong = known["tree bits as a leaf"], known["exception bits as a leaf"]
    branches, rest = known["tree bits with branches"], known["exception bits with branches"]
    return [
        Words("Bits to tell the tree, and to tell which rows are exceptions from its answers:"),
        equation("L(t)", f"{tex(tree)} + {tex(wrong)}", tex(tree + wrong)),
        equation("L(T_t)", f"{tex(branches)} + {tex(rest)}", tex(branches + rest)),
        Words(f"{brief(known['bits of the test'])} of the branches' bits name the test of this node."),
    ]


def _error_based(verdict: Verdict) -> list[Line]:
    """Estimated errors of the node as a leaf and of the leaves below it, from their rows and errors."""
    tree, node = verdict.tree, verdict.node
    known, leaves = dict(verdict.reason.details), verdict.leaves_below()
    places = [node, *leaves]
    n, e = tree.weight[places], misclassified(tree, tree.stats)[places]
    estimates = estimated_errors(n, e, float(verdict.setting("cf")), str(verdict.setting("estimate")))
    alike = np.isclose(estimates[0], known["as a leaf"]) and np.isclose(estimates[1:].sum(), known["with its branches"])
    if not alike or len(leaves) > MOST_LEAVES:
        return _details(verdict.reason)  # other rows reach the branches since one was raised
    rows = [
        ("node as a leaf" if t == node else f"leaf {t}", count(a), count(b), short(c, 6))
        for t, a, b, c in zip(places, n, e, estimates, strict=True)
    ]
    lines: list[Line] = [
        Words(f"The upper limit of the errors to come, at CF = {verdict.setting('cf'):g}, from rows N and errors e:"),
        Grid(("", "N", "e", "estimated errors"), tuple(rows)),
        equation(r"\sum_\ell E(\ell)", summed(tex(c, 4) for c in estimates[1:]), tex(estimates[1:].sum())),
    ]
    raised = known.get("with its largest branch in its place")
    if raised is not None:
        lines.append(Words(f"With its largest branch in its place: {short(raised, 6)}, with all rows of the place."))
    slack, limit = float(verdict.setting("slack") or 0.0), verdict.reason.threshold
    if slack:
        lines.append(
            Words(f"{slack:g} more is accepted of the branches: what they come to is compared with that added.")
        )
        lines.append(Formula(rf"{tex(limit - slack, 6)} + {tex(slack)} = {tex(limit, 6)}"))
    return lines


def _critical_value(verdict: Verdict) -> list[Line]:
    """Counts of the branches beside those to be expected, and the statistic from them."""
    tree, node = verdict.tree, verdict.node
    seen = children_statistics(tree, node)
    if not tree.classes or verdict.reason.more or not np.isclose(chi_square(seen).statistic, verdict.reason.number):
        return _details(verdict.reason)
    due = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / max(seen.sum(), 1e-300)
    rows = [
        (branch_name(tree, node, b), *(f"{count(o)} ({short(d)})" for o, d in zip(*pair, strict=True)))
        for b, pair in enumerate(zip(seen, due, strict=True))
    ]
    cells = zip(seen.flat, due.flat, strict=True)
    terms = (rf"\frac{{({weight(o)} - {tex(d, 4)})^2}}{{{tex(d, 4)}}}" for o, d in cells if d > 0)
    return [
        Grid(("branch: rows (expected)", *tree.classes), tuple(rows)),
        equation(r"\chi^2", summed(terms), tex(verdict.reason.number)),
        *_details(verdict.reason),
    ]


def _merged_leaves(verdict: Verdict) -> list[Line]:
    tree, node = verdict.tree, verdict.node
    children = [c for c in tree.children(node) if tree.weight[c] > 0]
    impurity, n = tree.impurity, float(tree.weight[node])
    whole = n if verdict.setting("unit") == "node" else float(tree.weight[0])
    lost = sum(tree.weight[c] * (impurity[node] - impurity[c]) for c in children) / whole
    if not np.isclose(lost, verdict.reason.number):
        return []  # weights altered by priors or costs, or in parts of the root's impurity
    terms = (
        rf"\tfrac{{{weight(tree.weight[c])}}}{{{weight(whole)}}}({tex(impurity[node], 4)} - {tex(impurity[c], 4)})"
        for c in children
    )
    return [equation(r"\Delta i", summed(terms), tex(lost))]


_OPENED: dict[str, Callable[[Verdict], list[Line]]] = {
    "reduced error": _reduced_error, "REPTree": _reduced_error, "pessimistic": _pessimistic,
    "minimum error": _minimum_error, "description length": _description_length, "C4.5 error-based": _error_based,
    "critical value": _critical_value,
    "merged leaves": _merged_leaves,
}  # fmt: skip
