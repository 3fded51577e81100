"""What every cut of one feature would gain, as the browser draws it with a handle."""

import numpy as np

from treecore.growing.inspect.landscape import Bars, Curve, Landscape
from treecore.recipe import Take
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree
from treecore.view.rivals import figure, sides
from treecore.view.split_words import question

MOST = 240
WORDS = 80


def drawn(tree: Tree, found: Landscape, feature: str, take: Take | None) -> dict | None:
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
