"""The splits that were possible at a node as the browser draws them: ranked bars, and every cut of one feature with a
handle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.explaining.why_node import score_text
from treecore.figures import brief, count
from treecore.fit import take_of
from treecore.growing.inspect.candidates import MISSING, Candidate, Candidates
from treecore.growing.inspect.landscape import Bars, Curve, Landscape
from treecore.judging.interest import Interest, shown_rate, tint
from treecore.recipe import Take
from treecore.tree.short_text import NOWHERE, Places, apart, shorten
from treecore.tree.tree import Tree
from treecore.view.canvas_nodes import listed, shade_of_tint
from treecore.view.labels import branch_words, competes_by, question

MOST_BRANCHES, WORDS = 6, 80
MINUS = "\u2212"
ROUNDING = 1e-12
NAME = 26
"""Letters of a feature, so that what is asked of it has room beside it."""


@dataclass(frozen=True)
class ValidationEffect:
    """What a split does to the validation rows at its node.

    n : their weight. split, leaf : with the split, and without: for classes the weight of those answered rightly, for
    numbers the mean squared error.
    """

    n: float
    split: float
    leaf: float


def best_of_each(tree: Tree, found: Candidates, own: Callable[[], Candidate]) -> tuple[Candidate, ...]:
    """The best split of every feature, and the tree's own where it is another one. own : see with_own."""
    return with_own(tree, found, tuple(c for c in found.ranked if c.best or c.chosen), own)


def with_own(
    tree: Tree, found: Candidates, shown: tuple[Candidate, ...], own: Callable[[], Candidate]
) -> tuple[Candidate, ...]:  # fmt: skip
    """The splits with the tree's own first where it is not among them: with several cuts, or by hand.

    own : makes it, see explaining.split.own_candidate."""
    if tree.is_leaf[found.node] or any(c.chosen for c in found.ranked):
        return shown
    return (own(), *shown)


def taken(tree: Tree, node: int, candidate: Candidate) -> Take | None:
    """The step that takes a split; None for one that parts the missing values of a level from known ones, and not by a
    branch per level."""
    feature = next(f for f in tree.schema.features if f.name == candidate.feature)
    if candidate.threshold is None and candidate.missing is not None and not feature.branches_by_bins:
        without = [tuple(v for v in group if v != MISSING) for group in candidate.branches]
        if not all(without) and tree.growth["nominal"] != "multiway":
            return None
    return take_of(tree, node, candidate)


def row(
    tree: Tree, found: Candidates, split: Candidate, held: ValidationEffect | None = None, can_be_taken: bool = True,
    places: Places = NOWHERE, interest: Interest | None = None,
) -> dict:  # fmt: skip
    """One bar as plain values, for textContent alone. held : what it does to the validation rows, None if not known.
    places : where names of features differ. interest : the class looked for."""
    best = max((c.score for c in found.ranked if c.eligible), default=0.0)
    asked, told, better = question(tree, split), _held_words(tree, held), _better(tree, held)
    by = competes_by(tree, found)
    score = score_text(tree, found, split.score) if found.score != "decrease" else figure(split.score)
    notes = [] if by == "gain" else [f"gain {figure(split.gain)}"]
    notes += ["the tree\u2019s own"] * split.chosen + ["not considered: gain below the average"] * (not split.eligible)
    notes += [] if can_be_taken else ["cannot be taken by hand"]
    return {
        "feature": shorten(split.feature, NAME, places), "gain": score,
        "asks": shorten(asked.removeprefix(split.feature), 160),
        "share": round(min(max(split.score / best, 0.0), 1.0), 4) if best > 0 else 0.0,
        "own": split.chosen, "passed": not split.eligible, "held": told, "better": better,
        "label": shorten("; ".join([asked, f"{by} {score}", *[told] * bool(told), *notes]), 300),
        "told": ". ".join(n[:1].upper() + n[1:] for n in notes),
        "branches": split_branches(tree, found.node, split, interest),
    }  # fmt: skip


