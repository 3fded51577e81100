"""What a batch of rows did to a tree, in words."""

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


def _n(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"
