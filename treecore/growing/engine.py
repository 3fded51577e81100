"""Which engine grows a tree: the one decision, for the fit itself and for whoever prepares it.

FAST : kernels for what most trees ask for. GENERAL : the small kernels that do everything. NUMPY : neither, for the
first trees, which would be grown before kernels are ready. The tree is the same.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from treecore import compiling
from treecore.data.table import Table
from treecore.growing.loop import Grown
from treecore.growing.problem import problem_of
from treecore.growing.searchers import as_searched
from treecore.growing.settings import Growth
from treecore.growing.terms import Terms, terms_of
from treecore.growing.uncompiled.grow import grow_uncompiled, is_covered, seconds
from treecore.kernels.state import Problem
from treecore.tree.tree import Tree

FAST, GENERAL, NUMPY = "fast", "general", "numpy"
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


class Decision(NamedTuple):
    """engine : FAST, GENERAL or NUMPY. parts : of the kernels that the tree takes, see treecore.warm; those it would
    take where it is grown in NumPy. problem : the kernels' view of the table where it was needed to decide, else None.
    """

    engine: str
    parts: tuple[str, ...]
    terms: Terms
    problem: Problem | None = None


def decide(table: Table, growth: Growth, imposed: bool = False) -> Decision:
    """Which engine grows on this table by these settings now. imposed : are some splits said beforehand?

    TreecoreError where the settings do not fit the table.
    """
    terms = terms_of(table, growth)
    is_fast = bool(terms.fast_parts) and not imposed
    engine, parts = (FAST, terms.fast_parts) if is_fast else (GENERAL, terms.general_parts)
    if imposed or is_settled(parts, table.n_rows * len(table.features)):
        return Decision(engine, parts, terms)
    problem = searched_problem(table, growth)
    return Decision(NUMPY if is_sooner(problem, growth, parts) else engine, parts, terms, problem)


def searched_problem(table: Table, growth: Growth) -> Problem:
    """The kernels' view of the table, as the selector of these settings searches it."""
    return as_searched(problem_of(table, growth), growth)


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


def grown_in_numpy(problem: Problem, growth: Growth, parts: tuple[str, ...], progress: Callable | None) -> Grown:
    """The tree without kernels. What is lacking of those that it would take is compiled in the background after it."""
    begin = time.perf_counter()
    try:
        return grow_uncompiled(problem, growth, progress)
    finally:
        _spent[0] += time.perf_counter() - begin
        compiling.start(parts)


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