def figure(gain: float) -> str:
    """Three digits, so that small gains can be told apart; 0 for what is 0 but for rounding."""
    return "0" if abs(gain) < ROUNDING else brief(gain)


def _held_words(tree: Tree, held: ValidationEffect | None) -> str:
    """ "+12 right", "−3.1 % error", against the same node as a leaf; '' where nothing is known."""
    if held is None:
        return ""
    if tree.classes:
        more = held.split - held.leaf
        return "\u00b10 right" if not round(more, 6) else f"{'+' if more > 0 else MINUS}{count(abs(more))} right"
    change = 100 * (held.split / held.leaf - 1) if held.leaf > 0 else 0.0
    return f"{'+' if change > 0 else MINUS}{abs(change):.1f}\u00a0% error" if round(change, 1) else "\u00b10 error"


def _better(tree: Tree, held: ValidationEffect | None) -> str:
    """The class of its look."""
    if held is None or math.isclose(held.split, held.leaf, rel_tol=1e-9):
        return ""
    return "more" if (held.split > held.leaf) == bool(tree.classes) else "less"


def split_branches(tree: Tree, node: int, split: Candidate, interest: Interest | None = None) -> list[dict]:
    """What its branches would be, as rows of the canvas: the training rows whose value is known."""
    total = sum(split.n_rows) or 1
    made = []
    for i, (words, n) in enumerate(zip(branch_words(tree, split), split.n_rows, strict=True)):
        if i == MOST_BRANCHES:
            break
        made.append(_branch(tree, node, split.stats[i] if len(split.stats) > i else (), words, n, n / total, interest))
        made[-1] |= {"id": -1 - i} | listed(split.branches[i] if split.threshold is None else ())
    return made


def sides(tree: Tree, node: int, cut: Candidate) -> list[dict]:
    """The two sides of a cut of which only the numbers of rows are known."""
    words, n_rows, total = branch_words(tree, cut), cut.n_rows, sum(cut.n_rows) or 1
    return [
        _branch(tree, node, (), word, n, n / total) | {"id": -1 - i}
        for i, (word, n) in enumerate(zip(words, n_rows, strict=True))
    ]


def _branch(
    tree: Tree, node: int, stats, words: str, n: int, share: float, interest: Interest | None = None
) -> dict:  # fmt: skip
    made = {
        "parent": node, "level": 0, "leaf": True, "x": 0, "y": 0, "title": "", "answer": "", "short": "", "lines": [],
        "branch": shorten(words, WORDS), "n": count(n, ","), "part": "", "share": round(share, 5), "bars": [],
        "label": shorten(f"{words}: {n:,} rows", 200),
    }  # fmt: skip
    weight = float(tree.weight_of(stats)) if len(stats) else 0.0
    if weight <= 0:
        return made | {"title": made["n"], "n": ""}
    if not tree.classes:
        answer = tree.target_kind.stats_text(tree, node, stats)
        return made | {"title": answer, "answer": answer, "short": answer}
    value = int(tree.labels_of(stats[None])[0])
    shares = (stats / weight).tolist()
    largest = sorted(range(len(shares)), key=shares.__getitem__, reverse=True)[:12]
    parts = [[i, round(shares[i], 5)] for i in sorted(largest) if shares[i] > 0]
    rest = 1 - sum(part for _, part in parts)
    places = apart(tree.class_names)
    answer, short = (shorten(tree.class_names[value], room, places) for room in (WORDS, 24))
    return made | {
        "title": answer, "answer": answer, "short": short,
        "part": shown_rate(shares, value, tree.class_names, interest, WORDS, places),
        "bars": [parts + ([[-1, round(rest, 5)]] if rest > 1e-4 else [])],
    } | shade_of_tint(tint(shares, value, interest))  # fmt: skip


# What every cut of one feature would gain, as the browser draws it with a handle.

