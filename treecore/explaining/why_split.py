"""Why a node was split on its feature, in a sentence."""

from treecore.criteria import CRITERIA
from treecore.explaining.lines import Grid
from treecore.figures import brief, in_unit
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.tree.tree import Tree

SCORE_WORDS = {
    "decrease": "gain",
    "gain_ratio": "gain ratio",
    "mdl_gain_ratio": "gain ratio, with the cut paid for,",
    "twoing": "twoing score",
    "chi_square": "−log10 p of chi-square",
    "g_test": "−log10 p of G",
}


def score_text(tree: Tree, found: Candidates, value: float) -> str:
    """What splits compete by, with its unit."""
    unit = CRITERIA[tree.criterion].unit if found.score == "decrease" else ""
    return f"{brief(value)}{f' {unit}' if unit else ''}"


def gain_text(tree: Tree, node: int) -> str:
    """A split's gain with its unit."""
    unit = CRITERIA[tree.criterion].unit
    return f"{brief(tree.gain[node])}{f' {unit}' if unit else ''}"


def error_text(tree: Tree, node: int) -> str:
    """By how much a split lowers the root mean squared error of a node's rows, "RMSE 191,347 → 142,518"; '' where the
    impurity is another one."""
    if tree.criterion != "squared_error":
        return ""
    before, after = float(tree.impurity[node]), float(tree.impurity[node] - tree.gain[node])
    unit = tree.schema.target_unit
    return f"RMSE {in_unit(brief(before**0.5), unit)} → {in_unit(brief(max(after, 0.0) ** 0.5), unit)}"


def why_split(tree: Tree, node: int, found: Candidates, by_hand: bool, tests: Grid | None = None) -> str:
    """The reason, to follow "Node 3 is split on sex"; plain text that may name features.

    found : the node's candidates on the training rows. by_hand : the split was taken, not found. tests : the tests of
    all features, where they chose (explaining.feature_tests).
    """
    feature, ranked = tree.node(node).feature, found.per_feature()
    others = len({c.feature for c in ranked if c.drawn} - {feature})
    considered = f"{others} other feature{' was' if others == 1 else 's were'} considered"
    if by_hand:
        return f"because it was taken by hand; its gain is {gain_text(tree, node)}. {considered}."
    if tests is not None:
        return _by_tests(tree, node, tests)
    if not others:
        why = "can be split" if all(c.drawn for c in ranked) else "that was drawn can be split"
        return f"with gain {gain_text(tree, node)}: no other feature {why} here."
    return _by_score(tree, node, found, ranked, considered)


def _by_tests(tree: Tree, node: int, tests: Grid) -> str:
    feature, p = tree.node(node).feature, {row[0]: row[1] for row in tests.rows}
    first = tests.rows[0][0] == feature
    why = "the smallest" if first else "the smallest of the features with a split that the limits allow"
    return f"because the p-value of its test, {p[feature]} when adjusted, is {why}; {len(p) - 1} others were tested."


def _by_score(tree: Tree, node: int, found: Candidates, ranked: tuple[Candidate, ...], considered: str) -> str:
    feature, word = tree.node(node).feature, SCORE_WORDS[found.score]
    mine = next((c for c in ranked if c.feature == feature), None)
    rivals = [c for c in ranked if c.feature != feature and c.eligible]
    costly = bool(dict(tree.growth).get("costs"))
    passed = sum(not c.eligible for c in ranked)
    among = " of the features drawn here" if not all(c.drawn for c in ranked) else ""
    if found.average_gain is not None and passed:
        among = f" of the features whose gain reaches the average of {brief(found.average_gain)}"
    if mine is None or not mine.eligible or any(c.score > mine.score * (1 + 1e-9) for c in rivals):
        return f"with gain {gain_text(tree, node)}; {considered}."
    told = score_text(tree, found, mine.score if costly or found.score != "decrease" else tree.gain[node])
    if costly:  # no longer in the unit of the gain, by some forms of costs
        word, told = f"{word} for its cost", brief(mine.score)
    tie = rivals and rivals[0].score >= mine.score * (1 - 1e-9)
    why = f"{told} is the largest{among}" if not tie else f"{told} is as large as any, and it comes first"
    if not rivals:
        return f"because its {word} {why}; {considered}."
    return f"because its {word} {why}; {considered} (next: {rivals[0].feature}, {brief(rivals[0].score)})."
