"""What a batch of rows did to a tree, and how good the trees were meanwhile, in words."""

import numpy as np

from treecore.experiments.fed import Feeding
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import percent
from treecore.incremental import Step


def step_told(step: Step, grows_whole: bool = True) -> str:
    """One sentence. grows_whole : by a way that can grow subtrees anew; else it splits leaves alone."""
    told = [f"{_n(step.updated, 'node')} counted {'it' if step.n_new == 1 else 'them'}"]
    if step.whole:
        return f"The tree was grown anew from all rows, as {step.whole}."
    if not grows_whole:
        told += [f"{_n(step.regrown, 'leaf', 'leaves')} split"] if step.regrown else ["no leaf was split"]
        return f"{', '.join(told)}."
    if step.shifted:
        told.append(f"{_n(step.shifted, 'test')} moved between the same rows")
    if step.regrown:
        gone = f", in place of {_n(step.replaced, 'split')}" if step.replaced else ""
        told.append(f"{_n(step.regrown, 'subtree')} grown anew{gone}")
    if not step.shifted and not step.regrown:
        told.append("every split stayed")
    return f"{'; '.join(told)}."


def fed_lines(found: Feeding, role: str) -> list[Line]:
    """Of every way: how often the tree changed, leaves and accuracy on the rows of a role, first and last."""
    rows = tuple(
        (
            way.label,
            f"{np.count_nonzero(way.changed):,}",
            " → ".join(f"{n:,}" for n in np.asarray(way.n_leaves)[[0, -1]].tolist()),
            " → ".join(percent(share) for share in np.asarray(way.accuracy[role])[[0, -1]].tolist()),
        )
        for way in found.ways.values()
    )
    first, last = found.n_rows[[0, -1]].tolist()
    return [
        Words(f"From {first:,} rows to {last:,}, in {len(found.n_rows) - 1:,} steps."),
        Grid(("way", "steps that changed the tree", "leaves", f"accuracy, {role} rows"), rows),
    ]


def _n(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"