MOST = 240


def cut_picture(tree: Tree, found: Landscape, feature: str, take: Take | None) -> dict | None:
    """One feature's cuts, with the handle at the split pointed at, else at the tree's own, else at the best."""
    part = next((p for p in found.parts if p.feature == feature), None)
    if part is None:
        return None
    part = part.thinned(MOST) if isinstance(part, Curve) else part
    own = _own(tree, found.node, part)
    at = _place(part, take) if take is not None else None
    at = next(place for place in (at, own, int(np.argmax(part.gain))) if place is not None)
    made = _curve(tree, found, part) if isinstance(part, Curve) else _bars(tree, part)
    low = min(0.0, float(np.min(part.gain)))
    best = float(found.best)
    is_finite = np.isfinite(best)
    return made | {
        "feature": feature, "gain": [round(float(g), 9) for g in part.gain],
        "told": [figure(float(g)) for g in part.gain],
        "at": at, "own": own, "low": low, "high": 1.05 * max(best, 1e-12) if is_finite else 1.0,
        "best": best if is_finite and best > 0 else None, "words_gain": _word(found),
        "best_text": f"best here {figure(best)}" if is_finite else "",
        "name": f"Every cut of {shorten(feature, 40)}: drag to another one",
        "words": f"Cuts of {shorten(feature, 60)}",
    }  # fmt: skip


def _word(found: Landscape) -> str:
    return f"{'gain' if found.what.startswith('gain in') else 'score'}{' for its cost' if found.costly else ''}"


def _curve(tree: Tree, found: Landscape, part: Curve) -> dict:
    cuts = [found.candidate(part.feature, float(t)) for t in part.threshold]
    asks = [question(tree, c).removeprefix(part.feature).strip() for c in cuts]
    low, high = float(part.threshold.min()), float(part.threshold.max())
    spread = (high - low) or 1.0
    rows = [(int(a), int(b)) for a, b in zip(part.n_low, part.n_high, strict=True)]
    return {
        "x": [round((float(t) - low) / spread, 5) for t in part.threshold], "threshold": part.threshold.tolist(),
        "asks": [shorten(a, WORDS) for a in asks], "rows": [f"{a:,} | {b:,} rows" for a, b in rows],
        "ends": [asks[0].split(" ", 1)[-1], asks[-1].split(" ", 1)[-1] if len(asks) > 1 else ""], "bars": False,
        "sides": [sides(tree, found.node, cut) for cut in cuts],
    }  # fmt: skip


def _bars(tree: Tree, part: Bars) -> dict:
    n = len(part.groupings)
    asks = [" | ".join(", ".join(g) for g in c.branches) for c in part.groupings]
    return {
        "x": [(i + 0.5) / n for i in range(n)], "threshold": [], "asks": [shorten(a, 160) for a in asks],
        "rows": [" | ".join(f"{k:,}" for k in c.n_rows) + " rows" for c in part.groupings],
        "ends": ["best grouping", f"{n}." if n > 1 else ""], "bars": True,
    }  # fmt: skip


def _own(tree: Tree, node: int, part: Curve | Bars) -> int | None:
    if tree.is_leaf[node] or tree.node(node).feature != part.feature:
        return None
    if isinstance(part, Bars):
        return next((i for i, c in enumerate(part.groupings) if c.chosen), None)
    threshold = float(tree.splits.threshold[node])
    return int(np.abs(part.threshold - threshold).argmin()) if np.isfinite(threshold) else None


def _place(part: Curve | Bars, take: Take) -> int | None:
    if take.feature != part.feature:
        return None
    if isinstance(part, Curve):
        if take.threshold is None or not np.isfinite(take.threshold):
            return None
        return int(np.abs(part.threshold - take.threshold).argmin())
    groups = {frozenset(b) for b in take.branches}
    return next((i for i, c in enumerate(part.groupings) if set(c.groups) == groups), None)
