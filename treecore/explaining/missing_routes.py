"""Where a node's missing values went and why, and what becomes of rows to come: in sentences."""

from treecore.explaining.formulas import Grid, Line, Words, equation
from treecore.figures import count, number, percent, summed, tex
from treecore.judging.interest import Interest, shown_class, weighted_words
from treecore.kernels.codes import CUTS, SHARED, STAYS
from treecore.tree.missing import MissingRoute, branch_name, branch_shares, known_weights, missing_route
from treecore.tree.tree import Tree


def missing_lines(tree: Tree, node: int, interest: Interest | None = None) -> list[Line]:
    """How many training rows had no value for the node's split, where they went and why, the surrogates, and what a
    prediction does without a value or with a level that was not seen; [] at a leaf.

    interest : the class whose share a row without the value is answered with; None: that of the node's answer.
    """
    route = missing_route(tree, node)
    if route is None:
        return []
    lines: list[Line] = [Words(_count(tree, node, route))]
    if route.surrogates:
        lines += [Words(_asked(route)), surrogate_grid(tree, node, route)]
    lines.append(Words(_to_come(tree, node, route)))
    if int(tree.splits.missing_branch[node]) == SHARED:
        lines += _shared(tree, node, interest)
    unseen = _unseen(tree, node)
    return [*lines, Words(unseen)] if unseen else lines


def _count(tree: Tree, node: int, route: MissingRoute) -> str:
    feature, row = tree.node(node).feature, tree.rows_named.removesuffix("s")
    if not route.rows:
        return f"Every {row} here has a value of {feature}."
    weight = count(route.weight)
    together = f" (weight {weight})" if weight != str(route.rows) else ""
    one = route.rows == 1
    start = f"{route.rows:,} {row}{'' if one else 's'}{together} here ha{'s' if one else 've'} no value of {feature}"
    return f"{start}. {_where(tree, node, route)}"


def _where(tree: Tree, node: int, route: MissingRoute) -> str:
    """One sentence per strategy."""
    to = "" if route.branch is None else f"“{branch_name(tree, node, route.branch)}”"
    if route.own:
        return f"Missing is a value of its own; the split is best with it in {to}."
    if route.shares:
        shares = ", ".join(
            f"{percent(share)} to “{branch_name(tree, node, b)}”" for b, share in enumerate(route.shares) if share > 0
        )
        return f"They are shared among the branches in proportion to the rows with a value: {shares}."
    sent = ", ".join(f"{s.rows} by {s.feature}" for s in route.surrogates if s.rows) if route.asked else ""
    if not sent:
        return _by_strategy(tree, node, to)
    start = f"Surrogate splits sent {route.by_surrogates if route.others else 'all of them'}: {sent}."
    if not route.others:
        return start
    left = "For the other row" if route.others == 1 else f"For the other {route.others}"
    goes = f"followed the larger branch, {to}" if to else "stayed here"
    return f"{start} {left} no surrogate had a value: {'it' if route.others == 1 else 'they'} {goes}."


def _by_strategy(tree: Tree, node: int, to: str) -> str:
    strategy = tree.growth.get("missing", "majority")
    if not to:
        if strategy == "rpart":
            return "No surrogate had a value and the branches are equally large: they stay here."
        return "No surrogate split had a value: they stay here, and the node predicts for them." if strategy in (
            "surrogates_only", "rpart_only") else "They stay here, and the node predicts for them."  # fmt: skip
    if strategy == "node_value":
        usual = "mean" if tree.schema.features[tree.splits.feature[node]].numeric else "most frequent level"
        return f"They took the most likely value at the node: its {usual} goes to {to}."
    if strategy in ("surrogates", "rpart", "tested_surrogates"):
        return f"No surrogate split had a value: they followed the larger branch, {to}."
    return f"They followed the branch with more training weight, {to}."


def _asked(route: MissingRoute) -> str:
    if not route.asked:
        return "Surrogate splits (listed, not used):"
    return "Surrogate splits, used in this order:"


