"""The splits that were possible at a node as the browser draws them: ranked bars, with what each would make."""

import math

import treecore as tc
from pages.shared.bench.rows import listed, shade
from pages.shared.bench.tried import Held
from pages.shared.node import rivals
from pages.shared.trees import interest
from treecore.explaining.why_split import score_text
from treecore.figures import brief, count, measure
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.judging.interest import rate_told, tint
from treecore.tree.short_text import NOWHERE, Places, apart, shorten

MOST_BRANCHES, WORDS = 6, 80
MINUS = "\u2212"
ROUNDING = 1e-12
NAME = 26
"""Letters of a feature, so that what is asked of it has room beside it."""


def row(
    tree: tc.Tree, found: Candidates, split: Candidate, held: Held | None, can_be_taken: bool, places: Places = NOWHERE
) -> dict:
    """One bar as plain values, for textContent alone. held : what it does to the validation rows, None if not known.
    places : where names of features differ."""
    best = max((c.score for c in found.ranked if c.eligible), default=0.0)
    asked, told, better = rivals.question(tree, split), _held_words(tree, held), _better(tree, held)
    by = rivals.competes_by(tree, found)
    score = score_text(tree, found, split.score) if found.score != "decrease" else figure(split.score)
    notes = [] if by == "gain" else [f"gain {figure(split.gain)}"]
    notes += ["the tree\u2019s own"] * split.chosen + ["passed over: gain below the average"] * (not split.eligible)
    notes += [] if can_be_taken else ["cannot be taken by hand"]
    return {
        "feature": shorten(split.feature, NAME, places), "gain": score,
        "asks": shorten(asked.removeprefix(split.feature), 160),
        "share": round(min(max(split.score / best, 0.0), 1.0), 4) if best > 0 else 0.0,
        "own": split.chosen, "passed": not split.eligible, "held": told, "better": better,
        "label": shorten("; ".join([asked, f"{by} {score}", *[told] * bool(told), *notes]), 300),
        "told": ". ".join(n[:1].upper() + n[1:] for n in notes), "branches": branches(tree, found, split),
    }  # fmt: skip


def figure(gain: float) -> str:
    """Three digits, so that small gains can be told apart; 0 for what is 0 but for rounding."""
    return "0" if abs(gain) < ROUNDING else brief(gain)


def _held_words(tree: tc.Tree, held: Held | None) -> str:
    """ "+12 right", "−3.1 % error", against the same node as a leaf; '' where nothing is known."""
    if held is None:
        return ""
    if tree.classes:
        more = held.split - held.leaf
        return "\u00b10 right" if not round(more, 6) else f"{'+' if more > 0 else MINUS}{count(abs(more))} right"
    change = 100 * (held.split / held.leaf - 1) if held.leaf > 0 else 0.0
    return f"{'+' if change > 0 else MINUS}{abs(change):.1f}\u00a0% error" if round(change, 1) else "\u00b10 error"


def _better(tree: tc.Tree, held: Held | None) -> str:
    """The class of its look."""
    if held is None or math.isclose(held.split, held.leaf, rel_tol=1e-9):
        return ""
    return "more" if (held.split > held.leaf) == bool(tree.classes) else "less"


def branches(tree: tc.Tree, found: Candidates, split: Candidate) -> list[dict]:
    """What its branches would be, as rows of the canvas: the training rows whose value is known."""
    total = sum(split.n_rows) or 1
    made = []
    for i, (words, n) in enumerate(zip(rivals.branch_words(tree, split), split.n_rows, strict=True)):
        if i == MOST_BRANCHES:
            break
        made.append(_branch(tree, found.node, split.stats[i] if len(split.stats) > i else (), words, n, n / total))
        made[-1] |= {"id": -1 - i} | listed(split.branches[i] if split.threshold is None else ())
    return made


def sides(tree: tc.Tree, node: int, cut: Candidate) -> list[dict]:
    """The two sides of a cut of which only the numbers of rows are known."""
    words, n_rows, total = rivals.branch_words(tree, cut), cut.n_rows, sum(cut.n_rows) or 1
    return [
        _branch(tree, node, (), word, n, n / total) | {"id": -1 - i}
        for i, (word, n) in enumerate(zip(words, n_rows, strict=True))
    ]


def _branch(tree: tc.Tree, node: int, stats, words: str, n: int, share: float) -> dict:
    made = {
        "parent": node, "level": 0, "leaf": True, "x": 0, "y": 0, "title": "", "answer": "", "short": "", "lines": [],
        "branch": shorten(words, WORDS), "n": count(n, ","), "part": "", "share": round(share, 5), "bars": [],
        "label": shorten(f"{words}: {n:,} rows", 200),
    }  # fmt: skip
    weight = float(sum(stats)) if tree.classes else float(stats[0]) if len(stats) else 0.0
    if weight <= 0:
        return made | {"title": made["n"], "n": ""}
    if not tree.classes:
        answer = measure(float(tree.center[node] + stats[1] / weight))
        return made | {"title": answer, "answer": answer, "short": answer}
    value = int(tree.labels_of(stats[None])[0])
    shares, looked_for = (stats / weight).tolist(), interest.of(tree)
    largest = sorted(range(len(shares)), key=shares.__getitem__, reverse=True)[:12]
    parts = [[i, round(shares[i], 5)] for i in sorted(largest) if shares[i] > 0]
    rest = 1 - sum(part for _, part in parts)
    places = apart(tree.class_names)
    answer, short = (shorten(tree.class_names[value], room, places) for room in (WORDS, 24))
    return made | {
        "title": answer, "answer": answer, "short": short,
        "part": rate_told(shares, value, tree.class_names, looked_for, 10, places),
        "bars": [parts + ([[-1, round(rest, 5)]] if rest > 1e-4 else [])],
    } | shade(tint(shares, value, looked_for))  # fmt: skip
