"""Is there a tree of the same depth with fewer training errors than the greedy one?"""

from treecore.explaining.formulas import Line, Words
from treecore.figures import count
from treecore.optimal import Optimal, optimal_tree
from treecore.rules import rules
from treecore.study.questions.question import Setting, Setup, Start, StudyQuestion, Told, Work

DEPTH = Setting("optimal depth", "Depth", 3, least=1, most=5)
PENALTY = Setting("optimal penalty", "Penalty for a leaf, in rows", 0, least=0, most=1000)
CUTS = Setting("optimal cuts", "Thresholds of a feature", 8, least=1, most=50)
SECONDS = Setting("optimal seconds", "Seconds", 30, least=1, most=600)


def _work(setup: Setup) -> Work:
    train, depth, least = setup.roles["train"], setup[DEPTH], setup.growth.growth().min_rows_leaf
    limits = setup[PENALTY], least, setup[CUTS], setup[SECONDS]
    return lambda report: optimal_tree(train, depth, *limits, lambda: report(None))


def errors_sentence(found: Optimal, setup: Setup) -> str:
    """Errors and leaves, and whether it is proved; in Markdown."""
    rows = count(float(setup.roles["train"].case_weights.sum()), ",")
    leaves, asked = f"{found.tree.n_leaves:,} leaves", f"{len(found.questions):,} questions"
    proved = f"**Proved**: no tree of these {asked} is better." if found.proved else _gap(found)
    return f"**{count(found.errors, ',')}** of {rows} training rows wrong with {leaves}. {proved}"


def _gap(found: Optimal) -> str:
    more = count(found.gap, ",")
    return f"Not proved: another tree could be better by **{more}** at most. Allow more seconds to search on."


def _describe(found: Optimal, setup: Setup) -> list[Line]:
    return [Words(errors_sentence(found, setup).replace("**", "")), *(Words(rule.text) for rule in rules(found.tree))]


def _about(setup: Setup) -> Told:
    limits = ("penalty for a leaf", PENALTY), ("thresholds of a feature", CUTS), ("seconds", SECONDS)
    return ("depth", setup[DEPTH]), *((name, setup[setting]) for name, setting in limits)


OPTIMAL_DEPTH = StudyQuestion(
    "optimal", "Is there a better tree of the same depth?", "Fewest errors of a depth", _work, _describe,
    settings=(DEPTH, PENALTY, CUTS, SECONDS), about=_about,
    start=Start(
        "optimal on", "Find it",
        "Your algorithm takes the best split at every node and never looks back. This searches all trees of a given "
        "depth, and proves which makes the fewest errors on the training rows.",
        "Searching", remedy="choose a smaller depth",
    ),
    pruned=False, report_place=14,
)  # fmt: skip