def surrogate_grid(tree: Tree, node: int, route: MissingRoute) -> Grid:
    """feature, condition, agreement, adjusted agreement, rows sent."""
    to = branch_name(tree, node, 0)
    rows = tuple(
        (
            s.feature,
            s.condition,
            percent(s.agreement),
            percent(s.adjusted),
            count(s.rows) if route.asked else "not used",
        )
        for s in route.surrogates
    )
    return Grid(("surrogate", f"goes to “{to}” if", "agreement", "adjusted", "sent"), rows)


def _to_come(tree: Tree, node: int, route: MissingRoute) -> str:
    """What a prediction does with a missing value here."""
    feature = tree.schema.features[tree.splits.feature[node]]
    if feature.fill is not None:
        value = feature.in_unit(number(feature.fill)) if feature.numeric else feature.levels[int(feature.fill)]
        return f"In a prediction a missing value is replaced by {value}, as in the prepared column."
    ask = "surrogates are used first; if none has a value, the row " if route.surrogates and route.asked else "the row "
    return f"In a prediction without a value {ask}{_goes(tree, node, int(tree.splits.missing_branch[node]))}."


def _shared(tree: Tree, node: int, interest: Interest | None) -> list[Line]:
    """The parts of a row that is shared, and what each branch answers as it is: its leaves may say more."""
    k = shown_class(tree.stats[node], int(tree.summary[node]), interest) if tree.classes else 0
    first, weights, parts = int(tree.first_child[node]), known_weights(tree, node), branch_shares(tree, node)
    rows = [
        (branch_name(tree, node, b), count(weight, ","), percent(part), _share_here(tree, first + b, k))
        for b, (weight, part) in enumerate(zip(weights, parts, strict=True))
    ]
    answer = f"share of {tree.class_names[k]} {weighted_words(tree)}".rstrip() if tree.classes else "mean"
    grid = Grid(("branch", f"known {tree.rows_named}", "part of a row without the value", answer), tuple(rows))
    return [grid, *_mixed(tree, node, parts, k)]


def _share_here(tree: Tree, child: int, k: int) -> str:
    if not tree.classes:
        return tree.target_kind.value_text(tree, float(tree.summary[child]))
    return percent(float(tree.summary_shares[child, k]))


def _mixed(tree: Tree, node: int, parts: tuple[float, ...], k: int) -> list[Line]:
    """The sum where all branches are leaves: what a row is answered whose other values are of no use."""
    children = list(tree.children(node))
    if tree.lines is not None or not all(tree.is_leaf[c] for c in children) or (tree.classes and tree.value[node] < 0):
        return []
    answers = [float(tree.proba[c, k] if tree.classes else tree.summary[c]) for c in children]
    terms = [rf"{tex(part)} \cdot {tex(answer)}" for part, answer in zip(parts, answers, strict=True)]
    total = sum(part * answer for part, answer in zip(parts, answers, strict=True))
    return [equation("p" if tree.classes else r"\text{mean}", summed(terms), tex(total))]


def _goes(tree: Tree, node: int, to: int) -> str:
    if to == STAYS:
        return "stays here, and the node predicts"
    if to == SHARED:
        shares = " / ".join(percent(s) for s in branch_shares(tree, node)[:6])
        return f"goes down every branch with its share ({shares}), and the predictions are averaged"
    return f"goes to “{branch_name(tree, node, to)}”"


def _unseen(tree: Tree, node: int) -> str:
    """What a prediction does with a level that no training row here had; '' for numbers."""
    feature = tree.schema.features[tree.splits.feature[node]]
    if feature.by_number:
        return ""
    if feature.kind == "ordinal" or tree.splits.kind[node] == CUTS:
        return "A level unknown to the tree counts as missing, as no threshold applies to it."
    goes = _goes(tree, node, int(tree.splits.unseen_branch[node]))
    return f"With a level not seen here the row {goes}."
