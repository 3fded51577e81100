"""When a tree is grown without compiled kernels: while these would take longer to get ready than the tree does."""

import time
from collections.abc import Callable

from treecore import compiling
from treecore.criteria import CRITERIA
from treecore.growing.loop import Grown
from treecore.growing.needs import Needs
from treecore.growing.settings import Growth
from treecore.growing.uncompiled.grow import grow_uncompiled, is_covered, seconds
from treecore.kernels.state import TESTED, Problem
from treecore.tree.tree import Tree

COMPILING = {
    "fast": 20.0, "fast_surrogates": 9.0, "fast_special": 40.0, "search": 10.0, "split": 6.0, "surrogates": 8.0,
    "special_search": 25.0, "special_split": 12.0, "absolute": 13.0,
}  # fmt: skip
"""Seconds that each part of the kernels takes to compile on one core of the machine of benchmarks/results.md."""
LOADING = 0.25
"""Seconds that they take to be read from the disk cache."""
MOST_CELLS = 8_000_000
"""Of a table that is grown on without kernels: beyond, it takes too much memory."""
MOST_WHILE_LOADING = 2_000_000
"""The same while kernels need only be read: no tree on a larger table is grown within LOADING."""
LARGE = "fast_large"
"""The part of the kernels that grows large nodes sooner; no tree waits for it."""
_spent = [0.0]


def needs_in(problem: Problem, fast: tuple[str, ...]) -> Needs:
    """What growing on this problem asks of the kernels. fast : see Needs."""
    rules = problem.rules[0]
    return Needs(
        fast=fast,
        searches=rules["selector"] != TESTED,
        special_search=bool(problem.special_search),
        special_split=bool(problem.special_split),
        surrogates=rules["max_surrogates"] > 0,
        absolute=problem.judge.code == CRITERIA["absolute_error"].code,
    )


def parts_of(needs: Needs) -> tuple[str, ...]:
    """The parts of the kernels that growing takes; see treecore.warm."""
    if needs.fast:
        return needs.fast
    split = "special_split" if needs.special_split else "split"
    if needs.absolute:
        return ("absolute", split)
    search = ("special_search" if needs.special_search else "search",) if needs.searches else ()
    return (*search, split, *(["surrogates"] if needs.surrogates else []))


def grown_without(problem: Problem, growth: Growth, parts: tuple[str, ...], progress: Callable | None) -> Grown | None:
    """The tree, grown in NumPy; None where compiled kernels are the better choice, or the only one.

    parts : of the kernels that the tree would take. What they lack is compiled in the background afterwards.
    """
    if not is_sooner(problem, growth, parts):
        return None
    begin = time.perf_counter()
    try:
        return grow_uncompiled(problem, growth, progress)
    finally:
        _spent[0] += time.perf_counter() - begin
        compiling.start(parts)


def is_settled(parts: tuple[str, ...], n_cells: int) -> bool:
    """Is a table of so many cells grown on by the kernels of these parts, whatever is asked of them? Then nobody need
    make a Problem of it, which may be large, to find out."""
    if n_cells > MOST_CELLS or all(map(compiling.is_loaded, parts)):
        return True
    return n_cells > MOST_WHILE_LOADING and all(map(compiling.is_cached, parts))


def is_sooner(problem: Problem, growth: Growth, parts: tuple[str, ...]) -> bool:
    """Is the tree grown in NumPy before the kernels of these parts would be ready?

    Where they are in the disk cache, that is asked for the first tree of a process only: the next ones gain by them.
    """
    if compiling.is_forced() or is_settled(parts, problem.codes.size):
        return False
    missing = [part for part in parts if not compiling.is_cached(part)]
    if not missing and _spent[0] > 0.0:
        return False
    left = sum(COMPILING[part] for part in missing) - _spent[0] if missing else LOADING
    return is_covered(problem, growth) and seconds(problem) < left


def has_buckets() -> bool:
    """May large nodes be grown from buckets now? If not, what this takes is compiled in the background."""
    if compiling.is_forced() or compiling.is_loaded(LARGE):
        return True
    if compiling.is_cached(LARGE):
        compiling.note(LARGE)  # they are about to be read
        return True
    compiling.start((LARGE,))
    return False


def note_compiled(parts: tuple[str, ...], tree: Tree) -> None:
    """Remember that these parts' kernels have grown this tree; one without a split did not take all of them."""
    for part in parts if tree.n_nodes > 1 else ():
        compiling.note(part)
